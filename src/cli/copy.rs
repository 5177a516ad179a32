//! Copies of an index, between files and databases.

use super::{
    CommandError,
    arguments::{BackupArguments, CopyArguments, DataPlace},
    generated_docs,
    progress::NotedProgress,
    serve,
};
use crate::{
    config::display_path,
    domain::text::count_large,
    indexer::index::{self, Bounds, CopyStep},
};

/// Copies an index file and prints what the verified copy has.
pub(super) fn back_up(arguments: &BackupArguments) -> Result<(), CommandError> {
    let bounds = index::back_up(&arguments.file, &arguments.to).map_err(CommandError::failed)?;
    say_verified(&display_path(&arguments.to), bounds)
}

/// Copies an index to another store and prints what the verified copy has.
pub(super) fn run(arguments: &CopyArguments) -> Result<(), CommandError> {
    let (index, _) = serve::open_written(&arguments.data)?;
    let progress = NotedProgress::new(None, "table {pos} of {len}, {msg}");
    let tell = |CopyStep { table, number, tables, rows, is_comparison }: CopyStep| {
        let done = if is_comparison { "compared" } else { "copied" };
        let rows = format!("{table}, {} {done}", count_large(rows, "row"));
        progress.note(|| format!("table {number} of {tables}, {rows}"));
        progress.line.set_length(tables as u64);
        progress.line.set_position(number as u64);
        progress.line.set_message(rows);
    };
    let copied = match &arguments.to {
        DataPlace::File(path) => index.copy_to_file(path, tell).map_err(CommandError::failed),
        #[cfg(feature = "postgres")]
        DataPlace::Postgres(url) => index.copy_to_postgres(url, tell).map_err(CommandError::failed),
    };
    progress.line.finish_and_clear();
    say_verified(&arguments.to.to_string(), copied?)
}

fn say_verified(place: &str, bounds: Option<Bounds>) -> Result<(), CommandError> {
    let content = bounds.map_or_else(
        || "no blocks".to_owned(),
        |held| format!("blocks {} to {}, {} transactions", held.from, held.tip, held.txs()),
    );
    generated_docs::print(&format!("{place}: {content}, verified\n"))
}
