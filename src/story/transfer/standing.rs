//! How the router answers lately, apart from what it said last: a 404 and a silence are words of their own.

use crate::{
    domain::{Timestamp, text},
    wire::{ApiError, ErrorKind, Step},
};

/// What routers say of a transaction that exists on chain and failed, or whose hash is none (`docs/apis/router.md` §4).
const INVALID: &str = "invalid on chain";
/// Columns of a router's reason at the most.
const REASON: usize = 120;

/// Answers of one kind in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnswerStreak {
    /// When the first of them came.
    pub since: Timestamp,
    /// When the newest of them came.
    pub last: Timestamp,
    /// How many they are.
    pub times: u32,
}

impl AnswerStreak {
    fn begin(now: Timestamp) -> Self {
        Self { since: now, last: now, times: 1 }
    }

    fn go_on(self, now: Timestamp) -> Self {
        Self { last: now, times: self.times.saturating_add(1), ..self }
    }
}

/// Why nothing is learnt from a router.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RouterSilence {
    /// There is no connection to it.
    Unreachable,
    /// It does not answer in time.
    Slow,
    /// It wants to be left alone.
    Limiting,
    /// It fails, with this HTTP status.
    Failing(u16),
    /// It refuses to answer, with this HTTP status.
    Refusing(u16),
    /// What it answers cannot be read.
    Unreadable,
}

impl RouterSilence {
    fn of(error: &ApiError) -> Self {
        match &error.kind {
            ErrorKind::Offline { .. } => Self::Unreachable,
            ErrorKind::Timeout(_) => Self::Slow,
            ErrorKind::RateLimited(_) => Self::Limiting,
            ErrorKind::Server { status, .. } => Self::Failing(*status),
            ErrorKind::Rejected { status, .. } => Self::Refusing(*status),
            _ if error.step() == Step::Name => Self::Unreachable,
            _ => Self::Unreadable,
        }
    }

    /// `router unreachable`, for brackets.
    pub(super) fn words(self) -> String {
        match self {
            Self::Unreachable => "router unreachable".to_owned(),
            Self::Slow => "router does not answer".to_owned(),
            Self::Limiting => "router limits questions".to_owned(),
            Self::Failing(status) => format!("router fails with {status}"),
            Self::Refusing(status) => format!("router refuses with {status}"),
            Self::Unreadable => "router not readable".to_owned(),
        }
    }
}

/// How the router answers lately when it is asked for the newest transaction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum RouterStanding {
    /// It has not been asked in this session, or has not answered yet.
    #[default]
    Unasked,
    /// None is known for this network.
    Absent,
    /// Its last answer was a status.
    Answering,
    /// It says that it does not know the transaction.
    Unknowing(AnswerStreak),
    /// Nothing is learnt from it.
    Silent(AnswerStreak, RouterSilence),
    /// It refuses to watch the transaction, for this reason, cleaned.
    Refusing {
        /// When it said so.
        at: Timestamp,
        /// Its words.
        reason: String,
        /// Whether these say that the transaction failed on chain, or is none.
        is_invalid: bool,
    },
}

impl RouterStanding {
    /// A status came.
    pub fn answer(&mut self) {
        *self = Self::Answering;
    }

    /// The question for the status failed, or the router does not know the transaction.
    pub fn fail(&mut self, error: &ApiError, now: Timestamp) {
        *self = match (&*self, error.is_not_found()) {
            // What it said when it was to watch it stays the reason.
            (Self::Refusing { .. }, _) => return,
            (Self::Unknowing(streak), true) => Self::Unknowing(streak.go_on(now)),
            (_, true) => Self::Unknowing(AnswerStreak::begin(now)),
            (Self::Silent(streak, _), false) => Self::Silent(streak.go_on(now), RouterSilence::of(error)),
            (_, false) => Self::Silent(AnswerStreak::begin(now), RouterSilence::of(error)),
        };
    }

    /// The router does not take the transaction up to watch, and there is no use in asking again. Says whether it was
    /// such a refusal: a 404 passes, and so does a failure.
    pub fn refuse(&mut self, error: &ApiError, now: Timestamp) -> bool {
        let ErrorKind::Rejected { status: 400, sentence } = &error.kind else { return false };
        let is_invalid = sentence.to_lowercase().contains(INVALID);
        *self = Self::Refusing { at: now, reason: text::clip(sentence, REASON), is_invalid };
        true
    }

    /// Why what the router said last may be so no longer, for brackets; `None` where it is as it said.
    pub(super) fn doubt(&self) -> Option<String> {
        match self {
            Self::Unasked | Self::Answering | Self::Refusing { .. } => None,
            Self::Absent => Some("no router is known here".to_owned()),
            Self::Unknowing(_) => Some("router no longer knows it".to_owned()),
            Self::Silent(_, silence) => Some(silence.words()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn error(kind: ErrorKind) -> ApiError {
        ApiError { kind, url: "http://router.example".into(), body: None }
    }

    #[test]
    fn answers_of_one_kind_are_counted_and_a_refusal_is_no_silence() {
        let later = |second| Timestamp::EPOCH.after(Duration::from_secs(second));
        let unknown = error(ErrorKind::Untracked("tx not found".to_owned()));
        let mut standing = RouterStanding::default();
        standing.fail(&unknown, later(1));
        standing.fail(&unknown, later(4));
        let streak = AnswerStreak { since: later(1), last: later(4), times: 2 };
        assert_eq!(standing, RouterStanding::Unknowing(streak));
        standing.fail(&error(ErrorKind::Timeout(Duration::from_secs(9))), later(5));
        assert_eq!(standing.doubt().as_deref(), Some("router does not answer"));
        standing.fail(&error(ErrorKind::Server { status: 502, sentence: String::new() }), later(6));
        assert!(matches!(
            &standing,
            RouterStanding::Silent(AnswerStreak { times: 2, .. }, RouterSilence::Failing(502))
        ));

        assert!(!standing.refuse(&unknown, later(7)), "a 404 passes");
        let rejected = |sentence: &str| error(ErrorKind::Rejected { status: 400, sentence: sentence.to_owned() });
        assert!(standing.refuse(&rejected("tx is invalid on chain"), later(8)));
        standing.fail(&unknown, later(9));
        assert!(matches!(&standing, RouterStanding::Refusing { is_invalid: true, .. }), "the reason stays");
        assert!(standing.refuse(&rejected("chain is not supported"), later(9)));
        assert!(matches!(&standing, RouterStanding::Refusing { is_invalid: false, .. }));
        standing.answer();
        assert_eq!(standing.doubt(), None);
    }
}
