//! Where each request goes: the one place that knows the paths and query parameters of the indexer API.

use std::fmt::Write as _;

use super::{Cursor, Order, PageRequest, Request, TxQuery, TxScope};

const BLOCKS: &str = "/indexer/block/v1/blocks";
const TXS: &str = "/indexer/tx/v1/txs";

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
            Self::Recents => return None,
        })
    }

    /// The page whose only row is the oldest block.
    pub fn oldest_page() -> PageRequest {
        PageRequest { cursor: Cursor::Start, limit: 1, order: Order::Ascending, count_total: false }
    }
}

fn blocks(page: &PageRequest) -> String {
    // The block list has no `count_total`: its total is the newest height and costs nothing.
    query(BLOCKS.to_owned(), &paging(page))
}

fn txs(filter: &TxQuery, page: &PageRequest) -> String {
    let mut parameters = paging(page);
    if !page.count_total {
        parameters.push(("pagination.count_total", "false".to_owned()));
    }
    let path = match filter.scope {
        TxScope::All => TXS.to_owned(),
        TxScope::Account { address, signer_only } => {
            if signer_only {
                parameters.push(("is_signer", "true".to_owned()));
            }
            format!("{TXS}/by_account/{address}")
        }
        TxScope::Height(height) => format!("{TXS}/by_height/{height}"),
    };
    parameters.extend(filter.msgs.iter().map(|kind| ("msgs", kind.as_str().to_owned())));
    query(path, &parameters)
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
