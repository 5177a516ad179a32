mod arguments;
mod bridge;
mod coins;
mod multisig;
mod nfts;
mod pools;

use crate::story::proof::Proof;
use serde_json::Value;

use super::{clauses::clause_by, verb};
use crate::{
    domain::Address,
    story::{
        Phrase,
        context::{Clause, MessageRef, TxContext, VerbPhrase},
        move_events::MoveEvent,
        nft_moves::{narrow, padded, wide},
    },
};
use arguments::MoveArguments;

/// Modules that a publication names at the most.
const MOST_MODULES: usize = 12;

/// A call of a function, as the families of functions see it.
struct MoveFunctionCall<'a> {
    context: &'a TxContext<'a>,
    message: MessageRef<'a>,
    module: String,
    function: String,
    arguments: MoveArguments<'a>,
}

/// The messages of Move (`docs/apis/story.md` §1.5).
pub(super) fn render(context: &TxContext<'_>, message: MessageRef<'_>) -> Option<Clause> {
    let name = message.kind.as_str().strip_prefix("initia.move.v1.Msg")?;
    Some(match name {
        "Execute" | "ExecuteJSON" => execute(context, message, "sender"),
        "GovExecute" | "GovExecuteJSON" => as_another(context, message, execute(context, message, "authority")),
        "Script" | "ScriptJSON" => script(context, message, "sender"),
        "GovScript" | "GovScriptJSON" => as_another(context, message, script(context, message, "authority")),
        "Publish" => publish(context, message, "sender"),
        "GovPublish" => as_another(context, message, publish(context, message, "authority")),
        "UpdateParams" => {
            let rest = context.words().text("the parameters of the Move module").done();
            clause_by(context, message, "authority", verb::CHANGE, rest, Proof::Unjudged)
        }
        _ if name.starts_with("Whitelist") || name.starts_with("Delist") => listing(context, message, name),
        _ => return None,
    })
}

fn execute(context: &TxContext<'_>, message: MessageRef<'_>, actor: &str) -> Clause {
    let (verbs, rest) = call(context, message).unwrap_or_else(|| (verb::RUN, ran(context, message)));
    clause_by(context, message, actor, verbs, rest, Proof::Unjudged)
}

/// What the standard library's known functions do.
fn call(context: &TxContext<'_>, message: MessageRef<'_>) -> Option<VerbPhrase> {
    let address = message.text("module_address").and_then(|text| object(&text))?;
    if address != wide(Address::Short(one())) {
        return None;
    }
    let (module, function) = (message.text("module_name")?.into_owned(), message.text("function_name")?.into_owned());
    let call = MoveFunctionCall { context, message, module, function, arguments: MoveArguments::of(message) };
    match call.module.as_str() {
        "dex" | "stableswap" => pools::verb_phrase(&call),
        "coin" | "managed_coin" => coins::verb_phrase(&call),
        "object" | "simple_nft" | "initia_nft" | "soul_bound_token" => nfts::verb_phrase(&call),
        "multisig_v2" => multisig::verb_phrase(&call),
        "cosmos" => bridge::verb_phrase(&call),
        _ => None,
    }
}

/// The address of the standard library.
fn one() -> [u8; 20] {
    let mut bytes = [0; 20];
    bytes[19] = 1;
    bytes
}

/// `0x1::dex::swap_script`, and what its events tell of NFTs and swaps.
fn ran(context: &TxContext<'_>, message: MessageRef<'_>) -> Vec<Phrase> {
    let words = context.words().code(function_name(message));
    let words = match context.event_of(message, "execute") {
        Some((place, _)) => words.by([place]),
        None => words,
    };
    let mut rest = words.done();
    rest.extend(pools::aside(context, message).or_else(|| nfts::aside(context, message)).unwrap_or_default());
    rest
}

/// `{address}::{module}::{function}`, the address as Move writes it.
fn function_name(message: MessageRef<'_>) -> String {
    let part = |name: &str| message.text(name).unwrap_or_default().into_owned();
    let address = part("module_address");
    let address = object(&address).map_or(address, |word| trimmed(&word));
    format!("{address}::{}::{}", part("module_name"), part("function_name"))
}

/// An address in either form, with the zeros before it.
fn object(text: &str) -> Option<[u8; 32]> {
    padded(text).or_else(|| text.parse().ok().map(wide))
}

/// An address as Move writes it: hex without zeros before.
fn trimmed(word: &[u8; 32]) -> String {
    let digits = alloy_primitives::hex::encode(word);
    let digits = digits.trim_start_matches('0');
    format!("0x{}", if digits.is_empty() { "0" } else { digits })
}

/// The same deed, done by the chain's authority in somebody's name.
fn as_another(context: &TxContext<'_>, message: MessageRef<'_>, mut clause: Clause) -> Clause {
    if let Some(sender) = message.text("sender") {
        clause.rest.extend(context.words().text(" as ").party(&sender).done());
    }
    clause
}

fn script(context: &TxContext<'_>, message: MessageRef<'_>, actor: &str) -> Clause {
    let words = context.words().text("a script");
    let words = match context.event_of(message, "script") {
        Some((place, _)) => words.by([place]),
        None => words,
    };
    let mut rest = words.done();
    rest.extend(pools::aside(context, message).or_else(|| nfts::aside(context, message)).unwrap_or_default());
    clause_by(context, message, actor, verb::RUN, rest, Proof::Unjudged)
}

/// "published `0xabc::raffle` and `0xabc::shop`".
fn publish(context: &TxContext<'_>, message: MessageRef<'_>, actor: &str) -> Clause {
    let published = context.move_events(message, |tag| tag == "0x1::code::ModulePublishedEvent");
    let modules: Vec<(usize, String)> =
        published.iter().filter_map(|event| Some((event.place, event.text("module_id")?))).collect();
    let mut words = context.words();
    if modules.is_empty() {
        let count = message.fields.get("code_bytes").and_then(Value::as_array).map_or(1, Vec::len);
        words = words.text(if count == 1 { "a module".to_owned() } else { format!("{count} modules") });
    }
    for (place, (event, name)) in modules.iter().enumerate().take(MOST_MODULES) {
        if place > 0 {
            words = words.text(if place + 1 == modules.len() { " and " } else { ", " });
        }
        words = words.code(name.as_str()).by([*event]);
    }
    if modules.len() > MOST_MODULES {
        words = words.text(format!(" and {} more", modules.len() - MOST_MODULES));
    }
    let policy = message.text("upgrade_policy");
    let is_final =
        policy.as_deref().is_some_and(|policy| matches!(policy, "IMMUTABLE" | "UPGRADE_POLICY_IMMUTABLE" | "2"));
    if is_final {
        words = words.text(", never to be changed again");
    }
    clause_by(context, message, actor, verb::PUBLISH, words.done(), Proof::Unjudged)
}

/// Pools that may be staked.
fn listing(context: &TxContext<'_>, message: MessageRef<'_>, name: &str) -> Clause {
    let verbs = if name.starts_with("Delist") { verb::REMOVE } else { verb::ADD };
    let list = if name.starts_with("Delist") { " from the staking list" } else { " to the staking list" };
    let words = context.words();
    let words = match message.text("metadata_lp").and_then(|text| object(&text)) {
        Some(metadata) => words.text("the liquidity token ").word(context.token_word(&metadata)),
        None => words.text("a liquidity token"),
    };
    let words = words.text(list);
    let words = match message.text("reward_weight") {
        Some(weight) if !name.starts_with("Delist") => words.text(format!(" with reward weight {weight}")),
        _ => words,
    };
    clause_by(context, message, "authority", verbs, words.done(), Proof::Unjudged)
}

impl MoveFunctionCall<'_> {
    /// The events of the call with this type.
    fn events(&self, tag: &str) -> Vec<MoveEvent> {
        self.context.move_events(self.message, |found| found == tag)
    }

    /// The first event of the call with this type.
    fn event(&self, tag: &str) -> Option<MoveEvent> {
        self.events(tag).into_iter().next()
    }

    fn party(&self, word: [u8; 32]) -> crate::story::Word {
        self.context.account(narrow(word))
    }
}
