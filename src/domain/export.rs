use std::path::PathBuf;

/// Format of the rows of a list in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::Display, strum::EnumIter)]
pub enum RowsFormat {
    #[strum(to_string = "JSON lines")]
    JsonLines,
    #[strum(to_string = "CSV")]
    Csv,
    #[strum(to_string = "JSON")]
    Json,
}

impl RowsFormat {
    /// Returns the ending of a file's name, without its dot.
    pub fn ending(self) -> &'static str {
        match self {
            Self::JsonLines => "jsonl",
            Self::Csv => "csv",
            Self::Json => "json",
        }
    }
}

/// Name of the denom that all rows share, for the last cells of CSV; empty where nothing names the denom.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DenomName {
    /// Symbol as its source gives it; untrusted text.
    pub symbol: String,
    pub decimals: Option<u8>,
    pub named_by: &'static str,
}

/// File to which a whole list is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowsFile {
    /// Absolute path. If the file exists, a number is added to its name.
    pub path: PathBuf,
    pub format: RowsFormat,
    /// Name for the rows' denom; `None` for a list without one denom.
    pub denom: Option<DenomName>,
    /// Whether addresses are masked.
    pub is_masked: bool,
}
