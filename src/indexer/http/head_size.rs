//! Size limit of request heads, as on the real server (`docs/apis/indexer.md` §1).

use axum::{
    extract::Request,
    http::StatusCode,
    middleware::Next,
    response::{IntoResponse as _, Response},
};

/// Maximum bytes of request line and headers.
const MOST: usize = 16_384;

/// Answers with 431 if request line and headers exceed the real server's limit.
pub(super) async fn check(request: Request, next: Next) -> Response {
    if size(&request) > MOST {
        return (StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, "Request Header Fields Too Large").into_response();
    }
    next.run(request).await
}

/// Returns the number of bytes as sent: `GET /path HTTP/1.1`, one line per header, and the empty line.
fn size(request: &Request) -> usize {
    let line = request.method().as_str().len() + request.uri().to_string().len() + " ".len() + " HTTP/1.1\r\n".len();
    let headers = request.headers().iter();
    let headers: usize = headers.map(|(name, value)| name.as_str().len() + value.len() + ": \r\n".len()).sum();
    line + headers + "\r\n".len()
}
