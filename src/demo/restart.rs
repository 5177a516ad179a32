//! Restarts a rollup with the journal of an earlier run.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use super::{
    ClockMode, Genesis, RollupError, RollupOptions,
    ledger::GENESIS_TIME,
    router::journal::{Journal, JournalIdentity, JournalRecord},
};
use crate::{domain::Timestamp, files::beside, indexer::index::Index};

/// Maximum age of a journal for an in-memory rollup. Replaying an older journal would take too long.
const OLDEST: Duration = Duration::from_secs(3_600);

type OpenJournal = (Journal, Option<JournalRecord>);

/// Journal that the start has opened but not changed.
#[derive(Debug)]
pub(super) struct FoundJournal {
    journal: Journal,
    record: Option<JournalRecord>,
    /// Why the rollup does not continue the journal, as the start of a sentence.
    refusal: Option<&'static str>,
    /// Why the file cannot be read.
    damage: Option<String>,
}

impl FoundJournal {
    fn new(journal: Journal, identity: &JournalIdentity) -> Self {
        let (record, refusal, damage) = match journal.read() {
            Ok(record) if record.as_ref().is_none_or(|record| record.identity == *identity) => (record, None, None),
            Ok(_) => (None, Some("the transfers belong to a rollup with other options"), None),
            Err(error) => (None, None, Some(format!("the journal of transfers is unreadable ({error})"))),
        };
        Self { journal, record, refusal, damage }
    }

    /// Returns the journal to continue. Renames a journal that cannot be continued and adds a note for the user.
    pub(super) fn settle(self, notes: &mut Vec<String>) -> OpenJournal {
        let Self { journal, record, refusal, damage } = self;
        if let Some(why) = damage.as_deref().or(refusal) {
            let note = match journal.put_aside() {
                Ok(aside) => format!("{why}; the old journal is now {}; tracking starts empty", aside.display()),
                Err(error) => format!("{why}; its transfers are lost: cannot move the journal: {error}"),
            };
            say(note, notes);
        }
        (journal, record)
    }

    fn record(&self) -> Option<&JournalRecord> {
        self.record.as_ref()
    }

    /// Refuses the record if the condition holds, for this reason.
    fn refuse_if(&mut self, is_refused: impl Fn(&JournalRecord) -> bool, why: &'static str) {
        if let Some(old) = self.record.take_if(|record| is_refused(record)) {
            tracing::info!(saved = %old.saved, "the journal belongs to another chain");
            // An empty journal needs no note for the user.
            self.refusal = old.state.has_transfers().then_some(why);
        }
    }
}

/// Opens the journal, if configured, and determines the chain's genesis. Adds messages for the user to `notes`.
///
/// If the journal is locked or unusable, the rollup runs without one. A journal of another rollup, too old or
/// unreadable, gets another name once the rollup can start. So no transfer is lost, and a failed start changes nothing.
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
            "the rollup last ran over an hour ago and cannot resume",
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
            "the transfers belong to a rollup with another genesis time",
        );
    }
    if let Some(tip) = found.as_ref().and_then(FoundJournal::record).and_then(|record| record.tip) {
        options.history = options.history.max(tip.get());
    }
    Ok(found)
}

/// Adds the recorded external transactions to an in-memory index, from which the chain makes equal blocks.
pub(super) fn replay(record: &JournalRecord, index: &Index) -> Result<(), RollupError> {
    for (height, external) in record.state.accepted() {
        index.keep_external(*height, external)?;
    }
    Ok(())
}

fn journal_file(options: &RollupOptions) -> Option<PathBuf> {
    options.journal.clone().or_else(|| options.data.as_deref().map(|data| beside(data, ".router.json")))
}

/// Adds a note for the user and logs it.
fn say(note: String, notes: &mut Vec<String>) {
    tracing::warn!("{note}");
    notes.push(note);
}

fn open(path: &Path, notes: &mut Vec<String>) -> Option<Journal> {
    match Journal::open(path) {
        Ok(Some(journal)) => Some(journal),
        Ok(None) => {
            say(format!("another program uses the transfers in {}; transfers are not saved", path.display()), notes);
            None
        }
        Err(error) => {
            say(format!("cannot open {}: {error}; transfers are not saved", path.display()), notes);
            None
        }
    }
}

/// Returns the file's genesis time. Without a file, returns a time that makes the last block of the history due now.
fn genesis_time(options: &RollupOptions) -> Result<Timestamp, RollupError> {
    if let Some(path) = &options.data
        && let Some(kept) = Index::fact_of(path, GENESIS_TIME)?.and_then(|text| text.parse().ok())
    {
        return Ok(kept);
    }
    let blocks = u32::try_from(options.history).unwrap_or(u32::MAX);
    Ok(Timestamp::now().before(options.ledger.block_time.saturating_mul(blocks)))
}
