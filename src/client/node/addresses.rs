//! URLs of a node's interfaces, and guesses of the other URLs from one URL.

use std::fmt;

use reqwest::Url;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeInterface {
    /// `CometBFT` RPC.
    Rpc,
    /// Cosmos SDK REST.
    Rest,
    /// Ethereum's JSON-RPC, on `MiniEVM`.
    JsonRpc,
}

impl fmt::Display for NodeInterface {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Rpc => "RPC",
            Self::Rest => "REST",
            Self::JsonRpc => "JSON-RPC",
        })
    }
}

/// Location of a node as given by the user.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodeAddresses {
    /// Any of the three interfaces, or their common base URL.
    pub node: String,
    /// REST URL, if given.
    pub rest: Option<String>,
    /// JSON-RPC URL, if given.
    pub json_rpc: Option<String>,
}

impl NodeInterface {
    const ALL: [Self; 3] = [Self::Rpc, Self::Rest, Self::JsonRpc];

    fn port(self) -> u16 {
        match self {
            Self::Rpc => 26657,
            Self::Rest => 1317,
            Self::JsonRpc => 8545,
        }
    }

    /// Usual names of the interface in hosts and paths of public nodes; the most common name first.
    fn names(self) -> &'static [&'static str] {
        match self {
            Self::Rpc => &["rpc"],
            Self::Rest => &["rest", "lcd", "api"],
            Self::JsonRpc => &["json-rpc", "jsonrpc", "evm"],
        }
    }
}

/// Returns candidate URLs of an interface near the known URL: that URL itself, then by host name, by path, and by usual
/// port.
pub(super) fn candidates(known: &str, wanted: NodeInterface) -> Vec<String> {
    let mut found = vec![known.trim_end_matches('/').to_owned()];
    let Ok(url) = Url::parse(known) else { return found };
    let mut add = |guess: &Url| {
        // Keys go to the address that they were given for.
        if known.contains('$') && guess.origin() != url.origin() {
            return;
        }
        let text = guess.as_str().trim_end_matches('/').to_owned();
        if !found.contains(&text) {
            found.push(text);
        }
    };
    by_host(&url, wanted).iter().for_each(&mut add);
    by_path(&url, wanted).iter().for_each(&mut add);
    let mut by_port = url.clone();
    by_port.set_path("");
    // An encrypted node is behind a proxy: its usual ports are closed or unencrypted.
    if url.scheme() == "http" && by_port.set_port(Some(wanted.port())).is_ok() {
        add(&by_port);
    }
    found
}

/// Whether a candidate lies below the known URL: under its path, or at a port of a host that was named without a port.
pub(super) fn is_below(known: &str, candidate: &str) -> bool {
    let rest = candidate.strip_prefix(known.trim_end_matches('/'));
    let is_port = Url::parse(known).is_ok_and(|url| url.port().is_none() && url.path() == "/");
    rest.is_some_and(|rest| rest.starts_with('/') || is_port && rest.starts_with(':'))
}

/// Returns URLs whose host's first label names the wanted interface instead of this one: `rpc.x`, `rpc-x`.
fn by_host(url: &Url, wanted: NodeInterface) -> Vec<Url> {
    let Some(host) = url.domain() else { return Vec::new() };
    let names = NodeInterface::ALL.into_iter().flat_map(NodeInterface::names);
    let rest = names.filter_map(|name| host.strip_prefix(name)).filter(|rest| rest.starts_with(['.', '-']));
    let Some(rest) = rest.min_by_key(|rest| rest.len()) else { return Vec::new() };
    let hosts = wanted.names().iter().map(|name| format!("{name}{rest}"));
    let other = |host: String| {
        let mut other = url.clone();
        other.set_host(Some(&host)).ok()?;
        Some(other)
    };
    hosts.filter_map(other).collect()
}

/// Returns URLs whose last path segment names the wanted interface, beside or below this path.
fn by_path(url: &Url, wanted: NodeInterface) -> Vec<Url> {
    let path = url.path().trim_end_matches('/');
    let (base, last) = path.rsplit_once('/').unwrap_or(("", path));
    let is_named = NodeInterface::ALL.into_iter().flat_map(NodeInterface::names).any(|name| *name == last);
    // The embedded rollup serves its node's interfaces under `/node`.
    let bases = if is_named { vec![base.to_owned()] } else { vec![path.to_owned(), format!("{path}/node")] };
    let paths = bases.iter().flat_map(|base| wanted.names().iter().map(move |name| format!("{base}/{name}")));
    let other = |path: String| {
        let mut other = url.clone();
        other.set_path(&path);
        other
    };
    paths.map(other).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(known: &str, wanted: NodeInterface, expected: &str) {
        let found = candidates(known, wanted);
        assert_eq!(found[0], known.trim_end_matches('/'));
        assert!(found.iter().any(|found| found == expected), "{expected} is not among {found:?}");
    }

    #[test]
    fn the_others_are_sought_by_port_host_and_path() {
        use NodeInterface::{JsonRpc, Rest, Rpc};
        holds("http://localhost:26657", Rest, "http://localhost:1317");
        holds("http://localhost:26657", JsonRpc, "http://localhost:8545");
        holds("http://10.0.0.1:1317/", Rpc, "http://10.0.0.1:26657");
        holds("https://rpc.minitia.example", Rest, "https://rest.minitia.example");
        holds("https://rest-minitia.example", JsonRpc, "https://json-rpc-minitia.example");
        holds("https://json-rpc.minitia.example", Rpc, "https://rpc.minitia.example");
        holds("https://x.example/rpc", Rest, "https://x.example/rest");
        holds("http://127.0.0.1:8080", JsonRpc, "http://127.0.0.1:8080/node/json-rpc");
        holds("http://127.0.0.1:8080/node/rpc", Rest, "http://127.0.0.1:8080/node/rest");
    }

    #[test]
    fn only_a_path_or_a_port_that_was_not_named_lies_below_a_url() {
        assert!(is_below("http://127.0.0.1:8080", "http://127.0.0.1:8080/node/rpc"));
        assert!(is_below("http://localhost/", "http://localhost:26657"));
        assert!(!is_below("http://127.0.0.1:36657", "http://127.0.0.1:26657"));
        assert!(!is_below("http://localhost/rest", "http://localhost/rpc"));
        assert!(!is_below("https://rest.x.example", "https://rpc.x.example"));
    }

    #[test]
    fn an_encrypted_host_is_not_asked_at_a_nodes_own_ports() {
        let found = candidates("https://rollup.example", NodeInterface::Rpc);
        assert!(found.iter().all(|url| !url.contains("26657")), "{found:?}");
    }
}
