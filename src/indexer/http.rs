//! HTTP: the indexer API over the index, the routing API over the router, on one listener.
//!
//! The real server reads paths in any case, tolerates a slash at the end and does not decode parameters, so one
//! handler reads the raw path itself.

mod art;
mod demo;
mod evm;
mod lists;
mod nft;
mod paging;
mod query;
mod reply;
mod rich_list;
mod route;
mod router;
mod seeking;
mod swagger;
mod value;

use std::{io, net::TcpListener, sync::Arc, time::Duration};

use axum::{
    Router,
    body::Body,
    extract::Request,
    http::{HeaderValue, Method, Response, header},
    serve::ListenerExt as _,
};
use futures_util::{StreamExt as _, stream};
use tokio_util::sync::CancellationToken;

use self::{
    lists::Lists,
    query::Query,
    reply::{Refusal, Reply},
    route::{Route, route},
};
use crate::{
    demo::{Clock, faults::Fault, shared::Shared},
    domain::Vm,
    wire::Status,
};

/// How long open requests may take when the server stops.
const GRACE: Duration = Duration::from_millis(500);

/// How often transfers under way are looked at.
const MOVES: Duration = Duration::from_millis(250);

/// Serves until it is told to stop. Connections that come before the index is ready wait for it.
pub(crate) fn serve(listener: TcpListener, shared: &Arc<Shared>) -> io::Result<()> {
    let stop = shared.stop();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let result = runtime.block_on(async {
        // Without it the end of a long page waits for the client's acknowledgement.
        let listener = tokio::net::TcpListener::from_std(listener)?.tap_io(|connection| {
            let _ = connection.set_nodelay(true);
        });
        tokio::select! {
            () = shared.ready() => {}
            () = stop.cancelled() => return Ok(()),
        }
        let (service, stopping) = (Arc::clone(shared), stop.clone());
        let router =
            Router::new().fallback(move |request: Request| answer(Arc::clone(&service), stopping.clone(), request));
        let until = stop.clone().cancelled_owned();
        let serving = axum::serve(listener, router).with_graceful_shutdown(until);
        tokio::select! {
            ended = serving => ended,
            () = move_transfers(shared) => Ok(()),
            () = async { stop.cancelled().await; tokio::time::sleep(GRACE).await } => Ok(()),
        }
    });
    runtime.shutdown_timeout(GRACE);
    result
}

/// Takes transfers on as time passes, so that they arrive without anybody asking; never ends. With a stepped clock the
/// steps do it.
async fn move_transfers(shared: &Arc<Shared>) {
    if shared.settings().clock == Clock::Stepped {
        return std::future::pending().await;
    }
    let mut ticks = tokio::time::interval(MOVES);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        let shared = Arc::clone(shared);
        // A panic was reported when it happened; the next tick tries again.
        drop(tokio::task::spawn_blocking(move || shared.move_transfers()).await);
    }
}

/// Answers one request; everything but the demo's own routes suffers the faults.
async fn answer(shared: Arc<Shared>, stop: CancellationToken, request: Request) -> Response<Body> {
    let path = request.uri().path().to_owned();
    if let Some(route @ (Route::Demo | Route::DemoFaults | Route::Wallet(_))) = route(&path) {
        return demo::answer(shared, route, request).await.unwrap_or_else(Reply::from).into_response();
    }
    let faults = shared.faults();
    for fault in &faults {
        let pause = match fault {
            Fault::Latency(pause) => *pause,
            Fault::Timeout => Duration::MAX,
            _ => continue,
        };
        tokio::select! {
            () = tokio::time::sleep(pause) => {}
            () = stop.cancelled() => return Reply::from(Refusal::Internal).into_response(),
        }
    }
    if faults.contains(&Fault::Error500) {
        return Reply::from(Refusal::Internal).into_response();
    }
    let (method, query) = (request.method().clone(), request.uri().query().unwrap_or_default().to_owned());
    let orphans = faults.iter().filter_map(|fault| match fault {
        Fault::OrphanToken(id) => Some(id.to_string()),
        _ => None,
    });
    let orphans: Vec<String> = orphans.collect();
    let reply = match body_of(&path, request).await {
        Ok(body) => {
            let asked = move || read(&shared, &orphans, &method, &path, &query, &body);
            tokio::task::spawn_blocking(asked).await.unwrap_or(Err(Refusal::Internal))
        }
        Err(refusal) => Err(refusal),
    };
    let reply = reply.unwrap_or_else(Reply::from);
    if faults.contains(&Fault::Truncated) {
        return truncate(reply);
    }
    if faults.contains(&Fault::Malformed) { damage(reply).into_response() } else { reply.into_response() }
}

/// The body where the route takes one.
async fn body_of(path: &str, request: Request) -> Result<Vec<u8>, Refusal> {
    let takes_body = *request.method() == Method::POST && route(path).is_some_and(Route::is_posted);
    if takes_body { demo::read_body(request).await } else { Ok(Vec::new()) }
}

/// Finds what a path names and reads it from the index or asks the router.
fn read(
    shared: &Shared,
    orphans: &[String],
    method: &Method,
    path: &str,
    query: &str,
    body: &[u8],
) -> Result<Reply, Refusal> {
    let Some(route) = route(path) else {
        return Err(Refusal::NotFound(format!("Cannot {method} {}", reply::escape_html(path))));
    };
    if matches!(route, Route::Evm(_)) && shared.settings().ledger.vm != Vm::Evm {
        return Err(evm::unavailable());
    }
    router::check_method(route.is_posted(), method)?;
    if shared.failure().is_some() {
        return Err(Refusal::Internal);
    }
    let chain_id = shared.chain_id();
    let settings = shared.settings();
    let lists = Lists {
        index: shared.index(),
        chain_id: &chain_id,
        quirks: settings.quirks,
        vm: settings.ledger.vm,
        has_rich_list: !settings.no_rich_list,
        seen: shared.seen(),
        orphans,
    };
    let query = Query::parse(query);
    match route {
        Route::Status => status(shared, chain_id.clone()),
        Route::AvgBlockTime => lists.avg_block_time(),
        Route::Blocks => lists.blocks(&query),
        Route::Block(height) => lists.block(height),
        Route::Txs => lists.txs(&query),
        Route::TxsByAccount(account) => lists.txs_by_account(account, &query),
        Route::TxsByHeight(height) => lists.txs_by_height(height, &query),
        Route::Tx(hash) => lists.tx(hash),
        Route::Collections => lists.collections(&query),
        Route::CollectionsByAccount(account) => lists.collections_by_account(account, &query),
        Route::CollectionsByName(name) => lists.collections_by_name(name, &query),
        Route::Collection(collection) => lists.collection(collection),
        Route::TokensByAccount(account) => lists.tokens_by_account(account, &query),
        Route::TokensByCollection(collection) => lists.tokens_by_collection(collection, &query),
        Route::NftTxs { collection, token_id } => lists.nft_txs(collection, token_id, &query),
        Route::Holders(denom) => lists.holders(denom, &query),
        Route::Swagger => Ok(swagger::redirect()),
        Route::SwaggerPage => Ok(swagger::page(settings.ledger.vm)),
        Route::SwaggerDocument => swagger::document(settings.ledger.vm, settings.quirks),
        Route::DemoArt { collection, file } => art::picture(&lists, collection, file),
        Route::DemoMetadata { collection, file } => art::metadata(&lists, collection, file),
        Route::DemoIpfs { folder, file } => art::ipfs(folder, file),
        Route::Evm(route) => lists.evm(route, &query),
        Route::Router(route) => router::answer(shared, route, &query, body),
        Route::Demo | Route::DemoFaults | Route::Wallet(_) => Err(Refusal::Internal),
    }
}

/// `GET /status`: fails while nothing is indexed. Heights of indexes that this one does not keep are absent.
fn status(shared: &Shared, chain_id: String) -> Result<Reply, Refusal> {
    let held = shared.index().bounds()?.ok_or(Refusal::Internal)?;
    let listed = if shared.settings().no_rich_list { None } else { shared.index().rich_list_height()? };
    let traced = shared.index().traced()?.filter(|traced| traced.has_frames);
    Reply::json(&Status {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        commit_hash: "unknown".to_owned(),
        chain_id,
        height: held.tip,
        internal_tx_height: traced.map(|traced| traced.tip.get()),
        // The node may have been ahead of the index when the list began.
        rich_list_height: listed.map(|listed| listed.min(held.tip).get()),
        evm_ret_cleanup_height: None,
        tx_account_cleanup_sequence: None,
        tx_account_cleanup_deleted: None,
        tx_account_cleanup_inserted: None,
    })
}

/// The answer with half of the body that its length promises; then the connection breaks.
fn truncate(mut reply: Reply) -> Response<Body> {
    let length = HeaderValue::from(reply.body.len());
    let mut half = std::mem::take(&mut reply.body);
    half.truncate(half.len() / 2);
    let mut response = reply.into_response();
    response.headers_mut().insert(header::CONTENT_LENGTH, length);
    let broken = io::Error::new(io::ErrorKind::ConnectionAborted, "cut on purpose");
    let cut = async {
        // What was given so far is sent only when the body makes a pause.
        tokio::task::yield_now().await;
        Err(broken)
    };
    *response.body_mut() = Body::from_stream(stream::iter([Ok(half)]).chain(stream::once(cut)));
    response
}

/// The answer with the second half of its text lost, so that it is no JSON.
fn damage(mut reply: Reply) -> Reply {
    reply.body.truncate(reply.body.len() / 2);
    reply
}
