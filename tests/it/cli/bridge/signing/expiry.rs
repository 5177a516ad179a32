//! Until when a signed transaction can be included, and what proves that nothing was spent.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use rollscope::domain::Timestamp;
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use super::{
    AtNode, Signing, TestKey, World,
    hook::{sign_next, until_ended},
    node_answer, own_networks, parse,
};
use crate::{
    cli::{
        bridge::{Chain, file},
        program::Home,
    },
    harness::replay::{Answer, Seen},
    signing_page::access::Visitor,
};

const BLOCKS: &str = "/rest/cosmos/base/tendermint/v1beta1/blocks/";

/// A node that the settings name, on a chain of this height and pace; its account's sequence can move.
struct NamedNode {
    height: AtomicU64,
    sequence: AtomicU64,
    /// Time of the block at height 3125.
    at: Timestamp,
}

impl NamedNode {
    fn new() -> Arc<Self> {
        Arc::new(Self { height: AtomicU64::new(3125), sequence: AtomicU64::new(8), at: Timestamp::now() })
    }

    fn answer(&self, seen: &Seen, pace: u64) -> Answer {
        let json = |value: &Value| Answer::json(value.to_string());
        let newest = self.height.load(Ordering::Acquire);
        if let Some(name) = seen.target.strip_prefix(BLOCKS) {
            let height = name.parse().unwrap_or(newest);
            let at = self.at.before(Duration::from_secs(3125_u64.saturating_sub(height) * pace));
            let header = json!({"chain_id": "civitia-1", "height": height.to_string(), "time": at.to_string()});
            return json(&json!({"block_id": {"hash": ""}, "block": {"header": header}}));
        }
        if seen.target.starts_with("/rest/cosmos/auth/v1beta1/account_info/") {
            let sequence = self.sequence.load(Ordering::Acquire).to_string();
            return json(&json!({"info": {"account_number": "7", "sequence": sequence}}));
        }
        node_answer(seen, &AtNode::Refuses)
    }
}

/// The line about the expiry, with a named node of this pace in seconds.
fn told(pace: u64) -> String {
    let node = NamedNode::new();
    let node = Chain::scripted(move |seen| node.answer(seen, pace));
    let mut world = World::new(&TestKey::new(51), AtNode::Takes);
    name_node(&mut world, &node);
    let mut signing = world.start();
    let told = signing.hear("Expires   ");
    signing.kill();
    told
}

fn name_node(world: &mut World, node: &Chain) {
    let named = format!("[[networks]]\nname = \"civitia\"\nnode = \"{0}/rpc\"\nrest = \"{0}/rest\"\n", node.url());
    world.home = Home::with_config(&(own_networks("") + &named));
    let route = file(&world.home, "route.json", &super::fixture("route-op-withdraw-composed"));
    let rest = world.arguments.split_once(" --address").map(|(_, rest)| rest.to_owned()).unwrap_or_default();
    world.arguments = format!("msgs --route {route} --address{rest}");
}

#[test]
fn a_signature_holds_for_ten_minutes_by_a_named_node_and_for_ever_by_the_routers() {
    let (second, minute) = (told(1), told(60));
    assert!(second.starts_with("at block 3725, about 20") && second.ends_with(" UTC"), "{second}");
    assert!(minute.starts_with("at block 3175, about 20"), "fifty blocks at least: {minute}");
    let world = World::new(&TestKey::new(51), AtNode::Takes);
    let mut signing = world.start();
    // The settings name an indexer, which does not answer; the router's node would.
    assert_eq!(signing.hear("Expires   "), "never: no trusted server of civitia-1 reports its height");
    signing.kill();
}

#[test]
fn nothing_was_spent_once_the_height_has_passed_and_the_sequence_has_not_moved() {
    let key = TestKey::new(52);
    let state = NamedNode::new();
    let own = Arc::clone(&state);
    let node = Chain::scripted(move |seen| own.answer(seen, 1));
    let mut world = World::new(&key, AtNode::Refuses);
    name_node(&mut world, &node);
    let mut signing = world.start();
    let address = signing.hear("one-time address in your browser to sign: ").trim().to_owned();
    let runtime = Runtime::new().unwrap();
    let document = runtime.block_on(async {
        let visitor = Visitor::opening(&address).await;
        let mut seen = 0;
        let document = sign_next(&visitor, &mut seen, &key).await;
        until_ended(&visitor, seen).await;
        document
    });
    let height = document["timeout_height"].as_str().unwrap().to_owned();
    assert_eq!(height, "3725");
    let (status, _, err) = signing.end();
    assert_eq!(status, Some(1));
    assert!(err.contains("the node says that it rejected ") && !err.contains("nothing spent"), "{err}");
    let kept = world.kept();
    let terms = kept[0].txs[0].terms.clone().expect("what proves it later");
    assert!(!kept[0].is_over && terms.timeout_height == 3725 && terms.sequence == 8, "{kept:?}");
    let follow = |at: u64, sequence: u64| {
        state.height.store(at, Ordering::Release);
        state.sequence.store(sequence, Ordering::Release);
        let arguments =
            format!("transfer {} {} --tries 1 --router {}", kept[0].id.chain_id, kept[0].id.hash, world.chain.url());
        Signing::start(&world.home, &arguments).end()
    };
    for (at, sequence, what) in [
        (3725, 8, "the height is not passed"),
        (3725, 9, "the sequence moved before the height passed"),
        (3726, 9, "something was spent"),
    ] {
        let (_, out, err) = follow(at, sequence);
        assert!(!format!("{out}{err}").contains("Nothing was spent"), "{what}: {out}{err}");
        let moved = format!("The account's sequence is 9 already, by its node at block {at}");
        assert_eq!(format!("{out}{err}").contains(&moved), sequence == 9, "{what}: {out}{err}");
    }
    let (_, out, err) = follow(3726, 8);
    assert!(format!("{out}{err}").contains("Nothing was spent: block 3725 passed"), "{out}{err}");
    assert_eq!(parse(&out)["evidence"]["source"], "expired", "{out}");
}
