//! What a rollup takes up again from the journal of an earlier run.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use super::{
    ClockMode, Genesis, RollupError, RollupOptions, genesis_time,
    router::journal::{Journal, JournalIdentity, JournalRecord, beside},
};
use crate::{domain::Timestamp, indexer::index::Index};

/// A rollup in memory whose journal is older than this begins anew: making all blocks since then would take too long.
const OLDEST: Duration = Duration::from_secs(3_600);

/// Opens the journal, if there is to be one, and settles when the chain began.
///
/// A journal that another program has, or that cannot be used, is only warned of: the rollup then runs without one.
pub(super) fn take_up(options: &mut RollupOptions) -> Result<Option<(Journal, Option<JournalRecord>)>, RollupError> {
    let journal = journal_file(options).and_then(|path| open(&path));
    let mut record = journal.as_ref().and_then(Journal::read);
    let identity = JournalIdentity::new(&options.ledger, options.time_scale);
    let is_young = |record: &JournalRecord| {
        options.data.is_some() || options.clock == ClockMode::Stepped || Timestamp::now().since(record.saved) < OLDEST
    };
    record = record.filter(|record| record.identity == identity && is_young(record));
    if options.genesis == Genesis::HistoryAgo {
        options.ledger.genesis_time = match &record {
            Some(record) if options.data.is_none() => record.genesis_time,
            _ => genesis_time(options)?,
        };
    }
    let record = record.filter(|record| record.genesis_time == options.ledger.genesis_time);
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

fn open(path: &Path) -> Option<Journal> {
    match Journal::open(path) {
        Ok(Some(journal)) => Some(journal),
        Ok(None) => {
            tracing::warn!(path = %path.display(), "another program keeps this journal: transfers are not kept");
            None
        }
        Err(error) => {
            tracing::warn!(%error, path = %path.display(), "the journal cannot be opened: transfers are not kept");
            None
        }
    }
}
