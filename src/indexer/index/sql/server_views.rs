//! Views of a database: what its tables hold without unpacking a record, for queries of other programs.

use super::views::{
    HEIGHT, SIGNER, SQL_VIEWS, SqlColumn,
    SqlKind::{Integer, Text},
    SqlView, TIME, TX_INDEX, column, of_txs,
};

/// Views that a file has with the same columns.
const WHOLE: [&str; 3] = ["blocks", "accounts", "holders"];

static TXS: SqlView = SqlView {
    name: "txs",
    about: "One row for each transaction, also failed ones.",
    source: of_txs!(""),
    columns: &[
        HEIGHT,
        TX_INDEX,
        column("hash_prefix", Text, "rs_hash_prefix(t.hash_key)", "first 16 digits of the Cosmos hash, upper-case hex"),
        TIME,
        SIGNER,
    ],
};

static NFT_MOVES: SqlView = SqlView {
    name: "nft_moves",
    about: "One row for each transaction and each NFT that its events move; ERC-1155 is not there.",
    source: of_txs!(" JOIN tx_nft n ON n.sequence = t.sequence JOIN nft_key k ON k.id = n.nft"),
    columns: &[
        HEIGHT,
        TX_INDEX,
        TIME,
        SIGNER,
        COLLECTION,
        column("token_id", Text, "rs_text(k.token_id)", "id of the NFT"),
        column("move_count", Integer, "k.txs", "number of transactions that move this NFT"),
    ],
};

const COLLECTION: SqlColumn = column(
    "collection",
    Text,
    "'0x' || lower(hex(k.collection))",
    "address of the contract, or on Move of the collection, lower-case hex",
);

/// Returns the views, in the order of the documents.
pub fn server_views() -> impl Iterator<Item = &'static SqlView> {
    let of_file = |name| SQL_VIEWS.iter().find(move |view| view.name == name);
    let [blocks, rest @ ..] = WHOLE;
    of_file(blocks).into_iter().chain([&TXS]).chain(rest.into_iter().filter_map(of_file)).chain([&NFT_MOVES])
}
