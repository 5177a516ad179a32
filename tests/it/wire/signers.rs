//! Whose account a key is, by vectors that others published.

use rollscope::{
    domain::Address,
    wire::proto::{first_signer, public_key},
};
use serde_json::{Value, json};

use crate::harness::recorded_folder;

const SECP256K1: &str = "/cosmos.crypto.secp256k1.PubKey";
const ETH_SECP256K1: &str = "/initia.crypto.v1beta1.ethsecp256k1.PubKey";

fn hex_of(key: &Value) -> Option<String> {
    public_key(key)?.address().map(|address| address.hex())
}

fn key(type_url: &str, base64: &str) -> Value {
    json!({"@type": type_url, "key": base64})
}

#[test]
fn keys_of_every_type_have_the_published_addresses() {
    // The key of the private key 1: its hash in BIP 173, its address in Ethereum.
    let one = "Anm+Zn753LusVaBilc6HCwcCm/zbLc4o2VnygVsW+BeY";
    for (type_url, base64, expected) in [
        (SECP256K1, one, "0x751e76e8199196d454941c45d1b3a323f1433bd6"),
        (ETH_SECP256K1, one, "0x7e5f4552091a69125d5dfcb7b8c2659029395bdf"),
        // CosmJS.
        (SECP256K1, "AtQaCqFnshaZQp6rIkvAPyzThvCvXSDO+9AzbxVErqJP", "0xb9dfac7ad79b372f91cd1d9a8b2983e908aded89"),
        (
            "/cosmos.crypto.ed25519.PubKey",
            "Eu5vWB/lVnOh6eE4Kggp4yB1oKpHY8lovFJuGFLnjJU=",
            "0x0a40fa677a826df86b5c5d76a553c1f01dfb56a7",
        ),
        // CometBFT's example of a genesis file.
        (
            "/cosmos.crypto.ed25519.PubKey",
            "DMEMMj1+thrkUCGocbvvKzXeaAtRslvX9MWtB+smuIA=",
            "0x39c04a480b54ab258a45355a5e48added9956c65",
        ),
    ] {
        assert_eq!(hex_of(&key(type_url, base64)).as_deref(), Some(expected), "{type_url} {base64}");
    }
}

/// Two of these three, as `CosmJS` has them.
fn group(threshold: u32, places: [usize; 3]) -> Value {
    let keys = [
        "A4y1mO5UEw00+OCBjneHqgYTmg4tACbK22YrVc8WhZpn",
        "ApBvG9lRbIzTtSY5MiyAG/hyTB+l6HjA4yub1sC7iw9o",
        "A8yTUZ1htobabw6M/5Qx41a0X5EGPtb4H3nd2JiFiADz",
    ];
    let keys = places.map(|place| key(SECP256K1, keys[place]));
    json!({"@type": "/cosmos.crypto.multisig.LegacyAminoPubKey", "threshold": threshold, "public_keys": keys})
}

#[test]
fn several_keys_have_the_address_of_their_number_and_their_order() {
    let published = "0x0892a77fab2fa7e192c3b7b2741e6682f3abb72f";
    assert_eq!(hex_of(&group(2, [0, 1, 2])).as_deref(), Some(published));
    for other in [group(1, [0, 1, 2]), group(2, [1, 0, 2])] {
        assert!(hex_of(&other).is_some_and(|found| found != published), "{other}");
    }
}

#[test]
fn what_is_no_key_has_no_address() {
    let no_point = format!("A{}", "/".repeat(43));
    for key in [
        Value::Null,
        key(SECP256K1, "AAAA"),
        key(ETH_SECP256K1, &no_point),
        key("/cosmos.crypto.secp256r1.PubKey", "AtQaCqFnshaZQp6rIkvAPyzThvCvXSDO+9AzbxVErqJP"),
    ] {
        assert_eq!(hex_of(&key), None, "{key}");
    }
}

#[test]
fn the_first_signer_of_a_recorded_transaction_is_who_its_fee_was_taken_from() {
    let Some(folder) = recorded_folder() else { return };
    let mut count = 0;
    for file in std::fs::read_dir(folder.join("wire/samples/txs")).expect("the samples") {
        let text = std::fs::read_to_string(file.expect("an entry").path()).expect("text");
        let Ok(answer) = serde_json::from_str::<Value>(&text) else { continue };
        let Some(signer) = first_signer(&answer["tx"]) else { continue };
        let events = answer["events"].as_array().into_iter().flatten();
        let attributes = events.flat_map(|event| event["attributes"].as_array().into_iter().flatten());
        let mut payers = attributes.filter(|attribute| attribute["key"] == "fee_payer");
        let Some(payer) = payers.find_map(|attribute| attribute["value"].as_str()) else { continue };
        let granter = answer["tx"]["auth_info"]["fee"]["granter"].as_str().unwrap_or_default();
        if granter.is_empty() {
            assert_eq!(payer.parse::<Address>().ok(), Some(signer), "{text}");
            count += 1;
        }
    }
    assert!(count > 10, "{count} transactions");
}
