//! Manifest of an export: `manifest.json` in its folder.

use std::{
    collections::BTreeMap,
    fs,
    io::{self, Write as _},
    path::Path,
};

use serde::{Deserialize, Serialize};

use super::files::sum_of;
use crate::{
    cli::{
        CommandError,
        arguments::{ExportArguments, ExportFormat},
    },
    config::display_path,
    domain::BlockHash,
    files,
    indexer::index::{RangeEnds, SqlKind, StoreTables},
};

/// Name of the manifest in its folder.
pub(super) const FILE: &str = "manifest.json";

/// Ending of the name of an amount's decimal in Parquet, and its digits.
pub(super) const DECIMAL: &str = "_decimal";
pub(super) const DIGITS: i32 = 38;

/// Version of the manifest and of the tables' columns.
const FORMAT: u32 = 1;

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Manifest {
    version: u32,
    chain_id: String,
    vm: String,
    pub(super) format: ExportFormat,
    blocks_per_file: u64,
    /// Columns of each table with their types.
    tables: BTreeMap<String, Vec<ManifestColumn>>,
    /// Ascending.
    pub(super) ranges: Vec<ManifestRange>,
}

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct ManifestColumn {
    name: String,
    r#type: String,
}

/// Files of a range of blocks.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct ManifestRange {
    /// Lowest and highest block of the range.
    pub(super) from: u64,
    pub(super) to: u64,
    first_hash: BlockHash,
    last_hash: BlockHash,
    /// How often blocks of the range had been replaced in the index file.
    #[serde(default)]
    pub(super) revision: u64,
    pub(super) files: Vec<ManifestFile>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct ManifestFile {
    pub(super) table: String,
    /// Path in the folder.
    pub(super) file: String,
    pub(super) rows: u64,
    pub(super) bytes: u64,
    /// SHA-256 of the file, in hex.
    pub(super) sha256: String,
    /// SHA-256 of the same rows as a CSV file, in hex; absent of a CSV file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) rows_sha256: Option<String>,
}

impl Manifest {
    pub(super) fn new(store: &StoreTables, format: ExportFormat, blocks_per_file: u64) -> Self {
        Self {
            version: FORMAT,
            chain_id: store.chain_id.clone(),
            vm: store.vm.to_string(),
            format,
            blocks_per_file,
            tables: columns(format),
            ranges: Vec::new(),
        }
    }

    /// Loads a manifest; `None` without one.
    pub(super) fn load(path: &Path) -> Result<Option<Self>, CommandError> {
        let text = match fs::read(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(CommandError::Failed(format!("cannot read {}: {error}", display_path(path)))),
            Ok(text) => text,
        };
        serde_json::from_slice(&text).map(Some).map_err(|error| {
            CommandError::Failed(format!("{} is no manifest of an export: {error}", display_path(path)))
        })
    }

    pub(super) fn save(&self, path: &Path) -> Result<(), CommandError> {
        let mut text = serde_json::to_vec_pretty(self).map_err(CommandError::failed)?;
        text.push(b'\n');
        let unfinished = files::beside(path, ".unfinished");
        fs::File::create(&unfinished)
            .and_then(|mut file| file.write_all(&text).and_then(|()| file.sync_all()))
            .and_then(|()| fs::rename(&unfinished, path))
            .map_err(|error| cannot_write(path, &error))
    }

    /// Fails if the folder has an export of another chain or in another form.
    pub(super) fn refuse_other(&self, store: &StoreTables, arguments: &ExportArguments) -> Result<(), CommandError> {
        let other = if (&self.chain_id, &self.vm) != (&store.chain_id, &store.vm.to_string()) {
            format!("of {} ({}), not of {} ({})", self.chain_id, self.vm, store.chain_id, store.vm)
        } else if self.version != FORMAT || self.tables != columns(self.format) {
            "by another version of rollscope".to_owned()
        } else if arguments.format.is_some_and(|format| format != self.format) {
            format!("in the format {}", self.format)
        } else if arguments.blocks.is_some_and(|blocks| blocks != self.blocks_per_file) {
            format!("with {} blocks per file", self.blocks_per_file)
        } else {
            return Ok(());
        };
        Err(CommandError::Usage(format!(
            "{} has an export {other}; choose another folder",
            display_path(&arguments.to)
        )))
    }

    /// Returns the ranges that blocks from `from` to `to` are in, by their first and last heights.
    pub(super) fn ranges_of(&self, from: u64, to: u64) -> impl Iterator<Item = (u64, u64)> + use<> {
        let step = self.blocks_per_file;
        let number = |height: u64| height.saturating_sub(1) / step;
        (number(from)..=number(to)).map(move |number| (number * step + 1, (number + 1) * step))
    }

    pub(super) fn range(&self, first: u64) -> Option<&ManifestRange> {
        self.ranges.iter().find(|range| self.first_of(range) == first)
    }

    /// Adds a range, or replaces it.
    pub(super) fn put(&mut self, first: u64, range: ManifestRange) {
        let place = self.ranges.partition_point(|held| self.first_of(held) < first);
        match self.ranges.get(place) {
            Some(held) if self.first_of(held) == first => drop(self.ranges.splice(place..=place, [range])),
            _ => self.ranges.insert(place, range),
        }
    }

    /// Returns the height at which the whole range of a held range begins.
    pub(super) fn first_of(&self, range: &ManifestRange) -> u64 {
        (range.from.max(1) - 1) / self.blocks_per_file * self.blocks_per_file + 1
    }

    pub(super) fn last_of(&self, range: &ManifestRange) -> u64 {
        self.first_of(range) + self.blocks_per_file - 1
    }

    /// Returns the name of a table's file, which sorts by height.
    pub(super) fn file_name(&self, table: &str, first: u64, last: u64) -> String {
        format!("{table}/{first:010}-{last:010}.{}", self.format)
    }
}

impl ManifestRange {
    pub(super) fn new(ends: &RangeEnds, revision: u64, files: Vec<ManifestFile>) -> Self {
        let ((from, first_hash), (to, last_hash)) = (ends.from, ends.to);
        Self { from: from.get(), to: to.get(), first_hash, last_hash, revision, files }
    }

    /// Whether the range has just these blocks, as the index file has them now.
    pub(super) fn is_of(&self, ends: &RangeEnds, revision: u64) -> bool {
        self.revision == revision
            && self.from == ends.from.0.get()
            && self.to == ends.to.0.get()
            && (self.first_hash, self.last_hash) == (ends.from.1, ends.to.1)
    }

    /// Whether the range has blocks beyond these ends.
    pub(super) fn has_more_than(&self, ends: &RangeEnds) -> bool {
        self.from < ends.from.0.get() || self.to > ends.to.0.get()
    }

    /// Whether all files are there as they were written.
    pub(super) fn has_files(&self, folder: &Path) -> bool {
        let is_there = |file: &ManifestFile| {
            sum_of(&folder.join(&file.file)).is_ok_and(|found| found == (file.bytes, file.sha256.clone()))
        };
        self.files.len() == StoreTables::views().count() && self.files.iter().all(is_there)
    }
}

pub(super) fn cannot_write(path: &Path, error: &io::Error) -> CommandError {
    CommandError::Failed(format!("cannot write {}: {error}; make room, or choose another folder", display_path(path)))
}

fn columns(format: ExportFormat) -> BTreeMap<String, Vec<ManifestColumn>> {
    let columns = |column: &crate::indexer::index::SqlColumn| {
        let first = ManifestColumn { name: column.name.to_owned(), r#type: column.kind.to_string() };
        let decimal = format == ExportFormat::Parquet && column.kind == SqlKind::Amount;
        let decimal = decimal.then(|| ManifestColumn {
            name: format!("{}{DECIMAL}", column.name),
            r#type: format!("decimal({DIGITS}, 0)"),
        });
        [first].into_iter().chain(decimal)
    };
    StoreTables::views().map(|view| (view.name.to_owned(), view.columns.iter().flat_map(columns).collect())).collect()
}
