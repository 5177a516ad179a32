//! Requests with the types of their answers.
//!
//! [`Request`] and [`Answer`] are plain values that tests can script and compare. An [`Ask`] is a request with the type
//! of its answer; only the functions below pair requests and types. To add a request, add a variant to each enum and
//! one function.

use std::{fmt, sync::Arc};

use super::{
    AccountQuestion, CollectionScope, EvmTxScope, InternalTxScope, L1Question, ListPage, Metadata, OpenQuestion,
    PageRequest, PageStart, Picture, SettlementQuestion, TokenQuery, TxQuery,
};
use crate::{
    domain::{
        AccountAt, Address, ChainId, ChainSighting, Denom, EvmTxHash, Height, KeptView, LocalPacket, PersonalEntry,
        RowsFile, Timestamp, TransferRecord, TxHash, WrittenRows,
    },
    signing::{RecordDraft, SimulationQuestion, TxSimulation},
    wire::{
        self, ApiError, Verbatim,
        opinit::{ExecutorWithdrawal, OpenWithdrawals, RollupBridge, SettlementAnswers},
        router::{
            Asset, BalancesRequest, BalancesResponse, Broadcast, BroadcastRequest, ChainInfo, DemoInfo, MsgsRequest,
            MsgsResponse, OpHook, OpHookRequest, ReachRequest, ReachResponse, Route, RouteRequest, SignedOpHook,
            TrackRequest, TrackResponse, TransferStatus,
        },
    },
};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    Status,
    /// Average block time: `/indexer/block/v1/avg_blocktime`.
    AvgBlockTime,
    /// First block of the index.
    OldestBlock,
    Blocks(PageRequest),
    Block(Height),
    Txs(TxQuery, PageRequest),
    Tx(TxHash),
    EvmTxs(EvmTxScope, PageRequest),
    EvmTx(EvmTxHash),
    InternalTxs(InternalTxScope, PageRequest),
    Collections(CollectionScope, PageRequest),
    Collection(Address),
    Tokens(TokenQuery, PageRequest),
    Holders(Denom, PageRequest),
    /// Tokens whose contracts reported a movement: `/indexer/token/v1/contracts`.
    TokenContracts(PageRequest),
    /// Metadata at an NFT's URI.
    Metadata(Arc<str>),
    Picture(Arc<str>),
    /// Chain under which the store keeps this network's recents and transfers.
    Identify(ChainSighting),
    /// Response body, byte for byte, of this indexer request for a single record.
    Body(Box<Request>),
    /// Stored recents of this network.
    Recents,
    /// The user's names, notes and bookmarks on this network.
    Personal,
    /// Stored view of the last session on this network.
    View,
    /// Routable chains: `GET /v2/info/chains` of the router.
    Chains,
    /// Assets of one chain: `GET /v2/fungible/assets` of the router.
    Assets(ChainId),
    /// Best route: `POST /v2/fungible/route`.
    Route(RouteRequest),
    /// Hook to sign: `POST /op-hook`.
    OpHook(OpHookRequest),
    /// Messages to sign: `POST /v2/fungible/msgs`.
    Msgs(Arc<MsgsRequest>),
    /// Registration for tracking: `POST /v2/tx/track`.
    Track(TrackRequest),
    /// New registration of an abandoned transaction: `POST /v2/tx/retry_track`, or `/v2/tx/track` if the router lacks
    /// it.
    TrackAgain(TrackRequest),
    /// Status of a transaction's transfers: `GET /v2/tx/status`.
    TransferStatus(TrackRequest),
    /// Description of the embedded rollup: `GET /demo/v1`.
    DemoInfo,
    /// New active faults of the embedded rollup: `PUT /demo/v1/faults`.
    DemoFaults(Vec<String>),
    /// Signature of a hook by the demo wallet: `POST /demo/v1/sign`.
    DemoSign(Arc<OpHook>),
    /// Broadcast by the demo wallet, stored as a transfer of this time: `POST /demo/v1/broadcast`.
    DemoBroadcast(Arc<BroadcastRequest>, Arc<RecordDraft>, Timestamp),
    /// Balances from the router: `POST /v2/info/balances`.
    RouterBalances(Arc<BalancesRequest>),
    /// Assets reachable from an asset: `POST /v2/fungible/assets_from_source`.
    Reach(ReachRequest),
    /// Claim by the demo wallet: `POST /demo/v1/claim`, with the transaction that started the withdrawal.
    DemoClaim(TrackRequest),
    /// Stage of a withdrawal, from the rollup's executor and the L1.
    Settlement(Arc<SettlementQuestion>),
    /// Page of an account's withdrawals, from the executor at this URL.
    Withdrawals(Arc<str>, Address, PageRequest),
    /// Unclaimed withdrawals to an account, from the executor and the L1.
    OpenWithdrawals(Arc<OpenQuestion>),
    /// Transaction of an L1, from the L1's REST.
    L1Tx(Arc<L1Question>),
    /// Height and sequence number, from the node of a transaction's terms.
    AccountAt(Arc<AccountQuestion>),
    /// What a node says that a transaction would do, before it is signed.
    Simulation(Arc<SimulationQuestion>),
    /// Stored transfers of this network.
    Transfers,
    /// Names of the bridge, tokens and L1 channels, from the rollup's node.
    NodeNames,
    /// OPinit bridge from the rollup's own node.
    BridgeInfo,
    /// Newest transactions that match one of these queries, at most this many per query, from the node's index.
    NodeTxs(Arc<[String]>, u16),
    /// Whether a sent packet is pending, from the rollup's node.
    PendingPacket(LocalPacket),
    /// What the rollup's node says of these denoms: from bank, contracts and modules.
    DenomFacts(Arc<[Denom]>),
    /// What the rollup's node said of these denoms since then; of the denoms without a stored answer, asks the node.
    DenomReports(Arc<[Denom]>, Timestamp),
    /// Balances of an account from the rollup's node: from the bank, and from the contracts of these tokens (`evm/` and
    /// `cw20:`) that the bank does not list.
    Balances(Address, Arc<[Denom]>),
    /// What the account's contract is, from the rollup's node.
    Contract(Address),
    /// What the servers of another network answer.
    Servers(wire::ServerUrls),
    /// Text of a file that the user named; at most 1 MiB.
    File(Arc<str>),
    /// A whole list, from the request for its first page, into a file.
    Export(Box<Request>, Arc<RowsFile>),
}

impl Request {
    pub fn page(&self) -> Option<&PageRequest> {
        match self {
            Self::Blocks(page)
            | Self::Txs(_, page)
            | Self::EvmTxs(_, page)
            | Self::InternalTxs(_, page)
            | Self::Collections(_, page)
            | Self::Tokens(_, page)
            | Self::Holders(_, page)
            | Self::TokenContracts(page)
            | Self::Withdrawals(_, _, page) => Some(page),
            _ => None,
        }
    }

    /// Whether the request is for a list's second or later page.
    pub fn is_further(&self) -> bool {
        self.page().is_some_and(|page| page.cursor != PageStart::Start)
    }
}

#[derive(Clone, Debug, strum::EnumTryAs)]
pub enum Answer {
    Status(Box<wire::Status>),
    /// Mean seconds per block.
    AvgBlockTime(f64),
    /// Oldest block of the index; `None` if the index is empty.
    OldestBlock(Option<Arc<wire::Block>>),
    Blocks(ListPage<Arc<wire::Block>>),
    Block(Arc<wire::Block>),
    Txs(ListPage<Arc<wire::Tx>>),
    Tx(Arc<wire::Tx>),
    EvmTxs(ListPage<Arc<wire::EvmTx>>),
    EvmTx(Arc<wire::EvmTx>),
    InternalTxs(ListPage<Arc<wire::InternalTx>>),
    Collections(ListPage<Arc<wire::Collection>>),
    Collection(Arc<wire::Collection>),
    Tokens(ListPage<Arc<wire::Token>>),
    Holders(ListPage<Arc<wire::Holder>>),
    TokenContracts(ListPage<Arc<wire::TokenContract>>),
    Metadata(Arc<Metadata>),
    Picture(Arc<Picture>),
    /// Stored chain of the network.
    Identified(Identification),
    /// Response body as received.
    Body(Arc<str>),
    /// Recents, newest first.
    Recents(Vec<String>),
    Personal(Vec<PersonalEntry>),
    /// View of the last session; `None` if no view is stored.
    View(Option<KeptView>),
    Chains(Arc<Vec<ChainInfo>>),
    /// Assets of one chain; empty if the router lists no asset.
    Assets(ChainId, Arc<Vec<Asset>>),
    Route(Arc<Verbatim<Route>>),
    /// Hook to sign, with its JSON.
    OpHook(Arc<Verbatim<OpHook>>),
    /// Messages to sign, with their JSON.
    Msgs(Arc<Verbatim<MsgsResponse>>),
    Tracked(TrackResponse),
    /// Status of a transaction's transfers, with its JSON.
    TransferStatus(Arc<Verbatim<TransferStatus>>),
    /// Description of the embedded rollup; `None` from other servers.
    DemoInfo(Option<Arc<DemoInfo>>),
    DemoFaults(Vec<String>),
    RouterBalances(Arc<BalancesResponse>),
    /// Assets reachable from an asset.
    Reach(Arc<ReachResponse>),
    /// Hook signed by the demo wallet.
    SignedHook(SignedOpHook),
    /// Transaction that the demo wallet broadcast; for a claim, the transaction on the L1.
    Broadcast(Broadcast),
    /// Stage of a withdrawal.
    Settlement(Arc<SettlementAnswers>),
    AccountAt(AccountAt),
    Simulation(Arc<TxSimulation>),
    /// Page of withdrawals, newest first.
    Withdrawals(ListPage<Arc<ExecutorWithdrawal>>),
    OpenWithdrawals(Arc<OpenWithdrawals>),
    /// Stored transfers, newest first.
    Transfers(Vec<TransferRecord>),
    /// Names of the bridge, tokens and L1 channels, from the rollup's node.
    NodeNames(Arc<wire::node::NodeNames>),
    /// OPinit bridge of the rollup; `None` without a bridge.
    BridgeInfo(Option<Arc<RollupBridge>>),
    NodeTxs(Arc<wire::node::SearchedTxs>),
    PendingPacket(bool),
    DenomFacts(Arc<wire::node::DenomFacts>),
    /// Reports about at least one of the denoms, not of all where some are stored and some are not.
    DenomReports(Arc<wire::node::DenomReports>),
    Balances(Arc<wire::node::NodeBalances>),
    Contract(Arc<wire::node::ContractFacts>),
    Servers(Arc<wire::ServerReports>),
    File(Arc<str>),
    /// File of a whole list, or the reason why there is none.
    Exported(Result<WrittenRows, String>),
}

/// Identification of the session's stored chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identification {
    /// Whether the network's recents and transfers differ from those read before.
    pub is_news: bool,
    /// Heights whose blocks show whether stored chains with this id are the current chain.
    pub wanted: Vec<Height>,
}

type ReadAnswer<T> = Box<dyn FnOnce(Answer) -> Option<T>>;

/// Request with the type of its answer.
pub struct Ask<T> {
    request: Request,
    read: ReadAnswer<T>,
}

impl<T: 'static> Ask<T> {
    fn new(request: Request, read: impl FnOnce(Answer) -> Option<T> + 'static) -> Self {
        Self { request, read: Box::new(read) }
    }

    pub fn request(&self) -> &Request {
        &self.request
    }

    /// Converts the reply; fails if it answers another request.
    pub fn read(self, reply: Result<Answer, ApiError>) -> Result<T, ApiError> {
        (self.read)(reply?).ok_or_else(|| {
            tracing::error!(request = ?self.request, "the worker answered another request");
            ApiError::of_another_kind()
        })
    }

    /// Converts the answer with `make`.
    pub fn map<R: 'static>(self, make: impl FnOnce(T) -> R + 'static) -> Ask<R> {
        let read = self.read;
        Ask::new(self.request, move |answer| read(answer).map(make))
    }
}

impl<T> fmt::Debug for Ask<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.request.fmt(formatter)
    }
}

pub fn status() -> Ask<Box<wire::Status>> {
    Ask::new(Request::Status, Answer::try_as_status)
}

pub fn avg_block_time() -> Ask<f64> {
    Ask::new(Request::AvgBlockTime, Answer::try_as_avg_block_time)
}

pub fn oldest_block() -> Ask<Option<Arc<wire::Block>>> {
    Ask::new(Request::OldestBlock, Answer::try_as_oldest_block)
}

pub fn blocks(page: PageRequest) -> Ask<ListPage<Arc<wire::Block>>> {
    Ask::new(Request::Blocks(page), Answer::try_as_blocks)
}

pub fn block(height: Height) -> Ask<Arc<wire::Block>> {
    Ask::new(Request::Block(height), Answer::try_as_block)
}

pub fn txs(query: TxQuery, page: PageRequest) -> Ask<ListPage<Arc<wire::Tx>>> {
    Ask::new(Request::Txs(query, page), Answer::try_as_txs)
}

pub fn tx(hash: TxHash) -> Ask<Arc<wire::Tx>> {
    Ask::new(Request::Tx(hash), Answer::try_as_tx)
}

pub fn evm_txs(scope: EvmTxScope, page: PageRequest) -> Ask<ListPage<Arc<wire::EvmTx>>> {
    Ask::new(Request::EvmTxs(scope, page), Answer::try_as_evm_txs)
}

pub fn evm_tx(hash: EvmTxHash) -> Ask<Arc<wire::EvmTx>> {
    Ask::new(Request::EvmTx(hash), Answer::try_as_evm_tx)
}

pub fn internal_txs(scope: InternalTxScope, page: PageRequest) -> Ask<ListPage<Arc<wire::InternalTx>>> {
    Ask::new(Request::InternalTxs(scope, page), Answer::try_as_internal_txs)
}

pub fn collections(scope: CollectionScope, page: PageRequest) -> Ask<ListPage<Arc<wire::Collection>>> {
    Ask::new(Request::Collections(scope, page), Answer::try_as_collections)
}

pub fn collection(address: Address) -> Ask<Arc<wire::Collection>> {
    Ask::new(Request::Collection(address), Answer::try_as_collection)
}

pub fn tokens(query: TokenQuery, page: PageRequest) -> Ask<ListPage<Arc<wire::Token>>> {
    Ask::new(Request::Tokens(query, page), Answer::try_as_tokens)
}

pub fn holders(denom: Denom, page: PageRequest) -> Ask<ListPage<Arc<wire::Holder>>> {
    Ask::new(Request::Holders(denom, page), Answer::try_as_holders)
}

pub fn token_contracts(page: PageRequest) -> Ask<ListPage<Arc<wire::TokenContract>>> {
    Ask::new(Request::TokenContracts(page), Answer::try_as_token_contracts)
}

/// Asks for a whole list in a file; [`super::Report::Progress`] tells of its rows meanwhile.
pub fn export(first_page: Request, file: Arc<RowsFile>) -> Ask<Result<WrittenRows, String>> {
    Ask::new(Request::Export(Box::new(first_page), file), Answer::try_as_exported)
}

pub fn metadata(uri: Arc<str>) -> Ask<Arc<Metadata>> {
    Ask::new(Request::Metadata(uri), Answer::try_as_metadata)
}

pub fn picture(uri: Arc<str>) -> Ask<Arc<Picture>> {
    Ask::new(Request::Picture(uri), Answer::try_as_picture)
}

pub fn identify(sighting: ChainSighting) -> Ask<Identification> {
    Ask::new(Request::Identify(sighting), Answer::try_as_identified)
}

pub fn body(of: Request) -> Ask<Arc<str>> {
    Ask::new(Request::Body(Box::new(of)), Answer::try_as_body)
}

pub fn recents() -> Ask<Vec<String>> {
    Ask::new(Request::Recents, Answer::try_as_recents)
}

pub fn personal() -> Ask<Vec<PersonalEntry>> {
    Ask::new(Request::Personal, Answer::try_as_personal)
}

pub fn view() -> Ask<Option<KeptView>> {
    Ask::new(Request::View, Answer::try_as_view)
}

pub fn chains() -> Ask<Arc<Vec<ChainInfo>>> {
    Ask::new(Request::Chains, Answer::try_as_chains)
}

pub fn assets(chain: ChainId) -> Ask<Arc<Vec<Asset>>> {
    Ask::new(Request::Assets(chain), |answer| Some(answer.try_as_assets()?.1))
}

pub fn route(request: RouteRequest) -> Ask<Arc<Verbatim<Route>>> {
    Ask::new(Request::Route(request), Answer::try_as_route)
}

pub fn op_hook(request: OpHookRequest) -> Ask<Arc<Verbatim<OpHook>>> {
    Ask::new(Request::OpHook(request), Answer::try_as_op_hook)
}

pub fn msgs(request: Arc<MsgsRequest>) -> Ask<Arc<Verbatim<MsgsResponse>>> {
    Ask::new(Request::Msgs(request), Answer::try_as_msgs)
}

pub fn track(request: TrackRequest) -> Ask<TrackResponse> {
    Ask::new(Request::Track(request), Answer::try_as_tracked)
}

pub fn track_again(request: TrackRequest) -> Ask<TrackResponse> {
    Ask::new(Request::TrackAgain(request), Answer::try_as_tracked)
}

pub fn transfer_status(request: TrackRequest) -> Ask<Arc<Verbatim<TransferStatus>>> {
    Ask::new(Request::TransferStatus(request), Answer::try_as_transfer_status)
}

pub fn demo_faults(faults: Vec<String>) -> Ask<Vec<String>> {
    Ask::new(Request::DemoFaults(faults), Answer::try_as_demo_faults)
}

pub fn demo_info() -> Ask<Option<Arc<DemoInfo>>> {
    Ask::new(Request::DemoInfo, Answer::try_as_demo_info)
}

pub fn demo_sign(hook: OpHook) -> Ask<SignedOpHook> {
    Ask::new(Request::DemoSign(Arc::new(hook)), Answer::try_as_signed_hook)
}

pub fn demo_broadcast(request: Arc<BroadcastRequest>, draft: Arc<RecordDraft>, now: Timestamp) -> Ask<Broadcast> {
    Ask::new(Request::DemoBroadcast(request, draft, now), Answer::try_as_broadcast)
}

pub fn router_balances(request: Arc<BalancesRequest>) -> Ask<Arc<BalancesResponse>> {
    Ask::new(Request::RouterBalances(request), Answer::try_as_router_balances)
}

pub fn reach(request: ReachRequest) -> Ask<Arc<ReachResponse>> {
    Ask::new(Request::Reach(request), Answer::try_as_reach)
}

pub fn demo_claim(started: TrackRequest) -> Ask<Broadcast> {
    Ask::new(Request::DemoClaim(started), Answer::try_as_broadcast)
}

pub fn settlement(question: Arc<SettlementQuestion>) -> Ask<Arc<SettlementAnswers>> {
    Ask::new(Request::Settlement(question), Answer::try_as_settlement)
}

pub fn open_withdrawals(question: Arc<OpenQuestion>) -> Ask<Arc<OpenWithdrawals>> {
    Ask::new(Request::OpenWithdrawals(question), Answer::try_as_open_withdrawals)
}

pub fn withdrawals(executor: Arc<str>, account: Address, page: PageRequest) -> Ask<ListPage<Arc<ExecutorWithdrawal>>> {
    Ask::new(Request::Withdrawals(executor, account, page), Answer::try_as_withdrawals)
}

pub fn l1_tx(question: Arc<L1Question>) -> Ask<Arc<wire::Tx>> {
    Ask::new(Request::L1Tx(question), Answer::try_as_tx)
}

pub fn account_at(question: Arc<AccountQuestion>) -> Ask<AccountAt> {
    Ask::new(Request::AccountAt(question), Answer::try_as_account_at)
}

pub fn simulation(question: Arc<SimulationQuestion>) -> Ask<Arc<TxSimulation>> {
    Ask::new(Request::Simulation(question), Answer::try_as_simulation)
}

pub fn transfers() -> Ask<Vec<TransferRecord>> {
    Ask::new(Request::Transfers, Answer::try_as_transfers)
}

pub fn node_names() -> Ask<Arc<wire::node::NodeNames>> {
    Ask::new(Request::NodeNames, Answer::try_as_node_names)
}

pub fn bridge_info() -> Ask<Option<Arc<RollupBridge>>> {
    Ask::new(Request::BridgeInfo, Answer::try_as_bridge_info)
}

pub fn node_txs(queries: Vec<String>, most: u16) -> Ask<Arc<wire::node::SearchedTxs>> {
    Ask::new(Request::NodeTxs(queries.into(), most), Answer::try_as_node_txs)
}

pub fn pending_packet(packet: LocalPacket) -> Ask<bool> {
    Ask::new(Request::PendingPacket(packet), Answer::try_as_pending_packet)
}

pub fn denom_facts(denoms: Arc<[Denom]>) -> Ask<Arc<wire::node::DenomFacts>> {
    Ask::new(Request::DenomFacts(denoms), Answer::try_as_denom_facts)
}

pub fn denom_reports(denoms: Arc<[Denom]>, since: Timestamp) -> Ask<Arc<wire::node::DenomReports>> {
    Ask::new(Request::DenomReports(denoms, since), Answer::try_as_denom_reports)
}

pub fn balances(account: Address, tokens: Arc<[Denom]>) -> Ask<Arc<wire::node::NodeBalances>> {
    Ask::new(Request::Balances(account, tokens), Answer::try_as_balances)
}

pub fn contract(account: Address) -> Ask<Arc<wire::node::ContractFacts>> {
    Ask::new(Request::Contract(account), Answer::try_as_contract)
}

pub fn servers(urls: wire::ServerUrls) -> Ask<Arc<wire::ServerReports>> {
    Ask::new(Request::Servers(urls), Answer::try_as_servers)
}

pub fn file(path: Arc<str>) -> Ask<Arc<str>> {
    Ask::new(Request::File(path), Answer::try_as_file)
}
