//! The client of the routing API: what is sent, what failures mean, and what is repeated.

mod failures;
mod requests;

use rollscope::{
    client::RouterClient,
    domain::{Amount, ChainId, Denom},
    wire::router::{RouteRequest, TrackRequest},
};

use super::options;
use crate::harness::replay::Replay;

fn client_of(server: &Replay) -> RouterClient {
    RouterClient::new(server.url(), options()).expect("the server's address is one")
}

fn request() -> RouteRequest {
    RouteRequest {
        amount_in: Amount::from(5_000_000),
        source_asset_chain_id: ChainId::new("interwoven-1"),
        source_asset_denom: Denom::new("uinit"),
        dest_asset_chain_id: ChainId::new("yominet-1"),
        dest_asset_denom: Denom::new("evm/856aB2c9F35B9187aB3eB0Fcd11DCc6160427e96"),
        allow_unsafe: None,
        go_fast: None,
        is_op_withdraw: None,
        allow_multi_tx: None,
    }
}

fn tracked() -> TrackRequest {
    TrackRequest { tx_hash: "0xab".to_owned(), chain_id: ChainId::new("1 &x=é") }
}

/// The answer of a fixture, as its server sent it.
fn fixture(name: &str) -> String {
    let path = format!("{}/tests/fixtures/router/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("the fixture is there");
    let all: serde_json::Value = serde_json::from_str(&text).expect("a fixture is JSON");
    all["response"]["body"].to_string()
}
