use std::fmt;

use crate::{
    domain::text,
    wire::router::{Hop, HopKind, Operation, OperationKind},
};

/// Maximum columns of a protocol's name.
const LABEL: usize = 40;

/// Protocol of a hop or, within one chain, its action.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum HopProtocol {
    Ibc,
    /// IBC v2, to Ethereum.
    IbcEureka,
    Axelar,
    /// Circle's USDC bridge, version 1 or 2.
    Cctp,
    Hyperlane,
    OpInit,
    GoFast,
    Stargate,
    LayerZero,
    /// Swap at this venue, as the router names it; empty if unnamed.
    Swap(String),
    /// Payment on one chain.
    Send,
    /// Other protocol, as the router names it; empty if unnamed.
    Other(String),
    #[default]
    Unstated,
}

impl HopProtocol {
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
                Self::Swap(operation.facts.swap_venues.first().map(|venue| venue.name.clipped(40)).unwrap_or_default())
            }
            OperationKind::Other(name) if name == "cctp_transfer_v2" => Self::Cctp,
            OperationKind::Other(name) if name == "lz_transfer" => Self::LayerZero,
            OperationKind::Other(name) => Self::Other(name.clone()),
        }
    }
}

impl fmt::Display for HopProtocol {
    /// Formats the name for the screen, without control characters: `IBC`, `OP bridge`, `Swap on initia-dex`; empty if
    /// unknown.
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
