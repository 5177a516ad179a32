//! Description of transactions before signing: only the request is certain.

use std::{borrow::Cow, time::Duration};

use alloy_primitives::{U256, hex};

use super::{
    phrase::{AccountPlace, Phrase, Sentence, SentenceKind, Style, Word, text_of},
    signing_names::{exact_amount, full_chain, is_named, quoted_unit, shown_chain},
};
use crate::{
    domain::{
        Address, Amount, ChainId, Coin, Denom, Timestamp, both_forms, same_account,
        text::{clean, clip, count, count_of, span},
    },
    signing::{
        ChainSuggestion, ClaimWait, ContractPart, ContractSource, ContractUse, ContractVerdict, FundsEffect,
        MemoAction, MemoForward, OfferLine, OfferLineKind, OfferWords, ReadyTx, RouteConnection, RouteDoubt,
        SwapContractCall, token_denom,
    },
    story::names::chain_names::{Names, UnitSource},
};

/// Returns one sentence per effect on funds, in signing order, and one about their final position. Addresses are
/// complete in [`super::phrase::Style::Exact`].
pub fn signing_sentences(tx: &ReadyTx, names: &dyn Names) -> Vec<Sentence> {
    let (chain, source, person) = (&tx.chain_id, Some(&tx.source), SigningPerson::Third);
    let writer = SigningWriter { names, chain, source, signer: &tx.signer, person, is_heading: false };
    let mut sentences: Vec<Sentence> =
        tx.contracts.iter().filter_map(unknown_words).map(|words| asked(0, words)).collect();
    let unproven =
        tx.doubts.iter().map(|one| PhraseList::default().text(format!("UNPROVEN: {}.", clean(&one.to_string()))));
    sentences.extend(unproven.map(|words| asked(0, words)));
    sentences.extend(writer.sentences(&tx.effects));
    let (end, arrives) = (shown_chain(&tx.arrives_on, names), writer.arrives(tx));
    let words = if is_arrival_open(tx) {
        PhraseList::default().text("What ").party(&tx.receiver).text(format!(" then has on {end} is {arrives}."))
    } else {
        PhraseList::default().party(&tx.receiver).text(format!(" then has {arrives} on {end}."))
    };
    sentences.push(asked(sentences.len(), words));
    sentences
}

/// Returns the warning about an unknown contract, which comes first.
fn unknown_words(contract: &ContractUse) -> Option<PhraseList> {
    if !contract.is_unknown() {
        return None;
    }
    let words = PhraseList::default().text("UNKNOWN: ").word(Word::plain(&contract.shown));
    let words = words.text(format!(" on {}, which ", clip(contract.chain_id.as_str(), 40)));
    Some(words.text(match contract.part {
        ContractPart::Called => "is called here. Its effect is unknown: the router may have invented this contract.",
        ContractPart::Spender => "may take tokens. Its effect is unknown: the router may have invented this contract.",
        ContractPart::Finisher => {
            "alone can release the mint there. Its owner is unknown: it could withhold the funds."
        }
    }))
}

/// Returns the sentences of a hook: the actions of the recipient's account on its rollup when a deposit arrives.
pub fn hook_sentences(chain: &ChainId, signer: &str, effects: &[FundsEffect], names: &dyn Names) -> Vec<Sentence> {
    SigningWriter { names, chain, source: None, signer, person: SigningPerson::Third, is_heading: false }
        .sentences(effects)
}

/// Place of a transaction in its transfer, from 0, and the router's estimate for the whole route in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OfferPlace {
    pub place: usize,
    pub count: usize,
    pub seconds: Option<u64>,
    /// When the estimate begins.
    pub now: Timestamp,
}

impl OfferPlace {
    /// The only transaction, without an estimate.
    pub const ONLY: Self = Self { place: 0, count: 1, seconds: None, now: Timestamp::EPOCH };
}

pub fn offer_words(tx: &ReadyTx, step: OfferPlace, names: &dyn Names) -> OfferWords {
    let writer = SigningWriter {
        names,
        chain: &tx.chain_id,
        source: Some(&tx.source),
        signer: &tx.signer,
        person: SigningPerson::Second,
        is_heading: false,
    };
    let heading = SigningWriter { is_heading: true, ..writer };
    let main = tx.effects.iter().find(|effect| !matches!(effect, FundsEffect::Allowance { .. }));
    let leaves = |writer: &SigningWriter<'_>| {
        writer.claimed(&tx.effects).or_else(|| main.and_then(|effect| writer.leaves(effect)))
    };
    let act = [main.map_or("sign", act_of), leaves(&heading).as_deref().unwrap_or("it")].join(" ");
    let way = if tx.arrives_on == tx.chain_id { "on" } else { "to" };
    let mut title = format!("{act} {way} {}", shown_chain(&tx.arrives_on, names));
    let is_unknown = tx.contracts.iter().any(ContractUse::is_unknown);
    if let Some(first) = title.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    if is_unknown {
        title.insert_str(0, "UNKNOWN recipient: ");
    }
    let plain = |name, text: &str| OfferLine::new(name, OfferLineKind::Plain, text);
    // A claim is paid out on the chain where it is signed: nothing leaves.
    let is_claim = matches!(main, Some(FundsEffect::Claim { .. }));
    let mut lines = if is_claim {
        vec![plain("On", &full_chain(&tx.chain_id, names))]
    } else {
        vec![plain("From", &full_chain(&tx.chain_id, names)), plain("To", &full_chain(&tx.arrives_on, names))]
    };
    let verb = if is_claim { "Claims" } else { "Sends" };
    lines.extend(leaves(&writer).map(|leaves| OfferLine::new(verb, OfferLineKind::Amount, &leaves)));
    let cents = tx.dollars.and_then(|quoted| quoted.dollars.times(U256::from(100))).map(Amount::new);
    lines.extend(cents.map(|cents| {
        let about = if cents == Amount::from(1) { "at most" } else { "about" };
        plain("Worth", &format!("{about} ${}, by the router's price", cents.display(2)))
    }));
    lines.extend(tx.effects.iter().filter_map(message_fee));
    let kind = if is_arrival_open(tx) { OfferLineKind::Warning } else { OfferLineKind::Amount };
    lines.push(OfferLine::new("Arrives", kind, &writer.arrives(tx)));
    lines.push(plain("You", &both_forms(&tx.signer)));
    lines.push(plain("Receives", &receiver(&tx.signer, &tx.receiver)));
    if step.count > 1 {
        lines.push(plain("Step", &format!("transaction {} of {}", step.place + 1, step.count)));
    }
    lines.extend(tx.contracts.iter().map(contract_line));
    let unproven = |one: &RouteDoubt| OfferLine::new("Unproven", OfferLineKind::Warning, &one.to_string());
    lines.extend(tx.doubts.iter().map(unproven));
    lines.extend(tx.proven.iter().map(|one| plain("Over", &connection_words(one, names))));
    lines.extend(writer.lines(&tx.effects));
    if let Some(seconds) = step.seconds {
        let end = step.now.after(Duration::from_secs(seconds)).day_and_clock();
        let (length, source) = (span(seconds), "by the router's estimate");
        lines.push(plain("Takes", &format!("about {length} for the route, to about {end} UTC, {source}")));
    }
    OfferWords {
        title: clean(&title).into_owned(),
        act: clean(&act).into_owned(),
        lines,
        note: unknown_note(&tx.contracts),
    }
}

/// Whether only the router tells what arrives.
fn is_arrival_open(tx: &ReadyTx) -> bool {
    tx.doubts.iter().any(RouteDoubt::is_about_arrival)
}

/// Returns the line about the coin that a call sends in addition to the quoted one.
fn message_fee(effect: &FundsEffect) -> Option<OfferLine> {
    let FundsEffect::Message { fee, refund, .. } = effect else { return None };
    let text = format!(
        "{} of the chain's own coin (exactly {} wei) for the message; the rest comes back to {}",
        fee.display(18),
        fee.display(0),
        refund.checksummed()
    );
    (!fee.is_zero()).then(|| OfferLine::new("Sends also", OfferLineKind::Amount, &text))
}

/// Names a known bridge or channel by its ends.
fn connection_words(connection: &RouteConnection, names: &dyn Names) -> String {
    let (what, from, to) = match connection {
        RouteConnection::Bridge { id, from, to } => (format!("bridge {}", clip(id, 20)), from, to),
        RouteConnection::Channel { id, from, to } => (clip(id, 20), from, to),
    };
    // The router's names would stand in a sentence that denies the router.
    let name = |chain: &ChainId| names.settled_chain(chain).unwrap_or_else(|| clip(chain.as_str(), 40));
    format!("{what} from {} to {}, known without the router", name(from), name(to))
}

/// Returns the note above a request that involves a contract that rollscope does not know.
fn unknown_note(contracts: &[ContractUse]) -> Option<String> {
    let note = "An unknown contract is involved: check the contract below, and sign only if you know it.";
    contracts.iter().any(ContractUse::is_unknown).then(|| note.to_owned())
}

/// Describes the wait of an optimistic withdrawal, and when it ends, in a time that `clock` writes.
pub fn claim_wait_words(wait: &ClaimWait, now: Timestamp, clock: impl Fn(Timestamp) -> String) -> String {
    let Some(period) = wait.period else {
        return "of unknown length: neither the chain nor the router states one".to_owned();
    };
    let (length, end) = (span(period.as_secs()), clock(now.after(period)));
    if wait.is_of_chain {
        format!("at least {length}, until {end} or later (challenge period)")
    } else {
        format!("about {length}, until about {end}, by the router's estimate")
    }
}

/// Returns the lines about the wait and the claim of an optimistic withdrawal.
pub fn claim_lines(wait: &ClaimWait, now: Timestamp, names: &dyn Names) -> [OfferLine; 2] {
    let utc = |at: Timestamp| format!("{} UTC", at.day_and_clock());
    let claim =
        format!("you claim the funds on {}: a second signature, with a fee on that chain", names.chain(&wait.l1));
    let warning = |name, text: &str| OfferLine::new(name, OfferLineKind::Warning, text);
    [warning("Wait", &claim_wait_words(wait, now, utc)), warning("Then", &claim)]
}

/// Returns the line about a contract and the source of its identity.
fn contract_line(contract: &ContractUse) -> OfferLine {
    let name = match contract.part {
        ContractPart::Called => "Calls",
        ContractPart::Spender => "Allows",
        ContractPart::Finisher => "Finished by",
    };
    let known = match &contract.verdict {
        ContractVerdict::Known { name, source: ContractSource::Registry } => format!(
            "{name}, from rollscope's \
         registry"
        ),
        ContractVerdict::Known { name, source: ContractSource::Chain } => format!("{name}, per the chain"),
        ContractVerdict::Known { source: ContractSource::Person, .. } => "you trust it with --trust".to_owned(),
        ContractVerdict::QuotedToken => "the token that leaves".to_owned(),
        ContractVerdict::Unknown | ContractVerdict::Accepted => "UNKNOWN".to_owned(),
    };
    let kind = if contract.is_unknown() { OfferLineKind::Warning } else { OfferLineKind::Plain };
    OfferLine::new(name, kind, &format!("{} ({known})", contract.shown))
}

/// Describes a hook with its contracts for signing page and terminal.
pub fn hook_offer_words(
    chain: &ChainId,
    signer: &str,
    effects: &[FundsEffect],
    contracts: &[ContractUse],
    names: &dyn Names,
) -> OfferWords {
    let writer = SigningWriter { names, chain, source: None, signer, person: SigningPerson::Second, is_heading: false };
    let plain = |name, text: &str| OfferLine::new(name, OfferLineKind::Plain, text);
    let mut lines = vec![plain("On", &full_chain(chain, names)), plain("You", &both_forms(signer))];
    lines.extend(contracts.iter().map(contract_line));
    lines.extend(writer.lines(effects));
    lines.push(plain("Then", "the transfer runs the hook on arrival"));
    let (title, act) = ("Sign the hook that runs on arrival".to_owned(), "the hook".to_owned());
    OfferWords { title, act, lines, note: unknown_note(contracts) }
}

/// Describes a request for a wallet's accounts on these chains.
pub fn accounts_words(chains: &[(ChainId, Option<ChainSuggestion>)], names: &dyn Names) -> OfferWords {
    let on: Vec<String> = chains.iter().map(|(chain, _)| full_chain(chain, names)).collect();
    let shows = format!("your addresses on {} to rollscope, which signs nothing now", on.join(", "));
    let mut lines = vec![OfferLine::new("Shows", OfferLineKind::Plain, &shows)];
    let suggested = chains.iter().filter_map(|(_, suggestion)| suggestion.as_ref());
    lines.extend(suggested.map(|it| OfferLine::new("Adds", OfferLineKind::Warning, &it.words())));
    OfferWords { title: "Connect your wallet".to_owned(), act: "connect".to_owned(), lines, note: None }
}

/// Returns the verb of an effect for a heading.
const fn act_of(effect: &FundsEffect) -> &'static str {
    match effect {
        FundsEffect::Deposit { .. } => "deposit",
        FundsEffect::Withdrawal { .. } => "withdraw",
        FundsEffect::Claim { .. } => "claim",
        FundsEffect::Conversion { .. } => "convert",
        FundsEffect::Allowance { .. } => "allow",
        FundsEffect::Swap { .. } | FundsEffect::VenueSwap { .. } => "swap",
        FundsEffect::Send { .. }
        | FundsEffect::Packet { .. }
        | FundsEffect::TokenTransfer { .. }
        | FundsEffect::Burn(_)
        | FundsEffect::Message { .. }
        | FundsEffect::Order { .. }
        | FundsEffect::Value { .. } => "send",
    }
}

/// Describes the recipient. Accounts of other address formats may belong to the signer too.
fn receiver(signer: &str, receiver: &str) -> String {
    let is_comparable = |text: &str| text.starts_with("init1") || text.starts_with("0x");
    if same_account(signer, receiver) {
        "you".to_owned()
    } else if is_comparable(signer) && is_comparable(receiver) {
        format!("{}, not your account", both_forms(receiver))
    } else {
        both_forms(receiver)
    }
}

#[derive(Clone, Copy)]
struct SigningWriter<'a> {
    names: &'a dyn Names,
    chain: &'a ChainId,
    /// Denom that leaves by the quote; the effects name it by its token contract.
    source: Option<&'a Denom>,
    signer: &'a str,
    person: SigningPerson,
    /// Whether a line of the page has the exact amount, so that its title and button can do without.
    is_heading: bool,
}

/// Form in which sentences name the signer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SigningPerson {
    /// "you", for the signer alone.
    Second,
    /// The address, for files and other readers.
    Third,
}

#[derive(Default)]
struct PhraseList(Vec<Phrase>);

impl PhraseList {
    fn word(mut self, word: Word) -> Self {
        self.0.push(Phrase { word, events: Vec::new() });
        self
    }

    fn text(self, text: impl Into<Cow<'static, str>>) -> Self {
        self.word(Word::Text(text.into()))
    }

    /// Adds an account in the chain's format.
    fn party(self, text: &str) -> Self {
        match text.parse::<Address>() {
            Ok(address) if text.starts_with("init1") => {
                self.word(Word::Account { address, label: None, place: AccountPlace::Here })
            }
            Ok(address) => self.word(Word::Account { address, label: None, place: AccountPlace::Contract }),
            Err(_) => self.word(Word::foreign(text)),
        }
    }

    /// Adds an account, or "yourself" for the signer in a text for the signer.
    fn named(self, writer: &SigningWriter<'_>, text: &str) -> Self {
        let is_you = writer.person == SigningPerson::Second && same_account(writer.signer, text);
        if is_you { self.text("yourself") } else { self.party(text) }
    }

    fn contract(self, address: Address) -> Self {
        self.word(Word::Account { address, label: None, place: AccountPlace::Contract })
    }
}

impl SigningWriter<'_> {
    fn sentences(&self, effects: &[FundsEffect]) -> Vec<Sentence> {
        effects.iter().enumerate().map(|(place, effect)| asked(place, self.effect(effect).text("."))).collect()
    }

    /// Returns one line per effect; an unlimited allowance is a warning.
    fn lines(&self, effects: &[FundsEffect]) -> Vec<OfferLine> {
        let lines = effects.iter().zip(self.sentences(effects)).map(|(effect, sentence)| {
            let is_any = matches!(effect, FundsEffect::Allowance { amount, .. } if *amount == FundsEffect::ANY);
            let kind = if is_any { OfferLineKind::Warning } else { OfferLineKind::Plain };
            OfferLine::new("Does", kind, &text_of(&sentence.phrases, Style::Exact))
        });
        lines.collect()
    }

    /// Returns the assets that leave the signer by an effect; `None` for an effect that takes nothing.
    fn leaves(&self, effect: &FundsEffect) -> Option<String> {
        let coin = |coin: &Coin| self.amount(&coin.denom, coin.amount);
        Some(match effect {
            FundsEffect::Send { coins, .. } => coins.iter().map(coin).collect::<Vec<_>>().join(" and "),
            FundsEffect::Packet { coin: sent, .. }
            | FundsEffect::Deposit { coin: sent, .. }
            | FundsEffect::Withdrawal { coin: sent, .. }
            | FundsEffect::Claim { coin: sent, .. } => coin(sent),
            FundsEffect::TokenTransfer { token, amount, .. } => text_of(&self.token(*token, *amount).0, Style::Exact),
            FundsEffect::Burn(burn) => text_of(&self.token(burn.token, burn.amount).0, Style::Exact),
            FundsEffect::VenueSwap { sold, .. } => coin(sold.as_ref()?),
            FundsEffect::Swap { amount, .. }
            | FundsEffect::Message { amount, .. }
            | FundsEffect::Order { amount, .. }
            | FundsEffect::Value { amount, .. } => self.amount(self.source?, *amount),
            FundsEffect::Allowance { .. } | FundsEffect::Conversion { .. } => return None,
        })
    }

    /// Returns the total of several claims; `None` for other effects, or for several denoms.
    fn claimed(&self, effects: &[FundsEffect]) -> Option<String> {
        let coins = effects.iter().map(|effect| match effect {
            FundsEffect::Claim { coin, .. } => Some(coin),
            _ => None,
        });
        let coins: Vec<&Coin> = coins.collect::<Option<_>>()?;
        let denom = &coins.first()?.denom;
        if coins.iter().any(|coin| coin.denom != *denom) {
            return Some(count(coins.len(), "withdrawal"));
        }
        let total = coins.iter().try_fold(Amount::ZERO, |sum, coin| sum.checked_add(coin.amount))?;
        let from = if coins.len() > 1 { format!(" of {}", count(coins.len(), "withdrawal")) } else { String::new() };
        Some(self.amount(denom, total) + &from)
    }

    /// Describes the funds that arrive at the end of a transaction.
    fn arrives(&self, tx: &ReadyTx) -> String {
        let quoted = match (tx.least, tx.arrives_as.as_ref()) {
            (Some(least), Some(denom)) => {
                format!("at least {}", exact_amount(self.names, &tx.arrives_on, denom, least))
            }
            (_, Some(denom)) => format!("the {}", self.names.denom(&tx.arrives_on, denom)),
            (_, None) => "the proceeds".to_owned(),
        };
        let is_hooked =
            tx.effects.iter().any(|effect| matches!(effect, FundsEffect::Deposit { hook, .. } if !hook.is_empty()));
        match (is_arrival_open(tx), is_hooked) {
            (true, _) => format!("unknown; the router says {quoted}"),
            (false, true) => format!("{quoted}, which the hook that you signed converts"),
            (false, false) => quoted,
        }
    }

    /// Begins a sentence about an act of the signer, by the verb's third person.
    fn by(&self, verb: &str) -> PhraseList {
        match self.person {
            SigningPerson::Third => PhraseList::default().party(self.signer).text(format!(" {verb} ")),
            SigningPerson::Second => {
                let base = if verb == "has" { "have" } else { verb.trim_end_matches('s') };
                PhraseList::default().text(format!("You {base} "))
            }
        }
    }

    fn amount(&self, denom: &Denom, amount: Amount) -> String {
        if self.is_heading && self.names.unit_source(self.chain, denom) == UnitSource::Router {
            return format!("{} by the router's units", quoted_unit(self.names, self.chain, denom, amount));
        }
        exact_amount(self.names, self.chain, denom, amount)
    }

    /// Adds an amount of a token by its name; without a name by the full contract address.
    fn token(&self, token: Address, amount: Amount) -> PhraseList {
        let denom = token_denom(token, self.source);
        let is_any = amount == FundsEffect::ANY;
        if !is_named(self.names, self.chain, &denom) {
            let amount = if is_any { "any amount".to_owned() } else { amount.display(0) };
            return PhraseList::default().text(format!("{amount} of the token ")).contract(token);
        }
        PhraseList::default().text(if is_any {
            format!("any amount of {}", self.names.denom(self.chain, &denom))
        } else {
            self.amount(&denom, amount)
        })
    }

    fn effect(&self, effect: &FundsEffect) -> PhraseList {
        let by = |verb: &str| self.by(verb);
        let coin = |coin: &Coin| self.amount(&coin.denom, coin.amount);
        let then = |words: PhraseList, more: PhraseList| PhraseList([words.0, more.0].concat());
        match effect {
            FundsEffect::Send { coins, to } => {
                let coins: Vec<String> = coins.iter().map(coin).collect();
                by("sends").text(coins.join(" and ")).text(" to ").named(self, to)
            }
            FundsEffect::Packet { coin: sent, channel, receiver, timeout, onward } => {
                let words = by("sends").text(coin(sent)).text(" to ").named(self, receiver);
                let words = onward_words(words.text(" over ").word(Word::plain(channel)), onward);
                words.text(format!("; it comes back if not received by {} UTC", timeout.day_and_clock()))
            }
            FundsEffect::Deposit { coin: sent, bridge_id, to, hook } => {
                let words = by("deposits").text(coin(sent)).text(" for ").named(self, to);
                let words = words.text(format!(" over bridge {bridge_id}"));
                if hook.is_empty() { words } else { words.text(", with the hook that you signed") }
            }
            FundsEffect::Withdrawal { coin: sent, to } => {
                by("withdraws").text(coin(sent)).text(" to ").named(self, to).text(" on the L1")
            }
            FundsEffect::Claim { coin: claimed, bridge_id, sequence, to } => {
                let words = by("claims").text(coin(claimed)).text(" for ").named(self, to);
                words.text(format!(": withdrawal #{sequence} of bridge {bridge_id}"))
            }
            FundsEffect::Allowance { token, spender, amount } => {
                let words = PhraseList::default().contract(*spender).text(" may take ");
                let words = then(words, self.token(*token, *amount));
                match self.person {
                    SigningPerson::Second => words.text(" of yours from then on"),
                    SigningPerson::Third => words.text(" of ").party(self.signer).text(" from then on"),
                }
            }
            FundsEffect::TokenTransfer { token, to, amount } => {
                then(by("sends"), self.token(*token, *amount)).text(" to ").contract(*to)
            }
            FundsEffect::Conversion { wrapper, to, denom, amount, .. } => {
                let whose = if self.person == SigningPerson::Second { "your" } else { "its" };
                let all = || format!("all {whose} {}", self.names.denom(self.chain, denom));
                let given = amount.map_or_else(all, |amount| self.amount(denom, amount));
                let words = by("converts").text(given).text(" into its other form with ").contract(*wrapper);
                words.text(" for ").named(self, &to.checksummed())
            }
            FundsEffect::Swap { pool, amount, least, .. } => {
                let sold = match self.source {
                    Some(source) => self.amount(source, *amount),
                    None => amount.to_string(),
                };
                let least = least.map_or_else(
                    || ", with no minimum".to_owned(),
                    |least| format!(", for at least {} smallest units", least.display(0)),
                );
                by("swaps").text(sold).text(least).text(format!(" in pool {}", hex::encode_prefixed(pool)))
            }
            FundsEffect::VenueSwap { contract, sold, least, after, .. } => {
                let sold = sold.as_ref().map_or_else(|| "the arriving funds".to_owned(), &coin);
                let words = by("has").text(sold).text(" swapped by ").party(contract);
                after_words(words.text(format!(", for at least {}", coin(least))), after)
            }
            FundsEffect::Burn(burn) => {
                let words = then(by("burns"), self.token(burn.token, burn.amount)).text(", for Circle to mint for ");
                let words = words.word(account_word(&burn.recipient));
                onward_words(words.text(format!(" on Circle's domain {}", burn.domain)), &burn.onward)
            }
            FundsEffect::Message { endpoint, recipient, amount, .. } => {
                let given = match self.source {
                    Some(source) => self.amount(source, *amount),
                    None => amount.to_string(),
                };
                let words = by("sends").text(given).text(" to ").word(account_word(recipient));
                words.text(format!(" over LayerZero to endpoint {endpoint}"))
            }
            FundsEffect::Order { recipient, amount, least, domain, deadline, onward, .. } => {
                let given = match self.source {
                    Some(source) => self.amount(source, *amount),
                    None => amount.to_string(),
                };
                let words = by("gives").text(given).text(" to a solver, who pays at least ");
                let words =
                    words.text(least.display(0)).text(" in the smallest unit to ").word(account_word(recipient));
                let words = onward_words(words.text(format!(" on domain {domain}")), onward);
                words.text(format!("; it can be refunded from {} UTC", deadline.day_and_clock()))
            }
            FundsEffect::Value { amount, to } => match self.source {
                Some(source) => by("sends").text(self.amount(source, *amount)).text(" to ").contract(*to),
                None => by("sends").text(format!("{amount} wei")).text(" to ").contract(*to),
            },
        }
    }
}

/// Adds the actions on the swapped funds.
fn after_words(words: PhraseList, after: &SwapContractCall) -> PhraseList {
    match after {
        SwapContractCall::Send { to } => words.text(", for ").party(to),
        SwapContractCall::Packet { channel, receiver, onward, .. } => {
            let words = words.text(", and on to ").party(receiver).text(" over ").word(Word::plain(channel));
            onward_words(words, onward)
        }
    }
}

/// Adds the actions on the arriving funds.
fn onward_words(words: PhraseList, onward: &MemoAction) -> PhraseList {
    match onward {
        MemoAction::Nothing => words,
        MemoAction::Note(note) => words.text(" with the memo ").word(Word::Quoted(note.clone())),
        MemoAction::Forward(forward) => {
            let words = words.text(", and on to ").party(&forward.receiver);
            let words = words.text(" over ").word(Word::plain(&forward.channel));
            onward_words(words.text(tries(forward)), &forward.next)
        }
        MemoAction::Call { effect, place, .. } => match effect.as_ref() {
            FundsEffect::VenueSwap { contract, least, after, .. } => {
                let words = words.text(", where ").party(contract).text(" swaps it for at least ");
                after_words(words.text(format!("{} {}", least.amount.display(0), least.denom.marked())), after)
            }
            _ => words.text(", where it calls ").word(Word::code(place.clone())),
        },
    }
}

/// Describes the retries of a forward. The chain's defaults apply to values that the router omits.
fn tries(forward: &MemoForward) -> String {
    let tries = forward.retries.map(|retries| count_of(usize::from(retries) + 1, "try", "tries"));
    let wait = forward.timeout.filter(|nanos| *nanos > 0).map(|nanos| span(nanos / 1_000_000_000));
    match (tries, wait) {
        (Some(tries), Some(wait)) => format!(" ({tries} of up to {wait} each)"),
        (Some(tries), None) => format!(" ({tries})"),
        (None, Some(wait)) => format!(" (up to {wait} per try)"),
        (None, None) => String::new(),
    }
}

/// Converts a 32-byte account: the last 20 bytes if the rest is zero.
fn account_word(word: &[u8; 32]) -> Word {
    let (zeros, account) = word.split_at(12);
    let is_short = zeros.iter().all(|byte| *byte == 0);
    let address = Address::from_bytes(account).filter(|_| is_short).unwrap_or(Address::Long(*word));
    Word::Account { address, label: None, place: AccountPlace::Contract }
}

fn asked(message: usize, words: PhraseList) -> Sentence {
    Sentence { message, phrases: words.0, kind: SentenceKind::Asked, lacks_events: false, is_noise: false }
}
