//! `proof` held against what real nodes answered.

use std::{fs, io::Read as _, path::Path};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use rollscope::{
    demo::Rollup,
    domain::Vm,
    proof::{
        BlockFault, CommitFault, TxResult, address_of, check_block, check_commit, data_hash, header_hash, results_hash,
        validators_hash,
    },
    wire::node::{BlockCommit, ConsensusHeader, ConsensusValidator},
};
use rstest::rstest;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::harness::{chain_of, get, recorded_folder, rollup_of};

/// A block as a node answers it, with the results of its transactions.
pub(crate) struct ProvenBlock {
    pub(crate) hash: Vec<u8>,
    pub(crate) header: ConsensusHeader,
    pub(crate) tx_hashes: Vec<[u8; 32]>,
    pub(crate) last_commit: BlockCommit,
    pub(crate) results: Vec<Value>,
}

impl ProvenBlock {
    /// From the results of `/block` and `/block_results`.
    pub(crate) fn read(block: &Value, results: &Value) -> Self {
        let txs = block["block"]["data"]["txs"].as_array().into_iter().flatten();
        Self {
            hash: alloy_primitives::hex::decode(block["block_id"]["hash"].as_str().expect("as recorded"))
                .expect("as recorded"),
            header: serde_json::from_value(block["block"]["header"].clone()).expect("as recorded"),
            tx_hashes: txs
                .map(|tx| {
                    Sha256::digest(BASE64_STANDARD.decode(tx.as_str().expect("as recorded")).expect("as recorded"))
                        .into()
                })
                .collect(),
            last_commit: serde_json::from_value(block["block"]["last_commit"].clone()).expect("as recorded"),
            results: results.as_array().cloned().unwrap_or_default(),
        }
    }

    pub(crate) fn check(&self) -> Result<(), BlockFault> {
        check_block(&self.hash, &self.header, &self.tx_hashes, &self.last_commit)
    }

    pub(crate) fn results_hash(&self) -> [u8; 32] {
        let data: Vec<Vec<u8>> = self
            .results
            .iter()
            .map(|result| BASE64_STANDARD.decode(result["data"].as_str().unwrap_or_default()).expect("as recorded"))
            .collect();
        let number = |value: &Value| value.as_str().map_or(0, |text| text.parse().expect("as recorded"));
        results_hash(self.results.iter().zip(&data).map(|(result, data)| TxResult {
            code: u32::try_from(result["code"].as_u64().expect("as recorded")).expect("as recorded"),
            data,
            gas_wanted: number(&result["gas_wanted"]),
            gas_used: number(&result["gas_used"]),
        }))
    }
}

fn fixture(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/proofs").join(name)
}

fn blocks() -> Vec<ProvenBlock> {
    let mut text = String::new();
    let packed = fs::File::open(fixture("blocks.jsonl.zst")).expect("as recorded");
    zstd::Decoder::new(packed).expect("as recorded").read_to_string(&mut text).expect("as recorded");
    let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("as recorded"));
    lines.map(|line| ProvenBlock::read(&line["block"], &line["results"])).collect()
}

/// How many of these, in order, stand in a neighbour's header with their results.
fn linked(blocks: &[ProvenBlock]) -> usize {
    let pairs = blocks.windows(2).filter(|pair| {
        pair[0].header.chain_id == pair[1].header.chain_id && pair[0].header.height + 1 == pair[1].header.height
    });
    let holds = |pair: &&[ProvenBlock]| {
        assert_eq!(pair[1].header.last_block_id.hash.0, pair[0].hash, "{}", pair[0].header.height);
        assert_eq!(pair[1].header.last_results_hash.0, pair[0].results_hash(), "{}", pair[0].header.height);
        true
    };
    pairs.filter(holds).count()
}

#[test]
fn blocks_of_real_rollups_hold() {
    let blocks = blocks();
    assert_eq!(blocks.len(), 35);
    for block in &blocks {
        assert_eq!(block.check(), Ok(()), "{} {}", block.header.chain_id, block.header.height);
    }
    assert!(linked(&blocks) >= 15, "{}", linked(&blocks));
}

#[test]
fn each_change_of_a_block_is_found() {
    let block = || blocks().into_iter().find(|block| block.tx_hashes.len() > 2).unwrap();
    let mut changed = block();
    changed.header.app_hash.0[0] ^= 1;
    assert_eq!(changed.check(), Err(BlockFault::Header));
    let mut changed = block();
    changed.tx_hashes.swap(0, 1);
    assert_eq!(changed.check(), Err(BlockFault::Data));
    let mut changed = block();
    changed.last_commit.signatures[0].signature.replace_range(0..4, "AAAA");
    assert_eq!(changed.check(), Err(BlockFault::LastCommit));
    let mut changed = block();
    changed.last_commit.block_id.hash.0[0] ^= 1;
    assert_eq!(changed.check(), Err(BlockFault::LastBlock));
    let (before, mut changed) = (block().results_hash(), block());
    changed.results[1]["gas_used"] = "7".into();
    assert_ne!(changed.results_hash(), before);
}

#[test]
fn commits_of_real_rollups_are_signed_by_their_validators() {
    for line in fs::read_to_string(fixture("commits.jsonl")).unwrap().lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        let header: ConsensusHeader = serde_json::from_value(line["signed_header"]["header"].clone()).unwrap();
        let mut commit: BlockCommit = serde_json::from_value(line["signed_header"]["commit"].clone()).unwrap();
        let validators: Vec<ConsensusValidator> = serde_json::from_value(line["validators"].clone()).unwrap();
        let keys: Vec<Vec<u8>> =
            validators.iter().map(|one| BASE64_STANDARD.decode(&one.pub_key.value).unwrap()).collect();
        let set = keys.iter().zip(&validators).map(|(key, one)| (key.as_slice(), one.voting_power));
        assert_eq!(header.validators_hash.0, validators_hash(set));
        assert_eq!(header.proposer_address.0, address_of(&keys[0]));
        assert_eq!(commit.block_id.hash.0, header_hash(&header));
        assert_eq!(check_commit(&header.chain_id, &commit, &validators), Ok(()));
        let unsigned = Err(CommitFault::Power { signed: 0, total: 1 });
        assert_eq!(check_commit("another-chain", &commit, &validators), unsigned);
        commit.round = 1;
        assert_eq!(check_commit(&header.chain_id, &commit, &validators), unsigned);
        assert_eq!(check_commit(&header.chain_id, &commit, &[]), Err(CommitFault::Power { signed: 0, total: 0 }));
    }
}

/// Of `miniwasm-0.7` 20 uploaded contracts were cut out, so that exactly their blocks have another data hash.
#[test]
fn every_block_of_the_recordings_holds() {
    let Some(folder) = recorded_folder() else { return };
    for (name, count, cut) in [("minievm-1.1", 821, 0), ("miniwasm-0.7", 1_060, 20)] {
        let text = fs::read_to_string(folder.join("wire/samples/node").join(name).join("blocks.jsonl")).unwrap();
        let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let blocks: Vec<ProvenBlock> = lines
            .map(|line| ProvenBlock::read(&line["block"]["result"], &line["block_results"]["result"]["txs_results"]))
            .collect();
        assert_eq!((blocks.len(), linked(&blocks)), (count, count - 1));
        assert!(blocks.iter().all(|block| header_hash(&block.header)[..] == block.hash));
        let other = blocks.iter().filter(|block| data_hash(&block.tx_hashes)[..] != block.header.data_hash.0);
        assert_eq!(other.count(), cut, "{name}");
    }
}

/// What the embedded node answers to a path of its RPC.
async fn rpc(rollup: &Rollup, path: &str) -> Value {
    let url = format!("{}/node/rpc/{path}", rollup.url());
    let text = get(url).await.expect("the node answers").text().await.expect("the node answers");
    serde_json::from_str::<Value>(&text).expect("the node answers")["result"].clone()
}

#[rstest]
#[case(Vm::Evm)]
#[case(Vm::Move)]
#[case(Vm::Wasm)]
#[tokio::test]
async fn blocks_of_the_embedded_rollup_hold_as_real_ones_do(#[case] vm: Vm) {
    const BLOCKS: u64 = 24;
    let mut options = chain_of(BLOCKS);
    options.ledger.vm = vm;
    let rollup = rollup_of(options);
    let (mut blocks, mut validators) = (Vec::new(), Vec::<ConsensusValidator>::new());
    for height in 1..=BLOCKS {
        let results = rpc(&rollup, &format!("block_results?height={height}")).await;
        let block = ProvenBlock::read(&rpc(&rollup, &format!("block?height={height}")).await, &results["txs_results"]);
        assert_eq!(block.check(), Ok(()), "{height}");
        let chain_id = block.header.chain_id.clone();
        if height > 1 {
            assert_eq!(check_commit(&chain_id, &block.last_commit, &validators), Ok(()), "{height}");
        }
        let named = rpc(&rollup, &format!("validators?height={height}")).await;
        validators = serde_json::from_value(named["validators"].clone()).unwrap();
        let key = BASE64_STANDARD.decode(&validators[0].pub_key.value).unwrap();
        assert_eq!(block.header.validators_hash.0, validators_hash([(&key[..], validators[0].voting_power)]));
        assert_eq!(block.header.proposer_address.0, address_of(&key));
        let commit = rpc(&rollup, &format!("commit?height={height}")).await;
        let commit: BlockCommit = serde_json::from_value(commit["signed_header"]["commit"].clone()).unwrap();
        assert_eq!(check_commit(&chain_id, &commit, &validators), Ok(()), "{height}");
        assert_eq!(commit.block_id.hash.0, block.hash);
        blocks.push(block);
    }
    assert_eq!(linked(&blocks), blocks.len() - 1);
    let sets = |pair: &[ProvenBlock]| pair[0].header.next_validators_hash == pair[1].header.validators_hash;
    assert!(blocks.windows(2).all(sets));

    let full = |block: &&mut ProvenBlock| block.tx_hashes.len() > 1;
    let changed = blocks.iter_mut().find(full).expect("a block with transactions");
    let results = changed.results_hash();
    changed.results[0]["gas_used"] = "1".into();
    assert_ne!(changed.results_hash(), results, "a changed result");
    changed.tx_hashes[0][0] ^= 1;
    assert_eq!(changed.check(), Err(BlockFault::Data), "a changed transaction");
    let last = blocks.last_mut().unwrap();
    let mut signature = BASE64_STANDARD.decode(&last.last_commit.signatures[0].signature).unwrap();
    signature[7] ^= 1;
    last.last_commit.signatures[0].signature = BASE64_STANDARD.encode(signature);
    assert_eq!(last.check(), Err(BlockFault::LastCommit), "a changed signature");
    let unsigned = Err(CommitFault::Power { signed: 0, total: 1 });
    assert_eq!(check_commit(&last.header.chain_id, &last.last_commit, &validators), unsigned);
}
