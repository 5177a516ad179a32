#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FieldForm {
    Text,
    /// List of strings.
    Texts,
    /// Number as a string.
    Number,
    /// Bytes in base64.
    Base64,
    /// List of bytes in base64.
    Base64List,
    Coin,
    Coins,
    /// JSON, signed as bytes.
    Json,
    Messages,
}

/// Number, name and type of a message's fields, in the order of its definition.
pub(super) type Schema = &'static [(u64, &'static str, FieldForm)];

const SEND: Schema =
    &[(1, "from_address", FieldForm::Text), (2, "to_address", FieldForm::Text), (3, "amount", FieldForm::Coins)];
const AUTHORIZED: Schema = &[(1, "grantee", FieldForm::Text), (2, "msgs", FieldForm::Messages)];
const EVM_CALL: Schema = &[
    (1, "sender", FieldForm::Text),
    (2, "contract_addr", FieldForm::Text),
    (3, "input", FieldForm::Text),
    (4, "value", FieldForm::Text),
];
const EVM_CREATE: Schema =
    &[(1, "sender", FieldForm::Text), (2, "code", FieldForm::Text), (3, "value", FieldForm::Text)];
const MOVE_EXECUTE: Schema = &[
    (1, "sender", FieldForm::Text),
    (2, "module_address", FieldForm::Text),
    (3, "module_name", FieldForm::Text),
    (4, "function_name", FieldForm::Text),
    (5, "type_args", FieldForm::Texts),
    (6, "args", FieldForm::Base64List),
];
const MOVE_EXECUTE_JSON: Schema = &[
    (1, "sender", FieldForm::Text),
    (2, "module_address", FieldForm::Text),
    (3, "module_name", FieldForm::Text),
    (4, "function_name", FieldForm::Text),
    (5, "type_args", FieldForm::Texts),
    (6, "args", FieldForm::Texts),
];
const MOVE_SCRIPT: Schema = &[
    (1, "sender", FieldForm::Text),
    (2, "code_bytes", FieldForm::Base64),
    (3, "type_args", FieldForm::Texts),
    (4, "args", FieldForm::Base64List),
];
const WASM_EXECUTE: Schema = &[
    (1, "sender", FieldForm::Text),
    (2, "contract", FieldForm::Text),
    (3, "msg", FieldForm::Json),
    (5, "funds", FieldForm::Coins),
];
const TRANSFER: Schema = &[
    (1, "source_port", FieldForm::Text),
    (2, "source_channel", FieldForm::Text),
    (3, "token", FieldForm::Coin),
    (4, "sender", FieldForm::Text),
    (5, "receiver", FieldForm::Text),
    (7, "timeout_timestamp", FieldForm::Number),
    (8, "memo", FieldForm::Text),
];
const NFT_TRANSFER: Schema = &[
    (1, "source_port", FieldForm::Text),
    (2, "source_channel", FieldForm::Text),
    (3, "class_id", FieldForm::Text),
    (4, "token_ids", FieldForm::Texts),
    (5, "sender", FieldForm::Text),
    (6, "receiver", FieldForm::Text),
    (8, "timeout_timestamp", FieldForm::Number),
    (9, "memo", FieldForm::Text),
];
const WITHDRAWAL: Schema =
    &[(1, "sender", FieldForm::Text), (2, "to", FieldForm::Text), (3, "amount", FieldForm::Coin)];

/// Returns the fields of a message type; empty for an unknown type.
pub(super) fn schema_of(kind: &str) -> Schema {
    match kind {
        "cosmos.bank.v1beta1.MsgSend" => SEND,
        "cosmos.authz.v1beta1.MsgExec" => AUTHORIZED,
        "minievm.evm.v1.MsgCall" => EVM_CALL,
        "minievm.evm.v1.MsgCreate" | "minievm.evm.v1.MsgCreate2" => EVM_CREATE,
        "initia.move.v1.MsgExecute" => MOVE_EXECUTE,
        "initia.move.v1.MsgExecuteJSON" => MOVE_EXECUTE_JSON,
        "initia.move.v1.MsgScript" => MOVE_SCRIPT,
        "cosmwasm.wasm.v1.MsgExecuteContract" => WASM_EXECUTE,
        "ibc.applications.transfer.v1.MsgTransfer" => TRANSFER,
        "ibc.applications.nft_transfer.v1.MsgTransfer" => NFT_TRANSFER,
        "opinit.opchild.v1.MsgInitiateTokenWithdrawal" => WITHDRAWAL,
        _ => &[],
    }
}
