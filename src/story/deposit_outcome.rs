//! Outcome of an L1 deposit by the events of its message (`docs/apis/story.md` §4): node versions differ in the
//! handling of a failure.

use super::decode::DecodedEvent;
use crate::{
    domain::{Address, Amount, Coin},
    events::{
        bank::BankEvent,
        keys,
        names::{FINALIZE_TOKEN_DEPOSIT, INITIATE_TOKEN_WITHDRAWAL},
    },
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DepositOutcome {
    Credited,
    /// Credited, but the attached hook failed.
    HookFailed,
    /// Returned to the L1 by a withdrawal, with its event.
    SentBack {
        withdrawal: usize,
    },
    /// Failed, without evidence of a credit.
    Failed,
    /// Reported as a success, without evidence of a credit.
    Unseen,
}

/// Step of a deposit that may fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DepositStage {
    /// Credit to the receiver.
    Credit,
    /// Attached hook.
    Hook,
    /// Not in the record.
    Unknown,
}

/// Event of a deposit with its context.
pub(super) struct DepositReading<'e> {
    pub(super) outcome: DepositOutcome,
    pub(super) stage: DepositStage,
    /// Chain's error without the words that name the stage; often truncated.
    pub(super) reason: &'e str,
    /// Events of the receiver's credit.
    pub(super) credits: Vec<usize>,
}

impl<'e> DepositReading<'e> {
    /// Reads the deposit whose event has this index among the message's events.
    pub(super) fn of(events: &[(usize, &'e DecodedEvent)], place: usize) -> Option<Self> {
        let own = events.iter().position(|(found, _)| *found == place)?;
        let (before, after) = (events.get(..own)?, events.get(own + 1..)?);
        let (_, event) = *events.get(own)?;
        let is_deposit = |(_, event): &&(usize, &DecodedEvent)| event.kind == FINALIZE_TOKEN_DEPOSIT;
        // Other deposits in the message have their own surrounding events.
        let start = before.iter().rposition(|entry| is_deposit(&entry)).map_or(0, |last| last + 1);
        let credits = credits(before.get(start..).unwrap_or_default(), event);
        let back = after.iter().take_while(|entry| !is_deposit(entry)).find(|(_, other)| is_return(event, other));
        let told = event.text(keys::REASON).unwrap_or_default().trim();
        let stages = [("deposit failed; ", DepositStage::Credit), ("hook failed; ", DepositStage::Hook)];
        let named = stages.into_iter().find_map(|(prefix, stage)| Some((stage, told.strip_prefix(prefix)?)));
        let is_hook_failed = event.get(keys::HOOK_SUCCESS) == Some(false);
        let (stage, reason) =
            named.unwrap_or((if is_hook_failed { DepositStage::Hook } else { DepositStage::Unknown }, told));
        let is_failed = event.get(keys::SUCCESS) == Some(false) || is_hook_failed || !told.is_empty();
        let is_nothing = event.get(keys::AMOUNT).is_some_and(Amount::is_zero);
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

/// Returns the earlier events that credit the deposit's amount to its receiver.
fn credits(before: &[(usize, &DecodedEvent)], deposit: &DecodedEvent) -> Vec<usize> {
    let Some((denom, amount)) = deposit.get(keys::DENOM).zip(deposit.get(keys::AMOUNT)) else { return Vec::new() };
    let coin = Coin { denom, amount };
    let is_credit = |event: &DecodedEvent| {
        BankEvent::received(event)
            .is_some_and(|received| is_same(received.account, deposit.text(keys::RECIPIENT)) && received.holds(&coin))
    };
    before.iter().filter(|(_, event)| is_credit(event)).map(|(place, _)| *place).collect()
}

/// Whether an event starts the withdrawal that returns the whole deposit from its receiver to its sender.
fn is_return(deposit: &DecodedEvent, event: &DecodedEvent) -> bool {
    event.kind == INITIATE_TOKEN_WITHDRAWAL
        && is_same(event.text(keys::FROM), deposit.text(keys::RECIPIENT))
        && is_same(event.text(keys::TO), deposit.text(keys::SENDER))
        && event.text(keys::DENOM).is_none_or(|denom| deposit.text(keys::DENOM) == Some(denom))
        && event.text(keys::AMOUNT).is_none_or(|amount| deposit.text(keys::AMOUNT) == Some(amount))
}

/// Whether two attributes exist and name one account.
fn is_same(one: Option<&str>, other: Option<&str>) -> bool {
    let (Some(one), Some(other)) = (one, other) else { return false };
    one == other || matches!((one.parse::<Address>(), other.parse::<Address>()), (Ok(one), Ok(other)) if one == other)
}
