//! Which answers a web page of another site may read: what only asks, and never what signs or changes something.

use axum::{
    body::Body,
    http::{HeaderMap, HeaderName, HeaderValue, Method, Response, StatusCode, header},
};

use crate::{demo::node, indexer::http::Routes};

/// The demo's own routes: its wallet signs there.
const OWN: &str = "/demo/";

/// Asked before a page of the web reaches for this machine.
const ASKS_PRIVATE: HeaderName = HeaderName::from_static("access-control-request-private-network");
const ALLOWS_PRIVATE: HeaderName = HeaderName::from_static("access-control-allow-private-network");

/// Seconds for which a browser need not ask again.
const REMEMBERED: &str = "600";

/// The methods with which pages of other sites may use a path; `None` where they may not.
pub(super) fn methods(routes: &Routes, path: &str) -> Option<&'static str> {
    let lower = path.to_ascii_lowercase();
    if lower.starts_with(OWN) {
        return None;
    }
    if node::is_its(path) {
        // The other interfaces take transactions with GET too.
        let reads = |base: &str| path.strip_prefix(base).is_some_and(|rest| rest.starts_with('/'));
        return (reads(node::REST) || reads(node::EXECUTOR)).then_some("GET, HEAD");
    }
    routes.shared_methods(path)
}

/// The answer to a browser that asks whether a page may send a request; `None` for what is no such question.
pub(super) fn preflight(methods: Option<&'static str>, method: &Method, headers: &HeaderMap) -> Option<Response<Body>> {
    let asked = headers.get(header::ACCESS_CONTROL_REQUEST_METHOD).filter(|_| *method == Method::OPTIONS)?;
    let allowed = methods?;
    allowed.split(", ").any(|one| asked.as_bytes() == one.as_bytes()).then(|| {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::NO_CONTENT;
        let fields = response.headers_mut();
        fields.insert(header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static(allowed));
        fields.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static("*"));
        fields.insert(header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static(REMEMBERED));
        if headers.contains_key(&ASKS_PRIVATE) {
            fields.insert(ALLOWS_PRIVATE, HeaderValue::from_static("true"));
        }
        share(&mut response);
        response
    })
}

/// Lets every page read the answer.
pub(super) fn share(response: &mut Response<Body>) {
    let any = HeaderValue::from_static("*");
    response.headers_mut().insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, any.clone());
    response.headers_mut().insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, any);
}
