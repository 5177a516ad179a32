//! Parser for URLs of explorers and of the indexer, by the words in their paths.

use super::{Reading, Target, addresses, bare, hashes, is_chain_id, slashed_denom, words};
use crate::domain::{Address, Denom};

/// Explorers of single EVM chains, with the chain id.
const EVM_SITES: [(&str, &str); 6] = [
    ("etherscan.io", "1"),
    ("optimistic.etherscan.io", "10"),
    ("polygonscan.com", "137"),
    ("basescan.org", "8453"),
    ("arbiscan.io", "42161"),
    ("snowtrace.io", "43114"),
];

struct Parts {
    host: String,
    path: Vec<String>,
    query: Vec<(String, String)>,
}

/// Parses an explorer's or the indexer's URL; `None` for other text.
pub(super) fn read(text: &str) -> Option<Reading> {
    let parts = take_apart(text)?;
    let chain = parts.chain();
    let mut targets = parts.by_path();
    if targets.is_empty() {
        targets = parts.by_query();
    }
    if targets.is_empty() {
        targets = parts.anywhere();
    }
    if targets.is_empty() {
        targets.extend(chain.clone().map(Target::Chain));
    }
    let reading = Reading::new(targets)?;
    Some(Reading { chain, ..reading })
}

fn take_apart(text: &str) -> Option<Parts> {
    if text.contains(char::is_whitespace) {
        return None;
    }
    let rest = match text.split_once("://") {
        Some((scheme, rest)) if matches!(scheme.to_ascii_lowercase().as_str(), "http" | "https") => rest,
        None if text.starts_with("/indexer/") || starts_with_host(text) => text,
        _ => return None,
    };
    // Some sites put their path after `#`; any other `#` starts a fragment.
    let rest = rest.replacen("/#/", "/", 1);
    let rest = rest.split('#').next().unwrap_or_default();
    let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
    let mut path = path.split('/').map(decode);
    let host = path.next().unwrap_or_default().to_ascii_lowercase();
    let pair = |pair: &str| {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        (decode(name).to_ascii_lowercase(), decode(value))
    };
    let query = query.split('&').map(pair).filter(|(_, value)| !value.is_empty()).collect();
    Some(Parts { host, path: path.filter(|segment| !segment.is_empty()).collect(), query })
}

/// Whether the text before the first slash contains a dot, like a host without a scheme.
fn starts_with_host(text: &str) -> bool {
    let host = text.split(['/', '?']).next().unwrap_or_default();
    host.len() < text.len() && host.contains('.') && !host.starts_with('.') && !host.ends_with('.')
}

/// Percent-decodes a part, such as `%2F`; invalid escapes stay.
fn decode(part: &str) -> String {
    let mut bytes = Vec::with_capacity(part.len());
    let mut rest = part.as_bytes();
    while let [first, tail @ ..] = rest {
        let escaped = (*first == b'%').then(|| tail.get(..2)).flatten();
        let escaped =
            escaped.and_then(|digits| std::str::from_utf8(digits).ok()).filter(|digits| !digits.contains('+'));
        let byte = escaped.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        bytes.push(byte.unwrap_or(*first));
        rest = if byte.is_some() { tail.get(2..).unwrap_or_default() } else { tail };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

impl Parts {
    fn asked(&self, names: &[&str]) -> Option<&str> {
        self.query.iter().find(|(name, _)| names.contains(&name.as_str())).map(|(_, value)| value.as_str())
    }

    /// Returns the chain from the query, or the first segment if it looks like a chain or the site puts the chain
    /// there.
    fn chain(&self) -> Option<String> {
        if let Some(chain) = self.asked(&["chain_id", "chainid", "chain"]) {
            return Some(chain.to_owned());
        }
        if let Some((_, chain)) = EVM_SITES.iter().find(|(host, _)| self.host.trim_start_matches("www.") == *host) {
            return Some((*chain).to_owned());
        }
        let first = self.path.first()?;
        // Its first segment is a chain's name.
        let is_known_site = self.host == "mintscan.io" || self.host.ends_with(".mintscan.io");
        let is_page =
            matches!(first.as_str(), "tx" | "txs" | "block" | "blocks" | "account" | "accounts" | "address" | "nft");
        (is_chain_id(first) || is_known_site && !is_page).then(|| first.clone())
    }

    /// Returns the targets of the segment that follows a known word in the path.
    fn by_path(&self) -> Vec<Target> {
        let is_nft = self.path.iter().any(|segment| matches!(segment.to_ascii_lowercase().as_str(), "nft" | "nfts"));
        let tails = (0..self.path.len()).filter_map(|place| self.path.get(place..));
        for tail in tails {
            let [word, value, more @ ..] = tail else { continue };
            let targets = match word.to_ascii_lowercase().as_str() {
                "tx" | "txs" | "txn" | "transaction" | "transactions" if is_nft && !more.is_empty() => {
                    self.token(value, more)
                }
                "tx" | "txs" | "txn" | "transaction" | "transactions" | "evm-txs" | "evm-internal-txs" => hashes(value),
                "block" | "blocks" | "by_height" | "height" => {
                    words::height(value).map(Target::Block).into_iter().collect()
                }
                "account" | "accounts" | "by_account" | "wallet" | "validator" | "modules" | "objects" => {
                    value.parse().map(Target::Account).into_iter().collect()
                }
                "address" | "addresses" | "contract" | "contracts" => addresses(value),
                "collection" | "collections" | "by_collection" | "nft" | "nfts" => self.token(value, more),
                "token" | "tokens" => self.asset(value, more),
                "richlist" => more.first().map(|denom| denom_of(denom)).into_iter().collect(),
                "denom" | "denoms" | "asset" | "assets" | "coin" | "coins" | "holders" => {
                    let whole = tail.get(1..).unwrap_or_default().join("/");
                    vec![Target::Denom(slashed_denom(&whole).unwrap_or_else(|| Denom::new(value.as_str())))]
                }
                _ => Vec::new(),
            };
            if !targets.is_empty() {
                return targets;
            }
        }
        Vec::new()
    }

    /// Returns a collection, or a token if an id follows directly or after a word: `/nft/{collection}/instance/{id}`.
    fn token(&self, collection: &str, more: &[String]) -> Vec<Target> {
        let Ok(collection) = collection.parse::<Address>() else { return Vec::new() };
        let id = match more {
            [word, id, ..]
                if matches!(word.as_str(), "token" | "tokens" | "instance" | "nft" | "nfts" | "inventory") =>
            {
                Some(id.as_str())
            }
            [word] if matches!(word.as_str(), "tokens" | "nfts" | "txs" | "holders" | "inventory" | "transfers") => {
                None
            }
            [id, ..] => Some(id.as_str()),
            [] => self.asked(&["token_id", "tokenid"]),
        };
        match id {
            Some(id) => vec![Target::Token { collection, token_id: id.into() }],
            None => vec![Target::Collection(collection)],
        }
    }

    /// Returns the targets of `/token/0x…`: a collection, a fungible token, or else an account.
    fn asset(&self, value: &str, more: &[String]) -> Vec<Target> {
        let Ok(address) = value.parse::<Address>() else { return Vec::new() };
        let token = self.token(value, more);
        if matches!(token[..], [Target::Token { .. }]) {
            return token;
        }
        let denom = Target::Denom(Denom::new(address.hex()));
        vec![Target::Collection(address), denom, Target::Account(address)]
    }

    fn by_query(&self) -> Vec<Target> {
        if let Some(value) = self.asked(&["tx_hash", "txhash", "tx", "hash", "transactionhash"]) {
            return hashes(value);
        }
        if let Some(value) = self.asked(&["address", "account", "addr"]) {
            return addresses(value);
        }
        if let Some(value) = self.asked(&["height", "block"]) {
            return words::height(value).map(Target::Block).into_iter().collect();
        }
        match self.asked(&["collection_addr", "collection"]) {
            Some(value) => self.token(value, &[]),
            None => self.asked(&["denom"]).map(denom_of).into_iter().collect(),
        }
    }

    /// Returns the targets of the first hash or address at any place in the URL.
    fn anywhere(&self) -> Vec<Target> {
        let values = self.path.iter().chain(self.query.iter().map(|(_, value)| value));
        let mut found = values.map(|value| words::strip(value)).filter(|value| value.len() >= 40).map(bare);
        found.find(|targets| !targets.is_empty()).unwrap_or_default()
    }
}

fn denom_of(text: &str) -> Target {
    Target::Denom(slashed_denom(text).unwrap_or_else(|| Denom::new(text)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{TargetKind, target::interpret};

    const HASH: &str = "8E1CFF048E1CFF048E1CFF048E1CFF048E1CFF048E1CFF048E1CFF048E1CFF04";
    const ADDRESS: &str = "init1gz9n8jnu9fgqw7vem9ud67gqjk5q4m2w0aejne";
    const HEX: &str = "0x408b33ca7c2a50077999d978dd790095a80aed4e";

    #[test]
    fn the_pages_of_explorers_are_known_by_their_paths() {
        use TargetKind::{Account, Block, Collection, Denom, EvmTx, Token, Tx};
        let chain = Some("evm-1");
        let cases: [(String, &[TargetKind], Option<&str>); 28] = [
            (format!("https://scan.initia.xyz/txs/{HASH}"), &[Tx, EvmTx], None),
            (format!("https://scan.initia.xyz/evm-1/txs/{HASH}"), &[Tx, EvmTx], chain),
            (format!("https://scan.initia.xyz/evm-1/accounts/{ADDRESS}/txs?page=2&limit=10"), &[Account], chain),
            ("https://scan.testnet.initia.xyz/evm-1/blocks/5000".to_owned(), &[Block], chain),
            (format!("https://scan.initia.xyz/evm-1/modules/{HEX}/coin"), &[Account], chain),
            (format!("https://scan.initia.xyz/evm-1/nft/{HEX}"), &[Collection], chain),
            (format!("https://scan.initia.xyz/evm-1/nft/collections/{HEX}/tokens/12"), &[Token], chain),
            (format!("https://scan.initia.xyz/evm-1/nft/{HEX}/12"), &[Token], chain),
            (format!("https://explorer.skip.build/?tx_hash={HASH}&chain_id=evm-1"), &[Tx, EvmTx], chain),
            (format!("otterscan.example/tx/0x{HASH}#eventlog"), &[EvmTx, Tx], None),
            (format!("https://otterscan.example/address/{HEX}"), &[Account, Collection], None),
            ("https://otterscan.example/block/5000/txs".to_owned(), &[Block], None),
            (format!("https://etherscan.io/token/{HEX}"), &[Collection, Denom, Account], Some("1")),
            (format!("https://blockscout.example/token/{HEX}/instance/7"), &[Token], None),
            (format!("https://www.mintscan.io/initia/tx/{HASH}?height=12"), &[Tx, EvmTx], Some("initia")),
            (format!("https://www.mintscan.io/initia/address/{ADDRESS}"), &[Account, Collection], Some("initia")),
            (format!("http://127.0.0.1:8080/indexer/tx/v1/txs/{HASH}"), &[Tx, EvmTx], None),
            (format!("/indexer/tx/v1/evm-internal-txs/0x{HASH}"), &[EvmTx, Tx], None),
            (format!("/indexer/tx/v1/txs/by_account/{HEX}?pagination.limit=1"), &[Account], None),
            ("/indexer/tx/v1/evm-txs/by_height/12".to_owned(), &[Block], None),
            ("/indexer/block/v1/blocks/12".to_owned(), &[Block], None),
            (format!("/indexer/nft/v1/collections/{HEX}"), &[Collection], None),
            (format!("/indexer/nft/v1/collections/by_account/{HEX}"), &[Account], None),
            (format!("/indexer/nft/v1/tokens/by_collection/{HEX}?token_id=a%20b"), &[Token], None),
            (format!("/indexer/nft/v1/txs/{HEX}/12"), &[Token], None),
            ("/indexer/richlist/v1/ibc%2FAB12?pagination.limit=5".to_owned(), &[Denom], None),
            (format!("https://any.example/where/ever/{HASH}.html"), &[], None),
            (format!("https://any.example/#/x/{HASH}"), &[Tx, EvmTx, Account, Collection], None),
        ];
        for (url, kinds, chain) in cases {
            let reading = read(&url);
            let found = reading.as_ref().map(|reading| reading.targets.iter().map(Target::kind).collect::<Vec<_>>());
            assert_eq!(found.unwrap_or_default(), kinds, "{url}");
            assert_eq!(reading.and_then(|reading| reading.chain).as_deref(), chain, "{url}");
        }
    }

    #[test]
    fn a_chain_alone_is_a_chain_and_no_text_is_taken_for_an_address() {
        let chain = interpret("https://scan.initia.xyz/yominet-1").unwrap();
        assert_eq!(chain.targets, [Target::Chain("yominet-1".to_owned())]);
        for text in
            ["ftp://x.y/tx/1", "a/b", "https://", "https://x", "://", "..//?", "x.y/", "https://x/%zz%", "1.5/2"]
        {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
