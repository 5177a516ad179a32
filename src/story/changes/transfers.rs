//! The bank's `transfer` events against the debits and credits that accompany them.

use std::collections::HashMap;

use alloy_primitives::U256;

use crate::{
    domain::{Denom, parse_coins},
    events::{
        bank::{BankChange, BankEvent},
        keys,
        names::TRANSFER,
    },
    story::{
        decode::{Decoded, EventPhase},
        limits::MOST_EVENTS,
    },
};

type SideSums<'e> = HashMap<(BankChange, EventPhase, &'e str, Denom), U256>;

/// Whether a transfer lacks its debit or its credit: then events are missing, and the balances are not whole. One debit
/// may be of several transfers.
pub(super) fn lacks_a_side(decoded: &Decoded) -> bool {
    let (mut told, mut moved) = (SideSums::new(), SideSums::new());
    for event in decoded.events.iter().take(MOST_EVENTS) {
        if let Some(BankEvent { change, account: Some(account), amount: Some(amount) }) = BankEvent::of(event) {
            add(&mut told, (change, event.phase, account), amount);
        } else if let Some(amount) = event.text(keys::COINS).filter(|_| event.kind == TRANSFER) {
            let ends =
                [(BankChange::Spent, event.text(keys::SENDER)), (BankChange::Received, event.text(keys::RECIPIENT))];
            for (change, account) in ends {
                if let Some(account) = account {
                    add(&mut moved, (change, event.phase, account), amount);
                }
            }
        }
    }
    moved.iter().any(|(side, amount)| told.get(side).is_none_or(|told| told < amount))
}

/// Adds a list of coins; an unreadable list adds nothing.
fn add<'e>(sums: &mut SideSums<'e>, (change, phase, account): (BankChange, EventPhase, &'e str), amount: &str) {
    for coin in parse_coins(amount).unwrap_or_default().into_iter().filter(|coin| !coin.amount.is_zero()) {
        let sum = sums.entry((change, phase, account, coin.denom)).or_default();
        *sum = sum.saturating_add(coin.amount.get());
    }
}
