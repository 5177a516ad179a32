//! The side of the bridge on the L1.

use crate::story::{
    Phrase,
    scene::{Clause, Scene, Told},
    sentence::{
        say::{Seen, by_field},
        verb,
    },
};

/// The messages of the L1's side of the bridge.
pub(super) fn tell(scene: &Scene<'_>, told: Told<'_>, name: &str) -> Clause {
    let text = |name: &str| told.text(name).unwrap_or_default().into_owned();
    let rollup = || rollup(scene, &text("bridge_id"));
    match name {
        "MsgInitiateTokenDeposit" => deposit(scene, told),
        "MsgFinalizeTokenWithdrawal" => claim(scene, told),
        "MsgProposeOutput" => {
            let place = Seen::of(scene, told).one("propose_output").map(|(place, _)| place);
            let words = scene.words().text(format!("output #{} of ", text("output_index"))).by(place).then(rollup());
            let rest = words.text(format!(" up to its block {}", text("l2_block_number"))).done();
            by_field(scene, told, "proposer", verb::PROPOSE, rest)
        }
        "MsgRecordBatch" => {
            let rest = scene.words().text("a batch of transactions of ").then(rollup()).done();
            by_field(scene, told, "submitter", verb::RECORD, rest)
        }
        "MsgDeleteOutput" => {
            let rest = scene.words().text(format!("output #{} of ", text("output_index"))).then(rollup()).done();
            by_field(scene, told, "challenger", verb::CHALLENGE_AND_DELETE, rest)
        }
        "MsgCreateBridge" => {
            let event = Seen::of(scene, told).one("create_bridge");
            let number = event.and_then(|(_, event)| event.value("bridge_id"));
            let rest = match number {
                Some(number) => format!("bridge #{number}"),
                None => "a bridge for a rollup".to_owned(),
            };
            let rest = scene.words().text(rest).by(event.map(|(place, _)| place)).done();
            by_field(scene, told, "creator", verb::CREATE, rest)
        }
        _ => super::super::cosmos::generic(scene, told),
    }
}

/// The rollup behind a bridge, by name where it is known.
fn rollup(scene: &Scene<'_>, bridge: &str) -> Vec<Phrase> {
    let known = bridge.parse().ok().and_then(|number| scene.glossary.chain_of_bridge(number));
    let name = known.map_or_else(|| format!("the rollup of bridge #{bridge}"), ToString::to_string);
    scene.words().text(name).done()
}

/// "{sender} deposited {C} to {to} on {rollup} (deposit #{n})".
fn deposit(scene: &Scene<'_>, told: Told<'_>) -> Clause {
    let event = Seen::of(scene, told).one("initiate_token_deposit");
    let place = event.map(|(place, _)| place);
    let words = match told.coin("amount") {
        Some(coin) => scene.words().coin(&coin).by(place),
        None => scene.words().text("tokens"),
    };
    let words = words.text(" to ").party(&told.text("to").unwrap_or_default()).by(place).text(" on ");
    let mut words = words.then(rollup(scene, &told.text("bridge_id").unwrap_or_default())).by(place);
    if let Some(number) = event.and_then(|(_, event)| event.value("l1_sequence")) {
        words = words.text(format!(" (deposit #{number})")).by(place);
    }
    if told.text("data").is_some_and(|data| !data.is_empty()) {
        words = words.text("; a signed transaction goes with it");
    }
    by_field(scene, told, "sender", verb::DEPOSIT, words.done())
}

/// "{sender} claimed withdrawal #{n} of {rollup}: {C} to {to}".
fn claim(scene: &Scene<'_>, told: Told<'_>) -> Clause {
    let seen = Seen::of(scene, told);
    let event = seen.one("finalize_token_withdrawal");
    let place: Vec<usize> = event.iter().map(|(place, _)| *place).collect();
    let (sequence, to) = (told.text("sequence").unwrap_or_default(), told.text("to").unwrap_or_default());
    let words = scene.words().text(format!("withdrawal #{sequence} of ")).by(place.iter().copied());
    let words = words.then(rollup(scene, &told.text("bridge_id").unwrap_or_default())).text(": ");
    let words = match told.coin("amount") {
        Some(coin) => {
            let received = seen.received(&to, &coin);
            words.coin(&coin).by(place.iter().copied().chain(received))
        }
        None => words.text("tokens"),
    };
    by_field(scene, told, "sender", verb::CLAIM, words.text(" to ").party(&to).by(place).done())
}
