//! What records of NFTs need besides events: questions about the state, and what their answers say.

use alloy_primitives::{U256, hex};
use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    domain::{Address, Vm},
    wire::node::EvmCallAnswer,
};

/// A question to a node's REST interface about its state at a height.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateQuery {
    /// The path below the interface's address, percent-encoded.
    pub path: String,
    /// What is sent along; a GET where there is nothing.
    pub body: Option<Value>,
}

/// What a node's state says of a contract or object that events call a collection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CollectionFact {
    /// It is one, of this name.
    Named(String),
    /// It gave up over its name: it is none, and never will be.
    NotOne,
    /// The answer cannot be read: nothing is known.
    Unknown,
}

/// What a node's state says of an NFT.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TokenFact {
    /// Its id, where events name only its object.
    pub token_id: Option<String>,
    /// Where its metadata lies; empty where the contract gives up over it.
    pub uri: String,
}

/// `name()` and `tokenURI(uint256)`.
const NAME: [u8; 4] = [0x06, 0xfd, 0xde, 0x03];
const TOKEN_URI: [u8; 4] = [0xc8, 0x7b, 0x56, 0xdd];

/// Who asks contracts: an account that nobody has.
const NOBODY: Address = Address::Short([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);

/// How a collection's name is asked for. On Move the event of its creation says it.
pub fn collection_query(vm: Vm, collection: &Address) -> Option<StateQuery> {
    match vm {
        Vm::Evm => Some(evm_call(collection, &NAME)),
        Vm::Wasm => Some(smart_query(collection, &json!({"contract_info": {}}))),
        Vm::Move => None,
    }
}

/// How a Wasm contract's creator is asked for; elsewhere events and transactions say it.
pub fn creator_query(vm: Vm, collection: &Address) -> Option<StateQuery> {
    let path = format!("/cosmwasm/wasm/v1/contract/{}", collection.bech32());
    (vm == Vm::Wasm).then_some(StateQuery { path, body: None })
}

/// How an NFT's URI is asked for, and on Move its id; the event of a Wasm mint says all.
///
/// `name` is the token's id, or on Move the address of its object.
pub fn token_query(vm: Vm, collection: &Address, name: &str) -> Option<StateQuery> {
    match vm {
        Vm::Evm => {
            let id: U256 = name.parse().ok()?;
            Some(evm_call(collection, &[TOKEN_URI.as_slice(), &id.to_be_bytes::<32>()].concat()))
        }
        Vm::Move => {
            let object: Address = name.parse().ok()?;
            let tag = "struct_tag=0x1%3A%3Anft%3A%3ANft";
            let path = format!("/initia/move/v1/accounts/{}/resources/by_struct_tag?{tag}", object.hex());
            Some(StateQuery { path, body: None })
        }
        Vm::Wasm => None,
    }
}

fn evm_call(contract: &Address, input: &[u8]) -> StateQuery {
    let body = json!({
        "sender": NOBODY.bech32(),
        "contract_addr": contract.hex(),
        "input": hex::encode_prefixed(input),
        "value": "0",
    });
    StateQuery { path: "/minievm/evm/v1/call".to_owned(), body: Some(body) }
}

fn smart_query(contract: &Address, query: &Value) -> StateQuery {
    let data = BASE64_STANDARD.encode(query.to_string());
    let data = data.replace('+', "%2B").replace('/', "%2F").replace('=', "%3D");
    StateQuery { path: format!("/cosmwasm/wasm/v1/contract/{}/smart/{data}", contract.bech32()), body: None }
}

/// What the answer to a [`collection_query`] says: its status and its body.
pub fn collection_fact(vm: Vm, status: u16, body: &str) -> CollectionFact {
    match vm {
        Vm::Evm => match evm_text(body) {
            EvmText::Text(name) => CollectionFact::Named(name),
            EvmText::Reverted => CollectionFact::NotOne,
            EvmText::Unreadable => CollectionFact::Unknown,
        },
        Vm::Wasm => {
            let name = serde_json::from_str::<Value>(body).ok();
            let name = name.as_ref().and_then(|answer| answer.pointer("/data/name")?.as_str());
            match name {
                Some(name) => CollectionFact::Named(name.to_owned()),
                // The contract knows no such question, or there is none: both in gRPC's words.
                None if matches!(status, 400 | 404 | 500) && body.contains("query wasm contract failed") => {
                    CollectionFact::NotOne
                }
                None => CollectionFact::Unknown,
            }
        }
        Vm::Move => CollectionFact::Unknown,
    }
}

/// Who made a Wasm contract, by the answer to a [`creator_query`].
pub fn creator_fact(body: &str) -> Option<Address> {
    let answer: Value = serde_json::from_str(body).ok()?;
    answer.pointer("/contract_info/creator")?.as_str()?.parse().ok()
}

/// What the answer to a [`token_query`] says; `None` where it cannot be read.
pub fn token_fact(vm: Vm, body: &str) -> Option<TokenFact> {
    match vm {
        Vm::Evm => match evm_text(body) {
            EvmText::Text(uri) => Some(TokenFact { token_id: None, uri }),
            EvmText::Reverted => Some(TokenFact::default()),
            EvmText::Unreadable => None,
        },
        Vm::Move => move_token(body),
        Vm::Wasm => None,
    }
}

/// What a call that returns a text came to.
enum EvmText {
    Text(String),
    Reverted,
    Unreadable,
}

fn evm_text(body: &str) -> EvmText {
    let Ok(answer) = serde_json::from_str::<EvmCallAnswer>(body) else {
        // A node may refuse such a call as a whole.
        return if body.contains("Reverted") { EvmText::Reverted } else { EvmText::Unreadable };
    };
    if answer.error.contains("Reverted") || body.contains("\"message\"") && body.contains("Reverted") {
        return EvmText::Reverted;
    }
    let bytes = answer.response.strip_prefix("0x").and_then(|digits| hex::decode(digits).ok());
    bytes.as_deref().and_then(abi_text).map_or(EvmText::Unreadable, EvmText::Text)
}

/// The text that a function returns as its only value.
fn abi_text(bytes: &[u8]) -> Option<String> {
    let word = |at: usize| {
        let (zeros, number) = bytes.get(at..at.checked_add(32)?)?.split_at_checked(24)?;
        if zeros.iter().any(|byte| *byte != 0) {
            return None;
        }
        usize::try_from(u64::from_be_bytes(number.try_into().ok()?)).ok()
    };
    let start = word(0)?;
    let (length, text) = (word(start)?, start.checked_add(32)?);
    let text = bytes.get(text..text.checked_add(length)?)?;
    Some(String::from_utf8_lossy(text).replace('\0', ""))
}

/// A token's resource, whose fields stand as JSON within the JSON.
fn move_token(body: &str) -> Option<TokenFact> {
    #[derive(Deserialize)]
    struct ResourceAnswer {
        resource: MoveResource,
    }
    #[derive(Deserialize)]
    struct MoveResource {
        move_resource: String,
    }
    let answer: ResourceAnswer = serde_json::from_str(body).ok()?;
    let resource: Value = serde_json::from_str(&answer.resource.move_resource).ok()?;
    let text = |name: &str| Some(resource.pointer(&format!("/data/{name}"))?.as_str()?.replace('\0', ""));
    Some(TokenFact { token_id: Some(text("token_id")?), uri: text("uri")? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_contract_says_its_name_or_gives_up() {
        let returned = format!("0x{:064x}{:064x}{:0<64}", 32, 3, hex::encode("GAS"));
        let named = json!({"response": returned, "used_gas": "1", "error": ""}).to_string();
        assert_eq!(collection_fact(Vm::Evm, 200, &named), CollectionFact::Named("GAS".to_owned()));
        let reverted = json!({"response": "0x", "error": "revert: Reverted"}).to_string();
        assert_eq!(collection_fact(Vm::Evm, 200, &reverted), CollectionFact::NotOne);
        for broken in ["", "<html>", r#"{"response":"0x12"}"#, r#"{"response":"nothing"}"#] {
            assert_eq!(collection_fact(Vm::Evm, 200, broken), CollectionFact::Unknown, "{broken}");
        }
        let endless = format!(r#"{{"response":"0x{:064x}{}"}}"#, 32, "f".repeat(64));
        assert_eq!(collection_fact(Vm::Evm, 200, &endless), CollectionFact::Unknown);
    }

    #[test]
    fn a_move_token_is_read_without_its_nul_characters() {
        let inner = json!({"type": "0x1::nft::Nft", "data": {"token_id": "7\0", "uri": "ipfs://a"}}).to_string();
        let body = json!({"resource": {"struct_tag": "0x1::nft::Nft", "move_resource": inner}}).to_string();
        let expected = TokenFact { token_id: Some("7".to_owned()), uri: "ipfs://a".to_owned() };
        assert_eq!(token_fact(Vm::Move, &body), Some(expected));
        assert_eq!(token_fact(Vm::Move, "{}"), None);
    }

    #[test]
    fn questions_are_as_the_node_takes_them() {
        let contract = Address::Long([7; 32]);
        let query = collection_query(Vm::Wasm, &contract).unwrap();
        assert!(query.path.ends_with("/smart/eyJjb250cmFjdF9pbmZvIjp7fX0%3D"), "{}", query.path);
        let query = token_query(Vm::Evm, &Address::Short([7; 20]), "31").unwrap();
        assert_eq!(query.body.unwrap()["input"], format!("0xc87b56dd{:064x}", 31));
        assert_eq!(token_query(Vm::Evm, &Address::Short([7; 20]), "no number"), None);
    }
}
