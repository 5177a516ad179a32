//! Fields of signable messages. The table of `wire::proto` has their numbers.

#[derive(Debug, PartialEq, Eq)]
pub(super) struct MessageForm {
    /// Message type without a leading slash.
    pub(super) kind: &'static str,
    /// Amino name, used in sign documents.
    pub(super) amino: &'static str,
    /// Name of the field with the signer's address.
    pub(super) signer: &'static str,
    /// Gas that such a message usually takes, rounded up: in recorded transactions of rollups, else estimated.
    pub(super) usual_gas: u64,
    pub(super) fields: &'static [FieldRule],
}

#[derive(Debug, PartialEq, Eq)]
pub(super) struct FieldRule {
    pub(super) name: &'static str,
    pub(super) kind: FieldKind,
}

/// Type of a field. Amino JSON omits empty values; the exceptions are coins, lists of coins, heights, arbitrary-size
/// numbers, inline JSON, and lists that must be empty here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FieldKind {
    Text,
    Texts,
    /// 64-bit number; text in JSON.
    Number,
    /// Number of arbitrary size; text in JSON and in bytes.
    Integer,
    Coin,
    Coins,
    /// Bytes; base64 in JSON.
    Bytes,
    BytesList,
    Height,
    InlineJson,
    /// Access list: refused unless empty; `null` in documents.
    NoAccess,
    /// List of account delegations: refused unless empty. Older chains lack the field.
    NoDelegation,
}

use FieldKind::{
    Bytes, BytesList, Coin, Coins, Height, InlineJson, Integer, NoAccess, NoDelegation, Number, Text, Texts,
};

const fn field(name: &'static str, kind: FieldKind) -> FieldRule {
    FieldRule { name, kind }
}

const FORMS: &[MessageForm] = &[
    MessageForm {
        kind: "cosmos.bank.v1beta1.MsgSend",
        amino: "cosmos-sdk/MsgSend",
        signer: "from_address",
        usual_gas: 130_000,
        fields: &[field("from_address", Text), field("to_address", Text), field("amount", Coins)],
    },
    MessageForm {
        kind: "ibc.applications.transfer.v1.MsgTransfer",
        amino: "cosmos-sdk/MsgTransfer",
        signer: "sender",
        usual_gas: 160_000,
        fields: &[
            field("source_port", Text),
            field("source_channel", Text),
            field("token", Coin),
            field("sender", Text),
            field("receiver", Text),
            field("timeout_height", Height),
            field("timeout_timestamp", Number),
            field("memo", Text),
        ],
    },
    MessageForm {
        kind: "opinit.ophost.v1.MsgInitiateTokenDeposit",
        amino: "ophost/MsgInitiateTokenDeposit",
        signer: "sender",
        usual_gas: 210_000,
        fields: &[
            field("sender", Text),
            field("bridge_id", Number),
            field("to", Text),
            field("amount", Coin),
            field("data", Bytes),
        ],
    },
    MessageForm {
        kind: "opinit.opchild.v1.MsgInitiateTokenWithdrawal",
        amino: "opchild/MsgInitiateTokenWithdrawal",
        signer: "sender",
        usual_gas: 210_000,
        fields: &[field("sender", Text), field("to", Text), field("amount", Coin)],
    },
    MessageForm {
        kind: "opinit.ophost.v1.MsgFinalizeTokenWithdrawal",
        amino: "ophost/MsgFinalizeTokenWithdrawal",
        signer: "sender",
        usual_gas: 160_000,
        fields: &[
            field("sender", Text),
            field("bridge_id", Number),
            field("output_index", Number),
            field("withdrawal_proofs", BytesList),
            field("from", Text),
            field("to", Text),
            field("sequence", Number),
            field("amount", Coin),
            field("version", Bytes),
            field("storage_root", Bytes),
            field("last_block_hash", Bytes),
        ],
    },
    MessageForm {
        kind: "minievm.evm.v1.MsgCall",
        amino: "evm/MsgCall",
        signer: "sender",
        usual_gas: 130_000,
        fields: &[
            field("sender", Text),
            field("contract_addr", Text),
            field("input", Text),
            field("value", Integer),
            field("access_list", NoAccess),
            field("auth_list", NoDelegation),
        ],
    },
    MessageForm {
        kind: "initia.move.v1.MsgExecute",
        amino: "move/MsgExecute",
        signer: "sender",
        usual_gas: 300_000,
        fields: &[
            field("sender", Text),
            field("module_address", Text),
            field("module_name", Text),
            field("function_name", Text),
            field("type_args", Texts),
            field("args", BytesList),
        ],
    },
    MessageForm {
        kind: "cosmwasm.wasm.v1.MsgExecuteContract",
        amino: "wasm/MsgExecuteContract",
        signer: "sender",
        usual_gas: 250_000,
        fields: &[field("sender", Text), field("contract", Text), field("msg", InlineJson), field("funds", Coins)],
    },
];

/// Returns the fields of a message type, given with or without a leading slash; `None` if unsupported.
pub(super) fn form_of(kind: &str) -> Option<&'static MessageForm> {
    let kind = kind.strip_prefix('/').unwrap_or(kind);
    FORMS.iter().find(|form| form.kind == kind)
}

/// Returns the usual gas of the cheapest message.
pub(super) fn least_usual_gas() -> u64 {
    FORMS.iter().map(|form| form.usual_gas).min().unwrap_or_default()
}

/// Returns the fields of a message by its amino name; `None` if unsupported.
pub(super) fn form_of_amino(name: &str) -> Option<&'static MessageForm> {
    FORMS.iter().find(|form| form.amino == name)
}
