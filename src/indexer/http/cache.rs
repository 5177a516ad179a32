//! Response cache as on the real server (`docs/apis/indexer.md` §1.3): stale responses are one of its deviations.

use std::{
    collections::BTreeMap,
    fmt,
    sync::{Mutex, PoisonError},
};

use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};

use super::reply::Reply;
use crate::domain::Timestamp;

/// Header that says whether a response came from the cache.
const X_CACHE: HeaderName = HeaderName::from_static("x-cache");

/// Maximum cached responses; the real server has no limit.
const MOST: usize = 256;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CacheRule {
    Use,
    /// `no-cache`: compute a new response and store it.
    Refresh,
    /// `no-store`: compute a new response without storing it.
    Bypass,
}

impl CacheRule {
    pub(super) fn of(headers: &HeaderMap) -> Self {
        let values = headers.get_all(header::CACHE_CONTROL).iter().filter_map(|value| value.to_str().ok());
        let text = values.collect::<Vec<_>>().join(",").to_ascii_lowercase();
        if text.contains("no-store") {
            Self::Bypass
        } else if text.contains("no-cache") {
            Self::Refresh
        } else {
            Self::Use
        }
    }
}

/// Cached responses by method and URL as received.
pub(crate) struct ResponseCache {
    now: Box<dyn Fn() -> Timestamp + Send + Sync>,
    kept: Mutex<BTreeMap<String, KeptReply>>,
}

struct KeptReply {
    reply: Reply,
    /// Time at which the response expires, in seconds since 1970.
    until: i128,
}

/// Place of a response in the cache, fixed at the time of the request.
pub(super) struct CacheEntry {
    key: String,
    second: i128,
    until: i128,
}

impl fmt::Debug for ResponseCache {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("ResponseCache")
    }
}

impl ResponseCache {
    /// Creates an empty cache with this clock.
    pub(crate) fn new(now: impl Fn() -> Timestamp + Send + Sync + 'static) -> Self {
        Self { now: Box::new(now), kept: Mutex::default() }
    }

    /// Returns the place of a response with this maximum age, counted in whole seconds from the start of the request.
    pub(super) fn begin(&self, key: String, seconds: u16) -> CacheEntry {
        let second = (self.now)().as_nanos().div_euclid(1_000_000_000);
        CacheEntry { key, second, until: second + i128::from(seconds) }
    }

    /// Returns the cached response; `None` if missing or expired.
    pub(super) fn find(&self, entry: &CacheEntry) -> Option<Reply> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let found = kept.get(&entry.key).filter(|found| entry.second < found.until)?;
        Some(marked(found.reply.clone(), "hit"))
    }

    pub(super) fn keep(&self, entry: CacheEntry, reply: Reply) -> Reply {
        if reply.status == StatusCode::OK {
            let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
            kept.retain(|_, found| entry.second < found.until);
            if kept.len() < MOST {
                kept.insert(entry.key, KeptReply { reply: reply.clone(), until: entry.until });
            }
        }
        marked(reply, "miss")
    }
}

fn marked(mut reply: Reply, word: &'static str) -> Reply {
    reply.headers.push((X_CACHE, HeaderValue::from_static(word)));
    reply
}
