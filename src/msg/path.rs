//! Where each request goes: the one place that knows the paths and query parameters of the indexer API.

use std::fmt::Write as _;

use super::{
    CollectionScope, Cursor, EvmTxScope, InternalTxScope, Order, PageRequest, Request, TokenName, TokenOrder,
    TokenQuery, TokenScope, TxQuery, TxScope,
};
use crate::domain::Denom;

const BLOCKS: &str = "/indexer/block/v1/blocks";
const TXS: &str = "/indexer/tx/v1/txs";
const EVM_TXS: &str = "/indexer/tx/v1/evm-txs";
const INTERNAL_TXS: &str = "/indexer/tx/v1/evm-internal-txs";
const COLLECTIONS: &str = "/indexer/nft/v1/collections";
const TOKENS: &str = "/indexer/nft/v1/tokens";
const NFT_TXS: &str = "/indexer/nft/v1/txs";
const RICH_LIST: &str = "/indexer/richlist/v1";

impl Request {
    /// Path and query below the server's base address, percent-encoded; `None` for what is not on the network.
    ///
    /// Parameters are those of `spec/indexer-api.md`. Defaults of the server are not written out, `msgs` is repeated
    /// because the real server does not split at commas, and a total is declined unless it was asked for.
    pub fn path_and_query(&self) -> Option<String> {
        Some(match self {
            Self::Status => "/status".to_owned(),
            Self::AvgBlockTime => "/indexer/block/v1/avg_blocktime".to_owned(),
            Self::OldestBlock => blocks(&Self::oldest_page()),
            Self::Blocks(page) => blocks(page),
            Self::Block(height) => format!("{BLOCKS}/{height}"),
            Self::Txs(query, page) => txs(query, page),
            Self::Tx(hash) => format!("{TXS}/{hash}"),
            Self::EvmTxs(scope, page) => evm_txs(scope, page),
            Self::EvmTx(hash) => format!("{EVM_TXS}/{hash}"),
            Self::InternalTxs(scope, page) => internal_txs(scope, page),
            Self::Collections(scope, page) => collections(scope, page),
            Self::Collection(address) => format!("{COLLECTIONS}/{}", address.hex()),
            Self::Tokens(query, page) => tokens(query, page),
            Self::Holders(denom, page) => holders(denom, page),
            // From the chains on they go to the routing API, which may be another server.
            Self::Metadata(_)
            | Self::Picture(_)
            | Self::Recents
            | Self::Identify(_)
            | Self::Transfers
            | Self::File(_)
            | Self::Chains
            | Self::Assets(_)
            | Self::Route(_)
            | Self::OpHook(_)
            | Self::Msgs(_)
            | Self::Track(_)
            | Self::TrackAgain(_)
            | Self::TransferStatus(_)
            | Self::DemoInfo
            | Self::DemoSign(_)
            | Self::DemoBroadcast(_) => return None,
        })
    }

    /// The page whose only row is the oldest block.
    pub fn oldest_page() -> PageRequest {
        PageRequest { cursor: Cursor::Start, limit: 1, order: Order::Ascending, count_total: false }
    }
}

impl TokenName {
    /// Whether a server that does not decode paths, as real ones do not, can find the NFT's transactions by its id.
    pub fn is_addressable(&self) -> bool {
        self.is_askable() && segment(&self.token_id) == *self.token_id
    }

    /// Whether any server can be asked by its id: an empty one, or dots that lead elsewhere, would change the path.
    pub fn is_askable(&self) -> bool {
        !matches!(&*self.token_id, "" | "." | "..")
    }
}

fn blocks(page: &PageRequest) -> String {
    // The block list has no `count_total`: its total is the newest height and costs nothing.
    query(BLOCKS.to_owned(), &paging(page))
}

fn txs(filter: &TxQuery, page: &PageRequest) -> String {
    let mut parameters = counted(page);
    let path = match &filter.scope {
        TxScope::All => TXS.to_owned(),
        TxScope::Account { address, signer_only } => {
            parameters.extend(signer(*signer_only));
            format!("{TXS}/by_account/{address}")
        }
        TxScope::Height(height) => format!("{TXS}/by_height/{height}"),
        TxScope::Token(TokenName { collection, token_id }) => {
            let path = format!("{NFT_TXS}/{}/{}", collection.hex(), segment(token_id));
            return query(path, &parameters);
        }
    };
    parameters.extend(filter.msgs.iter().map(|kind| ("msgs", kind.as_str().to_owned())));
    query(path, &parameters)
}

fn evm_txs(scope: &EvmTxScope, page: &PageRequest) -> String {
    let mut parameters = counted(page);
    let path = match scope {
        EvmTxScope::All => EVM_TXS.to_owned(),
        EvmTxScope::Account { address, signer_only } => {
            parameters.extend(signer(*signer_only));
            format!("{EVM_TXS}/by_account/{}", address.hex())
        }
        EvmTxScope::Height(height) => format!("{EVM_TXS}/by_height/{height}"),
    };
    query(path, &parameters)
}

fn internal_txs(scope: &InternalTxScope, page: &PageRequest) -> String {
    let path = match scope {
        InternalTxScope::All => INTERNAL_TXS.to_owned(),
        InternalTxScope::Account(address) => format!("{INTERNAL_TXS}/by_account/{}", address.hex()),
        InternalTxScope::Height(height) => format!("{INTERNAL_TXS}/by_height/{height}"),
        InternalTxScope::Tx(hash) => format!("{INTERNAL_TXS}/{hash}"),
    };
    query(path, &counted(page))
}

fn collections(scope: &CollectionScope, page: &PageRequest) -> String {
    let path = match scope {
        CollectionScope::All => COLLECTIONS.to_owned(),
        CollectionScope::Owner(address) => format!("{COLLECTIONS}/by_account/{address}"),
        CollectionScope::Name(name) | CollectionScope::NameAtServer(name) => {
            format!("{COLLECTIONS}/by_name/{}", segment(name))
        }
    };
    query(path, &counted(page))
}

fn tokens(filter: &TokenQuery, page: &PageRequest) -> String {
    let mut parameters = counted(page);
    let path = match filter.scope {
        TokenScope::Owner { address, collection } => {
            parameters.extend(collection.map(|collection| ("collection_addr", collection.hex())));
            format!("{TOKENS}/by_account/{address}")
        }
        TokenScope::Collection(collection) => format!("{TOKENS}/by_collection/{}", collection.hex()),
    };
    parameters.extend(filter.token_id.iter().map(|id| ("token_id", id.to_string())));
    if filter.order_by != TokenOrder::default() {
        parameters.push(("order_by", filter.order_by.to_string()));
    }
    query(path, &parameters)
}

/// The denom is the one path parameter that servers decode, and only with upper-case digits (`wire/indexer.md` §7).
fn holders(denom: &Denom, page: &PageRequest) -> String {
    query(format!("{RICH_LIST}/{}", segment(denom.as_str())), &counted(page))
}

fn signer(signer_only: bool) -> Option<(&'static str, String)> {
    signer_only.then(|| ("is_signer", "true".to_owned()))
}

/// Paging of a list whose total costs the server a count, so that it is declined unless it was asked for.
fn counted(page: &PageRequest) -> Vec<(&'static str, String)> {
    let mut parameters = paging(page);
    if !page.count_total {
        parameters.push(("pagination.count_total", "false".to_owned()));
    }
    parameters
}

fn paging(page: &PageRequest) -> Vec<(&'static str, String)> {
    let mut parameters = Vec::with_capacity(6);
    match &page.cursor {
        Cursor::Start => {}
        Cursor::Key(key) => parameters.push(("pagination.key", key.0.to_string())),
        Cursor::Offset(rows) => parameters.push(("pagination.offset", rows.to_string())),
    }
    parameters.push(("pagination.limit", page.limit.to_string()));
    if page.order == Order::Ascending {
        parameters.push(("pagination.reverse", "false".to_owned()));
    }
    parameters
}

fn query(mut path: String, parameters: &[(&'static str, String)]) -> String {
    for (position, (name, value)) in parameters.iter().enumerate() {
        path.push(if position == 0 { '?' } else { '&' });
        path.push_str(name);
        path.push('=');
        percent_encode(value, &mut path);
    }
    path
}

/// A path parameter: what may stand in a path stays as it is, since real servers compare what was sent.
fn segment(text: &str) -> String {
    let mut segment = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '!' | '$' | '&' | '\'' | '(' | ')' | '*' | '+' | ',' | ';' | '=' | ':' | '@' => segment.push(character),
            _ => percent_encode(character.encode_utf8(&mut [0; 4]), &mut segment),
        }
    }
    segment
}

/// Encodes all but RFC 3986's unreserved characters: cursors are base64, whose `+`, `/` and `=` mean other things.
fn percent_encode(text: &str, into: &mut String) {
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~') {
            into.push(char::from(byte));
        } else {
            // Writing into a String cannot fail.
            let _ = write!(into, "%{byte:02X}");
        }
    }
}
