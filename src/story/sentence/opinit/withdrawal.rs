use crate::story::proof::Proof;
use crate::{
    domain::{Coin, parse_coins},
    story::{
        context::{Clause, MessageRef, TxContext},
        sentence::{
            clauses::{MessageEvents, clause_by, same_account},
            verb,
        },
    },
};

/// "{sender} started withdrawing {C} to {to} on L1 (withdrawal #{n})".
pub(super) fn initiate(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    let seen = MessageEvents::of(context, message);
    let (sender, to) = (message.text("sender").unwrap_or_default(), message.text("to").unwrap_or_default());
    let wanted = message.coin("amount");
    let event = seen.that("initiate_token_withdrawal", |event| {
        let is_amount =
            wanted.as_ref().is_none_or(|coin| event.value("amount") == Some(coin.amount.to_string().as_str()));
        is_amount && event.value("from").is_none_or(|from| same_account(from, &sender))
    });
    let place: Vec<usize> = event.iter().map(|(place, _)| *place).collect();
    let rest = match &wanted {
        Some(coin) => context.words().coin(coin).by(place.iter().copied()),
        None => context.words().text("tokens"),
    };
    let rest = rest.text(" to ").party(&to).by(place.iter().copied()).text(" on L1");
    let number = event.and_then(|(_, event)| event.value("l2_sequence"));
    // A migrated token leaves over IBC: no withdrawal, but a packet.
    let packet = seen.one("send_packet").filter(|_| number.is_none());
    let rest = match (number, packet) {
        (Some(number), _) => rest.text(format!(" (withdrawal #{number})")).by(place),
        (None, Some((place, event))) => {
            let value = |key: &str| event.value(key).unwrap_or_default().to_owned();
            let way = format!(" over IBC ({}, packet #{})", value("packet_src_channel"), value("packet_sequence"));
            rest.text(way).by([place])
        }
        (None, None) => rest,
    };
    clause_by(context, message, "sender", verb::START_WITHDRAWING, rest.done(), Proof::Unjudged)
}

/// "{sender} swapped {C} for its IBC form {C}".
pub(super) fn migrate(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    let seen = MessageEvents::of(context, message);
    let sender = message.text("sender").unwrap_or_default();
    let old = message.coin("amount");
    let places = seen.places("migrate_token", |_| true);
    let rest = match &old {
        Some(coin) => context.words().coin(coin).by(places.iter().copied()),
        None => context.words().text("tokens"),
    };
    let rest = rest.text(" for its IBC form");
    let got = seen.events.iter().find_map(|(place, event)| {
        let is_his = event.kind == "coin_received" && same_account(event.value("receiver")?, &sender);
        let coins = is_his.then(|| parse_coins(event.value("amount")?).ok()).flatten()?;
        let other = coins.into_iter().find(|coin: &Coin| old.as_ref().is_none_or(|old| old.denom != coin.denom))?;
        Some((*place, other))
    });
    let rest = match got {
        Some((place, coin)) => rest.text(" ").coin(&coin).by(places.into_iter().chain([place])),
        None => rest,
    };
    clause_by(context, message, "sender", verb::SWAP, rest.done(), Proof::Unjudged)
}
