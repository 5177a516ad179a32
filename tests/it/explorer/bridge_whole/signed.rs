//! Transfers that a wallet in the browser signs: by keys in the explorer, with a test's key behind the page.

mod played;

use std::time::Duration;

use rollscope::{
    config::{NamedAccount, Network},
    demo::RollupOptions,
    domain::{ContractRole, Timestamp, TransferRecord},
    store::{Store, StoreScope},
};
use serde_json::json;
use tokio::runtime::Runtime;

use super::{COLUMNS, DEPOSIT, PLAIN, Way, fill_in, walk};
use crate::{
    harness::{Explorer, StartedRollup, chain_of, rollup_due, rollup_of},
    signing_page::{
        browser::Browser,
        visit::{Visit, address_on},
        wallet::{SCRIPT, TestKey},
    },
};

const PLAIN_DEPOSIT: Way = Way { to: ("MiniEvm", PLAIN), ..DEPOSIT };
const WALLET: &str = "Test Wallet";
const PATIENCE: Duration = Duration::from_secs(120);

/// An explorer of the embedded world, where the key's account has coins and all addresses of a route are its own.
struct World {
    explorer: Explorer,
    /// Where indexer and router are asked.
    url: String,
    runtime: Runtime,
    key: TestKey,
    folder: tempfile::TempDir,
}

impl World {
    fn new(seed: u8) -> Self {
        Self::of(seed, true, true)
    }

    /// With a network whose settings know the rollup's bridge and its wrapper, or not.
    fn of(seed: u8, knows_bridge: bool, knows_wrapper: bool) -> Self {
        let options = Self::options();
        let now = rollup_due(&options);
        Self::start(seed, Self::network(knows_bridge, knows_wrapper), (rollup_of(options), now), None)
    }

    fn options() -> RollupOptions {
        RollupOptions { time_scale: 20_000, ..chain_of(30) }
    }

    fn network(knows_bridge: bool, knows_wrapper: bool) -> Network {
        let options = Self::options();
        let facts = rollscope::demo::ledger::facts(options.ledger.vm, options.ledger.seed);
        let wrapper = NamedAccount {
            address: facts.wrapper.unwrap_or_else(|| panic!("it has a wrapper")),
            name: "ERC20 wrapper".to_owned(),
            role: Some(ContractRole::Wrapper),
        };
        let bridge_id = Some(facts.bridge_id).filter(|_| knows_bridge);
        let accounts = if knows_wrapper { vec![wrapper] } else { Vec::new() };
        Network { name: "custom".to_owned(), accounts, bridge_id, ..Network::default() }
    }

    /// On a rollup and the time that it is there; asked at another address, where one is given.
    fn start(seed: u8, network: Network, (rollup, now): (StartedRollup, Timestamp), asked_at: Option<&str>) -> Self {
        let folder = tempfile::tempdir().unwrap_or_else(|error| panic!("a folder: {error}"));
        let builder = Explorer::builder().size(COLUMNS, 60).patience(PATIENCE).network(network);
        let url = asked_at.map_or_else(|| rollup.url(), str::to_owned);
        let builder = builder.state_file(folder.path().join("state.sqlite")).joining(rollup, now);
        let explorer = builder.server(&url).start();
        explorer.settle();
        let runtime = Runtime::new().unwrap_or_else(|error| panic!("a runtime: {error}"));
        let world = Self { explorer, url, runtime, key: TestKey::new(seed), folder };
        world.fund();
        world
    }

    /// The demo's faucet, and blocks in which it pays.
    fn fund(&self) {
        let url = format!("{}/demo/v1/fund", self.explorer.rollup().url());
        let body = json!({"address": self.key.bech32("init")}).to_string();
        let given = self.runtime.block_on(async {
            let http = rollscope::client::http_client().no_proxy().build()?;
            http.post(url).header("content-type", "application/json").body(body).send().await
        });
        let status = given.map(|answer| answer.status());
        assert!(status.as_ref().is_ok_and(reqwest::StatusCode::is_success), "{status:?}");
        self.explorer.step(3);
    }

    /// The page where this way is made ready, with the key's address everywhere.
    fn prepare(&self, way: &Way) -> &Explorer {
        let explorer = &self.explorer;
        explorer.press("6");
        fill_in(explorer, way);
        explorer.press("tab enter").wait_for(way.told);
        self.fill(&["signs  ", "receives  "]);
        explorer
    }

    /// Puts the key's address into these rows.
    fn fill(&self, rows: &[&str]) {
        for row in rows {
            self.fill_on(row, "init");
        }
    }

    /// Puts the key's address on a chain of this prefix into this row.
    fn fill_on(&self, row: &str, prefix: &str) {
        let explorer = &self.explorer;
        explorer.press("g g").click(row).press("enter").wait_for("Enter apply").press("ctrl-u");
        explorer.type_text(&self.key.bech32(prefix)).press("enter").settle();
    }

    /// Where the page in the browser is, once it waits for one.
    fn address(&self) -> String {
        self.explorer.wait_for("/sign/");
        address_on(&self.explorer.screen())
    }

    /// A browser that opens the page, without one: its posts.
    fn visit(&self) -> Visit<'_> {
        Visit::opening(&self.runtime, &self.address())
    }

    fn kept(&self) -> Vec<TransferRecord> {
        let store = Store::open(&self.folder.path().join("state.sqlite")).unwrap_or_else(|error| panic!("{error}"));
        let scope = StoreScope::new(self.url.clone());
        store.transfers(&scope).unwrap_or_else(|error| panic!("{error}"))
    }
}

#[test]
fn a_wallet_in_the_browser_signs_and_the_transfer_arrives() {
    let Some(mut browser) = Browser::start(SCRIPT, TestKey::new(61).wallet()) else { return };
    let world = World::of(61, false, true);
    let explorer = world.prepare(&PLAIN_DEPOSIT);
    // What the L1's node simulates is told before the wallet is asked.
    explorer
        .wait_for("Simulated: 5 INIT leaves you, reported by 127.0.0.1:")
        .wait_for("Balance: 300 INIT now, 295 INIT");
    explorer.wait_for("Later hops are not simulated.").press("W");
    browser.open(&world.address());
    explorer.wait_for("only the router says that bridge 77 leads from interwoven-1 to rollscope-evm-1: press a");
    browser.wait("document.querySelector('#outcome')?.textContent.startsWith('Only the router tells a part of this')");
    browser.wait("document.querySelector('#offer')?.hidden");
    explorer
        .press("a")
        .wait_for("the signing page is open in your browser")
        .wait_for("Deposit 5 INIT to Rollscope MiniEvm");
    let shown =
        browser.wait("document.querySelector('#title')?.textContent && document.querySelector('#words').textContent");
    assert!(shown.as_str().is_some_and(|words| words.contains("You deposit 5")), "{shown}");
    assert!(shown.as_str().is_some_and(|words| words.contains("5 INIT leaves you, reported by 127.")), "{shown}");
    browser.choose(WALLET);
    browser.until_asked("personal_sign");
    let page = browser.wait("document.querySelector('#outcome.good')?.textContent");
    explorer.wait_for("┌ Transfer ");
    // What is sent is not taken back by closing the page.
    browser.wait("document.querySelector('#cancels').hidden");
    let kept = world.kept();
    let hash = kept.first().map(|record| record.id.hash.to_string()).unwrap_or_default();
    assert_eq!(page, format!("Sent: {hash}. The terminal follows the transaction."));
    walk(explorer, 1, "Arrived");
    world.explorer.quit();
}

#[test]
fn what_is_refused_closed_or_taken_back_is_not_sent_and_can_be_signed_again() {
    let world = World::new(62);
    let explorer = world.prepare(&PLAIN_DEPOSIT);
    explorer.press("W");
    let mut visit = world.visit();
    let offer = visit.stage("offer");
    visit.answer(&offer, &json!({"kind": "refused", "reason": "User denied"}));
    explorer.wait_for("You rejected the request in the wallet (“User denied”). Sign again");
    let again = visit.stage("offer");
    assert_eq!(again["offer"], offer["offer"], "the page goes on with the request");
    visit.post("/sign/event", &json!({"kind": "closed"}));
    explorer.wait_for("you closed the page in the browser; no signature reached rollscope");
    explorer.press("W");
    let mut visit = world.visit();
    visit.stage("offer");
    explorer.wait_for("Esc cancels").press("esc").wait_for("Cancelled: rollscope sent nothing.");
    assert_eq!(visit.stage("ended")["words"], "Cancelled in the terminal.");
    assert_eq!(world.kept().len(), 0);
    explorer.press("W").wait_for("/sign/");
    world.explorer.quit();
}

#[test]
fn another_account_is_named_and_asked_again_until_the_right_one_signs() {
    let world = World::new(63);
    let explorer = world.prepare(&PLAIN_DEPOSIT);
    explorer.press("W");
    let mut visit = world.visit();
    let offer = visit.stage("offer");
    let stranger = TestKey::new(64);
    visit.answer(&offer, &json!({"kind": "other_account", "accounts": [stranger.hexadecimal()]}));
    let again = visit.stage("offer");
    assert!(
        again["words"]["note"].as_str().is_some_and(|note| {
            [&stranger.hexadecimal(), &world.key.bech32("init"), &world.key.hexadecimal()]
                .iter()
                .all(|it| note.contains(*it))
        }),
        "{again}"
    );
    visit.sign(&again, &stranger);
    let third = visit.stage("offer");
    assert!(third["words"]["note"].as_str().is_some_and(|note| note.contains("did not sign this document")), "{third}");
    assert_eq!(world.kept().len(), 0);
    visit.sign(&third, &world.key);
    explorer.wait_for("┌ Transfer ");
    assert_eq!(visit.stage("ended")["is_good"], true);
    walk(explorer, 1, "Arrived");
    world.explorer.quit();
}

#[test]
fn a_connected_wallet_gives_addresses_and_balance_and_signs_on_the_same_page() {
    let world = World::new(67);
    let explorer = &world.explorer;
    explorer.press("6");
    fill_in(explorer, &PLAIN_DEPOSIT);
    explorer.wait_for("demo wallet has").press("w");
    let mut visit = world.visit();
    let connect = visit.stage("offer");
    assert_eq!(connect["offer"]["kind"], "accounts");
    let refused = json!({"kind": "refused", "reason": "User denied"});
    visit.answer(&connect, &refused);
    let again = visit.stage("offer");
    assert!(again["words"]["note"].as_str().is_some_and(|note| note.contains("User denied")), "{again}");
    let accounts = json!({"kind": "accounts", "wallet": WALLET, "ethereum": world.key.hexadecimal(), "by_chain": {}});
    visit.answer(&again, &accounts);
    explorer.wait_for("Test Wallet is connected").wait_for("Test Wallet has 300 INIT, by the router");
    explorer.press("tab enter").wait_for(PLAIN_DEPOSIT.told).wait_for("your wallet = 0x");
    let other_form = format!("your wallet = {}", world.key.hexadecimal());
    assert_eq!(explorer.screen().matches(&other_form).count(), 2, "{}", explorer.screen());
    assert!(!explorer.screen().contains("demo wallet ="), "{}", explorer.screen());
    explorer.press("W");
    let offer = visit.stage("offer");
    assert_eq!(offer["offer"]["purpose"], "transaction", "it goes on, on the same page: {offer}");
    visit.sign(&offer, &world.key);
    explorer.wait_for("┌ Transfer ");
    walk(explorer, 1, "Arrived");
    world.explorer.quit();
}

#[test]
fn the_hook_is_signed_first_and_the_transaction_on_the_same_page() {
    let world = World::of(65, true, false);
    let explorer = world.prepare(&DEPOSIT);
    explorer.wait_for("! unknown contract 0x").wait_for("only the router names it");
    explorer.press("W");
    let mut visit = world.visit();
    explorer.wait_for("! UNKNOWN: 0x").wait_for("contract; code 0x");
    explorer.wait_for("your yes until the code changes");
    let waiting = visit.stage("waiting")["words"].to_string();
    assert!(waiting.contains("An unknown contract is involved"), "nothing is offered yet: {waiting}");
    explorer.press("a");
    let hook = visit.stage("offer");
    assert_eq!(
        (&hook["offer"]["purpose"], &hook["words"]["title"]),
        (&json!("hook"), &json!([["Sign the hook that runs on arrival", false]]))
    );
    explorer.wait_for(" may take 5,000,000 of the token 0x");
    assert!(hook["words"].to_string().contains(" is the contract of l2/df41"), "{hook}");
    visit.sign(&hook, &world.key);
    let offer = visit.stage("offer");
    assert_eq!(offer["offer"]["purpose"], "transaction");
    explorer.wait_for("signed by init1").wait_for("Deposit ");
    assert!(offer["words"].to_string().contains("with the hook that you signed"), "{offer}");
    visit.sign(&offer, &world.key);
    explorer.wait_for("┌ Transfer ");
    walk(explorer, 1, "Arrived");
    // The rollup's own node tells that the code is the accepted one, so the next transfer does not ask.
    explorer.press("6 shift-tab");
    fill_in(explorer, &DEPOSIT);
    explorer.press("tab enter").wait_for(DEPOSIT.told);
    world.fill(&["signs  ", "receives  "]);
    explorer.press("W");
    let mut visit = world.visit();
    let hook = visit.stage("offer");
    assert_eq!(hook["offer"]["purpose"], "hook");
    let words = hook["words"].to_string();
    assert!(words.contains(" by you on 20") && words.contains("and its code is unchanged: code 0x"), "{words}");
    world.explorer.quit();
}

#[test]
fn a_withdrawal_is_claimed_in_the_persons_own_wallet_and_arrives() {
    let out = Way {
        from: ("MiniEvm", PLAIN),
        to: ("Initia", "uinit"),
        amount: "40",
        route: "] ]",
        told: "40 INIT on Rollscope MiniEvm → 40 INIT on Initia",
    };
    let world = World::new(66);
    let explorer = &world.explorer;
    explorer.press("6");
    fill_in(explorer, &out);
    explorer.press(out.route).press("tab enter").wait_for(out.told);
    world.fill(&["receives  "]);
    super::sign(explorer);
    walk(explorer, 1, "◔ finalizing");
    explorer.press("W").wait_for("nothing to sign: ");
    walk(explorer, 1, "» claimable");
    // The L1 goes by the time of its newest block, which is some seconds old.
    explorer.step(5);
    // From the board, whose cursor is on it.
    explorer.press("7 W");
    let mut visit = world.visit();
    let offer = visit.stage("offer");
    assert!(offer["words"].to_string().contains("You claim 40 INIT for yourself: withdrawal #"), "{offer}");
    assert!(offer["words"].to_string().contains("40 INIT arrives, reported by 127.0.0.1:"), "{offer}");
    explorer.wait_for("Claim in your browser").wait_for("Claim 40 INIT on Initia");
    visit.sign(&offer, &world.key);
    assert_eq!(visit.stage("ended")["is_good"], true);
    explorer.wait_for("sent the claim ");
    walk(explorer, 1, "✓ arrived");
    explorer.press("G").wait_for("Claim ").wait_for("signed; broadcasting");
    let kept = world.kept();
    assert_eq!((kept.len(), kept[0].txs.len()), (1, 1), "the claim is none of its own transactions");
    world.explorer.quit();
}
