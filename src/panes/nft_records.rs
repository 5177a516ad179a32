//! What can be taken along from the NFT screens: texts to copy, records to write, commands to repeat.

use serde::Serialize;

use super::{NftsView, TokenPage};
use crate::{
    app::{App, modal::CopyChoice, view::View},
    domain::Address,
    msg::{CollectionScope, PageRequest, Request},
    widgets::{layout::Pane, list::PAGE},
    wire,
};

impl App {
    /// What of the NFTs on screen can be copied; nothing where the cursor is on something else.
    pub(in crate::app) fn nft_choices(&self) -> Vec<CopyChoice> {
        match self.navigation.current() {
            View::Nfts(view) => {
                let mut choices = view.shown().selected().map_or_else(Vec::new, |row| self.collection_choices(&row.0));
                choices.extend(self.curl_choice('u', "curl command of this screen", &list_request(view)));
                choices
            }
            View::Collection(page) => {
                let mut choices = page.tokens.selected().map_or_else(Vec::new, |row| token_choices(&row.0));
                choices.push(hex_choice(page.address, 'h', "collection, 0x…"));
                choices.push(address_choice(page.address, 'i', "collection, init1…"));
                choices.extend(self.curl_choice(
                    'c',
                    "curl command of the collection",
                    &Request::Collection(page.address),
                ));
                choices
            }
            View::Token(page) if page.focus == Pane::First => self.token_page_choices(page),
            _ => Vec::new(),
        }
    }

    fn collection_choices(&self, collection: &wire::Collection) -> Vec<CopyChoice> {
        let mut choices = Vec::new();
        if let Some(address) = collection.address() {
            choices.push(hex_choice(address, 'v', "collection, 0x…"));
            choices.push(address_choice(address, 'i', "collection, init1…"));
        }
        choices.push(choice('w', "creator", collection.collection.creator.clone()));
        choices.push(choice('j', "record as JSON", pretty(collection)));
        if let Some(address) = collection.address() {
            choices.extend(self.curl_choice('c', "curl command of the record", &Request::Collection(address)));
        }
        choices
    }

    fn token_page_choices(&self, page: &TokenPage) -> Vec<CopyChoice> {
        let mut choices = page.token.value().map_or_else(Vec::new, |token| token_choices(token));
        choices.push(hex_choice(page.name.collection, 'h', "collection, 0x…"));
        if let Some(object) = page.token.value().and_then(|token| token.object()) {
            choices.push(hex_choice(object, 'b', "object address"));
        }
        if let Some(metadata) = page.art.metadata.value() {
            choices.push(choice('m', "metadata as JSON", metadata.raw.get().to_owned()));
        }
        choices.extend(self.curl_choice('c', "curl command of the record", &page.request()));
        choices
    }

    fn curl_choice(&self, key: char, label: &'static str, request: &Request) -> Option<CopyChoice> {
        Some(self.curl(request)).filter(|text| !text.is_empty()).map(|text| choice(key, label, text))
    }

    /// What is loaded of the NFTs on screen, as a file.
    pub(in crate::app) fn nft_export(&self) -> Option<(String, String)> {
        match self.navigation.current() {
            View::Nfts(view) => {
                Some(("collections.jsonl".to_owned(), lines(view.shown().rows().iter().map(|row| &*row.0))))
            }
            View::Collection(page) => {
                Some(("tokens.jsonl".to_owned(), lines(page.tokens.rows().iter().map(|row| &*row.0))))
            }
            View::Token(page) => {
                let token = page.token.value()?;
                let metadata = page.art.metadata.value().map(|metadata| &metadata.raw);
                Some(("token.json".to_owned(), pretty(&TokenRecord { token, metadata })))
            }
            _ => None,
        }
    }

    /// The account whose page of the web explorer fits what is on screen: the collection's.
    pub(in crate::app) fn nft_account(&self) -> Option<Address> {
        match self.navigation.current() {
            View::Nfts(view) => view.shown().selected().and_then(|row| row.0.address()),
            View::Collection(page) => Some(page.address),
            View::Token(page) if page.focus == Pane::First => Some(page.name.collection),
            _ => None,
        }
    }
}

/// A token with its metadata as received.
#[derive(Serialize)]
struct TokenRecord<'a> {
    token: &'a wire::Token,
    #[serde(skip_serializing_if = "Option::is_none")]
    metadata: Option<&'a wire::RawJson>,
}

fn token_choices(token: &wire::Token) -> Vec<CopyChoice> {
    let mut choices = vec![
        choice('v', "token id", token.nft.token_id.clone()),
        choice('w', "owner", token.owner.clone()),
        choice('j', "record as JSON", pretty(token)),
    ];
    if !token.nft.uri.is_empty() {
        choices.push(choice('u', "URI", token.nft.uri.clone()));
    }
    choices
}

fn list_request(view: &NftsView) -> Request {
    let scope = match (view.owner(), view.searched()) {
        (Some(owner), _) => CollectionScope::Owner(owner),
        (None, Some(name)) => CollectionScope::Name(name.into()),
        (None, None) => CollectionScope::All,
    };
    Request::Collections(scope, PageRequest::newest(PAGE))
}

fn choice(key: char, label: &'static str, text: String) -> CopyChoice {
    CopyChoice { key, label, text }
}

fn address_choice(address: Address, key: char, label: &'static str) -> CopyChoice {
    choice(key, label, address.bech32())
}

fn hex_choice(address: Address, key: char, label: &'static str) -> CopyChoice {
    choice(key, label, address.hex())
}

fn pretty(record: &impl Serialize) -> String {
    serde_json::to_string_pretty(record).unwrap_or_default()
}

fn lines<T: Serialize>(records: impl Iterator<Item = T>) -> String {
    records.filter_map(|record| serde_json::to_string(&record).ok()).fold(String::new(), |all, line| all + &line + "\n")
}
