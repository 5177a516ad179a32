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

/// An NFT of Move is an object, whose transactions are those of its account; listing 1 is the real server's alone.
static NFT_MOVES: SqlView = SqlView {
    name: "nft_moves",
    about: "One row for each transaction and each NFT that its events move, or on Move name; ERC-1155 is not there.",
    source: of_txs!(
        " JOIN (SELECT edge.sequence, key.collection, key.token_id FROM tx_nft edge JOIN nft_key key ON key.id = edge.nft
                UNION ALL
                SELECT edge.sequence, home.address, token.token_id
                FROM (SELECT collection, token_id, object FROM nft UNION ALL
                      SELECT collection, token_id, object FROM nft_gone) token
                JOIN collection home ON home.id = token.collection JOIN account a ON a.address = token.object
                JOIN tx_account edge ON edge.account = a.id AND edge.listing <> 1
                WHERE (SELECT rs_text(value) FROM meta WHERE key = 'virtual machine') = 'move'
               ) n ON n.sequence = t.sequence"
    ),
    columns: &[
        HEIGHT,
        TX_INDEX,
        TIME,
        column(
            "collection",
            Text,
            "CASE WHEN (SELECT rs_text(value) FROM meta WHERE key = 'virtual machine') = 'wasm'
             THEN rs_account(n.collection) ELSE '0x' || lower(hex(n.collection)) END",
            "address of the collection: `init1…` on Wasm, else lower-case hex",
        ),
        column("token_id", Text, "rs_text(n.token_id)", "id of the NFT"),
    ],
};

pub fn server_views() -> impl Iterator<Item = &'static SqlView> {
    SQL_VIEWS.iter().filter_map(|view| match view.name {
        "blocks" | "accounts" | "holders" => Some(view),
        "txs" => Some(&TXS),
        "nft_moves" => Some(&NFT_MOVES),
        _ => None,
    })
}
