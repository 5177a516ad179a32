//! What a transfer's status means: the states and hops of both vocabularies, the words about them, and when to ask
//! again.

mod against;
mod cadence;
mod consistent;
mod contradictions;
mod estimate;
mod evidence;
mod first_lines;
mod hops;
mod legs;
mod samples;
mod states;
mod together;
mod truth;
mod withdrawals;

use std::{fs, path::Path, sync::Arc, time::Duration};

use rollscope::{
    domain::{Amount, BroadcastHash, ChainId, Denom, SourceTx, Timestamp, Tracking, TransferRecord},
    story::Names,
    transfers::{ArrivalEvidence, Evidence, RouterAnswers, SourceEvidence, TransferStatusView, status_view},
};
use serde_json::Value;

const NOTHING: Evidence = Evidence { source: None, arrival: None };
const SOURCE_ABSENT: Evidence = Evidence { source: Some(SourceEvidence::Absent), ..NOTHING };
const SOURCE_SUCCEEDED: Evidence = Evidence { source: Some(SourceEvidence::Succeeded), ..NOTHING };
const SOURCE_FAILED: Evidence = Evidence { source: Some(SourceEvidence::Failed), ..NOTHING };
const ARRIVAL_ABSENT: Evidence = Evidence { arrival: Some(ArrivalEvidence::Absent), ..NOTHING };
const NOT_CREDITED: Evidence = Evidence { arrival: Some(ArrivalEvidence::NotCredited), ..NOTHING };
const CREDITED: Evidence = Evidence { arrival: Some(ArrivalEvidence::Credited), ..NOTHING };

/// Names some chains, and all amounts with six decimals.
struct Plain;

impl Names for Plain {
    fn chain(&self, chain: &ChainId) -> String {
        match chain.as_str() {
            "interwoven-1" => "Initia".to_owned(),
            "echelon-1" => "Echelon".to_owned(),
            "civitia-1" => "Civitia".to_owned(),
            "noble-1" => "Noble".to_owned(),
            other => other.to_owned(),
        }
    }

    fn amount(&self, chain: &ChainId, denom: &Denom, amount: Amount) -> String {
        format!("{} {}", amount.display(6), self.denom(chain, denom))
    }

    fn denom(&self, _: &ChainId, denom: &Denom) -> String {
        denom.short()
    }
}

/// So many seconds after the transfers of these tests are broadcast.
fn at(second: u64) -> Timestamp {
    let start: Timestamp = "2025-11-21T10:00:00Z".parse().expect("a time");
    start.after(Duration::from_secs(second))
}

/// The body of an answer among the fixtures.
fn body(name: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/fixtures/router/{name}-composed.json"));
    let text = fs::read_to_string(path).expect("a fixture");
    let mut sample: Value = serde_json::from_str(&text).expect("JSON");
    sample["response"]["body"].take()
}

/// A transaction of a transfer with the newest answer about it.
fn source_tx(chain: &str, number: u64, status: Option<&Value>) -> SourceTx {
    let hash = status.and_then(|status| hash_of(status, chain)).unwrap_or_else(|| format!("{number:064X}"));
    let hash: BroadcastHash = hash.parse().expect("a hash");
    SourceTx {
        chain_id: ChainId::new(chain),
        hash: hash.for_chain(&ChainId::new(chain)),
        at: at(0),
        tracking: Tracking::Accepted,
        status: status.map(|body| (Arc::from(body.to_string()), at(5))),
        terms: None,
        simulated: None,
    }
}

/// The hash with which a status's transfer begins on this chain.
fn hash_of(status: &Value, chain: &str) -> Option<String> {
    let hops = |of: &Value| of["transfer_sequence"][0].as_object().and_then(|hop| hop.values().next().cloned());
    let first = hops(status).or_else(|| hops(&status["transfers"][0]))?;
    let txs = if first["txs"].is_null() { &first["packet_txs"] } else { &first["txs"] };
    let sent = &txs["send_tx"];
    let hash = sent["tx_hash"].as_str().filter(|hash| sent["chain_id"] == chain && hash.len() >= 64)?;
    Some(hash.to_owned())
}

/// A transfer of one transaction; where its route is known it begins where that does.
fn record(route: Option<&Value>, status: Option<&Value>) -> TransferRecord {
    let chain = route.and_then(|route| route["source_asset_chain_id"].as_str()).unwrap_or("echelon-1");
    let tx = source_tx(chain, 1, status);
    let mut record = TransferRecord::of_hash(tx.chain_id.clone(), &tx.hash, at(0));
    record.route = route.map(|route| Arc::from(route.to_string()));
    // Sent from here: whoever sent it gave addresses.
    record.addresses = route.iter().map(|_| "init1sender".to_owned()).collect();
    record.txs = vec![tx];
    record
}

/// How it stands at a time, by what is decoded of it there.
fn view_of(record: &TransferRecord, evidence: Evidence, names: &dyn Names, now: Timestamp) -> TransferStatusView {
    status_view(record, &RouterAnswers::of(record), evidence, names, now)
}

/// How it stands 40 seconds after the broadcast.
fn look(record: &TransferRecord, evidence: Evidence) -> TransferStatusView {
    view_of(record, evidence, &Plain, at(40))
}
