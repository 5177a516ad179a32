//! Comparison of an export with the index file: the blocks, the rows, and the files themselves.

use std::{collections::BTreeMap, io, path::Path};

use super::{
    files::{RowsWriter, sum_of},
    manifest::{Manifest, ManifestFile, ManifestRange},
};
use crate::{
    cli::{CommandError, generated_docs},
    config::display_path,
    domain::text::{count, count_large},
    indexer::index::{StoreSnapshot, StoreTables},
};

/// Compares each range; prints a line for each difference, and fails if there is one.
pub(super) fn verify(store: &StoreTables, manifest: &Manifest, folder: &Path) -> Result<(), CommandError> {
    let mut differences = 0_usize;
    let mut rows = 0;
    let mut differ = |line: &str| {
        differences += 1;
        generated_docs::print(&format!("{line}\n"))
    };
    for range in &manifest.ranges {
        let snapshot = store.snapshot()?;
        let held = snapshot.ends(manifest.first_of(range), manifest.last_of(range))?;
        let revision = snapshot.revision(manifest.first_of(range), manifest.last_of(range))?;
        let is_same = held.is_some_and(|ends| range.is_of(&ends, revision));
        if !is_same && held.is_some_and(|ends| range.is_of(&ends, range.revision)) {
            differ(&format!("blocks {} to {}: the file has blocks that were mended since", range.from, range.to))?;
        } else if !is_same {
            differ(&format!("blocks {} to {}: the file has other blocks", range.from, range.to))?;
        }
        for file in &range.files {
            rows += file.rows;
            if let Some(difference) = difference_of(folder, file) {
                differ(&difference)?;
            }
        }
        let held = is_same.then(|| sums_of(&snapshot, range)).transpose()?;
        for file in &range.files {
            let sum = (file.rows, file.rows_sha256.as_ref().unwrap_or(&file.sha256).clone());
            if held.as_ref().is_some_and(|held| held.get(file.table.as_str()) != Some(&sum)) {
                differ(&format!("{}: the file has other rows", file.file))?;
            }
        }
    }
    let bounds = store.snapshot()?.bounds()?;
    for (first, last) in bounds.into_iter().flat_map(|held| manifest.ranges_of(held.from.get(), held.tip.get())) {
        if manifest.range(first).is_none() && store.snapshot()?.ends(first, last)?.is_some() {
            differ(&format!("blocks {first} to {last}: not exported yet"))?;
        }
    }
    let ranges = count(manifest.ranges.len(), "range");
    let summary = format!("{}: {ranges}, {}", display_path(folder), count_large(rows, "row"));
    if differences > 0 {
        return Err(CommandError::Failed(format!(
            "{summary}, {}; run the export again without --verify: it writes what differs again",
            count(differences, "difference")
        )));
    }
    generated_docs::print(&format!("{summary}, verified\n"))
}

/// Returns how a file differs from its entry.
fn difference_of(folder: &Path, entry: &ManifestFile) -> Option<String> {
    match sum_of(&folder.join(&entry.file)) {
        Err(error) => Some(format!("{}: cannot be read: {error}", entry.file)),
        Ok((bytes, sum)) if (bytes, &sum) != (entry.bytes, &entry.sha256) => {
            Some(format!("{}: differs from the manifest", entry.file))
        }
        Ok(_) => None,
    }
}

/// Returns for each table the number of rows that the index file has for a range, and their sum.
fn sums_of(
    snapshot: &StoreSnapshot<'_>,
    range: &ManifestRange,
) -> Result<BTreeMap<&'static str, (u64, String)>, CommandError> {
    let mut writers = Vec::new();
    for view in StoreTables::views() {
        writers.push(RowsWriter::new(view, io::sink())?);
    }
    snapshot.rows((range.from, range.to), |place, row| {
        writers.get_mut(place).map_or(Ok(()), |writer| Ok::<(), CommandError>(writer.row(row)?))
    })?;
    let sums = writers.into_iter().map(|writer| {
        let (rows, (_, sum)) = writer.sum();
        (rows, sum)
    });
    Ok(StoreTables::views().map(|view| view.name).zip(sums).collect())
}
