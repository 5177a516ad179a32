use std::{
    io::{self, IsTerminal},
    sync::Arc,
};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::{
    CommandError,
    arguments::{Format, ListArguments},
    indexer::Indexer,
    output::CommandOutput,
    record::{self, CommandRecord, PagePosition},
    story,
    table::TableLayout,
};
use crate::{
    client::ListEndpoint,
    domain::text::group,
    msg::{ListPage, Note, Order, PageKey, PageRequest, PageStart, Total},
    story::Glossary,
    wire::Verbatim,
};

/// The largest page that the API gives.
const LARGEST_PAGE: u64 = 1000;
/// The size of each page where several are needed.
const PAGE: u16 = 500;
/// Columns of a terminal from which rows say what they mean.
const WORDS_FROM: usize = 120;
/// So many rows are looked through for a filter that the server does not apply, unless all are wanted.
const MOST_SCANNED: usize = 10_000;

/// Prints the part of a list that the arguments ask for.
pub(super) async fn print<Q: ListEndpoint<Item: CommandRecord>>(
    query: &Q,
    indexer: &Indexer,
    arguments: &ListArguments,
    output: &mut CommandOutput,
) -> Result<(), CommandError> {
    let request = first_page(arguments);
    if output.format == Format::Json && !arguments.all && arguments.limit <= LARGEST_PAGE {
        let (body, made_of) = indexer.client.list_body(query, &request).await?;
        output.json(&String::from_utf8_lossy(&body))?;
        output.line("")?;
        output.flush()?;
        warn_of(&made_of.map(|page| page.notes).unwrap_or_default());
        return Ok(());
    }
    let is_terminal = output.is_terminal;
    let glossary = has_words(output).then(|| story::glossary(indexer));
    print_by(&mut RowWriter::new(output, glossary), query, indexer, arguments, is_terminal).await
}

/// Whether somebody looks at a table that has room to say what its rows mean.
fn has_words(output: &CommandOutput) -> bool {
    output.is_terminal && output.format == Format::Table && output.width.is_some_and(|width| width >= WORDS_FROM)
}

/// Something that writes rows page by page.
pub(super) trait ListWriter<T> {
    /// Writes the rows of a page.
    fn write(&mut self, items: &[Arc<Verbatim<T>>], place: PagePosition) -> Result<(), CommandError>;
    /// Ends what was begun.
    fn finish(&mut self) -> Result<(), CommandError>;
}

/// Hands the part of a list that the arguments ask for to a writer.
pub(super) async fn print_by<Q: ListEndpoint<Item: CommandRecord>>(
    writer: &mut impl ListWriter<Q::Item>,
    query: &Q,
    indexer: &Indexer,
    arguments: &ListArguments,
    is_terminal: bool,
) -> Result<(), CommandError> {
    let request = first_page(arguments);
    let is_ranked = arguments.key.is_none() && !arguments.ascending;
    let walk = PageWalk {
        place: PagePosition { first: is_ranked.then(|| arguments.offset.unwrap_or(0)), is_whole: false, is_terminal },
        left: if arguments.all { u64::MAX } else { arguments.limit },
        all: arguments.all,
        scanned: 0,
        progress: ListProgress::new(arguments, Q::Item::NAME),
    };
    walk.run(query, indexer, request, writer).await
}

fn first_page(arguments: &ListArguments) -> PageRequest {
    let cursor = match (&arguments.key, arguments.offset) {
        (Some(key), _) => PageStart::Key(PageKey(key.as_str().into())),
        (None, Some(offset)) => PageStart::Offset(offset),
        (None, None) => PageStart::Start,
    };
    let one_page = !arguments.all && arguments.limit <= LARGEST_PAGE;
    let limit = u16::try_from(arguments.limit).ok().filter(|_| one_page).unwrap_or(PAGE);
    let order = if arguments.ascending { Order::Ascending } else { Order::Descending };
    PageRequest { cursor, limit, order, count_total: !arguments.no_total }
}

struct PageWalk {
    place: PagePosition,
    left: u64,
    all: bool,
    /// Rows looked through for a filter that the server does not apply.
    scanned: usize,
    progress: ListProgress,
}

impl PageWalk {
    async fn run<Q: ListEndpoint<Item: CommandRecord>>(
        mut self,
        query: &Q,
        indexer: &Indexer,
        mut request: PageRequest,
        rows: &mut impl ListWriter<Q::Item>,
    ) -> Result<(), CommandError> {
        let mut shown = 0;
        let mut all_notes = Vec::new();
        loop {
            let ListPage { items, next, total, notes } = indexer.client.list_verbatim(query, &request).await?;
            let taken = &items[..items.len().min(usize::try_from(self.left).unwrap_or(usize::MAX))];
            let count = taken.len() as u64;
            self.place.is_whole = shown == 0 && (next.is_none() || count == self.left);
            self.progress.hide(|| rows.write(taken, self.place))?;
            self.place.first = self.place.first.map(|first| first + count);
            shown += taken.len();
            self.left -= count;
            all_notes.extend(notes.iter().filter(|note| note.scanned().is_none()).cloned());
            self.progress.advance(taken.len(), total);
            let scanned = notes.iter().find_map(Note::scanned);
            self.scanned += scanned.unwrap_or_default();
            let has_scanned_enough = !self.all && self.scanned >= MOST_SCANNED;
            let Some(key) = next.filter(|_| self.left > 0 && !has_scanned_enough) else {
                rows.finish()?;
                self.progress.finish();
                self.warn_of_filter::<Q::Item>(shown);
                warn_of(&all_notes);
                return Ok(());
            };
            let limit = if scanned.is_some() { PAGE } else { request.limit };
            request = PageRequest { cursor: PageStart::Key(key), limit, count_total: false, ..request };
        }
    }

    /// Says on standard error that rows were filtered here.
    fn warn_of_filter<T: CommandRecord>(&self, shown: usize) {
        if self.scanned > 0 {
            let scanned = group(self.scanned as u64);
            let more = if self.all || !T::SCANS_PAGES { "" } else { "; --all looks through everything" };
            let filter = T::FILTER;
            eprintln!("note: the server did not {filter}: {shown} of {scanned} rows looked through here fit{more}");
        }
    }
}

/// Says on standard error what the rows alone do not tell.
fn warn_of(notes: &[Note]) {
    let left_out: usize = notes.iter().map(|note| if let Note::LeftOut { rows } = note { *rows } else { 0 }).sum();
    if left_out > 0 {
        eprintln!("note: the server cannot show {left_out} of the rows, which are left out");
    }
    if let Some(Note::Filling { oldest }) = notes.iter().rev().find(|note| note.is_filling()) {
        eprintln!("note: the server is still indexing older blocks, so far down to {}", group(oldest.get()));
    }
    if notes.contains(&Note::IdNotAddressable) {
        eprintln!("note: servers cannot find an NFT whose id has such characters, so its list stays empty");
    }
    if notes.contains(&Note::RepeatedKey) {
        eprintln!("note: the server gave the same key again, so the list ends early");
    }
}

/// Writes rows as they come, in the output's format.
struct RowWriter<'a> {
    output: &'a mut CommandOutput,
    /// What rows are put into words with, where there is room for words.
    glossary: Option<Glossary>,
    /// What the first page had of the table's columns, and how wide they are.
    layout: Option<(Vec<usize>, TableLayout)>,
    /// Whether a header or a bracket is out.
    begun: bool,
}

impl<'a> RowWriter<'a> {
    fn new(output: &'a mut CommandOutput, glossary: Option<Glossary>) -> Self {
        Self { output, glossary, layout: None, begun: false }
    }
}

impl<T: CommandRecord> ListWriter<T> for RowWriter<'_> {
    fn write(&mut self, items: &[Arc<Verbatim<T>>], place: PagePosition) -> Result<(), CommandError> {
        match self.output.format {
            Format::Table => self.write_table(items, place)?,
            Format::Csv => {
                if !self.begun {
                    self.output.csv(record::csv_header::<T>())?;
                    self.begun = true;
                }
                record::csv_lines(&values(items), place).try_for_each(|line| self.output.csv(line))?;
            }
            Format::Jsonl => items.iter().try_for_each(|item| {
                self.output.json(&one_line(item.raw.get()))?;
                self.output.line("")
            })?,
            Format::Json => self.write_array(items)?,
        }
        self.output.flush()
    }

    /// Ends what was begun; an empty list is `[]` in JSON.
    fn finish(&mut self) -> Result<(), CommandError> {
        if self.output.format == Format::Json {
            self.output.text(if self.begun { "\n]\n" } else { "[]\n" })?;
        }
        self.output.flush()
    }
}

impl RowWriter<'_> {
    fn write_table<T: CommandRecord>(
        &mut self,
        items: &[Arc<Verbatim<T>>],
        place: PagePosition,
    ) -> Result<(), CommandError> {
        let kept = self.layout.as_ref().map(|(kept, _)| kept.as_slice());
        let table = record::table(&values(items), place, self.glossary.as_ref(), kept);
        if self.layout.is_none() {
            let layout = TableLayout::fit(&table.headings, &table.rows, self.output.width, self.output.colored);
            self.output.line(&layout.heading())?;
            self.layout = Some((table.kept, layout));
        }
        let Some((_, layout)) = &self.layout else { return Ok(()) };
        table.rows.iter().try_for_each(|row| self.output.line(&layout.line(row)))
    }

    fn write_array<T>(&mut self, items: &[Arc<Verbatim<T>>]) -> Result<(), CommandError> {
        for item in items {
            self.output.text(if self.begun { ",\n" } else { "[\n" })?;
            self.output.json(item.raw.get())?;
            self.begun = true;
        }
        Ok(())
    }
}

fn values<T>(items: &[Arc<Verbatim<T>>]) -> Vec<&T> {
    items.iter().map(|item| &item.value).collect()
}

/// JSON without line breaks, which can stand between its parts only.
pub(super) fn one_line(json: &str) -> String {
    json.replace(['\n', '\r'], "")
}

/// A bar on standard error while many pages come; nothing where that is no terminal.
struct ListProgress(ProgressBar);

impl ListProgress {
    fn new(arguments: &ListArguments, name: &'static str) -> Self {
        let many = arguments.all || arguments.limit > LARGEST_PAGE;
        if !many || !io::stderr().is_terminal() {
            return Self(ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden()));
        }
        let bar = ProgressBar::new_spinner().with_message(name);
        if !arguments.all {
            bar.set_length(arguments.limit);
        }
        Self(bar)
    }

    fn advance(&self, rows: usize, total: Total) {
        if let (None, Total::Exact(total) | Total::About(total)) = (self.0.length(), total) {
            self.0.set_length(total);
        }
        let template = match self.0.length() {
            Some(_) => "{msg} {bar:30} {human_pos} of {human_len}, {eta} left",
            None => "{spinner} {msg} {human_pos}, {elapsed}",
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            self.0.set_style(style);
        }
        self.0.inc(rows as u64);
    }

    /// Does something while the bar is out of the way, since both may share one terminal.
    fn hide<T>(&self, action: impl FnOnce() -> T) -> T {
        self.0.suspend(action)
    }

    fn finish(&self) {
        self.0.finish_and_clear();
    }
}
