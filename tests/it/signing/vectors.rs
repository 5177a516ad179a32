//! The vectors that an EVM and a Wasm rollup took or refused, in `tests/fixtures/signing`.

use alloy_primitives::hex;
use rollscope::{
    domain::{Address, ChainId, PublicKey},
    signing::{MessageError, SignDocument, SignableMessage, SignatureError, personal_digest, recover},
    wire::proto::{TxRaw, decode_message, decode_tx},
};
use serde_json::Value;

use super::{base64, fee_of, number};

const FILES: [&str; 2] =
    [include_str!("../../fixtures/signing/vectors.json"), include_str!("../../fixtures/signing/wasm.json")];

/// The one type among the vectors that no router asks for.
const NOT_SIGNED: &str = "/cosmwasm.wasm.v1.MsgInstantiateContract";

fn vectors() -> Vec<(String, Value)> {
    let of_file = |text: &str| {
        let file: Value = serde_json::from_str(text).unwrap_or_default();
        let chain = file["chain_id"].as_str().unwrap_or_default().to_owned();
        let vectors = file["vectors"].as_array().cloned().unwrap_or_default();
        vectors.into_iter().map(move |vector| (chain.clone(), vector)).collect::<Vec<_>>()
    };
    FILES.iter().flat_map(|text| of_file(text)).collect()
}

/// The messages as a router would give them: the fields of the bytes that were sent, where the vector has them.
fn messages(vector: &Value) -> Result<Vec<SignableMessage>, MessageError> {
    let message = |message: &Value| {
        let kind = message["type_url"].as_str().unwrap_or_default();
        let bytes = message["value_hex"].as_str().and_then(|digits| hex::decode(digits).ok());
        let json = bytes.and_then(|bytes| decode_message(kind.trim_start_matches('/'), &bytes).ok());
        SignableMessage::read(kind, &json.unwrap_or_else(|| message["amino"]["value"].to_string()))
    };
    vector["messages"].as_array().into_iter().flatten().map(message).collect()
}

fn document(chain: &str, vector: &Value) -> Option<SignDocument> {
    let messages = messages(vector).ok()?;
    let given: Value = serde_json::from_str(vector["document"].as_str()?).ok()?;
    let (account, sequence) = (number(&given["account_number"]), number(&given["sequence"]));
    let memo = given["memo"].as_str()?;
    Some(SignDocument::new(ChainId::new(chain), account, sequence, fee_of(&given), memo, &messages))
}

fn signature(vector: &Value) -> Vec<u8> {
    hex::decode(vector["signature"].as_str().unwrap_or_default()).unwrap_or_default()
}

#[test]
fn what_nodes_took_is_made_byte_for_byte() {
    let mut taken = Vec::new();
    for (chain, vector) in vectors().iter().filter(|(_, vector)| vector["accepted"] == true) {
        let name = vector["name"].as_str().unwrap();
        if vector["messages"][0]["type_url"] == NOT_SIGNED {
            assert_eq!(messages(vector), Err(MessageError::UnsupportedType(NOT_SIGNED.to_owned())));
            continue;
        }
        let document = document(chain, vector).unwrap();
        assert_eq!(document.text(), vector["document"].as_str().unwrap(), "{name}");
        let account: Address = vector["address"].as_str().unwrap().parse().unwrap();
        assert_eq!(document.signer(), Some(account), "{name}");
        let (key, _) = recover(document.text().as_bytes(), &signature(vector)).unwrap();
        let expected = hex::decode(vector["public_key"].as_str().unwrap()).unwrap();
        assert_eq!(Some(key), PublicKey::new(PublicKey::ETH_SECP256K1, &expected), "{name}");
        let signed = document.with_personal_signature(account, &signature(vector)).unwrap();
        let raw = base64(&vector["raw"]);
        if name == "execute-spaces-doc-compact" {
            // Blanks within a contract's message are not sent; everything else is the same.
            let ours = TxRaw::read(signed.raw()).unwrap();
            let theirs = TxRaw::read(&raw).unwrap();
            assert_eq!(
                (ours.auth_info_bytes, ours.signatures),
                (theirs.auth_info_bytes, theirs.signatures),
                "the same but for the body"
            );
            assert_eq!(decode_tx(signed.raw()), decode_tx(&raw), "which says the same");
        } else {
            assert_eq!(signed.raw(), raw, "{name}");
            assert_eq!(signed.hash().to_string(), vector["txhash"].as_str().unwrap(), "{name}");
        }
        taken.push(name.to_owned());
    }
    assert_eq!(taken.len(), 16, "{taken:?}");
}

#[test]
fn what_nodes_refused_is_never_made() {
    let mut refused = 0;
    for (chain, vector) in vectors().iter().filter(|(_, vector)| vector["accepted"] == false) {
        let document = document(chain, vector).unwrap();
        assert_ne!(document.text(), vector["document"].as_str().unwrap(), "{}", vector["name"]);
        let account: Address = vector["address"].as_str().unwrap().parse().unwrap();
        let error = document.with_personal_signature(account, &signature(vector)).unwrap_err();
        assert!(matches!(error, SignatureError::NotBy { expected } if expected == account));
        refused += 1;
    }
    assert_eq!(refused, 4);
}

#[test]
fn another_signature_is_refused_and_no_recovered_account_is_told() {
    let all = vectors();
    let (chain, vector) = &all[0];
    let document = document(chain, vector).unwrap();
    let signed_by: Address = vector["address"].as_str().unwrap().parse().unwrap();
    let other = Address::Short([7; 20]);
    let error = document.with_personal_signature(other, &signature(vector)).unwrap_err();
    assert_eq!(error, SignatureError::NotBy { expected: other });
    let told = error.to_string();
    assert!(told.contains(&other.bech32()) && !told.contains(&signed_by.bech32()), "no recovered account: {told}");
    let whole = signature(vector);
    for odd in [&whole[..64], &[], &[1; 66], &[[0; 64].as_slice(), &[27]].concat(), &[&whole[..64], &[29]].concat()] {
        assert_eq!(document.with_personal_signature(signed_by, odd), Err(SignatureError::Form), "{}", odd.len());
    }
    let flipped = [&whole[..64], &[55 - whole[64]]].concat();
    assert!(document.with_personal_signature(signed_by, &flipped).is_err());
    let bare = [&whole[..64], &[whole[64] - 27]].concat();
    assert!(document.with_personal_signature(signed_by, &bare).is_ok(), "0 and 1 are 27 and 28");
}

#[test]
fn the_higher_of_two_signatures_becomes_the_lower() {
    use alloy_primitives::{U256, uint};
    const ORDER: U256 = uint!(0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141_U256);
    let all = vectors();
    let (chain, vector) = &all[0];
    let low = signature(vector);
    let s = ORDER - U256::from_be_slice(&low[32..64]);
    let high = [&low[..32], &s.to_be_bytes::<32>(), &[55 - low[64]]].concat();
    let account: Address = vector["address"].as_str().unwrap().parse().unwrap();
    let signed = document(chain, vector).unwrap().with_personal_signature(account, &high).unwrap();
    assert_eq!(signed.raw(), base64(&vector["raw"]), "nodes take no other");
}

#[test]
fn the_digest_is_that_of_eip_191() {
    // The example of EIP-191 and of every wallet's manual.
    let digest = personal_digest(b"hello world");
    assert_eq!(hex::encode(digest), "d9eba16ed0ecae432b71fe008c98cc872bb4cc214d3220a36f365326cf807d68");
}

/// A live node took the first of these, and refused the one whose bytes alone have the height.
#[test]
fn the_last_height_stands_in_document_and_bytes_or_in_neither() {
    let vectors: Value = serde_json::from_str(include_str!("../../fixtures/signing/timeout_height.json")).unwrap();
    let mut made = Vec::new();
    for vector in vectors.as_array().unwrap() {
        let given: Value = serde_json::from_str(vector["document"].as_str().unwrap()).unwrap();
        let message = &given["msgs"][0]["value"];
        let messages = [SignableMessage::read("cosmos.bank.v1beta1.MsgSend", &message.to_string()).unwrap()];
        let (account, sequence) = (number(&given["account_number"]), number(&given["sequence"]));
        let (chain, memo) = (ChainId::new(given["chain_id"].as_str().unwrap()), given["memo"].as_str().unwrap());
        let document = SignDocument::new(chain, account, sequence, fee_of(&given), memo, &messages);
        let document = document.with_timeout_height(number(&given["timeout_height"]));
        assert_eq!(document.text(), vector["document"].as_str().unwrap());
        let owner = document.signer().unwrap();
        let signed = document.with_personal_signature(owner, &signature(vector)).unwrap();
        made.push((vector["answer"]["code"].as_u64().unwrap(), signed.raw() == base64(&vector["tx_bytes"])));
    }
    // Code 4: the bytes with a height that the document lacks; code 30: a height that has passed.
    assert_eq!(made, [(0, true), (4, false), (30, true), (30, true)]);
}
