use std::collections::HashSet;

use serde_json::Value;

use crate::{
    domain::{Address, Coin, same_account, text::count_of},
    events::{
        bank::{BankChange, BankEvent},
        keys,
        names::TRANSFER,
    },
    story::{
        context::{MessageRef, TxContext, proof::Proof},
        words::{
            builder::PhraseBuilder,
            clause::Clause,
            sentence::{
                clauses::{MessageEvents, clause_by, clause_with, names, row, subject},
                verb,
            },
        },
    },
};

struct BankPayment<'e> {
    from: &'e str,
    to: &'e str,
    amount: &'e str,
    places: Vec<usize>,
}

/// Describes "{from} sent {C} to {to}"; a transfer to the sender changes no balance.
pub(super) fn send(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    let (from, to) = (message.text("from_address").unwrap_or_default(), message.text("to_address").unwrap_or_default());
    let seen = MessageEvents::of(context, message);
    let shown = if context.is_failed() { None } else { payment(&seen, &from, &to) };
    let Some(paid) = shown else {
        let rest = context.words().amounts(message.fields.get("amount"));
        let rest = to_whom(context, rest, &from, &to, &[]);
        return clause_with(context, subject(context, message, "from_address", &from), verb::SEND, rest, &[]);
    };
    let rest = context.words().coin_list(paid.amount).by(paid.places.iter().copied());
    let rest = to_whom(context, rest, paid.from, paid.to, &paid.places);
    clause_with(context, subject(context, message, "from_address", paid.from), verb::SEND, rest, &paid.places)
}

fn to_whom<'s, 'a>(
    context: &TxContext<'_>,
    words: PhraseBuilder<'s, 'a>,
    from: &str,
    to: &str,
    places: &[usize],
) -> PhraseBuilder<'s, 'a> {
    match (same_account(from, to), context.is_failed()) {
        (true, true) => words.text(" to itself"),
        (true, false) => words.text(" to itself (no net change)"),
        (false, _) => words.text(" to ").party(to).by(places.iter().copied()),
    }
}

/// Returns the events of a payment: its `transfer`, else the debit and the credit.
fn payment<'e>(seen: &MessageEvents<'e>, from: &str, to: &str) -> Option<BankPayment<'e>> {
    let transfer = seen.claim_or_only(TRANSFER, |event| {
        event.text(keys::COINS).is_some()
            && [keys::SENDER, keys::RECIPIENT].iter().all(|key| event.text(*key).is_some())
            && names(event, keys::SENDER, from)
            && names(event, keys::RECIPIENT, to)
    });
    if let Some((place, event)) = transfer {
        let (from, to) = (event.text(keys::SENDER)?, event.text(keys::RECIPIENT)?);
        let amount = event.text(keys::AMOUNT)?;
        // Both sides are used up, so that they prove no other payment.
        side(seen, BankChange::Spent, from, Some(amount));
        side(seen, BankChange::Received, to, Some(amount));
        return Some(BankPayment { from, to, amount, places: vec![place] });
    }
    let (place, spent) = side(seen, BankChange::Spent, from, None)?;
    let amount = spent.amount?;
    let (other, received) = side(seen, BankChange::Received, to, Some(amount))?;
    Some(BankPayment { from: spent.account?, to: received.account?, amount, places: vec![place, other] })
}

fn side<'e>(
    seen: &MessageEvents<'e>,
    change: BankChange,
    account: &str,
    amount: Option<&str>,
) -> Option<(usize, BankEvent<'e>)> {
    seen.claim_view(BankEvent::of, |event| {
        event.change == change && event.is_of(account) && (amount.is_none() || event.amount == amount)
    })
}

/// Describes "{input} sent {C} in {n} payments to {m} accounts".
pub(super) fn multi_send(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    let seen = MessageEvents::of(context, message);
    let shown = if context.is_failed() { None } else { shown_payments(context, message, &seen) };
    shown.unwrap_or_else(|| asked_payments(context, message))
}

/// Describes the payments by the events; `None` if one side lacks them.
fn shown_payments(context: &TxContext<'_>, message: MessageRef<'_>, seen: &MessageEvents<'_>) -> Option<Clause> {
    let side = |change: BankChange| -> Vec<(usize, &str, Vec<Coin>)> {
        let own = seen.bank(change).filter_map(|(place, event)| Some((place, event.account?, event.coins())));
        own.filter(|(.., coins)| !coins.is_empty()).collect()
    };
    let (spent, received) = (side(BankChange::Spent), side(BankChange::Received));
    let total = total(spent.iter().flat_map(|(_, _, coins)| coins))?;
    if spent.is_empty() || self::total(received.iter().flat_map(|(_, _, coins)| coins))? != total {
        return None;
    }
    let spenders = distinct(spent.iter().map(|(_, name, _)| *name));
    let who = match spenders.as_slice() {
        [only] => subject(context, message, "", only),
        many => context.words().text(row(&many.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>())).done(),
    };
    let rest = context.words().coins(&total).by(spent.iter().map(|(place, ..)| *place));
    let rest = to_many(rest, &received.iter().map(|(_, name, _)| *name).collect::<Vec<_>>());
    let places: Vec<usize> = received.iter().map(|(place, ..)| *place).collect();
    Some(clause_with(context, who, verb::SEND, rest.by(places.iter().copied()), &places))
}

fn asked_payments(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    let items = |name: &str| message.fields.get(name).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let (inputs, outputs) = (items("inputs"), items("outputs"));
    let input = inputs.first();
    let from = input.and_then(|input| input.get("address")).and_then(Value::as_str).unwrap_or_default();
    let rest = context.words().amounts(input.and_then(|input| input.get("coins")));
    let receivers: Vec<&str> =
        outputs.iter().map(|output| output.get("address").and_then(Value::as_str).unwrap_or_default()).collect();
    if receivers.is_empty() {
        let rest = rest.text(" to no recipient").done();
        return clause_by(context, message, "", verb::SEND, rest, Proof::Absent);
    }
    clause_with(context, subject(context, message, "", from), verb::SEND, to_many(rest, &receivers), &[])
}

/// Adds " to {account}", " to {n} accounts" or " in {n} payments to {m} accounts".
fn to_many<'s, 'a>(words: PhraseBuilder<'s, 'a>, receivers: &[&str]) -> PhraseBuilder<'s, 'a> {
    let accounts = distinct(receivers.iter().copied());
    let words = if receivers.len() == accounts.len() {
        words
    } else {
        words.text(format!(" in {}", count_of(receivers.len(), "payment", "payments")))
    };
    match accounts.as_slice() {
        [only] => words.text(" to ").party(only),
        many => words.text(format!(" to {}", count_of(many.len(), "account", "accounts"))),
    }
}

/// Removes duplicate accounts.
fn distinct<'n>(names: impl Iterator<Item = &'n str>) -> Vec<&'n str> {
    let mut known = HashSet::new();
    names.filter(|name| known.insert(name.parse::<Address>().map_err(|_| (*name).to_owned()))).collect()
}

/// Sums by denom, sorted; `None` on overflow of 256 bits.
fn total<'c>(coins: impl Iterator<Item = &'c Coin>) -> Option<Vec<Coin>> {
    let mut sums = std::collections::BTreeMap::new();
    for coin in coins {
        let sum: &mut crate::domain::Amount = sums.entry(coin.denom.clone()).or_default();
        *sum = sum.checked_add(coin.amount)?;
    }
    Some(sums.into_iter().map(|(denom, amount)| Coin { denom, amount }).collect())
}
