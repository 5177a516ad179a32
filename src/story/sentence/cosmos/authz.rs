use crate::story::proof::Proof;
use serde_json::{Map, Value};

use crate::{
    domain::{Coin, MsgType, text::count_of},
    story::{
        Phrase,
        context::{Clause, MessageRef, PhraseBuilder, TxContext, coin_of},
        sentence::{
            clause,
            clauses::{MessageEvents, actor, clause_by, moment, row},
            statement, verb,
        },
    },
};

/// A message within another, taken out of its JSON.
pub(in crate::story) struct InnerMessage {
    pub(in crate::story) kind: MsgType,
    /// Its fields, without `@type`.
    pub(in crate::story) fields: Map<String, Value>,
}

impl InnerMessage {
    /// Reads an `Any` as a record writes it.
    pub(in crate::story) fn of(value: &Value) -> Option<Self> {
        let mut fields = value.as_object()?.clone();
        let kind = MsgType::new(fields.shift_remove("@type")?.as_str()?);
        Some(Self { kind, fields })
    }

    /// The account whose message it is.
    fn signer(&self) -> Option<&str> {
        const SIGNERS: [&str; 9] = [
            "from_address",
            "sender",
            "signer",
            "authority",
            "granter",
            "delegator_address",
            "voter",
            "proposer",
            "owner",
        ];
        SIGNERS.iter().find_map(|name| self.fields.get(*name)?.as_str())
    }
}

/// "{grantee}, acting for {granter}: {what was done}". Within another message: "acted for {granter}: …".
pub(super) fn exec(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    let grantee = message.text("grantee").unwrap_or_default();
    let values = message.fields.get("msgs").and_then(Value::as_array);
    let mut clauses = Vec::new();
    let mut granters: Vec<String> = Vec::new();
    let count = values.map_or(0, Vec::len);
    for (number, value) in values.into_iter().flatten().enumerate() {
        if !context.work.takes_nested(message.depth) {
            break;
        }
        let Some(inner) = InnerMessage::of(value) else { continue };
        if let Some(signer) = inner.signer().filter(|signer| !granters.iter().any(|known| known == signer)) {
            granters.push(signer.to_owned());
        }
        // Messages within another do not say which one of them an event is of.
        let authz = if message.depth == 0 { Some(number) } else { message.authz };
        let child = MessageRef {
            place: message.place,
            authz,
            depth: message.depth + 1,
            kind: &inner.kind,
            fields: &inner.fields,
        };
        clauses.push(clause(context, child));
    }
    let unread = count - clauses.len();
    if message.depth > 0 {
        let mut rest = parties(context, &granters).text(": ").then(facts(clauses));
        if unread > 0 {
            rest = rest.text(format!("; and {unread} more"));
        }
        return clause_by(context, message, "grantee", verb::ACT_FOR, rest.done(), Proof::Unjudged);
    }
    if clauses.is_empty() {
        let rest = context.words().text(format!("{} for others", count_of(count, "message", "messages"))).done();
        return clause_by(context, message, "grantee", verb::RUN, rest, Proof::Unjudged);
    }
    let is_himself = matches!(granters.as_slice(), [only] if *only == grantee);
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

/// The clauses as one, behind whoever acts.
fn join<'s, 'a>(
    context: &'s TxContext<'a>,
    subject: PhraseBuilder<'s, 'a>,
    clauses: Vec<Clause>,
    unread: usize,
) -> Clause {
    let mut clauses = clauses.into_iter();
    let Some(first) = clauses.next() else {
        return Clause::new(subject.done(), verb::RUN, Vec::new(), Proof::Unjudged);
    };
    let mut is_noise = first.is_noise;
    let mut proof = first.proof;
    let mut rest = first.rest;
    for other in clauses {
        is_noise &= other.is_noise;
        proof = proof.min(other.proof);
        let joined = if context.is_failed() {
            context.words().text("; to ").text(other.verb.base).text(" ").then(other.rest)
        } else {
            context.words().text("; ").then(statement(other))
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
    Clause { subject, verb: first.verb, rest, proof, is_noise }
}

/// What clauses say, one after another.
pub(in crate::story::sentence) fn facts(clauses: Vec<Clause>) -> Vec<Phrase> {
    let mut phrases = Vec::new();
    for (place, clause) in clauses.into_iter().enumerate() {
        if place > 0 {
            phrases.push(Phrase { word: crate::story::Word::Text("; ".into()), events: Vec::new() });
        }
        let mut message = statement(clause);
        if let Some(Phrase { word: crate::story::Word::Text(text), .. }) = message.first_mut() {
            *text = within(text).into();
        }
        phrases.extend(message);
    }
    phrases
}

/// Words that began a sentence, where they do not: "Fee pool" as "fee pool", but "NFT" as it is.
fn within(text: &str) -> String {
    let mut letters = text.chars();
    match (letters.next(), letters.clone().next()) {
        (Some(first), Some('a'..='z')) => first.to_lowercase().chain(letters).collect(),
        _ => text.to_owned(),
    }
}

fn parties<'s, 'a>(context: &'s TxContext<'a>, accounts: &[String]) -> PhraseBuilder<'s, 'a> {
    if accounts.is_empty() {
        return context.words().text("others");
    }
    accounts.iter().enumerate().fold(context.words(), |words, (place, account)| {
        let words = if place > 0 { words.text(" and ") } else { words };
        words.party(account)
    })
}

/// "{granter} allowed {grantee} to {what} until {when}".
pub(super) fn grant(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    let places = MessageEvents::of(context, message).places("cosmos.authz.v1beta1.EventGrant", |_| true);
    let grant = message.fields.get("grant");
    let grantee = message.text("grantee").unwrap_or_default();
    let rest = context.words().party(&grantee).by(places.iter().copied()).text(" to ");
    let authorization = grant.and_then(|grant| grant.get("authorization")).and_then(InnerMessage::of);
    let mut rest = match &authorization {
        Some(authorization) => allowed(context, rest, authorization).by(places),
        None => rest.text("act for it").by(places),
    };
    if let Some(end) = grant.and_then(|grant| grant.get("expiration")).and_then(Value::as_str) {
        rest = rest.text(format!(" until {}", moment(end)));
    }
    clause_by(context, message, "granter", verb::ALLOW, rest.done(), Proof::Unjudged)
}

fn allowed<'s, 'a>(
    context: &'s TxContext<'a>,
    words: PhraseBuilder<'s, 'a>,
    authorization: &InnerMessage,
) -> PhraseBuilder<'s, 'a> {
    let text = |name: &str| authorization.fields.get(name).and_then(Value::as_str);
    let list =
        |name: &str| authorization.fields.get(name).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let coins = |name: &str| list(name).iter().filter_map(coin_of).collect::<Vec<Coin>>();
    match authorization.kind.short() {
        "GenericAuthorization" => right_to(words, text("msg").unwrap_or_default()),
        "SendAuthorization" => {
            let words = match coins("spend_limit") {
                none if none.is_empty() => words.text("send coins without limit"),
                limit => words.text("send up to ").coins(&limit),
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
            let most = authorization.fields.get("max_tokens");
            // Initia stakes several denoms and has a list here.
            let most: Vec<Coin> = match most {
                Some(Value::Array(items)) => items.iter().filter_map(coin_of).collect(),
                other => other.and_then(coin_of).into_iter().collect(),
            };
            match most.as_slice() {
                [] => words.text(verb_phrase).text(" coins without limit"),
                limit => words.text(verb_phrase).text(" up to ").coins(limit),
            }
        }
        "TransferAuthorization" => allocations(words, list("allocations")),
        "ContractExecutionAuthorization" | "ContractMigrationAuthorization" => contracts(words, list("grants")),
        "ExecuteAuthorization" => {
            let names: Vec<String> = list("items").iter().filter_map(module_of).collect();
            if names.is_empty() {
                words.text("run functions of Move")
            } else {
                words.text("run functions of ").code(row(&names))
            }
        }
        "PublishAuthorization" => words.text("publish modules ").code(names_of(list("module_names"))),
        other => {
            let _ = context;
            words.text("do what its ").code(other).text(" allows")
        }
    }
}

fn names_of(values: &[Value]) -> String {
    row(&values.iter().filter_map(Value::as_str).map(ToOwned::to_owned).collect::<Vec<_>>())
}

fn module_of(item: &Value) -> Option<String> {
    let text = |name: &str| item.get(name).and_then(Value::as_str);
    Some(format!("{}::{}", text("module_address")?, text("module_name")?))
}

/// What may be sent over which channels.
fn allocations<'s, 'a>(mut words: PhraseBuilder<'s, 'a>, items: &[Value]) -> PhraseBuilder<'s, 'a> {
    for (place, item) in items.iter().enumerate() {
        let limit: Vec<Coin> =
            item.get("spend_limit").and_then(Value::as_array).into_iter().flatten().filter_map(coin_of).collect();
        let channel = item.get("source_channel").and_then(Value::as_str).unwrap_or_default();
        words = words.text(if place == 0 { "send up to " } else { " and up to " }).coins(&limit);
        words = words.text(format!(" over {channel}"));
    }
    if items.is_empty() { words.text("send coins over IBC") } else { words }
}

/// Which contracts may be called.
fn contracts<'s, 'a>(words: PhraseBuilder<'s, 'a>, items: &[Value]) -> PhraseBuilder<'s, 'a> {
    let contracts: Vec<&str> = items.iter().filter_map(|item| item.get("contract")?.as_str()).collect();
    match contracts.as_slice() {
        [only] => words.text("call ").party(only),
        many => words.text(format!("call {}", count_of(many.len(), "contract", "contracts"))),
    }
}

/// What a message's type stands for as a right: "send coins", "run `MsgSwap`".
fn right_to<'s, 'a>(words: PhraseBuilder<'s, 'a>, message: &str) -> PhraseBuilder<'s, 'a> {
    match message {
        "/cosmos.bank.v1beta1.MsgSend" => words.text("send coins"),
        "/cosmos.gov.v1.MsgVote" | "/cosmos.gov.v1beta1.MsgVote" | "/initia.gov.v1.MsgVote" => words.text("vote"),
        "/opinit.opchild.v1.MsgUpdateOracle" => words.text("update oracle prices"),
        "" => words.text("act for it"),
        other => words.text("run ").code(MsgType::new(other).short()),
    }
}

/// "{granter} took back {grantee}'s right to {what}".
pub(super) fn revoke(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    let places = MessageEvents::of(context, message).places("cosmos.authz.v1beta1.EventRevoke", |_| true);
    let grantee = message.text("grantee").unwrap_or_default();
    let rest = context.words().party(&grantee).by(places.iter().copied()).text("'s right to ");
    let rest = right_to(rest, &message.text("msg_type_url").unwrap_or_default()).by(places);
    clause_by(context, message, "granter", verb::TAKE_BACK, rest.done(), Proof::Unjudged)
}
