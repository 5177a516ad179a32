//! Responses of a node about one block, combined.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::{BlockHeader, BlockResultsAnswer, lenient};
use crate::{
    domain::BlockHash,
    wire::{WireCoin, tx::RawJson},
};

#[derive(Clone, Debug)]
pub struct BlockAnswers {
    pub hash: BlockHash,
    pub header: BlockHeader,
    /// Raw transactions, in block order.
    pub raw_txs: Vec<Vec<u8>>,
    /// Transactions in block order; `None` if neither REST nor rollscope can decode one.
    pub txs: Vec<Option<NodeTx>>,
    pub results: BlockResultsAnswer,
}

/// Transaction as proto JSON; its parts stay as received.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodeTx {
    pub body: RawJson,
    pub auth_info: RawJson,
    /// Base64 signatures, one per signer.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub signatures: Vec<String>,
}

#[derive(Debug)]
pub struct NodeTxHead<'a> {
    pub body: TxBodyHead<'a>,
    pub auth_info: TxAuthInfo,
}

#[derive(Debug, Deserialize)]
pub struct TxBodyHead<'a> {
    #[serde(borrow, default)]
    pub messages: Vec<MessageType<'a>>,
}

#[derive(Debug, Deserialize)]
pub struct MessageType<'a> {
    /// Type URL, such as `/cosmos.bank.v1beta1.MsgSend`.
    #[serde(rename = "@type", borrow, default)]
    pub type_url: Cow<'a, str>,
}

#[derive(Clone, Debug, Default, Deserialize)]
pub struct TxAuthInfo {
    /// Signers, in signing order.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub signer_infos: Vec<SignerInfo>,
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub fee: TxFee,
}

#[derive(Clone, Debug, Default, Deserialize)]
pub struct SignerInfo {
    /// Public key as JSON; null if the chain already knows the key.
    #[serde(default)]
    pub public_key: Option<RawJson>,
}

#[derive(Clone, Debug, Default, Deserialize)]
pub struct TxFee {
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub amount: Vec<WireCoin>,
}

impl NodeTx {
    /// Parses the fields that records need.
    pub fn head(&self) -> Result<NodeTxHead<'_>, serde_json::Error> {
        Ok(NodeTxHead {
            body: serde_json::from_str(self.body.get())?,
            auth_info: serde_json::from_str(self.auth_info.get())?,
        })
    }
}
