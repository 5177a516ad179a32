//! Tokens that users make.

use serde_json::Value;

use super::{codes::parameters, native};
use crate::{
    domain::Denom,
    story::{
        Word,
        context::{Clause, MessageRef, PhraseBuilder, TxContext, coin_of},
        sentence::{
            clauses::{MessageEvents, PlacedEvent, clause_by, lacking, same_account},
            verb,
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

/// A message for the token factory.
struct FactoryOrder<'a> {
    context: &'a TxContext<'a>,
    message: MessageRef<'a>,
    seen: MessageEvents<'a>,
}

impl<'a> FactoryOrder<'a> {
    /// The factory's event of this type: the one of the message's token or amount, since a contract that is asked before
    /// a transfer may give orders of its own; else the only one.
    fn event(&self, kind: &str) -> PlacedEvent<'a> {
        let denom = self.message.text("denom");
        let coin = self.message.coin("amount").map(|coin| coin.to_string());
        self.seen.take(kind, |event| {
            let is_same = |name: &str, asked: Option<&str>| {
                asked.is_none_or(|asked| event.value(name).is_none_or(|value| value == asked))
            };
            is_same("denom", denom.as_deref()) && is_same("amount", coin.as_deref())
        })
    }

    /// What the event says; the field only where there is no event.
    fn value(&self, event: PlacedEvent<'_>, attribute: &str, field: &str) -> Option<String> {
        match event {
            Some((_, event)) => event.value(attribute).map(ToOwned::to_owned),
            None => self.message.text(field).map(Into::into),
        }
        .filter(|text| !text.is_empty())
    }

    fn token(&self, event: PlacedEvent<'_>) -> Word {
        token(self.context, &self.value(event, "denom", "denom").unwrap_or_default())
    }

    fn clause(
        &self,
        verb: crate::story::context::VerbForms,
        words: PhraseBuilder<'_, '_>,
        by: PlacedEvent<'_>,
    ) -> Clause {
        lacking(self.context, clause_by(self.context, self.message, "sender", verb, words.done(), native(by)))
    }

    /// The amount that the event names; the message's where there is none.
    fn amount<'s, 'b>(&self, words: PhraseBuilder<'s, 'b>, event: PlacedEvent<'_>) -> PhraseBuilder<'s, 'b> {
        match event {
            Some((place, event)) => words.coin_list(event.value("amount").unwrap_or_default()).by([place]),
            None => match self.message.fields.get("amount").and_then(coin_of) {
                Some(coin) => words.coin(&coin),
                None => words.text("an amount that cannot be read"),
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

/// "created token factory/P/shell".
fn create(order: &FactoryOrder<'_>) -> Clause {
    let created = order.event("create_denom");
    let words = order.context.words().text("token ");
    let words = match created.and_then(|(place, event)| Some((place, event.value("new_token_denom")?))) {
        Some((place, denom)) => words.word(token(order.context, denom)).by([place]),
        None => words.code(order.message.text("subdenom").unwrap_or_default()),
    };
    order.clause(verb::CREATE, words, created)
}

/// "minted 5 SHELL to A".
fn mint(order: &FactoryOrder<'_>) -> Clause {
    let minted = order.event("tf_mint");
    let words = order.amount(order.context.words(), minted);
    let to = order.value(minted, "mint_to_address", "mint_to_address");
    let to = to.or_else(|| order.message.text("sender").filter(|_| minted.is_none()).map(Into::into));
    let words = match to {
        Some(to) => words.text(" to ").party(&to).by(place_of(minted)),
        None => words,
    };
    order.clause(verb::MINT, words, minted)
}

/// "burned 5 SHELL", of somebody else's.
fn burn(order: &FactoryOrder<'_>) -> Clause {
    let burned = order.event("tf_burn");
    let words = order.amount(order.context.words(), burned);
    let is_sender = |from: &String| order.message.text("sender").is_some_and(|sender| same_account(&sender, from));
    let from = order.value(burned, "burn_from_address", "burn_from_address").filter(|from| !is_sender(from));
    let words = match from {
        Some(from) => words.text(" of ").party(&from).by(place_of(burned)),
        None => words,
    };
    order.clause(verb::BURN, words, burned)
}

/// "made A admin of the token SHELL".
fn admin(order: &FactoryOrder<'_>) -> Clause {
    let changed = order.event("change_admin");
    let (place, denom) = (place_of(changed), order.token(changed));
    let Some(admin) = order.value(changed, "new_admin", "new_admin") else {
        let words = order.context.words().text("the admin of the token ").word(denom).by(place);
        return order.clause(verb::REMOVE, words, changed);
    };
    let words = order.context.words().party(&admin).by(place).text(" admin of the token ").word(denom).by(place);
    order.clause(verb::MAKE, words, changed)
}

/// "set the metadata of the token factory/P/shell: “Shell” (“SHELL”)".
fn metadata(order: &FactoryOrder<'_>) -> Clause {
    let set = order.event("set_denom_metadata");
    let metadata = order.message.fields.get("metadata");
    let field = |name: &str| metadata?.get(name).and_then(Value::as_str).filter(|text| !text.is_empty());
    // By its denom, as its symbol is what it is given here.
    let denom = set.and_then(|(_, event)| event.value("denom")).or(field("base")).unwrap_or("unnamed");
    let words = order.context.words().text("the metadata of the token ").code(denom).by(place_of(set));
    let words = match (field("name"), field("symbol")) {
        (Some(name), Some(symbol)) if name != symbol => words.text(": ").quote(name).text(" (").quote(symbol).text(")"),
        (Some(name), _) | (None, Some(name)) => words.text(": ").quote(name),
        (None, None) => words,
    };
    order.clause(verb::SET, words, set)
}

/// "set K as the before-send hook of SHELL".
fn hook(order: &FactoryOrder<'_>) -> Clause {
    let set = order.event("set_before_send_hook");
    let (place, denom) = (place_of(set), order.token(set));
    let Some(contract) = order.value(set, "before_send_hook_address", "cosmwasm_address") else {
        let words = order.context.words().text("the before-send hook of ").word(denom).by(place);
        return order.clause(verb::REMOVE, words, set);
    };
    let words = order.context.words().party(&contract).by(place).text(" as the before-send hook of ");
    let words = words.word(denom).by(place);
    order.clause(verb::SET, words, set)
}
