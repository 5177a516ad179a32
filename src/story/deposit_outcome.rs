//! What became of a deposit from the L1, as the events of its message tell (`docs/apis/story.md` §4): nodes of several
//! versions do different things with one that failed.

use super::DecodedEvent;
use crate::domain::{Address, Amount, parse_coins};

/// What became of a deposit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DepositOutcome {
    /// It was credited.
    Credited,
    /// It was credited and stays so; what was attached to it failed.
    HookFailed,
    /// It went back to the L1 as a withdrawal, whose event this is.
    SentBack {
        /// The event's place.
        withdrawal: usize,
    },
    /// It failed, and nothing shows that anybody was credited.
    Failed,
    /// It is said to have worked, and nothing shows that anybody was credited.
    Unseen,
}

/// The steps of a deposit at which it may fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DepositStage {
    /// The receiver could not be credited.
    Credit,
    /// What was attached did not run.
    Hook,
    /// The record does not say.
    Unknown,
}

/// A deposit that an event tells of, with what surrounds it.
pub(super) struct DepositReading<'e> {
    pub(super) outcome: DepositOutcome,
    pub(super) stage: DepositStage,
    /// The chain's reason without the words that name the stage; often cut.
    pub(super) reason: &'e str,
    /// The events that credited the receiver.
    pub(super) credits: Vec<usize>,
}

impl<'e> DepositReading<'e> {
    /// Reads the deposit whose event stands at this place among the events of its message.
    pub(super) fn of(events: &[(usize, &'e DecodedEvent)], place: usize) -> Option<Self> {
        let own = events.iter().position(|(found, _)| *found == place)?;
        let (before, after) = (events.get(..own)?, events.get(own + 1..)?);
        let (_, event) = *events.get(own)?;
        let is_deposit = |(_, event): &&(usize, &DecodedEvent)| event.kind == "finalize_token_deposit";
        // Other deposits of the message have their own events around them.
        let start = before.iter().rposition(|entry| is_deposit(&entry)).map_or(0, |last| last + 1);
        let credits = credits(before.get(start..).unwrap_or_default(), event);
        let back = after.iter().take_while(|entry| !is_deposit(entry)).find(|(_, other)| is_return(event, other));
        let told = event.value("reason").unwrap_or_default().trim();
        let stages = [("deposit failed; ", DepositStage::Credit), ("hook failed; ", DepositStage::Hook)];
        let named = stages.into_iter().find_map(|(prefix, stage)| Some((stage, told.strip_prefix(prefix)?)));
        let is_hook_failed = event.value("hook_success") == Some("false");
        let (stage, reason) =
            named.unwrap_or((if is_hook_failed { DepositStage::Hook } else { DepositStage::Unknown }, told));
        let is_failed = event.value("success") == Some("false") || is_hook_failed || !told.is_empty();
        let is_nothing = event.value("amount").and_then(|amount| amount.parse().ok()).is_some_and(Amount::is_zero);
        let outcome = match (is_failed, back) {
            (false, _) if credits.is_empty() && !is_nothing => DepositOutcome::Unseen,
            (false, _) => DepositOutcome::Credited,
            (true, Some((withdrawal, _))) => DepositOutcome::SentBack { withdrawal: *withdrawal },
            (true, None) if credits.is_empty() => DepositOutcome::Failed,
            (true, None) => DepositOutcome::HookFailed,
        };
        Some(Self { outcome, stage, reason, credits })
    }
}

/// The events before a deposit's that brought its amount to its receiver.
fn credits(before: &[(usize, &DecodedEvent)], deposit: &DecodedEvent) -> Vec<usize> {
    let wanted = || Some((deposit.value("denom")?, deposit.value("amount")?.parse::<Amount>().ok()?));
    let Some((denom, amount)) = wanted() else { return Vec::new() };
    let is_credit = |event: &DecodedEvent| {
        let is_his = is_same(event.value("receiver"), deposit.value("recipient"));
        let coins = event.value("amount").and_then(|text| parse_coins(text).ok()).unwrap_or_default();
        event.kind == "coin_received"
            && is_his
            && coins.iter().any(|coin| coin.denom.as_str() == denom && coin.amount == amount)
    };
    before.iter().filter(|(_, event)| is_credit(event)).map(|(place, _)| *place).collect()
}

/// Whether an event starts the withdrawal that takes a deposit back: from its receiver to its sender, of all of it.
fn is_return(deposit: &DecodedEvent, event: &DecodedEvent) -> bool {
    event.kind == "initiate_token_withdrawal"
        && is_same(event.value("from"), deposit.value("recipient"))
        && is_same(event.value("to"), deposit.value("sender"))
        && ["denom", "amount"].iter().all(|key| event.value(key).is_none_or(|value| deposit.value(key) == Some(value)))
}

/// Whether two attributes name one account; what is not there names none.
fn is_same(one: Option<&str>, other: Option<&str>) -> bool {
    let (Some(one), Some(other)) = (one, other) else { return false };
    one == other || matches!((one.parse::<Address>(), other.parse::<Address>()), (Ok(one), Ok(other)) if one == other)
}
