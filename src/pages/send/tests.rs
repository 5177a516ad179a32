//! Tests of the send page; the test plays the router.

mod signed;

use std::sync::Arc;

use serde_json::{Value, json};

use crate::pages::tests::Bench;
use crate::{
    app::{Event, page::Destination},
    config::Network,
    domain::{Address, ChainId, FormerPlace, TransferId, TransferRecord},
    msg::{Answer, Request, Slot},
    pages::{PAGES, send::SendPage},
    wire::{
        ApiError, ErrorKind, Verbatim,
        router::{Broadcast, ChainInfo, DemoInfo, MsgsResponse, OpHook, Route, RouteRequest, SignedOpHook},
    },
};

const OWN: &str = "init19986clfn43f9pka870erxanxx7kp3lmfcrz898";
const NOBLE: &str = "noble10jr5un2e6jnpyaqqhzsq9j4luu0l4rg5s3qutv";
const HASH: &str = "ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789";

fn verbatim<T: serde::de::DeserializeOwned>(value: &Value) -> Arc<Verbatim<T>> {
    Arc::new(serde_json::from_str(&value.to_string()).expect("a body of this shape"))
}

fn route() -> Value {
    json!({
        "amount_in": "5000000", "amount_out": "4990000", "estimated_amount_out": "4990000",
        "source_asset_chain_id": "test-1", "source_asset_denom": "uinit",
        "dest_asset_chain_id": "other-1", "dest_asset_denom": "l2/abc",
        "operations": [{"op_init_transfer": {"from_chain_id": "test-1", "to_chain_id": "other-1", "denom_in": "uinit",
            "denom_out": "l2/abc", "op_init_bridge_id": 14, "smart_relay_fee_quote": null, "unknown": 1.50},
            "tx_index": 0, "amount_in": "5000000", "amount_out": "4990000"}],
        "required_chain_addresses": ["test-1", "other-1"], "chain_ids": ["test-1", "other-1"],
        "does_swap": true, "txs_required": 1, "estimated_route_duration_seconds": 30,
    })
}

fn messages() -> Value {
    json!({
        "txs": [{"cosmos_tx": {"chain_id": "test-1", "path": [], "signer_address": OWN, "msgs": [
            {"msg_type_url": "/ibc.applications.transfer.v1.MsgTransfer", "msg": json!({"memo": json!({"forward": {"port": "transfer"}}).to_string()}).to_string()}
        ]}, "operations_indices": [0]}],
        "min_amount_out": "4965050",
    })
}

/// Returns a bench that shows the send page of a route, with or without demo wallet.
fn bench(route: &Value, has_wallet: bool) -> Bench {
    let server = "http://router".to_owned();
    let network =
        Network { name: "test".to_owned(), indexer: server.clone(), router: Some(server), ..Network::default() };
    let mut bench = Bench::on(network, (100, 40), Vec::new());
    let quoted = bench.now;
    let route: Arc<Verbatim<Route>> = verbatim(route);
    let request = RouteRequest {
        amount_in: route.value.amount_in,
        source_asset_chain_id: route.value.source_asset_chain_id.clone(),
        source_asset_denom: route.value.source_asset_denom.clone(),
        dest_asset_chain_id: route.value.dest_asset_chain_id.clone(),
        dest_asset_denom: route.value.dest_asset_denom.clone(),
        allow_unsafe: Some(true),
        go_fast: Some(true),
        is_op_withdraw: None,
        allow_multi_tx: None,
    };
    open(&mut bench, Destination::Send(Box::new(request), route, quoted));
    let chains = json!([
        {"chain_id": "test-1", "pretty_name": "Test", "chain_type": "cosmos", "bech32_prefix": "init"},
        {"chain_id": "other-1", "pretty_name": "Other", "chain_type": "cosmos", "bech32_prefix": "init"},
        {"chain_id": "noble-1", "pretty_name": "Noble", "chain_type": "cosmos", "bech32_prefix": "noble"},
    ]);
    let chains: Vec<ChainInfo> = serde_json::from_value(chains).expect("chains");
    answer(&mut bench, |slot| *slot == Slot::Chains, Ok(Answer::Chains(Arc::new(chains))));
    let addresses = json!({"test-1": OWN, "other-1": OWN, "noble-1": NOBLE});
    let info = json!({"chain_id": "test-1", "wallet": {"addresses": addresses}});
    let info: Option<Arc<DemoInfo>> = has_wallet.then(|| Arc::new(serde_json::from_value(info).expect("a wallet")));
    answer(&mut bench, |slot| *slot == Slot::DemoInfo, Ok(Answer::DemoInfo(info)));
    bench
}

fn open(bench: &mut Bench, destination: Destination) {
    let page = (PAGES.open)(destination, &bench.app.context);
    bench.app.navigation.open(page);
    bench.send(Event::Tick);
}

fn open_next(bench: &mut Bench, record: &TransferRecord, tx: usize) {
    let route = serde_json::from_str::<Value>(record.route.as_deref().expect("its route")).expect("JSON");
    open(bench, Destination::SendNext(Box::new(record.clone()), verbatim(&route), tx));
}

fn answer(bench: &mut Bench, fits: impl Fn(&Slot) -> bool, result: Result<Answer, ApiError>) -> Request {
    let (ticket, request) = bench.take(fits).expect("it was asked for");
    bench.reply(ticket, result);
    request
}

/// Answers the page's open request that fits.
fn serve(bench: &mut Bench, fits: impl Fn(&Request) -> bool, result: Result<Answer, ApiError>) -> Request {
    let place = bench.asked.iter().position(|(_, request)| fits(request));
    let place = place.unwrap_or_else(|| panic!("not asked for: {}", text(bench)));
    let (ticket, request) = bench.asked.remove(place);
    bench.reply(ticket, result);
    request
}

fn is_asked(bench: &Bench, fits: impl Fn(&Request) -> bool) -> bool {
    bench.asked.iter().any(|(_, request)| fits(request))
}

fn serve_messages(bench: &mut Bench) -> Request {
    serve(bench, |request| matches!(request, Request::Msgs(_)), Ok(Answer::Msgs(verbatim::<MsgsResponse>(&messages()))))
}

fn serve_quote(bench: &mut Bench, route: &Value) {
    let is_quote = |request: &Request| matches!(request, Request::Route(RouteRequest { go_fast: Some(true), .. }));
    serve(bench, is_quote, Ok(Answer::Route(verbatim(route))));
}

fn page(bench: &Bench) -> &SendPage {
    let page = bench.app.navigation.current();
    page.as_page().unwrap_or_else(|| panic!("another page: {}", page.title()))
}

/// Returns the page's lines as text.
fn text(bench: &Bench) -> String {
    let page = bench.app.navigation.current();
    let Some(page) = page.as_page::<SendPage>() else { return page.title() };
    let rows = page.document.rows().into_iter();
    let row = |slice: crate::widgets::document::ScreenRow<'_, _>| {
        slice.pieces.iter().map(|piece| piece.text.as_str()).collect::<String>().trim_end().to_owned()
    };
    rows.map(row).collect::<Vec<_>>().join("\n")
}

fn assert_shows(bench: &Bench, needle: &str) {
    let text = text(bench);
    assert!(text.contains(needle), "“{needle}” is not in\n{text}");
}

/// Moves to the line with this text and presses Enter.
fn enter_on(bench: &mut Bench, needle: &str) {
    bench.keys("home");
    for _ in 0..200 {
        let pieces = page(bench)
            .document
            .selected()
            .map(|line| line.pieces.iter().map(|piece| piece.text.as_str()).collect::<String>());
        if pieces.is_some_and(|line| line.contains(needle)) {
            return bench.keys("enter");
        }
        bench.keys("j");
    }
    panic!("no line holds “{needle}”:\n{}", text(bench));
}

fn type_line(bench: &mut Bench, line: &str) {
    bench.keys("ctrl-u");
    bench.send(Event::Paste(line.to_owned()));
    bench.keys("enter");
}

fn is_sent(bench: &mut Bench) -> Option<TransferId> {
    // The transfer's page may cover it.
    for _ in 0..3 {
        if let Some(page) = bench.app.navigation.current().as_page::<SendPage>() {
            return page.sent.clone();
        }
        bench.keys("H");
    }
    None
}

fn broadcast() -> Answer {
    Answer::Broadcast(Broadcast { chain_id: ChainId::new("test-1"), tx_hash: HASH.to_owned() })
}

fn is_broadcast(request: &Request) -> bool {
    matches!(request, Request::DemoBroadcast(..))
}

#[test]
fn messages_are_asked_for_once_all_before_is_there_with_the_operations_verbatim() {
    let mut bench = bench(&route(), false);
    assert_shows(&bench, "needs an address on Test");
    assert!(!is_asked(&bench, |request| matches!(request, Request::Msgs(_))));
    enter_on(&mut bench, "signs");
    type_line(&mut bench, NOBLE);
    assert!(bench.app.modal.is_some(), "an address of another chain is refused");
    type_line(&mut bench, "0x294faC7D33AC5250dba7f3f233766637Ac18ff69");
    assert_shows(&bench, OWN);
    assert_shows(&bench, "the signer = 0x294faC7D33AC5250dba7f3f233766637Ac18ff69");
    let Request::Msgs(request) = serve_messages(&mut bench) else { panic!("messages were asked for") };
    assert_eq!(request.address_list, [OWN, OWN]);
    assert_eq!(
        (
            request.slippage_tolerance_percent.as_str(),
            request.estimated_amount_out.map(|out| out.to_string()).as_deref()
        ),
        ("0.5", Some("4990000"))
    );
    assert_eq!(request.operations[0].raw.get(), route()["operations"][0].to_string(), "verbatim, with nulls and 1.50");
    assert_shows(&bench, "at least 4,965,050");
    enter_on(&mut bench, "! quote check failed: token of the MsgTransfer is not a coin");
    bench.keys("j j enter");
    assert_shows(&bench, "memo (JSON in text)");
    bench.keys("%");
    let Request::Msgs(request) = serve_messages(&mut bench) else { panic!("asked again for another slippage") };
    assert_eq!(request.slippage_tolerance_percent, "1");
}

#[test]
fn warnings_come_worst_first_and_stop_everything_until_they_are_acknowledged() {
    let mut bad = route();
    bad["warning"] = json!({"type": "BAD_PRICE_WARNING", "message": "very \u{1b}[31mbad\u{202e} price"});
    bad["swap_price_impact_percent"] = json!("7.25");
    bad["extra_warnings"] = json!(["slow chain"]);
    bad["extra_infos"] = json!(["just so you know"]);
    let mut bench = bench(&bad, true);
    let all = text(&bench);
    let places: Vec<usize> = ["very bad price", "7.25 %", "slow chain", "just so you know"]
        .iter()
        .map(|needle| all.find(needle).unwrap_or_else(|| panic!("“{needle}” is not in\n{all}")))
        .collect();
    assert!(places.is_sorted(), "{all}");
    assert!(all.contains("3 warnings"), "{all}");
    bench.keys("S");
    assert!(bench.app.toasts.shown().is_some_and(|toast| toast.text.contains("acknowledgement")));
    assert!(!is_asked(&bench, |request| matches!(request, Request::Msgs(_) | Request::DemoBroadcast(..))));
    bench.keys("a");
    serve_messages(&mut bench);
    // A new warning in a new quote requires a new acknowledgement.
    bench.wait(11);
    bench.keys("S");
    bad["extra_warnings"] = json!(["slow chain", "slower chain"]);
    serve_quote(&mut bench, &bad);
    assert_shows(&bench, "3 warnings → 4 warnings");
    assert_shows(&bench, "1 warning  a acknowledges");
    assert!(!is_asked(&bench, is_broadcast));
}

#[test]
fn the_cursor_stays_on_the_first_of_two_warnings_that_say_the_same() {
    let mut warned = route();
    warned["extra_warnings"] = json!(["slow chain", "slow chain", "thin market"]);
    let mut bench = bench(&warned, false);
    let selected = |bench: &Bench| page(bench).document.selected().and_then(|line| line.copy.clone());
    while selected(&bench).as_deref() != Some("slow chain") {
        bench.keys("j");
    }
    bench.wait(1);
    for expected in ["slow chain", "slow chain", "thin market"] {
        assert_eq!(selected(&bench).as_deref(), Some(expected));
        bench.keys("j");
    }
}

#[test]
fn the_demo_wallet_signs_and_sends_what_is_fresh() {
    let mut bench = bench(&route(), true);
    assert_shows(&bench, "demo wallet");
    serve_messages(&mut bench);
    bench.keys("S");
    let Request::DemoBroadcast(request, ..) = serve(&mut bench, is_broadcast, Ok(broadcast())) else { panic!("sent") };
    assert_eq!((request.msgs.get(), request.tx_index), (messages().to_string().as_str(), Some(0)));
    let id = is_sent(&mut bench).expect("it became a transfer");
    assert_eq!(id.to_string(), format!("test-1/{HASH}"));
    bench.send(Event::Tick);
    assert_shows(&bench, "Enter: open the transfer");
    bench.keys("S");
    assert!(!is_asked(&bench, is_broadcast), "it is not sent twice");
}

#[test]
fn an_old_quote_is_asked_for_again_and_a_changed_one_wants_a_second_yes() {
    let mut bench = bench(&route(), true);
    serve_messages(&mut bench);
    bench.wait(11);
    bench.keys("S");
    assert!(!is_asked(&bench, is_broadcast));
    let mut worse = route();
    worse["amount_out"] = json!("4900000");
    serve_quote(&mut bench, &worse);
    assert_shows(&bench, "4,990,000 smallest units of l2/abc → 4,900,000 smallest units of l2/abc");
    serve_messages(&mut bench);
    assert!(!is_asked(&bench, is_broadcast), "only a second yes sends it");
    bench.keys("S");
    assert!(is_asked(&bench, is_broadcast));
}

#[test]
fn a_quote_that_is_no_worse_than_what_was_accepted_is_sent_without_a_second_yes() {
    // Half a percent of slippage leaves 4,965,050 of 4,990,000.
    for (out, is_accepted) in [("4999999", true), ("4965050", true), ("4965049", false)] {
        let mut bench = bench(&route(), true);
        serve_messages(&mut bench);
        bench.wait(11);
        bench.keys("S");
        let mut other = route();
        other["amount_out"] = json!(out);
        serve_quote(&mut bench, &other);
        serve_messages(&mut bench);
        assert_eq!(is_asked(&bench, is_broadcast), is_accepted, "{out}");
    }
}

#[test]
fn a_quote_with_a_new_fee_on_top_a_new_warning_or_another_way_wants_a_second_yes() {
    let asset = json!({"chain_id": "test-1", "denom": "uinit"});
    let fee = json!([{"amount": "5", "origin_asset": asset, "fee_behavior": "FEE_BEHAVIOR_ADDITIONAL"}]);
    for (name, value) in
        [("estimated_fees", fee), ("extra_warnings", json!(["slow chain"])), ("required_op_hook", json!(true))]
    {
        let mut bench = bench(&route(), true);
        serve_messages(&mut bench);
        bench.wait(11);
        bench.keys("S");
        let mut other = route();
        (other["amount_out"], other[name]) = (json!("4999999"), value);
        serve_quote(&mut bench, &other);
        assert_shows(&bench, "The route changed");
        assert!(!is_asked(&bench, is_broadcast), "{name}");
    }
}

#[test]
fn an_old_quote_that_is_the_same_again_is_sent_without_a_second_yes() {
    let mut bench = bench(&route(), true);
    serve_messages(&mut bench);
    bench.wait(11);
    bench.keys("S");
    serve_quote(&mut bench, &route());
    serve_messages(&mut bench);
    assert!(is_asked(&bench, is_broadcast));
}

#[test]
fn a_hook_is_signed_by_the_wallet_pasted_or_read_from_a_file_and_goes_stale() {
    let payload = json!({"chain_id": "other-1", "hook": [{"msg_type_url": "/minievm.evm.v1.MsgCall",
        "msg": json!({"sender": OWN, "input": "0xa9059cbb00"}).to_string()}]});
    let is_hook = |request: &Request| matches!(request, Request::OpHook(_));
    let mut hooked = route();
    hooked["required_op_hook"] = json!(true);
    let mut bench = bench(&hooked, true);
    let Request::OpHook(request) = serve(&mut bench, is_hook, Ok(Answer::OpHook(verbatim::<OpHook>(&payload)))) else {
        panic!("the hook was asked for")
    };
    assert_eq!((request.source_address.as_str(), request.dest_address.as_str()), (OWN, OWN));
    assert_shows(&bench, "MsgCall · transfer(address,uint256) on Other");
    assert_shows(&bench, "needs the signed hook");
    assert_shows(&bench, "S signs the hook, then sends (2 signatures)");
    enter_on(&mut bench, "paste the signed hook");
    type_line(&mut bench, "{\"signer\": 1}");
    assert!(bench.app.modal.is_some(), "what is no signed hook is refused");
    let odd = json!({"signer": "init1gz9n8jnu9fgqw7vem9ud67gqjk5q4m2w0aejne", "hook": "c2ln", "more": 1.0}).to_string();
    type_line(&mut bench, &odd);
    assert_shows(&bench, "the signer is not an address above");
    let Request::Msgs(request) = serve_messages(&mut bench) else { panic!("messages were asked for") };
    assert_eq!(serde_json::to_string(&request.signed_op_hook).expect("JSON"), odd, "as it was pasted");
    // The signature does not cover another recipient.
    enter_on(&mut bench, "receives");
    type_line(&mut bench, "init1gz9n8jnu9fgqw7vem9ud67gqjk5q4m2w0aejne");
    assert_shows(&bench, "stale");
    serve(&mut bench, is_hook, Ok(Answer::OpHook(verbatim::<OpHook>(&payload))));
    enter_on(&mut bench, "paste the signed hook");
    type_line(&mut bench, "hook.json");
    let text = json!({"signer": OWN, "hook": "c2ln"}).to_string();
    serve(&mut bench, |request| *request == Request::File("hook.json".into()), Ok(Answer::File(text.into())));
    assert_shows(&bench, &format!("signed by {OWN}"));
    assert!(!self::text(&bench).contains("2 signatures"), "one is left");
}

#[test]
fn sending_lets_the_wallet_sign_the_hook_first() {
    let mut hooked = route();
    hooked["required_op_hook"] = json!(true);
    let payload = json!({"chain_id": "other-1", "hook": []});
    let mut bench = bench(&hooked, true);
    bench.keys("S");
    serve(
        &mut bench,
        |request| matches!(request, Request::OpHook(_)),
        Ok(Answer::OpHook(verbatim::<OpHook>(&payload))),
    );
    let signed = SignedOpHook::object(OWN, "c2ln").expect("JSON");
    serve(&mut bench, |request| matches!(request, Request::DemoSign(_)), Ok(Answer::SignedHook(signed)));
    serve_messages(&mut bench);
    assert!(is_asked(&bench, is_broadcast));
}

#[test]
fn the_recipient_is_the_signer_until_it_is_typed_and_another_account_is_marked() {
    let mut three = route();
    three["required_chain_addresses"] = json!(["test-1", "noble-1", "other-1"]);
    let mut bench = bench(&three, true);
    assert_shows(&bench, NOBLE);
    let of_key = |seed: u8| Address::Short([seed; 20]).bech32();
    enter_on(&mut bench, "signs");
    type_line(&mut bench, &of_key(1));
    assert_eq!(text(&bench).matches(&of_key(1)).count(), 2, "{}", text(&bench));
    assert!(!text(&bench).contains("demo wallet ="), "no address of another wallet stays");
    assert_shows(&bench, "needs an address on Noble");
    assert!(!text(&bench).contains("not the signer's account"), "{}", text(&bench));
    enter_on(&mut bench, "receives");
    type_line(&mut bench, &of_key(2));
    assert_shows(&bench, "! not the signer's account");
    enter_on(&mut bench, "signs");
    type_line(&mut bench, &of_key(3));
    assert_shows(&bench, &of_key(2));
    enter_on(&mut bench, "passes");
    type_line(&mut bench, NOBLE);
    assert_eq!(text(&bench).matches("not the signer's account").count(), 1, "another format tells no account");
}

#[test]
fn without_a_wallet_nothing_is_sent_and_the_hash_is_taken() {
    let mut bench = bench(&route(), false);
    for place in ["signs", "receives"] {
        enter_on(&mut bench, place);
        type_line(&mut bench, OWN);
    }
    bench.keys("S");
    assert!(bench.app.toasts.shown().is_some_and(|toast| toast.text.contains("no demo wallet")));
    enter_on(&mut bench, "tx 1  ");
    assert!(bench.app.modal.is_none(), "first the messages must be there to be signed");
    serve_messages(&mut bench);
    enter_on(&mut bench, "type the hash");
    type_line(&mut bench, "nonsense");
    assert!(bench.app.modal.is_some());
    type_line(&mut bench, &HASH.to_lowercase());
    assert_eq!(is_sent(&mut bench).map(|id| id.hash.to_string()).as_deref(), Some(HASH));
}

#[test]
fn what_may_have_been_sent_is_said_to_be_unknown_and_never_called_unsent() {
    let mut bench = bench(&route(), true);
    serve_messages(&mut bench);
    bench.keys("S");
    let error =
        ApiError { kind: ErrorKind::Timeout(std::time::Duration::from_secs(15)), url: "http://a".into(), body: None };
    serve(&mut bench, is_broadcast, Err(error));
    assert_shows(&bench, "Broadcast unconfirmed");
    assert!(page(&bench).sent.is_none());
}

#[test]
fn it_goes_on_towards_sending_while_another_page_covers_it() {
    let mut bench = bench(&route(), true);
    serve_messages(&mut bench);
    bench.wait(11);
    bench.keys("S 1");
    assert!(bench.app.navigation.current().as_page::<SendPage>().is_none());
    serve_quote(&mut bench, &route());
    serve_messages(&mut bench);
    assert!(is_asked(&bench, is_broadcast));
}

#[test]
fn an_answer_that_comes_after_the_page_was_left_for_good_still_becomes_a_transfer() {
    let mut bench = bench(&route(), true);
    serve_messages(&mut bench);
    bench.keys("S H 2 1 2 1");
    serve(&mut bench, is_broadcast, Ok(broadcast()));
    assert!(bench.app.context.transfers.departing.is_none());
}

#[test]
fn a_relayers_price_counts_down_and_is_asked_for_again_when_it_ends() {
    let mut relayed = route();
    relayed["operations"][0]["op_init_transfer"]["smart_relay_fee_quote"] =
        json!({"fee_amount": "1", "expiration": "1970-01-01T00:00:45Z"});
    let mut bench = bench(&relayed, true);
    serve_messages(&mut bench);
    assert_shows(&bench, "holds for 45 s more");
    bench.wait(46);
    assert_shows(&bench, "price has expired");
    relayed["operations"][0]["op_init_transfer"]["smart_relay_fee_quote"]["expiration"] = json!("1970-01-01T00:02:00Z");
    serve_quote(&mut bench, &relayed);
    assert_shows(&bench, "holds for 1 min 14 s more");
    let Request::Msgs(request) = serve_messages(&mut bench) else { panic!("messages for the new price") };
    assert!(request.operations[0].raw.get().contains("00:02:00"));
}

#[test]
fn a_transfer_that_goes_on_sends_its_next_transaction_with_fresh_messages() {
    let mut two = route();
    two["txs_required"] = json!(2);
    let mut second = two["operations"][0].clone();
    second["tx_index"] = json!(1);
    two["operations"].as_array_mut().expect("a list").push(second);
    let mut bench = bench(&two, true);
    assert_shows(&bench, "opens after the previous transaction arrives");
    let mut both = messages();
    let first = both["txs"][0].clone();
    both["txs"].as_array_mut().expect("a list").push(first);
    let both = || Ok(Answer::Msgs(verbatim::<MsgsResponse>(&both)));
    let is_messages = |request: &Request| matches!(request, Request::Msgs(_));
    serve(&mut bench, is_messages, both());
    enter_on(&mut bench, "tx 2  ");
    assert!(bench.app.modal.is_none(), "the second opens later");
    bench.keys("S");
    serve(&mut bench, is_broadcast, Ok(broadcast()));
    let id = is_sent(&mut bench).expect("it became a transfer");
    let record = bench.app.context.transfers.get(&id).expect("it is kept").follower.record.clone();
    assert_eq!((record.txs.len(), record.addresses.len()), (1, 2));
    assert_eq!(record.route.as_deref(), Some(two.to_string().as_str()), "the route verbatim");
    bench.wait(3600);
    open_next(&mut bench, &record, 1);
    serve(&mut bench, is_messages, both());
    enter_on(&mut bench, "signs  ");
    assert!(bench.app.modal.is_none(), "its addresses stay");
    bench.wait(60);
    bench.keys("S");
    assert!(
        !is_asked(&bench, |request| matches!(request, Request::Route(_))),
        "funds midway have no quote from the start"
    );
    serve(&mut bench, is_messages, both());
    let other = HASH.replace("ABCD", "1234");
    let sent = Answer::Broadcast(Broadcast { chain_id: ChainId::new("test-1"), tx_hash: other.clone() });
    let Request::DemoBroadcast(request, ..) = serve(&mut bench, is_broadcast, Ok(sent)) else { panic!("sent") };
    assert_eq!(request.tx_index, Some(1));
    let record = &bench.app.context.transfers.get(&id).expect("it is kept").follower.record;
    let hashes: Vec<String> = record.txs.iter().map(|tx| tx.hash.to_string()).collect();
    assert_eq!(hashes, [HASH.to_owned(), other]);
}

#[test]
fn the_second_transaction_is_signed_on_its_chain_and_the_first_ones_warnings_are_not_asked_again() {
    let mut two = route();
    (two["txs_required"], two["extra_warnings"]) = (json!(2), json!(["seven days"]));
    let mut second = two["operations"][0].clone();
    second["tx_index"] = json!(1);
    (second["op_init_transfer"]["from_chain_id"], second["op_init_transfer"]["to_chain_id"]) =
        (json!("other-1"), json!("other-1"));
    two["operations"].as_array_mut().expect("a list").push(second);
    let mut both = messages();
    let mut last = both["txs"][0].clone();
    last["cosmos_tx"]["chain_id"] = json!("other-1");
    both["txs"].as_array_mut().expect("a list").push(last);
    let both = || Ok(Answer::Msgs(verbatim::<MsgsResponse>(&both)));
    let is_messages = |request: &Request| matches!(request, Request::Msgs(_));
    let mut bench = bench(&two, true);
    assert_shows(&bench, "1 warning");
    bench.keys("a");
    serve(&mut bench, is_messages, both());
    bench.keys("S");
    serve(&mut bench, is_broadcast, Ok(broadcast()));
    let id = is_sent(&mut bench).expect("it became a transfer");
    let record = bench.app.context.transfers.get(&id).expect("it is kept").follower.record.clone();
    open_next(&mut bench, &record, 1);
    for shown in ["transaction 2 of 2, signed on Other", "left      Test", "signs and receives Other", "acknowledged"] {
        assert_shows(&bench, shown);
    }
    serve(&mut bench, is_messages, both());
    bench.keys("S");
    assert!(is_asked(&bench, is_broadcast), "no warning is asked again");
}

#[test]
fn messages_whose_effect_nobody_knows_need_a_yes_before_the_demo_wallet_sends_them() {
    let told = |memo: Value| {
        let message = json!({"source_port": "transfer", "source_channel": "channel-1", "sender": OWN, "receiver": OWN,
            "token": {"denom": "uinit", "amount": "5000000"}, "timeout_height": {}, "timeout_timestamp": 1,
            "memo": memo.to_string()});
        let msgs = json!([{"msg_type_url": "/ibc.applications.transfer.v1.MsgTransfer", "msg": message.to_string()}]);
        let tx = json!({"chain_id": "test-1", "path": [], "signer_address": OWN, "msgs": msgs});
        let answer = json!({"txs": [{"cosmos_tx": tx}], "min_amount_out": "4990000"});
        Ok(Answer::Msgs(verbatim::<MsgsResponse>(&answer)))
    };
    let swap = json!({"move": {"message": {"module_address": "0x2d", "module_name": "swap_router",
        "function_name": "swap", "type_args": [], "args": []}}});
    for memo in [swap, json!({"wasm": {"contract": "init1x", "msg": {"buy": {}}}})] {
        let mut bench = bench(&route(), true);
        serve(&mut bench, |request| matches!(request, Request::Msgs(_)), told(memo));
        assert_shows(&bench, "1 warning  a acknowledges");
        assert_shows(&bench, "Messages not verified: unknown effect: a memo that asks for");
        assert_shows(&bench, "! Messages   1 transaction · not verified");
        bench.keys("S");
        assert!(!is_asked(&bench, is_broadcast) && is_sent(&mut bench).is_none());
        bench.keys("a");
        assert_shows(&bench, "acknowledged");
        bench.keys("S");
        serve(&mut bench, is_broadcast, Ok(broadcast()));
        assert!(is_sent(&mut bench).is_some());
    }
}
