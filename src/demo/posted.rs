//! A transaction that somebody signed and posted to a node: read once from its bytes, and checked as a node of the
//! Cosmos SDK does before it lets one into a block.

mod checks;
mod document;
mod ethereum;
mod message;
mod signature;

use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use serde_json::Value;

pub use self::{
    checks::{AnteAccount, AnteRules},
    ethereum::{AccessEntry, EthereumPayload, EthereumTxError, TrialPayload, ethereum_chain_id},
    message::{PostedCall, PostedCoin, PostedMessage, PostedTransfer, TokenClaim, TokenDeposit},
};
use crate::{
    domain::{Amount, Coin, Denom, MsgType, PublicKey, TxHash},
    wire::proto::{self, TxRaw},
};

/// Bytes of the largest transaction that a node takes.
const LARGEST: usize = 1 << 20;

/// Why a node does not let a transaction into a block; nothing was spent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{log}")]
pub struct TxRefusal {
    /// The module whose error it is.
    pub codespace: &'static str,
    /// As that module counts its errors.
    pub code: u32,
    /// The node's words.
    pub log: String,
}

impl TxRefusal {
    /// A refusal with the SDK's name of the error behind the reason, as nodes write it.
    pub(in crate::demo) fn sdk(code: u32, reason: impl std::fmt::Display) -> Self {
        let name = match code {
            2 => "tx parse error",
            4 => "unauthorized",
            5 => "insufficient funds",
            8 => "invalid pubkey",
            9 => "unknown address",
            11 => "out of gas",
            12 => "memo too large",
            13 => "insufficient fee",
            15 => "no signatures supplied",
            18 => "invalid request",
            19 => "tx already in mempool",
            20 => "mempool is full",
            21 => "tx too large",
            30 => "tx timeout height",
            31 => "unknown extension options",
            32 => "incorrect account sequence",
            37 => "feature not supported",
            41 => "invalid gas limit",
            _ => "internal logic error",
        };
        Self { codespace: "sdk", code, log: format!("{reason}: {name}") }
    }

    /// A refusal of the SDK's in these words, as what is not of the SDK puts it.
    pub(in crate::demo) const fn worded(code: u32, log: String) -> Self {
        Self { codespace: "sdk", code, log }
    }

    /// The refusal of the L1's bridge module, of the first message.
    pub(in crate::demo) fn ophost(code: u32, reason: &str) -> Self {
        let name = match code {
            2 => "invalid bridge id",
            8 => "output has not finalized",
            10 => "failed to verify withdrawal tx",
            11 => "withdrawal already finalized",
            _ => "invalid output index",
        };
        let reason = if reason.is_empty() { name.to_owned() } else { format!("{reason}: {name}") };
        Self { codespace: "ophost", code, log: format!("failed to execute message; message index: 0: {reason}") }
    }
}

/// How a transaction is signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PostedMode {
    /// Not at all, as wallets ask for the gas.
    Unsigned,
    /// Over its bytes.
    Direct,
    /// Over a JSON document of it.
    AminoJson,
    /// Over the same document as a personal message of an Ethereum wallet.
    Personal,
    /// Over the Ethereum transaction that it was made of.
    Ethereum,
}

/// A transaction of one signer, read from its bytes.
#[derive(Clone, Debug)]
pub struct PostedTx {
    raw: Vec<u8>,
    hash: TxHash,
    json: String,
    parts: TxRaw,
    key: Option<PublicKey>,
    mode: PostedMode,
    sequence: u64,
    fee: Vec<Coin>,
    gas: u64,
    memo: String,
    timeout_height: u64,
    messages: Vec<PostedMessage>,
    /// The messages as REST has them, for the signed document.
    written: Vec<Value>,
}

impl PartialEq for PostedTx {
    fn eq(&self, other: &Self) -> bool {
        self.raw == other.raw
    }
}

impl Eq for PostedTx {}

/// The part of REST's JSON that is read.
#[derive(Deserialize)]
struct TxJson {
    body: BodyJson,
    auth_info: AuthJson,
}

#[derive(Deserialize)]
struct BodyJson {
    messages: Vec<Value>,
    memo: String,
    timeout_height: String,
    extension_options: Vec<Value>,
}

#[derive(Deserialize)]
struct AuthJson {
    signer_infos: Vec<SignerJson>,
    fee: Option<FeeJson>,
}

#[derive(Deserialize)]
struct SignerJson {
    public_key: Value,
    mode_info: Value,
    sequence: String,
}

#[derive(Default, Deserialize)]
struct FeeJson {
    amount: Vec<PostedCoin>,
    gas_limit: String,
    payer: String,
    granter: String,
}

impl PostedTx {
    /// Reads a raw transaction, or says as a node does why it is none that can be taken.
    pub fn read(raw: &[u8]) -> Result<Self, TxRefusal> {
        if raw.len() > LARGEST {
            return Err(TxRefusal::sdk(21, format!("{} bytes, the most are {LARGEST}", raw.len())));
        }
        let broken = |error: &dyn std::fmt::Display| TxRefusal::sdk(2, error);
        let parts = TxRaw::read(raw).map_err(|error| broken(&error))?;
        let json = proto::decode_tx(raw).map_err(|error| broken(&error))?;
        let TxJson { body, auth_info } = serde_json::from_str(&json).map_err(|error| broken(&error))?;
        if !body.extension_options.is_empty() {
            return Err(TxRefusal::sdk(31, "this node knows none"));
        }
        if body.messages.is_empty() {
            return Err(TxRefusal::sdk(18, "must contain at least one message"));
        }
        let number = |text: &str| text.parse::<u64>().map_err(|error| broken(&error));
        let fee = auth_info.fee.unwrap_or_default();
        if !fee.payer.is_empty() || !fee.granter.is_empty() {
            return Err(TxRefusal::sdk(37, "this simulated chain lets nobody but the signer pay"));
        }
        let [signer] = &auth_info.signer_infos[..] else { return Err(one_signer(auth_info.signer_infos.len())) };
        if parts.signatures.len() != 1 {
            return Err(one_signer(parts.signatures.len()));
        }
        let messages = body.messages.iter().map(PostedMessage::read).collect::<Result<Vec<_>, _>>()?;
        Ok(Self {
            hash: proto::tx_hash(raw),
            raw: raw.to_vec(),
            parts,
            key: key(&signer.public_key)?,
            mode: mode(&signer.mode_info)?,
            sequence: number(&signer.sequence)?,
            fee: coins(fee.amount)?,
            gas: if fee.gas_limit.is_empty() { 0 } else { number(&fee.gas_limit)? },
            memo: body.memo,
            timeout_height: number(&body.timeout_height)?,
            messages,
            written: body.messages,
            json,
        })
    }

    /// The bytes.
    pub fn raw(&self) -> &[u8] {
        &self.raw
    }

    /// SHA-256 of the bytes.
    pub fn hash(&self) -> TxHash {
        self.hash
    }

    /// As a node's REST serves it.
    pub fn json(&self) -> &str {
        &self.json
    }

    /// What it asks for; never empty.
    pub fn messages(&self) -> &[PostedMessage] {
        &self.messages
    }

    /// The messages as REST has them.
    pub fn written(&self) -> &[Value] {
        &self.written
    }

    /// Who must have signed it, by its messages: as its chain writes addresses.
    pub fn signer(&self) -> &str {
        self.messages.first().map_or("", PostedMessage::signer)
    }

    /// The declared fee.
    pub fn fee(&self) -> &[Coin] {
        &self.fee
    }

    /// The most gas that it may use.
    pub fn gas(&self) -> u64 {
        self.gas
    }

    /// The number that it was signed for.
    pub fn sequence(&self) -> u64 {
        self.sequence
    }

    /// Whether an Ethereum wallet signed it as a transaction of Ethereum's own.
    pub fn is_ethereum(&self) -> bool {
        self.mode == PostedMode::Ethereum
    }

    /// The signature in base64, as events have it.
    pub fn signature(&self) -> String {
        self.parts.signatures.first().map(|bytes| BASE64_STANDARD.encode(bytes)).unwrap_or_default()
    }

    /// The types of its messages, in order.
    pub fn message_types(&self) -> Vec<MsgType> {
        let kind = |message: &Value| MsgType::new(message["@type"].as_str().unwrap_or_default());
        self.written.iter().map(kind).collect()
    }
}

/// In a journal it is its bytes.
impl Serialize for PostedTx {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&BASE64_STANDARD.encode(&self.raw))
    }
}

impl<'de> Deserialize<'de> for PostedTx {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let raw = BASE64_STANDARD.decode(text).map_err(de::Error::custom)?;
        Self::read(&raw).map_err(de::Error::custom)
    }
}

fn one_signer(count: usize) -> TxRefusal {
    match count {
        0 => TxRefusal::sdk(15, "invalid number of signatures"),
        _ => TxRefusal::sdk(37, "this simulated chain takes transactions of one signer alone"),
    }
}

/// The key that the transaction carries; a chain that knows the account's key does not need it.
fn key(json: &Value) -> Result<Option<PublicKey>, TxRefusal> {
    if json.is_null() {
        return Ok(None);
    }
    match proto::public_key(json) {
        Some(key @ (PublicKey::Secp256k1(_) | PublicKey::EthSecp256k1(_))) => Ok(Some(key)),
        _ => Err(TxRefusal::sdk(8, "keys of this simulated chain are of secp256k1, in Cosmos' or Ethereum's form")),
    }
}

fn mode(json: &Value) -> Result<PostedMode, TxRefusal> {
    let mode = json.pointer("/single/mode").unwrap_or(&Value::Null);
    if mode.as_u64() == Some(ethereum::SIGN_MODE) {
        return Ok(PostedMode::Ethereum);
    }
    match mode.as_str().unwrap_or_default() {
        "SIGN_MODE_DIRECT" => Ok(PostedMode::Direct),
        "SIGN_MODE_LEGACY_AMINO_JSON" => Ok(PostedMode::AminoJson),
        "SIGN_MODE_EIP_191" => Ok(PostedMode::Personal),
        "SIGN_MODE_UNSPECIFIED" => Ok(PostedMode::Unsigned),
        _ => Err(TxRefusal::sdk(37, "this simulated chain verifies the sign modes 1, 127, 191 and 9999 alone")),
    }
}

fn coins(written: Vec<PostedCoin>) -> Result<Vec<Coin>, TxRefusal> {
    written.into_iter().map(|coin| coin.read()).collect()
}

impl PostedCoin {
    /// The amount, which must be a whole number.
    fn read(&self) -> Result<Coin, TxRefusal> {
        let amount: Option<Amount> = self.amount.parse().ok().filter(|_| Denom::is_fit(&self.denom));
        let invalid = || TxRefusal::sdk(2, format!("invalid coin {}{}", self.amount, self.denom));
        Ok(Coin { denom: Denom::new(self.denom.as_str()), amount: amount.ok_or_else(invalid)? })
    }
}
