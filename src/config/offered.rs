//! Networks that a link of weave, or a file of Initia's registry, describes.

use std::path::Path;

use base64::{
    Engine as _,
    alphabet::{STANDARD, URL_SAFE},
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
};
use serde::Deserialize;

use super::{
    Network, NodeLocation, display_path,
    user_file::read_user_file,
    value::{ValueError, parse_base_url},
};
use crate::domain::text::{clean, clip};

/// Part of the path of weave's links.
const PATH: &str = "/custom-network/add/link";
/// Maximum characters of a link: weave's have about 300.
const LONGEST_LINK: usize = 4096;
/// Maximum characters of a chain id, as `CometBFT` limits it.
const LONGEST_CHAIN_ID: usize = 50;

/// Network as a link or a file describes it: URLs and a chain id, none of it proven.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OfferedNetwork {
    pub chain_id: String,
    pub node: Option<NodeLocation>,
    pub indexer: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OfferedNetworkError {
    #[error("the link has {0} characters, more than any of weave's; copy it again")]
    TooLong(usize),
    #[error("the link has no config=… part; copy it whole")]
    NoConfig,
    #[error("the link's config is not base64; copy it whole")]
    NotBase64,
    /// Not the JSON that weave or the registry writes, with the place of the mistake.
    #[error("the {0} does not describe a network: {1}; copy it again")]
    Shape(&'static str, String),
    #[error("the {0} names no usable chain id; ask its author")]
    ChainId(&'static str),
    #[error("the {field} of the {source_name} is unusable: {error}")]
    Url { source_name: &'static str, field: &'static str, error: ValueError },
    #[error("the {source_name} has a user name or password in its {field}: remove it, because rollscope shows URLs")]
    Credentials { source_name: &'static str, field: &'static str },
    #[error("the {0} names no URL of a node or an indexer; ask its author")]
    NoUrl(&'static str),
    #[error("cannot read {file}: {error}")]
    File { file: String, error: String },
}

/// Contents of weave's link; rollscope ignores its other fields.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct LinkConfig {
    chain_id: String,
    rpc: Option<String>,
    lcd: Option<String>,
    json_rpc: Option<String>,
    indexer: Option<String>,
}

/// Contents of the registry's `chain.json`; rollscope ignores its other fields.
#[derive(Deserialize)]
struct ChainFile {
    chain_id: String,
    #[serde(default)]
    apis: ChainApis,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
struct ChainApis {
    rpc: Vec<ChainApi>,
    rest: Vec<ChainApi>,
    json_rpc: Vec<ChainApi>,
    indexer: Vec<ChainApi>,
}

#[derive(Deserialize)]
struct ChainApi {
    address: String,
}

impl OfferedNetwork {
    /// Reads the network that a text names: weave's link, or the path of a `chain.json`. `None` for other text.
    pub fn named(text: &str) -> Option<Result<Self, OfferedNetworkError>> {
        let text = text.trim();
        if let Some(link) = Self::of_link(text) {
            return Some(link);
        }
        let path = Path::new(text);
        Self::is_file(text).then(|| {
            let error = |error: std::io::Error| OfferedNetworkError::File {
                file: display_path(path),
                error: error.to_string(),
            };
            Self::of_chain_file(&read_user_file(path).map_err(error)?)
        })
    }

    /// Whether a text is the path of a `chain.json`.
    pub fn is_file(text: &str) -> bool {
        !text.contains("://") && Path::new(text).extension().is_some_and(|ending| ending == "json")
    }

    /// Reads weave's link, `…/custom-network/add/link?config=BASE64`; `None` for other text.
    pub fn of_link(text: &str) -> Option<Result<Self, OfferedNetworkError>> {
        // weave wraps the link into lines.
        let joined: String;
        let is_wrapped = text.trim_start().starts_with("http") && text.contains(PATH);
        let text = if is_wrapped {
            joined = text.split_whitespace().collect();
            &joined
        } else {
            text.trim()
        };
        let (address, query) = text.split_once('?').unwrap_or((text, ""));
        let is_link = !address.contains(char::is_whitespace) && address.trim_end_matches('/').ends_with(PATH);
        is_link.then(|| Self::of_query(text, query))
    }

    fn of_query(text: &str, query: &str) -> Result<Self, OfferedNetworkError> {
        if text.len() > LONGEST_LINK {
            return Err(OfferedNetworkError::TooLong(text.len()));
        }
        let query = query.split('#').next().unwrap_or_default();
        let config = query.split('&').find_map(|pair| pair.strip_prefix("config=")).filter(|config| !config.is_empty());
        let config = config.ok_or(OfferedNetworkError::NoConfig)?;
        // Browsers escape the signs that a query may not contain.
        let config = config.replace("%3D", "=").replace("%3d", "=").replace("%2B", "+").replace("%2b", "+");
        let config = config.replace("%2F", "/").replace("%2f", "/");
        let lenient = GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
        let decode = |alphabet| GeneralPurpose::new(alphabet, lenient).decode(&config).ok();
        let bytes = decode(&STANDARD).or_else(|| decode(&URL_SAFE)).ok_or(OfferedNetworkError::NotBase64)?;
        let source = "link";
        let config: LinkConfig = read_json(source, &bytes)?;
        Self::new(source, &config.chain_id, [config.rpc, config.lcd, config.json_rpc, config.indexer])
    }

    /// Reads a `chain.json` of Initia's registry; of several URLs of an interface, the first one.
    pub fn of_chain_file(text: &str) -> Result<Self, OfferedNetworkError> {
        let source = "file";
        let file: ChainFile = read_json(source, text.as_bytes())?;
        let first = |apis: Vec<ChainApi>| apis.into_iter().next().map(|api| api.address);
        let ChainApis { rpc, rest, json_rpc, indexer } = file.apis;
        Self::new(source, &file.chain_id, [first(rpc), first(rest), first(json_rpc), first(indexer)])
    }

    fn new(
        source: &'static str,
        chain_id: &str,
        [rpc, rest, json_rpc, indexer]: [Option<String>; 4],
    ) -> Result<Self, OfferedNetworkError> {
        if !is_chain_id(chain_id) {
            return Err(OfferedNetworkError::ChainId(source));
        }
        let url = |field: &'static str, url: Option<String>| {
            let Some(url) = url.filter(|url| !url.is_empty()) else { return Ok(None) };
            let host = url.split_once("://").map_or("", |(_, rest)| rest).split('/').next().unwrap_or_default();
            if host.contains('@') {
                return Err(OfferedNetworkError::Credentials { source_name: source, field });
            }
            let error = |error| OfferedNetworkError::Url { source_name: source, field, error };
            // A link must not send keys of this machine to its servers.
            let url =
                if url.contains(['?', '#', '$']) { Err(ValueError::of_foreign_url()) } else { parse_base_url(&url) };
            url.map(Some).map_err(error)
        };
        let (rpc, rest) = (url("RPC", rpc)?, url("REST", rest)?);
        let (json_rpc, indexer) = (url("JSON-RPC", json_rpc)?, url("indexer", indexer)?);
        let node = NodeLocation::named(rpc, rest, json_rpc, None);
        if node.is_none() && indexer.is_none() {
            return Err(OfferedNetworkError::NoUrl(source));
        }
        Ok(Self { chain_id: chain_id.to_owned(), node, indexer })
    }

    /// Returns the lines that keep the network in a settings file, under its chain id.
    pub fn entry(&self) -> String {
        let NodeLocation { node, rest, json_rpc, .. } = self.node.clone().unwrap_or_default();
        let node = Some(node).filter(|node| !node.is_empty());
        let id = || Some(self.chain_id.clone());
        let settings =
            [("name", id()), ("chain_id", id()), ("indexer", self.indexer.clone()), ("node", node), ("rest", rest)];
        let settings = settings.into_iter().chain([("json_rpc", json_rpc)]);
        let line = |(key, value): (&str, Option<String>)| Some(format!("{key} = {}\n", toml::Value::from(value?)));
        format!("\n[[networks]]\n{}", settings.filter_map(line).collect::<String>())
    }

    /// Returns the network without a name of its own, so that it never passes for the registry's.
    pub fn network(&self) -> Network {
        let chain_id = Some(self.chain_id.clone());
        let node = self.node.clone();
        match &self.indexer {
            Some(indexer) => Network { chain_id, node, ..Network::unnamed(indexer.clone()) },
            None => Network { chain_id, ..Network::of_node(node.unwrap_or_default()) },
        }
    }
}

/// Whether a text can be a chain id: letters, digits and few signs, so that it hides nothing on screen.
pub(super) fn is_chain_id(text: &str) -> bool {
    let is_sign = |sign: char| sign.is_ascii_alphanumeric() || matches!(sign, '-' | '_' | '.');
    (1..=LONGEST_CHAIN_ID).contains(&text.len()) && text.chars().all(is_sign)
}

/// Parses JSON; the error names the place, not the text, which may hold anything.
fn read_json<'a, T: Deserialize<'a>>(source: &'static str, bytes: &'a [u8]) -> Result<T, OfferedNetworkError> {
    serde_json::from_slice(bytes).map_err(|error| {
        let what = match error.classify() {
            serde_json::error::Category::Data => clip(&clean(&error.to_string()), 80),
            _ => format!("it is no JSON (line {}, column {})", error.line(), error.column()),
        };
        OfferedNetworkError::Shape(source, what)
    })
}

#[cfg(test)]
mod tests {
    use base64::prelude::BASE64_STANDARD;
    use rstest::rstest;

    use super::*;

    /// Link of weave's documentation.
    const LINK: &str = "https://scan.testnet.initia.xyz/custom-network/add/link?config=eyJ2bSI6Im1vdmUiLCJjaGFpbklkIjoi\
                        ZGVtby0zMTQiLCJtaW5HYXNQcmljZSI6MCwiZGVub20iOiJ1bWluIiwibGNkIjoiaHR0cDovL2xvY2FsaG9zdDoxMzE3Iiwic\
                        nBjIjoiaHR0cDovL2xvY2FsaG9zdDoyNjY1NyJ9";

    fn link(config: &str) -> String {
        format!("https://scan.testnet.initia.xyz/custom-network/add/link?config={}", BASE64_STANDARD.encode(config))
    }

    #[test]
    fn weaves_link_gives_urls_and_the_chain_id() {
        let offered = OfferedNetwork::named(LINK).expect("a link").expect("a network");
        let node = offered.node.clone().expect("a node");
        assert_eq!((offered.chain_id.as_str(), node.node.as_str()), ("demo-314", "http://localhost:26657"));
        assert_eq!((node.rest.as_deref(), node.json_rpc), (Some("http://localhost:1317"), None));
        assert_eq!(OfferedNetwork::of_link(&format!("{LINK}&x=1#top")), Some(Ok(offered.clone())));
        assert_eq!(offered.network().name, "localhost:26657", "a link gives no name");
        let evm = link(
            r#"{"vm":"evm","chainId":"a-1","jsonRpc":"http://h:8545","indexer":"http://h:6767/","rpc":"http://h:1"}"#,
        );
        for evm in [evm.replace('=', "%3D").replace("config%3D", "config="), evm.trim_end_matches('=').to_owned(), evm]
        {
            let offered = OfferedNetwork::of_link(&evm).expect("a link").expect("a network");
            assert_eq!(offered.indexer.as_deref(), Some("http://h:6767"), "{evm}");
            assert_eq!(offered.network().node.and_then(|node| node.json_rpc).as_deref(), Some("http://h:8545"));
        }
        for other in ["https://scan.testnet.initia.xyz/demo-314/txs/AB", "http://localhost:8080", "cabal", ""] {
            assert_eq!(OfferedNetwork::named(other), None, "{other}");
        }
    }

    #[rstest]
    #[case(
        r#"{"chainId":"a-1","rpc":"file:///etc/passwd"}"#,
        "the RPC of the link is unusable: “file:///etc/passwd” is not an API URL"
    )]
    #[case(r#"{"chainId":"a-1","rpc":"http://me:secret@host"}"#, "a user name or password in its RPC")]
    #[case(r#"{"chainId":"a-1","lcd":"http://ho\u001bst"}"#, "the REST of the link is unusable")]
    #[case(r#"{"chainId":"a-1","rpc":"http://host/?a=b"}"#, "remove the query")]
    #[case(r#"{"chainId":"a-1","rpc":"http://host/$HOME"}"#, "remove the query")]
    #[case(r#"{"chainId":"a-1","indexer":"http://host#x=$HOME"}"#, "remove the query")]
    #[case(r#"{"chainId":"a\u202e-1","rpc":"http://host"}"#, "names no usable chain id")]
    #[case(r#"{"chainId":"","rpc":"http://host"}"#, "names no usable chain id")]
    #[case(r#"{"chainId":"a-1"}"#, "names no URL")]
    #[case(r#"{"rpc":"http://host"}"#, "missing field `chainId`")]
    #[case(r#"{"chainId": "#, "it is no JSON")]
    fn a_hostile_link_is_refused_with_the_reason(#[case] config: &str, #[case] said: &str) {
        let error = OfferedNetwork::of_link(&link(config)).expect("a link").expect_err("it is unusable").to_string();
        assert!(error.contains(said), "{error}");
        assert!(!error.contains("secret") && !error.contains('\u{1b}') && !error.contains('\u{202e}'), "{error:?}");
    }

    #[test]
    fn a_link_that_is_cut_or_too_large_is_refused() {
        let base = "https://scan.initia.xyz/custom-network/add/link";
        let error = |text: String| OfferedNetwork::of_link(&text).expect("a link").expect_err("it is unusable");
        assert_eq!(error(base.to_owned()), OfferedNetworkError::NoConfig);
        assert_eq!(error(format!("{base}?config=ey%J*")), OfferedNetworkError::NotBase64);
        assert!(matches!(error(format!("{base}?config={}", "e".repeat(5000))), OfferedNetworkError::TooLong(_)));
        assert!(matches!(
            error(LINK.get(..LINK.len() - 9).expect("its start").to_owned()),
            OfferedNetworkError::Shape(..)
        ));
    }

    #[test]
    fn a_file_of_the_registry_gives_the_first_url_of_each_interface() {
        let file = r#"{"chain_id": "yominet-1", "peers": {"seeds": []}, "apis": {"rpc": [{"address": "https://rpc.example"},
            {"address": "https://other.example"}], "grpc": [{"address": "grpc.example:443"}],
            "json-rpc": [{"address": "https://evm.example"}], "indexer": [{"address": "https://index.example"}]}}"#;
        let offered = OfferedNetwork::of_chain_file(file).expect("a network");
        let node = offered.node.expect("a node");
        assert_eq!((node.node.as_str(), node.rest), ("https://rpc.example", None));
        assert_eq!(node.json_rpc.as_deref(), Some("https://evm.example"));
        assert_eq!(offered.indexer.as_deref(), Some("https://index.example"));
        assert_eq!(OfferedNetwork::of_chain_file(r#"{"chain_id": "a-1"}"#), Err(OfferedNetworkError::NoUrl("file")));
    }
}
