//! Identification of chains by their blocks: finds the stored chain of a session, and moves rows stored under other
//! names.

use std::collections::BTreeMap;

use rusqlite::{Connection, Transaction, TransactionBehavior, params};

use super::{
    Store, StoreError,
    accepted::move_accepted,
    denom_reports::move_denom_reports,
    nanos,
    outcomes::move_outcomes,
    scope::{KnownChain, StoreScope, key, move_recents},
    transfers::{move_transfers, read_transfers},
};
use crate::{
    domain::{Anchor, Anchors, ChainId, ChainSighting, Height, Kinship, Timestamp, TransferRecord},
    wire::router::Route,
};

/// Key under which earlier versions stored rows of all unnamed networks.
const CUSTOM: &str = "custom";
/// Maximum stored chains per network name or address.
const CHAINS: u32 = 20;
/// Maximum stored network names and addresses without rows.
const NETWORKS: u32 = 500;
/// Maximum heights to compare at once.
const WANTED: usize = 6;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Identified {
    /// Whether recents and transfers of the session differ from those that it read before.
    pub is_news: bool,
    /// Heights of stored chains with this id that could not be compared: their blocks would decide.
    pub wanted: Vec<Height>,
}

impl Store {
    /// Finds the stored chain of the session's network by a common block, or creates a chain. Moves rows under the
    /// network's name to the chain, unless they are older than its first block; moves transfers of unnamed networks
    /// that touch this chain id too. Merges chains that prove equal.
    pub fn identify(
        &mut self,
        scope: &mut StoreScope,
        sighting: &ChainSighting,
        now: Timestamp,
    ) -> Result<Identified, StoreError> {
        let work = |connection: &mut Connection| {
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let found = identify(&transaction, scope, sighting, now)?;
            transaction.commit()?;
            Ok(found)
        };
        match work(&mut self.connection) {
            Ok(Some((chain, identified))) => {
                scope.chain = KnownChain::Chain(chain);
                Ok(identified)
            }
            Ok(None) => Ok(Identified::default()),
            Err(source) => Err(self.failed(source)),
        }
    }
}

/// Returns the chain's number and the changes; `None` if the session has just left this chain, so that the sighting is
/// outdated.
fn identify(
    transaction: &Transaction<'_>,
    scope: &StoreScope,
    sighting: &ChainSighting,
    now: Timestamp,
) -> rusqlite::Result<Option<(i64, Identified)>> {
    let before = scope.last_chain(transaction)?;
    let (mut same, mut open) = (Vec::new(), Vec::new());
    for (chain, anchors) in kept_chains(transaction, &sighting.chain_id)? {
        match anchors.compare(&sighting.anchors) {
            Kinship::Same => same.push(chain),
            Kinship::Unproven if scope.chain == KnownChain::Chain(chain) => same.push(chain),
            Kinship::Unproven => open.push(anchors),
            Kinship::Different(_) => {}
        }
    }
    if let KnownChain::NotChain(Some(parted)) = scope.chain
        && same.contains(&parted)
    {
        return Ok(None);
    }
    let is_new = same.is_empty();
    let chain = match same.first() {
        Some(first) => *first,
        None => insert(transaction, &sighting.chain_id)?,
    };
    for other in same.iter().skip(1) {
        merge(transaction, *other, chain)?;
    }
    keep_anchors(transaction, chain, &sighting.anchors)?;
    link(transaction, scope.network(), chain, now)?;
    let since = sighting.anchors.get(Height::FIRST).map_or(i64::MIN, |first| nanos(first.at));
    claim(transaction, scope.network(), &key(chain), since)?;
    let claimed = if scope.is_unnamed() { claim_custom(transaction, sighting, &key(chain), since)? } else { 0 };
    prune(transaction, scope.network())?;
    let is_first = is_new && before.is_none() && !has_rows(transaction, scope.network())?;
    let is_news = before != Some(chain) && !is_first || same.len() > 1 || claimed > 0;
    let tip = sighting.anchors.newest().map(|newest| newest.height);
    let wanted = if is_new { to_compare(&open, tip) } else { Vec::new() };
    Ok(Some((chain, Identified { is_news, wanted })))
}

/// Returns two heights of each chain that could not be compared: the lowest, which most servers have, and the newest,
/// which pruned servers have.
fn to_compare(open: &[Anchors], tip: Option<Height>) -> Vec<Height> {
    let reached = |anchor: &&Anchor| tip.is_some_and(|tip| anchor.height <= tip);
    let mut wanted: Vec<Height> = open
        .iter()
        .flat_map(|anchors| [anchors.iter().find(reached), anchors.iter().rev().find(reached)])
        .flatten()
        .map(|anchor| anchor.height)
        .collect();
    wanted.sort_unstable();
    wanted.dedup();
    wanted.truncate(WANTED);
    wanted
}

fn kept_chains(transaction: &Transaction<'_>, chain_id: &ChainId) -> rusqlite::Result<BTreeMap<i64, Anchors>> {
    let mut chains: BTreeMap<i64, Anchors> = transaction
        .prepare_cached("SELECT id FROM chains WHERE chain_id = ?1")?
        .query_map([chain_id.as_str()], |row| Ok((row.get(0)?, Anchors::default())))?
        .collect::<rusqlite::Result<_>>()?;
    for (chain, anchors) in &mut chains {
        *anchors = kept_anchors(transaction, *chain)?;
    }
    Ok(chains)
}

fn kept_anchors(transaction: &Transaction<'_>, chain: i64) -> rusqlite::Result<Anchors> {
    let mut select = transaction.prepare_cached("SELECT height, hash, at FROM anchors WHERE chain = ?1")?;
    let rows = select.query_map([chain], |row| {
        let (height, hash, at): (i64, String, i64) = (row.get(0)?, row.get(1)?, row.get(2)?);
        let height = u64::try_from(height).ok().and_then(Height::new);
        let at = Timestamp::from_nanos(at.into());
        Ok(height.zip(hash.parse().ok()).map(|(height, hash)| Anchor { height, hash, at }))
    })?;
    // An unreadable row proves nothing.
    Ok(rows.filter_map(Result::ok).flatten().collect())
}

fn insert(transaction: &Transaction<'_>, chain_id: &ChainId) -> rusqlite::Result<i64> {
    transaction.execute("INSERT INTO chains (chain_id) VALUES (?1)", [chain_id.as_str()])?;
    Ok(transaction.last_insert_rowid())
}

/// Moves all rows of a chain to an equal chain.
fn merge(transaction: &Transaction<'_>, from: i64, to: i64) -> rusqlite::Result<()> {
    claim(transaction, &key(from), &key(to), i64::MIN)?;
    move_denom_reports(transaction, &key(from), &key(to))?;
    transaction.execute(
        "INSERT INTO network_chains (network, chain, seen) SELECT network, ?2, seen FROM network_chains WHERE chain = ?1
            ON CONFLICT (network, chain) DO UPDATE SET seen = max(seen, excluded.seen)",
        params![from, to],
    )?;
    transaction.execute(
        "INSERT OR IGNORE INTO anchors (chain, height, hash, at) SELECT ?2, height, hash, at FROM anchors WHERE chain = ?1",
        params![from, to],
    )?;
    transaction.execute("DELETE FROM chains WHERE id = ?1", [from]).map(drop)
}

/// Stores blocks of a chain; keeps the lowest, the newest and some between them.
fn keep_anchors(transaction: &Transaction<'_>, chain: i64, seen: &Anchors) -> rusqlite::Result<()> {
    let mut all = kept_anchors(transaction, chain)?;
    seen.iter().for_each(|anchor| all.insert(*anchor));
    transaction.execute("DELETE FROM anchors WHERE chain = ?1", [chain])?;
    let mut insert =
        transaction.prepare_cached("INSERT INTO anchors (chain, height, hash, at) VALUES (?1, ?2, ?3, ?4)")?;
    for anchor in all.iter() {
        // No existing chain has heights beyond SQLite's integers.
        let Ok(height) = i64::try_from(anchor.height.get()) else { continue };
        insert.execute(params![chain, height, anchor.hash.to_string(), nanos(anchor.at)])?;
    }
    Ok(())
}

fn link(transaction: &Transaction<'_>, network: &str, chain: i64, now: Timestamp) -> rusqlite::Result<()> {
    transaction
        .execute(
            "REPLACE INTO network_chains (network, chain, seen) VALUES (?1, ?2, ?3)",
            params![network, chain, nanos(now)],
        )
        .map(drop)
}

fn claim(transaction: &Transaction<'_>, from: &str, to: &str, since: i64) -> rusqlite::Result<()> {
    move_recents(transaction, from, to, since)?;
    move_outcomes(transaction, from, to, since)?;
    move_accepted(transaction, from, to, since)?;
    move_transfers(transaction, from, to, |record| nanos(record.created) >= since).map(drop)
}

/// Moves transfers of unnamed networks that touch this chain id to the chain. Recents stay, because they name no chain.
fn claim_custom(
    transaction: &Transaction<'_>,
    sighting: &ChainSighting,
    to: &str,
    since: i64,
) -> rusqlite::Result<usize> {
    move_transfers(transaction, CUSTOM, to, |record| {
        nanos(record.created) >= since && touches(record, &sighting.chain_id)
    })
}

fn touches(record: &TransferRecord, chain_id: &ChainId) -> bool {
    let route: Option<Route> = record.route.as_deref().and_then(|route| serde_json::from_str(route).ok());
    let ends = route.iter().flat_map(|route| {
        [&route.source_asset_chain_id, &route.dest_asset_chain_id].into_iter().chain(&route.required_chain_addresses)
    });
    record.txs.iter().map(|tx| &tx.chain_id).chain(ends).any(|chain| chain == chain_id)
}

fn has_rows(transaction: &Transaction<'_>, key: &str) -> rusqlite::Result<bool> {
    read_transfers(transaction, key).map(|records| !records.is_empty())
}

/// Limits the file: drops the oldest chains of a name that has too many, and network addresses without rows.
fn prune(transaction: &Transaction<'_>, network: &str) -> rusqlite::Result<()> {
    transaction.execute(
        "DELETE FROM network_chains WHERE network = ?1 AND chain NOT IN
            (SELECT chain FROM network_chains WHERE network = ?1 ORDER BY seen DESC LIMIT ?2)",
        params![network, CHAINS],
    )?;
    transaction.execute(
        "DELETE FROM network_chains WHERE seen < coalesce(
                (SELECT seen FROM network_chains ORDER BY seen DESC LIMIT 1 OFFSET ?1), -9223372036854775808)
            AND NOT EXISTS (SELECT 1 FROM transfers WHERE transfers.network = 'chain ' || network_chains.chain)",
        [NETWORKS],
    )?;
    for table in ["transfers", "recents", "accepted_contracts", "denom_reports"] {
        transaction.execute(
            &format!(
                "DELETE FROM {table} WHERE network IN
                    (SELECT 'chain ' || id FROM chains WHERE id NOT IN (SELECT chain FROM network_chains))"
            ),
            [],
        )?;
    }
    transaction.execute("DELETE FROM chains WHERE id NOT IN (SELECT chain FROM network_chains)", []).map(drop)
}
