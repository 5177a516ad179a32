//! Somebody with a key of their own.

use alloy_primitives::keccak256;
use base64::{Engine as _, prelude::BASE64_STANDARD};
use k256::ecdsa::{Signature, SigningKey, signature::hazmat::PrehashSigner as _};
use rollscope::{
    demo::posted::EthereumPayload,
    domain::PublicKey,
    wire::proto::{TxRaw, encode_tx},
};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

/// How a transaction is signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    Direct,
    Amino,
    Personal,
}

impl Mode {
    pub(super) const ALL: [Self; 3] = [Self::Direct, Self::Amino, Self::Personal];

    fn name(self) -> &'static str {
        match self {
            Self::Direct => "SIGN_MODE_DIRECT",
            Self::Amino => "SIGN_MODE_LEGACY_AMINO_JSON",
            Self::Personal => "SIGN_MODE_EIP_191",
        }
    }
}

/// What is to be signed.
#[derive(Clone, Debug)]
pub(super) struct TxDraft {
    pub(super) chain_id: String,
    pub(super) account: u64,
    pub(super) sequence: u64,
    pub(super) gas: u64,
    pub(super) fee: u128,
    pub(super) denom: String,
    pub(super) memo: String,
    /// As REST has them.
    pub(super) messages: Vec<Value>,
}

/// A key, in Cosmos' or in Ethereum's form.
pub(super) struct Signer {
    key: SigningKey,
    is_ethereum: bool,
}

impl Signer {
    pub(super) fn cosmos(secret: u8) -> Self {
        Self { key: SigningKey::from_slice(&[secret; 32]).expect("a key"), is_ethereum: false }
    }

    pub(super) fn ethereum(secret: u8) -> Self {
        Self { is_ethereum: true, ..Self::cosmos(secret) }
    }

    fn compressed(&self) -> [u8; 33] {
        let point = self.key.verifying_key().to_sec1_point(true);
        point.as_bytes().try_into().expect("33 bytes")
    }

    fn public_key(&self) -> PublicKey {
        let key = self.compressed();
        if self.is_ethereum { PublicKey::EthSecp256k1(key) } else { PublicKey::Secp256k1(key) }
    }

    pub(super) fn address(&self) -> String {
        self.public_key().address().expect("a point").bech32()
    }

    /// The raw transaction, signed in this way.
    pub(super) fn sign(&self, draft: &TxDraft, mode: Mode) -> Vec<u8> {
        let mut tx = self.unsigned(draft, mode);
        tx.signatures = vec![self.signature(&signed_bytes(draft, &tx, mode))];
        tx.write()
    }

    /// The transaction with a signature that is none.
    pub(super) fn unsigned(&self, draft: &TxDraft, mode: Mode) -> TxRaw {
        let kind = if self.is_ethereum { PublicKey::ETH_SECP256K1 } else { PublicKey::SECP256K1 };
        let json = json!({
            "body": { "messages": draft.messages, "memo": draft.memo, "timeout_height": "0" },
            "auth_info": {
                "signer_infos": [{
                    "public_key": { "@type": kind, "key": base64(&self.compressed()) },
                    "mode_info": { "single": { "mode": mode.name() } },
                    "sequence": draft.sequence.to_string(),
                }],
                "fee": {
                    "amount": [{ "denom": draft.denom, "amount": draft.fee.to_string() }],
                    "gas_limit": draft.gas.to_string(),
                },
            },
            "signatures": [base64(&[7; 64])],
        });
        TxRaw::read(&encode_tx(&json.to_string()).expect("it can be written")).expect("it can be read")
    }

    /// A raw transaction of Ethereum's own form, signed.
    pub(super) fn sign_payload(&self, payload: &EthereumPayload) -> Vec<u8> {
        crate::signing_page::wallet::sign_payload(&self.key, payload)
    }

    /// The account as Ethereum's wallets write it.
    pub(super) fn hex(&self) -> String {
        self.public_key().address().expect("a point").checksummed()
    }

    fn signature(&self, bytes: &[u8]) -> Vec<u8> {
        let hash: [u8; 32] = if self.is_ethereum { keccak256(bytes).0 } else { Sha256::digest(bytes).into() };
        let signature: Signature = self.key.sign_prehash(&hash).expect("it signs");
        signature.normalize_s().to_bytes().to_vec()
    }
}

pub(super) fn base64(bytes: &[u8]) -> String {
    BASE64_STANDARD.encode(bytes)
}

/// What is signed: the document of the bytes, or that of JSON.
fn signed_bytes(draft: &TxDraft, tx: &TxRaw, mode: Mode) -> Vec<u8> {
    if mode == Mode::Direct {
        let mut bytes = Vec::new();
        for (tag, part) in [(0x0a, &tx.body_bytes[..]), (0x12, &tx.auth_info_bytes), (0x1a, draft.chain_id.as_bytes())]
        {
            bytes.push(tag);
            push_number(&mut bytes, part.len() as u64);
            bytes.extend_from_slice(part);
        }
        if draft.account > 0 {
            bytes.push(0x20);
            push_number(&mut bytes, draft.account);
        }
        return bytes;
    }
    let document = document(draft);
    match mode {
        Mode::Personal => format!("\u{19}Ethereum Signed Message:\n{}{document}", document.len()).into_bytes(),
        _ => document.into_bytes(),
    }
}

fn push_number(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(u8::try_from(number & 0x7f).expect("seven bits") | 0x80);
        number >>= 7;
    }
    bytes.push(u8::try_from(number).expect("seven bits"));
}

/// The document as wallets write it; the keys of messages stand in order already.
fn document(draft: &TxDraft) -> String {
    let TxDraft { chain_id, account, sequence, gas, fee, denom, memo, messages } = draft;
    let amino = |message: &Value| {
        let kind = message["@type"].as_str().expect("a type");
        let name = match kind {
            "/cosmos.bank.v1beta1.MsgSend" => "cosmos-sdk/MsgSend",
            "/ibc.applications.transfer.v1.MsgTransfer" => "cosmos-sdk/MsgTransfer",
            "/opinit.ophost.v1.MsgInitiateTokenDeposit" => "ophost/MsgInitiateTokenDeposit",
            "/opinit.opchild.v1.MsgInitiateTokenWithdrawal" => "opchild/MsgInitiateTokenWithdrawal",
            "/opinit.ophost.v1.MsgFinalizeTokenWithdrawal" => "ophost/MsgFinalizeTokenWithdrawal",
            other => panic!("{other} has no amino name here"),
        };
        let mut fields: Vec<(&String, Value)> = message
            .as_object()
            .expect("fields")
            .iter()
            .filter(|(key, value)| *key != "@type" && **value != json!("") && !value.is_null())
            .map(|(key, value)| (key, in_order(value)))
            .collect();
        fields.sort_by_key(|(key, _)| *key);
        let fields: Vec<String> = fields.iter().map(|(key, value)| format!("{}:{value}", json!(key))).collect();
        format!("{{\"type\":\"{name}\",\"value\":{{{}}}}}", fields.join(","))
    };
    let messages: Vec<String> = messages.iter().map(amino).collect();
    let escape = |text: String| text.replace('&', "\\u0026").replace('<', "\\u003c").replace('>', "\\u003e");
    escape(format!(
        "{{\"account_number\":\"{account}\",\"chain_id\":\"{chain_id}\",\"fee\":{{\"amount\":[{{\"amount\":\"{fee}\",\
         \"denom\":\"{denom}\"}}],\"gas\":\"{gas}\"}},\"memo\":{},\"msgs\":[{}],\"sequence\":\"{sequence}\"}}",
        json!(memo),
        messages.join(",")
    ))
}

/// A coin, or a list of coins, with its keys in order.
fn in_order(value: &Value) -> Value {
    match value {
        Value::Object(coin) if coin.contains_key("denom") => {
            json!({ "amount": coin["amount"], "denom": coin["denom"] })
        }
        Value::Array(coins) => coins.iter().map(in_order).collect(),
        other => other.clone(),
    }
}
