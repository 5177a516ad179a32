//! Answers as bytes, kept until the index changes, so that any number of equal requests costs one query.

use std::sync::{Arc, Mutex, PoisonError};

use axum::{
    body::{Body, Bytes},
    extract::Request,
    http::{HeaderMap, HeaderName, HeaderValue, Method, Response, StatusCode, header},
};
use lru::LruCache;
use prometheus_client::metrics::counter::Counter;
use tokio::sync::{OnceCell, watch};

use super::{
    coding::Coding,
    listen::SharedBody,
    reply::{HttpRefusal, Reply},
    route::Routes,
};
use crate::indexer::{index::Index, progress::NodeProgress};

/// Maximum bytes of all kept answers, with their compressed forms.
const MOST_BYTES: usize = 64 << 20;

/// Bytes of an answer beside its body and target, roughly.
const OVERHEAD: usize = 1024;

/// Minimum bytes of a body that is compressed.
const COMPRESSED_FROM: usize = 1024;

/// Maximum bytes of a body that is hashed between other requests, not beside them.
const HASHED_INLINE: usize = 1024 * 1024;

/// Answer to a request by path and query, in all forms that were requested.
#[derive(Debug)]
struct KeptAnswer {
    route: &'static str,
    status: StatusCode,
    headers: HeaderMap,
    tag: Option<HeaderValue>,
    plain: AnswerBody,
    gzip: OnceCell<AnswerBody>,
    zstd: OnceCell<AnswerBody>,
}

#[derive(Clone, Debug)]
struct AnswerBody {
    bytes: Bytes,
    shared: SharedBody,
}

impl From<Vec<u8>> for AnswerBody {
    fn from(bytes: Vec<u8>) -> Self {
        Self { bytes: bytes.into(), shared: SharedBody::default() }
    }
}

/// Answers of one version of the index.
#[derive(Debug)]
struct AnswerStore {
    /// Tells changes of the progress, which `/status` includes.
    progress: watch::Receiver<NodeProgress>,
    progress_changes: u64,
    version: u64,
    entries: LruCache<String, AnswerEntry>,
    bytes: usize,
}

#[derive(Clone, Debug, Default)]
struct AnswerEntry {
    answer: Arc<OnceCell<Arc<KeptAnswer>>>,
    /// Bytes that the store counts for this entry; 0 while the answer is being made.
    bytes: usize,
}

/// Routes whose answers are kept by path, query and the index's version.
#[derive(Debug)]
pub(crate) struct AnswerCache {
    index: Arc<Index>,
    routes: Arc<Routes>,
    /// Whether answers are compressed for readers that accept it.
    compresses: bool,
    /// Counts the answers made; the others were kept.
    queries: Counter,
    store: Mutex<AnswerStore>,
}

impl AnswerCache {
    pub(crate) fn new(
        index: &Arc<Index>,
        routes: &Arc<Routes>,
        progress: watch::Receiver<NodeProgress>,
        queries: Counter,
        compresses: bool,
    ) -> Self {
        let store = AnswerStore { progress, progress_changes: 0, version: 0, entries: LruCache::unbounded(), bytes: 0 };
        Self { index: Arc::clone(index), routes: Arc::clone(routes), compresses, queries, store: Mutex::new(store) }
    }

    /// Answers a request to read, and returns the name of its route; `refusal` ends with the reason why nothing can be
    /// answered yet. Equal requests that wait at one time share one query.
    pub(crate) async fn answer(
        &self,
        request: Request,
        refusal: impl Future<Output = Option<HttpRefusal>>,
    ) -> (&'static str, Response<Body>) {
        let target = request.uri().path_and_query().map_or_else(String::new, |target| target.as_str().to_owned());
        let coding = if self.compresses { Coding::accepted(request.headers()) } else { Coding::Plain };
        let known = request.headers().get_all(header::IF_NONE_MATCH).iter().cloned().collect::<Vec<_>>();
        let make = async {
            match refusal.await {
                Some(refusal) => {
                    let route = self.routes.name_of(request.uri().path());
                    KeptAnswer::new(route, 0, refusal.into()).await
                }
                None => self.make(request).await,
            }
        };
        let answer = match self.entry(&target) {
            None => Arc::new(make.await),
            Some((version, entry)) => {
                let kept = entry.get_or_init(|| async {
                    let answer = Arc::new(make.await);
                    self.weigh(version, &target, &answer);
                    answer
                });
                Arc::clone(kept.await)
            }
        };
        let is_known = answer.tag.as_ref().is_some_and(|tag| known.iter().any(|known| names(known, tag)));
        if is_known {
            return (answer.route, answer.unchanged());
        }
        let is_large = answer.plain.bytes.len() >= COMPRESSED_FROM && answer.status == StatusCode::OK;
        let cell = match coding {
            Coding::Gzip if is_large => &answer.gzip,
            Coding::Zstd if is_large => &answer.zstd,
            _ => return (answer.route, answer.respond(&answer.plain, Coding::Plain)),
        };
        let compressed = cell.get_or_try_init(async || {
            let body = coding.compress(answer.plain.bytes.clone()).await.ok_or(())?;
            self.grow(&target, &answer, body.len());
            Ok::<_, ()>(body.into())
        });
        let response = match compressed.await {
            Ok(body) => answer.respond(body, coding),
            Err(()) => answer.respond(&answer.plain, Coding::Plain),
        };
        (answer.route, response)
    }

    async fn make(&self, request: Request) -> KeptAnswer {
        self.queries.inc();
        let description = self.routes.description_of(request.uri().path());
        let (route, max_age) = description.map_or(("other", 0), |found| (found.path, found.max_age));
        // The answer to HEAD has the same head.
        let request = request.map(|_| Body::empty());
        let (mut parts, body) = request.into_parts();
        parts.method = Method::GET;
        KeptAnswer::new(route, max_age, self.routes.answer(Request::from_parts(parts, body)).await).await
    }

    /// Returns the entry of a target in the present version; `None` while the index changes.
    fn entry(&self, target: &str) -> Option<(u64, Arc<OnceCell<Arc<KeptAnswer>>>)> {
        self.with_store(|store| {
            if let Some(found) = store.entries.get(target) {
                return (store.version, Arc::clone(&found.answer));
            }
            let entry = AnswerEntry::default();
            store.entries.put(target.to_owned(), entry.clone());
            (store.version, entry.answer)
        })
    }

    /// Counts a new answer, and drops those that were not requested for the longest. A failure is not kept.
    fn weigh(&self, version: u64, target: &str, answer: &Arc<KeptAnswer>) {
        self.with_store(|store| {
            if store.version != version {
                return;
            }
            if answer.status.is_server_error() {
                store.entries.pop(target);
            } else {
                store.add(target, target.len() + answer.plain.bytes.len() + OVERHEAD);
            }
        });
    }

    /// Counts a compressed form of an answer, if it is still kept.
    fn grow(&self, target: &str, answer: &Arc<KeptAnswer>, bytes: usize) {
        self.with_store(|store| {
            let kept = store.entries.peek(target).and_then(|entry| entry.answer.get());
            if kept.is_some_and(|kept| Arc::ptr_eq(kept, answer)) {
                store.add(target, bytes);
            }
        });
    }

    /// Runs a job on the answers of the present version; `None` while the index changes.
    fn with_store<T>(&self, job: impl FnOnce(&mut AnswerStore) -> T) -> Option<T> {
        // No code panics halfway through a change, so a poisoned lock holds valid data.
        let mut store = self.store.lock().unwrap_or_else(PoisonError::into_inner);
        if store.progress.has_changed().unwrap_or(false) {
            store.progress.mark_unchanged();
            store.progress_changes += 1;
        }
        let version = self.index.version()? + store.progress_changes;
        if store.version != version {
            store.version = version;
            store.entries.clear();
            store.bytes = 0;
        }
        Some(job(&mut store))
    }
}

impl AnswerStore {
    fn add(&mut self, target: &str, bytes: usize) {
        let Some(entry) = self.entries.get_mut(target) else { return };
        entry.bytes += bytes;
        self.bytes += bytes;
        while self.bytes > MOST_BYTES
            && let Some((_, dropped)) = self.entries.pop_lru()
        {
            self.bytes -= dropped.bytes;
        }
    }
}

impl KeptAnswer {
    async fn new(route: &'static str, max_age: u16, reply: Reply) -> Self {
        let mut headers = HeaderMap::with_capacity(reply.headers.len() + 4);
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(reply.content_type));
        headers.extend(reply.headers);
        let plain = AnswerBody::from(reply.body);
        let mut tag = None;
        if reply.status == StatusCode::OK {
            let digest = digest(plain.bytes.clone()).await;
            tag = digest.and_then(|digest| HeaderValue::from_str(&format!("W/\"{digest}\"")).ok());
            headers.extend(tag.clone().map(|tag| (header::ETAG, tag)));
            headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
            let fresh = match max_age {
                0 => HeaderValue::from_static("no-cache"),
                seconds => HeaderValue::from_str(&format!("max-age={seconds}, must-revalidate"))
                    .unwrap_or_else(|_| HeaderValue::from_static("no-cache")),
            };
            headers.insert(header::CACHE_CONTROL, fresh);
        }
        let (gzip, zstd) = (OnceCell::new(), OnceCell::new());
        Self { route, status: reply.status, headers, tag, plain, gzip, zstd }
    }

    fn respond(&self, body: &AnswerBody, coding: Coding) -> Response<Body> {
        let mut response = Response::new(Body::from(body.bytes.clone()));
        *response.status_mut() = self.status;
        *response.headers_mut() = self.headers.clone();
        if let Some(name) = coding.name() {
            response.headers_mut().insert(header::CONTENT_ENCODING, HeaderValue::from_static(name));
        }
        response.extensions_mut().insert(body.shared.clone());
        response
    }

    /// Returns the response to a reader that has this answer.
    fn unchanged(&self) -> Response<Body> {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        let kept: [HeaderName; 3] = [header::ETAG, header::CACHE_CONTROL, header::VARY];
        let headers = kept.into_iter().filter_map(|name| Some((self.headers.get(&name)?.clone(), name)));
        response.headers_mut().extend(headers.map(|(value, name)| (name, value)));
        response
    }
}

/// Whether the tags of an `If-None-Match` include this weak tag.
fn names(known: &HeaderValue, tag: &HeaderValue) -> bool {
    let Some((known, tag)) = known.to_str().ok().zip(tag.to_str().ok()) else { return false };
    let strong = tag.trim_start_matches("W/");
    known.trim() == "*" || known.split(',').any(|known| [tag, strong].contains(&known.trim()))
}

/// Returns a digest of a body and of the program's version.
async fn digest(body: Bytes) -> Option<String> {
    let hash = |body: &Bytes| {
        let digest = blake3::Hasher::new().update(env!("CARGO_PKG_VERSION").as_bytes()).update(body).finalize();
        alloy_primitives::hex::encode(digest.as_bytes().get(..16).unwrap_or_default())
    };
    if body.len() <= HASHED_INLINE {
        return Some(hash(&body));
    }
    tokio::task::spawn_blocking(move || hash(&body)).await.ok()
}

#[cfg(test)]
mod tests;
