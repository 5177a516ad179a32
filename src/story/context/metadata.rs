use std::collections::HashSet;

use super::TxContext;
use crate::{
    domain::Denom,
    events::bank::BankEvent,
    story::names::{
        metadata::{metadata_of, unnamed},
        move_address::padded,
    },
};

/// Maximum denoms of a record compared.
const MOST_DENOMS: usize = 64;

impl TxContext<'_> {
    /// Returns the denom of a metadata object: from known tokens, from the changes, or among denoms in the record; else
    /// `move/<hex>`, the chain's default.
    pub(crate) fn denom_of(&self, metadata: &[u8; 32]) -> Denom {
        if let Some(denom) = self.glossary.denom_of_metadata(metadata) {
            return denom.clone();
        }
        let of_matrix = self.changes.metadata.iter().find(|(_, object)| padded(object).as_ref() == Some(metadata));
        if let Some((denom, _)) = of_matrix {
            return denom.clone();
        }
        self.denom_of_record(metadata).unwrap_or_else(|| unnamed(metadata))
    }

    /// Returns the denom in bank events or the fee whose metadata is this.
    fn denom_of_record(&self, metadata: &[u8; 32]) -> Option<Denom> {
        let mut seen = HashSet::new();
        let mut is_it =
            |denom: &Denom| seen.len() < MOST_DENOMS && seen.insert(denom.clone()) && metadata_of(denom) == *metadata;
        if let Some(coin) = self.decoded.fee.iter().find(|coin| is_it(&coin.denom)) {
            return Some(coin.denom.clone());
        }
        let events = self.decoded.events.iter().filter_map(BankEvent::of);
        let coins = events.take_while(|_| self.work.takes_event()).flat_map(|event| event.coins());
        coins.map(|coin| coin.denom).find(|denom| is_it(denom))
    }
}
