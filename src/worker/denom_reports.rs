//! Names of tokens for the screen: what the state file kept of an earlier answer, else the node's answer.

use std::{collections::HashMap, time::Duration};

use super::{clients::Clients, store_handle::StoreHandle};
use crate::{
    domain::{Denom, Timestamp},
    wire::{
        ApiError,
        node::{DenomFact, DenomReport, DenomReports},
    },
};

/// Maximum time to wait until the store knows the session's chain.
const IDENTIFIED_WITHIN: Duration = Duration::from_millis(500);

/// Returns kept reports about these denoms if there are any, which may be fewer; else asks the node about all of them
/// and keeps its answer. Nothing is read or kept before the chain is identified.
pub(super) async fn denom_reports(
    clients: &Clients,
    store: &StoreHandle,
    denoms: &[Denom],
    since: Timestamp,
) -> Result<DenomReports, ApiError> {
    let node = clients.node_address().unwrap_or_default();
    let kept = match tokio::time::timeout(IDENTIFIED_WITHIN, store.wait_until_identified()).await {
        Ok(()) => store.denom_reports(node.clone(), denoms.to_vec(), since).await,
        Err(_) => None,
    };
    let chain = match kept {
        Some((_, kept)) if !kept.reports.is_empty() => return Ok(kept),
        Some((chain, _)) => Some(chain),
        None => None,
    };
    let found = clients.ask_node(|client| async move { client.denom_facts(denoms).await }).await?;
    let at = Timestamp::now();
    let mut claims: HashMap<Denom, _> =
        found.facts.into_iter().map(|DenomFact { denom, claim }| (denom, claim)).collect();
    let report = |denom: &Denom| DenomReport { denom: denom.clone(), claim: claims.remove(denom), at };
    let reports: Vec<DenomReport> = denoms.iter().map(report).collect();
    if let Some(chain) = chain {
        store.keep_denom_reports(chain, node.clone(), reports.clone());
    }
    Ok(DenomReports { chain_id: found.chain_id, reports })
}
