use std::{
    fmt, io,
    sync::{Mutex, PoisonError},
};

use alloy_primitives::hex;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Uri, header};

/// Bytes of each secret: 128 bits.
const BYTES: usize = 16;

/// Header with the page's second token, which other web pages can neither read nor send.
pub(super) const PAGE_TOKEN: HeaderName = HeaderName::from_static("x-rollscope-page");

/// Header in which browsers state how the requesting site relates to this site.
const FETCH_SITE: &str = "sec-fetch-site";

/// Headers in which browsers state the purpose of a request, with the value of a page view.
const NAVIGATION: [(&str, &str); 2] = [("sec-fetch-mode", "navigate"), ("sec-fetch-dest", "document")];
/// Headers of a request ahead of a navigation that may never come.
const PURPOSES: [&str; 3] = ["sec-purpose", "purpose", "x-moz"];

pub(super) struct PageAccess {
    port: u16,
    /// Token in the URL, valid for one GET: other programs on the machine may see the URL.
    address_token: Secret,
    cookie: Secret,
    /// Token of the page that was loaded last; a reload or a second tab ends the previous page.
    page_token: Mutex<Secret>,
}

/// Reason for refusing a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AccessRefusal {
    /// `Host` is not a loopback name with the page's port: a foreign host name may resolve to this machine.
    Host,
    /// A page of another or unknown origin sent the request.
    Origin,
    /// A browser sent the request for something else than to show the page, such as an image or a prefetch.
    Navigation,
    /// The request lacks the cookie or the second token.
    Secrets,
}

impl PageAccess {
    pub(super) fn new(port: u16) -> io::Result<Self> {
        Ok(Self { port, address_token: Secret::new()?, cookie: Secret::new()?, page_token: Mutex::new(Secret::new()?) })
    }

    /// Returns the single-use URL.
    pub(super) fn address(&self) -> String {
        format!("http://127.0.0.1:{}/sign/{}", self.port, self.address_token.0)
    }

    pub(super) fn is_address_token(&self, given: &str) -> bool {
        self.address_token.is(given)
    }

    /// Replaces the token that the page sends with every POST; returns the new one.
    pub(super) fn renew_page_token(&self) -> io::Result<String> {
        let renewed = Secret::new()?;
        let text = renewed.0.clone();
        *self.page_token.lock().unwrap_or_else(PoisonError::into_inner) = renewed;
        Ok(text)
    }

    fn is_page_token(&self, given: &str) -> bool {
        self.page_token.lock().unwrap_or_else(PoisonError::into_inner).is(given)
    }

    /// Allows a GET that shows the page. Clients that are no browsers send none of these headers.
    pub(super) fn check_navigation(headers: &HeaderMap) -> Result<(), AccessRefusal> {
        let is_other = |(name, wanted): (&str, &str)| headers.get_all(name).iter().any(|value| value != wanted);
        let is_early = PURPOSES.iter().any(|purpose| headers.contains_key(*purpose));
        if is_early || NAVIGATION.into_iter().any(is_other) { Err(AccessRefusal::Navigation) } else { Ok(()) }
    }

    /// Returns the cookie of the browser that owns the page. Its name contains the port, since browsers share cookies
    /// across ports.
    pub(super) fn set_cookie(&self) -> String {
        format!("{}={}; HttpOnly; SameSite=Strict; Path=/sign", self.cookie_name(), self.cookie.0)
    }

    /// Allows requests that name this listener as host.
    pub(super) fn check_host(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), AccessRefusal> {
        let mut hosts = headers.get_all(header::HOST).iter();
        let (Some(host), None) = (hosts.next(), hosts.next()) else { return Err(AccessRefusal::Host) };
        let is_own = |host: &str| ["127.0.0.1", "localhost"].iter().any(|name| host == format!("{name}:{}", self.port));
        let is_fine =
            host.to_str().is_ok_and(is_own) && uri.authority().is_none_or(|authority| is_own(authority.as_str()));
        if is_fine { Ok(()) } else { Err(AccessRefusal::Host) }
    }

    /// Allows a POST only from the signing page in the browser that owns the page.
    pub(super) fn check_post(&self, headers: &HeaderMap) -> Result<(), AccessRefusal> {
        let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
        let only = |name: HeaderName| -> Option<&HeaderValue> {
            let mut values = headers.get_all(name).iter();
            values.next().filter(|_| values.next().is_none())
        };
        if only(header::ORIGIN).is_none_or(|origin| origin.as_bytes() != format!("http://{host}").as_bytes()) {
            return Err(AccessRefusal::Origin);
        }
        if headers.get_all(FETCH_SITE).iter().any(|site| site != "same-origin") {
            return Err(AccessRefusal::Origin);
        }
        let has_token = only(PAGE_TOKEN).and_then(|value| value.to_str().ok()).is_some_and(|it| self.is_page_token(it));
        if has_token && self.has_cookie(headers) { Ok(()) } else { Err(AccessRefusal::Secrets) }
    }

    /// Whether the request comes from the browser that owns the page.
    pub(super) fn has_cookie(&self, headers: &HeaderMap) -> bool {
        let name = self.cookie_name();
        let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
        cookies.flat_map(|line| line.split(';')).any(|cookie| {
            cookie.trim().split_once('=').is_some_and(|(key, value)| key == name && self.cookie.is(value))
        })
    }

    fn cookie_name(&self) -> String {
        format!("rollscope-sign-{}", self.port)
    }
}

/// Omits the secrets, which grant access to the page.
impl fmt::Debug for PageAccess {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("PageAccess").field("port", &self.port).finish_non_exhaustive()
    }
}

/// Random bits as hex text.
struct Secret(String);

impl Secret {
    fn new() -> io::Result<Self> {
        let mut bytes = [0; BYTES];
        getrandom::fill(&mut bytes)
            .map_err(|error| io::Error::other(format!("the system returned no random numbers: {error}")))?;
        Ok(Self(hex::encode(bytes)))
    }

    /// Compares in constant time, so that the time reveals no prefix.
    fn is(&self, given: &str) -> bool {
        let (own, given) = (self.0.as_bytes(), given.as_bytes());
        own.len() == given.len() && own.iter().zip(given).fold(0, |differing, (a, b)| differing | (a ^ b)) == 0
    }
}
