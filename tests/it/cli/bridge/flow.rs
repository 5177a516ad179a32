//! The whole way against the embedded router: quote, sign, send, watch, each step reading what the one before wrote.

use std::time::{Duration, Instant};

use rollscope::{
    client::{ClientOptions, RouterClient},
    domain::ChainId,
    wire::router::Asset,
};
use serde_json::{Value, json};

use super::{file, parse, run};
use crate::cli::{embedded::Served, program::Home};

pub(super) const L1: &str = "interwoven-1";
pub(super) const ROLLUP: &str = "rollscope-evm-1";

/// What the server says of itself and of the assets on the rollup.
pub(super) struct World {
    pub(super) served: Served,
    pub(super) home: Home,
    info: Value,
    assets: Vec<Asset>,
}

impl World {
    /// A rollup whose withdrawals are final after a second.
    pub(super) fn start() -> Self {
        let served = Served::start("--history 20 --block-time 200ms --time-scale 604800");
        let runtime = tokio::runtime::Runtime::new().expect("a runtime can be built");
        let client = RouterClient::new(&served.url, ClientOptions::default()).expect("it is an address");
        let rollup = ChainId::new(ROLLUP);
        let (info, mut assets) = runtime.block_on(async {
            let info = client.demo().await.expect("it answers").expect("it has a wallet");
            (info, client.assets(std::slice::from_ref(&rollup)).await.expect("it answers"))
        });
        let info = serde_json::to_value(info).expect("it can be written");
        let assets = assets.chain_to_assets_map.remove(&rollup).expect("the rollup has assets").assets;
        Self { served, home: Home::empty(), info, assets }
    }

    /// INIT on the rollup with so many decimals: the bridge's own denom, or the wrapped one.
    pub(super) fn init(&self, decimals: u8) -> &str {
        let found = self.assets.iter().find(|asset| {
            asset.symbol.as_received() == "INIT"
                && asset.decimals == Some(decimals)
                && !asset.denom.as_str().starts_with("ibc/")
        });
        found.expect("the rollup has INIT").denom.as_str()
    }

    pub(super) fn address(&self, chain: &str) -> String {
        self.info["wallet"]["addresses"][chain].as_str().expect("the wallet has an address there").to_owned()
    }

    /// Runs a command; its output goes into a file of this name, whose path is returned with it.
    pub(super) fn ask(&self, name: &str, arguments: &str) -> (String, Value) {
        let out = self.home.run(&format!("{arguments} --indexer {0} --router {0}", self.served.url)).good();
        (file(&self.home, name, &out), parse(&out))
    }

    /// The addresses that a route needs, as arguments.
    fn addresses(&self, route: &Value) -> String {
        let chains = route["required_chain_addresses"].as_array().expect("a route needs addresses");
        let chains = chains.iter().filter_map(Value::as_str);
        chains.map(|chain| format!("--address {chain}={}", self.address(chain))).collect::<Vec<_>>().join(" ")
    }
}

impl World {
    /// Claims a withdrawal as soon as it is final; refused in words before.
    fn claim(&self, tx: &str) {
        let begun = Instant::now();
        loop {
            let claim = self.home.run(&format!("demo-claim {tx} --router {}", self.served.url));
            if claim.status == 0 {
                assert_eq!(parse(&claim.good())["chain_id"], L1);
                return;
            }
            assert!(begun.elapsed() < Duration::from_secs(240), "it is never final: {claim:?}");
            let sentence = claim.bad(1);
            assert!(sentence.contains("not final yet"), "{sentence}");
        }
    }
}

#[test]
fn a_withdrawal_is_followed_from_the_quote_to_its_end() {
    let world = World::start();
    let asset = world.init(6);
    let ends = format!("--from {ROLLUP}:{asset} --to {L1}:uinit --amount 1000000");
    let (file, route) = world.ask("route.json", &format!("route {ends} --op-withdraw true"));
    let addresses = world.addresses(&route);
    let folder = world.home.path().join("files");
    world.home.run(&format!(
        "msgs --route {file} {addresses} --unsigned {} --router {}",
        folder.display(),
        world.served.url
    ));
    let howto = std::fs::read_to_string(folder.join("HOWTO.txt")).unwrap();
    assert!(howto.contains(" gas, 1.4 times what the chain's simulation used."), "{howto}");
    assert!(howto.contains(&format!("HASH --router {}", world.served.url)), "{howto}");
    let (msgs, _) = world.ask("msgs.json", &format!("msgs --route {file} {addresses}"));
    let (_, sent) = world.ask("sent.json", &format!("demo-send --msgs {msgs}"));
    assert_eq!(sent["chain_id"], ROLLUP);
    let tx = format!("{ROLLUP} {}", sent["tx_hash"].as_str().unwrap());
    let again = world.home.run(&format!("demo-send --msgs {msgs} --router {}", world.served.url)).bad(1);
    assert!(again.contains(sent["tx_hash"].as_str().unwrap()), "it was sent already: {again}");
    world.ask("track.json", &format!("track {tx}"));
    world.claim(&tx);
    let out = world
        .home
        .run(&format!("transfer {tx} --route {file} --watch --indexer {0} --router {0}", world.served.url))
        .good();
    let last = out.lines().last().map(parse).unwrap();
    assert_eq!((&last["phase"], &last["next"]), (&json!("arrived"), &Value::Null), "{out}");
    let phases: Vec<String> = out.lines().map(|line| parse(line)["phase"].to_string()).collect();
    assert!(!phases.is_empty(), "each change is a line: {phases:?}");
}

#[test]
fn a_deposit_with_a_hook_is_signed_and_sent() {
    let world = World::start();
    let ends = format!("--from {L1}:uinit --to {ROLLUP}:{} --amount 1000000", world.init(18));
    let (route_file, route) = world.ask("route.json", &format!("route {ends}"));
    assert_eq!(route["required_op_hook"], true, "{route}");
    let from_to = format!("--from-address {} --to-address {}", world.address(L1), world.address(ROLLUP));
    let (hook, _) = world.ask("hook.json", &format!("op-hook --route {route_file} {from_to}"));
    let (signed, signature) = world.ask("signed.json", &format!("demo-sign --hook {hook}"));
    assert_eq!(signature["signer"], world.address(ROLLUP));
    let arguments = format!("msgs --route {route_file} {} --signed-op-hook {signed}", world.addresses(&route));
    let (msgs, messages) = world.ask("msgs.json", &arguments);
    assert!(messages.to_string().contains(signature["hook"].as_str().unwrap()), "the hook travels with the deposit");
    let (_, sent) = world.ask("sent.json", &format!("demo-send --msgs {msgs}"));
    let tx = format!("{L1} {}", sent["tx_hash"].as_str().unwrap());
    world.ask("track.json", &format!("track {tx}"));
    let look =
        format!("transfer {tx} --route {route_file} --format table --indexer {0} --router {0}", world.served.url);
    let table = world.home.run(&look).good();
    assert!(table.contains("OP bridge") && !table.to_lowercase().contains("arrived"), "{table}");
}

#[test]
fn the_embedded_router_of_one_command_quotes() {
    let ends = format!("--from {L1}:uinit --to celestia:utia --amount 1000000");
    let route = parse(&run(&format!("-n demo route {ends}")).good());
    assert_eq!((&route["amount_in"], &route["does_swap"]), (&json!("1000000"), &json!(true)));
    let sentence = run(&format!("-n demo route --from {L1}:unothing --to {L1}:uinit --amount 5")).bad(3);
    assert!(sentence.contains("unothing"), "{sentence}");
}
