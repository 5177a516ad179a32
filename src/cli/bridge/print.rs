//! Output of a response: JSON as received, a table for humans, CSV with exact integers.

use serde::de::DeserializeOwned;

use super::{
    super::{
        CommandError,
        arguments::Format,
        output::CommandOutput,
        table::{Heading, TableCell, TableLayout, details},
    },
    Router,
    router_names::RouterNames,
};
use crate::{columns::one_line, domain::ChainId};

/// Response that a command prints as a table and as CSV.
pub(super) trait BridgeAnswer: DeserializeOwned {
    /// Header line of CSV.
    const CSV: &'static [&'static str];

    fn csv(&self) -> Vec<Vec<String>>;

    /// Returns the chains whose names and tokens a table needs.
    fn chains(&self) -> Vec<ChainId> {
        Vec::new()
    }

    fn table(&self, names: &RouterNames, style: OutputStyle) -> String;
}

/// Width and colours of the table's output.
#[derive(Clone, Copy)]
pub(super) struct OutputStyle {
    width: Option<usize>,
    colored: bool,
}

impl OutputStyle {
    pub(super) fn of(output: &CommandOutput) -> Self {
        Self { width: output.width, colored: output.colored }
    }

    /// Formats names and values, one per line.
    pub(super) fn details(self, fields: &[(&str, TableCell)]) -> String {
        details(fields, self.colored)
    }

    /// Formats rows below a header; empty without rows.
    pub(super) fn rows(self, columns: &'static [Heading], rows: &[Vec<TableCell>]) -> String {
        if rows.is_empty() {
            return String::new();
        }
        let layout = TableLayout::fit(columns, rows, self.width, self.colored);
        let lines = rows.iter().map(|row| layout.line(row));
        std::iter::once(layout.heading()).chain(lines).map(|line| line + "\n").collect()
    }
}

pub(super) async fn print<T: BridgeAnswer>(
    body: &[u8],
    router: &Router,
    output: &mut CommandOutput,
) -> Result<(), CommandError> {
    let text = String::from_utf8_lossy(body);
    // An invalid answer is not printed in any format.
    let answer = decode::<T>(&text).map_err(|error| another_form(&error, router))?;
    match output.format {
        Format::Json => json(&text, output)?,
        Format::Jsonl => json(&one_line(&text), output)?,
        Format::Csv => {
            output.csv(T::CSV.iter().copied())?;
            answer.csv().into_iter().try_for_each(|row| output.csv(row))?;
        }
        Format::Table => {
            let names = RouterNames::fetch(router, &answer.chains()).await;
            output.text(&answer.table(&names, OutputStyle::of(output)))?;
        }
    }
    output.flush()
}

fn json(text: &str, output: &mut CommandOutput) -> Result<(), CommandError> {
    output.json(text.trim_end())?;
    output.line("")
}

fn decode<T: DeserializeOwned>(text: &str) -> Result<T, serde_json::Error> {
    serde_json::from_str(text)
}

/// Creates the error for an invalid response of the router.
fn another_form(error: &serde_json::Error, router: &Router) -> CommandError {
    let exchanges = router.exchanges();
    let curl = exchanges.last().map(|exchange| exchange.curl()).unwrap_or_default();
    CommandError::Failed(format!("unexpected response format ({error}); check the URL: {curl} shows the response"))
}
