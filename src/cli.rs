//! Arguments and the non-interactive commands.

mod abi;
mod arguments;
mod bridge;
mod check;
mod clock;
mod copy;
mod denom;
mod doctor;
mod evm_hash;
mod explore;
mod export;
mod failure;
mod fleet;
mod generated_docs;
mod indexer;
mod list;
mod local;
mod log;
mod names;
mod networks;
mod node;
mod open_files;
mod output;
mod personal;
mod progress;
mod record;
mod records;
mod rollup;
mod serve;
mod single;
mod sql;
mod story;
mod table;
mod usage;

use std::{
    ffi::OsString,
    fmt::Display,
    io::{self, Write as _},
    process::ExitCode,
};

pub use arguments::{
    AddressArgument, AssetName, BlocksArguments, BridgeCommand, CheckArguments, ClaimArguments, CliArguments,
    CliCommand, CollectionsArguments, CommonArguments, ConfigArguments, DemoClaimArguments, DemoFundArguments,
    DemoSendArguments, DemoSignArguments, EvmTxsArguments, ExportArguments, FindSentArguments, Format, HashArgument,
    HistoryArguments, HoldersArguments, InternalTxsArguments, ListArguments, LocalArguments, MsgsArguments,
    NamesCommand, NetworksArguments, NftTxsArguments, NftsArguments, OpHookArguments, OutputArguments, RecordsCommand,
    RollupArguments, RouteArguments, ServeArguments, SqlArguments, TrackArguments, TransferArguments, TrustedContract,
    TxArguments, TxsArguments, WithdrawalName,
};
pub use failure::{CommandError, ExitStatus};
pub use usage::{Parsed, parse};

use crate::{
    client::BlocksQuery,
    columns::Columns,
    config::{Environment, NetworkChoice, Paths, Settings},
    domain::text::clean_lines,
    msg::{TxQuery, TxScope},
};
use indexer::{IndexPart, Indexer};
use node::SoughtRecord;
use output::CommandOutput;

/// Writes to standard error and ignores its errors, which must not replace the exit status. Servers wrote parts of it.
pub fn complain(why: &dyn Display) {
    let _ = writeln!(io::stderr(), "rollscope: {}", clean_lines(&why.to_string()));
}

/// Runs the parsed command line. The caller reports failures.
pub fn run(parsed: Parsed) -> Result<ExitCode, CommandError> {
    let arguments = match parsed {
        Parsed::Run(arguments) => *arguments,
        Parsed::Print(text) => return done(generated_docs::print(&text)),
    };
    match &arguments.command {
        Some(CliCommand::Completions { shell }) => return done(generated_docs::completions(*shell)),
        Some(CliCommand::Man) => return done(generated_docs::manual()),
        Some(CliCommand::Backup(arguments)) => return done(copy::back_up(arguments)),
        Some(CliCommand::Copy(arguments)) => return done(copy::run(arguments)),
        Some(CliCommand::Export(arguments)) => return done(export::run(arguments)),
        Some(CliCommand::Config(ConfigArguments { default: true, .. })) => {
            return done(generated_docs::default_config());
        }
        _ => {}
    }
    arguments.refuse_conflicts()?;
    let mut settings = Settings::load(arguments.common.flags(), Environment::read(), Paths::discover().ok())?;
    let arguments = match arguments.command {
        Some(CliCommand::Serve(_)) => with_serve_settings(arguments, &mut settings)?,
        Some(CliCommand::Doctor(_)) => {
            // Only the warnings about `[serve]` count.
            let words = ["rollscope", "serve"].map(OsString::from).to_vec();
            with_serve_settings(CliArguments { words, ..arguments.clone() }, &mut settings)?;
            arguments
        }
        _ => arguments,
    };
    match (&arguments.command, &settings.paths) {
        (Some(CliCommand::Serve(served)), _) => log::start_on_stderr(served.log_level, served.log_format),
        (_, Some(paths)) => log::start(paths.log_file()),
        (_, None) => {}
    }
    let is_of_node = matches!(settings.destination, Some(NetworkChoice::Node(_)))
        || matches!(arguments.command, Some(CliCommand::Local(_)));
    let is_served = matches!(arguments.command, Some(CliCommand::Serve(_)));
    let is_kept = arguments.history.data.is_some() || arguments.history.from.is_some();
    if is_kept
        && !is_served
        && (!is_of_node || matches!(arguments.command, Some(CliCommand::Demo(_) | CliCommand::Tour { .. })))
    {
        let advice = "--data and --from belong to the index of a node: give --node URL alone";
        return Err(CommandError::Usage(advice.to_owned()));
    }
    let command = match arguments.command {
        None => return explore::run(&settings, None, &arguments.history, None),
        Some(CliCommand::Local(local)) => return local::run(local, settings, &arguments.history),
        Some(CliCommand::Demo(rollup)) => return explore::run(&settings, Some(&rollup), &arguments.history, None),
        Some(CliCommand::Tour { speed, rollup }) => {
            return explore::run(&settings, Some(&rollup), &arguments.history, Some(speed));
        }
        Some(command) => command,
    };
    // The doctor lists the warnings itself.
    let warns = !matches!(command, CliCommand::Doctor(_));
    for warning in settings.warnings.iter().chain(&Columns::from_settings(&settings).1).filter(|_| warns) {
        if is_served {
            tracing::warn!("{warning}");
        } else {
            eprintln!("warning: {warning}");
        }
    }
    if let CliCommand::Sql(sql) = command {
        let mut output = CommandOutput::new(sql.output.format, &settings);
        return done(sql::run(&sql, arguments.common.timeout, &mut output));
    }
    if let CliCommand::Check(check) = command {
        let (is_endless, work) = (check.watch.is_endless, check::run(check, &settings));
        return done(if is_endless { running(work) } else { interruptible(work) });
    }
    done(answer(command, arguments.common.network.is_some(), &settings, &arguments.history))
}

/// Applies `[serve]` of the settings file; adds a warning for each setting that cannot be used.
fn with_serve_settings(arguments: CliArguments, settings: &mut Settings) -> Result<CliArguments, CommandError> {
    let mut warnings = Vec::new();
    let applied = usage::with_serve_settings(arguments, &settings.serve, |setting, reason| {
        warnings.push(settings.warning(setting.key.line, &format!("serve.{}", setting.key.value), reason));
    })?;
    settings.warnings.extend(warnings);
    Ok(applied)
}

fn done(result: Result<(), CommandError>) -> Result<ExitCode, CommandError> {
    result.map(|()| ExitStatus::Done.into())
}

/// Runs a non-interactive command. `chosen` says whether the command line names a network.
fn answer(
    command: CliCommand,
    chosen: bool,
    settings: &Settings,
    history: &HistoryArguments,
) -> Result<(), CommandError> {
    let output = |arguments: OutputArguments| CommandOutput::new(arguments.format, settings);
    let connect = |need| Indexer::connect(settings, need, history);
    match command {
        CliCommand::Serve(arguments) => {
            // These options may also precede the command's name.
            let history = arguments.history.clone().or(history);
            serve::run(ServeArguments { history, ..arguments }, settings)
        }
        CliCommand::Config(arguments) => generated_docs::config(arguments, settings),
        CliCommand::Names(command) => personal::run(&command, settings),
        CliCommand::Doctor(arguments) => doctor::run(settings, &mut output(arguments)),
        CliCommand::Status(arguments) => {
            let indexer = connect(IndexPart::NewestBlocks)?;
            asking(&indexer, single::status(&indexer, &mut output(arguments)))
        }
        CliCommand::AvgBlocktime(arguments) => {
            let indexer = connect(IndexPart::NewestBlocks)?;
            asking(&indexer, single::block_time(&indexer, &mut output(arguments)))
        }
        CliCommand::Blocks(BlocksArguments { height, list, output: form }) => {
            let need = height.map_or(IndexPart::WholeHistory, |height| IndexPart::Record(SoughtRecord::Block(height)));
            let (indexer, mut output) = (connect(need)?, output(form));
            match height {
                Some(height) => asking(&indexer, single::block(&indexer, height, &mut output)),
                None => asking(&indexer, list::print(&BlocksQuery, &indexer, &list, &mut output)),
            }
        }
        CliCommand::Txs(arguments) => {
            let form = story::form(&arguments)?;
            // What became of a packet stands in other blocks.
            let block = arguments.height.filter(|_| !arguments.story);
            let (indexer, mut output) =
                (connect(IndexPart::of_txs(arguments.hash, block))?, CommandOutput::new(form, settings));
            let txs = query(&arguments);
            match arguments.hash {
                Some(hash) => asking(&indexer, story::tx(&indexer, hash, arguments.story, &mut output)),
                None if arguments.story => asking(&indexer, story::list(&txs, &indexer, &arguments.list, &mut output)),
                None => asking(&indexer, list::print(&txs, &indexer, &arguments.list, &mut output)),
            }
        }
        CliCommand::Records(command) => {
            let need = IndexPart::of_txs(command.tx_hash(), command.block());
            let (indexer, mut output) = (connect(need)?, output(command.output()));
            asking(&indexer, records::run(&command, &indexer, &mut output))
        }
        CliCommand::Bridge(command) => {
            let (router, mut output) = (bridge::Router::connect(settings, &command)?, output(command.output()));
            interruptible(bridge::run(&command, &router, &mut output))
        }
        CliCommand::Networks(arguments) => {
            interruptible(networks::print(arguments, chosen, settings, &mut output(arguments.output)))
        }
        CliCommand::Demo(_)
        | CliCommand::Tour { .. }
        | CliCommand::Local(_)
        | CliCommand::Check(_)
        | CliCommand::Backup(_)
        | CliCommand::Copy(_)
        | CliCommand::Sql(_)
        | CliCommand::Export(_)
        | CliCommand::Completions { .. }
        | CliCommand::Man => Ok(()),
    }
}

fn query(arguments: &TxsArguments) -> TxQuery {
    let scope = match (arguments.account, arguments.height) {
        (Some(address), _) => TxScope::Account { address, signer_only: arguments.signer },
        (None, Some(height)) => TxScope::Height(height),
        (None, None) => TxScope::All,
    };
    TxQuery { scope, msgs: arguments.msgs.clone() }
}

/// Runs requests to an indexer, after checking that the indexer serves the network's chain.
fn asking(indexer: &Indexer, work: impl Future<Output = Result<(), CommandError>>) -> Result<(), CommandError> {
    interruptible(async {
        indexer.refuse_another_chain().await?;
        work.await
    })
}

/// Runs a command's requests until they end or the user presses Ctrl-C.
fn interruptible(work: impl Future<Output = Result<(), CommandError>>) -> Result<(), CommandError> {
    running(async {
        tokio::select! {
            biased;
            _ = tokio::signal::ctrl_c() => Err(CommandError::Interrupted),
            result = work => result,
        }
    })
}

/// Runs a command's requests until they end; the command handles signals.
fn running(work: impl Future<Output = Result<(), CommandError>>) -> Result<(), CommandError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(CommandError::failed)?;
    let result = runtime.block_on(work);
    // Drop unfinished requests without waiting.
    runtime.shutdown_background();
    result
}
