//! Tokens of the token factory.

use serde_json::Value;

use super::codes::parameters;
use crate::{
    domain::{Denom, same_account},
    events::{
        keys::{self, AttributeKey},
        names::{CHANGE_ADMIN, CREATE_DENOM, SET_BEFORE_SEND_HOOK, SET_DENOM_METADATA, TF_BURN, TF_MINT},
    },
    story::{
        context::{MessageRef, TxContext, coin_of, proof::Proof},
        words::{
            builder::PhraseBuilder,
            clause::{Clause, VerbForms},
            phrase::Word,
            sentence::{
                clauses::{MessageEvents, PlacedEvent, clause_by, lacking, places_of},
                verb,
            },
        },
    },
};

pub(super) fn render(context: &TxContext<'_>, message: MessageRef<'_>, name: &str) -> Option<Clause> {
    let order = FactoryOrder { context, message, seen: MessageEvents::of(context, message) };
    Some(match name {
        "CreateDenom" => create(&order),
        "Mint" => mint(&order),
        "Burn" => burn(&order),
        "ChangeAdmin" => admin(&order),
        "SetDenomMetadata" => metadata(&order),
        "SetBeforeSendHook" => hook(&order),
        "UpdateParams" => parameters(context, message, "the parameters of the token factory"),
        _ => return None,
    })
}

struct FactoryOrder<'a> {
    context: &'a TxContext<'a>,
    message: MessageRef<'a>,
    seen: MessageEvents<'a>,
}

impl<'a> FactoryOrder<'a> {
    /// Returns the factory's event of this type: the one with the message's token or amount, because a before-send hook
    /// may cause others; else the only one.
    fn event(&self, kind: &str) -> PlacedEvent<'a> {
        let denom = self.message.text("denom");
        let coin = self.message.coin("amount").map(|coin| coin.to_string());
        self.seen.claim_or_only(kind, |event| {
            let is_same = |told: Option<&str>, asked: Option<&str>| told.is_none() || asked.is_none() || told == asked;
            is_same(event.text(keys::DENOM), denom.as_deref()) && is_same(event.text(keys::COINS), coin.as_deref())
        })
    }

    /// Returns the event's attribute, or without an event the field.
    fn value<T>(&self, event: PlacedEvent<'_>, attribute: AttributeKey<T>, field: &str) -> Option<String> {
        match event {
            Some((_, event)) => event.text(attribute).map(ToOwned::to_owned),
            None => self.message.text(field).map(Into::into),
        }
        .filter(|text| !text.is_empty())
    }

    fn token(&self, event: PlacedEvent<'_>) -> Word {
        token(self.context, &self.value(event, keys::DENOM, "denom").unwrap_or_default())
    }

    fn clause(&self, verb: VerbForms, words: PhraseBuilder<'_, '_>, by: PlacedEvent<'_>) -> Clause {
        lacking(
            self.context,
            clause_by(self.context, self.message, "sender", verb, words.done(), Proof::by(&places_of(by))),
        )
    }

    /// Adds the event's amount, or without an event the message's.
    fn amount<'s, 'b>(&self, words: PhraseBuilder<'s, 'b>, event: PlacedEvent<'_>) -> PhraseBuilder<'s, 'b> {
        match event {
            Some((place, event)) => words.coin_list(event.text(keys::AMOUNT).unwrap_or_default()).by([place]),
            None => match self.message.fields.get("amount").and_then(coin_of) {
                Some(coin) => words.coin(&coin),
                None => words.text("an unreadable amount"),
            },
        }
    }
}

fn place_of(event: PlacedEvent<'_>) -> Option<usize> {
    event.map(|(place, _)| place)
}

fn token(context: &TxContext<'_>, denom: &str) -> Word {
    let denom = Denom::new(denom);
    let token = context.token(&denom);
    Word::Token { denom, token }
}

fn create(order: &FactoryOrder<'_>) -> Clause {
    let created = order.event(CREATE_DENOM);
    let words = order.context.words().text("token ");
    let words = match created.and_then(|(place, event)| Some((place, event.text(keys::NEW_DENOM)?))) {
        Some((place, denom)) => words.word(token(order.context, denom)).by([place]),
        None => words.code(order.message.text("subdenom").unwrap_or_default()),
    };
    order.clause(verb::CREATE, words, created)
}

/// Describes "minted 5 SHELL to A".
fn mint(order: &FactoryOrder<'_>) -> Clause {
    let minted = order.event(TF_MINT);
    let words = order.amount(order.context.words(), minted);
    let to = order.value(minted, keys::MINTED_TO, "mint_to_address");
    let to = to.or_else(|| order.message.text("sender").filter(|_| minted.is_none()).map(Into::into));
    let words = match to {
        Some(to) => words.text(" to ").party(&to).by(place_of(minted)),
        None => words,
    };
    order.clause(verb::MINT, words, minted)
}

/// Describes "burned 5 SHELL", also of another account.
fn burn(order: &FactoryOrder<'_>) -> Clause {
    let burned = order.event(TF_BURN);
    let words = order.amount(order.context.words(), burned);
    let is_sender = |from: &String| order.message.text("sender").is_some_and(|sender| same_account(&sender, from));
    let from = order.value(burned, keys::BURNED_FROM, "burn_from_address").filter(|from| !is_sender(from));
    let words = match from {
        Some(from) => words.text(" of ").party(&from).by(place_of(burned)),
        None => words,
    };
    order.clause(verb::BURN, words, burned)
}

/// Describes "made A admin of the token SHELL".
fn admin(order: &FactoryOrder<'_>) -> Clause {
    let changed = order.event(CHANGE_ADMIN);
    let (place, denom) = (place_of(changed), order.token(changed));
    let Some(admin) = order.value(changed, keys::ADMIN, "new_admin") else {
        let words = order.context.words().text("the admin of the token ").word(denom).by(place);
        return order.clause(verb::REMOVE, words, changed);
    };
    let words = order.context.words().party(&admin).by(place).text(" admin of the token ").word(denom).by(place);
    order.clause(verb::MAKE, words, changed)
}

/// Describes "set the metadata of the token factory/P/shell: “Shell” (“SHELL”)".
fn metadata(order: &FactoryOrder<'_>) -> Clause {
    let set = order.event(SET_DENOM_METADATA);
    let metadata = order.message.fields.get("metadata");
    let field = |name: &str| metadata?.get(name).and_then(Value::as_str).filter(|text| !text.is_empty());
    // By its denom, because this message sets the symbol.
    let denom = set.and_then(|(_, event)| event.text(keys::DENOM)).or(field("base")).unwrap_or("unnamed");
    let words = order.context.words().text("the metadata of the token ").code(denom).by(place_of(set));
    let words = match (field("name"), field("symbol")) {
        (Some(name), Some(symbol)) if name != symbol => words.text(": ").quote(name).text(" (").quote(symbol).text(")"),
        (Some(name), _) | (None, Some(name)) => words.text(": ").quote(name),
        (None, None) => words,
    };
    order.clause(verb::SET, words, set)
}

/// Describes "set K as the before-send hook of SHELL".
fn hook(order: &FactoryOrder<'_>) -> Clause {
    let set = order.event(SET_BEFORE_SEND_HOOK);
    let (place, denom) = (place_of(set), order.token(set));
    let Some(contract) = order.value(set, keys::SEND_HOOK, "cosmwasm_address") else {
        let words = order.context.words().text("the before-send hook of ").word(denom).by(place);
        return order.clause(verb::REMOVE, words, set);
    };
    let words = order.context.words().party(&contract).by(place).text(" as the before-send hook of ");
    let words = words.word(denom).by(place);
    order.clause(verb::SET, words, set)
}
