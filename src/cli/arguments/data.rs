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
