//! Routing API (`docs/apis/router.md`).
//!
//! An optional field may be missing, `null`, `""` or `[]`; all four mean "nothing". Types keep the raw JSON of data
//! that rollscope sends back verbatim (operations) or that may have unknown kinds (hops, transactions).

mod balances;
mod chain_text;
mod demo;
mod fit;
mod hook;
mod hop;
mod info;
mod lenient;
mod msgs;
mod operation;
mod refusal;
mod route;
mod status;
mod track;

pub use balances::{
    BalanceError, BalancesQuery, BalancesRequest, BalancesResponse, ChainBalances, DenomBalance, ReachRequest,
    ReachResponse,
};
pub use demo::{
    Broadcast, BroadcastRequest, DemoFault, DemoInfo, DemoWallet, FaucetGift, FaucetTx, FundRequest, SignRequest,
};
pub use fit::RouteMisfit;
pub use hook::{HookMessage, OpHook, OpHookRequest, SignedOpHook};
pub use hop::{ChainTx, Hop, HopError, HopKind, HopSlot};
pub use info::{Asset, AssetList, AssetsResponse, ChainInfo, ChainKind, ChainsResponse, FeeAsset, GasPriceSteps};
pub use msgs::{CosmosMessage, Erc20Approval, MsgsRequest, MsgsResponse, RouterTx, RouterTxKind};
pub use operation::{Operation, OperationKind};
pub use refusal::Refusal;
pub use route::{Fee, FeeBehavior, Route, RouteRequest, SwapVenue, Warning};
pub use status::{AssetRelease, BlockingTransfer, StatusError, TransferPart, TransferStatus};
pub use track::{SubmitRequest, TrackRequest, TrackResponse};
