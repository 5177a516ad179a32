use std::{
    net::{Ipv4Addr, SocketAddr},
    time::Duration,
};

use rollscope::{
    demo::{ClockMode, Rollup, RollupOptions, ledger::LedgerOptions},
    domain::{Timestamp, Vm},
};

/// Between the blocks of [`chain_of`].
pub(crate) const BLOCK_TIME: Duration = Duration::from_secs(1);

/// An EVM chain of so many blocks since a fixed time, that makes further ones only when it is told to.
pub(crate) fn chain_of(blocks: u64) -> RollupOptions {
    let genesis_time = "2026-01-31T12:00:00Z".parse().expect("a fixed time");
    let ledger = LedgerOptions { vm: Vm::Evm, seed: 7, genesis_time, block_time: BLOCK_TIME, accounts: 300 };
    RollupOptions { clock: ClockMode::Stepped, history: blocks, ..RollupOptions::new(ledger) }
}

/// A chain with this virtual machine.
pub(crate) fn chain_with(vm: Vm, blocks: u64) -> RollupOptions {
    let options = chain_of(blocks);
    RollupOptions { ledger: LedgerOptions { vm, ..options.ledger }, ..options }
}

/// When the last block of the history is due.
pub(crate) fn due(options: &RollupOptions) -> Timestamp {
    let blocks = u32::try_from(options.history).expect("a short history");
    options.ledger.genesis_time.after(options.ledger.block_time * blocks)
}

/// The rollup on any port, with its whole history indexed.
pub(crate) fn start(options: RollupOptions) -> Rollup {
    let rollup = Rollup::start(options, SocketAddr::from((Ipv4Addr::LOCALHOST, 0))).expect("a loopback port is free");
    rollup.wait_until_indexed().expect("its history can be indexed");
    rollup
}
