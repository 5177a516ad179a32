use super::evm::{self, EvmRoute};

/// What a path names. Fixed parts are read in any case and one trailing slash is tolerated, as the real server does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Route<'a> {
    Status,
    AvgBlockTime,
    Blocks,
    Block(&'a str),
    Txs,
    TxsByAccount(&'a str),
    TxsByHeight(&'a str),
    Tx(&'a str),
    Evm(EvmRoute<'a>),
    Demo,
    DemoFaults,
}

/// Reads a path as it was sent; `None` where nothing is served. A parameter never spans a slash and is never empty.
pub(super) fn route(path: &str) -> Option<Route<'_>> {
    let path = path.strip_prefix('/')?;
    let parts: Vec<&str> = path.strip_suffix('/').unwrap_or(path).split('/').collect();
    if let Some(rest) = after(&parts, &["indexer", "block", "v1"]) {
        return match *rest {
            [name] if is(name, "avg_blocktime") => Some(Route::AvgBlockTime),
            [name] if is(name, "blocks") => Some(Route::Blocks),
            [name, height] if is(name, "blocks") && !height.is_empty() => Some(Route::Block(height)),
            _ => None,
        };
    }
    if let Some(rest) = after(&parts, &["indexer", "tx", "v1", "txs"]) {
        return match *rest {
            [] => Some(Route::Txs),
            [hash] if !hash.is_empty() => Some(Route::Tx(hash)),
            [by, account] if is(by, "by_account") && !account.is_empty() => Some(Route::TxsByAccount(account)),
            [by, height] if is(by, "by_height") && !height.is_empty() => Some(Route::TxsByHeight(height)),
            _ => None,
        };
    }
    if let Some(evm) = after(&parts, &["indexer", "tx", "v1"]).and_then(evm::route) {
        return Some(Route::Evm(evm));
    }
    match *parts.as_slice() {
        [name] if is(name, "status") => Some(Route::Status),
        ["demo", "v1"] => Some(Route::Demo),
        ["demo", "v1", "faults"] => Some(Route::DemoFaults),
        _ => None,
    }
}

fn is(part: &str, name: &str) -> bool {
    part.eq_ignore_ascii_case(name)
}

/// What follows these fixed parts.
fn after<'p, 'a>(parts: &'p [&'a str], fixed: &[&str]) -> Option<&'p [&'a str]> {
    let (start, rest) = parts.split_at_checked(fixed.len())?;
    start.iter().zip(fixed).all(|(part, name)| is(part, name)).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_read_as_the_real_server_reads_them() {
        for (path, expected) in [
            ("/status", Some(Route::Status)),
            ("/STATUS/", Some(Route::Status)),
            ("/status//", None),
            ("/", None),
            ("/indexer/block/v1/blocks", Some(Route::Blocks)),
            ("/indexer/block/v1/blocks/", Some(Route::Blocks)),
            ("/indexer/block/v1/blocks//", None),
            ("/INDEXER/Block/v1/blocks/5/", Some(Route::Block("5"))),
            ("/indexer/block/v1/blocks/5/6", None),
            ("/indexer/tx/v1/txs/by_account", Some(Route::Tx("by_account"))),
            ("/indexer/tx/v1/txs/by_height/", Some(Route::Tx("by_height"))),
            ("/indexer/tx/v1/txs/by_account/0x1", Some(Route::TxsByAccount("0x1"))),
            ("/indexer/tx/v1/txs/BY_HEIGHT/7", Some(Route::TxsByHeight("7"))),
            ("/indexer/tx/v1/txs/a%2Fb", Some(Route::Tx("a%2Fb"))),
            ("/indexer/tx/v1", None),
            ("/demo/v1", Some(Route::Demo)),
        ] {
            assert_eq!(route(path), expected, "{path}");
        }
    }
}
