//! Building blocks of screens: canvas, lists, documents, pictures, geometry.

pub(crate) mod ascii;
pub(crate) mod bars;
pub(crate) mod canvas;
pub(crate) mod cursor;
pub(crate) mod document;
pub(crate) mod input;
pub(crate) mod layout;
pub(crate) mod list;
pub(crate) mod overlay;
pub(crate) mod picker;
pub(crate) mod picture;

pub use canvas::{Drawn, Hit, HitMap};
pub use picture::PlacedPicture;
