use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::{Fee, Operation, SignedOpHook, Warning, lenient};
use crate::{
    domain::{Amount, ChainId, Denom},
    wire::RawJson,
};

/// The body of `POST /v2/fungible/msgs`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MsgsRequest {
    /// From the route.
    pub amount_in: Amount,
    /// From the route.
    pub amount_out: Amount,
    /// From the route.
    pub source_asset_chain_id: ChainId,
    /// From the route.
    pub source_asset_denom: Denom,
    /// From the route.
    pub dest_asset_chain_id: ChainId,
    /// From the route.
    pub dest_asset_denom: Denom,
    /// One for each of the route's `required_chain_addresses`, in that order.
    pub address_list: Vec<String>,
    /// From the route, verbatim.
    pub operations: Vec<Operation>,
    /// Percent as decimal text.
    #[serde(default, deserialize_with = "lenient::text")]
    pub slippage_tolerance_percent: String,
    /// The quote; not in the specification.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "lenient::option")]
    pub estimated_amount_out: Option<Amount>,
    /// With a route that requires one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signed_op_hook: Option<SignedOpHook>,
}

/// The answer of `POST /v2/fungible/msgs`.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(from = "Received")]
pub struct MsgsResponse {
    /// What is to be signed, in order; where a server only has the older form, that.
    pub txs: Vec<RouterTx>,
    /// The same in an older form, one transaction for each entry; clients read `txs`.
    pub msgs: Vec<RawJson>,
    /// The least that arrives.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_amount_out: Option<Amount>,
    /// Fees, as far as they are listed.
    pub estimated_fees: Vec<Fee>,
    /// Something that the sender should know.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub warning: Option<Warning>,
}

/// The answer as it comes.
#[derive(Deserialize)]
struct Received {
    #[serde(default, deserialize_with = "lenient::list")]
    txs: Vec<RouterTx>,
    #[serde(default, deserialize_with = "lenient::list")]
    msgs: Vec<RawJson>,
    #[serde(default, deserialize_with = "lenient::option")]
    min_amount_out: Option<Amount>,
    #[serde(default, deserialize_with = "lenient::list")]
    estimated_fees: Vec<Fee>,
    #[serde(default, deserialize_with = "lenient::object")]
    warning: Option<Warning>,
}

impl From<Received> for MsgsResponse {
    fn from(received: Received) -> Self {
        let Received { mut txs, msgs, min_amount_out, estimated_fees, warning } = received;
        if txs.is_empty() {
            // All or none: what cannot be read would be missing from what is signed.
            let read: Result<Vec<RouterTx>, _> = msgs.iter().cloned().map(RouterTx::from_json).collect();
            txs = read.unwrap_or_default();
        }
        Self { txs, msgs, min_amount_out, estimated_fees, warning }
    }
}

/// A transaction to be signed (`docs/apis/router.md` §3.2).
#[derive(Clone, Debug)]
pub struct RouterTx {
    /// The whole object as received.
    pub raw: RawJson,
    /// What it is.
    pub kind: RouterTxKind,
    /// Which operations of the route it performs.
    pub operations_indices: Vec<u32>,
}

/// The form of a transaction to be signed.
#[derive(Clone, Debug)]
pub enum RouterTxKind {
    /// For a Cosmos chain.
    Cosmos {
        /// Where.
        chain_id: ChainId,
        /// The chains it reaches.
        path: Vec<ChainId>,
        /// What it does.
        msgs: Vec<CosmosMessage>,
        /// Who signs.
        signer_address: String,
    },
    /// For an EVM chain.
    Evm {
        /// Where.
        chain_id: ChainId,
        /// The contract that is called.
        to: String,
        /// Wei as decimal text; may be empty.
        value: String,
        /// Call data, hexadecimal without `0x`.
        data: String,
        /// What must be approved before.
        approvals: Vec<Erc20Approval>,
        /// Who signs.
        signer_address: String,
    },
    /// For Solana.
    Svm {
        /// Where.
        chain_id: ChainId,
        /// The transaction, base64.
        tx: String,
        /// Who signs.
        signer_address: String,
    },
    /// A form that this version does not know, by its key.
    Other(String),
}

/// A message of a Cosmos transaction.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CosmosMessage {
    /// JSON in a string.
    #[serde(default, deserialize_with = "lenient::text")]
    pub msg: String,
    /// Its type, with a slash before it.
    #[serde(default, deserialize_with = "lenient::text")]
    pub msg_type_url: String,
}

/// An allowance that must be given before an EVM transaction, on the signer's own chain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Erc20Approval {
    /// Of which token.
    #[serde(default, deserialize_with = "lenient::text")]
    pub token_contract: String,
    /// For whom.
    #[serde(default, deserialize_with = "lenient::text")]
    pub spender: String,
    /// At least so much, in the smallest unit.
    #[serde(default, deserialize_with = "lenient::text")]
    pub amount: String,
}

impl RouterTx {
    /// Reads a transaction from its JSON.
    pub fn from_json(raw: RawJson) -> Result<Self, serde_json::Error> {
        #[derive(Deserialize)]
        struct Head {
            #[serde(default, deserialize_with = "lenient::list")]
            operations_indices: Vec<u32>,
        }
        let is_known = |name: &str| RouterTxKind::KNOWN.contains(&name);
        let (name, inner) = lenient::kind(raw.get(), &[], is_known)?.unwrap_or_else(|| (String::new(), "{}"));
        let operations_indices = match serde_json::from_str::<Head>(raw.get()) {
            Err(_) if !is_known(&name) => Vec::new(),
            head => head?.operations_indices,
        };
        let kind = RouterTxKind::read(&name, inner)?;
        Ok(Self { raw, kind, operations_indices })
    }

    /// Where it is signed and broadcast.
    pub fn chain_id(&self) -> Option<&ChainId> {
        match &self.kind {
            RouterTxKind::Cosmos { chain_id, .. }
            | RouterTxKind::Evm { chain_id, .. }
            | RouterTxKind::Svm { chain_id, .. } => Some(chain_id),
            RouterTxKind::Other(_) => None,
        }
    }
}

impl RouterTxKind {
    const KNOWN: [&str; 4] = ["cosmos_tx", "evm_tx", "svm_tx", Self::OLD_COSMOS];

    /// The older form of a Cosmos transaction, with one message in the place of several and no signer.
    const OLD_COSMOS: &str = "multi_chain_msg";

    fn read(name: &str, inner: &str) -> Result<Self, serde_json::Error> {
        #[derive(Deserialize)]
        struct Inner {
            #[serde(default, deserialize_with = "lenient::text")]
            chain_id: String,
            #[serde(default, deserialize_with = "lenient::list")]
            path: Vec<ChainId>,
            #[serde(default, deserialize_with = "lenient::list")]
            msgs: Vec<CosmosMessage>,
            #[serde(default, deserialize_with = "lenient::text")]
            msg: String,
            #[serde(default, deserialize_with = "lenient::text")]
            msg_type_url: String,
            #[serde(default, deserialize_with = "lenient::text")]
            to: String,
            #[serde(default, deserialize_with = "lenient::text")]
            value: String,
            #[serde(default, deserialize_with = "lenient::text")]
            data: String,
            #[serde(default, deserialize_with = "lenient::list")]
            required_erc20_approvals: Vec<Erc20Approval>,
            #[serde(default, deserialize_with = "lenient::text")]
            tx: String,
            #[serde(default, deserialize_with = "lenient::text")]
            signer_address: String,
        }
        if !Self::KNOWN.contains(&name) {
            return Ok(Self::Other(name.to_owned()));
        }
        let inner: Inner = serde_json::from_str(inner)?;
        let (chain_id, path, signer_address) = (ChainId::new(inner.chain_id), inner.path, inner.signer_address);
        let Inner { to, value, data, required_erc20_approvals: approvals, tx, msg, msg_type_url, .. } = inner;
        Ok(match name {
            "cosmos_tx" => Self::Cosmos { chain_id, path, msgs: inner.msgs, signer_address },
            Self::OLD_COSMOS => {
                Self::Cosmos { chain_id, path, msgs: vec![CosmosMessage { msg, msg_type_url }], signer_address }
            }
            "evm_tx" => Self::Evm { chain_id, to, value, data, approvals, signer_address },
            _ => Self::Svm { chain_id, tx, signer_address },
        })
    }
}

impl Serialize for RouterTx {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.raw.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for RouterTx {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::from_json(RawJson::deserialize(deserializer)?).map_err(de::Error::custom)
    }
}
