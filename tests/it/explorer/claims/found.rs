//! Withdrawals that no transfer is kept of: the executor lists them for an account that the person named.

use std::time::Duration;

use rollscope::domain::{Address, PersonalEntry, PersonalKind, Target, Timestamp};
use serde_json::{Value, json};

use super::{AN_HOUR, OVER, World};
use crate::{
    explorer::transfers::hash,
    harness::{Explorer, replay::Answer, settlement::proven_pair},
    signing_page::wallet::TestKey,
};

fn name(world: &World, account: Address, name: &str) {
    let entry = PersonalEntry::new(PersonalKind::Name, Target::Account(account), name);
    let kept = world.store().keep_personal(&world.scope(), &[entry], Timestamp::EPOCH);
    kept.unwrap_or_else(|error| panic!("it is kept: {error}"));
}

/// Two withdrawals to a named account, and no kept transfer. Returns their leaves, too.
fn world(seed: u8, period: &'static str) -> (World, [String; 2]) {
    let world = World::without_transfers(seed, period);
    let me = world.key.bech32("init");
    let account = me.parse().unwrap_or_else(|error| panic!("an account: {error}"));
    name(&world, account, "me");
    let ([mut first, mut second], output) = proven_pair(&me);
    (first.0["tx_hash"], second.0["tx_hash"]) = (json!(hash(1)), json!(hash(2)));
    {
        let mut facts = world.facts();
        // Newest first, as an executor lists them.
        (facts.listed, facts.output) = (vec![second.0, first.0], output);
    }
    (world, [first.1, second.1])
}

fn look_again(explorer: &Explorer) {
    explorer.press("r").advance(Duration::from_secs(61)).settle();
}

#[test]
fn withdrawals_are_found_without_a_hash_and_claimed_in_one_signature() {
    let (world, _) = world(90, OVER);
    let explorer = world.overview(true);
    explorer.wait_for("2 to claim · 7 shows them · per executor and L1 0 s ago");
    explorer
        .press("6 shift-tab")
        .wait_for("2 withdrawals to claim, per executor and L1")
        .wait_for("#7: Claimable: output 3 is final")
        .wait_for("#8: Claimable");
    explorer.press("W");
    let mut visit = world.visit(&explorer);
    let offer = visit.stage("offer");
    let words = offer["words"].to_string();
    for said in ["Claim 0.001 INIT of 2 withdrawals", "withdrawal #7 of bridge 9", "withdrawal #8 of bridge 9"] {
        assert!(words.contains(said), "{said}: {words}");
    }
    let document: Value = serde_json::from_str(offer["offer"]["text"].as_str().unwrap_or_default()).unwrap();
    let sequences: Vec<&Value> =
        document["msgs"].as_array().unwrap().iter().map(|message| &message["value"]["sequence"]).collect();
    assert_eq!(sequences, [&json!("7"), &json!("8")]);
    visit.sign(&offer, &world.key);
    explorer.wait_for("sent the claim ");
    let kept = world.history();
    let sent = |stage: &str| kept.iter().filter(|words| words.ends_with(stage)).count();
    assert_eq!((sent(": signed; broadcasting"), sent(": sent"), world.sent()), (2, 2, 1), "{kept:?}");
    world.facts().is_claimed = true;
    explorer.press("6 shift-tab");
    look_again(&explorer);
    assert!(!explorer.screen().contains("to claim"), "{}", explorer.screen());
    explorer.quit();
}

#[test]
fn what_is_paid_is_not_offered_and_lies_of_the_executor_are_marked() {
    let (world, leaves) = world(91, OVER);
    world.facts().paid = vec![leaves[0].clone()];
    let explorer = world.overview(true);
    explorer.wait_for("1 to claim").press("6 shift-tab").wait_for("#8: Claimable");
    assert!(!explorer.screen().contains("#7"), "the L1 paid it: {}", explorer.screen());
    let honest = world.facts().listed.clone();
    // Another amount, another number, another recipient.
    world.facts().listed[0]["amount"]["amount"] = json!("50000");
    look_again(&explorer);
    explorer.wait_for("✗ disproven").wait_for("#8: Invalid executor proof").press("W");
    explorer.wait_for("no withdrawal to this account is claimable now");
    world.facts().listed = honest.clone();
    world.facts().listed[0]["sequence"] = json!(9);
    look_again(&explorer);
    explorer.wait_for("#9: Invalid executor proof");
    world.facts().listed = honest.clone();
    world.facts().listed[0]["to"] = json!("init1thief");
    look_again(&explorer);
    assert!(!explorer.screen().contains("claimable"), "{}", explorer.screen());
    world.facts().listed = honest;
    world.facts().executor = Some(Answer::typed(500, "text/html", "<html>"));
    look_again(&explorer);
    explorer.wait_for("withdrawals not looked up: ");
    assert_eq!(world.sent(), 0);
    explorer.quit();
}

#[test]
fn the_wait_of_a_found_withdrawal_is_told() {
    let (world, _) = world(92, AN_HOUR);
    let explorer = world.overview(true);
    explorer.wait_for("next withdrawal claimable in ").press("6 shift-tab").wait_for("◔ finalizing");
    explorer.wait_for("in 1:00:00").wait_for("#8: The L1 received output 3 at").press("W");
    explorer.wait_for("no withdrawal to this account is claimable now");
    explorer.advance(Duration::from_secs(3600)).wait_for("» claimable");
    explorer.quit();
}

#[test]
fn the_account_that_was_not_looked_up_is_told_beside_those_that_were() {
    let (world, _) = world(93, OVER);
    let other = TestKey::new(94).bech32("init");
    let account = other.parse().unwrap_or_else(|error| panic!("an account: {error}"));
    name(&world, account, "other");
    world.facts().failing = Some(other);
    let explorer = world.overview(true);
    explorer.wait_for("2 to claim, 1 of 2 accounts not looked up · 7 shows them").press("6 shift-tab");
    explorer.wait_for("2 withdrawals to claim, per executor and L1").wait_for("; 1 of 2 accounts not looked up: ");
    world.facts().is_claimed = true;
    look_again(&explorer);
    explorer.wait_for("no withdrawal claimable, per executor and L1").wait_for("; 1 of 2 accounts not looked up: ");
    world.facts().failing = None;
    look_again(&explorer);
    explorer.wait_gone("not looked up");
    explorer.quit();
}
