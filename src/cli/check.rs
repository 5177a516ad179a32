//! Command `check`: compares an indexer with its chain's node.

mod progress;
mod writer;

use self::{progress::CheckProgress, writer::CheckWriter};
use super::{
    CommandError,
    arguments::{CheckArguments, Format},
    indexer, node,
    output::CommandOutput,
};
use crate::{
    check::{BlockSelection, CheckSession, Findings},
    client::{ClientOptions, NodeClient},
    config::{Environment, NetworkChoice, NodeLocation, Settings},
};

/// Maximum concurrent requests to the node's host.
const AT_ONCE: usize = 16;

/// Returns the URLs of both sides from the chosen network, else from the environment.
fn sides(settings: &Settings) -> Result<(String, NodeLocation), CommandError> {
    let network = match &settings.destination {
        Some(NetworkChoice::Network(network) | NetworkChoice::Node(network)) => Some(network),
        Some(NetworkChoice::Embedded) | None => None,
    };
    let environment = Environment::read();
    let of_network = network.map(|network| network.indexer.clone()).filter(|indexer| !indexer.is_empty());
    let indexer = of_network.or(environment.indexer);
    let of_network = network.and_then(|network| network.node.clone());
    let Environment { node, rest, json_rpc, .. } = environment;
    let of_environment = NodeLocation::named(node, rest, json_rpc, None);
    match (indexer, of_network.or(of_environment)) {
        (Some(indexer), Some(node)) => Ok((indexer, node)),
        _ => {
            Err(CommandError::Usage("check needs --indexer for the indexer and --node for the chain's node".to_owned()))
        }
    }
}

/// Compares both sides and prints the differences; fails after any difference or failed request.
pub(super) async fn run(arguments: CheckArguments, settings: &Settings) -> Result<(), CommandError> {
    let (indexer, node) = sides(settings)?;
    let options = ClientOptions { timeout: settings.timeout, ..ClientOptions::default() };
    let indexer = indexer::client(&indexer, settings)?;
    let node = NodeClient::find(&node::addresses(node), options, AT_ONCE).await;
    let session = CheckSession::open(node.map_err(CommandError::failed)?, indexer, arguments.strict_bytes)
        .await
        .map_err(CommandError::failed)?;
    let heights = session.heights(selection(&arguments)).map_err(CommandError::failed)?;
    let mut output = CommandOutput::new(arguments.output.format, settings);
    if arguments.output.format.is_none() && !output.is_terminal {
        output.format = Format::Jsonl;
    }
    let mut writer = CheckWriter::new(&mut output);
    let progress = CheckProgress::new(heights.len());
    let checked = session
        .run(&heights, &arguments.skip, |step, findings| {
            progress.show(step);
            let first = findings.differences.first().filter(|_| arguments.fail_fast).map(ToString::to_string);
            progress.hide(|| writer.take(findings))?;
            first.map_or(Ok(()), |first| Err(CommandError::Failed(format!("stopped at the first difference: {first}"))))
        })
        .await;
    progress.finish();
    let findings = checked?;
    writer.finish(&findings)?;
    verdict(&findings, heights.len(), arguments.strict)
}

fn selection(arguments: &CheckArguments) -> BlockSelection {
    let CheckArguments { newest, first: from, to, sample, seed, .. } = *arguments;
    match sample {
        Some(count) => BlockSelection::Sample { count, seed, from, to },
        None if from.is_some() || to.is_some() => BlockSelection::Range { from, to },
        None => BlockSelection::Newest(newest),
    }
}

/// Fails unless the indexer agrees with the chain.
fn verdict(findings: &Findings, blocks: usize, is_strict: bool) -> Result<(), CommandError> {
    let sum = |of: fn(&crate::check::PartCounts) -> u64| findings.counts.values().map(of).sum::<u64>();
    let (different, not_asked) = (sum(|counts| counts.different), sum(|counts| counts.not_asked));
    let losses = findings.known.keys().filter(|way| way.is_loss()).count();
    let mut problems = Vec::new();
    if different > 0 {
        problems.push(format!("{different} {}", if different == 1 { "difference" } else { "differences" }));
    }
    if not_asked > 0 {
        problems.push(format!("{not_asked} not compared"));
    }
    if is_strict && losses > 0 {
        problems.push(format!("{losses} known data losses"));
    }
    if problems.is_empty() {
        return Ok(());
    }
    let blocks = if blocks == 1 { "1 block".to_owned() } else { format!("{blocks} blocks") };
    Err(CommandError::Failed(format!("{} in {blocks}", problems.join(" and "))))
}
