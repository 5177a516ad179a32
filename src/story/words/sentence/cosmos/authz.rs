use serde_json::Value;

use crate::{
    domain::{MsgType, same_account, text::count_of},
    events::keys,
    story::{
        context::{MessageRef, TxContext, proof::Proof},
        words::{
            builder::PhraseBuilder,
            clause::{Clause, LACKS},
            phrase::{Phrase, Word},
            sentence::{
                clauses::{
                    MessageEvents, actor, clause_by, clause_with, moment, names, places_of, subject, told, unwrapped,
                },
                nested::{InnerMessage, SentenceContext, facts, weakest},
                verb,
            },
        },
    },
};

/// Describes "{grantee}, acting for {granter}: {effects}"; within another message "acted for {granter}: …".
pub(super) fn exec(context: &SentenceContext<'_>, message: MessageRef<'_>) -> Clause {
    let grantee = message.text("grantee").unwrap_or_default();
    let values = message.fields.get("msgs").and_then(Value::as_array);
    let mut clauses = Vec::new();
    let mut granters: Vec<Option<String>> = Vec::new();
    let count = values.map_or(0, Vec::len);
    for (number, value) in values.into_iter().flatten().enumerate() {
        if !context.work.takes_nested(message.depth) {
            break;
        }
        let Some(inner) = InnerMessage::of(value) else { continue };
        // At deeper nesting, events do not name their message.
        let authz = if message.depth == 0 { Some(number) } else { message.authz };
        let told = context.clause(MessageRef { authz, ..message }.nested(&inner.kind, &inner.fields));
        // The events determine the actor; without them the message does.
        let name = shown_actor(&told).or_else(|| inner.signer().map(ToOwned::to_owned));
        let whose = name.map(|name| Some(name).filter(|name| !same_account(name, &grantee)));
        if let Some(whose) = whose.filter(|whose| !granters.contains(whose)) {
            granters.push(whose);
        }
        clauses.push(told);
    }
    let unread = count - clauses.len();
    if message.depth > 0 {
        let within = weakest(&clauses);
        let mut rest = parties(context, &granters).text(": ").then(facts(clauses));
        if unread > 0 {
            rest = rest.text(format!("; and {unread} more"));
        }
        let acted = clause_by(context, message, "grantee", verb::ACT_FOR, rest.done(), Proof::Ran);
        return Clause { proof: Proof::Shown, within, ..acted };
    }
    if clauses.is_empty() {
        let rest = context.words().text(format!("{} for others", count_of(count, "message", "messages"))).done();
        return clause_by(context, message, "grantee", verb::RUN, rest, Proof::Ran);
    }
    let is_himself = matches!(granters.as_slice(), [None]);
    let mut subject = context.words();
    if !is_himself {
        subject = subject
            .then(actor(context, message, "grantee"))
            .text(", acting for ")
            .then(parties(context, &granters).done());
        subject = subject.text(if context.is_failed() { "," } else { ": " });
    }
    join(context, subject, clauses, unread)
}

/// Returns the actor by the events.
fn shown_actor(clause: &Clause) -> Option<String> {
    match clause.subject.as_slice() {
        [Phrase { word: Word::Account { address, .. }, .. }] if clause.proof == Proof::Shown => Some(address.bech32()),
        _ => None,
    }
}

/// Joins the clauses after the actor. A clause's words follow its own evidence; the first clause's follow the evidence
/// of all.
fn join<'s, 'a>(
    context: &'s TxContext<'a>,
    subject: PhraseBuilder<'s, 'a>,
    clauses: Vec<Clause>,
    unread: usize,
) -> Clause {
    let within = weakest(&clauses);
    let is_noise = clauses.iter().all(|clause| clause.is_noise);
    let mut clauses = clauses.into_iter();
    let Some(first) = clauses.next() else {
        return Clause::new(subject.done(), verb::RUN, Vec::new(), Proof::Ran);
    };
    let is_alone = clauses.len() == 0 && unread == 0;
    let mut rest = first.rest;
    if first.is_lacking && !is_alone {
        rest.extend(context.words().text(LACKS).done());
    }
    for other in clauses {
        let joined = if context.is_failed() {
            context.words().text("; to ").then(other.infinitive())
        } else {
            context.words().text("; ").then(other.statement())
        };
        rest.extend(joined.done());
    }
    if unread > 0 {
        rest.extend(context.words().text(format!("; and {unread} more")).done());
    }
    let mut subject = subject.done();
    if !context.is_failed() || subject.is_empty() {
        subject.extend(first.subject);
    }
    let is_lacking = first.is_lacking && is_alone;
    Clause { subject, verb: first.verb, rest, proof: first.proof, within, is_lacking, is_noise }
}

/// Lists accounts; the actor is "itself".
fn parties<'s, 'a>(context: &'s TxContext<'a>, accounts: &[Option<String>]) -> PhraseBuilder<'s, 'a> {
    if accounts.is_empty() {
        return context.words().text("others");
    }
    accounts.iter().enumerate().fold(context.words(), |words, (place, account)| {
        let words = if place > 0 { words.text(" and ") } else { words };
        match account {
            Some(account) => words.party(account),
            None => words.text("itself"),
        }
    })
}

/// Returns granter, grantee and message type in the event, with its index.
fn granted(context: &TxContext<'_>, message: MessageRef<'_>, kind: &str) -> GrantEvent {
    let (from, to) = (message.text("granter").unwrap_or_default(), message.text("grantee").unwrap_or_default());
    let event = MessageEvents::of(context, message)
        .claim_or_only(kind, |event| names(event, keys::GRANTER, &from) && names(event, keys::GRANTEE, &to));
    GrantEvent {
        granter: told(event, keys::GRANTER, Some(from)),
        grantee: told(event, keys::GRANTEE, Some(to)),
        message: event.and_then(|(_, event)| event.text(keys::MESSAGE_TYPE)).map(unwrapped),
        places: places_of(event),
    }
}

struct GrantEvent {
    granter: String,
    grantee: String,
    message: Option<String>,
    places: Vec<usize>,
}

/// Describes "{granter} authorized {grantee} to {what} until {when} (authz grant)".
pub(super) fn grant(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    let event = granted(context, message, "cosmos.authz.v1beta1.EventGrant");
    let grant = message.fields.get("grant");
    let places = || event.places.iter().copied();
    let rest = context.words().party(&event.grantee).by(places()).text(" to ");
    let authorization = grant.and_then(|grant| grant.get("authorization")).and_then(InnerMessage::of);
    let mut rest = match (&authorization, &event.message) {
        (Some(authorization), message) => allowed(rest, authorization, message.as_deref()).by(places()),
        (None, Some(message)) => right_to(rest, message).by(places()),
        (None, None) => rest.text("act for it"),
    };
    if let Some(end) = grant.and_then(|grant| grant.get("expiration")).and_then(Value::as_str) {
        rest = rest.text(format!(" until {}", moment(end)));
    }
    let who = subject(context, message, "granter", &event.granter);
    let clause = clause_with(context, who, verb::AUTHORIZE, rest.text(" (authz grant)"), &event.places);
    // The event shows the grant but not its target accounts, which only the message names.
    let is_named = |phrase: &Phrase| match phrase.word {
        Word::Account { address, .. } => context.is_named(message, address),
        _ => true,
    };
    let within = if clause.rest.iter().all(is_named) { clause.within } else { clause.within.min(Proof::Ran) };
    Clause { within, ..clause }
}

/// Describes the granted right. For a generic authorization the event names the message type.
fn allowed<'s, 'a>(
    words: PhraseBuilder<'s, 'a>,
    authorization: &InnerMessage,
    message: Option<&str>,
) -> PhraseBuilder<'s, 'a> {
    let text = |name: &str| authorization.fields.get(name).and_then(Value::as_str);
    let list =
        |name: &str| authorization.fields.get(name).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    // An event about another module's messages is not the requested grant.
    if let Some(other) = message.filter(|message| !is_for(authorization.kind.short(), message)) {
        return right_to(words, other);
    }
    match authorization.kind.short() {
        "GenericAuthorization" => right_to(words, message.or_else(|| text("msg")).unwrap_or_default()),
        "SendAuthorization" => {
            let words = match list("spend_limit") {
                [] => words.text("send coins without limit"),
                _ => words.text("send up to ").amounts(authorization.fields.get("spend_limit")),
            };
            let names: Vec<&str> = list("allow_list").iter().filter_map(Value::as_str).collect();
            match names.as_slice() {
                [] => words,
                [only] => words.text(" to ").party(only),
                many => words.text(format!(" to {} named accounts", many.len())),
            }
        }
        "StakeAuthorization" => {
            let verb_phrase = match text("authorization_type").unwrap_or_default() {
                kind if kind.ends_with("UNDELEGATE") => "unstake",
                kind if kind.ends_with("REDELEGATE") => "move the stake of",
                _ => "stake",
            };
            // Initia stakes several denoms and has a list here.
            let most = authorization.fields.get("max_tokens");
            match most.filter(|most| !most.is_null() && most.as_array().is_none_or(|list| !list.is_empty())) {
                None => words.text(verb_phrase).text(" coins without limit"),
                limit => words.text(verb_phrase).text(" up to ").amounts(limit),
            }
        }
        "TransferAuthorization" => allocations(words, list("allocations")),
        "ContractExecutionAuthorization" | "ContractMigrationAuthorization" => contracts(words, list("grants")),
        "ExecuteAuthorization" => {
            let names: Vec<String> = list("items").iter().filter_map(module_of).collect();
            if names.is_empty() {
                words.text("run functions of Move")
            } else {
                words.text("run functions of ").listed(&names)
            }
        }
        "PublishAuthorization" => words.text("publish modules ").listed(&names_of(list("module_names"))),
        other => words.text("do what its ").code(other).text(" allows"),
    }
}

/// Whether this type of authorization applies to that message type.
fn is_for(authorization: &str, message: &str) -> bool {
    let module = match authorization {
        "SendAuthorization" => ".bank.",
        "StakeAuthorization" => "staking.",
        "TransferAuthorization" => ".transfer.",
        "ContractExecutionAuthorization" | "ContractMigrationAuthorization" => ".wasm.",
        "ExecuteAuthorization" | "PublishAuthorization" => ".move.",
        _ => return true,
    };
    message.contains(module)
}

fn names_of(values: &[Value]) -> Vec<String> {
    values.iter().filter_map(Value::as_str).map(ToOwned::to_owned).collect()
}

fn module_of(item: &Value) -> Option<String> {
    let text = |name: &str| item.get(name).and_then(Value::as_str);
    Some(format!("{}::{}", text("module_address")?, text("module_name")?))
}

/// Lists the transferable amounts and their channels.
fn allocations<'s, 'a>(mut words: PhraseBuilder<'s, 'a>, items: &[Value]) -> PhraseBuilder<'s, 'a> {
    for (place, item) in items.iter().enumerate() {
        let channel = item.get("source_channel").and_then(Value::as_str).unwrap_or_default();
        words = words.text(if place == 0 { "send up to " } else { " and up to " }).amounts(item.get("spend_limit"));
        words = words.text(" over ").plain(channel);
    }
    if items.is_empty() { words.text("send coins over IBC") } else { words }
}

fn contracts<'s, 'a>(words: PhraseBuilder<'s, 'a>, items: &[Value]) -> PhraseBuilder<'s, 'a> {
    let contracts: Vec<&str> = items.iter().filter_map(|item| item.get("contract")?.as_str()).collect();
    match contracts.as_slice() {
        [only] => words.text("call ").party(only),
        many => words.text(format!("call {}", count_of(many.len(), "contract", "contracts"))),
    }
}

/// Describes a message type as a right: "send coins", "run `MsgSwap`".
fn right_to<'s, 'a>(words: PhraseBuilder<'s, 'a>, message: &str) -> PhraseBuilder<'s, 'a> {
    match message {
        "/cosmos.bank.v1beta1.MsgSend" => words.text("send coins"),
        "/cosmos.gov.v1.MsgVote" | "/cosmos.gov.v1beta1.MsgVote" | "/initia.gov.v1.MsgVote" => words.text("vote"),
        "/opinit.opchild.v1.MsgUpdateOracle" => words.text("update oracle prices"),
        "" => words.text("act for it"),
        other => {
            // An unknown module may have a message with a well-known name.
            const KNOWN: [&str; 7] = ["cosmos.", "ibc.", "initia.", "opinit.", "minievm.", "miniwasm.", "cosmwasm."];
            let kind = MsgType::new(other);
            let is_known = KNOWN.iter().any(|prefix| kind.as_str().starts_with(prefix));
            words.text("run ").code(if is_known { kind.short() } else { kind.as_str() })
        }
    }
}

/// Describes "{granter} revoked {grantee}'s authz grant to {what}".
pub(super) fn revoke(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    let event = granted(context, message, "cosmos.authz.v1beta1.EventRevoke");
    let what = event.message.clone().or_else(|| message.text("msg_type_url").map(std::borrow::Cow::into_owned));
    let rest = context.words().party(&event.grantee).by(event.places.iter().copied()).text("'s authz grant to ");
    let rest = right_to(rest, &what.unwrap_or_default()).by(event.places.iter().copied());
    clause_with(context, subject(context, message, "granter", &event.granter), verb::REVOKE, rest, &event.places)
}
