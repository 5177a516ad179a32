//! Several things that were pasted at once: each is looked up, a few at a time, and the table says what was found.

use super::{
    App,
    go_to::{is_absence, is_something, probe, word_for},
    view::{PageId, View},
};
use crate::{
    domain::{Height, Piece, Several, Target, Timestamp, text},
    msg::{Answer, Lane, Page, PageNeed, Slot, Total},
    story::Headline,
    widgets::{
        layout::Regions,
        list::{ListWindow, Row},
    },
    wire::ApiError,
};
use serde_json::{Value, json};

/// Look-ups under way at once.
const LANES: u8 = 3;

/// The table of results.
#[derive(Debug)]
pub(crate) struct ResultsView {
    id: PageId,
    /// One row for each thing, in the order in which they were pasted.
    pub(crate) list: ListWindow<ResultRow>,
    left_out: usize,
}

/// One thing of several.
#[derive(Clone, Debug)]
pub(crate) struct ResultRow {
    place: usize,
    text: String,
    readings: Vec<Target>,
    /// How its look-up fares.
    pub(crate) state: Lookup,
}

/// How a look-up fares.
#[derive(Clone, Debug)]
pub(crate) enum Lookup {
    /// A reading is to be asked for.
    Waiting(Step),
    /// It is being asked for, in one of the lanes.
    Asked(Step, Lane),
    /// The first reading that exists.
    Found(Box<Found>),
    /// None of its readings exists.
    Absent,
    /// The text names nothing.
    NotUnderstood,
    /// That cannot be said: the server did not answer.
    Failed(String),
}

/// Where a look-up is among the readings.
#[derive(Clone, Debug, Default)]
pub(crate) struct Step {
    reading: usize,
    /// Why an earlier reading could not be looked up.
    problem: Option<String>,
}

/// What was found.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    target: Target,
    answer: Answer,
    /// Where it happened, or last changed.
    pub(crate) height: Option<Height>,
    /// When.
    pub(crate) at: Option<Timestamp>,
    /// Whether a transaction succeeded.
    pub(crate) is_success: Option<bool>,
    /// What it is, in a few words; cleaned.
    pub(crate) headline: String,
}

impl Row for ResultRow {
    type Key = usize;

    fn key(&self) -> usize {
        self.place
    }
}

impl ResultRow {
    fn new(place: usize, piece: Piece) -> Self {
        let readings: Vec<Target> = piece.targets.into_iter().filter(|target| probe(target).is_some()).collect();
        let state = if readings.is_empty() { Lookup::NotUnderstood } else { Lookup::Waiting(Step::default()) };
        Self { place, text: piece.text, readings, state }
    }

    /// What was found.
    pub(crate) fn found(&self) -> Option<&Found> {
        match &self.state {
            Lookup::Found(found) => Some(found),
            _ => None,
        }
    }

    /// The kind of what was found, or of what it may be.
    pub(crate) fn kind_word(&self) -> &'static str {
        self.found().map_or_else(|| word_for(&self.readings), |found| found.target.kind().word())
    }

    /// What was pasted, short enough for a column.
    pub(crate) fn short(&self) -> String {
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
            Lookup::Found(_) => "found",
            Lookup::Absent => "not found",
            Lookup::NotUnderstood => "not understood",
            Lookup::Failed(_) => "no answer",
            Lookup::Waiting(_) | Lookup::Asked(..) => "not looked up yet",
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
        let Lookup::Asked(Step { reading, problem }, _) = &mut self.state else { return };
        let (reading, problem) = (*reading, problem.take());
        let Some(target) = self.readings.get(reading) else { return };
        let problem = match result {
            Ok(answer) if is_something(&answer) => {
                self.state = Lookup::Found(Box::new(Found::new(target.clone(), answer)));
                return;
            }
            Err(error) if !is_absence(&error) => problem.or(Some(error.brief())),
            _ => problem,
        };
        self.state = match problem {
            _ if reading + 1 < self.readings.len() => Lookup::Waiting(Step { reading: reading + 1, problem }),
            Some(problem) => Lookup::Failed(problem),
            None => Lookup::Absent,
        };
    }
}

impl Found {
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

impl ResultsView {
    fn new(several: Several, id: PageId, now: Timestamp) -> Self {
        let items: Vec<ResultRow> =
            several.pieces.into_iter().enumerate().map(|(place, piece)| ResultRow::new(place, piece)).collect();
        let total = Total::Exact(u64::try_from(items.len()).unwrap_or(u64::MAX));
        let mut list = ListWindow::new(items.len());
        list.replace(Page { items, next: None, total, notes: Vec::new() }, |_| true, now);
        Self { id, list, left_out: several.left_out }
    }

    /// `Pasted · 7 things · 5 found`.
    pub(crate) fn title(&self) -> String {
        let found = self.list.rows().iter().filter(|row| row.found().is_some()).count();
        let left_out = if self.left_out > 0 { format!(" · {} left out", self.left_out) } else { String::new() };
        format!("Pasted · {} things · {found} found{left_out}", self.list.rows().len())
    }

    /// Gives it the room it has on the screen.
    pub(super) fn fit(&mut self, regions: &Regions) {
        self.list.set_viewport(usize::from(regions.list_rows(regions.body).height));
    }

    /// Whether something is being looked up.
    pub(super) fn is_loading(&self) -> bool {
        self.list.rows().iter().any(|row| matches!(row.state, Lookup::Waiting(_) | Lookup::Asked(..)))
    }

    /// The answer of one of the look-ups under way.
    pub(super) fn take(&mut self, need: PageNeed, result: Result<Answer, ApiError>) {
        let is_asked =
            |row: &&mut ResultRow| matches!(row.state, Lookup::Asked(_, lane) if need == PageNeed::Reading(lane));
        if let Some(row) = self.list.rows_mut().find(is_asked) {
            row.take(result);
        }
    }

    /// All is looked up again.
    pub(super) fn forget(&mut self) {
        for row in self.list.rows_mut().filter(|row| !matches!(row.state, Lookup::NotUnderstood)) {
            row.state = Lookup::Waiting(Step::default());
        }
    }

    /// What failed is looked up again.
    pub(super) fn ask_failed_again(&mut self) {
        for row in self.list.rows_mut().filter(|row| matches!(row.state, Lookup::Failed(_) | Lookup::Absent)) {
            row.state = Lookup::Waiting(Step::default());
        }
    }

    /// What can be copied of it.
    pub(super) fn copy_choices(&self, add: &mut impl FnMut(char, &'static str, String)) {
        if let Some(row) = self.list.selected() {
            add('v', "what was pasted", row.text.clone());
            if let Some(found) = row.found() {
                add('n', "its whole name", found.target.text());
            }
        }
        let absent = self.list.rows().iter().filter(|row| matches!(row.state, Lookup::Absent | Lookup::NotUnderstood));
        let absent: Vec<&str> = absent.map(|row| row.text.as_str()).collect();
        if !absent.is_empty() {
            add('m', "all that was not found", absent.join("\n"));
        }
        let all: Vec<String> = self.records().map(|record| record.to_string()).collect();
        add('j', "the table as JSON lines", all.join("\n"));
    }

    /// The rows as records, for a file.
    pub(super) fn records(&self) -> impl Iterator<Item = Value> {
        self.list.rows().iter().map(ResultRow::record)
    }

    /// The free lanes get the next readings that are to be asked for.
    fn next_asked(&mut self) -> Vec<(Lane, Target)> {
        let lane_of = |row: &ResultRow| if let Lookup::Asked(_, lane) = row.state { Some(lane) } else { None };
        let busy: Vec<Lane> = self.list.rows().iter().filter_map(lane_of).collect();
        let waiting = self.list.rows_mut().filter(|row| matches!(row.state, Lookup::Waiting(_)));
        let mut asked = Vec::new();
        for (row, lane) in waiting.zip((0..LANES).map(Lane).filter(|lane| !busy.contains(lane))) {
            if let Lookup::Waiting(step) = &mut row.state
                && let Some(target) = row.readings.get(step.reading)
            {
                asked.push((lane, target.clone()));
                row.state = Lookup::Asked(std::mem::take(step), lane);
            }
        }
        asked
    }
}

impl App {
    /// Opens the table of several things.
    pub(super) fn open_results(&mut self, several: Several) {
        let now = self.now;
        self.navigation.open(|id| View::Results(ResultsView::new(several, id, now)));
        self.effects.redraw = true;
    }

    /// Asks for the next things of the table on screen, a few at a time.
    pub(super) fn meet_result_needs(&mut self) {
        let View::Results(view) = self.navigation.current_mut() else { return };
        let id = view.id;
        for (lane, target) in view.next_asked() {
            if let Some(request) = probe(&target) {
                self.fetch(Slot::Page(id, PageNeed::Reading(lane)), request);
            }
        }
    }

    /// Opens what was found in the row under the cursor.
    pub(super) fn open_result(&mut self) {
        let View::Results(view) = self.navigation.current() else { return };
        let Some(row) = view.list.selected() else { return };
        let found = row.found().map(|found| (found.target.clone(), found.answer.clone()));
        match (found, &row.state) {
            (Some((target, answer)), _) => self.open_answer(&target, answer),
            (None, Lookup::Absent) => self.refuse("this was not found: nothing to open"),
            (None, Lookup::NotUnderstood) => self.refuse("this is no height, hash or address"),
            (None, Lookup::Failed(_)) => self.refuse("this could not be looked up; r asks again"),
            (None, _) => self.refuse("this is still being looked up"),
        }
    }
}
