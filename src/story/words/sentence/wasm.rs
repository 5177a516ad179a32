mod codes;
mod cw20;
mod cw721;
mod factory;
mod ics721;
mod pools;

use std::borrow::Cow;

use base64::{Engine, prelude::BASE64_STANDARD};
use serde_json::{Map, Value};

use super::{
    clauses::{MessageEvents, clause_by, lacking, length},
    verb,
};
use crate::{
    domain::{Address, Coin, same_account},
    events::{
        bank::{BankChange, BankEvent},
        keys::{self, AttributeKey},
        names::{EXECUTE, SUDO},
        wasm::{ContractAction, actions},
    },
    story::{
        context::{
            MessageRef, TxContext,
            proof::{Proof, TracePlace},
        },
        decode::DecodedEvent,
        words::{
            builder::PhraseBuilder,
            clause::{Clause, VerbForms},
            phrase::Phrase,
        },
    },
};

struct WasmCall<'a> {
    context: &'a TxContext<'a>,
    message: MessageRef<'a>,
    contract: &'a str,
    /// Action: the message's first key, with its value.
    name: &'a str,
    body: &'a Map<String, Value>,
    seen: MessageEvents<'a>,
    /// Whether the action should move tokens or NFTs, so that their absence is worth saying.
    asks_to_move: bool,
}

/// Action that a contract reports, with its trace.
type SaidAction<'a> = (TracePlace, ContractAction<'a>);

/// Action reported by the called contract; `None` in a failed transaction, where only the message counts.
#[derive(Clone, Copy)]
struct WasmReport<'a>(Option<SaidAction<'a>>);

impl WasmReport<'_> {
    fn place(&self) -> Option<usize> {
        self.0.map(|(trace, _)| trace.event)
    }
}

/// Renders the messages of Wasm (`docs/apis/story.md` §1.6).
pub(super) fn render(context: &TxContext<'_>, message: MessageRef<'_>) -> Option<Clause> {
    let kind = message.kind.as_str();
    if let Some(name) = kind.strip_prefix("miniwasm.tokenfactory.v1.Msg") {
        return factory::render(context, message, name);
    }
    match kind.strip_prefix("cosmwasm.wasm.v1.Msg")? {
        "ExecuteContract" => Some(execute(context, message)),
        "SudoContract" => Some(sudo(context, message)),
        name => codes::render(context, message, name),
    }
}

fn execute(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    let contract = message.text("contract").unwrap_or_default();
    let decoded = contract_message(message);
    let empty = Map::new();
    let (name, body) = decoded.as_ref().map_or(("", &empty), |fields| first(fields, &empty));
    let seen = MessageEvents::of(context, message);
    let asks_to_move = cw20::NAMES.contains(&name) || cw721::NAMES.contains(&name) || name == "swap";
    let call = WasmCall { context, message, contract: &contract, name, body, seen, asks_to_move };
    let clause = cw721::clause(&call).or_else(|| cw20::clause(&call)).or_else(|| pools::clause(&call));
    let clause = clause.unwrap_or_else(|| called(&call));
    // Events without a run of this contract say nothing about it.
    let is_named = contract.parse().is_ok_and(|contract| context.is_named(message, contract));
    if clause.proof > Proof::Ran && !is_named && !context.is_failed() {
        return lacking(context, Clause { proof: Proof::Absent, ..clause });
    }
    clause
}

/// Returns the message for the contract: inline JSON, or its bytes.
fn contract_message(message: MessageRef<'_>) -> Option<Cow<'_, Map<String, Value>>> {
    match message.fields.get("msg")? {
        Value::Object(fields) => Some(Cow::Borrowed(fields)),
        Value::String(text) => parsed(text).map(Cow::Owned),
        _ => None,
    }
}

/// Parses JSON in base64 or plain text.
fn parsed(text: &str) -> Option<Map<String, Value>> {
    let bytes = BASE64_STANDARD.decode(text).unwrap_or_else(|_| text.as_bytes().to_vec());
    serde_json::from_slice(&bytes).ok()
}

/// Returns the action: the message's first key with its value.
fn first<'a>(fields: &'a Map<String, Value>, empty: &'a Map<String, Value>) -> (&'a str, &'a Map<String, Value>) {
    match fields.iter().next() {
        Some((name, Value::Object(body))) => (name, body),
        Some((name, _)) => (name, empty),
        None => ("", empty),
    }
}

/// Describes "called `enter_match` on K with 1 INIT", with swaps and NFTs from its events.
fn called(call: &WasmCall<'_>) -> Clause {
    let words = call.called();
    let Some(funds) = call.funds() else {
        let words = words.then(asked_funds(call.context, call.message));
        return call.clause(verb::CALL, words.done(), Proof::Absent);
    };
    let words = words.then(funds);
    if let Some((aside, proof)) = pools::aside(call).or_else(|| cw721::aside(call)) {
        return call.clause(verb::CALL, words.then(aside).done(), proof);
    }
    let is_idle = call.asks_to_move && !call.context.is_failed() && !call.moved_anything();
    let words = if is_idle { words.text("; no token moved") } else { words };
    call.clause(verb::CALL, words.done(), Proof::Ran)
}

/// Describes a call by the chain's own authority.
fn sudo(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    let contract = message.text("contract").unwrap_or_default();
    let decoded = contract_message(message);
    let empty = Map::new();
    let (name, _) = decoded.as_ref().map_or(("", &empty), |fields| first(fields, &empty));
    let place = taken(context, &MessageEvents::of(context, message), SUDO, |event| is_of(event, &contract));
    let place = place.map(|(place, _)| place);
    let words = context.words();
    let words = if name.is_empty() { words } else { words.code(name).by(place).text(" on ") };
    let words = words.party(&contract).by(place).text(" with the chain's own rights");
    clause_by(context, message, "authority", verb::CALL, words.done(), Proof::Ran)
}

/// Whether the chain attributed the event to this contract.
fn is_of(event: &DecodedEvent, contract: &str) -> bool {
    event.text(keys::WASM_CONTRACT).is_some_and(|text| same_account(text, contract))
}

/// Claims the first unused matching event of this type.
fn taken<'e>(
    context: &TxContext<'_>,
    seen: &MessageEvents<'e>,
    kind: &str,
    fits: impl Fn(&DecodedEvent) -> bool,
) -> Option<(usize, &'e DecodedEvent)> {
    let mut own = seen.events.iter().filter(|(_, event)| event.kind == kind);
    let found = own.find(|(place, event)| context.claims.is_free(TracePlace::event(*place)) && fits(event)).copied()?;
    context.claims.take(TracePlace::event(found.0));
    Some(found)
}

/// Returns the evidence for a native message with a specific event.
fn native(event: Option<(usize, &DecodedEvent)>) -> Proof {
    if event.is_some() { Proof::Shown } else { Proof::Absent }
}

const UNREADABLE: &str = " with an unreadable amount";

/// Describes the requested funds: " with 1 INIT".
fn asked_funds(context: &TxContext<'_>, message: MessageRef<'_>) -> Vec<Phrase> {
    let funds = message.coins("funds");
    if funds.len() < length(message, "funds") {
        return context.words().text(UNREADABLE).done();
    }
    context.words().text(" with ").coins(&funds).done()
}

/// Describes the sent funds: " with 1 INIT", as far as bank events show them; in a failed transaction the requested
/// ones.
fn funds(context: &TxContext<'_>, message: MessageRef<'_>, seen: &MessageEvents<'_>) -> Option<Vec<Phrase>> {
    let funds = message.coins("funds");
    let listed = length(message, "funds");
    if listed == 0 {
        return Some(Vec::new());
    }
    if funds.len() < listed {
        return context.is_failed().then(|| context.words().text(UNREADABLE).done());
    }
    let words = context.words().text(" with ").coins(&funds);
    if context.is_failed() {
        return Some(words.done());
    }
    let sender = message.text("sender").or_else(|| message.text("authority")).unwrap_or_default();
    let is_all = |(_, event): &(usize, BankEvent<'_>)| {
        let coins = if event.is_of(&sender) { event.coins() } else { Vec::new() };
        funds.len() == coins.len() && funds.iter().all(|coin| coins.contains(coin))
    };
    let mut all = seen.bank(BankChange::Spent).filter(is_all).map(|(place, _)| place);
    let place = all.find(|place| context.claims.take(TracePlace::event(*place)))?;
    Some(words.by([place]).done())
}

impl<'a> WasmCall<'a> {
    fn clause(&self, verb: VerbForms, rest: Vec<Phrase>, proof: Proof) -> Clause {
        lacking(self.context, clause_by(self.context, self.message, "sender", verb, rest, proof))
    }

    /// Describes "`enter_match` on K", which is certain for every call.
    fn called(&self) -> PhraseBuilder<'a, 'a> {
        let execute = self.seen.first_where(EXECUTE, |event| is_of(event, self.contract)).map(|(place, _)| place);
        let words = self.context.words();
        let words = if self.name.is_empty() { words } else { words.code(self.name).by(execute).text(" on ") };
        words.party(self.contract).by(execute)
    }

    fn funds(&self) -> Option<Vec<Phrase>> {
        funds(self.context, self.message, &self.seen)
    }

    /// Returns all actions reported in the call's events, in order.
    fn actions(&self) -> impl Iterator<Item = SaidAction<'_>> {
        self.seen.events.iter().flat_map(|(place, event)| {
            let trace = |number| TracePlace { event: *place, log: Some(number) };
            actions(event).enumerate().map(move |(number, action)| (trace(number), action))
        })
    }

    /// Claims the called contract's unused report of this action.
    fn said(&self, action: &str) -> Option<SaidAction<'_>> {
        self.actions().find(|(trace, said)| {
            said.name == action && same_account(said.contract, self.contract) && self.context.claims.is_free(*trace)
        })
    }

    /// Returns the called contract's report of this action. After a failure the message's form suffices; without any
    /// report the contract is of another kind.
    fn report(&self, action: &str) -> Option<WasmReport<'_>> {
        let found = self.said(action);
        (found.is_some() || self.context.is_failed()).then_some(WasmReport(found))
    }

    /// Returns an argument that is a string or a number.
    fn text(&self, name: &str) -> Option<String> {
        match self.body.get(name)? {
            Value::String(text) => Some(text.clone()),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        }
    }

    /// Returns the reported attribute, or in a failed transaction the argument.
    fn value<T>(&self, report: WasmReport<'_>, attribute: AttributeKey<T>, field: &str) -> Option<String> {
        match report.0 {
            Some((_, said)) => said.text(attribute).map(ToOwned::to_owned),
            None => self.text(field),
        }
    }

    /// Describes a report: "sent 5 TOKEN to A, as the contract reports". If it names another actor than the sender:
    /// "called transfer on K, which reports that V sent 5 TOKEN to A".
    fn reported(
        &self,
        report: WasmReport<'_>,
        doer: AttributeKey<Address>,
        verb: VerbForms,
        rest: Vec<Phrase>,
    ) -> Clause {
        let Some((trace, said)) = report.0 else { return self.clause(verb, rest, Proof::Absent) };
        self.context.claims.take(trace);
        let other = said.text(doer).filter(|doer| !self.is_sender(doer));
        let words = match other {
            None => self.context.words().then(rest).text(", as the contract reports").by([trace.event]),
            Some(doer) => {
                let words = self.called().text(", which reports that ").party(doer).by([trace.event]).text(" ");
                words.text(verb.past).text(" ").then(rest)
            }
        };
        let verb = if other.is_none() { verb } else { verb::CALL };
        self.clause(verb, words.done(), Proof::Reported)
    }

    fn is_sender(&self, account: &str) -> bool {
        self.message.text("sender").is_some_and(|sender| same_account(&sender, account))
    }

    /// Whether any event shows a movement of tokens or NFTs.
    fn moved_anything(&self) -> bool {
        let is_bank = |event: &DecodedEvent| {
            BankEvent::of(event).and_then(|event| event.amount).is_some_and(|amount| !amount.is_empty())
        };
        self.seen.events.iter().any(|(_, event)| is_bank(event)) || self.actions().any(|(_, action)| action.moves())
    }

    /// Describes the attached call: ", which called bond there".
    fn follow_up(&self) -> Option<String> {
        let inner = parsed(self.body.get("msg")?.as_str()?)?;
        // A message with several fields has no action name.
        let is_named = inner.len() == 1 && inner.values().all(Value::is_object);
        inner.into_iter().next().filter(|_| is_named).map(|(name, _)| name)
    }

    /// Describes a collection or token contract with its self-chosen name if known: "K (“Gull Council”)".
    fn of_collection<'s, 'b>(
        &self,
        words: PhraseBuilder<'s, 'b>,
        contract: &str,
        name: Option<&str>,
    ) -> PhraseBuilder<'s, 'b> {
        let known = || contract.parse().ok().and_then(|address| self.context.glossary.own_name(address));
        let words = words.party(contract);
        match name.or_else(|| known().map(AsRef::as_ref)) {
            Some(name) => words.text(" (").quote(name).text(")"),
            None => words,
        }
    }

    /// Returns the events of a coin's or contract token's movement from or to an account, with their weakest evidence.
    fn shown(&self, coin: &Coin, account: &str, side: CoinSide) -> Option<(Proof, usize)> {
        if let Some(contract) = coin.denom.as_str().strip_prefix("cw20:") {
            let attribute = if side == CoinSide::Gave { keys::FROM } else { keys::TO };
            let told = self.actions().find(|(_, action)| {
                action.moves()
                    && action.contract == contract
                    && action.text(attribute).is_some_and(|party| same_account(party, account))
                    && action.coin().is_some_and(|told| told.amount == coin.amount)
            });
            return told.map(|(trace, _)| (Proof::Reported, trace.event));
        }
        let places = match side {
            CoinSide::Gave => self.seen.spent(account, coin),
            CoinSide::Got => self.seen.received(account, coin),
        };
        places.first().map(|place| (Proof::Shown, *place))
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum CoinSide {
    Gave,
    Got,
}
