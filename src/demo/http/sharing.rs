//! CORS rules: web pages may read queries. They may never call routes that sign or change state.

use axum::{
    body::Body,
    http::{HeaderMap, HeaderName, HeaderValue, Method, Response, StatusCode, header},
};

use crate::{demo::node, indexer::http::Routes};

/// Path of the demo routes. Their wallet signs, so web pages may not call them.
const OWN: &str = "/demo/";

/// Header with which a preflight request asks for access to a private network.
const ASKS_PRIVATE: HeaderName = HeaderName::from_static("access-control-request-private-network");
const ALLOWS_PRIVATE: HeaderName = HeaderName::from_static("access-control-allow-private-network");

/// Maximum age of a preflight response in seconds.
const REMEMBERED: &str = "600";

/// Returns the methods that web pages may use on a path; `None` if they may use none.
pub(super) fn methods(routes: &Routes, path: &str) -> Option<&'static str> {
    let lower = path.to_ascii_lowercase();
    if lower.starts_with(OWN) {
        return None;
    }
    if node::is_its(path) {
        // Other interfaces of the node also accept transactions by GET.
        let reads = |base: &str| path.strip_prefix(base).is_some_and(|rest| rest.starts_with('/'));
        return (reads(node::REST) || reads(node::EXECUTOR)).then_some("GET, HEAD");
    }
    routes.shared_methods(path)
}

/// Answers a preflight request; `None` for another request.
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

/// Allows every web page to read the response.
pub(super) fn share(response: &mut Response<Body>) {
    let any = HeaderValue::from_static("*");
    response.headers_mut().insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, any.clone());
    response.headers_mut().insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, any);
}
