use std::sync::Arc;

use crate::wire::RawJson;

/// Metadata of an NFT in the common format. All of its text is hostile.
#[derive(Clone, Debug)]
pub struct Metadata {
    /// Name; empty if missing.
    pub name: String,
    /// Description; empty if missing.
    pub description: String,
    /// URI of the picture, resolved relative to the URI of the metadata.
    pub image: Option<Arc<str>>,
    pub traits: Vec<Trait>,
    /// Whole document as received.
    pub raw: RawJson,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trait {
    pub name: String,
    /// Value as text, for any JSON type.
    pub value: String,
}

/// Decoded picture, small enough for a terminal.
#[derive(Clone, PartialEq, Eq)]
pub struct Picture {
    pub width: u32,
    pub height: u32,
    /// Red, green, blue and opacity of each pixel, row by row from the top.
    pub rgba: Box<[u8]>,
}

impl Picture {
    /// Returns a pixel's colour with opacity; `None` outside of the picture.
    pub fn pixel(&self, x: u32, y: u32) -> Option<[u8; 4]> {
        let place = (y as usize * self.width as usize + x as usize) * 4;
        let is_inside = x < self.width && y < self.height;
        self.rgba.get(place..place + 4).filter(|_| is_inside)?.try_into().ok()
    }
}

impl std::fmt::Debug for Picture {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Picture({}×{})", self.width, self.height)
    }
}

/// Whether a URI contains its data inline, so that no request is needed.
pub fn is_inline(uri: &str) -> bool {
    uri.trim_start().get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:"))
}
