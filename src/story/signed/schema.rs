/// How a field is written in a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Text.
    Text,
    /// A list of texts.
    Texts,
    /// A number, as text.
    Number,
    /// Bytes in base64.
    Base64,
    /// A list of bytes in base64.
    Base64List,
    /// A coin.
    Coin,
    /// A list of coins.
    Coins,
    /// JSON, signed as its bytes.
    Json,
    /// Messages within.
    Messages,
}

/// The number, name and form of a message's fields, as its definition has them.
pub(super) type Schema = &'static [(u64, &'static str, Form)];

const SEND: Schema = &[(1, "from_address", Form::Text), (2, "to_address", Form::Text), (3, "amount", Form::Coins)];
const AUTHORIZED: Schema = &[(1, "grantee", Form::Text), (2, "msgs", Form::Messages)];
const EVM_CALL: Schema =
    &[(1, "sender", Form::Text), (2, "contract_addr", Form::Text), (3, "input", Form::Text), (4, "value", Form::Text)];
const EVM_CREATE: Schema = &[(1, "sender", Form::Text), (2, "code", Form::Text), (3, "value", Form::Text)];
const MOVE_EXECUTE: Schema = &[
    (1, "sender", Form::Text),
    (2, "module_address", Form::Text),
    (3, "module_name", Form::Text),
    (4, "function_name", Form::Text),
    (5, "type_args", Form::Texts),
    (6, "args", Form::Base64List),
];
const MOVE_EXECUTE_JSON: Schema = &[
    (1, "sender", Form::Text),
    (2, "module_address", Form::Text),
    (3, "module_name", Form::Text),
    (4, "function_name", Form::Text),
    (5, "type_args", Form::Texts),
    (6, "args", Form::Texts),
];
const MOVE_SCRIPT: Schema = &[
    (1, "sender", Form::Text),
    (2, "code_bytes", Form::Base64),
    (3, "type_args", Form::Texts),
    (4, "args", Form::Base64List),
];
const WASM_EXECUTE: Schema =
    &[(1, "sender", Form::Text), (2, "contract", Form::Text), (3, "msg", Form::Json), (5, "funds", Form::Coins)];
const TRANSFER: Schema = &[
    (1, "source_port", Form::Text),
    (2, "source_channel", Form::Text),
    (3, "token", Form::Coin),
    (4, "sender", Form::Text),
    (5, "receiver", Form::Text),
    (7, "timeout_timestamp", Form::Number),
    (8, "memo", Form::Text),
];
const NFT_TRANSFER: Schema = &[
    (1, "source_port", Form::Text),
    (2, "source_channel", Form::Text),
    (3, "class_id", Form::Text),
    (4, "token_ids", Form::Texts),
    (5, "sender", Form::Text),
    (6, "receiver", Form::Text),
    (8, "timeout_timestamp", Form::Number),
    (9, "memo", Form::Text),
];
const WITHDRAWAL: Schema = &[(1, "sender", Form::Text), (2, "to", Form::Text), (3, "amount", Form::Coin)];

/// The fields of a message's type; none of a type that is not known.
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
