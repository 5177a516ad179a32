//! Staking and votes: messages of the L1.

use serde_json::Value;

use crate::story::{
    DecodedEvent,
    context::{Clause, MessageRef, PhraseBuilder, TxContext, VerbForms},
    sentence::{
        clauses::{MessageEvents, clause_with, names, places_of, subject, told},
        verb,
    },
};

/// An event of this message.
type StakeEvent<'e> = Option<(usize, &'e DecodedEvent)>;

/// The messages of staking, of its rewards, and of votes.
pub(super) fn render(context: &TxContext<'_>, message: MessageRef<'_>) -> Option<Clause> {
    const MODULES: [&str; 6] = [
        "initia.mstaking.",
        "cosmos.staking.",
        "initia.distribution.",
        "cosmos.distribution.",
        "initia.gov.",
        "cosmos.gov.",
    ];
    if !MODULES.iter().any(|module| message.kind.as_str().starts_with(module)) {
        return None;
    }
    Some(match message.kind.short() {
        "MsgDelegate" => staked(context, message, verb::STAKE, "delegate", " with "),
        "MsgUndelegate" => staked(context, message, verb::BEGIN_TO_UNSTAKE, "unbond", " from "),
        "MsgBeginRedelegate" => moved(context, message),
        "MsgWithdrawDelegatorReward" => {
            let event = event_of(context, message, "withdraw_rewards", &[("validator", "validator_address")]);
            let words = match event.and_then(|(_, event)| event.value("amount")) {
                Some(amount) => context.words().text("staking rewards of ").coin_list(amount).by(places_of(event)),
                None => context.words().text("staking rewards"),
            };
            let validator = told(event, "validator", message.text("validator_address"));
            delegator(context, message, verb::CLAIM, words.text(" from ").party(&validator), event)
        }
        "MsgVote" => vote(context, message),
        _ => return None,
    })
}

/// The event of a message whose attributes name what its fields do.
fn event_of<'e>(
    context: &'e TxContext<'_>,
    message: MessageRef<'_>,
    kind: &str,
    same: &[(&str, &str)],
) -> StakeEvent<'e> {
    let who = message.text("delegator_address").unwrap_or_default();
    MessageEvents::of(context, message).take(kind, |event| {
        let is_same = |(attribute, field): &(&str, &str)| {
            event.value(attribute).is_none_or(|value| message.text(field).is_some_and(|text| text == value))
        };
        names(event, "delegator", &who) && same.iter().all(is_same)
    })
}

fn delegator(
    context: &TxContext<'_>,
    message: MessageRef<'_>,
    verb: VerbForms,
    rest: PhraseBuilder<'_, '_>,
    event: StakeEvent<'_>,
) -> Clause {
    let name = told(event, "delegator", message.text("delegator_address"));
    let who = subject(context, message, "delegator_address", &name);
    clause_with(context, who, verb, rest, &places_of(event))
}

/// "staked {C} with {validator}".
fn staked(
    context: &TxContext<'_>,
    message: MessageRef<'_>,
    verb: VerbForms,
    kind: &str,
    middle: &'static str,
) -> Clause {
    let event = event_of(context, message, kind, &[("validator", "validator_address")]);
    let rest = amount(context, message, event).text(middle);
    let rest = rest.party(&told(event, "validator", message.text("validator_address"))).by(places_of(event));
    delegator(context, message, verb, rest, event)
}

/// "moved {C} staked with {validator} to {validator}".
fn moved(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    let ends = [("source_validator", "validator_src_address"), ("destination_validator", "validator_dst_address")];
    let event = event_of(context, message, "redelegate", &ends);
    let end = |(attribute, field): (&str, &str)| told(event, attribute, message.text(field));
    let rest = amount(context, message, event).text(" staked with ").party(&end(ends[0])).by(places_of(event));
    let rest = rest.text(" to ").party(&end(ends[1])).by(places_of(event));
    delegator(context, message, verb::MOVE, rest, event)
}

/// The amount as the event has it. The L1 stakes several denoms in one message, other chains one.
fn amount<'s, 'a>(context: &'s TxContext<'a>, message: MessageRef<'_>, event: StakeEvent<'_>) -> PhraseBuilder<'s, 'a> {
    match event.and_then(|(_, event)| event.value("amount")) {
        Some(amount) => context.words().coin_list(amount).by(places_of(event)),
        None => context.words().amounts(message.fields.get("amount")),
    }
}

/// "{voter} voted {option} on proposal #{n}".
fn vote(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    let voter = message.text("voter").unwrap_or_default();
    let number = message.text("proposal_id").unwrap_or_default();
    let event = MessageEvents::of(context, message).take("proposal_vote", |event| {
        names(event, "voter", &voter) && event.value("proposal_id").is_none_or(|value| value == number)
    });
    let option = event.and_then(|(_, event)| choice(event.value("option")?));
    let option = option.map(ToOwned::to_owned).or_else(|| {
        let field = message.text("option")?;
        Some(field.strip_prefix("VOTE_OPTION_").unwrap_or(&field).to_ascii_lowercase().replace('_', " "))
    });
    let option = option.unwrap_or_default();
    let known = ["yes", "abstain", "no", "no with veto"].into_iter().find(|known| *known == option);
    let words = match known {
        Some(known) => context.words().text(known),
        None => context.words().quote(&option),
    };
    let rest = words.text(" on proposal #").plain(&told(event, "proposal_id", Some(number))).by(places_of(event));
    let who = subject(context, message, "voter", &told(event, "voter", Some(voter)));
    clause_with(context, who, verb::VOTE, rest, &places_of(event))
}

/// A vote's one option, as the event has it: JSON with a number, or the words of old nodes.
fn choice(option: &str) -> Option<&'static str> {
    let value: Value = serde_json::from_str(option).ok()?;
    match value.as_array()?.as_slice() {
        [only] => match only.get("option")?.as_u64()? {
            1 => Some("yes"),
            2 => Some("abstain"),
            3 => Some("no"),
            4 => Some("no with veto"),
            _ => None,
        },
        _ => None,
    }
}
