use std::borrow::Cow;

use serde_json::{Value, json};

use crate::{
    app::{
        go_to::{is_absence, probe, word_for},
        page::FoundTarget,
        prompt::CopyChoice,
    },
    domain::{BroadcastHash, ChainId, Height, PastedItem, Several, Target, Timestamp, text},
    msg::{Lane, ListPage, Total},
    story::{MessageSummary, PartialFailure},
    widgets::list::{ListRow, ListWindow},
    wire::ApiError,
};

/// Concurrent lookups.
const LANES: u8 = 3;

#[derive(Debug)]
pub(in crate::pages) struct ResultsPage {
    /// One row per pasted entry, in order.
    pub(super) list: ListWindow<ResultRow>,
    left_out: usize,
}

/// Pasted entry and the result of its lookup.
#[derive(Clone, Debug)]
pub(super) struct ResultRow {
    place: usize,
    text: String,
    readings: Vec<Target>,
    chain: Option<ChainId>,
    pub(super) state: LookUpState,
}

#[derive(Clone, Debug)]
pub(super) enum LookUpState {
    /// The lookup has not requested this reading yet.
    Waiting(ReadingStep),
    Asked(ReadingStep, Lane),
    /// A record exists for a reading of the text.
    Found(Box<FoundRecord>),
    /// No record exists for any reading.
    Absent,
    /// Transaction of another chain, which this server cannot have.
    Elsewhere(BroadcastHash),
    /// The text has no reading: it is not a height, hash, address or name.
    NotUnderstood,
    /// A request failed, so whether a record exists is unknown.
    Failed(String),
}

#[derive(Clone, Debug, Default)]
pub(super) struct ReadingStep {
    reading: usize,
    problem: Option<String>,
}

#[derive(Clone, Debug)]
pub(super) struct FoundRecord {
    pub(super) target: Target,
    pub(super) record: FoundTarget,
    /// Height at which the record was included or last changed.
    pub(super) height: Option<Height>,
    pub(super) at: Option<Timestamp>,
    /// Whether the transaction succeeded; `None` for other records.
    pub(super) is_success: Option<bool>,
    /// Whether only a part of the transaction failed.
    pub(super) is_partial: bool,
    /// Description without control characters.
    pub(super) headline: String,
}

impl ListRow for ResultRow {
    type Key = usize;

    fn key(&self) -> usize {
        self.place
    }
}

impl ResultRow {
    fn new(place: usize, piece: PastedItem) -> Self {
        let readings: Vec<Target> = piece.targets.into_iter().filter(|target| probe(target).is_some()).collect();
        let state =
            if readings.is_empty() { LookUpState::NotUnderstood } else { LookUpState::Waiting(ReadingStep::default()) };
        let chain = piece.chain.map(ChainId::new);
        Self { place, text: piece.text, readings, chain, state }
    }

    /// Returns the transaction of another chain.
    pub(super) fn elsewhere(&self) -> Option<(&ChainId, &BroadcastHash)> {
        match (&self.chain, &self.state) {
            (Some(chain), LookUpState::Elsewhere(hash)) => Some((chain, hash)),
            _ => None,
        }
    }

    /// Ends the lookup of a transaction that belongs to another chain than this.
    fn part_from(&mut self, own: &ChainId) {
        let Some(chain) = self.chain.as_ref().filter(|chain| *chain != own) else { return };
        let is_tx = |target: &&Target| matches!(target, Target::Tx(_) | Target::EvmTx(_));
        let hash = self.readings.iter().find(is_tx).and_then(|target| target.text().parse::<BroadcastHash>().ok());
        if let Some(hash) = hash.filter(|_| matches!(self.state, LookUpState::Waiting(_))) {
            self.state = LookUpState::Elsewhere(hash.for_chain(chain));
        }
    }

    pub(super) fn found(&self) -> Option<&FoundRecord> {
        match &self.state {
            LookUpState::Found(found) => Some(found),
            _ => None,
        }
    }

    /// Returns the kind of the found record, or of the reading.
    pub(super) fn kind_word(&self) -> &'static str {
        self.found().map_or_else(|| word_for(&self.readings), |found| found.target.kind().word())
    }

    /// Returns the pasted text, shortened to fit its column.
    pub(super) fn short(&self) -> String {
        match self.found().map(|found| &found.target).or(self.readings.first()) {
            Some(Target::Block(height)) => text::group(height.get()),
            Some(Target::Tx(hash)) => hash.short(),
            Some(Target::EvmTx(hash)) => hash.short(),
            Some(Target::Account(address) | Target::Collection(address)) => address.short(),
            Some(Target::Token { collection, token_id }) => {
                format!("{}/{}", collection.short(), text::clip(token_id, 10))
            }
            Some(Target::Denom(denom)) => denom.short(),
            Some(Target::Chain(_) | Target::Transfer(_)) | None => text::clip(&self.text, 20),
        }
    }

    /// Returns the row as JSON.
    fn record(&self) -> Value {
        let result = match &self.state {
            LookUpState::Found(_) => "found",
            LookUpState::Absent => "not found",
            LookUpState::Elsewhere(_) => "on another chain",
            LookUpState::NotUnderstood => "invalid",
            LookUpState::Failed(_) => "no answer",
            LookUpState::Waiting(_) | LookUpState::Asked(..) => "not searched yet",
        };
        let found = self.found();
        json!({
            "text": self.text,
            "result": result,
            "kind": found.map(|found| found.target.kind().to_string()),
            "name": found.map(|found| found.target.text()),
            "chain_id": self.chain.as_ref().map(ChainId::as_str),
            "height": found.and_then(|found| found.height).map(Height::get),
            "timestamp": found.and_then(|found| found.at).map(|at| at.to_string()),
            "success": found.and_then(|found| found.is_success),
            "headline": found.map(|found| found.headline.as_str()),
        })
    }

    /// Handles the answer to the current reading; without a record, tries the next.
    fn take(&mut self, result: Result<Option<FoundTarget>, ApiError>) {
        let LookUpState::Asked(ReadingStep { reading, problem }, _) = &mut self.state else { return };
        let (reading, problem) = (*reading, problem.take());
        let Some(target) = self.readings.get(reading) else { return };
        let problem = match result {
            Ok(Some(record)) => {
                self.state = LookUpState::Found(Box::new(FoundRecord::new(target.clone(), record)));
                return;
            }
            Err(error) if !is_absence(&error) => problem.or(Some(error.brief())),
            _ => problem,
        };
        self.state = match problem {
            _ if reading + 1 < self.readings.len() => {
                LookUpState::Waiting(ReadingStep { reading: reading + 1, problem })
            }
            Some(problem) => LookUpState::Failed(problem),
            None => LookUpState::Absent,
        };
    }
}

impl FoundRecord {
    fn new(target: Target, record: FoundTarget) -> Self {
        let kept = record.clone();
        let (height, at, is_success, is_partial) = (None, None, None, false);
        let mut found = Self { target, record: kept, height, at, is_success, is_partial, headline: String::new() };
        match record {
            FoundTarget::Block(block) => {
                (found.height, found.at) = (Some(block.height), Some(block.timestamp));
                found.headline = count(block.tx_count, "transaction");
            }
            FoundTarget::Tx(tx) => {
                (found.height, found.at, found.is_success) =
                    (Some(tx.height), Some(tx.timestamp), Some(tx.is_success()));
                found.is_partial = !PartialFailure::all_of(&tx).is_empty();
                found.headline = headline(&tx);
            }
            FoundTarget::Receipt(receipt) => {
                (found.height, found.is_success) = (receipt.height(), Some(receipt.is_success()));
                found.headline =
                    format!("EVM receipt, {}", count(u64::try_from(receipt.logs().len()).unwrap_or(u64::MAX), "log"));
            }
            FoundTarget::Account(tx) => {
                (found.height, found.at) = (Some(tx.height), Some(tx.timestamp));
                found.headline = format!("last seen in {}", headline(&tx));
            }
            FoundTarget::Collection(collection) => {
                (found.height, found.at) = (Some(collection.height), Some(collection.timestamp));
                let facts = &collection.collection;
                found.headline = format!("{}, {}", facts.name.clipped(40), count(facts.nfts.length, "token"));
            }
            FoundTarget::Token(token) => {
                (found.height, found.at) = (Some(token.height), Some(token.timestamp));
                let owner =
                    token.owner_address().map_or_else(String::new, |owner| format!(", owned by {}", owner.short()));
                found.headline = format!("{}{owner}", token.collection_name.clipped(40));
            }
            FoundTarget::Transfers(txs) => {
                if let Some(tx) = txs.first() {
                    let others = if txs.len() > 1 { format!(", newest of {}", txs.len()) } else { String::new() };
                    found.target = Target::Tx(tx.txhash);
                    (found.height, found.at, found.is_success) =
                        (Some(tx.height), Some(tx.timestamp), Some(tx.is_success()));
                    found.is_partial = !PartialFailure::all_of(tx).is_empty();
                    found.headline = format!("{}{others}", headline(tx));
                }
            }
            FoundTarget::Denom => {}
        }
        found
    }
}

/// Formats `1 transaction`, `2 transactions`.
fn count(number: u64, what: &str) -> String {
    format!("{} {what}{}", text::group(number), if number == 1 { "" } else { "s" })
}

fn headline(tx: &crate::wire::Tx) -> String {
    let headline = MessageSummary::of(tx);
    let call = headline.call.as_ref().map(|call| format!(" {call}")).unwrap_or_default();
    text::clip(&format!("{}{call}", headline.kind()), 60)
}

impl ResultsPage {
    pub(in crate::pages) fn new(several: Several, now: Timestamp) -> Self {
        let items: Vec<ResultRow> =
            several.pieces.into_iter().enumerate().map(|(place, piece)| ResultRow::new(place, piece)).collect();
        let total = Total::Exact(u64::try_from(items.len()).unwrap_or(u64::MAX));
        let mut list = ListWindow::new(items.len());
        list.replace(ListPage { items, next: None, total, notes: Vec::new() }, |_| true, now);
        Self { list, left_out: several.left_out }
    }

    /// Formats `Pasted · 7 entries · 5 found`, and ` · skipped 2` if the page left entries out.
    pub(super) fn heading(&self) -> String {
        let found = self.list.rows().iter().filter(|row| row.found().is_some()).count();
        let others = self.list.rows().iter().filter(|row| row.elsewhere().is_some()).count();
        let others = if others > 0 { format!(" · {others} on other chains") } else { String::new() };
        let left_out = if self.left_out > 0 { format!(" · skipped {}", self.left_out) } else { String::new() };
        format!("Pasted · {} entries · {found} found{others}{left_out}", self.list.rows().len())
    }

    /// Whether a lookup is pending.
    pub(super) fn is_looking(&self) -> bool {
        self.list.rows().iter().any(|row| matches!(row.state, LookUpState::Waiting(_) | LookUpState::Asked(..)))
    }

    /// Handles the answer of a pending lookup.
    pub(super) fn take_reading(&mut self, lane: Lane, result: Result<Option<FoundTarget>, ApiError>) {
        let is_asked = |row: &&mut ResultRow| matches!(row.state, LookUpState::Asked(_, of) if of == lane);
        if let Some(row) = self.list.rows_mut().find(is_asked) {
            row.take(result);
        }
    }

    /// Restarts all lookups.
    pub(super) fn forget(&mut self) {
        for row in self.list.rows_mut().filter(|row| !matches!(row.state, LookUpState::NotUnderstood)) {
            row.state = LookUpState::Waiting(ReadingStep::default());
        }
    }

    pub(super) fn ask_failed_again(&mut self) {
        for row in self.list.rows_mut().filter(|row| matches!(row.state, LookUpState::Failed(_) | LookUpState::Absent))
        {
            row.state = LookUpState::Waiting(ReadingStep::default());
        }
    }

    pub(super) fn copy_choices(&self) -> Vec<CopyChoice> {
        let mut choices = Vec::new();
        let mut add = |choice| choices.push(choice);
        if let Some(row) = self.list.selected() {
            add(CopyChoice::value('v', "pasted text", row.text.clone()));
            if let Some(found) = row.found() {
                add(CopyChoice::value('n', "full name", found.target.text()));
            }
        }
        let absent =
            self.list.rows().iter().filter(|row| matches!(row.state, LookUpState::Absent | LookUpState::NotUnderstood));
        let absent: Vec<Cow<'_, str>> = absent.map(|row| text::clean(&row.text)).collect();
        if !absent.is_empty() {
            add(CopyChoice::document('m', "all entries not found", absent.join("\n")));
        }
        let all: Vec<String> = self.records().map(|record| record.to_string()).collect();
        add(CopyChoice::document('j', "the table as JSON lines", all.join("\n")));
        choices
    }

    /// Returns one JSON record per row.
    pub(super) fn records(&self) -> impl Iterator<Item = Value> {
        self.list.rows().iter().map(ResultRow::record)
    }

    /// Assigns readings to free lanes and returns them, except for transactions of other chains than this.
    pub(super) fn next_asked(&mut self, own: Option<&ChainId>) -> Vec<(Lane, Target)> {
        let Some(own) = own else { return Vec::new() };
        self.list.rows_mut().for_each(|row| row.part_from(own));
        let lane_of = |row: &ResultRow| if let LookUpState::Asked(_, lane) = row.state { Some(lane) } else { None };
        let busy: Vec<Lane> = self.list.rows().iter().filter_map(lane_of).collect();
        let waiting = self.list.rows_mut().filter(|row| matches!(row.state, LookUpState::Waiting(_)));
        let mut asked = Vec::new();
        for (row, lane) in waiting.zip((0..LANES).map(Lane).filter(|lane| !busy.contains(lane))) {
            if let LookUpState::Waiting(step) = &mut row.state
                && let Some(target) = row.readings.get(step.reading)
            {
                asked.push((lane, target.clone()));
                row.state = LookUpState::Asked(std::mem::take(step), lane);
            }
        }
        asked
    }
}
