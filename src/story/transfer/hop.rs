//! One hop: what its own words say, and what it is called.

use super::HopPhase;
use crate::{
    domain::text,
    wire::router::{Hop, HopKind, HopSlot, Operation, OperationKind},
};

/// Columns of a protocol's name at the most.
const LABEL: usize = 40;

/// How a hop stands by its own state (`wire/router.md` §5.4). The words of every bridge end alike, and so do those that
/// this version does not know. What IBC calls received may still be reverted.
pub(super) fn own_phase(hop: &Hop) -> HopPhase {
    let state = hop.state.trim();
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

/// Whether the hop itself says that it failed: by its state, by its error, or by a transaction for that.
pub(super) fn has_failed(hop: &Hop) -> bool {
    let is_told = hop.error.as_ref().is_some_and(|error| !error.kind.is_empty() || !error.message.is_empty());
    own_phase(hop) == HopPhase::Failed || is_told || hop.tx(&HopSlot::ErrorTx).is_some()
}

/// Over what a hop goes.
pub(super) fn label(kind: &HopKind) -> String {
    let name = match kind {
        HopKind::IbcTransfer => "IBC",
        HopKind::EurekaTransfer => "IBC Eureka",
        HopKind::AxelarTransfer => "Axelar",
        HopKind::CctpTransfer | HopKind::CctpTransferV2 => "CCTP",
        HopKind::HyperlaneTransfer => "Hyperlane",
        HopKind::OpInitTransfer => "OP bridge",
        HopKind::GoFastTransfer => "Go Fast",
        HopKind::StargateTransfer => "Stargate",
        HopKind::LayerZeroTransfer => "LayerZero",
        HopKind::Other(name) => return unknown(name),
    };
    name.to_owned()
}

/// What an operation of a route is called: `IBC`, `OP bridge`, `Swap on initia-dex`; cleaned.
pub fn operation_label(operation: &Operation) -> String {
    let kind = match &operation.kind {
        OperationKind::Transfer => HopKind::IbcTransfer,
        OperationKind::AxelarTransfer => HopKind::AxelarTransfer,
        OperationKind::CctpTransfer => HopKind::CctpTransfer,
        OperationKind::HyperlaneTransfer => HopKind::HyperlaneTransfer,
        OperationKind::OpInitTransfer => HopKind::OpInitTransfer,
        OperationKind::GoFastTransfer => HopKind::GoFastTransfer,
        OperationKind::StargateTransfer => HopKind::StargateTransfer,
        OperationKind::LayerZeroTransfer => HopKind::LayerZeroTransfer,
        OperationKind::EurekaTransfer => HopKind::EurekaTransfer,
        OperationKind::BankSend => return "Send".to_owned(),
        OperationKind::Swap | OperationKind::EvmSwap => {
            let venue = operation.facts.swap_venues.first().map(|venue| venue.name.as_str()).unwrap_or_default();
            return if venue.is_empty() { "Swap".to_owned() } else { text::clip(&format!("Swap on {venue}"), LABEL) };
        }
        OperationKind::Other(name) if name == "cctp_transfer_v2" => HopKind::CctpTransferV2,
        OperationKind::Other(name) if name == "lz_transfer" => HopKind::LayerZeroTransfer,
        OperationKind::Other(name) => return unknown(name),
    };
    label(&kind)
}

fn unknown(name: &str) -> String {
    let name = text::clip(name, LABEL);
    if name.is_empty() { "unknown".to_owned() } else { name }
}
