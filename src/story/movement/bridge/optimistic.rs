//! Transfers over the OPinit bridge (`docs/apis/story.md` §4).

use super::{BridgeEvent, BridgeIdentity, BridgeMove, query};
use crate::{
    events::{
        names::{FINALIZE_TOKEN_DEPOSIT, FINALIZE_TOKEN_WITHDRAWAL, INITIATE_TOKEN_DEPOSIT, INITIATE_TOKEN_WITHDRAWAL},
        opinit::{BridgeStep, BridgeTransfer},
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
fn by_bridge(kind: &str, bridge: Option<u64>, l2_denom: &str, sequence: (&str, &str)) -> Option<String> {
    match bridge {
        Some(bridge) => query(kind, &[("bridge_id", &bridge.to_string()), sequence]),
        None => query(kind, &[("l2_denom", l2_denom), sequence]),
    }
}

pub(super) fn withdrawal_query(number: u64) -> Option<String> {
    query(INITIATE_TOKEN_WITHDRAWAL, &[("l2_sequence", &number.to_string())])
}

pub(super) fn deposit_query(number: u64) -> Option<String> {
    query(FINALIZE_TOKEN_DEPOSIT, &[("l1_sequence", &number.to_string())])
}

pub(super) fn moved<'s, 'a>(
    context: &'s TxContext<'a>,
    crossing: BridgeEvent,
    transfer: &BridgeTransfer<'_>,
    bridge: &mut BridgeNumber,
) -> Option<BridgeMove> {
    let (sequence, place) = (transfer.sequence?, [crossing.place]);
    let (denom, other) = (transfer.denom.unwrap_or_default(), transfer.other_denom.unwrap_or_default());
    let is_here = matches!(transfer.step, BridgeStep::DepositFinalized | BridgeStep::WithdrawalInitiated);
    let bridge_id = if is_here { bridge.find(denom, other) } else { transfer.bridge_id };
    let known = bridge_id.and_then(|number| context.glossary.chain_of_bridge(number)).map(ToString::to_string);
    let there = named(known.as_ref(), bridge_id);
    let number = sequence.to_string();
    let words = context.words().bridged(transfer).by(place);
    let (recipient, is_leaving) = (transfer.to.unwrap_or_default(), transfer.step.is_leaving());
    let to = |words: PhraseBuilder<'s, 'a>| {
        if is_leaving { words.party_elsewhere(recipient) } else { words.party(recipient) }.by(place)
    };
    let (identity, words, search) = match transfer.step {
        BridgeStep::DepositFinalized => {
            let l1_height = transfer.l1_height;
            let height = l1_height.map(|height| format!(" of L1 block {height}")).unwrap_or_default();
            let words = to(words.text(" from the L1 to ")).text(format!(": deposit #{sequence}{height}")).by(place);
            let identity = BridgeIdentity::Deposit { l1_sequence: sequence, l1_height, bridge_id };
            let search = by_bridge(INITIATE_TOKEN_DEPOSIT, bridge_id, denom, ("l1_sequence", &number));
            (identity, became(context, crossing, words), search)
        }
        BridgeStep::WithdrawalInitiated => {
            let words = to(words.text(" to ")).text(format!(" on the L1: withdrawal #{sequence}")).by(place);
            let words = words.text("; this record does not show a claim there");
            let search = by_bridge(FINALIZE_TOKEN_WITHDRAWAL, bridge_id, denom, ("l2_sequence", &number));
            (BridgeIdentity::Withdrawal { l2_sequence: sequence, bridge_id }, words, search)
        }
        BridgeStep::DepositInitiated => {
            let words = to(words.text(" to ")).text(format!(" on {there}: deposit #{sequence}")).by(place);
            let words = words.text(format!(", left for {there}; this record does not show its arrival"));
            let search = query(FINALIZE_TOKEN_DEPOSIT, &[("l1_sequence", &number)]);
            (BridgeIdentity::DepositStarted { l1_sequence: sequence, bridge_id }, words, search)
        }
        BridgeStep::WithdrawalFinalized => {
            let words = to(words.text(format!(" from {there} to ")));
            let words = words.text(format!(": withdrawal #{sequence}, claimed")).by(place);
            let search = query(INITIATE_TOKEN_WITHDRAWAL, &[("l2_sequence", &number)]);
            (BridgeIdentity::WithdrawalClaimed { l2_sequence: sequence, bridge_id }, words, search)
        }
    };
    Some(BridgeMove {
        message: crossing.message,
        identity,
        phrases: words.done(),
        counterparty: if is_here { Some(l1(context)) } else { known },
        search,
        events: vec![crossing.place],
        packet: None,
    })
}

/// Returns the outcome of a deposit on this chain, from its message's events.
fn became<'s, 'a>(
    context: &'s TxContext<'a>,
    crossing: BridgeEvent,
    words: PhraseBuilder<'s, 'a>,
) -> PhraseBuilder<'s, 'a> {
    let events: Vec<_> = context.places.of(crossing.message, None).take_while(|_| context.work.takes_event()).collect();
    let Some(read) = DepositReading::of(&events, crossing.place) else { return words };
    match read.outcome {
        DepositOutcome::Credited => words.text(", arrived").by(read.credits),
        DepositOutcome::HookFailed => words.text(", arrived; its hook failed").by([crossing.place]),
        DepositOutcome::SentBack { withdrawal } => words.text(", failed here and was sent back").by([withdrawal]),
        DepositOutcome::Failed => words.text(", not credited here").by([crossing.place]),
        DepositOutcome::Unseen => words.text("; no event shows the credit"),
    }
}

/// Returns a rollup's name, else its bridge.
fn named(counterparty: Option<&String>, bridge_id: Option<u64>) -> String {
    match (counterparty, bridge_id) {
        (Some(chain), _) => chain.clone(),
        (None, Some(number)) => format!("the rollup of bridge #{number}"),
        (None, None) => "a rollup".to_owned(),
    }
}
