//! Lists that commands print.
//!
//! ```text
//! subject   name, identity and sort order of each list
//! walk      paging: finds new rows, the next page and the end
//! report    notes about a list that its rows do not show
//! body      one JSON body for a list
//! writer    writers of rows in the other formats
//! progress  progress bar while many pages load
//! ```

mod body;
mod progress;
mod report;
mod subject;
mod walk;
mod writer;

pub(super) use report::OddRows;
pub(super) use subject::ListSubject;
pub(super) use walk::WalkedRow;
pub(super) use writer::{ListWriter, unreadable};

use self::{
    progress::ListProgress,
    walk::PageWalk,
    writer::{NamedCells, RowWriter},
};
use super::{
    CommandError,
    arguments::{Format, ListArguments},
    indexer::Indexer,
    names::CommandNames,
    output::CommandOutput,
    record::{CommandRecord, PagePosition},
};
use crate::domain::Timestamp;

/// Maximum rows of a page of the API.
const LARGEST_PAGE: u64 = 1000;
/// Rows per page if a command needs several pages.
const PAGE: u16 = 500;
/// Minimum width at which rows contain sentences, in terminal columns.
const WORDS_FROM: usize = 120;

pub(super) async fn print<Q: ListSubject>(
    query: &Q,
    indexer: &Indexer,
    arguments: &ListArguments,
    output: &mut CommandOutput,
) -> Result<(), CommandError> {
    if output.format == Format::Json && !arguments.all && arguments.limit <= LARGEST_PAGE {
        return body::print(query, indexer, arguments, output).await;
    }
    let is_terminal = output.is_terminal;
    let denom = query.denom().filter(|_| output.format == Format::Csv);
    let mut names =
        if has_words(output) || denom.is_some() { Some(CommandNames::collect(indexer).await?) } else { None };
    let last_cells = match (&mut names, denom) {
        (Some(names), Some(denom)) => Some(NamedCells::look_up(names, denom).await),
        _ => None,
    };
    print_by(&mut RowWriter::new(output, names, last_cells), query, indexer, arguments, is_terminal).await
}

/// Whether the output is a table with room for sentences.
fn has_words(output: &CommandOutput) -> bool {
    output.is_terminal && output.format == Format::Table && output.width.is_some_and(|width| width >= WORDS_FROM)
}

/// Writes the requested part of a list with `writer`, and prints notes on standard error. After a failure, the received
/// rows stay and the output is complete JSON.
pub(super) async fn print_by<Q: ListSubject>(
    writer: &mut impl ListWriter<Q::Item>,
    query: &Q,
    indexer: &Indexer,
    arguments: &ListArguments,
    is_terminal: bool,
) -> Result<(), CommandError> {
    let mut walk = PageWalk::new(query, indexer, arguments);
    let progress = ListProgress::new(arguments, Q::Item::NAME);
    let is_ranked = arguments.key.is_none() && !arguments.ascending;
    let first = is_ranked.then(|| arguments.offset.unwrap_or(0));
    let place = PagePosition { first, is_terminal, ..PagePosition::ALONE };
    let written = write_pages(writer, &mut walk, query, indexer, place, &progress).await;
    let finished = if written == Err(CommandError::BrokenPipe) { Ok(()) } else { writer.finish(written.is_ok()) };
    progress.finish();
    walk.report.print::<Q::Item>(writer.odd_rows(), query.wanted_types().as_deref(), arguments.all);
    written.and(finished)
}

async fn write_pages<Q: ListSubject>(
    writer: &mut impl ListWriter<Q::Item>,
    walk: &mut PageWalk<'_, Q>,
    query: &Q,
    indexer: &Indexer,
    mut place: PagePosition,
    progress: &ListProgress,
) -> Result<(), CommandError> {
    let mut is_first = true;
    loop {
        if writer.has_height() {
            place.height = query.height(&indexer.client).await;
        }
        let Some(page) = walk.next().await? else { return Ok(()) };
        let count = page.rows.len() as u64;
        place.is_whole = is_first && page.is_last;
        place.at = Some(Timestamp::now());
        writer.prepare(&page.rows, place).await;
        progress.hide(|| writer.write(&page.rows, place))?;
        place.first = place.first.map(|first| first + count);
        progress.advance(page.rows.len(), page.total);
        is_first = false;
        if page.is_last {
            return Ok(());
        }
    }
}

/// Removes line breaks from JSON; they occur only between tokens.
pub(super) fn one_line(json: &str) -> String {
    json.replace(['\n', '\r'], "")
}
