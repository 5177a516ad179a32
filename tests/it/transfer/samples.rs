//! Every status sample is read: the composed ones from the fixtures, the others from the folder that `ROLLSCOPE_SHARED`
//! names.

use std::{fs, path::Path};

use rollscope::{
    domain::TransferRecord,
    transfers::{HopPhase, Phase},
};
use serde_json::Value;

use super::{NOTHING, body, look, record};

#[test]
fn the_composed_samples_tell_their_story() {
    let route = body("route-ibc-multihop");
    for (name, phase, headline, hops) in [
        ("status-1-submitted", Phase::Waiting, "Sent on Echelon; the router has not seen it in a block yet", 2),
        ("status-2-pending-hop0", Phase::Moving, "On its way: hop 1 of 2, Echelon → Initia, 0:38 of about 1:00", 2),
        ("status-3-pending-hop1", Phase::Moving, "On its way: hop 2 of 2, Initia → Noble, 0:38 of about 1:00", 2),
        ("status-4b-completed-success", Phase::Arrived, "Arrived: 25 uusdc on Noble.", 2),
        (
            "status-6a-completed-error-packet-timeout",
            Phase::FailedReleased,
            "Did not complete. Your 25 ibc/AA4E…8FEE is on Echelon.",
            2,
        ),
        ("status-6c-completed-error-source-tx-failed", Phase::FailedAtSource, "Failed at the source: only the fee", 2),
        ("status-7-abandoned", Phase::Abandoned, "The router abandoned tracking; the funds' location", 2),
        ("status-8-spec-literal-completed", Phase::EndedUnstated, "The router says completed; the funds' location", 2),
        ("status-9-spec-literal-failed", Phase::FailedHeld, "Failed; the router does not state where", 2),
    ] {
        let view = look(&record(Some(&route), Some(&body(name))), NOTHING);
        assert_eq!(view.phase, phase, "{name}");
        assert!(view.headline.to_string().starts_with(headline), "{name}: {}", view.headline);
        assert_eq!(view.hops.len(), hops, "{name}: operations and hops are paired");
    }
    let timed_out = look(&record(Some(&route), Some(&body("status-6a-completed-error-packet-timeout"))), NOTHING);
    assert_eq!(timed_out.problem.as_deref(), Some("transfer failed"));
    assert_eq!(timed_out.hops[1].problem.as_deref(), Some("packet timed out"));
    let abandoned = look(&record(Some(&route), Some(&body("status-7-abandoned"))), NOTHING);
    assert_eq!(abandoned.notes, ["Last reported between Initia and Noble: TRANSFER_PENDING."]);
    assert_eq!(abandoned.hops[1].phase, HopPhase::Unknown);
}

/// A transfer by its hash alone, on the chain where its status begins.
fn started(status: &Value) -> TransferRecord {
    let hops = |of: &Value| of["transfer_sequence"][0].as_object().and_then(|hop| hop.values().next().cloned());
    let first = hops(status).or_else(|| hops(&status["transfers"][0])).unwrap_or_default();
    let chain = first["from_chain_id"].as_str().unwrap_or("echelon-1");
    let mut record = record(None, None);
    record.txs = vec![super::source_tx(chain, 1, Some(status))];
    record
}

#[test]
fn hashes_without_a_route_are_told_by_their_hops() {
    for (name, phase, headline) in [
        ("status-4b-completed-success", Phase::Arrived, "Arrived: 25 uusdc on Noble."),
        ("status-cctp-pending-confirmation", Phase::Moving, "On its way: hop 1, 1 → Noble"),
        ("status-op-deposit-pending", Phase::Moving, "On its way: hop 1, Initia → yominet-1"),
        ("status-op-deposit-completed", Phase::Arrived, "Arrived: 5,000,000,000,000 evm/856aB2…427e96 on yominet-1."),
        ("status-cctp-then-ibc-pending-hop1", Phase::Moving, "On its way: hop 2, "),
    ] {
        let view = look(&started(&body(name)), NOTHING);
        assert_eq!(view.phase, phase, "{name}");
        let told = view.headline.to_string().to_lowercase();
        assert!(told.starts_with(&headline.to_lowercase()), "{name}: {}", view.headline);
        assert_eq!(view.expected, None);
    }
}

#[test]
fn every_sample_is_read() {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/router");
    let shared = crate::harness::more_records().map(|shared| shared.join("wire/samples/router"));
    let folders = [Some(own), shared].into_iter().flatten();
    let mut read = 0;
    for entry in folders.flat_map(|folder| fs::read_dir(folder).expect("the folder of samples")) {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        if !name.starts_with("status-") || name.contains("error-404") {
            continue;
        }
        let sample: Value = serde_json::from_str(&fs::read_to_string(&path).expect("a sample")).expect("JSON");
        let view = look(&started(&sample["response"]["body"]), NOTHING);
        assert_ne!(view.phase, Phase::Strange, "{name}");
        assert_eq!(
            view.phase == Phase::Arrived,
            name.contains("success") || name.contains("deposit-completed"),
            "{name}"
        );
        if view.phase == Phase::Arrived {
            assert!(view.hops.iter().all(|hop| hop.phase == HopPhase::Done), "{name}");
        }
        read += 1;
    }
    assert!(read > 10, "{read} samples");
}
