//! A transaction that has the hash of one that arrived: of the same chain, or of one that was there before.

use std::{path::Path, time::Duration};

use rollscope::{config::Network, domain::Timestamp};
use serde_json::{Value, json};

use super::{ME, Played, PlayedServer, Stage, folder, hash, named_arrival, seconds, start, status};
use crate::harness::{
    Explorer,
    replay::{Answer, Seen},
};

/// The indexer's newest block.
const HEIGHT: u64 = 100;
/// So long after the first session the second one is, on a chain that began anew.
const LATER: Duration = Duration::from_secs(2 * 3600);
/// So long a transfer takes.
const ON_THE_WAY: Duration = Duration::from_secs(62);

/// What a server with blocks and a wallet answers beyond the rest.
pub(super) fn answer(played: &Played, path: &str, seen: &Seen) -> Option<Answer> {
    let json = |value: Value| Some(Answer::json(value.to_string()));
    if let Some(block) = played.begun.and_then(|begun| block_answer(played.own, begun, path, seen)) {
        return json(block);
    }
    if !played.has_wallet {
        return None;
    }
    match path {
        "/demo/v1" => json(json!({"chain_id": played.own, "wallet": {
            "addresses": {"noble-1": "noble1sender", "far-2": ME}, "balances": {"noble-1": {"uinit": "500000000"}}}})),
        "/v2/fungible/assets" => {
            let asset = |id: &str| json!({"denom": "uinit", "chain_id": id, "symbol": "INIT", "decimals": 6});
            let assets = |id: &str| (id.to_owned(), json!({"assets": [asset(id)]}));
            let ids = ["noble-1", "far-2"].into_iter().filter(|id| seen.target.contains(id));
            json(json!({"chain_to_assets_map": ids.map(assets).collect::<serde_json::Map<_, _>>()}))
        }
        "/v2/fungible/route" => json(route()),
        "/v2/fungible/msgs" => {
            let msg =
                json!({"sender": "noble1sender", "receiver": ME, "token": {"denom": "uinit", "amount": "100000000"}});
            json(json!({"txs": [{"cosmos_tx": {"chain_id": "noble-1", "path": ["noble-1", "far-2"],
                "signer_address": "noble1sender",
                "msgs": [{"msg": msg.to_string(), "msg_type_url": "/ibc.applications.transfer.v1.MsgTransfer"}]}}]}))
        }
        "/demo/v1/broadcast" => json(json!({"chain_id": "noble-1", "tx_hash": hash(1)})),
        _ => None,
    }
}

/// Blocks of a chain that began then: the oldest or the newest as a list, and each by its height.
fn block_answer(chain: &str, begun: Timestamp, path: &str, seen: &Seen) -> Option<Value> {
    let rest = path.strip_prefix("/indexer/block/v1/blocks")?;
    if rest.is_empty() {
        let is_oldest = seen.target.contains("pagination.reverse=false");
        let block = block(chain, begun, if is_oldest { 1 } else { HEIGHT });
        return Some(json!({"blocks": [block], "pagination": {"next_key": null, "total": "0"}}));
    }
    let height = rest.strip_prefix('/').and_then(|height| height.parse().ok());
    let height = height.filter(|height| (1..=HEIGHT).contains(height))?;
    Some(json!({"block": block(chain, begun, height)}))
}

fn block(chain: &str, begun: Timestamp, height: u64) -> Value {
    json!({
        "chain_id": chain, "height": height.to_string(), "hash": format!("{:032X}{height:032X}", begun.as_seconds()),
        "block_time": "1000", "timestamp": begun.after(seconds(height)).to_string(), "gas_used": "50",
        "gas_wanted": "100", "tx_count": "0", "total_fee": [],
        "proposer": {"moniker": "m", "identity": "", "operator_address": "o"},
    })
}

/// What the form begins with, in one hop.
fn route() -> Value {
    json!({
        "amount_in": "100000000", "amount_out": "99800000", "source_asset_chain_id": "noble-1",
        "source_asset_denom": "uinit", "dest_asset_chain_id": "far-2", "dest_asset_denom": "uinit",
        "operations": [{"transfer": {"from_chain_id": "noble-1", "to_chain_id": "far-2", "denom_in": "uinit",
            "denom_out": "uinit"}, "tx_index": 0, "amount_in": "100000000", "amount_out": "99800000"}],
        "required_chain_addresses": ["noble-1", "far-2"], "chain_ids": ["noble-1", "far-2"], "does_swap": false,
        "estimated_route_duration_seconds": 90, "txs_required": 1,
    })
}

fn arrived() -> Value {
    let mut told = status(Stage::Success);
    told["transfer_asset_release"]["denom"] = "uinit".into();
    told
}

/// The router says that it arrived at this time, and the indexer has the transaction.
fn arrive(server: &PlayedServer, at: Timestamp) {
    let mut tx: Value = serde_json::from_str(&named_arrival().to_string().replace("uusdc", "uinit")).expect("JSON");
    tx["timestamp"] = at.to_string().into();
    let mut played = server.play();
    (played.statuses, played.txs) = (vec![(hash(1), arrived())], vec![tx]);
}

/// Sends what the form begins with; ends on the transfer's page. Nobody knows what the messages do: that needs a yes.
fn send(explorer: &Explorer) {
    explorer.press("6").advance(Duration::from_millis(400)).press("tab enter");
    explorer.wait_for("! Messages not verified: ").press("S");
    explorer.wait_for("still needed: your acknowledgement of the warnings").press("a").wait_for("acknowledged");
    explorer.press("S").wait_for("┌ Transfer ");
}

/// A server of a chain that began then, with a wallet.
fn server(newest: Timestamp) -> PlayedServer {
    let server = PlayedServer::start("far-2");
    server.play().has_wallet = true;
    begin(&server, newest);
    server
}

/// The server's chain is one whose newest block was made then.
fn begin(server: &PlayedServer, newest: Timestamp) {
    server.play().begun = Some(newest.before(seconds(HEIGHT)));
}

/// An explorer of a network of this name, as that of the embedded rollup always has the same.
fn session(server: &PlayedServer, folder: &Path, now: Timestamp) -> Explorer {
    let network = Network { name: "played".to_owned(), ..Network::default() };
    let builder = Explorer::builder().network(network).size(150, 50).at(now);
    let explorer = builder.state_file(folder.join("state.sqlite")).server(server.url()).start();
    explorer.settle();
    explorer
}

/// A first session whose transfer has arrived.
fn arrived_session(server: &PlayedServer, folder: &Path) -> Explorer {
    let first = session(server, folder, start());
    arrive(server, start().after(ON_THE_WAY));
    send(&first);
    first.advance(seconds(10)).advance(seconds(60)).wait_for("✓ arrived  Arrived: 99.8 INIT on Far").settle();
    first
}

/// Sends once more with the same hash, of which the router knows nothing yet, and follows that to its own end.
fn assert_begun_anew(server: &PlayedServer, second: &Explorer, now: Timestamp) {
    {
        let mut played = server.play();
        played.statuses.clear();
        played.txs.clear();
    }
    let asked = server.tracks();
    send(second);
    // Longer than what is kept is read again after.
    second.advance(seconds(3)).advance(seconds(6));
    let screen = second.screen();
    assert!(server.tracks() > asked, "asking the router to track it:\n{screen}");
    let head: Vec<&str> = screen.lines().take_while(|line| !line.contains("History")).collect();
    for lie in ["rrived", "no step left", "polling ended", "12:00:", "chain gone", "belongs to"] {
        assert!(!head.iter().any(|line| line.contains(lie)), "“{lie}” is of the one before:\n{screen}");
    }
    let mut moving = status(Stage::FirstHop);
    moving["transfer_sequence"][0]["ibc_transfer"]["packet_txs"]["send_tx"]["on_chain_at"] = now.to_string().into();
    server.play().statuses = vec![(hash(1), moving)];
    second.advance(seconds(60)).wait_for("▶ moving  On its way: hop 1");
    arrive(server, now.after(ON_THE_WAY));
    second.advance(seconds(70)).advance(seconds(20)).wait_for("✓ arrived  Arrived: 99.8 INIT on Far");
}

/// Of a transfer of another chain not even the history is told.
fn assert_no_word_of_the_first(second: &Explorer) {
    let screen = second.screen();
    assert!(screen.contains("14:00:00  Sent by") && !screen.contains("12:00:00  Sent by"), "{screen}");
}

#[test]
fn beside_an_explorer_of_another_rollup_of_the_same_kind() {
    let (ours, theirs, folder) = (server(start()), server(start().after(LATER)), folder());
    let first = arrived_session(&ours, folder.path());
    let second = session(&theirs, folder.path(), start().after(LATER));
    assert_begun_anew(&theirs, &second, start().after(LATER));
    assert_no_word_of_the_first(&second);
    second.quit();
    // The first one goes on with its own.
    first
        .advance(seconds(6))
        .wait_for("✓ arrived  Arrived: 99.8 INIT on Far")
        .wait_for("12:00:00  Sent by the demo wallet");
    assert!(!first.screen().contains("14:00:"), "{}", first.screen());
    first.quit();
}

#[test]
fn on_a_chain_that_began_anew() {
    let (server, folder) = (server(start()), folder());
    arrived_session(&server, folder.path()).quit();
    begin(&server, start().after(LATER));
    let second = session(&server, folder.path(), start().after(LATER));
    assert_begun_anew(&server, &second, start().after(LATER));
    assert_no_word_of_the_first(&second);
    second.quit();
}

#[test]
fn on_a_chain_that_nobody_can_tell_from_the_one_before() {
    let (server, folder) = (server(start()), folder());
    let first = arrived_session(&server, folder.path());
    let second = session(&server, folder.path(), start().after(LATER));
    assert_begun_anew(&server, &second, start().after(LATER));
    second.quit();
    first.quit();
}
