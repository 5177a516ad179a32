//! What router, demo wallet and store may answer: mostly what a bridge needs to go on, sometimes hostile.

use std::{collections::BTreeMap, fs, path::Path, sync::Arc, sync::LazyLock};

use rollscope::{
    domain::{BroadcastHash, ChainId, Timestamp, Tracking, TransferRecord, TxTerms, WrittenRows},
    msg::{Answer, Request},
    signing::{CallRevert, SimulatedRun, TxSimulation},
    wire::{
        ServerAnswer, ServerInterface, ServerReport, ServerReports,
        opinit::{OpenWithdrawals, SettlementAnswers},
        router::{Asset, ChainInfo, ChainsResponse, MsgsRequest, RouteRequest, TrackRequest},
    },
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// The bridge of the routes that their messages fit: the one that the node tells.
const BRIDGE: &str = "23";
/// What this bridge makes of the L1's `uinit`.
const BRIDGED: &str = "l2/514631dd59cde7aa4244ad2908fd0969405782cc6a71d10b0fa784edf97b0790";
/// The account of the demo wallet, on every chain that has such addresses.
const OWN: &str = "init19986clfn43f9pka870erxanxx7kp3lmfcrz898";

/// The bodies of the composed answers, by the beginning of their names.
static FIXTURES: LazyLock<BTreeMap<String, Value>> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/router");
    let files = fs::read_dir(folder).expect("the fixtures").map(|entry| entry.expect("an entry").path());
    let body = |path: &Path| {
        let sample: Value = serde_json::from_str(&fs::read_to_string(path).expect("a fixture")).expect("JSON");
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        (sample["response"]["status"] == 200).then(|| (name, sample["response"]["body"].clone()))
    };
    files.filter_map(|path| body(&path)).collect()
});

/// One of the answers whose names begin so.
fn fixture(start: &str, number: u64) -> Value {
    let all: Vec<&Value> = FIXTURES.iter().filter(|(name, _)| name.starts_with(start)).map(|(_, body)| body).collect();
    all[usize::try_from(number).expect("a small number") % all.len()].clone()
}

/// A request that something else may be given the answer of.
pub(super) fn some_request(kind: usize) -> Request {
    let track = TrackRequest { tx_hash: "AB".repeat(32), chain_id: ChainId::new("l") };
    let requests =
        [Request::Chains, Request::DemoInfo, Request::Transfers, Request::File("a".into()), Request::Track(track)];
    requests[kind % requests.len()].clone()
}

/// The answer to a request, made of a number.
pub(super) fn answer(request: &Request, number: u64) -> Answer {
    let is_hostile = number % 8 == 7;
    match request {
        Request::Chains => Answer::Chains(Arc::new(chains(number, is_hostile))),
        Request::Assets(chain) => Answer::Assets(chain.clone(), Arc::new(assets(chain, number, is_hostile))),
        Request::Route(request) => Answer::Route(Arc::new(read(&route(request, number)))),
        Request::DemoInfo => Answer::DemoInfo((number % 16 != 7).then(|| Arc::new(read(&wallet(number, is_hostile))))),
        Request::OpHook(_) => {
            let hostile = json!({"chain_id": "\u{7}", "hook": [{"msg_type_url": "\u{1b}[2J", "msg": "{\u{202e}"}]});
            Answer::OpHook(Arc::new(read(&if is_hostile { hostile } else { fixture("op-hook", 0) })))
        }
        Request::Msgs(request) => Answer::Msgs(Arc::new(read(&messages(request, number, is_hostile)))),
        Request::Track(_) | Request::TrackAgain(_) => {
            Answer::Tracked(read(&json!({"tx_hash": "\u{202e}", "explorer_link": "https://x.y/\u{1b}[2J"})))
        }
        Request::TransferStatus(_) => Answer::TransferStatus(Arc::new(read(&status(number, is_hostile)))),
        Request::DemoSign(_) => Answer::SignedHook(read(&signed_hook(number))),
        Request::DemoBroadcast(..) | Request::DemoClaim(_) => {
            let hash = if is_hostile { "\u{1b}[2Jno".to_owned() } else { format!("{number:064X}") };
            let chain = if number.is_multiple_of(2) { "l" } else { "p" };
            Answer::Broadcast(read(&json!({"chain_id": chain, "tx_hash": hash})))
        }
        Request::AccountAt(question) => {
            let (height, sequence) = (question.terms.timeout_height + number % 3, number % 2);
            Answer::AccountAt(rollscope::domain::AccountAt { height, sequence })
        }
        Request::Simulation(question) => {
            let words = if is_hostile { "\u{1b}[2J\u{202e}" } else { "quiet" }.to_owned();
            let run = match number % 3 {
                0 => SimulatedRun::Untold(words.clone()),
                1 => SimulatedRun::Ethereum(Err(CallRevert { message: words.clone().into(), data: Vec::new() })),
                _ => SimulatedRun::Ethereum(Ok(number)),
            };
            let is_of_router = question.is_of_router;
            Answer::Simulation(Arc::new(TxSimulation { host: words, is_of_router, run, held: None }))
        }
        Request::Settlement(question) => Answer::Settlement(Arc::new(settlement(question.sequence, number))),
        Request::OpenWithdrawals(_) => {
            let open = (0..number % 4).map(|sequence| settlement(sequence, number)).collect();
            Answer::OpenWithdrawals(Arc::new(OpenWithdrawals { open, strangers: 1, ..OpenWithdrawals::default() }))
        }
        Request::RouterBalances(request) => {
            let amount = if is_hostile { "-1\u{1b}[2J".to_owned() } else { number.to_string() };
            let balance = json!({"uinit": {"amount": number.to_string(), "value_usd": amount},
                "ibc/\u{202e}1": {"amount": "9".repeat(77), "value_usd": "9".repeat(90)}, "\u{7}": {"amount": null}});
            let chains = request.chains.keys().map(|chain| (chain.to_string(), json!({"denoms": balance})));
            Answer::RouterBalances(Arc::new(read(&json!({"chains": Value::Object(chains.collect())}))))
        }
        Request::Reach(_) => {
            let assets = json!([{"denom": "uinit", "chain_id": "l"}, {"denom": "\u{202e}", "chain_id": "\u{7}"}]);
            Answer::Reach(Arc::new(read(&json!({"dest_assets": {"l": {"assets": assets}, "p": {"assets": assets}}}))))
        }
        Request::Transfers => Answer::Transfers(kept(number)),
        Request::DemoFaults(faults) => {
            Answer::DemoFaults(if is_hostile { vec!["\u{1b}[2J".repeat(300)] } else { faults.clone() })
        }
        Request::Export(..) => {
            let notes = if number.is_multiple_of(3) { vec!["a note".to_owned()] } else { Vec::new() };
            let written = WrittenRows { path: "/exports/rows.csv".into(), rows: number, notes };
            Answer::Exported(if number.is_multiple_of(2) { Ok(written) } else { Err("no file was written".to_owned()) })
        }
        Request::Servers(_) => {
            let (chain_id, url) =
                (if is_hostile { "\u{1b}[2J\u{202e}" } else { "a-1" }.to_owned(), "http://127.0.0.1:1".to_owned());
            let answer = ServerAnswer { chain_id: chain_id.clone(), height: number, milliseconds: number };
            let report = |interface, result| ServerReport { interface, url: url.clone(), result };
            let fails = number.is_multiple_of(3).then(|| report(ServerInterface::JsonRpc, Err(chain_id)));
            let reports = std::iter::once(report(ServerInterface::Rpc, Ok(answer))).chain(fails).collect();
            Answer::Servers(Arc::new(ServerReports { reports, conflict: None }))
        }
        Request::File(_) if is_hostile => Answer::File("{\u{0}".repeat(9_000).into()),
        Request::File(_) => Answer::File(signed_hook(number).to_string().into()),
        other => unreachable!("the chain answers it: {other:?}"),
    }
}

/// A withdrawal that no output covers, one with a proof that is none, or one that is claimed.
fn settlement(sequence: u64, number: u64) -> SettlementAnswers {
    let hash = "AAAA\u{1b}[2J".repeat(1 + usize::try_from(number % 3).unwrap_or(0));
    let withdrawal = json!({
        "sequence": sequence + number % 2, "bridge_id": number, "from": "\u{202e}", "to": OWN, "output_index": number % 3,
        "amount": { "denom": "\u{7}", "amount": "9".repeat(70) }, "withdrawal_proofs": [hash], "version": "AQ==",
        "storage_root": hash, "last_block_hash": hash,
    });
    SettlementAnswers {
        withdrawal: read(&withdrawal),
        bridge: number.is_multiple_of(2).then(|| read(&json!({"bridge_config": {"finalization_period": hash}}))),
        output: None,
        is_claimed: Some(number.is_multiple_of(5)),
        at: Timestamp::EPOCH,
    }
}

/// From its text: what is kept verbatim comes from no value.
fn read<T: DeserializeOwned>(value: &Value) -> T {
    serde_json::from_str(&value.to_string()).unwrap_or_else(|error| panic!("{error}: {value}"))
}

/// An L1, the network's own chain, and others; over two dozen in some, none in hostile ones' beginning.
fn chains(number: u64, is_hostile: bool) -> Vec<ChainInfo> {
    let chain = |place: u64| match place {
        0 if !is_hostile => {
            json!({"chain_id": "l", "pretty_name": "L", "chain_type": "cosmos", "bech32_prefix": "init"})
        }
        1 => json!({"chain_id": "p", "pretty_name": "漢", "chain_type": "cosmos", "bech32_prefix": "init"}),
        2 if !is_hostile => {
            json!({"chain_id": "interwoven-1", "pretty_name": "\u{202e}", "chain_type": "cosmos", "rest": "http://l1.example"})
        }
        _ => {
            let id = format!("\u{1b}[2J{place}");
            json!({"chain_id": id, "pretty_name": format!("\u{202e}漢\u{7}{place}"), "chain_type": "\u{7}"})
        }
    };
    let all = json!({"chains": (0..3 + number % 60).map(chain).collect::<Vec<_>>()});
    read::<ChainsResponse>(&all).chains
}

fn assets(chain: &ChainId, number: u64, is_hostile: bool) -> Vec<Asset> {
    let asset = |place: u64| {
        let denom = match (place, chain.as_str()) {
            (0, "p") => BRIDGED.to_owned(),
            (0, _) => "uinit".to_owned(),
            _ => format!("ibc/\u{202e}{place}"),
        };
        let symbol = if place < 2 { "INIT".to_owned() } else { "\u{1b}[2J".repeat(40) };
        let decimals = match place {
            0 if !is_hostile => Some(6),
            _ => number.is_multiple_of(3).then_some(place * 83 % 256),
        };
        json!({"denom": denom, "chain_id": chain, "symbol": symbol, "decimals": decimals})
    };
    let count = if is_hostile { number % 5 } else { 1 + number % 5 };
    read(&(0..count).map(asset).collect::<Vec<_>>().into())
}

fn wallet(number: u64, is_hostile: bool) -> Value {
    if is_hostile {
        return json!({"wallet": {"balances": {"l": {"uinit": "9".repeat(77)}, "p": {"no": "\u{7}"}}, "addresses": {"l": "\u{1b}"}}});
    }
    let init = ["l", "p", "interwoven-1", "yominet-1", "echelon-1"].map(|chain| (chain.to_owned(), OWN.into()));
    let addresses: serde_json::Map<String, Value> = init.into_iter().collect();
    let held = (number + 1) * 1_000_000_000;
    let possible = json!([{"fault": "error500", "effect": "every response is 500"}, {"fault": "\u{202e}"}]);
    json!({"chain_id": "p", "executor": "/executor", "possible_faults": possible, "wallet": {"balances": {"l": {"uinit": held.to_string()}}, "addresses": addresses}})
}

/// Routes with and without hook, warnings and a second transaction; those of the fixtures; hostile ones.
fn route(request: &RouteRequest, number: u64) -> Value {
    let (from, to) = (&request.source_asset_chain_id, &request.dest_asset_chain_id);
    let hop = |tx: u64| {
        json!({"op_init_transfer": {"from_chain_id": from, "to_chain_id": to, "denom_in": "uinit", "denom_out": "uinit"},
            "tx_index": tx, "amount_in": number.to_string(), "amount_out": number.to_string()})
    };
    let mut plain = json!({
        "amount_in": request.amount_in, "amount_out": "990", "estimated_amount_out": "990",
        "source_asset_chain_id": from, "source_asset_denom": request.source_asset_denom,
        "dest_asset_chain_id": to, "dest_asset_denom": request.dest_asset_denom,
        "operations": [hop(0)], "chain_ids": [from, to], "required_chain_addresses": [from, to],
        "estimated_route_duration_seconds": number, "txs_required": 1, "does_swap": false,
    });
    // These fit the messages of a quoted deposit.
    if matches!(number % 8, 0 | 1 | 4) {
        let denoms = (&request.source_asset_denom, &request.dest_asset_denom);
        let over = json!({"from_chain_id": from, "to_chain_id": to, "denom_in": denoms.0, "denom_out": denoms.1,
            "op_init_bridge_id": BRIDGE});
        let amount = &request.amount_in;
        plain["operations"] =
            json!([{"op_init_transfer": over, "tx_index": 0, "amount_in": amount, "amount_out": amount}]);
        (plain["amount_out"], plain["estimated_amount_out"]) = (json!(amount), json!(amount));
    }
    match number % 8 {
        2 | 3 => plain["required_op_hook"] = json!(true),
        4 => {
            plain["warning"] = json!({"type": "BAD_PRICE_WARNING", "message": "\u{202e}no"});
            plain["extra_warnings"] = json!(["slow", "slow"]);
        }
        5 => {
            plain["operations"] = json!([hop(0), hop(1)]);
            plain["txs_required"] = json!(2);
        }
        6 => return fixture("route-", number / 8),
        7 => return hostile_route(request, number),
        _ => {}
    }
    plain
}

/// Hostile texts, missing fields, huge numbers.
fn hostile_route(request: &RouteRequest, number: u64) -> Value {
    let huge = "9".repeat(77);
    let amount = if number.is_multiple_of(7) { huge.clone() } else { number.to_string() };
    let step = |place: u64| match place % 4 {
        0 => {
            json!({"transfer": {"from_chain_id": "l", "to_chain_id": "p", "denom_out": "uinit"}, "amount_out": amount})
        }
        1 => json!({"bank_send": {"chain_id": "p", "denom": "\u{7}"}, "tx_index": place}),
        2 => json!({"\u{1b}[2J": {"to_chain_id": "漢".repeat(60)}, "amount_out": ""}),
        _ => json!({"swap": {"chain_id": "l", "swap_venues": [{"name": "\u{202e}".repeat(90), "chain_id": "l"}]}}),
    };
    let fee = |place: u64| {
        let asset = json!({"denom": "uinit", "chain_id": "l"});
        json!({"amount": if place == 2 { huge.clone() } else { String::new() }, "operation_index": place, "usd_amount": "\u{7}",
            "origin_asset": asset, "fee_type": "\u{1b}[2J", "fee_behavior": "FEE_BEHAVIOR_DEDUCTED"})
    };
    json!({
        "amount_in": request.amount_in, "amount_out": amount,
        "source_asset_chain_id": request.source_asset_chain_id, "source_asset_denom": request.source_asset_denom,
        "dest_asset_chain_id": request.dest_asset_chain_id, "dest_asset_denom": request.dest_asset_denom,
        "operations": (0..number % 6).map(step).collect::<Vec<_>>(), "chain_ids": ["\u{1b}[2J", "l"],
        "estimated_fees": (0..number % 4).map(fee).collect::<Vec<_>>(), "does_swap": number.is_multiple_of(2),
        "estimated_route_duration_seconds": if number.is_multiple_of(5) { u64::MAX } else { number },
        "swap_price_impact_percent": "\u{202e}-", "usd_amount_out": "\u{7}", "extra_warnings": ["x\u{1b}".repeat(500)],
        "warning": {"type": "BAD_PRICE_WARNING", "message": "\u{202e}no"},
    })
}

/// What is to be signed: that of the fixtures, with one transaction, with none.
fn messages(request: &MsgsRequest, number: u64, is_hostile: bool) -> Value {
    if is_hostile {
        let msgs = json!([{"msg_type_url": "\u{1b}[2J", "msg": "{\u{202e}"}]);
        let tx = json!({"cosmos_tx": {"chain_id": "\u{7}", "path": ["\u{1b}"], "signer_address": "", "msgs": msgs}});
        return json!({"txs": if number.is_multiple_of(3) { json!([]) } else { json!([tx]) }, "min_amount_out": "9".repeat(77)});
    }
    if number.is_multiple_of(3) {
        return fixture("msgs-", number / 3);
    }
    if number % 6 != 5 {
        return quoted_deposit(request);
    }
    let memo = json!({"forward": {"port": "\u{202e}"}}).to_string();
    let msgs = json!([{"msg_type_url": "/ibc.applications.transfer.v1.MsgTransfer", "msg": json!({"memo": memo}).to_string()}]);
    let tx = json!({"cosmos_tx": {"chain_id": "l", "path": [], "signer_address": OWN, "msgs": msgs}, "operations_indices": [0]});
    json!({"txs": [tx.clone(), tx], "min_amount_out": "980"})
}

/// The messages of a route over the bridge, as they were quoted.
fn quoted_deposit(request: &MsgsRequest) -> Value {
    let [from, to] = [&request.source_asset_chain_id, &request.dest_asset_chain_id];
    let (sender, amount) = (request.address_list.first(), request.amount_in.to_string());
    let msg = json!({"sender": sender, "bridge_id": BRIDGE, "to": request.address_list.last(), "data": "",
        "amount": {"denom": request.source_asset_denom.as_str(), "amount": amount}});
    let msgs = json!([{"msg_type_url": "/opinit.ophost.v1.MsgInitiateTokenDeposit", "msg": msg.to_string()}]);
    let tx = json!({"chain_id": from, "path": [from, to], "signer_address": sender, "msgs": msgs});
    json!({"txs": [{"cosmos_tx": tx, "operations_indices": [0]}], "min_amount_out": amount})
}

/// An object of real wallets, or the text of the specification.
fn signed_hook(number: u64) -> Value {
    match number % 3 {
        0 => "c2ln".into(),
        1 => json!({"signer": OWN, "hook": "c2ln", "more": 1.0}),
        _ => json!({"signer": "\u{1b}[2J", "hook": "\u{202e}"}),
    }
}

fn status(number: u64, is_hostile: bool) -> Value {
    if is_hostile {
        let hop = json!({"\u{1b}[2J": {"from_chain_id": "\u{7}", "state": "漢".repeat(90)}});
        let release = json!({"chain_id": "\u{202e}", "denom": "", "amount": "9".repeat(77), "released": "no"});
        return json!({"state": "\u{7}", "transfer_sequence": [hop.clone(), hop], "transfer_asset_release": release,
            "next_blocking_transfer": {"transfer_sequence_index": u32::MAX}, "error": {"type": 1, "message": "\u{1b}[2J"}});
    }
    fixture("status-", number)
}

/// The transfers of earlier sessions: one that the router gave up on and one that is to be claimed; several in all
/// states; one of which all is hostile.
fn kept(number: u64) -> Vec<TransferRecord> {
    let now: Timestamp = "2026-01-31T11:00:00Z".parse().expect("a fixed time");
    let record = |place: u64, route: Option<Value>, status: &Value| {
        let hash: BroadcastHash = format!("{:064X}", 1_000 + place).parse().expect("a hash");
        let mut record = TransferRecord::of_hash(ChainId::new("l"), &hash, now);
        record.route = route.map(|route| route.to_string().into());
        record.txs[0].tracking = Tracking::Accepted;
        record.txs[0].status = Some((status.to_string().into(), now));
        record.note(now, "\u{1b}[2J\u{202e}");
        record
    };
    match number % 3 {
        0 => {
            let given_up = TransferRecord { is_over: true, ..record(0, None, &fixture("status-7", 0)) };
            vec![given_up, withdrawal("civitia-1"), withdrawal("p"), deposit(now)]
        }
        1 => {
            (0..number % 20).map(|place| record(place, Some(fixture("route-", place)), &status(place, false))).collect()
        }
        _ => {
            let broken = record(99, Some(json!("\u{7}")), &json!([]));
            let label = "\u{1b}[2J漢".repeat(40);
            vec![TransferRecord {
                label,
                gone_chain: Some(ChainId::new("\u{7}")),
                addresses: vec![String::new()],
                ..broken
            }]
        }
    }
}

/// What left the L1 for the network's own chain just now.
fn deposit(begun: Timestamp) -> TransferRecord {
    let hash: BroadcastHash = "DE".repeat(32).parse().expect("a hash");
    let mut record = TransferRecord::of_hash(ChainId::new("interwoven-1"), &hash, begun);
    let mut route = fixture("route-op-deposit-composed", 0);
    route["dest_asset_chain_id"] = "p".into();
    route["operations"][0]["op_init_transfer"]["to_chain_id"] = "p".into();
    record.route = Some(route.to_string().into());
    record.addresses = vec![OWN.to_owned(); 2];
    record.txs[0].tracking = Tracking::Accepted;
    let (rest, signer) = ("http://127.0.0.1:1".to_owned(), OWN.to_owned());
    record.txs[0].terms = Some(TxTerms { rest, signer, sequence: 1, timeout_height: 100 });
    record
}

/// What left a rollup over its optimistic bridge so long ago that its finalization is over.
fn withdrawal(from: &str) -> TransferRecord {
    let begun: Timestamp = "2026-01-02T03:04:05Z".parse().expect("a fixed time");
    let hash: BroadcastHash = "EF".repeat(32).parse().expect("a hash");
    let mut record = TransferRecord::of_hash(ChainId::new(from), &hash, begun);
    record.route = Some(fixture("route-op-withdraw-composed", 0).to_string().into());
    record.addresses = vec![OWN.to_owned(); 2];
    record.txs[0].tracking = Tracking::Accepted;
    record.txs[0].status = Some((fixture("status-2", 0).to_string().into(), begun));
    record
}
