//! Merges two records of one transfer, since another instance may know more.

use crate::domain::{SourceTx, Timestamp, Tracking, TransferRecord};

/// Merges `other`, which is newer or has a further transaction. No fact is lost; the newer status, the more advanced
/// registration and the label of `other` win.
pub(super) fn merge(record: &mut TransferRecord, mut other: TransferRecord) {
    if record.is_sent_here() && other.is_sent_here() {
        forget_earlier_sending(record, &mut other);
    }
    let (own, others) = (newest_status(&record.txs), newest_status(&other.txs));
    record.is_over = match others.cmp(&own) {
        std::cmp::Ordering::Greater => other.is_over,
        std::cmp::Ordering::Equal => record.is_over || other.is_over,
        std::cmp::Ordering::Less => record.is_over,
    };
    record.created = record.created.min(other.created);
    // An empty label does not replace a name, which the other instance may not have.
    if !other.label.is_empty() {
        record.label = other.label;
    }
    record.gone_chain = other.gone_chain;
    record.former_place = record.former_place.take().or(other.former_place);
    record.route = record.route.take().or(other.route);
    if record.addresses.is_empty() {
        record.addresses = other.addresses;
    }
    for tx in other.txs {
        match record.txs.iter_mut().find(|known| known.chain_id == tx.chain_id && known.hash == tx.hash) {
            Some(known) => merge_tx(known, tx),
            None => record.txs.push(tx),
        }
    }
    for change in other.changes {
        if !record.changes.contains(&change) {
            record.changes.push(change);
        }
    }
    record.changes.sort_by_key(|change| change.at);
    let excess = record.changes.len().saturating_sub(TransferRecord::CHANGES);
    record.changes.drain(..excess);
}

/// Drops, from both records, the history of a transaction before it was broadcast again under its old hash.
fn forget_earlier_sending(record: &mut TransferRecord, other: &mut TransferRecord) {
    for other_tx in &mut other.txs {
        let is_it = |tx: &&mut SourceTx| tx.chain_id == other_tx.chain_id && tx.hash == other_tx.hash;
        let Some(tx) = record.txs.iter_mut().find(is_it) else { continue };
        let sent = tx.at.max(other_tx.at);
        for (tx, is_over) in [(tx, &mut record.is_over), (other_tx, &mut other.is_over)] {
            if tx.at < sent {
                tx.at = sent;
                if tx.status.as_ref().is_none_or(|(_, told)| *told < sent) {
                    (tx.status, tx.tracking, *is_over) = (None, Tracking::Pending, false);
                }
            }
        }
    }
}

fn merge_tx(known: &mut SourceTx, other: SourceTx) {
    known.at = known.at.min(other.at);
    if rank(other.tracking) > rank(known.tracking) {
        known.tracking = other.tracking;
    }
    known.terms = known.terms.take().or(other.terms);
    known.simulated = known.simulated.take().or(other.simulated);
    let time = |status: &Option<(_, Timestamp)>| status.as_ref().map(|(_, at)| *at);
    if time(&other.status) > time(&known.status) {
        known.status = other.status;
    }
}

fn newest_status(txs: &[SourceTx]) -> Option<Timestamp> {
    txs.iter().filter_map(|tx| tx.status.as_ref()).map(|(_, at)| *at).max()
}

fn rank(tracking: Tracking) -> u8 {
    match tracking {
        Tracking::Pending => 0,
        Tracking::Refused => 1,
        Tracking::Accepted => 2,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::domain::ChainId;

    fn record() -> TransferRecord {
        let hash = "AB".repeat(32).parse().expect("a hash");
        TransferRecord::of_hash(ChainId::new("a-1"), &hash, Timestamp::EPOCH)
    }

    #[test]
    fn nothing_is_lost_and_the_newer_status_wins() {
        let later = |seconds| Timestamp::EPOCH.after(Duration::from_secs(seconds));
        let (mut own, mut other) = (record(), record());
        own.txs[0].status = Some(("old".into(), later(1)));
        own.note(later(1), "first");
        other.txs[0].status = Some(("new".into(), later(2)));
        other.txs[0].tracking = Tracking::Accepted;
        other.is_over = true;
        other.label = "rent".to_owned();
        other.note(later(2), "second");
        merge(&mut own, other.clone());
        assert_eq!(own.txs[0].status.as_ref().map(|(body, _)| &**body), Some("new"));
        assert!(own.is_over && own.txs[0].tracking == Tracking::Accepted && own.label == "rent");
        assert_eq!(own.changes.iter().map(|change| change.text.as_str()).collect::<Vec<_>>(), ["first", "second"]);
        merge(&mut own, other);
        assert_eq!((own.changes.len(), own.txs.len()), (2, 1), "the same twice adds nothing");
    }

    #[test]
    fn what_was_told_before_it_was_sent_once_more_is_forgotten_whoever_knows_it() {
        let later = |seconds| Timestamp::EPOCH.after(Duration::from_secs(seconds));
        let sent = || TransferRecord { addresses: vec!["one".to_owned()], ..record() };
        let mut before = TransferRecord { is_over: true, ..sent() };
        before.txs[0].status = Some(("arrived".into(), later(9)));
        before.txs[0].tracking = Tracking::Accepted;
        let mut again = sent();
        again.txs[0].at = later(60);
        for (one, other) in [(&before, &again), (&again, &before)] {
            let mut merged = one.clone();
            merge(&mut merged, other.clone());
            let tx = &merged.txs[0];
            assert_eq!((tx.at, &tx.status, tx.tracking, merged.is_over), (later(60), &None, Tracking::Pending, false));
        }
        let mut told = again.clone();
        told.txs[0].status = Some(("pending".into(), later(61)));
        merge(&mut before, told);
        assert_eq!(before.txs[0].status.as_ref().map(|(body, _)| &**body), Some("pending"));

        let mut typed = TransferRecord { addresses: Vec::new(), ..before.clone() };
        merge(&mut typed, TransferRecord { addresses: Vec::new(), ..again });
        assert!(typed.txs[0].status.is_some(), "a hash that was typed twice is of one sending");
    }

    #[test]
    fn a_further_transaction_is_added() {
        let (mut own, mut other) = (record(), record());
        let mut second = other.txs[0].clone();
        second.hash = "CD".repeat(32).parse().expect("a hash");
        other.txs.push(second);
        merge(&mut own, other);
        assert_eq!(own.txs.len(), 2);
    }
}
