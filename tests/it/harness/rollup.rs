use std::{
    collections::BTreeMap,
    fs,
    net::{Ipv4Addr, SocketAddr},
    ops::Deref,
    path::Path,
    sync::{Arc, Mutex, OnceLock, PoisonError},
    time::Duration,
};

use rollscope::{
    demo::{ClockMode, Rollup, RollupOptions, ledger::LedgerOptions},
    domain::{Timestamp, Vm},
};
use tempfile::TempDir;

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

/// A running rollup, with the folder of its file if it has one of its own.
pub(crate) struct StartedRollup {
    rollup: Rollup,
    _folder: Option<TempDir>,
}

impl Deref for StartedRollup {
    type Target = Rollup;

    fn deref(&self) -> &Rollup {
        &self.rollup
    }
}

/// The rollup on any port, with its whole history indexed. One that makes blocks when told to continues from a copy of
/// the file that another with its options wrote: indexing the same blocks anew was half of the time of most tests.
pub(crate) fn start(options: RollupOptions) -> StartedRollup {
    if options.clock != ClockMode::Stepped || options.data.is_some() || options.journal.is_some() {
        return StartedRollup { rollup: begin(options), _folder: None };
    }
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("chain.sqlite");
    write_indexed(&options, &path);
    StartedRollup { rollup: begin(RollupOptions { data: Some(path), ..options }), _folder: Some(folder) }
}

fn begin(options: RollupOptions) -> Rollup {
    let rollup = Rollup::start(options, SocketAddr::from((Ipv4Addr::LOCALHOST, 0))).expect("a loopback port is free");
    rollup.wait_until_indexed().expect("its history can be indexed");
    rollup
}

/// Writes the file of a rollup that indexed the history of these options, which one test makes while others wait.
fn write_indexed(options: &RollupOptions, to: &Path) {
    static FILES: Mutex<BTreeMap<String, Arc<OnceLock<Vec<u8>>>>> = Mutex::new(BTreeMap::new());
    let file = {
        let mut files = FILES.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(files.entry(format!("{options:?}")).or_default())
    };
    let made = file.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("chain.sqlite");
        drop(begin(RollupOptions { data: Some(path.clone()), ..options.clone() }));
        fs::read(path).expect("it was written")
    });
    fs::write(to, made).expect("it can be written");
}
