use serde_json::Value;

use crate::domain::text::count_of;
use crate::story::{
    scene::{Clause, Scene, Told},
    sentence::{
        say::{Seen, by_field},
        verb,
    },
};

/// "{sender} updated oracle prices to L1 block {h}".
pub(super) fn update(scene: &Scene<'_>, told: Told<'_>) -> Clause {
    let event = Seen::of(scene, told).one("update_oracle");
    let height = event.and_then(|(_, event)| event.value("height")).map(ToOwned::to_owned);
    let height = height.or_else(|| told.text("height").map(std::borrow::Cow::into_owned)).unwrap_or_default();
    let rest = scene.words().text(format!("oracle prices to L1 block {height}")).by(event.map(|(place, _)| place));
    by_field(scene, told, "sender", verb::UPDATE, rest.done())
}

/// "{sender} relayed {n} oracle prices of L1 block {h}".
pub(super) fn relay(scene: &Scene<'_>, told: Told<'_>) -> Clause {
    let event = Seen::of(scene, told).one("oracle_data_relay");
    let data = told.fields.get("oracle_data");
    let count = data.and_then(|data| data.get("prices")).and_then(Value::as_array).map_or(0, Vec::len);
    let count = event.and_then(|(_, event)| event.value("num_currency_pair")?.parse().ok()).unwrap_or(count);
    let height = event.and_then(|(_, event)| event.value("l1_block_height"));
    let height = height.or_else(|| data?.get("l1_block_height")?.as_str()).unwrap_or_default();
    let said = format!("{} of L1 block {height}", count_of(count, "oracle price", "oracle prices"));
    let rest = scene.words().text(said).by(event.map(|(place, _)| place));
    by_field(scene, told, "sender", verb::RELAY, rest.done())
}
