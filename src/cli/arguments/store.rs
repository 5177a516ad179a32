//! Arguments of the commands that read an index file.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde::{Deserialize, Serialize};

use super::{
    DataPlace, OutputArguments,
    data::{DataPlaceParser, index_file},
};

/// Index file and its copy.
#[derive(Clone, Debug, Args)]
pub struct BackupArguments {
    /// File that serve --data writes
    #[arg(value_name = "FILE", value_parser = index_file)]
    pub file: PathBuf,
    /// New file
    #[arg(value_name = "TO")]
    pub to: PathBuf,
}

/// Index and its copy.
#[derive(Clone, Debug, Args)]
pub struct CopyArguments {
    /// File that serve --data writes, or `postgres://HOST/DATABASE`
    #[arg(long, value_name = "FILE", value_parser = DataPlaceParser)]
    pub data: DataPlace,
    /// New file, or a database that has no blocks of the rollup
    #[arg(long, value_name = "TO", value_parser = DataPlaceParser)]
    pub to: DataPlace,
}

/// Statement and the index file that it reads.
#[derive(Clone, Debug, Args)]
pub struct SqlArguments {
    /// One SELECT; `-` or nothing reads it from standard input. It may take 30 s, or --timeout
    #[arg(value_name = "STATEMENT", allow_hyphen_values = true)]
    pub statement: Option<String>,
    /// File that serve --data writes
    #[arg(long, value_name = "FILE", value_parser = index_file)]
    pub data: PathBuf,
    /// Maximum number of rows [default: 100000, and more are a failure]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub limit: Option<u64>,
    #[command(flatten)]
    pub output: OutputArguments,
}

/// Format of an export's files, and the ending of their names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, strum::Display, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum ExportFormat {
    Csv,
    Parquet,
}

/// Index file and the folder of its export.
#[derive(Clone, Debug, Args)]
pub struct ExportArguments {
    /// File that serve --data writes
    #[arg(long, value_name = "FILE", value_parser = index_file)]
    pub data: PathBuf,
    /// Folder of the export; a further export writes what has changed
    #[arg(long, value_name = "DIR")]
    pub to: PathBuf,
    /// Format of the files [default: csv, or that of the folder]
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<ExportFormat>,
    /// Blocks per file [default: 10000, or those of the folder]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub blocks: Option<u64>,
    /// Compare the folder with the file, and write nothing
    #[arg(long)]
    pub verify: bool,
}
