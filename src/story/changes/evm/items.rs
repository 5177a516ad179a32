//! NFTs and items of the EVM.

use alloy_primitives::U256;

use super::{
    super::{NftChange, NftName, message_of, tally::Place},
    Short,
};
use crate::{
    domain::{Address, Amount},
    story::Decoded,
};

/// A movement of an NFT or of items of one kind.
pub(super) fn change(
    decoded: &Decoded,
    place: Place,
    contract: Short,
    [from, to]: [Option<Short>; 2],
    id: U256,
    amount: Option<Amount>,
) -> NftChange {
    let contract = Address::Short(contract).checksummed();
    NftChange {
        message: message_of(place.phase, decoded),
        what: NftName::Token { contract, token_id: id.to_string() },
        from: from.map(Address::Short),
        to: to.map(Address::Short),
        amount,
        events: vec![place.event],
    }
}

/// The ids and counts of a batch: two lists of the ABI. Nothing where they do not fit the data or each other.
pub(super) fn batch(data: &[U256]) -> Option<Vec<(U256, U256)>> {
    let (ids, counts) = (list(data, 0)?, list(data, 1)?);
    (ids.len() == counts.len()).then(|| ids.iter().copied().zip(counts.iter().copied()).collect())
}

/// A list whose place, in bytes, is in this word.
fn list(data: &[U256], word: usize) -> Option<&[U256]> {
    let bytes = usize::try_from(*data.get(word)?).ok()?;
    let place = bytes.is_multiple_of(32).then_some(bytes / 32)?;
    let length = usize::try_from(*data.get(place)?).ok()?;
    let start = place.checked_add(1)?;
    data.get(start..start.checked_add(length)?)
}
