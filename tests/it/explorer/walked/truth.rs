//! What a recorded chain's own records say: read from its node's answers, by nothing that the program reads them with.

use std::collections::{BTreeMap, BTreeSet};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use rollscope::domain::{Address, Amount};
use serde_json::Value;

use crate::harness::recording::{RecordedBlock, Recording, StateRecord};

/// A chain.
pub(super) struct ChainTruth {
    pub(super) chain_id: String,
    /// Ascending from the first.
    pub(super) blocks: Vec<BlockTruth>,
    /// What accounts hold by the bank, as of the last block.
    pub(super) bank: BTreeMap<String, BTreeMap<String, Amount>>,
    /// Who owns which NFT, as its contract says: by contract and id.
    pub(super) owners: BTreeMap<(Address, String), Address>,
    /// How contracts of NFTs call themselves.
    pub(super) names: BTreeMap<Address, String>,
}

/// A block.
pub(super) struct BlockTruth {
    pub(super) height: u64,
    pub(super) hash: String,
    /// As a person reads it, to the second.
    pub(super) time: String,
    /// The proposer, in hex.
    pub(super) proposer: String,
    pub(super) txs: Vec<TxTruth>,
}

/// A transaction.
pub(super) struct TxTruth {
    pub(super) hash: String,
    /// As REST has it.
    pub(super) tx: Value,
    pub(super) result: Value,
    /// What ran in the EVM, where the block has nothing else: the receipt and the outermost frame.
    pub(super) evm: Option<(Value, Value)>,
}

impl TxTruth {
    pub(super) fn has_succeeded(&self) -> bool {
        self.result["code"] == 0
    }

    /// The sign before it in a list and in its title.
    pub(super) fn sign(&self) -> char {
        match (self.has_succeeded(), self.partial_failures().is_empty()) {
            (false, _) => '✗',
            (true, true) => '✓',
            (true, false) => '!',
        }
    }

    /// What failed within it although it succeeded.
    pub(super) fn partial_failures(&self) -> BTreeSet<&'static str> {
        let has = |kind, key, fits: fn(&str) -> bool| self.has_succeeded() && self.attributes(kind, key).any(fits);
        let deposit = |fits| has("finalize_token_deposit", "reason", fits);
        let all = [
            (has("timeout_packet", "packet_sequence", |_| true), "timed out"),
            (has("write_acknowledgement", "packet_ack", |text| text.starts_with("{\"error")), "refused"),
            (has("fungible_token_packet", "error", |_| true), "refused"),
            (deposit(|text| text.starts_with("hook failed; ")), "hook failed"),
            (deposit(|text| text.starts_with("deposit failed; ")), "deposit failed"),
        ];
        all.into_iter().filter_map(|(is_so, kind)| is_so.then_some(kind)).collect()
    }

    pub(super) fn messages(&self) -> &[Value] {
        list(&self.tx["body"]["messages"])
    }

    /// The types of its messages.
    pub(super) fn kinds(&self) -> Vec<&str> {
        self.messages().iter().map(|message| text(&message["@type"])).collect()
    }

    pub(super) fn events(&self) -> &[Value] {
        list(&self.result["events"])
    }

    /// The values of an attribute of its events.
    pub(super) fn attributes<'a>(&'a self, kind: &'a str, key: &'a str) -> impl Iterator<Item = &'a str> {
        let of_kind = self.events().iter().filter(move |event| event["type"] == kind);
        let attributes = of_kind.flat_map(|event| list(&event["attributes"]));
        attributes.filter(move |attribute| attribute["key"] == key).map(|attribute| text(&attribute["value"]))
    }
}

impl ChainTruth {
    pub(super) fn of(recording: &Recording) -> Self {
        let blocks: Vec<BlockTruth> = recording.blocks.iter().map(block).collect();
        let first: Value = json(recording.blocks[0].block.get());
        let chain_id = text(&first["result"]["block"]["header"]["chain_id"]).to_owned();
        let mut truth =
            Self { chain_id, blocks, bank: BTreeMap::new(), owners: BTreeMap::new(), names: BTreeMap::new() };
        recording.state.iter().filter(|record| record.status == 200).for_each(|record| truth.take(record));
        truth
    }

    fn take(&mut self, record: &StateRecord) {
        if let Some((_, rest)) = record.path.split_once("/bank/v1beta1/balances/") {
            let account = rest.split(['?', '/']).next().unwrap_or_default().to_owned();
            let coins = list(&record.answer["balances"]).iter();
            let amount = |coin: &Value| text(&coin["amount"]).parse::<Amount>().unwrap_or_default();
            let coins = coins.map(|coin| (text(&coin["denom"]).to_owned(), amount(coin)));
            self.bank.insert(account, coins.collect());
        } else if let Some((contract, query)) = smart_query(&record.path) {
            let data = &record.answer["data"];
            if let (Some(id), Some(owner)) = (query["owner_of"]["token_id"].as_str(), data["owner"].as_str()) {
                self.owners.extend(owner.parse().ok().map(|owner| ((contract, id.to_owned()), owner)));
            } else if let (true, Some(name)) = (query["contract_info"].is_object(), data["name"].as_str()) {
                self.names.insert(contract, name.to_owned());
            }
        } else if let Some((contract, id)) = record.body.as_ref().and_then(owner_call) {
            let word = text(&record.answer["result"]);
            let owner = word.get(26..66).and_then(|digits| format!("0x{digits}").parse().ok());
            self.owners.extend(owner.map(|owner| ((contract, id), owner)));
        }
    }

    pub(super) fn last(&self) -> &BlockTruth {
        self.blocks.last().expect("a chain has blocks")
    }

    /// Every transaction with its block, the newest first.
    pub(super) fn newest_txs(&self) -> impl Iterator<Item = (&BlockTruth, &TxTruth)> {
        self.blocks.iter().rev().flat_map(|block| block.txs.iter().rev().map(move |tx| (block, tx)))
    }
}

fn block(recorded: &RecordedBlock) -> BlockTruth {
    let answer = json(recorded.block.get());
    let results = json(recorded.block_results.get());
    let of_rest = recorded.txs.as_ref().map(|txs| json(txs.get())).unwrap_or_default();
    let (header, results) = (&answer["result"]["block"]["header"], list(&results["result"]["txs_results"]));
    let side = |raw: &Option<Box<serde_json::value::RawValue>>| raw.as_ref().map(|raw| json(raw.get()));
    let (receipts, traces) = (side(&recorded.receipts), side(&recorded.traces));
    let evm = match (receipts.as_ref().map(list), traces.as_ref().map(list)) {
        (Some([receipt]), Some([trace])) if results.len() == 1 => Some((receipt.clone(), trace["result"].clone())),
        _ => None,
    };
    let txs = recorded.hashes().into_iter().zip(list(&of_rest["txs"])).zip(results);
    BlockTruth {
        height: recorded.height,
        hash: text(&answer["result"]["block_id"]["hash"]).to_owned(),
        time: text(&header["time"]).get(..19).unwrap_or_default().replace('T', " "),
        proposer: text(&header["proposer_address"]).to_owned(),
        txs: txs
            .map(|((hash, tx), result)| TxTruth { hash, tx: tx.clone(), result: result.clone(), evm: evm.clone() })
            .collect(),
    }
}

/// The contract of a smart query, and the query.
fn smart_query(path: &str) -> Option<(Address, Value)> {
    let (contract, query) = path.strip_prefix("/cosmwasm/wasm/v1/contract/")?.split_once("/smart/")?;
    let query = query.replace("%3D", "=").replace("%2B", "+").replace("%2F", "/");
    Some((contract.parse().ok()?, serde_json::from_slice(&BASE64_STANDARD.decode(query).ok()?).ok()?))
}

/// The contract and the id of a call of `ownerOf(uint256)`.
fn owner_call(body: &Value) -> Option<(Address, String)> {
    let call = &body["params"][0];
    let id = text(&call["data"]).strip_prefix("0x6352211e")?;
    let id = u128::from_str_radix(id, 16).ok()?;
    Some((text(&call["to"]).parse().ok()?, id.to_string()))
}

pub(super) fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("a recording is JSON")
}

pub(super) fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

pub(super) fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}
