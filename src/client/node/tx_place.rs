//! Height of a transaction by its hash, from a node's own indexes.

use alloy_primitives::hex;
use serde_json::json;

use super::{NodeClient, NodeError};
use crate::{
    domain::{Height, Vm},
    wire::node::{EvmTxPlace, RpcTxPlace},
};

/// Place of a transaction in a node's indexes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TxPlace {
    Block(Height),
    /// Every index that lists such a hash lacks it.
    Absent,
    /// An index that could have the hash is off, missing or did not answer.
    Unknown,
}

impl NodeClient {
    /// Asks the node for the block of a transaction, by its Cosmos or EVM hash.
    pub async fn tx_place(&self, hash: [u8; 32]) -> TxPlace {
        let (cosmos, evm) = tokio::join!(self.cosmos_place(hash), self.evm_place(hash));
        match (cosmos, evm) {
            (TxPlace::Block(height), _) | (_, TxPlace::Block(height)) => TxPlace::Block(height),
            (TxPlace::Absent, TxPlace::Absent) => TxPlace::Absent,
            _ => TxPlace::Unknown,
        }
    }

    async fn cosmos_place(&self, hash: [u8; 32]) -> TxPlace {
        match self.rpc::<RpcTxPlace>(format!("/tx?hash=0x{}", hex::encode_upper(hash))).await {
            Ok(tx) => TxPlace::Block(tx.height),
            Err(NodeError::UnknownTx) => TxPlace::Absent,
            Err(_) => TxPlace::Unknown,
        }
    }

    async fn evm_place(&self, hash: [u8; 32]) -> TxPlace {
        if self.vm() != Vm::Evm {
            return TxPlace::Absent;
        }
        let params = vec![json!(hex::encode_prefixed(hash))];
        match self.json_rpc::<EvmTxPlace>("eth_getTransactionByHash", params).await {
            Ok(Some(tx)) => tx.height().map_or(TxPlace::Unknown, TxPlace::Block),
            Ok(None) => TxPlace::Absent,
            Err(_) => TxPlace::Unknown,
        }
    }
}
