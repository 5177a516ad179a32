//! Tests of the browser wallet: its orders, the answers of its page, and the next transaction.

use super::*;
use crate::{
    app::Effect,
    msg::{Report, SigningId, SigningUpdate},
    signing::{
        BroadcastTx, NotedRecord, OfferLine, OfferLineKind, OfferWords, SentStage, SigningOrder, SimulatedRun,
        TxSimulation,
    },
};

/// What bridge 14 makes of `uinit`.
const BRIDGED: &str = "l2/333f8e6ae6855338f99d451126bfefc1b920763c16681d55fbc7df68ccb36972";

const BACK: &str = "2222222222222222222222222222222222222222222222222222222222222222";

fn step(from: &str, to: &str, denoms: [&str; 2], tx_index: u32) -> Value {
    json!({"op_init_transfer": {"from_chain_id": from, "to_chain_id": to, "denom_in": denoms[0], "denom_out": denoms[1],
        "op_init_bridge_id": "14"}, "tx_index": tx_index, "amount_in": "5000000", "amount_out": "5000000"})
}

/// Returns a route of two transactions: to the rollup and back.
fn there_and_back() -> Value {
    let mut route = route();
    for (name, value) in [
        ("amount_out", json!("5000000")),
        ("estimated_amount_out", json!("5000000")),
        ("dest_asset_chain_id", json!("test-1")),
        ("dest_asset_denom", json!("uinit")),
        ("does_swap", json!(false)),
        ("txs_required", json!(2)),
        ("chain_ids", json!(["test-1", "other-1", "test-1"])),
        ("required_chain_addresses", json!(["test-1", "other-1", "test-1"])),
    ] {
        route[name] = value;
    }
    let [there, back] = [["uinit", BRIDGED], [BRIDGED, "uinit"]];
    route["operations"] = json!([step("test-1", "other-1", there, 0), step("other-1", "test-1", back, 1)]);
    route
}

fn serve_both(bench: &mut Bench) {
    let amount = |denom: &str| json!({"denom": denom, "amount": "5000000"});
    let deposit = json!({"sender": OWN, "bridge_id": "14", "to": OWN, "amount": amount("uinit"), "data": ""});
    let withdrawal = json!({"sender": OWN, "to": OWN, "amount": amount(BRIDGED)});
    let tx = |chain: &str, kind: &str, message: &Value| {
        json!({"cosmos_tx": {"chain_id": chain, "path": [], "signer_address": OWN,
            "msgs": [{"msg_type_url": kind, "msg": message.to_string()}]}, "operations_indices": [0]})
    };
    let answer = json!({"txs": [
        tx("test-1", "/opinit.ophost.v1.MsgInitiateTokenDeposit", &deposit),
        tx("other-1", "/opinit.opchild.v1.MsgInitiateTokenWithdrawal", &withdrawal),
    ], "min_amount_out": "5000000"});
    // The wait of the withdrawal.
    bench.keys("a");
    serve(bench, |request| matches!(request, Request::Msgs(_)), Ok(Answer::Msgs(verbatim::<MsgsResponse>(&answer))));
    let is_simulation = |request: &Request| matches!(request, Request::Simulation(_));
    if is_asked(bench, is_simulation) {
        let run = SimulatedRun::Untold("silent".to_owned());
        let simulation = TxSimulation { host: "node.example".to_owned(), is_of_router: false, run, held: None };
        serve(bench, is_simulation, Ok(Answer::Simulation(Arc::new(simulation))));
    }
}

fn tell(bench: &mut Bench, id: SigningId, news: SigningUpdate) {
    bench.send(Event::Report(Report::Signing(id, news)));
}

/// Signs the last order in the wallet; the node accepts the transaction. Returns the order's ID.
fn send_signed(bench: &mut Bench, hash: &str) -> SigningId {
    let (id, order) = bench.signed.pop().expect("something was handed to the wallet");
    let SigningOrder::Tx { planned, mut draft, .. } = order else { panic!("a transaction: {order:?}") };
    let sent = BroadcastTx {
        chain_id: planned.tx.chain_id,
        hash: hash.parse().expect("a hash"),
        stage: SentStage::Sent,
        terms: None,
        simulated: None,
    };
    let record = Arc::new(draft.note(&sent, bench.now).record);
    tell(bench, id, SigningUpdate::Sent { record, doubt: None });
    id
}

#[test]
fn what_the_page_in_the_browser_does_is_said_and_esc_takes_it_back() {
    let mut bench = bench(&there_and_back(), true);
    serve_both(&mut bench);
    bench.keys("W");
    let (id, order) = bench.signed.pop().unwrap();
    let SigningOrder::Tx { planned, draft, is_last } = order else { panic!("{order:?}") };
    assert!(planned.words.lines.iter().any(|line| line.text == "transaction 1 of 2"), "{:?}", planned.words);
    assert_eq!((is_last, draft.kept), (false, None));
    let address = "http://127.0.0.1:4321/sign/00".to_owned();
    tell(&mut bench, id, SigningUpdate::Served { address: address.clone(), tunnel: None });
    assert!(bench.host.contains(&Effect::Open(address.clone())));
    assert_shows(&bench, &address);
    assert!(text(&bench).lines().next().is_some_and(|line| line.contains("Signing")), "it is seen at once");
    tell(&mut bench, id, SigningUpdate::Opened);
    tell(&mut bench, id, SigningUpdate::Connected { wallet: "Some Wallet".into(), account: OWN.into() });
    let lines = vec![
        OfferLine::new("Fee", OfferLineKind::Amount, "0.1 INIT for at most 7 gas"),
        OfferLine::new("To", OfferLineKind::Plain, "Іnitia"),
    ];
    let note = Some("You rejected the request in the wallet".to_owned());
    let words = OfferWords { title: "Deposit 1 INIT".to_owned(), act: String::new(), lines, note };
    tell(&mut bench, id, SigningUpdate::Shown(words));
    for words in [
        "the signing page is open",
        "Some Wallet signs as init1",
        "! You rejected the request in the wallet",
        "Deposit 1 INIT",
        "0.1 INIT for at most 7 gas",
        "outside a–z, may imitate another name: І (U+0406)",
    ] {
        assert_shows(&bench, words);
    }
    bench.keys("W");
    assert!(bench.signed.is_empty() && bench.stopped.is_empty(), "it is with the wallet");
    bench.keys("esc");
    assert_eq!(bench.stopped, [id]);
    assert_shows(&bench, "Cancelled: rollscope sent nothing.");
    tell(&mut bench, id, SigningUpdate::Opened);
    bench.keys("W");
    let (again, _) = bench.signed.pop().unwrap();
    assert_ne!(again, id, "a page of its own");
}

#[test]
fn a_dear_fee_needs_a_second_yes() {
    let mut bench = bench(&there_and_back(), true);
    serve_both(&mut bench);
    bench.keys("W");
    let (id, _) = bench.signed.pop().unwrap();
    bench.keys("a");
    assert!(bench.allowed.is_empty(), "nothing is asked yet");
    tell(&mut bench, id, SigningUpdate::Asked("the fee is 3 INIT, more than a 10th of the amount sent".to_owned()));
    assert_shows(&bench, "more than a 10th of the amount sent: press a to continue");
    bench.keys("a a");
    assert_eq!((bench.allowed.as_slice(), bench.stopped.len()), ([id].as_slice(), 0));
}

#[test]
fn another_machine_is_told_the_tunnel_and_no_browser_is_opened_here() {
    let mut bench = bench(&there_and_back(), true);
    serve_both(&mut bench);
    bench.keys("W");
    let (id, _) = bench.signed.pop().unwrap();
    let (address, tunnel) = ("http://127.0.0.1:4321/sign/00".to_owned(), "ssh -L 4321:127.0.0.1:4321 there".to_owned());
    tell(&mut bench, id, SigningUpdate::Served { address, tunnel: Some(tunnel.clone()) });
    assert!(!bench.host.iter().any(|effect| matches!(effect, Effect::Open(_))));
    assert_shows(&bench, &tunnel);
}

#[test]
fn the_page_in_the_browser_goes_on_with_the_next_transaction_when_its_turn_comes() {
    let mut bench = bench(&there_and_back(), true);
    serve_both(&mut bench);
    bench.keys("W");
    let id = send_signed(&mut bench, HASH);
    assert!(text(&bench).starts_with("Transfer "), "{}", text(&bench));
    let tracked = Answer::Tracked(serde_json::from_value(json!({"tx_hash": HASH})).unwrap());
    answer(&mut bench, |slot| matches!(slot, Slot::Track(_)), Ok(tracked));
    bench.wait(5);
    let hop = json!({"op_init_transfer": {"from_chain_id": "test-1", "to_chain_id": "other-1",
        "state": "OPINIT_TRANSFER_RECEIVED", "txs": {"send_tx": {"chain_id": "test-1", "tx_hash": HASH},
        "receive_tx": {"chain_id": "other-1", "tx_hash": BACK}}}});
    let part = json!({"state": "STATE_COMPLETED_SUCCESS", "transfer_sequence": [hop],
        "transfer_asset_release": {"chain_id": "other-1", "denom": BRIDGED, "amount": "5000000", "released": true}});
    let status = json!({"transfers": [part], "state": "STATE_COMPLETED_SUCCESS", "status": "STATE_COMPLETED"});
    answer(&mut bench, |slot| matches!(slot, Slot::TransferStatus(_)), Ok(Answer::TransferStatus(verbatim(&status))));
    serve_both(&mut bench);
    let (next, order) = bench.signed.last().cloned().unwrap();
    let SigningOrder::Tx { planned, draft, is_last } = order else { panic!("{order:?}") };
    let step = planned.words.lines.iter().find(|line| line.name == "Step").map(|line| line.text.as_str());
    assert_eq!((next, step, is_last), (id, Some("transaction 2 of 2"), true));
    assert_eq!(draft.kept.map(|record| record.txs.len()), Some(1), "the transfer goes on");
    send_signed(&mut bench, BACK);
    let kept = bench.kept.last().unwrap();
    assert_eq!((kept.id.hash.as_str(), kept.txs.len()), (HASH, 2));
}

/// Returns a transfer whose second transaction the node refused, its page's ID, and the second one's record.
fn with_refused_second() -> (Bench, SigningId, TransferRecord, TransferId) {
    let mut bench = bench(&there_and_back(), true);
    serve_both(&mut bench);
    bench.keys("W");
    let id = send_signed(&mut bench, HASH);
    let record = bench.kept.last().unwrap().clone();
    let mut with_second = TransferRecord::clone(&record);
    with_second.txs.push(crate::domain::SourceTx { hash: BACK.parse().unwrap(), ..with_second.txs[0].clone() });
    let hash: crate::domain::BroadcastHash = BACK.parse().unwrap();
    let former_place = Some(FormerPlace { transfer: record.id.clone(), index: 1 });
    let parted = TransferRecord::of_hash(ChainId::new("test-1"), &hash, with_second.created);
    let parted = TransferRecord { former_place, ..parted };
    let apart = parted.id.clone();
    // Another instance, or an imported file, may have stored the transaction already.
    let refused = vec![NotedRecord { record: with_second, parted: Some(Box::new(parted)) }];
    tell(&mut bench, id, SigningUpdate::Failed { words: "the node refused it".to_owned(), refused });
    let record = bench.app.context.transfers.get(&record.id).unwrap().follower.record.clone();
    (bench, id, record, apart)
}

#[test]
fn a_second_transaction_that_the_node_refuses_is_followed_apart_until_its_chain_includes_it() {
    let status = |state: &str, hash: &str, error: Value| {
        let hop = json!({"op_init_transfer": {"from_chain_id": "test-1", "to_chain_id": "other-1",
            "state": "OPINIT_TRANSFER_SENT", "txs": {"send_tx": {"chain_id": "test-1", "tx_hash": hash}}}});
        let hops = if error.is_null() { vec![hop] } else { Vec::new() };
        json!({"state": state, "transfer_sequence": hops, "error": error})
    };
    let pending = status("STATE_PENDING", BACK, Value::Null);
    let failed = json!({"type": "STATUS_ERROR_TRANSACTION_EXECUTION", "message": "code 5"});
    for (status, is_retaken, is_back) in [
        (&pending, false, true),
        (&pending, true, false),
        (&status("STATE_PENDING", &"FF".repeat(32), Value::Null), false, false),
        (&status("STATE_COMPLETED_ERROR", BACK, failed), false, false),
        (&json!({"state": "STATE_SUBMITTED"}), false, false),
    ] {
        let (mut bench, signing, record, apart) = with_refused_second();
        assert_eq!(record.txs.len(), 1);
        assert!(bench.app.context.transfers.get(&apart).is_some_and(|apart| apart.follower.is_live()));
        if is_retaken {
            let mut record = record.clone();
            let hash = "EE".repeat(32).parse().unwrap();
            record.txs.push(crate::domain::SourceTx { hash, ..record.txs[0].clone() });
            tell(&mut bench, signing, SigningUpdate::Sent { record: Arc::new(record), doubt: None });
        }
        let tracked = Answer::Tracked(serde_json::from_value(json!({"tx_hash": BACK})).unwrap());
        answer(&mut bench, |slot| *slot == Slot::Track(apart.clone()), Ok(tracked));
        bench.wait(5);
        let told = Ok(Answer::TransferStatus(verbatim(status)));
        answer(&mut bench, |slot| *slot == Slot::TransferStatus(apart.clone()), told);
        let transfers = &bench.app.context.transfers;
        let now = &transfers.get(&record.id).unwrap().follower.record;
        assert_eq!(now.txs.iter().any(|tx| tx.hash == apart.hash), is_back, "{status}");
        assert_eq!(transfers.get(&apart).is_none(), is_back, "{status}");
        let words = "transaction 2222…2222 of test-1 is on chain, by the router";
        let is_noted = now.changes.iter().any(|change| change.text.as_str().starts_with(words));
        assert_eq!(is_noted, is_back, "{status}");
        if is_back {
            assert_eq!(bench.kept.iter().rev().find(|kept| kept.id == record.id).map(|kept| kept.txs.len()), Some(2));
        }
    }
}

/// Makes another chain answer at the server's address.
fn change_chain(bench: &mut Bench) {
    for id in ["test-1", "another-1"] {
        bench.wait(7);
        let (ticket, _) = bench.take(|slot| *slot == Slot::Status).expect("the status is asked for");
        let text = json!({"version": "", "commit_hash": "", "chain_id": id, "height": 100}).to_string();
        let status = serde_json::from_str(&text).expect("a status");
        bench.reply(ticket, Ok(Answer::Status(Box::new(status))));
    }
}

#[test]
fn a_chain_that_changes_closes_the_page_in_the_browser() {
    let mut bench = bench(&there_and_back(), true);
    serve_both(&mut bench);
    bench.keys("W");
    let (id, _) = bench.signed.pop().unwrap();
    tell(&mut bench, id, SigningUpdate::Opened);
    change_chain(&mut bench);
    assert_eq!(bench.stopped, [id]);
    assert!(bench.app.context.transfers.signing.is_none());
    assert_shows(&bench, "This address now serves another chain: rollscope closed the browser page");
}

#[test]
fn what_is_being_sent_when_the_chain_changes_is_kept_and_nothing_follows_it() {
    let mut bench = bench(&there_and_back(), true);
    serve_both(&mut bench);
    bench.keys("W");
    let (id, _) = bench.signed.last().cloned().unwrap();
    tell(&mut bench, id, SigningUpdate::Signed(HASH.parse().unwrap()));
    change_chain(&mut bench);
    assert_eq!(bench.stopped, [id], "it closes when what is being sent is sent");
    assert!(bench.app.context.transfers.signing.is_some(), "it is waited for");
    send_signed(&mut bench, HASH);
    assert!(bench.app.context.transfers.signing.is_none(), "no page waits for the second one");
    assert!(bench.kept.iter().any(|record| record.id.hash.as_str() == HASH));
}
