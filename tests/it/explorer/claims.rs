//! `W` on a withdrawal that can be claimed, with everybody who has a say in it played over HTTP: the rollup's indexer,
//! a router that knows nothing, the executor that proves it, and the L1 that takes the claim. And their lies.

mod found;

use std::{
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, OnceLock},
    time::Duration,
};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use rollscope::{
    config::Network,
    domain::{ChainId, TransferRecord},
    store::{Store, StoreScope},
};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use tokio::{runtime::Runtime, sync::Notify};

use super::{
    first_lines::{event, folder, indexed},
    transfers::{hash, start},
};
use crate::{
    cli::chain::Chain,
    harness::{
        Explorer,
        replay::{Answer, Seen},
        settlement::proven_to,
    },
    signing_page::{
        visit::{Visit, address_on},
        wallet::TestKey,
    },
};

const ROLLUP: &str = "some-1";
const L1: &str = "interwoven-1";
const TXS: &str = "/rest/cosmos/tx/v1beta1/txs";
/// A period that is over, and one of an hour from the start.
const OVER: &str = "0s";
const AN_HOUR: &str = "3600s";

/// What everybody answers.
struct Facts {
    chain_id: &'static str,
    to: String,
    withdrawal: Value,
    output: Value,
    period: &'static str,
    is_claimed: bool,
    /// What the executor lists for every account, and the hashes that the L1 has paid.
    listed: Vec<Value>,
    paid: Vec<String>,
    /// What the executor answers, whatever it is asked.
    executor: Option<Answer>,
    /// Account for which alone the executor fails.
    failing: Option<String>,
    /// Held until the test says so.
    hold: Option<Arc<Notify>>,
    /// What the L1 says of what it is sent; 0 is yes.
    code: u32,
    /// What a simulation takes.
    gas: &'static str,
}

/// All of them behind one address, and a state file with the withdrawal.
struct World {
    facts: Arc<Mutex<Facts>>,
    server: Chain,
    key: TestKey,
    runtime: Runtime,
    folder: tempfile::TempDir,
}

fn absent() -> Answer {
    Answer::typed(404, "application/json", r#"{"code":5,"message":"not found","details":[]}"#)
}

fn answer(facts: &Facts, seen: &Seen, base: &str) -> Answer {
    let json = |value: Value| Answer::json(value.to_string());
    let path = seen.target.split('?').next().unwrap_or_default();
    match path {
        "/status" => json(json!({"version": "", "commit_hash": "", "chain_id": facts.chain_id, "height": 100})),
        "/v2/info/chains" => {
            let prices = json!([{"denom": "uusdc", "gas_price": {"average": "100"}}]);
            let chain = |(id, name): (&str, &str)| {
                json!({"chain_id": id, "chain_name": id, "pretty_name": name,
                "chain_type": "cosmos", "bech32_prefix": "init", "rest": format!("{base}/rest"), "rpc": "", "fee_assets": prices})
            };
            let all = [(ROLLUP, "Some"), (L1, "Initia")].map(chain);
            json(json!({"chains": all}))
        }
        "/v2/fungible/assets" => {
            let list = json!({"assets": [{"denom": "uinit", "chain_id": L1, "symbol": "INIT", "decimals": 6}]});
            json(json!({"chain_to_assets_map": {L1: list}}))
        }
        "/withdrawal/7" => facts.executor.clone().unwrap_or_else(|| json(facts.withdrawal.clone())),
        "/rest/opinit/ophost/v1/bridges/9" => json(json!({"bridge_config": {"finalization_period": facts.period}})),
        "/rest/opinit/ophost/v1/bridges/9/outputs/3" => json(facts.output.clone()),
        "/rest/opinit/ophost/v1/bridges/9/withdrawals/claimed/by_hash" => {
            let is_paid = |hash: &String| {
                seen.target.ends_with(&hash.replace('+', "%2B").replace('/', "%2F").replace('=', "%3D"))
            };
            json(json!({"claimed": facts.is_claimed || facts.paid.iter().any(is_paid)}))
        }
        "/rest/cosmos/base/node/v1beta1/config" => json(json!({"minimum_gas_price": "0.015uinit"})),
        "/rest/cosmos/tx/v1beta1/simulate" => json(json!({"gas_info": {"gas_used": facts.gas}})),
        TXS => {
            let answer = json(json!({"tx_response":
                {"txhash": hash_of(seen), "code": facts.code, "raw_log": if facts.code == 0 { "" } else { "already" }}}));
            match &facts.hold {
                Some(sign) => Answer::After(Arc::clone(sign), Box::new(answer)),
                None => answer,
            }
        }
        _ if facts.failing.as_ref().is_some_and(|account| path == format!("/withdrawals/{account}")) => {
            Answer::typed(500, "text/html", "<html>")
        }
        _ if path.starts_with("/withdrawals/") && !facts.listed.is_empty() => {
            facts.executor.clone().unwrap_or_else(|| json(json!({ "withdrawals": facts.listed })))
        }
        _ if path.starts_with("/rest/cosmos/auth/v1beta1/account_info/") => {
            json(json!({"info": {"account_number": "7", "sequence": "8"}}))
        }
        _ if path == format!("/indexer/tx/v1/txs/{}", hash(1)) => json(json!({"tx": begun(&facts.to)})),
        _ => absent(),
    }
}

/// The hash of what was sent.
fn hash_of(seen: &Seen) -> String {
    let body: Value = serde_json::from_str(&seen.body).unwrap_or_default();
    let raw = BASE64_STANDARD.decode(body["tx_bytes"].as_str().unwrap_or_default()).unwrap_or_default();
    alloy_primitives::hex::encode_upper(Sha256::digest(raw))
}

/// The transaction that began the withdrawal, as the rollup's index has it.
fn begun(to: &str) -> Value {
    let of = [
        ("from", "init1from"),
        ("to", to),
        ("denom", "l2/aa"),
        ("base_denom", "uinit"),
        ("amount", "500"),
        ("l2_sequence", "7"),
    ];
    let message = json!({"@type": "/opinit.opchild.v1.MsgInitiateTokenWithdrawal"});
    indexed(&hash(1), "2026-01-31T11:50:00Z", &message, &[event("initiate_token_withdrawal", &of)])
}

/// The withdrawal as it was begun from here.
fn record(me: &str) -> TransferRecord {
    let step = json!({"tx_index": 0, "amount_in": "500", "amount_out": "500", "op_init_transfer":
        {"from_chain_id": ROLLUP, "to_chain_id": L1, "denom_in": "l2/aa", "denom_out": "uinit", "bridge_id": "OPINIT"}});
    let route = json!({
        "amount_in": "500", "amount_out": "500", "source_asset_chain_id": ROLLUP, "source_asset_denom": "l2/aa",
        "dest_asset_chain_id": L1, "dest_asset_denom": "uinit", "operations": [step], "does_swap": false,
        "required_chain_addresses": [ROLLUP, L1], "chain_ids": [ROLLUP, L1], "txs_required": 1,
        "estimated_route_duration_seconds": 60,
    });
    let sent = hash(1).parse().unwrap_or_else(|error| panic!("a hash: {error}"));
    TransferRecord {
        route: Some(route.to_string().into()),
        addresses: vec!["init1from".to_owned(), me.to_owned()],
        ..TransferRecord::of_hash(ChainId::new(ROLLUP), &sent, start())
    }
}

impl World {
    fn new(seed: u8, period: &'static str) -> Self {
        let world = Self::without_transfers(seed, period);
        let me = world.key.bech32("init");
        world.store().save(&world.scope(), &record(&me)).unwrap_or_else(|error| panic!("it is kept: {error}"));
        world
    }

    fn without_transfers(seed: u8, period: &'static str) -> Self {
        let key = TestKey::new(seed);
        let me = key.bech32("init");
        let (withdrawal, output) = proven_to(&me);
        let facts = Facts {
            chain_id: ROLLUP,
            to: me.clone(),
            withdrawal,
            output,
            period,
            is_claimed: false,
            listed: Vec::new(),
            paid: Vec::new(),
            executor: None,
            failing: None,
            hold: None,
            code: 0,
            gas: "100001",
        };
        let (facts, url): (_, Arc<OnceLock<String>>) = (Arc::new(Mutex::new(facts)), Arc::default());
        let (known, base) = (Arc::clone(&facts), Arc::clone(&url));
        let server = Chain::scripted(move |seen| {
            let facts = known.lock().unwrap_or_else(|error| panic!("no handler panics: {error}"));
            answer(&facts, seen, base.get().map(String::as_str).unwrap_or_default())
        });
        drop(url.set(server.url().to_owned()));
        let runtime = Runtime::new().unwrap_or_else(|error| panic!("a runtime: {error}"));
        Self { facts, server, key, runtime, folder: folder() }
    }

    fn facts(&self) -> MutexGuard<'_, Facts> {
        self.facts.lock().unwrap_or_else(|error| panic!("no handler panics: {error}"))
    }

    fn state_file(&self) -> PathBuf {
        self.folder.path().join("state.sqlite")
    }

    fn store(&self) -> Store {
        Store::open(&self.state_file()).unwrap_or_else(|error| panic!("a state file: {error}"))
    }

    fn scope(&self) -> StoreScope {
        StoreScope::new(Network::unnamed(self.server.url().to_owned()).key())
    }

    /// What is kept of the withdrawal at this moment, as another program reads it.
    fn history(&self) -> Vec<String> {
        let kept = self.store().transfers(&self.scope()).unwrap_or_else(|error| panic!("it can be read: {error}"));
        let changes = kept.into_iter().flat_map(|record| record.changes);
        changes.map(|change| change.text.to_string()).filter(|text| text.starts_with("Claim ")).collect()
    }

    /// How often something was sent to the L1.
    fn sent(&self) -> usize {
        self.server.targets().iter().filter(|target| *target == TXS).count()
    }

    /// An explorer on the withdrawal's page.
    fn explorer(&self, has_executor: bool) -> Explorer {
        let explorer = self.overview(has_executor);
        explorer.settle().press("6 shift-tab enter");
        explorer
    }

    fn overview(&self, has_executor: bool) -> Explorer {
        let executor = has_executor.then(|| self.server.url().to_owned());
        let network = Network { name: "custom".to_owned(), executor, ..Network::default() };
        let builder = Explorer::builder().size(140, 50).at(start()).state_file(self.state_file()).network(network);
        builder.server(self.server.url()).start()
    }

    /// The page in the browser that the explorer waits with.
    fn visit(&self, explorer: &Explorer) -> Visit<'_> {
        explorer.wait_for("/sign/");
        Visit::opening(&self.runtime, &address_on(&explorer.screen()))
    }
}

#[test]
fn what_is_proven_is_shown_kept_before_it_is_sent_and_followed_to_its_end() {
    let world = World::new(81, OVER);
    let me = world.key.bech32("init");
    let explorer = world.explorer(true);
    explorer.wait_for("» claimable").wait_for("W next: claim with your own wallet; the recipient gets the funds");
    explorer.press(">").wait_for("W claims with your own wallet; the recipient gets the funds");
    explorer.press("W");
    let mut visit = world.visit(&explorer);
    let offer = visit.stage("offer");
    let words = "You claim 0.0005 INIT for yourself: withdrawal #7 of bridge 9";
    assert!(offer["words"].to_string().contains(words), "{offer}");
    explorer.wait_for("Claim in your browser").wait_for("Claim 0.0005 INIT").wait_for("for at most");
    explorer.press("W").wait_for("signing is in progress");
    // Neither the end nor another network is one key away from a signature.
    explorer.press("q").wait_for("your wallet has a transaction to sign; q again quits").press("x");
    explorer.press(":").paste("use demo").press("enter enter").wait_for("finish it before you change the network");
    explorer.press("q").wait_for("your wallet has a transaction to sign; q again quits").press("x");
    let document: Value = serde_json::from_str(offer["offer"]["text"].as_str().unwrap_or_default()).unwrap();
    let message = &document["msgs"][0]["value"];
    assert_eq!((&message["sender"], &message["to"], &message["sequence"]), (&json!(me), &json!(me), &json!("7")));

    let hold: Arc<Notify> = Arc::default();
    world.facts().hold = Some(Arc::clone(&hold));
    visit.sign(&offer, &world.key);
    explorer.wait_for("; broadcasting");
    let kept = world.history();
    assert!(kept.len() == 1 && kept[0].ends_with("on interwoven-1: signed; broadcasting"), "{kept:?}");
    hold.notify_one();
    explorer.wait_for("sent the claim ");
    let ended = visit.stage("ended");
    let claim = kept[0].split(' ').nth(1).unwrap_or_default();
    assert_eq!(ended["words"], format!("Sent: {claim}. The terminal follows the transaction."));
    explorer.press("W").wait_for(" sent 0 s ago: rollscope is checking the L1");
    world.facts().is_claimed = true;
    explorer.press("r").advance(Duration::from_secs(20));
    explorer.wait_for("✓ arrived").wait_for("output proposed 2026-01-31 12:00:00 UTC");
    explorer
        .wait_for("since 2026-01-31 12:00:00 UTC, by the L1")
        .press("G")
        .wait_for(&format!("Claim {claim} on interwoven-1: sent"));
    explorer.press("W").wait_for("you have no transaction to sign now");
    assert_eq!(world.sent(), 1);
    explorer.quit();
}

#[test]
fn the_wait_is_told_and_lies_of_executor_and_l1_are_never_signed() {
    let world = World::new(82, AN_HOUR);
    let explorer = world.explorer(true);
    explorer.wait_for("◔ finalizing").press("W");
    explorer.wait_for("claimable from 2026-01-31 13:00:00 UTC").advance(Duration::from_secs(3600));
    explorer.wait_for("» claimable");
    let (good, root) = {
        let facts = world.facts();
        (facts.withdrawal.clone(), facts.output.clone())
    };
    let refused = |words: &str| {
        explorer.press("W").wait_for(words).advance(Duration::from_secs(30)).settle();
        assert!(!explorer.screen().contains("/sign/"), "{}", explorer.screen());
        assert!(explorer.opened().is_empty(), "no page is opened");
    };
    // What was right when it was asked for last is not right any more: it is asked once more each time.
    let restored = || {
        let mut facts = world.facts();
        (facts.withdrawal, facts.output) = (good.clone(), root.clone());
        drop(facts);
        explorer.press("r").advance(Duration::from_secs(20)).wait_for("» claimable");
    };
    world.facts().withdrawal["withdrawal_proofs"] = json!([BASE64_STANDARD.encode([6; 32])]);
    refused("nothing to sign: Invalid executor proof: it does not lead from this withdrawal");
    restored();
    world.facts().output["output_proposal"]["output_root"] = json!(BASE64_STANDARD.encode([9; 32]));
    refused("nothing to sign: Invalid executor proof: the L1 has another root for output 3");
    restored();
    world.facts().withdrawal["to"] = json!("init1thief");
    refused("the executor returned another withdrawal; rollscope ignores it");
    restored();
    world.facts().executor = Some(Answer::typed(500, "text/html", "<html>"));
    refused("nothing was signed: ");
    world.facts().executor = None;
    restored();
    world.facts().is_claimed = true;
    refused("nothing to sign: The L1 confirms the claim: the recipient has the funds.");
    assert_eq!((world.sent(), world.history().len()), (0, 0));
    explorer.quit();
}

#[test]
fn without_an_executor_it_is_said_what_to_do() {
    let world = World::new(83, OVER);
    let explorer = world.explorer(false);
    explorer.advance(Duration::from_secs(3600)).wait_for("» claimable").press("W");
    explorer
        .wait_for("unknown executor: set executor for this network")
        .wait_for("rollscope claim with --executor URL");
    assert_eq!(world.sent(), 0);
    explorer.quit();
}

#[test]
fn what_is_taken_back_or_refused_can_be_claimed_again_and_files_are_for_who_signs_elsewhere() {
    let world = World::new(84, OVER);
    let explorer = world.explorer(true);
    explorer.wait_for("its proof is valid").press("e enter");
    let written = explorer.settle().written();
    let (_, unsigned) = written.iter().find(|(name, _)| name.ends_with("-claim.unsigned.json")).expect("the claim");
    let unsigned: Value = serde_json::from_str(unsigned).unwrap();
    let message = &unsigned["body"]["messages"][0];
    assert_eq!(message["@type"], "/opinit.ophost.v1.MsgFinalizeTokenWithdrawal");
    assert_eq!(message["withdrawal_proofs"], world.facts().withdrawal["withdrawal_proofs"]);
    let (_, howto) = written.iter().find(|(name, _)| name.ends_with("-HOWTO.txt")).expect("the commands");
    assert!(howto.contains("-claim.unsigned.json --from KEY") && howto.contains("against the L1 output"), "{howto}");

    explorer.press("W");
    let mut visit = world.visit(&explorer);
    visit.stage("offer");
    explorer.wait_for("Esc cancels").press("esc").wait_for("Cancelled: rollscope sent nothing.");
    assert_eq!(visit.stage("ended")["words"], "Cancelled in the terminal.");
    assert_eq!((world.sent(), world.history().len()), (0, 0));
    world.facts().code = 5;
    explorer.press("W");
    let mut visit = world.visit(&explorer);
    let offer = visit.stage("offer");
    visit.sign(&offer, &world.key);
    explorer.wait_for("the node says that it rejected ").wait_for("(code 5): already");
    let kept = world.history();
    assert!(kept.len() == 2 && kept[1].ends_with("rejected, according to the node"), "{kept:?}");
    world.facts().code = 0;
    explorer.press("W").wait_for("/sign/");
    explorer.quit();
}

#[test]
fn a_fee_far_above_what_the_l1_asks_for_needs_a_second_yes() {
    let world = World::new(86, OVER);
    world.facts().gas = "2000000";
    let explorer = world.explorer(true);
    explorer
        .wait_for("its proof is valid")
        .press("W")
        .wait_for("/sign/")
        .wait_for("over 5 times the usual 2400uinit")
        .wait_for("press a to continue, Esc to cancel");
    let mut visit = world.visit(&explorer);
    explorer.press("a");
    visit.stage("offer");
    explorer.wait_for("confirm in your wallet").press("esc").wait_for("Cancelled: rollscope sent nothing.");
    assert_eq!(world.sent(), 0);
    explorer.quit();
}

#[test]
fn a_chain_that_changes_under_it_closes_the_page_and_says_why() {
    let world = World::new(85, OVER);
    let explorer = world.explorer(true);
    explorer.wait_for("» claimable").press("W");
    let mut visit = world.visit(&explorer);
    let offer = visit.stage("offer");
    world.facts().chain_id = "other-1";
    explorer.advance(Duration::from_secs(6)).wait_for("This address now serves another chain: ");
    let ended = visit.stage("ended");
    let words = ended["words"].as_str().unwrap_or_default();
    assert!(words.starts_with("This address now serves another chain"), "{ended}");
    assert!(!explorer.screen().contains("Claim in your browser"), "{}", explorer.screen());
    explorer.press("G").wait_for("The chain changed: rollscope closed the browser page and sent nothing.");
    assert_eq!((offer["offer"]["purpose"].clone(), world.sent()), (json!("transaction"), 0));
    explorer.quit();
}
