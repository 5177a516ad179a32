mod table;

use super::{
    evm::EvmRoute,
    router::{RouterRoute, WalletRoute},
};
pub(super) use table::{Form, Parameter, ROUTES};

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
    Collections,
    CollectionsByAccount(&'a str),
    CollectionsByName(&'a str),
    Collection(&'a str),
    TokensByAccount(&'a str),
    TokensByCollection(&'a str),
    NftTxs { collection: &'a str, token_id: &'a str },
    Holders(&'a str),
    Swagger,
    SwaggerPage,
    SwaggerDocument,
    Evm(EvmRoute<'a>),
    Router(RouterRoute),
    Wallet(WalletRoute<'a>),
    Demo,
    DemoFaults,
    DemoArt { collection: &'a str, file: &'a str },
    DemoMetadata { collection: &'a str, file: &'a str },
    DemoIpfs { folder: &'a str, file: &'a str },
}

impl Route<'_> {
    /// Whether it takes a body.
    pub(super) fn is_posted(self) -> bool {
        match self {
            Self::Router(route) => route.is_posted(),
            Self::Wallet(route) => route.is_posted(),
            _ => false,
        }
    }
}

/// One route: what finds a path's handler, and what `/swagger/doc.json` says of it.
#[derive(Debug)]
pub(super) struct Entry {
    /// The path; a part in braces is a parameter.
    pub(super) path: &'static str,
    /// What it answers, as one sentence.
    pub(super) summary: &'static str,
    /// What may follow `?`, in groups that routes share.
    pub(super) query: &'static [&'static [Parameter]],
    /// Names the route; it is given the values of the parameters in the path.
    make: for<'a> fn(&[&'a str]) -> Option<Route<'a>>,
}

impl Entry {
    /// The parts of the path between slashes.
    pub(super) fn parts(&self) -> impl Iterator<Item = &'static str> {
        self.path.split('/').skip(1)
    }

    /// Whether it belongs to the indexer's or the routing API: the others are this server's own.
    pub(super) fn is_documented(&self) -> bool {
        !self.path.starts_with("/demo") && !self.path.starts_with("/swagger")
    }

    /// Whether it takes a body.
    pub(super) fn is_posted(&self) -> bool {
        let names = vec!["x"; self.parts().filter(|part| parameter_name(part).is_some()).count()];
        (self.make)(&names).is_some_and(Route::is_posted)
    }

    fn read<'a>(&self, parts: &[&'a str]) -> Option<Route<'a>> {
        let mut values: Vec<&'a str> = Vec::new();
        let mut given = parts.iter();
        for expected in self.parts() {
            let part = given.next()?;
            if parameter_name(expected).is_none() {
                if !part.eq_ignore_ascii_case(expected) {
                    return None;
                }
            } else if part.is_empty() {
                return None;
            } else {
                values.push(part);
            }
        }
        if given.next().is_some() { None } else { (self.make)(&values) }
    }
}

/// The name of a part that is a parameter.
pub(super) fn parameter_name(part: &str) -> Option<&str> {
    part.strip_prefix('{')?.strip_suffix('}')
}

/// Reads a path as it was sent; `None` where nothing is served. A parameter never spans a slash and is never empty.
pub(super) fn route(path: &str) -> Option<Route<'_>> {
    let path = path.strip_prefix('/')?;
    let parts: Vec<&str> = path.strip_suffix('/').unwrap_or(path).split('/').collect();
    ROUTES.iter().find_map(|entry| entry.read(&parts))
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
            ("/indexer/tx/v1/evm-txs", Some(Route::Evm(EvmRoute::Txs))),
            ("/indexer/tx/v1/EVM-Txs/0xab", Some(Route::Evm(EvmRoute::Tx("0xab")))),
            ("/indexer/tx/v1/evm-txs/by_account", Some(Route::Evm(EvmRoute::Tx("by_account")))),
            ("/indexer/tx/v1/evm-txs/By_Account/0x1", Some(Route::Evm(EvmRoute::TxsByAccount("0x1")))),
            ("/indexer/tx/v1/evm-internal-txs/0xab", Some(Route::Evm(EvmRoute::InternalTxsOfTx("0xab")))),
            ("/indexer/tx/v1/evm-internal-txs/by_height/7", Some(Route::Evm(EvmRoute::InternalTxsByHeight("7")))),
            ("/indexer/tx/v1/evm-txs/by_name/x", None),
            ("/indexer/nft/v1/collections/by_name", Some(Route::Collection("by_name"))),
            ("/indexer/nft/v1/collections/By_Name/x", Some(Route::CollectionsByName("x"))),
            ("/indexer/nft/v1/tokens", None),
            ("/indexer/nft/v1/txs/0x1", None),
            ("/indexer/nft/v1/txs/0x1/7", Some(Route::NftTxs { collection: "0x1", token_id: "7" })),
            ("/indexer/richlist/v1/ibc%2FAB", Some(Route::Holders("ibc%2FAB"))),
            ("/indexer/richlist/v1/ibc/AB", None),
            ("/v2/fungible/route", Some(Route::Router(RouterRoute::Route))),
            ("/op-hook", Some(Route::Router(RouterRoute::OpHook))),
            ("/v2/op-hook", None),
            ("/demo/v1/txs/1/0xab", Some(Route::Wallet(WalletRoute::Tx { chain_id: "1", tx_hash: "0xab" }))),
            ("/swagger/", Some(Route::Swagger)),
            ("/demo/v1", Some(Route::Demo)),
        ] {
            assert_eq!(route(path), expected, "{path}");
        }
    }

    #[test]
    fn no_route_hides_another() {
        for entry in &ROUTES {
            let path = entry.path.replace(['{', '}'], "");
            let parts: Vec<&str> = path.trim_start_matches('/').split('/').collect();
            assert_eq!(route(&path), entry.read(&parts), "{path}");
        }
    }
}
