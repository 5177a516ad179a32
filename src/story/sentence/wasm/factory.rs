//! Tokens that users make.

use crate::story::proof::Proof;
use serde_json::Value;

use crate::{
    domain::{Coin, Denom},
    story::{
        Word,
        context::{Clause, MessageRef, PhraseBuilder, TxContext, coin_of},
        sentence::{clauses::clause_by, verb},
    },
};

pub(super) fn render(context: &TxContext<'_>, message: MessageRef<'_>, name: &str) -> Option<Clause> {
    Some(match name {
        "CreateDenom" => create(context, message),
        "Mint" => mint(context, message),
        "Burn" => burn(context, message),
        "ChangeAdmin" => admin(context, message),
        "SetDenomMetadata" => metadata(context, message),
        "SetBeforeSendHook" => hook(context, message),
        "UpdateParams" => {
            let words = context.words().text("the parameters of the token factory");
            clause_by(context, message, "authority", verb::CHANGE, words.done(), Proof::Unjudged)
        }
        _ => return None,
    })
}

fn token(context: &TxContext<'_>, denom: &str) -> Word {
    let denom = Denom::new(denom);
    let token = context.token(&denom);
    Word::Token { denom, token }
}

/// "created token factory/P/shell".
fn create(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    let created = context.event_of(message, "create_denom");
    let denom = created.and_then(|(place, event)| Some((place, event.value("new_token_denom")?)));
    let words = context.words().text("token ");
    let words = match denom {
        Some((place, denom)) => words.word(token(context, denom)).by([place]),
        None => words.code(message.text("subdenom").unwrap_or_default()),
    };
    clause_by(context, message, "sender", verb::CREATE, words.done(), Proof::Unjudged)
}

/// The amount that an event or the message names, with the event's place.
fn amount<'s, 'a>(
    context: &TxContext<'_>,
    message: MessageRef<'_>,
    kind: &str,
    words: PhraseBuilder<'s, 'a>,
) -> (PhraseBuilder<'s, 'a>, Option<usize>) {
    let found = context.event_of(message, kind);
    let place = found.map(|(place, _)| place);
    let words = match (found.and_then(|(_, event)| event.value("amount")), coin(message)) {
        (Some(text), _) => words.coin_list(text).by(place),
        (None, Some(coin)) => words.coin(&coin),
        (None, None) => words.text("tokens"),
    };
    (words, place)
}

fn coin(message: MessageRef<'_>) -> Option<Coin> {
    coin_of(message.fields.get("amount")?)
}

/// "minted 5 SHELL to A".
fn mint(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    let (words, place) = amount(context, message, "tf_mint", context.words());
    let of_event = context.event_of(message, "tf_mint").and_then(|(_, event)| event.value("mint_to_address"));
    let of_message = message.text("mint_to_address").filter(|to| !to.is_empty());
    let to = of_event.map(ToOwned::to_owned).or_else(|| of_message.or_else(|| message.text("sender")).map(Into::into));
    let words = match to {
        Some(to) => words.text(" to ").party(&to).by(place),
        None => words,
    };
    clause_by(context, message, "sender", verb::MINT, words.done(), Proof::Unjudged)
}

/// "burned 5 SHELL", of somebody else's.
fn burn(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    let (words, place) = amount(context, message, "tf_burn", context.words());
    let from = context.event_of(message, "tf_burn").and_then(|(_, event)| event.value("burn_from_address"));
    let from = from.map(ToOwned::to_owned).or_else(|| message.text("burn_from_address").map(Into::into));
    let from = from.filter(|from| !from.is_empty() && Some(from.as_str()) != message.text("sender").as_deref());
    let words = match from {
        Some(from) => words.text(" of ").party(&from).by(place),
        None => words,
    };
    clause_by(context, message, "sender", verb::BURN, words.done(), Proof::Unjudged)
}

/// "made A admin of the token SHELL".
fn admin(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    let place = context.event_of(message, "change_admin").map(|(place, _)| place);
    let denom = token(context, &message.text("denom").unwrap_or_default());
    let Some(admin) = message.text("new_admin").filter(|admin| !admin.is_empty()) else {
        let words = context.words().text("the admin of the token ").word(denom).by(place);
        return clause_by(context, message, "sender", verb::REMOVE, words.done(), Proof::Unjudged);
    };
    let words = context.words().party(&admin).by(place).text(" admin of the token ").word(denom).by(place);
    clause_by(context, message, "sender", verb::MAKE, words.done(), Proof::Unjudged)
}

/// "described the token factory/P/shell as Shell (SHELL)".
fn metadata(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    let place = context.event_of(message, "set_denom_metadata").map(|(place, _)| place);
    let field =
        |name: &str| message.fields.get("metadata")?.get(name).and_then(Value::as_str).filter(|text| !text.is_empty());
    // By its denom, as its symbol is what it is given here.
    let denom = field("base").unwrap_or("unnamed");
    let words = context.words().text("the token ").code(denom).by(place);
    let words = match (field("name"), field("symbol")) {
        (Some(name), Some(symbol)) if name != symbol => words.text(" as ").code(name).text(" (").code(symbol).text(")"),
        (Some(name), _) | (None, Some(name)) => words.text(" as ").code(name),
        (None, None) => words,
    };
    clause_by(context, message, "sender", verb::DESCRIBE, words.done(), Proof::Unjudged)
}

/// "set the contract K to be asked before each transfer of SHELL".
fn hook(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    let place = context.event_of(message, "set_before_send_hook").map(|(place, _)| place);
    let denom = token(context, &message.text("denom").unwrap_or_default());
    let Some(contract) = message.text("cosmwasm_address").filter(|contract| !contract.is_empty()) else {
        let words = context.words().text("the contract that was asked before each transfer of ").word(denom).by(place);
        return clause_by(context, message, "sender", verb::REMOVE, words.done(), Proof::Unjudged);
    };
    let words = context.words().text("the contract ").party(&contract).by(place);
    let words = words.text(" to be asked before each transfer of ").word(denom).by(place);
    clause_by(context, message, "sender", verb::SET, words.done(), Proof::Unjudged)
}
