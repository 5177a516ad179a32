//! A router that changes any field of its status, and stays consistent with itself: nothing is said to have arrived
//! that the honest chains, as far as the person's servers tell of them, do not have.
//!
//! The oracle knows what happened, since it is decided here; it uses nothing of the program.

use rollscope::{
    domain::{Coin, Denom},
    transfers::{
        ArrivalEvidence, Evidence, HeadlineWitness, IndexFindings, Phase, RouterAnswers, SourceEvidence,
        TransferStatusView, status_view,
    },
    wire::router::AssetRelease,
};
use serde_json::{Value, json};

use super::{CREDITED, Plain, SOURCE_FAILED, at, body, record, source_tx, withdrawals::settled};
use crate::harness::lies::{self, Lie, SEED};

/// What happened, and who of the person's servers told of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Truth {
    /// The funds are there, and a server shows it.
    Arrived,
    /// The funds are not there, and a server shows it.
    NotThere,
    /// The source transaction failed, and a server shows it.
    Failed,
    /// A server could show it, and has not answered.
    Silent,
    /// No server of the person's could show it.
    Unseen,
}

/// A transfer whose router tells of its end, and what it brings.
struct Order {
    route: &'static str,
    status: Value,
    is_withdrawal: bool,
    /// Chain, denom and amount of what arrives.
    brings: (&'static str, &'static str, u128),
}

fn over_bridge(ends: [&str; 2], denom: &str, amount: &str) -> Value {
    let tx = |chain: &str, digit: &str, second: u64| json!({"chain_id": chain, "tx_hash": digit.repeat(64), "on_chain_at": at(second).to_string()});
    json!({"state": "STATE_COMPLETED_SUCCESS",
        "transfer_sequence": [{"op_init_transfer": {"from_chain_id": ends[0], "to_chain_id": ends[1],
            "state": "OPINIT_TRANSFER_RECEIVED",
            "txs": {"send_tx": tx(ends[0], "1", 2), "receive_tx": tx(ends[1], "A", 20)}}}],
        "transfer_asset_release": {"chain_id": ends[1], "denom": denom, "amount": amount, "released": true}})
}

const INIT: &str = "l2/2b2d36f666e98b9eecf70d6ec24b882b79f2c8e2af73f54f97b8b670dbb87605";

fn orders() -> [Order; 3] {
    let [civitia, initia] = ["civitia-1", "interwoven-1"];
    [
        Order {
            route: "route-op-deposit",
            status: over_bridge([initia, civitia], INIT, "15000000"),
            is_withdrawal: false,
            brings: (civitia, INIT, 15_000_000),
        },
        Order {
            route: "route-op-withdraw",
            status: over_bridge([civitia, initia], "uinit", "40000000"),
            is_withdrawal: true,
            brings: (initia, "uinit", 40_000_000),
        },
        Order {
            route: "route-ibc-multihop",
            status: body("status-4b-completed-success"),
            is_withdrawal: false,
            brings: ("noble-1", "uusdc", 25_000_000),
        },
    ]
}

impl Order {
    /// What the person's servers tell.
    fn found(&self, truth: Truth) -> IndexFindings {
        let not_there = Evidence { arrival: Some(ArrivalEvidence::Absent), source: Some(SourceEvidence::Succeeded) };
        let found = match (truth, self.is_withdrawal) {
            (Truth::Arrived, true) => settled(|answers| answers.is_claimed = Some(true)),
            (Truth::NotThere, true) => settled(|_| {}),
            (Truth::Arrived, false) => CREDITED.into(),
            (Truth::NotThere, false) => not_there.into(),
            (Truth::Failed, _) => SOURCE_FAILED.into(),
            (Truth::Silent | Truth::Unseen, _) => IndexFindings::default(),
        };
        IndexFindings { is_arrival_askable: truth != Truth::Unseen, ..found }
    }

    fn look(&self, status: &Value, found: IndexFindings) -> TransferStatusView {
        let route = body(self.route);
        let mut record = record(Some(&route), Some(&self.status));
        record.txs[0].status = Some((status.to_string().into(), at(5)));
        status_view(&record, &RouterAnswers::of(&record), found, &Plain, at(40))
    }

    /// A look at the transfer followed by its hash alone, where a server told what the source transaction sent.
    fn look_by_hash(&self, status: &Value, found: IndexFindings) -> TransferStatusView {
        let source = if self.is_withdrawal { "civitia-1" } else { "interwoven-1" };
        let mut tx = source_tx(source, 1, Some(&self.status));
        tx.status = Some((status.to_string().into(), at(5)));
        let mut record = record(None, None);
        record.txs = vec![tx];
        let begun = self.is_withdrawal.then(|| Coin { denom: Denom::new(self.brings.1), amount: self.brings.2.into() });
        status_view(&record, &RouterAnswers::of(&record), IndexFindings { begun, ..found }, &Plain, at(40))
    }

    /// What the view says that is not so.
    fn falsehoods(&self, truth: Truth, view: &TransferStatusView, has_route: bool) -> Vec<&'static str> {
        let says_arrived = view.phase == Phase::Arrived;
        let words = view.headline.text.as_str();
        let mut found = Vec::new();
        let mut hold = |is_so: bool, what| {
            if !is_so {
                found.push(what);
            }
        };
        hold(says_arrived == (words.starts_with("Arrived") || words.starts_with("Done")), "phase and words differ");
        match truth {
            Truth::Arrived => {
                // What failed behind the arrival leaves the funds there.
                let at_its_end = |release: &AssetRelease| !has_route || release.chain_id.as_str() == self.brings.0;
                let is_there = view.release.as_ref().is_none_or(at_its_end);
                hold(
                    view.phase != Phase::FailedAtSource && (view.phase != Phase::FailedReleased || is_there),
                    "a failure",
                );
            }
            _ => hold(!says_arrived || truth == Truth::Unseen, "an arrival"),
        }
        let is_alone = view.headline.source.witness == HeadlineWitness::RouterOnly;
        hold(!says_arrived || truth != Truth::Unseen || is_alone, "an arrival not called the router's word");
        if let Some(release) = view.release.as_ref().filter(|_| says_arrived && (has_route || self.is_withdrawal)) {
            let (chain, denom, amount) = self.brings;
            // Followed by its hash, only the router tells whether the funds go on from the first chain.
            let is_there = release.chain_id.as_str() == chain;
            hold(is_there || !has_route, "the chain");
            hold(!is_there || release.denom.as_str() == denom, "the denom");
            hold(!is_there || release.amount.is_none_or(|told| told <= amount.into()), "more than was sent");
        }
        found
    }
}

#[test]
fn whatever_a_consistent_router_says_of_the_end_nothing_false_is_told() {
    let (mut plays, mut arrived, mut found) = (0, 0, Vec::new());
    let orders = orders();
    let truths = [Truth::Arrived, Truth::NotThere, Truth::Failed, Truth::Silent, Truth::Unseen];
    for order in &orders {
        for truth in truths {
            let honest = order.look(&order.status, order.found(truth));
            let is_over = matches!(truth, Truth::Arrived | Truth::Unseen);
            assert_eq!(honest.phase == Phase::Arrived, is_over, "{} {truth:?}: {}", order.route, honest.headline);
        }
        lies::play(&Lie::all(&order.status), orders.len(), |lies| {
            let mut status = order.status.clone();
            for lie in lies {
                lie.change(&mut status);
            }
            for truth in truths {
                let planned = order.look(&status, order.found(truth));
                let by_hash = order.look_by_hash(&status, order.found(truth));
                for (view, has_route) in [(planned, true), (by_hash, false)] {
                    plays += 1;
                    arrived += usize::from(view.phase == Phase::Arrived);
                    let false_words = order.falsehoods(truth, &view, has_route);
                    found.extend(false_words.iter().map(|what| {
                        format!(
                            "{what}, {truth:?}, with a route: {has_route}: {lies:?}\n{} {:?}",
                            view.headline, view.release
                        )
                    }));
                }
            }
        });
    }
    println!("seed {SEED}: {plays} changed answers, {arrived} arrived, {} told falsely", found.len());
    assert!(found.is_empty(), "seed {SEED}: {} of {plays}\n{}", found.len(), found.join("\n"));
    assert!(arrived > plays / 20 && arrived < plays, "{arrived} of {plays} arrived");
}
