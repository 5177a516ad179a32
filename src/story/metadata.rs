//! The metadata objects that stand for denoms on Move chains (`docs/apis/story.md` §6).

use std::collections::HashSet;

use alloy_primitives::hex;

use super::{
    Word,
    context::TxContext,
    nft_moves::{derived, padded},
};
use crate::domain::{Denom, parse_coins};

/// What follows the owner and the name of an object that is made from a name.
const NAMED_OBJECT: u8 = 0xfe;
/// Denoms of one record that are compared at the most.
const MOST_DENOMS: usize = 64;

/// The metadata object of a denom: that of `move/<hex>` is in its name, any other is a coin of `0x1`.
pub(super) fn metadata_of(denom: &Denom) -> [u8; 32] {
    if let Some(object) = denom.as_str().strip_prefix("move/").and_then(|digits| padded(&format!("0x{digits}"))) {
        return object;
    }
    let mut standard = [0; 32];
    standard[31] = 1;
    derived(&standard, denom.as_str().as_bytes(), NAMED_OBJECT)
}

/// The denom of an object that is not made from a denom, or from one that nobody names here.
pub(super) fn unnamed(metadata: &[u8; 32]) -> Denom {
    Denom::new(format!("move/{}", hex::encode(metadata)))
}

impl TxContext<'_> {
    /// The denom that a metadata object stands for: by the known tokens, by the matrix, or by a denom that the record
    /// itself names. What nobody names is `move/<hex>`, as the chain calls what has no name of its own.
    pub(super) fn denom_of(&self, metadata: &[u8; 32]) -> Denom {
        if let Some(denom) = self.glossary.denom_of_metadata(metadata) {
            return denom.clone();
        }
        let of_matrix = self.changes.metadata.iter().find(|(_, object)| padded(object).as_ref() == Some(metadata));
        if let Some((denom, _)) = of_matrix {
            return denom.clone();
        }
        self.denom_of_record(metadata).unwrap_or_else(|| unnamed(metadata))
    }

    /// A token by its metadata object.
    pub(super) fn token_word(&self, metadata: &[u8; 32]) -> Word {
        let denom = self.denom_of(metadata);
        let token = self.token(&denom);
        Word::Token { denom, token }
    }

    /// A denom that bank events or the fee name, if its metadata is this.
    fn denom_of_record(&self, metadata: &[u8; 32]) -> Option<Denom> {
        let mut seen = HashSet::new();
        let mut is_it =
            |denom: &Denom| seen.len() < MOST_DENOMS && seen.insert(denom.clone()) && metadata_of(denom) == *metadata;
        if let Some(coin) = self.decoded.fee.iter().find(|coin| is_it(&coin.denom)) {
            return Some(coin.denom.clone());
        }
        let is_bank = |kind: &str| matches!(kind, "coin_spent" | "coin_received" | "coinbase" | "burn");
        let events = self.decoded.events.iter().filter(|event| is_bank(&event.kind));
        let coins = events
            .take_while(|_| self.work.takes_event())
            .filter_map(|event| parse_coins(event.value("amount")?).ok())
            .flatten();
        coins.map(|coin| coin.denom).find(|denom| is_it(denom))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_metadata_of_the_native_token_is_known() {
        let expected = "0x8e4733bdabcf7d4afc3d14f0dd46c9bf52fb0fce9e4b996c939e195b8bc891d9";
        assert_eq!(hex::encode_prefixed(metadata_of(&Denom::new("uinit"))), expected);
        let own = Denom::new("move/5ac318c3479d518f7b9baf80a9c9533475434b645316d266a12e66a349a9f2ae");
        assert_eq!(format!("move/{}", hex::encode(metadata_of(&own))), own.as_str());
    }
}
