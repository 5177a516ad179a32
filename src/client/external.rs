//! Metadata and pictures of NFTs, fetched from their URIs without the indexer.
//!
//! ```text
//! uri         inline bytes or a URL, through the gateway for `ipfs:`
//! ssrf_guard  refusal of hosts in private networks
//! fetch       HTTP exchanges of one file: redirects, caps, deadline
//! metadata    parsing of metadata
//! picture     PNG decoding and scaling
//! ```
//!
//! The NFT's minter chooses the URIs. rollscope therefore fetches a file only when the user opens it, never retries,
//! and refuses addresses of private networks and of this machine; the exceptions are the local indexer and the gateway
//! that the user configured.

mod fetch;
mod metadata;
mod picture;
mod ssrf_guard;
mod uri;

use std::{sync::Arc, time::Duration};

use reqwest::Client;
use tokio::sync::{OnceCell, Semaphore};

use self::uri::{UriSource, too_large, unusable};
use super::{
    base_url::{BaseUrl, BaseUrlError},
    indexer::IndexerClient,
    options::ClientOptions,
};
use crate::{
    msg::{Metadata, Picture},
    wire::ApiError,
};

/// Default gateway for `ipfs:` URLs.
const GATEWAY: &str = "https://ipfs.io/ipfs";

/// Timeout of one fetch, including redirects.
const TIMEOUT: Duration = Duration::from_secs(10);

/// Maximum bytes of metadata, decompressed.
const METADATA_CAP: u64 = 1 << 20;

/// Maximum bytes of a picture's file.
const PICTURE_CAP: u64 = 4 << 20;

pub(super) struct ExternalFetcher {
    gateway: BaseUrl,
    /// Indexer on this machine, the only local server that rollscope may query.
    own: Option<BaseUrl>,
    uses_proxy: bool,
    timeout: Duration,
    /// Client for this machine, without a proxy.
    loopback: OnceCell<Client>,
    internet: OnceCell<Client>,
    /// Client for trusted servers, at any address.
    trusted: OnceCell<Client>,
    /// Permit to decode one picture at a time: a picture takes up to 64 MiB.
    decoding: Arc<Semaphore>,
}

struct FetchedFile {
    /// Declared media type; empty if missing.
    media: String,
    bytes: Vec<u8>,
}

impl ExternalFetcher {
    /// Creates a fetcher, which builds its HTTP clients on first use. Fails for an invalid gateway in the options.
    pub(super) fn new(indexer: &BaseUrl, options: &ClientOptions) -> Result<Self, BaseUrlError> {
        Ok(Self {
            gateway: BaseUrl::parse(options.ipfs_gateway.as_deref().unwrap_or(GATEWAY))?,
            own: Some(indexer.clone()).filter(BaseUrl::is_loopback),
            uses_proxy: options.system_proxy,
            timeout: options.timeout.min(TIMEOUT),
            loopback: OnceCell::new(),
            internet: OnceCell::new(),
            trusted: OnceCell::new(),
            decoding: Arc::new(Semaphore::new(1)),
        })
    }
}

impl IndexerClient {
    /// Fetches the metadata at an NFT's URI: `data:`, `http:`, `https:`, or `ipfs:` through the gateway. Accepts at
    /// most 1 MiB of JSON within 10 seconds and never retries. Do not trust the text: the minter wrote it.
    pub async fn metadata(&self, uri: &str) -> Result<Arc<Metadata>, ApiError> {
        let found = self.find(uri, METADATA_CAP).await?;
        metadata::read(&found.media, &found.bytes, uri).map(Arc::new).map_err(|sentence| {
            let start = found.bytes.get(..crate::wire::Exchange::BODY_CAP).unwrap_or(&found.bytes);
            ApiError { body: Some(String::from_utf8_lossy(start).into()), ..unusable(uri, sentence) }
        })
    }

    /// Fetches the picture at a URI, such as [`Metadata::image`]. Accepts PNG of at most 4 MiB and 4096 pixels per
    /// side, scales it down to 256 pixels, and never retries.
    pub async fn picture(&self, uri: &str) -> Result<Arc<Picture>, ApiError> {
        let found = self.find(uri, PICTURE_CAP).await?;
        // The permit moves into the task, which runs to its end.
        let permit = Arc::clone(&self.shared.external.decoding).acquire_owned().await;
        let decode = move || {
            let _permit = permit;
            picture::read(&found.media, &found.bytes)
        };
        let decoded = tokio::task::spawn_blocking(decode).await;
        let decoded = decoded.unwrap_or_else(|error| Err(format!("cannot read the picture: {error}")));
        decoded.map(Arc::new).map_err(|sentence| unusable(uri, sentence))
    }

    async fn find(&self, uri: &str, cap: u64) -> Result<FetchedFile, ApiError> {
        let external = &self.shared.external;
        match UriSource::of(uri, &external.gateway, cap).map_err(|sentence| unusable(uri, sentence))? {
            UriSource::Inline { bytes, .. } if bytes.len() as u64 > cap => Err(unusable(uri, too_large(cap))),
            UriSource::Inline { media, bytes } => Ok(FetchedFile { media, bytes }),
            UriSource::Web(url) => {
                let fetch = fetch::ExternalFetch {
                    fetcher: external,
                    recorder: &self.shared.transport.recorder,
                    observer: self.observer.as_deref(),
                    deadline: tokio::time::Instant::now() + external.timeout,
                    cap,
                };
                let received = fetch.run(url).await?;
                Ok(FetchedFile { media: received.content_type, bytes: received.body })
            }
        }
    }
}
