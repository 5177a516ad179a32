//! Where a test keeps its index: in memory or a file, and in PostgreSQL when the same test runs over it.

use std::path::Path;

use rollscope::indexer::index::{Index, IndexError, IndexIdentity};

/// Transactions that an index in memory keeps.
const KEPT: u64 = 20_000;

/// Opens an empty index.
pub(crate) fn empty_index(identity: &IndexIdentity) -> Index {
    #[cfg(feature = "postgres")]
    if let Some(index) = server::open(None, identity) {
        return index.expect("the server makes a schema");
    }
    Index::in_memory(identity, KEPT).expect("memory can be had")
}

/// Opens the index of this file, or the one of its name on the server.
pub(crate) fn index_at(path: &Path, identity: &IndexIdentity) -> Result<Index, IndexError> {
    #[cfg(feature = "postgres")]
    if let Some(index) = server::open(Some(path), identity) {
        return index;
    }
    Index::in_file(path, identity)
}

/// Whether the indexes of this thread's test are on a server.
pub(crate) fn is_on_server() -> bool {
    #[cfg(feature = "postgres")]
    return server::is_on_server();
    #[cfg(not(feature = "postgres"))]
    false
}

#[cfg(feature = "postgres")]
pub(crate) use server::over_postgres;

#[cfg(feature = "postgres")]
mod server {
    use std::{
        cell::RefCell,
        collections::HashMap,
        path::{Path, PathBuf},
    };

    use rollscope::indexer::index::{Index, IndexError, IndexIdentity, PostgresUrl};

    use crate::harness::postgres::create_database;

    thread_local! {
        /// Databases of this thread's test by path; `None` while the test does not run over the server.
        static DATABASES: RefCell<Option<HashMap<PathBuf, String>>> = const { RefCell::new(None) };
    }

    /// Runs a test with its indexes on the server that all tests share.
    pub(crate) fn over_postgres(test: fn()) {
        if create_database().is_none() {
            return;
        }
        DATABASES.with_borrow_mut(|databases| *databases = Some(HashMap::new()));
        test();
        DATABASES.with_borrow_mut(|databases| *databases = None);
    }

    pub(super) fn is_on_server() -> bool {
        DATABASES.with_borrow(Option::is_some)
    }

    pub(super) fn open(path: Option<&Path>, identity: &IndexIdentity) -> Option<Result<Index, IndexError>> {
        let url = DATABASES.with_borrow_mut(|databases| {
            let databases = databases.as_mut()?;
            let made = || create_database().expect("the server runs");
            Some(match path {
                Some(path) => databases.entry(path.to_owned()).or_insert_with(made).clone(),
                None => made(),
            })
        })?;
        let url: PostgresUrl = url.parse().expect("the server's URL is one");
        Some(Index::in_postgres(&url, "test", identity))
    }
}
