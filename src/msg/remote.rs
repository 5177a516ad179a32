use crate::{domain::Timestamp, wire::ApiError};

/// State of remote data. A value stays during a refresh and after a failed refresh.
#[derive(Clone, Debug, Default)]
pub(crate) enum Remote<T> {
    #[default]
    Idle,
    /// The first request is in progress.
    Loading {
        since: Timestamp,
    },
    Ready {
        value: T,
        at: Timestamp,
    },
    /// The last refresh failed.
    Stale {
        value: T,
        at: Timestamp,
        error: ApiError,
    },
    /// The first request failed.
    Failed {
        error: ApiError,
    },
}

impl<T> Remote<T> {
    /// Returns the value, fresh or stale; `None` without a value.
    pub(crate) fn value(&self) -> Option<&T> {
        match self {
            Self::Ready { value, .. } | Self::Stale { value, .. } => Some(value),
            _ => None,
        }
    }

    pub(crate) fn at(&self) -> Option<Timestamp> {
        match self {
            Self::Ready { at, .. } | Self::Stale { at, .. } => Some(*at),
            _ => None,
        }
    }

    /// Returns to `Idle` unless a value exists.
    pub(crate) fn forget_failure(&mut self) {
        if self.value().is_none() {
            *self = Self::Idle;
        }
    }

    /// Drops a transient failure, so that the next poll requests the value again.
    pub(crate) fn forget_passing(&mut self) {
        if self.value().is_none() && self.error().is_some_and(ApiError::is_transient) {
            *self = Self::Idle;
        }
    }

    /// Returns the error of the last request; `None` if it succeeded.
    pub(crate) fn error(&self) -> Option<&ApiError> {
        match self {
            Self::Stale { error, .. } | Self::Failed { error } => Some(error),
            _ => None,
        }
    }

    /// Whether the first request is in progress.
    pub(crate) fn is_loading(&self) -> bool {
        matches!(self, Self::Loading { .. })
    }

    /// Marks a request as sent. A value or an error stays until the reply: a screen with an error must not go blank at
    /// every retry.
    pub(crate) fn ask(&mut self, now: Timestamp) {
        if matches!(self, Self::Idle) {
            *self = Self::Loading { since: now };
        }
    }

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
