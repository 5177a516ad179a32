use std::time::{Duration, Instant};

use futures_util::future::join_all;
use serde::Serialize;

use super::{
    CommandError,
    arguments::{Format, NetworksArguments},
    indexer, node,
    output::CommandOutput,
    table::{Align, Heading, TableCell, TableLayout},
};
use crate::{
    config::{Meaning, Network, NetworkChoice, NodeLocation, Settings},
    domain::text::{clip, group},
};

const COLUMNS: &[Heading] =
    &[("Name", Align::Left), ("Chain", Align::Left), ("VM", Align::Left), ("Indexer", Align::Left)];
const CHECKED_COLUMNS: &[Heading] = &[
    ("Name", Align::Left),
    ("Chain", Align::Left),
    ("Height", Align::Right),
    ("Response time", Align::Right),
    ("Result", Align::Left),
];

/// Network as JSON for scripts; only `--check` fills the last four fields.
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

/// Result of requesting a network's status.
struct Check {
    elapsed: Duration,
    verdict: NetworkVerdict,
}

enum NetworkVerdict {
    Answers(AnsweringChain),
    AnotherChain(AnsweringChain),
    Fails(CommandError),
}

/// Chain of the server at a network's address, with its height.
struct AnsweringChain {
    chain_id: String,
    height: u64,
}

impl Check {
    fn height(&self) -> Option<u64> {
        match &self.verdict {
            NetworkVerdict::Answers(chain) | NetworkVerdict::AnotherChain(chain) => Some(chain.height),
            NetworkVerdict::Fails(_) => None,
        }
    }

    fn is_good(&self) -> bool {
        matches!(self.verdict, NetworkVerdict::Answers(_))
    }

    fn problem(&self) -> Option<String> {
        match &self.verdict {
            NetworkVerdict::Answers(_) => None,
            NetworkVerdict::AnotherChain(chain) => Some(format!("serves {}", clip(&chain.chain_id, 40))),
            NetworkVerdict::Fails(failure) => Some(failure.to_string()),
        }
    }
}

/// Prints the named networks. With `--check`, requests each network's status and fails unless every network serves its
/// chain.
pub(super) async fn print(
    arguments: NetworksArguments,
    chosen: bool,
    settings: &Settings,
    output: &mut CommandOutput,
) -> Result<(), CommandError> {
    let networks: Vec<&Network> = match (&settings.destination, chosen) {
        (Some(NetworkChoice::Network(network) | NetworkChoice::Node(network)), true) => vec![network],
        _ => settings.networks().all().iter().collect(),
    };
    let checks = if arguments.check {
        join_all(networks.iter().map(|network| check(network, settings))).await.into_iter().map(Some).collect()
    } else {
        networks.iter().map(|_| None).collect::<Vec<_>>()
    };
    let pairs: Vec<_> = networks.into_iter().zip(&checks).map(|(network, check)| (network, check.as_ref())).collect();
    write(&pairs, arguments.check, output)?;
    let count =
        |is_bad: fn(&NetworkVerdict) -> bool| checks.iter().flatten().filter(|check| is_bad(&check.verdict)).count();
    let all = checks.len();
    let others = count(|verdict| matches!(verdict, NetworkVerdict::AnotherChain(_)));
    let silent = count(|verdict| matches!(verdict, NetworkVerdict::Fails(_)));
    let mut problems = Vec::new();
    if others > 0 {
        problems.push(format!("{others} of {all} networks serve another chain; check address and chain_id"));
    }
    if silent > 0 {
        problems.push(format!("{silent} of {all} networks did not answer; try again later"));
    }
    if problems.is_empty() { Ok(()) } else { Err(CommandError::Failed(problems.join("; "))) }
}

async fn check(network: &Network, settings: &Settings) -> Check {
    let start = Instant::now();
    let answered = match &network.node {
        Some(node) if network.indexer.is_empty() => ask_node(node, settings).await,
        _ => ask_indexer(&network.indexer, settings).await,
    };
    let verdict = match answered {
        Ok(chain) if network.chain_id.as_ref().is_some_and(|expected| *expected != chain.chain_id) => {
            NetworkVerdict::AnotherChain(chain)
        }
        Ok(chain) => NetworkVerdict::Answers(chain),
        Err(failure) => NetworkVerdict::Fails(failure),
    };
    Check { elapsed: start.elapsed(), verdict }
}

async fn ask_indexer(url: &str, settings: &Settings) -> Result<AnsweringChain, CommandError> {
    let status = indexer::client(url, settings)?.status().await?;
    Ok(AnsweringChain { chain_id: status.chain_id, height: status.height.get() })
}

async fn ask_node(node: &NodeLocation, settings: &Settings) -> Result<AnsweringChain, CommandError> {
    let client = node::find(node, settings).await.map_err(CommandError::failed)?;
    let status = client.status().await.map_err(CommandError::failed)?;
    Ok(AnsweringChain { chain_id: status.node_info.network, height: status.sync_info.latest_block_height })
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
            output.record(&lines, true)?;
            output.line("")?;
        }
        Format::Jsonl => {
            for (network, check) in pairs {
                output.record(&NetworkLine::new(network, *check), false)?;
                output.line("")?;
            }
        }
        Format::Csv => {
            output.csv(if checked { CHECKED_CSV } else { CSV }.iter().copied())?;
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
            cells.push(TableCell::new(address(network)));
        }
        Some(check) => {
            let height = check.height().map(group).unwrap_or_default();
            let (verdict, meaning) = match check.problem() {
                None => ("✓".to_owned(), Meaning::Good),
                Some(problem) => (format!("✗ {problem}"), Meaning::Bad),
            };
            cells.push(TableCell::new(height));
            cells.push(TableCell::new(format!("{} ms", group(milliseconds(check.elapsed)))));
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
            height: check.and_then(Check::height),
            milliseconds: check.map(|check| milliseconds(check.elapsed)),
            ok: check.map(Check::is_good),
            error: check.and_then(Check::problem),
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

/// Returns the address of a network's indexer, else of its node.
fn address(network: &Network) -> &str {
    match &network.node {
        Some(node) if network.indexer.is_empty() => &node.node,
        _ => &network.indexer,
    }
}

fn milliseconds(span: Duration) -> u64 {
    u64::try_from(span.as_millis()).unwrap_or(u64::MAX)
}
