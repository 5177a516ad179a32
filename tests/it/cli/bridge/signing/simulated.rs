//! What a node says before the signature that a transaction would do: told with its host, and only ever a warning more.

use serde_json::{Value, json};

use super::{AtNode, FEE_DENOM, TestKey, World, lies::next_offer};
use crate::{cli::bridge::signing::lies::Offered, signing_page::access::Visitor};

const SIMULATE: &str = "/rest/cosmos/tx/v1beta1/simulate";
/// Account of the rollup's bridge module, which burns.
const BURNER: &str = "init1gz9n8jnu9fgqw7vem9ud67gqjk5q4m2w0aejne";
const SIGNED: &str = "40000000";

fn event(kind: &str, attributes: &[(&str, &str)]) -> Value {
    let all = attributes.iter().chain(&[("msg_index", "0")]);
    let attributes: Vec<Value> = all.map(|(key, value)| json!({"key": key, "value": value})).collect();
    json!({"type": kind, "attributes": attributes})
}

/// Events in which an account loses these coins, which are burnt.
fn burnt(account: &str, coins: &[&str]) -> Vec<Value> {
    let events = coins.iter().flat_map(|coin| {
        [
            event("coin_spent", &[("spender", account), ("amount", coin)]),
            event("coin_received", &[("receiver", BURNER), ("amount", coin)]),
            event("transfer", &[("recipient", BURNER), ("sender", account), ("amount", coin)]),
            event("coin_spent", &[("spender", BURNER), ("amount", coin)]),
            event("burn", &[("burner", BURNER), ("amount", coin)]),
        ]
    });
    events.collect()
}

fn ran(events: &[Value]) -> Value {
    json!({"gas_info": {"gas_used": "100001"}, "result": {"data": null, "log": "", "events": events}})
}

fn balances(key: &TestKey, coins: &Value) -> (&'static str, Value) {
    let path = format!("/rest/cosmos/bank/v1beta1/balances/{}", key.bech32("init"));
    (path.leak(), json!({"balances": coins, "pagination": {"next_key": null}}))
}

fn told(key: &TestKey, answers: Vec<(&'static str, Value)>) -> World {
    World::new(key, AtNode::Tells(answers))
}

/// What the page offers for these answers of the node.
fn offered(key: &TestKey, answers: Vec<(&'static str, Value)>) -> Offered {
    let world = told(key, answers);
    let mut signing = world.start();
    let address = signing.hear("one-time address in your browser to sign: ");
    let runtime = tokio::runtime::Runtime::new().unwrap_or_else(|error| panic!("a runtime: {error}"));
    let offer = runtime.block_on(async { next_offer(&Visitor::opening(address.trim()).await).await });
    signing.kill();
    offer.unwrap_or_else(|| panic!("it is offered"))
}

impl Offered {
    /// The lines that no simulation adds, and that do not depend on the second.
    fn signed(&self) -> (&Value, &str, Vec<&(String, String)>) {
        let is_own = |(name, _): &&(String, String)| {
            !["Simulated", "Balance", "Funds", "Takes", "Wait"].contains(&name.as_str())
        };
        (&self.document, &self.title, self.lines.iter().filter(is_own).collect())
    }

    fn texts(&self, name: &str) -> Vec<&str> {
        self.lines.iter().filter(|(own, _)| own == name).map(|(_, text)| text.as_str()).collect()
    }
}

#[test]
fn an_honest_simulation_tells_what_leaves_and_what_is_left_with_its_host() {
    let key = TestKey::new(40);
    let coin = format!("{SIGNED}{FEE_DENOM}");
    let held = balances(&key, &json!([{"denom": FEE_DENOM, "amount": "65000000"}]));
    let offer = offered(&key, vec![(SIMULATE, ran(&burnt(&key.bech32("init"), &[&coin]))), held]);
    let [moves, later] = offer.texts("Simulated")[..] else { panic!("{offer:?}") };
    let by = ", reported by 127.0.0.1:";
    assert!(moves.starts_with(&format!("40 INIT leaves you{by}")), "{moves}");
    assert!(moves.ends_with(", which only the router names"), "{moves}");
    assert_eq!(later, "Later hops are not simulated.");
    let balance = offer.texts("Balance").join("|");
    assert!(balance.starts_with(&format!("65 INIT now, 25 INIT after, before the fee{by}")), "{balance}");
    assert_eq!(offer.texts("Funds"), Vec::<&str>::new());
}

#[test]
fn a_lying_simulation_changes_nothing_of_what_is_offered_and_adds_a_warning() {
    let key = TestKey::new(40);
    let me = key.bech32("init");
    let coin = |amount: u32| format!("{amount}{FEE_DENOM}");
    let honest = offered(&key, vec![(SIMULATE, ran(&burnt(&me, &[&coin(40_000_000)])))]);
    let is_warned = |offer: &Offered| offer.texts("Simulated").len() - honest.texts("Simulated").len();
    for (answer, warning) in [
        (ran(&burnt(&me, &[&coin(41_000_000)])), "takes 41 INIT from you, but you sign 40 INIT"),
        (ran(&burnt(&me, &[&coin(40_000_000), "7uusdc"])), "also takes 7 uusdc, which you do not sign"),
        (ran(&burnt(BURNER, &[&coin(40_000_000)])), "takes nothing of the 40 INIT that you sign"),
    ] {
        let offer = offered(&key, vec![(SIMULATE, answer)]);
        assert_eq!(offer.signed(), honest.signed(), "{warning}");
        assert_eq!((offer.texts("Simulated").contains(&warning), is_warned(&offer)), (true, 1), "{offer:?}");
    }
    // Events that are not whole, or none, tell no movement: nothing is claimed of them.
    let half = vec![event("coin_spent", &[("spender", &me), ("amount", &coin(1))])];
    for answer in [ran(&half), ran(&[]), json!({"gas_info": {"gas_used": "100001"}})] {
        let offer = offered(&key, vec![(SIMULATE, answer)]);
        assert_eq!(offer.signed(), honest.signed());
        assert!(offer.texts("Simulated")[0].starts_with("succeeds; what moves is not told, reported by"), "{offer:?}");
    }
}

#[test]
fn a_simulation_that_fails_is_told_by_its_reason_and_refused() {
    let message = "failed to execute message; message index: 0: revert: ERC20: transfer amount exceeds balance: Reverted \
                   [cosmos/cosmos-sdk@v0.50.13/baseapp/baseapp.go:1023] with gas used: '106564'";
    let key = TestKey::new(40);
    let world = told(&key, vec![(SIMULATE, json!({"code": 2, "message": message, "details": []}))]);
    let (status, out, err) = world.start().end();
    assert_eq!((status, out.as_str(), world.sent()), (Some(1), "", 0), "{err}");
    let words = "fails: reverted: “ERC20: transfer amount exceeds balance” — usually: the account holds less than it tried \
                 to move (reported by 127.0.0.1:";
    assert!(err.contains(words), "{err}");
    assert!(err.contains("nothing signed"), "{err}");
}

#[test]
fn a_fee_that_nothing_is_left_for_is_told_before_the_signature() {
    let key = TestKey::new(40);
    let coin = format!("{SIGNED}{FEE_DENOM}");
    let events = burnt(&key.bech32("init"), &[&coin]);
    for (held, words) in [
        (json!([{"denom": FEE_DENOM, "amount": "40002000"}]), Some("0.002 INIT is left there")),
        (json!([]), Some("0 INIT is left there")),
        (json!([{"denom": FEE_DENOM, "amount": "40002101"}]), None),
    ] {
        let offer = offered(&key, vec![(SIMULATE, ran(&events)), balances(&key, &held)]);
        let funds = offer.texts("Funds").join("|");
        match words {
            Some(words) => assert!(
                funds.starts_with(&format!("the fee needs about 0.002101 INIT, {words}, reported by 127.0.0.1:")),
                "{offer:?}"
            ),
            None => assert_eq!(funds, "", "{offer:?}"),
        }
    }
}
