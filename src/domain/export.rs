use std::path::PathBuf;

use super::text::group;

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

/// Rows of a list that a local filter keeps, where the server does not filter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RowsFilter {
    #[default]
    All,
    FailedTxs,
    BlocksWithTxs,
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
    /// Folder of a relative path.
    pub folder: PathBuf,
    /// Path as the user typed it. If the file exists, a number is added to its name.
    pub path: String,
    pub format: RowsFormat,
    pub filter: RowsFilter,
    /// Name of the rows' denom; `None` for a list without one denom.
    pub denom: Option<DenomName>,
    /// Whether addresses are masked.
    pub is_masked: bool,
}

/// Whole list in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenRows {
    pub path: PathBuf,
    pub rows: u64,
    /// Sentences about the list that its rows do not show.
    pub notes: Vec<String>,
}

/// Returns a name that leads to no other folder, for a file that is named after a record.
pub fn file_name_of(text: &str) -> String {
    let name: String =
        text.chars().map(|character| if "/\\\0".contains(character) { '_' } else { character }).collect();
    if matches!(name.as_str(), "" | "." | "..") { "export".to_owned() } else { name }
}

/// Returns a number of rows as text: `1 row`, `1,234 rows`.
pub fn rows_text(rows: u64) -> String {
    if rows == 1 { "1 row".to_owned() } else { format!("{} rows", group(rows)) }
}

#[cfg(test)]
mod tests {
    use super::file_name_of;

    #[test]
    fn a_name_cannot_lead_out_of_the_folder() {
        for (text, name) in [("../txs.csv", ".._txs.csv"), ("/txs.csv", "_txs.csv"), ("..", "export"), ("", "export")] {
            assert_eq!(file_name_of(text), name);
        }
    }
}
