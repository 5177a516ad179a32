//! Recent behaviour of the router, apart from its last status: a 404, a refusal and a silence differ.

use crate::{
    domain::Timestamp,
    wire::{ApiError, ErrorKind, Step},
};

/// Error text of routers for a transaction that failed on chain, or whose hash is invalid (`docs/apis/router.md` §4).
const INVALID: &str = "invalid on chain";
/// Maximum columns of a router's reason.
const REASON: usize = 120;

/// Consecutive answers of the same kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnswerStreak {
    /// Time of the first answer.
    pub since: Timestamp,
    /// Time of the latest answer.
    pub last: Timestamp,
    /// Number of answers.
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

/// Why a router does not report a status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RouterSilence {
    /// rollscope cannot connect to the router.
    Unreachable,
    /// The router does not answer in time.
    Slow,
    Limiting,
    /// The router fails with this HTTP status.
    Failing(u16),
    /// The router refuses the request with this HTTP status.
    Refusing(u16),
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

    /// Formats the reason for use in parentheses, as in `router unreachable`.
    pub(super) fn words(self) -> String {
        match self {
            Self::Unreachable => "router unreachable".to_owned(),
            Self::Slow => "router does not answer".to_owned(),
            Self::Limiting => "router limits requests".to_owned(),
            Self::Failing(status) => format!("router returns HTTP {status}"),
            Self::Refusing(status) => format!("router rejects the request: HTTP {status}"),
            Self::Unreadable => "router's answer unreadable".to_owned(),
        }
    }
}

/// How the router has recently answered about the newest transaction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum RouterHealth {
    /// rollscope has not asked in this session, or has no answer yet.
    #[default]
    Unasked,
    Absent,
    /// The last answer was a status.
    Answering,
    /// The router does not know the transaction.
    Unknowing(AnswerStreak),
    /// The router reports no status, for this reason.
    Silent(AnswerStreak, RouterSilence),
    /// The router refuses to track the transaction, for this reason, without control characters.
    Refusing {
        at: Timestamp,
        reason: String,
        /// Whether the reason says that the transaction failed or does not exist.
        is_invalid: bool,
    },
}

impl RouterHealth {
    pub fn answer(&mut self) {
        *self = Self::Answering;
    }

    /// Records a status request that failed, or that the router does not know the transaction.
    pub fn fail(&mut self, error: &ApiError, now: Timestamp) {
        *self = match (&*self, error.is_not_found()) {
            // A refusal to track keeps its reason.
            (Self::Refusing { .. }, _) => return,
            (Self::Unknowing(streak), true) => Self::Unknowing(streak.go_on(now)),
            (_, true) => Self::Unknowing(AnswerStreak::begin(now)),
            (Self::Silent(streak, _), false) => Self::Silent(streak.go_on(now), RouterSilence::of(error)),
            (_, false) => Self::Silent(AnswerStreak::begin(now), RouterSilence::of(error)),
        };
    }

    /// Records a refusal to track. Returns whether it is permanent; a 404 and a failure are not.
    pub fn refuse(&mut self, error: &ApiError, now: Timestamp) -> bool {
        let ErrorKind::Rejected { status: 400, sentence } = &error.kind else { return false };
        let is_invalid = sentence.as_received().to_lowercase().contains(INVALID);
        *self = Self::Refusing { at: now, reason: sentence.clipped(REASON), is_invalid };
        true
    }

    /// Returns why the router's last status may be outdated, for use in parentheses; `None` if it is current.
    pub(super) fn doubt(&self) -> Option<String> {
        match self {
            Self::Unasked | Self::Answering | Self::Refusing { .. } => None,
            Self::Absent => Some("no router configured".to_owned()),
            Self::Unknowing(_) => Some("router lost the transfer".to_owned()),
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
        let unknown = error(ErrorKind::Untracked("tx not found".into()));
        let mut standing = RouterHealth::default();
        standing.fail(&unknown, later(1));
        standing.fail(&unknown, later(4));
        let streak = AnswerStreak { since: later(1), last: later(4), times: 2 };
        assert_eq!(standing, RouterHealth::Unknowing(streak));
        standing.fail(&error(ErrorKind::Timeout(Duration::from_secs(9))), later(5));
        assert_eq!(standing.doubt().as_deref(), Some("router does not answer"));
        standing.fail(&error(ErrorKind::Server { status: 502, sentence: String::new().into() }), later(6));
        assert!(matches!(&standing, RouterHealth::Silent(AnswerStreak { times: 2, .. }, RouterSilence::Failing(502))));

        assert!(!standing.refuse(&unknown, later(7)), "a 404 passes");
        let rejected = |sentence: &str| error(ErrorKind::Rejected { status: 400, sentence: sentence.into() });
        assert!(standing.refuse(&rejected("tx is invalid on chain"), later(8)));
        standing.fail(&unknown, later(9));
        assert!(matches!(&standing, RouterHealth::Refusing { is_invalid: true, .. }), "the reason stays");
        assert!(standing.refuse(&rejected("chain is not supported"), later(9)));
        assert!(matches!(&standing, RouterHealth::Refusing { is_invalid: false, .. }));
        standing.answer();
        assert_eq!(standing.doubt(), None);
    }
}
