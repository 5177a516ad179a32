//! The tracker, the demo wallet and the journal, through HTTP and with a stepped clock.

mod faults;
mod info;
mod kinds;
mod refusals;
mod restart;
mod strictness;

use std::{net::SocketAddr, time::Duration};

use rollscope::{
    demo::{ClockMode, Genesis, Rollup, RollupOptions, ledger::LedgerOptions},
    domain::{Timestamp, Vm},
};
use serde_json::{Value, json};

const L1: &str = "interwoven-1";
const USDC_ON_L1: &str = "ibc/6490A7EAB61059BFC1CDDEB05917DD70BDF3A611654162A1A47DB930D40D8AF4";
/// The EVM chain that takes the place of Ethereum.
const ETHEREUM: &str = "31337";
const USDC_ON_ETHEREUM: &str = "0x7700000000000000000000000000000000000201";
const EURC_ON_ETHEREUM: &str = "0x7700000000000000000000000000000000000202";

/// Steps after which a transfer must have ended.
const PATIENCE: usize = 500;

fn ledger(vm: Vm) -> LedgerOptions {
    LedgerOptions {
        vm,
        seed: 7,
        genesis_time: "2026-03-01T12:00:00Z".parse::<Timestamp>().expect("a time"),
        block_time: Duration::from_secs(1),
        accounts: 50,
    }
}

fn options(vm: Vm) -> RollupOptions {
    RollupOptions { clock: ClockMode::Stepped, history: 12, ..RollupOptions::new(ledger(vm)) }
}

/// A rollup with its router, and ways to ask it.
struct Demo {
    rollup: Rollup,
    client: reqwest::Client,
}

/// A transaction that was broadcast.
#[derive(Clone, Debug)]
struct Sent {
    chain_id: String,
    tx_hash: String,
}

/// What somebody wants to send.
#[derive(Clone, Debug, Default)]
struct PageEffect {
    from: (String, String),
    to: (String, String),
    amount: String,
    extra: Vec<(&'static str, Value)>,
}

impl Demo {
    fn start(vm: Vm) -> Self {
        Self::with(options(vm))
    }

    fn with(options: RollupOptions) -> Self {
        let rollup = Rollup::start(options, SocketAddr::from(([127, 0, 0, 1], 0))).expect("it starts");
        rollup.wait_until_indexed().expect("it indexes");
        let client =
            rollscope::client::http_client().no_proxy().timeout(Duration::from_secs(20)).build().expect("a client");
        Self { rollup, client }
    }

    fn url(&self, path: &str) -> String {
        format!("{}{path}", self.rollup.url())
    }

    async fn post(&self, path: &str, body: &Value) -> (u16, Value) {
        let request = self.client.post(self.url(path)).header("content-type", "application/json");
        self.answer(request.body(body.to_string())).await
    }

    async fn get(&self, path: &str) -> (u16, Value) {
        self.answer(self.client.get(self.url(path))).await
    }

    async fn answer(&self, request: reqwest::RequestBuilder) -> (u16, Value) {
        let response = request.send().await.expect("the server answers");
        let status = response.status().as_u16();
        let text = response.text().await.expect("a body");
        (status, serde_json::from_str(&text).unwrap_or(Value::String(text)))
    }

    /// An answer that must be 200.
    async fn good(&self, path: &str, body: &Value) -> Value {
        let (status, answer) = self.post(path, body).await;
        assert_eq!(status, 200, "{path}: {answer}");
        answer
    }

    async fn faults(&self, faults: Value) {
        let request = self.client.put(self.url("/demo/v1/faults")).header("content-type", "application/json");
        let (status, answer) = self.answer(request.body(faults.to_string())).await;
        assert_eq!(status, 200, "{answer}");
    }

    async fn chain_id(&self) -> String {
        self.get("/demo/v1").await.1["chain_id"].as_str().expect("a chain id").to_owned()
    }

    /// The denom of the first asset of a chain with this ticker and so many decimals.
    async fn denom(&self, chain: &str, symbol: &str, decimals: u8) -> String {
        let (_, answer) = self.get(&format!("/v2/fungible/assets?chain_ids={chain}")).await;
        let assets = answer["chain_to_assets_map"][chain]["assets"].as_array().expect("assets");
        let found = assets.iter().find(|asset| {
            asset["symbol"] == symbol && asset["decimals"].to_string().trim_matches('"') == decimals.to_string()
        });
        found.unwrap_or_else(|| panic!("{symbol} on {chain}"))["denom"].as_str().expect("a denom").to_owned()
    }

    async fn chains(&self) -> Vec<String> {
        let (_, answer) = self.get("/v2/info/chains").await;
        let chains = answer["chains"].as_array().expect("chains");
        chains.iter().filter_map(|chain| chain["chain_id"].as_str().map(str::to_owned)).collect()
    }

    async fn wallet(&self, chain: &str) -> String {
        let (_, demo) = self.get("/demo/v1").await;
        demo["wallet"]["addresses"][chain].as_str().unwrap_or_else(|| panic!("the wallet on {chain}")).to_owned()
    }

    async fn balance(&self, chain: &str, denom: &str) -> u128 {
        let (_, demo) = self.get("/demo/v1").await;
        demo["wallet"]["balances"][chain][denom].as_str().map_or(0, |text| text.parse().expect("an amount"))
    }

    /// Route, hook and messages, as a client asks for them.
    async fn msgs(&self, wish: &PageEffect) -> Value {
        let mut request = json!({
            "amount_in": wish.amount,
            "source_asset_chain_id": wish.from.0, "source_asset_denom": wish.from.1,
            "dest_asset_chain_id": wish.to.0, "dest_asset_denom": wish.to.1,
            "allow_unsafe": true,
        });
        for (name, value) in &wish.extra {
            request[*name] = value.clone();
        }
        let route = self.good("/v2/fungible/route", &request).await;
        let mut addresses = Vec::new();
        for chain in route["required_chain_addresses"].as_array().expect("chains") {
            addresses.push(self.wallet(chain.as_str().expect("an id")).await);
        }
        let mut body = json!({ "address_list": addresses, "slippage_tolerance_percent": "1" });
        let copied = [
            "amount_in",
            "amount_out",
            "source_asset_chain_id",
            "source_asset_denom",
            "dest_asset_chain_id",
            "dest_asset_denom",
            "operations",
            "estimated_amount_out",
        ];
        for name in copied {
            body[name] = route[name].clone();
        }
        if route["required_op_hook"] == true {
            let (from, to) = (&addresses[0], addresses.last().expect("a recipient"));
            let mut ask = json!({ "source_address": from, "dest_address": to });
            for name in copied.iter().filter(|name| name.contains("_asset_")) {
                ask[*name] = route[*name].clone();
            }
            let hook = self.good("/op-hook", &ask).await;
            body["signed_op_hook"] = self.good("/demo/v1/sign", &hook).await;
        }
        self.good("/v2/fungible/msgs", &body).await
    }

    async fn broadcast(&self, msgs: &Value, tx_index: u32) -> Sent {
        let sent = self.good("/demo/v1/broadcast", &json!({ "msgs": msgs, "tx_index": tx_index })).await;
        let text = |name: &str| sent[name].as_str().expect("a text").to_owned();
        Sent { chain_id: text("chain_id"), tx_hash: text("tx_hash") }
    }

    async fn send(&self, wish: &PageEffect) -> Sent {
        self.broadcast(&self.msgs(wish).await, 0).await
    }

    async fn track(&self, sent: &Sent) -> (u16, Value) {
        self.post("/v2/tx/track", &json!({ "tx_hash": sent.tx_hash, "chain_id": sent.chain_id })).await
    }

    async fn status(&self, sent: &Sent) -> (u16, Value) {
        self.get(&format!("/v2/tx/status?tx_hash={}&chain_id={}", sent.tx_hash, sent.chain_id)).await
    }

    /// Steps until the transaction can be tracked.
    async fn tracked(&self, sent: &Sent) {
        for _ in 0..PATIENCE {
            match self.track(sent).await {
                (200, _) => return,
                (404, answer) => assert_eq!(answer["code"].to_string(), "5"),
                other => panic!("{other:?}"),
            }
            self.rollup.step(1).expect("it steps");
        }
        panic!("it was never found");
    }

    /// Steps until the status says that it is over, and everything that was said until then.
    async fn watch(&self, sent: &Sent) -> Story {
        let mut story = Story::default();
        for _ in 0..PATIENCE {
            let (code, status) = self.status(sent).await;
            assert_eq!(code, 200, "{status}");
            story.note(&status);
            if matches!(status["status"].as_str(), Some("STATE_COMPLETED")) {
                self.check_txs(&status).await;
                return story;
            }
            self.rollup.step(1).expect("it steps");
        }
        panic!("it never ended: {story:?}");
    }

    /// Tracks and watches to the end.
    async fn follow(&self, sent: &Sent) -> Story {
        self.tracked(sent).await;
        self.watch(sent).await
    }

    /// Every transaction that a status names can be looked at where its link leads.
    async fn check_txs(&self, status: &Value) {
        let here = self.chain_id().await;
        let hops = status["transfer_sequence"].as_array().expect("hops");
        for tx in hops.iter().flat_map(txs) {
            let (chain, hash) = (tx["chain_id"].as_str().expect("a chain"), tx["tx_hash"].as_str().expect("a hash"));
            let link = tx["explorer_link"].as_str().expect("a link");
            let path = link.strip_prefix(&self.rollup.url()).expect("a link to this server");
            if chain == here {
                assert_eq!(path, format!("/indexer/tx/v1/txs/{hash}"));
            }
            let (code, answer) = self.get(path).await;
            assert_eq!(code, 200, "{path}: {answer}");
        }
    }
}

/// The transactions in the slots of a hop.
fn txs(hop: &Value) -> Vec<Value> {
    let inner = hop.as_object().and_then(|fields| fields.values().next()).expect("one key");
    let slots = inner.get("packet_txs").or_else(|| inner.get("txs")).and_then(Value::as_object).expect("slots");
    slots.values().filter(|slot| slot["tx_hash"].is_string()).cloned().collect()
}

/// What the status said, one after another without repetition.
#[derive(Clone, Debug, Default)]
struct Story {
    states: Vec<String>,
    hops: Vec<String>,
    blocking: Vec<String>,
    last: Value,
}

impl Story {
    fn note(&mut self, status: &Value) {
        let push = |list: &mut Vec<String>, text: String| {
            if list.last() != Some(&text) {
                list.push(text);
            }
        };
        assert_eq!(status["state"], status["transfers"][0]["state"]);
        push(&mut self.states, status["state"].as_str().expect("a state").to_owned());
        let state = |hop: &Value| {
            let inner = hop.as_object().and_then(|fields| fields.values().next()).expect("one key");
            inner["state"].as_str().expect("a hop's state").to_owned()
        };
        let hops = status["transfer_sequence"].as_array().expect("hops");
        push(&mut self.hops, hops.iter().map(state).collect::<Vec<_>>().join(" "));
        push(
            &mut self.blocking,
            status["next_blocking_transfer"]["transfer_sequence_index"].to_string().replace('"', ""),
        );
        self.last = status.clone();
    }

    fn release(&self) -> (&str, &str, &str, bool) {
        let release = &self.last["transfer_asset_release"];
        let text = |name: &str| release[name].as_str().unwrap_or_default();
        (text("chain_id"), text("denom"), text("amount"), release["released"] == true)
    }
}

fn wish(from: (&str, &str), to: (&str, &str), amount: &str) -> PageEffect {
    let owned = |(chain, denom): (&str, &str)| (chain.to_owned(), denom.to_owned());
    PageEffect { from: owned(from), to: owned(to), amount: amount.to_owned(), extra: Vec::new() }
}

impl PageEffect {
    fn with(mut self, name: &'static str, value: impl Into<Value>) -> Self {
        self.extra.push((name, value.into()));
        self
    }
}
