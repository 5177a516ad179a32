//! Lines for the node that the index follows, for reorganisations, and for the backfill's progress.

use std::time::Duration;

use super::{
    draw::label,
    index::{LABEL, fitting},
};
use crate::{
    config::Meaning,
    domain::text,
    widgets::canvas::Part,
    wire::{NodeStatus, Status},
};

/// Maximum rows of a sentence.
const ROWS: usize = 2;

/// Returns how many older blocks the backfill still needs, its speed and its expected end; `None` after the backfill.
pub(super) fn missing(status: &Status, width: u16) -> Option<Vec<Part>> {
    let node = status.node.as_ref().filter(|node| node.missing_blocks > 0)?;
    let missing = format!("{} older missing", text::group(node.missing_blocks));
    let oldest = status.oldest_height.map(|oldest| format!("from {}, ", text::group(oldest))).unwrap_or_default();
    let mut texts = Vec::new();
    if let Some(rate) = node.blocks_per_minute.filter(|rate| *rate > 0) {
        let pace = format!("{}/min", text::group(rate));
        let left = text::age(Duration::from_secs((node.missing_blocks.saturating_mul(60)).div_ceil(rate)));
        texts.push(format!("{oldest}{missing}, {pace}, ≈ {left}"));
        texts.push(format!("{missing}, {pace}, ≈ {left}"));
        texts.push(format!("{missing}, {pace}"));
    }
    texts.extend([format!("{oldest}{missing}"), missing]);
    Some(vec![label("holds"), (Meaning::Warning, fitting(width, &texts))])
}

/// Returns lines for the node's state and the latest reorganisation of stored blocks.
pub(super) fn lines(node: &NodeStatus, width: u16) -> Vec<Vec<Part>> {
    let mut lines = Vec::new();
    if let Some(trouble) = &node.trouble {
        lines.extend(sentence("node", Meaning::Bad, trouble.as_received(), width, ROWS));
    } else {
        let height = node.height.map(|height| format!("at {}", text::group(height)));
        let height = height.unwrap_or_else(|| "not read yet".to_owned());
        let url = node.url.as_ref().map(|url| format!("{height}, read from {}", text::clean(url)));
        lines.push(if node.is_catching_up {
            let texts = [format!("{height}, behind its chain: catching up"), format!("{height}, catching up")];
            vec![label("node"), (Meaning::Warning, fitting(width, &texts))]
        } else {
            vec![label("node"), (Meaning::Text, fitting(width, &url.into_iter().chain([height]).collect::<Vec<_>>()))]
        });
    }
    if let Some(newest) = node.undecoded_parts.first() {
        let parts = text::count(usize::try_from(node.undecoded).unwrap_or(usize::MAX), "part");
        let height = text::group(newest.height.get());
        let texts = [
            format!("{parts} of blocks, newest in {height}: {}", newest.cause.clipped(160)),
            format!("{parts} of blocks, newest in {height}"),
            parts,
        ];
        lines.push(vec![label("undecoded"), (Meaning::Warning, fitting(width, &texts))]);
    }
    if let Some(note) = node.notes.last() {
        lines.extend(sentence("noted", Meaning::Warning, note.as_received(), width, ROWS));
    }
    lines
}

/// Returns one line for a small screen: the problem if there is one, else the missing blocks.
pub(super) fn short(status: &Status, width: u16) -> Option<Vec<Part>> {
    let trouble = status.node.as_ref().and_then(|node| node.trouble.as_ref());
    let trouble = trouble.and_then(|trouble| sentence("node", Meaning::Bad, trouble.as_received(), width, 1).pop());
    trouble.or_else(|| missing(status, width))
}

/// Wraps a sentence beside its label over several rows.
fn sentence(name: &str, meaning: Meaning, words: &str, width: u16, rows: usize) -> Vec<Vec<Part>> {
    let room = usize::from(width.saturating_sub(LABEL)).max(1);
    let rows = text::wrap(words, room, rows).into_iter().enumerate();
    rows.map(|(place, row)| vec![if place == 0 { label(name) } else { label("") }, (meaning, row)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        domain::Height,
        wire::{BlockPart, LackReason, UndecodedPart},
    };

    fn words(lines: &[Vec<Part>]) -> Vec<String> {
        lines.iter().map(|line| line.iter().map(|(_, text)| text.as_str()).collect()).collect()
    }

    fn status(node: NodeStatus) -> Status {
        let status = format!(r#"{{"chain_id":"a-1","height":9000,"oldest_height":{}}}"#, 8000);
        let status: Status = serde_json::from_str(&status).unwrap();
        assert_eq!(Some(status.height), Height::new(9000));
        Status { node: Some(node), ..status }
    }

    #[test]
    fn what_is_missing_is_told_in_as_many_words_as_have_room() {
        let node = NodeStatus { missing_blocks: 7999, blocks_per_minute: Some(6000), ..NodeStatus::default() };
        let said =
            |node: &NodeStatus, width| words(&missing(&status(node.clone()), width).into_iter().collect::<Vec<_>>());
        assert_eq!(said(&node, 80), [" holds      from 8,000, 7,999 older missing, 6,000/min, ≈ 1 min"]);
        assert_eq!(said(&node, 50), [" holds      7,999 older missing, 6,000/min"]);
        let unmeasured = NodeStatus { blocks_per_minute: None, ..node.clone() };
        assert_eq!(said(&unmeasured, 80), [" holds      from 8,000, 7,999 older missing"]);
        let standing = NodeStatus { blocks_per_minute: Some(0), ..node.clone() };
        assert_eq!(said(&standing, 30), [" holds      7,999 older missing"], "no time of arrival");
        assert!(said(&NodeStatus { missing_blocks: 0, ..node }, 80).is_empty());
    }

    #[test]
    fn trouble_comes_before_everything_else_and_notes_stay() {
        let node = NodeStatus { height: Some(9001), ..NodeStatus::default() };
        assert_eq!(words(&lines(&node, 60)), [" node       at 9,001"]);
        let behind = NodeStatus { is_catching_up: true, ..node.clone() };
        assert_eq!(words(&lines(&behind, 60)), [" node       at 9,001, behind its chain: catching up"]);
        let cause = "the bytes are not a transaction".to_owned();
        let part = UndecodedPart {
            height: Height::FIRST,
            part: BlockPart::Tx,
            index: Some(0),
            cause: cause.into(),
            reason: LackReason::Undecoded,
        };
        let odd = NodeStatus { undecoded: 2, undecoded_parts: vec![part], ..node.clone() };
        let said = "2 parts of blocks, newest in 1: the bytes are not a transaction";
        assert_eq!(words(&lines(&odd, 80))[1], format!(" undecoded  {said}"));
        assert_eq!(words(&lines(&odd, 30))[1], " undecoded  2 parts");
        let away = NodeStatus {
            trouble: Some("the node is away\u{1b}[31m".into()),
            notes: vec!["one".into(), "the chain went on otherwise after block 7".into()],
            ..node
        };
        let said = words(&lines(&away, 36));
        assert_eq!(said[0], " node       the node is away");
        assert_eq!(said[1..], [" noted      the chain went on", "            otherwise after block 7"]);
        assert_eq!(words(&short(&status(away), 60).into_iter().collect::<Vec<_>>()), [" node       the node is away"]);
    }
}
