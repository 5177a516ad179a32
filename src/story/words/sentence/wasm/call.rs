//! Call of a contract, with the reports and funds in its events.

use base64::{Engine, prelude::BASE64_STANDARD};
use serde_json::{Map, Value};

use crate::{
    domain::{Address, Coin, same_account},
    events::{
        bank::{BankChange, BankEvent},
        keys::{self, AttributeKey},
        names::{EXECUTE, WASM},
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
            sentence::{
                clauses::{MessageEvents, clause_by, lacking, length},
                verb,
            },
        },
    },
};

pub(super) struct WasmCall<'a> {
    pub(super) context: &'a TxContext<'a>,
    pub(super) message: MessageRef<'a>,
    pub(super) contract: &'a str,
    /// Action: the message's first key, with its value.
    pub(super) name: &'a str,
    pub(super) body: &'a Map<String, Value>,
    pub(super) seen: MessageEvents<'a>,
    /// Whether the action should move tokens or NFTs, so that their absence is worth saying.
    pub(super) asks_to_move: bool,
}

/// Beginning of the types that contracts choose for their own events.
const CUSTOM: &str = "wasm-";

pub(super) type SaidAction<'a> = (TracePlace, ContractAction<'a>);

/// Action reported by the called contract; `None` in a failed transaction, where only the message counts.
#[derive(Clone, Copy)]
pub(super) struct WasmReport<'a>(pub(super) Option<SaidAction<'a>>);

impl WasmReport<'_> {
    pub(super) fn place(&self) -> Option<usize> {
        self.0.map(|(trace, _)| trace.event)
    }
}

impl<'a> WasmCall<'a> {
    pub(super) fn clause(&self, verb: VerbForms, rest: Vec<Phrase>, proof: Proof) -> Clause {
        lacking(self.context, clause_by(self.context, self.message, "sender", verb, rest, proof))
    }

    /// Describes "`enter_match` on K", which is certain for every call.
    pub(super) fn called(&self) -> PhraseBuilder<'a, 'a> {
        let execute = self.seen.first_where(EXECUTE, |event| is_of(event, self.contract)).map(|(place, _)| place);
        let words = self.context.words();
        let words = if self.name.is_empty() { words } else { words.code(self.name).by(execute).text(" on ") };
        words.party(self.contract).by(execute)
    }

    pub(super) fn funds(&self) -> Option<Vec<Phrase>> {
        funds(self.context, self.message, &self.seen)
    }

    /// Returns all actions reported in the call's events, in order.
    pub(super) fn actions(&self) -> impl Iterator<Item = SaidAction<'_>> {
        self.seen.events.iter().flat_map(|(place, event)| {
            let trace = |number| TracePlace { event: *place, log: Some(number) };
            actions(event).enumerate().map(move |(number, action)| (trace(number), action))
        })
    }

    /// Claims the called contract's unused report of this action.
    pub(super) fn said(&self, action: &str) -> Option<SaidAction<'_>> {
        self.actions().find(|(trace, said)| {
            said.name == action && same_account(said.contract, self.contract) && self.context.claims.is_free(*trace)
        })
    }

    /// Returns the called contract's report of this action. After a failure, the shape of the message suffices. A
    /// contract without any report is of another kind.
    pub(super) fn report(&self, action: &str) -> Option<WasmReport<'_>> {
        let found = self.said(action);
        (found.is_some() || self.context.is_failed()).then_some(WasmReport(found))
    }

    /// Returns an argument that is a string or a number.
    pub(super) fn text(&self, name: &str) -> Option<String> {
        match self.body.get(name)? {
            Value::String(text) => Some(text.clone()),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        }
    }

    /// Returns the reported attribute, or in a failed transaction the argument.
    pub(super) fn value<T>(&self, report: WasmReport<'_>, attribute: AttributeKey<T>, field: &str) -> Option<String> {
        match report.0 {
            Some((_, said)) => said.text(attribute).map(ToOwned::to_owned),
            None => self.text(field),
        }
    }

    /// Describes a report: "sent 5 TOKEN to A, as the contract reports". If the report names another actor, or none:
    /// "called transfer on K, which reports that V sent 5 TOKEN to A". A mint is the contract's own act.
    pub(super) fn reported(
        &self,
        report: WasmReport<'_>,
        doer: AttributeKey<Address>,
        verb: VerbForms,
        rest: Vec<Phrase>,
    ) -> Clause {
        let Some((trace, said)) = report.0 else { return self.clause(verb, rest, Proof::Absent) };
        self.context.claims.take(trace);
        let doer = said.text(doer);
        if doer.map_or(verb == verb::MINT, |doer| self.is_sender(doer)) {
            let words = self.context.words().then(rest).text(", as the contract reports").by([trace.event]);
            return self.clause(verb, words.done(), Proof::Reported);
        }
        let words = self.called().text(", which reports that ");
        let words = match doer {
            Some(doer) => words.party(doer),
            None => words.text("an unnamed account"),
        };
        let words = words.by([trace.event]).text(" ").text(verb.past).text(" ").then(rest);
        self.clause(verb::CALL, words.done(), Proof::Reported)
    }

    pub(super) fn is_sender(&self, account: &str) -> bool {
        self.message.text("sender").is_some_and(|sender| same_account(&sender, account))
    }

    /// Whether neither the bank nor any contract left an event. Any report may tell of a movement: the list of known
    /// actions is not complete.
    pub(super) fn is_silent(&self) -> bool {
        let is_bank = |event: &DecodedEvent| {
            BankEvent::of(event).and_then(|event| event.amount).is_some_and(|amount| !amount.is_empty())
        };
        let is_report = |event: &DecodedEvent| event.kind == WASM || event.kind.starts_with(CUSTOM);
        !self.seen.events.iter().any(|(_, event)| is_bank(event) || is_report(event))
    }

    /// Describes the attached call: ", which called bond there".
    pub(super) fn follow_up(&self) -> Option<String> {
        let inner = parsed(self.body.get("msg")?.as_str()?)?;
        // A message with several fields has no action name.
        let is_named = inner.len() == 1 && inner.values().all(Value::is_object);
        inner.into_iter().next().filter(|_| is_named).map(|(name, _)| name)
    }

    /// Describes a collection or token contract with its self-chosen name if known: "K (“Gull Council”)".
    pub(super) fn of_collection<'s, 'b>(
        &self,
        words: PhraseBuilder<'s, 'b>,
        contract: &str,
        name: Option<&str>,
    ) -> PhraseBuilder<'s, 'b> {
        let known = || contract.parse().ok().and_then(|address| self.context.glossary.collection_name(address));
        let words = words.party(contract);
        match name.or_else(|| known().map(AsRef::as_ref)) {
            Some(name) => words.text(" (").quote(name).text(")"),
            None => words,
        }
    }

    /// Returns the events of a coin's or contract token's movement from or to an account, with their weakest evidence.
    pub(super) fn shown(&self, coin: &Coin, account: &str, side: CoinSide) -> Option<(Proof, usize)> {
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
pub(super) enum CoinSide {
    Gave,
    Got,
}

/// Parses JSON in base64 or plain text.
pub(super) fn parsed(text: &str) -> Option<Map<String, Value>> {
    let bytes = BASE64_STANDARD.decode(text).unwrap_or_else(|_| text.as_bytes().to_vec());
    serde_json::from_slice(&bytes).ok()
}

/// Whether the chain attributed the event to this contract.
pub(super) fn is_of(event: &DecodedEvent, contract: &str) -> bool {
    event.text(keys::WASM_CONTRACT).is_some_and(|text| same_account(text, contract))
}

const UNREADABLE: &str = " with an unreadable amount";

/// Describes the requested funds: " with 1 INIT".
pub(super) fn asked_funds(context: &TxContext<'_>, message: MessageRef<'_>) -> Vec<Phrase> {
    let funds = message.coins("funds");
    if funds.len() < length(message, "funds") {
        return context.words().text(UNREADABLE).done();
    }
    context.words().text(" with ").coins(&funds).done()
}

/// Describes the sent funds: " with 1 INIT", as far as bank events show them; in a failed transaction, the requested
/// funds.
pub(super) fn funds(context: &TxContext<'_>, message: MessageRef<'_>, seen: &MessageEvents<'_>) -> Option<Vec<Phrase>> {
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
