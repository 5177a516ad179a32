use std::borrow::Cow;

use serde_json::{Value, json};

use crate::{
    app::{
        go_to::{is_absence, is_something, probe, word_for},
        prompt::CopyChoice,
    },
    domain::{Height, PastedItem, Several, Target, Timestamp, text},
    msg::{Answer, Lane, ListPage, PageNeed, Total},
    story::Headline,
    widgets::list::{ListRow, ListWindow},
    wire::ApiError,
};

/// Look-ups under way at once.
const LANES: u8 = 3;

#[derive(Debug)]
pub(in crate::pages) struct ResultsPage {
    /// One row for each thing, in the order in which they were pasted.
    pub(super) list: ListWindow<ResultRow>,
    left_out: usize,
}

/// One thing of several.
#[derive(Clone, Debug)]
pub(super) struct ResultRow {
    place: usize,
    text: String,
    readings: Vec<Target>,
    pub(super) state: LookUpState,
}

/// How a look-up fares.
#[derive(Clone, Debug)]
pub(super) enum LookUpState {
    /// A reading is to be asked for.
    Waiting(ReadingStep),
    /// It is being asked for, in one of the lanes.
    Asked(ReadingStep, Lane),
    /// The first reading that exists.
    Found(Box<FoundRecord>),
    /// None of its readings exists.
    Absent,
    /// The text names nothing.
    NotUnderstood,
    /// That cannot be said: the server did not answer.
    Failed(String),
}

/// Where a look-up is among the readings.
#[derive(Clone, Debug, Default)]
pub(super) struct ReadingStep {
    reading: usize,
    /// Why an earlier reading could not be looked up.
    problem: Option<String>,
}

/// What was found.
#[derive(Clone, Debug)]
pub(super) struct FoundRecord {
    pub(super) target: Target,
    /// What its look-up brought.
    pub(super) answer: Answer,
    /// Where it happened, or last changed.
    pub(super) height: Option<Height>,
    pub(super) at: Option<Timestamp>,
    /// Whether a transaction succeeded.
    pub(super) is_success: Option<bool>,
    /// What it is, in a few words; cleaned.
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
        Self { place, text: piece.text, readings, state }
    }

    pub(super) fn found(&self) -> Option<&FoundRecord> {
        match &self.state {
            LookUpState::Found(found) => Some(found),
            _ => None,
        }
    }

    /// The kind of what was found, or of what it may be.
    pub(super) fn kind_word(&self) -> &'static str {
        self.found().map_or_else(|| word_for(&self.readings), |found| found.target.kind().word())
    }

    /// What was pasted, short enough for a column.
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
            Some(Target::Chain(_)) | None => text::clip(&self.text, 20),
        }
    }

    /// The row as a record of its own.
    fn record(&self) -> Value {
        let result = match &self.state {
            LookUpState::Found(_) => "found",
            LookUpState::Absent => "not found",
            LookUpState::NotUnderstood => "not understood",
            LookUpState::Failed(_) => "no answer",
            LookUpState::Waiting(_) | LookUpState::Asked(..) => "not looked up yet",
        };
        let found = self.found();
        json!({
            "text": self.text,
            "result": result,
            "kind": found.map(|found| found.target.kind().to_string()),
            "name": found.map(|found| found.target.text()),
            "height": found.and_then(|found| found.height).map(Height::get),
            "timestamp": found.and_then(|found| found.at).map(|at| at.to_string()),
            "success": found.and_then(|found| found.is_success),
            "headline": found.map(|found| found.headline.as_str()),
        })
    }

    /// Takes the answer for the reading that was asked for; what is left to be asked comes next.
    fn take(&mut self, result: Result<Answer, ApiError>) {
        let LookUpState::Asked(ReadingStep { reading, problem }, _) = &mut self.state else { return };
        let (reading, problem) = (*reading, problem.take());
        let Some(target) = self.readings.get(reading) else { return };
        let problem = match result {
            Ok(answer) if is_something(&answer) => {
                self.state = LookUpState::Found(Box::new(FoundRecord::new(target.clone(), answer)));
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
    fn new(target: Target, answer: Answer) -> Self {
        let mut found =
            Self { target, answer: answer.clone(), height: None, at: None, is_success: None, headline: String::new() };
        match answer {
            Answer::Block(block) => {
                (found.height, found.at) = (Some(block.height), Some(block.timestamp));
                found.headline = count(block.tx_count, "transaction");
            }
            Answer::Tx(tx) => {
                (found.height, found.at, found.is_success) =
                    (Some(tx.height), Some(tx.timestamp), Some(tx.is_success()));
                found.headline = headline(&tx);
            }
            Answer::EvmTx(receipt) => {
                (found.height, found.is_success) = (receipt.height(), Some(receipt.is_success()));
                found.headline =
                    format!("EVM receipt, {}", count(u64::try_from(receipt.logs().len()).unwrap_or(u64::MAX), "log"));
            }
            Answer::Txs(page) => {
                if let Some(tx) = page.items.first() {
                    (found.height, found.at) = (Some(tx.height), Some(tx.timestamp));
                    found.headline = format!("last seen in {}", headline(tx));
                }
            }
            Answer::Collection(collection) => {
                (found.height, found.at) = (Some(collection.height), Some(collection.timestamp));
                let facts = &collection.collection;
                found.headline = format!("{}, {}", text::clip(&facts.name, 40), count(facts.nfts.length, "token"));
            }
            Answer::Tokens(page) => {
                if let Some(token) = page.items.first() {
                    (found.height, found.at) = (Some(token.height), Some(token.timestamp));
                    let owner =
                        token.owner_address().map_or_else(String::new, |owner| format!(", owned by {}", owner.short()));
                    found.headline = format!("{}{owner}", text::clip(&token.collection_name, 40));
                }
            }
            _ => {}
        }
        found
    }
}

/// `1 transaction`, `2 transactions`.
fn count(number: u64, what: &str) -> String {
    format!("{} {what}{}", text::group(number), if number == 1 { "" } else { "s" })
}

fn headline(tx: &crate::wire::Tx) -> String {
    let headline = Headline::of(tx);
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

    /// `Pasted · 7 things · 5 found`.
    pub(super) fn heading(&self) -> String {
        let found = self.list.rows().iter().filter(|row| row.found().is_some()).count();
        let left_out = if self.left_out > 0 { format!(" · {} left out", self.left_out) } else { String::new() };
        format!("Pasted · {} things · {found} found{left_out}", self.list.rows().len())
    }

    /// Whether something is being looked up.
    pub(super) fn is_looking(&self) -> bool {
        self.list.rows().iter().any(|row| matches!(row.state, LookUpState::Waiting(_) | LookUpState::Asked(..)))
    }

    /// The answer of one of the look-ups under way.
    pub(super) fn take_reading(&mut self, need: PageNeed, result: Result<Answer, ApiError>) {
        let is_asked =
            |row: &&mut ResultRow| matches!(row.state, LookUpState::Asked(_, lane) if need == PageNeed::Reading(lane));
        if let Some(row) = self.list.rows_mut().find(is_asked) {
            row.take(result);
        }
    }

    /// All is looked up again.
    pub(super) fn forget(&mut self) {
        for row in self.list.rows_mut().filter(|row| !matches!(row.state, LookUpState::NotUnderstood)) {
            row.state = LookUpState::Waiting(ReadingStep::default());
        }
    }

    /// What failed is looked up again.
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
            add(CopyChoice::value('v', "what was pasted", row.text.clone()));
            if let Some(found) = row.found() {
                add(CopyChoice::value('n', "its whole name", found.target.text()));
            }
        }
        let absent =
            self.list.rows().iter().filter(|row| matches!(row.state, LookUpState::Absent | LookUpState::NotUnderstood));
        let absent: Vec<Cow<'_, str>> = absent.map(|row| text::clean(&row.text)).collect();
        if !absent.is_empty() {
            add(CopyChoice::document('m', "all that was not found", absent.join("\n")));
        }
        let all: Vec<String> = self.records().map(|record| record.to_string()).collect();
        add(CopyChoice::document('j', "the table as JSON lines", all.join("\n")));
        choices
    }

    /// The rows as records, for a file.
    pub(super) fn records(&self) -> impl Iterator<Item = Value> {
        self.list.rows().iter().map(ResultRow::record)
    }

    /// The free lanes get the next readings that are to be asked for.
    pub(super) fn next_asked(&mut self) -> Vec<(Lane, Target)> {
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
