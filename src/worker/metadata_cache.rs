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

/// Visits under way at the most: a gallery asks for many at once.
const FETCHES: usize = 4;

/// Documents kept; together with [`LARGEST_DOCUMENT`] a few MiB.
const DOCUMENTS: NonZeroUsize = NonZeroUsize::new(256).expect("it is not 0");

/// Pictures kept, of 256 KiB each at the most.
const PICTURES: NonZeroUsize = NonZeroUsize::new(64).expect("it is not 0");

/// A document with more bytes than this, its URI included, is not kept.
const LARGEST_DOCUMENT: usize = 32 << 10;

/// What NFTs' URIs led to lately. Clones share it.
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

    /// The metadata at a URI: kept from before, or fetched when it is its turn.
    pub(super) async fn metadata(&self, client: &IndexerClient, uri: &Arc<str>) -> Result<Arc<Metadata>, ApiError> {
        let is_small = |found: &Metadata| uri.len() + found.raw.get().len() <= LARGEST_DOCUMENT;
        self.find(&self.0.documents, uri, client.metadata(uri), is_small).await
    }

    /// The picture at a URI, likewise.
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
        // What lies in the URI asks nobody, so it waits for nobody. Never closed: there always is a permit in the end.
        let _permit = if is_inline(uri) { None } else { self.0.fetches.acquire().await.ok() };
        // Tokens often share one picture: while this one waited, another may have brought it.
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

/// The values used last, by URI.
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
