//! Where an NFT went, from the events of each VM.

use rollscope::{
    domain::Address,
    story::{NftMove, nft_moves},
};
use serde_json::{Value, json};

use super::{event, tx};

const TRANSFER: &str = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

fn short(byte: u8) -> Address {
    Address::Short([byte; 20])
}

fn long(byte: u8) -> Address {
    Address::Long([byte; 32])
}

fn log(contract: Address, topics: &[String], data: &str) -> Value {
    let log = json!({"address": contract.checksummed(), "topics": topics, "data": data}).to_string();
    event("evm", &[("log", &log)])
}

fn word(address: Address) -> String {
    format!("0x{:0>64}", &address.hex()[2..])
}

fn transfer(from: Address, to: Address, id: u64) -> Vec<String> {
    vec![TRANSFER.to_owned(), word(from), word(to), format!("{id:#066x}")]
}

#[test]
fn evm_logs_with_four_topics_move_the_token_of_their_contract() {
    let (zero, one, two, nft) = (short(0), short(1), short(2), short(9));
    let events = [
        log(nft, &transfer(zero, one, 7), "0x"),
        log(nft, &transfer(one, two, 8), "0x"),
        log(short(8), &transfer(one, two, 7), "0x"),
        log(nft, &transfer(one, two, 7)[..3], "0x07"),
        log(nft, &transfer(one, two, 7), "0x01"),
        log(nft, &transfer(one, two, 7), "0x"),
        event("evm", &[("log", "not JSON"), ("log", "{}")]),
        log(nft, &transfer(two, zero, 7), "0x"),
    ];
    let moves = nft_moves(&tx(&events), nft, "7", None);
    let expected = [
        NftMove::Minted { to: Some(one) },
        NftMove::Moved { from: Some(one), to: Some(two) },
        NftMove::Burned { from: Some(two) },
    ];
    assert_eq!(moves, expected);
    assert_eq!(moves.iter().map(NftMove::receiver).collect::<Vec<_>>(), [Some(one), Some(two), None]);
    assert!(nft_moves(&tx(&events), nft, "seven", None).is_empty());
}

#[test]
fn wasm_actions_move_the_token_of_their_contract() {
    let (contract, one, two) = (long(9), short(1).bech32(), short(2).bech32());
    let address = contract.bech32();
    let action = |action: &str, id: &str, parties: &[(&str, &str)]| {
        let head = [("_contract_address", address.as_str()), ("action", action)];
        event("wasm", &[&head, parties, &[("token_id", id)]].concat())
    };
    let events = [
        action("mint", "a b", &[("minter", &two), ("owner", &one)]),
        action("approve", "a b", &[("sender", &one)]),
        action("send_nft", "a b", &[("sender", &one), ("recipient", &two)]),
        action("transfer_nft", "other", &[("sender", &one), ("recipient", &two)]),
        action("burn", "a b", &[("sender", &two)]),
    ];
    let (one, two) = (Some(short(1)), Some(short(2)));
    let expected =
        [NftMove::Minted { to: one }, NftMove::Moved { from: None, to: two }, NftMove::Burned { from: None }];
    assert_eq!(nft_moves(&tx(&events), contract, "a b", None), expected);
    assert!(nft_moves(&tx(&events), long(8), "a b", None).is_empty());
}

fn moved(tag: &str, data: &Value) -> Value {
    // Newer nodes repeat the fields of the data behind it.
    event("move", &[("type_tag", &format!("0x1::{tag}")), ("data", &data.to_string()), ("data", "{}")])
}

#[test]
fn a_move_nft_that_arrives_is_minted_to_its_receiver() {
    let (collection, nft, one) = (long(9).hex(), "0x00ab", short(1).hex());
    let trimmed = "0xab";
    let events = [
        moved("object::CreateEvent", &json!({"object": trimmed, "owner": "0x1", "version": "1"})),
        moved("collection::MintEvent", &json!({"collection": collection, "token_id": "7", "nft": nft})),
        moved("object::TransferEvent", &json!({"object": trimmed, "from": "0x1", "to": one})),
    ];
    assert_eq!(nft_moves(&tx(&events), long(9), "7", None), [NftMove::Minted { to: Some(short(1)) }]);
    assert!(nft_moves(&tx(&events), long(9), "8", None).is_empty());
}

#[test]
fn a_move_object_is_followed_where_it_is_known_and_burned_by_whoever_had_it() {
    let (object, one, two) = (long(0xab), short(1), short(2));
    let transfer =
        [moved("object::TransferEvent", &json!({"object": object.hex(), "from": one.hex(), "to": two.hex()}))];
    let expected = [NftMove::Moved { from: Some(one), to: Some(two) }];
    assert_eq!(nft_moves(&tx(&transfer), long(9), "7", Some(object)), expected);
    assert!(nft_moves(&tx(&transfer), long(9), "7", None).is_empty(), "any object may be meant");
    let burn = [
        moved("object::DeleteEvent", &json!({"object": object.hex(), "owner": two.hex()})),
        moved("collection::BurnEvent", &json!({"collection": long(9).hex(), "token_id": "7", "nft": object.hex()})),
    ];
    assert_eq!(nft_moves(&tx(&burn), long(9), "7", None), [NftMove::Burned { from: Some(two) }]);
}

#[test]
fn nonsense_moves_nothing() {
    for data in ["", "[]", "{\"object\": 7}", "{\"object\":\"0x\"}"] {
        let odd = [
            event("move", &[("type_tag", "0x1::object::TransferEvent"), ("data", data)]),
            event("wasm", &[("_contract_address", data), ("action", data), ("token_id", "7")]),
            event("evm", &[("log", data)]),
        ];
        assert!(nft_moves(&tx(&odd), short(9), "7", Some(long(1))).is_empty(), "{data}");
    }
}
