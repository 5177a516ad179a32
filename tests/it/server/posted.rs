//! Transactions that somebody signs and posts to a node of the demo: taken where everything is right, carried to their
//! end, and refused in a node's words where something is wrong.

mod bridge;
mod claims;
mod ethereum;
mod evm_chain;
mod refusals;
mod signer;
mod taken;

use rollscope::{
    demo::{
        Rollup, RollupOptions,
        ledger::{RollupFacts, TokenOrigin, facts},
    },
    domain::{Denom, Vm},
};
use serde_json::{Value, json};

use self::signer::{Signer, TxDraft};
use super::client::{ANYWHERE, Server};
use crate::harness::chain_of;

/// The seed of [`chain_of`].
const SEED: u64 = 7;

const L1: &str = "interwoven-1";

/// A rollup with a signer who was given something everywhere.
struct Scene {
    server: Server,
    facts: RollupFacts,
    signer: Signer,
}

impl Scene {
    async fn of(vm: Vm, signer: Signer) -> Self {
        let mut options = chain_of(20);
        options.ledger.vm = vm;
        Self::with(options, signer).await
    }

    async fn with(options: RollupOptions, signer: Signer) -> Self {
        let vm = options.ledger.vm;
        let rollup = Rollup::start(options, ANYWHERE).expect("it starts");
        rollup.wait_until_indexed().expect("it indexes");
        let scene = Self { server: Server::of(rollup), facts: facts(vm, SEED), signer };
        let gift = scene.server.post("/demo/v1/fund", &json!({ "address": scene.signer.address() })).await.json();
        assert!(gift["given"].as_array().is_some_and(|given| given.len() >= 3), "{gift}");
        scene.step(4);
        scene
    }

    fn step(&self, blocks: u64) {
        self.server.rollup.step(blocks).expect("it makes blocks");
    }

    fn chain_id(&self) -> &'static str {
        self.facts.chain_id
    }

    fn fee_denom(&self) -> &str {
        self.facts.tokens[0].denom.as_str()
    }

    /// The L1's own token on the rollup.
    fn bridged(&self) -> Denom {
        let is_it = |origin| origin == TokenOrigin::Bridged { l1_denom: "uinit" };
        self.facts.tokens.iter().find(|token| is_it(token.origin)).expect("such a token").denom.clone()
    }

    /// Where the node of a chain is.
    fn node(&self, chain_id: &str) -> String {
        if chain_id == self.chain_id() { "/node".to_owned() } else { format!("/node/{chain_id}") }
    }

    async fn rest(&self, chain_id: &str, path: &str) -> Value {
        self.server.json(&format!("{}/rest{path}", self.node(chain_id))).await
    }

    /// Account number and sequence.
    async fn account(&self, chain_id: &str) -> (u64, u64) {
        let path = format!("/cosmos/auth/v1beta1/account_info/{}", self.signer.address());
        let info = &self.rest(chain_id, &path).await["info"];
        let number = |name: &str| info[name].as_str().and_then(|text| text.parse().ok()).expect("a number");
        (number("account_number"), number("sequence"))
    }

    async fn balance_of(&self, chain_id: &str, address: &str, denom: &str) -> u128 {
        let path = format!("/cosmos/bank/v1beta1/balances/{address}/by_denom?denom={}", denom.replace('/', "%2F"));
        let answer = self.rest(chain_id, &path).await;
        answer["balance"]["amount"].as_str().and_then(|text| text.parse().ok()).expect("an amount")
    }

    async fn balance(&self, chain_id: &str, denom: &str) -> u128 {
        self.balance_of(chain_id, &self.signer.address(), denom).await
    }

    /// A transaction of these messages with a fee that is enough.
    async fn draft(&self, chain_id: &str, messages: Vec<Value>) -> TxDraft {
        let (account, sequence) = self.account(chain_id).await;
        let gas = 800_000_u64;
        let is_rollup = chain_id == self.chain_id();
        let price = if is_rollup { self.facts.gas_price_milli } else { 15 };
        let denom = if is_rollup { self.fee_denom() } else { "uinit" };
        let fee = (u128::from(gas) * price).div_ceil(1_000);
        let (chain_id, denom) = (chain_id.to_owned(), denom.to_owned());
        TxDraft { chain_id, account, sequence, gas, fee, denom, memo: "a <b> & c".to_owned(), messages }
    }

    /// Posts bytes over REST: code, log and hash.
    async fn post(&self, chain_id: &str, raw: &[u8]) -> (u64, String, String) {
        let body = json!({ "tx_bytes": signer::base64(raw), "mode": "BROADCAST_MODE_SYNC" });
        let path = format!("{}/rest/cosmos/tx/v1beta1/txs", self.node(chain_id));
        let answer = self.server.post(&path, &body).await.json();
        let response = &answer["tx_response"];
        let text = |name: &str| response[name].as_str().expect("a text").to_owned();
        (response["code"].as_u64().expect("a code"), text("raw_log"), text("txhash"))
    }

    /// Posts what must be taken; its hash.
    async fn take(&self, chain_id: &str, raw: &[u8]) -> String {
        let (code, log, hash) = self.post(chain_id, raw).await;
        assert_eq!((code, log.as_str()), (0, ""));
        hash
    }

    /// A transaction as REST has it in a block.
    async fn tx(&self, chain_id: &str, hash: &str) -> Value {
        self.rest(chain_id, &format!("/cosmos/tx/v1beta1/txs/{hash}")).await
    }

    /// Tracks a withdrawal until it is final, and has the demo wallet claim it for whom it goes to.
    async fn claim(&self, chain_id: &str, hash: &str) {
        let asked = json!({ "chain_id": chain_id, "tx_hash": hash });
        self.server.post("/v2/tx/track", &asked).await.json();
        for _ in 0..200 {
            self.step(5);
            if self.server.post("/demo/v1/claim", &asked).await.status == 200 {
                return;
            }
        }
        panic!("it can never be claimed");
    }

    /// Tracks a transaction to its end; the last status.
    async fn follow(&self, chain_id: &str, hash: &str) -> Value {
        let asked = json!({ "chain_id": chain_id, "tx_hash": hash });
        self.server.post("/v2/tx/track", &asked).await.json();
        for _ in 0..200 {
            self.step(5);
            let status = self.server.json(&format!("/v2/tx/status?chain_id={chain_id}&tx_hash={hash}")).await;
            if status["state"].as_str().is_some_and(|state| state.starts_with("STATE_COMPLETED")) {
                return status;
            }
        }
        panic!("it never ends");
    }
}

/// A bank send as amino JSON has it, which is as proto JSON has it but for the type.
fn bank_send(from: &str, to: &str, denom: &str, amount: u128) -> Value {
    let coin = json!({ "denom": denom, "amount": amount.to_string() });
    json!({ "@type": "/cosmos.bank.v1beta1.MsgSend", "from_address": from, "to_address": to, "amount": [coin] })
}
