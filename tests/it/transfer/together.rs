//! The lines of a page together: whatever routers, faults, indexers and clocks do, no two of them contradict each
//! other, and nothing is said ahead of evidence.

use proptest::prelude::*;
use rollscope::{
    domain::{Amount, Denom, LocalZone, Timestamp, Tracking, TransferRecord},
    transfers::{
        ArrivalEvidence, Evidence, HeadlineWitness, HopPhase, IndexFindings, IndexedReturn, NextStep, Phase,
        ReturnCause, RouterAnswers, RouterHealth, SourceEvidence, TransferStatusView, status_view,
    },
    wire::{ApiError, ErrorKind},
};
use serde_json::{Value, json};

use super::{Plain, at, body, record};

/// What happens to a transfer, one after the other.
#[derive(Clone, Debug)]
enum Happening {
    Status(&'static str, Option<u32>, bool),
    Unknown,
    Silent(u8),
    Refused(bool),
    Source(SourceEvidence),
    Credit,
    Returned,
    /// The clock goes on, or back.
    Clock(i64),
}

fn happenings() -> impl Strategy<Value = Vec<Happening>> {
    let states = prop::sample::select(vec![
        "STATE_SUBMITTED",
        "STATE_PENDING",
        "STATE_PENDING_ERROR",
        "STATE_COMPLETED_SUCCESS",
        "STATE_COMPLETED_ERROR",
        "STATE_ABANDONED",
        "STATE_UNKNOWN",
        "STATE_COMPLETED",
        "STATE_FAILED",
        "STATE_NEW",
    ]);
    let source = prop::sample::select(vec![SourceEvidence::Absent, SourceEvidence::Succeeded, SourceEvidence::Failed]);
    let one = prop_oneof![
        4 => (states, prop::option::of(0..3_u32), any::<bool>()).prop_map(|(s, b, r)| Happening::Status(s, b, r)),
        2 => Just(Happening::Unknown),
        2 => any::<u8>().prop_map(Happening::Silent),
        1 => any::<bool>().prop_map(Happening::Refused),
        2 => source.prop_map(Happening::Source),
        1 => Just(Happening::Credit),
        1 => Just(Happening::Returned),
        2 => (-5_000..5_000_i64).prop_map(Happening::Clock),
    ];
    prop::collection::vec(one, 1..12)
}

struct World {
    record: TransferRecord,
    standing: RouterHealth,
    findings: IndexFindings,
    second: u64,
}

impl World {
    fn new(has_route: bool) -> Self {
        let route = has_route.then(|| body("route-ibc-multihop"));
        let mut record = record(route.as_ref(), None);
        record.txs[0].tracking = Tracking::Pending;
        Self { record, standing: RouterHealth::default(), findings: IndexFindings::default(), second: 10_000 }
    }

    fn now(&self) -> Timestamp {
        at(self.second)
    }

    fn take(&mut self, happening: &Happening) {
        let now = self.now();
        let error = |kind: ErrorKind| ApiError { kind, url: "http://router.example".into(), body: None };
        match happening {
            Happening::Status(state, blocking, is_released) => {
                let tx = &mut self.record.txs[0];
                tx.tracking = Tracking::Accepted;
                tx.status = Some((status(state, *blocking, *is_released).to_string().into(), now));
                self.standing.answer();
            }
            Happening::Unknown => self.standing.fail(&error(ErrorKind::Untracked("tx not found".into())), now),
            Happening::Silent(0..128) => self.standing.fail(&error(ErrorKind::Timeout(std::time::Duration::ZERO)), now),
            Happening::Silent(_) => {
                self.standing.fail(&error(ErrorKind::Server { status: 502, sentence: String::new().into() }), now);
            }
            Happening::Refused(is_invalid) => {
                let sentence = if *is_invalid { "tx is invalid on chain" } else { "no" }.to_owned();
                self.standing.refuse(&error(ErrorKind::Rejected { status: 400, sentence: sentence.into() }), now);
            }
            Happening::Source(source) => {
                self.findings.evidence = Evidence { source: Some(*source), ..self.findings.evidence };
                self.findings.source_at = Some(now);
            }
            Happening::Credit => {
                self.findings.evidence.arrival = Some(ArrivalEvidence::Credited);
                self.findings.arrival_at = Some(now);
            }
            Happening::Returned => {
                self.findings.returned = Some(IndexedReturn {
                    denom: Denom::new("l2/df41"),
                    amount: Amount::from(7_u128),
                    at: now,
                    cause: ReturnCause::TimedOut,
                });
                self.findings.source_at = Some(now);
            }
            Happening::Clock(step) => self.second = self.second.saturating_add_signed(*step),
        }
    }

    fn view(&self) -> TransferStatusView {
        let mut answers = RouterAnswers::of(&self.record);
        answers.standing = self.standing.clone();
        status_view(&self.record, &answers, self.findings.clone(), &Plain, self.now())
    }
}

fn status(state: &str, blocking: Option<u32>, is_released: bool) -> Value {
    let hop = |from: &str, to: &str| {
        json!({"ibc_transfer": {"from_chain_id": from, "to_chain_id": to,
        "state": "TRANSFER_PENDING", "packet_txs": {"send_tx": {"chain_id": from, "tx_hash": "A",
        "on_chain_at": "2025-11-21T10:00:02Z"}}}})
    };
    let release =
        is_released.then(|| json!({"chain_id": "interwoven-1", "denom": "uusdc", "amount": "5", "released": true}));
    json!({"state": state, "transfer_sequence": [hop("echelon-1", "interwoven-1"), hop("interwoven-1", "noble-1")],
        "next_blocking_transfer": blocking.map(|index| json!({"transfer_sequence_index": index})),
        "transfer_asset_release": release})
}

/// What is wrong with the lines of a page, taken together.
fn contradiction(world: &World, view: &TransferStatusView) -> Option<&'static str> {
    let line = view.headline.first_line_in(&LocalZone::default(), world.now());
    let has = |phase: HopPhase| view.hops.iter().any(|hop| hop.phase == phase);
    let notes = |words: &str| view.notes.iter().any(|note| note.contains(words));
    let is_silent = matches!(world.standing, RouterHealth::Silent(..) | RouterHealth::Unknowing(_));
    let source = view.headline.source;
    let is_said = world.record.txs[0].status.as_ref().is_some_and(|(text, _)| text.contains("COMPLETED_SUCCESS"));
    let is_credited = world.findings.evidence.arrival == Some(ArrivalEvidence::Credited);
    [
        (view.phase == Phase::Arrived && (has(HopPhase::Active) || has(HopPhase::Waiting)), "arrived, and a hop is not"),
        (view.phase == Phase::Arrived && !is_said && !is_credited, "arrived ahead of evidence"),
        (line.to_lowercase().contains("arrived") && view.phase != Phase::Arrived, "arrival in words only"),
        (view.phase.is_failure() && (has(HopPhase::Active) || has(HopPhase::Waiting)), "failed, and a hop goes on"),
        (is_silent && line.starts_with("On its way"), "present tense for a silent router"),
        (is_silent && notes("longer than"), "late though nobody says so"),
        (view.as_of.is_some() && view.headline.clock.is_some(), "a clock beside an old word"),
        (view.as_of.is_some() && view.phase.is_over(), "an end that is in doubt"),
        (source.at.is_none() && source.witness != HeadlineWitness::Nobody && is_heard(world), "no age"),
        (view.phase == Phase::Forgotten && !matches!(world.standing, RouterHealth::Unknowing(_)), "forgotten by nobody"),
        (world.findings.evidence.source == Some(SourceEvidence::Succeeded) && line.starts_with("Failed at the source"),
            "failed, and its chain has it as a success"),
        (matches!(&view.next, NextStep::RouteFrom(release) if view.release.as_ref().is_some_and(|told| told != release)),
            "a route from where the funds are not"),
        (view.clocks.iter().any(|clock| clock.begun.zip(clock.ended).is_some_and(|(begun, ended)| ended < begun)),
            "an end before its beginning"),
        (view.phase.is_failure() && view.expected.is_some() && line.contains(" of about "), "a clock after the end"),
    ]
    .into_iter()
    .find_map(|(is_wrong, what)| is_wrong.then_some(what))
}

/// Whether anybody said anything at all.
fn is_heard(world: &World) -> bool {
    world.record.txs[0].status.is_some() && world.findings.source_at.is_some() && world.findings.arrival_at.is_some()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn no_two_lines_contradict_each_other(happenings in happenings(), has_route in any::<bool>()) {
        let mut world = World::new(has_route);
        for happening in &happenings {
            world.take(happening);
            let view = world.view();
            let wrong = contradiction(&world, &view);
            prop_assert!(wrong.is_none(), "{wrong:?}: {:?}\n{:#?}\n{:?}", view.headline, view.notes, world.standing);
            prop_assert!(!view.headline.to_string().is_empty());
        }
    }
}
