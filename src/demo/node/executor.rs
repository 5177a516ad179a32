//! API of the bridge executor. It lists withdrawals, with proofs once an output covers them (`docs/apis/router.md`
//! §9.5).

use axum::http::StatusCode;
use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde_json::{Value, json};

use super::NodeRequest;
use crate::{
    demo::{
        chain::{BlockProducer, BridgeWithdrawal},
        settlement::{BridgeOutput, OUTPUT_VERSION},
        shared::RollupShared,
    },
    domain::Address,
};

/// Default and maximum number of withdrawals in a page.
const LIMIT: usize = 10;
const MOST: usize = 100;

/// Answers a request. The chain must have a block.
pub(super) fn answer(
    chain: &dyn BlockProducer,
    shared: &RollupShared,
    request: &NodeRequest,
) -> Option<(StatusCode, Value)> {
    let withdrawals = chain.state()?.withdrawals();
    let write = |withdrawal: &BridgeWithdrawal| written(chain, shared, withdrawal);
    Some(match request.path()[..] {
        ["withdrawal", sequence] => {
            let Ok(sequence) = sequence.parse::<u64>() else { return Some(failed("failed to convert sequence")) };
            let place = withdrawals.binary_search_by_key(&sequence, |withdrawal| withdrawal.sequence);
            match place.ok().and_then(|place| withdrawals.get(place)) {
                Some(withdrawal) => (StatusCode::OK, write(withdrawal)),
                None => failed("failed to get withdrawal: not found"),
            }
        }
        ["withdrawals", address] => {
            let Ok(page) = WithdrawalsAsked::read(request) else {
                return Some(failed("failed to convert limit or offset"));
            };
            let Ok(address) = address.parse::<Address>() else { return Some(failed("invalid address")) };
            let is_its = |withdrawal: &&BridgeWithdrawal| withdrawal.to.parse() == Ok(address);
            let (found, next) = page.cut(withdrawals.iter().filter(is_its).collect());
            let mut answer = json!({ "withdrawals": found.into_iter().map(write).collect::<Vec<_>>() });
            if let (Some(next), Some(fields)) = (next, answer.as_object_mut()) {
                fields.insert("next".to_owned(), next.into());
            }
            (StatusCode::OK, answer)
        }
        _ => (StatusCode::NOT_FOUND, json!({ "error": "Cannot GET this" })),
    })
}

fn failed(why: &str) -> (StatusCode, Value) {
    (StatusCode::INTERNAL_SERVER_ERROR, json!({ "error": why }))
}

/// Parameters of a page: start, direction and limit.
struct WithdrawalsAsked {
    from: u64,
    limit: usize,
    is_descending: bool,
}

impl WithdrawalsAsked {
    fn read(request: &NodeRequest) -> Result<Self, std::num::ParseIntError> {
        let number = |name: &str| request.query.first(name).filter(|text| !text.is_empty()).map(str::parse::<u64>);
        let limit = number("limit").transpose()?.and_then(|limit| usize::try_from(limit).ok());
        Ok(Self {
            from: number("offset").transpose()?.unwrap_or(0),
            limit: limit.filter(|limit| *limit > 0).unwrap_or(LIMIT).min(MOST),
            is_descending: request.query.first("order").is_none_or(|order| order == "desc"),
        })
    }

    /// Returns the page, and where the next page starts.
    fn cut<'a>(&self, mut all: Vec<&'a BridgeWithdrawal>) -> (Vec<&'a BridgeWithdrawal>, Option<u64>) {
        let is_before = |withdrawal: &&BridgeWithdrawal| match (self.from, self.is_descending) {
            (0, _) => true,
            (from, true) => withdrawal.sequence <= from,
            (from, false) => withdrawal.sequence >= from,
        };
        all.retain(is_before);
        if self.is_descending {
            all.reverse();
        }
        let next = all.get(self.limit).map(|withdrawal| withdrawal.sequence);
        all.truncate(self.limit);
        (all, next)
    }
}

/// Writes a withdrawal, with its proof if the L1 has the output.
fn written(chain: &dyn BlockProducer, shared: &RollupShared, withdrawal: &BridgeWithdrawal) -> Value {
    let terms = shared.router().bridge();
    let index = terms.output_of(withdrawal.height);
    let proven = shared.output_on(chain, index).and_then(|output| {
        let tree = terms.tree(index, chain.state()?.withdrawals())?;
        Some((tree.proof(&withdrawal.leaf(terms.bridge_id))?, output))
    });
    let (proof, output) = proven.unzip();
    let proof = proof.map(|proof| proof.iter().map(|hash| BASE64_STANDARD.encode(hash)).collect::<Vec<_>>());
    let bytes = |bytes: fn(&BridgeOutput) -> &[u8]| output.as_ref().map(|output| BASE64_STANDARD.encode(bytes(output)));
    json!({
        "sequence": withdrawal.sequence,
        "to": withdrawal.to,
        "from": withdrawal.from,
        "amount": { "denom": withdrawal.l1_denom, "amount": withdrawal.amount.to_string() },
        "output_index": output.as_ref().map_or(0, |output| output.index),
        "bridge_id": terms.bridge_id,
        "withdrawal_proofs": proof,
        "version": BASE64_STANDARD.encode([OUTPUT_VERSION]),
        "storage_root": bytes(|output| &output.storage_root),
        "last_block_hash": bytes(|output| &output.block_hash),
        "tx_height": withdrawal.height.get(),
        "tx_hash": withdrawal.tx_hash.to_string(),
    })
}
