//! Log queries by block, contract and topics.

use serde_json::Value;

use super::{EthAnswer, EthParams, EthRefusal, blocks::EthBlock, read_hash, read_height};
use crate::{demo::node::view::NodeView, domain::Height};

/// Maximum blocks of a query.
const MOST_BLOCKS: u64 = 500;

/// Maximum logs in a response.
const MOST_LOGS: usize = 10_000;

pub(super) fn logs(view: &NodeView<'_>, params: &EthParams<'_>) -> EthAnswer {
    let filter = params.value(0);
    let mut found = Vec::new();
    for block in blocks(view, filter)? {
        let receipts = block.written_receipts();
        let logs = receipts.iter().filter_map(|receipt| receipt["logs"].as_array()).flatten();
        found.extend(logs.filter(|log| fits(log, filter)).cloned());
        if found.len() > MOST_LOGS {
            return Err(EthRefusal::of(-32_005, format!("query returned more than {MOST_LOGS} results")));
        }
    }
    Ok(found.into())
}

fn blocks<'a>(view: &'a NodeView<'_>, filter: &Value) -> Result<Box<dyn Iterator<Item = EthBlock> + 'a>, EthRefusal> {
    if let Some(hash) = filter["blockHash"].as_str() {
        let block = EthBlock::with_hash(view, read_hash(hash)?);
        let block = block.ok_or_else(|| EthRefusal::failed("unknown block"))?;
        return Ok(Box::new(std::iter::once(block)));
    }
    let bound = |name: &str| read_height(view, &filter[name]);
    let (from, to) = (bound("fromBlock")?.unwrap_or(Height::FIRST), bound("toBlock")?.unwrap_or(Height::FIRST));
    if from > to {
        return Err(EthRefusal::params("invalid block range params"));
    }
    let to = to.min(view.tip);
    if to.get().saturating_sub(from.get()) >= MOST_BLOCKS {
        return Err(EthRefusal::of(-32_005, format!("a range of more than {MOST_BLOCKS} blocks")));
    }
    let heights = (from.get()..=to.get()).filter_map(Height::new);
    Ok(Box::new(heights.filter_map(|height| EthBlock::at(view, Some(height)))))
}

/// Whether a value matches a filter, which may be a value or a list. A missing filter matches all values.
fn is_asked(value: &Value, asked: &Value) -> bool {
    let is_it = |asked: &Value| {
        let pair = value.as_str().zip(asked.as_str());
        pair.is_some_and(|(value, asked)| value.eq_ignore_ascii_case(asked))
    };
    match asked {
        Value::Null => true,
        Value::Array(several) => several.is_empty() || several.iter().any(is_it),
        one => is_it(one),
    }
}

fn fits(log: &Value, filter: &Value) -> bool {
    let [topics, asked] = [log, filter].map(|value| value["topics"].as_array().map_or(&[][..], Vec::as_slice));
    is_asked(&log["address"], &filter["address"])
        && asked.len() <= topics.len()
        && topics.iter().zip(asked).all(|(topic, asked)| is_asked(topic, asked))
}
