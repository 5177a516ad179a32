//! Codes, contracts and their admins.

use std::borrow::Cow;

use serde_json::Value;

use crate::story::{
    Phrase,
    scene::{Clause, Scene, Told, Verb},
    sentence::{
        say::{by_field, say},
        verb,
    },
};

pub(super) fn tell(scene: &Scene<'_>, told: Told<'_>, name: &str) -> Option<Clause> {
    Some(match name {
        "InstantiateContract" | "InstantiateContract2" => instantiate(scene, told, "sender"),
        "StoreAndInstantiateContract" => instantiate(scene, told, "authority"),
        "StoreCode" => store(scene, told),
        "StoreAndMigrateContract" | "MigrateContract" => migrate(scene, told),
        "UpdateAdmin" | "ClearAdmin" => admin(scene, told),
        "UpdateContractLabel" => label(scene, told),
        "UpdateInstantiateConfig" => {
            let words = scene.words().text("who may create contracts from code ");
            by_field(scene, told, "sender", verb::CHANGE, words.text(number(told, "code_id")).done())
        }
        "PinCodes" => pin(scene, told, verb::PIN),
        "UnpinCodes" => pin(scene, told, verb::UNPIN),
        "UpdateParams" => {
            let words = scene.words().text("the parameters of the Wasm module");
            by_field(scene, told, "authority", verb::CHANGE, words.done())
        }
        _ => return None,
    })
}

fn number(told: Told<'_>, name: &str) -> String {
    told.text(name).map_or_else(|| "unknown".to_owned(), Cow::into_owned)
}

/// `created contract "ztest" from code 10 at K`.
fn instantiate(scene: &Scene<'_>, told: Told<'_>, actor: &str) -> Clause {
    let created = scene.event_of(told, "instantiate");
    let place = created.map(|(place, _)| place);
    let words = match told.text("label").filter(|label| !label.is_empty()) {
        Some(label) => scene.words().text("contract \"").code(label).text("\""),
        None => scene.words().text("a contract"),
    };
    let code = created.and_then(|(_, event)| event.value("code_id")).map(ToOwned::to_owned);
    let code = code.or_else(|| told.text("code_id").map(Cow::into_owned));
    let words = match code {
        Some(code) => words.text(" from code ").text(code).by(place),
        None => words.text(" from new code"),
    };
    let words = match created.and_then(|(_, event)| event.value("_contract_address")) {
        Some(address) => words.text(" at ").party(address).by(place),
        None => words,
    };
    let funds = told.coins("funds");
    let words = if funds.is_empty() { words } else { words.text(" with ").coins(&funds) };
    by_field(scene, told, actor, verb::CREATE, words.done())
}

/// "uploaded code #12".
fn store(scene: &Scene<'_>, told: Told<'_>) -> Clause {
    let stored = scene.event_of(told, "store_code");
    let id = stored.and_then(|(place, event)| Some((place, event.value("code_id")?)));
    let words = match id {
        Some((place, id)) => scene.words().text(format!("code #{id}")).by([place]),
        None => scene.words().text("code"),
    };
    by_field(scene, told, "sender", verb::UPLOAD, words.done())
}

/// Whether a sentence can begin with the contract: it is no part of another, and what it says happened.
fn is_about_contract(scene: &Scene<'_>, told: Told<'_>) -> bool {
    !scene.is_failed() && told.depth == 0 && told.authz.is_none()
}

fn contract(scene: &Scene<'_>, told: Told<'_>, place: Option<usize>) -> Vec<Phrase> {
    scene.words().party(&told.text("contract").unwrap_or_default()).by(place).done()
}

fn about(subject: Vec<Phrase>, verb: &'static str, rest: Vec<Phrase>) -> Clause {
    say(subject, Verb { past: verb, base: verb }, rest)
}

/// "K was upgraded to code 12."
fn migrate(scene: &Scene<'_>, told: Told<'_>) -> Clause {
    let migrated = scene.event_of(told, "migrate");
    let place = migrated.map(|(place, _)| place);
    let code = migrated.and_then(|(_, event)| event.value("code_id")).map(ToOwned::to_owned);
    let code = code.or_else(|| told.text("code_id").map(Cow::into_owned));
    let words = match code {
        Some(code) => scene.words().text(format!("to code {code}")).by(place),
        None => scene.words().text("to new code").by(place),
    };
    if is_about_contract(scene, told) {
        return about(contract(scene, told, place), "was upgraded", words.done());
    }
    let rest = scene.words().then(contract(scene, told, place)).text(" ").then(words.done());
    by_field(scene, told, "sender", verb::UPGRADE, rest.done())
}

/// "Admin of K is now A.", "K has no admin any more."
fn admin(scene: &Scene<'_>, told: Told<'_>) -> Clause {
    let updated = scene.event_of(told, "update_contract_admin");
    let place = updated.map(|(place, _)| place);
    let of_event = updated.and_then(|(_, event)| event.value("new_admin_address")).map(ToOwned::to_owned);
    let new = of_event.or_else(|| told.text("new_admin").map(Cow::into_owned)).filter(|new| !new.is_empty());
    let contract = contract(scene, told, place);
    match (new, is_about_contract(scene, told)) {
        (Some(new), true) => {
            let subject = scene.words().text("Admin of ").then(contract).done();
            about(subject, "is", scene.words().text("now ").party(&new).by(place).done())
        }
        (Some(new), false) => {
            let rest = scene.words().party(&new).by(place).text(" admin of ").then(contract);
            by_field(scene, told, "sender", verb::MAKE, rest.done())
        }
        (None, true) => about(contract, "has", scene.words().text("no admin any more").by(place).done()),
        (None, false) => {
            let rest = scene.words().text("the admin of ").then(contract);
            by_field(scene, told, "sender", verb::REMOVE, rest.done())
        }
    }
}

/// `relabelled K "counter 2"`.
fn label(scene: &Scene<'_>, told: Told<'_>) -> Clause {
    let place = scene.event_of(told, "update_contract_label").map(|(place, _)| place);
    let words = scene.words().then(contract(scene, told, place)).text(" \"");
    let words = words.code(told.text("new_label").unwrap_or_default()).by(place).text("\"");
    by_field(scene, told, "sender", verb::RELABEL, words.done())
}

fn pin(scene: &Scene<'_>, told: Told<'_>, verbs: Verb) -> Clause {
    const MOST: usize = 12;
    let ids = told.fields.get("code_ids").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let text = |id: &Value| id.as_str().map_or_else(|| id.to_string(), ToOwned::to_owned);
    let listed = ids.iter().take(MOST).map(text).collect::<Vec<_>>().join(", ");
    let more = if ids.len() > MOST { format!(" and {} more", ids.len() - MOST) } else { String::new() };
    let words = scene.words().text(if ids.len() == 1 { "code " } else { "codes " });
    by_field(scene, told, "authority", verbs, words.text(format!("{listed}{more}")).done())
}
