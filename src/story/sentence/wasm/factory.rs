//! Tokens that users make.

use serde_json::Value;

use crate::{
    domain::{Coin, Denom},
    story::{
        Word,
        scene::{Clause, Scene, Told, Words, coin_of},
        sentence::{say::by_field, verb},
    },
};

pub(super) fn tell(scene: &Scene<'_>, told: Told<'_>, name: &str) -> Option<Clause> {
    Some(match name {
        "CreateDenom" => create(scene, told),
        "Mint" => mint(scene, told),
        "Burn" => burn(scene, told),
        "ChangeAdmin" => admin(scene, told),
        "SetDenomMetadata" => metadata(scene, told),
        "SetBeforeSendHook" => hook(scene, told),
        "UpdateParams" => {
            let words = scene.words().text("the parameters of the token factory");
            by_field(scene, told, "authority", verb::CHANGE, words.done())
        }
        _ => return None,
    })
}

fn token(scene: &Scene<'_>, denom: &str) -> Word {
    let denom = Denom::new(denom);
    let token = scene.token(&denom);
    Word::Token { denom, token }
}

/// "created token factory/P/shell".
fn create(scene: &Scene<'_>, told: Told<'_>) -> Clause {
    let created = scene.event_of(told, "create_denom");
    let denom = created.and_then(|(place, event)| Some((place, event.value("new_token_denom")?)));
    let words = scene.words().text("token ");
    let words = match denom {
        Some((place, denom)) => words.word(token(scene, denom)).by([place]),
        None => words.code(told.text("subdenom").unwrap_or_default()),
    };
    by_field(scene, told, "sender", verb::CREATE, words.done())
}

/// The amount that an event or the message names, with the event's place.
fn amount<'s, 'a>(
    scene: &Scene<'_>,
    told: Told<'_>,
    kind: &str,
    words: Words<'s, 'a>,
) -> (Words<'s, 'a>, Option<usize>) {
    let found = scene.event_of(told, kind);
    let place = found.map(|(place, _)| place);
    let words = match (found.and_then(|(_, event)| event.value("amount")), coin(told)) {
        (Some(text), _) => words.coin_list(text).by(place),
        (None, Some(coin)) => words.coin(&coin),
        (None, None) => words.text("tokens"),
    };
    (words, place)
}

fn coin(told: Told<'_>) -> Option<Coin> {
    coin_of(told.fields.get("amount")?)
}

/// "minted 5 SHELL to A".
fn mint(scene: &Scene<'_>, told: Told<'_>) -> Clause {
    let (words, place) = amount(scene, told, "tf_mint", scene.words());
    let of_event = scene.event_of(told, "tf_mint").and_then(|(_, event)| event.value("mint_to_address"));
    let of_message = told.text("mint_to_address").filter(|to| !to.is_empty());
    let to = of_event.map(ToOwned::to_owned).or_else(|| of_message.or_else(|| told.text("sender")).map(Into::into));
    let words = match to {
        Some(to) => words.text(" to ").party(&to).by(place),
        None => words,
    };
    by_field(scene, told, "sender", verb::MINT, words.done())
}

/// "burned 5 SHELL", of somebody else's.
fn burn(scene: &Scene<'_>, told: Told<'_>) -> Clause {
    let (words, place) = amount(scene, told, "tf_burn", scene.words());
    let from = scene.event_of(told, "tf_burn").and_then(|(_, event)| event.value("burn_from_address"));
    let from = from.map(ToOwned::to_owned).or_else(|| told.text("burn_from_address").map(Into::into));
    let from = from.filter(|from| !from.is_empty() && Some(from.as_str()) != told.text("sender").as_deref());
    let words = match from {
        Some(from) => words.text(" of ").party(&from).by(place),
        None => words,
    };
    by_field(scene, told, "sender", verb::BURN, words.done())
}

/// "made A admin of the token SHELL".
fn admin(scene: &Scene<'_>, told: Told<'_>) -> Clause {
    let place = scene.event_of(told, "change_admin").map(|(place, _)| place);
    let denom = token(scene, &told.text("denom").unwrap_or_default());
    let Some(admin) = told.text("new_admin").filter(|admin| !admin.is_empty()) else {
        let words = scene.words().text("the admin of the token ").word(denom).by(place);
        return by_field(scene, told, "sender", verb::REMOVE, words.done());
    };
    let words = scene.words().party(&admin).by(place).text(" admin of the token ").word(denom).by(place);
    by_field(scene, told, "sender", verb::MAKE, words.done())
}

/// "described the token factory/P/shell as Shell (SHELL)".
fn metadata(scene: &Scene<'_>, told: Told<'_>) -> Clause {
    let place = scene.event_of(told, "set_denom_metadata").map(|(place, _)| place);
    let field =
        |name: &str| told.fields.get("metadata")?.get(name).and_then(Value::as_str).filter(|text| !text.is_empty());
    // By its denom, as its symbol is what it is given here.
    let denom = field("base").unwrap_or("unnamed");
    let words = scene.words().text("the token ").code(denom).by(place);
    let words = match (field("name"), field("symbol")) {
        (Some(name), Some(symbol)) if name != symbol => words.text(" as ").code(name).text(" (").code(symbol).text(")"),
        (Some(name), _) | (None, Some(name)) => words.text(" as ").code(name),
        (None, None) => words,
    };
    by_field(scene, told, "sender", verb::DESCRIBE, words.done())
}

/// "set the contract K to be asked before each transfer of SHELL".
fn hook(scene: &Scene<'_>, told: Told<'_>) -> Clause {
    let place = scene.event_of(told, "set_before_send_hook").map(|(place, _)| place);
    let denom = token(scene, &told.text("denom").unwrap_or_default());
    let Some(contract) = told.text("cosmwasm_address").filter(|contract| !contract.is_empty()) else {
        let words = scene.words().text("the contract that was asked before each transfer of ").word(denom).by(place);
        return by_field(scene, told, "sender", verb::REMOVE, words.done());
    };
    let words = scene.words().text("the contract ").party(&contract).by(place);
    let words = words.text(" to be asked before each transfer of ").word(denom).by(place);
    by_field(scene, told, "sender", verb::SET, words.done())
}
