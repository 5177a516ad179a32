//! Art for the simulated NFTs: a small picture and metadata, derived from collection and token ID.
//!
//! Each collection has a style; each token has its own palette, background and features. The traits in the metadata
//! match the picture. Integer arithmetic gives equal bytes on every machine.

mod draw;
mod palette;
mod style;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde::Serialize;
use sha2::{Digest, Sha256};

use self::{draw::PixelCanvas, palette::PALETTES, style::ArtSubject};

/// Returns the folder of a collection: `lantern-keepers` for `Lantern Keepers`.
pub(super) fn folder_of(name: &str) -> String {
    let words: Vec<String> = name
        .split(|character: char| !character.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    words.join("-")
}

/// Deterministic numbers that decide how a token looks.
#[derive(Clone, Debug)]
struct Dice([u8; 32]);

impl Dice {
    fn of(folder: &str, token_id: &str) -> Self {
        Self(Sha256::digest(format!("{folder}/{token_id}")).into())
    }

    /// Returns a number below `sides` that depends only on the token and `place`.
    fn roll(&self, place: usize, sides: usize) -> usize {
        self.0.get(place % 32).map_or(0, |byte| usize::from(*byte) % sides.max(1))
    }

    /// Whether to set a cell of a picture; true with probability `often` / 256.
    fn cell(&self, x: usize, y: usize, often: u8) -> bool {
        let mixed = [(x * 7 + y * 13) % 32, (x * 11 + y * 3 + 5) % 32];
        let [first, second] = mixed.map(|place| self.0.get(place).copied().unwrap_or(0));
        let turn = u32::try_from((x * 5 + y) % 8).unwrap_or(0);
        (first ^ second.rotate_left(turn)) < often
    }
}

#[derive(Clone, Debug)]
struct TokenLook {
    dice: Dice,
    subject: &'static ArtSubject,
    palette: usize,
    ground: usize,
    feature: usize,
    eyes: usize,
}

impl TokenLook {
    fn of(folder: &str, token_id: &str) -> Self {
        let dice = Dice::of(folder, token_id);
        let subject = ArtSubject::of(folder);
        Self {
            palette: dice.roll(0, PALETTES.len()),
            ground: dice.roll(1, draw::GROUNDS.len()),
            feature: dice.roll(2, subject.feature.1.len()),
            eyes: dice.roll(3, style::EYES.len()),
            subject,
            dice,
        }
    }

    fn draw(&self) -> PixelCanvas {
        let mut canvas = PixelCanvas::new();
        draw::ground(&mut canvas, self.ground);
        style::draw(&mut canvas, self);
        canvas
    }
}

/// Returns a token's picture as PNG; `None` if the encoding fails.
pub(super) fn picture(folder: &str, token_id: &str) -> Option<Vec<u8>> {
    let look = TokenLook::of(folder, token_id);
    look.draw().png(&PALETTES.get(look.palette)?.colors)
}

/// Returns a token's metadata, with a small inline picture, as a `data:` URI under 2,000 bytes.
pub(super) fn inline(folder: &str, token_id: &str) -> String {
    let look = TokenLook::of(folder, token_id);
    let colors = PALETTES.get(look.palette).map_or([].as_slice(), |palette| palette.colors.as_slice());
    let png = look.draw().small_png(colors).unwrap_or_default();
    let image = format!("data:image/png;base64,{}", STANDARD.encode(png));
    let json = serde_json::to_string(&NftMetadata { image, ..metadata(folder, token_id) }).unwrap_or_default();
    format!("data:application/json;base64,{}", STANDARD.encode(json))
}

#[derive(Clone, Debug, Serialize)]
pub(super) struct NftMetadata {
    name: String,
    description: String,
    image: String,
    attributes: Vec<NftTrait>,
}

#[derive(Clone, Debug, Serialize)]
struct NftTrait {
    trait_type: &'static str,
    value: serde_json::Value,
}

/// Returns a token's metadata, with the URI of its picture.
pub(super) fn metadata(folder: &str, token_id: &str) -> NftMetadata {
    let look = TokenLook::of(folder, token_id);
    let word = |words: &[&'static str], place: usize| words.get(place).copied().unwrap_or_default();
    let text = |trait_type, value: &'static str| NftTrait { trait_type, value: value.into() };
    let (feature, values) = look.subject.feature;
    let mut attributes = vec![
        text("Palette", PALETTES.get(look.palette).map_or("", |palette| palette.name)),
        text("Ground", word(&draw::GROUNDS, look.ground)),
        text(feature, word(&values, look.feature)),
    ];
    if look.subject.has_eyes() {
        attributes.push(text("Eyes", word(&style::EYES, look.eyes)));
    }
    attributes.push(NftTrait { trait_type: "Luck", value: (1 + look.dice.roll(4, 100)).into() });
    let title = title(folder);
    NftMetadata {
        name: format!("{title} #{token_id}"),
        description: format!("{} of the collection {title}, drawn by rollscope for its demo.", look.subject.noun),
        image: format!("ipfs://{folder}/{token_id}.png"),
        attributes,
    }
}

pub(super) fn collection_metadata(folder: &str) -> NftMetadata {
    let title = title(folder);
    NftMetadata {
        description: format!("{title}: a collection of the demo, drawn by rollscope."),
        name: title,
        image: format!("ipfs://{folder}/collection.png"),
        attributes: Vec::new(),
    }
}

/// Converts a folder name to a title: `Lantern Keepers`.
fn title(folder: &str) -> String {
    let capital = |word: &str| {
        let mut characters = word.chars();
        let first: String = characters.next().into_iter().flat_map(char::to_uppercase).collect();
        first + characters.as_str()
    };
    folder.split('-').map(capital).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn names_and_folders_belong_together() {
        assert_eq!(folder_of("Lantern Keepers"), "lantern-keepers");
        assert_eq!(folder_of("  Foo/Bar #1 "), "foo-bar-1");
        assert_eq!(title("lantern-keepers"), "Lantern Keepers");
    }

    #[test]
    fn pictures_are_stable_symmetric_and_mostly_different() {
        let mut seen = BTreeSet::new();
        for folder in ["lantern-keepers", "tidal-glyphs", "moss-golems", "paper-foxes", "orbit-passes", "salt-charts"] {
            for id in 1..=40 {
                let png = picture(folder, &id.to_string()).unwrap();
                assert_eq!(Some(&png), picture(folder, &id.to_string()).as_ref());
                assert!(png.len() < 2_000, "{}", png.len());
                seen.insert(png);
            }
        }
        assert!(seen.len() >= 235, "{}", seen.len());
    }

    #[test]
    fn pictures_can_be_read_again() {
        let png = picture("paper-foxes", "7").unwrap();
        let mut reader = png::Decoder::new(std::io::Cursor::new(png)).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut pixels).unwrap();
        assert_eq!([info.width, info.height].map(usize::try_from), [Ok(draw::SIDE); 2]);
        let rows = pixels.chunks(draw::SIDE);
        assert!(rows.clone().any(|row| row.iter().collect::<BTreeSet<_>>().len() > 2), "something is drawn");
    }

    #[test]
    fn inline_metadata_is_small_and_holds_half_the_picture() {
        let decode = |uri: &str, start: &str| STANDARD.decode(uri.strip_prefix(start).unwrap()).unwrap();
        for folder in ["salt-charts", "glass-moths", "weather-glass"] {
            for id in 1..=40 {
                let uri = inline(folder, &id.to_string());
                assert!(uri.len() < 2_000, "{}", uri.len());
                assert_eq!(uri, inline(folder, &id.to_string()));
                let json = decode(&uri, "data:application/json;base64,");
                let inside: serde_json::Value = serde_json::from_slice(&json).unwrap();
                let beside = serde_json::to_value(metadata(folder, &id.to_string())).unwrap();
                assert_eq!((&inside["name"], &inside["attributes"]), (&beside["name"], &beside["attributes"]));
                let small = decode(inside["image"].as_str().unwrap(), "data:image/png;base64,");
                let large = colors_of(&picture(folder, &id.to_string()).unwrap());
                let halved = large.chunks(draw::SIDE).step_by(2).flat_map(|row| row.iter().step_by(2)).copied();
                assert_eq!(colors_of(&small), halved.collect::<Vec<_>>());
            }
        }
    }

    fn colors_of(png: &[u8]) -> Vec<[u8; 3]> {
        let mut decoder = png::Decoder::new(std::io::Cursor::new(png));
        decoder.set_transformations(png::Transformations::EXPAND);
        let mut reader = decoder.read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut pixels).unwrap();
        pixels[..info.buffer_size()].chunks(3).map(|color| color.try_into().unwrap()).collect()
    }

    #[test]
    fn metadata_has_three_to_six_traits() {
        for folder in ["clockwork-bees", "tidal-glyphs", "anything-else"] {
            let metadata = metadata(folder, "12");
            assert!((3..=6).contains(&metadata.attributes.len()));
            assert!(metadata.name.ends_with("#12") && metadata.image == format!("ipfs://{folder}/12.png"));
        }
    }
}
