//! Conversion of a node's responses to blocks and transactions.

use std::collections::BTreeMap;

use alloy_primitives::hex;
use base64::{Engine as _, prelude::BASE64_STANDARD};
use sha2::{Digest as _, Sha256};

use super::record_error::{RecordError, RecordPlace, RecordProblem};
use crate::{
    domain::{Address, BlockHash, Coin, Denom, Height, MsgType, TxHash},
    indexer::{
        signer::first_signer,
        source::{
            BlockEvent, BlockPhase, BlockProposer, CommittedBlock, CommittedTx, EventAttribute, ProposingValidator,
            TxEvent,
        },
    },
    wire::{
        BlockPart, LackReason, UndecodedPart,
        node::{BlockAnswers, BlockHeader, BlockMeta, NodeEvent, NodeTx, NodeTxResult, OpchildValidator},
        proto,
        protobuf::ProtoFields,
    },
};

/// Validators of one height by consensus address.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProposerTable(BTreeMap<Address, ProposingValidator>);

impl ProposerTable {
    /// Builds the table, without validators whose key is missing or unknown.
    pub fn new(validators: Vec<OpchildValidator>, height: Option<Height>) -> Self {
        let with_address = |one: OpchildValidator| {
            let OpchildValidator { moniker, operator_address, consensus_pubkey } = one;
            let address = proto::public_key(&consensus_pubkey)?.address()?;
            Some((address, ProposingValidator { moniker: moniker.into_received(), operator_address, height }))
        };
        Self(validators.into_iter().filter_map(with_address).collect())
    }

    /// Whether a validator has this consensus address.
    pub fn knows(&self, consensus_address: Address) -> bool {
        self.0.contains_key(&consensus_address)
    }

    /// Whether a validator has this address as its operator.
    pub fn has_operator(&self, address: Address) -> bool {
        let operator = address.bech32_as("initvaloper");
        self.0.values().any(|validator| validator.operator_address == operator)
    }

    fn proposer(&self, consensus_address: Option<Address>) -> BlockProposer {
        let validator = consensus_address.and_then(|address| self.0.get(&address)).cloned();
        BlockProposer { consensus_address, validator }
    }
}

/// Returns the proposer's consensus address.
pub fn consensus_address(header: &BlockHeader) -> Result<Address, RecordError> {
    let bytes = hex::decode(&header.proposer_address).ok().and_then(|bytes| bytes.try_into().ok());
    let problem = RecordProblem::Form { field: "proposer_address", expected: "20 bytes in hex" };
    bytes.map(Address::Short).ok_or(RecordError { height: header.height, place: RecordPlace::Header, problem })
}

/// Builds a block's record from the node's responses, and names the parts that cannot be decoded.
///
/// Three facts prove that the responses belong together: heights, counts, and the signatures of every transaction,
/// which both interfaces return. The sequence number stays unset, because a node does not know it.
///
/// A transaction with malformed bytes keeps them as its body. With `is_lenient`, so does a transaction that REST
/// returns wrongly, and the record lacks a malformed proposer; without, these are errors, since the node may answer
/// better later.
pub fn committed_block(
    answers: BlockAnswers,
    proposers: &ProposerTable,
    is_lenient: bool,
) -> Result<(CommittedBlock, Vec<UndecodedPart>), RecordError> {
    let BlockAnswers { hash, header, raw_txs, txs, results } = answers;
    let height = header.height;
    let at = |place| move |problem| RecordError { height, place, problem };
    if results.height != height {
        return Err(at(RecordPlace::Results)(RecordProblem::OtherBlock(results.height)));
    }
    for (place, found) in [(RecordPlace::Results, results.txs_results.len()), (RecordPlace::Txs, txs.len())] {
        if found != raw_txs.len() {
            return Err(at(place)(RecordProblem::Count { expected: raw_txs.len(), found }));
        }
    }
    let mut undecoded = Vec::new();
    let mut committed = Vec::with_capacity(txs.len());
    for (place, ((raw, tx), result)) in raw_txs.iter().zip(txs).zip(results.txs_results).enumerate() {
        let at = at(RecordPlace::Tx(place));
        let body = match tx {
            Some(tx) => tx_body(raw, &tx),
            None => Err(RecordProblem::Bytes),
        };
        let body = match body {
            Err(problem) if is_lenient || matches!(problem, RecordProblem::Bytes) => {
                // What the proposer puts at the head of a block is no transaction and runs nothing.
                let is_head = committed.len() == undecoded.len();
                let is_idle = result.code != 0 && result.events.is_empty() && result.gas_used == 0;
                let is_injected = is_head && is_idle && matches!(problem, RecordProblem::Bytes);
                let reason = if is_injected { LackReason::Injected } else { LackReason::Undecoded };
                undecoded.push(UndecodedPart { reason, ..undecoded_tx(height, place, &problem) });
                TxBody { json: format!("{{\"@value\":\"{}\"}}", BASE64_STANDARD.encode(raw)), ..TxBody::default() }
            }
            body => body.map_err(&at)?,
        };
        committed.push(committed_tx(raw, body, result).map_err(&at)?);
    }
    let proposer = match consensus_address(&header) {
        Err(error) if is_lenient => {
            undecoded.push(UndecodedPart {
                height,
                part: BlockPart::Header,
                index: None,
                cause: error.problem.to_string().into(),
                reason: LackReason::Undecoded,
            });
            None
        }
        named => Some(named?),
    };
    let block = CommittedBlock {
        height,
        hash,
        previous_hash: header.last_block_id.block_hash(),
        time: header.time,
        proposer: proposers.proposer(proposer),
        first_sequence: None,
        txs: committed,
        missing_txs: 0,
        events: results.finalize_block_events.into_iter().map(block_event).collect(),
    };
    Ok((block, undecoded))
}

/// Builds the record of a block whose transactions or results cannot be decoded, from its header alone.
pub(super) fn bare_block(meta: &BlockMeta, hash: BlockHash, proposers: &ProposerTable) -> CommittedBlock {
    let header = &meta.header;
    CommittedBlock {
        height: header.height,
        hash,
        previous_hash: header.last_block_id.block_hash(),
        time: header.time,
        proposer: proposers.proposer(consensus_address(header).ok()),
        first_sequence: None,
        txs: Vec::new(),
        missing_txs: meta.num_txs,
        events: Vec::new(),
    }
}

fn undecoded_tx(height: Height, place: usize, problem: &RecordProblem) -> UndecodedPart {
    let (index, reason) = (Some(place as u64), LackReason::Undecoded);
    UndecodedPart { height, part: BlockPart::Tx, index, cause: problem.to_string().into(), reason }
}

/// Decoded part of a transaction's record.
#[derive(Default)]
struct TxBody {
    json: String,
    fee: Vec<Coin>,
    message_types: Vec<MsgType>,
    signer: Option<Address>,
}

fn tx_body(raw: &[u8], tx: &NodeTx) -> Result<TxBody, RecordProblem> {
    if signatures(raw).as_ref() != Some(&tx.signatures) {
        return Err(RecordProblem::OtherSignatures);
    }
    let head = tx.head().map_err(|error| RecordProblem::Json(error.to_string()))?;
    let coin = |coin: &crate::wire::WireCoin| Coin { denom: Denom::new(&*coin.denom), amount: coin.amount };
    Ok(TxBody {
        fee: head.auth_info.fee.amount.iter().map(coin).collect(),
        message_types: head.body.messages.iter().map(|message| MsgType::new(&message.type_url)).collect(),
        signer: first_signer(&head.auth_info),
        json: body(tx)?,
    })
}

fn committed_tx(raw: &[u8], body: TxBody, result: NodeTxResult) -> Result<CommittedTx, RecordProblem> {
    let data = BASE64_STANDARD.decode(&result.data);
    Ok(CommittedTx {
        hash: TxHash::new(Sha256::digest(raw).into()),
        code: result.code,
        codespace: result.codespace.into_received().into(),
        data: data.map_err(|_| RecordProblem::Form { field: "data", expected: "base64" })?,
        raw_log: result.log.into_received(),
        info: result.info.into_received(),
        gas_wanted: unsigned(result.gas_wanted),
        gas_used: unsigned(result.gas_used),
        fee: body.fee,
        raw: None,
        message_types: body.message_types,
        signer: body.signer,
        body: body.json,
        events: result.events.into_iter().map(event).collect(),
    })
}

/// Returns the signatures of a raw transaction as REST's base64; `None` if invalid.
fn signatures(raw: &[u8]) -> Option<Vec<String>> {
    let fields: Option<Vec<_>> = ProtoFields::new(raw).collect();
    let signatures = fields?.into_iter().filter(|field| field.number == 3);
    signatures.map(|field| field.bytes.map(|bytes| BASE64_STANDARD.encode(bytes))).collect()
}

/// Converts the signed gas of a result to the transaction's unsigned gas: negative values are its upper half.
fn unsigned(gas: i64) -> u64 {
    gas.cast_unsigned()
}

/// Returns the transaction as the indexer stores it, without `@type`.
fn body(tx: &NodeTx) -> Result<String, RecordProblem> {
    let signatures = serde_json::to_string(&tx.signatures).map_err(|error| RecordProblem::Json(error.to_string()))?;
    let (body, auth_info) = (tx.body.get(), tx.auth_info.get());
    Ok(without_nul(format!("{{\"body\":{body},\"auth_info\":{auth_info},\"signatures\":{signatures}}}")))
}

/// Replaces NUL characters in JSON by U+FFFD, because the real indexer's database rejects NUL. An escaped backslash
/// followed by the letters of the escape is text and stays.
fn without_nul(json: String) -> String {
    const NUL: &str = "\\u0000";
    if !json.contains(NUL) {
        return json;
    }
    let mut out = String::with_capacity(json.len());
    let mut rest = json.as_str();
    while let Some(at) = rest.find('\\') {
        let (plain, escape) = rest.split_at(at);
        out.push_str(plain);
        // Other escapes have two characters; a NUL starts like any numeric escape.
        let length = if escape.starts_with(NUL) { NUL.len() } else { 2.min(escape.len()) };
        let Some((escape, after)) = escape.split_at_checked(length) else { break };
        out.push_str(if escape == NUL { "\u{fffd}" } else { escape });
        rest = after;
    }
    out.push_str(rest);
    out
}

fn event(event: NodeEvent) -> TxEvent {
    let attributes = event.attributes.into_iter();
    let attribute = |one: crate::wire::node::NodeAttribute| EventAttribute {
        key: one.key.into(),
        value: one.value,
        is_indexed: one.index,
    };
    TxEvent::of_attributes(event.kind, attributes.map(attribute).collect())
}

/// Converts an event outside of transactions; its last attribute names the phase of the block.
fn block_event(found: NodeEvent) -> BlockEvent {
    let mode = found.attributes.last().filter(|last| last.key == "mode").map(|last| last.value.as_str());
    let phase = match mode {
        Some("BeginBlock") => BlockPhase::Begin,
        Some("EndBlock") => BlockPhase::End,
        _ => BlockPhase::PreBlock,
    };
    BlockEvent { phase, event: event(found) }
}

/// Returns a function that creates errors for this height.
pub(super) fn error_at(height: Height, place: RecordPlace) -> impl Fn(RecordProblem) -> RecordError {
    move |problem| RecordError { height, place, problem }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nul_is_replaced_and_what_only_looks_like_it_stays() {
        for (json, expected) in [
            (r#"{"memo":"a\u0000b"}"#, "{\"memo\":\"a\u{fffd}b\"}"),
            (r#"{"memo":"a\\u0000b"}"#, r#"{"memo":"a\\u0000b"}"#),
            (r#"{"memo":"\\\u0000\u0001\n\""}"#, "{\"memo\":\"\\\\\u{fffd}\\u0001\\n\\\"\"}"),
            (r#"{"memo":"é"}"#, r#"{"memo":"é"}"#),
        ] {
            assert_eq!(without_nul(json.to_owned()), expected);
        }
    }

    /// Consensus key, consensus address and operator of a live rollup's validator.
    #[test]
    fn a_validator_is_known_by_its_consensus_key() {
        let validator = |type_url: &str| OpchildValidator {
            moniker: "live".into(),
            operator_address: "initvaloper18macu4m3h7dld4fp4yzsvdhnncyqh9226k9lfc".to_owned(),
            consensus_pubkey: serde_json::json!({
                "@type": type_url, "key": "/vxF3Snrr0wC6DeeZed1omZBgM/3hkh5Iw2Yk1fyn24=",
            }),
        };
        let address = "0xD1145BCADF88D1E17C84CF305BC578CB0FE4428E".parse().unwrap();
        let table = ProposerTable::new(vec![validator("/cosmos.crypto.ed25519.PubKey")], Height::new(1110));
        assert_eq!(table.proposer(Some(address)).validator.unwrap().moniker, "live");
        assert!(!table.has_operator(address), "the operator has other bytes");
        let other_kind = ProposerTable::new(vec![validator("/cosmos.crypto.unknown.PubKey")], None);
        assert_eq!(other_kind.proposer(Some(address)).validator, None);
    }

    #[test]
    fn gas_that_the_result_shows_below_zero_is_what_the_transaction_asked_for() {
        assert_eq!((unsigned(-1), unsigned(21_000)), (u64::MAX, 21_000));
    }
}
