use std::{
    num::NonZeroUsize,
    sync::{Arc, Mutex, PoisonError},
};

use lru::LruCache;
use tokio::sync::Semaphore;

use crate::{
    client::IndexerClient,
    msg::{Metadata, Picture, is_inline},
    wire::ApiError,
};

/// Maximum concurrent fetches; a gallery requests many files at once.
const FETCHES: usize = 4;

/// Maximum cached documents; together at most 8 MiB, see [`LARGEST_DOCUMENT`].
const DOCUMENTS: NonZeroUsize = NonZeroUsize::new(256).expect("the capacity is not 0");

/// Maximum cached pictures, of at most 256 KiB each.
const PICTURES: NonZeroUsize = NonZeroUsize::new(64).expect("the capacity is not 0");

/// Maximum bytes of a cached document and its URI; larger documents are not cached.
const LARGEST_DOCUMENT: usize = 32 << 10;

/// Cache of metadata and pictures by URI. Clones share it.
#[derive(Clone)]
pub(super) struct MetadataCache(Arc<Shared>);

struct Shared {
    fetches: Semaphore,
    documents: Kept<Metadata>,
    pictures: Kept<Picture>,
}

impl MetadataCache {
    pub(super) fn new() -> Self {
        let (documents, pictures) = (Kept::new(DOCUMENTS), Kept::new(PICTURES));
        Self(Arc::new(Shared { fetches: Semaphore::new(FETCHES), documents, pictures }))
    }

    /// Returns the metadata at a URI from the cache, or fetches it when a permit is free.
    pub(super) async fn metadata(&self, client: &IndexerClient, uri: &Arc<str>) -> Result<Arc<Metadata>, ApiError> {
        let is_small = |found: &Metadata| uri.len() + found.raw.get().len() <= LARGEST_DOCUMENT;
        self.find(&self.0.documents, uri, client.metadata(uri), is_small).await
    }

    /// Returns the picture at a URI from the cache, or fetches it when a permit is free.
    pub(super) async fn picture(&self, client: &IndexerClient, uri: &Arc<str>) -> Result<Arc<Picture>, ApiError> {
        self.find(&self.0.pictures, uri, client.picture(uri), |_| uri.len() <= LARGEST_DOCUMENT).await
    }

    async fn find<T>(
        &self,
        kept: &Kept<T>,
        uri: &Arc<str>,
        fetch: impl Future<Output = Result<Arc<T>, ApiError>>,
        is_kept: impl Fn(&T) -> bool,
    ) -> Result<Arc<T>, ApiError> {
        if let Some(found) = kept.get(uri) {
            return Ok(found);
        }
        // Inline data needs no request, so it needs no permit. The semaphore is never closed.
        let _permit = if is_inline(uri) { None } else { self.0.fetches.acquire().await.ok() };
        // Tokens often share a picture: another task may have cached it while this task waited.
        if let Some(found) = kept.get(uri) {
            return Ok(found);
        }
        let found = fetch.await?;
        if is_kept(&found) {
            kept.put(uri, &found);
        }
        Ok(found)
    }
}

/// Recently used values by URI.
struct Kept<T>(Mutex<LruCache<Arc<str>, Arc<T>>>);

impl<T> Kept<T> {
    fn new(capacity: NonZeroUsize) -> Self {
        Self(Mutex::new(LruCache::new(capacity)))
    }

    fn get(&self, uri: &Arc<str>) -> Option<Arc<T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(uri).cloned()
    }

    fn put(&self, uri: &Arc<str>, found: &Arc<T>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).put(Arc::clone(uri), Arc::clone(found));
    }
}
