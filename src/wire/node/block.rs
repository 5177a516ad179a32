//! What a node says of one block, put together from its answers.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::{BlockHeader, BlockResultsAnswer, lenient};
use crate::{
    domain::BlockHash,
    wire::{WireCoin, tx::RawJson},
};

/// The answers of a node about one block.
#[derive(Clone, Debug)]
pub struct BlockAnswers {
    /// The block's hash.
    pub hash: BlockHash,
    /// Its header.
    pub header: BlockHeader,
    /// The raw transactions in order.
    pub raw_txs: Vec<Vec<u8>>,
    /// The same as REST writes them.
    pub txs: Vec<NodeTx>,
    /// Results and events.
    pub results: BlockResultsAnswer,
}

/// A transaction in proto JSON; its parts stay as they were sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodeTx {
    /// Messages, memo, timeout.
    pub body: RawJson,
    /// Keys and fee.
    pub auth_info: RawJson,
    /// In base64, one for each signer.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub signatures: Vec<String>,
}

/// What is read of a transaction's parts.
#[derive(Debug)]
pub struct NodeTxHead<'a> {
    /// Of the body.
    pub body: TxBodyHead<'a>,
    /// Keys and fee.
    pub auth_info: TxAuthInfo,
}

/// What is read of a transaction's body.
#[derive(Debug, Deserialize)]
pub struct TxBodyHead<'a> {
    /// The types of its messages.
    #[serde(borrow, default)]
    pub messages: Vec<MessageType<'a>>,
}

/// The type of a message.
#[derive(Debug, Deserialize)]
pub struct MessageType<'a> {
    /// With its leading slash.
    #[serde(rename = "@type", borrow, default)]
    pub type_url: Cow<'a, str>,
}

/// Who signs a transaction, and what is offered for it.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct TxAuthInfo {
    /// The signers in order.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub signer_infos: Vec<SignerInfo>,
    /// What is offered.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub fee: TxFee,
}

/// One signer.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct SignerInfo {
    /// The key as JSON; null where the chain knows it already.
    #[serde(default)]
    pub public_key: Option<RawJson>,
}

/// What is offered for a transaction.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct TxFee {
    /// Coins.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub amount: Vec<WireCoin>,
}

impl NodeTx {
    /// What records need of it.
    pub fn head(&self) -> Result<NodeTxHead<'_>, serde_json::Error> {
        Ok(NodeTxHead {
            body: serde_json::from_str(self.body.get())?,
            auth_info: serde_json::from_str(self.auth_info.get())?,
        })
    }
}
