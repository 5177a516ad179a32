pub(super) use coins::is_store_of;

mod arguments;
mod bridge;
mod call;
mod coins;
mod multisig;
mod nfts;
mod pools;

use serde_json::Value;

use self::{
    arguments::MoveArguments,
    call::{MoveFunctionCall, MoveRun, trimmed},
};
use super::{clauses::MessageEvents, nested::SentenceContext, verb};
use crate::{
    domain::Address,
    events::{
        keys,
        names::{EXECUTE, MESSAGE, SCRIPT, SUBMSG},
    },
    story::{
        context::{
            MessageRef, TxContext,
            proof::{Proof, TracePlace},
        },
        decode::DecodedEvent,
        move_events::MoveEvent,
        names::move_address::{any_form, wide},
        words::{
            clause::{Clause, VerbForms},
            phrase::Phrase,
        },
    },
};

/// Maximum modules of a publication named.
const MOST_MODULES: usize = 12;

/// Renders the messages of Move (`docs/apis/story.md` §1.5).
pub(super) fn render(context: &SentenceContext<'_>, message: MessageRef<'_>) -> Option<Clause> {
    let name = message.kind.as_str().strip_prefix("initia.move.v1.Msg")?;
    let run = |actor| MoveRun { context, message, actor, seen: MessageEvents::of(context, message) };
    Some(match name {
        "Execute" | "ExecuteJSON" => execute(&run("sender")),
        "GovExecute" | "GovExecuteJSON" => execute(&run("authority")),
        "Script" | "ScriptJSON" => script(&run("sender")),
        "GovScript" | "GovScriptJSON" => script(&run("authority")),
        "Publish" => publish(&run("sender")),
        "GovPublish" => publish(&run("authority")),
        "UpdateParams" => by_authority(&run("authority"), verb::CHANGE, |context| {
            context.words().text("the parameters of the Move module").done()
        }),
        _ if name.starts_with("Whitelist") || name.starts_with("Delist") => listing(&run("authority"), name),
        _ => return None,
    })
}

fn execute(run: &MoveRun<'_>) -> Clause {
    if let Some(clause) = call(run) {
        return clause;
    }
    let function = run.context.words().code(function_name(run.message));
    let function = function.by(run.seen.first(EXECUTE).map(|(place, _)| place)).done();
    ran(run, function)
}

/// Describes known functions of the standard library.
fn call(run: &MoveRun<'_>) -> Option<Clause> {
    let message = run.message;
    let address = message.text("module_address").and_then(|text| any_form(&text))?;
    if address != wide(Address::Short(one())) {
        return None;
    }
    let (module, function) = (message.text("module_name")?.into_owned(), message.text("function_name")?.into_owned());
    let call = MoveFunctionCall { run, context: run.context, module, function, arguments: MoveArguments::of(message) };
    match call.module.as_str() {
        "dex" | "stableswap" | "minitswap" => pools::clause(&call),
        "coin" | "managed_coin" => coins::clause(&call),
        "object" | "simple_nft" | "initia_nft" | "soul_bound_token" => nfts::clause(&call),
        "multisig_v2" => multisig::clause(&call),
        "cosmos" => bridge::clause(&call),
        _ => None,
    }
}

/// Returns the address of the standard library, `0x1`.
fn one() -> [u8; 20] {
    let mut bytes = [0; 20];
    bytes[19] = 1;
    bytes
}

/// Describes "ran `0xab::router::go`", with NFTs, swaps and failed inner messages from its events.
fn ran(run: &MoveRun<'_>, what: Vec<Phrase>) -> Clause {
    let mut rest = what;
    let aside = pools::aside(run).or_else(|| nfts::aside(run));
    let proof = if aside.is_some() { Proof::Shown } else { Proof::Ran };
    rest.extend(aside.unwrap_or_default());
    let mut failed = run.seen.places(SUBMSG, |event| event.get(keys::SUCCESS) == Some(false));
    // A message that Move code sent has its own event beside those of the messages that it sends.
    failed.retain(|place| run.context.claims.is_free(TracePlace::event(*place)));
    let words = match failed.len() {
        0 => return run.clause(verb::RUN, rest, proof),
        1 => "; one submessage failed".to_owned(),
        count => format!("; {count} submessages failed"),
    };
    rest.extend(run.context.words().text(words).by(failed).done());
    run.clause(verb::RUN, rest, proof)
}

/// Returns `{address}::{module}::{function}`, with the address as Move writes it.
fn function_name(message: MessageRef<'_>) -> String {
    let part = |name: &str| message.text(name).unwrap_or_default().into_owned();
    let address = part("module_address");
    let address = any_form(&address).map_or(address, |word| trimmed(&word));
    format!("{address}::{}::{}", part("module_name"), part("function_name"))
}

fn script(run: &MoveRun<'_>) -> Clause {
    let place = run.seen.first(SCRIPT).map(|(place, _)| place);
    ran(run, run.context.words().text("a script").by(place).done())
}

/// Describes "published `0xabc::raffle` and `0xabc::shop`".
fn publish(run: &MoveRun<'_>) -> Clause {
    let published = run.events(|tag| tag == "0x1::code::ModulePublishedEvent");
    let modules: Vec<(&MoveEvent, String)> =
        published.iter().filter_map(|event| Some((event, event.text("module_id")?))).collect();
    let mut words = run.context.words();
    if modules.is_empty() {
        let count = run.message.fields.get("code_bytes").and_then(Value::as_array).map_or(1, Vec::len);
        words = words.text(if count == 1 { "a module".to_owned() } else { format!("{count} modules") });
    }
    for (place, (event, name)) in modules.iter().enumerate().take(MOST_MODULES) {
        if place > 0 {
            words = words.text(if place + 1 == modules.len() { " and " } else { ", " });
        }
        words = words.code(name.as_str()).by([event.place]);
    }
    if modules.len() > MOST_MODULES {
        words = words.text(format!(" and {} more", modules.len() - MOST_MODULES));
    }
    // Old chains omit this value from the event, or count differently.
    let told = modules.first().and_then(|(event, _)| event.text("upgrade_policy"));
    let policy = told.filter(|policy| matches!(policy.as_str(), "1" | "2"));
    let policy = policy.or_else(|| run.message.text("upgrade_policy").map(Into::into));
    let is_final =
        policy.as_deref().is_some_and(|policy| matches!(policy, "IMMUTABLE" | "UPGRADE_POLICY_IMMUTABLE" | "2"));
    if is_final {
        words = words.text(", immutable from now on");
    }
    let proof = if modules.is_empty() { Proof::Absent } else { Proof::Shown };
    run.clause(verb::PUBLISH, words.done(), proof)
}

/// Describes a message whose only event is the chain's generic one, which nested messages lack: then only the execution
/// is certain.
fn by_authority(run: &MoveRun<'_>, verb: VerbForms, what: impl Fn(&TxContext<'_>) -> Vec<Phrase>) -> Clause {
    let (context, message) = (run.context, run.message);
    let is_own = |event: &DecodedEvent| {
        event.text(keys::ACTION).is_some_and(|action| action.trim_start_matches('/') == message.kind.as_str())
    };
    match run.seen.first_where(MESSAGE, is_own) {
        Some((place, _)) => run.clause(verb, context.words().then(what(context)).by([place]).done(), Proof::Shown),
        None if context.is_failed() => run.clause(verb, what(context), Proof::Ran),
        None => run.clause(verb::RUN, context.words().code(message.kind.short()).done(), Proof::Ran),
    }
}

fn listing(run: &MoveRun<'_>, name: &str) -> Clause {
    let is_removal = name.starts_with("Delist");
    by_authority(run, if is_removal { verb::REMOVE } else { verb::ADD }, |context| {
        let words = context.words();
        let words = match run.message.text("metadata_lp").and_then(|text| any_form(&text)) {
            Some(metadata) => words.text("the liquidity token ").word(context.token_word(&metadata)),
            None => words.text("a liquidity token"),
        };
        let words = words.text(if is_removal { " from the staking list" } else { " to the staking list" });
        match run.message.text("reward_weight").filter(|_| !is_removal) {
            Some(weight) => words.text(" with reward weight ").code(weight).done(),
            None => words.done(),
        }
    })
}
