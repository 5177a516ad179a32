//! NFTs and multi-tokens of the EVM.

use alloy_primitives::U256;

use crate::{
    domain::{Address, Amount},
    story::{
        changes::{
            ledger::{EventPlace, message_of},
            parts::{NftChange, NftName},
        },
        decode::Decoded,
    },
};

/// Logged movement of an NFT, or of a number of copies.
pub(super) struct NftLog {
    pub(super) contract: Address,
    /// `None` for a mint.
    pub(super) from: Option<Address>,
    /// `None` for a burn.
    pub(super) to: Option<Address>,
    pub(super) id: U256,
    /// Number of copies, for ERC-1155.
    pub(super) amount: Option<Amount>,
}

impl NftLog {
    pub(super) fn change(self, decoded: &Decoded, place: EventPlace) -> NftChange {
        NftChange {
            message: message_of(place.phase, decoded),
            what: NftName::Token { contract: self.contract.checksummed(), token_id: self.id.to_string() },
            from: self.from,
            is_inferred: false,
            to: self.to,
            amount: self.amount,
            origin_id: None,
            events: vec![place.event],
        }
    }
}

/// Decodes ids and counts of a batch: two ABI lists. `None` if they do not fit the data or each other.
pub(super) fn batch(data: &[U256]) -> Option<Vec<(U256, U256)>> {
    let (ids, counts) = (list(data, 0)?, list(data, 1)?);
    (ids.len() == counts.len()).then(|| ids.iter().copied().zip(counts.iter().copied()).collect())
}

/// Returns the list whose byte offset is in this word.
fn list(data: &[U256], word: usize) -> Option<&[U256]> {
    let bytes = usize::try_from(*data.get(word)?).ok()?;
    let place = bytes.is_multiple_of(32).then_some(bytes / 32)?;
    let length = usize::try_from(*data.get(place)?).ok()?;
    let start = place.checked_add(1)?;
    data.get(start..start.checked_add(length)?)
}
