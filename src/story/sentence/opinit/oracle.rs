use crate::story::proof::Proof;
use serde_json::Value;

use crate::domain::text::count_of;
use crate::story::{
    context::{Clause, MessageRef, TxContext},
    sentence::{
        clauses::{MessageEvents, clause_by},
        verb,
    },
};

/// "{sender} updated oracle prices to L1 block {h}".
pub(super) fn update(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    let event = MessageEvents::of(context, message).one("update_oracle");
    let height = event.and_then(|(_, event)| event.value("height")).map(ToOwned::to_owned);
    let height = height.or_else(|| message.text("height").map(std::borrow::Cow::into_owned)).unwrap_or_default();
    let rest = context.words().text(format!("oracle prices to L1 block {height}")).by(event.map(|(place, _)| place));
    clause_by(context, message, "sender", verb::UPDATE, rest.done(), Proof::Unjudged)
}

/// "{sender} relayed {n} oracle prices of L1 block {h}".
pub(super) fn relay(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    let event = MessageEvents::of(context, message).one("oracle_data_relay");
    let data = message.fields.get("oracle_data");
    let count = data.and_then(|data| data.get("prices")).and_then(Value::as_array).map_or(0, Vec::len);
    let count = event.and_then(|(_, event)| event.value("num_currency_pair")?.parse().ok()).unwrap_or(count);
    let height = event.and_then(|(_, event)| event.value("l1_block_height"));
    let height = height.or_else(|| data?.get("l1_block_height")?.as_str()).unwrap_or_default();
    let said = format!("{} of L1 block {height}", count_of(count, "oracle price", "oracle prices"));
    let rest = context.words().text(said).by(event.map(|(place, _)| place));
    clause_by(context, message, "sender", verb::RELAY, rest.done(), Proof::Unjudged)
}
