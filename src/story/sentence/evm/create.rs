use super::{
    clause,
    run::{CallPhrase, EvmRun, is_nobody},
};
use crate::{
    domain::{Address, Amount},
    story::{
        Word,
        context::{Clause, MessageRef, PhraseBuilder, TxContext},
        sentence::{clauses::actor, verb},
    },
};

/// Contracts and tokens that are named one by one.
const MOST_NAMED: usize = 5;

/// "deployed contract …" and what came with it, as the events tell.
pub(super) fn render(context: &TxContext<'_>, message: MessageRef<'_>, is_create2: bool) -> Clause {
    let run = EvmRun::new(context, message);
    let sender = message.text("sender").unwrap_or_default();
    let subject = actor(context, message, "sender");
    let outer = context.event_of(message, "create").or_else(|| context.event_of(message, "contract_created"));
    let outer = outer.and_then(|(place, event)| Some((place, event.value("contract")?.parse::<Address>().ok()?)));
    let Some((place, contract)) = outer else {
        let what = if is_create2 { "a contract (CREATE2)" } else { "a contract" };
        return clause(subject, CallPhrase::new(verb::DEPLOY, run.words().text(what)));
    };
    let words = run.words().text("contract ").word(context.contract(contract)).by([place]);
    let words = if is_create2 { words.text(" (CREATE2)") } else { words };
    let value = message.text("value").and_then(|text| text.parse::<Amount>().ok()).unwrap_or_default();
    let words = if value.is_zero() {
        words
    } else {
        words.text(" with ").then(run.value_of(sender.parse().ok(), Some(contract), value))
    };
    let words = nested(&run, words, contract);
    let words = owner(&run, words, contract, sender.parse().ok());
    let words = minted(&run, words);
    let words = match super::trade::created_pool(&run) {
        Some((kind, event, _)) => words.text("; ").text(format!("a {kind} pool was created")).by([event]),
        None => words,
    };
    clause(subject, CallPhrase::new(verb::DEPLOY, words))
}

/// " and, from within it, {n} more (…)".
fn nested<'w, 'a>(run: &EvmRun<'w, 'a>, mut words: PhraseBuilder<'w, 'a>, outer: Address) -> PhraseBuilder<'w, 'a> {
    let made = run.context.events_of(run.message).filter(|(_, event)| event.kind == "contract_created");
    let made = made.filter_map(|(place, event)| Some((place, event.value("contract")?.parse::<Address>().ok()?)));
    let made: Vec<(usize, Address)> = made.filter(|(_, contract)| *contract != outer).collect();
    if made.is_empty() {
        return words;
    }
    words = words.text(format!(" and, from within it, {} more (", made.len()));
    for (number, (place, contract)) in made.iter().take(MOST_NAMED).enumerate() {
        words = if number > 0 { words.text(", ") } else { words };
        words = words.word(run.context.contract(*contract)).by([*place]);
    }
    words.text(if made.len() > MOST_NAMED { ", …)" } else { ")" })
}

/// " (owner set to …)", as the contract itself says when it is made.
fn owner<'w, 'a>(
    run: &EvmRun<'w, 'a>,
    words: PhraseBuilder<'w, 'a>,
    contract: Address,
    sender: Option<Address>,
) -> PhraseBuilder<'w, 'a> {
    let set = run.readings("OwnershipTransferred(address,address)").filter(|(_, of, _)| *of == contract);
    let set = set.filter_map(|(event, _, reading)| Some((event, reading.value(1)?.address()?)));
    match set.last() {
        Some((event, owner)) if !is_nobody(owner) => {
            // The deployer is said as the sentence says it; another account only stands in the log, in hex.
            let is_known = run.context.glossary.label(owner).is_some();
            let word = match sender.filter(|sender| sender.is_same_in_logs(&owner)) {
                Some(sender) => run.context.account(sender),
                None if is_known => run.who(owner),
                None => Word::Foreign(owner.hex()),
            };
            words.text(" (owner set to ").word(word).by([event]).text(")")
        }
        _ => words,
    }
}

/// "; {coin} were minted to {account}".
fn minted<'w, 'a>(run: &EvmRun<'w, 'a>, mut words: PhraseBuilder<'w, 'a>) -> PhraseBuilder<'w, 'a> {
    let mints = run.amounts().filter(|(_, _, movement, amount)| is_nobody(movement.from) && !amount.is_zero());
    for (event, token, movement, amount) in mints.take(MOST_NAMED) {
        words = words.text("; ").coin(&run.coin(token, amount)).by([event]).text(" were minted to ");
        words = words.word(run.who(movement.to)).by([event]);
    }
    words
}
