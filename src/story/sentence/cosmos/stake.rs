//! Staking and votes: messages of the L1.

use crate::{
    domain::{Coin, parse_coins},
    story::{
        scene::{Clause, Scene, Told, Words},
        sentence::{
            say::{Seen, by_field},
            verb,
        },
    },
};

/// The messages of staking, of its rewards, and of votes.
pub(super) fn tell(scene: &Scene<'_>, told: Told<'_>) -> Option<Clause> {
    const MODULES: [&str; 6] = [
        "initia.mstaking.",
        "cosmos.staking.",
        "initia.distribution.",
        "cosmos.distribution.",
        "initia.gov.",
        "cosmos.gov.",
    ];
    if !MODULES.iter().any(|module| told.kind.as_str().starts_with(module)) {
        return None;
    }
    let text = |name: &str| told.text(name).unwrap_or_default();
    let words = || scene.words();
    let staked = |verb, middle: &'static str, field: &str| {
        let rest = words().coins(&amount(told)).text(middle).party(&text(field));
        by_field(scene, told, "delegator_address", verb, rest.done())
    };
    Some(match told.kind.short() {
        "MsgDelegate" => staked(verb::STAKE, " with ", "validator_address"),
        "MsgUndelegate" => staked(verb::BEGIN_TO_UNSTAKE, " from ", "validator_address"),
        "MsgBeginRedelegate" => {
            let rest = words().coins(&amount(told)).text(" staked with ").party(&text("validator_src_address"));
            let rest = rest.text(" to ").party(&text("validator_dst_address"));
            by_field(scene, told, "delegator_address", verb::MOVE, rest.done())
        }
        "MsgWithdrawDelegatorReward" => {
            let rest = rewards(scene, told).text(" from ").party(&text("validator_address"));
            by_field(scene, told, "delegator_address", verb::CLAIM, rest.done())
        }
        "MsgVote" => {
            let option = text("option");
            let option = option.strip_prefix("VOTE_OPTION_").unwrap_or(&option).to_ascii_lowercase().replace('_', " ");
            let rest = words().text(format!("{option} on proposal #{}", text("proposal_id")));
            by_field(scene, told, "voter", verb::VOTE, rest.done())
        }
        _ => return None,
    })
}

/// The L1 stakes several denoms in one message, other chains one.
fn amount(told: Told<'_>) -> Vec<Coin> {
    told.coin("amount").map_or_else(|| told.coins("amount"), |coin| vec![coin])
}

/// "staking rewards of {C}", as the event tells how much.
fn rewards<'s, 'a>(scene: &'s Scene<'a>, told: Told<'_>) -> Words<'s, 'a> {
    let event = Seen::of(scene, told).one("withdraw_rewards");
    let coins = event.and_then(|(place, event)| Some((place, parse_coins(event.value("amount")?).ok()?)));
    match coins {
        Some((place, coins)) => scene.words().text("staking rewards of ").coins(&coins).by([place]),
        None => scene.words().text("staking rewards"),
    }
}
