//! `local`: the rollup that weave set up on this machine.

use std::process::ExitCode;

use serde::Serialize;

use super::{
    CommandError,
    arguments::{Format, HistoryArguments, LocalArguments},
    done, explore, interruptible,
    node::AT_ONCE,
    output::CommandOutput,
    table::{TableCell, details},
};
use crate::{
    client::{ClientOptions, ExaminedServers},
    config::{LocalRollup, Settings},
    tui,
    wire::ServerUrls,
};

/// Local rollup as JSON for scripts.
#[derive(Serialize)]
struct LocalLine {
    chain_id: String,
    l1: Option<String>,
    bridge_id: Option<u64>,
    node: String,
    rest: Option<String>,
    json_rpc: Option<String>,
    indexer: Option<String>,
    executor: Option<String>,
    relayer: Vec<String>,
    accounts: Vec<LocalAccount>,
    absent: Vec<AbsentFile>,
}

#[derive(Serialize)]
struct LocalAccount {
    name: &'static str,
    address: String,
}

#[derive(Serialize)]
struct AbsentFile {
    file: &'static str,
    reason: String,
}

/// Explores the rollup; prints what the files say with `--show`, with a format, or without a terminal.
pub(super) fn run(
    arguments: LocalArguments,
    settings: Settings,
    history: &HistoryArguments,
) -> Result<ExitCode, CommandError> {
    let rollup = LocalRollup::read().map_err(CommandError::failed)?;
    if arguments.show || arguments.output.format.is_some() || !tui::has_terminal() {
        let mut output = CommandOutput::new(arguments.output.format, &settings);
        return done(print(rollup, &mut output));
    }
    let mut settings = settings;
    let problem = indexer_problem(&rollup, &settings)?;
    settings.choose_network(rollup.network(rollup.indexer.is_some() && problem.is_none()));
    settings.warnings.extend(problem);
    explore::run(&settings, None, history, None)
}

/// Says why the rollup's indexer cannot be used; `None` if it can, or if there is none.
fn indexer_problem(rollup: &LocalRollup, settings: &Settings) -> Result<Option<String>, CommandError> {
    let Some(indexer) = &rollup.indexer else { return Ok(None) };
    let options = ClientOptions { timeout: settings.timeout, tries: 1, ..ClientOptions::default() };
    let urls = ServerUrls { indexer: Some(indexer.clone()), ..ServerUrls::default() };
    let mut examined = ExaminedServers::default();
    interruptible(async {
        examined = ExaminedServers::examine(&urls, &options, AT_ONCE).await;
        Ok(())
    })?;
    Ok(match examined.found.chain_id() {
        Ok(chain_id) if chain_id == rollup.chain_id => None,
        Ok(_) => Some(format!("the indexer at {indexer} serves another chain: rollscope reads the node")),
        Err(failure) => Some(format!("{failure}: rollscope reads the node")),
    })
}

fn print(rollup: LocalRollup, output: &mut CommandOutput) -> Result<(), CommandError> {
    let line = LocalLine::new(rollup);
    match output.format {
        Format::Table => {
            let cells = line.fields();
            let cells: Vec<_> = cells.iter().map(|(name, value)| (*name, TableCell::new(value))).collect();
            output.text(&details(&cells, output.colored))?;
        }
        Format::Json => {
            output.record(&line, true)?;
            output.line("")?;
        }
        Format::Jsonl => {
            output.record(&line, false)?;
            output.line("")?;
        }
        Format::Csv => {
            output.csv(["name", "value"])?;
            line.fields().into_iter().try_for_each(|(name, value)| output.csv([name.to_owned(), value]))?;
        }
    }
    output.flush()
}

impl LocalLine {
    fn new(rollup: LocalRollup) -> Self {
        let account =
            |(name, address): (&'static str, crate::domain::Address)| LocalAccount { name, address: address.bech32() };
        Self {
            chain_id: rollup.chain_id,
            l1: rollup.l1,
            bridge_id: rollup.bridge_id,
            node: rollup.node.node,
            rest: rollup.node.rest,
            json_rpc: rollup.node.json_rpc,
            indexer: rollup.indexer,
            executor: rollup.executor,
            relayer: rollup.relayed,
            accounts: rollup.accounts.into_iter().map(account).collect(),
            absent: rollup.absent.into_iter().map(|(file, reason)| AbsentFile { file, reason }).collect(),
        }
    }

    fn fields(&self) -> Vec<(&'static str, String)> {
        let mut fields = vec![("chain", self.chain_id.clone())];
        let bridge = self.bridge_id.map(|id| id.to_string());
        let relayer = Some(self.relayer.join(", ")).filter(|chains| !chains.is_empty());
        let known = [
            ("L1", &self.l1),
            ("bridge", &bridge),
            ("node", &Some(self.node.clone())),
            ("REST", &self.rest),
            ("JSON-RPC", &self.json_rpc),
            ("indexer", &self.indexer),
            ("executor", &self.executor),
            ("relayer", &relayer),
        ];
        fields.extend(known.into_iter().filter_map(|(name, value)| Some((name, value.clone()?))));
        fields.extend(self.accounts.iter().map(|account| (account.name, account.address.clone())));
        fields.extend(self.absent.iter().map(|absent| ("not read", format!("{}: {}", absent.file, absent.reason))));
        fields
    }
}
