//! The order of events in transactions as real nodes give it, written down by kind.

use rollscope::{demo::ledger::CommittedTx, domain::MsgType};

/// A movement by the bank.
const BANK: &str = "coin_spent coin_received transfer message";
/// A movement that a contract asks for.
const INSIDE: &str = "coin_spent coin_received transfer";
/// Before the messages when nobody pays.
const FREE: &str = "tx tx tx";
/// A contract is called and says what it did.
const RUN: &str = "execute wasm";
/// A light client learns a height.
const UPDATE: &str = "message update_client message";

/// One kind of transaction: its only message or, with an update before it, its last; what only it says; its events.
struct Shape {
    last: &'static str,
    mark: (&'static str, &'static str),
    events: String,
}

fn shape(last: &'static str, mark: (&'static str, &'static str), events: String) -> Shape {
    Shape { last, mark, events }
}

fn says(tx: &CommittedTx, (key, value): (&str, &str)) -> bool {
    key.is_empty() || tx.events.iter().any(|event| event.values(key).any(|text| text == value))
}

fn shapes() -> Vec<Shape> {
    let paid = format!("{BANK} {FREE}");
    let called = format!("{paid} message");
    let execute = "cosmwasm.wasm.v1.MsgExecuteContract";
    let receive = format!("{FREE} {UPDATE} message recv_packet message");
    let answer = "write_acknowledgement message";
    let arrival = format!("{receive} wasm execute execute wasm");
    let deposit = format!("{called} coin_received coinbase {BANK}");
    vec![
        shape(execute, ("action", "transfer"), format!("{called} {RUN}")),
        shape(execute, ("action", "transfer_nft"), format!("{called} {RUN}")),
        shape(execute, ("action", "transfer_from"), format!("{called} {RUN}")),
        shape(execute, ("action", "bond"), format!("{called} {RUN} {RUN}")),
        shape(execute, ("action", "unbond"), format!("{called} {RUN} {RUN}")),
        shape(execute, ("action", "save"), format!("{called} {BANK} {RUN}")),
        shape(execute, ("action", "take_out"), format!("{called} {RUN} {INSIDE}")),
        shape(execute, ("action", "launch"), format!("{called} {BANK} {RUN} {INSIDE} {RUN}")),
        shape(execute, ("action", "buy"), format!("{called} {BANK} {RUN} {INSIDE} {RUN}")),
        shape(execute, ("method", "execute_receive_nft"), format!("{called} {RUN} {RUN} send_packet")),
        shape("cosmwasm.wasm.v1.MsgInstantiateContract", ("", ""), format!("{called} instantiate")),
        shape(
            "cosmwasm.wasm.v1.MsgInstantiateContract",
            ("method", "instantiate"),
            format!("{called} instantiate wasm"),
        ),
        shape("cosmwasm.wasm.v1.MsgStoreCode", ("", ""), format!("{called} store_code")),
        shape("cosmwasm.wasm.v1.MsgMigrateContract", ("", ""), format!("{called} migrate wasm")),
        shape("miniwasm.tokenfactory.v1.MsgMint", ("", ""), format!("{called} coin_received coinbase {BANK} tf_mint")),
        shape("miniwasm.tokenfactory.v1.MsgBurn", ("", ""), format!("{called} {BANK} coin_spent burn tf_burn")),
        shape(
            "opinit.opchild.v1.MsgInitiateTokenWithdrawal",
            ("", ""),
            format!("{called} {BANK} coin_spent burn initiate_token_withdrawal"),
        ),
        shape(
            "opinit.opchild.v1.MsgFinalizeTokenDeposit",
            ("action", "save"),
            format!("{deposit} tx tx {BANK} {RUN} finalize_token_deposit"),
        ),
        shape(
            "ibc.core.channel.v1.MsgRecvPacket",
            ("method", "callback_redeem_vouchers"),
            format!(
                "{arrival} wasm-ics721_receive_redeem_vouchers {RUN} execute wasm reply ibc_packet_received {answer}"
            ),
        ),
        shape(
            "ibc.core.channel.v1.MsgRecvPacket",
            ("method", "instantiate_cw721_reply"),
            format!(
                "{arrival} wasm-ics721_receive_create_vouchers instantiate wasm reply wasm {RUN} {RUN} {RUN} reply \
                 ibc_packet_received {answer}"
            ),
        ),
        shape(
            "ibc.core.channel.v1.MsgRecvPacket",
            ("action", "hand_on"),
            format!(
                "{receive} denomination_trace coin_received coinbase {BANK} fungible_token_packet {BANK} {RUN} \
                 {INSIDE} {answer}"
            ),
        ),
        shape(
            "ibc.core.channel.v1.MsgAcknowledgement",
            ("action", "burn"),
            format!("{FREE} {UPDATE} message acknowledge_packet message wasm {RUN}"),
        ),
        shape(
            "ibc.core.channel.v1.MsgTimeout",
            ("method", "handle_packet_fail"),
            format!("{FREE} {UPDATE} message timeout_packet message wasm {RUN}"),
        ),
    ]
}

/// Every successful transaction of a known shape has its events in the known order, and every shape occurs.
pub(super) fn compare(txs: &[&CommittedTx]) {
    for Shape { last, mark, events } in shapes() {
        let mut count = 0;
        for tx in txs.iter().filter(|tx| tx.code == 0 && says(tx, mark)) {
            let types: Vec<&str> = tx.message_types.iter().map(MsgType::as_str).collect();
            let is_alone = matches!(types[..], [only] if only == last);
            let is_relayed = matches!(types[..], ["ibc.core.client.v1.MsgUpdateClient", only] if only == last);
            if (is_alone || is_relayed) && !others(mark).iter().any(|other| says(tx, *other)) {
                let kinds: Vec<&str> = tx.events.iter().map(|event| &*event.kind).collect();
                assert_eq!(kinds.join(" "), events, "events of {}", tx.hash);
                count += 1;
            }
        }
        assert!(count > 0, "no transaction of {last} with {mark:?}");
    }
    multi_sends(txs);
}

/// What makes another shape of one with this mark.
fn others(mark: (&str, &str)) -> &'static [(&'static str, &'static str)] {
    match mark.1 {
        "transfer" => &[("action", "unbond"), ("action", "swap")],
        "transfer_nft" => &[("action", "buy")],
        "" => &[("method", "instantiate")],
        _ => &[],
    }
}

/// The attributes of events as real records have them: kind, action of a contract, keys.
const KEYS: &[(&str, &str, &str)] = &[
    ("coin_spent", "", "spender amount"),
    ("coin_received", "", "receiver amount"),
    ("coinbase", "", "minter amount"),
    ("burn", "", "burner amount"),
    ("execute", "", "_contract_address"),
    ("instantiate", "", "_contract_address code_id"),
    ("reply", "", "_contract_address"),
    ("wasm", "transfer", "_contract_address action from to amount"),
    ("wasm", "send", "_contract_address action from to amount"),
    ("wasm", "transfer_from", "_contract_address action from to by amount"),
    ("wasm", "transfer_nft", "_contract_address action sender recipient token_id"),
    ("wasm", "send_nft", "_contract_address action sender recipient token_id"),
    ("ibc_packet_received", "", "module _contract_address success"),
    ("wasm-ics721_receive_redeem_vouchers", "", "_contract_address class_id nft_contract token_ids"),
    (
        "wasm",
        "receive_ibc_packet",
        "_contract_address method nft_contract is_redemption class_id local_channel counterparty_channel",
    ),
    ("store_code", "", "code_checksum code_id"),
    ("migrate", "", "code_id _contract_address"),
    ("update_contract_admin", "", "_contract_address new_admin_address"),
    ("create_denom", "", "creator new_token_denom"),
    ("tf_mint", "", "mint_to_address amount"),
    ("tf_burn", "", "burn_from_address amount"),
    (
        "send_packet",
        "",
        "packet_data packet_data_hex packet_timeout_height packet_timeout_timestamp packet_sequence packet_src_port \
         packet_src_channel packet_dst_port packet_dst_channel packet_channel_ordering packet_connection connection_id",
    ),
];

/// Those of a token that the ICS-721 contract gives back.
const REDEEMED: &str = "_contract_address action recipient sender token_id";

/// Every event of a known kind has the attributes of real records, in their order.
pub(super) fn compare_keys(txs: &[&CommittedTx]) {
    for (kind, action, expected) in KEYS {
        let mut count = 0;
        let all = txs.iter().flat_map(|tx| tx.events.iter().map(move |event| (tx, event)));
        for (tx, event) in all.filter(|(_, event)| event.kind == *kind) {
            let named = |(key, value): (&str, &str)| (key == "action" || key == "method") && value == *action;
            if action.is_empty() || event.pairs().any(named) {
                let keys = event.pairs().map(|(key, _)| key).filter(|key| !key.ends_with("msg_index"));
                // What comes home over ICS-721 names its receiver first.
                let is_redeemed = *action == "transfer_nft" && says(tx, ("method", "callback_redeem_vouchers"));
                let expected = if is_redeemed { REDEEMED } else { expected };
                assert_eq!(keys.collect::<Vec<_>>().join(" "), expected, "{kind} {action}");
                count += 1;
            }
        }
        assert!(count > 0, "no {kind} {action}");
    }
}

/// A send to several debits once; every receiver has two events.
fn multi_sends(txs: &[&CommittedTx]) {
    let of_type = |tx: &&&CommittedTx| tx.message_types.iter().any(|kind| kind.as_str().ends_with("MsgMultiSend"));
    let sends: Vec<_> = txs.iter().filter(of_type).filter(|tx| tx.code == 0).collect();
    assert!(!sends.is_empty());
    for tx in sends {
        let events = &tx.events[BANK.split(' ').count() + FREE.split(' ').count()..];
        let kinds: Vec<&str> = events.iter().map(|event| &*event.kind).collect();
        let outputs = (kinds.len() - 3) / 2;
        let expected =
            [vec!["message", "coin_spent", "message"], ["coin_received", "transfer"].repeat(outputs)].concat();
        assert_eq!(kinds, expected, "{}", tx.hash);
        assert!(events.iter().filter(|event| event.kind == "transfer").all(|event| event.attributes.len() == 4));
    }
}
