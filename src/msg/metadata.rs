use std::sync::Arc;

use crate::wire::RawJson;

/// What an NFT's metadata says, as its makers agreed to write it. Everything in it is hostile text.
#[derive(Clone, Debug)]
pub struct Metadata {
    /// Name, empty when not given.
    pub name: String,
    /// Description, empty when not given.
    pub description: String,
    /// Where its picture lies, resolved like the metadata's own URI.
    pub image: Option<Arc<str>>,
    /// Its traits in order.
    pub traits: Vec<Trait>,
    /// The whole document as received.
    pub raw: RawJson,
}

/// A trait of an NFT.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trait {
    /// What it is about.
    pub name: String,
    /// Its value as text, whatever JSON type it has.
    pub value: String,
}

/// A picture, decoded and small enough for a terminal.
#[derive(Clone, PartialEq, Eq)]
pub struct Picture {
    /// Pixels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Red, green, blue, opacity of each pixel, row by row from the top.
    pub rgba: Box<[u8]>,
}

impl Picture {
    /// The colour of a pixel with its opacity; nothing outside of the picture.
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

/// Whether what a URI leads to lies in the URI itself, so that reading it asks nobody.
pub fn is_inline(uri: &str) -> bool {
    uri.trim_start().get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:"))
}
