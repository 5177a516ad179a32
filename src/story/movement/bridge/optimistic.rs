//! Transfers over the OPinit bridge (`docs/apis/story.md` §4).

use super::{BridgeEvent, BridgeIdentity, BridgeMove, amount, query};
use crate::{
    events::{
        keys,
        names::{FINALIZE_TOKEN_DEPOSIT, FINALIZE_TOKEN_WITHDRAWAL, INITIATE_TOKEN_DEPOSIT, INITIATE_TOKEN_WITHDRAWAL},
    },
    story::{
        context::TxContext,
        deposit_outcome::{DepositOutcome, DepositReading},
        names::bridge_number::BridgeNumber,
        words::builder::PhraseBuilder,
    },
};

/// Counterparty of a transfer on a rollup.
const L1: &str = "L1";

fn l1(context: &TxContext<'_>) -> String {
    context.glossary.l1_chain_id.clone().unwrap_or_else(|| L1.to_owned())
}

/// Builds the query by the bridge's id; if unknown, by the denom, which is unique to the bridge.
fn by_bridge(kind: &str, bridge: Option<u64>, l2_denom: &str, sequence: (&str, u64)) -> Option<String> {
    let number = sequence.1.to_string();
    match bridge {
        Some(bridge) => query(kind, &[("bridge_id", &bridge.to_string()), (sequence.0, &number)]),
        None => query(kind, &[("l2_denom", l2_denom), (sequence.0, &number)]),
    }
}

pub(super) fn deposit(
    context: &TxContext<'_>,
    crossing: &BridgeEvent<'_>,
    bridge: &mut BridgeNumber,
) -> Option<BridgeMove> {
    let l1_sequence = crossing.number(keys::L1_SEQUENCE)?;
    let denom = crossing.text(keys::DENOM);
    let bridge_id = bridge.find(denom, crossing.text(keys::BASE_DENOM));
    let l1_height = crossing.number(keys::FINALIZE_HEIGHT);
    let words = amount(context, crossing, keys::DENOM).text(" from the L1 to ").party(crossing.text(keys::RECIPIENT));
    let height = l1_height.map(|height| format!(" of L1 block {height}")).unwrap_or_default();
    let words = words.by([crossing.place]).text(format!(": deposit #{l1_sequence}{height}")).by([crossing.place]);
    let words = became(context, crossing, words);
    Some(BridgeMove {
        message: crossing.message,
        identity: BridgeIdentity::Deposit { l1_sequence, l1_height, bridge_id },
        phrases: words.done(),
        counterparty: Some(l1(context)),
        search: by_bridge(INITIATE_TOKEN_DEPOSIT, bridge_id, denom, ("l1_sequence", l1_sequence)),
        events: vec![crossing.place],
    })
}

/// Returns the outcome of a deposit on this chain, from its message's events.
fn became<'s, 'a>(
    context: &'s TxContext<'a>,
    crossing: &BridgeEvent<'_>,
    words: PhraseBuilder<'s, 'a>,
) -> PhraseBuilder<'s, 'a> {
    let events: Vec<_> = context.places.of(crossing.message, None).take_while(|_| context.work.takes_event()).collect();
    let Some(read) = DepositReading::of(&events, crossing.place) else { return words };
    match read.outcome {
        DepositOutcome::Credited => words.text(", arrived").by(read.credits),
        DepositOutcome::HookFailed => words.text(", arrived; its attached action failed").by([crossing.place]),
        DepositOutcome::SentBack { withdrawal } => words.text(", failed here and was sent back").by([withdrawal]),
        DepositOutcome::Failed => words.text(", not credited here").by([crossing.place]),
        DepositOutcome::Unseen => words.text("; no event shows the credit"),
    }
}

pub(super) fn withdrawal(
    context: &TxContext<'_>,
    crossing: &BridgeEvent<'_>,
    bridge: &mut BridgeNumber,
) -> Option<BridgeMove> {
    let l2_sequence = crossing.number(keys::L2_SEQUENCE)?;
    let denom = crossing.text(keys::DENOM);
    let bridge_id = bridge.find(denom, crossing.text(keys::BASE_DENOM));
    let words = amount(context, crossing, keys::DENOM).text(" to ").party(crossing.text(keys::TO)).by([crossing.place]);
    let words = words.text(format!(" on the L1: withdrawal #{l2_sequence}")).by([crossing.place]);
    Some(BridgeMove {
        message: crossing.message,
        identity: BridgeIdentity::Withdrawal { l2_sequence, bridge_id },
        phrases: words.text("; this record does not show a claim there").done(),
        counterparty: Some(l1(context)),
        search: by_bridge(FINALIZE_TOKEN_WITHDRAWAL, bridge_id, denom, ("l2_sequence", l2_sequence)),
        events: vec![crossing.place],
    })
}

fn rollup(context: &TxContext<'_>, bridge_id: Option<u64>) -> Option<String> {
    bridge_id.and_then(|number| context.glossary.chain_of_bridge(number)).map(ToString::to_string)
}

/// Returns a rollup's name, else its bridge.
fn named(counterparty: Option<&String>, bridge_id: Option<u64>) -> String {
    match (counterparty, bridge_id) {
        (Some(chain), _) => chain.clone(),
        (None, Some(number)) => format!("the rollup of bridge #{number}"),
        (None, None) => "a rollup".to_owned(),
    }
}

/// Reads a deposit that started on this L1.
pub(super) fn deposit_started(context: &TxContext<'_>, crossing: &BridgeEvent<'_>) -> Option<BridgeMove> {
    let l1_sequence = crossing.number(keys::L1_SEQUENCE)?;
    let bridge_id = crossing.number(keys::BRIDGE_ID);
    let counterparty = rollup(context, bridge_id);
    let words =
        amount(context, crossing, keys::L1_DENOM).text(" to ").party(crossing.text(keys::TO)).by([crossing.place]);
    let there = named(counterparty.as_ref(), bridge_id);
    let words = words.text(format!(" on {there}: deposit #{l1_sequence}")).by([crossing.place]);
    let words = words.text(format!(", left for {there}; this record does not show its arrival"));
    Some(BridgeMove {
        message: crossing.message,
        identity: BridgeIdentity::DepositStarted { l1_sequence, bridge_id },
        phrases: words.done(),
        counterparty,
        search: query(FINALIZE_TOKEN_DEPOSIT, &[("l1_sequence", &l1_sequence.to_string())]),
        events: vec![crossing.place],
    })
}

/// Reads a withdrawal claimed on this L1.
pub(super) fn withdrawal_claimed(context: &TxContext<'_>, crossing: &BridgeEvent<'_>) -> Option<BridgeMove> {
    let l2_sequence = crossing.number(keys::L2_SEQUENCE)?;
    let bridge_id = crossing.number(keys::BRIDGE_ID);
    let counterparty = rollup(context, bridge_id);
    let words = amount(context, crossing, keys::L1_DENOM);
    let words = words.text(format!(" from {} to ", named(counterparty.as_ref(), bridge_id)));
    let words = words.party(crossing.text(keys::TO)).by([crossing.place]);
    let words = words.text(format!(": withdrawal #{l2_sequence}, claimed")).by([crossing.place]);
    Some(BridgeMove {
        message: crossing.message,
        identity: BridgeIdentity::WithdrawalClaimed { l2_sequence, bridge_id },
        phrases: words.done(),
        counterparty,
        search: query(INITIATE_TOKEN_WITHDRAWAL, &[("l2_sequence", &l2_sequence.to_string())]),
        events: vec![crossing.place],
    })
}
