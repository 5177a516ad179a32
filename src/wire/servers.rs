//! What the servers of a network answer, when they are examined before they are used.

use std::fmt;

use serde::Serialize;

/// URLs of a network's servers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ServerUrls {
    pub indexer: Option<String>,
    /// URL of any interface of the node.
    pub node: Option<String>,
    pub rest: Option<String>,
    pub json_rpc: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ServerInterface {
    Indexer,
    Rpc,
    Rest,
    JsonRpc,
    Router,
    /// REST of the L1 on which the rollup settles.
    L1,
}

impl fmt::Display for ServerInterface {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl ServerInterface {
    pub fn name(self) -> &'static str {
        match self {
            Self::Indexer => "indexer",
            Self::Rpc => "RPC",
            Self::Rest => "REST",
            Self::JsonRpc => "JSON-RPC",
            Self::Router => "router",
            Self::L1 => "L1",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ServerAnswer {
    /// Hostile text: clean it before display.
    pub chain_id: String,
    /// Height of the newest block.
    pub height: u64,
    pub milliseconds: u64,
}

/// Result of examining one interface: its answer, or a sentence on its failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerReport {
    pub interface: ServerInterface,
    pub url: String,
    pub result: Result<ServerAnswer, String>,
}

/// Results of examining a network's servers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ServerReports {
    pub reports: Vec<ServerReport>,
    /// Sentence on an indexer and a node that serve different chains.
    pub conflict: Option<String>,
}

impl ServerReports {
    /// Returns the chain id that all servers gave; else a sentence on the first failure.
    pub fn chain_id(&self) -> Result<&str, String> {
        let mut chain_id = None;
        for report in &self.reports {
            let answer = report.result.as_ref().map_err(|failure| format!("{}: {failure}", report.interface))?;
            if chain_id.is_some_and(|chain_id| chain_id != answer.chain_id) {
                return Err(format!("the {} serves another chain than the others", report.interface));
            }
            chain_id = Some(answer.chain_id.as_str());
        }
        match &self.conflict {
            Some(conflict) => Err(conflict.clone()),
            None => chain_id.ok_or_else(|| "no server was named".to_owned()),
        }
    }
}
