//! Personal data: the user's names, notes and bookmarks, and the last view.

use rusqlite::{OptionalExtension, Transaction, params};

use super::{Store, StoreError, StoreScope, nanos};
use crate::domain::{KeptView, PersonalEntry, PersonalKind, Target, Timestamp};

impl Store {
    /// Maximum networks with a stored view; the store drops the oldest.
    pub const VIEWS: u32 = 200;

    /// Returns the user's entries on the session's network, the oldest first; skips unreadable rows. Names of accounts
    /// have a table of their own, which earlier versions read too.
    pub fn personal(&self, scope: &StoreScope) -> Result<Vec<PersonalEntry>, StoreError> {
        let read = || {
            let mut names = self
                .connection
                .prepare_cached("SELECT account, label FROM labels WHERE network = ?1 ORDER BY account")?;
            let rows = names.query_map([scope.network()], |row| Ok(named(&row.get::<_, String>(0)?, row.get(1)?)))?;
            let mut entries = rows.collect::<rusqlite::Result<Vec<_>>>()?;
            let mut others = self
                .connection
                .prepare_cached("SELECT kind, subject, text FROM personal WHERE network = ?1 ORDER BY at, subject")?;
            let rows = others.query_map([scope.network()], |row| {
                let (kind, subject): (String, String) = (row.get(0)?, row.get(1)?);
                let text: String = row.get(2)?;
                Ok(kind.parse().ok().and_then(|kind| PersonalEntry::read(kind, &subject, text)))
            })?;
            entries.extend(rows.collect::<rusqlite::Result<Vec<_>>>()?);
            Ok(entries.into_iter().flatten().collect())
        };
        read().map_err(|source| self.failed(source))
    }

    /// Stores the user's entries, all or none; an entry with an empty text is deleted. A typed name takes the place of
    /// an imported one.
    pub fn keep_personal(
        &mut self,
        scope: &StoreScope,
        entries: &[PersonalEntry],
        at: Timestamp,
    ) -> Result<(), StoreError> {
        self.transact(|transaction| entries.iter().try_for_each(|entry| keep(transaction, scope.network(), entry, at)))
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

/// Reads the row of a typed name. Its key is an account in hex, or the tagged text of another target.
fn named(key: &str, name: String) -> Option<PersonalEntry> {
    match key.parse() {
        Ok(account) => Some(PersonalEntry::new(PersonalKind::Name, Target::Account(account), name)),
        Err(_) => PersonalEntry::read(PersonalKind::Name, key, name),
    }
}

fn keep(transaction: &Transaction<'_>, network: &str, entry: &PersonalEntry, at: Timestamp) -> rusqlite::Result<()> {
    let (tagged, text) = (entry.subject.key(), &entry.text);
    let kind = match entry.kind {
        PersonalKind::Name => {
            // Versions that name only accounts skip the tagged texts.
            let key = if let Some(Target::Account(account)) = entry.target() { account.hex() } else { tagged.clone() };
            transaction.execute("DELETE FROM labels WHERE network = ?1 AND account = ?2", params![network, key])?;
            if !text.is_empty() {
                let insert = "INSERT INTO labels (network, account, label) VALUES (?1, ?2, ?3)";
                transaction.execute(insert, params![network, key, text])?;
            }
            PersonalKind::ImportedName
        }
        kind => kind,
    }
    .to_string();
    let delete = "DELETE FROM personal WHERE network = ?1 AND kind = ?2 AND subject = ?3";
    transaction.execute(delete, params![network, kind, tagged])?;
    if !text.is_empty() && entry.kind != PersonalKind::Name {
        let insert = "INSERT INTO personal (network, kind, subject, text, at) VALUES (?1, ?2, ?3, ?4, ?5)";
        transaction.execute(insert, params![network, kind, tagged, text, nanos(at)])?;
    }
    Ok(())
}
