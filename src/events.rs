//! Chain events as nodes report them.

pub(crate) mod bank;
pub(crate) mod evm;
pub(crate) mod ibc;
pub(crate) mod keys;
pub(crate) mod movevm;
pub mod names;
pub(crate) mod opinit;
mod record;
pub(crate) mod wasm;

use self::{bank::BankEvent, ibc::PacketEvent, movevm::ModuleEvent, opinit::BridgeTransfer};

pub use evm::ContractLog;
pub(crate) use record::EventRecord;
pub use record::{DecodedEvent, EventAttribute, EventPhase, TxEvent};

/// Event in its typed form.
pub(crate) enum ChainEvent<'e> {
    Bank(BankEvent<'e>),
    Packet(PacketEvent<'e>),
    Bridge(BridgeTransfer<'e>),
    /// Run of the EVM: its logs are in attributes.
    Evm,
    Move(ModuleEvent<'e>),
    /// Report of a Wasm contract: its actions are in attributes.
    Wasm,
    /// Any other event, or an unreadable event.
    Other,
}

impl<'e> ChainEvent<'e> {
    pub(crate) fn of(event: &'e impl EventRecord) -> Self {
        match event.kind() {
            names::EVM => Self::Evm,
            names::WASM => Self::Wasm,
            names::MOVE => ModuleEvent::of(event).map_or(Self::Other, Self::Move),
            _ => {
                let bank = BankEvent::of(event).map(Self::Bank);
                let bridge = bank.or_else(|| BridgeTransfer::of(event).map(Self::Bridge));
                bridge.or_else(|| PacketEvent::of(event).map(Self::Packet)).unwrap_or(Self::Other)
            }
        }
    }
}
