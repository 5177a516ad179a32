use crate::{
    domain::{Coin, same_account},
    events::{bank::BankChange, keys, names::MIGRATE_TOKEN, opinit::BridgeTransfer},
    story::{
        context::{MessageRef, TxContext},
        packet::PacketTokens,
        words::{
            clause::Clause,
            sentence::{
                clauses::{MessageEvents, agrees, clause_with, names, or_field, places_of, subject},
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
    let event = seen.claim_view_or_only(BridgeTransfer::withdrawal, |event| {
        let is_amount = wanted.as_ref().is_none_or(|coin| event.amount == Some(coin.amount.to_string().as_str()));
        is_amount && agrees(event.from, &sender) && event.to.is_none_or(|value| value == to)
    });
    // A migrated token leaves over IBC, by a packet instead of a withdrawal.
    if event.is_none()
        && let Some((place, (id, tokens))) =
            seen.claim_view_or_only(PacketTokens::sent, |(_, tokens)| same_account(&tokens.sender, &sender))
    {
        let rest =
            context.words().coin(&tokens.left()).by([place]).text(" to ").party_elsewhere(&tokens.receiver).by([place]);
        let rest = rest.text(" on L1 over IBC (").plain(&id.source_channel).text(", packet #");
        let rest = rest.plain(&id.sequence.to_string()).text(")").by([place]);
        let who = subject(context, message, "sender", &tokens.sender);
        return clause_with(context, who, verb::START_WITHDRAWING, rest, &[place]);
    }
    let (places, event) = (places_of(event), event.map(|(_, event)| event));
    let by = || places.iter().copied();
    let rest = super::host::amount(context, message, event).by(by()).text(" to ");
    let rest = rest.party_elsewhere(&or_field(event.and_then(|event| event.to), Some(to))).by(by()).text(" on L1");
    let rest = match event.and_then(|event| event.sequence) {
        Some(number) => rest.text(" (withdrawal #").plain(&number.to_string()).text(")").by(by()),
        None => rest,
    };
    let who = subject(context, message, "sender", &or_field(event.and_then(|event| event.from), Some(sender)));
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
