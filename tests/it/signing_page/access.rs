//! Line by line what a page on loopback must not allow.

use std::{sync::Arc, time::Duration};

use reqwest::{Method, StatusCode, header::HeaderMap};
use rollscope::signing::OfferWords;
use rollscope::worker::{PageEnd, PageTimes, SigningOffer, SigningPage, SigningPageEvent, WalletAnswer};
use serde_json::{Value, json};
use tokio::sync::mpsc;

use super::{document, long, wallet::TestKey, words};

/// A client that says of itself what it likes.
pub(crate) struct Visitor {
    http: reqwest::Client,
    port: u16,
    cookie: String,
    token: String,
}

pub(crate) struct Seen {
    pub(crate) status: StatusCode,
    headers: HeaderMap,
    pub(crate) body: String,
}

impl Visitor {
    fn new(page: &SigningPage) -> Self {
        Self::at(page.port())
    }

    fn at(port: u16) -> Self {
        let http = rollscope::client::http_client().no_proxy().build();
        let http = http.unwrap_or_else(|error| panic!("a client: {error}"));
        Self { http, port, cookie: String::new(), token: String::new() }
    }

    /// The one who opened the page.
    async fn first(page: &SigningPage) -> Self {
        Self::opening(page.address()).await
    }

    /// The one who opened the page at this address.
    pub(crate) async fn opening(address: &str) -> Self {
        Self::try_opening(address).await.unwrap_or_else(|| panic!("nothing answers at {address}"))
    }

    /// The one who opened the page, unless it is closed already.
    pub(crate) async fn try_opening(address: &str) -> Option<Self> {
        let rest = address.trim_start_matches("http://127.0.0.1:");
        let (port, path) = rest.split_once('/').unwrap_or_default();
        let mut visitor = Self::at(port.parse().unwrap_or_else(|error| panic!("{address}: {error}")));
        let seen = visitor.try_send(Method::GET, &format!("/{path}"), &[], String::new()).await?;
        assert_eq!(seen.status, StatusCode::OK);
        let cookie = seen.headers["set-cookie"].to_str().unwrap_or_default();
        cookie.split(';').next().unwrap_or_default().clone_into(&mut visitor.cookie);
        let after = seen.body.split("name=\"rollscope-page\" content=\"").nth(1).unwrap_or_default();
        after.split('"').next().unwrap_or_default().clone_into(&mut visitor.token);
        assert_eq!(visitor.token.len(), 32, "128 bits");
        Some(visitor)
    }

    async fn get(&self, path: &str) -> Seen {
        self.send(Method::GET, path, &[], String::new()).await
    }

    async fn send(&self, method: Method, path: &str, headers: &[(&str, &str)], body: String) -> Seen {
        self.try_send(method, path, headers, body).await.unwrap_or_else(|| panic!("no answer to {path}"))
    }

    async fn try_send(&self, method: Method, path: &str, headers: &[(&str, &str)], body: String) -> Option<Seen> {
        let mut request = self.http.request(method, format!("http://127.0.0.1:{}{path}", self.port)).body(body);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let response = request.send().await.ok()?;
        let (status, headers) = (response.status(), response.headers().clone());
        let body = response.text().await.ok()?;
        Some(Seen { status, headers, body })
    }

    /// A post as the page sends it, but for what is put in the place of its headers; an empty value leaves one out.
    pub(crate) async fn post(&self, path: &str, body: &Value, instead: &[(&str, &str)]) -> Seen {
        self.try_post(path, body, instead).await.unwrap_or_else(|| panic!("no answer to {path}"))
    }

    async fn try_post(&self, path: &str, body: &Value, instead: &[(&str, &str)]) -> Option<Seen> {
        let origin = format!("http://127.0.0.1:{}", self.port);
        let own = [
            ("origin", origin.as_str()),
            ("cookie", &self.cookie),
            ("x-rollscope-page", &self.token),
            ("content-type", "application/json"),
        ];
        let kept = own.into_iter().filter(|(name, _)| !instead.iter().any(|(other, _)| other == name));
        let headers: Vec<_> = kept.chain(instead.iter().copied().filter(|(_, value)| !value.is_empty())).collect();
        self.try_send(Method::POST, path, &headers, body.to_string()).await
    }

    /// The page's own post, read.
    pub(crate) async fn next(&self, seen: u64) -> Value {
        self.try_next(seen).await.unwrap_or_else(|| panic!("the page is gone"))
    }

    /// The page's own post, read; `None` once the program ended.
    pub(crate) async fn try_next(&self, seen: u64) -> Option<Value> {
        let answer = self.try_post("/sign/next", &json!({"seen": seen}), &[]).await?;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
        Some(serde_json::from_str(&answer.body).unwrap_or_else(|error| panic!("{}: {error}", answer.body)))
    }
}

fn token_of(page: &SigningPage) -> String {
    page.address().rsplit('/').next().unwrap_or_default().to_owned()
}

async fn served(times: PageTimes) -> (Arc<SigningPage>, mpsc::Receiver<SigningPageEvent>) {
    let (page, events) = SigningPage::open(times).await.unwrap_or_else(|error| panic!("a page: {error}"));
    (Arc::new(page), events)
}

type Asked = tokio::task::JoinHandle<Result<WalletAnswer, PageEnd>>;

fn ask(page: &Arc<SigningPage>, offer: SigningOffer, words: OfferWords) -> Asked {
    let page = Arc::clone(page);
    tokio::spawn(async move { page.ask(offer, words).await })
}

/// The id of the request that the page shows.
async fn shown(visitor: &Visitor) -> u64 {
    let mut seen = 0;
    loop {
        let state = visitor.next(seen).await;
        if let Some(id) = state["stage"]["id"].as_u64() {
            return id;
        }
        seen = state["version"].as_u64().unwrap_or_default();
    }
}

#[tokio::test]
async fn the_address_is_of_loopback_and_its_token_works_once() {
    let (page, mut events) = served(long()).await;
    assert!(page.address().starts_with(&format!("http://127.0.0.1:{}/sign/", page.port())));
    assert_eq!(token_of(&page).len(), 32, "128 bits in hexadecimal");
    let (other, _events) = served(long()).await;
    assert_ne!(token_of(&page), token_of(&other));
    let stranger = Visitor::new(&page);
    for path in ["/", "/sign/", "/sign/00000000000000000000000000000000", "/sign/next", "/favicon.ico"] {
        assert_eq!(stranger.get(path).await.status, StatusCode::NOT_FOUND, "{path}");
    }
    assert!(events.try_recv().is_err(), "nobody has opened it");
    let owner = Visitor::first(&page).await;
    assert_eq!(events.try_recv(), Ok(SigningPageEvent::Opened));
    for visitor in [&stranger, &owner] {
        let again = visitor.get(&format!("/sign/{}", token_of(&page))).await;
        assert_eq!(again.status, StatusCode::GONE);
        assert!(!again.body.contains(&owner.token) && again.headers.get("set-cookie").is_none());
    }
    assert_eq!(owner.next(0).await["stage"]["kind"], "waiting", "the first one still has it");
}

#[tokio::test]
async fn only_a_page_of_its_own_uses_the_address_up() {
    let (page, mut events) = served(long()).await;
    let path = format!("/sign/{}", token_of(&page));
    let visitor = Visitor::new(&page);
    for header in [
        ("sec-fetch-mode", "no-cors"),
        ("sec-fetch-mode", "cors"),
        ("sec-fetch-dest", "iframe"),
        ("sec-fetch-dest", "image"),
        ("sec-purpose", "prefetch"),
        ("sec-purpose", "prefetch;prerender"),
    ] {
        let seen = visitor.send(Method::GET, &path, &[header], String::new()).await;
        assert_eq!(seen.status, StatusCode::FORBIDDEN, "{header:?}");
    }
    assert!(events.try_recv().is_err(), "nobody has opened it");
    let page = [("sec-fetch-mode", "navigate"), ("sec-fetch-dest", "document")];
    assert_eq!(visitor.send(Method::GET, &path, &page, String::new()).await.status, StatusCode::OK);
}

#[tokio::test]
async fn a_reload_needs_the_cookie_and_ends_the_page_before_it() {
    let (page, mut events) = served(long()).await;
    let path = format!("/sign/{}", token_of(&page));
    let owner = Visitor::first(&page).await;
    let wrong = format!("{}0", owner.cookie.trim_end_matches(|digit: char| digit.is_ascii_hexdigit()));
    for cookie in [String::new(), wrong] {
        let stranger = owner.send(Method::GET, &path, &[("cookie", &cookie)], String::new()).await;
        assert_eq!(stranger.status, StatusCode::GONE, "{cookie}");
    }
    assert_eq!(owner.next(0).await["stage"]["kind"], "waiting", "nobody else ended the page");
    let again = owner.send(Method::GET, &path, &[("cookie", &owner.cookie)], String::new()).await;
    assert_eq!(again.status, StatusCode::OK);
    assert!(!again.body.contains(&owner.token), "the page has a token of its own");
    // The page that was left says that it closes, after the next one has opened.
    let closed = owner.post("/sign/event", &json!({"kind": "closed"}), &[]).await;
    assert_eq!(closed.status, StatusCode::FORBIDDEN);
    assert_eq!((events.try_recv(), events.try_recv().is_err()), (Ok(SigningPageEvent::Opened), true));
}

#[tokio::test]
async fn the_cookie_is_for_this_page_alone() {
    let (page, _events) = served(long()).await;
    let seen = Visitor::new(&page).get(&format!("/sign/{}", token_of(&page))).await;
    let cookie = seen.headers["set-cookie"].to_str().unwrap();
    assert!(cookie.starts_with(&format!("rollscope-sign-{}=", page.port())), "{cookie}");
    for part in ["; HttpOnly", "; SameSite=Strict", "; Path=/sign"] {
        assert!(cookie.contains(part), "{cookie}");
    }
    assert!(!cookie.contains("Domain") && !cookie.contains(&token_of(&page)));
}

#[tokio::test]
async fn posts_need_cookie_second_token_and_origin() {
    let (page, _events) = served(long()).await;
    let owner = Visitor::first(&page).await;
    let port = page.port();
    let wrong_cookie = format!("rollscope-sign-{port}={}", "0".repeat(32));
    let other_port = format!("http://127.0.0.1:{}", port.wrapping_add(1));
    let as_other_name = format!("http://localhost:{port}");
    let cases: &[(&str, &str)] = &[
        ("cookie", ""),
        ("cookie", &wrong_cookie),
        ("cookie", &owner.token),
        ("x-rollscope-page", ""),
        ("x-rollscope-page", "0"),
        ("x-rollscope-page", &owner.cookie),
        ("origin", ""),
        ("origin", "null"),
        ("origin", "http://evil.example"),
        ("origin", &other_port),
        ("origin", &as_other_name),
        ("sec-fetch-site", "cross-site"),
        ("sec-fetch-site", "same-site"),
        ("sec-fetch-site", "none"),
    ];
    for path in ["/sign/next", "/sign/answer", "/sign/event"] {
        for case in cases {
            let seen = owner.post(path, &json!({"seen": 0}), &[*case]).await;
            assert_eq!(seen.status, StatusCode::FORBIDDEN, "{path} {case:?}");
        }
        let plain = owner.post(path, &json!({"seen": 0}), &[("content-type", "text/plain")]).await;
        assert_eq!(plain.status, StatusCode::UNSUPPORTED_MEDIA_TYPE, "{path}");
    }
    assert_eq!(owner.post("/sign/next", &json!({"seen": 0}), &[("sec-fetch-site", "same-origin")]).await.status, 200);
}

#[tokio::test]
async fn only_loopback_names_with_the_port_are_answered() {
    let (page, _events) = served(long()).await;
    let visitor = Visitor::new(&page);
    let port = page.port();
    let path = format!("/sign/{}", token_of(&page));
    let foreign = [
        "evil.example".to_owned(),
        format!("evil.example:{port}"),
        "127.0.0.1".to_owned(),
        format!("127.0.0.1:{}", port.wrapping_add(1)),
        format!("127.0.0.2:{port}"),
        format!("localhost.evil.example:{port}"),
        format!("user@127.0.0.1:{port}"),
    ];
    for host in &foreign {
        for path in [path.as_str(), "/assets/page.js", "/sign/next"] {
            let seen = visitor.send(Method::GET, path, &[("host", host)], String::new()).await;
            assert_eq!(seen.status, StatusCode::FORBIDDEN, "{host} {path}");
        }
    }
    let seen = visitor.send(Method::GET, &path, &[("host", &format!("localhost:{port}"))], String::new()).await;
    assert_eq!(seen.status, StatusCode::OK, "an ssh line keeps the port, and nothing had used the token up");
}

#[tokio::test]
async fn every_answer_has_the_headers_and_none_of_cors() {
    let (page, _events) = served(long()).await;
    let owner = Visitor::first(&page).await;
    let page_path = format!("/sign/{}", token_of(&page));
    let origin = ("origin", "http://evil.example");
    let mut all = vec![owner.post("/sign/next", &json!({"seen": 0}), &[]).await];
    for path in [&page_path, "/assets/page.js", "/assets/page.css", "/assets/ethereum.js", "/assets/keplr.js", "/x"] {
        all.push(owner.send(Method::GET, path, &[origin], String::new()).await);
    }
    let preflight = [origin, ("access-control-request-method", "POST")];
    all.push(owner.send(Method::OPTIONS, "/sign/next", &preflight, String::new()).await);
    all.push(owner.send(Method::GET, "/x", &[("host", "evil.example")], String::new()).await);
    for seen in &all {
        let of = |name: &str| seen.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let policy = of("content-security-policy");
        for part in ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "form-action 'none'"] {
            assert!(policy.contains(part), "{policy}");
        }
        assert!(!policy.contains("unsafe") && !policy.contains("http") && !policy.contains('*'), "{policy}");
        assert_eq!(of("x-content-type-options"), "nosniff");
        assert_eq!(of("cache-control"), "no-store");
        assert_eq!(of("referrer-policy"), "no-referrer");
        assert!(!seen.headers.keys().any(|name| name.as_str().starts_with("access-control")), "{:?}", seen.headers);
    }
}

#[tokio::test]
async fn a_request_is_answered_once_and_by_its_number() {
    let (page, mut events) = served(long()).await;
    let owner = Visitor::first(&page).await;
    let asked = ask(&page, document(&TestKey::new(1)), words("One"));
    let id = shown(&owner).await;
    let hash = |byte: &str| json!({"kind": "hash", "hash": format!("0x{}", byte.repeat(32))});
    let other = owner.post("/sign/answer", &json!({"id": id + 1, "answer": hash("aa")}), &[]).await;
    assert_eq!(other.status, StatusCode::CONFLICT);
    let own = owner.post("/sign/answer", &json!({"id": id, "answer": hash("bb")}), &[]).await;
    assert_eq!(own.status, StatusCode::NO_CONTENT);
    assert_eq!(asked.await.unwrap(), Ok(WalletAnswer::Hash([0xbb; 32])));
    let late = owner.post("/sign/answer", &json!({"id": id, "answer": hash("cc")}), &[]).await;
    assert_eq!(late.status, StatusCode::CONFLICT);
    let seen: Vec<_> = std::iter::from_fn(|| events.try_recv().ok()).collect();
    let late = |byte| SigningPageEvent::LateHash([byte; 32]);
    assert_eq!(seen, [SigningPageEvent::Opened, late(0xaa), late(0xcc)], "no hash is lost");
}

#[tokio::test]
async fn garbage_of_the_page_is_an_answer_too() {
    let (page, _events) = served(long()).await;
    let owner = Visitor::first(&page).await;
    for body in [json!([]), json!({"id": "x"}), json!({"answer": {"kind": "typed_data"}})] {
        let asked = ask(&page, document(&TestKey::new(1)), words("One"));
        shown(&owner).await;
        assert_eq!(owner.post("/sign/answer", &body, &[]).await.status, StatusCode::NO_CONTENT);
        assert!(matches!(asked.await.unwrap(), Ok(WalletAnswer::Garbage(_))), "{body}");
    }
    let large = json!({"id": 1, "answer": "x".repeat(70_000)});
    assert_eq!(owner.post("/sign/answer", &large, &[]).await.status, StatusCode::PAYLOAD_TOO_LARGE);
}

#[tokio::test]
async fn a_request_is_offered_for_its_time() {
    let (page, _events) = served(PageTimes { offer: Duration::from_millis(1), ..long() }).await;
    let owner = Visitor::first(&page).await;
    let asked = ask(&page, document(&TestKey::new(1)), words("One"));
    assert_eq!(asked.await.unwrap(), Err(PageEnd::Expired));
    let state = owner.next(0).await;
    assert_eq!(state["stage"]["kind"], "waiting", "it is not shown any more");
    let usual = PageTimes::default();
    assert_eq!((usual.offer, usual.silence), (Duration::from_mins(5), Duration::from_secs(10)));
    assert!(usual.beat < usual.silence);
}

#[tokio::test]
async fn a_page_that_falls_silent_is_gone() {
    let (page, _events) = served(PageTimes { silence: Duration::from_millis(50), ..long() }).await;
    let owner = Visitor::first(&page).await;
    owner.next(0).await;
    let asked = ask(&page, document(&TestKey::new(1)), words("One"));
    assert_eq!(asked.await.unwrap(), Err(PageEnd::Silent));
}

#[tokio::test]
async fn the_listener_ends_with_its_page() {
    let (page, _events) = served(long()).await;
    let owner = Visitor::first(&page).await;
    let page = Arc::into_inner(page).unwrap();
    let (heard, ()) = tokio::join!(owner.next(1), page.close("Arrived.", true));
    assert_eq!(heard["stage"], json!({"kind": "ended", "words": "Arrived.", "is_good": true}));
    let url = format!("http://127.0.0.1:{}/assets/page.js", owner.port);
    while crate::harness::get(url.clone()).await.is_ok() {}
}
