//! The lists that commands print.
//!
//! ```text
//! subject   how a list is called, and what its rows are known and sorted by
//! walk      page after page: what is new, where it goes on, when it ends
//! report    what the rows alone do not tell
//! body      a page as one JSON body
//! writer    rows in the other formats
//! progress  a bar while many pages come
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

use self::{progress::ListProgress, walk::PageWalk, writer::RowWriter};
use super::{
    CommandError,
    arguments::{Format, ListArguments},
    indexer::Indexer,
    names,
    output::CommandOutput,
    record::{CommandRecord, PagePosition},
};
use crate::domain::Timestamp;

/// The largest page that the API gives.
const LARGEST_PAGE: u64 = 1000;
/// The size of each page where several are needed.
const PAGE: u16 = 500;
/// Columns of a terminal from which rows say what they mean.
const WORDS_FROM: usize = 120;

/// Prints the part of a list that the arguments ask for.
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
    let glossary = if has_words(output) { Some(names::glossary(indexer).await) } else { None };
    print_by(&mut RowWriter::new(output, glossary), query, indexer, arguments, is_terminal).await
}

/// Whether somebody looks at a table that has room to say what its rows mean.
fn has_words(output: &CommandOutput) -> bool {
    output.is_terminal && output.format == Format::Table && output.width.is_some_and(|width| width >= WORDS_FROM)
}

/// Hands the part of a list that the arguments ask for to a writer, and says on standard error what the rows alone do
/// not tell. What came before a failure is kept, and ended as it should be.
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
        progress.hide(|| writer.write(&page.rows, place))?;
        place.first = place.first.map(|first| first + count);
        progress.advance(page.rows.len(), page.total);
        is_first = false;
        if page.is_last {
            return Ok(());
        }
    }
}

/// JSON without line breaks, which can stand between its parts only.
pub(super) fn one_line(json: &str) -> String {
    json.replace(['\n', '\r'], "")
}
