use std::{env, sync::Arc};

use reqwest::{Client, Url, header::LOCATION, redirect};
use tokio::time::{Instant, timeout_at};

use super::{
    ExternalFetcher,
    ssrf_guard::{PrivateHost, SsrfGuard, names_private_host},
    uri::{is_of, too_large, unusable},
};
use crate::{
    client::{
        base_url::is_loopback,
        exchanges::{ExchangeRecorder, PendingExchange, ReadLimits},
        failure::{classify_status, classify_transport, content_type},
        options::Observer,
        transport::{OutgoingRequest, REDIRECTS, ReceivedBody, build, redirect_target},
    },
    domain::Timestamp,
    wire::{ApiError, ErrorKind},
};

/// Fetch of one file with its redirects.
pub(super) struct ExternalFetch<'a> {
    pub(super) fetcher: &'a ExternalFetcher,
    pub(super) recorder: &'a ExchangeRecorder,
    pub(super) observer: Option<&'a dyn Observer>,
    pub(super) deadline: Instant,
    /// Maximum bytes, decompressed.
    pub(super) cap: u64,
}

/// Result of one HTTP exchange.
enum FetchStep {
    /// Media type of the file, whose body is in the exchange.
    Body(String),
    Redirect(Url),
}

impl ExternalFetch<'_> {
    /// Follows the URL and its redirects, and records every exchange.
    pub(super) async fn run(&self, start: Url) -> Result<ReceivedBody, ApiError> {
        let mut url = start;
        for _ in 0..=REDIRECTS {
            // The log would show a password, and a redirect would leak it to another host.
            let _ = (url.set_username(""), url.set_password(None));
            let text: Arc<str> = url.as_str().into();
            if !self.may_ask(&url) {
                return Err(unusable(&text, PrivateHost.to_string()));
            }
            let mut pending = PendingExchange::begin(self.recorder, &OutgoingRequest::get(&text), self.observer);
            let step = timeout_at(self.deadline, self.ask(&url, &mut pending)).await;
            match step.unwrap_or(Err(ErrorKind::Timeout(self.fetcher.timeout))) {
                Ok(FetchStep::Body(content_type)) => {
                    let body = pending.finish(None).0;
                    return Ok(ReceivedBody { url: text, content_type, body, height: None, _turn: None });
                }
                Ok(FetchStep::Redirect(next)) => {
                    pending.finish(None);
                    url = next;
                }
                Err(kind) => {
                    let (_, shown) = pending.finish(Some(&kind));
                    let kind =
                        if let ErrorKind::TooLarge(cap) = kind { ErrorKind::Unusable(too_large(cap)) } else { kind };
                    return Err(ApiError { kind, url: text, body: (!shown.is_empty()).then_some(shown) });
                }
            }
        }
        Err(unusable(url.as_str(), format!("the server redirects more than {REDIRECTS} times")))
    }

    async fn ask(&self, url: &Url, pending: &mut PendingExchange<'_>) -> Result<FetchStep, ErrorKind> {
        let sent = self.client(url).await?.get(url.clone()).send().await;
        let mut response = sent.map_err(|error| {
            if PrivateHost::is_cause_of(&error) {
                return ErrorKind::Unusable(PrivateHost.to_string());
            }
            classify_transport(&error, url.scheme() == "https")
        })?;
        let status = response.status();
        pending.status = Some(status.as_u16());
        if status.is_redirection() && response.headers().contains_key(LOCATION) {
            let nowhere = || ErrorKind::Unusable("the server redirects to an unusable URL".to_owned());
            return redirect_target(&response).map(FetchStep::Redirect).ok_or_else(nowhere);
        }
        let limits = ReadLimits { cap: self.cap, permit: None, timeout: self.fetcher.timeout, deadline: self.deadline };
        pending.read(&mut response, limits).await?;
        if status.is_success() {
            return Ok(FetchStep::Body(content_type(response.headers())));
        }
        Err(classify_status(status, response.headers(), &pending.body, Timestamp::now()))
    }

    /// Whether rollscope may request this host, judged by its name or literal address.
    fn may_ask(&self, url: &Url) -> bool {
        !names_private_host(url) || self.may_lie_anywhere(url)
    }

    /// Whether the URL belongs to the local indexer or the gateway; the user chose both, so a private address is
    /// allowed.
    fn may_lie_anywhere(&self, url: &Url) -> bool {
        let own = self.fetcher.own.as_ref();
        own.is_some_and(|own| is_of(own, url)) || is_of(&self.fetcher.gateway, url)
    }

    /// Returns the HTTP client for a host, built on first use.
    async fn client(&self, url: &Url) -> Result<&Client, ErrorKind> {
        let fetcher = self.fetcher;
        if url.scheme() == "http" && url.host_str().is_some_and(is_loopback) {
            let loopback = || build(|builder| builder.no_proxy().tls_certs_only([]).redirect(redirect::Policy::none()));
            return fetcher.loopback.get_or_try_init(loopback).await;
        }
        // A proxy resolves host names itself. rollscope looks up only the proxy's name, which may have a private
        // address.
        let (uses_proxy, is_direct) = (fetcher.uses_proxy, !fetcher.uses_proxy || !has_proxy());
        let is_trusted = self.may_lie_anywhere(url);
        let outside = || {
            build(move |builder| {
                let builder = builder.redirect(redirect::Policy::none());
                let builder = if uses_proxy { builder } else { builder.no_proxy() };
                if is_direct && !is_trusted { builder.dns_resolver(SsrfGuard) } else { builder }
            })
        };
        let cell = if is_trusted { &fetcher.trusted } else { &fetcher.internet };
        cell.get_or_try_init(outside).await
    }
}

fn has_proxy() -> bool {
    ["http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"]
        .iter()
        .any(|name| env::var_os(name).is_some_and(|value| !value.is_empty()))
}
