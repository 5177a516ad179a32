use crate::{
    domain::{Coin, same_account},
    events::{
        bank::BankChange,
        keys,
        names::{INITIATE_TOKEN_WITHDRAWAL, MIGRATE_TOKEN, SEND_PACKET},
    },
    story::{
        context::{MessageRef, TxContext},
        packet::PacketData,
        words::{
            clause::Clause,
            sentence::{
                clauses::{MessageEvents, clause_with, names, places_of, subject, told},
                verb,
            },
        },
    },
};

/// Describes "{sender} started withdrawing {C} to {to} on L1 (withdrawal #{n})".
pub(super) fn initiate(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    let seen = MessageEvents::of(context, message);
    let (sender, to) = (message.text("sender").unwrap_or_default(), message.text("to").unwrap_or_default());
    let wanted = message.coin("amount");
    let event = seen.claim_or_only(INITIATE_TOKEN_WITHDRAWAL, |event| {
        let is_amount =
            wanted.as_ref().is_none_or(|coin| event.text(keys::AMOUNT) == Some(coin.amount.to_string().as_str()));
        is_amount && names(event, keys::FROM, &sender) && event.text(keys::TO).is_none_or(|value| value == to)
    });
    // A migrated token leaves over IBC, by a packet instead of a withdrawal.
    if event.is_none()
        && let Some(packet) = seen.claim_or_only(SEND_PACKET, |event| {
            matches!(PacketData::of_event(event), PacketData::Tokens(tokens) if same_account(&tokens.sender, &sender))
        })
        && let PacketData::Tokens(tokens) = PacketData::of_event(packet.1)
    {
        let rest = context.words().coin(&tokens.left()).by([packet.0]).text(" to ").party(&tokens.receiver);
        let (channel, number) = (packet.1.text(keys::PACKET_SRC_CHANNEL), packet.1.text(keys::PACKET_SEQUENCE));
        let rest = rest.by([packet.0]).text(" on L1 over IBC (").plain(channel.unwrap_or_default());
        let rest = rest.text(", packet #").plain(number.unwrap_or_default()).text(")").by([packet.0]);
        let who = subject(context, message, "sender", &tokens.sender);
        return clause_with(context, who, verb::START_WITHDRAWING, rest, &[packet.0]);
    }
    let places = places_of(event);
    let rest = super::host::amount(context, message, event).by(places.iter().copied());
    let rest = rest.text(" to ").party(&told(event, keys::TO, Some(to))).by(places.iter().copied()).text(" on L1");
    let rest = match event.and_then(|(_, event)| event.text(keys::L2_SEQUENCE)) {
        Some(number) => rest.text(" (withdrawal #").plain(number).text(")").by(places.iter().copied()),
        None => rest,
    };
    let who = subject(context, message, "sender", &told(event, keys::FROM, Some(sender)));
    clause_with(context, who, verb::START_WITHDRAWING, rest, &places)
}

/// Describes "{sender} swapped {C} for its IBC form {C}".
pub(super) fn migrate(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    let seen = MessageEvents::of(context, message);
    let sender = message.text("sender").unwrap_or_default();
    let old = message.coin("amount");
    let event = seen.claim_or_only(MIGRATE_TOKEN, |event| names(event, keys::SENDER, &sender));
    // The bank's own events have the input and the output.
    let side = |change: BankChange, is_old: bool| {
        let is_it = |coin: &Coin| old.as_ref().is_none_or(|old| (old.denom == coin.denom) == is_old);
        let mut his = seen.bank(change).filter(|(_, event)| event.is_of(&sender));
        his.find_map(|(place, event)| Some((place, event.coins().into_iter().find(is_it)?)))
    };
    let (got, gave) = (side(BankChange::Received, false), side(BankChange::Spent, true));
    let who = subject(context, message, "sender", &sender);
    let (Some((gone, gave)), Some((come, got)), Some((place, _))) = (gave, got, event) else {
        let rest = context.words().amounts(message.fields.get("amount")).text(" for its IBC form");
        return clause_with(context, who, verb::SWAP, rest, &[]);
    };
    let rest = context.words().coin(&gave).by([place, gone]).text(" for its IBC form ").coin(&got).by([place, come]);
    clause_with(context, who, verb::SWAP, rest, &[place, gone, come])
}
