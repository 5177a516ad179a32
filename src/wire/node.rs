//! Responses of a rollup's own node on its three interfaces (`docs/apis/node.md`), as on the wire.
//!
//! Texts and raw parts stay unparsed here; the indexer parses them when it makes records.

mod block;
mod consensus;
mod contract;
mod json_rpc;
mod lenient;
mod rest;
mod rpc;
mod signing;
mod state;

pub use block::{BlockAnswers, NodeTx, NodeTxHead, SignerInfo, TxAuthInfo, TxBodyHead, TxFee};
pub use consensus::{
    BlockCommit, CommitSignature, ConsensusBlockId, ConsensusHeader, ConsensusKey, ConsensusValidator,
    ConsensusVersion, HexBytes, PartSetHeader,
};
pub use contract::{ContractFacts, ContractToken, ContractTokenKind, NodeCode, NodeContract};
pub use json_rpc::{
    BlockTrace, CallFrame, EvmBlockHead, EvmFullBlock, EvmReceiptAnswer, EvmReceiptStatus, EvmSentTx, EvmTxPlace,
    JsonRpcAnswer, JsonRpcCall, ReceiptLogAnswer, read_batch,
};
pub use rest::{
    AccountsAnswer, BalancesAnswer, BlockTxsAnswer, EvmCallAnswer, EvmCodeAnswer, EvmContractAnswer, EvmStateAnswer,
    GrpcError, LatestBlockAnswer, NodeInfoAnswer, OpchildValidator, RestPagination, SearchedTxs, TxSearchAnswer,
    ValidatorsAnswer, WasmCodeAnswer, WasmContractAnswer, WasmContractInfo, WasmCreation,
};
pub use rpc::{
    AbciAnswer, AbciQueryAnswer, BlockHeader, BlockId, BlockMeta, BlockResultsAnswer, BlockchainAnswer, NodeAttribute,
    NodeEvent, NodeStatusAnswer, NodeSyncInfo, NodeTxResult, RpcAnswer, RpcBlockAnswer, RpcError, RpcRefusal,
    RpcTxPlace,
};
pub use signing::{
    AccountInfo, AccountInfoAnswer, BroadcastAnswer, BroadcastBody, BroadcastResponse, GasInfo, GasPriceAnswer,
    GasPricesAnswer, NodeConfigAnswer, OpchildParams, OpchildParamsAnswer, SimulateAnswer, SimulateBody,
};
pub use state::{
    DenomClaim, DenomFact, DenomFacts, DenomReport, DenomReports, NodeBalances, NodeBridge, NodeNames, TokenAnswer,
    TokenBalance, UnitReporter,
};
