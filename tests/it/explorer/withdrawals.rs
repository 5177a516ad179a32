//! The optimistic withdrawals to an account, as the executor of the rollup's bridge lists them.

use rollscope::{
    client::{ClientOptions, ExecutorClient},
    domain::Address,
    msg::{PageRequest, PageStart},
};
use serde_json::{Value, json};

use crate::harness::{
    Explorer, chain_of, get,
    replay::{Answer, Replay},
};

/// What an embedded rollup answers.
fn asked(explorer: &Explorer, path: &str) -> Value {
    let url = format!("{}/{path}", explorer.rollup().url());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let body = runtime.block_on(async { get(url).await.expect("an answer").text().await.expect("a body") });
    serde_json::from_str(&body).expect("JSON")
}

/// The L1 of an embedded rollup, as its node says.
fn l1_of(explorer: &Explorer) -> String {
    let info = asked(explorer, "node/rest/opinit/opchild/v1/bridge_info");
    info["bridge_info"]["l1_chain_id"].as_str().expect("a chain id").to_owned()
}

#[test]
fn an_account_shows_what_the_executor_lists() {
    let explorer = Explorer::builder().size(140, 40).with_node().rollup(chain_of(400)).start();
    // The bridge's screen learns where the executor is.
    explorer.press("6").settle();
    let to = asked(&explorer, "executor/withdrawal/1")["to"].as_str().expect("an account").to_owned();
    let listed = asked(&explorer, &format!("executor/withdrawals/{to}?limit=30"));
    let listed = listed["withdrawals"].as_array().expect("withdrawals").clone();
    let who: Address = to.parse().expect("an address");
    explorer.press("/").paste(&to).press("enter").wait_for(&format!("Account {}", who.short()));
    explorer.press("left").wait_for("the bridge's executor").settle();
    let screen = explorer.screen();
    assert!(!listed.is_empty());
    for withdrawal in &listed {
        let hash = withdrawal["tx_hash"].as_str().expect("a hash");
        assert!(screen.contains(hash.get(..8).expect("a long hash")), "{withdrawal} is not in\n{screen}");
    }
    let hash = listed[0]["tx_hash"].as_str().expect("a hash").to_owned();
    explorer.press("enter").wait_for(&hash);
    let l1 = l1_of(&explorer);
    explorer.wait_for(&format!("↳ claimable on {l1} from about ")).wait_for(", challenge period ");
    assert!(!explorer.screen().contains("rollscope claim "), "the registry's L1 is another than the simulated one");
    // By its number it is found without the executor, and a number that no transfer has is said to be absent.
    let number = listed[0]["sequence"].as_u64().expect("a number");
    explorer.press("1 /").type_text(&format!("withdrawal {number}")).wait_for(&format!("→ withdrawal #{number}"));
    explorer.press("enter").wait_for(&format!("Tx {hash}"));
    explorer
        .press("1 /")
        .type_text("withdrawal 999999")
        .press("enter")
        .wait_for("not found as a withdrawal by its number");
    let deposits = "indexer/tx/v1/txs?msgs=opinit.opchild.v1.MsgFinalizeTokenDeposit&pagination.limit=1";
    let deposit = asked(&explorer, deposits)["txs"][0].clone();
    let finalized = |event: &&Value| event["type"] == "finalize_token_deposit";
    let finalized = deposit["events"].as_array().expect("events").iter().find(finalized).expect("it is finalized");
    let mut attributes = finalized["attributes"].as_array().expect("attributes").iter();
    let number = attributes.find(|pair| pair["key"] == "l1_sequence").expect("its number")["value"].clone();
    let number = number.as_str().expect("a number");
    explorer.press("esc 1 /").type_text(&format!("deposit {number}")).wait_for(&format!("→ deposit #{number}"));
    explorer.press("enter").wait_for(&format!("Tx {}", deposit["txhash"].as_str().expect("a hash")));
    explorer.press("1 /").type_text("deposit 999999").press("enter").wait_for("not found as a deposit by its number");
    // Both directions number their packets apart: each is offered with its kind, its place and its state.
    explorer.press("esc /").type_text("packet 1").press("enter").wait_for("packet #1 received at transfer/channel-");
    explorer
        .wait_for("packet #1 sent at transfer/channel-")
        .press("down enter")
        .wait_for("packet #1")
        .wait_for("[Story]");
    explorer.press("1 /").type_text("channel-0").wait_for("escrow of channel-0").press("enter").wait_for("Account ");
    let block: Value = asked(&explorer, "indexer/block/v1/blocks?pagination.limit=1")["blocks"][0].clone();
    let operator = block["proposer"]["operator_address"].as_str().expect("an operator");
    let moniker = block["proposer"]["moniker"].as_str().expect("a moniker");
    explorer.press("1 /").paste(operator).press("enter").wait_for("Account ");
    explorer.press("1 /").type_text(moniker).wait_for(&format!("account    {moniker}"));
    explorer.quit();
}

#[tokio::test]
async fn pages_lead_down_and_a_page_that_leads_nowhere_ends_the_list() {
    let row = |sequence: u64| json!({"sequence": sequence, "to": "a", "from": "b", "amount": {"denom": "u", "amount": "1"}, "bridge_id": 1});
    let server = Replay::scripted(move |seen, _| match seen.target.split("offset=").nth(1).unwrap_or_default() {
        rest if rest.starts_with("0&") => Answer::json(json!({"withdrawals": [row(9), row(8)], "next": 7}).to_string()),
        _ => Answer::json(json!({"withdrawals": [row(7)], "next": 7}).to_string()),
    })
    .await;
    let client = ExecutorClient::new(server.url(), ClientOptions::default()).expect("a client");
    let account = Address::Short([1; 20]);
    let first = client.withdrawals(account, &PageRequest::newest(2)).await.expect("a page");
    assert_eq!(first.items.iter().map(|row| row.sequence).collect::<Vec<_>>(), [9, 8]);
    let key = first.next.expect("a next page");
    let further = PageRequest { cursor: PageStart::Key(key), ..PageRequest::newest(2) };
    let last = client.withdrawals(account, &further).await.expect("a page");
    assert_eq!(last.items.iter().map(|row| row.sequence).collect::<Vec<_>>(), [7]);
    assert_eq!(last.next, None, "the server leads back to where the page began");
}
