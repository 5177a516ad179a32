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

/// Opens what another index writes there, for reading.
pub(crate) fn reader_at(path: &Path) -> Result<Index, IndexError> {
    #[cfg(feature = "postgres")]
    if let Some(index) = server::read(path) {
        return index;
    }
    Index::read_only(path)
}

/// Whether the indexes of this thread's test are on a server.
pub(crate) fn is_on_server() -> bool {
    #[cfg(feature = "postgres")]
    return server::is_on_server();
    #[cfg(not(feature = "postgres"))]
    false
}

#[cfg(feature = "postgres")]
pub(crate) use server::{open_database, over_postgres};

#[cfg(feature = "postgres")]
mod server {
    use std::{
        cell::RefCell,
        collections::HashMap,
        ops::ControlFlow,
        path::{Path, PathBuf},
        sync::{
            OnceLock,
            atomic::{AtomicUsize, Ordering},
        },
        thread,
        time::{Duration, Instant},
    };

    use rollscope::indexer::index::{Index, IndexError, IndexIdentity, PostgresUrl};

    use crate::harness::postgres::create_database;

    /// Database of all these tests: a schema is made in a tenth of the time.
    static DATABASE: OnceLock<Option<String>> = OnceLock::new();

    static SCHEMAS: AtomicUsize = AtomicUsize::new(0);

    thread_local! {
        /// Schemas of this thread's test by path; `None` while the test does not run over the server.
        static SCHEMA_OF: RefCell<Option<HashMap<PathBuf, PostgresUrl>>> = const { RefCell::new(None) };
    }

    fn empty_schema() -> Option<PostgresUrl> {
        let database = DATABASE.get_or_init(create_database).as_ref()?;
        let number = SCHEMAS.fetch_add(1, Ordering::Relaxed);
        Some(format!("{database}&schema=test_{number}").parse().expect("the server's URL is one"))
    }

    /// Runs a test with its indexes on the server that all tests share.
    pub(crate) fn over_postgres(test: fn()) {
        if empty_schema().is_none() {
            return;
        }
        SCHEMA_OF.with_borrow_mut(|schemas| *schemas = Some(HashMap::new()));
        test();
        SCHEMA_OF.with_borrow_mut(|schemas| *schemas = None);
    }

    pub(super) fn is_on_server() -> bool {
        SCHEMA_OF.with_borrow(Option::is_some)
    }

    pub(super) fn open(path: Option<&Path>, identity: &IndexIdentity) -> Option<Result<Index, IndexError>> {
        Some(open_database(&url_of(path)?, identity))
    }

    /// Opens the index of a database, once nobody else writes it.
    pub(crate) fn open_database(url: &PostgresUrl, identity: &IndexIdentity) -> Result<Index, IndexError> {
        let begun = Instant::now();
        // The index that was closed before gives its lease back on a thread of its own.
        let wait = |holder: &str| {
            assert!(begun.elapsed() < Duration::from_secs(60), "{holder} still holds the lease");
            ControlFlow::Continue(())
        };
        // The lease starts a runtime, which the thread of a test may have already.
        let opened = thread::scope(|scope| scope.spawn(|| Index::in_postgres(url, "test", identity, wait)).join());
        opened.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }

    pub(super) fn read(path: &Path) -> Option<Result<Index, IndexError>> {
        let url = url_of(Some(path))?;
        let schema = url.schema().expect("each has its own").to_owned();
        Some(Index::read_only_postgres(&url, &schema))
    }

    fn url_of(path: Option<&Path>) -> Option<PostgresUrl> {
        let made = || empty_schema().expect("the server runs");
        SCHEMA_OF.with_borrow_mut(|schemas| {
            let schemas = schemas.as_mut()?;
            Some(match path {
                Some(path) => schemas.entry(path.to_owned()).or_insert_with(made).clone(),
                None => made(),
            })
        })
    }
}
