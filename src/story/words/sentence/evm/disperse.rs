use std::collections::{HashMap, HashSet, VecDeque};

use super::{
    plain::called,
    run::{CallPhrase, EvmCall, EvmRun},
};
use crate::{
    domain::{Address, Amount},
    events::evm::LoggedMove,
    story::{
        abi::AbiValue,
        context::{evm_logs::SeenLog, proof::Proof},
        words::{phrase::Phrase, sentence::verb},
    },
};

/// Describes payments to many accounts, each with its own log.
pub(super) fn render(run: &EvmRun<'_, '_>, call: &EvmCall, signature: &str) -> Option<CallPhrase> {
    match signature {
        "disperseEther(address[],uint256[])" => payments(run, call, None, 0),
        "disperseToken(address,address[],uint256[])" => payments(run, call, Some(call.address(0)?), 1),
        _ => None,
    }
}

/// Whether the effect of a call only shows in the movements of the whole run.
pub(super) fn is_by_flows(signature: &str) -> bool {
    signature.starts_with("disperse")
}

/// Describes "sent {sum} in {n} payments to {m} accounts": those both requested and logged.
fn payments(run: &EvmRun<'_, '_>, call: &EvmCall, token: Option<Address>, place: usize) -> Option<CallPhrase> {
    let items = |place: usize| call.reading.value(place).map_or(&[][..], AbiValue::items);
    let pairs = items(place).iter().zip(items(place + 1));
    let asked: Vec<(Address, Amount)> =
        pairs.filter_map(|(to, amount)| Some((to.address()?, amount.number()?))).collect();
    let (caller, disperser) = (call.caller?, call.to?);
    let mut candidates: HashMap<(Address, Amount), VecDeque<(&SeenLog, LoggedMove)>> = HashMap::new();
    for (seen, movement, amount) in run.amounts() {
        let is_by_us = [caller, disperser].iter().any(|from| movement.from.is_same_in_logs(from));
        if is_by_us && token.is_none_or(|token| seen.contract == token) {
            let key = (Address::Short(movement.to.tail()), amount);
            candidates.entry(key).or_default().push_back((seen, movement));
        }
    }
    let mut paid: Vec<(&SeenLog, Address, Amount)> = Vec::new();
    for (to, amount) in &asked {
        let fitting = candidates.get_mut(&(Address::Short(to.tail()), *amount));
        let Some((seen, movement)) = fitting.and_then(VecDeque::pop_front) else { continue };
        run.take(seen);
        if paid.is_empty() {
            // All payments use the token of the first.
            for logs in candidates.values_mut() {
                logs.retain(|(other, _)| other.contract == seen.contract);
            }
        }
        paid.push((seen, movement.to, *amount));
    }
    let Some((first, ..)) = paid.first() else {
        let whole: Vec<Phrase> = match token {
            Some(token) => run.amount_of(token, sum(asked.iter().map(|(_, amount)| *amount))?),
            None => run.value(call),
        };
        let receivers = asked.iter().map(|(to, _)| *to);
        let words = run.words().then(whole).text(counted(asked.len(), receivers));
        return Some(CallPhrase::moving(verb::SEND, words, Proof::Absent).with_value());
    };
    let contract = first.contract;
    // What the contract paid is the caller's only as far as he paid in.
    let by_contract =
        paid.iter().filter(|(seen, ..)| seen.movement.is_some_and(|it| it.from.is_same_in_logs(&disperser)));
    let owed = sum(by_contract.map(|(.., amount)| *amount))?;
    let handed = run.flows_with(caller, disperser).gave.into_iter().find(|flow| flow.contract == contract);
    let is_his = owed.is_zero() || handed.as_ref().is_some_and(|flow| flow.amount >= owed);
    let mut events: Vec<usize> = paid.iter().map(|(seen, ..)| seen.event).collect();
    events.dedup();
    let whole = sum(paid.iter().map(|(.., amount)| *amount))?;
    let words = if is_his { run.words() } else { called(run, call).text(", which paid ") };
    let words = words.then(run.amount(contract, whole, &events));
    let words = words.text(counted(paid.len(), paid.iter().map(|(_, to, _)| *to))).by(events);
    let words = match asked.len() - paid.len() {
        0 => words,
        missing => words.text(format!("; the logs do not show {missing} of the requested payments")),
    };
    let proof = run.standing(contract);
    if !is_his {
        return Some(CallPhrase::moving(verb::CALL, words, proof));
    }
    // The incoming funds for them belong to the payments too.
    run.rests_on(&[handed.as_slice()]);
    Some(CallPhrase::moving(verb::SEND, words, proof).with_value())
}

fn sum(mut amounts: impl Iterator<Item = Amount>) -> Option<Amount> {
    amounts.try_fold(Amount::ZERO, |sum, amount| Some(Amount::new(sum.get().checked_add(amount.get())?)))
}

/// Adds " to 10 accounts", and the number of payments if an account got several.
fn counted(payments: usize, receivers: impl Iterator<Item = Address>) -> String {
    let accounts = receivers.map(|receiver| receiver.tail()).collect::<HashSet<_>>().len();
    let noun = if accounts == 1 { "account" } else { "accounts" };
    if accounts == payments {
        format!(" to {accounts} {noun}")
    } else {
        format!(" in {payments} payments to {accounts} {noun}")
    }
}
