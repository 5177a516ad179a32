//! HTTP routes that the indexer lacks: routing API, demo routes, art, and the simulated faults.

mod art;
mod body;
mod own;
mod router;
mod sharing;

use std::{
    io,
    sync::Arc,
    time::{Duration, Instant},
};

use axum::{
    Router,
    body::Body,
    extract::Request,
    http::{HeaderValue, Response, StatusCode, header},
};
use futures_util::{StreamExt as _, stream};

use super::{ClockMode, faults::Fault, node, shared::RollupShared};
use crate::{
    domain::{Height, text::Foreign},
    indexer::{
        http::{
            self, BoundListener, ChainMetrics, ChainView, HttpRefusal, IndexSample, OperatorView, Reply, ResponseCache,
            Routes,
        },
        progress::NodeProgress,
    },
    wire::{Block, BlockResponse, BlocksResponse, TokensResponse},
};

/// Interval at which transfers advance.
const MOVES: Duration = Duration::from_millis(250);

/// How long the real server retries a node request.
const NODE_RETRIES: Duration = Duration::from_secs(48);

/// Path of block routes, which `unknown-proposer` affects.
const BLOCKS: &str = "/indexer/block/v1/blocks";

/// Path of NFT pages, which `orphan-token` affects.
const TOKENS: &str = "/indexer/nft/v1/tokens/";

/// Serves until the rollup stops. Connections wait until the index is ready.
pub(super) fn serve(listener: BoundListener, shared: &Arc<RollupShared>) -> io::Result<()> {
    let metrics = ChainMetrics::of_server();
    let open = metrics.process().connections.clone();
    let app = async {
        shared.ready().await;
        tokio::spawn(move_transfers(Arc::clone(shared)));
        let (routes, shared) = (Arc::new(routes(shared)), Arc::clone(shared));
        Router::new().fallback(move |request: Request| {
            let (routes, shared, metrics) = (Arc::clone(&routes), Arc::clone(&shared), metrics.clone());
            async move {
                if http::is_operators(request.uri().path()) {
                    return answer_operator(shared, metrics, request).await;
                }
                let (begun, route) = (Instant::now(), routes.name_of(request.uri().path()));
                let response = answer(routes, shared, request).await;
                metrics.take(route, response.status().as_u16(), begun.elapsed());
                response
            }
        })
    };
    http::serve(listener, app, shared.settings().listen.into(), open, shared.stop())
}

/// Answers a request to a path for operators; the chain is the index's node.
async fn answer_operator(shared: Arc<RollupShared>, metrics: ChainMetrics, request: Request) -> Response<Body> {
    let (parts, _) = request.into_parts();
    if let Some(refusal) = http::operator_refusal(&parts.method) {
        return Reply::from(refusal).into_response();
    }
    let answer = move || {
        let (tip, tip_time) = (shared.tip(), Some(shared.chain_now()));
        let progress = NodeProgress { tip, tip_time, ..NodeProgress::default() };
        let sample = Some(Arc::new(IndexSample::read(shared.index())));
        let store_trouble = shared.index().store_trouble();
        let view = OperatorView { sample, progress, store_trouble, failure: shared.failure() };
        let view = ChainView::new(&metrics, shared.settings().ready, view);
        http::answer_operator(parts.uri.path(), &parts.headers, &view)
    };
    let answered = tokio::task::spawn_blocking(answer).await;
    answered.unwrap_or_else(|_| HttpRefusal::Internal.into()).into_response()
}

fn routes(shared: &Arc<RollupShared>) -> Routes {
    let mut routes = http::routes(shared.api()).with(shared, router::ROUTES).with(shared, router::INFO_ROUTES);
    if shared.settings().quirks {
        let clock = Arc::clone(shared);
        routes = routes.kept_in(ResponseCache::new(move || clock.chain_now()));
    }
    http::described(routes, shared.api()).with(shared, own::ROUTES).with(shared, art::ROUTES)
}

/// Advances transfers as time passes, so that they arrive without a request; never returns. With a stepped clock the
/// steps advance them.
async fn move_transfers(shared: Arc<RollupShared>) {
    if shared.settings().clock == ClockMode::Stepped {
        return;
    }
    let mut ticks = tokio::time::interval(MOVES);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        let shared = Arc::clone(&shared);
        // The panic handler has reported a panic already; the next tick tries again.
        drop(tokio::task::spawn_blocking(move || shared.move_transfers()).await);
    }
}

/// Answers a request, with the CORS headers that its route allows.
async fn answer(routes: Arc<Routes>, shared: Arc<RollupShared>, request: Request) -> Response<Body> {
    let methods = sharing::methods(&routes, request.uri().path());
    if let Some(response) = sharing::preflight(methods, request.method(), request.headers()) {
        return response;
    }
    let mut response = own_answer(routes, shared, request).await;
    if methods.is_some() {
        sharing::share(&mut response);
    }
    response
}

/// Answers a request. Faults do not affect the demo routes, so that a client can switch the faults off.
async fn own_answer(routes: Arc<Routes>, shared: Arc<RollupShared>, request: Request) -> Response<Body> {
    let path = request.uri().path().to_owned();
    if own::ROUTES.iter().any(|entry| entry.fits(&path)) {
        return routes.answer(request).await.into_response();
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
            () = shared.stop().cancelled() => return Reply::from(HttpRefusal::Internal).into_response(),
        }
    }
    if faults.contains(&Fault::Error500) || shared.failure().is_some() {
        return Reply::from(HttpRefusal::Internal).into_response();
    }
    let mut reply = if node::is_its(&path) {
        node::answer(Arc::clone(&shared), request).await
    } else {
        router::in_its_words(&path, routes.answer(request).await)
    };
    if has_orphan(&faults, &path, &reply) {
        reply = Reply::from(HttpRefusal::Internal);
    }
    reply = without_proposers(&faults, &path, reply, shared.settings().quirks);
    if reply.is_node_failure && faults.contains(&Fault::SlowNode) {
        tokio::select! {
            () = shared.passed(NODE_RETRIES) => {}
            () = shared.stop().cancelled() => return Reply::from(HttpRefusal::Internal).into_response(),
        }
    }
    if faults.contains(&Fault::Truncated) {
        return truncate(reply);
    }
    if faults.contains(&Fault::Malformed) { damage(reply).into_response() } else { reply.into_response() }
}

/// Removes former validators from a response. With quirks the response becomes an error, as the real
/// server asks the node for every name.
fn without_proposers(faults: &[Fault], path: &str, reply: Reply, quirks: bool) -> Reply {
    let is_lost = |height: Height| faults.contains(&Fault::UnknownProposer(height.get()));
    let has_lost = faults.iter().any(|fault| matches!(fault, Fault::UnknownProposer(_)));
    if !has_lost || reply.status != StatusCode::OK || !path.to_ascii_lowercase().starts_with(BLOCKS) {
        return reply;
    }
    let (page, one): (Option<BlocksResponse>, Option<BlockResponse>) =
        (serde_json::from_slice(&reply.body).ok(), serde_json::from_slice(&reply.body).ok());
    let heights = page.iter().flat_map(|page| &page.blocks).chain(one.iter().map(|one| &one.block));
    if !heights.map(|block| block.height).any(is_lost) {
        return reply;
    }
    if quirks {
        return Reply { is_node_failure: true, ..Reply::from(HttpRefusal::Internal) };
    }
    let forget = |block: &mut Block| {
        if is_lost(block.height) {
            block.proposer.moniker = Foreign::default();
            block.proposer.operator_address.clear();
            block.proposer.validator_height = None;
        }
    };
    let written = match (page, one) {
        (Some(mut page), _) => {
            page.blocks.iter_mut().for_each(forget);
            Reply::json(&page)
        }
        (None, Some(mut one)) => {
            forget(&mut one.block);
            Reply::json(&one)
        }
        (None, None) => return reply,
    };
    written.unwrap_or_else(Reply::from)
}

/// Whether the response is a page with an NFT whose collection is missing.
fn has_orphan(faults: &[Fault], path: &str, reply: &Reply) -> bool {
    let orphans: Vec<String> = faults
        .iter()
        .filter_map(|fault| match fault {
            Fault::OrphanToken(id) => Some(id.to_string()),
            _ => None,
        })
        .collect();
    if orphans.is_empty() || reply.status != StatusCode::OK || !path.to_ascii_lowercase().starts_with(TOKENS) {
        return false;
    }
    let page = serde_json::from_slice::<TokensResponse>(&reply.body);
    page.is_ok_and(|page| page.tokens.iter().any(|token| orphans.iter().any(|orphan| token.nft.token_id == *orphan)))
}

/// Sends half of the promised body, then closes the connection.
fn truncate(mut reply: Reply) -> Response<Body> {
    let length = HeaderValue::from(reply.body.len());
    let mut half = std::mem::take(&mut reply.body);
    half.truncate(half.len() / 2);
    let mut response = reply.into_response();
    response.headers_mut().insert(header::CONTENT_LENGTH, length);
    let broken = io::Error::new(io::ErrorKind::ConnectionAborted, "cut on purpose");
    let cut = async {
        // The server flushes the first half only if the body pauses.
        tokio::task::yield_now().await;
        Err(broken)
    };
    *response.body_mut() = Body::from_stream(stream::iter([Ok(half)]).chain(stream::once(cut)));
    response
}

/// Drops the second half of a body, which leaves invalid JSON.
fn damage(mut reply: Reply) -> Reply {
    reply.body.truncate(reply.body.len() / 2);
    reply
}

#[cfg(test)]
mod tests {
    use std::net::{Ipv4Addr, SocketAddr};

    use super::*;
    use crate::{
        demo::{Rollup, RollupOptions, ledger::LedgerOptions},
        domain::{Timestamp, Vm},
    };

    /// `POST` routes that only compute an answer from the request body.
    const ASKING: [&str; 6] = [
        "/v2/fungible/route",
        "/op-hook",
        "/v2/info/balances",
        "/v2/fungible/recommend_assets",
        "/v2/fungible/assets_from_source",
        "/v2/fungible/ibc_origin_assets",
    ];

    /// `POST` routes that any local web page may call: they only record the request.
    const SHARED: [&str; 5] =
        ["/v2/fungible/msgs", "/v2/fungible/msgs_direct", "/v2/tx/track", "/v2/tx/retry_track", "/v2/tx/submit"];

    #[tokio::test]
    async fn every_route_that_changes_something_is_guarded() {
        let ledger = LedgerOptions {
            vm: Vm::Evm,
            seed: 7,
            genesis_time: Timestamp::EPOCH,
            block_time: Duration::from_secs(1),
            accounts: 50,
        };
        let options = RollupOptions { clock: ClockMode::Stepped, history: 2, ..RollupOptions::new(ledger) };
        let rollup = Rollup::start(options, SocketAddr::from((Ipv4Addr::LOCALHOST, 0))).expect("it starts");
        rollup.wait_until_ready().expect("it is ready");
        let routes = Arc::new(routes(&rollup.shared));
        let mut guarded = 0;
        for description in routes.descriptions().collect::<Vec<_>>() {
            let is_open = description.method() == "GET" || ASKING.contains(&description.path);
            assert_eq!(description.is_guarded(), !is_open, "{}", description.path);
            assert_eq!(description.is_shared(), is_open || SHARED.contains(&description.path), "{}", description.path);
            if is_open {
                continue;
            }
            guarded += 1;
            let asked = |host: &str, media: &str| {
                let path = description.path.replace(['{', '}'], "");
                let request = Request::builder().method(description.method()).uri(path).header("host", host);
                request.header("content-type", media).body(Body::from("{}")).expect("a request")
            };
            for (host, media, status) in [("evil.example", "application/json", 403), ("localhost", "text/plain", 415)] {
                let reply = routes.answer(asked(host, media)).await;
                assert_eq!(reply.status.as_u16(), status, "{}", description.path);
            }
            let reply = routes.answer(asked("localhost", "application/json")).await;
            assert!(![403, 415].contains(&reply.status.as_u16()), "{}: {}", description.path, reply.status);
        }
        assert!(guarded >= 6, "the table was walked");
    }
}
