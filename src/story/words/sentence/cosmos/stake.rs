//! Staking and governance votes of the L1.

use crate::{
    domain::Address,
    events::{
        keys::{self, AttributeKey},
        names::{DELEGATE, PROPOSAL_VOTE, REDELEGATE, UNBOND, WITHDRAW_REWARDS},
    },
    story::{
        context::{MessageRef, TxContext},
        decode::DecodedEvent,
        words::{
            builder::PhraseBuilder,
            clause::{Clause, VerbForms},
            sentence::{
                clauses::{MessageEvents, clause_with, names, places_of, subject, told, vote_choice},
                verb,
            },
        },
    },
};

type StakeEvent<'e> = Option<(usize, &'e DecodedEvent)>;

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
        "MsgDelegate" => staked(context, message, verb::STAKE, DELEGATE, " with "),
        "MsgUndelegate" => staked(context, message, verb::BEGIN_TO_UNSTAKE, UNBOND, " from "),
        "MsgBeginRedelegate" => moved(context, message),
        "MsgWithdrawDelegatorReward" => {
            let event = event_of(context, message, WITHDRAW_REWARDS, &[(keys::VALIDATOR, "validator_address")]);
            let words = match event.and_then(|(_, event)| event.text(keys::AMOUNT)) {
                Some(amount) => context.words().text("staking rewards of ").coin_list(amount).by(places_of(event)),
                None => context.words().text("staking rewards"),
            };
            let validator = told(event, keys::VALIDATOR, message.text("validator_address"));
            delegator(context, message, verb::CLAIM, words.text(" from ").party(&validator), event)
        }
        "MsgVote" => vote(context, message),
        _ => return None,
    })
}

fn event_of<'e>(
    context: &'e TxContext<'_>,
    message: MessageRef<'_>,
    kind: &str,
    same: &[(AttributeKey<Address>, &str)],
) -> StakeEvent<'e> {
    let who = message.text("delegator_address").unwrap_or_default();
    MessageEvents::of(context, message).claim_or_only(kind, |event| {
        let is_same = |(attribute, field): &(AttributeKey<Address>, &str)| {
            event.text(*attribute).is_none_or(|value| message.text(field).is_some_and(|text| text == value))
        };
        names(event, keys::DELEGATOR, &who) && same.iter().all(is_same)
    })
}

fn delegator(
    context: &TxContext<'_>,
    message: MessageRef<'_>,
    verb: VerbForms,
    rest: PhraseBuilder<'_, '_>,
    event: StakeEvent<'_>,
) -> Clause {
    let name = told(event, keys::DELEGATOR, message.text("delegator_address"));
    let who = subject(context, message, "delegator_address", &name);
    clause_with(context, who, verb, rest, &places_of(event))
}

/// Describes "staked {C} with {validator}".
fn staked(
    context: &TxContext<'_>,
    message: MessageRef<'_>,
    verb: VerbForms,
    kind: &str,
    middle: &'static str,
) -> Clause {
    let event = event_of(context, message, kind, &[(keys::VALIDATOR, "validator_address")]);
    let rest = amount(context, message, event).text(middle);
    let rest = rest.party(&told(event, keys::VALIDATOR, message.text("validator_address"))).by(places_of(event));
    delegator(context, message, verb, rest, event)
}

/// Describes "moved {C} staked with {validator} to {validator}".
fn moved(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    let ends =
        [(keys::SOURCE_VALIDATOR, "validator_src_address"), (keys::DESTINATION_VALIDATOR, "validator_dst_address")];
    let event = event_of(context, message, REDELEGATE, &ends);
    let end = |(attribute, field): (AttributeKey<Address>, &str)| told(event, attribute, message.text(field));
    let rest = amount(context, message, event).text(" staked with ").party(&end(ends[0])).by(places_of(event));
    let rest = rest.text(" to ").party(&end(ends[1])).by(places_of(event));
    delegator(context, message, verb::MOVE, rest, event)
}

/// Adds the amount in the event. The L1 stakes several denoms per message, other chains one.
fn amount<'s, 'a>(context: &'s TxContext<'a>, message: MessageRef<'_>, event: StakeEvent<'_>) -> PhraseBuilder<'s, 'a> {
    match event.and_then(|(_, event)| event.text(keys::AMOUNT)) {
        Some(amount) => context.words().coin_list(amount).by(places_of(event)),
        None => context.words().amounts(message.fields.get("amount")),
    }
}

/// Describes "{voter} voted {option} on proposal #{n}".
fn vote(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    let voter = message.text("voter").unwrap_or_default();
    let number = message.text("proposal_id").unwrap_or_default();
    let event = MessageEvents::of(context, message).claim_or_only(PROPOSAL_VOTE, |event| {
        names(event, keys::VOTER, &voter) && event.text(keys::PROPOSAL_ID).is_none_or(|value| value == number)
    });
    let option = event.and_then(|(_, event)| vote_choice(event.text(keys::OPTION)?));
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
    let rest = words.text(" on proposal #").plain(&told(event, keys::PROPOSAL_ID, Some(number))).by(places_of(event));
    let who = subject(context, message, "voter", &told(event, keys::VOTER, Some(voter)));
    clause_with(context, who, verb::VOTE, rest, &places_of(event))
}
