//! Arguments and the non-interactive commands.

mod abi;
mod answer;
mod arguments;
mod bridge;
mod explore;
mod failure;
mod fetch;
mod list;
mod log;
mod networks;
mod output;
mod papers;
mod record;
mod records;
mod rollup;
mod serve;
mod story;
mod table;
mod usage;

use std::process::ExitCode;

pub use arguments::{
    Arguments, AssetName, BlocksArguments, BridgeCommand, ChainAddress, CollectionsArguments, Command, CommonArguments,
    ConfigArguments, DemoSendArguments, DemoSignArguments, EvmTxsArguments, Format, HoldersArguments,
    InternalTxsArguments, ListArguments, MsgsArguments, NetworksArguments, NftTxsArguments, NftsArguments,
    OpHookArguments, OutputArguments, RecordsCommand, RollupArguments, RouteArguments, ServeArguments, TrackArguments,
    TransferArguments, TxArguments, TxsArguments,
};
pub use failure::{ExitStatus, Failure};
pub use usage::{Parsed, parse};

use crate::{
    client::BlocksQuery,
    columns::Columns,
    config::{Environment, Paths, Settings},
    msg::{TxQuery, TxScope},
};
use fetch::{Indexer, Need};
use output::Output;

/// Does what the command line says. Every failure is left to the caller to tell.
pub fn run(parsed: Parsed) -> Result<ExitCode, Failure> {
    let arguments = match parsed {
        Parsed::Run(arguments) => *arguments,
        Parsed::Print(text) => return done(papers::print(&text)),
    };
    match &arguments.command {
        Some(Command::Completions { shell }) => return done(papers::completions(*shell)),
        Some(Command::Man) => return done(papers::manual()),
        Some(Command::Config(ConfigArguments { default: true, .. })) => return done(papers::default_config()),
        _ => {}
    }
    let settings = Settings::load(arguments.common.flags(), Environment::read(), Paths::discover().ok())?;
    if let Some(paths) = &settings.paths {
        log::start(paths.log_file());
    }
    let command = match arguments.command {
        None => return explore::run(&settings, None),
        Some(Command::Demo(rollup)) => return explore::run(&settings, Some(&rollup)),
        Some(command) => command,
    };
    for warning in settings.warnings.iter().chain(&Columns::of(&settings).1) {
        eprintln!("warning: {warning}");
    }
    done(answer(command, arguments.common.network.is_some(), &settings))
}

fn done(result: Result<(), Failure>) -> Result<ExitCode, Failure> {
    result.map(|()| ExitStatus::Done.into())
}

/// Runs a command that answers and ends. `chosen` says whether the command line names a network.
fn answer(command: Command, chosen: bool, settings: &Settings) -> Result<(), Failure> {
    let output = |arguments: OutputArguments| Output::new(arguments.format, settings);
    let connect = |need| Indexer::connect(settings, need);
    match command {
        Command::Serve(arguments) => serve::run(arguments),
        Command::Config(arguments) => papers::config(arguments, settings),
        Command::Status(arguments) => interruptible(answer::status(&connect(Need::Newest)?, &mut output(arguments))),
        Command::AvgBlocktime(arguments) => {
            interruptible(answer::block_time(&connect(Need::Newest)?, &mut output(arguments)))
        }
        Command::Blocks(BlocksArguments { height, list, output: form }) => {
            let (indexer, mut output) = (connect(Need::History)?, output(form));
            match height {
                Some(height) => interruptible(answer::block(&indexer, height, &mut output)),
                None => interruptible(list::print(&BlocksQuery, &indexer, &list, &mut output)),
            }
        }
        Command::Txs(arguments) => {
            let form = story::form(&arguments)?;
            let (indexer, mut output) = (connect(Need::History)?, Output::new(form, settings));
            let txs = query(&arguments);
            match arguments.hash {
                Some(hash) => interruptible(story::tx(&indexer, hash, arguments.story, &mut output)),
                None if arguments.story => interruptible(story::list(&txs, &indexer, &arguments.list, &mut output)),
                None => interruptible(list::print(&txs, &indexer, &arguments.list, &mut output)),
            }
        }
        Command::Records(command) => {
            let (indexer, mut output) = (connect(Need::History)?, output(command.output()));
            interruptible(records::run(&command, &indexer, &mut output))
        }
        Command::Bridge(command) => {
            let (router, mut output) = (bridge::Router::connect(settings, &command)?, output(command.output()));
            interruptible(bridge::run(&command, &router, &mut output))
        }
        Command::Networks(arguments) => {
            interruptible(networks::print(arguments, chosen, settings, &mut output(arguments.output)))
        }
        Command::Demo(_) | Command::Completions { .. } | Command::Man => Ok(()),
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

/// Runs a command's requests until they end or Ctrl-C comes.
fn interruptible(work: impl Future<Output = Result<(), Failure>>) -> Result<(), Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(Failure::failed)?;
    let result = runtime.block_on(async {
        tokio::select! {
            biased;
            _ = tokio::signal::ctrl_c() => Err(Failure::Interrupted),
            result = work => result,
        }
    });
    // Half-done requests are nobody's business any more.
    runtime.shutdown_background();
    result
}
