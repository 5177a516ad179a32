//! Place of an index that outlives its process.

use std::{
    ffi::OsStr,
    fmt,
    path::{Path, PathBuf},
};

use clap::{builder::TypedValueParser, error::ErrorKind};

use crate::config::{display_path, is_database_url};
#[cfg(feature = "postgres")]
use crate::indexer::index::PostgresUrl;

/// File of an index, or its database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DataPlace {
    File(PathBuf),
    #[cfg(feature = "postgres")]
    Postgres(Box<PostgresUrl>),
}

impl DataPlace {
    /// Parses a value of `--data`. No error shows the text, which may hold a password.
    pub(in crate::cli) fn parse(text: &OsStr) -> Result<Self, String> {
        match text.to_str().filter(|text| is_database_url(text)) {
            None if text.is_empty() => Err("write a file, or postgres://HOST/DATABASE".to_owned()),
            None if is_connection_string(text) => Err("write a database as postgres://USER@HOST/DATABASE".to_owned()),
            None => Ok(Self::File(PathBuf::from(text))),
            #[cfg(feature = "postgres")]
            Some(url) => {
                let url: Result<PostgresUrl, _> = url.parse();
                url.map(|url| Self::Postgres(Box::new(url))).map_err(|error| error.to_string())
            }
            #[cfg(not(feature = "postgres"))]
            Some(_) => Err("this program was built without PostgreSQL: build it with --features postgres".to_owned()),
        }
    }

    /// Returns the file; `None` for a database.
    #[cfg_attr(not(feature = "postgres"), expect(clippy::unnecessary_wraps, reason = "a database is no file"))]
    pub(in crate::cli) fn file(&self) -> Option<&Path> {
        match self {
            Self::File(file) => Some(file),
            #[cfg(feature = "postgres")]
            Self::Postgres(_) => None,
        }
    }
}

/// Whether a text is a database in libpq's other form: `host=127.0.0.1 dbname=roll`.
fn is_connection_string(text: &OsStr) -> bool {
    let words = text.to_str().into_iter().flat_map(str::split_whitespace);
    words.into_iter().any(|word| ["host=", "hostaddr=", "dbname=", "service="].iter().any(|key| word.starts_with(key)))
}

/// Parses the file of a command that reads no database.
pub(super) fn index_file(text: &str) -> Result<PathBuf, String> {
    if is_database_url(text) || is_connection_string(OsStr::new(text)) {
        return Err("this command reads a file; a database has its own programs, see docs/analysts.md".to_owned());
    }
    Ok(PathBuf::from(text))
}

impl fmt::Display for DataPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => f.write_str(&display_path(path)),
            #[cfg(feature = "postgres")]
            Self::Postgres(url) => write!(f, "{url}"),
        }
    }
}

/// Parser whose errors do not show the value, unlike those of clap.
#[derive(Clone, Debug)]
pub(super) struct DataPlaceParser;

impl TypedValueParser for DataPlaceParser {
    type Value = DataPlace;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<DataPlace, clap::Error> {
        let option = argument.and_then(clap::Arg::get_long).unwrap_or("data");
        let refused =
            |why| clap::Error::raw(ErrorKind::ValueValidation, format!("--{option}: {why}\n")).with_cmd(command);
        DataPlace::parse(value).map_err(refused)
    }
}
