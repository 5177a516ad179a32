//! State of each of the network's servers, as far as its last answers prove it.

use std::{fmt, time::Duration};

use crate::{
    domain::{Timestamp, text},
    wire::{Exchange, ExchangeOutcome, ServerInterface},
};

/// How long an answer says something about its server.
const VALID: Duration = Duration::from_secs(600);

/// Maximum age of an answer that still describes the present.
const PRESENT: Duration = Duration::from_secs(30);

/// Minimum time between the first and the last failure that counts as a duration.
const LASTING: Duration = Duration::from_secs(5);

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ServerState {
    pub(crate) server: ServerInterface,
    /// When the last request ended.
    last: Timestamp,
    pub(crate) failure: Option<ServerFailure>,
}

/// Failures in a row, up to the last request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ServerFailure {
    last: FailedAnswer,
    /// When the first of the failures ended.
    since: Timestamp,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FailedAnswer {
    Status(u16),
    NoAnswer,
}

impl fmt::Display for ServerFailure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.last {
            FailedAnswer::Status(status) => write!(formatter, "{status}"),
            FailedAnswer::NoAnswer => formatter.write_str("no answer"),
        }
    }
}

impl ServerState {
    /// Returns how long the server has failed, or the age of its last answer; `None` for a present answer.
    pub(crate) fn age(&self, now: Timestamp) -> Option<String> {
        let silence = now.since(self.last);
        match self.failure {
            Some(failure) if silence <= PRESENT => {
                let lasted = self.last.since(failure.since);
                (lasted >= LASTING).then(|| format!("for {}", text::age(lasted)))
            }
            None if silence <= PRESENT => None,
            _ => Some(format!("{} ago", text::age(silence))),
        }
    }
}

/// States of the servers that were asked.
#[derive(Debug, Default)]
pub(crate) struct ServerStates(Vec<ServerState>);

impl ServerStates {
    /// Applies an exchange that has just ended; returns whether a server failed or works again.
    pub(super) fn take(&mut self, exchange: &Exchange, now: Timestamp) -> bool {
        let Some(server) = exchange.server.filter(|_| exchange.outcome != ExchangeOutcome::Cancelled) else {
            return false;
        };
        let before = self.0.iter().position(|state| state.server == server).map(|place| self.0.swap_remove(place));
        let failing = before.and_then(|state| state.failure);
        let since = failing.map_or(now, |failure| failure.since);
        let failure = failure_of(server, &exchange.outcome).map(|last| ServerFailure { last, since });
        self.0.push(ServerState { server, last: now, failure });
        self.0.sort_by_key(|state| state.server);
        failing != failure
    }

    /// Returns the states that valid answers prove. While the indexer fails, older answers of other servers prove
    /// nothing: what fails may be the connection.
    pub(crate) fn proven(&self, now: Timestamp) -> impl Iterator<Item = &ServerState> {
        let indexer = self.0.iter().find(|state| state.server == ServerInterface::Indexer);
        let since = indexer.and_then(|state| state.failure).map(|failure| failure.since);
        self.0.iter().filter(move |state| {
            let is_newer = since.is_none_or(|since| state.last >= since);
            now.since(state.last) <= VALID && (state.failure.is_some() || is_newer)
        })
    }
}

/// Returns how a request failed. Any other response proves that the server works: nodes send HTTP 500 for what they
/// refuse.
fn failure_of(server: ServerInterface, outcome: &ExchangeOutcome) -> Option<FailedAnswer> {
    match outcome {
        ExchangeOutcome::Failed(_) => Some(FailedAnswer::NoAnswer),
        ExchangeOutcome::Status(status @ (429 | 502..=504)) => Some(FailedAnswer::Status(*status)),
        ExchangeOutcome::Status(500) if matches!(server, ServerInterface::Router | ServerInterface::Indexer) => {
            Some(FailedAnswer::Status(500))
        }
        ExchangeOutcome::Status(_) | ExchangeOutcome::Cancelled => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exchange(server: ServerInterface, outcome: ExchangeOutcome) -> Exchange {
        Exchange {
            id: 0,
            server: Some(server),
            method: "GET",
            url: "http://127.0.0.1/".into(),
            sent: "".into(),
            at: Timestamp::EPOCH,
            elapsed: Duration::ZERO,
            outcome,
            bytes: 0,
            body: "".into(),
        }
    }

    fn at(second: u64) -> Timestamp {
        Timestamp::EPOCH.after(Duration::from_secs(second))
    }

    /// The states as the header writes them.
    fn told(states: &ServerStates, second: u64) -> Vec<String> {
        let told = |state: &ServerState| {
            let failure = state.failure.map(|failure| failure.to_string());
            let words = [Some(state.server.name().to_owned()), failure, state.age(at(second))];
            words.into_iter().flatten().collect::<Vec<_>>().join(" ")
        };
        states.proven(at(second)).map(told).collect()
    }

    #[test]
    fn a_server_is_what_its_last_answers_prove() {
        use ServerInterface::{L1, Router, Rpc};
        let answered = ExchangeOutcome::Status;
        let lost = || ExchangeOutcome::Failed("refused".to_owned());
        let mut states = ServerStates::default();
        let take =
            |states: &mut ServerStates, server, second, outcome| states.take(&exchange(server, outcome), at(second));
        assert!(!take(&mut states, Router, 0, answered(200)));
        assert!(take(&mut states, Router, 10, answered(502)));
        assert_eq!(told(&states, 10), ["router 502"], "one failure has no duration");
        assert!(take(&mut states, Router, 70, lost()) && take(&mut states, Router, 130, answered(503)));
        assert_eq!(told(&states, 140), ["router 503 for 2 min"], "as long as it is proven");
        assert_eq!(told(&states, 190), ["router 503 1 min ago"], "nobody asked since");
        assert!(!take(&mut states, Router, 200, ExchangeOutcome::Cancelled));
        assert_eq!(told(&states, 250), ["router 503 2 min ago"], "a cancelled request proves nothing");
        assert!(!take(&mut states, Rpc, 250, answered(500)) && take(&mut states, L1, 250, lost()));
        assert_eq!(told(&states, 250), ["RPC", "router 503 2 min ago", "L1 no answer"], "500 is a node's refusal");
        assert!(take(&mut states, Router, 260, answered(404)));
        assert_eq!(told(&states, 260), ["RPC", "router", "L1 no answer"], "a server that refuses works");
        assert_eq!(told(&states, 400), ["RPC 2 min ago", "router 2 min ago", "L1 no answer 2 min ago"]);
        assert!(take(&mut states, ServerInterface::Indexer, 410, lost()));
        assert_eq!(
            told(&states, 410),
            ["indexer no answer", "L1 no answer 2 min ago"],
            "the connection may have failed"
        );
        take(&mut states, Router, 420, answered(200));
        assert_eq!(told(&states, 420)[1], "router");
        assert_eq!(told(&states, 1100), [""; 0], "old answers prove nothing");
    }
}
