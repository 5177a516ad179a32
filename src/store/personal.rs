//! Personal data: the user's names of accounts, and the last view.

use rusqlite::{OptionalExtension, params};

use super::{Store, StoreError, StoreScope, nanos};
use crate::domain::{Address, KeptView, Timestamp};

impl Store {
    /// Maximum networks with a stored view; the store drops the oldest.
    pub const VIEWS: u32 = 200;

    /// Returns the user's account names on the session's network; skips unreadable rows.
    pub fn labels(&self, scope: &StoreScope) -> Result<Vec<(Address, String)>, StoreError> {
        let read = || {
            let mut select = self
                .connection
                .prepare_cached("SELECT account, label FROM labels WHERE network = ?1 ORDER BY account")?;
            let rows = select.query_map([scope.network()], |row| Ok((row.get::<_, String>(0)?, row.get(1)?)))?;
            let labels = rows.collect::<rusqlite::Result<Vec<(String, String)>>>()?;
            Ok(labels.into_iter().filter_map(|(account, label)| Some((account.parse().ok()?, label))).collect())
        };
        read().map_err(|source| self.failed(source))
    }

    /// Stores the user's name of an account; an empty name removes it.
    pub fn label(&mut self, scope: &StoreScope, account: Address, label: &str) -> Result<(), StoreError> {
        let (network, account) = (scope.network(), account.hex());
        let written = if label.is_empty() {
            self.connection.execute("DELETE FROM labels WHERE network = ?1 AND account = ?2", params![network, account])
        } else {
            self.connection.execute(
                "REPLACE INTO labels (network, account, label) VALUES (?1, ?2, ?3)",
                params![network, account, label],
            )
        };
        written.map(drop).map_err(|source| self.failed(source))
    }

    /// Returns the last view on this network.
    pub fn view(&self, scope: &StoreScope) -> Result<Option<KeptView>, StoreError> {
        let read = || {
            self.connection
                .prepare_cached("SELECT tab, page FROM views WHERE network = ?1")?
                .query_row([scope.network()], |row| Ok(KeptView { tab: row.get(0)?, of: row.get(1)? }))
                .optional()
        };
        read().map_err(|source| self.failed(source))
    }

    /// Stores the current view. Drops the page's subject if it is longer than [`Store::RECENT_BYTES`].
    pub fn keep_view(&mut self, scope: &StoreScope, view: &KeptView, at: Timestamp) -> Result<(), StoreError> {
        let of = view.of.as_ref().filter(|of| of.len() <= Self::RECENT_BYTES);
        let write = || {
            self.connection.execute(
                "REPLACE INTO views (network, tab, page, at) VALUES (?1, ?2, ?3, ?4)",
                params![scope.network(), view.tab, of, nanos(at)],
            )?;
            self.connection.execute(
                "DELETE FROM views WHERE network NOT IN (SELECT network FROM views ORDER BY at DESC LIMIT ?1)",
                [Self::VIEWS],
            )
        };
        write().map(drop).map_err(|source| self.failed(source))
    }
}
