//! What a rollup's own node answers over its three interfaces (`docs/apis/node.md`), each as it is on the wire.
//!
//! Texts and raw parts stay as they were sent; reading them as values of the field is the business of whoever makes
//! records of them.

mod block;
mod json_rpc;
mod lenient;
mod rest;
mod rpc;
mod signing;
mod state;

pub use block::{BlockAnswers, NodeTx, NodeTxHead, SignerInfo, TxAuthInfo, TxBodyHead, TxFee};
pub use json_rpc::{
    BlockTrace, CallFrame, EvmBlockHead, EvmFullBlock, EvmReceiptAnswer, EvmReceiptStatus, EvmSentTx, JsonRpcAnswer,
    JsonRpcCall, ReceiptLogAnswer, read_batch,
};
pub use rest::{
    AccountsAnswer, BalancesAnswer, BlockTxsAnswer, EvmCallAnswer, GrpcError, LatestBlockAnswer, NodeInfoAnswer,
    OpchildValidator, RestPagination, ValidatorsAnswer,
};
pub use rpc::{
    AbciAnswer, AbciQueryAnswer, BlockHeader, BlockId, BlockMeta, BlockResultsAnswer, BlockchainAnswer, NodeAttribute,
    NodeEvent, NodeStatusAnswer, NodeSyncInfo, NodeTxResult, RpcAnswer, RpcBlockAnswer, RpcError, RpcRefusal,
};
pub use signing::{
    AccountInfo, AccountInfoAnswer, BroadcastAnswer, BroadcastBody, BroadcastResponse, GasInfo, GasPriceAnswer,
    GasPricesAnswer, NodeConfigAnswer, SimulateAnswer, SimulateBody,
};
pub use state::{BankUnit, ContractUnit, NodeBalances, NodeBridge, NodeNames, NodeUnits, TokenAnswer, TokenBalance};
