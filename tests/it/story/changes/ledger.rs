//! Every transaction that the embedded rollup makes: what is read of it must be what happened to the rollup's state.

use std::collections::{BTreeMap, BTreeSet};

use rollscope::{
    demo::ledger::{CommittedBlock, CommittedTx, FungibleToken, Ledger, LedgerOptions},
    domain::{Address, Amount, Balance, Denom, Vm},
    story::{BalanceHolder, Changes},
    wire::Tx,
};
use rstest::rstest;
use sha3::{Digest, Sha3_256};

use super::changes;
use crate::harness::{chain_of, made::on_the_wire};

/// An account behind zeros; on the EVM only its last 20 bytes, as logs cut it.
type Account = [u8; 32];

/// Balances of each denom by account.
type State = BTreeMap<Denom, BTreeMap<Account, Balance>>;

/// Blocks that are looked at; every kind of message comes within them.
const BLOCKS: u32 = 200;

/// A rollup beside what was read of it.
struct Witness {
    vm: Vm,
    ledger: Ledger,
    /// The rollup's denoms by those that a reader knows who cannot ask a node.
    denoms: BTreeMap<Denom, Denom>,
    /// Whose the stores of Move are, which a reader may be unable to know.
    owners: BTreeMap<[u8; 32], Address>,
    /// What was seen, to know that the test saw something.
    seen: Seen,
}

#[derive(Default, Debug)]
struct Seen {
    txs: usize,
    failed: usize,
    rows: usize,
    supplies: usize,
    refunds: usize,
    nfts: usize,
    stores: usize,
    foreign: usize,
}

impl Witness {
    fn new(vm: Vm, seed: u64) -> Self {
        let options = LedgerOptions { vm, seed, accounts: 200, ..chain_of(0).ledger };
        let ledger = Ledger::genesis(options).expect("a rollup of every machine");
        let mut denoms = BTreeMap::new();
        for token in ledger.tokens() {
            let evm = token.contract.map(|contract| format!("evm/{}", &contract.checksummed()[2..]));
            let object = token.metadata.map(|metadata| format!("move/{}", &metadata.hex()[2..]));
            for name in evm.into_iter().chain(object).chain([token.denom.to_string()]) {
                denoms.insert(Denom::new(name), token.denom.clone());
            }
        }
        Self { vm, ledger, denoms, owners: BTreeMap::new(), seen: Seen::default() }
    }

    fn account(&self, address: Address) -> Account {
        let (bytes, mut account) = (address.bytes(), [0; 32]);
        let kept = if self.vm == Vm::Evm { 20 } else { bytes.len() };
        account[32 - kept..].copy_from_slice(&bytes[bytes.len() - kept..]);
        account
    }

    /// What everybody has of a token.
    fn holders(&mut self, token: &FungibleToken) -> BTreeMap<Account, Balance> {
        let holders = self.ledger.holders(&token.denom);
        if let Some(metadata) = token.metadata {
            let stores = holders.iter().map(|(owner, _)| (store_of(*owner, metadata), *owner));
            self.owners.extend(stores);
        }
        let held = holders.into_iter().filter(|(_, amount)| !amount.is_zero());
        held.map(|(owner, amount)| (self.account(owner), Balance::from(amount))).collect()
    }

    /// What everybody has.
    fn state(&mut self) -> State {
        let tokens = self.ledger.tokens();
        tokens.iter().map(|token| (token.denom.clone(), self.holders(token))).collect()
    }

    /// The matrix and the fee line, added to a state.
    fn follow(&mut self, state: &mut State, tx: &Tx, changes: &Changes) -> BTreeSet<Denom> {
        let mut touched = BTreeSet::new();
        for change in &changes.balances {
            let Some(denom) = self.denoms.get(&change.denom) else {
                self.seen.foreign += 1;
                assert!(change.is_reported, "{}: {} is no token of the rollup", tx.txhash, change.denom);
                continue;
            };
            let owner = match change.holder {
                BalanceHolder::Account(address) => address,
                BalanceHolder::Store(store) => {
                    self.seen.stores += 1;
                    *self.owners.get(&store).unwrap_or_else(|| panic!("{}: nobody's store", tx.txhash))
                }
            };
            touched.insert(denom.clone());
            add(state.entry(denom.clone()).or_default(), self.account(owner), change.delta);
        }
        let collector: Address = "init17xpfvakm2amg962yls6f84z3kell8c5l70rnql".parse().expect("an address");
        for coin in &changes.fee.net_paid {
            let payer = changes.fee.payer.expect("somebody pays");
            let held = state.entry(coin.denom.clone()).or_default();
            add(held, self.account(payer), Balance::below_zero(coin.amount));
            add(held, self.account(collector), Balance::from(coin.amount));
            touched.insert(coin.denom.clone());
        }
        touched
    }

    /// Makes a block and compares what it touched.
    fn advance(&mut self, state: &mut State, read: impl Fn(&CommittedBlock, &CommittedTx) -> Tx) {
        let height = self.ledger.advance();
        let block = self.ledger.block(height).expect("the block just made");
        let txs: Vec<Tx> = block.txs.iter().map(|committed| read(&block, committed)).collect();
        let read: Vec<Changes> = txs.iter().map(|tx| changes(tx, None)).collect();
        // Whose stores are new is known before they are looked up.
        let now: State = if block.txs.is_empty() { State::new() } else { self.touched(&read) };
        let mut touched = BTreeSet::new();
        for (tx, changes) in txs.iter().zip(&read) {
            self.check(tx, changes);
            touched.extend(self.follow(state, tx, changes));
        }
        for denom in touched {
            let told = state.get_mut(&denom).expect("it was touched");
            told.retain(|_, balance| !balance.magnitude().is_zero());
            assert_eq!(Some(&*told), now.get(&denom), "{denom} after block {height}");
        }
    }

    /// What everybody has of the tokens that changed.
    fn touched(&mut self, read: &[Changes]) -> State {
        let rows = read.iter().flat_map(|changes| &changes.balances).map(|change| &change.denom);
        let fees = read.iter().flat_map(|changes| &changes.fee.net_paid).map(|coin| &coin.denom);
        let touched: BTreeSet<_> = rows.chain(fees).filter_map(|denom| self.denoms.get(denom)).cloned().collect();
        let tokens = self.ledger.tokens().into_iter().filter(|token| touched.contains(&token.denom));
        tokens.map(|token| (token.denom.clone(), self.holders(&token))).collect()
    }

    /// Makes blocks, and compares everything in the end.
    fn run(vm: Vm, seed: u64, read: impl Fn(&CommittedBlock, &CommittedTx) -> Tx) -> Seen {
        let mut witness = Self::new(vm, seed);
        let mut state = witness.state();
        for _ in 0..BLOCKS {
            witness.advance(&mut state, &read);
        }
        for held in state.values_mut() {
            held.retain(|_, balance| !balance.magnitude().is_zero());
        }
        assert_eq!(state, witness.state(), "nothing moved unseen");
        witness.seen
    }

    fn check(&mut self, tx: &Tx, changes: &Changes) {
        assert!(changes.is_conserved, "{}", tx.txhash);
        let mut sums: BTreeMap<&Denom, Balance> = BTreeMap::new();
        for change in &changes.balances {
            assert!(!change.delta.magnitude().is_zero() && !change.events.is_empty());
            add(&mut sums, &change.denom, change.delta);
        }
        sums.retain(|_, sum| !sum.magnitude().is_zero());
        let supply: BTreeMap<_, _> = changes.supply.iter().map(|change| (&change.denom, change.delta)).collect();
        assert_eq!(sums, supply, "{}: what all gained is what was minted", tx.txhash);
        let keys: BTreeSet<_> = changes.balances.iter().map(|change| (change.holder, &change.denom)).collect();
        assert_eq!(keys.len(), changes.balances.len(), "{}: each cell once", tx.txhash);
        if !tx.is_success() {
            assert!(changes.balances.is_empty() && changes.supply.is_empty() && changes.nfts.is_empty());
        }
        let declared: Amount = changes.fee.declared.first().map(|coin| coin.amount).unwrap_or_default();
        let paid = changes.fee.net_paid.first().map(|coin| coin.amount).unwrap_or_default();
        let seen = &mut self.seen;
        seen.txs += 1;
        seen.failed += usize::from(!tx.is_success());
        seen.rows += changes.balances.len();
        seen.supplies += changes.supply.len();
        seen.nfts += changes.nfts.len();
        seen.refunds += usize::from(paid < declared && !changes.fee.net_paid.is_empty());
    }
}

fn add<K: Ord>(sums: &mut BTreeMap<K, Balance>, key: K, delta: Balance) {
    let sum = sums.entry(key).or_default();
    *sum = sum.checked_add(delta).expect("below 256 bits");
}

/// Where an account's coins of a kind lie on Move.
fn store_of(owner: Address, metadata: Address) -> [u8; 32] {
    let mut hasher = Sha3_256::new();
    hasher.update(vec![0; 32 - owner.bytes().len()]);
    hasher.update(owner.bytes());
    hasher.update(metadata.bytes());
    hasher.update([0xfc]);
    hasher.finalize().into()
}

#[rstest]
fn matrix_and_fee_are_what_happened_to_the_state(
    #[values(Vm::Evm, Vm::Move, Vm::Wasm)] vm: Vm,
    #[values(7, 41, 1_000_003)] seed: u64,
) {
    let seen = Witness::run(vm, seed, on_the_wire);
    let Seen { txs, failed, rows, supplies, nfts, refunds, .. } = seen;
    assert!(txs > 300 && failed > 5 && rows > 400 && supplies > 30 && nfts > 20, "{seen:?}");
    assert_eq!(refunds > 0, vm == Vm::Evm, "{seen:?}");
}

#[test]
fn owners_of_stores_are_found_where_no_event_names_them() {
    let older = |block: &CommittedBlock, committed: &CommittedTx| {
        let mut committed = committed.clone();
        committed.events.retain(|event| {
            let tag = event.value("type_tag");
            !tag.is_some_and(|tag| tag.ends_with("OwnerEvent") || tag.ends_with("StoreCreatedEvent"))
        });
        on_the_wire(block, &committed)
    };
    let seen = Witness::run(Vm::Move, 7, older);
    assert!(seen.rows > 400 && seen.stores * 20 < seen.rows, "most owners are found: {seen:?}");
}
