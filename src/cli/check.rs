//! Command `check`: compares an indexer with its chain's node.

mod progress;
mod watch;
mod writer;

use std::sync::Arc;

use self::{
    progress::CheckProgress,
    watch::{CheckWatch, WatchReport},
    writer::CheckWriter,
};
use super::{
    CommandError,
    arguments::{CheckArguments, Format},
    indexer, node,
    output::CommandOutput,
};
use crate::{
    check::{BlockSelection, CheckMetrics, CheckSession, Findings, MetricsServer},
    client::{ClientOptions, NodeClient},
    config::{Environment, NetworkChoice, NodeLocation, Settings},
    indexer::node::NodeRequests,
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
    let node = NodeClient::find(&node::addresses(node), options, AT_ONCE).await.map_err(CommandError::failed)?;
    let metrics = Arc::new(CheckMetrics::default());
    let node = node.observed(Arc::new(NodeRequests::new(&node, metrics.node.clone())));
    let session = CheckSession::open(node, indexer, arguments.strict_bytes).await.map_err(CommandError::failed)?;
    let mut output = CommandOutput::new(arguments.output.format, settings);
    if arguments.output.format.is_none() && !output.is_terminal {
        output.format = Format::Jsonl;
    }
    let mut writer = CheckWriter::new(&mut output);
    let (findings, blocks) = if arguments.watch.is_endless {
        let serve = |listen| MetricsServer::start(Arc::clone(&metrics), listen).map_err(CommandError::failed);
        let _server = arguments.watch.listen.as_ref().map(serve).transpose()?.inspect(|server| {
            eprintln!("metrics: {}/metrics", server.url());
        });
        let WatchReport { findings, blocks } =
            CheckWatch::new(session, &arguments, &metrics, &mut writer).run().await?;
        (findings, blocks)
    } else {
        let heights = session.heights(selection(&arguments)).map_err(CommandError::failed)?;
        let mut missing = session.missing();
        writer.take(&mut missing)?;
        let progress = CheckProgress::new(heights.len());
        let checked = session
            .run(&heights, &arguments.skip, |step, findings| {
                progress.show(step);
                let stop = first_difference(&arguments, findings);
                progress.hide(|| writer.take(findings))?;
                stop.map_or(Ok(()), Err)
            })
            .await;
        progress.finish();
        missing.take(checked?);
        (missing, heights.len())
    };
    writer.finish(&findings)?;
    verdict(&findings, blocks, arguments.strict)
}

/// Returns the end of a check that stops at the first difference.
fn first_difference(arguments: &CheckArguments, findings: &Findings) -> Option<CommandError> {
    let first = findings.differences.first().filter(|_| arguments.fail_fast)?;
    Some(CommandError::Failed(format!("stopped at the first difference: {first}")))
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
