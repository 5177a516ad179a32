use serde_json::Value;

use super::{
    plain::called,
    run::{CallPhrase, EvmCall, EvmRun},
};
use crate::{
    domain::{Address, ContractRole, MsgType},
    events::{keys, names::ERC20_CREATED},
    story::{
        context::{MessageRef, proof::Proof},
        decode::DecodedEvent,
        words::sentence::{
            clauses::{MessageEvents, SentOutcome, actor},
            nested::InnerMessage,
            verb,
        },
    },
};

/// Describes calls of the chain's own contracts, known by address, and the creation of tokens.
pub(super) fn render(run: &EvmRun<'_, '_>, call: &EvmCall, signature: &str) -> Option<CallPhrase> {
    let (name, _) = signature.split_once('(')?;
    let role = run.context.glossary.role(call.to?);
    match name {
        "execute_cosmos" | "execute_cosmos_with_options" if role == Some(ContractRole::Cosmos) => execute(run, call),
        "disable_execute_cosmos" if role == Some(ContractRole::Cosmos) => {
            Some(CallPhrase::new(verb::CALL, called(run, call).text(", which holds for this call only"), Proof::Ran))
        }
        "register_erc20" | "register_erc20_from_factory" if role == Some(ContractRole::Erc20Registry) => {
            let token = if name == "register_erc20" { call.caller? } else { call.address(0)? };
            Some(registered(run, token))
        }
        "createERC20" | "createERC20WithSalt" => create_token(run, call),
        _ if is_view(name) && is_precompile(role) => {
            let words = run.words().code(name.to_owned()).text(" of ").word(run.target(call)).by(run.call_event(call));
            Some(CallPhrase::new(verb::READ, words.text(", which changes nothing"), Proof::Ran))
        }
        _ => None,
    }
}

/// Whether the callee is a precompile: the chain answers the call.
fn is_precompile(role: Option<ContractRole>) -> bool {
    use ContractRole::{Cosmos, Erc20Registry, JsonUtils};
    matches!(role, Some(Cosmos | Erc20Registry | JsonUtils))
}

fn registration<'s>(run: &EvmRun<'s, '_>, token: Address) -> Option<(usize, &'s DecodedEvent)> {
    MessageEvents::of(run.context, run.message).claim(ERC20_CREATED, |event| {
        event.get(keys::CONTRACT).is_some_and(|contract| contract.is_same_in_logs(&token))
    })
}

fn registered(run: &EvmRun<'_, '_>, token: Address) -> CallPhrase {
    let seen = registration(run, token);
    let words = run.words().word(run.context.contract(token)).by(seen.map(|(place, _)| place));
    let proof = if seen.is_some() { Proof::Shown } else { Proof::Absent };
    CallPhrase::new(verb::REGISTER, words.text(" as an ERC-20 token"), proof)
}

fn is_view(name: &str) -> bool {
    const VIEWS: [&str; 12] = [
        "is_authority_address",
        "is_blocked_address",
        "is_erc20_store_registered",
        "is_module_address",
        "merge_json",
        "query_cosmos",
        "stringify_json",
        "to_cosmos_address",
        "to_denom",
        "to_erc20",
        "to_evm_address",
        "computeERC20Address",
    ];
    VIEWS.contains(&name) || name.starts_with("unmarshal_")
}

/// Describes a Cosmos message run through `ICosmos` by its own events; if the chain reports its failure, only as a
/// request.
fn execute(run: &EvmRun<'_, '_>, call: &EvmCall) -> Option<CallPhrase> {
    let words = run.words().text("a Cosmos message").by(run.call_event(call));
    // A callback runs after the message's end, and may send messages itself.
    let calls_back = call
        .reading
        .value(2)
        .is_some_and(|options| options.fields().get(1).and_then(|id| id.value.number()).is_none_or(|id| !id.is_zero()));
    let is_only = call.depth == run.message.depth && run.message.has_own_events() && !calls_back;
    let outcome = MessageEvents::of(run.context, run.message).claim_sent(is_only);
    let fields = match serde_json::from_str(call.text(0)?) {
        Ok(Value::Object(fields)) if run.context.work.takes_nested(call.depth + 1) => fields,
        _ => {
            let words = words.text(" that rollscope cannot read").then(outcome.note(run.context, Proof::Absent));
            return Some(CallPhrase::new(verb::RUN, words, Proof::Ran));
        }
    };
    let kind = MsgType::new(fields.get("@type").and_then(Value::as_str).unwrap_or_default());
    let mut fields = fields;
    fields.shift_remove("@type");
    let outer = MessageRef { depth: call.depth, ..run.message };
    let mut clause = run.context.clause(outer.nested(&kind, &fields));
    clause.proof = outcome.limits(clause.proof);
    if !matches!(outcome, SentOutcome::Ran(_)) {
        // The outcome explains the missing event.
        clause.is_lacking = false;
    }
    let note = outcome.note(run.context, clause.proof);
    let proof = clause.proof.max(Proof::Ran);
    // The actor is known already unless the events name another.
    let is_own = clause.subject == actor(run.context, run.message, "sender") || clause.proof != Proof::Shown;
    let inner = if is_own || run.context.is_failed() { clause.effect(run.context) } else { clause.statement() };
    Some(CallPhrase::new(verb::RUN, words.text(": ").then(inner).then(note), proof))
}

/// Describes a Cosmos message that an unknown function takes as its one text: "had {contract} {message}". Only where
/// the contract signs the message and events show its effect, since the function is unknown.
pub(super) fn guessed(run: &EvmRun<'_, '_>, call: &EvmCall) -> Option<CallPhrase> {
    let text = call.text(0).filter(|_| call.reading.is_guess && run.context.work.takes_nested(call.depth + 1))?;
    let message = InnerMessage::of(&serde_json::from_str(text).ok()?)?;
    let signer: Address = message.signer()?.parse().ok()?;
    if run.context.is_failed() || !call.to?.is_same_in_logs(&signer) {
        return None;
    }
    let outcome = MessageEvents::of(run.context, run.message).claim_sent(false);
    let outer = MessageRef { depth: call.depth, ..run.message };
    let clause = run.context.clause(outer.nested(&message.kind, &message.fields));
    // The events may name another actor.
    let own = run.words().party(message.signer()?).done();
    let is_own = clause.subject.iter().map(|phrase| &phrase.word).eq(own.iter().map(|phrase| &phrase.word));
    let proof = if is_own { outcome.limits(clause.proof) } else { Proof::Absent };
    let words = run.words().word(run.target(call)).by(run.call_event(call)).text(" ").then(clause.infinitive());
    let words = words.text(" (").code(call.reading.title()).text(", its input read by shape)");
    (proof == Proof::Shown).then(|| CallPhrase::new(verb::HAVE, words, proof))
}

/// Describes "created token “{name}” (“{symbol}”, {n} decimals) at {address}", by the factory's log. The chain's own
/// event confirms the token but not its name: for an unknown factory that is only a report.
fn create_token(run: &EvmRun<'_, '_>, call: &EvmCall) -> Option<CallPhrase> {
    let words = run.words().text("token ").quote(call.text(0)?).text(" (").quote(call.text(1)?);
    let words = words.text(format!(", {} decimals)", call.number(2)?));
    let made = run.log_of(call.to, "ERC20Created(address,address)", |_| true);
    let made = made.and_then(|(seen, reading)| Some((seen, reading.value(0)?.address()?)));
    Some(match made {
        Some((seen, token)) => {
            let shown = registration(run, token).map(|(place, _)| place);
            let proof = run.standing(seen.contract);
            let words = words.text(" at ").word(run.context.contract(token)).by(shown.into_iter().chain([seen.event]));
            CallPhrase::new(verb::CREATE, words, proof)
        }
        None => CallPhrase::new(verb::CREATE, words, Proof::Absent),
    })
}
