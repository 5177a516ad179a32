//! The messages that can be signed, field by field. Their numbers in protobuf are in the one table of `wire::proto`.

/// A message type that can be signed.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct MessageForm {
    /// Without a slash before it.
    pub(super) kind: &'static str,
    /// Its name in sign documents.
    pub(super) amino: &'static str,
    /// The field that names who signs.
    pub(super) signer: &'static str,
    pub(super) fields: &'static [FieldRule],
}

/// A field of it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct FieldRule {
    pub(super) name: &'static str,
    pub(super) kind: FieldKind,
}

/// What a field holds. Amino JSON leaves out what is empty, except coins, their lists, heights, numbers of any size,
/// inline JSON, and the lists that must be empty here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FieldKind {
    Text,
    Texts,
    /// Of 64 bits, as text in JSON.
    Number,
    /// Of any size, as text in both.
    Integer,
    Coin,
    Coins,
    /// Base64 in JSON.
    Bytes,
    BytesList,
    Height,
    /// JSON in place in the document.
    InlineJson,
    /// A list of accesses: one with entries is refused, and the empty one is `null` in documents.
    NoAccess,
    /// A list of delegations of the whole account: one with entries is refused. Older chains do not have the field.
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

/// The form of a message by its type, with or without a slash before it.
pub(super) fn form_of(kind: &str) -> Option<&'static MessageForm> {
    let kind = kind.strip_prefix('/').unwrap_or(kind);
    FORMS.iter().find(|form| form.kind == kind)
}

/// The form of a message by its name in sign documents.
pub(super) fn form_of_amino(name: &str) -> Option<&'static MessageForm> {
    FORMS.iter().find(|form| form.amino == name)
}
