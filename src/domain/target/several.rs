//! Parser for several items in one paste.

use super::{Reading, Target, TargetKind, bare, strictly, url, words};
use crate::domain::text;

/// Maximum items per paste.
const MOST: usize = 100;
/// Minimum length of an unknown word with a digit that counts as a mistyped item instead of prose.
const MISTYPED: usize = 16;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PastedItem {
    /// Pasted text without control characters.
    pub text: String,
    /// Possible targets; empty if the item is unknown.
    pub targets: Vec<Target>,
    /// Chain that the line or URL names.
    pub chain: Option<String>,
}

/// Distinct items of a paste, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Several {
    /// The first hundred items of the paste.
    pub pieces: Vec<PastedItem>,
    pub left_out: usize,
}

/// Splits a paste into lines, or into words between spaces, commas or semicolons. `None` for fewer than two items, such
/// as a sentence with one hash, or a hash that a line break splits.
pub fn several(pasted: &str) -> Option<Several> {
    if pasted.len() > super::LONGEST {
        return None;
    }
    let whole = text::clean(pasted);
    let is_one = strictly(whole.trim()).is_some() && !pasted.trim().contains('\n');
    if is_one && !pasted.contains(';') {
        return None;
    }
    let pieces: Vec<PastedItem> = pasted.split(['\n', '\r', ';']).flat_map(line).collect();
    let things: Vec<&PastedItem> = pieces.iter().filter(|piece| is_thing(piece)).collect();
    let strong = things.iter().filter(|piece| is_strong(piece)).count();
    // A token id may contain a semicolon.
    if things.len() < 2 || strong < 2 && (is_one || things.len() < pieces.len()) {
        return None;
    }
    let mut several = Several::default();
    for piece in pieces.into_iter().filter(|piece| is_thing(piece) || is_mistyped(&piece.text)) {
        if several.pieces.contains(&piece) {
            continue;
        }
        if several.pieces.len() < MOST {
            several.pieces.push(piece);
        } else {
            several.left_out += 1;
        }
    }
    (several.pieces.len() > 1).then_some(several)
}

/// Returns the only unambiguous item of a text: a hash, address, token or URL.
pub(super) fn only_strong(clean: &str) -> Option<Reading> {
    let mut found: Option<Reading> = None;
    for word in words_of(clean).filter(|word| word.len() >= MISTYPED) {
        let Some(reading) = url::read(word).or_else(|| Reading::new(bare(word))) else { continue };
        let is_strong = reading.targets.iter().all(|target| !is_weak(target));
        match &found {
            Some(before) if is_strong && *before != reading => return None,
            None if is_strong => found = Some(reading),
            _ => {}
        }
    }
    found
}

/// Parses one line, as one item or as its words.
fn line(line: &str) -> Vec<PastedItem> {
    let clean = text::clean(line);
    let clean = words::strip(&clean);
    if clean.is_empty() {
        return Vec::new();
    }
    if let Some(Reading { targets, chain }) = strictly(clean) {
        return vec![PastedItem { text: clean.to_owned(), targets, chain }];
    }
    let mut pieces: Vec<PastedItem> = words_of(clean).map(piece).collect();
    let named = pieces.iter().flat_map(|piece| &piece.targets).find_map(|target| match target {
        Target::Chain(name) => Some(name.clone()),
        _ => None,
    });
    for piece in pieces.iter_mut().filter(|piece| piece.chain.is_none()) {
        piece.chain.clone_from(&named);
    }
    pieces
}

fn words_of(clean: &str) -> impl Iterator<Item = &str> {
    let is_between = |c: char| c.is_whitespace() || matches!(c, ',' | ';' | '|' | '"' | '\'' | '(' | ')' | '<' | '>');
    clean.split(is_between).map(words::strip).filter(|word| !word.is_empty())
}

fn piece(word: &str) -> PastedItem {
    let (targets, chain) = url::read(word).map_or_else(|| (bare(word), None), |read| (read.targets, read.chain));
    PastedItem { text: word.to_owned(), targets, chain }
}

/// Whether the piece is an item; words of prose may look like denoms or chains.
fn is_thing(piece: &PastedItem) -> bool {
    piece.targets.iter().any(|target| !matches!(target.kind(), TargetKind::Denom | TargetKind::Chain))
}

fn is_strong(piece: &PastedItem) -> bool {
    is_thing(piece) && !piece.targets.iter().any(is_weak)
}

/// Whether the target may also be a plain number or word of a sentence.
fn is_weak(target: &Target) -> bool {
    matches!(target.kind(), TargetKind::Block | TargetKind::Denom | TargetKind::Chain)
}

fn is_mistyped(word: &str) -> bool {
    word.len() >= MISTYPED && word.contains(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(pasted: &str) -> Vec<String> {
        several(pasted).map(|several| several.pieces.into_iter().map(|piece| piece.text).collect()).unwrap_or_default()
    }

    #[test]
    fn lists_are_taken_apart_and_single_things_are_not() {
        assert_eq!(texts("5,000\n6,000"), ["5,000", "6,000"]);
        assert_eq!(texts("5000 6000, 7000"), ["5000", "6000", "7000"]);
        assert_eq!(texts("block 5; block 6; block 5"), ["block 5", "block 6"]);
        let hash = "8E1CFF04".repeat(8);
        let address = "0x408b33ca7c2a50077999d978dd790095a80aed4e";
        assert_eq!(texts(&format!("see {hash} and\n{address}.")), [hash.as_str(), address]);
        assert_eq!(texts(&format!("{hash}, {address}, 12345")), [hash.as_str(), address, "12345"]);
        let mistyped = hash.get(..60).unwrap();
        assert_eq!(texts(&format!("{hash}\n{address}\n{mistyped}")), [hash.as_str(), address, mistyped]);
        for single in ["", "5,000", "5 000 000", "in 3 days or 4", "under unit evm-1", &hash, "failed at 5 of 7 in all"]
        {
            assert_eq!(texts(single), [""; 0], "{single}");
        }
        let (start, end) = hash.split_at(40);
        assert_eq!(texts(&format!("{start}\n{end}")), [""; 0], "a hash cut by a line break is one thing");
    }

    #[test]
    fn a_thing_keeps_the_chain_that_its_line_names() {
        let [a, b, c] = ["AB", "CD", "EF"].map(|digits| digits.repeat(32));
        let list = format!("interwoven-1 {a}\nhttps://scan.initia.xyz/noble-1/txs/{b}\n{c}");
        let chains: Vec<_> = several(&list).unwrap().pieces.into_iter().map(|piece| piece.chain).collect();
        assert_eq!(chains, [Some("interwoven-1".to_owned()), Some("noble-1".to_owned()), None]);
    }

    #[test]
    fn no_more_than_a_hundred_are_taken() {
        let many: Vec<String> = (1..=130).map(|height| height.to_string()).collect();
        let several = several(&many.join("\n")).unwrap();
        assert_eq!((several.pieces.len(), several.left_out), (100, 30));
    }
}
