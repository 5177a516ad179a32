use std::{net::SocketAddr, path::PathBuf};

use super::{Failure, arguments::RollupArguments};
use crate::{
    domain::Timestamp,
    rollup::{Genesis, Rollup, RollupOptions, ledger::LedgerOptions},
};

/// Starts the embedded rollup that the arguments describe, on this address.
pub(super) fn start(arguments: &RollupArguments, data: Option<PathBuf>, listen: SocketAddr) -> Result<Rollup, Failure> {
    let options = RollupOptions {
        genesis: if arguments.genesis_time.is_some() { Genesis::Fixed } else { Genesis::HistoryAgo },
        history: arguments.history,
        quirks: arguments.quirks,
        no_rich_list: arguments.no_rich_list,
        data,
        faults: arguments.faults.clone(),
        ..RollupOptions::new(LedgerOptions {
            vm: arguments.vm,
            seed: arguments.seed,
            genesis_time: arguments.genesis_time.unwrap_or(Timestamp::EPOCH),
            block_time: arguments.block_time,
            accounts: arguments.accounts,
        })
    };
    Rollup::start(options, listen).map_err(Failure::failed)
}
