//! Outcome of an L1 deposit by the events of its message (`docs/apis/story.md` §4): node versions differ in the
//! handling of a failure.

use super::decode::DecodedEvent;
use crate::{
    domain::{Address, Amount},
    events::{bank::BankEvent, opinit::BridgeTransfer},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DepositOutcome {
    Credited,
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
    Credit,
    Hook,
    /// Not in the record.
    Unknown,
}

impl DepositStage {
    /// Returns the step that failed, by the deposit's own event, and the chain's error without the words that name the
    /// step; `None` if the event reports no failure.
    pub(super) fn of_failure<'e>(deposit: &BridgeTransfer<'e>) -> Option<(Self, &'e str)> {
        let told = deposit.reason.unwrap_or_default().trim();
        let named = [("deposit failed; ", Self::Credit), ("hook failed; ", Self::Hook)];
        let named = named.into_iter().find_map(|(prefix, stage)| Some((stage, told.strip_prefix(prefix)?)));
        let unnamed = if deposit.is_hook_failed { Self::Hook } else { Self::Unknown };
        let is_failed = deposit.is_failed || deposit.is_hook_failed || !told.is_empty();
        is_failed.then(|| named.unwrap_or((unnamed, told)))
    }
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
    /// Reads the deposit of the event with this index in the message's events.
    pub(super) fn of(events: &[(usize, &'e DecodedEvent)], place: usize) -> Option<Self> {
        let own = events.iter().position(|(found, _)| *found == place)?;
        let (before, after) = (events.get(..own)?, events.get(own + 1..)?);
        let deposit = BridgeTransfer::deposit(events.get(own)?.1)?;
        let is_deposit = |(_, event): &&(usize, &DecodedEvent)| BridgeTransfer::deposit(*event).is_some();
        // Other deposits in the message have their own surrounding events.
        let start = before.iter().rposition(|entry| is_deposit(&entry)).map_or(0, |last| last + 1);
        let credits = credits(before.get(start..).unwrap_or_default(), &deposit);
        let back = after.iter().take_while(|entry| !is_deposit(entry)).find(|(_, other)| is_return(&deposit, other));
        let failure = DepositStage::of_failure(&deposit);
        let (is_failed, (stage, reason)) = (failure.is_some(), failure.unwrap_or((DepositStage::Unknown, "")));
        let is_nothing = deposit.number().is_some_and(Amount::is_zero);
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
fn credits(before: &[(usize, &DecodedEvent)], deposit: &BridgeTransfer<'_>) -> Vec<usize> {
    let Some(coin) = deposit.coin() else { return Vec::new() };
    let is_credit = |event: &DecodedEvent| {
        BankEvent::received(event)
            .is_some_and(|received| is_same(received.account, deposit.to) && received.holds(&coin))
    };
    before.iter().filter(|(_, event)| is_credit(event)).map(|(place, _)| *place).collect()
}

/// Whether an event starts the withdrawal that returns the whole deposit from its receiver to its sender.
fn is_return(deposit: &BridgeTransfer<'_>, event: &DecodedEvent) -> bool {
    BridgeTransfer::withdrawal(event).is_some_and(|back| {
        is_same(back.from, deposit.to)
            && is_same(back.to, deposit.from)
            && (back.denom.is_none() || back.denom == deposit.denom)
            && (back.amount.is_none() || back.amount == deposit.amount)
    })
}

/// Whether two attributes exist and name one account.
fn is_same(one: Option<&str>, other: Option<&str>) -> bool {
    let (Some(one), Some(other)) = (one, other) else { return false };
    one == other || matches!((one.parse::<Address>(), other.parse::<Address>()), (Ok(one), Ok(other)) if one == other)
}
