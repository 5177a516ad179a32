//! The forms of the indexer API's answers (`docs/apis/indexer.md`).

use super::schema::{JsonField as Field, JsonForm, ObjectForm};

const COUNT: JsonForm = JsonForm::Pattern("^[0-9]+$");
const AMOUNT: JsonForm = JsonForm::Pattern("^-?[0-9]+$");
const HEIGHT: JsonForm = JsonForm::Pattern("^[1-9][0-9]*$");
const HEX: JsonForm = JsonForm::Pattern("^0x[0-9a-fA-F]*$");
const HEX_ADDRESS: JsonForm = JsonForm::Pattern("^0x[0-9a-fA-F]{40}$");
const MAYBE_ADDRESS: JsonForm = JsonForm::Pattern("^(0x[0-9a-fA-F]{40})?$");
const OBJECT_ADDRESS: JsonForm = JsonForm::Pattern("^0x([0-9a-f]{40}|[0-9a-f]{64})$");
const BECH32: JsonForm = JsonForm::Pattern("^init1([0-9a-z]{38}|[0-9a-z]{58})$");
const HASH: JsonForm = JsonForm::Pattern("^[0-9A-F]{64}$");
const ETHEREUM_HASH: JsonForm = JsonForm::Pattern("^0x[0-9a-f]{64}$");
const KEY: JsonForm = JsonForm::Nullable(&JsonForm::Pattern("^[0-9A-Za-z+/]+=*$"));

const PAGINATION: ObjectForm = ObjectForm::new(
    "Pagination",
    "Where a list goes on, and how long it is.",
    &[
        Field::new("previous_key", KEY, "The page before; null on the first one"),
        Field::new("next_key", KEY, "The next page; null where nothing follows"),
        Field::new("total", AMOUNT, "How many rows there are; 0 where it was not asked for, -1 where nobody knows"),
        Field::maybe(
            "oldest_height",
            HEIGHT,
            "While history is being indexed: the lowest block that the list is read from. More may follow then",
        ),
    ],
);
const PAGINATED: Field = Field::new("pagination", JsonForm::Object(&PAGINATION), "");

const COIN: ObjectForm = ObjectForm::new(
    "Coin",
    "An amount of a denom.",
    &[Field::new("denom", JsonForm::Text, "The denom"), Field::new("amount", COUNT, "In the denom's smallest unit")],
);

pub(super) const STATUS: JsonForm = JsonForm::Object(&ObjectForm::new(
    "Status",
    "How far the index is. What is 0 or not kept is absent.",
    &[
        Field::new("version", JsonForm::Text, "The server's version"),
        Field::new("commit_hash", JsonForm::Text, "The commit that it was built from"),
        Field::new("chain_id", JsonForm::Text, "The chain"),
        Field::new("height", JsonForm::From(1), "The newest block"),
        Field::maybe("internal_tx_height", JsonForm::From(1), "The newest block whose call frames are indexed"),
        Field::maybe("rich_list_height", JsonForm::From(1), "The newest block that holders are counted to"),
        Field::maybe("evm_ret_cleanup_height", JsonForm::From(1), "How far return values are cleaned up"),
        Field::maybe("tx_account_cleanup_sequence", JsonForm::From(-1), "Counts down; -1 before it begins"),
        Field::maybe("tx_account_cleanup_deleted", JsonForm::From(-1), "Deleted so far; -1 before it begins"),
        Field::maybe("tx_account_cleanup_inserted", JsonForm::From(-1), "Inserted so far; -1 before it begins"),
        Field::maybe("oldest_height", JsonForm::From(1), "The lowest block, where that is not the chain's first one"),
        Field::maybe("is_complete", JsonForm::Boolean, "Whether no older block will come; beside oldest_height"),
    ],
));

pub(super) const AVERAGE: JsonForm = JsonForm::Object(&ObjectForm::new(
    "AvgBlockTime",
    "The average time between the newest blocks.",
    &[Field::new("avg_block_time", JsonForm::Number, "Seconds over the newest 100 blocks; 0 with fewer than two")],
));

const PROPOSER: ObjectForm = ObjectForm::new(
    "Proposer",
    "Who proposed a block.",
    &[
        Field::new("moniker", JsonForm::Text, "The validator's name; empty where nobody knows it any more"),
        Field::new("identity", JsonForm::Word(&[""]), "Always empty"),
        Field::new("operator_address", JsonForm::Pattern("^initvaloper1[0-9a-z]+$"), "The validator"),
    ],
);
const BLOCK: JsonForm = JsonForm::Object(&ObjectForm::new(
    "Block",
    "A block. Numbers are texts.",
    &[
        Field::new("chain_id", JsonForm::Text, "The chain"),
        Field::new("height", HEIGHT, "Its number"),
        Field::new("hash", HASH, "Its hash"),
        Field::new("block_time", COUNT, "Milliseconds since the block before; 0 for the first one"),
        Field::new("timestamp", JsonForm::Time, "When it was made, cut to seconds"),
        Field::new("gas_used", COUNT, "Of all transactions"),
        Field::new("gas_wanted", COUNT, "Of all transactions"),
        Field::new("tx_count", COUNT, "How many transactions it has"),
        Field::new("total_fee", JsonForm::List(&JsonForm::Object(&COIN)), "Declared fees by denom"),
        Field::new("proposer", JsonForm::Object(&PROPOSER), ""),
    ],
));
pub(super) const BLOCK_ANSWER: JsonForm =
    JsonForm::Object(&ObjectForm::new("BlockResponse", "One block.", &[Field::new("block", BLOCK, "")]));
pub(super) const BLOCKS: JsonForm = JsonForm::Object(&ObjectForm::new(
    "BlocksResponse",
    "A page of blocks.",
    &[Field::new("blocks", JsonForm::List(&BLOCK), "In list order"), PAGINATED],
));

/// Something with its type, as the chain's protobuf has it.
const TYPED: ObjectForm = ObjectForm::new(
    "Any",
    "Something of the type that it names, with that type's fields.",
    &[Field::new("@type", JsonForm::Pattern("^/[A-Za-z0-9_.]+$"), "Its type")],
)
.open();
const TYPED_LIST: JsonForm = JsonForm::List(&JsonForm::Object(&TYPED));
const BODY: ObjectForm = ObjectForm::new(
    "TxBody",
    "What a transaction is to do.",
    &[
        Field::new("messages", TYPED_LIST, "What is to be done, in order"),
        Field::new("memo", JsonForm::Text, "A text beside"),
        Field::new("timeout_height", COUNT, "The last block that may hold it; 0 for any"),
        Field::new("extension_options", TYPED_LIST, "Asked of the chain"),
        Field::new("non_critical_extension_options", TYPED_LIST, "Asked of the chain, or not"),
    ],
);
const SIGNER: ObjectForm = ObjectForm::new(
    "SignerInfo",
    "Who signed, and how.",
    &[
        Field::new("public_key", JsonForm::Nullable(&JsonForm::Object(&TYPED)), "The key"),
        Field::new("mode_info", JsonForm::Anything, "What was signed: the mode by its name, or by its number"),
        Field::new("sequence", COUNT, "How many transactions were signed before"),
    ],
);
const TX_FEE: ObjectForm = ObjectForm::new(
    "TxFee",
    "What a transaction pays.",
    &[
        Field::new("amount", JsonForm::List(&JsonForm::Object(&COIN)), "The fee"),
        Field::new("gas_limit", COUNT, "For so much gas at the most"),
        Field::new("payer", JsonForm::Text, "Who pays; empty for the first signer"),
        Field::new("granter", JsonForm::Text, "Whose fee grant is used; empty for nobody's"),
    ],
);
const AUTH: ObjectForm = ObjectForm::new(
    "AuthInfo",
    "Who answers for a transaction.",
    &[
        Field::new("signer_infos", JsonForm::List(&JsonForm::Object(&SIGNER)), "Who signed"),
        Field::new("fee", JsonForm::Object(&TX_FEE), ""),
        Field::maybe("tip", JsonForm::Anything, "null"),
    ],
);
const CONTENTS: ObjectForm = ObjectForm::new(
    "TxContents",
    "A transaction as it was signed.",
    &[
        Field::new("body", JsonForm::Object(&BODY), ""),
        Field::new("auth_info", JsonForm::Object(&AUTH), ""),
        Field::new("signatures", JsonForm::List(&JsonForm::Pattern("^[0-9A-Za-z+/]*=*$")), "In base64"),
    ],
);
const ATTRIBUTE: ObjectForm = ObjectForm::new(
    "EventAttribute",
    "What an event says.",
    &[
        Field::new("key", JsonForm::Text, "Of what"),
        Field::new("value", JsonForm::Text, "What"),
        Field::new("index", JsonForm::Boolean, "Whether the node finds the transaction by it"),
    ],
);
const EVENT: ObjectForm = ObjectForm::new(
    "TxEvent",
    "What a transaction reports of itself.",
    &[
        Field::new("type", JsonForm::Text, "Of what kind"),
        Field::maybe(
            "attributes",
            JsonForm::List(&JsonForm::Object(&ATTRIBUTE)),
            "In order; absent where there is none",
        ),
    ],
);
const TX: JsonForm = JsonForm::Object(&ObjectForm::new(
    "Tx",
    "A transaction with its result.",
    &[
        Field::new("txhash", HASH, "Its hash"),
        Field::new("height", HEIGHT, "The block that holds it"),
        Field::new("codespace", JsonForm::Text, "Who defined the code; empty on success"),
        Field::new("code", JsonForm::From(0), "0 is success"),
        Field::new("data", JsonForm::Pattern("^([0-9A-F]{2})*$"), "What its messages answered, in hexadecimal"),
        Field::new("raw_log", JsonForm::Text, "Why it failed; empty on success"),
        Field::new("logs", JsonForm::List(&JsonForm::Anything), "Empty on the chains of today"),
        Field::new("info", JsonForm::Text, "Empty"),
        Field::new("gas_wanted", COUNT, "The limit"),
        Field::new("gas_used", COUNT, "What it took"),
        Field::new("tx", JsonForm::Object(&CONTENTS), ""),
        Field::new("timestamp", JsonForm::Time, "When its block was made"),
        Field::new("events", JsonForm::List(&JsonForm::Object(&EVENT)), "In order"),
    ],
));
pub(super) const TX_ANSWER: JsonForm =
    JsonForm::Object(&ObjectForm::new("TxResponse", "One transaction.", &[Field::new("tx", TX, "")]));
pub(super) const TXS: JsonForm = JsonForm::Object(&ObjectForm::new(
    "TxsResponse",
    "A page of transactions.",
    &[Field::new("txs", JsonForm::List(&TX), "In list order"), PAGINATED],
));

const LOG: ObjectForm = ObjectForm::new(
    "EvmLog",
    "What a contract reports.",
    &[
        Field::new("address", HEX_ADDRESS, "The contract"),
        Field::new("topics", JsonForm::List(&JsonForm::Pattern("^0x[0-9a-f]{64}$")), "Up to four words"),
        Field::new("data", HEX, "The rest"),
        Field::new("blockNumber", HEX, "The block"),
        Field::new("transactionHash", ETHEREUM_HASH, "The transaction"),
        Field::new("transactionIndex", HEX, "Its place in the block"),
        Field::new("blockHash", ETHEREUM_HASH, "The block's hash"),
        Field::new("logIndex", HEX, "Its place among the block's logs"),
        Field::new("removed", JsonForm::Boolean, "Always false"),
    ],
);
const RECEIPT: JsonForm = JsonForm::Object(&ObjectForm::new(
    "EvmTx",
    "A receipt, as the node's eth_getBlockReceipts gives it. Quantities are hexadecimal.",
    &[
        Field::new("blockHash", ETHEREUM_HASH, "The block's hash"),
        Field::new("blockNumber", HEX, "The block"),
        Field::new("contractAddress", JsonForm::Nullable(&HEX_ADDRESS), "The contract that was made"),
        Field::new("cumulativeGasUsed", HEX, "In the block so far"),
        Field::new("effectiveGasPrice", HEX, "In the fee token's smallest unit"),
        Field::new("from", HEX_ADDRESS, "Who sent it"),
        Field::new("gasUsed", HEX, "What it took"),
        Field::new("logs", JsonForm::Nullable(&JsonForm::List(&JsonForm::Object(&LOG))), "In order"),
        Field::new("logsBloom", JsonForm::Pattern("^0x[0-9a-f]{512}$"), "A filter over addresses and topics"),
        Field::new("status", JsonForm::Word(&["0x0", "0x1"]), "0x1 is success"),
        Field::new("to", MAYBE_ADDRESS, "Who was called; empty where a contract was made"),
        Field::new("transactionHash", ETHEREUM_HASH, "Its hash"),
        Field::new("transactionIndex", HEX, "Its place in the block"),
        Field::new("type", HEX, "Of what kind"),
    ],
));
pub(super) const RECEIPT_ANSWER: JsonForm =
    JsonForm::Object(&ObjectForm::new("EvmTxResponse", "One receipt.", &[Field::new("tx", RECEIPT, "")]));
pub(super) const RECEIPTS: JsonForm = JsonForm::Object(&ObjectForm::new(
    "EvmTxsResponse",
    "A page of receipts.",
    &[Field::new("txs", JsonForm::List(&RECEIPT), "In list order"), PAGINATED],
));

const FRAME: JsonForm = JsonForm::Object(&ObjectForm::new(
    "InternalTx",
    "A call frame. Quantities are hexadecimal with leading zeros; 0x where there is none.",
    &[
        Field::new("height", JsonForm::From(1), "The block"),
        Field::new("hash", ETHEREUM_HASH, "The transaction"),
        Field::new("parent_index", JsonForm::From(-1), "The frame that called; -1 for the outer call"),
        Field::new("index", JsonForm::From(0), "Its number, depth first"),
        Field::new("type", JsonForm::Pattern("^[A-Z0-9]+$"), "CALL, STATICCALL, DELEGATECALL, CREATE and the like"),
        Field::new("from", MAYBE_ADDRESS, "The caller"),
        Field::new("to", MAYBE_ADDRESS, "The callee"),
        Field::new("input", HEX, "Call data"),
        Field::new("output", HEX, "What it returned; 0x for the outer call"),
        Field::new("value", HEX, "In the fee token's smallest unit"),
        Field::new("gas", HEX, "What it was given"),
        Field::new("gasUsed", HEX, "What it took"),
    ],
));
pub(super) const FRAMES: JsonForm = JsonForm::Object(&ObjectForm::new(
    "InternalTxsResponse",
    "A page of call frames.",
    &[Field::new("internal_txs", JsonForm::List(&FRAME), "In list order: backwards unless asked otherwise"), PAGINATED],
));

const NFTS: ObjectForm = ObjectForm::new(
    "NftTable",
    "The tokens of a collection.",
    &[
        Field::new("handle", JsonForm::Word(&[""]), "Always empty"),
        Field::new("length", JsonForm::From(0), "How many there are"),
    ],
);
const COLLECTION_FACTS: ObjectForm = ObjectForm::new(
    "CollectionFacts",
    "What a collection is.",
    &[
        Field::new("creator", BECH32, "Who made it"),
        Field::new("name", JsonForm::Text, "Its name"),
        Field::new("origin_name", JsonForm::Text, "Its name on the chain that it came from over IBC; else empty"),
        Field::new("nfts", JsonForm::Object(&NFTS), ""),
    ],
);
const COLLECTION: JsonForm = JsonForm::Object(&ObjectForm::new(
    "Collection",
    "A collection of NFTs.",
    &[
        Field::new("object_addr", OBJECT_ADDRESS, "Its contract or object"),
        Field::new("collection", JsonForm::Object(&COLLECTION_FACTS), ""),
        Field::new("height", JsonForm::From(1), "Since when it exists"),
        Field::new("timestamp", JsonForm::Time, "The time of that block"),
    ],
));
pub(super) const COLLECTION_ANSWER: JsonForm = JsonForm::Object(&ObjectForm::new(
    "CollectionResponse",
    "One collection.",
    &[Field::new("collection", COLLECTION, "")],
));
pub(super) const COLLECTIONS: JsonForm = JsonForm::Object(&ObjectForm::new(
    "CollectionsResponse",
    "A page of collections.",
    &[Field::new("collections", JsonForm::List(&COLLECTION), "In list order"), PAGINATED],
));

const NFT: ObjectForm = ObjectForm::new(
    "Nft",
    "Which token of its collection.",
    &[
        Field::new("token_id", JsonForm::Text, "Its id; decimal on EVM rollups"),
        Field::new("uri", JsonForm::Text, "Where its metadata lies; empty where that is not known"),
    ],
);
const TOKEN: JsonForm = JsonForm::Object(&ObjectForm::new(
    "Token",
    "An NFT.",
    &[
        Field::new("collection_addr", OBJECT_ADDRESS, "Its collection"),
        Field::new("collection_name", JsonForm::Text, "The collection's name"),
        Field::new("collection_origin_name", JsonForm::Text, "The collection's name where it came from; else empty"),
        Field::new("object_addr", JsonForm::Pattern("^(0x[0-9a-f]{64})?$"), "Its own object; only on Move"),
        Field::new("owner", BECH32, "Who has it"),
        Field::new("nft", JsonForm::Object(&NFT), ""),
        Field::new("height", JsonForm::From(1), "When it was made or moved last"),
        Field::new("timestamp", JsonForm::Time, "The time of that block"),
    ],
));
pub(super) const TOKENS: JsonForm = JsonForm::Object(&ObjectForm::new(
    "TokensResponse",
    "A page of NFTs.",
    &[Field::new("tokens", JsonForm::List(&TOKEN), "In list order"), PAGINATED],
));

const HOLDER: JsonForm = JsonForm::Object(&ObjectForm::new(
    "Holder",
    "Who holds how much.",
    &[
        Field::new(
            "account",
            JsonForm::Pattern("^(0x([0-9a-f]{40}|[0-9a-f]{64})|init1([0-9a-z]{38}|[0-9a-z]{58}))$"),
            "Hexadecimal on EVM rollups, bech32 elsewhere",
        ),
        Field::new("amount", AMOUNT, "In the token's smallest unit"),
    ],
));
pub(super) const HOLDERS: JsonForm = JsonForm::Object(&ObjectForm::new(
    "HoldersResponse",
    "A page of holders.",
    &[Field::new("holders", JsonForm::List(&HOLDER), "In list order"), PAGINATED],
));
