use serde_json::{Value, json};

use crate::story::words::{
    phrase::SentenceKind,
    sentence::test_records::{ALICE, BOB, failed, init, record, said, story},
};

/// End of a sentence without the message's usual events.
const LACKS: &str = "; the record has no such event.";

fn of(message: Value) -> String {
    said(&record(&[message], &[]))
}

fn grant(authorization: &Value) -> String {
    let message = json!({"@type": "/cosmos.authz.v1beta1.MsgGrant", "granter": ALICE, "grantee": BOB,
                         "grant": {"authorization": authorization, "expiration": "2026-12-31T12:00:00Z"}});
    let event = json!({"granter": format!("\"{ALICE}\""), "grantee": format!("\"{BOB}\"")});
    said(&record(&[message], &[("cosmos.authz.v1beta1.EventGrant", event)]))
}

fn allowance(allowance: &Value) -> String {
    let message = json!({"@type": "/cosmos.feegrant.v1beta1.MsgGrantAllowance", "granter": ALICE, "grantee": BOB,
                         "allowance": allowance});
    said(&record(&[message], &[("set_feegrant", json!({"granter": ALICE, "grantee": BOB}))]))
}

fn paid(from: &str, to: &str, amount: &str) -> (&'static str, Value) {
    ("transfer", json!({"sender": from, "recipient": to, "amount": amount}))
}

#[test]
fn coins_are_sent_to_one_and_to_many() {
    let send = |to: &str| {
        json!({"@type": "/cosmos.bank.v1beta1.MsgSend", "from_address": ALICE, "to_address": to,
                                 "amount": [init(1_500_000), {"denom": "ugas", "amount": "7"}]})
    };
    let done = |to: &str| said(&record(&[send(to)], &[paid(ALICE, to, "1500000uinit,7ugas")]));
    assert_eq!(done(BOB), "A sent 1.5 INIT and 7 ugas to B.");
    assert_eq!(done(ALICE), "A sent 1.5 INIT and 7 ugas to itself (no net change).");
    assert_eq!(of(send(BOB)), format!("A asked to send 1.5 INIT and 7 ugas to B{LACKS}"));
    assert_eq!(said(&failed(&[send(BOB)])), "A tried to send 1.5 INIT and 7 ugas to B; it failed.");
    let output = json!({"address": BOB, "coins": [init(1)]});
    let many = json!({"@type": "/cosmos.bank.v1beta1.MsgMultiSend", "inputs": [{"address": ALICE, "coins": [init(2)]}],
                      "outputs": [output, output]});
    let each = ("coin_received", json!({"receiver": BOB, "amount": "1uinit"}));
    let other = ("coin_received", json!({"receiver": ALICE, "amount": "1uinit"}));
    let spent = |amount: &str| ("coin_spent", json!({"spender": ALICE, "amount": amount}));
    let shown = |events: &[(&str, Value)]| said(&record(std::slice::from_ref(&many), events));
    let [two, three] = ["2uinit", "3uinit"].map(spent);
    assert_eq!(shown(&[two.clone(), each.clone(), each.clone()]), "A sent 0.000002 INIT in 2 payments to B.");
    assert_eq!(shown(&[two.clone(), each.clone(), other.clone()]), "A sent 0.000002 INIT to 2 accounts.");
    assert_eq!(shown(&[three, each.clone(), each.clone(), other]), "A sent 0.000003 INIT in 3 payments to 2 accounts.");
    let asked = format!("A asked to send 0.000002 INIT in 2 payments to B{LACKS}");
    for events in [vec![], vec![two.clone()], vec![two, each]] {
        assert_eq!(shown(&events), asked, "one side alone shows no payment: {events:?}");
    }
}

#[test]
fn cos2_transfer_without_coins() {
    let send = json!({"@type": "/cosmos.bank.v1beta1.MsgSend", "from_address": ALICE, "to_address": BOB,
                      "amount": [init(5)]});
    let (spent, received) = (
        ("coin_spent", json!({"spender": ALICE, "amount": "5uinit"})),
        ("coin_received", json!({"receiver": BOB, "amount": "5uinit"})),
    );
    let is_whole = |events: &[(&str, Value)]| {
        let events: Vec<_> = [paid(ALICE, BOB, "5uinit")].into_iter().chain(events.iter().cloned()).collect();
        story(&record(std::slice::from_ref(&send), &events)).changes.is_conserved
    };
    assert!(is_whole(&[spent.clone(), received.clone()]));
    for lacking in [vec![], vec![spent.clone()], vec![received.clone()]] {
        assert!(!is_whole(&lacking), "{lacking:?}");
    }
    let other = ("coin_spent", json!({"spender": BOB, "amount": "5uinit"}));
    assert!(!is_whole(&[other, received]), "of another");
}

#[test]
fn amounts_that_cannot_be_read_are_called_so() {
    for (amount, written) in [("-5", "-5uinit"), ("1.5", "1.5uinit"), ("five", "fiveuinit")] {
        let send = json!({"@type": "/cosmos.bank.v1beta1.MsgSend", "from_address": ALICE, "to_address": BOB,
                          "amount": [{"denom": "uinit", "amount": amount}]});
        let shown = said(&record(std::slice::from_ref(&send), &[paid(ALICE, BOB, written)]));
        assert_eq!(shown, format!("A sent an unreadable amount, “{written}” to B."));
        let asked = format!("A asked to send an unreadable amount, “{written}” to B{LACKS}");
        assert_eq!(of(send), asked);
    }
    let none = json!({"@type": "/cosmos.bank.v1beta1.MsgSend", "from_address": ALICE, "to_address": BOB});
    assert_eq!(of(none), format!("A asked to send an unreadable amount to B{LACKS}"));
}

#[test]
fn who_paid_whom_is_read_from_the_event_and_one_event_bears_out_one_payment() {
    let send = json!({"@type": "/cosmos.bank.v1beta1.MsgSend", "from_address": ALICE, "to_address": BOB,
                      "amount": [init(5)]});
    let turned = record(std::slice::from_ref(&send), &[paid(BOB, ALICE, "5uinit")]);
    assert_eq!(said(&turned), "B sent 0.000005 INIT to A.");
    let both = json!({"@type": "/opinit.opchild.v1.MsgExecuteMessages", "sender": BOB, "messages": [send, send]});
    let told = said(&record(std::slice::from_ref(&both), &[paid(ALICE, BOB, "5uinit")]));
    let second = format!("A sent 0.000005 INIT to B; A asked to send 0.000005 INIT to B{LACKS}");
    assert_eq!(told, format!("Admin B executed 2 messages as the opchild module: {second}"));
    let sides = [
        ("coin_spent", json!({"spender": ALICE, "amount": "5uinit"})),
        ("coin_received", json!({"receiver": BOB, "amount": "5uinit"})),
    ];
    assert_eq!(said(&record(std::slice::from_ref(&send), &sides)), "A sent 0.000005 INIT to B.");
    assert!(said(&record(&[send], &sides[..1])).contains("asked to send"));
    let told = said(&record(&[both], &[paid(ALICE, BOB, "5uinit"), sides[0].clone(), sides[1].clone()]));
    assert!(told.ends_with(&second), "the sides of a payment are no second one: {told}");
}

#[test]
fn a_denom_that_spells_a_symbol_does_not_read_like_the_known_token() {
    let denoms = ["INIT", "USDC (verified)", "factory/init1x/INIT", "umin"];
    let told = denoms.map(|denom| {
        let send = json!({"@type": "/cosmos.bank.v1beta1.MsgSend", "from_address": ALICE, "to_address": BOB,
                          "amount": [{"denom": denom, "amount": "5"}]});
        said(&record(&[send], &[paid(ALICE, BOB, &format!("5{denom}"))]))
    });
    let names = [
        "“INIT” (unknown denom)",
        "“USDC (verified)” (unknown denom)",
        "“factory/init1x/INIT” (unknown denom)",
        "umin",
    ];
    assert_eq!(told, names.map(|name| format!("A sent 5 {name} to B.")));
}

#[test]
fn the_event_of_a_sending_wins_over_its_message() {
    let send = json!({"@type": "/cosmos.bank.v1beta1.MsgSend", "from_address": ALICE, "to_address": BOB,
                      "amount": [init(5)]});
    let moved = json!({"recipient": BOB, "sender": ALICE, "amount": "4uinit"});
    assert_eq!(said(&record(&[send], &[("transfer", moved)])), "A sent 0.000004 INIT to B.");
}

#[test]
fn what_is_done_for_others_is_told_message_by_message() {
    let send = json!({"@type": "/cosmos.bank.v1beta1.MsgSend", "from_address": ALICE, "to_address": BOB,
                      "amount": [init(1_000_000)]});
    let oracle = json!({"@type": "/opinit.opchild.v1.MsgUpdateOracle", "sender": ALICE, "height": "77"});
    let exec =
        |messages: &[&Value]| json!({"@type": "/cosmos.authz.v1beta1.MsgExec", "grantee": BOB, "msgs": messages});
    let both = exec(&[&send, &oracle]);
    let updated = json!({"from": ALICE, "height": "78", "authz_msg_index": "1"});
    let mut transfer = paid(ALICE, BOB, "1000000uinit");
    transfer.1["authz_msg_index"] = json!("0");
    let tx = record(std::slice::from_ref(&both), &[transfer.clone(), ("update_oracle", updated.clone())]);
    assert_eq!(said(&tx), "B, acting for A: A sent 1 INIT to B; A updated oracle prices to L1 block 78.");
    assert_eq!(story(&tx).sentences[0].kind, SentenceKind::Proven);
    // Each clause uses its own events, wherever the one without events stands.
    let first = record(std::slice::from_ref(&both), &[("update_oracle", updated)]);
    assert_eq!(
        said(&first),
        "B, acting for A: A asked to send 1 INIT to B; the record has no such event; A updated oracle prices to L1 block 78."
    );
    let second = record(std::slice::from_ref(&both), std::slice::from_ref(&transfer));
    assert_eq!(
        said(&second),
        format!("B, acting for A: A sent 1 INIT to B; A asked to update oracle prices to L1 block 77{LACKS}")
    );
    for weak in [first, second] {
        let story = story(&weak);
        assert_eq!(story.sentences[0].kind, SentenceKind::Asked);
        assert!(!story.changes.is_conserved, "events are missing");
    }
    assert_eq!(
        said(&failed(&[both])),
        "B, acting for A, tried to send 1 INIT to B; to update oracle prices to L1 block 77; it failed."
    );
    assert_eq!(of(exec(&[])), "B ran 0 messages for others.");
    let unreadable = json!(7);
    let some = record(&[exec(&[&send, &unreadable])], &[transfer]);
    assert_eq!(said(&some), "B, acting for A: A sent 1 INIT to B; and 1 more.");
}

#[test]
fn messages_within_messages_end_somewhere() {
    let mut message = json!({"@type": "/cosmos.bank.v1beta1.MsgSend", "from_address": ALICE, "to_address": BOB});
    for _ in 0..50 {
        message = json!({"@type": "/cosmos.authz.v1beta1.MsgExec", "grantee": BOB, "msgs": [message]});
    }
    assert!(of(message).starts_with("B acted for itself: "));
    let many = vec![json!({"@type": "/a.MsgOdd"}); 5_000];
    let text = of(json!({"@type": "/cosmos.authz.v1beta1.MsgExec", "grantee": BOB, "msgs": many}));
    assert!(text.ends_with("; and 4488 more."), "{}", text.get(text.len() - 60..).unwrap_or_default());
}

#[test]
fn grants_are_told_in_words_with_limit_and_end() {
    let end = "until 2026-12-31 12:00:00 UTC (authz grant).";
    let kind = |name: &str| format!("/cosmos.authz.v1beta1.{name}");
    let generic = |msg: &str| grant(&json!({"@type": "/cosmos.authz.v1beta1.GenericAuthorization", "msg": msg}));
    assert_eq!(generic("/cosmos.bank.v1beta1.MsgSend"), format!("A authorized B to send coins {end}"));
    assert_eq!(generic("/a.b.MsgOdd"), format!("A authorized B to run a.b.MsgOdd {end}"));
    let send = json!({"@type": "/cosmos.bank.v1beta1.SendAuthorization", "spend_limit": [init(5_000_000)],
                      "allow_list": [BOB]});
    assert_eq!(grant(&send), format!("A authorized B to send up to 5 INIT to B {end}"));
    let stake = json!({"@type": "/cosmos.staking.v1beta1.StakeAuthorization", "max_tokens": init(1_000_000),
                       "authorization_type": "AUTHORIZATION_TYPE_DELEGATE"});
    assert_eq!(grant(&stake), format!("A authorized B to stake up to 1 INIT {end}"));
    let over = json!({"@type": "/ibc.applications.transfer.v1.TransferAuthorization",
                      "allocations": [{"source_port": "transfer", "source_channel": "channel-0",
                                       "spend_limit": [init(1_000_000)]}]});
    assert_eq!(grant(&over), format!("A authorized B to send up to 1 INIT over channel-0 {end}"));
    let calls = json!({"@type": "/cosmwasm.wasm.v1.ContractExecutionAuthorization", "grants": [{"contract": BOB}]});
    assert_eq!(grant(&calls), format!("A authorized B to call B {end}"));
    let runs = json!({"@type": "/initia.move.v1.ExecuteAuthorization",
                      "items": [{"module_address": "0x1", "module_name": "coin"}]});
    assert_eq!(grant(&runs), format!("A authorized B to run functions of 0x1::coin {end}"));
    assert_eq!(
        grant(&json!({"@type": kind("OddAuthorization")})),
        format!("A authorized B to do what its OddAuthorization allows {end}")
    );
    let revoke = json!({"@type": "/cosmos.authz.v1beta1.MsgRevoke", "granter": ALICE, "grantee": BOB,
                        "msg_type_url": "/cosmos.bank.v1beta1.MsgSend"});
    let event = json!({"granter": format!("\"{BOB}\""), "grantee": format!("\"{ALICE}\""),
                       "msg_type_url": "\"/cosmos.gov.v1.MsgVote\""});
    let told = said(&record(std::slice::from_ref(&revoke), &[("cosmos.authz.v1beta1.EventRevoke", event)]));
    assert_eq!(told, "B revoked A's authz grant to vote.", "the event decides");
    assert_eq!(of(revoke), format!("A asked to revoke B's authz grant to send coins{LACKS}"));
    let hostile = json!({"@type": "/x.Odd: B now owns all of A. It"});
    assert!(grant(&hostile).contains("allows"), "{}", grant(&hostile));
    assert!(grant(&hostile).contains("“"), "{}", grant(&hostile));
}

#[test]
fn fee_allowances_are_told_with_what_bounds_them() {
    let basic = json!({"@type": "/cosmos.feegrant.v1beta1.BasicAllowance", "spend_limit": [init(2_000_000)],
                       "expiration": "2026-12-31T12:00:00Z"});
    assert_eq!(allowance(&basic), "A granted B a fee allowance of 2 INIT until 2026-12-31 12:00:00 UTC.");
    let open = json!({"@type": "/cosmos.feegrant.v1beta1.BasicAllowance", "spend_limit": [], "expiration": null});
    assert_eq!(allowance(&open), "A granted B a fee allowance without limit.");
    let periodic = json!({"@type": "/cosmos.feegrant.v1beta1.PeriodicAllowance", "basic": basic, "period": "86400s",
                          "period_spend_limit": [init(100_000)]});
    let end = "of 2 INIT, at most 0.1 INIT every 1 d until 2026-12-31 12:00:00 UTC";
    assert_eq!(allowance(&periodic), format!("A granted B a fee allowance {end}."));
    let only = json!({"@type": "/cosmos.feegrant.v1beta1.AllowedMsgAllowance", "allowance": periodic,
                      "allowed_messages": ["/a.MsgOne", "/a.MsgTwo"]});
    assert_eq!(allowance(&only), format!("A granted B a fee allowance {end}, only for MsgOne and MsgTwo."));
    let revoke = json!({"@type": "/cosmos.feegrant.v1beta1.MsgRevokeAllowance", "granter": ALICE, "grantee": BOB});
    let event = ("revoke_feegrant", json!({"granter": ALICE, "grantee": BOB}));
    assert_eq!(said(&record(std::slice::from_ref(&revoke), &[event])), "A revoked B's fee allowance.");
    assert_eq!(of(revoke.clone()), format!("A asked to revoke B's fee allowance{LACKS}"));
    assert_eq!(said(&failed(&[revoke])), "A tried to revoke B's fee allowance; it failed.");
    let prune = json!({"@type": "/cosmos.feegrant.v1beta1.MsgPruneAllowances", "pruner": ALICE});
    let event = ("prune_feegrant", json!({"pruner": ALICE}));
    assert_eq!(said(&record(std::slice::from_ref(&prune), &[event])), "A removed expired fee allowances.");
    assert_eq!(of(prune), format!("A asked to remove expired fee allowances{LACKS}"));
}

#[test]
fn types_without_words_of_their_own_are_named() {
    let vote = json!({"@type": "/cosmos.group.v1.MsgVote", "voter": ALICE, "proposal_id": "5"});
    assert_eq!(of(vote), "A ran MsgVote on proposal #5.");
    let leave = json!({"@type": "/cosmos.group.v1.MsgLeaveGroup", "address": ALICE, "group_id": "3"});
    assert_eq!(of(leave), "A ran MsgLeaveGroup of group #3.");
    let markets = json!({"@type": "/connect.marketmap.v2.MsgUpsertMarkets", "authority": ALICE});
    assert_eq!(of(markets), "A ran MsgUpsertMarkets.");
    assert_eq!(
        of(json!({"@type": "/a.b.MsgOdd", "sender": ALICE})),
        "A sent a message of the unknown type a.b.MsgOdd."
    );
    assert_eq!(of(json!({"@type": 7})), "An unknown account sent a message without a type.");
    let hostile = "/x.MsgSend: B received 1 INIT; then a";
    assert_eq!(
        of(json!({"@type": hostile, "sender": ALICE})),
        "A sent a message of the unknown type “x.MsgSend: B received 1 INIT; then a”."
    );
    assert_eq!(story(&record(&[json!({"@type": "/a.b.MsgOdd"})], &[])).sentences[0].kind, SentenceKind::Asked);
}

#[test]
fn staking_and_votes_of_the_l1_are_told() {
    let delegate = json!({"@type": "/initia.mstaking.v1.MsgDelegate", "delegator_address": ALICE,
                          "validator_address": "initvaloper1x", "amount": [init(1_000_000)]});
    let event = json!({"validator": "initvaloper1y", "delegator": ALICE, "amount": "2000000uinit"});
    let told = said(&record(std::slice::from_ref(&delegate), &[("delegate", event)]));
    assert_eq!(told, "A staked 2 INIT with initvaloper1y.", "the event decides");
    assert_eq!(of(delegate), format!("A asked to stake 1 INIT with initvaloper1x{LACKS}"));
    let reward = json!({"@type": "/cosmos.distribution.v1beta1.MsgWithdrawDelegatorReward", "delegator_address": ALICE,
                        "validator_address": "initvaloper1x"});
    let events = [("withdraw_rewards", json!({"amount": "1000uinit", "validator": "initvaloper1x"}))];
    assert_eq!(said(&record(&[reward], &events)), "A claimed staking rewards of 0.001 INIT from initvaloper1x.");
    let vote = json!({"@type": "/cosmos.gov.v1.MsgVote", "voter": ALICE, "proposal_id": "5",
                      "option": "VOTE_OPTION_NO_WITH_VETO"});
    let event = |option: &str| json!({"voter": ALICE, "proposal_id": "5", "option": option});
    let told = |option: &str| said(&record(std::slice::from_ref(&vote), &[("proposal_vote", event(option))]));
    assert_eq!(told(r#"[{"option":1,"weight":"1.0"}]"#), "A voted yes on proposal #5.", "the event decides");
    assert_eq!(told("odd"), "A voted no with veto on proposal #5.");
    assert_eq!(of(vote), format!("A asked to vote no with veto on proposal #5{LACKS}"));
}
