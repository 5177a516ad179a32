//! Tables that analysts see: each column once, with its meaning, for queries, exports and documents.

/// Table over the tables of the store.
#[derive(Debug)]
pub struct SqlView {
    pub name: &'static str,
    /// Meaning of a row.
    pub about: &'static str,
    pub columns: &'static [SqlColumn],
    pub(super) source: &'static str,
}

/// Column of a table. Its values may be NULL, but not in the columns of a row's place.
#[derive(Debug)]
pub struct SqlColumn {
    pub name: &'static str,
    pub kind: SqlKind,
    pub about: &'static str,
    value: &'static str,
}

/// Type of a column's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::Display)]
pub enum SqlKind {
    #[strum(to_string = "integer")]
    Integer,
    #[strum(to_string = "text")]
    Text,
    /// Whole number of any size, as text.
    #[strum(to_string = "amount")]
    Amount,
    /// JSON, as text.
    #[strum(to_string = "JSON")]
    Json,
}

pub(super) const fn column(name: &'static str, kind: SqlKind, value: &'static str, about: &'static str) -> SqlColumn {
    SqlColumn { name, kind, about, value }
}

use SqlKind::{Amount, Integer, Json, Text};

pub(super) const HEIGHT: SqlColumn = column("height", Integer, "b.height", "height of the block");
pub(super) const TX_INDEX: SqlColumn =
    column("tx_index", Integer, "t.sequence - b.first_sequence", "index of the transaction in its block, from 0");
pub(super) const TIME: SqlColumn = column("time", Text, "rs_time(b.time)", "block time in UTC, RFC 3339");
const CODE: SqlColumn =
    column("code", Integer, "json_extract(rs_record(t.body), '$.code')", "result code; 0 is success");
pub(super) const SIGNER: SqlColumn = column(
    "signer",
    Text,
    "(SELECT rs_account(a.address) FROM account a WHERE a.id = t.signer)",
    "first signer, `init1…`",
);
const TX_HASH: SqlColumn = column("tx_hash", Text, "rs_hash(t.body)", "hash of the transaction");

impl SqlView {
    /// Whether each row is of a block, so that a range of blocks has all of its rows.
    pub fn is_by_block(&self) -> bool {
        self.columns.first().is_some_and(|column| column.name == HEIGHT.name)
    }

    /// Returns the query that the view stands for.
    pub(in crate::indexer::index) fn select(&self) -> String {
        let columns: Vec<String> =
            self.columns.iter().map(|column| format!("{} AS {}", column.value, column.name)).collect();
        format!("SELECT {} FROM {}", columns.join(", "), self.source)
    }
}

/// Transactions by block: the planner keeps this order, in which a height finds its transactions.
macro_rules! of_txs {
    ($rest:literal) => {
        concat!(
            "block b CROSS JOIN tx t ON t.sequence >= b.first_sequence AND t.sequence < b.first_sequence + b.tx_count",
            $rest
        )
    };
}
pub(super) use of_txs;

pub const SQL_VIEWS: &[SqlView] = &[
    SqlView {
        name: "blocks",
        about: "One row for each block.",
        source: "block b JOIN proposer p ON p.id = b.proposer",
        columns: &[
            HEIGHT,
            column("hash", Text, "hex(b.hash)", "upper-case hex"),
            TIME,
            column("block_time_ms", Integer, "b.block_time", "milliseconds since the block before; 0 for the oldest"),
            column("tx_count", Integer, "b.tx_count", "number of transactions"),
            column("gas_used", Integer, "b.gas_used", "gas of all transactions"),
            column("gas_wanted", Integer, "b.gas_wanted", "gas limit of all transactions"),
            column("fees", Json, "rs_text(b.total_fee)", "declared fees: a list of `{denom, amount}`"),
            column("proposer", Text, "nullif(hex(p.address), '')", "consensus address in upper-case hex"),
        ],
    },
    SqlView {
        name: "txs",
        about: "One row for each transaction, also failed ones.",
        source: of_txs!(""),
        columns: &[
            HEIGHT,
            TX_INDEX,
            column("hash", Text, "rs_hash(t.body)", "Cosmos hash in upper-case hex"),
            TIME,
            CODE,
            column("codespace", Text, "json_extract(rs_record(t.body), '$.codespace')", "namespace of the code"),
            SIGNER,
            column(
                "gas_wanted",
                Integer,
                // Without a limit, the number has 64 bits.
                "NULLIF(CAST(json_extract(rs_record(t.body), '$.gas_wanted') AS INTEGER), 9223372036854775807)",
                "gas limit",
            ),
            column("gas_used", Integer, "CAST(json_extract(rs_record(t.body), '$.gas_used') AS INTEGER)", "gas used"),
            column(
                "fee",
                Json,
                "json_extract(rs_record(t.body), '$.tx.auth_info.fee.amount')",
                "declared fee: a list of `{denom, amount}`",
            ),
            column("memo", Text, "json_extract(rs_record(t.body), '$.tx.body.memo')", "memo of the signer"),
            column(
                "message_count",
                Integer,
                "json_array_length(rs_record(t.body), '$.tx.body.messages')",
                "number of messages",
            ),
            column("raw_log", Text, "json_extract(rs_record(t.body), '$.raw_log')", "the node's reason of a failure"),
            column("data", Text, "json_extract(rs_record(t.body), '$.data')", "result data in upper-case hex"),
            column(
                "signed_tx",
                Json,
                "json_extract(rs_record(t.body), '$.tx')",
                "the signed transaction: `{body, auth_info, signatures}`",
            ),
        ],
    },
    SqlView {
        name: "messages",
        about: "One row for each message of a transaction, also of failed ones.",
        source: of_txs!(" CROSS JOIN json_each(rs_record(t.body), '$.tx.body.messages') m"),
        columns: &[
            HEIGHT,
            TX_INDEX,
            column("msg_index", Integer, "m.key", "index of the message, from 0"),
            TX_HASH,
            TIME,
            CODE,
            SIGNER,
            column("type", Text, "json_extract(m.value, '$.\"@type\"')", "type with its `/`"),
            column("body", Json, "m.value", "the message with its `@type`"),
        ],
    },
    SqlView {
        name: "events",
        about: "One row for each event of a transaction. Events outside of transactions are not stored.",
        source: of_txs!(" CROSS JOIN json_each(rs_record(t.body), '$.events') e"),
        columns: &[
            HEIGHT,
            TX_INDEX,
            column("event_index", Integer, "e.key", "index of the event, from 0"),
            TX_HASH,
            TIME,
            column(
                "msg_index",
                Integer,
                "(SELECT CAST(json_extract(a.value, '$.value') AS INTEGER) FROM json_each(e.value, '$.attributes') a
                 WHERE json_extract(a.value, '$.key') = 'msg_index' LIMIT 1)",
                "index of its message; NULL before and after the messages",
            ),
            column("type", Text, "json_extract(e.value, '$.type')", "type, such as `transfer`"),
            column(
                "attributes",
                Json,
                "coalesce(json_extract(e.value, '$.attributes'), '[]')",
                "a list of `{key, index, value}`; keys may repeat",
            ),
        ],
    },
    SqlView {
        name: "balance_changes",
        about: "One row for each account and denom that a transaction changed, and one for each denom of the paid fee. \
                The other rows do not include the fee, and no row has the fee collector's gain.",
        source: of_txs!(" CROSS JOIN json_each(rs_effects(t.body), '$.balances') c"),
        columns: &[
            HEIGHT,
            TX_INDEX,
            column("change_index", Integer, "c.key", "index of the row in its transaction, from 0"),
            TX_HASH,
            TIME,
            column(
                "account",
                Text,
                "json_extract(c.value, '$.account')",
                "`init1…`, or `store:0x…` for a Move store of unknown owner",
            ),
            column("denom", Text, "json_extract(c.value, '$.denom')", "denom"),
            column(
                "amount",
                Amount,
                "json_extract(c.value, '$.delta')",
                "change in the smallest unit; negative for a loss",
            ),
            column("is_fee", Integer, "json_extract(c.value, '$.is_fee')", "1 for the fee less its refund, else 0"),
            column(
                "is_conserved",
                Integer,
                "json_extract(rs_effects(t.body), '$.conserved')",
                "0 if events are incomplete: do not trust the transaction's rows",
            ),
        ],
    },
    SqlView {
        name: "transfers",
        about: "One row for each movement of a token that an event reports: ERC-20 logs on EVM; the bank's transfers, \
                mints and burns and CW-20 actions on Wasm; on Move a withdrawal with the next deposit of the same asset \
                and amount. The fee's movements are rows too. Any contract can report movements of its own token.",
        source: of_txs!(" CROSS JOIN json_each(rs_effects(t.body), '$.transfers') c"),
        columns: &[
            HEIGHT,
            TX_INDEX,
            column("transfer_index", Integer, "c.key", "index of the row in its transaction, from 0"),
            TX_HASH,
            TIME,
            column(
                "msg_index",
                Integer,
                "json_extract(c.value, '$.msg')",
                "index of its message; NULL before and after the messages",
            ),
            column(
                "sender",
                Text,
                "json_extract(c.value, '$.from')",
                "account as in `balance_changes`; NULL for a mint, or if no event names it",
            ),
            column(
                "recipient",
                Text,
                "json_extract(c.value, '$.to')",
                "account; NULL for a burn, or if no event names it",
            ),
            column("denom", Text, "json_extract(c.value, '$.denom')", "denom"),
            column("amount", Amount, "json_extract(c.value, '$.amount')", "amount in the smallest unit"),
        ],
    },
    SqlView {
        name: "nft_moves",
        about: "One row for each movement of an NFT that an event reports, and on Move of any object.",
        source: of_txs!(" CROSS JOIN json_each(rs_effects(t.body), '$.nft') c"),
        columns: &[
            HEIGHT,
            TX_INDEX,
            column("move_index", Integer, "c.key", "index of the row in its transaction, from 0"),
            TX_HASH,
            TIME,
            column("msg_index", Integer, "json_extract(c.value, '$.msg')", "index of its message"),
            column(
                "collection",
                Text,
                "coalesce(json_extract(c.value, '$.contract'), json_extract(c.value, '$.collection'))",
                "contract, or on Move the collection's object; NULL for another object",
            ),
            column("token_id", Text, "json_extract(c.value, '$.token_id')", "id of the NFT; NULL for another object"),
            column(
                "object",
                Text,
                "coalesce(json_extract(c.value, '$.nft'), json_extract(c.value, '$.object'))",
                "object on Move",
            ),
            column("sender", Text, "json_extract(c.value, '$.from')", "previous owner, `init1…`; NULL for a mint"),
            column("recipient", Text, "json_extract(c.value, '$.to')", "new owner, `init1…`; NULL for a burn"),
            column(
                "is_inferred",
                Integer,
                "coalesce(json_extract(c.value, '$.inferred'), 0)",
                "1 if no event names the previous owner: `sender` requested the movement",
            ),
            column("amount", Amount, "json_extract(c.value, '$.amount')", "number of copies, for ERC-1155"),
        ],
    },
    SqlView {
        name: "accounts",
        about: "One row for each account that a transaction involves. It is the newest state, not by block.",
        source: "account a WHERE a.txs > 0",
        columns: &[
            column("account", Text, "rs_account(a.address)", "`init1…`"),
            column("txs", Integer, "a.txs", "number of transactions that involve it"),
            column("signed", Integer, "a.signed", "number of transactions that it signed first"),
        ],
    },
    SqlView {
        name: "holders",
        about: "One row for each holder of a token whose rich list is complete. It is the newest state, not by block.",
        source: "rich_token r CROSS JOIN holder h ON h.token = r.id WHERE r.is_whole <> 0",
        columns: &[
            column("denom", Text, "rs_text(r.denom)", "denom"),
            column("account", Text, "rs_account(h.account)", "`init1…`"),
            column("amount", Amount, "rs_amount(h.amount)", "balance in the smallest unit"),
        ],
    },
];
