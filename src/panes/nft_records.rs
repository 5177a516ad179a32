//! Copies and exports of collections and tokens: texts, records, curl commands.

use std::borrow::Cow;

use serde::Serialize;

use crate::{
    app::{Context, prompt::CopyChoice},
    msg::Request,
    wire,
};

pub(crate) fn of_collection(cx: &Context, collection: &wire::Collection) -> Vec<CopyChoice> {
    let mut choices = Vec::new();
    if let Some(address) = collection.address() {
        choices.push(choice('v', "collection, 0x…", address.hex()));
        choices.push(choice('i', "collection, init1…", address.bech32()));
    }
    choices.push(choice('w', "creator", collection.collection.creator.clone()));
    choices.push(CopyChoice::document('j', "record as JSON", pretty(collection)));
    if let Some(address) = collection.address() {
        choices.extend(cx.curl('c', "curl command of the record", &Request::Collection(address)));
    }
    choices
}

pub(crate) fn of_token(token: &wire::Token) -> Vec<CopyChoice> {
    let mut choices = vec![
        choice('v', "token id", token.nft.token_id.as_received().to_owned()),
        choice('w', "owner", token.owner.clone()),
        CopyChoice::document('j', "record as JSON", pretty(token)),
    ];
    if !token.nft.uri.is_empty() {
        choices.push(choice('u', "URI", token.nft.uri.as_received().to_owned()));
    }
    choices
}

pub(crate) fn choice(key: char, label: impl Into<Cow<'static, str>>, text: String) -> CopyChoice {
    CopyChoice::value(key, label, text)
}

/// Exported token, with its metadata as received.
#[derive(Serialize)]
pub(crate) struct TokenRecord<'a> {
    pub(crate) token: &'a wire::Token,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) metadata: Option<&'a wire::RawJson>,
}

fn pretty(record: &impl Serialize) -> String {
    serde_json::to_string_pretty(record).unwrap_or_default()
}
