//! Keys of attributes, with the types of their values: the only place that has them as text.

use std::marker::PhantomData;

use crate::domain::{Address, Amount, Coin, Denom, parse_coins};

/// Key of an attribute whose value is a `T`.
pub(crate) struct AttributeKey<T>(&'static str, PhantomData<fn() -> T>);

impl<T> Clone for AttributeKey<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for AttributeKey<T> {}

impl<T> AttributeKey<T> {
    const fn new(name: &'static str) -> Self {
        Self(name, PhantomData)
    }

    /// The key as the chain writes it.
    pub(crate) const fn name(self) -> &'static str {
        self.0
    }

    pub(crate) fn is(self, name: &str) -> bool {
        self.0 == name
    }
}

pub(crate) trait AttributeValue: Sized {
    /// Parses the text; `None` for an invalid text.
    fn read(text: &str) -> Option<Self>;
}

macro_rules! parsed {
    ($($type:ty),*) => {$(
        impl AttributeValue for $type {
            fn read(text: &str) -> Option<Self> {
                text.parse().ok()
            }
        }
    )*};
}

parsed!(bool, u64, usize, Address, Amount);

impl AttributeValue for String {
    fn read(text: &str) -> Option<Self> {
        Some(text.to_owned())
    }
}

impl AttributeValue for Denom {
    fn read(text: &str) -> Option<Self> {
        Some(Self::new(text))
    }
}

impl AttributeValue for Vec<Coin> {
    fn read(text: &str) -> Option<Self> {
        parse_coins(text).ok()
    }
}

macro_rules! keys {
    ($($type:ty { $($name:ident = $text:literal)* })*) => {$($(
        pub(crate) const $name: AttributeKey<$type> = AttributeKey::new($text);
    )*)*};
}

keys! {
    Address {
        ADMIN = "new_admin"
        APPROVER = "by"
        BURNED_FROM = "burn_from_address"
        BURNER = "burner"
        CHALLENGER = "challenger"
        CONTRACT = "contract"
        COUNTERPARTY_PAYEE = "counterparty_payee"
        CREATOR = "creator"
        DELEGATOR = "delegator"
        DESTINATION_VALIDATOR = "destination_validator"
        FEE_PAYER = "fee_payer"
        FROM = "from"
        GRANTEE = "grantee"
        GRANTER = "granter"
        MINTED_TO = "mint_to_address"
        MINTER = "minter"
        NEW_ADMIN = "new_admin_address"
        OPERATOR = "operator"
        OWNER = "owner"
        PAYEE = "payee"
        PROPOSER = "proposer"
        PRUNER = "pruner"
        RECEIVER = "receiver"
        RECIPIENT = "recipient"
        REFUND_RECEIVER = "refund_receiver"
        RELAYER = "relayer"
        SEND_HOOK = "before_send_hook_address"
        SENDER = "sender"
        SOURCE_VALIDATOR = "source_validator"
        SPENDER = "spender"
        SUBMITTER = "submitter"
        TO = "to"
        VALIDATOR = "validator"
        VOTER = "voter"
        WASM_CONTRACT = "_contract_address"
    }
    Amount {
        AMOUNT = "amount"
        OFFER_AMOUNT = "offer_amount"
        REFUND_AMOUNT = "refund_amount"
        RETURN_AMOUNT = "return_amount"
    }
    Vec<Coin> {
        COINS = "amount"
        FEE = "fee"
        GAS_REFUND = "coins"
    }
    Denom {
        BASE_DENOM = "base_denom"
        DENOM = "denom"
        L1_DENOM = "l1_denom"
        L2_DENOM = "l2_denom"
        NEW_DENOM = "new_token_denom"
    }
    bool {
        HOOK_SUCCESS = "hook_success"
        SUCCESS = "success"
    }
    u64 {
        BRIDGE_ID = "bridge_id"
        CODE_ID = "code_id"
        FINALIZE_HEIGHT = "finalize_height"
        HEIGHT = "height"
        L1_HEIGHT = "l1_block_height"
        L1_SEQUENCE = "l1_sequence"
        L2_HEIGHT = "l2_block_number"
        L2_SEQUENCE = "l2_sequence"
        REFUNDED_GAS = "gas"
        OUTPUT_INDEX = "output_index"
        PACKET_SEQUENCE = "packet_sequence"
        PACKET_TIMEOUT = "packet_timeout_timestamp"
        PROPOSAL_ID = "proposal_id"
    }
    usize {
        AUTHZ_INDEX = "authz_msg_index"
        PRICES = "num_currency_pair"
    }
    String {
        ACCOUNT_SEQUENCE = "acc_seq"
        ACKNOWLEDGEMENT = "acknowledgement"
        ACTION = "action"
        ASK_ASSET = "ask_asset"
        CALLBACK_ERROR = "ibccallbackerror-error"
        CHANNEL_ID = "channel_id"
        CLIENT_ID = "client_id"
        CONNECTION_ID = "connection_id"
        CONSENSUS_HEIGHT = "consensus_height"
        COUNTERPARTY_CHANNEL_ID = "counterparty_channel_id"
        DATA = "data"
        ERROR = "error"
        FUNCTION_NAME = "function_name"
        HEADER = "header"
        L1_CHAIN_ID = "l1_chain_id"
        LOG = "log"
        MEMO = "memo"
        MESSAGE_TYPE = "msg_type_url"
        MODULE_ADDRESS = "module_addr"
        MODULE_NAME = "module_name"
        NEW_LABEL = "new_label"
        OFFER_ASSET = "offer_asset"
        OPTION = "option"
        ENCODED_ACK = "encoded_acknowledgement_hex"
        ENCODED_PACKET = "encoded_packet_hex"
        PACKET_ACK = "packet_ack"
        PACKET_ACK_HEX = "packet_ack_hex"
        PACKET_CONNECTION = "packet_connection"
        PACKET_DATA = "packet_data"
        PACKET_DATA_HEX = "packet_data_hex"
        PACKET_DST_CHANNEL = "packet_dst_channel"
        PACKET_DST_CLIENT = "packet_dest_client"
        PACKET_DST_PORT = "packet_dst_port"
        PACKET_SRC_CHANNEL = "packet_src_channel"
        PACKET_SRC_CLIENT = "packet_source_client"
        PACKET_SRC_PORT = "packet_src_port"
        PORT_ID = "port_id"
        REASON = "reason"
        RETURNED = "ret"
        TOKEN_ID = "token_id"
        TOKEN_IDS = "token_ids"
        TOKEN_ORIGIN_ID = "token_origin_id"
        TYPE_TAG = "type_tag"
    }
}

/// Whether an attribute of this name holds coins, if its value looks like coins.
pub(crate) fn may_hold_coins(key: &str) -> bool {
    [COINS, FEE, GAS_REFUND].iter().any(|coins| coins.is(key)) || REFUND_AMOUNT.is(key)
}

/// Whether the position of an event implies an attribute of this name, or its value is raw data.
pub(crate) fn is_secondary(key: &str) -> bool {
    let raw = [PACKET_DATA, PACKET_DATA_HEX, PACKET_ACK, HEADER, RETURNED];
    AUTHZ_INDEX.is(key) || raw.iter().any(|raw| raw.is(key))
}
