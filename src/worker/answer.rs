use std::sync::Arc;

use serde::de::DeserializeOwned;

use super::{
    clients::{AT_ONCE, Clients},
    denom_reports::denom_reports,
    export, file,
    metadata_cache::MetadataCache,
    settlement, signing,
    store_handle::StoreHandle,
};
use crate::{
    client::{
        BlocksQuery, ExaminedServers, HoldersQuery, IndexerClient, RouterClient, TokenContractsQuery,
        endpoints::{self, Endpoint},
    },
    domain::{Address, BroadcastHash, ChainId, Timestamp, TransferRecord},
    msg::{AccountQuestion, Answer, Identification, L1Question, OpenQuestion, Request, SettlementQuestion, Total},
    signing::{NotedRecord, RecordDraft},
    wire::{ApiError, ErrorKind, ServerUrls, router::BroadcastRequest},
};

pub(super) async fn fetch(
    clients: &Clients,
    store: &StoreHandle,
    metadata: &MetadataCache,
    request: &Request,
    tell: impl Fn(u64, Total),
) -> Result<Answer, ApiError> {
    let client = &clients.indexer;
    let router = || clients.router.as_ref().ok_or_else(no_router);
    match request {
        Request::Status => client.status().await.map(Box::new).map(Answer::Status),
        Request::AvgBlockTime => client.one(endpoints::avg_block_time()).await.map(Answer::AvgBlockTime),
        Request::OldestBlock => client.oldest_block().await.map(Answer::OldestBlock),
        Request::Blocks(page) => client.list(&BlocksQuery, page).await.map(Answer::Blocks),
        Request::Block(height) => one(client, endpoints::block(*height), Answer::Block).await,
        Request::Txs(query, page) => client.list(query, page).await.map(Answer::Txs),
        Request::Tx(hash) => one(client, endpoints::tx(*hash), Answer::Tx).await,
        Request::EvmTxs(scope, page) => client.list(scope, page).await.map(Answer::EvmTxs),
        Request::EvmTx(hash) => one(client, endpoints::evm_tx(*hash), Answer::EvmTx).await,
        Request::InternalTxs(scope, page) => client.list(scope, page).await.map(Answer::InternalTxs),
        Request::Collections(scope, page) => client.list(scope, page).await.map(Answer::Collections),
        Request::Collection(address) => one(client, endpoints::collection(*address), Answer::Collection).await,
        Request::Tokens(query, page) => client.list(query, page).await.map(Answer::Tokens),
        Request::Holders(denom, page) => client.list(&HoldersQuery(denom.clone()), page).await.map(Answer::Holders),
        Request::TokenContracts(page) => client.list(&TokenContractsQuery, page).await.map(Answer::TokenContracts),
        Request::Metadata(uri) => metadata.metadata(client, uri).await.map(Answer::Metadata),
        Request::Picture(uri) => metadata.picture(client, uri).await.map(Answer::Picture),
        Request::Chains => router()?.chains().await.map(|chains| Answer::Chains(Arc::new(chains))),
        Request::Assets(chain) => assets(router()?, chain).await,
        Request::Route(request) => router()?.route(request).await.map(|route| Answer::Route(Arc::new(route))),
        Request::OpHook(request) => router()?.op_hook(request).await.map(|hook| Answer::OpHook(Arc::new(hook))),
        Request::Msgs(request) => router()?.msgs(request).await.map(|msgs| Answer::Msgs(Arc::new(msgs))),
        Request::Track(request) => router()?.track(request).await.map(Answer::Tracked),
        Request::TrackAgain(request) => router()?.track_again(request).await.map(Answer::Tracked),
        Request::TransferStatus(request) => {
            router()?.status(request).await.map(|status| Answer::TransferStatus(Arc::new(status)))
        }
        // Without a routing API there is no demo wallet: this is not a failure.
        Request::DemoInfo => match router() {
            Ok(router) => router.demo().await.map(|info| Answer::DemoInfo(info.map(Arc::new))),
            Err(_) => Ok(Answer::DemoInfo(None)),
        },
        Request::DemoFaults(faults) => router()?.one(endpoints::demo_faults(faults)).await.map(Answer::DemoFaults),
        Request::DemoSign(hook) => router()?.demo_sign(hook.as_ref()).await.map(Answer::SignedHook),
        Request::DemoBroadcast(request, draft, at) => demo_broadcast(router()?, store, request, (draft, *at)).await,
        Request::RouterBalances(request) => {
            router()?.balances(request).await.map(|held| Answer::RouterBalances(Arc::new(held)))
        }
        Request::Reach(request) => {
            router()?.assets_from_source(request).await.map(|reach| Answer::Reach(Arc::new(reach)))
        }
        Request::DemoClaim(started) => router()?.demo_claim(started).await.map(Answer::Broadcast),
        Request::Settlement(question) => settle(clients, question).await,
        Request::Withdrawals(executor, account, page) => {
            settlement::withdrawals(executor, *account, page, &clients.options).await.map(Answer::Withdrawals)
        }
        Request::OpenWithdrawals(question) => open_withdrawals(clients, question).await,
        Request::L1Tx(question) => l1_tx(clients, question).await,
        Request::AccountAt(question) => {
            let AccountQuestion { chain_id, terms } = &**question;
            signing::account_at(chain_id, terms, &clients.options).await.map(Answer::AccountAt)
        }
        Request::Simulation(question) => {
            Ok(Answer::Simulation(Arc::new(signing::simulate(question, &clients.options).await)))
        }
        Request::NodeNames => {
            let names = clients.ask_node(|node| async move { node.names().await });
            names.await.map(Arc::new).map(Answer::NodeNames)
        }
        Request::BridgeInfo => bridge_info(clients).await,
        Request::NodeTxs(queries, most) => {
            let found = clients.ask_node(|node| async move { node.find_txs(queries, *most).await });
            found.await.map(Arc::new).map(Answer::NodeTxs)
        }
        Request::PendingPacket(packet) => {
            let pending = clients.ask_node(|node| async move { node.is_packet_pending(packet).await });
            pending.await.map(Answer::PendingPacket)
        }
        Request::DenomFacts(denoms) => {
            let facts = clients.ask_node(|node| async move { node.denom_facts(denoms).await });
            facts.await.map(Arc::new).map(Answer::DenomFacts)
        }
        Request::DenomReports(denoms, since) => {
            denom_reports(clients, store, denoms, *since).await.map(Arc::new).map(Answer::DenomReports)
        }
        Request::Balances(account, tokens) => {
            let balances = clients.ask_node(|node| async move { node.balances(*account, tokens).await });
            balances.await.map(Arc::new).map(Answer::Balances)
        }
        Request::Contract(account) => contract(clients, *account).await,
        Request::Servers(urls) => servers(clients, urls).await,
        Request::File(path) => file::read(path).await.map(Answer::File),
        Request::Export(list, file) => Ok(Answer::Exported(export::export(client, list, file, tell).await)),
        Request::Transfers => Ok(Answer::Transfers(store.transfers().await)),
        Request::Identify(sighting) => {
            let (is_news, wanted) = store.identify(sighting.clone()).await;
            Ok(Answer::Identified(Identification { is_news, wanted }))
        }
        Request::Recents => Ok(Answer::Recents(store.recents().await)),
        Request::Body(of) => body(client, of).await,
        Request::Personal => Ok(Answer::Personal(store.personal().await)),
        Request::View => Ok(Answer::View(store.view().await)),
    }
}

/// Requests a single record and keeps the response body. Parsing it rejects a body of another type.
async fn body(client: &IndexerClient, request: &Request) -> Result<Answer, ApiError> {
    let bytes = match request {
        Request::Block(height) => client.one_and_body(endpoints::block(*height)).await?.1,
        Request::Tx(hash) => client.one_and_body(endpoints::tx(*hash)).await?.1,
        Request::EvmTx(hash) => client.one_and_body(endpoints::evm_tx(*hash)).await?.1,
        Request::Collection(address) => client.one_and_body(endpoints::collection(*address)).await?.1,
        _ => return Err(ApiError::of_another_kind()),
    };
    String::from_utf8(bytes).map(|text| Answer::Body(text.into())).map_err(|_| ApiError::of_another_kind())
}

/// Has the demo wallet send a transaction. The state file has the transfer before any screen names it.
async fn demo_broadcast(
    router: &RouterClient,
    store: &StoreHandle,
    request: &BroadcastRequest,
    (draft, at): (&RecordDraft, Timestamp),
) -> Result<Answer, ApiError> {
    let sent = router.demo_broadcast(request).await?;
    if let Ok(hash) = sent.tx_hash.parse::<BroadcastHash>() {
        let fresh = TransferRecord::of_hash(sent.chain_id.clone(), &hash, at);
        let noted = NotedRecord { record: draft.with_tx(fresh), parted: None };
        if let Err(reason) = store.keep_now(noted).await {
            tracing::warn!(%reason, "a sent transfer could not be stored at once");
        }
    }
    Ok(Answer::Broadcast(sent))
}

async fn settle(clients: &Clients, question: &SettlementQuestion) -> Result<Answer, ApiError> {
    let answered = settlement::answer(question, &clients.options, clients.observer.clone()).await;
    answered.map(Arc::new).map(Answer::Settlement)
}

async fn open_withdrawals(clients: &Clients, question: &OpenQuestion) -> Result<Answer, ApiError> {
    let answered = settlement::open(question, &clients.options, clients.observer.clone()).await;
    answered.map(Arc::new).map(Answer::OpenWithdrawals)
}

async fn l1_tx(clients: &Clients, question: &L1Question) -> Result<Answer, ApiError> {
    let answered = settlement::l1_tx(question, &clients.options, clients.observer.clone()).await;
    answered.map(Arc::new).map(Answer::Tx)
}

async fn servers(clients: &Clients, urls: &ServerUrls) -> Result<Answer, ApiError> {
    let examined = Box::pin(ExaminedServers::examine(urls, &clients.options, AT_ONCE)).await;
    Ok(Answer::Servers(Arc::new(examined.found)))
}

async fn bridge_info(clients: &Clients) -> Result<Answer, ApiError> {
    let bridge = clients.ask_node(|node| async move { node.bridge_info().await });
    bridge.await.map(|bridge| Answer::BridgeInfo(bridge.map(Arc::new)))
}

async fn contract(clients: &Clients, account: Address) -> Result<Answer, ApiError> {
    let facts = clients.ask_node(|node| async move { node.contract(account).await });
    facts.await.map(Arc::new).map(Answer::Contract)
}

async fn one<W: DeserializeOwned + Send + 'static, T>(
    client: &IndexerClient,
    endpoint: Endpoint<W, T>,
    answer: fn(Arc<T>) -> Answer,
) -> Result<Answer, ApiError> {
    client.one(endpoint).await.map(Arc::new).map(answer)
}

/// Requests the assets of one chain; ignores assets of other chains in the response.
async fn assets(router: &RouterClient, chain: &ChainId) -> Result<Answer, ApiError> {
    let mut answer = router.assets(std::slice::from_ref(chain)).await?;
    let assets = answer.chain_to_assets_map.remove(chain).unwrap_or_default().assets;
    Ok(Answer::Assets(chain.clone(), Arc::new(assets)))
}

fn no_router() -> ApiError {
    ApiError { kind: ErrorKind::NoRouter, url: "".into(), body: None }
}
