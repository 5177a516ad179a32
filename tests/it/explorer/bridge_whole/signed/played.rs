//! A router and its node that lie, played to the explorer while its page is open in a real browser: nothing false is
//! shown or offered, a refusal names both values, and an honest deposit and an honest withdrawal are signed.

use std::sync::{Arc, Mutex, OnceLock};

use rollscope::{config::KnownToken, demo::ledger};
use serde_json::{Value, json};

use super::{
    super::{Way, fill_in, walk},
    Network, PLAIN, PLAIN_DEPOSIT, SCRIPT, TestKey, WALLET, World,
};
use crate::{
    cli::chain::Chain,
    harness::{
        replay::{Answer, Seen, forward},
        rollup_due, rollup_of,
    },
    signing_page::browser::Browser,
};

/// What is changed of the answer to a request.
type Lie = fn(&Seen, &mut Value);

/// The embedded rollup, its router and its nodes behind one address, with a lie between.
struct Liar {
    server: Chain,
    lie: Arc<Mutex<Option<Lie>>>,
}

impl Liar {
    fn before(rollup: String) -> Self {
        let (lie, url): (Arc<Mutex<Option<Lie>>>, Arc<OnceLock<String>>) = (Arc::default(), Arc::default());
        let (told, own) = (Arc::clone(&lie), Arc::clone(&url));
        let server = Chain::scripted(move |seen| {
            // The router knows the operations that it gave out.
            let asked = seen.body.replace(OTHER_BRIDGE, BRIDGE);
            let (status, kind, body) = forward(&rollup, &Seen { body: asked, ..seen.clone() });
            let text = String::from_utf8_lossy(&body);
            let text = text.replace(&rollup, own.get().map(String::as_str).unwrap_or_default());
            let lie = *told.lock().unwrap_or_else(|error| panic!("no handler panics: {error}"));
            match (lie, serde_json::from_str(&text)) {
                (Some(lie), Ok(mut answer)) => {
                    lie(seen, &mut answer);
                    Answer::typed(status, &kind, answer.to_string())
                }
                _ => Answer::typed(status, &kind, text),
            }
        });
        drop(url.set(server.url().to_owned()));
        Self { server, lie }
    }

    fn tell(&self, lie: Option<Lie>) {
        *self.lie.lock().unwrap_or_else(|error| panic!("no handler panics: {error}")) = lie;
    }
}

fn is_of(seen: &Seen, path: &str) -> bool {
    seen.target.split('?').next() == Some(path)
}

/// Changes texts in an answer to this path.
fn replace(seen: &Seen, answer: &mut Value, path: &str, from: &str, to: &str) {
    if is_of(seen, path) {
        *answer = serde_json::from_str(&answer.to_string().replace(from, to)).unwrap_or_default();
    }
}

const BRIDGE: &str = r#""op_init_bridge_id":"77""#;
const OTHER_BRIDGE: &str = r#""op_init_bridge_id":"78""#;
/// Blocks in which a transfer arrives.
const WAIT: usize = 100;
const ROUTE: &str = "/v2/fungible/route";
const MSGS: &str = "/v2/fungible/msgs";

/// BB1: a memo with a key that it has already.
fn a_key_twice(seen: &Seen, answer: &mut Value) {
    replace(seen, answer, MSGS, r#"{\\\"move\\\":{"#, r#"{\\\"move\\\":{},\\\"move\\\":{"#);
}

/// BB2: other decimals than the settings have.
fn eight_decimals(seen: &Seen, answer: &mut Value) {
    if !is_of(seen, "/v2/fungible/assets") {
        return;
    }
    for (_, list) in answer["chain_to_assets_map"].as_object_mut().into_iter().flatten() {
        for asset in list["assets"].as_array_mut().into_iter().flatten() {
            if asset["denom"].as_str().is_some_and(|denom| denom.starts_with(PLAIN)) {
                asset["decimals"] = json!(8);
            }
        }
    }
}

/// BB3: the bridge of another rollup, in route and messages.
fn another_bridge(seen: &Seen, answer: &mut Value) {
    replace(seen, answer, ROUTE, BRIDGE, OTHER_BRIDGE);
    replace(seen, answer, MSGS, r#"\"bridge_id\":\"77\""#, r#"\"bridge_id\":\"78\""#);
}

/// BB4: ten times the amount that was asked for.
fn another_amount(seen: &Seen, answer: &mut Value) {
    replace(seen, answer, ROUTE, r#""amount_in":"7000000""#, r#""amount_in":"70000000""#);
}

/// BB5: a simulation of many times the usual gas.
fn much_gas(seen: &Seen, answer: &mut Value) {
    if seen.target.ends_with("/cosmos/tx/v1beta1/simulate") {
        answer["gas_info"]["gas_used"] = json!("4000000");
    }
}

/// BB6: a refusal by the node that took the transaction.
fn not_taken(seen: &Seen, answer: &mut Value) {
    if seen.method == "POST" && seen.target.ends_with("/cosmos/tx/v1beta1/txs") {
        answer["tx_response"]["code"] = json!(13);
        answer["tx_response"]["raw_log"] = json!("insufficient fees");
    }
}

/// BB7: success before the funds arrived.
fn done_already(seen: &Seen, answer: &mut Value) {
    let has_hops = answer["transfer_sequence"].as_array().is_some_and(|hops| !hops.is_empty());
    if is_of(seen, "/v2/tx/status") && has_hops {
        let text = answer.to_string().replace("STATE_PENDING", "STATE_COMPLETED_SUCCESS");
        *answer = serde_json::from_str(&text).unwrap_or_default();
    }
}

/// BB8: less than the quote.
fn less(seen: &Seen, answer: &mut Value) {
    replace(seen, answer, MSGS, r#"\"amount\":\"8000000\""#, r#"\"amount\":\"300000\""#);
}

const PLAIN_WITHDRAWAL: Way = Way {
    from: ("MiniEvm", PLAIN),
    to: ("Initia", "uinit"),
    amount: "6",
    route: "",
    told: "6 INIT on Rollscope MiniEvm",
};

/// TIA on the L1, bought there.
const PURCHASE: Way =
    Way { from: ("Initia", "uinit"), to: ("Initia", TIA), amount: "5", route: "", told: "5 INIT on Initia" };

const PACKET: Way = Way {
    from: ("Initia", TIA),
    to: ("MiniEvm", "ibc/101B"),
    amount: "0.4",
    route: "",
    told: "0.4 TIA on Initia → 0.4 TIA on Rollscope MiniEvm",
};

/// TIA on the L1.
const TIA: &str = "ibc/DA9A";

/// An explorer with a page open in the browser, whose wallet is connected.
struct Play<'a> {
    world: World,
    liar: &'a Liar,
    browser: &'a mut Browser,
}

impl<'a> Play<'a> {
    fn start(world: World, liar: &'a Liar, browser: &'a mut Browser) -> Self {
        world.explorer.press("6 w");
        browser.open(&world.address());
        browser.choose(WALLET);
        world.explorer.wait_for("Test Wallet is connected").press("tab enter").settle();
        Self { world, liar, browser }
    }

    /// Fills in the form and goes on with the quote.
    fn prepare(&self, way: &Way) {
        self.world.explorer.press("6 shift-tab");
        fill_in(&self.world.explorer, way);
        self.world.explorer.press(way.route).press("tab enter");
    }

    /// Nothing can be signed on the page, and its wallet was never asked for a signature of it.
    fn nothing_is_offered(&mut self, what: &str, signed: usize) {
        self.browser.wait("document.querySelector('#offer')?.hidden && !document.querySelector('#outcome.good')");
        let asked = self.browser.asked.iter().filter(|(method, _)| method == "personal_sign").count();
        assert_eq!(asked, signed, "{what}: the wallet was asked");
    }

    /// A way with a lie: refused with both values, and nothing is on the page.
    fn refused(&mut self, lie: Lie, way: &Way, words: &str) {
        self.liar.tell(Some(lie));
        self.prepare(way);
        self.world.explorer.press("W").wait_for(words);
        self.nothing_is_offered(words, 0);
        self.liar.tell(None);
        self.world.explorer.press("esc");
    }

    /// Opens the page where the explorer waits with it, and signs what it offers. Returns how the page ends.
    fn sign(&mut self) -> String {
        self.world.explorer.wait_for("/sign/");
        self.browser.open(&self.world.address());
        self.browser.choose(WALLET);
        let end = self.browser.wait("document.querySelector('#outcome.good, #outcome.bad')?.textContent");
        end.as_str().unwrap_or_default().to_lowercase()
    }
}

fn deposit(amount: &'static str) -> Way {
    Way { amount, ..PLAIN_DEPOSIT }
}

#[test]
fn nothing_false_is_shown_or_offered_in_a_real_browser() {
    let Some(mut browser) = Browser::start(SCRIPT, TestKey::new(68).wallet()) else { return };
    let options = World::options();
    let (now, facts) = (rollup_due(&options), ledger::facts(options.ledger.vm, options.ledger.seed));
    let rollup = rollup_of(options);
    let liar = Liar::before(rollup.url());
    let denom = facts.tokens.iter().find(|token| token.denom.as_str().starts_with(PLAIN));
    let denom = denom.map(|token| token.denom.as_str().to_owned()).unwrap_or_default();
    let network = Network {
        chain_id: Some(facts.chain_id.to_owned()),
        tokens: vec![KnownToken { denom, symbol: "INIT".to_owned(), decimals: 6 }],
        ..World::network(true, true)
    };

    // The lists of assets are asked for once.
    liar.tell(Some(eight_decimals));
    let world = World::start(68, network.clone(), (rollup, now), Some(liar.server.url()));
    let mut play = Play::start(world, &liar, &mut browser);
    play.refused(eight_decimals, &deposit("5"), "with 8 decimals, but the known decimals are 6.");
    let place = play.world.explorer.leave();
    let world = World::start(68, network, place, Some(liar.server.url()));
    let mut play = Play::start(world, &liar, &mut browser);
    let other = "the router answered another question: the amount is 70000000, not 7000000";
    play.refused(another_amount, &deposit("7"), other);
    play.refused(less, &deposit("8"), "the transaction sends only 300000; the quote sends 8000000");
    play.refused(another_bridge, &deposit("9"), "bridge 78, but bridge 77 is the bridge of rollscope-evm-1");
    play.refused(a_key_twice, &PLAIN_WITHDRAWAL, "a memo with the key “move” twice in one object");
    play.liar.tell(Some(much_gas));
    play.prepare(&deposit("11"));
    let dear = "(84000uinit), over 5 times the usual 3150uinit";
    play.world.explorer.press("W").wait_for(dear);
    play.browser.wait(&format!("document.getElementById('outcome').textContent.includes('{dear}')"));
    play.nothing_is_offered(dear, 0);
    play.liar.tell(None);
    play.world.explorer.press("esc").wait_for("Cancelled: rollscope sent nothing.");

    // The honest deposit, of whose end the router lies first.
    play.prepare(&deposit("12"));
    play.liar.tell(Some(done_already));
    play.world.explorer.press("W");
    play.sign();
    play.world.explorer.wait_for("┌ Transfer ");
    let contradicts = "The router contradicts itself: success, but hop 1";
    let told = (0..WAIT).find_map(|_| {
        let screen = play.world.explorer.step(1).press("r").screen();
        (screen.contains(contradicts) || screen.contains("Arrived")).then_some(screen)
    });
    let told = told.unwrap_or_default();
    assert!(told.contains(contradicts) && !told.contains("Arrived"), "{told}");
    play.liar.tell(None);
    walk(&play.world.explorer, 1, "Arrived");

    // The node takes it and says that it does not.
    play.prepare(&deposit("13"));
    play.liar.tell(Some(not_taken));
    play.world.explorer.press("W");
    let page = play.sign();
    assert!(
        page.contains("code 13") && !page.contains("nothing was spent") && !page.contains("nothing spent"),
        "{page}"
    );
    play.liar.tell(None);
    assert_eq!(play.world.kept().len(), 2, "its hash is kept, and followed");
    let explorer = &play.world.explorer;
    explorer.step(1);
    assert!(!explorer.screen().to_lowercase().contains("nothing was spent"), "{}", explorer.screen());
    explorer.press("7 g g enter").wait_for("┌ Transfer ").wait_for("13 INIT");
    walk(explorer, 1, "Arrived: 13 INIT");

    // The honest packet with a memo: Celestia forwards it. What it carries is bought first.
    play.prepare(&PURCHASE);
    play.world.explorer.press("W").wait_for("/sign/");
    play.browser.open(&play.world.address());
    play.world.explorer.wait_for("only the router says that pool").wait_for(": press a").press("a");
    play.browser.choose(WALLET);
    play.browser.wait("document.querySelector('#outcome.good')?.textContent");
    play.world.explorer.wait_for("┌ Transfer ");
    walk(&play.world.explorer, 1, "Arrived");
    play.prepare(&PACKET);
    play.world.fill_on("passes  ", "celestia");
    play.world.explorer.wait_for("✓ Messages").press("W").wait_for("/sign/");
    play.browser.open(&play.world.address());
    // Each part that nobody else tells has a yes of its own.
    for unproven in ["to celestia: press a", "leads to rollscope-evm-1: press a", "arrives on rollscope-evm-1: press a"]
    {
        play.world.explorer.wait_for(unproven).press("a");
    }
    play.browser.wait("document.querySelector('#words')?.textContent.includes('over channel-10, and on to')");
    play.browser.choose(WALLET);
    play.browser.wait("document.querySelector('#outcome.good')?.textContent");
    play.world.explorer.wait_for("┌ Transfer ");
    walk(&play.world.explorer, 1, "Arrived: 0.4 TIA");

    // An optimistic withdrawal tells the wait on the page.
    play.prepare(&Way { route: "] ]", ..PLAIN_WITHDRAWAL });
    play.world.explorer.wait_for("needs your acknowledgement").press("a").wait_for("✓ Messages").press("W");
    play.world.explorer.wait_for("/sign/");
    play.browser.open(&play.world.address());
    let tells = "document.querySelector('#words')?.textContent.includes('you claim the funds on Initia: a second sig')";
    play.browser.wait(tells);
    let title = play.browser.text("title");
    assert!(title.starts_with("Withdraw 6 INIT"), "{title}");
    play.browser.choose(WALLET);
    play.browser.wait("document.querySelector('#outcome.good')?.textContent");
    play.world.explorer.wait_for("┌ Transfer ");
    walk(&play.world.explorer, 1, "◔ finalizing");
    play.world.explorer.quit();
}
