use std::{env, sync::Arc};

use reqwest::{Client, Response, Url, header::LOCATION, redirect};
use tokio::time::{Instant, timeout_at};

use super::{
    Outside,
    fence::{Fence, Private, names_private_host},
    too_large, unusable,
};
use crate::{
    client::{
        Observer,
        base_url::is_loopback,
        call::Call,
        failure::{classify_status, classify_transport, content_type},
        record::{Book, Record},
        transport::{REDIRECTS, Received, build},
    },
    domain::Timestamp,
    wire::{ApiError, ErrorKind},
};

/// One way to one thing, with all its redirects.
pub(super) struct Visit<'a> {
    pub(super) outside: &'a Outside,
    pub(super) book: &'a Book,
    pub(super) observer: Option<&'a dyn Observer>,
    pub(super) deadline: Instant,
    /// Bytes at the most, decompressed.
    pub(super) cap: u64,
}

/// What a server said.
enum Said {
    /// Here it is, of this media type.
    Here(String),
    /// It lies elsewhere.
    Elsewhere(Url),
}

impl Visit<'_> {
    /// Goes where the address leads. Every exchange on the way is written down.
    pub(super) async fn run(&self, start: Url) -> Result<Received, ApiError> {
        let mut url = start;
        for _ in 0..=REDIRECTS {
            // A password would be shown, and sent to whoever the address names.
            let _ = (url.set_username(""), url.set_password(None));
            let text: Arc<str> = url.as_str().into();
            if !self.may_ask(&url) {
                return Err(unusable(&text, Private.to_string()));
            }
            let mut record = Record::begin(self.book, &Call::get(&text), self.observer);
            let said = timeout_at(self.deadline, self.ask(&url, &mut record)).await;
            match said.unwrap_or(Err(ErrorKind::Timeout(self.outside.timeout))) {
                Ok(Said::Here(content_type)) => {
                    return Ok(Received { url: text, content_type, body: record.finish(None).0 });
                }
                Ok(Said::Elsewhere(next)) => {
                    record.finish(None);
                    url = next;
                }
                Err(kind) => {
                    let (_, shown) = record.finish(Some(&kind));
                    let kind =
                        if let ErrorKind::TooLarge(cap) = kind { ErrorKind::Unusable(too_large(cap)) } else { kind };
                    return Err(ApiError { kind, url: text, body: (!shown.is_empty()).then_some(shown) });
                }
            }
        }
        Err(unusable(url.as_str(), format!("it is redirected more than {REDIRECTS} times")))
    }

    async fn ask(&self, url: &Url, record: &mut Record<'_>) -> Result<Said, ErrorKind> {
        let sent = self.client(url).await?.get(url.clone()).send().await;
        let mut response = sent.map_err(|error| {
            if Private::is_cause_of(&error) {
                return ErrorKind::Unusable(Private.to_string());
            }
            classify_transport(&error, url.scheme() == "https")
        })?;
        let status = response.status();
        record.status = Some(status.as_u16());
        if let Some(next) = redirection(url, &response) {
            return next.map(Said::Elsewhere);
        }
        record.read(&mut response, self.cap).await?;
        if status.is_success() {
            return Ok(Said::Here(content_type(response.headers())));
        }
        Err(classify_status(status, response.headers(), &record.body, Timestamp::now()))
    }

    /// Whether the host may be asked. The gateway is the user's own choice.
    fn may_ask(&self, url: &Url) -> bool {
        let is_near = || self.outside.is_near && url.host_str().is_some_and(is_loopback);
        !names_private_host(url) || is_near() || self.is_gateway(url)
    }

    fn is_gateway(&self, url: &Url) -> bool {
        Url::parse(self.outside.gateway.as_str()).is_ok_and(|gateway| gateway.origin() == url.origin())
    }

    /// The HTTP client for a host, built by its first visit.
    async fn client(&self, url: &Url) -> Result<&Client, ErrorKind> {
        let outside = self.outside;
        if url.scheme() == "http" && url.host_str().is_some_and(is_loopback) {
            let near = || build(|builder| builder.no_proxy().tls_certs_only([]).redirect(redirect::Policy::none()));
            return outside.near.get_or_try_init(near).await;
        }
        // Over a proxy the names are the proxy's to find: only its own is looked up here, and it may lie anywhere.
        let (uses_proxy, is_direct) = (outside.uses_proxy, !outside.uses_proxy || !has_proxy());
        let trusted = Url::parse(outside.gateway.as_str()).ok().and_then(|url| url.host_str().map(ToOwned::to_owned));
        let fence = is_direct.then_some(Fence { trusted, is_near: outside.is_near });
        let far = || {
            build(move |builder| {
                let builder = builder.redirect(redirect::Policy::none());
                let builder = if uses_proxy { builder } else { builder.no_proxy() };
                match fence {
                    Some(fence) => builder.dns_resolver(fence),
                    None => builder,
                }
            })
        };
        outside.far.get_or_try_init(far).await
    }
}

/// Where an answer sends us, if it does; never from an encrypted address to an open one.
fn redirection(url: &Url, response: &Response) -> Option<Result<Url, ErrorKind>> {
    let target = response.headers().get(LOCATION).filter(|_| response.status().is_redirection())?;
    let next = target.to_str().ok().and_then(|target| url.join(target).ok());
    let is_web = |next: &Url| next.scheme() == "https" || (next.scheme() == "http" && url.scheme() == "http");
    let nowhere = || ErrorKind::Unusable("it is redirected to an address that cannot be asked for".to_owned());
    Some(next.filter(is_web).ok_or_else(nowhere))
}

/// Whether the environment names a proxy.
fn has_proxy() -> bool {
    ["http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"]
        .iter()
        .any(|name| env::var_os(name).is_some_and(|value| !value.is_empty()))
}
