use serde_json::{Value, json};

use crate::story::{
    Style,
    sentence::test_records::{ALICE, BOB, failed, init, record, said, short, story},
    text_of,
};

const DENOM: &str = "l2/fb936ffef4eb4019d82941992cc09ae2788ce7197fcb08cb00c4fe6f5e79184e";

fn of(message: Value) -> String {
    said(&record(&[message], &[]))
}

fn child(name: &str, fields: Value) -> Value {
    typed("opchild", name, fields)
}

fn host(name: &str, fields: Value) -> Value {
    typed("ophost", name, fields)
}

fn typed(side: &str, name: &str, mut fields: Value) -> Value {
    fields["@type"] = json!(format!("/opinit.{side}.v1.{name}"));
    fields
}

fn deposit() -> Value {
    child(
        "MsgFinalizeTokenDeposit",
        json!({"sender": BOB, "from": ALICE, "to": ALICE, "amount": {"denom": DENOM, "amount": "1000000"},
               "sequence": "9", "height": "700", "base_denom": "uinit", "data": null}),
    )
}

fn finalized(more: &Value) -> (&'static str, Value) {
    let mut attributes = json!({"l1_sequence": "9", "sender": ALICE, "recipient": BOB, "denom": DENOM,
                                "base_denom": "uinit", "amount": "1000000", "finalize_height": "700"});
    for (key, value) in more.as_object().unwrap() {
        attributes[key] = value.clone();
    }
    ("finalize_token_deposit", attributes)
}

#[test]
fn a_deposit_is_told_as_its_event_has_it() {
    let tx = record(&[deposit()], &[finalized(&json!({"success": "true"}))]);
    assert_eq!(said(&tx), "1 INIT arrived from L1: A → B (deposit #9, L1 block 700).");
    let told = &story(&tx).bridge[0];
    let text = short(&text_of(&told.phrases, Style::Exact));
    assert_eq!(text, "1 INIT from the L1 to B: deposit #9 of L1 block 700, arrived");
    let record = told.record();
    assert_eq!(
        (&record["kind"], &record["bridge_id"], &record["l1_sequence"]),
        (&json!("deposit"), &json!(31), &json!(9))
    );
}

#[test]
fn a_deposit_that_could_not_be_credited_went_back() {
    let refused = finalized(&json!({"success": "false", "reason": "deposit failed; B may not: unauthorized"}));
    let back = json!({"from": BOB, "to": ALICE, "denom": DENOM, "base_denom": "uinit", "amount": "1000000",
                      "l2_sequence": "4"});
    let tx = record(&[deposit()], &[refused, ("initiate_token_withdrawal", back)]);
    assert_eq!(
        said(&tx),
        "1 INIT arrived from L1: A → B (deposit #9, L1 block 700), but could not be credited (B may not: unauthorized) and \
         was sent back as withdrawal #4."
    );
    assert_eq!(story(&tx).bridge.len(), 2, "the deposit, and the withdrawal that it became");
}

#[test]
fn a_deposit_that_was_done_before_did_nothing() {
    let was = "B repeated deposit #9 from L1: 1 INIT, A → A, which had been delivered already; nothing happened.";
    assert_eq!(of(deposit()), was);
    let tried = "B tried to deliver deposit #9 from L1: 1 INIT, A → A (L1 block 700); it failed.";
    assert_eq!(said(&failed(&[deposit()])), tried);
    assert!(story(&failed(&[deposit()])).bridge.is_empty());
}

#[test]
fn an_attachment_that_cannot_be_read_is_said_to_be_there() {
    let mut message = deposit();
    message["data"] = json!("%%% no base64");
    let tx = record(&[message], &[finalized(&json!({"success": "true"}))]);
    assert!(said(&tx).ends_with("; then ran an attached action that cannot be read."), "{}", said(&tx));
}

#[test]
fn withdrawals_and_migrations_are_told() {
    let message = child("MsgInitiateTokenWithdrawal", json!({"sender": ALICE, "to": BOB, "amount": init(1_000_000)}));
    assert_eq!(said(&failed(std::slice::from_ref(&message))), "A tried to withdraw 1 INIT to B on L1; it failed.");
    let packet = json!({"packet_src_channel": "channel-0", "packet_sequence": "8", "packet_src_port": "transfer",
                        "packet_dst_port": "transfer", "packet_dst_channel": "channel-66"});
    let tx = record(&[message], &[("send_packet", packet)]);
    let over = "A started withdrawing 1 INIT to B on L1 over IBC (channel-0, packet #8).";
    assert_eq!(said(&tx), over, "the bridge of this token moved to IBC");
    let migrate = child("MsgMigrateToken", json!({"sender": ALICE, "amount": {"denom": DENOM, "amount": "5"}}));
    let got = json!({"receiver": ALICE, "amount": "5ibc/AB"});
    let tx = record(&[migrate], &[("coin_received", got), ("migrate_token", json!({}))]);
    assert_eq!(said(&tx), format!("A swapped 5 {DENOM} for its IBC form 5 ibc/AB."));
}

#[test]
fn what_an_admin_executes_is_told_within() {
    let pay = child("MsgSpendFeePool", json!({"authority": ALICE, "recipient": BOB, "amount": [init(1_000_000)]}));
    let admin = child("MsgUpdateAdmin", json!({"authority": ALICE, "new_admin": BOB}));
    let message = child("MsgExecuteMessages", json!({"sender": ALICE, "messages": [pay, admin]}));
    let told =
        "Admin A executed 2 messages as the opchild module: fee pool paid 1 INIT to B; the rollup's admin is now B.";
    assert_eq!(of(message.clone()), told);
    let tried = "A tried to execute 2 messages as the opchild module: to pay 1 INIT to B from the fee pool; to make \
                 the rollup's admin B; it failed.";
    assert_eq!(said(&failed(&[message])), tried);
}

#[test]
fn oracles_are_told_by_height() {
    let update = child("MsgUpdateOracle", json!({"sender": ALICE, "height": "77", "data": "AAAA"}));
    assert_eq!(of(update), "A updated oracle prices to L1 block 77.");
    let data = json!({"bridge_id": "12", "prices": [{}, {}], "l1_block_height": "78"});
    let relay = child("MsgRelayOracleData", json!({"sender": ALICE, "oracle_data": data}));
    assert_eq!(of(relay.clone()), "A relayed 2 oracle prices of L1 block 78.");
    let event = json!({"bridge_id": "12", "l1_block_height": "79", "num_currency_pair": "4"});
    assert_eq!(said(&record(&[relay], &[("oracle_data_relay", event)])), "A relayed 4 oracle prices of L1 block 79.");
}

#[test]
fn what_governs_a_rollup_is_told() {
    let info = json!({"bridge_id": "12", "bridge_addr": BOB, "l1_chain_id": "interwoven-1"});
    let price = json!({"denom": "uinit", "amount": "0.015000000000000000"});
    let migration = json!({"denom": DENOM, "ibc_channel_id": "channel-0", "ibc_port_id": "transfer"});
    let cases = [
        (
            "MsgSetBridgeInfo",
            json!({"sender": ALICE, "bridge_info": info}),
            "A linked this rollup to bridge #12 of interwoven-1.",
        ),
        ("MsgUpdateSequencer", json!({"authority": ALICE, "moniker": "north"}), "Sequencer changed to north."),
        ("MsgAddValidator", json!({"authority": ALICE, "moniker": "north"}), "A added validator north."),
        (
            "MsgRemoveValidator",
            json!({"authority": ALICE, "validator_address": "initvaloper1x"}),
            "A removed validator initvaloper1x.",
        ),
        (
            "MsgAddFeeWhitelistAddresses",
            json!({"authority": ALICE, "addresses": [BOB]}),
            "1 address was added to the fee whitelist: B.",
        ),
        (
            "MsgRemoveFeeWhitelistAddresses",
            json!({"authority": ALICE, "addresses": [BOB, ALICE]}),
            "2 addresses were removed from the fee whitelist: B, A.",
        ),
        (
            "MsgAddBridgeExecutor",
            json!({"authority": ALICE, "addresses": [BOB]}),
            "1 address was added to the bridge executors: B.",
        ),
        (
            "MsgRemoveBridgeExecutor",
            json!({"authority": ALICE, "addresses": [BOB]}),
            "1 address was removed from the bridge executors: B.",
        ),
        (
            "MsgUpdateMinGasPrices",
            json!({"authority": ALICE, "min_gas_prices": [price]}),
            "Minimum gas prices are now 0.015 uinit.",
        ),
        ("MsgUpdateAdmin", json!({"authority": ALICE, "new_admin": BOB}), "The rollup's admin is now B."),
        ("MsgUpdateParams", json!({"authority": ALICE, "params": {}}), "The rollup's parameters changed."),
        (
            "MsgSpendFeePool",
            json!({"authority": ALICE, "recipient": BOB, "amount": [init(1)]}),
            "Fee pool paid 0.000001 INIT to B.",
        ),
        (
            "MsgRegisterMigrationInfo",
            json!({"authority": ALICE, "migration_info": migration}),
            "A registered the move of l2/fb936ffef4eb4019d82941992cc09ae2788ce7197fcb08cb00c4fe6f5e79184e to its IBC form over channel-0.",
        ),
        ("MsgSomethingNew", json!({"authority": ALICE}), "A ran MsgSomethingNew."),
    ];
    for (name, fields, told) in cases {
        assert_eq!(of(child(name, fields)), told);
    }
    let tried = child("MsgAddBridgeExecutor", json!({"authority": ALICE, "addresses": [BOB]}));
    assert_eq!(said(&failed(&[tried])), "A tried to add 1 address to the bridge executors: B; it failed.");
    let tried = child("MsgUpdateSequencer", json!({"authority": ALICE, "moniker": "north"}));
    assert_eq!(said(&failed(&[tried])), "A tried to change the sequencer to north; it failed.");
}

#[test]
fn the_side_of_the_l1_is_told() {
    let cases = [
        (
            "MsgFinalizeTokenWithdrawal",
            json!({"sender": ALICE, "bridge_id": "12", "sequence": "7", "to": BOB, "amount": init(5_000_000)}),
            "A claimed withdrawal #7 of civitia-1: 5 INIT to B.",
        ),
        (
            "MsgProposeOutput",
            json!({"proposer": ALICE, "bridge_id": "13", "output_index": "4", "l2_block_number": "90"}),
            "A proposed output #4 of the rollup of bridge #13 up to its block 90.",
        ),
        (
            "MsgRecordBatch",
            json!({"submitter": ALICE, "bridge_id": "12"}),
            "A recorded a batch of transactions of civitia-1.",
        ),
        (
            "MsgDeleteOutput",
            json!({"challenger": ALICE, "bridge_id": "12", "output_index": "4"}),
            "A challenged and deleted output #4 of civitia-1.",
        ),
        ("MsgCreateBridge", json!({"creator": ALICE}), "A created a bridge for a rollup."),
        ("MsgUpdateProposer", json!({"authority": ALICE}), "A ran MsgUpdateProposer."),
    ];
    for (name, fields, told) in cases {
        assert_eq!(of(host(name, fields)), told);
    }
    let message = host(
        "MsgInitiateTokenDeposit",
        json!({"sender": ALICE, "bridge_id": "12", "to": BOB, "amount": init(5_000_000), "data": "AAAA"}),
    );
    let started = json!({"bridge_id": "12", "l1_sequence": "44", "from": ALICE, "to": BOB, "l1_denom": "uinit",
                         "l2_denom": "l2/00", "amount": "5000000", "data": "00"});
    let tx = record(&[message], &[("initiate_token_deposit", started)]);
    let told = "A deposited 5 INIT to B on civitia-1 (deposit #44); a signed transaction goes with it.";
    assert_eq!(said(&tx), told);
    let told = &story(&tx).bridge[0];
    assert_eq!(told.counterparty.as_deref(), Some("civitia-1"));
    assert_eq!(told.search.as_deref(), Some("finalize_token_deposit.l1_sequence='44'"));
    assert_eq!(told.record()["kind"], "deposit_started");
}
