//! Views of a database: what its tables hold without unpacking a record, for queries of other programs.

use super::views::{HEIGHT, SIGNER, SQL_VIEWS, SqlKind::Text, SqlView, TIME, TX_INDEX, column, of_txs};

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
        column("collection", Text, "'0x' || lower(hex(k.collection))", "address of the collection, lower-case hex"),
        column("token_id", Text, "rs_text(k.token_id)", "id of the NFT"),
    ],
};

/// Returns the views.
pub fn server_views() -> impl Iterator<Item = &'static SqlView> {
    SQL_VIEWS.iter().filter_map(|view| match view.name {
        "blocks" | "accounts" | "holders" => Some(view),
        "txs" => Some(&TXS),
        "nft_moves" => Some(&NFT_MOVES),
        _ => None,
    })
}
