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
    clauses::{MessageEvents, clause_by, lacking, length, same_account},
    verb,
};
use crate::{
    domain::Coin,
    story::{
        DecodedEvent, Phrase,
        context::{Clause, MessageRef, PhraseBuilder, TxContext, VerbForms},
        proof::{Proof, TracePlace},
        wasm_actions::{ContractAction, actions},
    },
};

/// A call of a contract.
struct WasmCall<'a> {
    context: &'a TxContext<'a>,
    message: MessageRef<'a>,
    contract: &'a str,
    /// What is asked: the first key of the message, and what it holds.
    name: &'a str,
    body: &'a Map<String, Value>,
    /// What it left.
    seen: MessageEvents<'a>,
    /// Whether the name is one that asks for tokens or NFTs to move, so that it is worth saying that none did.
    asks_to_move: bool,
}

/// One act that a contract tells of, with the trace that tells it.
type SaidAction<'a> = (TracePlace, ContractAction<'a>);

/// What the called contract says that it did; nothing where the transaction failed, so that the message must do.
#[derive(Clone, Copy)]
struct WasmReport<'a>(Option<SaidAction<'a>>);

impl WasmReport<'_> {
    fn place(&self) -> Option<usize> {
        self.0.map(|(trace, _)| trace.event)
    }
}

/// The messages of Wasm (`docs/apis/story.md` §1.6).
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
    // Events that no run of this contract left say nothing of it.
    let is_named = contract.parse().is_ok_and(|contract| context.is_named(message, contract));
    if clause.proof > Proof::Ran && !is_named && !context.is_failed() {
        return lacking(context, Clause { proof: Proof::Absent, ..clause });
    }
    clause
}

/// The message for the contract: JSON inline, or as its bytes.
fn contract_message(message: MessageRef<'_>) -> Option<Cow<'_, Map<String, Value>>> {
    match message.fields.get("msg")? {
        Value::Object(fields) => Some(Cow::Borrowed(fields)),
        Value::String(text) => parsed(text).map(Cow::Owned),
        _ => None,
    }
}

/// JSON in base64, or as it is.
fn parsed(text: &str) -> Option<Map<String, Value>> {
    let bytes = BASE64_STANDARD.decode(text).unwrap_or_else(|_| text.as_bytes().to_vec());
    serde_json::from_slice(&bytes).ok()
}

/// What a message asks: its one key, and what that holds.
fn first<'a>(fields: &'a Map<String, Value>, empty: &'a Map<String, Value>) -> (&'a str, &'a Map<String, Value>) {
    match fields.iter().next() {
        Some((name, Value::Object(body))) => (name, body),
        Some((name, _)) => (name, empty),
        None => ("", empty),
    }
}

/// "called `enter_match` on K with 1 INIT", and what its events tell of swaps and NFTs.
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

/// What the chain asks of a contract with its own rights.
fn sudo(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    let contract = message.text("contract").unwrap_or_default();
    let decoded = contract_message(message);
    let empty = Map::new();
    let (name, _) = decoded.as_ref().map_or(("", &empty), |fields| first(fields, &empty));
    let place = taken(context, &MessageEvents::of(context, message), "sudo", |event| is_of(event, &contract));
    let place = place.map(|(place, _)| place);
    let words = context.words();
    let words = if name.is_empty() { words } else { words.code(name).by(place).text(" on ") };
    let words = words.party(&contract).by(place).text(" with the chain's own rights");
    clause_by(context, message, "authority", verb::CALL, words.done(), Proof::Ran)
}

/// Whether the chain wrote this contract into an event.
fn is_of(event: &DecodedEvent, contract: &str) -> bool {
    event.value("_contract_address").is_some_and(|text| same_account(text, contract))
}

/// The first event of this type that fits and that nothing rests on yet; from now on something does.
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

/// What a native message that has an event of its own is borne out by.
fn native(event: Option<(usize, &DecodedEvent)>) -> Proof {
    if event.is_some() { Proof::Shown } else { Proof::Absent }
}

const UNREADABLE: &str = " with an amount that cannot be read";

/// " with 1 INIT": what the message would send along.
fn asked_funds(context: &TxContext<'_>, message: MessageRef<'_>) -> Vec<Phrase> {
    let funds = message.coins("funds");
    if funds.len() < length(message, "funds") {
        return context.words().text(UNREADABLE).done();
    }
    context.words().text(" with ").coins(&funds).done()
}

/// " with 1 INIT": what is sent along, as far as the bank's events show that it left the sender; none where they do
/// not, and in a transaction that failed as it was asked.
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
    let is_all = |(_, event): &&(usize, &DecodedEvent)| {
        let is_own =
            event.kind == "coin_spent" && event.value("spender").is_some_and(|spender| same_account(spender, &sender));
        is_own
            && event
                .value("amount")
                .and_then(|text| crate::domain::parse_coins(text).ok())
                .is_some_and(|coins| funds.len() == coins.len() && funds.iter().all(|coin| coins.contains(coin)))
    };
    let mut all = seen.events.iter().filter(is_all).map(|(place, _)| *place);
    let place = all.find(|place| context.claims.take(TracePlace::event(*place)))?;
    Some(words.by([place]).done())
}

impl<'a> WasmCall<'a> {
    /// Who called.
    fn clause(&self, verb: VerbForms, rest: Vec<Phrase>, proof: Proof) -> Clause {
        lacking(self.context, clause_by(self.context, self.message, "sender", verb, rest, proof))
    }

    /// "`enter_match` on K": what is certain of every call.
    fn called(&self) -> PhraseBuilder<'a, 'a> {
        let execute = self.seen.that("execute", |event| is_of(event, self.contract)).map(|(place, _)| place);
        let words = self.context.words();
        let words = if self.name.is_empty() { words } else { words.code(self.name).by(execute).text(" on ") };
        words.party(self.contract).by(execute)
    }

    fn funds(&self) -> Option<Vec<Phrase>> {
        funds(self.context, self.message, &self.seen)
    }

    /// All acts that contracts tell of in the call's events, in order.
    fn actions(&self) -> impl Iterator<Item = SaidAction<'_>> {
        self.seen.events.iter().flat_map(|(place, event)| {
            let trace = |number| TracePlace { event: *place, log: Some(number) };
            actions(event).enumerate().map(move |(number, action)| (trace(number), action))
        })
    }

    /// What the called contract says that it did, where it is this and nothing rests on it yet.
    fn said(&self, action: &str) -> Option<SaidAction<'_>> {
        self.actions().find(|(trace, said)| {
            said.name == action && same_account(said.contract, self.contract) && self.context.claims.is_free(*trace)
        })
    }

    /// What the called contract says that it did. Of a call that failed the form of the message must do; one that
    /// worked and says nothing of the kind is another kind of contract's.
    fn report(&self, action: &str) -> Option<WasmReport<'_>> {
        let found = self.said(action);
        (found.is_some() || self.context.is_failed()).then_some(WasmReport(found))
    }

    /// A field of what is asked that is text, or a number written as one.
    fn text(&self, name: &str) -> Option<String> {
        match self.body.get(name)? {
            Value::String(text) => Some(text.clone()),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        }
    }

    /// What the contract says, and where it could say nothing the field of what is asked.
    fn value(&self, report: WasmReport<'_>, attribute: &str, field: &str) -> Option<String> {
        match report.0 {
            Some((_, said)) => said.value(attribute).map(ToOwned::to_owned),
            None => self.text(field),
        }
    }

    /// What the contract says of itself: "sent 5 TOKEN to A, as the contract reports". Where it names another than the
    /// sender as the one who did it: "called transfer on K, which reports that V sent 5 TOKEN to A".
    fn reported(&self, report: WasmReport<'_>, doer: &str, verb: VerbForms, rest: Vec<Phrase>) -> Clause {
        let Some((trace, said)) = report.0 else { return self.clause(verb, rest, Proof::Absent) };
        self.context.claims.take(trace);
        let other = said.value(doer).filter(|doer| !self.is_sender(doer));
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

    /// Whether anything tells of tokens or NFTs that went somewhere.
    fn moved_anything(&self) -> bool {
        let is_bank = |event: &DecodedEvent| {
            matches!(event.kind.as_str(), "coin_spent" | "coin_received" | "coinbase" | "burn")
                && event.value("amount").is_some_and(|amount| !amount.is_empty())
        };
        self.seen.events.iter().any(|(_, event)| is_bank(event)) || self.actions().any(|(_, action)| action.moves())
    }

    /// What a contract shall do that is sent something: ", which called bond there".
    fn follow_up(&self) -> Option<String> {
        let inner = parsed(self.body.get("msg")?.as_str()?)?;
        // A message that is a list of fields asks for nothing by name.
        let is_named = inner.len() == 1 && inner.values().all(Value::is_object);
        inner.into_iter().next().filter(|_| is_named).map(|(name, _)| name)
    }

    /// A collection or token contract, with what it calls itself where that is known: "K (“Gull Council”)".
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

    /// The events that show a coin of the bank, or the acts that tell of a contract's token, on its way from or to an
    /// account; with the weakest of what bears them out.
    fn shown(&self, coin: &Coin, account: &str, side: CoinSide) -> Option<(Proof, usize)> {
        if let Some(contract) = coin.denom.as_str().strip_prefix("cw20:") {
            let attribute = if side == CoinSide::Gave { "from" } else { "to" };
            let told = self.actions().find(|(_, action)| {
                action.moves()
                    && action.contract == contract
                    && action.value(attribute).is_some_and(|party| same_account(party, account))
                    && action.coin("amount").is_some_and(|told| told.amount == coin.amount)
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

/// Which end of a movement an account is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CoinSide {
    Gave,
    Got,
}
