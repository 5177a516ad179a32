//! What a rollup takes up again from the journal of an earlier run.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use super::{
    ClockMode, Genesis, RollupError, RollupOptions, genesis_time,
    router::journal::{Journal, JournalIdentity, JournalRecord},
};
use crate::{domain::Timestamp, files::beside, indexer::index::Index};

/// A rollup in memory whose journal is older than this begins anew: making all blocks since then would take too long.
const OLDEST: Duration = Duration::from_secs(3_600);

/// A journal with what it had of this rollup.
type OpenJournal = (Journal, Option<JournalRecord>);

/// Opens the journal, if there is to be one, and settles when the chain began. What a person should know is added to
/// `notes`.
///
/// A journal that another program has, or that cannot be used, is only told of: the rollup then runs without one. One of
/// another rollup, or that cannot be read, is put aside: no transfer is lost.
pub(super) fn take_up(
    options: &mut RollupOptions,
    notes: &mut Vec<String>,
) -> Result<Option<OpenJournal>, RollupError> {
    let journal = journal_file(options).and_then(|path| open(&path, notes));
    let identity = JournalIdentity::new(&options.ledger);
    let mut record = journal.as_ref().and_then(|journal| read(journal, &identity, notes));
    let is_young = |record: &JournalRecord| {
        options.data.is_some() || options.clock == ClockMode::Stepped || Timestamp::now().since(record.saved) < OLDEST
    };
    record = record.filter(is_young);
    if options.genesis == Genesis::HistoryAgo {
        options.ledger.genesis_time = match &record {
            Some(record) if options.data.is_none() => record.genesis_time,
            _ => genesis_time(options)?,
        };
    }
    if record.as_ref().is_some_and(|record| record.genesis_time != options.ledger.genesis_time) {
        record = None;
        if let Some(journal) = &journal {
            put_aside(journal, "the transfers of a rollup that began at another time were", notes);
        }
    }
    if let Some(tip) = record.as_ref().and_then(|record| record.tip) {
        options.history = options.history.max(tip.get());
    }
    Ok(journal.map(|journal| (journal, record)))
}

/// Gives an index in memory what the rollup took before, so that the same blocks are made again.
pub(super) fn replay(record: &JournalRecord, index: &Index) -> Result<(), RollupError> {
    for (height, external) in record.state.accepted() {
        index.keep_external(*height, external)?;
    }
    Ok(())
}

fn journal_file(options: &RollupOptions) -> Option<PathBuf> {
    options.journal.clone().or_else(|| options.data.as_deref().map(|data| beside(data, ".router.json")))
}

/// What the journal has of the rollup with this identity.
fn read(journal: &Journal, identity: &JournalIdentity, notes: &mut Vec<String>) -> Option<JournalRecord> {
    let why = match journal.read() {
        Ok(record) if record.as_ref().is_none_or(|record| record.identity == *identity) => return record,
        Ok(_) => "the transfers of a rollup with other options are".to_owned(),
        Err(error) => format!("the journal of transfers cannot be read ({error}); it is"),
    };
    put_aside(journal, &why, notes);
    None
}

/// Keeps the journal beside, and says so after `why`.
fn put_aside(journal: &Journal, why: &str, notes: &mut Vec<String>) {
    notes.push(match journal.put_aside() {
        Ok(aside) => format!("{why} kept in {}; transfers begin anew", aside.display()),
        Err(error) => format!("{why} lost: the journal cannot be put aside: {error}"),
    });
}

fn open(path: &Path, notes: &mut Vec<String>) -> Option<Journal> {
    match Journal::open(path) {
        Ok(Some(journal)) => Some(journal),
        Ok(None) => {
            notes.push(format!("another program keeps the transfers in {}; none are kept here", path.display()));
            None
        }
        Err(error) => {
            notes.push(format!("{} cannot be opened: {error}; no transfers are kept", path.display()));
            None
        }
    }
}
