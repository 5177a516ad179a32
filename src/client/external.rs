//! What an NFT's URI leads to, outside of the indexer: its metadata and its picture.
//!
//! ```text
//! uri         what a URI means: bytes in itself, or an address, for `ipfs:` that of the gateway
//! ssrf_guard  which hosts may not be asked
//! fetch       the exchange: redirects, caps, one deadline
//! metadata    metadata, in the forms in which it is written
//! picture     PNG, decoded and made small
//! ```
//!
//! URIs are chosen by whoever minted the NFT, so nothing here is asked for unless somebody wants to see it, nothing is
//! retried, and an address within a private network or on this machine is refused: only the indexer itself, where it is
//! here, and the gateway that the user named may lie there.

mod fetch;
mod metadata;
mod picture;
mod ssrf_guard;
mod uri;

use std::{sync::Arc, time::Duration};

use reqwest::{Client, Url};
use tokio::sync::{OnceCell, Semaphore};

use self::uri::UriSource;
use super::{BaseUrl, BaseUrlError, ClientOptions, IndexerClient};
use crate::{
    domain::text::clip,
    msg::{Metadata, Picture},
    wire::{ApiError, ErrorKind},
};

/// Where `ipfs:` addresses are asked for unless the options say otherwise.
const GATEWAY: &str = "https://ipfs.io/ipfs";

/// The longest that one fetch may take, redirects included.
const TIMEOUT: Duration = Duration::from_secs(10);

/// Bytes of metadata at the most, decompressed.
const METADATA_CAP: u64 = 1 << 20;

/// Bytes of a picture's file at the most.
const PICTURE_CAP: u64 = 4 << 20;

/// What all fetches from outside of the indexer share.
pub(super) struct ExternalFetcher {
    gateway: BaseUrl,
    /// The indexer where it is on this machine: of all that is here it alone is asked.
    own: Option<BaseUrl>,
    uses_proxy: bool,
    timeout: Duration,
    /// Asks this machine, without a proxy.
    loopback: OnceCell<Client>,
    internet: OnceCell<Client>,
    /// Asks those that may lie anywhere.
    trusted: OnceCell<Client>,
    /// One picture is decoded at a time: a large one takes up to 64 MiB while it is.
    decoding: Arc<Semaphore>,
}

/// What a URI led to.
struct FetchedFile {
    /// The media type as it was claimed; empty when it was not.
    media: String,
    bytes: Vec<u8>,
}

impl ExternalFetcher {
    /// Nothing is built before the first fetch. Fails where the options name a gateway that is no address.
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

/// Whether an address is this server's: the same scheme, host and port.
fn is_of(server: &BaseUrl, url: &Url) -> bool {
    Url::parse(server.as_str()).is_ok_and(|server| server.origin() == url.origin())
}

impl IndexerClient {
    /// The metadata at an NFT's URI: `data:`, `http:`, `https:`, or `ipfs:` through the gateway. At most 1 MiB of JSON
    /// within 10 seconds; one try. Everything in it is hostile text.
    pub async fn metadata(&self, uri: &str) -> Result<Arc<Metadata>, ApiError> {
        let found = self.find(uri, METADATA_CAP).await?;
        metadata::read(&found.media, &found.bytes, uri).map(Arc::new).map_err(|sentence| {
            let start = &found.bytes[..found.bytes.len().min(crate::wire::Exchange::BODY_CAP)];
            ApiError { body: Some(String::from_utf8_lossy(start).into()), ..unusable(uri, sentence) }
        })
    }

    /// The picture at a URI of the same kinds, as [`Metadata::image`] has it. PNG only, at most 4 MiB and 4096 pixels a
    /// side, made at most 256 pixels wide and high; one try.
    pub async fn picture(&self, uri: &str) -> Result<Arc<Picture>, ApiError> {
        let found = self.find(uri, PICTURE_CAP).await?;
        // The permit goes with the work, which nobody can stop once it runs.
        let permit = Arc::clone(&self.shared.external.decoding).acquire_owned().await;
        let decode = move || {
            let _permit = permit;
            picture::read(&found.media, &found.bytes)
        };
        let decoded = tokio::task::spawn_blocking(decode).await;
        let decoded = decoded.unwrap_or_else(|error| Err(format!("the picture could not be read: {error}")));
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

/// The error of a URI that led nowhere; a long one, such as `data:`, is cut.
fn unusable(uri: &str, sentence: String) -> ApiError {
    ApiError { kind: ErrorKind::Unusable(sentence), url: clip(uri, 300).into(), body: None }
}

fn too_large(cap: u64) -> String {
    format!("it is larger than {} MiB", cap >> 20)
}
