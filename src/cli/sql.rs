//! Queries over an index file.

use std::{
    collections::HashSet,
    io::{self, Read as _},
    time::Duration,
};

use serde_json::{Number, Value};

use super::{
    CommandError,
    arguments::{Format, SqlArguments},
    output::CommandOutput,
    table::{Align, TableCell, TableLayout},
};
use crate::{
    columns::CsvCell,
    domain::{Vm, text::group},
    indexer::index::{SqlError, SqlLimits, SqlReader, SqlSink, SqlValue},
    story::EffectsRecord,
    wire::Tx,
};

/// Time of a statement without `--timeout`.
const TIME: Duration = Duration::from_secs(30);

/// Rows of a statement without `--limit`.
const MOST_ROWS: u64 = 100_000;

/// Maximum bytes of a statement on standard input.
const LONGEST: u64 = 1 << 20;

/// Rows and bytes that determine the widths of a table.
const SAMPLE_ROWS: usize = 1_000;
const SAMPLE_BYTES: usize = 1 << 20;

impl From<SqlError> for CommandError {
    fn from(error: SqlError) -> Self {
        match error {
            SqlError::Index(_) | SqlError::Time(_) | SqlError::Memory | SqlError::Size => Self::failed(error),
            _ => Self::Usage(error.to_string()),
        }
    }
}

/// Returns the effects of a transaction's record as JSON; `None` for an unreadable record.
pub(super) fn effects(vm: Vm, record: &str) -> Option<String> {
    let tx: Tx = serde_json::from_str(record).ok()?;
    serde_json::to_string(&EffectsRecord::of(&tx, vm)).ok()
}

/// Runs one statement and prints its rows. Rows beyond the default limit are a failure, since nobody chose it.
pub(super) fn run(
    arguments: &SqlArguments,
    timeout: Option<Duration>,
    output: &mut CommandOutput,
) -> Result<(), CommandError> {
    let statement = match arguments.statement.as_deref() {
        None | Some("-") => {
            let mut text = String::new();
            let read = io::stdin().take(LONGEST).read_to_string(&mut text);
            read.map_err(|error| CommandError::Failed(format!("cannot read the statement: {error}")))?;
            text
        }
        Some(text) => text.to_owned(),
    };
    let reader = SqlReader::open(&arguments.data, effects)?;
    let rows = arguments.limit.unwrap_or(MOST_ROWS);
    let limits = SqlLimits { time: timeout.unwrap_or(TIME), rows };
    let mut writer = SqlWriter { output, names: Vec::new(), sample: Vec::new(), bytes: 0, layout: None, count: 0 };
    let ran = reader.run(&statement, limits, &mut writer);
    let written = if matches!(ran, Err(CommandError::BrokenPipe)) { Ok(()) } else { writer.finish(ran.is_ok()) };
    let is_cut = ran?;
    written?;
    let left_out = format!("more than {} rows were found, and the others were left out", group(rows));
    match arguments.limit {
        _ if !is_cut => Ok(()),
        Some(_) => {
            eprintln!("note: {left_out}");
            Ok(())
        }
        None => Err(CommandError::Failed(format!("{left_out}; add --limit N, or restrict the statement"))),
    }
}

/// Writer of a statement's rows in the output's format.
struct SqlWriter<'a> {
    output: &'a mut CommandOutput,
    names: Vec<String>,
    /// Rows of a table that wait for its widths.
    sample: Vec<Vec<SqlValue>>,
    bytes: usize,
    layout: Option<TableLayout>,
    count: u64,
}

impl SqlSink for SqlWriter<'_> {
    type Error = CommandError;

    fn begin(&mut self, columns: Vec<String>) -> Result<(), CommandError> {
        let columns = told_apart(columns);
        if self.output.format == Format::Csv {
            self.output.csv(columns.iter().map(String::as_str))?;
        }
        self.names = columns;
        Ok(())
    }

    fn row(&mut self, values: Vec<SqlValue>) -> Result<(), CommandError> {
        self.count += 1;
        match self.output.format {
            Format::Csv => self.output.csv(values.into_iter().map(csv_cell)),
            Format::Table if self.layout.is_some() => self.table_row(&values),
            Format::Table => {
                self.bytes += values.iter().map(|value| text_of(value).len()).sum::<usize>();
                self.sample.push(values);
                if self.sample.len() < SAMPLE_ROWS && self.bytes < SAMPLE_BYTES { Ok(()) } else { self.table_head() }
            }
            Format::Json => {
                let before = if self.count == 1 { "[\n" } else { ",\n" };
                self.output.text(before)?;
                let object = self.object(&values);
                self.output.json(&object)
            }
            Format::Jsonl => {
                let object = self.object(&values);
                self.output.json(&object)?;
                self.output.line("")
            }
        }
    }
}

impl SqlWriter<'_> {
    /// Returns a row as a JSON object.
    fn object(&self, values: &[SqlValue]) -> String {
        let fields = self.names.iter().zip(values).map(|(name, value)| {
            let value = match value {
                SqlValue::Null => Value::Null,
                SqlValue::Integer(number) => Value::from(*number),
                // JSON has no infinity, which is not the same as no value.
                SqlValue::Real(number) => {
                    Number::from_f64(*number).map_or_else(|| Value::from(number.to_string()), Value::Number)
                }
                SqlValue::Text(text) => Value::from(text.as_str()),
            };
            format!("{}:{value}", Value::from(name.as_str()))
        });
        format!("{{{}}}", fields.collect::<Vec<_>>().join(","))
    }

    /// Writes the head of a table and the rows that determined its widths.
    fn table_head(&mut self) -> Result<(), CommandError> {
        let sample = std::mem::take(&mut self.sample);
        let is_number = |place: usize| {
            let mut values = sample.iter().filter_map(|row| row.get(place)).filter(|value| **value != SqlValue::Null);
            values.clone().next().is_some() && values.all(|value| matches!(csv_cell(value.clone()), CsvCell::Number(_)))
        };
        let align = |place: usize| if is_number(place) { Align::Right } else { Align::Left };
        let headings: Vec<(&str, Align)> =
            self.names.iter().enumerate().map(|(place, name)| (name.as_str(), align(place))).collect();
        let rows: Vec<Vec<TableCell>> = sample.iter().map(|row| row.iter().map(cell).collect()).collect();
        let layout = TableLayout::fit(&headings, &rows, self.output.width, self.output.colored);
        self.output.line(&layout.heading())?;
        self.layout = Some(layout);
        sample.iter().try_for_each(|row| self.table_row(row))
    }

    fn table_row(&mut self, values: &[SqlValue]) -> Result<(), CommandError> {
        let cells: Vec<TableCell> = values.iter().map(cell).collect();
        let line = self.layout.as_ref().map(|layout| layout.line(&cells)).unwrap_or_default();
        self.output.line(&line)
    }

    fn finish(&mut self, is_whole: bool) -> Result<(), CommandError> {
        match self.output.format {
            Format::Table if self.layout.is_none() && !self.names.is_empty() => self.table_head()?,
            Format::Json => self.output.end_array(self.count > 0, is_whole)?,
            _ => {}
        }
        self.output.flush()
    }
}

/// Numbers later columns of the same name, of which readers of JSON would keep the last only: `height`, `height_2`.
fn told_apart(mut names: Vec<String>) -> Vec<String> {
    let mut taken: HashSet<String> = names.iter().cloned().collect();
    let mut seen = HashSet::new();
    for name in &mut names {
        if !seen.insert(name.clone()) {
            let mut others = (2..).map(|number: usize| format!("{name}_{number}"));
            *name = others.find(|other| taken.insert(other.clone())).unwrap_or_default();
        }
    }
    names
}

fn cell(value: &SqlValue) -> TableCell {
    TableCell::new(text_of(value))
}

fn text_of(value: &SqlValue) -> std::borrow::Cow<'_, str> {
    match value {
        SqlValue::Null => "".into(),
        SqlValue::Integer(number) => number.to_string().into(),
        SqlValue::Real(number) => number.to_string().into(),
        SqlValue::Text(text) => text.as_str().into(),
    }
}

/// Returns a value for CSV: text of digits alone is an amount, which needs no escape.
fn csv_cell(value: SqlValue) -> CsvCell {
    let is_number = |text: &str| {
        let digits = text.strip_prefix('-').unwrap_or(text);
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    match value {
        SqlValue::Text(text) if !is_number(&text) => CsvCell::Text(text),
        other => CsvCell::Number(text_of(&other).into_owned()),
    }
}
