//! Which failure is worth another try, and when.

use std::{sync::Arc, time::Instant};

use backon::{BackoffBuilder, ExponentialBuilder};

use super::{
    ClientOptions, Observer,
    endpoints::RequestTarget,
    transport::{OutgoingRequest, ReceivedBody, Transport},
};
use crate::wire::{ApiError, ErrorKind, Step};

/// Which failures of a request are worth another try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RetryPolicy {
    /// Whatever may pass.
    Transient,
    /// Not a 5xx: perhaps it is the real server's lasting inability to give this list, and the caller has another way.
    NotServerErrors,
    /// Not our own timeout: the real server may work on it for a minute, for each try anew.
    NotTimeouts,
    /// Not what is not indexed yet: the caller takes what there is.
    NotUnindexed,
    /// None: the first try may have done what cannot be done twice, or whoever asks repeats by a timetable of its own.
    Never,
}

impl Transport {
    /// Asks until it works, the tries are used up or the time budget is spent; what is thorough, with other options.
    pub(super) async fn ask(
        &self,
        target: &RequestTarget,
        thorough: Option<&ClientOptions>,
        observer: Option<&dyn Observer>,
    ) -> Result<ReceivedBody, ApiError> {
        let url: Arc<str> = self.base.join(&target.path).into();
        let request = match &target.json {
            None => OutgoingRequest::get(&url),
            Some(Ok(json)) => OutgoingRequest::post(url, json.clone()),
            Some(Err(error)) => {
                let kind = ErrorKind::Unusable(format!("the request cannot be written as JSON: {error}"));
                return Err(ApiError { kind, url, body: None });
            }
        };
        let request = request.at(target.at);
        let options = thorough.filter(|_| target.is_thorough).unwrap_or(&self.options);
        let answered = self.repeat(&request, options, target.retry_policy, observer).await;
        answered.map_err(|error| target.failures.name(error))
    }

    /// Asks with the patience of these options.
    async fn repeat(
        &self,
        request: &OutgoingRequest,
        options: &ClientOptions,
        policy: RetryPolicy,
        observer: Option<&dyn Observer>,
    ) -> Result<ReceivedBody, ApiError> {
        let started = Instant::now();
        let mut waits = ExponentialBuilder::new()
            .with_jitter()
            .with_min_delay(options.first_wait)
            .with_max_times(options.tries.saturating_sub(1) as usize)
            .build();
        let mut timeout = options.timeout;
        let mut timeouts = 0_u32;
        let mut attempt = 1;
        loop {
            let failure = match self.attempt(request, timeout, observer).await {
                Ok(received) => return Ok(received),
                Err(failure) => failure,
            };
            timeouts += u32::from(matches!(failure.error.kind, ErrorKind::Timeout(_)));
            // The real server goes on working for a client that hung up, so a second timeout is the last.
            let is_worth_it = timeouts < 2 && may_pass(&failure.error, policy);
            let Some(wait) = waits.next().filter(|_| is_worth_it) else { return Err(failure.error) };
            let wait = failure.retry_after.map_or(wait, |asked| asked.max(wait));
            let left = options.budget.saturating_sub(started.elapsed() + wait);
            if left.is_zero() {
                return Err(failure.error);
            }
            if let Some(observer) = observer {
                observer.retrying(attempt, wait, &failure.error);
            }
            tokio::time::sleep(wait).await;
            timeout = options.timeout.min(left);
            attempt += 1;
        }
    }
}

fn may_pass(error: &ApiError, policy: RetryPolicy) -> bool {
    match &error.kind {
        _ if policy == RetryPolicy::Never => false,
        // Certificates and protocols do not change within seconds.
        ErrorKind::Offline { step, .. } => *step != Step::Tls,
        ErrorKind::Server { .. } => policy != RetryPolicy::NotServerErrors,
        ErrorKind::NotIndexedYet { .. } => policy != RetryPolicy::NotUnindexed,
        ErrorKind::Timeout(_) => policy != RetryPolicy::NotTimeouts,
        _ => error.is_transient(),
    }
}
