mod arguments;
mod bridge;
mod coins;
mod multisig;
mod nfts;
mod pools;

use serde_json::Value;

use super::{say::by_field, verb};
use crate::{
    domain::Address,
    story::{
        Phrase,
        move_events::MoveEvent,
        nft_moves::{narrow, padded, wide},
        scene::{Clause, Scene, Told, Verb},
    },
};
use arguments::Arguments;

/// Modules that a publication names at the most.
const MOST_MODULES: usize = 12;

/// A call of a function, as the families of functions see it.
struct Call<'a> {
    scene: &'a Scene<'a>,
    told: Told<'a>,
    module: String,
    function: String,
    arguments: Arguments<'a>,
}

/// What is said of a call: the verb as it is said of what happened and after "tried to", and what follows it.
type Deed = (Verb, Vec<Phrase>);

/// The messages of Move (`wire/story.md` §1.5).
pub(super) fn tell(scene: &Scene<'_>, told: Told<'_>) -> Option<Clause> {
    let name = told.kind.as_str().strip_prefix("initia.move.v1.Msg")?;
    Some(match name {
        "Execute" | "ExecuteJSON" => execute(scene, told, "sender"),
        "GovExecute" | "GovExecuteJSON" => as_another(scene, told, execute(scene, told, "authority")),
        "Script" | "ScriptJSON" => script(scene, told, "sender"),
        "GovScript" | "GovScriptJSON" => as_another(scene, told, script(scene, told, "authority")),
        "Publish" => publish(scene, told, "sender"),
        "GovPublish" => as_another(scene, told, publish(scene, told, "authority")),
        "UpdateParams" => {
            let rest = scene.words().text("the parameters of the Move module").done();
            by_field(scene, told, "authority", verb::CHANGE, rest)
        }
        _ if name.starts_with("Whitelist") || name.starts_with("Delist") => listing(scene, told, name),
        _ => return None,
    })
}

fn execute(scene: &Scene<'_>, told: Told<'_>, actor: &str) -> Clause {
    let (verbs, rest) = call(scene, told).unwrap_or_else(|| (verb::RUN, ran(scene, told)));
    by_field(scene, told, actor, verbs, rest)
}

/// What the standard library's known functions do.
fn call(scene: &Scene<'_>, told: Told<'_>) -> Option<Deed> {
    let address = told.text("module_address").and_then(|text| object(&text))?;
    if address != wide(Address::Short(one())) {
        return None;
    }
    let (module, function) = (told.text("module_name")?.into_owned(), told.text("function_name")?.into_owned());
    let call = Call { scene, told, module, function, arguments: Arguments::of(told) };
    match call.module.as_str() {
        "dex" | "stableswap" => pools::deed(&call),
        "coin" | "managed_coin" => coins::deed(&call),
        "object" | "simple_nft" | "initia_nft" | "soul_bound_token" => nfts::deed(&call),
        "multisig_v2" => multisig::deed(&call),
        "cosmos" => bridge::deed(&call),
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
fn ran(scene: &Scene<'_>, told: Told<'_>) -> Vec<Phrase> {
    let words = scene.words().code(function_name(told));
    let words = match scene.event_of(told, "execute") {
        Some((place, _)) => words.by([place]),
        None => words,
    };
    let mut rest = words.done();
    rest.extend(pools::aside(scene, told).or_else(|| nfts::aside(scene, told)).unwrap_or_default());
    rest
}

/// `{address}::{module}::{function}`, the address as Move writes it.
fn function_name(told: Told<'_>) -> String {
    let part = |name: &str| told.text(name).unwrap_or_default().into_owned();
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
fn as_another(scene: &Scene<'_>, told: Told<'_>, mut clause: Clause) -> Clause {
    if let Some(sender) = told.text("sender") {
        clause.rest.extend(scene.words().text(" as ").party(&sender).done());
    }
    clause
}

fn script(scene: &Scene<'_>, told: Told<'_>, actor: &str) -> Clause {
    let words = scene.words().text("a script");
    let words = match scene.event_of(told, "script") {
        Some((place, _)) => words.by([place]),
        None => words,
    };
    let mut rest = words.done();
    rest.extend(pools::aside(scene, told).or_else(|| nfts::aside(scene, told)).unwrap_or_default());
    by_field(scene, told, actor, verb::RUN, rest)
}

/// "published `0xabc::raffle` and `0xabc::shop`".
fn publish(scene: &Scene<'_>, told: Told<'_>, actor: &str) -> Clause {
    let published = scene.move_events(told, |tag| tag == "0x1::code::ModulePublishedEvent");
    let modules: Vec<(usize, String)> =
        published.iter().filter_map(|event| Some((event.place, event.text("module_id")?))).collect();
    let mut words = scene.words();
    if modules.is_empty() {
        let count = told.fields.get("code_bytes").and_then(Value::as_array).map_or(1, Vec::len);
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
    let policy = told.text("upgrade_policy");
    let is_final =
        policy.as_deref().is_some_and(|policy| matches!(policy, "IMMUTABLE" | "UPGRADE_POLICY_IMMUTABLE" | "2"));
    if is_final {
        words = words.text(", never to be changed again");
    }
    by_field(scene, told, actor, verb::PUBLISH, words.done())
}

/// Pools that may be staked.
fn listing(scene: &Scene<'_>, told: Told<'_>, name: &str) -> Clause {
    let verbs = if name.starts_with("Delist") { verb::REMOVE } else { verb::ADD };
    let list = if name.starts_with("Delist") { " from the staking list" } else { " to the staking list" };
    let words = scene.words();
    let words = match told.text("metadata_lp").and_then(|text| object(&text)) {
        Some(metadata) => words.text("the liquidity token ").word(scene.token_word(&metadata)),
        None => words.text("a liquidity token"),
    };
    let words = words.text(list);
    let words = match told.text("reward_weight") {
        Some(weight) if !name.starts_with("Delist") => words.text(format!(" with reward weight {weight}")),
        _ => words,
    };
    by_field(scene, told, "authority", verbs, words.done())
}

impl Call<'_> {
    /// The events of the call with this type.
    fn events(&self, tag: &str) -> Vec<MoveEvent> {
        self.scene.move_events(self.told, |found| found == tag)
    }

    /// The first event of the call with this type.
    fn event(&self, tag: &str) -> Option<MoveEvent> {
        self.events(tag).into_iter().next()
    }

    /// An account or object.
    fn party(&self, word: [u8; 32]) -> crate::story::Word {
        self.scene.account(narrow(word))
    }
}
