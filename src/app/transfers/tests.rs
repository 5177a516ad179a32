//! Tests of the transfers alone: events in, effects out.

use super::*;
use crate::{
    app::{
        directory::Directory,
        requests::{Requests, SlotRequest},
    },
    config::{Announcements, KeyScope, Keymap},
    domain::{BroadcastHash, ChainId, LocalZone},
    msg::{PageId, WitnessOf},
    transfers::{FollowerAnswer, Phase, SubstituteEstimate},
    wire::{
        ApiError, ErrorKind, RawJson, Verbatim,
        router::{Asset, Broadcast},
    },
};

/// Session around the transfers that records their effects.
struct Desk {
    transfers: Transfers,
    requests: Requests<()>,
    keymap: Keymap,
    directory: Directory,
}

impl Desk {
    fn new() -> Self {
        let transfers = Transfers::new(Announcements::default());
        Self { transfers, requests: Requests::default(), keymap: Keymap::built_in(), directory: Directory::default() }
    }

    fn act<R>(&mut self, act: impl FnOnce(&mut Transfers, &mut TransferCx<'_>) -> R) -> Vec<PageEffect> {
        let facts = SessionFacts {
            labelled: None,
            now: Timestamp::EPOCH,
            zone: LocalZone::default(),
            own_chain: Some(ChainId::new("near-1")),
            executor: None,
            l1: None,
            has_router: true,
            is_router_gone: true,
            block_seconds: None,
            shown: ShownTransfers::None,
            selected: None,
            has_modal: false,
            layers: KeyScope::Bridge.layers(),
        };
        let Self { transfers, requests, keymap, directory } = self;
        let pending = requests.slots().collect();
        let mut cx = TransferCx { facts, directory, keymap, pending, effects: Vec::new() };
        act(transfers, &mut cx);
        cx.effects
    }

    fn kept(&self) -> Vec<TransferId> {
        self.transfers.all().iter().map(|transfer| transfer.follower.record.id.clone()).collect()
    }
}

fn hash(number: u8) -> BroadcastHash {
    format!("{number:02X}").repeat(32).parse().expect("a hash")
}

fn record(number: u8) -> TransferRecord {
    TransferRecord::of_hash(ChainId::new("near-1"), &hash(number), Timestamp::EPOCH)
}

fn departure(page: u32) -> PendingBroadcast {
    let (route, chain) = ("{}".into(), ChainId::new("near-1"));
    PendingBroadcast { page: PageId(page), further: None, route, addresses: Vec::new(), chain }
}

#[test]
fn no_two_are_kept_under_one_name_and_nobody_waits_for_what_was_asked_of_the_one_before() {
    let mut desk = Desk::new();
    let id = record(1).id;
    desk.act(|transfers, cx| transfers.begin(record(1), cx));
    desk.act(|transfers, cx| transfers.mark_chain_gone(&ChainId::new("near-1"), cx));
    assert!(desk.transfers.get(&id).expect("kept").is_lost());
    assert!(!desk.transfers.is_kept(&id.chain_id, &id.hash), "not on the chain that is here now");

    let effects = desk.act(|transfers, cx| transfers.begin(record(1), cx));
    assert_eq!(desk.kept(), std::slice::from_ref(&id));
    assert!(!desk.transfers.get(&id).expect("kept").is_lost() && desk.transfers.is_kept(&id.chain_id, &id.hash));
    for slot in [
        Slot::Track(id.clone()),
        Slot::TransferStatus(id.clone()),
        Slot::Witness(id.clone(), WitnessOf::Source),
        Slot::Witness(id.clone(), WitnessOf::Arrival),
    ] {
        assert!(effects.iter().any(|effect| matches!(effect, PageEffect::Cancel(of) if *of == slot)), "{slot:?}");
    }
    assert!(
        matches!(effects.last(), Some(PageEffect::Open(opened)) if matches!(&**opened, Destination::Transfer(opened) if *opened == id))
    );
}

/// Returns a transfer by its hash, over IBC to this chain; it takes this many seconds, or is in progress.
fn over_ibc(number: u8, to: &str, seconds: Option<u64>) -> TransferRecord {
    let mut record = record(number);
    let tx = |chain: &str, second: u64| {
        let at = Timestamp::EPOCH.after(Duration::from_secs(second)).to_string();
        serde_json::json!({ "chain_id": chain, "tx_hash": hash(number).to_string(), "on_chain_at": at })
    };
    let state = if seconds.is_some() { "SUCCESS" } else { "PENDING" };
    let packets =
        serde_json::json!({ "send_tx": tx("near-1", 0), "receive_tx": seconds.map(|seconds| tx(to, seconds)) });
    let hop = serde_json::json!({ "ibc_transfer": {
        "from_chain_id": "near-1", "to_chain_id": to, "state": format!("TRANSFER_{state}"), "packet_txs": packets,
    } });
    let release = serde_json::json!({ "chain_id": to, "denom": "uinit", "released": seconds.is_some() });
    let state = if seconds.is_some() { "STATE_COMPLETED_SUCCESS" } else { "STATE_PENDING" };
    let status = serde_json::json!({ "transfers": [{
        "state": state, "transfer_sequence": [hop], "transfer_asset_release": release,
    }] });
    if let Some(tx) = record.txs.first_mut() {
        tx.status = Some((status.to_string().into(), Timestamp::EPOCH));
    }
    record
}

#[test]
fn a_transfer_by_its_hash_is_estimated_by_earlier_ones_over_the_same_hops() {
    let mut desk = Desk::new();
    let mut keep = |record: TransferRecord| {
        let id = record.id.clone();
        desk.act(|transfers, cx| transfers.keep_new(record, cx));
        desk.transfers.get(&id).expect("kept").follower.view.clone()
    };
    assert_eq!(keep(over_ibc(1, "far-1", None)).expected, None, "no estimate without evidence");
    for (number, to, seconds) in [(2, "far-1", 20), (3, "far-1", 90), (4, "far-1", 38), (5, "else-1", 700)] {
        let view = keep(over_ibc(number, to, Some(seconds)));
        assert_eq!((view.phase, view.substitute), (Phase::Arrived, None), "{number}");
    }
    let view = keep(over_ibc(6, "far-1", None));
    let median = Duration::from_secs(38);
    assert_eq!(view.substitute, Some(SubstituteEstimate::Earlier(UsualDuration { median, transfers: 3 })));
    assert_eq!(view.expected, Some(Timestamp::EPOCH.after(median)));
    let notes: Vec<String> = view.notes.iter().map(ToString::to_string).collect();
    assert!(
        notes.iter().any(|note| note.contains("the median of 3 earlier transfers over the same hops")),
        "{notes:?}"
    );
    assert_eq!(keep(over_ibc(7, "nowhere-1", None)).substitute, None, "other hops");
}

#[test]
fn what_the_wallet_answers_is_of_the_page_that_gave_it() {
    let broadcast = Broadcast { chain_id: ChainId::new("near-1"), tx_hash: hash(7).to_string() };
    let sent: Result<Broadcast, ApiError> = Ok(broadcast);
    let mut desk = Desk::new();
    desk.transfers.departing = Some(departure(3));
    assert!(desk.act(|transfers, cx| transfers.take_departed(PageId(4), sent.clone(), cx)).is_empty());
    assert!(desk.transfers.departing.is_some() && desk.kept().is_empty());

    let effects = desk.act(|transfers, cx| transfers.take_departed(PageId(3), sent.clone(), cx));
    let told = effects
        .iter()
        .position(|effect| matches!(effect, PageEffect::Departed(PageId(3), Ok(id)) if *id == record(7).id));
    let opened = effects.iter().position(|effect| matches!(effect, PageEffect::Open(_)));
    assert!(told.is_some() && told < opened, "{effects:?}");
    assert_eq!(desk.kept(), [record(7).id]);
    assert!(desk.act(|transfers, cx| transfers.take_departed(PageId(3), sent.clone(), cx)).is_empty(), "taken once");

    desk.transfers.departing = Some(departure(3));
    let timeout = ErrorKind::Timeout(std::time::Duration::from_secs(9));
    let lost = Err(ApiError { kind: timeout, url: "http://wallet.example".into(), body: None });
    let effects = desk.act(|transfers, cx| transfers.take_departed(PageId(3), lost, cx));
    let is_unknown = |effect: &PageEffect| matches!(effect, PageEffect::Departed(_, Err(text)) if text.starts_with("Broadcast unconfirmed"));
    assert!(effects.iter().any(is_unknown) && desk.kept().len() == 1);
}

#[test]
fn the_indexer_is_asked_a_few_questions_at_once_and_none_twice() {
    let mut desk = Desk::new();
    for number in 1..=9 {
        desk.act(|transfers, cx| transfers.begin(record(number), cx));
    }
    let asked = |desk: &mut Desk| {
        let witnesses = |desk: &Desk| -> Vec<Slot> {
            desk.requests.slots().filter(|slot| matches!(slot, Slot::Witness(..))).cloned().collect()
        };
        let before = witnesses(desk);
        for effect in desk.act(|transfers, cx| transfers.ask_due(cx)) {
            if let PageEffect::RequestForTransfers(SlotRequest { slot, request, .. }) = effect {
                desk.requests.fetch_any(slot, request, Box::new(|(), _| {}));
            }
        }
        witnesses(desk).into_iter().filter(|slot| !before.contains(slot)).collect::<Vec<_>>()
    };
    let first = asked(&mut desk);
    assert_eq!((first.len(), asked(&mut desk).len()), (4, 0));
    desk.requests.cancel_where(|slot| *slot == first[0]);
    let next = asked(&mut desk);
    assert!(next.len() == 1 && !first[1..].contains(&next[0]), "{next:?}");
}

/// The router says that funds arrived before it has listed the assets of their chain.
#[test]
fn an_arrival_is_announced_again_once_its_asset_has_a_name() {
    let mut desk = Desk::new();
    let (id, far) = (record(1).id, ChainId::new("far-2"));
    desk.act(|transfers, cx| transfers.begin(record(1), cx));
    let chains = serde_json::from_str(r#"[{"chain_id":"far-2"}]"#).unwrap();
    desk.directory.chains.settle(Ok(Arc::new(chains)), Timestamp::EPOCH);
    let text = r#"{"state":"STATE_COMPLETED_SUCCESS","transfer_asset_release":
        {"chain_id":"far-2","denom":"uusdc","amount":"5000000","released":true}}"#;
    let status = Verbatim { value: serde_json::from_str(text).unwrap(), raw: RawJson::parse(text.to_owned()).unwrap() };
    let answer = FollowerAnswer::Status(Ok(Arc::new(status)));
    let said = |effects: &[PageEffect]| -> Vec<String> {
        let text = |effect: &PageEffect| match effect {
            PageEffect::Shell(Effect::Title(text)) | PageEffect::Reword(_, text) => Some(text.clone()),
            PageEffect::Say(_, text) => Some(text.to_string()),
            PageEffect::Shell(Effect::Bell) => Some("bell".to_owned()),
            _ => None,
        };
        effects.iter().filter_map(text).collect()
    };

    let unnamed = "Arrived: 5,000,000 smallest units of uusdc on far-2.";
    let toast = format!("{}: {unnamed}", id.hash.short());
    let effects = desk.act(|transfers, cx| transfers.take_followed(&id, answer, cx));
    assert_eq!(said(&effects), ["bell".to_owned(), format!("✓ {unnamed}"), toast.clone()]);
    assert!(desk.transfers.named_chains().contains(&far), "its names are asked for");
    desk.directory.assets.entry(far.clone()).or_default().ask(Timestamp::EPOCH);
    assert_eq!(said(&desk.act(Transfers::meet_needs)), [""; 0]);

    let assets = r#"[{"chain_id":"far-2","denom":"uusdc","symbol":"USDC","decimals":6}]"#;
    let assets: Vec<Asset> = serde_json::from_str(assets).unwrap();
    desk.directory.assets.entry(far).or_default().settle(Ok(Arc::new(assets)), Timestamp::EPOCH);
    let effects = desk.act(Transfers::meet_needs);
    let named = toast.replace("5,000,000 smallest units of uusdc", "5 USDC");
    assert_eq!(said(&effects), ["✓ Arrived: 5 USDC on far-2.".to_owned(), named]);
    assert!(effects.iter().any(|effect| matches!(effect, PageEffect::Reword(before, _) if *before == toast)));
    assert_eq!(said(&desk.act(Transfers::meet_needs)), [""; 0], "once");
    assert!(!desk.transfers.needs_names());
}

/// A transfer of an earlier session, whose end was told before the names of its assets came.
#[test]
fn page_and_board_say_one_amount() {
    let far = ChainId::new("far-2");
    for (denom, amount, symbol, unnamed, said) in [
        ("uusdc", "5000000", "USDC", "5,000,000 smallest units of uusdc", "5 USDC"),
        ("utia", "227731", "TIA", "227,731 smallest units of utia", "0.227731 TIA"),
    ] {
        let (mut desk, mut record) = (Desk::new(), record(1));
        let status = serde_json::json!({"state": "STATE_COMPLETED_SUCCESS", "transfer_asset_release":
            {"chain_id": far, "denom": denom, "amount": amount, "released": true}});
        record.txs[0].status = Some((status.to_string().into(), Timestamp::EPOCH));
        let id = record.id.clone();
        desk.act(|transfers, cx| transfers.keep_new(record, cx));
        let texts = |desk: &Desk| {
            let transfer = desk.transfers.get(&id).expect("kept");
            let page = transfer.view_at(&desk.directory, Some(&ChainId::new("near-1")), Timestamp::EPOCH);
            [&transfer.follower.view, &page].map(|view| view.headline.text.as_str().to_owned())
        };
        assert_eq!(texts(&desk), [format!("Arrived: {unnamed} on far-2."), format!("Arrived: {unnamed} on far-2.")]);
        let assets = serde_json::json!([{"chain_id": far, "denom": denom, "symbol": symbol, "decimals": 6}]);
        let chains = serde_json::from_str(r#"[{"chain_id":"far-2"}]"#).unwrap();
        desk.directory.chains.settle(Ok(Arc::new(chains)), Timestamp::EPOCH);
        let assets: Vec<Asset> = serde_json::from_value(assets).unwrap();
        desk.directory.assets.entry(far.clone()).or_default().settle(Ok(Arc::new(assets)), Timestamp::EPOCH);
        desk.directory.edition += 1;
        desk.act(Transfers::meet_needs);
        assert_eq!(texts(&desk), [format!("Arrived: {said} on far-2."), format!("Arrived: {said} on far-2.")]);
    }
}
