use std::sync::Arc;

use axum::{extract::Request, http::Method};
use serde::Serialize;

use super::{
    reply::{READING, Refusal, Reply},
    route::Route,
    router,
};
use crate::{
    demo::{faults::Fault, router::error::RouterError, shared::Shared},
    domain::Height,
    wire::router::DemoWallet,
};

/// A list of faults is short.
const BODY_BYTES: usize = 16 * 1024;

/// What this server is: the answer of `GET /demo/v1`.
#[derive(Debug, Serialize)]
struct Demo {
    name: &'static str,
    chain_id: String,
    vm: String,
    seed: u64,
    quirks: bool,
    faults: Vec<String>,
    index: Held,
    wallet: DemoWallet,
}

/// What the index holds and how far the chain is; 0 means nothing yet.
#[derive(Debug, Serialize)]
struct Held {
    from_height: u64,
    height: u64,
    tip: u64,
}

/// The routes that only this server has; faults do not touch them, so that they can be switched off again.
pub(super) async fn answer(shared: Arc<Shared>, route: Route<'_>, request: Request) -> Result<Reply, Refusal> {
    match (route, request.method()) {
        (Route::DemoFaults, &Method::PUT) => {
            let bytes = axum::body::to_bytes(request.into_body(), BODY_BYTES)
                .await
                .map_err(|_| Refusal::Bad("the list of faults is too long".to_owned()))?;
            let faults = read_faults(&bytes)?;
            shared.set_faults(faults);
            Reply::json(&words(&shared))
        }
        (Route::DemoFaults, _) => Err(Refusal::Method("PUT")),
        (Route::Wallet(wallet), method) => {
            router::check_method(wallet.is_posted(), method)?;
            let path = request.uri().path().to_owned();
            let body = read_body(request).await?;
            let read = move || match super::route::route(&path) {
                Some(Route::Wallet(route)) => router::wallet(&shared, route, &body),
                _ => Err(Refusal::Internal),
            };
            tokio::task::spawn_blocking(read).await.unwrap_or(Err(Refusal::Internal))
        }
        (_, &Method::GET | &Method::HEAD) => {
            tokio::task::spawn_blocking(move || describe(&shared)).await.unwrap_or(Err(Refusal::Internal))
        }
        _ => Err(Refusal::Method(READING)),
    }
}

/// The body of a request to the router or the wallet.
pub(super) async fn read_body(request: Request) -> Result<Vec<u8>, Refusal> {
    let bytes = axum::body::to_bytes(request.into_body(), router::BODY_BYTES).await;
    let bytes = bytes.map_err(|_| RouterError::invalid("body: more than 1 MiB, or it broke off"))?;
    Ok(bytes.to_vec())
}

fn read_faults(bytes: &[u8]) -> Result<Vec<Fault>, Refusal> {
    let words: Vec<String> = serde_json::from_slice(bytes).map_err(|_| {
        Refusal::Bad("a JSON list of strings is needed, such as [\"latency=250\",\"error500\"]".to_owned())
    })?;
    words.iter().map(|word| word.parse::<Fault>().map_err(|error| Refusal::Bad(error.to_string()))).collect()
}

fn words(shared: &Shared) -> Vec<String> {
    shared.faults().iter().map(ToString::to_string).collect()
}

fn describe(shared: &Shared) -> Result<Reply, Refusal> {
    let held = shared.index().bounds()?;
    let settings = shared.settings();
    Reply::json(&Demo {
        name: "rollscope",
        chain_id: shared.chain_id(),
        vm: settings.ledger.vm.to_string(),
        seed: settings.ledger.seed,
        quirks: settings.quirks,
        faults: words(shared),
        index: Held {
            from_height: held.map_or(0, |held| held.from.get()),
            height: held.map_or(0, |held| held.tip.get()),
            tip: shared.tip().map_or(0, Height::get),
        },
        wallet: shared.wallet()?,
    })
}
