//! Protection of requests that sign or change data: only programs on this machine may send them, not web pages of other
//! sites.
//!
//! A web page can send requests to a loopback listener: blindly, as a form does, or through its own host name that
//! resolves to this machine. Headers that a page cannot choose reveal such requests.

use std::net::{Ipv4Addr, Ipv6Addr};

use axum::http::{HeaderMap, Uri, header, uri::Authority};

use super::reply::HttpRefusal;

/// Header in which browsers state how the requesting site relates to this site.
const FETCH_SITE: &str = "sec-fetch-site";

/// Allowed relations: the listener's own page, or `none`, as for a typed URL.
const NEAR: [&str; 2] = ["same-origin", "none"];

/// Allows a request that signs or changes data, or returns the error.
///
/// The error is 403 for a `Host` that is not a loopback name, a foreign `Origin`, or another site in `Sec-Fetch-Site`.
/// It is 415 for a body without a JSON content type, because pages can send other types without a preflight.
pub(crate) fn check(uri: &Uri, headers: &HeaderMap) -> Result<(), HttpRefusal> {
    let host = own_host(uri, headers)?;
    let origins = headers.get_all(header::ORIGIN).iter();
    for origin in origins {
        let is_own = origin.to_str().ok().and_then(authority_of).is_some_and(|origin| is_same(&origin, &host));
        if !is_own {
            return Err(refuse("requests from another origin are forbidden"));
        }
    }
    if headers.get_all(FETCH_SITE).iter().any(|site| !NEAR.iter().any(|near| site.as_bytes() == near.as_bytes())) {
        return Err(refuse("requests from another site are forbidden"));
    }
    if is_json(headers) { Ok(()) } else { Err(HttpRefusal::MediaType) }
}

/// Allows a request of any page that uses a loopback name and declares JSON; the errors are 403 and 415, as in
/// [`check`].
pub(crate) fn check_host(uri: &Uri, headers: &HeaderMap) -> Result<(), HttpRefusal> {
    own_host(uri, headers)?;
    if is_json(headers) { Ok(()) } else { Err(HttpRefusal::MediaType) }
}

/// Returns the host that the request names. Every host in the request must be a loopback name.
fn own_host(uri: &Uri, headers: &HeaderMap) -> Result<Authority, HttpRefusal> {
    let written = headers.get_all(header::HOST).iter().map(|host| host.to_str().ok()?.parse().ok());
    let mut own = None;
    for host in uri.authority().cloned().map(Some).into_iter().chain(written) {
        match host.filter(is_loopback) {
            Some(host) => own = Some(host),
            None => {
                return Err(refuse("send this request on the server's machine to http://127.0.0.1 or localhost"));
            }
        }
    }
    own.ok_or_else(|| refuse("the request has no Host header"))
}

fn is_loopback(host: &Authority) -> bool {
    let name = host.host();
    let is_plain = !host.as_str().contains('@');
    let v6 = name.strip_prefix('[').and_then(|name| name.strip_suffix(']'));
    is_plain
        && (name.eq_ignore_ascii_case("localhost")
            || name.parse().is_ok_and(|address: Ipv4Addr| address.is_loopback())
            || v6.and_then(|name| name.parse().ok()).is_some_and(|address: Ipv6Addr| address.is_loopback()))
}

/// Returns the host of an origin. The listener has no TLS, so its own origin starts with `http`.
fn authority_of(origin: &str) -> Option<Authority> {
    let uri: Uri = origin.parse().ok()?;
    (uri.scheme_str() == Some("http")).then(|| uri.authority().cloned()).flatten()
}

fn is_same(one: &Authority, other: &Authority) -> bool {
    let port = |authority: &Authority| authority.port_u16().unwrap_or(80);
    one.host().eq_ignore_ascii_case(other.host()) && port(one) == port(other)
}

fn is_json(headers: &HeaderMap) -> bool {
    let mut types = headers.get_all(header::CONTENT_TYPE).iter();
    let first = types.next().and_then(|value| value.to_str().ok()).and_then(|value| value.split(';').next());
    types.next().is_none() && first.is_some_and(|media| media.trim().eq_ignore_ascii_case("application/json"))
}

fn refuse(why: &'static str) -> HttpRefusal {
    HttpRefusal::Forbidden(why)
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderName, HeaderValue};

    use super::*;

    const JSON: (&str, &str) = ("content-type", "application/json");

    /// Returns the status of the error; `None` if the request is allowed.
    fn refused(uri: &str, headers: &[(&str, &str)]) -> Option<&'static str> {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            let name: HeaderName = name.parse().unwrap();
            map.append(name, HeaderValue::from_str(value).unwrap());
        }
        match check(&uri.parse().unwrap(), &map) {
            Ok(()) => None,
            Err(HttpRefusal::Forbidden(_)) => Some("403"),
            Err(HttpRefusal::MediaType) => Some("415"),
            Err(other) => panic!("{other}"),
        }
    }

    #[test]
    fn what_this_machine_sends_passes() {
        for host in ["127.0.0.1:8080", "127.8.9.1:1", "localhost", "LOCALHOST:80", "[::1]:8080", "[::1]"] {
            assert_eq!(refused("/a", &[("host", host), JSON]), None, "{host}");
            let origin = format!("http://{host}");
            let page = [("host", host), ("origin", &origin), ("sec-fetch-site", "same-origin"), JSON];
            assert_eq!(refused("/a", &page), None, "{host}");
        }
        let parameters = ("Content-Type", "Application/JSON; charset=utf-8");
        assert_eq!(refused("/a", &[("host", "localhost:1"), ("sec-fetch-site", "none"), parameters]), None);
        assert_eq!(refused("http://127.0.0.1:1/a", &[("host", "127.0.0.1:1"), JSON]), None);
    }

    #[test]
    fn other_names_of_this_listener_are_refused() {
        for host in [
            "evil.example",
            "evil.example:8080",
            "127.0.0.1.evil.example",
            "localhost.evil.example",
            "192.168.1.5:8080",
            "0.0.0.0:8080",
            "10.0.0.1",
            "[::2]",
            "[::ffff:127.0.0.1]",
            "127.1",
            "2130706433",
            "0x7f.0.0.1",
            "127.0.0.1@evil.example",
            "evil@127.0.0.1",
            "",
        ] {
            assert_eq!(refused("/a", &[("host", host), JSON]), Some("403"), "{host}");
        }
        assert_eq!(refused("/a", &[JSON]), Some("403"), "no host at all");
        assert_eq!(refused("/a", &[("host", "localhost"), ("host", "evil.example"), JSON]), Some("403"));
        assert_eq!(refused("http://evil.example/a", &[("host", "127.0.0.1"), JSON]), Some("403"));
    }

    #[test]
    fn pages_of_others_are_refused() {
        let host = ("host", "127.0.0.1:8080");
        for origin in [
            "https://evil.example",
            "http://evil.example:8080",
            "null",
            "",
            "http://127.0.0.1:3000",
            "http://127.0.0.1",
            "http://localhost:8080",
            "https://127.0.0.1:8080",
            "http://127.0.0.1:8080.evil.example",
            "file://",
        ] {
            assert_eq!(refused("/a", &[host, ("origin", origin), JSON]), Some("403"), "{origin}");
        }
        let own = ("origin", "http://127.0.0.1:8080");
        assert_eq!(refused("/a", &[host, own, ("origin", "http://evil.example"), JSON]), Some("403"));
        for site in ["cross-site", "same-site", "", "Cross-Site", "anything"] {
            assert_eq!(refused("/a", &[host, ("sec-fetch-site", site), JSON]), Some("403"), "{site}");
        }
        // The page is foreign; its body does not matter.
        assert_eq!(refused("/a", &[host, ("origin", "null")]), Some("403"));
    }

    #[test]
    fn what_a_form_can_send_is_no_json() {
        let host = ("host", "localhost:8080");
        assert_eq!(refused("/a", &[host]), Some("415"));
        for media in [
            "text/plain",
            "application/x-www-form-urlencoded",
            "multipart/form-data; boundary=a",
            "text/plain;application/json",
            "application/jsonp",
            "",
        ] {
            assert_eq!(refused("/a", &[host, ("content-type", media)]), Some("415"), "{media}");
        }
        assert_eq!(refused("/a", &[host, JSON, ("content-type", "text/plain")]), Some("415"));
    }
}
