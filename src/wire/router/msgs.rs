use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::{Fee, Operation, SignedOpHook, Warning, lenient};
use crate::{
    domain::{Amount, ChainId, Denom, text::Foreign},
    wire::RawJson,
};

/// Body of `POST /v2/fungible/msgs`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MsgsRequest {
    pub amount_in: Amount,
    pub amount_out: Amount,
    pub source_asset_chain_id: ChainId,
    pub source_asset_denom: Denom,
    pub dest_asset_chain_id: ChainId,
    pub dest_asset_denom: Denom,
    /// Addresses, one per entry of the route's `required_chain_addresses`, in that order.
    pub address_list: Vec<String>,
    /// Operations of the route, verbatim.
    pub operations: Vec<Operation>,
    /// Maximum slippage in percent, as decimal text.
    #[serde(default, deserialize_with = "lenient::text")]
    pub slippage_tolerance_percent: String,
    /// Quoted output in the smallest unit; the specification lacks this field.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "lenient::option")]
    pub estimated_amount_out: Option<Amount>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signed_op_hook: Option<SignedOpHook>,
}

/// Response of `POST /v2/fungible/msgs`.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(from = "Received")]
pub struct MsgsResponse {
    /// Transactions to sign, in order; built from `msgs` if the server sends only those.
    pub txs: Vec<RouterTx>,
    /// Older format of `txs`, one transaction per entry; clients read `txs`.
    pub msgs: Vec<RawJson>,
    /// Minimum amount received, in the smallest unit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_amount_out: Option<Amount>,
    pub estimated_fees: Vec<Fee>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub warning: Option<Warning>,
}

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
            // Fail on any unreadable transaction: never skip a transaction silently.
            let read: Result<Vec<RouterTx>, _> = msgs.iter().cloned().map(RouterTx::from_json).collect();
            txs = read.unwrap_or_default();
        }
        Self { txs, msgs, min_amount_out, estimated_fees, warning }
    }
}

/// Transaction to sign (`docs/apis/router.md` §3.2).
#[derive(Clone, Debug)]
pub struct RouterTx {
    /// Whole JSON object as received.
    pub raw: RawJson,
    pub kind: RouterTxKind,
    /// Indices of the route's operations that this transaction performs.
    pub operations_indices: Vec<u32>,
}

#[derive(Clone, Debug)]
pub enum RouterTxKind {
    Cosmos {
        chain_id: ChainId,
        path: Vec<ChainId>,
        msgs: Vec<CosmosMessage>,
        signer_address: Foreign,
    },
    Evm {
        chain_id: ChainId,
        to: Foreign,
        /// Transferred wei, as decimal text; may be empty.
        value: Foreign,
        /// Call data in hex, without `0x`.
        data: Foreign,
        approvals: Vec<Erc20Approval>,
        signer_address: Foreign,
    },
    Svm {
        chain_id: ChainId,
        /// Transaction in base64.
        tx: Foreign,
        signer_address: Foreign,
    },
    /// Unknown kind, with its JSON key.
    Other(Foreign),
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CosmosMessage {
    /// JSON of the message, as text.
    #[serde(default, deserialize_with = "lenient::foreign")]
    pub msg: Foreign,
    #[serde(default, deserialize_with = "lenient::foreign")]
    pub msg_type_url: Foreign,
}

/// Allowance that an EVM transaction requires; the token is on the signing chain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Erc20Approval {
    #[serde(default, deserialize_with = "lenient::foreign")]
    pub token_contract: Foreign,
    #[serde(default, deserialize_with = "lenient::foreign")]
    pub spender: Foreign,
    /// Minimum allowance, in the token's smallest unit.
    #[serde(default, deserialize_with = "lenient::foreign")]
    pub amount: Foreign,
}

impl RouterTx {
    /// Parses a transaction from its JSON.
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

    /// Returns the chain that signs and executes the transaction; `None` for an unknown kind.
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

    /// JSON key of the older format of a Cosmos transaction: one message and no signer.
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
            #[serde(default, deserialize_with = "lenient::foreign")]
            msg: Foreign,
            #[serde(default, deserialize_with = "lenient::foreign")]
            msg_type_url: Foreign,
            #[serde(default, deserialize_with = "lenient::foreign")]
            to: Foreign,
            #[serde(default, deserialize_with = "lenient::foreign")]
            value: Foreign,
            #[serde(default, deserialize_with = "lenient::foreign")]
            data: Foreign,
            #[serde(default, deserialize_with = "lenient::list")]
            required_erc20_approvals: Vec<Erc20Approval>,
            #[serde(default, deserialize_with = "lenient::foreign")]
            tx: Foreign,
            #[serde(default, deserialize_with = "lenient::foreign")]
            signer_address: Foreign,
        }
        if !Self::KNOWN.contains(&name) {
            return Ok(Self::Other(Foreign::new(name)));
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
