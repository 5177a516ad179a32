//! Movements of NFTs in words, with accounts written as sentences write them.

use std::collections::HashMap;

use super::{Changes, NftChange, NftName};
use crate::{
    domain::Address,
    story::{Glossary, Phrase, Word},
};

impl Changes {
    /// The movements of NFTs as people count them, each with its place in [`Changes::nfts`]: one that was minted and
    /// handed on in one transaction was minted for who has it in the end, and is told once.
    pub fn nft_outcomes(&self) -> Vec<(usize, NftChange)> {
        let mut outcomes: Vec<(usize, NftChange)> = Vec::with_capacity(self.nfts.len());
        let mut minted: HashMap<&str, usize> = HashMap::new();
        for (place, change) in self.nfts.iter().enumerate() {
            if let NftName::Object { object } = &change.what
                && let Some((_, mint)) = minted.get(object.as_str()).and_then(|of| outcomes.get_mut(*of))
                && mint.to == change.from
            {
                mint.to = change.to;
                mint.events.extend(&change.events);
                continue;
            }
            if let (NftName::Nft { nft, .. }, None) = (&change.what, change.from) {
                minted.insert(nft.as_str(), outcomes.len());
            }
            outcomes.push((place, change.clone()));
        }
        outcomes
    }
}

/// What one movement says: "4 of K (“Moths”): A → B".
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
            words.text(": burned, as ");
            words.account(from);
            words.text(" asked; whose it was the events do not say");
        }
        (Some(from), None) => {
            words.text(": burned by ");
            words.account(from);
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
        self.push(Word::Account { address, label: self.glossary.label(address).cloned(), is_contract });
    }

    /// An NFT of its collection, which stands as sentences write it: a contract of the EVM in hex, else as an account.
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
    use crate::story::{Style, text_of};

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
        assert!(told.ends_with(&format!(": burned, as {who} asked; whose it was the events do not say")), "{told}");
        glossary.add_own_name(account(0xab), "Moths");
        let told = text_of(&nft_words(&burn, &glossary), Style::Exact);
        assert!(told.contains(&format!("of {collection} (“Moths”)")), "{told}");
    }
}
