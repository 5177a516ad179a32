//! Endpoint of a URL: its path with parameters in braces.

/// Paths of both APIs and of the embedded rollup. The first match wins, so fixed segments precede parameters.
const PATHS: &[&str] = &[
    "/status",
    "/indexer/block/v1/avg_blocktime",
    "/indexer/block/v1/blocks",
    "/indexer/block/v1/blocks/{height}",
    "/indexer/tx/v1/txs",
    "/indexer/tx/v1/txs/by_account/{account}",
    "/indexer/tx/v1/txs/by_height/{height}",
    "/indexer/tx/v1/txs/{hash}",
    "/indexer/tx/v1/evm-txs",
    "/indexer/tx/v1/evm-txs/by_account/{account}",
    "/indexer/tx/v1/evm-txs/by_height/{height}",
    "/indexer/tx/v1/evm-txs/{hash}",
    "/indexer/tx/v1/evm-internal-txs",
    "/indexer/tx/v1/evm-internal-txs/by_account/{account}",
    "/indexer/tx/v1/evm-internal-txs/by_height/{height}",
    "/indexer/tx/v1/evm-internal-txs/{hash}",
    "/indexer/nft/v1/collections",
    "/indexer/nft/v1/collections/by_account/{account}",
    "/indexer/nft/v1/collections/by_name/{name}",
    "/indexer/nft/v1/collections/{collection}",
    "/indexer/nft/v1/tokens/by_account/{account}",
    "/indexer/nft/v1/tokens/by_collection/{collection}",
    "/indexer/nft/v1/txs/{collection}/{token}",
    "/indexer/richlist/v1/{denom}",
    "/v2/info/chains",
    "/v2/fungible/assets",
    "/v2/fungible/route",
    "/v2/fungible/msgs",
    "/v2/tx/track",
    "/v2/tx/retry_track",
    "/v2/tx/submit",
    "/v2/tx/status",
    "/demo/v1",
    "/demo/v1/sign",
    "/demo/v1/broadcast",
    "/demo/v1/fund",
    "/demo/v1/art/{collection}/{file}",
    "/demo/v1/nft/{collection}/{file}",
    "/demo/v1/ipfs/{folder}/{file}",
    "/demo/v1/txs/{chain}/{hash}",
];

/// Returns the endpoint of a URL under any base path, such as `/indexer/block/v1/blocks/{height}`; the host of any
/// other URL.
pub(super) fn endpoint_of(url: &str) -> String {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let parts: Vec<&str> = path.trim_matches('/').split('/').collect();
    let known = PATHS.iter().find(|known| {
        let known: Vec<&str> = known.trim_matches('/').split('/').collect();
        let Some(tail) = parts.len().checked_sub(known.len()).and_then(|from| parts.get(from..)) else { return false };
        tail.iter().zip(&known).all(|(part, known)| part == known || known.starts_with('{') && !part.is_empty())
    });
    known.map_or_else(|| host.to_owned(), |known| (*known).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_varies_has_a_name() {
        for (path, endpoint) in [
            ("/status", "/status"),
            ("/indexer/block/v1/blocks?pagination.limit=100", "/indexer/block/v1/blocks"),
            ("/indexer/block/v1/blocks/17", "/indexer/block/v1/blocks/{height}"),
            ("/indexer/tx/v1/txs/by_account/init1abc?is_signer=true", "/indexer/tx/v1/txs/by_account/{account}"),
            ("/indexer/tx/v1/txs/AB12", "/indexer/tx/v1/txs/{hash}"),
            ("/indexer/nft/v1/collections/by_name/cat", "/indexer/nft/v1/collections/by_name/{name}"),
            ("/indexer/richlist/v1/ibc%2FABC", "/indexer/richlist/v1/{denom}"),
            ("/v2/fungible/route", "/v2/fungible/route"),
        ] {
            assert_eq!(endpoint_of(&format!("http://127.0.0.1:8080{path}")), endpoint);
            assert_eq!(endpoint_of(&format!("https://host.example/some/where{path}")), endpoint, "behind a proxy");
        }
    }

    #[test]
    fn other_servers_are_their_hosts() {
        assert_eq!(endpoint_of("https://ipfs.example/ipfs/Qm/1.json"), "ipfs.example");
        assert_eq!(endpoint_of("https://a.example"), "a.example");
    }
}
