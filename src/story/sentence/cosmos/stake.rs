//! Staking and votes: messages of the L1.

use crate::story::proof::Proof;
use crate::{
    domain::{Coin, parse_coins},
    story::{
        context::{Clause, MessageRef, PhraseBuilder, TxContext},
        sentence::{
            clauses::{MessageEvents, clause_by},
            verb,
        },
    },
};

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
    let text = |name: &str| message.text(name).unwrap_or_default();
    let words = || context.words();
    let staked = |verb, middle: &'static str, field: &str| {
        let rest = words().coins(&amount(message)).text(middle).party(&text(field));
        clause_by(context, message, "delegator_address", verb, rest.done(), Proof::Unjudged)
    };
    Some(match message.kind.short() {
        "MsgDelegate" => staked(verb::STAKE, " with ", "validator_address"),
        "MsgUndelegate" => staked(verb::BEGIN_TO_UNSTAKE, " from ", "validator_address"),
        "MsgBeginRedelegate" => {
            let rest = words().coins(&amount(message)).text(" staked with ").party(&text("validator_src_address"));
            let rest = rest.text(" to ").party(&text("validator_dst_address"));
            clause_by(context, message, "delegator_address", verb::MOVE, rest.done(), Proof::Unjudged)
        }
        "MsgWithdrawDelegatorReward" => {
            let rest = rewards(context, message).text(" from ").party(&text("validator_address"));
            clause_by(context, message, "delegator_address", verb::CLAIM, rest.done(), Proof::Unjudged)
        }
        "MsgVote" => {
            let option = text("option");
            let option = option.strip_prefix("VOTE_OPTION_").unwrap_or(&option).to_ascii_lowercase().replace('_', " ");
            let rest = words().text(format!("{option} on proposal #{}", text("proposal_id")));
            clause_by(context, message, "voter", verb::VOTE, rest.done(), Proof::Unjudged)
        }
        _ => return None,
    })
}

/// The L1 stakes several denoms in one message, other chains one.
fn amount(message: MessageRef<'_>) -> Vec<Coin> {
    message.coin("amount").map_or_else(|| message.coins("amount"), |coin| vec![coin])
}

/// "staking rewards of {C}", as the event tells how much.
fn rewards<'s, 'a>(context: &'s TxContext<'a>, message: MessageRef<'_>) -> PhraseBuilder<'s, 'a> {
    let event = MessageEvents::of(context, message).one("withdraw_rewards");
    let coins = event.and_then(|(place, event)| Some((place, parse_coins(event.value("amount")?).ok()?)));
    match coins {
        Some((place, coins)) => context.words().text("staking rewards of ").coins(&coins).by([place]),
        None => context.words().text("staking rewards"),
    }
}
