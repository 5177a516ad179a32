//! Failures within a successful transaction (`docs/apis/story.md` §2.2, §3, §4).

use std::fmt::Write;

use base64::{Engine, prelude::BASE64_STANDARD};
use serde_json::Value;

use super::{
    Case, Explanation, evm, movevm,
    place::{FailedPart, PlacedError},
    quote, said, signing,
};
use crate::{
    domain::{Address, Vm, text},
    events::{
        EventClass, EventRecord,
        ibc::PacketStep,
        keys::{self, AttributeKey},
        names::{
            FUNGIBLE_TOKEN_PACKET, HOOK_FAILED, IBC_CALLBACK_ERROR, IBC_PACKET_RECEIVED, ICS27_PACKET,
            NON_FUNGIBLE_TOKEN_PACKET, SUBMSG,
        },
        opinit::BridgeStep,
    },
    story::{
        context::TxContext,
        decode::{DecodedEvent, EventPhase, signed::signed_messages},
        deposit_outcome::{DepositOutcome, DepositReading, DepositStage},
        packet::PacketData,
    },
};

/// Maximum problems in the explanation; it counts the rest.
const MOST_TOLD: usize = 3;
/// Maximum problems collected.
const MOST_FOUND: usize = 64;

struct Problem {
    name: &'static str,
    /// Text after "Message 1 completed with a problem: ", followed by whole sentences.
    told: String,
    events: Vec<usize>,
}

/// Explains the failed parts of a successful transaction.
pub(super) fn problem(context: &TxContext<'_>) -> Option<Explanation> {
    let mut found: Vec<(usize, Problem)> = Vec::new();
    let mut at_least = "";
    for (place, event) in context.decoded.events.iter().enumerate() {
        let EventPhase::Message(message) = event.phase else { continue };
        if !is_candidate(event) {
            continue;
        }
        if found.len() == MOST_FOUND || !context.work.takes_event() {
            at_least = "at least ";
            break;
        }
        found.extend(of_event(context, message, place, event).map(|problem| (message, problem)));
    }
    let (_, first) = found.first()?;
    let name = first.name.to_owned();
    let told = found.iter().take(MOST_TOLD).map(|(message, problem)| {
        format!("Message {} completed with a problem: {}", message.saturating_add(1), problem.told)
    });
    let mut text = told.collect::<Vec<_>>().join(" ");
    if let Some(more) = found.len().checked_sub(MOST_TOLD).filter(|more| *more > 0) {
        write!(text, " The transaction has {at_least}{}.", text::count(more, "more problem")).unwrap_or_default();
    }
    let events = found.iter().flat_map(|(_, problem)| problem.events.iter().copied()).collect();
    Some(Explanation {
        text,
        name,
        code: None,
        reason: String::new(),
        effect: None,
        is_partial: true,
        events,
        has_no_reason: false,
    })
}

fn is_candidate(event: &DecodedEvent) -> bool {
    match event.class() {
        EventClass::Bridge(BridgeStep::DepositFinalized) | EventClass::Packet(PacketStep::Answered) => true,
        _ => matches!(event.kind.as_str(), HOOK_FAILED | SUBMSG | IBC_PACKET_RECEIVED),
    }
}

fn of_event(context: &TxContext<'_>, message: usize, place: usize, event: &DecodedEvent) -> Option<Problem> {
    match (event.class(), event.kind.as_str()) {
        (EventClass::Bridge(_), _) => deposit(context, message, place, event),
        (EventClass::Packet(_), _) => refused(context, message, place, event),
        (_, HOOK_FAILED) => Some(Problem {
            name: "hook failed",
            told: format!(
                "the call after the packet failed ({}); the packet's own effects stand.",
                reason_of(event).unwrap_or_else(|| "no reason given".to_owned())
            ),
            events: vec![place],
        }),
        (_, SUBMSG) if event.get(keys::SUCCESS) == Some(false) => Some(Problem {
            name: "message of a contract failed",
            told: match reason_of(event) {
                Some(reason) => format!("a contract's Cosmos message failed ({reason}); the rest stands."),
                None => "a contract's Cosmos message failed without a reason; the rest stands.".to_owned(),
            },
            events: vec![place],
        }),
        _ => None,
    }
}

fn reason_of(event: &DecodedEvent) -> Option<String> {
    let text = [keys::ERROR, keys::REASON].iter().find_map(|key| event.text(*key).filter(|text| !text.is_empty()))?;
    Some(quote(text))
}

/// Explains a deposit whose hook or credit failed, with its outcome by the message's events.
fn deposit(context: &TxContext<'_>, message: usize, place: usize, event: &DecodedEvent) -> Option<Problem> {
    let events: Vec<_> = context.places.of(message, None).take_while(|_| context.work.takes_event()).collect();
    let read = DepositReading::of(&events, place)?;
    let party = |key: AttributeKey<Address>| {
        event.text(key).map_or_else(|| "an unknown account".to_owned(), |text| case(context, "").party(text))
    };
    let why = match read.stage {
        DepositStage::Hook => format!("the hook{}", hook(context, message, read.reason)),
        DepositStage::Credit => format!("the bridge could not credit the deposit ({})", quote(read.reason)),
        DepositStage::Unknown if read.reason.is_empty() => {
            "the deposit's event reports a failure without a reason".to_owned()
        }
        DepositStage::Unknown => format!("the deposit's event reports a failure ({})", quote(read.reason)),
    };
    let (name, told, back) = match read.outcome {
        DepositOutcome::Credited | DepositOutcome::Unseen => return None,
        DepositOutcome::HookFailed => {
            ("hook failed", format!("{why}. The tokens stayed with {}.", party(keys::RECIPIENT)), None)
        }
        DepositOutcome::Failed => ("deposit not credited", format!("{why}. No event shows a credit."), None),
        DepositOutcome::SentBack { withdrawal } => {
            let number = context.decoded.events.get(withdrawal).and_then(|event| event.text(keys::L2_SEQUENCE));
            let number = number.map(|number| format!(" #{}", said(number))).unwrap_or_default();
            let what = if read.stage == DepositStage::Credit { "was" } else { "the deposit was" };
            let told = format!("{why} and {what} sent back to {} as withdrawal{number}.", party(keys::SENDER));
            ("deposit sent back", told, Some(withdrawal))
        }
    };
    Some(Problem { name, told, events: std::iter::once(place).chain(back).collect() })
}

/// Wraps a text as input for the log readers.
fn case<'a>(context: &'a TxContext<'a>, log: &'a str) -> Case<'a> {
    let (part, has_start) = (FailedPart::Message, true);
    Case { context, codespace: "undefined", code: 1, message: None, part, log, has_start }
}

/// Explains a failed hook: " failed: …". The chain's checks come first; other errors are the call's.
fn hook(context: &TxContext<'_>, message: usize, why: &str) -> String {
    if let Some((expected, given)) = why.strip_prefix("Failed to run AnteHandler: ").and_then(signing::mismatch) {
        let where_at = if given < expected { "already" } else { "only" };
        return format!(" failed: its sequence is {given}, but the account was {where_at} at {expected}");
    }
    let prefixes = ["Failed to execute Msg: ", "Failed to run message: "];
    let error = prefixes.into_iter().find_map(|prefix| why.strip_prefix(prefix)).unwrap_or(why);
    let error = PlacedError::of(error, true).text.unwrap_or_default();
    let case = case(context, error);
    let reason = match hook_vm(context, message) {
        Some(Vm::Move) => movevm::stopped(&case).or_else(|| movevm::aborted(&case)),
        Some(Vm::Evm) => evm::reverting(evm::own_words(error)).map(|words| evm::reverted(&case, words)),
        Some(Vm::Wasm) | None => None,
    };
    match (reason, why.trim()) {
        (Some(reason), _) => reason.predicate.to_string(),
        (None, "") => " failed, without a reason".to_owned(),
        (None, why) => format!(" failed: {}", quote(why)),
    }
}

/// Returns the VM whose errors a hook can have: that of its only kind of calls, else the chain's. A Wasm contract
/// writes its errors itself, so they prove nothing of another VM.
fn hook_vm(context: &TxContext<'_>, message: usize) -> Option<Vm> {
    let data = context.decoded.messages.get(message)?.fields.get("data").and_then(Value::as_str);
    let attached = data.and_then(|data| signed_messages(data, context.work)).unwrap_or_default();
    let mut machines = attached.iter().filter_map(|(kind, _)| kind.vm());
    let shown = machines.next();
    if machines.any(|other| Some(other) != shown) { None } else { shown.or(context.glossary.vm) }
}

/// Explains a rejected packet: its tokens or NFTs return on the other chain.
fn refused(context: &TxContext<'_>, message: usize, place: usize, event: &DecodedEvent) -> Option<Problem> {
    let answer = match event.text(keys::PACKET_ACK).filter(|answer| !answer.is_empty()) {
        Some(answer) => answer.to_owned(),
        None => String::from_utf8(alloy_primitives::hex::decode(event.text(keys::PACKET_ACK_HEX)?).ok()?).ok()?,
    };
    let error = answer_error(&answer)?;
    let packet = event.text(keys::PACKET_SEQUENCE).map(|number| format!(" #{}", said(number))).unwrap_or_default();
    let cause = cause(context, message, place);
    let events = cause.iter().map(|(place, _)| *place).chain([place]).collect();
    let why = cause.map_or(error, |(_, why)| why);
    let back = if PacketData::of_event(event).has_assets() { "; the source chain must refund the sender" } else { "" };
    Some(Problem {
        name: "packet refused",
        told: format!("packet{packet} was refused ({}){back}.", quote(&why)),
        events,
    })
}

/// Returns the application's own reason for the rejection, which the acknowledgement hides.
fn cause(context: &TxContext<'_>, message: usize, until: usize) -> Option<(usize, String)> {
    let before = context.decoded.events.iter().enumerate().take(until);
    let mut own = before.rev().take_while(|(_, event)| event.phase == EventPhase::Message(message)).take(256);
    own.find_map(|(place, event)| {
        // Whole types: a contract's event can end in any word, but begins with the name of its machine.
        let kind = event.kind.strip_prefix(IBC_CALLBACK_ERROR).unwrap_or(&event.kind);
        let modules = [FUNGIBLE_TOKEN_PACKET, NON_FUNGIBLE_TOKEN_PACKET, ICS27_PACKET, IBC_PACKET_RECEIVED];
        let is_cause = modules.contains(&kind);
        let error = event.text(keys::ERROR).or_else(|| event.text(keys::CALLBACK_ERROR));
        error.filter(|error| is_cause && !error.is_empty()).map(|error| (place, error.to_owned()))
    })
}

/// Returns the error in an acknowledgement, also within an acknowledgement for relayer fees.
fn answer_error(answer: &str) -> Option<String> {
    let outer: Value = serde_json::from_str(answer).ok()?;
    let inner = outer.get("app_acknowledgement").and_then(Value::as_str);
    let inner = inner.and_then(|text| BASE64_STANDARD.decode(text).ok());
    let inner: Option<Value> = inner.and_then(|bytes| serde_json::from_slice(&bytes).ok());
    inner.as_ref().unwrap_or(&outer).get("error").and_then(Value::as_str).map(ToOwned::to_owned)
}
