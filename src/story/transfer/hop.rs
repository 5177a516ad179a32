//! One hop: what its own words say, and what it is called.

use std::fmt;

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

/// Over what a hop goes, or what is done on its chain.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum HopProtocol {
    /// IBC.
    Ibc,
    /// IBC v2, to Ethereum.
    IbcEureka,
    /// Axelar.
    Axelar,
    /// Circle's bridge of USDC, in either version.
    Cctp,
    /// Hyperlane.
    Hyperlane,
    /// Initia's optimistic bridge.
    OpInit,
    /// Skip Go Fast.
    GoFast,
    /// Stargate.
    Stargate,
    /// `LayerZero`.
    LayerZero,
    /// A swap at this venue, named as the router names it; empty where it names none.
    Swap(String),
    /// A payment within one chain.
    Send,
    /// What this version does not know, by the router's name, or nothing.
    Other(String),
    /// Nobody says.
    #[default]
    Unstated,
}

impl HopProtocol {
    /// That of a hop of a status.
    pub fn of_hop(hop: &Hop) -> Self {
        match &hop.kind {
            HopKind::IbcTransfer => Self::Ibc,
            HopKind::EurekaTransfer => Self::IbcEureka,
            HopKind::AxelarTransfer => Self::Axelar,
            HopKind::CctpTransfer | HopKind::CctpTransferV2 => Self::Cctp,
            HopKind::HyperlaneTransfer => Self::Hyperlane,
            HopKind::OpInitTransfer => Self::OpInit,
            HopKind::GoFastTransfer => Self::GoFast,
            HopKind::StargateTransfer => Self::Stargate,
            HopKind::LayerZeroTransfer => Self::LayerZero,
            HopKind::Other(name) => Self::Other(name.clone()),
        }
    }

    /// That of an operation of a route.
    pub fn of_operation(operation: &Operation) -> Self {
        match &operation.kind {
            OperationKind::Transfer => Self::Ibc,
            OperationKind::EurekaTransfer => Self::IbcEureka,
            OperationKind::AxelarTransfer => Self::Axelar,
            OperationKind::CctpTransfer => Self::Cctp,
            OperationKind::HyperlaneTransfer => Self::Hyperlane,
            OperationKind::OpInitTransfer => Self::OpInit,
            OperationKind::GoFastTransfer => Self::GoFast,
            OperationKind::StargateTransfer => Self::Stargate,
            OperationKind::LayerZeroTransfer => Self::LayerZero,
            OperationKind::BankSend => Self::Send,
            OperationKind::Swap | OperationKind::EvmSwap => {
                Self::Swap(operation.facts.swap_venues.first().map(|venue| venue.name.clone()).unwrap_or_default())
            }
            OperationKind::Other(name) if name == "cctp_transfer_v2" => Self::Cctp,
            OperationKind::Other(name) if name == "lz_transfer" => Self::LayerZero,
            OperationKind::Other(name) => Self::Other(name.clone()),
        }
    }
}

impl fmt::Display for HopProtocol {
    /// What people call it, cleaned: `IBC`, `OP bridge`, `Swap on initia-dex`; nothing where nobody says.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            Self::Ibc => "IBC",
            Self::IbcEureka => "IBC Eureka",
            Self::Axelar => "Axelar",
            Self::Cctp => "CCTP",
            Self::Hyperlane => "Hyperlane",
            Self::OpInit => "OP bridge",
            Self::GoFast => "Go Fast",
            Self::Stargate => "Stargate",
            Self::LayerZero => "LayerZero",
            Self::Swap(venue) if venue.is_empty() => "Swap",
            Self::Swap(venue) => return formatter.pad(&text::clip(&format!("Swap on {venue}"), LABEL)),
            Self::Send => "Send",
            Self::Other(name) => match text::clip(name, LABEL) {
                name if name.is_empty() => "unknown",
                name => return formatter.pad(&name),
            },
            Self::Unstated => "",
        };
        formatter.pad(name)
    }
}
