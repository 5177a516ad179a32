//! The forms of the routing API's questions and answers (`docs/apis/router.md`).

pub(super) mod info;

use crate::indexer::http::{JsonField as Field, JsonForm, ObjectForm};

const AMOUNT: JsonForm = JsonForm::Digits;
const DOLLARS: JsonForm = JsonForm::Pattern("^([0-9]+(\\.[0-9]+)?)?$");
const TEXTS: JsonForm = JsonForm::List(&JsonForm::Text);
const MAYBE_TEXT: JsonForm = JsonForm::Nullable(&JsonForm::Text);
const MAYBE_PLACE: JsonForm = JsonForm::Nullable(&JsonForm::From(0));

/// A refusal, as real routers write it.
pub(super) const REFUSAL: JsonForm = JsonForm::Object(&ObjectForm::new(
    "RouterRefusal",
    "Why the router refuses.",
    &[
        Field::new("code", JsonForm::From(0), "As gRPC counts: 3 invalid, 5 not found, 14 not now"),
        Field::new("message", JsonForm::Text, "For a person"),
        Field::new("details", JsonForm::List(&JsonForm::Anything), "What a client can act on"),
    ],
));

const ASSET: ObjectForm = ObjectForm::new(
    "Asset",
    "A token on a chain.",
    &[
        Field::new("denom", JsonForm::Text, "What it is there"),
        Field::new("chain_id", JsonForm::Text, "Where"),
        Field::new("origin_denom", MAYBE_TEXT, "What it is where it comes from"),
        Field::new("origin_chain_id", MAYBE_TEXT, "Where it comes from"),
        Field::new("trace", JsonForm::Text, "Over which ports and channels it came"),
        Field::new("is_cw20", JsonForm::Boolean, "Whether it is a CW-20 contract"),
        Field::new("is_evm", JsonForm::Boolean, "Whether it is a contract of an EVM chain"),
        Field::new("is_svm", JsonForm::Boolean, "Whether it is a mint of Solana"),
        Field::new("symbol", JsonForm::Text, "Ticker"),
        Field::new("name", JsonForm::Text, "Name"),
        Field::new("decimals", MAYBE_PLACE, "Digits after the point"),
        Field::maybe("token_contract", JsonForm::Text, "Its contract on an EVM chain"),
        Field::new("hidden", JsonForm::Boolean, "Whether clients should not offer it"),
    ],
);
const VENUE: ObjectForm = ObjectForm::new(
    "SwapVenue",
    "Where a swap happens.",
    &[
        Field::new("name", JsonForm::Text, "Its name"),
        Field::new("chain_id", JsonForm::Text, "Its chain"),
        Field::maybe("logo_uri", JsonForm::Text, "Its picture"),
    ],
);
const VENUES: JsonForm = JsonForm::List(&JsonForm::Object(&VENUE));
const WARNING: JsonForm = JsonForm::Object(&ObjectForm::new(
    "Warning",
    "What the sender should know of the price.",
    &[
        Field::new("type", JsonForm::Word(&["BAD_PRICE_WARNING", "LOW_INFO_WARNING"]), "For machines"),
        Field::new("message", JsonForm::Text, "For a person"),
    ],
));
const FEE: JsonForm = JsonForm::Object(&ObjectForm::new(
    "Fee",
    "One fee of a route.",
    &[
        Field::new("fee_type", JsonForm::Text, "BRIDGE, SMART_RELAY, SWAP"),
        Field::new("bridge_id", JsonForm::Text, "Of which bridge"),
        Field::new("amount", JsonForm::Nullable(&AMOUNT), "In the smallest unit of its asset"),
        Field::new("usd_amount", DOLLARS, "Empty without a price"),
        Field::new("origin_asset", JsonForm::Nullable(&JsonForm::Object(&ASSET)), "In what"),
        Field::new("chain_id", MAYBE_TEXT, "Where it is paid"),
        Field::new("tx_index", MAYBE_PLACE, "In which signed transaction"),
        Field::new("operation_index", MAYBE_PLACE, "For which operation"),
        Field::new(
            "fee_behavior",
            JsonForm::Word(&["FEE_BEHAVIOR_DEDUCTED", "FEE_BEHAVIOR_ADDITIONAL", ""]),
            "Whether the quoted amount is without it already",
        ),
    ],
));

const FROM: Field = Field::new("from_chain_id", JsonForm::Text, "Where it starts");
const TO: Field = Field::new("to_chain_id", JsonForm::Text, "Where it ends");
const DENOM_IN: Field = Field::new("denom_in", JsonForm::Text, "The asset before");
const DENOM_OUT: Field = Field::new("denom_out", JsonForm::Text, "The asset after");
const BRIDGE: Field = Field::new("bridge_id", JsonForm::Word(&["IBC", "OPINIT", "CCTP", "GO_FAST"]), "Over what");
const SMART_RELAY: Field = Field::new("smart_relay", JsonForm::Boolean, "Whether a paid relayer finishes it");

const TRANSFER: ObjectForm = ObjectForm::new(
    "IbcOperation",
    "An IBC transfer.",
    &[
        Field::new("port", JsonForm::Text, "The port"),
        Field::new("channel", JsonForm::Text, "The channel on the sending side"),
        FROM,
        TO,
        Field::new("pfm_enabled", JsonForm::Boolean, "Whether the other chain passes packets on"),
        Field::new("supports_memo", JsonForm::Boolean, "Whether it takes a memo"),
        DENOM_IN,
        DENOM_OUT,
        BRIDGE,
        Field::new("dest_denom", JsonForm::Text, "The asset after"),
        Field::new("chain_id", JsonForm::Text, "Where it starts"),
        SMART_RELAY,
        Field::new("to_chain_entry_contract_address", MAYBE_TEXT, "null"),
        Field::new("to_chain_callback_contract_address", MAYBE_TEXT, "null"),
    ],
);
const OP_INIT: ObjectForm = ObjectForm::new(
    "OpInitOperation",
    "Over the optimistic bridge, in either direction.",
    &[
        FROM,
        TO,
        DENOM_IN,
        DENOM_OUT,
        Field::new("op_init_bridge_id", AMOUNT, "The bridge's number"),
        BRIDGE,
        SMART_RELAY,
    ],
);
const BANK_SEND: ObjectForm = ObjectForm::new(
    "BankSendOperation",
    "To another account of the same chain.",
    &[Field::new("chain_id", JsonForm::Text, "Where"), Field::new("denom", JsonForm::Text, "What")],
);
const SWAP_STEP: ObjectForm = ObjectForm::new(
    "SwapStep",
    "A pool on the way of a swap.",
    &[Field::new("pool", JsonForm::Text, "The pool"), DENOM_IN, DENOM_OUT],
);
const SWAP_IN: ObjectForm = ObjectForm::new(
    "SwapIn",
    "A swap of a given amount.",
    &[
        Field::new("swap_venue", JsonForm::Nullable(&JsonForm::Object(&VENUE)), "Where"),
        Field::new("swap_operations", JsonForm::List(&JsonForm::Object(&SWAP_STEP)), "Pool by pool"),
        Field::new("swap_amount_in", AMOUNT, "What goes in"),
        Field::new("price_impact_percent", MAYBE_TEXT, "null without a price"),
        Field::new("estimated_amount_out", AMOUNT, "What comes out"),
    ],
);
const SWAP: ObjectForm = ObjectForm::new(
    "SwapOperation",
    "A swap.",
    &[
        Field::new("swap_in", JsonForm::Object(&SWAP_IN), ""),
        Field::new("estimated_affiliate_fee", JsonForm::Text, "A coin"),
        Field::new("from_chain_id", JsonForm::Text, "Where"),
        Field::new("chain_id", JsonForm::Text, "Where"),
        DENOM_IN,
        DENOM_OUT,
        Field::new("swap_venues", VENUES, "Where, pool by pool"),
    ],
);
const RELAY_QUOTE: ObjectForm = ObjectForm::new(
    "RelayQuote",
    "What a relayer takes, and until when.",
    &[
        Field::new("fee_amount", AMOUNT, "In the smallest unit"),
        Field::new("fee_denom", JsonForm::Text, "Of what"),
        Field::new("fee_payment_address", JsonForm::Text, "Paid to"),
        Field::new("relayer_address", JsonForm::Text, "Who relays"),
        Field::new("expiration", JsonForm::Time, "Until when"),
    ],
);
const CCTP: ObjectForm = ObjectForm::new(
    "CctpOperation",
    "Burnt here, made there.",
    &[
        FROM,
        TO,
        Field::new("burn_token", JsonForm::Text, "What is burnt"),
        DENOM_IN,
        DENOM_OUT,
        BRIDGE,
        SMART_RELAY,
        Field::new("smart_relay_fee_quote", JsonForm::Nullable(&JsonForm::Object(&RELAY_QUOTE)), "Of the relayer"),
    ],
);
const GO_FAST_FEE: ObjectForm = ObjectForm::new(
    "GoFastFee",
    "What a solver takes.",
    &[
        Field::new("fee_asset", JsonForm::Object(&ASSET), ""),
        Field::new("bps_fee", AMOUNT, "Parts in 10,000"),
        Field::new("bps_fee_amount", AMOUNT, "In the smallest unit"),
        Field::new("bps_fee_usd", DOLLARS, "In dollars"),
        Field::new("source_chain_fee_amount", AMOUNT, "For the first chain"),
        Field::new("source_chain_fee_usd", DOLLARS, "In dollars"),
        Field::new("destination_chain_fee_amount", AMOUNT, "For the other chain"),
        Field::new("destination_chain_fee_usd", DOLLARS, "In dollars"),
    ],
);
const GO_FAST: ObjectForm = ObjectForm::new(
    "GoFastOperation",
    "A solver pays out at once.",
    &[
        FROM,
        TO,
        DENOM_IN,
        DENOM_OUT,
        Field::new("source_domain", JsonForm::Text, "The first chain's number"),
        Field::new("destination_domain", JsonForm::Text, "The other chain's number"),
        BRIDGE,
        Field::new("fee", JsonForm::Object(&GO_FAST_FEE), ""),
    ],
);
const OPERATION: JsonForm = JsonForm::Object(
    &ObjectForm::new(
        "Operation",
        "A step of a route, of one kind. It travels back verbatim.",
        &[
            Field::maybe("transfer", JsonForm::Object(&TRANSFER), ""),
            Field::maybe("op_init_transfer", JsonForm::Object(&OP_INIT), ""),
            Field::maybe("bank_send", JsonForm::Object(&BANK_SEND), ""),
            Field::maybe("swap", JsonForm::Object(&SWAP), ""),
            Field::maybe("cctp_transfer", JsonForm::Object(&CCTP), ""),
            Field::maybe("go_fast_transfer", JsonForm::Object(&GO_FAST), ""),
            Field::new("tx_index", JsonForm::From(0), "Which signed transaction does it"),
            Field::new("amount_in", AMOUNT, "In the smallest unit"),
            Field::new("amount_out", AMOUNT, "In the smallest unit"),
        ],
    )
    .of_size(4),
);

/// Nothing has the empty name.
const NAME: JsonForm = JsonForm::Name;
/// An amount that can be sent.
const POSITIVE: JsonForm = JsonForm::PositiveDigits;

const AMOUNT_IN: Field = Field::new("amount_in", AMOUNT, "What goes in, in the smallest unit");
const AMOUNT_OUT: Field = Field::new("amount_out", AMOUNT, "What is expected, in the smallest unit");
const SOURCE_CHAIN: Field = Field::new("source_asset_chain_id", NAME, "Where it is");
const SOURCE_DENOM: Field = Field::new("source_asset_denom", NAME, "What it is there");
const DEST_CHAIN: Field = Field::new("dest_asset_chain_id", NAME, "Where it shall be");
const DEST_DENOM: Field = Field::new("dest_asset_denom", NAME, "What it shall be there");

pub(super) const ROUTE: JsonForm = JsonForm::Object(&ObjectForm::new(
    "Route",
    "A way from one asset to another.",
    &[
        AMOUNT_IN,
        AMOUNT_OUT,
        SOURCE_CHAIN,
        SOURCE_DENOM,
        DEST_CHAIN,
        DEST_DENOM,
        Field::new("operations", JsonForm::List(&OPERATION), "The steps, in order"),
        Field::new("required_chain_addresses", TEXTS, "Chains on which an address is needed, in order"),
        Field::new("chain_ids", TEXTS, "Every chain that it touches, in order"),
        Field::new("does_swap", JsonForm::Boolean, "Whether it swaps"),
        Field::new("estimated_amount_out", JsonForm::Nullable(&AMOUNT), "The quote"),
        Field::new("estimated_fees", JsonForm::List(&FEE), "Fees"),
        Field::new("estimated_route_duration_seconds", MAYBE_PLACE, "null where nobody knows"),
        Field::new("txs_required", MAYBE_PLACE, "Signed transactions"),
        Field::new("swap_venues", VENUES, "Where it swaps"),
        Field::maybe("swap_venue", JsonForm::Object(&VENUE), ""),
        Field::maybe("swap_price_impact_percent", JsonForm::Pattern("^-?[0-9]+\\.[0-9]+$"), "Without a price absent"),
        Field::maybe("usd_amount_in", DOLLARS, "Without a price absent"),
        Field::maybe("usd_amount_out", DOLLARS, "Without a price absent"),
        Field::new("warning", JsonForm::Nullable(&WARNING), "Of the price"),
        Field::new("extra_infos", TEXTS, "To be shown"),
        Field::new("extra_warnings", TEXTS, "To be warned with"),
        Field::new("required_op_hook", JsonForm::Boolean, "Whether a signed hook must go with it"),
    ],
));
pub(super) const ROUTE_REQUEST: JsonForm = JsonForm::Object(
    &ObjectForm::new(
        "RouteRequest",
        "What is to go where.",
        &[
            Field::new("amount_in", POSITIVE, "What goes in, in the smallest unit"),
            SOURCE_CHAIN,
            SOURCE_DENOM,
            DEST_CHAIN,
            DEST_DENOM,
            Field::maybe("allow_unsafe", JsonForm::Boolean, "Routes with a bad price too; true if left out"),
            Field::maybe("go_fast", JsonForm::Boolean, "By a solver where one can"),
            Field::maybe("is_op_withdraw", JsonForm::Boolean, "Only by the optimistic withdrawal"),
            Field::maybe("allow_multi_tx", JsonForm::Boolean, "Routes that need several signatures too"),
        ],
    )
    .open(),
);

const HOOK_MESSAGE: ObjectForm = ObjectForm::new(
    "CosmosMessage",
    "A message to be signed.",
    &[
        Field::new("msg", JsonForm::Text, "JSON in a text"),
        Field::new("msg_type_url", JsonForm::Pattern("^/[A-Za-z0-9_.]+$"), "Its type"),
    ],
);
const MESSAGES: JsonForm = JsonForm::List(&JsonForm::Object(&HOOK_MESSAGE));
pub(super) const OP_HOOK: JsonForm = JsonForm::Object(&ObjectForm::new(
    "OpHook",
    "What is to be signed beforehand.",
    &[
        Field::new("chain_id", JsonForm::Text, "The chain whose sign document is used"),
        Field::new("hook", MESSAGES, "The messages, in order"),
    ],
));
pub(super) const OP_HOOK_REQUEST: JsonForm = JsonForm::Object(
    &ObjectForm::new(
        "OpHookRequest",
        "What is to go where, and from whom to whom.",
        &[
            Field::new("source_address", JsonForm::Text, "Who sends"),
            SOURCE_CHAIN,
            SOURCE_DENOM,
            Field::new("dest_address", JsonForm::Text, "Who receives, as init1…"),
            DEST_CHAIN,
            DEST_DENOM,
        ],
    )
    .open(),
);

const APPROVAL: ObjectForm = ObjectForm::new(
    "Erc20Approval",
    "What must be approved before.",
    &[
        Field::new("token_contract", JsonForm::Text, "Of which token"),
        Field::new("spender", JsonForm::Text, "For whom"),
        Field::new("amount", AMOUNT, "At least so much"),
    ],
);
const COSMOS_TX: ObjectForm = ObjectForm::new(
    "CosmosTx",
    "A transaction of a Cosmos chain.",
    &[
        Field::new("chain_id", JsonForm::Text, "Where"),
        Field::new("path", TEXTS, "The chains that it reaches"),
        Field::new("msgs", MESSAGES, "What it does"),
        Field::new("signer_address", JsonForm::Text, "Who signs"),
    ],
);
const EVM_TX: ObjectForm = ObjectForm::new(
    "EvmRouterTx",
    "A transaction of an EVM chain.",
    &[
        Field::new("chain_id", JsonForm::Text, "Where"),
        Field::new("to", JsonForm::Text, "The contract"),
        Field::new("value", JsonForm::Pattern("^[0-9]*$"), "Wei"),
        Field::new("data", JsonForm::Pattern("^[0-9a-fA-F]*$"), "Call data"),
        Field::new("required_erc20_approvals", JsonForm::List(&JsonForm::Object(&APPROVAL)), "To be given before"),
        Field::new("signer_address", JsonForm::Text, "Who signs"),
    ],
);
const ROUTER_TX: ObjectForm = ObjectForm::new(
    "RouterTx",
    "A transaction to be signed, of one kind.",
    &[
        Field::maybe("cosmos_tx", JsonForm::Object(&COSMOS_TX), ""),
        Field::maybe("evm_tx", JsonForm::Object(&EVM_TX), ""),
        Field::new("operations_indices", JsonForm::List(&JsonForm::From(0)), "Which operations of the route it does"),
    ],
)
.of_size(2);
const OLD_COSMOS: ObjectForm = ObjectForm::new(
    "MultiChainMsg",
    "A message of a Cosmos chain in the older form.",
    &[
        Field::new("chain_id", JsonForm::Text, "Where"),
        Field::new("path", TEXTS, "The chains that it reaches"),
        Field::new("msg", JsonForm::Text, "JSON in a text"),
        Field::new("msg_type_url", JsonForm::Text, "Its type"),
    ],
);
const OLD_TX: ObjectForm = ObjectForm::new(
    "OldRouterTx",
    "A transaction in the older form, of one kind.",
    &[
        Field::maybe("multi_chain_msg", JsonForm::Object(&OLD_COSMOS), ""),
        Field::maybe("evm_tx", JsonForm::Object(&EVM_TX), ""),
    ],
)
.of_size(1);
pub(super) const MSGS: JsonForm = JsonForm::Object(&ObjectForm::new(
    "MsgsResponse",
    "The transactions that do a route.",
    &[
        Field::new("txs", JsonForm::List(&JsonForm::Object(&ROUTER_TX)), "In order"),
        Field::new("msgs", JsonForm::List(&JsonForm::Object(&OLD_TX)), "The same in the older form"),
        Field::maybe("min_amount_out", AMOUNT, "The least that arrives"),
        Field::new("estimated_fees", JsonForm::List(&FEE), "Fees"),
        Field::maybe("warning", WARNING, ""),
    ],
));
pub(super) const MSGS_REQUEST: JsonForm = JsonForm::Object(
    &ObjectForm::new(
        "MsgsRequest",
        "A route, with the addresses on its way.",
        &[
            AMOUNT_IN,
            AMOUNT_OUT,
            SOURCE_CHAIN,
            SOURCE_DENOM,
            DEST_CHAIN,
            DEST_DENOM,
            Field::new("address_list", TEXTS, "One for each of the route's required_chain_addresses"),
            Field::new("operations", JsonForm::List(&OPERATION), "Of the route, verbatim"),
            Field::maybe("slippage_tolerance_percent", JsonForm::Text, "Percent"),
            Field::maybe("estimated_amount_out", AMOUNT, "Of the route"),
            Field::maybe("signed_op_hook", JsonForm::Anything, "{signer, hook}, or the hook as a text"),
        ],
    )
    .open(),
);

/// Hexadecimal digits, or base58 as on Solana.
pub(super) const BROADCAST_HASH: &str = "^((0[xX])?[0-9a-fA-F]{64}|[1-9A-HJ-NP-Za-km-z]{80,90})$";

/// Hexadecimal bytes, or base64 whose last sign holds no more bits than there are.
const SIGNED_TX: &str = "^(0x([0-9a-fA-F]{2})+|([0-9A-Za-z+/]{4})*([0-9A-Za-z+/]{4}|[0-9A-Za-z+/]{2}[AEIMQUYcgkosw048]=|[0-9A-Za-z+/][AQgw]==))$";

const TX_HASH: Field = Field::new("tx_hash", JsonForm::Pattern(BROADCAST_HASH), "The signed transaction");
const TX_CHAIN: Field = Field::new("chain_id", NAME, "Where it was broadcast");
pub(super) const TRACK_REQUEST: JsonForm =
    JsonForm::Object(&ObjectForm::new("TrackRequest", "A transaction to be watched.", &[TX_HASH, TX_CHAIN]).open());
pub(super) const SUBMIT_REQUEST: JsonForm = JsonForm::Object(
    &ObjectForm::new(
        "SubmitRequest",
        "A signed transaction to be broadcast and watched.",
        &[
            Field::new("tx", JsonForm::Pattern(SIGNED_TX), "Base64 of its bytes, or of an Ethereum one hex with 0x"),
            Field::new("chain_id", NAME, "Where it is to be broadcast"),
        ],
    )
    .open(),
);
pub(super) const TRACK: JsonForm = JsonForm::Object(&ObjectForm::new(
    "TrackResponse",
    "The transaction is watched.",
    &[TX_HASH, Field::new("explorer_link", JsonForm::Text, "Where it can be looked at")],
));

const CHAIN_TX: JsonForm = JsonForm::Nullable(&JsonForm::Object(&ObjectForm::new(
    "ChainTx",
    "A transaction on some chain.",
    &[
        Field::new("chain_id", JsonForm::Text, "Where"),
        TX_HASH,
        Field::new("explorer_link", JsonForm::Text, "Where it can be looked at"),
        Field::maybe("on_chain_at", JsonForm::Time, "When"),
    ],
)));
const HOP_ERROR: ObjectForm = ObjectForm::new(
    "HopError",
    "Why a hop failed.",
    &[Field::new("type", JsonForm::Text, "For machines"), Field::new("message", JsonForm::Text, "For a person")],
);
const PACKET: ObjectForm = ObjectForm::new(
    "PacketTxs",
    "The transactions of a packet so far.",
    &[
        Field::new("send_tx", CHAIN_TX, "It leaves"),
        Field::new("receive_tx", CHAIN_TX, "It arrives"),
        Field::new("acknowledge_tx", CHAIN_TX, "The answer comes back"),
        Field::new("timeout_tx", CHAIN_TX, "It was not there in time"),
        Field::new("error", JsonForm::Nullable(&JsonForm::Object(&HOP_ERROR)), "Why it failed"),
    ],
);
const TWO_TXS: ObjectForm = ObjectForm::new(
    "BridgeTxs",
    "The transactions of a hop so far.",
    &[Field::new("send_tx", CHAIN_TX, "It leaves"), Field::new("receive_tx", CHAIN_TX, "It arrives")],
);
const ORDER: ObjectForm = ObjectForm::new(
    "OrderTxs",
    "The transactions of an order so far.",
    &[
        Field::new("order_submitted_tx", CHAIN_TX, "It is asked for"),
        Field::new("order_filled_tx", CHAIN_TX, "It is paid out"),
        Field::new("order_refunded_tx", CHAIN_TX, "It is given back"),
        Field::new("order_timeout_tx", CHAIN_TX, "Nobody took it"),
    ],
);
const HOP_FROM: Field = Field::new("from_chain_id", MAYBE_TEXT, "Where it starts");
const HOP_TO: Field = Field::new("to_chain_id", MAYBE_TEXT, "Where it ends");
const HOP_SOURCE: Field = Field::new("src_chain_id", MAYBE_TEXT, "Where it starts");
const HOP_DEST: Field = Field::new("dst_chain_id", MAYBE_TEXT, "Where it ends");
const HOP_STATE: Field = Field::new("state", JsonForm::Pattern("^[A-Z_]+$"), "How far it is");
const PACKET_HOP: ObjectForm = ObjectForm::new(
    "IbcHop",
    "A hop over IBC.",
    &[HOP_FROM, HOP_TO, HOP_STATE, Field::new("packet_txs", JsonForm::Object(&PACKET), ""), HOP_SOURCE, HOP_DEST],
);
const BRIDGE_HOP: ObjectForm = ObjectForm::new(
    "BridgeHop",
    "A hop over the optimistic bridge or CCTP.",
    &[HOP_FROM, HOP_TO, HOP_STATE, Field::new("txs", JsonForm::Object(&TWO_TXS), ""), HOP_SOURCE, HOP_DEST],
);
const ORDER_HOP: ObjectForm = ObjectForm::new(
    "GoFastHop",
    "A hop that a solver pays out.",
    &[
        HOP_FROM,
        HOP_TO,
        HOP_STATE,
        Field::new("error_message", MAYBE_TEXT, "Why it failed"),
        Field::new("txs", JsonForm::Object(&ORDER), ""),
        HOP_SOURCE,
        HOP_DEST,
    ],
);
const HOP: ObjectForm = ObjectForm::new(
    "Hop",
    "A hop of a transfer, of one kind.",
    &[
        Field::maybe("ibc_transfer", JsonForm::Object(&PACKET_HOP), ""),
        Field::maybe("op_init_transfer", JsonForm::Object(&BRIDGE_HOP), ""),
        Field::maybe("cctp_transfer", JsonForm::Object(&BRIDGE_HOP), ""),
        Field::maybe("go_fast_transfer", JsonForm::Object(&ORDER_HOP), ""),
    ],
)
.of_size(1);
const BLOCKING: ObjectForm = ObjectForm::new(
    "BlockingTransfer",
    "The hop that everything waits for.",
    &[Field::new("transfer_sequence_index", MAYBE_PLACE, "Its place, from 0")],
);
const RELEASE: ObjectForm = ObjectForm::new(
    "AssetRelease",
    "Where the money is or will be.",
    &[
        Field::new("chain_id", JsonForm::Text, "On which chain"),
        Field::new("denom", JsonForm::Text, "As what"),
        Field::maybe("amount", AMOUNT, "How much"),
        Field::new("released", JsonForm::Boolean, "Whether it is there"),
    ],
);
const FAILURE: ObjectForm = ObjectForm::new(
    "StatusError",
    "What went wrong.",
    &[
        Field::new("type", JsonForm::Text, "For machines"),
        Field::new("message", JsonForm::Text, "For a person"),
        Field::maybe("details", JsonForm::Anything, "More"),
    ],
);
const STATE: JsonForm = JsonForm::Word(&[
    "STATE_SUBMITTED",
    "STATE_PENDING",
    "STATE_PENDING_ERROR",
    "STATE_COMPLETED_SUCCESS",
    "STATE_COMPLETED_ERROR",
    "STATE_COMPLETED",
    "STATE_FAILED",
    "STATE_ABANDONED",
]);
const HOPS: Field =
    Field::new("transfer_sequence", JsonForm::List(&JsonForm::Object(&HOP)), "As far as they are known");
const WAITS: Field = Field::new("next_blocking_transfer", JsonForm::Nullable(&JsonForm::Object(&BLOCKING)), "");
const RELEASED: Field = Field::new("transfer_asset_release", JsonForm::Nullable(&JsonForm::Object(&RELEASE)), "");
const FAILED: Field = Field::new("error", JsonForm::Nullable(&JsonForm::Object(&FAILURE)), "");
const PART: ObjectForm = ObjectForm::new(
    "TransferPart",
    "A transfer that the transaction began.",
    &[Field::new("state", STATE, "How it is"), HOPS, WAITS, RELEASED, FAILED],
);
pub(super) const TRANSFER_STATUS: JsonForm = JsonForm::Object(&ObjectForm::new(
    "TransferStatus",
    "How far a transfer is; the fields beside transfers are those of the first one.",
    &[
        Field::new("transfers", JsonForm::List(&JsonForm::Object(&PART)), "What the transaction began"),
        Field::new("state", STATE, "How it is"),
        HOPS,
        WAITS,
        RELEASED,
        FAILED,
        Field::new("status", STATE, "The older, coarser state"),
    ],
));

const ASSET_LIST: JsonForm = JsonForm::Object(&ObjectForm::new(
    "AssetList",
    "The assets of a chain.",
    &[Field::new("assets", JsonForm::List(&JsonForm::Object(&ASSET)), "Best known first")],
));
pub(super) const ASSETS: JsonForm = JsonForm::Object(&ObjectForm::new(
    "AssetsResponse",
    "The assets that can be routed.",
    &[Field::new("chain_to_assets_map", JsonForm::Map(&ASSET_LIST), "By chain")],
));
