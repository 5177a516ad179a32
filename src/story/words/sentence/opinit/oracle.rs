use serde_json::Value;

use crate::{
    domain::text::count_of,
    events::{
        keys,
        names::{ORACLE_DATA_RELAY, UPDATE_ORACLE},
    },
    story::{
        context::{MessageRef, TxContext},
        words::{
            clause::Clause,
            sentence::{
                clauses::{MessageEvents, actor, clause_with, places_of, told},
                verb,
            },
        },
    },
};

/// Describes "{sender} updated oracle prices to L1 block {h}".
pub(super) fn update(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    let event = MessageEvents::of(context, message).claim_or_only(UPDATE_ORACLE, |_| true);
    let rest = context.words().text("oracle prices to L1 block ");
    let rest = rest.plain(&told(event, keys::HEIGHT, message.text("height"))).by(places_of(event));
    clause_with(context, actor(context, message, "sender"), verb::UPDATE, rest, &places_of(event))
}

/// Describes "{sender} relayed {n} oracle prices of L1 block {h}".
pub(super) fn relay(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    let event = MessageEvents::of(context, message).claim_or_only(ORACLE_DATA_RELAY, |_| true);
    let data = message.fields.get("oracle_data");
    let count = data.and_then(|data| data.get("prices")).and_then(Value::as_array).map_or(0, Vec::len);
    let count = event.and_then(|(_, event)| event.get(keys::PRICES)).unwrap_or(count);
    let height = data.and_then(|data| data.get("l1_block_height")?.as_str()).map(Into::into);
    let rest = context.words().text(format!("{} of L1 block ", count_of(count, "oracle price", "oracle prices")));
    let rest = rest.plain(&told(event, keys::L1_HEIGHT, height)).by(places_of(event));
    clause_with(context, actor(context, message, "sender"), verb::RELAY, rest, &places_of(event))
}
