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

/// A journal of which nothing was changed yet.
#[derive(Debug)]
pub(super) struct FoundJournal {
    journal: Journal,
    record: Option<JournalRecord>,
    /// Why it is not gone on with: the beginning of a sentence.
    refusal: Option<&'static str>,
    /// The same where it cannot be read.
    damage: Option<String>,
}

impl FoundJournal {
    fn new(journal: Journal, identity: &JournalIdentity) -> Self {
        let (record, refusal, damage) = match journal.read() {
            Ok(record) if record.as_ref().is_none_or(|record| record.identity == *identity) => (record, None, None),
            Ok(_) => (None, Some("the transfers of a rollup with other options are"), None),
            Err(error) => (None, None, Some(format!("the journal of transfers cannot be read ({error}); it is"))),
        };
        Self { journal, record, refusal, damage }
    }

    /// The journal to go on with. One that is not gone on with is put aside, which is added to `notes`.
    pub(super) fn settle(self, notes: &mut Vec<String>) -> OpenJournal {
        let Self { journal, record, refusal, damage } = self;
        if let Some(why) = damage.as_deref().or(refusal) {
            let note = match journal.put_aside() {
                Ok(aside) => format!("{why} kept in {}; transfers begin anew", aside.display()),
                Err(error) => format!("{why} lost: the journal cannot be put aside: {error}"),
            };
            say(note, notes);
        }
        (journal, record)
    }

    /// What it has, if that is of a chain that is gone on with.
    fn record(&self) -> Option<&JournalRecord> {
        self.record.as_ref()
    }

    /// Forgets what it has where that is so, for this reason.
    fn refuse_if(&mut self, is_refused: impl Fn(&JournalRecord) -> bool, why: &'static str) {
        if let Some(old) = self.record.take_if(|record| is_refused(record)) {
            tracing::info!(saved = %old.saved, "the journal is of another chain than this");
            // Nobody misses a journal in which nothing is.
            self.refusal = old.state.has_transfers().then_some(why);
        }
    }
}

/// Opens the journal, if there is to be one, and settles when the chain began. What a person should know is added to
/// `notes`.
///
/// A journal that another program has, or that cannot be used, is only told of: the rollup then runs without one. One of
/// another rollup, that is too old to be gone on with, or that cannot be read, is put aside once the rollup can start: no
/// transfer is lost, and a start that is refused changes nothing.
pub(super) fn take_up(
    options: &mut RollupOptions,
    notes: &mut Vec<String>,
) -> Result<Option<FoundJournal>, RollupError> {
    let identity = JournalIdentity::new(&options.ledger);
    let journal = journal_file(options).and_then(|path| open(&path, notes));
    let mut found = journal.map(|journal| FoundJournal::new(journal, &identity));
    if let Some(found) = found.as_mut().filter(|_| options.data.is_none() && options.clock == ClockMode::Wall) {
        found.refuse_if(
            |record| Timestamp::now().since(record.saved) >= OLDEST,
            "the rollup that ran over an hour ago is not gone on with: its transfers are",
        );
    }
    if options.genesis == Genesis::HistoryAgo {
        options.ledger.genesis_time = match found.as_ref().and_then(FoundJournal::record) {
            Some(record) if options.data.is_none() => record.genesis_time,
            _ => genesis_time(options)?,
        };
    }
    if let Some(found) = found.as_mut() {
        let genesis_time = options.ledger.genesis_time;
        found.refuse_if(
            |record| record.genesis_time != genesis_time,
            "the transfers of a rollup that began at another time are",
        );
    }
    if let Some(tip) = found.as_ref().and_then(FoundJournal::record).and_then(|record| record.tip) {
        options.history = options.history.max(tip.get());
    }
    Ok(found)
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

/// What a person should know, also for who reads the log later.
fn say(note: String, notes: &mut Vec<String>) {
    tracing::warn!("{note}");
    notes.push(note);
}

fn open(path: &Path, notes: &mut Vec<String>) -> Option<Journal> {
    match Journal::open(path) {
        Ok(Some(journal)) => Some(journal),
        Ok(None) => {
            say(format!("another program keeps the transfers in {}; none are kept here", path.display()), notes);
            None
        }
        Err(error) => {
            say(format!("{} cannot be opened: {error}; no transfers are kept", path.display()), notes);
            None
        }
    }
}
