use std::{net::SocketAddr, path::PathBuf};

use super::{Failure, arguments::RollupArguments};
use crate::{
    domain::Timestamp,
    rollup::{Clock, Rollup, RollupOptions, ledger::LedgerOptions},
};

/// Starts the embedded rollup that the arguments describe, on this address.
pub(super) fn start(arguments: &RollupArguments, data: Option<PathBuf>, listen: SocketAddr) -> Result<Rollup, Failure> {
    let span = arguments.block_time.saturating_mul(u32::try_from(arguments.history).unwrap_or(u32::MAX));
    let genesis_time = arguments.genesis_time.unwrap_or_else(|| Timestamp::now().before(span));
    let options = RollupOptions {
        ledger: LedgerOptions {
            vm: arguments.vm,
            seed: arguments.seed,
            genesis_time,
            block_time: arguments.block_time,
            accounts: arguments.accounts,
        },
        history: arguments.history,
        quirks: arguments.quirks,
        rich_list: !arguments.no_rich_list,
        data,
        faults: arguments.faults.clone(),
        clock: Clock::Wall,
        ..RollupOptions::default()
    };
    Rollup::start(options, listen)
        .map_err(|error| Failure::Failed(format!("the embedded rollup cannot be started: {error}")))
}
