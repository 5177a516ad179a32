//! Signed transactions that clients post to a node. The node parses their bytes and checks them like the Cosmos SDK's
//! `CheckTx`.

mod checks;
mod document;
mod ethereum;
mod message;
mod signature;

use std::hash::{Hash, Hasher};

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

/// Maximum bytes of a transaction.
const LARGEST: usize = 1 << 20;

/// Why a node rejects a transaction. The signer pays nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{log}")]
pub struct TxRefusal {
    pub codespace: &'static str,
    /// Error code within `codespace`.
    pub code: u32,
    pub log: String,
}

impl TxRefusal {
    /// Returns an SDK error. Its log ends with the registered name of the error.
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

    /// Returns an SDK error with a log that another module words.
    pub(in crate::demo) const fn worded(code: u32, log: String) -> Self {
        Self { codespace: "sdk", code, log }
    }

    /// Returns an error of the L1's bridge module about the first message.
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

    /// Moves the failure to the message at this place of the transaction.
    pub(in crate::demo) fn of_message(self, place: usize) -> Self {
        Self { log: self.log.replacen("message index: 0", &format!("message index: {place}"), 1), ..self }
    }
}

/// Content that a transaction's signature covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PostedMode {
    /// Nothing: the transaction has no signature, as in a wallet's gas estimate.
    Unsigned,
    /// The bytes of the transaction.
    Direct,
    /// The transaction's amino JSON document.
    AminoJson,
    /// The transaction's amino JSON document, as an Ethereum personal message.
    Personal,
    /// The Ethereum transaction from which a node built this transaction.
    Ethereum,
}

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
    /// Messages as REST's JSON, for the sign document.
    written: Vec<Value>,
}

impl PartialEq for PostedTx {
    fn eq(&self, other: &Self) -> bool {
        self.raw == other.raw
    }
}

impl Eq for PostedTx {}

impl Hash for PostedTx {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.raw.hash(state);
    }
}

/// Part of a transaction's JSON that the checks need.
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
    /// Parses a raw transaction, or rejects it in the words of a node.
    pub fn read(raw: &[u8]) -> Result<Self, TxRefusal> {
        if raw.len() > LARGEST {
            return Err(TxRefusal::sdk(21, format!("{} bytes; the maximum is {LARGEST}", raw.len())));
        }
        let broken = |error: &dyn std::fmt::Display| TxRefusal::sdk(2, error);
        let parts = TxRaw::read(raw).map_err(|error| broken(&error))?;
        let json = proto::decode_tx(raw).map_err(|error| broken(&error))?;
        let TxJson { body, auth_info } = serde_json::from_str(&json).map_err(|error| broken(&error))?;
        if !body.extension_options.is_empty() {
            return Err(TxRefusal::sdk(31, "this node supports none"));
        }
        if body.messages.is_empty() {
            return Err(TxRefusal::sdk(18, "must contain at least one message"));
        }
        let number = |text: &str| text.parse::<u64>().map_err(|error| broken(&error));
        let fee = auth_info.fee.unwrap_or_default();
        if !fee.payer.is_empty() || !fee.granter.is_empty() {
            return Err(TxRefusal::sdk(37, "this simulated chain lets only the signer pay"));
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

    pub fn raw(&self) -> &[u8] {
        &self.raw
    }

    /// Returns the SHA-256 of the transaction's bytes.
    pub fn hash(&self) -> TxHash {
        self.hash
    }

    /// Returns the transaction as REST's JSON.
    pub fn json(&self) -> &str {
        &self.json
    }

    /// Returns the messages; there is at least one.
    pub fn messages(&self) -> &[PostedMessage] {
        &self.messages
    }

    /// Returns recipient and coin of each message, if there are several, all payments of one coin by the signer.
    pub fn payments(&self) -> Option<Vec<(&str, &Coin)>> {
        let mut payments = Vec::new();
        for message in self.messages() {
            match message {
                PostedMessage::Send { from, to, coins } if from == self.signer() => match &coins[..] {
                    [coin] => payments.push((to.as_str(), coin)),
                    _ => return None,
                },
                _ => return None,
            }
        }
        (payments.len() > 1).then_some(payments)
    }

    /// Returns the claims of withdrawals; `None` for other messages.
    pub fn claims(&self) -> Option<Vec<&TokenClaim>> {
        let mut claims = Vec::new();
        for message in self.messages() {
            match message {
                PostedMessage::Claim(claim) if claim.sender == self.signer() => claims.push(&**claim),
                _ => return None,
            }
        }
        Some(claims)
    }

    /// Returns the messages as REST's JSON.
    pub fn written(&self) -> &[Value] {
        &self.written
    }

    /// Returns the address that must sign, in the chain's format.
    pub fn signer(&self) -> &str {
        self.messages.first().map_or("", PostedMessage::signer)
    }

    pub fn fee(&self) -> &[Coin] {
        &self.fee
    }

    pub fn gas(&self) -> u64 {
        self.gas
    }

    pub fn sequence(&self) -> u64 {
        self.sequence
    }

    /// Whether an Ethereum wallet signed the transaction as an Ethereum transaction.
    pub fn is_ethereum(&self) -> bool {
        self.mode == PostedMode::Ethereum
    }

    /// Returns the signature in base64, as events contain it.
    pub fn signature(&self) -> String {
        self.parts.signatures.first().map(|bytes| BASE64_STANDARD.encode(bytes)).unwrap_or_default()
    }

    pub fn message_types(&self) -> Vec<MsgType> {
        let kind = |message: &Value| MsgType::new(message["@type"].as_str().unwrap_or_default());
        self.written.iter().map(kind).collect()
    }
}

/// A journal contains the raw bytes of a transaction.
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
        _ => TxRefusal::sdk(37, "this simulated chain accepts only transactions of one signer"),
    }
}

/// Returns the public key in the transaction, which may be missing if the chain knows the key.
fn key(json: &Value) -> Result<Option<PublicKey>, TxRefusal> {
    if json.is_null() {
        return Ok(None);
    }
    match proto::public_key(json) {
        Some(key @ (PublicKey::Secp256k1(_) | PublicKey::EthSecp256k1(_))) => Ok(Some(key)),
        _ => Err(TxRefusal::sdk(8, "this simulated chain accepts only secp256k1 keys, of Cosmos or Ethereum form")),
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
        _ => Err(TxRefusal::sdk(37, "this simulated chain verifies only the sign modes 1, 127, 191 and 9999")),
    }
}

fn coins(written: Vec<PostedCoin>) -> Result<Vec<Coin>, TxRefusal> {
    written.into_iter().map(|coin| coin.read()).collect()
}

impl PostedCoin {
    /// Parses a coin, whose amount must be an integer.
    fn read(&self) -> Result<Coin, TxRefusal> {
        let amount: Option<Amount> = self.amount.parse().ok().filter(|_| Denom::is_fit(&self.denom));
        let invalid = || TxRefusal::sdk(2, format!("invalid coin {}{}", self.amount, self.denom));
        Ok(Coin { denom: Denom::new(self.denom.as_str()), amount: amount.ok_or_else(invalid)? })
    }
}
