//! Signature of the demo wallet. It has the format of a real signature, but its address belongs to no key and nothing
//! verifies it.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::error::RouterError;
use crate::wire::{
    protobuf::ProtoWriter,
    router::{HookMessage, OpHook},
};

/// Maximum messages of a hook.
const MOST_MESSAGES: usize = 16;

/// Sign mode `SIGN_MODE_EIP_191`.
const SIGN_MODE: u64 = 191;

const KEY_TYPE: &str = "/initia.crypto.v1beta1.ethsecp256k1.PubKey";

/// Signs a hook's messages as one transaction without a fee. Returns the protobuf `Tx` in base64.
pub fn sign(hook: &OpHook, signer: &str, sequence: u64) -> Result<String, RouterError> {
    if hook.hook.is_empty() || hook.hook.len() > MOST_MESSAGES {
        return Err(RouterError::invalid(format!("hook: send between 1 and {MOST_MESSAGES} messages")));
    }
    let mut body = ProtoWriter::new();
    for message in &hook.hook {
        body = body.bytes(1, ProtoWriter::any(message.msg_type_url.as_received(), &encode(message)?));
    }
    let (body, auth) = (body.finish(), auth_info(signer, sequence));
    let document = [body.as_slice(), &auth, hook.chain_id.as_str().as_bytes()].concat();
    let first = Sha256::digest(&document);
    let signature = [first.as_slice(), Sha256::digest(first).as_slice()].concat();
    Ok(STANDARD.encode(ProtoWriter::new().bytes(1, body).bytes(2, auth).bytes(3, signature).finish()))
}

fn auth_info(signer: &str, sequence: u64) -> Vec<u8> {
    let key = ProtoWriter::new().bytes(1, [&[2], Sha256::digest(signer).as_slice()].concat()).finish();
    let single = ProtoWriter::new().uint(1, SIGN_MODE).finish();
    let mode = ProtoWriter::new().bytes(1, single).finish();
    let info = ProtoWriter::new().bytes(1, ProtoWriter::any(KEY_TYPE, &key)).bytes(2, mode).uint(3, sequence).finish();
    let fee = ProtoWriter::new().uint(2, 1).finish();
    ProtoWriter::new().bytes(1, info).bytes(2, fee).finish()
}

/// Encodes a message as protobuf: fields in the order of the JSON, strings as they are, other values as JSON.
fn encode(message: &HookMessage) -> Result<Vec<u8>, RouterError> {
    let fields: serde_json::Map<String, Value> = serde_json::from_str(message.msg.as_received())
        .map_err(|error| RouterError::invalid(format!("hook: msg is not the JSON of a message: {error}")))?;
    let mut encoded = ProtoWriter::new();
    for (field, value) in (1..).zip(fields.values()) {
        encoded = match value {
            Value::String(text) => encoded.bytes(field, text),
            other => encoded.bytes(field, other.to_string()),
        };
    }
    Ok(encoded.finish())
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
