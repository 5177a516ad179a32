use super::{commit::commit_hash, merkle::root};
use crate::{
    domain::Timestamp,
    wire::{
        node::{BlockCommit, ConsensusBlockId, ConsensusHeader},
        protobuf::ProtoWriter,
    },
};

/// Part of a transaction's result that the next block's header covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TxResult<'a> {
    pub code: u32,
    pub data: &'a [u8],
    /// Negative if a node's counter exceeded 63 bits.
    pub gas_wanted: i64,
    pub gas_used: i64,
}

/// Part of a block that contradicts its header.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BlockFault {
    #[error("the header's hash differs from the block's")]
    Header,
    #[error("the transactions' hash differs from the header's data hash")]
    Data,
    #[error("the commit's hash differs from the header's last commit hash")]
    LastCommit,
    #[error("the commit belongs to another block than the previous one")]
    LastBlock,
}

/// Checks header, transactions and commit of a block against its hash. The transactions are given by their hashes.
pub fn check_block(
    hash: &[u8],
    header: &ConsensusHeader,
    tx_hashes: &[[u8; 32]],
    last_commit: &BlockCommit,
) -> Result<(), BlockFault> {
    let is_first = header.last_block_id.hash.0.is_empty();
    let checks = [
        (header_hash(header)[..] == *hash, BlockFault::Header),
        (data_hash(tx_hashes)[..] == header.data_hash.0, BlockFault::Data),
        (commit_hash(last_commit)[..] == header.last_commit_hash.0, BlockFault::LastCommit),
        (is_first || last_commit.block_id == header.last_block_id, BlockFault::LastBlock),
    ];
    checks.into_iter().find(|(holds, _)| !holds).map_or(Ok(()), |(_, fault)| Err(fault))
}

/// Computes the hash of a block: the Merkle root over its header's fields.
pub fn header_hash(header: &ConsensusHeader) -> [u8; 32] {
    let version = ProtoWriter::new().uint(1, header.version.block).uint(2, header.version.app);
    root(&[
        version.finish(),
        wrapped(header.chain_id.as_bytes()),
        ProtoWriter::new().uint(1, header.height).finish(),
        timestamp(header.time),
        block_id(&header.last_block_id),
        wrapped(&header.last_commit_hash.0),
        wrapped(&header.data_hash.0),
        wrapped(&header.validators_hash.0),
        wrapped(&header.next_validators_hash.0),
        wrapped(&header.consensus_hash.0),
        wrapped(&header.app_hash.0),
        wrapped(&header.last_results_hash.0),
        wrapped(&header.evidence_hash.0),
        wrapped(&header.proposer_address.0),
    ])
}

/// Computes the Merkle root over a block's transaction hashes.
pub fn data_hash(tx_hashes: &[[u8; 32]]) -> [u8; 32] {
    root(tx_hashes)
}

/// Computes the Merkle root over a block's results, for the next header.
pub fn results_hash<'a>(results: impl IntoIterator<Item = TxResult<'a>>) -> [u8; 32] {
    let leaf = |result: TxResult<'_>| {
        let start = ProtoWriter::new().uint(1, u64::from(result.code));
        let data = if result.data.is_empty() { start } else { start.bytes(2, result.data) };
        data.uint(5, result.gas_wanted.cast_unsigned()).uint(6, result.gas_used.cast_unsigned()).finish()
    };
    root(&results.into_iter().map(leaf).collect::<Vec<_>>())
}

/// Encodes a single value as protobuf; an empty value gives no bytes.
fn wrapped(value: &[u8]) -> Vec<u8> {
    if value.is_empty() { Vec::new() } else { ProtoWriter::new().bytes(1, value).finish() }
}

/// Encodes `google.protobuf.Timestamp`.
pub(super) fn timestamp(time: Timestamp) -> Vec<u8> {
    let nanos = u64::try_from(time.as_nanos().rem_euclid(1_000_000_000)).unwrap_or_default();
    let seconds = i64::try_from(time.as_nanos().div_euclid(1_000_000_000)).unwrap_or_default();
    ProtoWriter::new().uint(1, seconds.cast_unsigned()).uint(2, nanos).finish()
}

/// Encodes a block id as in headers and votes: omits an empty hash, but writes an empty part set.
pub(super) fn block_id(id: &ConsensusBlockId) -> Vec<u8> {
    let hash = |writer: ProtoWriter, field, bytes: &[u8]| {
        if bytes.is_empty() { writer } else { writer.bytes(field, bytes) }
    };
    let parts = hash(ProtoWriter::new().uint(1, u64::from(id.parts.total)), 2, &id.parts.hash.0);
    hash(ProtoWriter::new(), 1, &id.hash.0).bytes(2, parts.finish()).finish()
}
