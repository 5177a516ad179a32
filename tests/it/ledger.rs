//! The simulated rollup, checked from outside by what its blocks say.

mod bytes;
mod catalogue;
mod checker;
mod ethereum;
mod external;
mod facts;
mod movevm;
mod recorded;
mod shapes;
mod truth;
mod wasm;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::LazyLock,
    time::Duration,
};

use rollscope::{
    demo::{
        chain::ChainState as _,
        ledger::{CommittedBlock, Ledger, LedgerError, LedgerOptions, TxEvent},
    },
    domain::{Height, Timestamp, Vm},
};
use rstest::rstest;

use checker::Checker;

/// Blocks that most checks look at.
const BLOCKS: u64 = 1_500;

fn options(seed: u64) -> LedgerOptions {
    let genesis_time = "2026-01-31T12:00:00Z".parse::<Timestamp>().expect("a fixed time is a time");
    LedgerOptions { vm: Vm::Evm, seed, genesis_time, block_time: Duration::from_millis(500), accounts: 300 }
}

fn ledger(seed: u64, blocks: u64) -> Ledger {
    let mut ledger = Ledger::genesis(options(seed)).expect("the EVM flavour exists");
    for _ in 0..blocks {
        ledger.advance();
    }
    ledger
}

fn block(ledger: &Ledger, height: u64) -> CommittedBlock {
    ledger.block(Height::new(height).expect("above zero")).expect("a block that was made")
}

fn blocks(ledger: &Ledger) -> impl Iterator<Item = CommittedBlock> + '_ {
    let tip = ledger.tip().map_or(0, Height::get);
    (1..=tip).map(|height| block(ledger, height))
}

/// Holds that what the chain passes on is acknowledged to its sender when the next chain has acknowledged it, alike.
/// Returns how many were refused and how many accepted.
fn passed_on(blocks: &[CommittedBlock]) -> [usize; 2] {
    let (mut open, mut counts) = (BTreeMap::new(), [0; 2]);
    for tx in blocks.iter().flat_map(|block| &block.txs).filter(|tx| tx.code == 0) {
        let of = |kind: &'static str| tx.events.iter().filter(move |event| event.kind == kind);
        let name = |event: &TxEvent| {
            ["packet_src_channel", "packet_dst_channel", "packet_sequence"]
                .map(|key| event.value(key).map(str::to_owned))
        };
        let names = |kind: &'static str| of(kind).map(name).collect::<Vec<_>>();
        if let ([received], [sent]) = (&*names("recv_packet"), &*names("send_packet")) {
            assert!(names("write_acknowledgement").is_empty(), "{}", tx.hash);
            open.insert(sent.clone(), received.clone());
        }
        let accepted = |event: &TxEvent| event.value("packet_ack").is_some_and(|ack| ack.contains("_success\":true"));
        for sent in names("acknowledge_packet") {
            let Some(received) = open.remove(&sent) else { continue };
            assert_eq!(names("write_acknowledgement"), [received], "{}", tx.hash);
            assert_eq!(of("fungible_token_packet").count(), 0, "the forwarding module answers itself: {}", tx.hash);
            let is_accepted = of("write_acknowledgement").all(accepted);
            assert_eq!(of("burn").count(), usize::from(!is_accepted), "{}", tx.hash);
            counts[usize::from(is_accepted)] += 1;
        }
    }
    counts
}

#[rstest]
fn packets_that_the_chain_passes_on_are_acknowledged_with_those_that_carry_them(
    #[values(Vm::Evm, Vm::Move, Vm::Wasm)] vm: Vm,
) {
    let blocks: &[CommittedBlock] = match vm {
        Vm::Evm => &HISTORY,
        Vm::Move => &movevm::HISTORY.1,
        Vm::Wasm => &wasm::HISTORY,
    };
    let [refused, accepted] = passed_on(blocks);
    assert!(refused > 1 && accepted > 1, "{refused} refused, {accepted} accepted");
}

/// The first blocks of seed 7, written out once for all tests that only read them.
static HISTORY: LazyLock<Vec<CommittedBlock>> = LazyLock::new(|| blocks(&ledger(7, BLOCKS)).collect());

#[rstest]
fn a_new_chain_repeats_no_hash_of_an_old_one(#[values(Vm::Evm, Vm::Move, Vm::Wasm)] vm: Vm) {
    let first = LedgerOptions { vm, ..options(7) };
    let later = LedgerOptions { genesis_time: first.genesis_time.after(Duration::from_nanos(1)), ..first.clone() };
    let slower = LedgerOptions { block_time: Duration::from_secs(1), ..first.clone() };
    let larger = LedgerOptions { accounts: 301, ..first.clone() };
    let made = |options: &LedgerOptions| -> Vec<CommittedBlock> {
        let mut ledger = Ledger::genesis(options.clone()).expect("every virtual machine has a flavour");
        for _ in 0..60 {
            ledger.advance();
        }
        blocks(&ledger).collect()
    };
    let hashes = |blocks: &[CommittedBlock]| -> BTreeSet<String> {
        let txs = blocks.iter().flat_map(|block| &block.txs).map(|tx| tx.hash.to_string());
        txs.chain(blocks.iter().map(|block| block.hash.to_string())).collect()
    };
    let old = made(&first);
    let kept = hashes(&old);
    assert!(kept.len() > 60 + 60, "blocks and transactions have hashes of their own: {}", kept.len());
    for other in [later, slower, larger] {
        let new = hashes(&made(&other));
        assert_eq!(kept.intersection(&new).collect::<Vec<_>>(), Vec::<&String>::new(), "{other:?}");
    }
    assert_eq!(format!("{old:?}"), format!("{:?}", made(&first)), "the same identity gives the same bytes");
}

#[test]
fn every_transaction_conserves_every_token() {
    let mut checker = Checker::default();
    for block in HISTORY.iter() {
        block.txs.iter().for_each(|tx| checker.take(tx));
    }
    assert!(checker.fungible_logs > 5_000, "only {} ERC-20 logs were seen", checker.fungible_logs);
    assert!(checker.item_logs.iter().all(|count| *count > 0), "ERC-1155 items: {:?}", checker.item_logs);
    assert_eq!(checker.unbalanced, Vec::<String>::new(), "bank events that no log repeats, or the reverse");
}

#[test]
fn balances_that_follow_from_the_logs_are_the_state() {
    let before = Ledger::genesis(options(7)).expect("the EVM flavour exists");
    let unlisted = follow(&before, &HISTORY, &ledger(7, BLOCKS));
    assert!(unlisted > 20, "{unlisted} accounts moved the token that no list names");
}

/// Follows what blocks say from one state to another. Returns how many accounts moved tokens that the ledger does not
/// list.
fn follow(before: &Ledger, blocks: &[CommittedBlock], after: &Ledger) -> usize {
    let mut checker = Checker::beginning_with(before);
    for block in blocks {
        block.txs.iter().for_each(|tx| checker.take(tx));
    }
    assert_eq!(checker.unbalanced, Vec::<String>::new());
    for token in after.tokens() {
        let told: BTreeMap<_, _> = checker.holders(&token.contract.expect("a contract"));
        let real: BTreeMap<_, _> = after.holders(&token.denom).into_iter().collect();
        assert_eq!(told, real, "holders of {}", token.denom);
        let sum = real.values().map(|amount| amount.get()).fold(alloy_primitives::U256::ZERO, |sum, part| sum + part);
        assert_eq!(sum, token.supply.get(), "supply of {}", token.denom);
    }
    let real: BTreeMap<_, _> =
        after.nfts().into_iter().map(|nft| ((nft.collection, checker::nft_topic(&nft.token_id)), nft.owner)).collect();
    assert_eq!(*checker.owners(), real);
    for ((contract, account), [gave, got]) in checker.unlisted() {
        let held = |ledger: &Ledger| ledger.unlisted_balance(contract, account).get();
        assert_eq!(held(before) + got, held(after) + gave, "{account} of {contract}");
    }
    checker.unlisted().len()
}

#[test]
fn nfts_and_collections_are_found_by_what_events_say() {
    let (before, after) = (Ledger::genesis(options(7)).expect("the EVM flavour exists"), ledger(7, BLOCKS));
    assert_eq!(before.collections().len(), 7, "the bridged collection comes with its first arrival");
    let collections = after.collections();
    assert_eq!(collections.len(), 8);
    let bridged = collections.iter().find(|collection| !collection.origin_name.is_empty()).expect("it has arrived");
    let first = HISTORY.iter().find(|block| says(block, "erc721_created")).expect("it has arrived").height;
    assert_eq!((bridged.created, bridged.origin_name.as_str()), (first, "Harbor Cats"));
    for collection in &collections {
        assert_eq!(after.collection(&collection.address).as_ref(), Some(collection));
    }
    let nfts = after.nfts();
    assert!(nfts.iter().any(|nft| nft.moved > Height::FIRST) && nfts.iter().any(|nft| nft.moved == Height::FIRST));
    for nft in &nfts {
        assert_eq!(after.nft(&nft.collection, &nft.token_id).as_ref(), Some(nft));
        assert!(nft.object.is_none() && (nft.uri.contains("://") || nft.uri.starts_with("data:")), "{}", nft.uri);
    }
    let ids: Vec<_> = nfts.iter().filter(|nft| nft.collection == bridged.address).collect();
    assert!(!ids.is_empty() && ids.iter().all(|nft| nft.token_id.len() > 70), "hashes of the ids' text");
    for unknown in ["0", "01", "999999", "x", ""] {
        assert!(after.nft(&collections[0].address, unknown).is_none(), "{unknown}");
    }
    let nobody = after.account(0).expect("an account");
    assert!(after.collection(&nobody).is_none() && after.nft(&nobody, "1").is_none());
}

fn says(block: &CommittedBlock, kind: &str) -> bool {
    block.txs.iter().flat_map(|tx| &tx.events).any(|event| event.kind == kind)
}

#[test]
fn the_same_seed_gives_the_same_bytes_and_another_does_not() {
    let text = |seed| -> Vec<String> { blocks(&ledger(seed, 200)).map(|block| format!("{block:?}")).collect() };
    let first = text(7);
    assert_eq!(first, text(7));
    assert_ne!(first, text(8));
}

#[test]
fn blocks_are_the_same_in_any_order_and_after_more_were_made() {
    let mut ledger = ledger(7, 160);
    let forward: Vec<String> = (1..=160).map(|height| format!("{:?}", block(&ledger, height))).collect();
    ledger.advance();
    for height in (1..=160u64).rev() {
        let place = usize::try_from(height - 1).expect("small");
        assert_eq!(format!("{:?}", block(&ledger, height)), forward[place], "block {height}");
    }
}

#[test]
fn forgotten_blocks_are_gone_and_the_rest_stays() {
    let mut ledger = ledger(7, 60);
    let kept = format!("{:?}", block(&ledger, 41));
    ledger.prune_below(Height::new(41).expect("above zero"));
    assert!(ledger.block(Height::new(40).expect("above zero")).is_none());
    assert_eq!(format!("{:?}", block(&ledger, 41)), kept);
    assert_eq!(ledger.tip(), Height::new(60));
    assert_eq!(ledger.advance().get(), 61);
    assert!(ledger.block(Height::new(62).expect("above zero")).is_none());
}

#[test]
fn crowds_are_as_promised() {
    let mut ledger = ledger(7, 0);
    let mut counts = Vec::new();
    for _ in 0..5_000 {
        let before = ledger.transactions();
        ledger.advance();
        counts.push(ledger.transactions() - before);
    }
    let total = ledger.transactions();
    let rendered: Vec<u64> = HISTORY.iter().map(|block| block.txs.len() as u64).collect();
    assert_eq!(counts[..rendered.len()], rendered);
    let empty = counts.iter().filter(|count| **count == 0).count();
    let crowded = counts.iter().filter(|count| **count > 200).count();
    assert!((11_000..13_000).contains(&total), "5,000 blocks hold {total} transactions");
    assert!((800..1_200).contains(&empty), "{empty} of 5,000 blocks are empty");
    assert_eq!(crowded, 1);
}

#[test]
fn sequences_and_times_go_up_and_hashes_are_unique() {
    let ledger = ledger(7, 0);
    let mut next = 1;
    let mut last_time = ledger.options().genesis_time;
    let mut hashes = std::collections::BTreeSet::new();
    for block in HISTORY.iter() {
        assert_eq!(block.first_sequence, Some(next), "block {}", block.height);
        next += block.txs.len() as u64;
        assert!(block.time > last_time && block.time <= ledger.due(block.height), "time of block {}", block.height);
        last_time = block.time;
        assert!(hashes.insert(*block.hash.bytes()), "hash of block {}", block.height);
        for tx in &block.txs {
            assert!(hashes.insert(*tx.hash.bytes()), "hash {} in block {}", tx.hash, block.height);
        }
        let validator = block.proposer.validator.as_ref().expect("a validator");
        assert!(validator.operator_address.starts_with("initvaloper1"));
    }
}

#[test]
fn account_sequences_count_up() {
    let mut last: BTreeMap<String, u64> = BTreeMap::new();
    for tx in HISTORY.iter().flat_map(|block| &block.txs) {
        for event in tx.events.iter().filter(|event| event.kind == "tx") {
            let Some(text) = event.value("acc_seq") else { continue };
            if event.attributes.len() > 1 && checker::deposit_failed(tx) {
                continue;
            }
            let (account, sequence) = text.split_once('/').expect("address/number");
            let sequence: u64 = sequence.parse().expect("a number");
            let before = last.insert(account.to_owned(), sequence);
            assert!(before.is_none_or(|before| before < sequence), "{account}: {before:?} then {sequence}");
        }
    }
    assert!(last.len() > 100, "only {} accounts signed", last.len());
}

#[test]
fn packets_expire_only_after_their_time() {
    let mut expired = 0;
    for block in HISTORY.iter() {
        let packets = block.txs.iter().filter(|tx| tx.code == 0).flat_map(|tx| &tx.events);
        for event in packets.filter(|event| event.kind.ends_with("_packet") && event.kind != "send_packet") {
            let timeout = event.value("packet_timeout_timestamp");
            let Some(timeout) = timeout else { continue };
            let late = timeout.parse::<i128>().expect("nanoseconds") < block.time.as_nanos();
            assert_eq!(late, event.kind == "timeout_packet", "{} in block {}", event.kind, block.height);
            expired += u32::from(late);
        }
    }
    assert!(expired > 0);
}

#[test]
fn bodies_logs_and_results_can_be_read() {
    for block in HISTORY.iter() {
        block.txs.iter().for_each(|tx| checker::read(block, tx));
    }
}

#[test]
fn everything_in_the_catalogue_happens_in_any_300_blocks_or_so() {
    let seen = catalogue::Seen::of(HISTORY.iter().flat_map(|block| &block.txs));
    seen.expect_types(catalogue::MESSAGE_TYPES);
    seen.expect_events(catalogue::EVENT_KINDS);
    seen.expect_failures(catalogue::FAILURES);
    let mut sends = HISTORY
        .iter()
        .flat_map(|block| &block.txs)
        .filter(|tx| tx.message_types.iter().any(|kind| kind.as_str() == "cosmos.bank.v1beta1.MsgMultiSend"));
    assert!(sends.all(|tx| tx.code != 0), "MiniEVM has no such message");
    let newest = HISTORY.iter().filter(|block| block.height.get() > BLOCKS - 300).flat_map(|block| &block.txs);
    catalogue::Seen::of(newest).expect_types(catalogue::COMMON_TYPES);
}

#[test]
fn events_come_in_the_order_of_real_nodes() {
    let txs: Vec<_> = HISTORY.iter().flat_map(|block| &block.txs).collect();
    shapes::compare(&txs);
}

#[test]
fn a_demo_has_its_size() {
    let mut ledger = Ledger::genesis(LedgerOptions { accounts: 2_000, ..options(7) }).expect("the EVM flavour exists");
    let accounts: std::collections::BTreeSet<_> = (0..2_000).filter_map(|index| ledger.account(index)).collect();
    assert_eq!(accounts.len(), 2_000);
    assert!(ledger.account(2_000).is_none());
    let tokens = ledger.tokens();
    assert_eq!(tokens.len(), 12);
    for (kind, count) in [("evm/", 6), ("l2/", 3), ("ibc/", 3)] {
        assert_eq!(tokens.iter().filter(|token| token.denom.as_str().starts_with(kind)).count(), count, "{kind}");
    }
    assert!(ledger.nfts().is_empty(), "each has its mint");
    ledger.advance();
    assert_eq!(ledger.nfts().len(), 1_500);
}

#[test]
fn nobody_overspends_where_there_are_few() {
    for (vm, seed) in [Vm::Evm, Vm::Move].into_iter().flat_map(|vm| (1..5).map(move |seed| (vm, seed))) {
        let few = LedgerOptions { vm, accounts: 50, ..options(seed) };
        let mut ledger = Ledger::genesis(few).expect("the flavour exists");
        // The state asserts each movement.
        for _ in 0..1_200 {
            ledger.advance();
        }
        assert!(ledger.transactions() > 2_000, "only {} transactions of {vm} {seed}", ledger.transactions());
        for token in ledger.tokens() {
            let held = ledger.holders(&token.denom).into_iter().map(|(_, amount)| amount.get());
            let sum = held.fold(alloy_primitives::U256::ZERO, |sum, part| sum + part);
            assert_eq!(sum, token.supply.get(), "supply of {} in {vm} {seed}", token.denom);
        }
    }
}

#[test]
fn what_cannot_be_simulated_is_refused_in_words() {
    let error = Ledger::genesis(LedgerOptions { accounts: 3, ..options(1) }).expect_err("too small");
    assert_eq!(error, LedgerError::TooSmall(3));
}
