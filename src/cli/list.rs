//! Lists that commands print.
//!
//! ```text
//! body      one JSON body for a list
//! writer    writers of rows in the other formats
//! progress  progress bar while many pages load
//! ```

mod body;
mod progress;
mod writer;

pub(super) use writer::unreadable;

use self::{
    progress::{ListProgress, WithProgress},
    writer::{RowWriter, denom_name},
};
use super::{
    CommandError,
    arguments::{Format, ListArguments},
    indexer::Indexer,
    names::CommandNames,
    output::CommandOutput,
    record::CommandRecord,
};
use crate::{
    columns::{ListRecord, PagePosition},
    listing::{LARGEST_PAGE, ListSubject, ListWriter, OddRows, PageWalk, WalkRange, WalkReport, write_pages},
    msg::{Order, PageKey, PageStart},
};

/// Minimum width at which rows contain sentences, in terminal columns.
const WORDS_FROM: usize = 120;

pub(super) async fn print<Q: ListSubject<Item: CommandRecord>>(
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
    let denom = match (&mut names, denom) {
        (Some(names), Some(denom)) => Some(denom_name(names, denom).await),
        _ => None,
    };
    print_by(&mut RowWriter::new(output, names, denom), query, indexer, arguments, is_terminal).await
}

/// Whether the output is a table with room for sentences.
fn has_words(output: &CommandOutput) -> bool {
    output.is_terminal && output.format == Format::Table && output.width.is_some_and(|width| width >= WORDS_FROM)
}

/// Writes the requested part of a list with `writer`, and prints notes on standard error. After a failure, the received
/// rows stay and the output is complete JSON.
pub(super) async fn print_by<Q: ListSubject>(
    writer: &mut impl ListWriter<Q::Item, Error = CommandError>,
    query: &Q,
    indexer: &Indexer,
    arguments: &ListArguments,
    is_terminal: bool,
) -> Result<(), CommandError> {
    let mut walk = PageWalk::new(query, &indexer.client, &range(arguments));
    let progress = ListProgress::new(arguments, Q::Item::NAME);
    let is_ranked = arguments.key.is_none() && !arguments.ascending;
    let first = is_ranked.then(|| arguments.offset.unwrap_or(0));
    let place = PagePosition { first, is_terminal, ..PagePosition::ALONE };
    let mut shown = WithProgress { writer, progress: &progress };
    let written = write_pages(&mut shown, &mut walk, query, &indexer.client, place).await;
    let finished = if written == Err(CommandError::BrokenPipe) { Ok(()) } else { shown.finish(written.is_ok()) };
    progress.finish();
    print_notes::<Q>(&walk.report, writer.odd_rows(), query, arguments);
    written.and(finished)
}

/// Prints notes about a list on standard error.
fn print_notes<Q: ListSubject>(report: &WalkReport, odd_rows: OddRows, query: &Q, arguments: &ListArguments) {
    for sentence in report.sentences::<Q::Item>(odd_rows, query.wanted_types().as_deref(), arguments.all) {
        eprintln!("note: {sentence}");
    }
}

fn range(arguments: &ListArguments) -> WalkRange {
    let start = match (&arguments.key, arguments.offset) {
        (Some(key), _) => PageStart::Key(PageKey(key.as_str().into())),
        (None, Some(offset)) => PageStart::Offset(offset),
        (None, None) => PageStart::Start,
    };
    WalkRange {
        start,
        limit: (!arguments.all).then_some(arguments.limit),
        order: if arguments.ascending { Order::Ascending } else { Order::Descending },
        count_total: !arguments.no_total,
    }
}
