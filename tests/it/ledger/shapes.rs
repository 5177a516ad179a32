//! The order of events in transactions as real nodes give it, written down by kind.

use rollscope::demo::ledger::CommittedTx;

/// A movement by the bank.
const BANK: &str = "call evm coin_spent coin_received transfer message";
/// Before the messages when nobody pays.
const FREE: &str = "tx tx tx";
/// After the messages of an Ethereum-signed transaction.
const REFUND: &str = "gas_refund call evm";
/// A light client learns a height.
const UPDATE: &str = "message update_client message";

/// One kind of transaction: its messages, something that only it has, and its events.
struct Shape {
    messages: &'static [&'static str],
    mark: fn(&CommittedTx) -> bool,
    events: String,
}

fn has(tx: &CommittedTx, kind: &str) -> bool {
    tx.events.iter().any(|event| event.kind == kind)
}

fn says(tx: &CommittedTx, key: &str, value: &str) -> bool {
    tx.events.iter().flat_map(|event| event.values(key)).any(|text| text.starts_with(value))
}

fn shapes() -> Vec<Shape> {
    let paid = format!("{BANK} {FREE}");
    let mint = "call evm coinbase";
    let burn = "call evm burn";
    let deposit = format!("{FREE} message {mint} {BANK}");
    let receive = format!("{FREE} {UPDATE} message recv_packet message");
    let answer = "write_acknowledgement message";
    vec![
        Shape {
            messages: &["cosmos.bank.v1beta1.MsgSend"],
            mark: |tx| !has(tx, "use_feegrant"),
            events: format!("{paid} message {BANK}"),
        },
        Shape {
            messages: &["cosmos.bank.v1beta1.MsgSend"],
            mark: |tx| has(tx, "use_feegrant"),
            events: format!("use_feegrant update_feegrant {paid} message {BANK}"),
        },
        Shape {
            messages: &["minievm.evm.v1.MsgCall"],
            mark: |tx| has(tx, "gas_refund"),
            events: format!("{paid} message call evm {REFUND}"),
        },
        Shape {
            messages: &["minievm.evm.v1.MsgCall"],
            mark: |tx| !has(tx, "gas_refund"),
            events: format!("{paid} message call evm"),
        },
        Shape {
            messages: &["minievm.evm.v1.MsgCreate"],
            mark: |tx| has(tx, "gas_refund"),
            events: format!("{paid} message contract_created create evm {REFUND}"),
        },
        Shape {
            messages: &["opinit.opchild.v1.MsgFinalizeTokenDeposit"],
            mark: |tx| says(tx, "success", "true") && !says(tx, "ret", "0x00"),
            events: format!("{deposit} finalize_token_deposit"),
        },
        Shape {
            messages: &["opinit.opchild.v1.MsgFinalizeTokenDeposit"],
            mark: |tx| says(tx, "ret", "0x00"),
            events: format!("{deposit} tx tx call evm call evm finalize_token_deposit"),
        },
        Shape {
            messages: &["opinit.opchild.v1.MsgFinalizeTokenDeposit"],
            mark: |tx| says(tx, "reason", "hook failed; ") && !has(tx, "burn"),
            events: format!("{deposit} tx tx finalize_token_deposit"),
        },
        Shape {
            messages: &["opinit.opchild.v1.MsgFinalizeTokenDeposit"],
            mark: |tx| says(tx, "reason", "hook failed; ") && has(tx, "burn"),
            events: format!("{deposit} tx tx finalize_token_deposit {BANK} {burn} initiate_token_withdrawal"),
        },
        Shape {
            messages: &["opinit.opchild.v1.MsgFinalizeTokenDeposit"],
            mark: |tx| says(tx, "reason", "deposit failed; "),
            events: format!("{FREE} message finalize_token_deposit initiate_token_withdrawal"),
        },
        Shape {
            messages: &[
                "minievm.evm.v1.MsgCall",
                "minievm.evm.v1.MsgCall",
                "opinit.opchild.v1.MsgInitiateTokenWithdrawal",
            ],
            mark: |_| true,
            events: format!("{paid} message call evm message call evm message {BANK} {burn} initiate_token_withdrawal"),
        },
        Shape {
            messages: &["ibc.core.client.v1.MsgUpdateClient", "ibc.core.channel.v1.MsgRecvPacket"],
            mark: |tx| says(tx, "memo", "{\"evm\"") && has(tx, "recv_packet"),
            events: format!(
                "{receive} denomination_trace {mint} {BANK} fungible_token_packet call evm call evm {answer}"
            ),
        },
        Shape {
            messages: &["ibc.core.client.v1.MsgUpdateClient", "ibc.core.channel.v1.MsgRecvPacket"],
            mark: |tx| has(tx, "erc721_created"),
            events: format!(
                "{receive} class_trace contract_created create evm erc721_created call evm erc721_minted \
                 non_fungible_token_packet {answer}"
            ),
        },
        Shape {
            messages: &["ibc.applications.nft_transfer.v1.MsgTransfer"],
            mark: |_| true,
            events: format!("{paid} message call evm erc721_burned send_packet message ibc_nft_transfer message"),
        },
    ]
}

/// Every successful transaction of a known shape has its events in the known order, and every shape occurs.
pub(super) fn compare(txs: &[&CommittedTx]) {
    for shape in shapes() {
        let mut count = 0;
        for tx in txs.iter().filter(|tx| tx.code == 0) {
            let types: Vec<&str> = tx.message_types.iter().map(rollscope::domain::MsgType::as_str).collect();
            if types == shape.messages && (shape.mark)(tx) {
                let kinds: Vec<&str> = tx.events.iter().map(|event| &*event.kind).collect();
                assert_eq!(kinds.join(" "), shape.events, "events of {}", tx.hash);
                count += 1;
            }
        }
        assert!(count > 0, "no transaction of the shape {}", shape.events);
    }
}
