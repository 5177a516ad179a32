//! Chain events as nodes report them. Each event is classified once, on first use; its typed view is a view by that
//! class.

pub(crate) mod bank;
pub(crate) mod evm;
pub(crate) mod ibc;
pub(crate) mod keys;
pub(crate) mod movevm;
pub mod names;
pub(crate) mod opinit;
mod record;
pub(crate) mod tokens;
pub(crate) mod wasm;

use self::{
    bank::{BankChange, BankEvent},
    evm::EventLogs,
    ibc::{PacketEvent, PacketStep},
    movevm::ModuleEvent,
    opinit::{BridgeStep, BridgeTransfer},
};

pub use evm::ContractLog;
pub(crate) use record::EventRecord;
pub use record::{DecodedEvent, EventAttribute, EventPhase, TxEvent};

/// Typed view of an event.
pub(crate) enum ChainEvent<'e> {
    Bank(BankEvent<'e>),
    Packet(PacketEvent<'e>),
    Bridge(BridgeTransfer<'e>),
    Evm(&'e EventLogs),
    Move(ModuleEvent<'e>),
    /// Report of a Wasm contract: its actions are in attributes.
    Wasm,
    Other,
}

/// Class of an event by its type; EVM logs are parsed with their event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum EventClass {
    Bank(BankChange),
    Packet(PacketStep),
    Bridge(BridgeStep),
    Evm(Box<EventLogs>),
    Move,
    Wasm,
    Other,
}

impl EventClass {
    /// Classifies an event. Only the records call this, once per event.
    fn of<'e>(kind: &str, attributes: impl Iterator<Item = (&'e str, &'e str)>) -> Self {
        match kind {
            names::COIN_SPENT => Self::Bank(BankChange::Spent),
            names::COIN_RECEIVED => Self::Bank(BankChange::Received),
            names::COINBASE => Self::Bank(BankChange::Minted),
            names::BURN => Self::Bank(BankChange::Burned),
            names::SEND_PACKET => Self::Packet(PacketStep::Sent),
            names::RECV_PACKET => Self::Packet(PacketStep::Received),
            names::WRITE_ACKNOWLEDGEMENT => Self::Packet(PacketStep::Answered),
            names::ACKNOWLEDGE_PACKET => Self::Packet(PacketStep::Acknowledged),
            names::TIMEOUT_PACKET => Self::Packet(PacketStep::TimedOut),
            names::INITIATE_TOKEN_DEPOSIT => Self::Bridge(BridgeStep::DepositInitiated),
            names::FINALIZE_TOKEN_DEPOSIT => Self::Bridge(BridgeStep::DepositFinalized),
            names::INITIATE_TOKEN_WITHDRAWAL => Self::Bridge(BridgeStep::WithdrawalInitiated),
            names::FINALIZE_TOKEN_WITHDRAWAL => Self::Bridge(BridgeStep::WithdrawalFinalized),
            names::EVM => Self::Evm(Box::new(EventLogs::of(attributes))),
            names::MOVE => Self::Move,
            names::WASM => Self::Wasm,
            _ => Self::Other,
        }
    }
}

impl<'e> ChainEvent<'e> {
    pub(crate) fn of(event: &'e impl EventRecord) -> Self {
        let view = match event.class() {
            EventClass::Bank(_) => BankEvent::of(event).map(Self::Bank),
            EventClass::Packet(_) => PacketEvent::of(event).map(Self::Packet),
            EventClass::Bridge(_) => BridgeTransfer::of(event).map(Self::Bridge),
            EventClass::Evm(run) => Some(Self::Evm(run)),
            EventClass::Move => ModuleEvent::of(event).map(Self::Move),
            EventClass::Wasm => Some(Self::Wasm),
            EventClass::Other => None,
        };
        view.unwrap_or(Self::Other)
    }
}
