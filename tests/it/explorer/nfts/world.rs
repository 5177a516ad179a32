//! A small world of NFTs: four collections, their tokens, and what lies behind the tokens' URIs.

use std::sync::Arc;

use rollscope::{
    domain::{Address, Timestamp},
    msg::{
        Answer, CollectionScope, ListPage, Metadata, Order, PageKey, PageRequest, PageStart, Picture, Request,
        TokenOrder, TokenQuery, TokenScope, Total, Trait, TxScope,
    },
    wire::{self, ApiError, ErrorKind, RawJson},
};
use serde_json::{Value, json};

/// The `Transfer` topic of the EVM.
const TRANSFER: &str = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
/// Owners that there are.
const OWNERS: u64 = 7;

/// What the world is like.
#[derive(Clone, Debug)]
pub(super) struct World {
    /// Tokens of the collection with the lanterns.
    pub(super) lanterns: u64,
    /// A text that is everywhere where its maker chose one.
    pub(super) text: Option<String>,
    /// Where the tokens' metadata lies, instead of beside each other.
    pub(super) uri: Option<String>,
    /// Whether the metadata is there, and its picture.
    pub(super) has_metadata: bool,
    /// Whether the picture that the metadata names is there.
    pub(super) has_picture: bool,
    /// Whether the token asked for by its id is gone.
    pub(super) is_burned: bool,
}

impl Default for World {
    fn default() -> Self {
        Self { lanterns: 250, text: None, uri: None, has_metadata: true, has_picture: true, is_burned: false }
    }
}

pub(super) fn now() -> Timestamp {
    "2026-01-31T12:00:00Z".parse().expect("a fixed time")
}

/// The address of a collection.
pub(super) fn collection(number: u8) -> Address {
    Address::Short([0xc0 + number; 20])
}

/// The owner of the token with this number.
pub(super) fn owner(token: u64) -> Address {
    Address::Short([u8::try_from(token % OWNERS + 1).expect("few owners"); 20])
}

impl World {
    /// What is answered to any request.
    pub(super) fn answer(&self, request: &Request) -> Result<Answer, ApiError> {
        match request {
            Request::Status => Ok(Answer::Status(Box::new(read(json!({"chain_id": "nfts-1", "height": 900}))))),
            Request::Collections(scope, _) => Ok(Answer::Collections(self.collections(scope))),
            Request::Collection(address) => {
                let found = (0..4).find(|number| collection(*number) == *address);
                let found = found.ok_or_else(|| error("no such collection"))?;
                Ok(Answer::Collection(Arc::new(self.collection(found))))
            }
            Request::Tokens(query, page) => Ok(Answer::Tokens(self.tokens(query, page))),
            Request::Txs(query, _) => match &query.scope {
                TxScope::Token(token) => {
                    let id: u64 = token.token_id.parse().unwrap_or(1);
                    Ok(Answer::Txs(whole(history(token.collection, id))))
                }
                _ => Ok(Answer::Txs(whole(Vec::new()))),
            },
            Request::Metadata(uri) if self.has_metadata => Ok(Answer::Metadata(Arc::new(self.metadata(uri)))),
            Request::Picture(uri) if self.has_picture => Ok(Answer::Picture(Arc::new(picture(uri)))),
            Request::Metadata(_) => Err(error("metadata lies nowhere")),
            Request::Picture(_) => Err(error("the picture lies nowhere")),
            _ => Err(error("not of this world")),
        }
    }

    fn name(&self, name: &str) -> String {
        self.text.clone().unwrap_or_else(|| name.to_owned())
    }

    fn collection(&self, number: u8) -> wire::Collection {
        let (name, tokens) =
            [("Tide Glyphs", 12), ("Lantern Keepers", self.lanterns), ("", 0), ("Orbit", 40)][usize::from(number)];
        let origin = if number == 3 { self.name("Orbit on L1") } else { String::new() };
        read(json!({
            "object_addr": collection(number).hex(),
            "collection": {"creator": owner(u64::from(number)).bech32(), "name": self.name(name), "origin_name": origin,
                           "nfts": {"handle": "", "length": tokens}},
            "height": 100 - u64::from(number), "timestamp": "2026-01-30T12:00:00Z",
        }))
    }

    fn collections(&self, scope: &CollectionScope) -> ListPage<Arc<wire::Collection>> {
        let all = (0..4).map(|number| Arc::new(self.collection(number)));
        whole(match scope {
            CollectionScope::All => all.collect(),
            CollectionScope::Owner(_) => all.skip(1).take(1).collect(),
            CollectionScope::Name(name) | CollectionScope::NameAtServer(name) => {
                let needle = name.to_lowercase();
                all.filter(|one| one.collection.name.as_received().to_lowercase().contains(&needle)).collect()
            }
        })
    }

    fn token(&self, collection_number: u8, number: u64) -> wire::Token {
        let facts = self.collection(collection_number);
        let id = if self.text.is_some() && number == 1 { self.name("1") } else { number.to_string() };
        let uri = self.uri.clone().unwrap_or_else(|| format!("https://art.example/{number}.json"));
        read(json!({
            "collection_addr": facts.object_addr, "collection_name": facts.collection.name,
            "collection_origin_name": facts.collection.origin_name, "object_addr": "",
            "owner": owner(number).bech32(), "nft": {"token_id": id, "uri": uri},
            "height": 100 + number % 500, "timestamp": "2026-01-31T11:00:00Z",
        }))
    }

    /// As the server does: ids in the order of their text, pages by key.
    fn tokens(&self, query: &TokenQuery, page: &PageRequest) -> ListPage<Arc<wire::Token>> {
        let (address, owned) = match query.scope {
            TokenScope::Collection(address) => (address, None),
            TokenScope::Owner { address, collection } => (collection.unwrap_or(self::collection(1)), Some(address)),
        };
        let number = (0..4).find(|number| collection(*number) == address).unwrap_or(1);
        let count = self.collection(number).collection.nfts.length;
        let mut all: Vec<wire::Token> = (1..=count).map(|token| self.token(number, token)).collect();
        all.retain(|token| owned.is_none_or(|owner| token.owner == owner.bech32()));
        if let Some(id) = &query.token_id {
            all.retain(|token| token.nft.token_id == **id && !self.is_burned);
        }
        match query.order_by {
            TokenOrder::TokenId => all.sort_by(|a, b| a.nft.token_id.cmp(&b.nft.token_id)),
            TokenOrder::Height => all.sort_by_key(|token| token.height),
        }
        if page.order == Order::Descending {
            all.reverse();
        }
        let start = match &page.cursor {
            PageStart::Key(key) => key.0.parse().expect("a key of this world"),
            _ => 0,
        };
        let total = Total::Exact(all.len() as u64);
        let end = (start + usize::from(page.limit)).min(all.len());
        let next = (end < all.len()).then(|| PageKey(end.to_string().into()));
        let items = all.drain(start..end).map(Arc::new).collect();
        ListPage { items, next, total, notes: Vec::new() }
    }

    fn metadata(&self, uri: &str) -> Metadata {
        let (name, text) = (
            self.name("A lantern at dusk"),
            self.name("It was lit in the first block, and has burned since. Whoever holds it may light another."),
        );
        let traits = ["Flame", "Ground", "Luck"].map(|name| Trait { name: self.name(name), value: self.name("87") });
        let raw = json!({"name": name, "description": text, "image": "x.png", "attributes": [{"trait_type": "Flame", "value": 87}]});
        Metadata {
            name,
            description: text,
            image: Some(uri.replace(".json", ".png").into()),
            traits: traits.into(),
            raw: RawJson::parse(raw.to_string()).expect("JSON"),
        }
    }
}

/// A token's life, the newest first: approved, handed on, minted, and at last burned.
fn history(collection: Address, id: u64) -> Vec<Arc<wire::Tx>> {
    let (zero, one, two) = (Address::Short([0; 20]), owner(id), owner(id + 1));
    let log = |from: Address, to: Address| {
        let word = |address: Address| format!("0x{}{}", "0".repeat(24), &address.hex()[2..]);
        json!({"address": collection.hex(), "topics": [TRANSFER, word(from), word(to), format!("{id:#066x}")], "data": "0x"})
    };
    let lives = [Some(log(two, zero)), None, Some(log(one, two)), Some(log(two, one)), Some(log(zero, two))];
    lives
        .into_iter()
        .enumerate()
        .map(|(age, log)| {
            let number = 900 - age * 10;
            let input = if log.is_some() { "0x23b872dd" } else { "0x095ea7b3" };
            let attributes: Vec<Value> =
                log.into_iter().map(|log| json!({"key": "log", "value": log.to_string()})).collect();
            Arc::new(read(json!({
                "txhash": format!("{number:04X}{:060X}", number * 7 + 1), "height": number.to_string(), "code": 0,
                "gas_wanted": "2", "gas_used": "1", "timestamp": format!("2026-01-31T11:{:02}:00Z", 50 - age),
                "tx": {"body": {"messages": [{"@type": "/minievm.evm.v1.MsgCall", "input": input}]}},
                "events": [{"type": "evm", "attributes": attributes}],
            })))
        })
        .collect()
}

/// Quarters in four colours, the last one clear.
fn picture(_uri: &str) -> Picture {
    let quarter = |x: u32, y: u32| match (x < 16, y < 16) {
        (true, true) => [220, 40, 40, 255],
        (false, true) => [40, 180, 60, 255],
        (true, false) => [30, 60, 200, 255],
        (false, false) => [0, 0, 0, 0],
    };
    let places = (0..32).flat_map(|y| (0..32).map(move |x| (x, y)));
    Picture { width: 32, height: 32, rgba: places.flat_map(|(x, y)| quarter(x, y)).collect() }
}

fn whole<T>(items: Vec<T>) -> ListPage<T> {
    let total = Total::Exact(items.len() as u64);
    ListPage { items, next: None, total, notes: Vec::new() }
}

fn read<T: serde::de::DeserializeOwned>(value: Value) -> T {
    serde_json::from_value(value).expect("a record of this world")
}

pub(super) fn error(sentence: &str) -> ApiError {
    ApiError { kind: ErrorKind::NotFound(sentence.into()), url: "https://art.example/".into(), body: None }
}
