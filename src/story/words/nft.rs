//! Movements of NFTs in words.

use super::phrase::{AccountPlace, Phrase, Word};
use crate::{
    domain::Address,
    story::{
        changes::{NftChange, NftName},
        names::glossary::Glossary,
    },
};

/// Describes a movement: "4 of K (“Moths”): A → B".
pub fn nft_words(change: &NftChange, glossary: &Glossary) -> Vec<Phrase> {
    let mut words = NftWords { glossary, change, phrases: Vec::new() };
    if let Some(amount) = change.amount {
        words.text(format!("{} × ", crate::domain::text::group_digits(&amount.to_string())));
    }
    match &change.what {
        NftName::Token { contract, token_id } => words.token(token_id, contract),
        NftName::Nft { collection, token_id, .. } => words.token(token_id, collection),
        NftName::Object { object } => {
            words.text("the object ");
            words.push(Word::code(object.as_str()));
        }
    }
    match (change.from, change.to) {
        (None, Some(to)) => {
            words.text(": minted for ");
            words.account(to);
        }
        (Some(from), None) if change.is_inferred => {
            words.text(": burned at the request of ");
            words.account(from);
            words.text("; the events do not name its owner");
        }
        (Some(from), None) => {
            words.text(": burned by ");
            words.account(from);
        }
        (Some(from), Some(to)) if change.is_inferred => {
            words.text(": moved to ");
            words.account(to);
            words.text(" at the request of ");
            words.account(from);
            words.text("; the events do not name its owner");
        }
        (Some(from), Some(to)) => {
            words.text(": ");
            words.account(from);
            words.text(" → ");
            words.account(to);
        }
        (None, None) => words.text(": minted or burned"),
    }
    words.phrases
}

struct NftWords<'a> {
    glossary: &'a Glossary,
    change: &'a NftChange,
    phrases: Vec<Phrase>,
}

impl NftWords<'_> {
    fn push(&mut self, word: Word) {
        self.phrases.push(Phrase { word, events: self.change.events.clone() });
    }

    fn text(&mut self, text: impl Into<std::borrow::Cow<'static, str>>) {
        self.push(Word::Text(text.into()));
    }

    fn account(&mut self, address: Address) {
        self.party(address, false);
    }

    fn party(&mut self, address: Address, is_contract: bool) {
        let place = if is_contract { AccountPlace::Contract } else { AccountPlace::Here };
        self.push(Word::Account { address, label: self.glossary.label(address).cloned(), place });
    }

    /// Adds an NFT and its collection: an EVM contract in hex, any other as an account.
    fn token(&mut self, token_id: &str, collection: &str) {
        match &self.change.origin_id {
            Some(origin) => {
                self.push(Word::code(origin.as_str()));
                self.text(" (here ");
                self.push(Word::code(token_id));
                self.text(")");
            }
            None => self.push(Word::code(token_id)),
        }
        self.text(" of ");
        let is_object = matches!(self.change.what, NftName::Nft { .. });
        let address = self.change.what.collection();
        match address {
            Some(address) => self.party(address, !is_object && collection.starts_with("0x")),
            None => self.push(Word::foreign(collection)),
        }
        if let Some(name) = address.and_then(|address| self.glossary.own_name(address)) {
            self.text(" (");
            self.push(Word::Quoted(name.to_string()));
            self.text(")");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::story::{
        changes::Changes,
        words::phrase::{Style, text_of},
    };

    fn account(last: u8) -> Address {
        let mut bytes = [0; 20];
        bytes[19] = last;
        Address::Short(bytes)
    }

    fn change(what: NftName, from: Option<u8>, to: Option<u8>) -> NftChange {
        let (from, to) = (from.map(account), to.map(account));
        NftChange { message: 0, what, from, is_inferred: false, to, amount: None, origin_id: None, events: vec![3] }
    }

    fn nft() -> NftName {
        NftName::Nft { collection: "0xab".to_owned(), token_id: "4”. A".to_owned(), nft: "0xcd".to_owned() }
    }

    fn object(object: &str) -> NftName {
        NftName::Object { object: object.to_owned() }
    }

    #[test]
    fn what_is_minted_and_handed_on_is_told_once() {
        let nfts = vec![
            change(nft(), None, Some(1)),
            change(object("0xcd"), Some(1), Some(2)),
            change(object("0xef"), Some(1), Some(2)),
            change(object("0xcd"), Some(7), Some(8)),
        ];
        let changes = Changes { nfts, ..Changes::default() };
        let told = changes.nft_outcomes();
        let sides: Vec<_> = told.iter().map(|(place, change)| (*place, change.from, change.to)).collect();
        assert_eq!(
            sides,
            [
                (0, None, Some(account(2))),
                (2, Some(account(1)), Some(account(2))),
                (3, Some(account(7)), Some(account(8)))
            ],
            "only what the new owner gives on is the mint's"
        );
    }

    #[test]
    fn an_owner_whom_no_event_names_is_not_stated() {
        let mut glossary = Glossary::default();
        let mut burn = change(nft(), Some(5), None);
        let text = |change: &NftChange| text_of(&nft_words(change, &Glossary::default()), Style::Exact);
        let who = account(5).bech32();
        let collection = account(0xab).bech32();
        assert_eq!(text(&burn), format!("“4\". A” of {collection}: burned by {who}"));
        burn.is_inferred = true;
        let told = text(&burn);
        assert!(
            told.ends_with(&format!(": burned at the request of {who}; the events do not name its owner")),
            "{told}"
        );
        glossary.add_own_name(account(0xab), "Moths");
        let told = text_of(&nft_words(&burn, &glossary), Style::Exact);
        assert!(told.contains(&format!("of {collection} (“Moths”)")), "{told}");
    }
}
