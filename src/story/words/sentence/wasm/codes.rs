//! Codes, contracts and their admins.

use std::{borrow::Cow, collections::HashSet, sync::Arc};

use serde_json::Value;

use super::call::{asked_funds, funds, is_of};
use crate::{
    domain::{
        Coin, Denom,
        text::{count, quoted_within},
    },
    events::{
        keys::{self, AttributeKey},
        names::{
            INSTANTIATE, MESSAGE, MIGRATE, PIN_CODE, STORE_CODE, UNPIN_CODE, UPDATE_CODE_ACCESS_CONFIG,
            UPDATE_CONTRACT_ADMIN, UPDATE_CONTRACT_LABEL,
        },
    },
    story::{
        changes::asked_token::AskedToken,
        context::{MessageRef, TxContext, proof::Proof},
        decode::DecodedEvent,
        names::glossary::TokenUnit,
        words::{
            clause::{Clause, VerbForms},
            phrase::{Phrase, Word},
            sentence::{
                clauses::{MessageEvents, PlacedEvent, clause_by, lacking, places_of},
                verb,
            },
        },
    },
};

/// Maximum initial balances that a sentence names, and maximum columns of a symbol from a message.
const MOST_NAMED: usize = 5;
const SYMBOL: usize = 16;

pub(super) fn render(context: &TxContext<'_>, message: MessageRef<'_>, name: &str) -> Option<Clause> {
    let native = NativeMessage { context, message, seen: MessageEvents::of(context, message) };
    Some(match name {
        "InstantiateContract" | "InstantiateContract2" => instantiate(&native, "sender"),
        "StoreAndInstantiateContract" => instantiate(&native, "authority"),
        "StoreCode" => store(&native),
        "StoreAndMigrateContract" | "MigrateContract" => migrate(&native),
        "UpdateAdmin" | "ClearAdmin" => admin(&native),
        "UpdateContractLabel" => label(&native),
        "UpdateInstantiateConfig" => access(&native),
        "PinCodes" => pin(&native, verb::PIN, PIN_CODE),
        "UnpinCodes" => pin(&native, verb::UNPIN, UNPIN_CODE),
        "UpdateParams" => parameters(context, message, "the parameters of the Wasm module"),
        _ => return None,
    })
}

/// Message for which the chain emits an event.
struct NativeMessage<'a> {
    context: &'a TxContext<'a>,
    message: MessageRef<'a>,
    seen: MessageEvents<'a>,
}

impl<'a> NativeMessage<'a> {
    fn event(&self, kind: &str, fits: impl Fn(&DecodedEvent) -> bool) -> PlacedEvent<'a> {
        self.seen.claim(kind, fits)
    }

    /// Returns the event of this type about the message's contract.
    fn of_contract(&self, kind: &str) -> PlacedEvent<'a> {
        let contract = self.message.text("contract").unwrap_or_default();
        self.event(kind, |event| is_of(event, &contract))
    }

    /// Returns the event's attribute, or without an event the field.
    fn value<T>(&self, event: PlacedEvent<'_>, attribute: AttributeKey<T>, field: &str) -> Option<String> {
        match event {
            Some((_, event)) => event.text(attribute).map(ToOwned::to_owned),
            None => self.message.text(field).map(Cow::into_owned),
        }
    }

    fn by(&self, actor: &str, verb: VerbForms, rest: Vec<Phrase>, proof: Proof) -> Clause {
        lacking(self.context, clause_by(self.context, self.message, actor, verb, rest, proof))
    }

    /// Whether a sentence can begin with the contract: not nested, and confirmed by an event.
    fn is_about_contract(&self, event: PlacedEvent<'_>) -> bool {
        event.is_some() && self.message.depth == 0 && self.message.authz.is_none()
    }

    fn contract(&self, event: PlacedEvent<'_>) -> Vec<Phrase> {
        let place = event.map(|(place, _)| place);
        self.context.words().party(&self.message.text("contract").unwrap_or_default()).by(place).done()
    }
}

/// Describes a change of a module's parameters. The chain emits only the generic event, which nested messages lack.
pub(super) fn parameters(context: &TxContext<'_>, message: MessageRef<'_>, what: &'static str) -> Clause {
    let seen = MessageEvents::of(context, message);
    let own = seen.claim(MESSAGE, |event| {
        event.text(keys::ACTION).is_some_and(|action| action.trim_start_matches('/') == message.kind.as_str())
    });
    let (verb, words, proof) = match own {
        Some((place, _)) => (verb::CHANGE, context.words().text(what).by([place]), Proof::Shown),
        None if context.is_failed() => (verb::CHANGE, context.words().text(what), Proof::Ran),
        None => (verb::RUN, context.words().code(message.kind.short()).text(" for ").text(what), Proof::Ran),
    };
    clause_by(context, message, "authority", verb, words.done(), proof)
}

/// Describes "created contract “ztest” from code 10 at K", and what the message asks of a CW-20 token.
fn instantiate(native_message: &NativeMessage<'_>, actor: &str) -> Clause {
    let NativeMessage { context, message, seen } = native_message;
    let created = native_message.event(INSTANTIATE, |_| true);
    let place = created.map(|(place, _)| place);
    let words = context.words();
    let words = match message.text("label").filter(|label| !label.is_empty()) {
        Some(label) => words.text("contract ").quote(&label),
        None => words.text("a contract"),
    };
    let words = match native_message.value(created, keys::CODE_ID, "code_id") {
        Some(code) => words.text(" from code ").code(code).by(place),
        None => words.text(" from new code"),
    };
    let words = match created.and_then(|(_, event)| event.text(keys::WASM_CONTRACT)) {
        Some(address) => words.text(" at ").party(address).by(place),
        None => words,
    };
    let contract = created.and_then(|(_, event)| event.text(keys::WASM_CONTRACT)).unwrap_or_default();
    // A contract that was not created hands out nothing.
    let token = created.and_then(|_| AskedToken::of(message.fields));
    let token = token.map(|token| asked_token(context, &token, contract));
    // No event tells of what the message asks for.
    let within = if token.is_some() { Proof::Ran } else { Proof::Shown };
    let (words, proof) = match funds(context, *message, seen) {
        Some(funds) => (words.then(funds), Proof::by(&places_of(created))),
        None => (words.then(asked_funds(context, *message)), Proof::Absent),
    };
    let words = words.then(token.into_iter().flatten());
    Clause { within, ..native_message.by(actor, verb::CREATE, words.done(), proof) }
}

/// Describes ": the token “Miller” (“MILL”, 6 decimals), 1,000 “MILL” for A and 5 “MILL” for B, as its message asks".
fn asked_token(context: &TxContext<'_>, token: &AskedToken<'_>, contract: &str) -> Vec<Phrase> {
    let denom = Denom::of_cw20(contract);
    let own = || Arc::new(TokenUnit { symbol: quoted_within(token.symbol, SYMBOL), decimals: token.decimals });
    let unit = context.token(&denom).unwrap_or_else(own);
    let decimals = count(usize::from(token.decimals), "decimal");
    let words = context.words().text(": the token ").quote(token.name);
    let mut words = words.text(" (").quote(token.symbol).text(format!(", {decimals})"));
    for (account, amount) in token.balances.iter().take(MOST_NAMED) {
        let coin = Coin { denom: denom.clone(), amount: *amount };
        let amount = Word::Coin { coin, token: Some(Arc::clone(&unit)), says_decimals: false };
        words = words.text(", ").word(amount).text(" for ").party(account);
    }
    let words = match token.balances.len().saturating_sub(MOST_NAMED) {
        0 => words,
        more => words.text(format!(", and balances for {more} more")),
    };
    words.text(", as its message asks").done()
}

/// Describes "uploaded code #12".
fn store(native_message: &NativeMessage<'_>) -> Clause {
    let stored = native_message.event(STORE_CODE, |_| true);
    let words = native_message.context.words();
    let words = match stored.and_then(|(place, event)| Some((place, event.text(keys::CODE_ID)?))) {
        Some((place, id)) => words.text("code #").code(id).by([place]),
        None => words.text("code"),
    };
    native_message.by("sender", verb::UPLOAD, words.done(), Proof::by(&places_of(stored)))
}

fn about(subject: Vec<Phrase>, verb: &'static str, rest: Vec<Phrase>) -> Clause {
    Clause::new(subject, VerbForms { past: verb, base: verb }, rest, Proof::Shown)
}

/// Describes "K was upgraded to code 12."
fn migrate(native_message: &NativeMessage<'_>) -> Clause {
    let migrated = native_message.of_contract(MIGRATE);
    let place = migrated.map(|(place, _)| place);
    let words = native_message.context.words();
    let words = match native_message.value(migrated, keys::CODE_ID, "code_id") {
        Some(code) => words.text("to code ").code(code).by(place),
        None => words.text("to new code").by(place),
    };
    let contract = native_message.contract(migrated);
    if native_message.is_about_contract(migrated) {
        return about(contract, "was upgraded", words.done());
    }
    let rest = native_message.context.words().then(contract).text(" ").then(words.done());
    native_message.by("sender", verb::UPGRADE, rest.done(), Proof::by(&places_of(migrated)))
}

/// Describes "Admin of K is now A." or "K has no admin any more."
fn admin(native_message: &NativeMessage<'_>) -> Clause {
    let context = native_message.context;
    let updated = native_message.of_contract(UPDATE_CONTRACT_ADMIN);
    let place = updated.map(|(place, _)| place);
    let new = native_message.value(updated, keys::NEW_ADMIN, "new_admin").filter(|new| !new.is_empty());
    let contract = native_message.contract(updated);
    match (new, native_message.is_about_contract(updated)) {
        (Some(new), true) => {
            let subject = context.words().text("Admin of ").then(contract).done();
            about(subject, "is", context.words().text("now ").party(&new).by(place).done())
        }
        (Some(new), false) => {
            let rest = context.words().party(&new).by(place).text(" admin of ").then(contract);
            native_message.by("sender", verb::MAKE, rest.done(), Proof::by(&places_of(updated)))
        }
        (None, true) => about(contract, "has", context.words().text("no admin any more").by(place).done()),
        (None, false) => {
            let rest = context.words().text("the admin of ").then(contract);
            native_message.by("sender", verb::REMOVE, rest.done(), Proof::by(&places_of(updated)))
        }
    }
}

/// Describes "relabelled K “counter 2”".
fn label(native_message: &NativeMessage<'_>) -> Clause {
    let updated = native_message.of_contract(UPDATE_CONTRACT_LABEL);
    let label = native_message.value(updated, keys::NEW_LABEL, "new_label").unwrap_or_default();
    let words = native_message.context.words().then(native_message.contract(updated)).text(" ").quote(&label);
    let words = words.by(updated.map(|(place, _)| place));
    native_message.by("sender", verb::RELABEL, words.done(), Proof::by(&places_of(updated)))
}

/// Describes "changed who may create contracts from code 4".
fn access(native_message: &NativeMessage<'_>) -> Clause {
    let updated = native_message.event(UPDATE_CODE_ACCESS_CONFIG, |_| true);
    let words = native_message.context.words().text("who may create contracts from code ");
    let words = match native_message.value(updated, keys::CODE_ID, "code_id") {
        Some(code) => words.code(code),
        None => words.text("unknown"),
    };
    let words = words.by(updated.map(|(place, _)| place));
    native_message.by("sender", verb::CHANGE, words.done(), Proof::by(&places_of(updated)))
}

/// Describes "pinned codes 1, 2".
fn pin(native_message: &NativeMessage<'_>, verbs: VerbForms, kind: &str) -> Clause {
    const MOST: usize = 12;
    let ids = native_message.message.fields.get("code_ids").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let text = |id: &Value| id.as_str().map_or_else(|| id.to_string(), ToOwned::to_owned);
    let asked: Vec<String> = ids.iter().map(text).collect();
    let places: Vec<(usize, String)> = native_message
        .seen
        .events
        .iter()
        .filter(|(_, event)| event.kind == kind)
        .filter_map(|(place, event)| Some((*place, event.text(keys::CODE_ID)?.to_owned())))
        .collect();
    let done: HashSet<&str> = places.iter().map(|(_, done)| done.as_str()).collect();
    let is_all = asked.iter().all(|id| done.contains(id.as_str()));
    let words = native_message.context.words().text(if asked.len() == 1 { "code " } else { "codes " });
    let words = words.code(asked.iter().take(MOST).map(String::as_str).collect::<Vec<_>>().join(","));
    let words = words.by(places.iter().map(|(place, _)| *place));
    let words = match asked.len().checked_sub(MOST).filter(|more| *more > 0) {
        Some(more) => words.text(format!(" and {more} more")),
        None => words,
    };
    let proof = if is_all && !asked.is_empty() { Proof::Shown } else { Proof::Absent };
    native_message.by("authority", verbs, words.done(), proof)
}
