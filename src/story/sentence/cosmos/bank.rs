use std::collections::HashSet;

use serde_json::Value;

use crate::{
    domain::{Address, Coin, parse_coins, text::count_of},
    story::{
        DecodedEvent,
        context::{Clause, MessageRef, PhraseBuilder, TxContext},
        proof::Proof,
        sentence::{
            clauses::{MessageEvents, clause_by, clause_with, names, row, same_account, subject},
            verb,
        },
    },
};

/// A payment as the bank's events show it.
struct BankPayment<'e> {
    from: &'e str,
    to: &'e str,
    /// A list of coins.
    amount: &'e str,
    places: Vec<usize>,
}

/// "{from} sent {C} to {to}"; to itself it changes nothing.
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

/// What a sending left: its `transfer`, else what was spent and received.
fn payment<'e>(seen: &MessageEvents<'e>, from: &str, to: &str) -> Option<BankPayment<'e>> {
    let transfer = seen.take("transfer", |event| {
        ["sender", "recipient", "amount"].iter().all(|key| event.value(key).is_some())
            && names(event, "sender", from)
            && names(event, "recipient", to)
    });
    if let Some((place, event)) = transfer {
        let (from, to) = (event.value("sender")?, event.value("recipient")?);
        let amount = event.value("amount")?;
        // The two sides of the same payment bear out no other.
        side(seen, "coin_spent", ("spender", from), Some(amount));
        side(seen, "coin_received", ("receiver", to), Some(amount));
        return Some(BankPayment { from, to, amount, places: vec![place] });
    }
    let (place, spent) = side(seen, "coin_spent", ("spender", from), None)?;
    let amount = spent.value("amount")?;
    let (other, received) = side(seen, "coin_received", ("receiver", to), Some(amount))?;
    Some(BankPayment {
        from: spent.value("spender")?,
        to: received.value("receiver")?,
        amount,
        places: vec![place, other],
    })
}

/// One side of a payment that bears out nothing yet.
fn side<'e>(
    seen: &MessageEvents<'e>,
    kind: &str,
    (key, account): (&str, &str),
    amount: Option<&str>,
) -> Option<(usize, &'e DecodedEvent)> {
    seen.claim(kind, |event| {
        amount.is_none_or(|amount| event.value("amount") == Some(amount))
            && event.value(key).is_some_and(|name| same_account(name, account))
    })
}

/// "{input} sent {C} in {n} payments to {m} accounts".
pub(super) fn multi_send(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    let seen = MessageEvents::of(context, message);
    let shown = if context.is_failed() { None } else { shown_payments(context, message, &seen) };
    shown.unwrap_or_else(|| asked_payments(context, message))
}

/// As the events tell it; none where one side of them is missing.
fn shown_payments(context: &TxContext<'_>, message: MessageRef<'_>, seen: &MessageEvents<'_>) -> Option<Clause> {
    let side = |kind: &'static str, party: &'static str| -> Vec<(usize, String, Vec<Coin>)> {
        let own = seen.events.iter().filter(|(_, event)| event.kind == kind);
        own.filter_map(|(place, event)| {
            Some((*place, event.value(party)?.to_owned(), parse_coins(event.value("amount")?).ok()?))
        })
        .collect()
    };
    let (spent, received) = (side("coin_spent", "spender"), side("coin_received", "receiver"));
    let total = total(spent.iter().flat_map(|(_, _, coins)| coins))?;
    if spent.is_empty() || self::total(received.iter().flat_map(|(_, _, coins)| coins))? != total {
        return None;
    }
    let spenders = distinct(spent.iter().map(|(_, name, _)| name.as_str()));
    let who = match spenders.as_slice() {
        [only] => subject(context, message, "", only),
        many => context.words().text(row(&many.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>())).done(),
    };
    let rest = context.words().coins(&total).by(spent.iter().map(|(place, ..)| *place));
    let rest = to_many(rest, &received.iter().map(|(_, name, _)| name.as_str()).collect::<Vec<_>>());
    let places: Vec<usize> = received.iter().map(|(place, ..)| *place).collect();
    Some(clause_with(context, who, verb::SEND, rest.by(places.iter().copied()), &places))
}

/// As the message asks for it.
fn asked_payments(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    let items = |name: &str| message.fields.get(name).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let (inputs, outputs) = (items("inputs"), items("outputs"));
    let input = inputs.first();
    let from = input.and_then(|input| input.get("address")).and_then(Value::as_str).unwrap_or_default();
    let rest = context.words().amounts(input.and_then(|input| input.get("coins")));
    let receivers: Vec<&str> =
        outputs.iter().map(|output| output.get("address").and_then(Value::as_str).unwrap_or_default()).collect();
    if receivers.is_empty() {
        let rest = rest.text(" to nobody").done();
        return clause_by(context, message, "", verb::SEND, rest, Proof::Absent);
    }
    clause_with(context, subject(context, message, "", from), verb::SEND, to_many(rest, &receivers), &[])
}

/// " to {account}", " to {n} accounts", " in {n} payments to {m} accounts".
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

/// Names of accounts, each account once.
fn distinct<'n>(names: impl Iterator<Item = &'n str>) -> Vec<&'n str> {
    let mut known = HashSet::new();
    names.filter(|name| known.insert(name.parse::<Address>().map_err(|_| (*name).to_owned()))).collect()
}

/// The sums by denom, ordered by it; none past 256 bits.
fn total<'c>(coins: impl Iterator<Item = &'c Coin>) -> Option<Vec<Coin>> {
    let mut sums = std::collections::BTreeMap::new();
    for coin in coins {
        let sum: &mut crate::domain::Amount = sums.entry(coin.denom.clone()).or_default();
        *sum = sum.checked_add(coin.amount)?;
    }
    Some(sums.into_iter().map(|(denom, amount)| Coin { denom, amount }).collect())
}
