//! Arguments of the commands for the user's names, notes and bookmarks.

use std::path::PathBuf;

use clap::Subcommand;

#[derive(Clone, Debug, Subcommand)]
pub enum NamesCommand {
    /// Write the network's names, notes and bookmarks as TOML
    Export {
        /// File to write; it replaces a present one [default: standard output]
        #[arg(value_name = "FILE")]
        file: Option<PathBuf>,
    },
    /// Add the entries of an exported file; report what is added, and what differs from yours
    Import {
        /// File that `names export` wrote
        #[arg(value_name = "FILE")]
        file: PathBuf,
        /// Take the file's text where it differs from yours
        #[arg(long)]
        replace: bool,
    },
}
