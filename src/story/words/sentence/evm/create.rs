use super::{
    plain::{clause, is_witnessed, with_value},
    run::{CallPhrase, EvmRun, is_nobody},
    trade::created_pool,
};
use crate::{
    domain::{Address, Amount},
    events::{
        evm::LoggedMove,
        keys,
        names::{CONTRACT_CREATED, CREATE},
    },
    story::{
        context::{MessageRef, proof::Proof},
        words::{
            builder::PhraseBuilder,
            clause::Clause,
            phrase::Word,
            sentence::{clauses::actor, nested::SentenceContext, verb},
        },
    },
};

/// Maximum contracts and tokens named.
const MOST_NAMED: usize = 5;

/// Describes "deployed contract …" and its side effects by the events.
pub(super) fn render(context: &SentenceContext<'_>, message: MessageRef<'_>, is_create2: bool) -> Clause {
    let sender = message.text("sender").unwrap_or_default();
    let is_witnessed = is_witnessed(context, message, sender.parse().ok());
    let run = EvmRun::new(context, message, is_witnessed);
    let subject = actor(context, message, "sender");
    let outer = context.event_of(message, CREATE).or_else(|| context.event_of(message, CONTRACT_CREATED));
    let outer = outer.filter(|_| is_witnessed && !context.is_failed());
    let outer = outer.and_then(|(place, event)| Some((place, event.get(keys::CONTRACT)?)));
    let Some((place, contract)) = outer else {
        let what = if is_create2 { "a contract with CREATE2" } else { "a contract" };
        return clause(context, subject, CallPhrase::new(verb::DEPLOY, run.words().text(what), Proof::Absent));
    };
    let words = run.words().text("contract ").word(context.contract(contract)).by([place]);
    let words = if is_create2 { words.text(" with CREATE2") } else { words };
    let value = message.text("value").and_then(|text| text.parse::<Amount>().ok()).unwrap_or_default();
    let (words, proof) = with_value(&run, words, (sender.parse().ok(), Some(contract)), value);
    let words = nested(&run, words, contract);
    // A new contract's claims about itself are its report.
    let (words, owned) = owner(&run, words, contract, sender.parse().ok());
    let (words, minted) = minted(&run, words);
    let (words, pooled) = match created_pool(&run, |_| true) {
        Some(pool) => {
            let words = words.text("; ").text(format!("a {} pool was created", pool.kind)).by([pool.seen.event]);
            let standing = run.standing(pool.seen.contract);
            (said_by(words, standing, ", as its factory reports"), standing)
        }
        None => (words, Proof::Shown),
    };
    // A constructor may use allowances that were given to the future address, of the deployer or of others.
    let takers = [sender.parse().ok(), Some(contract)].into_iter().flatten();
    let words = takers.fold(words, |words, taker| words.then(run.untold(taker)));
    let within = owned.min(minted).min(pooled);
    Clause { within, ..clause(context, subject, CallPhrase::new(verb::DEPLOY, words, proof)) }
}

/// Adds the source if no other evidence exists.
fn said_by<'w, 'a>(words: PhraseBuilder<'w, 'a>, standing: Proof, who: &'static str) -> PhraseBuilder<'w, 'a> {
    if standing == Proof::Shown { words } else { words.text(who) }
}

/// Adds " and, from within it, {n} more (…)".
fn nested<'w, 'a>(run: &EvmRun<'w, 'a>, mut words: PhraseBuilder<'w, 'a>, outer: Address) -> PhraseBuilder<'w, 'a> {
    let made = run.context.events_of(run.message).filter(|(_, event)| event.kind == CONTRACT_CREATED);
    let made = made.filter_map(|(place, event)| Some((place, event.get(keys::CONTRACT)?)));
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

/// Adds " (owner set to …, as the contract reports)".
fn owner<'w, 'a>(
    run: &EvmRun<'w, 'a>,
    words: PhraseBuilder<'w, 'a>,
    contract: Address,
    sender: Option<Address>,
) -> (PhraseBuilder<'w, 'a>, Proof) {
    let set = run.readings("OwnershipTransferred(address,address)").filter(|(seen, _)| seen.contract == contract);
    let set = set.filter_map(|(seen, reading)| Some((seen.event, reading.value(1)?.address()?)));
    match set.last() {
        Some((event, owner)) if !is_nobody(owner) => {
            // The deployer keeps the sentence's form; any other account is only in the log, in hex.
            let is_known = run.context.glossary.known_label(owner).is_some();
            let word = match sender.filter(|sender| sender.is_same_in_logs(&owner)) {
                Some(sender) => run.context.account(sender),
                None if is_known => run.who(owner),
                None => Word::Foreign(owner.checksummed()),
            };
            let standing = run.standing(contract);
            let words = words.text(" (owner set to ").word(word).by([event]);
            (said_by(words, standing, ", as the contract reports").text(")"), standing)
        }
        _ => (words, Proof::Shown),
    }
}

/// Adds "; {coin} were minted to {account}".
fn minted<'w, 'a>(run: &EvmRun<'w, 'a>, mut words: PhraseBuilder<'w, 'a>) -> (PhraseBuilder<'w, 'a>, Proof) {
    let is_mint = |movement: &LoggedMove, amount: &Amount| is_nobody(movement.from) && !amount.is_zero();
    let mints: Vec<_> = run.amounts().filter(|(_, movement, amount)| is_mint(movement, amount)).collect();
    let mut proof = Proof::Shown;
    for (seen, movement, amount) in mints.into_iter().take(MOST_NAMED) {
        run.take(seen);
        let standing = run.standing(seen.contract);
        words = words.text("; ").then(run.amount(seen.contract, amount, &[seen.event])).text(" were minted to ");
        words = said_by(words.word(run.who(movement.to)).by([seen.event]), standing, ", as the token contract reports");
        proof = proof.min(standing);
    }
    (words, proof)
}
