//! Facts of a transaction that its indexer and its node tell differently.

use std::fmt;

use crate::{domain::text::group, wire::Tx};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FactDispute {
    name: &'static str,
    by_indexer: String,
    by_node: String,
}

impl FactDispute {
    /// Compares two records of one transaction. Nodes cut times to seconds.
    pub fn between(of_indexer: &Tx, of_node: &Tx) -> Vec<Self> {
        let facts = |tx: &Tx| {
            [
                ("result code", tx.code.to_string()),
                ("gas used", group(tx.gas_used)),
                ("block", group(tx.height.get())),
                ("time", tx.timestamp.cut_to_seconds().to_string()),
            ]
        };
        let pairs = facts(of_indexer).into_iter().zip(facts(of_node));
        let disputes = pairs.filter(|((_, by_indexer), (_, by_node))| by_indexer != by_node);
        disputes.map(|((name, by_indexer), (_, by_node))| Self { name, by_indexer, by_node }).collect()
    }
}

impl fmt::Display for FactDispute {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, by_indexer, by_node } = self;
        write!(formatter, "{name}: {by_indexer} by the indexer, {by_node} by the node")
    }
}
