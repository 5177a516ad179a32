//! Metadata and picture behind a token's URI.

use std::sync::Arc;

use crate::{
    app::Context,
    config::DEMO,
    domain::Timestamp,
    msg::{Ask, Metadata, Picture, Remote, ask, is_inline},
    wire::{ApiError, RawJson},
};

/// Maximum bytes of metadata that a covered page keeps in memory.
const KEPT: usize = 16 << 10;

/// Next request for a token's metadata or picture.
#[derive(Debug)]
pub(crate) enum ArtAsk {
    /// Metadata at the token's URI.
    Metadata(Ask<Arc<Metadata>>),
    /// Picture at the URI that the metadata names.
    Picture(Ask<Arc<Picture>>),
}

/// Metadata and picture of a token, as far as loaded.
#[derive(Clone, Debug, Default)]
pub(crate) struct Art {
    pub(crate) metadata: Remote<Arc<Metadata>>,
    pub(crate) picture: Remote<Arc<Picture>>,
}

/// URIs that the client fetches without a key press. The creators of tokens choose these hosts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    Inline,
    /// Inline and content-addressed data, which the embedded rollup also serves.
    Embedded,
    /// All URIs, because the user requested the data or configured it so.
    Everywhere,
}

impl Reach {
    pub(crate) fn of(cx: &Context) -> Self {
        match &cx.network {
            network if network.fetches_metadata => Self::Everywhere,
            network if network.name == DEMO => Self::Embedded,
            _ => Self::Inline,
        }
    }

    fn may(self, uri: &str) -> bool {
        let is_content = || uri.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("ipfs:"));
        match self {
            Self::Inline => is_inline(uri),
            Self::Embedded => is_inline(uri) || is_content(),
            Self::Everywhere => true,
        }
    }
}

impl Art {
    /// Returns the next request, first for the metadata, then for its picture, and marks it as pending.
    pub(crate) fn want(&mut self, uri: &str, reach: Reach, now: Timestamp) -> Option<ArtAsk> {
        let may = |uri: &str| reach.may(uri);
        if is_image(uri) && matches!(self.picture, Remote::Idle) {
            self.picture.ask(now);
            return Some(ArtAsk::Picture(ask::picture(uri.into())));
        }
        if matches!(self.metadata, Remote::Idle) && !uri.is_empty() && !is_image(uri) && may(uri) {
            self.metadata.ask(now);
            return Some(ArtAsk::Metadata(ask::metadata(uri.into())));
        }
        let image = self.metadata.value()?.image.clone().filter(|image| may(image))?;
        if !matches!(self.picture, Remote::Idle) {
            return None;
        }
        self.picture.ask(now);
        Some(ArtAsk::Picture(ask::picture(image)))
    }

    pub(crate) fn take_metadata(&mut self, result: Result<Arc<Metadata>, ApiError>, now: Timestamp) {
        // An unexpected answer belongs to an earlier URI.
        if self.metadata.is_loading() {
            self.metadata.settle(result, now);
        }
    }

    pub(crate) fn take_picture(&mut self, result: Result<Arc<Picture>, ApiError>, now: Timestamp) {
        if self.picture.is_loading() {
            self.picture.settle(result, now);
        }
    }

    /// Drops large data that the page can load again. Returns whether it dropped metadata.
    pub(crate) fn shrink(&mut self) -> bool {
        if !self.picture.is_loading() {
            self.picture = Remote::Idle;
        }
        let is_large = self.metadata.value().is_some_and(|metadata| metadata.raw.get().len() > KEPT);
        if is_large {
            self.metadata = Remote::Idle;
        }
        is_large
    }

    /// Drops the metadata that a card does not show, which saves memory over many tokens.
    pub(crate) fn slim(&mut self) {
        let Remote::Ready { value, .. } = &mut self.metadata else { return };
        let is_done = !matches!(self.picture, Remote::Idle | Remote::Loading { .. });
        let image = value.image.clone().filter(|_| !is_done);
        let Ok(raw) = RawJson::parse("null".to_owned()) else { return };
        *value =
            Arc::new(Metadata { name: value.name.clone(), description: String::new(), image, traits: Vec::new(), raw });
    }

    pub(crate) fn is_loading(&self) -> bool {
        self.metadata.is_loading() || self.picture.is_loading()
    }

    /// Whether a picture is loaded, or this URI may still lead to one.
    pub(crate) fn may_have_picture(&self, uri: &str, reach: Reach) -> bool {
        match (&self.picture, &self.metadata) {
            (Remote::Ready { .. } | Remote::Stale { .. } | Remote::Loading { .. }, _)
            | (Remote::Idle, Remote::Loading { .. }) => true,
            (Remote::Idle, Remote::Idle) => !uri.is_empty() && reach.may(uri),
            _ => false,
        }
    }
}

/// Whether the URI is itself a picture, without metadata.
fn is_image(uri: &str) -> bool {
    uri.get(..11).is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:image/"))
}
