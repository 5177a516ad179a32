//! Files of rows, written beside their place and moved there when they are whole.

use std::{
    fs::{self, File},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use alloy_primitives::hex;
use sha2::{Digest as _, Sha256};

use super::manifest::{ManifestFile, cannot_write};
use crate::{
    cli::{CommandError, arguments::ExportFormat},
    files,
    indexer::index::{SqlValue, SqlView},
};

/// Sums what is written, and passes it on.
pub(super) struct SumWriter<W> {
    to: W,
    sum: Sha256,
    bytes: u64,
}

impl<W: Write> SumWriter<W> {
    pub(super) fn new(to: W) -> Self {
        Self { to, sum: Sha256::new(), bytes: 0 }
    }

    /// Returns the number of bytes and their sum in hex.
    pub(super) fn sum(self) -> (u64, String) {
        (self.bytes, hex::encode(self.sum.finalize()))
    }
}

impl<W: Write> Write for SumWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.to.write(bytes)?;
        self.sum.update(bytes.get(..written).unwrap_or_default());
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

/// Writer of a table's rows as CSV, whose sum is that of the rows, whatever the format of their file.
pub(super) struct RowsWriter<W> {
    to: SumWriter<W>,
    rows: u64,
}

impl<W: Write> RowsWriter<W> {
    pub(super) fn new(view: &SqlView, to: W) -> io::Result<Self> {
        let mut to = SumWriter::new(to);
        to.write_all(csv_line(view.columns.iter().map(|column| column.name.to_owned())).as_bytes())?;
        Ok(Self { to, rows: 0 })
    }

    pub(super) fn row(&mut self, row: &[SqlValue]) -> io::Result<()> {
        self.rows += 1;
        self.to.write_all(csv_line(row.iter().map(csv_field)).as_bytes())
    }

    /// Returns the number of rows, and the number and sum of their bytes.
    pub(super) fn sum(self) -> (u64, (u64, String)) {
        (self.rows, self.to.sum())
    }
}

/// Writer of a table's file.
enum TableWriter {
    Csv(RowsWriter<BufWriter<File>>),
    #[cfg(feature = "parquet")]
    Parquet(RowsWriter<io::Sink>, Box<super::parquet::ParquetRows<SumWriter<BufWriter<File>>>>),
}

impl TableWriter {
    fn new(format: ExportFormat, view: &SqlView, file: File) -> io::Result<Self> {
        let file = BufWriter::new(file);
        match format {
            ExportFormat::Csv => RowsWriter::new(view, file).map(Self::Csv),
            #[cfg(feature = "parquet")]
            ExportFormat::Parquet => {
                let rows = super::parquet::ParquetRows::new(view, SumWriter::new(file))?;
                Ok(Self::Parquet(RowsWriter::new(view, io::sink())?, Box::new(rows)))
            }
            #[cfg(not(feature = "parquet"))]
            ExportFormat::Parquet => Err(io::ErrorKind::Unsupported.into()),
        }
    }

    fn row(&mut self, row: &[SqlValue]) -> io::Result<()> {
        match self {
            Self::Csv(rows) => rows.row(row),
            #[cfg(feature = "parquet")]
            Self::Parquet(sum, rows) => {
                sum.row(row)?;
                rows.row(row)
            }
        }
    }

    /// Ends the file, and waits until the disk has it.
    fn finish(self, table: &str, file: String) -> io::Result<ManifestFile> {
        let (writer, rows, rows_sha256) = match self {
            Self::Csv(rows) => (rows.to, rows.rows, None),
            #[cfg(feature = "parquet")]
            Self::Parquet(sum, rows) => {
                let (count, (_, rows_sha256)) = sum.sum();
                (rows.finish()?, count, Some(rows_sha256))
            }
        };
        let mut writer = writer;
        writer.flush()?;
        writer.to.get_ref().sync_all()?;
        let (bytes, sha256) = writer.sum();
        Ok(ManifestFile { table: table.to_owned(), file, rows, bytes, sha256, rows_sha256 })
    }
}

/// Table's file for a range of blocks, while it is written.
pub(super) struct TableFile {
    /// Path in the folder.
    name: String,
    table: &'static str,
    unfinished: PathBuf,
    writer: TableWriter,
}

/// Whole file beside its place.
pub(super) struct FinishedFile {
    unfinished: PathBuf,
    entry: ManifestFile,
}

impl TableFile {
    pub(super) fn create(
        folder: &Path,
        view: &'static SqlView,
        name: String,
        format: ExportFormat,
    ) -> Result<Self, CommandError> {
        let unfinished = files::beside(&folder.join(&name), ".unfinished");
        let created = fs::create_dir_all(folder.join(view.name)).and_then(|()| File::create(&unfinished));
        let writer = created.and_then(|file| TableWriter::new(format, view, file));
        let writer = writer.map_err(|error| cannot_write(&unfinished, &error))?;
        Ok(Self { name, table: view.name, unfinished, writer })
    }

    pub(super) fn row(&mut self, row: &[SqlValue]) -> Result<(), CommandError> {
        self.writer.row(row).map_err(|error| cannot_write(&self.unfinished, &error))
    }

    pub(super) fn finish(self) -> Result<FinishedFile, CommandError> {
        let entry = self.writer.finish(self.table, self.name);
        let entry = entry.map_err(|error| cannot_write(&self.unfinished, &error))?;
        Ok(FinishedFile { unfinished: self.unfinished, entry })
    }
}

impl FinishedFile {
    pub(super) fn put_in_place(self, folder: &Path) -> Result<ManifestFile, CommandError> {
        let place = folder.join(&self.entry.file);
        fs::rename(&self.unfinished, &place).map_err(|error| cannot_write(&place, &error))?;
        Ok(self.entry)
    }
}

/// Returns the size and the sum of a file.
pub(super) fn sum_of(path: &Path) -> io::Result<(u64, String)> {
    let mut sum = SumWriter::new(io::sink());
    io::copy(&mut File::open(path)?, &mut sum)?;
    Ok(sum.sum())
}

fn csv_line(fields: impl Iterator<Item = String>) -> String {
    let mut line = fields.collect::<Vec<_>>().join(",");
    line.push('\n');
    line
}

/// Returns a value without loss: NULL is nothing, and an empty text is `""`. The CSV of lists is for spreadsheets, and
/// cleans text.
fn csv_field(value: &SqlValue) -> String {
    match value {
        SqlValue::Null => String::new(),
        SqlValue::Integer(number) => number.to_string(),
        SqlValue::Real(number) => number.to_string(),
        SqlValue::Text(text) if !text.is_empty() && !text.contains([',', '"', '\n', '\r']) => text.clone(),
        SqlValue::Text(text) => format!("\"{}\"", text.replace('"', "\"\"")),
    }
}
