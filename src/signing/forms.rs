//! Forms of signable messages, field by field. Field numbers are in the table of `wire::proto`.

#[derive(Debug, PartialEq, Eq)]
pub(super) struct MessageForm {
    /// Type without a leading slash.
    pub(super) kind: &'static str,
    /// Name in sign documents.
    pub(super) amino: &'static str,
    /// Field with the signer's address.
    pub(super) signer: &'static str,
    pub(super) fields: &'static [FieldRule],
}

#[derive(Debug, PartialEq, Eq)]
pub(super) struct FieldRule {
    pub(super) name: &'static str,
    pub(super) kind: FieldKind,
}

/// Type of a field. Amino JSON omits empty values, except coins, lists of coins, heights, arbitrary-size numbers,
/// inline JSON, and lists that must be empty here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FieldKind {
    Text,
    Texts,
    /// 64 bits, text in JSON.
    Number,
    /// Arbitrary size, text in both.
    Integer,
    Coin,
    Coins,
    /// Base64 in JSON.
    Bytes,
    BytesList,
    Height,
    InlineJson,
    /// List of accesses: refused unless empty; `null` in documents.
    NoAccess,
    /// List of account delegations: refused unless empty. Missing on older chains.
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
        fields: &[field("from_address", Text), field("to_address", Text), field("amount", Coins)],
    },
    MessageForm {
        kind: "ibc.applications.transfer.v1.MsgTransfer",
        amino: "cosmos-sdk/MsgTransfer",
        signer: "sender",
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
        fields: &[field("sender", Text), field("to", Text), field("amount", Coin)],
    },
    MessageForm {
        kind: "opinit.ophost.v1.MsgFinalizeTokenWithdrawal",
        amino: "ophost/MsgFinalizeTokenWithdrawal",
        signer: "sender",
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
        fields: &[field("sender", Text), field("contract", Text), field("msg", InlineJson), field("funds", Coins)],
    },
];

/// Returns a message's form by type, with or without a leading slash.
pub(super) fn form_of(kind: &str) -> Option<&'static MessageForm> {
    let kind = kind.strip_prefix('/').unwrap_or(kind);
    FORMS.iter().find(|form| form.kind == kind)
}

/// Returns a message's form by its name in sign documents.
pub(super) fn form_of_amino(name: &str) -> Option<&'static MessageForm> {
    FORMS.iter().find(|form| form.amino == name)
}
