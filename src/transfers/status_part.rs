//! Reads a status body, whichever of its alternative fields a router fills (`docs/apis/router.md` §5.1, §5.3).

use serde_json::Value;

use super::{HopPhase, Phase, contradiction::Contradiction};
use crate::{
    domain::{Amount, BroadcastHash, ChainId, Denom, SourceTx},
    wire::router::{AssetRelease, BlockingTransfer, Hop, HopKind, HopSlot, StatusError, TransferPart, TransferStatus},
};

/// State of a transfer, in both vocabularies that routers use.
#[derive(Clone, Debug, PartialEq, Eq, strum::EnumString)]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
pub(super) enum TransferState {
    Submitted,
    Received,
    Pending,
    PendingError,
    CompletedSuccess,
    CompletedError,
    Abandoned,
    Unknown,
    Completed,
    Failed,
    /// State that rollscope does not know, as the router sent it; empty if missing.
    #[strum(default)]
    Other(String),
}

impl TransferState {
    /// Parses a state; `None` if missing.
    fn read(text: &str) -> Option<Self> {
        let text = text.trim();
        let known = text.strip_prefix("STATE_").and_then(|word| word.parse().ok());
        match known {
            Some(Self::Other(_)) | None => (!text.is_empty()).then(|| Self::Other(text.to_owned())),
            known => known,
        }
    }
}

/// Where a transaction's funds should arrive, as far as known.
#[derive(Clone, Debug, Default)]
pub(super) struct TransferDestination {
    pub(super) chain: Option<ChainId>,
    pub(super) denom: Option<Denom>,
    pub(super) amount: Option<Amount>,
}

impl TransferDestination {
    /// Whether a release is on this chain and in this asset.
    pub(super) fn holds(&self, release: &AssetRelease) -> bool {
        let is_denom = self.denom.as_ref().is_none_or(|denom| denom.is_same(&release.denom));
        release.released && is_denom && self.chain.as_ref() == Some(&release.chain_id)
    }
}

/// One transfer in a status. A transaction can begin several.
#[derive(Clone, Debug)]
pub(super) struct StatusPart<'a> {
    pub(super) state: TransferState,
    pub(super) hops: &'a [Hop],
    /// Index of the hop that the transfer waits for.
    pub(super) blocking: Option<usize>,
    pub(super) release: Option<&'a AssetRelease>,
    pub(super) error: Option<&'a StatusError>,
    /// Whether the flat fields and the list of transfers state opposite ends.
    pub(super) has_two_ends: bool,
}

impl<'a> StatusPart<'a> {
    /// Returns the phase by the router's statement alone, and the contradiction, if any.
    pub(super) fn assess(&self, destination: &TransferDestination) -> (Phase, Option<Contradiction>) {
        let stated = self.phase(destination);
        match self.contradiction(&stated, destination) {
            Some(contradiction) => (Phase::Contradictory, Some(contradiction)),
            None => (stated, None),
        }
    }

    fn phase(&self, destination: &TransferDestination) -> Phase {
        // The plan of a route is no statement of the router about the end.
        let is_located = self.release.is_some() || (destination.chain.is_some() && !self.hops.is_empty());
        match &self.state {
            TransferState::Submitted | TransferState::Received => Phase::Waiting,
            TransferState::Pending => Phase::Moving,
            TransferState::PendingError => Phase::Failing,
            TransferState::CompletedSuccess if is_located => Phase::Arrived,
            TransferState::CompletedSuccess => Phase::EndedUnstated,
            TransferState::CompletedError | TransferState::Failed => self.failed(),
            TransferState::Completed if self.error.is_some() || self.hops.iter().any(has_failed) => self.failed(),
            TransferState::Completed => match self.release {
                Some(release) if destination.holds(release) => Phase::Arrived,
                Some(release) if release.released && destination.chain.is_some() => Phase::FailedReleased,
                _ => Phase::EndedUnstated,
            },
            TransferState::Abandoned => Phase::Abandoned,
            TransferState::Unknown | TransferState::Other(_) => Phase::Strange,
        }
    }

    fn failed(&self) -> Phase {
        let is_released = self.release.is_some_and(|release| release.released);
        match (is_released, self.is_failed_at_source()) {
            (true, _) => Phase::FailedReleased,
            (false, true) => Phase::FailedAtSource,
            (false, false) => Phase::FailedHeld,
        }
    }

    /// Whether the router says that the source transaction failed.
    pub(super) fn is_failed_at_source(&self) -> bool {
        let is_execution = self.error.is_some_and(|error| error.kind.as_received().ends_with("_TRANSACTION_EXECUTION"));
        is_execution && self.hops.is_empty() && self.release.is_none()
    }

    /// Whether the router says that this source transaction failed, also beside hops that it would carry.
    pub(super) fn carries_failure_of(&self, tx: &SourceTx) -> bool {
        let Some(error) = self.error.filter(|error| error.kind.as_received().ends_with("_TRANSACTION_EXECUTION"))
        else {
            return false;
        };
        let details = error.details.as_ref().and_then(|details| serde_json::from_str::<Value>(details.get()).ok());
        let named = details.as_ref().and_then(failed_hash).and_then(|hash| hash.parse::<BroadcastHash>().ok());
        match named {
            Some(hash) => hash.for_chain(&tx.chain_id) == tx.hash,
            None => self.hops.is_empty(),
        }
    }

    /// Whether the router says that the source transaction is on its chain.
    pub(super) fn is_on_chain(&self) -> bool {
        let is_seen = !matches!(
            self.state,
            TransferState::Submitted | TransferState::Received | TransferState::Unknown | TransferState::Other(_)
        );
        let is_told = is_seen && self.state != TransferState::Abandoned && !self.is_failed_at_source();
        is_told || self.hops.iter().any(|hop| !hop.txs.is_empty())
    }

    /// Returns the phase of hop `place`, by the rules of `docs/apis/router.md` §5.5 in their order.
    pub(super) fn hop_phase(&self, place: usize) -> HopPhase {
        let Some(hop) = self.hops.get(place) else { return HopPhase::Waiting };
        let own = own_phase(hop);
        let is_blocking = self.blocking == Some(place);
        let is_last = place + 1 == self.hops.len();
        match self.state {
            _ if has_failed(hop) => HopPhase::Failed,
            TransferState::CompletedSuccess if !self.is_undelivered(place) => HopPhase::Done,
            TransferState::CompletedError | TransferState::Failed if is_blocking || is_last => HopPhase::Failed,
            TransferState::Abandoned if is_blocking => HopPhase::Unknown,
            _ if is_blocking => HopPhase::Active,
            _ if own == HopPhase::Done || self.blocking.is_some_and(|blocking| place < blocking) => HopPhase::Done,
            _ if own == HopPhase::Active && self.blocking.is_some() && hop.txs.is_empty() => HopPhase::Waiting,
            _ => own,
        }
    }

    /// Returns the hop that the transfer waits for, else the last hop with a transaction.
    pub(super) fn frontier(&self) -> Option<&'a Hop> {
        let blocking = self.blocking.and_then(|place| self.hops.get(place));
        blocking.or_else(|| self.hops.iter().rev().find(|hop| !hop.txs.is_empty()))
    }
}

/// Fields about one transfer, from one place of a status body.
#[derive(Clone, Copy)]
struct StatusFields<'a> {
    state: &'a str,
    hops: &'a [Hop],
    blocking: Option<BlockingTransfer>,
    release: Option<&'a AssetRelease>,
    error: Option<&'a StatusError>,
    /// State that another place of the body gives of the same transfer.
    beside: &'a str,
}

/// Returns the transfers of a status body, at least one.
///
/// The flat fields come first, and `transfers` completes them. With several transfers, all count; a flat state that
/// matches none of them adds another. A flat success gives way to a transfer that contradicts it. The deprecated
/// `status` counts only alone, and never as a success.
pub(super) fn parts(status: &TransferStatus) -> Vec<StatusPart<'_>> {
    let flat = TransferState::read(&status.state);
    let coarse = TransferState::read(&status.status);
    let coarse =
        coarse.map(|state| if state == TransferState::CompletedSuccess { TransferState::Completed } else { state });
    let fallback = flat.clone().or(coarse);
    let analysis = StatusFields::of_status(status);
    match status.transfers.as_slice() {
        [] => vec![analysis.part(fallback.as_ref())],
        [only] => vec![analysis.merged(StatusFields::of_transfer(only)).part(fallback.as_ref())],
        several => {
            let mut parts: Vec<StatusPart<'_>> =
                several.iter().map(|transfer| StatusFields::of_transfer(transfer).part(fallback.as_ref())).collect();
            if flat.is_some_and(|flat| parts.iter().all(|part| part.state != flat)) {
                parts.push(StatusFields { hops: &[], ..analysis }.part(None));
            }
            parts
        }
    }
}

impl<'a> StatusFields<'a> {
    fn of_status(status: &'a TransferStatus) -> Self {
        Self {
            state: &status.state,
            hops: &status.transfer_sequence,
            blocking: status.next_blocking_transfer,
            release: status.transfer_asset_release.as_ref(),
            error: status.error.as_ref(),
            beside: "",
        }
    }

    fn of_transfer(transfer: &'a TransferPart) -> Self {
        Self {
            state: &transfer.state,
            hops: &transfer.transfer_sequence,
            blocking: transfer.next_blocking_transfer,
            release: transfer.transfer_asset_release.as_ref(),
            error: transfer.error.as_ref(),
            beside: "",
        }
    }

    /// Completes the flat fields from the only transfer in the list.
    fn merged(self, only: Self) -> Self {
        let flat = TransferState::read(self.state);
        let is_doubtful = matches!(flat, Some(TransferState::CompletedSuccess | TransferState::Completed));
        let is_flat = flat.is_some() && !(is_doubtful && TransferState::read(only.state).is_some());
        let (hops, blocking) = if self.hops.is_empty() {
            (only.hops, self.blocking.or(only.blocking))
        } else {
            (self.hops, self.blocking)
        };
        Self {
            state: if is_flat { self.state } else { only.state },
            hops,
            blocking,
            release: self.release.or(only.release),
            error: self.error.or(only.error),
            beside: if is_flat { only.state } else { "" },
        }
    }

    fn part(self, fallback: Option<&TransferState>) -> StatusPart<'a> {
        let state = TransferState::read(self.state).or_else(|| fallback.cloned());
        let blocking = self.blocking.and_then(|blocking| blocking.transfer_sequence_index);
        let is_said =
            |error: &&StatusError| !error.kind.is_empty() || !error.message.is_empty() || error.details.is_some();
        let ends = [state.clone(), TransferState::read(self.beside)].map(|state| {
            Some(match state? {
                TransferState::CompletedSuccess => true,
                TransferState::CompletedError | TransferState::Failed => false,
                _ => return None,
            })
        });
        StatusPart {
            has_two_ends: matches!(ends, [Some(one), Some(other)] if one != other),
            state: state.unwrap_or(TransferState::Other(String::new())),
            hops: self.hops,
            blocking: blocking.and_then(|place| usize::try_from(place).ok()),
            release: self.release,
            error: self.error.filter(is_said),
        }
    }
}

/// Returns the hash in the details of a failed transaction, flat or one object deeper.
fn failed_hash(details: &Value) -> Option<&str> {
    let inner = || details.as_object()?.values().find_map(|inner| inner.get("tx_hash")?.as_str());
    details.get("tx_hash").and_then(Value::as_str).or_else(inner)
}

/// Whether the receiving chain has the hop's transaction.
pub(super) fn is_received(hop: &Hop) -> bool {
    hop.tx(&HopSlot::ReceiveTx).is_some_and(|tx| hop.to_chain_id.as_ref() == Some(&tx.chain_id))
}

/// Returns a hop's phase by its own state (`docs/apis/router.md` §5.4). State names of all bridges have equal endings,
/// including unknown ones. IBC's "received" may still be reverted.
pub(super) fn own_phase(hop: &Hop) -> HopPhase {
    let state = hop.state.as_received().trim();
    let ends = |words: &[&str]| words.iter().any(|word| state.ends_with(word));
    let is_ibc = matches!(hop.kind, HopKind::IbcTransfer | HopKind::EurekaTransfer) || state.starts_with("TRANSFER_");
    let last = state.rsplit('_').next().unwrap_or_default();
    match state {
        "" if hop.txs.is_empty() => HopPhase::Waiting,
        _ if ends(&["UNKNOWN"]) => HopPhase::Unknown,
        _ if last.starts_with("FAIL") || ends(&["TIMEOUT", "REFUNDED", "PENDING_ERROR"]) => HopPhase::Failed,
        _ if ends(&["SUCCESS", "FILLED"]) || (ends(&["RECEIVED"]) && !is_ibc) => HopPhase::Done,
        _ => HopPhase::Active,
    }
}

/// Whether the hop reports a failure of its own: by its state, its error, or a failure transaction.
fn has_failed(hop: &Hop) -> bool {
    let is_told = hop.error.as_ref().is_some_and(|error| !error.kind.is_empty() || !error.message.is_empty());
    own_phase(hop) == HopPhase::Failed || is_told || hop.tx(&HopSlot::ErrorTx).is_some()
}
