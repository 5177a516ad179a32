use base64::{Engine, prelude::BASE64_STANDARD};
use rstest::rstest;
use serde_json::{Value, json};

use super::{Explanation, FailureEffect};
use crate::{
    domain::Denom,
    story::{names::glossary::Glossary, transaction::Story},
    wire::{Tx, protobuf::ProtoWriter},
};

const PAYER: &str = "init1kw2unuhgfa6mz6r0ehrzlr9k9ftjk7pql8u5fm";

fn event(kind: &str, attributes: &[(&str, &str)]) -> Value {
    let attributes: Vec<Value> = attributes.iter().map(|(key, value)| json!({"key": key, "value": value})).collect();
    json!({"type": kind, "attributes": attributes})
}

/// Returns a record with this outcome and a paid fee.
fn record(codespace: &str, code: u32, log: &str) -> Value {
    let events = [event("tx", &[("fee", "100uinit"), ("fee_payer", PAYER)])];
    json!({
        "txhash": "0".repeat(64), "height": "1", "timestamp": "2026-01-01T00:00:00Z", "gas_wanted": "90000",
        "gas_used": "88000", "codespace": codespace, "code": code, "raw_log": log, "events": events,
        "tx": {"body": {"messages": [{"@type": "/cosmos.bank.v1beta1.MsgSend"}]}},
    })
}

fn explain(record: Value) -> Option<Explanation> {
    let tx: Tx = serde_json::from_value(record).expect("a transaction");
    let mut glossary = Glossary::default();
    glossary.add_token(Denom::new("uinit"), "INIT", 6);
    glossary.add_label(PAYER.parse().expect("an address"), "executor");
    Story::of(&tx, &glossary).explanation
}

/// Returns the explanation of a failed EVM call with this log.
pub(super) fn explain_evm(detail: &str) -> Explanation {
    let log = format!("failed to execute message; message index: 0: {detail}");
    explain(record("evm", 23, &log)).expect("it failed")
}

/// Returns the first sentence about a failed message, without its subject and effect.
fn told(codespace: &str, code: u32, detail: &str) -> String {
    let log = format!("failed to execute message; message index: 0: {detail}");
    let text = explain(record(codespace, code, &log)).expect("it failed").text;
    let end = ". Nothing changed except the fee.";
    text.strip_prefix("Message 1").and_then(|rest| rest.strip_suffix(end)).unwrap_or(&text).to_owned()
}

#[rstest]
#[case("undefined", 1, "something new", " failed: “something new”")]
#[case(
    "bank",
    5,
    "uinit transfers are disabled: send disabled",
    ": transfers of this token are off — “uinit transfers are disabled”"
)]
#[case(
    "authz",
    2,
    "authorization not found",
    ": not authorized, or the authorization was revoked — “authorization not found”"
)]
#[case("channel", 22, "", ": another relayer already delivered all packets of this transaction")]
#[case("opchild", 22, "x: y", ": the token did not come from the L1, so it cannot be withdrawn — “x”")]
#[case("tokenfactory", 8, "unauthorized account", ": only the token's admin may do this — “unauthorized account”")]
#[case("module9", 7, "odd: end", " failed with code module9 7: “odd: end”")]
#[case("", 7, "", " failed with code 7, without a reason")]
#[case(
    "sdk",
    5,
    "spendable balance 1500000uinit is smaller than 3000000uinit: insufficient funds",
    ": the account can spend 1.5 INIT, which is less than the 3 INIT needed"
)]
#[case(
    "sdk",
    5,
    "1uinit is smaller than 2uinit: insufficient funds",
    ": the account can spend 0.000001 INIT, which is less than the 0.000002 INIT needed"
)]
#[case("sdk", 5, "nobody knows: insufficient funds", ": the account holds too little — “nobody knows”")]
#[case(
    "sdk",
    4,
    "expected included in [init1kw2unuhgfa6mz6r0ehrzlr9k9ftjk7pql8u5fm], got 0x1: unauthorized",
    ": only executor may do this, and 0x1 (the chain) tried"
)]
#[case(
    "sdk",
    4,
    "the message is allowed to be executed by admin init1kw2unuhgfa6mz6r0ehrzlr9k9ftjk7pql8u5fm: unauthorized",
    ": only the admin executor may do this"
)]
#[case("sdk", 4, "can not migrate: unauthorized", ": the signer may not do this — “can not migrate”")]
#[case(
    "gov",
    13,
    "invalid authority; expected init1kw2unuhgfa6mz6r0ehrzlr9k9ftjk7pql8u5fm, got 0x1: expected gov account as only signer",
    ": only executor may send this message, and 0x1 (the chain) tried"
)]
#[case("sdk", 38, "fee-grant not found: not found", ": no such fee grant")]
#[case("undefined", 1, "rpc error: code = Unimplemented desc = not supported", ": this chain does not support MsgSend")]
#[case("undefined", 1, "collections: not found: key 'unothing' of type bytes", ": the chain has no entry “unothing”")]
#[case(
    "client",
    29,
    "cannot update client (07-tendermint-0) with status Expired: client state is not active",
    ": the light client has expired: nothing can cross this connection"
)]
#[case(
    "client",
    29,
    "07-tendermint-0 with status Frozen: client state is not active",
    ": the light client is frozen: nothing can cross this connection"
)]
#[case(
    "client",
    29,
    "odd: client state is not active",
    ": the light client is not active: it expired or is frozen — “odd”"
)]
// Text that imitates another failure changes nothing.
#[case(
    "wasm",
    5,
    "Generic error: account sequence mismatch, expected 9, got 3: incorrect account sequence: execute wasm contract failed",
    ": the contract refused the call — “Generic error: account sequence mismatch, expected 9, got 3: incorrect account sequence”"
)]
#[case(
    "wasm",
    5,
    "out of gas in location: x; gasWanted: 1, gasUsed: 2: execute wasm contract failed",
    ": the contract refused the call — “out of gas in location: x; gasWanted: 1, gasUsed: 2”"
)]
#[case(
    "wasm",
    5,
    "VM aborted: location=01::coin, code=65540: execute wasm contract failed",
    ": the contract refused the call — “VM aborted: location=01::coin, code=65540”"
)]
#[case(
    "evm",
    23,
    "revert: intrinsic gas too low: have 1, want 2: Reverted",
    " reverted: “intrinsic gas too low: have 1, want 2”"
)]
#[case(
    "sdk",
    11,
    "account sequence mismatch, expected 9, got 3: out of gas",
    " ran out of gas: limit 90,000, used 88,000"
)]
fn codes_have_meanings_and_unknown_ones_stay_what_they_are(
    #[case] codespace: &str,
    #[case] code: u32,
    #[case] detail: &str,
    #[case] expected: &str,
) {
    assert_eq!(told(codespace, code, detail), expected);
}

#[rstest]
#[case(23, "Reverted", " reverted; the chain keeps no reason for this kind")]
#[case(
    23,
    "revert: ERC20: transfer amount exceeds balance: Reverted",
    " reverted: “ERC20: transfer amount exceeds balance” — usually: the account holds less than it tried to move"
)]
#[case(
    23,
    "revert: dust amount should be zero: Reverted",
    " reverted: “dust amount should be zero” — usually: the amount has more decimals than the token's other form"
)]
#[case(
    23,
    "revert: arithmetic underflow or overflow: Reverted",
    " reverted: “arithmetic underflow or overflow” — usually: the compiler's Panic(0x11)"
)]
#[case(23, "revert: not today: Reverted", " reverted: “not today”")]
#[case(
    23,
    "revert: the name insufficient allowance is taken: Reverted",
    " reverted: “the name insufficient allowance is taken”"
)]
#[case(23, "revert: Reverted: Reverted: Reverted", " reverted: “Reverted: Reverted”")]
#[case(23, "revert: : Reverted", " reverted: its reason is empty")]
#[case(
    23,
    "revert: division or modulo by zero: Reverted",
    " reverted: “division or modulo by zero” — usually: the compiler's Panic(0x12)"
)]
#[case(3, "execution reverted: not today: EVMCall failed: EVMCall failed", " reverted: “not today”")]
#[case(3, "execution reverted: out of gas: EVMCall failed: EVMCall failed", " reverted: “out of gas”")]
#[case(3, "execution reverted: EVMCall failed", " reverted; the chain keeps no reason for this kind")]
#[case(
    3,
    "revert: 0xd93c0665: Reverted: EVMCall failed",
    " reverted: EnforcedPause() — usually: the contract is paused"
)]
#[case(3, "revert: 0xdeadbeef01: Reverted: EVMCall failed", " reverted: the custom error 0xdeadbeef, in no loaded ABI")]
#[case(
    3,
    "out of gas: EVMCall failed: EVMCall failed",
    " ran out of gas while the EVM ran: limit 90,000, used 88,000 (part of the limit does not reach the EVM)"
)]
#[case(
    3,
    "invalid opcode: INVALID: EVMCall failed",
    ": the EVM stopped the call: “invalid opcode: INVALID” — the code ran an invalid instruction"
)]
#[case(
    3,
    "insufficient balance for transfer: EVMCall failed",
    ": the EVM stopped the call: “insufficient balance for transfer” — the sender holds less than the value to send along"
)]
#[case(
    3,
    "stack underflow (0 <=> 1): EVMCall failed",
    ": the EVM stopped the call: “stack underflow (0 <=> 1)” — broken code: stack underflow"
)]
#[case(
    4,
    "contract creation code storage out of gas: EVMCreate failed",
    " ran out of gas storing the contract's code: limit 90,000, used 88,000 (part of the limit does not reach the EVM)"
)]
#[case(
    4,
    "max code size exceeded: EVMCreate failed",
    ": the EVM stopped the deployment: “max code size exceeded” — the contract's code is too large"
)]
#[case(6, "hex string of odd length: Invalid hex string", ": not valid hex — “hex string of odd length”")]
fn the_evm_is_explained(#[case] code: u32, #[case] detail: &str, #[case] expected: &str) {
    assert_eq!(told("evm", code, detail), expected);
}

#[rstest]
#[case(
    "VM aborted: location=01::fungible_asset, code=65540",
    " aborted in 0x1::fungible_asset: the account holds less than it tried to move (code 65540: INVALID_ARGUMENT, reason 4)"
)]
#[case(
    "VM aborted: location=ab::arena, code=524290",
    " aborted in 0xab::arena with code 524290, by the usual convention ALREADY_EXISTS, reason 2: the item already exists"
)]
#[case(
    "VM aborted: location=ab::arena, code=99999999999999999999999",
    " aborted in 0xab::arena with code 99999999999999999999999, which the module defines"
)]
#[case(
    "VM failure: status VECTOR_OPERATION_ERROR of type Execution with message vector index out of bounds, location=0a::dice, function=1, code_offset=12",
    " stopped in 0xa::dice (function 1, offset 12): VECTOR_OPERATION_ERROR, vector index out of bounds — an index was outside the list"
)]
#[case(
    "VM failure: status ARITHMETIC_ERROR of type Execution with message Division by zero, location=01::decimal128, function=9, code_offset=6",
    " stopped in 0x1::decimal128 (function 9, offset 6): ARITHMETIC_ERROR, Division by zero"
)]
#[case(
    "VM failure: status OUT_OF_GAS of type Execution, location=01::vector, function=0, code_offset=1",
    " stopped in 0x1::vector (function 0, offset 1): OUT_OF_GAS — the gas limit was too low"
)]
#[case(
    "VM failure: status NEW_STATUS of type Verification with message odd, text, location=undefined",
    " stopped in undefined: NEW_STATUS, “odd, text”"
)]
#[case("VM error: cannot link", " stopped the Move VM: “cannot link”")]
#[case("failure occurred from backend: no store", " stopped in a chain call of Move code: “no store”")]
fn move_is_explained(#[case] detail: &str, #[case] expected: &str) {
    assert_eq!(told("undefined", 1, detail), expected);
}

#[rstest]
#[case(
    5,
    "Overflow: Cannot Sub with given operands: execute wasm contract failed",
    ": the contract refused the call — “Overflow: Cannot Sub with given operands”, which usually means: the amount exceeds the balance"
)]
#[case(
    5,
    "dispatch: submessages: dispatch: submessages: Unauthorized: execute wasm contract failed",
    ": a contract refused the call — “Unauthorized”, which usually means: the sender may not do this"
)]
#[case(
    5,
    "Generic error: closed: execute wasm contract failed",
    ": the contract refused the call — “Generic error: closed”"
)]
#[case(
    5,
    "Error parsing into type t::ExecuteMsg: unknown variant `levitate`, expected one of `a`, `b`: execute wasm contract failed",
    ": the contract refused the call — it does not know the message levitate; it knows a, b"
)]
// What a sender could choose stands behind the contract's own words.
#[case(
    5,
    "Name Unauthorized is taken: execute wasm contract failed",
    ": the contract refused the call — “Name Unauthorized is taken”"
)]
#[case(
    5,
    "odd note unknown variant `a`, expected `b`: execute wasm contract failed",
    ": the contract refused the call — “odd note unknown variant `a`, expected `b`”"
)]
#[case(
    11,
    "Generic error: too old: migrate wasm contract failed",
    ": the contract's upgrade failed — “Generic error: too old”"
)]
#[case(22, "address init1x: no such contract", ": the address has no contract — “address init1x”")]
fn wasm_is_explained(#[case] code: u32, #[case] detail: &str, #[case] expected: &str) {
    assert_eq!(told("wasm", code, detail), expected);
}

#[test]
fn gas_sequence_and_fee_are_in_numbers() {
    let text = |codespace: &str, code: u32, log: &str| explain(record(codespace, code, log)).map(|found| found.text);
    let log = "out of gas in location: ReadFlat; gasWanted: 116000, gasUsed: 118212: out of gas";
    let expected = "Message 1 ran out of gas: limit 116,000, needed at least 118,212 (ReadFlat: reading the chain's state). \
                    Nothing changed except the fee.";
    assert_eq!(text("sdk", 11, log).as_deref(), Some(expected));
    let bare = "Message 1 ran out of gas: limit 90,000, used 88,000. Nothing changed except the fee.";
    assert_eq!(text("sdk", 11, "out of gas").as_deref(), Some(bare));
    let panic = explain(record("undefined", 111_222, "runtime error: index")).expect("it failed");
    assert_eq!(panic.title(), "recovered panic (undefined 111222)");
    assert!(panic.text.contains("panicked and was rolled back: “runtime error: index”"), "{}", panic.text);
    let mut early = record("sdk", 32, "account sequence mismatch, expected 5, got 9: incorrect account sequence");
    early["events"] = json!([]);
    let expected = "The transaction was rejected before its messages ran: the signature has sequence 9 but the account was \
                    only at 5, so an earlier transaction of this account is missing. Nothing changed, and no fee was taken.";
    assert_eq!(explain(early).map(|found| found.text).as_deref(), Some(expected));
    let mut low = record("sdk", 13, "insufficient fees; got: 1uinit required: 2uinit,3gas: insufficient fee");
    low["events"] = json!([]);
    let expected = "The transaction was rejected before its messages ran: the fee was too low: offered 0.000001 INIT, \
                    required 0.000002 INIT, 3 gas. Nothing changed, and no fee was taken.";
    assert_eq!(explain(low).map(|found| found.text).as_deref(), Some(expected));
}

#[test]
fn which_message_it_was_is_said_as_far_as_it_is_known() {
    let mut several = record("sdk", 11, "out of gas");
    several["tx"]["body"]["messages"] = json!([{"@type": "/a.B"}, {"@type": "/a.C"}]);
    assert!(
        explain(several.clone()).is_some_and(|found| found.text.starts_with("One of the 2 messages ran out of gas"))
    );
    several["raw_log"] = json!("failed to execute message; message index: 1: out of gas");
    assert!(explain(several.clone()).is_some_and(|found| found.text.starts_with("Message 2 ran out of gas")));
    several["raw_log"] = json!(format!("failed to execute message; message index: {}: out of gas", usize::MAX));
    assert!(explain(several).is_some_and(|found| found.text.starts_with("One of the 2 messages ")), "there is no such");
    let mut free = record("sdk", 11, "out of gas");
    free["events"] = json!([event("tx", &[("fee", "0gas")])]);
    assert!(explain(free).is_some_and(|found| found.text.ends_with(" Nothing changed.")));
}

#[test]
fn a_mistyped_address_is_found_where_it_is() {
    let mut wrong = record(
        "wasm",
        5,
        "failed to execute message; message index: 0: Generic error: addr_validate errored: decoding bech32 failed: invalid checksum (expected abcdef got zzzzzz): execute wasm contract failed",
    );
    wrong["tx"]["body"]["messages"] = json!([{
        "@type": "/cosmwasm.wasm.v1.MsgExecuteContract", "contract": "init1badzzzzzz",
        "msg": {"a": {"to": "init1otherqqqqqq"}, "list": [{"x": 1}, {"who": "init1wrongzzzzzz"}]},
    }]);
    let text = explain(wrong.clone()).expect("it failed").text;
    assert!(text.ends_with("An address in the message is mistyped (list[1].who)."), "{text}");
    wrong["tx"]["body"]["messages"][0]["msg"] = json!({"to": PAYER});
    let text = explain(wrong).expect("it failed").text;
    assert!(text.ends_with("Nothing changed except the fee."), "{text}");
}

#[test]
fn what_failed_within_a_success_is_told_with_its_events() {
    let with = |events: Value| {
        let mut record = record("", 0, "");
        record["events"] = events;
        explain(record)
    };
    let credit = || event("coin_received", &[("receiver", PAYER), ("amount", "5l2/ab"), ("msg_index", "0")]);
    let with_call = |kind: &str, events: Value| {
        let mut record = record("", 0, "");
        let any = ProtoWriter::new().bytes(1, kind.as_bytes()).bytes(2, b"").finish();
        let body = ProtoWriter::new().bytes(1, &any).finish();
        let data = BASE64_STANDARD.encode(ProtoWriter::new().bytes(1, &body).finish());
        record["tx"]["body"]["messages"][0]["data"] = json!(data);
        record["events"] = events;
        explain(record)
    };
    let finalized = |reason: &str| {
        let known =
            [("l1_sequence", "7"), ("sender", "init1l1"), ("recipient", PAYER), ("denom", "l2/ab"), ("amount", "5")];
        let end = [("success", "false"), ("reason", reason), ("msg_index", "0")];
        event("finalize_token_deposit", &[&known[..], &end[..]].concat())
    };
    let call = |kind: &str, reason: &str| with_call(kind, json!([credit(), finalized(reason)]));
    let deposit = |reason: &str| call("/minievm.evm.v1.MsgCall", reason);
    let hook = deposit("hook failed; Failed to run message: revert: ERC20: transfer amount exceeds balance: Reverted")
        .expect("a problem");
    assert_eq!(
        hook.text,
        "Message 1 completed with a problem: the hook reverted: “ERC20: transfer amount exceeds balance” — usually: the account holds less than it tried to move. The tokens stayed with executor."
    );
    assert_eq!((hook.name.as_str(), hook.is_partial, hook.events), ("hook failed", true, vec![1]));
    let abort = "hook failed; VM aborted: location=01::dex, code=196611";
    for (kind, words) in [
        ("/initia.move.v1.MsgExecute", "the hook aborted in 0x1::dex: slippage"),
        ("/cosmwasm.wasm.v1.MsgExecuteContract", "the hook failed: “VM aborted: "),
        ("/cosmos.bank.v1beta1.MsgSend", "the hook failed: “VM aborted: "),
    ] {
        let told = call(kind, abort).expect("a problem").text;
        assert!(told.contains(words), "{kind}: {told}");
    }
    // A contract's own text imitates nothing.
    let within = "hook failed; Failed to execute Msg: revert: account sequence mismatch, expected 5, got 4: Reverted";
    let within = deposit(within).expect("a problem").text;
    assert!(within.contains("reverted: “account sequence mismatch, expected 5, got 4”"), "{within}");
    let silent = deposit("").expect("a problem").text;
    assert!(silent.contains("the deposit's event reports a failure without a reason."), "{silent}");
    let back = event(
        "initiate_token_withdrawal",
        &[
            ("from", PAYER),
            ("to", "init1l1"),
            ("denom", "l2/ab"),
            ("amount", "5"),
            ("l2_sequence", "9"),
            ("msg_index", "0"),
        ],
    );
    let back = with(json!([finalized("deposit failed; blocked"), back])).expect("a problem");
    assert_eq!(
        back.text,
        "Message 1 completed with a problem: the bridge could not credit the deposit (“blocked”) and was sent back to init1l1 as withdrawal #9."
    );
    assert_eq!(back.events, [0, 1]);
    assert_eq!(with(json!([event("finalize_token_deposit", &[("success", "true"), ("msg_index", "0")])])), None);
}

#[test]
fn refused_packets_are_told_also_where_the_answer_is_wrapped() {
    let with = |events: Value| {
        let mut record = record("", 0, "");
        record["events"] = events;
        explain(record)
    };
    let answer = |name: &str, value: &str| {
        let data = r#"{"denom":"uinit","amount":"1","sender":"a","receiver":"b"}"#;
        let packet = [("packet_sequence", "4"), ("packet_data", data), (name, value), ("msg_index", "0")];
        event("write_acknowledgement", &packet)
    };
    let refused = "Message 1 completed with a problem: packet #4 was refused (“ABCI code: 4”); the source chain must refund the sender.";
    let plain = r#"{"error":"ABCI code: 4"}"#;
    assert_eq!(with(json!([answer("packet_ack", plain)])).map(|found| found.text).as_deref(), Some(refused));
    let hex = alloy_primitives::hex::encode(plain);
    assert_eq!(with(json!([answer("packet_ack_hex", &hex)])).map(|found| found.text).as_deref(), Some(refused));
    let other = event("write_acknowledgement", &[("packet_sequence", "4"), ("packet_ack", plain), ("msg_index", "0")]);
    let nothing = "Message 1 completed with a problem: packet #4 was refused (“ABCI code: 4”).";
    assert_eq!(with(json!([other])).map(|found| found.text).as_deref(), Some(nothing), "only assets go back");
    let wrapped = r#"{"app_acknowledgement":"eyJlcnJvciI6IkFCQ0kgY29kZTogNCJ9","underlying_app_success":false}"#;
    assert_eq!(with(json!([answer("packet_ack", wrapped)])).map(|found| found.text).as_deref(), Some(refused));
    let cause = event("fungible_token_packet", &[("success", "false"), ("error", "blocked"), ("msg_index", "0")]);
    let known = with(json!([cause, answer("packet_ack", plain)])).expect("a problem");
    assert!(known.text.contains("packet #4 was refused (“blocked”)") && known.events == [0, 1], "{known:?}");
    let reverted = [("ibccallbackerror-error", "no account"), ("msg_index", "0")];
    let reverted =
        with(json!([event("ibccallbackerror-fungible_token_packet", &reverted), answer("packet_ack", plain)]));
    assert!(reverted.is_some_and(|told| told.text.contains("(“no account”)")), "also where its effects were reverted");
    for planted in ["wasm-fungible_token_packet", "ibccallbackerror-wasm-fungible_token_packet", "wasm-_packet"] {
        let forged = [("error", "send again"), ("ibccallbackerror-error", "send again"), ("msg_index", "0")];
        let told = with(json!([event(planted, &forged), answer("packet_ack", plain)]));
        assert_eq!(told.map(|told| told.text).as_deref(), Some(refused), "a contract gives no reason: {planted}");
    }
    assert_eq!(with(json!([answer("packet_ack", r#"{"result":"AQ=="}"#)])), None);
    assert_eq!(with(json!([answer("packet_ack", "not JSON")])), None);
    let sent = with(json!([event("submsg", &[("success", "false"), ("reason", "no"), ("msg_index", "0")])]))
        .expect("a problem");
    assert!(sent.text.contains("a contract's Cosmos message failed (“no”); the rest stands."), "{}", sent.text);
    let failed = |count: usize| {
        let events: Vec<_> = (0..count).map(|_| event("submsg", &[("success", "false"), ("msg_index", "0")])).collect();
        with(json!(events)).expect("problems").text
    };
    let (four, flood) = (failed(4), failed(200));
    assert!(four.ends_with(" The transaction has 1 more problem."), "{four}");
    assert!(flood.len() < 2_000 && flood.ends_with(" The transaction has at least 61 more problems."), "{flood}");
}

#[test]
fn hostile_logs_give_short_sentences() {
    let long = "é".repeat(600_000);
    let numbers = "9".repeat(500_000);
    for codespace in ["sdk", "undefined", "evm", "wasm", "move", "", "odd\u{202e}"] {
        for code in [1, 3, 4, 5, 11, 13, 23, 32, 111_222, u32::MAX] {
            for log in [
                long.clone(),
                format!("failed to execute message; message index: 0: {long}"),
                format!("out of gas in location: {long}; gasWanted: {numbers}, gasUsed: {numbers}"),
                format!("out of gas in location: x; gasWanted: {numbers}, gasUsed: {numbers}: out of gas"),
                format!("account sequence mismatch, expected {numbers}, got {numbers}"),
                format!("VM aborted: location={numbers}::x, code={numbers}"),
                "VM failure: status  of type , location=::, function=, code_offset=".to_owned(),
                "VM failure: status \u{7}A of type B with message \u{202e}, location=zz::é, function=1".to_owned(),
                format!("revert: {}", ": Reverted".repeat(60_000)),
                "dispatch: submessages: ".repeat(40_000),
                "insufficient fees; got: é required: é".to_owned(),
                "expected [], got : unauthorized".to_owned(),
                "unknown variant ``, expected : execute wasm contract failed".to_owned(),
                String::new(),
            ] {
                let found = explain(record(codespace, code, &log)).expect("it failed");
                assert!(found.text.chars().count() < 2_000, "{}", found.text.chars().take(300).collect::<String>());
                assert!(!found.text.contains(['\u{7}', '\u{202e}']), "{}", found.text);
            }
        }
    }
}

#[test]
fn a_refusal_is_told_by_what_happened_and_not_by_the_words_of_a_log() {
    let mut refused = record("sdk", 13, "insufficient fees; got: 1uinit required: 2uinit: insufficient fee");
    refused["events"] = json!([]);
    let refused = explain(refused).expect("it failed");
    assert!(refused.text.contains(" was rejected before its messages ran: the fee was too low"), "{}", refused.text);
    assert!(refused.reason.starts_with("insufficient fee: the fee was too low"), "{}", refused.reason);
    assert_eq!(refused.effect, Some(FailureEffect::NoFeeTaken));

    let log = "failed to execute message; message index: 0: was rejected before its messages ran: odd";
    let imitating = explain(record("undefined", 1, log)).expect("it failed");
    assert_eq!(imitating.reason, "failed: “was rejected before its messages ran: odd”");
    assert_eq!(imitating.effect, Some(FailureEffect::FeeOnly));
}

#[test]
fn what_stays_is_a_fact_that_no_log_can_imitate() {
    let address = "init1kw2unuhgfa6mz6r0ehrzlr9k9ftjk7pql8u5fa";
    let log = "failed to execute message; message index: 0: Nothing changed: addr_validate errored: execute wasm contract \
               failed";
    let mut advised = record("wasm", 5, log);
    advised["tx"]["body"]["messages"] =
        json!([{"@type": "/cosmwasm.wasm.v1.MsgExecuteContract", "msg": {"transfer": {"recipient": address}}}]);
    let advised = explain(advised).expect("it failed");
    assert!(
        advised.text.contains("Nothing changed") && advised.text.ends_with("(transfer.recipient)."),
        "{}",
        advised.text
    );
    assert_eq!(advised.effect, None, "its text ends with advice");

    let mut free = record("sdk", 11, "out of gas");
    free["events"][0]["attributes"][0]["value"] = json!("0uinit");
    assert_eq!(explain(free).expect("it failed").effect, Some(FailureEffect::Nothing));
}
