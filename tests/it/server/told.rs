//! Records that only the index can tell apart: one hash in two blocks, gas without a limit, an NFT minted again.

use rollscope::{
    domain::{Address, Height, Vm},
    indexer::{
        index::{Index, IndexFeed, IndexIdentity},
        source::{CommittedBlock, CommittedTx, NftCollection, OwnedNft, TxEvent},
    },
};
use rstest::rstest;
use serde_json::Value;

use super::chain;

fn index() -> Index {
    let identity = IndexIdentity { vm: Vm::Evm, feed: IndexFeed::Node, facts: Vec::new() };
    Index::in_memory(&identity, 20_000).expect("memory can be had")
}

/// Blocks of a node from the first on, each with these transactions.
fn blocks(txs: Vec<Vec<CommittedTx>>) -> Vec<CommittedBlock> {
    let block =
        |(height, txs)| CommittedBlock { first_sequence: None, txs, ..chain::blocks(height..=height).remove(0) };
    (1..).zip(txs).map(block).collect()
}

fn tx() -> CommittedTx {
    chain::blocks(1..=3).into_iter().flat_map(|block| block.txs).next().expect("they have transactions")
}

/// Codes of one hash's records by block, and the block that the hash leads to.
#[rstest]
#[case::refused_and_carried_out(&[32, 0], 2)]
#[case::carried_out_and_refused(&[0, 19], 1)]
#[case::refused_twice(&[32, 11, 5], 3)]
#[case::alone(&[5], 1)]
fn a_hash_leads_to_what_was_carried_out_else_to_the_newest(#[case] codes: &[u32], #[case] told: u64) {
    let index = index();
    let records = codes.iter().map(|code| vec![CommittedTx { code: *code, ..tx() }]).collect();
    index.ingest(blocks(records), None).expect("they follow each other");
    let found: Value = serde_json::from_slice(&index.tx(&tx().hash).unwrap().expect("it is known")).unwrap();
    assert_eq!(found["height"], told.to_string());
    let all: Vec<_> = index.txs_of(&tx().hash).unwrap().into_iter().map(|one| (one.height.get(), one.code)).collect();
    assert_eq!(all, (1..).zip(codes.iter().copied()).collect::<Vec<_>>(), "the others can be found");
}

/// A node writes gas without a limit as -1.
#[rstest]
#[case(&[u64::MAX, 200], 200)]
#[case(&[u64::MAX], 0)]
#[case(&[300, 200], 500)]
fn gas_without_a_limit_is_no_number_to_add(#[case] wanted: &[u64], #[case] sum: u64) {
    let index = index();
    let txs = wanted.iter().map(|gas_wanted| CommittedTx { gas_wanted: *gas_wanted, ..tx() }).collect();
    index.ingest(blocks(vec![txs]), None).expect("the first block");
    assert_eq!(index.block("c-1", Height::FIRST).unwrap().expect("it is held").gas_wanted, sum);
}

const TRANSFER: &str = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

/// The log of a movement of token 7 between accounts of these bytes; 0 is nobody.
fn moved(from: u8, to: u8) -> TxEvent {
    let word =
        |byte: u8| format!("0x{:0>64}", if byte == 0 { String::new() } else { format!("{byte:02x}").repeat(20) });
    let topics = format!("\"{TRANSFER}\",\"{}\",\"{}\",\"0x{:0>64}\"", word(from), word(to), 7);
    let address = Address::Short([0xcc; 20]).checksummed();
    TxEvent::new("evm", [("log", format!("{{\"address\":\"{address}\",\"topics\":[{topics}],\"data\":\"0x\"}}"))])
}

/// What the blocks after the mint do with the token, and whether the node is asked for it again.
#[rstest]
#[case::burned_and_minted_in_one_transaction(vec![vec![moved(1, 0), moved(0, 2)]], 1)]
#[case::burned_and_minted_in_two_blocks(vec![vec![moved(1, 0)], vec![moved(0, 3)]], 1)]
#[case::moved(vec![vec![moved(1, 2)]], 0)]
#[case::burned(vec![vec![moved(1, 0)]], 0)]
fn a_token_that_is_minted_again_is_unknown_again(#[case] later: Vec<Vec<TxEvent>>, #[case] asked: usize) {
    let index = index();
    let all: Vec<Vec<CommittedTx>> = [vec![moved(0, 1)]]
        .into_iter()
        .chain(later)
        .map(|events| vec![CommittedTx { events, code: 0, ..tx() }])
        .collect();
    let mut blocks = blocks(all);
    let rest = blocks.split_off(1);
    let previous = blocks[0].time;
    let mut first = index.prepare(blocks, None).unwrap();
    let (collection, creator) = (Address::Short([0xcc; 20]), Address::Short([0; 20]));
    first.learn_collection(NftCollection {
        address: collection,
        creator,
        name: "Things".to_owned(),
        origin_name: String::new(),
        created: Height::FIRST,
    });
    let (token_id, uri) = ("7".to_owned(), "ipfs://7".to_owned());
    first.learn_nft(OwnedNft { collection, token_id, object: None, owner: creator, uri, moved: Height::FIRST });
    index.write(&first).unwrap();
    let next = index.prepare(rest, Some(previous)).unwrap();
    assert_eq!(index.unknown_nfts(&next).unwrap().len(), asked);
}
