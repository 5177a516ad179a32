//! Headers of the JSON-RPC. `MiniEVM` gives its EVM headers hashes of their own, so that only their times and their
//! order prove that they are of the RPC's blocks.

use std::collections::BTreeMap;

use crate::{
    domain::{BlockHash, Height},
    wire::node::{BlockMeta, EvmBlockHead},
};

/// Maximum kept headers.
const KEPT: usize = 1_000;

/// Hashes of a block and of its parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct HeadLink {
    own: BlockHash,
    parent: Option<BlockHash>,
}

/// Headers with hashes of their own that were beside receipts.
#[derive(Debug, Default)]
pub(super) struct EvmHeads(BTreeMap<Height, (HeadLink, HeadLink)>);

impl EvmHeads {
    /// Whether this is the header of the RPC's block: it has its hash, or its time and no other parent or child than
    /// the known neighbours of that block.
    pub(super) fn is_of(&self, head: &EvmBlockHead, meta: &BlockMeta) -> bool {
        let Some((evm, rpc)) = links(head, meta) else { return false };
        if evm.own == rpc.own {
            return true;
        }
        let at = |height: Option<Height>| self.0.get(&height?);
        let below = at(meta.header.height.previous()).filter(|(_, below)| rpc.parent == Some(below.own));
        let above = at(Some(meta.header.height.next())).filter(|(_, above)| above.parent == Some(rpc.own));
        let is_child = below.is_none_or(|(below, _)| evm.parent.is_none_or(|parent| parent == below.own));
        let is_parent = above.is_none_or(|(above, _)| above.parent.is_none_or(|parent| parent == evm.own));
        head.is_of_time(&meta.header) && is_child && is_parent
    }

    /// Keeps a header that is of the RPC's block.
    pub(super) fn keep(&mut self, head: &EvmBlockHead, meta: &BlockMeta) {
        let Some(found) = links(head, meta).filter(|(evm, rpc)| evm.own != rpc.own) else { return };
        let height = meta.header.height;
        self.0.insert(height, found);
        // The next headers are near this one.
        while self.0.len() > KEPT {
            let ends = self.0.first_key_value().zip(self.0.last_key_value());
            match ends.map(|((first, _), (last, _))| (height.get() - first.get(), last.get() - height.get())) {
                Some((below, above)) if below >= above => drop(self.0.pop_first()),
                _ => drop(self.0.pop_last()),
            }
        }
    }
}

fn links(head: &EvmBlockHead, meta: &BlockMeta) -> Option<(HeadLink, HeadLink)> {
    let evm = HeadLink { own: head.block_hash()?, parent: head.parent() };
    Some((evm, HeadLink { own: meta.block_id.block_hash()?, parent: meta.header.last_block_id.block_hash() }))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn hash(byte: u64) -> String {
        format!("{byte:064x}")
    }

    fn meta(height: u64, own: u64, parent: u64) -> BlockMeta {
        let header = json!({"chain_id": "c", "height": height.to_string(), "time": "2026-01-01T00:00:09.5Z",
            "last_block_id": {"hash": hash(parent)}});
        serde_json::from_value(json!({"block_id": {"hash": hash(own)}, "header": header})).unwrap()
    }

    fn head(own: u64, parent: u64, second: u64) -> EvmBlockHead {
        let (own, parent) = (format!("0x{}", hash(own)), format!("0x{}", hash(parent)));
        let time = format!("{:#x}", 1_767_225_600 + second);
        serde_json::from_value(json!({"hash": own, "parentHash": parent, "number": "0x1", "timestamp": time})).unwrap()
    }

    #[test]
    fn a_header_is_of_a_block_by_its_hash_or_by_its_time_and_neighbours() {
        let mut heads = EvmHeads::default();
        let block = meta(50, 5, 4);
        for (found, is_of, why) in [
            (head(5, 99, 0), true, "the hash is the proof"),
            (head(105, 104, 9), true, "time, and neighbours that nobody knows"),
            (head(105, 104, 8), false, "another time"),
        ] {
            assert_eq!(heads.is_of(&found, &block), is_of, "{why}");
        }
        heads.keep(&head(104, 103, 9), &meta(49, 4, 3));
        heads.keep(&head(106, 105, 9), &meta(51, 6, 5));
        for (found, is_of, why) in [
            (head(105, 104, 9), true, "parent and child"),
            (head(105, 77, 9), false, "another parent"),
            (head(78, 104, 9), false, "the next header has another parent"),
        ] {
            assert_eq!(heads.is_of(&found, &block), is_of, "{why}");
        }
        assert!(heads.is_of(&head(78, 77, 9), &meta(50, 15, 14)), "the neighbours are of a reverted chain");
    }
}
