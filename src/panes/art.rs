//! What lies behind a token's URI: its metadata, and the picture that the metadata names.

use std::sync::Arc;

use crate::{
    app::Context,
    config::DEMO,
    domain::Timestamp,
    msg::{Answer, Metadata, PageNeed, Picture, Remote, Request, is_inline},
    wire::{ApiError, RawJson},
};

/// Bytes of metadata that a covered page keeps at the most.
const KEPT: usize = 16 << 10;

/// One of the two things that make a token's art.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ArtPart {
    /// What the token's URI leads to.
    Metadata,
    /// What the metadata's image leads to.
    Picture,
}

impl ArtPart {
    /// As what a page asks for it.
    pub(crate) fn need(self) -> PageNeed {
        match self {
            Self::Metadata => PageNeed::Metadata,
            Self::Picture => PageNeed::Picture,
        }
    }

    /// What a page asked for as this.
    pub(crate) fn of_need(need: PageNeed) -> Option<Self> {
        [Self::Metadata, Self::Picture].into_iter().find(|part| part.need() == need)
    }
}

/// Metadata and picture of a token, as far as they came.
#[derive(Clone, Debug, Default)]
pub(crate) struct Art {
    pub(crate) metadata: Remote<Arc<Metadata>>,
    pub(crate) picture: Remote<Arc<Picture>>,
}

/// Which URIs are followed without being asked to. Token makers choose the hosts in them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// Only what lies in the URI itself.
    Inline,
    /// What the embedded rollup serves too: everything that is named by content.
    Embedded,
    /// All of them: asked for, or switched on.
    Everywhere,
}

impl Reach {
    /// What is followed on this network.
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
    /// The next thing to ask for, and from now on awaited: the metadata, then its picture.
    pub(crate) fn want(&mut self, uri: &str, reach: Reach, now: Timestamp) -> Option<Request> {
        let may = |uri: &str| reach.may(uri);
        if is_image(uri) && matches!(self.picture, Remote::Idle) {
            self.picture.ask(now);
            return Some(Request::Picture(uri.into()));
        }
        if matches!(self.metadata, Remote::Idle) && !uri.is_empty() && !is_image(uri) && may(uri) {
            self.metadata.ask(now);
            return Some(Request::Metadata(uri.into()));
        }
        let image = self.metadata.value()?.image.clone().filter(|image| may(image))?;
        if !matches!(self.picture, Remote::Idle) {
            return None;
        }
        self.picture.ask(now);
        Some(Request::Picture(image))
    }

    /// What is awaited of it: one part at a time.
    pub(crate) fn awaited(&self) -> Option<ArtPart> {
        match (&self.metadata, &self.picture) {
            (_, Remote::Loading { .. }) => Some(ArtPart::Picture),
            (Remote::Loading { .. }, _) => Some(ArtPart::Metadata),
            _ => None,
        }
    }

    /// A part came, or cannot be had. One that is not awaited belongs to another URI.
    pub(crate) fn take(&mut self, part: ArtPart, result: Result<Answer, ApiError>, now: Timestamp) {
        match (part, result) {
            _ if self.awaited() != Some(part) => {}
            (ArtPart::Metadata, Ok(Answer::Metadata(metadata))) => self.metadata.settle(Ok(metadata), now),
            (ArtPart::Picture, Ok(Answer::Picture(picture))) => self.picture.settle(Ok(picture), now),
            (_, Ok(_)) => {}
            (ArtPart::Metadata, Err(error)) => self.metadata.settle(Err(error), now),
            (ArtPart::Picture, Err(error)) => self.picture.settle(Err(error), now),
        }
    }

    /// Lets go of what is large and can be had again; true where the metadata was.
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

    /// Lets go of what a card does not show: of many tokens that would be a lot.
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

    /// Whether there is a picture, or one may still come from this URI.
    pub(crate) fn may_have_picture(&self, uri: &str, reach: Reach) -> bool {
        match (&self.picture, &self.metadata) {
            (Remote::Ready { .. } | Remote::Stale { .. } | Remote::Loading { .. }, _)
            | (Remote::Idle, Remote::Loading { .. }) => true,
            (Remote::Idle, Remote::Idle) => !uri.is_empty() && reach.may(uri),
            _ => false,
        }
    }
}

/// Whether the URI is a picture itself, with no metadata around it.
fn is_image(uri: &str) -> bool {
    uri.get(..11).is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:image/"))
}
