//! The forms of what clients ask a router besides routes and transfers.

use super::{
    AMOUNT, AMOUNT_IN, ASSET, ASSET_LIST, DEST_CHAIN, DEST_DENOM, DOLLARS, FEE, Field, JsonForm, NAME, OLD_TX,
    ObjectForm, ROUTE, ROUTER_TX, SOURCE_CHAIN, SOURCE_DENOM, VENUES, WARNING,
};

const ASSET_FORM: JsonForm = JsonForm::Object(&ASSET);
const ERROR: JsonForm = JsonForm::Object(&ObjectForm::new(
    "RouterPartError",
    "Why a part of an answer is missing.",
    &[Field::new("message", JsonForm::Text, "For a person")],
));

pub(in super::super) const VENUES_ANSWER: JsonForm = JsonForm::Object(&ObjectForm::new(
    "VenuesResponse",
    "Where routes swap.",
    &[Field::new("venues", VENUES, "In no order")],
));

const BALANCES_QUERY: JsonForm = JsonForm::Object(
    &ObjectForm::new(
        "BalancesQuery",
        "An account of a chain.",
        &[
            Field::new("address", JsonForm::Text, "Whose, as that chain writes it"),
            Field::maybe("denoms", JsonForm::List(&NAME), "Only these; every balance that is not zero without one"),
        ],
    )
    .open(),
);
pub(in super::super) const BALANCES_REQUEST: JsonForm = JsonForm::Object(
    &ObjectForm::new(
        "BalancesRequest",
        "Whose balances.",
        &[Field::new("chains", JsonForm::Map(&BALANCES_QUERY), "By chain")],
    )
    .open(),
);
const BALANCE: JsonForm = JsonForm::Object(&ObjectForm::new(
    "DenomBalance",
    "What an account holds of a denom, or why that is not known.",
    &[
        Field::maybe("amount", AMOUNT, "In the smallest unit"),
        Field::maybe("decimals", JsonForm::From(0), "Digits after the point"),
        Field::maybe("formatted_amount", JsonForm::Text, "In display units"),
        Field::maybe("price", DOLLARS, "Of one, where it is known"),
        Field::maybe("value_usd", DOLLARS, "Of all of it, where it is known"),
        Field::maybe("error", ERROR, "In place of an amount"),
    ],
));
const CHAIN_BALANCES: JsonForm = JsonForm::Object(&ObjectForm::new(
    "ChainBalances",
    "What an account of a chain holds.",
    &[Field::new("address", JsonForm::Text, "Whose"), Field::new("denoms", JsonForm::Map(&BALANCE), "By denom")],
));
pub(in super::super) const BALANCES: JsonForm = JsonForm::Object(&ObjectForm::new(
    "BalancesResponse",
    "What accounts hold.",
    &[Field::new("chains", JsonForm::Map(&CHAIN_BALANCES), "By chain")],
));

const RECOMMEND_QUERY: JsonForm = JsonForm::Object(
    &ObjectForm::new(
        "RecommendQuery",
        "An asset, and the chain where it shall be.",
        &[SOURCE_CHAIN, SOURCE_DENOM, Field::new("dest_chain_id", NAME, "Where it shall be")],
    )
    .open(),
);
pub(in super::super) const RECOMMEND_REQUEST: JsonForm = JsonForm::Object(
    &ObjectForm::new(
        "RecommendRequest",
        "Several questions.",
        &[Field::new("requests", JsonForm::List(&RECOMMEND_QUERY), "Each is answered by itself")],
    )
    .open(),
);
const RECOMMENDATION: JsonForm = JsonForm::Object(&ObjectForm::new(
    "Recommendation",
    "An asset that is the same one elsewhere.",
    &[
        Field::new("asset", ASSET_FORM, ""),
        Field::new("reason", JsonForm::Word(&["DIRECT"]), "It is only moved there, and not swapped"),
    ],
));
const RECOMMENDATION_ENTRY: JsonForm = JsonForm::Object(&ObjectForm::new(
    "RecommendationEntry",
    "The answer to one question.",
    &[
        Field::new("recommendations", JsonForm::List(&RECOMMENDATION), "The shortest way first"),
        Field::maybe("error", ERROR, "Why there is none"),
    ],
));
pub(in super::super) const RECOMMENDATIONS: JsonForm = JsonForm::Object(&ObjectForm::new(
    "RecommendationsResponse",
    "The answers, in the order of the questions.",
    &[Field::new("recommendation_entries", JsonForm::List(&RECOMMENDATION_ENTRY), "")],
));

pub(in super::super) const REACH_REQUEST: JsonForm = JsonForm::Object(
    &ObjectForm::new(
        "AssetsFromSourceRequest",
        "An asset.",
        &[
            SOURCE_CHAIN,
            SOURCE_DENOM,
            Field::maybe("allow_multi_tx", JsonForm::Boolean, "Whether several signatures may be needed"),
        ],
    )
    .open(),
);
pub(in super::super) const REACH: JsonForm = JsonForm::Object(&ObjectForm::new(
    "AssetsFromSourceResponse",
    "What an asset can become.",
    &[Field::new("dest_assets", JsonForm::Map(&ASSET_LIST), "By chain")],
));

const ASSET_NAME: JsonForm = JsonForm::Object(
    &ObjectForm::new(
        "AssetName",
        "An asset by its names.",
        &[Field::new("chain_id", NAME, "Where it is"), Field::new("denom", NAME, "What it is there")],
    )
    .open(),
);
pub(in super::super) const ORIGINS_REQUEST: JsonForm = JsonForm::Object(
    &ObjectForm::new(
        "OriginAssetsRequest",
        "Several assets.",
        &[Field::new("assets", JsonForm::List(&ASSET_NAME), "Each is answered by itself")],
    )
    .open(),
);
const ORIGIN: JsonForm = JsonForm::Object(&ObjectForm::new(
    "OriginAsset",
    "What an asset is where it comes from.",
    &[
        Field::new("asset_found", JsonForm::Boolean, "Whether it is known"),
        Field::new("asset", JsonForm::Nullable(&ASSET_FORM), "null where it is not"),
    ],
));
pub(in super::super) const ORIGINS: JsonForm = JsonForm::Object(&ObjectForm::new(
    "OriginAssetsResponse",
    "The answers, in the order of the assets.",
    &[Field::new("origin_assets", JsonForm::List(&ORIGIN), "")],
));

pub(in super::super) const MSGS_DIRECT_REQUEST: JsonForm = JsonForm::Object(
    &ObjectForm::new(
        "MsgsDirectRequest",
        "What is to go where, and the addresses on its way.",
        &[
            AMOUNT_IN,
            SOURCE_CHAIN,
            SOURCE_DENOM,
            DEST_CHAIN,
            DEST_DENOM,
            Field::new("chain_ids_to_addresses", JsonForm::Map(&JsonForm::Text), "One for each chain on the way"),
            Field::maybe("slippage_tolerance_percent", JsonForm::Text, "Percent"),
            Field::maybe("allow_unsafe", JsonForm::Boolean, "Routes with a bad price too; true if left out"),
            Field::maybe("go_fast", JsonForm::Boolean, "By a solver where one can"),
            Field::maybe("is_op_withdraw", JsonForm::Boolean, "Only by the optimistic withdrawal"),
            Field::maybe("allow_multi_tx", JsonForm::Boolean, "Routes that need several signatures too"),
            Field::maybe("signed_op_hook", JsonForm::Anything, "{signer, hook}, or the hook as a text"),
        ],
    )
    .open(),
);
pub(in super::super) const MSGS_DIRECT: JsonForm = JsonForm::Object(&ObjectForm::new(
    "MsgsDirectResponse",
    "A route, and the transactions that do it.",
    &[
        Field::new("route", ROUTE, ""),
        Field::new("txs", JsonForm::List(&JsonForm::Object(&ROUTER_TX)), "In order"),
        Field::new("msgs", JsonForm::List(&JsonForm::Object(&OLD_TX)), "The same in the older form"),
        Field::maybe("min_amount_out", AMOUNT, "The least that arrives"),
        Field::new("estimated_fees", JsonForm::List(&FEE), "Fees"),
        Field::maybe("warning", WARNING, ""),
    ],
));
const BRIDGE_INFO: ObjectForm = ObjectForm::new(
    "BridgeInfo",
    "A bridge.",
    &[Field::new("id", JsonForm::Text, "Its name for programs"), Field::new("name", JsonForm::Text, "Its name")],
);
pub(in crate::demo::http) const BRIDGES: JsonForm = JsonForm::Object(&ObjectForm::new(
    "BridgesResponse",
    "The bridges that routes go over.",
    &[Field::new("bridges", JsonForm::List(&JsonForm::Object(&BRIDGE_INFO)), "In no order")],
));

const GAS_PRICE: ObjectForm = ObjectForm::new(
    "GasPriceSteps",
    "What a unit of gas costs.",
    &[
        Field::new("low", JsonForm::Text, "For who can wait"),
        Field::new("average", JsonForm::Text, "What applications offer"),
        Field::new("high", JsonForm::Text, "For who cannot wait"),
    ],
);
const FEE_ASSET: ObjectForm = ObjectForm::new(
    "FeeAsset",
    "What fees are paid in.",
    &[
        Field::new("denom", JsonForm::Text, "What"),
        Field::new("gas_price", JsonForm::Nullable(&JsonForm::Object(&GAS_PRICE)), "In its smallest unit"),
    ],
);
const CHAIN: ObjectForm = ObjectForm::new(
    "ChainInfo",
    "A chain that can be routed to.",
    &[
        Field::new("chain_id", JsonForm::Text, "Its id"),
        Field::new("chain_name", JsonForm::Text, "A short name"),
        Field::new("pretty_name", JsonForm::Text, "A name for people"),
        Field::new("chain_type", JsonForm::Word(&["cosmos", "evm", "svm"]), "Of which family"),
        Field::new("bech32_prefix", JsonForm::Text, "What its addresses start with; empty on EVM chains"),
        Field::new("pfm_enabled", JsonForm::Boolean, "Whether it passes packets on"),
        Field::new("supports_memo", JsonForm::Boolean, "Whether it takes memos"),
        Field::maybe("rpc", JsonForm::Text, "Its node by CometBFT's RPC"),
        Field::maybe("rest", JsonForm::Text, "Its node by REST"),
        Field::maybe("json_rpc", JsonForm::Text, "Its node by Ethereum's JSON-RPC"),
        Field::maybe("fee_assets", JsonForm::List(&JsonForm::Object(&FEE_ASSET)), "What its fees are paid in"),
        Field::new("hidden", JsonForm::Boolean, "Whether clients should not offer it"),
        Field::new("is_testnet", JsonForm::Boolean, "Whether it is a test network"),
    ],
);
pub(in super::super) const CHAINS: JsonForm = JsonForm::Object(&ObjectForm::new(
    "ChainsResponse",
    "The chains that can be routed to.",
    &[Field::new("chains", JsonForm::List(&JsonForm::Object(&CHAIN)), "In no order")],
));
