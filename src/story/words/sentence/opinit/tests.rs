use serde_json::{Value, json};

use crate::story::words::{
    phrase::{Style, text_of},
    sentence::test_records::{ALICE, BOB, failed, init, record, said, short, story},
};

const DENOM: &str = "l2/fb936ffef4eb4019d82941992cc09ae2788ce7197fcb08cb00c4fe6f5e79184e";

/// End of a sentence without the message's usual events.
const LACKS: &str = "; the record has no such event.";

fn of(message: Value) -> String {
    said(&record(&[message], &[]))
}

fn with(message: Value, events: &[(&str, Value)]) -> String {
    said(&record(&[message], events))
}

fn coin(kind: &'static str, party: &str, account: &str) -> (&'static str, Value) {
    (kind, json!({party: account, "amount": format!("1000000{DENOM}")}))
}

/// Returns the credit event of the test deposit.
fn credit() -> (&'static str, Value) {
    coin("coin_received", "receiver", BOB)
}

/// Returns the event of the withdrawal that returns the test deposit.
fn sent_back() -> (&'static str, Value) {
    let event = json!({"from": BOB, "to": ALICE, "denom": DENOM, "base_denom": "uinit", "amount": "1000000",
                       "l2_sequence": "4"});
    ("initiate_token_withdrawal", event)
}

/// Returns the sentence, the problem, and the bridge lines.
fn whole(tx: &crate::wire::Tx) -> (String, Option<String>, Vec<String>) {
    let story = story(tx);
    let lines = story.bridge.iter().map(|told| short(&text_of(&told.phrases, Style::Exact))).collect();
    (said(tx), story.explanation.map(|explanation| short(&explanation.text)), lines)
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
    let tx = record(&[deposit()], &[credit(), finalized(&json!({"success": "true"}))]);
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
    let (told, why, lines) = whole(&record(&[deposit()], &[refused, sent_back()]));
    let end = "A → B (deposit #9, L1 block 700), as withdrawal #4, because the bridge could not credit it.";
    assert_eq!(told, format!("1 INIT from L1 was sent back: {end}"));
    let reason = "Message 1 completed with a problem: the bridge could not credit the deposit (“B may not: unauthorized”) and \
                  was sent back to A as withdrawal #4.";
    assert_eq!(why.as_deref(), Some(reason));
    assert_eq!(
        lines,
        [
            "1 INIT from the L1 to B: deposit #9 of L1 block 700, failed here and was sent back",
            "1 INIT to A on the L1: withdrawal #4; this record does not show a claim there"
        ]
    );
}

#[test]
fn what_became_of_a_deposit_whose_hook_failed_is_read_from_the_events() {
    let mut message = deposit();
    // One attached `MsgCall`.
    message["data"] = json!("ChsKGQoXL21pbmlldm0uZXZtLnYxLk1zZ0NhbGw=");
    let failed = || {
        finalized(
            &json!({"success": "false", "reason": "hook failed; Failed to execute Msg: revert: no way: Reverted"}),
        )
    };
    let way = "A → B (deposit #9, L1 block 700)";
    let tell = |events: &[(&str, Value)]| whole(&record(std::slice::from_ref(&message), events));
    // Newer nodes leave the tokens with the receiver.
    let (told, why, lines) = tell(&[credit(), failed()]);
    assert_eq!(told, format!("1 INIT arrived from L1: {way}; its hook failed. The tokens stayed with B."));
    let why = why.expect("a reason");
    assert!(why.ends_with(": the hook reverted: “no way”. The tokens stayed with B."), "{why}");
    assert!(lines[0].ends_with(", arrived; its hook failed"), "{lines:?}");
    // Older nodes return them in the same message.
    let back = [credit(), failed(), coin("coin_spent", "spender", BOB), coin("burn", "burner", BOB), sent_back()];
    let (told, why, lines) = tell(&back);
    assert_eq!(told, format!("1 INIT from L1 was sent back: {way}, as withdrawal #4, because its hook failed."));
    let why = why.expect("a reason");
    assert!(why.ends_with("“no way” and the deposit was sent back to A as withdrawal #4."), "{why}");
    assert!(!format!("{told}{why}{lines:?}").contains("stayed"), "{lines:?}");
    // An unrelated or earlier withdrawal does not count.
    let (kind, mut other) = sent_back();
    other["from"] = json!(ALICE);
    assert!(tell(&[credit(), failed(), (kind, other)]).0.contains("stayed with B"));
    assert!(tell(&[sent_back(), credit(), failed()]).0.contains("stayed with B"));
    // Without a credit or a withdrawal nothing arrived.
    let (told, why, lines) = tell(&[failed()]);
    assert_eq!(told, format!("1 INIT from L1 was not credited: {way}; its event reports a failure."));
    assert!(why.is_some_and(|why| why.ends_with("No event shows a credit.")));
    assert!(lines[0].ends_with(", not credited here"), "{lines:?}");
}

#[test]
fn a_deposit_whose_credit_is_not_in_the_record_did_not_arrive() {
    let tx = record(&[deposit()], &[finalized(&json!({"success": "true"}))]);
    // The message asks for A, whatever the event claims.
    let told =
        "B asked to deliver deposit #9 from L1: 1 INIT, A → A (L1 block 700); the record has no event of a credit.";
    assert_eq!(said(&tx), told);
    assert!(!story(&tx).changes.is_conserved);
    let mut nothing = finalized(&json!({"success": "true"}));
    nothing.1["amount"] = json!("0");
    assert!(with(deposit(), &[nothing]).starts_with("0 INIT arrived from L1: "), "nothing needs no credit");
}

#[test]
fn a_deposit_that_was_done_before_did_nothing() {
    assert_eq!(
        of(deposit()),
        "B relayed deposit #9 from L1: 1 INIT, A → A (L1 block 700); no event shows an effect, so it was probably delivered before."
    );
    let tried = "B tried to deliver deposit #9 from L1: 1 INIT, A → A (L1 block 700); it failed.";
    assert_eq!(said(&failed(&[deposit()])), tried);
    assert!(story(&failed(&[deposit()])).bridge.is_empty());
}

#[test]
fn a_denom_is_the_known_token_only_where_its_hash_proves_the_base() {
    let mut message = deposit();
    let other = format!("l2/{}", "0".repeat(64));
    message["amount"]["denom"] = json!(other);
    let mut event = finalized(&json!({"success": "true"}));
    event.1["denom"] = json!(other);
    let credit = ("coin_received", json!({"receiver": BOB, "amount": format!("1000000{other}")}));
    let told = with(message, &[credit, event]);
    assert!(told.starts_with(&format!("1000000 {other} arrived from L1")), "{told}");
}

#[test]
fn an_attachment_that_cannot_be_read_is_said_to_be_there() {
    let mut message = deposit();
    message["data"] = json!("%%% no base64");
    let tx = record(&[message], &[credit(), finalized(&json!({"success": "true"}))]);
    assert!(said(&tx).ends_with("; then ran an unreadable hook."), "{}", said(&tx));
}

#[test]
fn withdrawals_and_migrations_are_told() {
    let message = child("MsgInitiateTokenWithdrawal", json!({"sender": ALICE, "to": BOB, "amount": init(1_000_000)}));
    assert_eq!(said(&failed(std::slice::from_ref(&message))), "A tried to withdraw 1 INIT to B on L1; it failed.");
    assert_eq!(of(message.clone()), format!("A asked to withdraw 1 INIT to B on L1{LACKS}"));
    let started = json!({"from": ALICE, "to": BOB, "denom": "uinit", "base_denom": "uinit", "amount": "2000000",
                         "l2_sequence": "5"});
    let told = with(message.clone(), &[("initiate_token_withdrawal", started)]);
    assert_eq!(told, "A started withdrawing 2 INIT to B on L1 (withdrawal #5).", "the event decides");
    let data = json!({"denom": "uinit", "amount": "1000000", "sender": ALICE, "receiver": BOB}).to_string();
    let packet = json!({"packet_src_channel": "channel-0", "packet_sequence": "8", "packet_src_port": "transfer",
                        "packet_dst_port": "transfer", "packet_dst_channel": "channel-66", "packet_data": data});
    let tx = record(&[message], &[("send_packet", packet)]);
    let over = "A started withdrawing 1 INIT to B on L1 over IBC (channel-0, packet #8).";
    assert_eq!(said(&tx), over, "the bridge of this token moved to IBC");
    let migrate = child("MsgMigrateToken", json!({"sender": ALICE, "amount": {"denom": DENOM, "amount": "5"}}));
    let got = json!({"receiver": ALICE, "amount": "5ibc/AB"});
    assert_eq!(of(migrate.clone()), format!("A asked to swap 5 {DENOM} for its IBC form{LACKS}"));
    let gave = |amount: u8| json!({"spender": ALICE, "amount": format!("{amount}{DENOM}")});
    let swapped = |gave: Value| {
        let events = [("coin_spent", gave), ("coin_received", got.clone()), ("migrate_token", json!({}))];
        said(&record(std::slice::from_ref(&migrate), &events))
    };
    assert_eq!(swapped(gave(5)), format!("A swapped 5 {DENOM} for its IBC form 5 ibc/AB."));
    assert_eq!(swapped(gave(4)), format!("A swapped 4 {DENOM} for its IBC form 5 ibc/AB."), "as the bank says");
    let of_another = swapped(json!({"spender": BOB, "amount": format!("5{DENOM}")}));
    assert_eq!(of_another, format!("A asked to swap 5 {DENOM} for its IBC form{LACKS}"));
}

#[test]
fn what_an_admin_executes_is_told_within() {
    let pay = child("MsgSpendFeePool", json!({"authority": ALICE, "recipient": BOB, "amount": [init(1_000_000)]}));
    let admin = child("MsgUpdateAdmin", json!({"authority": ALICE, "new_admin": BOB}));
    let message = child("MsgExecuteMessages", json!({"sender": ALICE, "messages": [pay, admin]}));
    let begin = "Admin A executed 2 messages as the opchild module: ";
    let paid = ("coin_received", json!({"receiver": BOB, "amount": "1000000uinit"}));
    let told = with(message.clone(), &[paid]);
    assert_eq!(told, format!("{begin}fee pool paid 1 INIT to B; ran MsgUpdateAdmin (new admin: B)."));
    let asked = "asked to pay 1 INIT to B from the fee pool; the record has no such event";
    assert_eq!(of(message.clone()), format!("{begin}{asked}; ran MsgUpdateAdmin (new admin: B)."));
    let tried = "A tried to execute 2 messages as the opchild module: to pay 1 INIT to B from the fee pool; to run \
                 MsgUpdateAdmin (new admin: B); it failed.";
    assert_eq!(said(&failed(&[message])), tried);
}

#[test]
fn oracles_are_told_by_height() {
    let update = child("MsgUpdateOracle", json!({"sender": ALICE, "height": "77", "data": "AAAA"}));
    let event = ("update_oracle", json!({"from": ALICE, "height": "77"}));
    assert_eq!(with(update.clone(), &[event]), "A updated oracle prices to L1 block 77.");
    assert_eq!(of(update), format!("A asked to update oracle prices to L1 block 77{LACKS}"));
    let data = json!({"bridge_id": "12", "prices": [{}, {}], "l1_block_height": "78"});
    let relay = child("MsgRelayOracleData", json!({"sender": ALICE, "oracle_data": data}));
    assert_eq!(of(relay.clone()), format!("A asked to relay 2 oracle prices of L1 block 78{LACKS}"));
    let event = json!({"bridge_id": "12", "l1_block_height": "79", "num_currency_pair": "4"});
    assert_eq!(said(&record(&[relay], &[("oracle_data_relay", event)])), "A relayed 4 oracle prices of L1 block 79.");
}

#[test]
fn what_governs_a_rollup_is_told() {
    let info = json!({"bridge_id": "12", "bridge_addr": BOB, "l1_chain_id": "interwoven-1"});
    let price = json!({"denom": "uinit", "amount": "0.015000000000000000"});
    let migration = json!({"denom": DENOM, "ibc_channel_id": "channel-0", "ibc_port_id": "transfer"});
    let cases = [
        ("MsgUpdateSequencer", json!({"authority": ALICE, "moniker": "north. It"}), " (new sequencer: “north. It”)"),
        ("MsgAddFeeWhitelistAddresses", json!({"authority": ALICE, "addresses": [BOB]}), " (B)"),
        (
            "MsgRemoveFeeWhitelistAddresses",
            json!({"authority": ALICE, "addresses": [BOB, ALICE]}),
            " (2 addresses: B, A)",
        ),
        ("MsgAddBridgeExecutor", json!({"authority": ALICE, "addresses": [BOB]}), " (B)"),
        ("MsgRemoveBridgeExecutor", json!({"authority": ALICE, "addresses": [BOB]}), " (B)"),
        ("MsgUpdateMinGasPrices", json!({"authority": ALICE, "min_gas_prices": [price]}), " (0.015uinit)"),
        ("MsgUpdateAdmin", json!({"authority": ALICE, "new_admin": BOB}), " (new admin: B)"),
        ("MsgUpdateParams", json!({"authority": ALICE, "params": {}}), ""),
        (
            "MsgRegisterMigrationInfo",
            json!({"authority": ALICE, "migration_info": migration}),
            " (for l2/fb936ffef4eb4019d82941992cc09ae2788ce7197fcb08cb00c4fe6f5e79184e over channel-0)",
        ),
        ("MsgSomethingNew", json!({"authority": ALICE}), ""),
    ];
    for (name, fields, details) in cases {
        // These messages emit no event, so only their execution is certain.
        assert_eq!(of(child(name, fields)), format!("A ran {name}{details}."));
    }
    let cases = [
        (
            "MsgSetBridgeInfo",
            json!({"sender": ALICE, "bridge_info": info}),
            ("set_bridge_info", json!({"bridge_id": "12"})),
            ["linked", "link"],
            "this rollup to bridge #12 of interwoven-1",
        ),
        (
            "MsgAddValidator",
            json!({"authority": ALICE, "moniker": "north", "validator_address": "initvaloper1x"}),
            ("add_validator", json!({"validator": "initvaloper1x"})),
            ["added", "add"],
            "validator initvaloper1x (“north”)",
        ),
        (
            "MsgRemoveValidator",
            json!({"authority": ALICE, "validator_address": "initvaloper1x"}),
            ("remove_validator", json!({"validator": "initvaloper1x"})),
            ["removed", "remove"],
            "validator initvaloper1x",
        ),
    ];
    for (name, fields, event, [past, base], rest) in cases {
        let message = child(name, fields);
        assert_eq!(with(message.clone(), &[event]), format!("A {past} {rest}."));
        assert_eq!(of(message), format!("A asked to {base} {rest}{LACKS}"));
    }
    let pay = child("MsgSpendFeePool", json!({"authority": ALICE, "recipient": BOB, "amount": [init(1)]}));
    let paid = ("coin_received", json!({"receiver": BOB, "amount": "1uinit"}));
    assert_eq!(with(pay.clone(), &[paid]), "Fee pool paid 0.000001 INIT to B.");
    assert_eq!(of(pay), format!("A asked to pay 0.000001 INIT to B from the fee pool{LACKS}"));
    let tried = child("MsgAddBridgeExecutor", json!({"authority": ALICE, "addresses": [BOB]}));
    assert_eq!(said(&failed(&[tried])), "A tried to run MsgAddBridgeExecutor (B); it failed.");
}

#[test]
fn the_side_of_the_l1_is_told() {
    let claim = host(
        "MsgFinalizeTokenWithdrawal",
        json!({"sender": ALICE, "bridge_id": "12", "sequence": "7", "from": ALICE, "to": BOB, "amount": init(5_000_000)}),
    );
    let event = json!({"bridge_id": "12", "l2_sequence": "7", "from": ALICE, "to": BOB, "l1_denom": "uinit",
                       "amount": "6000000"});
    let told = with(claim.clone(), &[("finalize_token_withdrawal", event)]);
    assert_eq!(told, "A claimed withdrawal #7 of civitia-1: 6 INIT to B.", "the event decides");
    assert_eq!(of(claim), format!("A asked to claim withdrawal #7 of civitia-1: 5 INIT to B{LACKS}"));
    let cases = [
        (
            "MsgProposeOutput",
            json!({"proposer": ALICE, "bridge_id": "13", "output_index": "4", "l2_block_number": "90"}),
            "propose_output",
            ["proposed", "propose"],
            "output #4 of the rollup of bridge #13 up to its block 90",
        ),
        (
            "MsgRecordBatch",
            json!({"submitter": ALICE, "bridge_id": "12"}),
            "record_batch",
            ["recorded", "record"],
            "a batch of transactions of civitia-1",
        ),
        (
            "MsgDeleteOutput",
            json!({"challenger": ALICE, "bridge_id": "12", "output_index": "4"}),
            "delete_output",
            ["challenged and deleted", "delete"],
            "output #4 of civitia-1",
        ),
        ("MsgCreateBridge", json!({"creator": ALICE}), "create_bridge", ["created", "create"], "a bridge for a rollup"),
    ];
    for (name, fields, event, [past, base], rest) in cases {
        assert_eq!(with(host(name, fields.clone()), &[(event, json!({}))]), format!("A {past} {rest}."));
        assert_eq!(of(host(name, fields)), format!("A asked to {base} {rest}{LACKS}"));
    }
    assert_eq!(of(host("MsgUpdateProposer", json!({"authority": ALICE}))), "A ran MsgUpdateProposer.");
    let message = host(
        "MsgInitiateTokenDeposit",
        json!({"sender": ALICE, "bridge_id": "12", "to": BOB, "amount": init(5_000_000), "data": "AAAA"}),
    );
    let started = json!({"bridge_id": "12", "l1_sequence": "44", "from": ALICE, "to": BOB, "l1_denom": "uinit",
                         "l2_denom": "l2/00", "amount": "5000000", "data": "00"});
    let tx = record(&[message], &[("initiate_token_deposit", started)]);
    let told = "A deposited 5 INIT to B on civitia-1 (deposit #44); it carries a signed transaction.";
    assert_eq!(said(&tx), told);
    let told = &story(&tx).bridge[0];
    assert_eq!(told.counterparty.as_deref(), Some("civitia-1"));
    assert_eq!(told.search.as_deref(), Some("finalize_token_deposit.l1_sequence='44'"));
    assert_eq!(told.record()["kind"], "deposit_started");
    let line = short(&text_of(&told.phrases, Style::Exact));
    assert_eq!(
        line,
        "5 INIT to B on civitia-1: deposit #44, left for civitia-1; this record does not show its arrival"
    );
}
