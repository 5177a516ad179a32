//! The demo wallet's signature. Nobody in the demo verifies one: it has the size and place of a real one, and its
//! address belongs to no key at all.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::error::RouterError;
use crate::wire::router::{HookMessage, OpHook};

/// Messages that one hook may have.
const MOST_MESSAGES: usize = 16;

/// `SIGN_MODE_EIP_191`.
const SIGN_MODE: u64 = 191;

/// The type of the wallet's public key.
const KEY_TYPE: &str = "/initia.crypto.v1beta1.ethsecp256k1.PubKey";

/// Signs the messages of a hook as one transaction without a fee: base64 of the protobuf `Tx`.
pub fn sign(hook: &OpHook, signer: &str, sequence: u64) -> Result<String, RouterError> {
    if hook.hook.is_empty() || hook.hook.len() > MOST_MESSAGES {
        return Err(RouterError::invalid(format!("hook: between 1 and {MOST_MESSAGES} messages are needed")));
    }
    let mut body = Vec::new();
    for message in &hook.hook {
        bytes(&mut body, 1, &any(&message.msg_type_url, &encode(message)?));
    }
    let auth = auth_info(signer, sequence);
    let document = [body.as_slice(), &auth, hook.chain_id.as_str().as_bytes()].concat();
    let first = Sha256::digest(&document);
    let signature = [first.as_slice(), Sha256::digest(first).as_slice()].concat();
    let mut tx = Vec::new();
    for (field, part) in [(1, body.as_slice()), (2, &auth), (3, &signature)] {
        bytes(&mut tx, field, part);
    }
    Ok(STANDARD.encode(tx))
}

fn auth_info(signer: &str, sequence: u64) -> Vec<u8> {
    let (mut key, mut single, mut mode, mut info, mut fee, mut auth) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new(), Vec::new(), Vec::new());
    bytes(&mut key, 1, &[&[2], Sha256::digest(signer).as_slice()].concat());
    number(&mut single, 1, SIGN_MODE);
    bytes(&mut mode, 1, &single);
    bytes(&mut info, 1, &any(KEY_TYPE, &key));
    bytes(&mut info, 2, &mode);
    number(&mut info, 3, sequence);
    number(&mut fee, 2, 1);
    bytes(&mut auth, 1, &info);
    bytes(&mut auth, 2, &fee);
    auth
}

/// A message as protobuf: its fields in the order of its JSON, texts as they are, all else as JSON.
fn encode(message: &HookMessage) -> Result<Vec<u8>, RouterError> {
    let fields: serde_json::Map<String, Value> = serde_json::from_str(&message.msg)
        .map_err(|error| RouterError::invalid(format!("hook: msg is not the JSON of a message: {error}")))?;
    let mut encoded = Vec::new();
    for (field, value) in (1..).zip(fields.values()) {
        match value {
            Value::String(text) => bytes(&mut encoded, field, text.as_bytes()),
            other => bytes(&mut encoded, field, other.to_string().as_bytes()),
        }
    }
    Ok(encoded)
}

fn any(kind: &str, value: &[u8]) -> Vec<u8> {
    let mut any = Vec::new();
    bytes(&mut any, 1, kind.as_bytes());
    bytes(&mut any, 2, value);
    any
}

fn bytes(out: &mut Vec<u8>, field: u64, value: &[u8]) {
    varint(out, field << 3 | 2);
    varint(out, value.len() as u64);
    out.extend_from_slice(value);
}

fn number(out: &mut Vec<u8>, field: u64, value: u64) {
    varint(out, field << 3);
    varint(out, value);
}

fn varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(u8::try_from(value & 0x7f).unwrap_or(0) | 0x80);
        value >>= 7;
    }
    out.push(u8::try_from(value).unwrap_or(0));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hook(msg: &str) -> OpHook {
        let json = serde_json::json!({
            "chain_id": "rollscope-evm-1",
            "hook": [{ "msg_type_url": "/minievm.evm.v1.MsgCall", "msg": msg }],
        });
        serde_json::from_value(json).unwrap()
    }

    #[test]
    fn the_same_hook_gets_the_same_signature_and_another_sequence_another() {
        let hook = hook(r#"{"sender":"init1a","contract_addr":"0xb","input":"0xc","value":"0"}"#);
        let signed = sign(&hook, "init1a", 3).unwrap();
        assert_eq!(signed, sign(&hook, "init1a", 3).unwrap());
        assert_ne!(signed, sign(&hook, "init1a", 4).unwrap());
        let tx = STANDARD.decode(signed).unwrap();
        assert_eq!(tx.first(), Some(&0x0a), "the body comes first");
        assert_eq!(tx.get(tx.len() - 66..tx.len() - 64), Some([0x1a, 64].as_slice()), "a signature of 64 bytes last");
    }

    #[test]
    fn what_is_no_hook_is_refused() {
        for bad in ["", "[]", "1", "{"] {
            assert_eq!(sign(&hook(bad), "init1a", 0).unwrap_err().status, 400, "{bad}");
        }
        let empty = OpHook { hook: Vec::new(), ..hook("{}") };
        assert!(sign(&empty, "init1a", 0).unwrap_err().message.contains("between 1 and 16"));
    }
}
