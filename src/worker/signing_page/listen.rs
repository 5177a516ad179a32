use std::sync::Arc;

use axum::{
    Router,
    body::{self, Body},
    extract::Request,
    http::{HeaderMap, HeaderValue, Method, Response, StatusCode, header},
};
use serde::Deserialize;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use super::{
    PageTimes,
    access::{AccessRefusal, PAGE_TOKEN, PageAccess},
    answer::{NumberedAnswer, read_event},
    files,
    state::PageState,
};

/// Maximum bytes of a POST; a signature has a few hundred bytes.
const BODY: usize = 64 * 1024;

/// Content security policy: forbids external and inline content, and framing.
const CONTENT_SECURITY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
                                base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const HTML: &str = "text/html; charset=utf-8";
const JSON: &str = "application/json";
const PLAIN: &str = "text/plain; charset=utf-8";

#[derive(Debug)]
pub(super) struct PageListener {
    access: PageAccess,
    state: Arc<PageState>,
    times: PageTimes,
    stop: CancellationToken,
}

/// Response without the headers that all responses have.
struct PageReply {
    status: StatusCode,
    media: &'static str,
    body: Vec<u8>,
    cookie: Option<String>,
}

/// Query of the page's long poll.
#[derive(Deserialize)]
struct Asked {
    seen: u64,
}

pub(super) async fn serve(listener: TcpListener, page: Arc<PageListener>, stop: CancellationToken) {
    let app = Router::new().fallback(move |request: Request| {
        let page = Arc::clone(&page);
        async move { page.answer(request).await.into_response() }
    });
    if let Err(error) = axum::serve(listener, app).with_graceful_shutdown(stop.cancelled_owned()).await {
        tracing::warn!(%error, "the signing page has closed");
    }
}

impl PageListener {
    pub(super) fn new(access: PageAccess, state: Arc<PageState>, times: PageTimes, stop: CancellationToken) -> Self {
        Self { access, state, times, stop }
    }

    async fn answer(&self, request: Request) -> PageReply {
        if let Err(refusal) = self.access.check_host(request.uri(), request.headers()) {
            return refusal.into();
        }
        let path = request.uri().path();
        if *request.method() == Method::POST {
            return self.post(request).await;
        }
        if *request.method() != Method::GET {
            return PageReply::plain(StatusCode::METHOD_NOT_ALLOWED, "the signing page accepts only GET and POST");
        }
        if let Some((media, text)) = files::file(path) {
            return PageReply::new(StatusCode::OK, media, text);
        }
        match path.strip_prefix("/sign/") {
            Some(token) if self.access.is_address_token(token) => self.page(request.headers()),
            _ => nothing_there(),
        }
    }

    /// Returns the page's HTML to the first browser that opens it, and to the same browser again.
    fn page(&self, headers: &HeaderMap) -> PageReply {
        if let Err(refusal) = PageAccess::check_navigation(headers) {
            return refusal.into();
        }
        if !self.state.take() {
            if !self.access.has_cookie(headers) {
                return PageReply::new(StatusCode::GONE, HTML, files::USED);
            }
            self.state.reload();
        }
        match self.access.renew_page_token() {
            Ok(token) => {
                let page = PageReply::new(StatusCode::OK, HTML, files::page(&token));
                PageReply { cookie: Some(self.access.set_cookie()), ..page }
            }
            Err(error) => PageReply::plain(StatusCode::INTERNAL_SERVER_ERROR, &error.to_string()),
        }
    }

    async fn post(&self, request: Request) -> PageReply {
        let (head, body) = request.into_parts();
        if let Err(refusal) = self.access.check_post(&head.headers) {
            return refusal.into();
        }
        if head.headers.get(header::CONTENT_TYPE).is_none_or(|media| media != JSON) {
            return PageReply::plain(StatusCode::UNSUPPORTED_MEDIA_TYPE, "the signing page accepts only JSON");
        }
        let Ok(body) = body::to_bytes(body, BODY).await else {
            return PageReply::plain(StatusCode::PAYLOAD_TOO_LARGE, "request too large");
        };
        match head.uri.path() {
            "/sign/next" => self.next(&body).await,
            "/sign/answer" if self.state.answer(NumberedAnswer::read(&body)) => PageReply::done(),
            "/sign/answer" => PageReply::plain(StatusCode::CONFLICT, "this signing request has ended"),
            "/sign/event" => match read_event(&body) {
                Some(news) => {
                    self.state.event(news);
                    PageReply::done()
                }
                None => PageReply::plain(StatusCode::BAD_REQUEST, "the body is not an event"),
            },
            _ => nothing_there(),
        }
    }

    async fn next(&self, body: &[u8]) -> PageReply {
        let Ok(Asked { seen }) = serde_json::from_slice(body) else {
            return PageReply::plain(StatusCode::BAD_REQUEST, "the body has no version");
        };
        let news = tokio::select! {
            news = self.state.news(seen, self.times.beat) => news,
            () = self.stop.cancelled() => self.state.news(0, self.times.beat).await,
        };
        match news {
            Ok(body) => PageReply::new(StatusCode::OK, JSON, body),
            Err(error) => {
                tracing::warn!(%error, "cannot write the signing page's state");
                PageReply::plain(StatusCode::INTERNAL_SERVER_ERROR, "rollscope failed")
            }
        }
    }
}

fn nothing_there() -> PageReply {
    PageReply::plain(StatusCode::NOT_FOUND, "not found")
}

impl PageReply {
    fn new(status: StatusCode, media: &'static str, body: impl Into<Vec<u8>>) -> Self {
        Self { status, media, body: body.into(), cookie: None }
    }

    fn plain(status: StatusCode, words: &str) -> Self {
        Self::new(status, PLAIN, words)
    }

    fn done() -> Self {
        Self::new(StatusCode::NO_CONTENT, PLAIN, "")
    }

    fn into_response(self) -> Response<Body> {
        let mut response = Response::new(Body::from(self.body));
        *response.status_mut() = self.status;
        let headers = response.headers_mut();
        let all = [
            (header::CONTENT_TYPE, self.media),
            (header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY),
            (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
            (header::CACHE_CONTROL, "no-store"),
            (header::REFERRER_POLICY, "no-referrer"),
            (header::X_FRAME_OPTIONS, "DENY"),
        ];
        for (name, value) in all {
            headers.insert(name, HeaderValue::from_static(value));
        }
        if let Some(cookie) = self.cookie.and_then(|cookie| HeaderValue::try_from(cookie).ok()) {
            headers.insert(header::SET_COOKIE, cookie);
        }
        response
    }
}

impl From<AccessRefusal> for PageReply {
    fn from(refusal: AccessRefusal) -> Self {
        let words = match refusal {
            AccessRefusal::Host => "open this page at 127.0.0.1 or localhost with this port".to_owned(),
            AccessRefusal::Origin => "only the signing page may send this request".to_owned(),
            AccessRefusal::Navigation => "this address opens only as a page of its own".to_owned(),
            AccessRefusal::Secrets => format!("the cookie or {PAGE_TOKEN} is missing"),
        };
        Self::plain(StatusCode::FORBIDDEN, &words)
    }
}
