//! Keys of a session's rows: the network's name or address until the session knows its chain.

use rusqlite::{Connection, OptionalExtension, Transaction, params};

use crate::domain::ChainId;

/// Prefix of chain keys. Neither network names nor addresses contain a space.
const CHAIN: &str = "chain ";

/// Network and chain to which a session's rows belong. Clones are independent sessions.
#[derive(Clone, Debug)]
pub struct StoreScope {
    network: String,
    pub(super) chain: KnownChain,
}

/// A session's knowledge about the chain at the network's address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KnownChain {
    /// Not yet identified: the last stored chain may still answer at this address.
    Nothing,
    Chain(i64),
    /// The chain is neither the stored chain with this number nor another stored chain.
    NotChain(Option<i64>),
}

pub(super) struct Keys {
    /// Keys of the present chain; writes use the first key.
    pub(super) here: Vec<String>,
    /// Keys of earlier chains with their chain ids, latest chain first.
    pub(super) gone: Vec<(String, ChainId)>,
}

impl StoreScope {
    /// Creates the scope of a network from its name, or from its indexer's address if unnamed. Its chain is unknown at
    /// first.
    pub fn new(network: impl Into<String>) -> Self {
        Self { network: network.into(), chain: KnownChain::Nothing }
    }

    /// Records that another chain answers. Until the store identifies the chain, rows use the network's name and
    /// exclude rows of the former chain.
    pub fn part(&mut self) {
        self.chain = match self.chain {
            KnownChain::Chain(chain) => KnownChain::NotChain(Some(chain)),
            KnownChain::Nothing | KnownChain::NotChain(_) => KnownChain::NotChain(None),
        };
    }

    /// Switches to another store, which numbers chains differently.
    pub fn change_store(&mut self) {
        if let KnownChain::Chain(_) | KnownChain::NotChain(Some(_)) = self.chain {
            self.chain = KnownChain::NotChain(None);
        }
    }

    pub(super) fn network(&self) -> &str {
        &self.network
    }

    /// Whether the network has only an address and no name.
    pub(super) fn is_unnamed(&self) -> bool {
        self.network.contains("://")
    }

    /// Returns the last chain at this address, in this session or an earlier session.
    pub(super) fn last_chain(&self, connection: &Connection) -> rusqlite::Result<Option<i64>> {
        match self.chain {
            KnownChain::Chain(chain) => Ok(Some(chain).filter(|chain| exists(connection, *chain).unwrap_or(false))),
            KnownChain::NotChain(_) => Ok(None),
            KnownChain::Nothing => connection
                .prepare_cached("SELECT chain FROM network_chains WHERE network = ?1 ORDER BY seen DESC LIMIT 1")?
                .query_row([&self.network], |row| row.get(0))
                .optional(),
        }
    }

    /// Returns the key under which the session writes rows.
    pub(super) fn write_key(&self, connection: &Connection) -> rusqlite::Result<String> {
        let known = if let KnownChain::Chain(_) = self.chain { self.last_chain(connection)? } else { None };
        Ok(known.map_or_else(|| self.network.clone(), key))
    }

    /// Returns the key under which the session writes outcomes: the last known chain's, even before the chain is
    /// confirmed.
    pub(super) fn outcome_key(&self, connection: &Connection) -> rusqlite::Result<String> {
        Ok(self.last_chain(connection)?.map_or_else(|| self.network.clone(), key))
    }

    pub(super) fn keys(&self, connection: &Connection) -> rusqlite::Result<Keys> {
        let last = self.last_chain(connection)?;
        let is_identified = last.is_some() && matches!(self.chain, KnownChain::Chain(_));
        let mut here = vec![self.network.clone()];
        if let Some(last) = last {
            here.insert(usize::from(!is_identified), key(last));
        }
        let mut gone: Vec<(String, ChainId)> = connection
            .prepare_cached(
                "SELECT chains.id, chains.chain_id FROM network_chains JOIN chains ON chains.id = network_chains.chain
                    WHERE network = ?1 ORDER BY network_chains.seen DESC",
            )?
            .query_map([&self.network], |row| Ok((row.get(0)?, row.get::<_, String>(1)?)))?
            .filter(|chain: &rusqlite::Result<(i64, String)>| !chain.as_ref().is_ok_and(|(id, _)| Some(*id) == last))
            .map(|chain| chain.map(|(id, chain_id)| (key(id), ChainId::new(chain_id))))
            .collect::<rusqlite::Result<_>>()?;
        if let Some(last) = last.filter(|_| is_identified) {
            // Rows left under the name are older than this chain's first block.
            here.truncate(1);
            gone.push((self.network.clone(), chain_id(connection, last)?));
        }
        Ok(Keys { here, gone })
    }
}

pub(super) fn key(chain: i64) -> String {
    format!("{CHAIN}{chain}")
}

fn exists(connection: &Connection, chain: i64) -> rusqlite::Result<bool> {
    connection.prepare_cached("SELECT 1 FROM chains WHERE id = ?1")?.exists([chain])
}

pub(super) fn chain_id(connection: &Connection, chain: i64) -> rusqlite::Result<ChainId> {
    connection.query_row("SELECT chain_id FROM chains WHERE id = ?1", [chain], |row| {
        row.get::<_, String>(0).map(ChainId::new)
    })
}

/// Moves recents from `since` on to another key; of two duplicates, the newer time stays.
pub(super) fn move_recents(transaction: &Transaction<'_>, from: &str, to: &str, since: i64) -> rusqlite::Result<()> {
    transaction.execute(
        "INSERT INTO recents (network, text, at) SELECT ?2, text, at FROM recents WHERE network = ?1 AND at >= ?3
            ON CONFLICT (network, text) DO UPDATE SET at = max(at, excluded.at)",
        params![from, to, since],
    )?;
    transaction.execute("DELETE FROM recents WHERE network = ?1 AND at >= ?2", params![from, since]).map(drop)
}
