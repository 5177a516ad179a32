//! Answers kept for a while, as the real server keeps them (`docs/apis/indexer.md` §1.3): its staleness is one of its
//! quirks.

use std::{
    collections::BTreeMap,
    fmt,
    sync::{Mutex, PoisonError},
};

use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};

use super::reply::Reply;
use crate::domain::Timestamp;

/// Says whether an answer was kept.
const X_CACHE: HeaderName = HeaderName::from_static("x-cache");

/// Answers that are kept at the most; the real server has no such bound.
const MOST: usize = 256;

/// What a request says of kept answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CacheRule {
    /// Any will do.
    Use,
    /// `no-cache`: a new one, which is kept.
    Refresh,
    /// `no-store`: a new one, which is not.
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

/// The answers kept, by method and address exactly as they were sent.
pub(crate) struct ResponseCache {
    now: Box<dyn Fn() -> Timestamp + Send + Sync>,
    kept: Mutex<BTreeMap<String, KeptReply>>,
}

struct KeptReply {
    reply: Reply,
    /// The second from which it is too old.
    until: i128,
}

/// A place in the cache, as of when the request came.
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
    /// An empty cache that takes the time from here.
    pub(crate) fn new(now: impl Fn() -> Timestamp + Send + Sync + 'static) -> Self {
        Self { now: Box::new(now), kept: Mutex::default() }
    }

    /// The place of an answer that is kept for so many seconds. Its age counts from the beginning of the request, in whole
    /// seconds.
    pub(super) fn begin(&self, key: String, seconds: u16) -> CacheEntry {
        let second = (self.now)().as_nanos().div_euclid(1_000_000_000);
        CacheEntry { key, second, until: second + i128::from(seconds) }
    }

    /// The answer that is kept there, while it is young enough.
    pub(super) fn find(&self, entry: &CacheEntry) -> Option<Reply> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let found = kept.get(&entry.key).filter(|found| entry.second < found.until)?;
        Some(marked(found.reply.clone(), "hit"))
    }

    /// Keeps a good answer.
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
