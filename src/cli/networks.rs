use std::time::{Duration, Instant};

use futures_util::future::join_all;
use serde::Serialize;

use super::{
    CommandError,
    arguments::{Format, NetworksArguments},
    indexer,
    output::CommandOutput,
    table::{Align, Heading, TableCell, TableLayout},
};
use crate::{
    config::{Meaning, Network, NetworkChoice, Settings},
    domain::text::{clip, group},
    wire::Status,
};

const COLUMNS: &[Heading] =
    &[("Name", Align::Left), ("Chain", Align::Left), ("VM", Align::Left), ("Indexer", Align::Left)];
const CHECKED_COLUMNS: &[Heading] = &[
    ("Name", Align::Left),
    ("Chain", Align::Left),
    ("Height", Align::Right),
    ("Answered in", Align::Right),
    ("Result", Align::Left),
];

/// A network as scripts see it; the last four fields are there with `--check` only.
#[derive(Serialize)]
struct NetworkLine<'a> {
    name: &'a str,
    chain_id: Option<&'a str>,
    vm: Option<String>,
    indexer: &'a str,
    router: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    height: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    milliseconds: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ok: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

const CSV: &[&str] = &["name", "chain_id", "vm", "indexer", "router"];
const CHECKED_CSV: &[&str] = &["name", "chain_id", "vm", "indexer", "router", "height", "milliseconds", "ok", "error"];

/// What asking a network for its status brought.
struct Check {
    elapsed: Duration,
    result: Result<Status, CommandError>,
}

/// Prints the networks that have a name; with `--check` whether each answers, which fails unless all do.
pub(super) async fn print(
    arguments: NetworksArguments,
    chosen: bool,
    settings: &Settings,
    output: &mut CommandOutput,
) -> Result<(), CommandError> {
    let networks: Vec<&Network> = match (&settings.destination, chosen) {
        (Some(NetworkChoice::Network(network)), true) => vec![network],
        _ => settings.networks().all().iter().collect(),
    };
    let checks = if arguments.check {
        join_all(networks.iter().map(|network| check(network, settings))).await.into_iter().map(Some).collect()
    } else {
        networks.iter().map(|_| None).collect::<Vec<_>>()
    };
    let pairs: Vec<_> = networks.into_iter().zip(&checks).map(|(network, check)| (network, check.as_ref())).collect();
    write(&pairs, arguments.check, output)?;
    let silent = checks.iter().flatten().filter(|check| check.result.is_err()).count();
    if silent > 0 {
        return Err(CommandError::Failed(format!(
            "{silent} of {} networks did not answer; try again later",
            checks.len()
        )));
    }
    Ok(())
}

async fn check(network: &Network, settings: &Settings) -> Check {
    let start = Instant::now();
    let result = match indexer::client(&network.indexer, settings) {
        Ok(client) => client.status().await.map_err(CommandError::from),
        Err(failure) => Err(failure),
    };
    Check { elapsed: start.elapsed(), result }
}

fn write(pairs: &[(&Network, Option<&Check>)], checked: bool, output: &mut CommandOutput) -> Result<(), CommandError> {
    match output.format {
        Format::Table => {
            let rows: Vec<_> = pairs.iter().map(|(network, check)| cells(network, *check)).collect();
            let columns = if checked { CHECKED_COLUMNS } else { COLUMNS };
            let layout = TableLayout::fit(columns, &rows, output.width, output.colored);
            output.line(&layout.heading())?;
            rows.iter().try_for_each(|row| output.line(&layout.line(row)))?;
        }
        Format::Json => {
            let lines: Vec<_> = pairs.iter().map(|(network, check)| NetworkLine::new(network, *check)).collect();
            output.json(&serde_json::to_string_pretty(&lines).map_err(CommandError::failed)?)?;
            output.line("")?;
        }
        Format::Jsonl => {
            for (network, check) in pairs {
                output
                    .json(&serde_json::to_string(&NetworkLine::new(network, *check)).map_err(CommandError::failed)?)?;
                output.line("")?;
            }
        }
        Format::Csv => {
            output.csv(if checked { CHECKED_CSV } else { CSV })?;
            pairs.iter().try_for_each(|(network, check)| output.csv(NetworkLine::new(network, *check).csv(checked)))?;
        }
    }
    output.flush()
}

fn cells(network: &Network, check: Option<&Check>) -> Vec<TableCell> {
    let chain_id = network.chain_id.as_deref().unwrap_or("?");
    let mut cells = vec![TableCell::new(&network.name), TableCell::new(chain_id)];
    match check {
        None => {
            cells.push(TableCell::new(network.vm.map(|vm| vm.to_string()).unwrap_or_default()));
            cells.push(TableCell::new(&network.indexer));
        }
        Some(Check { elapsed, result }) => {
            let height = result.as_ref().map(|status| group(status.height.get())).unwrap_or_default();
            let (verdict, meaning) = match result {
                Ok(status) if status.chain_id != chain_id && network.chain_id.is_some() => {
                    (format!("✗ answers for {}", clip(&status.chain_id, 40)), Meaning::Bad)
                }
                Ok(_) => ("✓".to_owned(), Meaning::Good),
                Err(failure) => (format!("✗ {failure}"), Meaning::Bad),
            };
            cells.push(TableCell::new(height));
            cells.push(TableCell::new(format!("{} ms", group(milliseconds(*elapsed)))));
            cells.push(TableCell::new(verdict).meaning(meaning));
        }
    }
    cells
}

impl<'a> NetworkLine<'a> {
    fn new(network: &'a Network, check: Option<&Check>) -> Self {
        Self {
            name: &network.name,
            chain_id: network.chain_id.as_deref(),
            vm: network.vm.map(|vm| vm.to_string()),
            indexer: &network.indexer,
            router: network.router.as_deref(),
            height: check.and_then(|check| check.result.as_ref().ok()).map(|status| status.height.get()),
            milliseconds: check.map(|check| milliseconds(check.elapsed)),
            ok: check.map(|check| check.result.is_ok()),
            error: check.and_then(|check| check.result.as_ref().err()).map(ToString::to_string),
        }
    }

    fn csv(&self, checked: bool) -> Vec<String> {
        let mut fields = vec![
            self.name.to_owned(),
            self.chain_id.unwrap_or_default().to_owned(),
            self.vm.clone().unwrap_or_default(),
            self.indexer.to_owned(),
            self.router.unwrap_or_default().to_owned(),
        ];
        if checked {
            let number = |number: Option<u64>| number.map(|number| number.to_string()).unwrap_or_default();
            fields.push(number(self.height));
            fields.push(number(self.milliseconds));
            fields.push(self.ok.unwrap_or_default().to_string());
            fields.push(self.error.clone().unwrap_or_default());
        }
        fields
    }
}

fn milliseconds(span: Duration) -> u64 {
    u64::try_from(span.as_millis()).unwrap_or(u64::MAX)
}
