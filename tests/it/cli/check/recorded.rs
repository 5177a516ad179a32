//! The real indexer as it was recorded, played beside its node: its own rows in its own order, cut and turned as asked
//! for. What it was not asked then is refused.

use std::collections::HashMap;

use rollscope::domain::Address;
use serde_json::{Value, json};

use crate::{
    cli::chain::{self, Chain},
    harness::{recording::Recording, replay::Answer},
};

const BLOCKS: &str = "/indexer/block/v1/blocks";
const TXS: &str = "/indexer/tx/v1/txs";
const RECEIPTS: &str = "/indexer/tx/v1/evm-txs";
const CALLS: &str = "/indexer/tx/v1/evm-internal-txs";

/// What is said of a request that the recording has no answer to.
pub(super) const REFUSAL: &str = "not recorded";

/// The real indexer, played; it ends when dropped.
pub(super) struct PlayedIndexer(Chain);

impl PlayedIndexer {
    pub(super) fn start(recording: &Recording, chain_id: &str) -> Self {
        let recorded = Recorded::new(recording, chain_id);
        Self(Chain::scripted(move |seen| recorded.answer(&seen.target)))
    }

    pub(super) fn url(&self) -> &str {
        self.0.url()
    }
}

/// A recorded list: the name of its rows, the rows in ascending order, and its total.
struct RecordedList {
    name: String,
    rows: Vec<Value>,
    total: u64,
}

struct Recorded {
    last: u64,
    chain_id: String,
    /// Answers about one thing, by path.
    single: HashMap<String, (u16, Value)>,
    /// By path and the parameters that choose rows.
    lists: HashMap<String, RecordedList>,
}

impl Recorded {
    fn new(recording: &Recording, chain_id: &str) -> Self {
        let last = recording.blocks.len() as u64;
        let mut recorded = Self { last, chain_id: chain_id.to_owned(), single: HashMap::new(), lists: HashMap::new() };
        for one in recording.indexer.iter().filter(|one| one.answer.get("pagination").is_none()) {
            // A hash in small letters and the like were asked for once more.
            let single = recorded.single.entry(normal(&one.path)).or_insert_with(|| (one.status, one.answer.clone()));
            assert!(single.0 == one.status || one.status != 200, "{}", one.path);
        }
        let receipts = receipts(recording);
        // Pages were recorded in order, the newest first; those from the oldest on have the same rows.
        for one in recording.indexer.iter().filter(|one| !one.path.contains("reverse=false")) {
            let Some(total) = one.answer["pagination"]["total"].as_str() else { continue };
            let fields = one.answer.as_object().expect("a list is an object");
            let (name, rows) = fields.iter().find(|(name, _)| *name != "pagination").expect("a list has rows");
            let rows = rows.as_array().expect("rows are a list").iter();
            let whole = |row: &Value| match row.as_str() {
                Some(hash) if one.path.starts_with(RECEIPTS) => receipts[hash].clone(),
                Some(hash) => recorded.single[&format!("{TXS}/{hash}")].1["tx"].clone(),
                None => row.clone(),
            };
            let rows: Vec<Value> = rows.map(whole).filter(|row| height_of(row).is_none_or(|at| at <= last)).collect();
            // A database that never counted says -1.
            let total = total.parse().unwrap_or_default();
            let empty = || RecordedList { name: name.clone(), rows: Vec::new(), total };
            recorded.lists.entry(list_key(&one.path)).or_insert_with(empty).rows.extend(rows);
        }
        recorded.lists.values_mut().for_each(|list| list.rows.reverse());
        if let Some(blocks) = recorded.lists.get_mut(BLOCKS) {
            // The chain went on before the list was recorded; its total is its newest height.
            blocks.total = last;
        }
        recorded
    }

    fn answer(&self, target: &str) -> Answer {
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let query: Vec<(&str, &str)> = query.split('&').filter_map(|pair| pair.split_once('=')).collect();
        if path == "/status" {
            return Answer::json(self.status().to_string());
        }
        // It was recorded when the chain had gone on.
        let is_later = path.ends_with("/avg_blocktime");
        if let Some((status, answer)) = self.single.get(&normal(path)).filter(|_| !is_later) {
            return if *status == 200 {
                Answer::json(answer.to_string())
            } else {
                Answer::text(*status, answer.as_str().unwrap_or_default())
            };
        }
        self.block(path).or_else(|| self.list(target, path, &query)).unwrap_or_else(|| Answer::text(400, REFUSAL))
    }

    /// Its heights are those of the recorded blocks.
    fn status(&self) -> Value {
        let mut status = json!({ "version": "dev", "commit_hash": "unknown", "chain_id": self.chain_id });
        status["height"] = self.last.into();
        if self.lists.contains_key(CALLS) {
            status["internal_tx_height"] = self.last.into();
            status["rich_list_height"] = self.last.into();
        }
        status
    }

    /// A block as it is in the list of all blocks.
    fn block(&self, path: &str) -> Option<Answer> {
        let height: u64 = path.strip_prefix(BLOCKS)?.strip_prefix('/')?.parse().ok()?;
        let block = self.lists.get(BLOCKS)?.rows.iter().find(|row| height_of(row) == Some(height))?;
        Some(Answer::json(json!({ "block": block }).to_string()))
    }

    fn list(&self, target: &str, path: &str, query: &[(&str, &str)]) -> Option<Answer> {
        let value = |key: &str| query.iter().find(|(name, _)| *name == key).map(|(_, value)| *value);
        let key = list_key(target);
        let (list, mut rows): (&RecordedList, Vec<&Value>) = if let Some(list) = self.lists.get(&key) {
            (list, list.rows.iter().collect())
        } else {
            // The rows of one block are those of the list of all.
            let (all, height) = path.split_once("/by_height/")?;
            let list = self.lists.get(&key.replace(path, all))?;
            let at = height.parse().ok();
            (list, list.rows.iter().filter(|row| height_of(row) == at).collect())
        };
        let is_whole = rows.len() == list.rows.len();
        if let Some(wanted) = value("token_id") {
            rows.retain(|row| row["nft"]["token_id"] == wanted);
        }
        if let Some(collection) = value("collection_addr") {
            rows.retain(|row| row["collection_addr"] == collection);
        }
        if value("order_by") == Some("height") {
            rows.sort_by_key(|row| height_of(row));
        }
        let total = if is_whole { list.total } else { rows.len() as u64 };
        Some(chain::list(&list.name, rows.len() as u64, total, query, |place| {
            rows[usize::try_from(place).expect("a place in a list") - 1].clone()
        }))
    }
}

/// The receipts, which were recorded of the node alone: the real indexer has an empty text for no callee.
fn receipts(recording: &Recording) -> HashMap<String, Value> {
    let blocks = recording.blocks.iter().filter_map(|block| block.receipts.as_ref());
    let receipts = blocks.flat_map(|raw| serde_json::from_str::<Vec<Value>>(raw.get()).expect("receipts are JSON"));
    let named = receipts.map(|mut receipt| {
        if receipt["to"].is_null() {
            receipt["to"] = "".into();
        }
        (receipt["transactionHash"].as_str().expect("a receipt has a hash").to_owned(), receipt)
    });
    named.collect()
}

/// The block of a row, however the list writes it.
fn height_of(row: &Value) -> Option<u64> {
    let hex = |text: &str| u64::from_str_radix(text.strip_prefix("0x")?, 16).ok();
    let text = row["height"].as_str().and_then(|text| text.parse().ok());
    text.or_else(|| row["height"].as_u64()).or_else(|| hex(row["blockNumber"].as_str()?))
}

/// A path with addresses in one form.
fn normal(path: &str) -> String {
    let part = |part: &str| match part.parse::<Address>() {
        Ok(address) if part.starts_with("0x") || part.starts_with("init1") => address.bech32(),
        _ => part.to_owned(),
    };
    path.split('/').map(part).collect::<Vec<_>>().join("/")
}

/// The path of a list with the parameters that choose rows.
fn list_key(target: &str) -> String {
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let chosen = query.split('&').filter(|part| part.starts_with("msgs=") || *part == "is_signer=true");
    chosen.fold(normal(path), |key, part| format!("{key}&{part}"))
}
