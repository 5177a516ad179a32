use crate::{domain::Timestamp, wire::ApiError};

/// The lifecycle of something that lives on a server. Good data stays while it is refreshed and when that fails.
#[derive(Clone, Debug, Default)]
pub(crate) enum Remote<T> {
    /// Nobody asked yet.
    #[default]
    Idle,
    /// Asked for the first time, at this moment.
    Loading {
        /// Since when.
        since: Timestamp,
    },
    /// Here.
    Ready {
        /// The value.
        value: T,
        /// When it came.
        at: Timestamp,
    },
    /// Here, but the last refresh failed.
    Stale {
        /// The value.
        value: T,
        /// When it came.
        at: Timestamp,
        /// Why the refresh failed.
        error: ApiError,
    },
    /// Never came.
    Failed {
        /// Why.
        error: ApiError,
    },
}

impl<T> Remote<T> {
    /// The value, fresh or stale.
    pub(crate) fn value(&self) -> Option<&T> {
        match self {
            Self::Ready { value, .. } | Self::Stale { value, .. } => Some(value),
            _ => None,
        }
    }

    /// When the value came.
    pub(crate) fn at(&self) -> Option<Timestamp> {
        match self {
            Self::Ready { at, .. } | Self::Stale { at, .. } => Some(*at),
            _ => None,
        }
    }

    /// What never came is to be asked for again.
    pub(crate) fn forget_failure(&mut self) {
        if self.value().is_none() {
            *self = Self::Idle;
        }
    }

    /// The same, where it failed in a way that may pass.
    pub(crate) fn forget_passing(&mut self) {
        if self.value().is_none() && self.error().is_some_and(ApiError::is_transient) {
            *self = Self::Idle;
        }
    }

    /// Why the last request failed, if it did.
    pub(crate) fn error(&self) -> Option<&ApiError> {
        match self {
            Self::Stale { error, .. } | Self::Failed { error } => Some(error),
            _ => None,
        }
    }

    /// Whether it is awaited and nothing can be shown yet.
    pub(crate) fn is_loading(&self) -> bool {
        matches!(self, Self::Loading { .. })
    }

    /// A request was sent. What is known stays until the answer, a failure too: a screen that says why it is empty
    /// must not go blank at every new try.
    pub(crate) fn ask(&mut self, now: Timestamp) {
        if matches!(self, Self::Idle) {
            *self = Self::Loading { since: now };
        }
    }

    /// The answer came.
    pub(crate) fn settle(&mut self, result: Result<T, ApiError>, now: Timestamp) {
        *self = match (result, std::mem::take(self)) {
            (Ok(value), _) => Self::Ready { value, at: now },
            (Err(error), Self::Ready { value, at } | Self::Stale { value, at, .. }) => Self::Stale { value, at, error },
            (Err(error), _) => Self::Failed { error },
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::ErrorKind;

    #[test]
    fn a_failure_is_known_until_the_next_answer() {
        let error = ApiError { kind: ErrorKind::RateLimited(None), url: "http://a".into(), body: None };
        let mut remote = Remote::<u8>::default();
        remote.ask(Timestamp::EPOCH);
        assert!(remote.is_loading() && remote.error().is_none());
        remote.settle(Err(error), Timestamp::EPOCH);
        remote.ask(Timestamp::EPOCH);
        assert!(remote.error().is_some(), "asking again does not take the reason off the screen");
        remote.settle(Ok(1), Timestamp::EPOCH);
        assert_eq!((remote.value(), remote.error().is_none()), (Some(&1), true));
    }
}
