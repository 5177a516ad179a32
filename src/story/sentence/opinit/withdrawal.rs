use crate::{
    domain::{Coin, Denom, parse_coins},
    story::{
        DecodedEvent,
        context::{Clause, MessageRef, PhraseBuilder, TxContext},
        packet::PacketData,
        sentence::{
            clauses::{MessageEvents, clause_with, names, places_of, same_account, subject, told},
            verb,
        },
    },
};

/// "{sender} started withdrawing {C} to {to} on L1 (withdrawal #{n})".
pub(super) fn initiate(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    let seen = MessageEvents::of(context, message);
    let (sender, to) = (message.text("sender").unwrap_or_default(), message.text("to").unwrap_or_default());
    let wanted = message.coin("amount");
    let event = seen.take("initiate_token_withdrawal", |event| {
        let is_amount =
            wanted.as_ref().is_none_or(|coin| event.value("amount") == Some(coin.amount.to_string().as_str()));
        is_amount && names(event, "from", &sender) && event.value("to").is_none_or(|value| value == to)
    });
    // A migrated token leaves over IBC: no withdrawal, but a packet.
    if event.is_none()
        && let Some(packet) = seen.take("send_packet", |event| {
            matches!(PacketData::of_event(event), PacketData::Tokens(tokens) if same_account(&tokens.sender, &sender))
        })
        && let PacketData::Tokens(tokens) = PacketData::of_event(packet.1)
    {
        let rest = context.words().coin(&tokens.left()).by([packet.0]).text(" to ").party(&tokens.receiver);
        let value = |key: &str| packet.1.value(key).unwrap_or_default();
        let rest = rest.by([packet.0]).text(" on L1 over IBC (").plain(value("packet_src_channel"));
        let rest = rest.text(", packet #").plain(value("packet_sequence")).text(")").by([packet.0]);
        let who = subject(context, message, "sender", &tokens.sender);
        return clause_with(context, who, verb::START_WITHDRAWING, rest, &[packet.0]);
    }
    let places = places_of(event);
    let rest = amount(context, message, event).by(places.iter().copied());
    let rest = rest.text(" to ").party(&told(event, "to", Some(to))).by(places.iter().copied()).text(" on L1");
    let rest = match event.and_then(|(_, event)| event.value("l2_sequence")) {
        Some(number) => rest.text(" (withdrawal #").plain(number).text(")").by(places.iter().copied()),
        None => rest,
    };
    let who = subject(context, message, "sender", &told(event, "from", Some(sender)));
    clause_with(context, who, verb::START_WITHDRAWING, rest, &places)
}

/// The amount as the event has it, and where there is none as the message asks for.
fn amount<'s, 'a>(
    context: &'s TxContext<'a>,
    message: MessageRef<'_>,
    event: Option<(usize, &DecodedEvent)>,
) -> PhraseBuilder<'s, 'a> {
    let Some((_, event)) = event else { return context.words().amounts(message.fields.get("amount")) };
    let written = event.value("amount").unwrap_or_default();
    match (event.value("denom"), written.parse()) {
        (Some(denom), Ok(amount)) => context.words().coin(&Coin { denom: Denom::new(denom), amount }),
        _ => context.words().text("an amount that cannot be read, ").quote(written),
    }
}

/// "{sender} swapped {C} for its IBC form {C}".
pub(super) fn migrate(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    let seen = MessageEvents::of(context, message);
    let sender = message.text("sender").unwrap_or_default();
    let old = message.coin("amount");
    let event = seen.take("migrate_token", |event| names(event, "sender", &sender));
    let got = seen.events.iter().find_map(|(place, event)| {
        let is_his = event.kind == "coin_received" && same_account(event.value("receiver")?, &sender);
        let coins = is_his.then(|| parse_coins(event.value("amount")?).ok()).flatten()?;
        let other = coins.into_iter().find(|coin: &Coin| old.as_ref().is_none_or(|old| old.denom != coin.denom))?;
        Some((*place, other))
    });
    // What was given the bank's own event says.
    let gave = seen.events.iter().find_map(|(place, event)| {
        let is_his = event.kind == "coin_spent" && same_account(event.value("spender")?, &sender);
        let coins = is_his.then(|| parse_coins(event.value("amount")?).ok()).flatten()?;
        Some((*place, coins.into_iter().find(|coin| old.as_ref().is_none_or(|old| old.denom == coin.denom))?))
    });
    let who = subject(context, message, "sender", &sender);
    let (Some((gone, gave)), Some((come, got)), Some((place, _))) = (gave, got, event) else {
        let rest = context.words().amounts(message.fields.get("amount")).text(" for its IBC form");
        return clause_with(context, who, verb::SWAP, rest, &[]);
    };
    let rest = context.words().coin(&gave).by([place, gone]).text(" for its IBC form ").coin(&got).by([place, come]);
    clause_with(context, who, verb::SWAP, rest, &[place, gone, come])
}
