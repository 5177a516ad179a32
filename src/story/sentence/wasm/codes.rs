//! Codes, contracts and their admins.

use crate::story::proof::Proof;
use std::borrow::Cow;

use serde_json::Value;

use crate::story::{
    Phrase,
    context::{Clause, MessageRef, TxContext, VerbForms},
    sentence::{clauses::clause_by, verb},
};

pub(super) fn render(context: &TxContext<'_>, message: MessageRef<'_>, name: &str) -> Option<Clause> {
    Some(match name {
        "InstantiateContract" | "InstantiateContract2" => instantiate(context, message, "sender"),
        "StoreAndInstantiateContract" => instantiate(context, message, "authority"),
        "StoreCode" => store(context, message),
        "StoreAndMigrateContract" | "MigrateContract" => migrate(context, message),
        "UpdateAdmin" | "ClearAdmin" => admin(context, message),
        "UpdateContractLabel" => label(context, message),
        "UpdateInstantiateConfig" => {
            let words = context.words().text("who may create contracts from code ");
            clause_by(
                context,
                message,
                "sender",
                verb::CHANGE,
                words.text(number(message, "code_id")).done(),
                Proof::Unjudged,
            )
        }
        "PinCodes" => pin(context, message, verb::PIN),
        "UnpinCodes" => pin(context, message, verb::UNPIN),
        "UpdateParams" => {
            let words = context.words().text("the parameters of the Wasm module");
            clause_by(context, message, "authority", verb::CHANGE, words.done(), Proof::Unjudged)
        }
        _ => return None,
    })
}

fn number(message: MessageRef<'_>, name: &str) -> String {
    message.text(name).map_or_else(|| "unknown".to_owned(), Cow::into_owned)
}

/// `created contract "ztest" from code 10 at K`.
fn instantiate(context: &TxContext<'_>, message: MessageRef<'_>, actor: &str) -> Clause {
    let created = context.event_of(message, "instantiate");
    let place = created.map(|(place, _)| place);
    let words = match message.text("label").filter(|label| !label.is_empty()) {
        Some(label) => context.words().text("contract \"").code(label).text("\""),
        None => context.words().text("a contract"),
    };
    let code = created.and_then(|(_, event)| event.value("code_id")).map(ToOwned::to_owned);
    let code = code.or_else(|| message.text("code_id").map(Cow::into_owned));
    let words = match code {
        Some(code) => words.text(" from code ").text(code).by(place),
        None => words.text(" from new code"),
    };
    let words = match created.and_then(|(_, event)| event.value("_contract_address")) {
        Some(address) => words.text(" at ").party(address).by(place),
        None => words,
    };
    let funds = message.coins("funds");
    let words = if funds.is_empty() { words } else { words.text(" with ").coins(&funds) };
    clause_by(context, message, actor, verb::CREATE, words.done(), Proof::Unjudged)
}

/// "uploaded code #12".
fn store(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    let stored = context.event_of(message, "store_code");
    let id = stored.and_then(|(place, event)| Some((place, event.value("code_id")?)));
    let words = match id {
        Some((place, id)) => context.words().text(format!("code #{id}")).by([place]),
        None => context.words().text("code"),
    };
    clause_by(context, message, "sender", verb::UPLOAD, words.done(), Proof::Unjudged)
}

/// Whether a sentence can begin with the contract: it is no part of another, and what it says happened.
fn is_about_contract(context: &TxContext<'_>, message: MessageRef<'_>) -> bool {
    !context.is_failed() && message.depth == 0 && message.authz.is_none()
}

fn contract(context: &TxContext<'_>, message: MessageRef<'_>, place: Option<usize>) -> Vec<Phrase> {
    context.words().party(&message.text("contract").unwrap_or_default()).by(place).done()
}

fn about(subject: Vec<Phrase>, verb: &'static str, rest: Vec<Phrase>) -> Clause {
    Clause::new(subject, VerbForms { past: verb, base: verb }, rest, Proof::Unjudged)
}

/// "K was upgraded to code 12."
fn migrate(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    let migrated = context.event_of(message, "migrate");
    let place = migrated.map(|(place, _)| place);
    let code = migrated.and_then(|(_, event)| event.value("code_id")).map(ToOwned::to_owned);
    let code = code.or_else(|| message.text("code_id").map(Cow::into_owned));
    let words = match code {
        Some(code) => context.words().text(format!("to code {code}")).by(place),
        None => context.words().text("to new code").by(place),
    };
    if is_about_contract(context, message) {
        return about(contract(context, message, place), "was upgraded", words.done());
    }
    let rest = context.words().then(contract(context, message, place)).text(" ").then(words.done());
    clause_by(context, message, "sender", verb::UPGRADE, rest.done(), Proof::Unjudged)
}

/// "Admin of K is now A.", "K has no admin any more."
fn admin(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    let updated = context.event_of(message, "update_contract_admin");
    let place = updated.map(|(place, _)| place);
    let of_event = updated.and_then(|(_, event)| event.value("new_admin_address")).map(ToOwned::to_owned);
    let new = of_event.or_else(|| message.text("new_admin").map(Cow::into_owned)).filter(|new| !new.is_empty());
    let contract = contract(context, message, place);
    match (new, is_about_contract(context, message)) {
        (Some(new), true) => {
            let subject = context.words().text("Admin of ").then(contract).done();
            about(subject, "is", context.words().text("now ").party(&new).by(place).done())
        }
        (Some(new), false) => {
            let rest = context.words().party(&new).by(place).text(" admin of ").then(contract);
            clause_by(context, message, "sender", verb::MAKE, rest.done(), Proof::Unjudged)
        }
        (None, true) => about(contract, "has", context.words().text("no admin any more").by(place).done()),
        (None, false) => {
            let rest = context.words().text("the admin of ").then(contract);
            clause_by(context, message, "sender", verb::REMOVE, rest.done(), Proof::Unjudged)
        }
    }
}

/// `relabelled K "counter 2"`.
fn label(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    let place = context.event_of(message, "update_contract_label").map(|(place, _)| place);
    let words = context.words().then(contract(context, message, place)).text(" \"");
    let words = words.code(message.text("new_label").unwrap_or_default()).by(place).text("\"");
    clause_by(context, message, "sender", verb::RELABEL, words.done(), Proof::Unjudged)
}

fn pin(context: &TxContext<'_>, message: MessageRef<'_>, verbs: VerbForms) -> Clause {
    const MOST: usize = 12;
    let ids = message.fields.get("code_ids").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let text = |id: &Value| id.as_str().map_or_else(|| id.to_string(), ToOwned::to_owned);
    let listed = ids.iter().take(MOST).map(text).collect::<Vec<_>>().join(", ");
    let more = if ids.len() > MOST { format!(" and {} more", ids.len() - MOST) } else { String::new() };
    let words = context.words().text(if ids.len() == 1 { "code " } else { "codes " });
    clause_by(context, message, "authority", verbs, words.text(format!("{listed}{more}")).done(), Proof::Unjudged)
}
