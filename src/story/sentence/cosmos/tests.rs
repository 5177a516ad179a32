use serde_json::{Value, json};

use crate::story::sentence::test_records::{ALICE, BOB, failed, init, record, said};

fn of(message: Value) -> String {
    said(&record(&[message], &[]))
}

fn grant(authorization: &Value) -> String {
    of(json!({"@type": "/cosmos.authz.v1beta1.MsgGrant", "granter": ALICE, "grantee": BOB,
              "grant": {"authorization": authorization, "expiration": "2026-12-31T12:00:00Z"}}))
}

fn allowance(allowance: &Value) -> String {
    of(json!({"@type": "/cosmos.feegrant.v1beta1.MsgGrantAllowance", "granter": ALICE, "grantee": BOB,
              "allowance": allowance}))
}

#[test]
fn coins_are_sent_to_one_and_to_many() {
    let send = |to: &str| {
        json!({"@type": "/cosmos.bank.v1beta1.MsgSend", "from_address": ALICE, "to_address": to,
                                 "amount": [init(1_500_000), {"denom": "ugas", "amount": "7"}]})
    };
    assert_eq!(of(send(BOB)), "A sent 1.5 INIT and 7 ugas to B.");
    assert_eq!(of(send(ALICE)), "A sent 1.5 INIT and 7 ugas to itself (no net change).");
    assert_eq!(said(&failed(&[send(BOB)])), "A tried to send 1.5 INIT and 7 ugas to B; it failed.");
    let output = json!({"address": BOB, "coins": [init(1)]});
    let many = json!({"@type": "/cosmos.bank.v1beta1.MsgMultiSend", "inputs": [{"address": ALICE, "coins": [init(2)]}],
                      "outputs": [output, output]});
    assert_eq!(of(many), "A sent 0.000002 INIT to 2 accounts.");
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
    let tx = record(std::slice::from_ref(&both), &[("update_oracle", updated)]);
    assert_eq!(said(&tx), "B, acting for A: A sent 1 INIT to B; A updated oracle prices to L1 block 78.");
    assert_eq!(
        said(&failed(&[both])),
        "B, acting for A, tried to send 1 INIT to B; to update oracle prices to L1 block 77; it failed."
    );
    assert_eq!(of(exec(&[])), "B ran 0 messages for others.");
    let unreadable = json!(7);
    assert_eq!(of(exec(&[&send, &unreadable])), "B, acting for A: A sent 1 INIT to B; and 1 more.");
}

#[test]
fn messages_within_messages_end_somewhere() {
    let mut message = json!({"@type": "/cosmos.bank.v1beta1.MsgSend", "from_address": ALICE, "to_address": BOB});
    for _ in 0..50 {
        message = json!({"@type": "/cosmos.authz.v1beta1.MsgExec", "grantee": BOB, "msgs": [message]});
    }
    assert!(of(message).starts_with("B, acting for "));
    let many = vec![json!({"@type": "/a.MsgOdd"}); 5_000];
    let text = of(json!({"@type": "/cosmos.authz.v1beta1.MsgExec", "grantee": BOB, "msgs": many}));
    assert!(text.ends_with("; and 4488 more."), "{}", text.get(text.len() - 60..).unwrap_or_default());
}

#[test]
fn grants_are_told_in_words_with_limit_and_end() {
    let end = "until 2026-12-31 12:00:00 UTC.";
    let kind = |name: &str| format!("/cosmos.authz.v1beta1.{name}");
    let generic = |msg: &str| grant(&json!({"@type": "/cosmos.authz.v1beta1.GenericAuthorization", "msg": msg}));
    assert_eq!(generic("/cosmos.bank.v1beta1.MsgSend"), format!("A allowed B to send coins {end}"));
    assert_eq!(generic("/a.b.MsgOdd"), format!("A allowed B to run MsgOdd {end}"));
    let send = json!({"@type": "/cosmos.bank.v1beta1.SendAuthorization", "spend_limit": [init(5_000_000)],
                      "allow_list": [BOB]});
    assert_eq!(grant(&send), format!("A allowed B to send up to 5 INIT to B {end}"));
    let stake = json!({"@type": "/cosmos.staking.v1beta1.StakeAuthorization", "max_tokens": init(1_000_000),
                       "authorization_type": "AUTHORIZATION_TYPE_DELEGATE"});
    assert_eq!(grant(&stake), format!("A allowed B to stake up to 1 INIT {end}"));
    let over = json!({"@type": "/ibc.applications.transfer.v1.TransferAuthorization",
                      "allocations": [{"source_port": "transfer", "source_channel": "channel-0",
                                       "spend_limit": [init(1_000_000)]}]});
    assert_eq!(grant(&over), format!("A allowed B to send up to 1 INIT over channel-0 {end}"));
    let calls = json!({"@type": "/cosmwasm.wasm.v1.ContractExecutionAuthorization", "grants": [{"contract": BOB}]});
    assert_eq!(grant(&calls), format!("A allowed B to call B {end}"));
    let runs = json!({"@type": "/initia.move.v1.ExecuteAuthorization",
                      "items": [{"module_address": "0x1", "module_name": "coin"}]});
    assert_eq!(grant(&runs), format!("A allowed B to run functions of 0x1::coin {end}"));
    assert_eq!(
        grant(&json!({"@type": kind("OddAuthorization")})),
        format!("A allowed B to do what its OddAuthorization allows {end}")
    );
    let revoke = json!({"@type": "/cosmos.authz.v1beta1.MsgRevoke", "granter": ALICE, "grantee": BOB,
                        "msg_type_url": "/cosmos.bank.v1beta1.MsgSend"});
    assert_eq!(of(revoke), "A took back B's right to send coins.");
}

#[test]
fn fee_allowances_are_told_with_what_bounds_them() {
    let basic = json!({"@type": "/cosmos.feegrant.v1beta1.BasicAllowance", "spend_limit": [init(2_000_000)],
                       "expiration": "2026-12-31T12:00:00Z"});
    assert_eq!(allowance(&basic), "A will pay fees of B up to 2 INIT until 2026-12-31 12:00:00 UTC.");
    let open = json!({"@type": "/cosmos.feegrant.v1beta1.BasicAllowance", "spend_limit": [], "expiration": null});
    assert_eq!(allowance(&open), "A will pay fees of B.");
    let periodic = json!({"@type": "/cosmos.feegrant.v1beta1.PeriodicAllowance", "basic": basic, "period": "86400s",
                          "period_spend_limit": [init(100_000)]});
    let end = "up to 2 INIT, at most 0.1 INIT every 1 d until 2026-12-31 12:00:00 UTC";
    assert_eq!(allowance(&periodic), format!("A will pay fees of B {end}."));
    let only = json!({"@type": "/cosmos.feegrant.v1beta1.AllowedMsgAllowance", "allowance": periodic,
                      "allowed_messages": ["/a.MsgOne", "/a.MsgTwo"]});
    assert_eq!(allowance(&only), format!("A will pay fees of B {end}, only for MsgOne and MsgTwo."));
    let revoke = json!({"@type": "/cosmos.feegrant.v1beta1.MsgRevokeAllowance", "granter": ALICE, "grantee": BOB});
    assert_eq!(of(revoke.clone()), "A stopped paying fees of B.");
    assert_eq!(said(&failed(&[revoke])), "A tried to stop paying fees of B; it failed.");
    let prune = json!({"@type": "/cosmos.feegrant.v1beta1.MsgPruneAllowances", "pruner": ALICE});
    assert_eq!(of(prune), "A cleared away fee allowances that had ended.");
}

#[test]
fn types_without_words_of_their_own_are_named() {
    let vote = json!({"@type": "/cosmos.group.v1.MsgVote", "voter": ALICE, "proposal_id": "5"});
    assert_eq!(of(vote), "A ran MsgVote on proposal #5.");
    let leave = json!({"@type": "/cosmos.group.v1.MsgLeaveGroup", "address": ALICE, "group_id": "3"});
    assert_eq!(of(leave), "A ran MsgLeaveGroup of group #3.");
    let markets = json!({"@type": "/connect.marketmap.v2.MsgUpsertMarkets", "authority": ALICE});
    assert_eq!(of(markets), "A ran MsgUpsertMarkets.");
    assert_eq!(of(json!({"@type": "/a.b.MsgOdd", "sender": ALICE})), "A sent a MsgOdd message.");
    assert_eq!(of(json!({"@type": 7})), "Somebody unnamed sent an unknown message.");
}

#[test]
fn staking_and_votes_of_the_l1_are_told() {
    let delegate = json!({"@type": "/initia.mstaking.v1.MsgDelegate", "delegator_address": ALICE,
                          "validator_address": "initvaloper1x", "amount": [init(1_000_000)]});
    assert_eq!(of(delegate), "A staked 1 INIT with initvaloper1x.");
    let reward = json!({"@type": "/cosmos.distribution.v1beta1.MsgWithdrawDelegatorReward", "delegator_address": ALICE,
                        "validator_address": "initvaloper1x"});
    let events = [("withdraw_rewards", json!({"amount": "1000uinit", "validator": "initvaloper1x"}))];
    assert_eq!(said(&record(&[reward], &events)), "A claimed staking rewards of 0.001 INIT from initvaloper1x.");
    let vote = json!({"@type": "/cosmos.gov.v1.MsgVote", "voter": ALICE, "proposal_id": "5",
                      "option": "VOTE_OPTION_NO_WITH_VETO"});
    assert_eq!(of(vote), "A voted no with veto on proposal #5.");
}
