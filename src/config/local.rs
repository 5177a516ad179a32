//! The rollup that weave set up on this machine, by the files of weave and of the programs that weave configures.
//!
//! These files hold mnemonics. Only the fields below are read; no other value leaves this module, not even in an error.

use std::{io, net::IpAddr};

use serde::{Deserialize, de::DeserializeOwned};

use super::{
    NamedAccount, Network, NodeLocation, offered::is_chain_id, paths::written_path, user_file::read_user_file,
    value::parse_base_url,
};
use crate::domain::Address;

/// weave's configuration of the rollup; without it, there is no local rollup.
const ROLLUP: &str = "~/.minitia/artifacts/config.json";
const ARTIFACTS: &str = "~/.minitia/artifacts/artifacts.json";
const NODE: &str = "~/.minitia/config/config.toml";
const APP: &str = "~/.minitia/config/app.toml";
const EXECUTOR: &str = "~/.opinit/executor.json";
const RELAYER: &str = "~/.relayer/config.json";
const ROLLYTICS: &str = "~/.rollytics/.env";
/// Address at which weave publishes Rollytics.
const INDEXER: &str = "http://127.0.0.1:6767";
/// Usual address of the node's RPC.
const RPC: &str = "http://127.0.0.1:26657";

#[derive(Debug, thiserror::Error)]
pub enum LocalRollupError {
    #[error("{0} is missing: set up a rollup with weave, or name a node with --node")]
    Missing(&'static str),
    #[error("{file} is unusable: {reason}; name the node with --node")]
    Unusable { file: &'static str, reason: String },
}

/// Rollup of this machine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LocalRollup {
    pub chain_id: String,
    pub l1: Option<String>,
    pub bridge_id: Option<u64>,
    pub node: NodeLocation,
    /// Rollytics, if it is configured for this chain.
    pub indexer: Option<String>,
    /// API of the bridge executor.
    pub executor: Option<String>,
    /// Chains that the relayer serves.
    pub relayed: Vec<String>,
    /// Accounts of validator and bots, with their part.
    pub accounts: Vec<(&'static str, Address)>,
    /// Files that are missing or unusable, with the reason.
    pub absent: Vec<(&'static str, String)>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct RollupFile {
    l1_config: ChainPart,
    l2_config: ChainPart,
    system_keys: SystemKeys,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct ChainPart {
    chain_id: String,
    bridge_id: Option<u64>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct SystemKeys {
    validator: SystemAccount,
    bridge_executor: SystemAccount,
    output_submitter: SystemAccount,
    batch_submitter: SystemAccount,
    challenger: SystemAccount,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct SystemAccount {
    l1_address: String,
    l2_address: String,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct ArtifactsFile {
    #[serde(rename = "BRIDGE_ID")]
    bridge_id: String,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct NodeFile {
    rpc: Listener,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
struct AppFile {
    api: Listener,
    json_rpc: Listener,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Listener {
    #[serde(alias = "laddr")]
    address: String,
    enable: Option<bool>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct ExecutorFile {
    server: Listener,
    listen_address: String,
    l2_node: ChainPart,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct RelayerFile {
    chains: Vec<RelayedChain>,
    pairs: Vec<RelayedPair>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct RelayedChain {
    chain_id: String,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct RelayedPair {
    chain_a: RelayedChain,
    chain_b: RelayedChain,
}

impl LocalRollup {
    /// Reads the files below the home folder.
    pub fn read() -> Result<Self, LocalRollupError> {
        let file = match read_text(ROLLUP) {
            Ok(text) => json::<RollupFile>(&text),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(LocalRollupError::Missing(ROLLUP)),
            Err(error) => Err(error.to_string()),
        };
        let file = file.map_err(|reason| LocalRollupError::Unusable { file: ROLLUP, reason })?;
        if !is_chain_id(&file.l2_config.chain_id) {
            let reason = "it names no chain id in l2_config".to_owned();
            return Err(LocalRollupError::Unusable { file: ROLLUP, reason });
        }
        let mut absent = Vec::new();
        let artifacts: ArtifactsFile = part(ARTIFACTS, json, &mut absent);
        let node: NodeFile = part(NODE, toml, &mut absent);
        let app: AppFile = part(APP, toml, &mut absent);
        let executor: ExecutorFile = part(EXECUTOR, json, &mut absent);
        let relayer: RelayerFile = part(RELAYER, json, &mut absent);
        let indexed = part(ROLLYTICS, |text| Ok(indexed_chain(text)), &mut absent);
        let chain_id = file.l2_config.chain_id;
        let of_executor = [executor.server.address, executor.listen_address];
        let is_executors = executor.l2_node.chain_id == chain_id;
        let SystemKeys { validator, bridge_executor, output_submitter, batch_submitter, challenger } = file.system_keys;
        let accounts = [
            ("validator", validator),
            ("bridge executor", bridge_executor),
            ("output submitter", output_submitter),
            ("batch submitter", batch_submitter),
            ("challenger", challenger),
        ];
        let address = |account: &SystemAccount| account.l2_address.parse().or_else(|_| account.l1_address.parse()).ok();
        let pairs = relayer.pairs.into_iter().flat_map(|pair| [pair.chain_a, pair.chain_b]);
        let chains = relayer.chains.into_iter().chain(pairs).map(|chain| chain.chain_id);
        Ok(Self {
            l1: Some(file.l1_config.chain_id).filter(|l1| is_chain_id(l1)),
            bridge_id: file.l2_config.bridge_id.or_else(|| artifacts.bridge_id.parse().ok()),
            node: NodeLocation {
                node: node.rpc.url().unwrap_or_else(|| RPC.to_owned()),
                rest: app.api.url(),
                json_rpc: app.json_rpc.url(),
                others: Vec::new(),
            },
            indexer: (indexed == chain_id).then(|| INDEXER.to_owned()),
            executor: of_executor.iter().filter(|_| is_executors).find_map(|address| url_of(address)),
            relayed: chains.filter(|chain| is_chain_id(chain)).collect(),
            accounts: accounts.iter().filter_map(|(name, account)| Some((*name, address(account)?))).collect(),
            chain_id,
            absent,
        })
    }

    /// Returns the network; its indexer is left out unless `with_indexer`.
    pub fn network(&self, with_indexer: bool) -> Network {
        let accounts = self.accounts.iter();
        let accounts =
            accounts.map(|(name, address)| NamedAccount { address: *address, name: (*name).to_owned(), role: None });
        Network {
            name: "local".to_owned(),
            chain_id: Some(self.chain_id.clone()),
            l1: self.l1.clone(),
            bridge_id: self.bridge_id,
            indexer: self.indexer.clone().filter(|_| with_indexer).unwrap_or_default(),
            node: Some(self.node.clone()),
            executor: self.executor.clone(),
            accounts: accounts.collect(),
            ..Network::default()
        }
    }
}

impl Listener {
    fn url(&self) -> Option<String> {
        if self.enable == Some(false) { None } else { url_of(&self.address) }
    }
}

/// Returns the URL of a listen address such as `tcp://0.0.0.0:26657`, from this machine.
fn url_of(address: &str) -> Option<String> {
    let address = address.split_once("://").map_or(address, |(_, rest)| rest);
    let (host, port) = address.rsplit_once(':')?;
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    let is_any = host.is_empty() || bare.parse::<IpAddr>().is_ok_and(|address| address.is_unspecified());
    let is_host = host.chars().all(|sign| sign.is_ascii_alphanumeric() || matches!(sign, '.' | '-' | ':' | '[' | ']'));
    let port: u16 = port.parse().ok().filter(|port| *port != 0 && is_host)?;
    let host = if is_any { "127.0.0.1" } else { host };
    parse_base_url(&format!("http://{host}:{port}")).ok()
}

fn read_text(file: &str) -> io::Result<String> {
    read_user_file(&written_path(file, None))
}

/// Reads a file that may be absent; notes why it gives nothing.
fn part<T: Default>(
    file: &'static str,
    parse: impl FnOnce(&str) -> Result<T, String>,
    absent: &mut Vec<(&'static str, String)>,
) -> T {
    let read = read_text(file).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => "missing".to_owned(),
        _ => error.to_string(),
    });
    read.and_then(|text| parse(&text)).unwrap_or_else(|reason| {
        absent.push((file, reason));
        T::default()
    })
}

/// Parses JSON. The error has the place alone: serde's own sentence repeats values.
fn json<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    serde_json::from_str(text).map_err(|error| format!("line {}, column {}", error.line(), error.column()))
}

fn toml<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    toml::from_str(text).map_err(|error| match error.span() {
        Some(span) => {
            let line = text.get(..span.start).unwrap_or_default().lines().count().max(1);
            format!("line {line}")
        }
        None => "not as expected".to_owned(),
    })
}

/// Returns the chain of Rollytics' environment file; empty without one.
fn indexed_chain(text: &str) -> String {
    let chain = text.lines().find_map(|line| line.trim().strip_prefix("CHAIN_ID="));
    chain.map(|chain| chain.trim().trim_matches('"').to_owned()).unwrap_or_default()
}
