//! What went wrong within a transaction that succeeded (`docs/apis/story.md` §2.2, §3, §4).

use std::fmt::Write;

use base64::{Engine, prelude::BASE64_STANDARD};
use serde_json::Value;

use super::{Case, Explanation, Reason, evm, movevm, quote, said, signing};
use crate::story::{
    DecodedEvent, EventPhase,
    context::TxContext,
    deposit_outcome::{DepositOutcome, DepositReading, DepositStage},
};

/// Problems that are told; a transaction with more says how many.
const MOST_TOLD: usize = 3;
/// The same that are gathered.
const MOST_FOUND: usize = 64;

/// A problem within a message.
struct Problem {
    name: &'static str,
    /// What follows "Message 1 completed with a problem: ", and whole sentences after it.
    told: String,
    events: Vec<usize>,
}

/// What of a transaction failed although it succeeded.
pub(super) fn problem(context: &TxContext<'_>) -> Option<Explanation> {
    let mut found: Vec<(usize, Problem)> = Vec::new();
    for (place, event) in context.decoded.events.iter().enumerate() {
        let EventPhase::Message(message) = event.phase else { continue };
        if !is_candidate(event) {
            continue;
        }
        if found.len() == MOST_FOUND || !context.work.takes_event() {
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
        write!(text, " There are {more} more problems of this kind.").unwrap_or_default();
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
        unrecorded: None,
    })
}

fn is_candidate(event: &DecodedEvent) -> bool {
    matches!(
        event.kind.as_str(),
        "finalize_token_deposit" | "write_acknowledgement" | "hook_failed" | "submsg" | "ibc_packet_received"
    )
}

fn of_event(context: &TxContext<'_>, message: usize, place: usize, event: &DecodedEvent) -> Option<Problem> {
    match event.kind.as_str() {
        "finalize_token_deposit" => deposit(context, message, place, event),
        "write_acknowledgement" => refused(context, message, place, event),
        "hook_failed" => Some(Problem {
            name: "hook failed",
            told: format!(
                "the call that was to follow the packet failed ({}); what the packet did itself stands.",
                reason_of(event).unwrap_or_else(|| "no reason is given".to_owned())
            ),
            events: vec![place],
        }),
        "submsg" if event.value("success") == Some("false") => Some(Problem {
            name: "message of a contract failed",
            told: match reason_of(event) {
                Some(reason) => format!("a Cosmos message that a contract sent failed ({reason}); the rest stands."),
                None => "a Cosmos message that a contract sent failed, without a reason; the rest stands.".to_owned(),
            },
            events: vec![place],
        }),
        _ => None,
    }
}

fn reason_of(event: &DecodedEvent) -> Option<String> {
    let text = ["error", "reason"].iter().find_map(|name| event.value(name).filter(|text| !text.is_empty()))?;
    Some(quote(text))
}

/// A deposit whose hook failed, or that could not be credited: what became of it its message's events tell.
fn deposit(context: &TxContext<'_>, message: usize, place: usize, event: &DecodedEvent) -> Option<Problem> {
    let events: Vec<_> = context.places.of(message, None).take_while(|_| context.work.takes_event()).collect();
    let read = DepositReading::of(&events, place)?;
    let party = |attribute: &str| {
        event.value(attribute).map_or_else(|| "somebody unnamed".to_owned(), |text| case(context, "").party(text))
    };
    let why = match read.stage {
        DepositStage::Hook => format!("the attached action{}", hook(context, read.reason)),
        DepositStage::Credit => format!("the deposit could not be credited ({})", quote(read.reason)),
        DepositStage::Unknown if read.reason.is_empty() => {
            "the deposit's event says that it failed, without a reason".to_owned()
        }
        DepositStage::Unknown => format!("the deposit's event says that it failed ({})", quote(read.reason)),
    };
    let (name, told, back) = match read.outcome {
        DepositOutcome::Credited | DepositOutcome::Unseen => return None,
        DepositOutcome::HookFailed => {
            ("hook failed", format!("{why}. The tokens stayed with {}.", party("recipient")), None)
        }
        DepositOutcome::Failed => {
            ("deposit not credited", format!("{why}. No event shows that anybody was credited."), None)
        }
        DepositOutcome::SentBack { withdrawal } => {
            let number = context.decoded.events.get(withdrawal).and_then(|event| event.value("l2_sequence"));
            let number = number.map(|number| format!(" #{}", said(number))).unwrap_or_default();
            let what = if read.stage == DepositStage::Credit { "was" } else { "the deposit was" };
            let told = format!("{why} and {what} sent back to {} as withdrawal{number}.", party("sender"));
            ("deposit sent back", told, Some(withdrawal))
        }
    };
    Some(Problem { name, told, events: std::iter::once(place).chain(back).collect() })
}

/// A text as the readers of logs take it.
fn case<'a>(context: &'a TxContext<'a>, log: &'a str) -> Case<'a> {
    Case { context, codespace: "undefined", code: 1, message: None, log }
}

/// Why a hook failed: " failed, because …". What the chain's own checks say comes first; all else is what was called.
fn hook(context: &TxContext<'_>, why: &str) -> String {
    if let Some((expected, given)) = why.strip_prefix("Failed to run AnteHandler: ").and_then(signing::mismatch) {
        let where_at = if given < expected { "already" } else { "only" };
        return format!(
            " failed, because the hook was signed for sequence {given} but the account was {where_at} at {expected}"
        );
    }
    let prefixes = ["Failed to execute Msg: ", "Failed to run message: "];
    let words = prefixes.into_iter().find_map(|prefix| why.strip_prefix(prefix)).unwrap_or(why);
    let case = case(context, words);
    if words.starts_with("VM ")
        && let Some(Reason { predicate, .. }) = movevm::stopped(&case).or_else(|| movevm::aborted(&case))
    {
        return predicate.to_string();
    }
    if let Some(reason) = words.strip_prefix("revert: ") {
        let reason = reason.strip_suffix(": Reverted").unwrap_or(reason);
        return format!(" was reverted: {}", evm::in_words(reason));
    }
    match why.trim() {
        "" => " failed, without a reason".to_owned(),
        why => format!(" failed: {}", quote(why)),
    }
}

/// A packet that was answered with an error: the tokens go back on the other chain.
fn refused(context: &TxContext<'_>, message: usize, place: usize, event: &DecodedEvent) -> Option<Problem> {
    let answer = match event.value("packet_ack").filter(|answer| !answer.is_empty()) {
        Some(answer) => answer.to_owned(),
        None => String::from_utf8(alloy_primitives::hex::decode(event.value("packet_ack_hex")?).ok()?).ok()?,
    };
    let error = answer_error(&answer)?;
    let packet = event.value("packet_sequence").map(|number| format!(" #{}", said(number))).unwrap_or_default();
    let cause = cause(context, message, place);
    let events = cause.iter().map(|(place, _)| *place).chain([place]).collect();
    let why = cause.map_or(error, |(_, why)| why);
    Some(Problem {
        name: "packet refused",
        told: format!(
            "packet{packet} was refused ({}); what it carried is to be given back on the other chain.",
            quote(&why)
        ),
        events,
    })
}

/// What the application's own event says of the refusal: the answer itself hides it.
fn cause(context: &TxContext<'_>, message: usize, until: usize) -> Option<(usize, String)> {
    let before = context.decoded.events.iter().enumerate().take(until);
    let mut own = before.rev().take_while(|(_, event)| event.phase == EventPhase::Message(message)).take(256);
    own.find_map(|(place, event)| {
        let is_cause = event.kind.ends_with("_packet") || event.kind == "ibc_packet_received";
        let error = event.value("error").or_else(|| event.value("ibccallbackerror-error"));
        error.filter(|error| is_cause && !error.is_empty()).map(|error| (place, error.to_owned()))
    })
}

/// The error that an acknowledgement holds, also where it is wrapped for relayer fees.
fn answer_error(answer: &str) -> Option<String> {
    let outer: Value = serde_json::from_str(answer).ok()?;
    let inner = outer.get("app_acknowledgement").and_then(Value::as_str);
    let inner = inner.and_then(|text| BASE64_STANDARD.decode(text).ok());
    let inner: Option<Value> = inner.and_then(|bytes| serde_json::from_slice(&bytes).ok());
    inner.as_ref().unwrap_or(&outer).get("error").and_then(Value::as_str).map(ToOwned::to_owned)
}
