//! The demo's side of the listener: the routing API, the demo's own routes, its art, and what goes wrong on purpose.

mod art;
mod own;
mod router;

use std::{io, net::TcpListener, sync::Arc, time::Duration};

use axum::{
    Router,
    body::Body,
    extract::Request,
    http::{HeaderValue, Response, StatusCode, header},
};
use futures_util::{StreamExt as _, stream};

use super::{ClockMode, faults::Fault, shared::RollupShared};
use crate::{
    indexer::http::{self, HttpRefusal, Reply, Routes},
    wire::TokensResponse,
};

/// How often transfers under way are looked at.
const MOVES: Duration = Duration::from_millis(250);

/// Pages of NFTs: what an orphan spoils.
const TOKENS: &str = "/indexer/nft/v1/tokens/";

/// Serves until it is told to stop. Connections that come before the index is ready wait for it.
pub(super) fn serve(listener: TcpListener, shared: &Arc<RollupShared>) -> io::Result<()> {
    let app = async {
        shared.ready().await;
        tokio::spawn(move_transfers(Arc::clone(shared)));
        let routes = http::routes(shared.api()).with(shared, router::ROUTES);
        let routes = http::described(routes, shared.api()).with(shared, own::ROUTES).with(shared, art::ROUTES);
        let (routes, shared) = (Arc::new(routes), Arc::clone(shared));
        Router::new().fallback(move |request: Request| answer(Arc::clone(&routes), Arc::clone(&shared), request))
    };
    http::serve(listener, app, shared.stop())
}

/// Takes transfers on as time passes, so that they arrive without anybody asking; never ends. With a stepped clock the
/// steps do it.
async fn move_transfers(shared: Arc<RollupShared>) {
    if shared.settings().clock == ClockMode::Stepped {
        return;
    }
    let mut ticks = tokio::time::interval(MOVES);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        let shared = Arc::clone(&shared);
        // A panic was reported when it happened; the next tick tries again.
        drop(tokio::task::spawn_blocking(move || shared.move_transfers()).await);
    }
}

/// Answers one request. Faults do not touch the demo's own routes, so that they can be switched off again.
async fn answer(routes: Arc<Routes>, shared: Arc<RollupShared>, request: Request) -> Response<Body> {
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
    let mut reply = routes.answer(request).await;
    if has_orphan(&faults, &path, &reply) {
        reply = Reply::from(HttpRefusal::Internal);
    }
    if faults.contains(&Fault::Truncated) {
        return truncate(reply);
    }
    if faults.contains(&Fault::Malformed) { damage(reply).into_response() } else { reply.into_response() }
}

/// Whether the answer is a page of NFTs with one whose collection is lost.
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
    page.is_ok_and(|page| page.tokens.iter().any(|token| orphans.contains(&token.nft.token_id)))
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
