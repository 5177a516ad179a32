//! Export of an index file's tables into files for other programs.
//!
//! ```text
//! manifest  what the folder holds, and of which blocks
//! files     files of rows, with their sums
//! parquet   rows as Parquet
//! verify    the folder against the index file
//! ```

mod files;
mod manifest;
#[cfg(feature = "parquet")]
mod parquet;
mod verify;

use std::path::Path;

use super::{
    CommandError,
    arguments::{ExportArguments, ExportFormat},
    generated_docs,
    progress::NotedProgress,
    sql,
};
use crate::{
    config::display_path,
    domain::text::{count, count_large, group},
    files::FileLock,
    indexer::index::StoreTables,
};
use files::TableFile;
use manifest::{Manifest, ManifestRange};

/// Blocks per file without `--blocks`.
const BLOCKS_PER_FILE: u64 = 10_000;

/// Writes what the folder lacks of the file, or compares the two.
pub(super) fn run(arguments: &ExportArguments) -> Result<(), CommandError> {
    if !arguments.verify {
        arguments.format.map_or(Ok(()), refuse_absent)?;
    }
    let store = StoreTables::open(&arguments.data, sql::effects)?;
    let path = arguments.to.join(manifest::FILE);
    if arguments.verify && !path.is_file() {
        let reason = format!("{} has no export: run it without --verify first", display_path(&arguments.to));
        return Err(CommandError::Failed(reason));
    }
    let _lock = FileLock::take(&path).map_err(CommandError::failed)?;
    let found = Manifest::load(&path)?;
    if let (true, Some(found)) = (arguments.verify, &found) {
        found.refuse_other(&store, arguments)?;
        return verify::verify(&store, found, &arguments.to);
    }
    let manifest = if let Some(found) = found {
        found.refuse_other(&store, arguments)?;
        found
    } else {
        let format = arguments.format.unwrap_or(ExportFormat::Csv);
        Manifest::new(&store, format, arguments.blocks.unwrap_or(BLOCKS_PER_FILE))
    };
    refuse_absent(manifest.format)?;
    TableExport { store: &store, folder: &arguments.to, manifest }.run()
}

fn refuse_absent(format: ExportFormat) -> Result<(), CommandError> {
    if format == ExportFormat::Parquet && cfg!(not(feature = "parquet")) {
        let reason = "this build cannot write Parquet; build it with --features parquet, or use --format csv";
        return Err(CommandError::Failed(reason.to_owned()));
    }
    Ok(())
}

struct TableExport<'a> {
    store: &'a StoreTables,
    folder: &'a Path,
    manifest: Manifest,
}

/// Numbers of ranges of an export.
#[derive(Default)]
struct ExportCounts {
    written: usize,
    kept: usize,
    rows: u64,
}

impl TableExport<'_> {
    fn run(mut self) -> Result<(), CommandError> {
        let bounds = self.store.snapshot()?.bounds()?;
        let bounds = bounds.ok_or_else(|| CommandError::Failed("the file has no blocks yet".to_owned()))?;
        let (from, tip) = (bounds.from.get(), bounds.tip.get());
        let progress =
            NotedProgress::new(Some(tip + 1 - from), "blocks {bar:30} {human_pos} of {human_len}, {eta} left");
        let mut counts = ExportCounts::default();
        for (first, last) in self.manifest.ranges_of(from, tip) {
            self.range(first, last, &mut counts)?;
            let reached = last.min(tip);
            progress.line.set_position(reached + 1 - from);
            progress.note(|| format!("blocks up to {} of {} are exported", group(reached), group(tip)));
        }
        progress.line.finish_and_clear();
        let ExportCounts { written, kept, rows } = counts;
        generated_docs::print(&format!(
            "{}: blocks {} to {}, {} in {}, {} kept\n",
            display_path(self.folder),
            bounds.from,
            bounds.tip,
            count_large(rows, "row"),
            count(written, "written range"),
            count(kept, "range"),
        ))
    }

    /// Writes a range's files, if the manifest does not have its blocks.
    fn range(&mut self, first: u64, last: u64, counts: &mut ExportCounts) -> Result<(), CommandError> {
        let snapshot = self.store.snapshot()?;
        let Some(ends) = snapshot.ends(first, last)? else { return Ok(()) };
        let revision = snapshot.revision(first, last)?;
        if let Some(held) = self.manifest.range(first) {
            if held.is_of(&ends, revision) && held.has_files(self.folder) {
                counts.kept += 1;
                return Ok(());
            }
            if held.has_more_than(&ends) {
                eprintln!(
                    "note: the folder has blocks {} to {}, and the file only {} to {} of them: kept as they are",
                    held.from, held.to, ends.from.0, ends.to.0
                );
                counts.kept += 1;
                return Ok(());
            }
        }
        let Manifest { format, .. } = self.manifest;
        let mut files = Vec::new();
        for view in StoreTables::views() {
            let name = self.manifest.file_name(view.name, first, last);
            files.push(TableFile::create(self.folder, view, name, format)?);
        }
        snapshot.rows((first, last), |place, row| files.get_mut(place).map_or(Ok(()), |file| file.row(row)))?;
        drop(snapshot);
        let finished = files.into_iter().map(TableFile::finish).collect::<Result<Vec<_>, _>>()?;
        let mut written = Vec::new();
        for file in finished {
            written.push(file.put_in_place(self.folder)?);
        }
        counts.rows += written.iter().map(|file| file.rows).sum::<u64>();
        counts.written += 1;
        self.manifest.put(first, ManifestRange::new(&ends, revision, written));
        self.manifest.save(&self.folder.join(manifest::FILE))
    }
}
