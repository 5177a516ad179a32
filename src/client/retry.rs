//! Retry policy: decides which failures to retry, and when.

use std::{sync::Arc, time::Instant};

use backon::{BackoffBuilder, ExponentialBuilder};

use super::{
    options::{ClientOptions, Observer},
    target::{RequestTarget, RetryPolicy},
    transport::{OutgoingRequest, ReceivedBody, Transport},
};
use crate::wire::{ApiError, ErrorKind, Step};

impl Transport {
    /// Retries until success, the maximum number of attempts or the end of the time budget; slow endpoints have longer
    /// timeouts.
    pub(super) async fn ask(
        &self,
        target: &RequestTarget,
        thorough: Option<&ClientOptions>,
        observer: Option<&dyn Observer>,
    ) -> Result<ReceivedBody, ApiError> {
        let url: Arc<str> = self.base.join(&target.path).into();
        let request = match &target.json {
            None => OutgoingRequest::get(&url),
            Some(Ok(json)) => OutgoingRequest::post(url, json.clone()).replacing(target.replaces),
            Some(Err(error)) => {
                let kind = ErrorKind::Unusable(format!("cannot encode the request as JSON: {error}"));
                return Err(ApiError { kind, url, body: None });
            }
        };
        let request = request.at(target.at).metered(target.meter.clone());
        let options = thorough.filter(|_| target.is_thorough).unwrap_or(&self.options);
        let answered = self.repeat(&request, options, target.retry_policy, observer).await;
        answered.map_err(|error| target.failures.name(error))
    }

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
            // The real server keeps working for a client that hung up, so do not retry a second timeout.
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
        // Certificates and TLS versions do not change within seconds.
        ErrorKind::Offline { step, .. } => *step != Step::Tls,
        ErrorKind::Server { status: 501, .. } => false,
        ErrorKind::Server { .. } => policy != RetryPolicy::NotServerErrors,
        ErrorKind::NotIndexedYet { .. } => policy != RetryPolicy::NotUnindexed,
        ErrorKind::Timeout(_) => policy != RetryPolicy::NotTimeouts,
        _ => error.is_transient(),
    }
}
