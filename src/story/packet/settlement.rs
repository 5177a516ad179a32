//! Events that prove the credit or the refund of a packet.

use sha2::{Digest, Sha256};

use super::{Hook, Memo, PacketId, PacketNfts, PacketTokens};
use crate::{
    domain::{Address, Amount, same_account},
    events::{
        ChainEvent,
        bank::BankEvent,
        evm::LoggedMove,
        keys::{self, AttributeKey},
        names::{FUNGIBLE_TOKEN_PACKET, IBC_PACKET_RECEIVED, NON_FUNGIBLE_TOKEN_PACKET, TIMEOUT},
        wasm::actions,
    },
    story::{decode::DecodedEvent, limits::Work, names::move_address::account as move_account},
};

/// Beginning of a port that a Wasm contract opened.
const CONTRACT_PORT: &str = "wasm.";

/// Accounts that a packet's content may go to on arrival: its receiver, and the account that carries out its memo.
pub(crate) struct PacketReceivers<'p> {
    named: &'p str,
    acting: Option<Address>,
}

impl<'p> PacketReceivers<'p> {
    fn new([sender, receiver]: [&'p str; 2], memo: &str, name: &PacketId) -> Self {
        let acting = match Memo::of(memo, &Work::default()) {
            // The forwarding module's own spelling; only 20 bytes of its hash are the account.
            Memo::Forward { .. } => acting_account("packetfowardmiddleware", name, sender).first_chunk().copied(),
            Memo::Hook(hook) => return Self { named: receiver, acting: Some(hook_account(&hook, name, sender)) },
            _ => None,
        };
        Self { named: receiver, acting: acting.map(Address::Short) }
    }

    fn include(&self, account: &str) -> bool {
        let is_one = |known: Address| account.parse().is_ok_and(|account: Address| account.is_same_in_logs(&known));
        same_account(account, self.named) || self.named.parse().ok().into_iter().chain(self.acting).any(is_one)
    }

    /// Whether an attribute names one of the receivers; a missing attribute does not contradict.
    fn agree(&self, event: &DecodedEvent, key: AttributeKey<Address>) -> bool {
        event.text(key).is_none_or(|text| self.include(text))
    }
}

/// Derives the account that acts for a packet's sender on the destination.
fn acting_account(module: &str, name: &PacketId, sender: &str) -> [u8; 32] {
    let hasher = Sha256::new().chain_update(Sha256::digest(module));
    hasher.chain_update(format!("{}/{sender}", name.destination_channel)).finalize().into()
}

fn hook_account(hook: &Hook, name: &PacketId, sender: &str) -> Address {
    let vm = hook.kind.vm().map_or_else(String::new, |vm| vm.to_string());
    Address::Long(acting_account(&format!("ibc-{vm}-hook-intermediary"), name, sender))
}

impl PacketTokens {
    /// Returns the accounts that the packet may credit.
    fn receivers(&self, name: &PacketId) -> PacketReceivers<'_> {
        PacketReceivers::new([&self.sender, &self.receiver], &self.memo, name)
    }

    /// Returns the events of a message that credit the packet's content to one of its receivers. The application's own
    /// event is a claim: without any movement beside it nothing arrived.
    pub(crate) fn credits<'e>(
        &self,
        events: impl Iterator<Item = (usize, &'e DecodedEvent)>,
        name: &PacketId,
    ) -> Vec<usize> {
        let receivers = self.receivers(name);
        let (mut credits, mut is_moved) = (Vec::new(), false);
        for (place, event) in events {
            is_moved |= matches!(
                ChainEvent::of(event),
                ChainEvent::Bank(_) | ChainEvent::Evm(_) | ChainEvent::Move(_) | ChainEvent::Wasm
            );
            if self.is_credited_by(event, name, &receivers) {
                credits.push(place);
            }
        }
        if is_moved { credits } else { Vec::new() }
    }

    /// Whether an event credits the packet's content to one of its receivers.
    fn is_credited_by(&self, event: &DecodedEvent, name: &PacketId, receivers: &PacketReceivers<'_>) -> bool {
        if let Some(received) = BankEvent::received(event) {
            return receivers.agree(event, keys::RECEIVER) && received.holds(&self.arrived(name));
        }
        event.kind == FUNGIBLE_TOKEN_PACKET
            && event.get(keys::SUCCESS) == Some(true)
            && receivers.agree(event, keys::RECEIVER)
            && self.has_amount(event, keys::AMOUNT)
    }

    /// Whether an event refunds the packet's content to its sender.
    pub(crate) fn is_refunded_by(&self, event: &DecodedEvent) -> bool {
        let is_his = |key: AttributeKey<Address>| event.text(key).is_none_or(|text| same_account(text, &self.sender));
        if let Some(received) = BankEvent::received(event) {
            return is_his(keys::RECEIVER) && received.holds(&self.left());
        }
        event.kind == TIMEOUT
            && is_his(keys::REFUND_RECEIVER)
            && is_his(keys::RECEIVER)
            && self.has_amount(event, keys::REFUND_AMOUNT)
    }

    /// Whether an attribute equals the packet's amount; a missing attribute does not contradict.
    fn has_amount(&self, event: &DecodedEvent, key: AttributeKey<Amount>) -> bool {
        event.text(key).is_none_or(|text| text == self.amount.to_string())
    }
}

impl PacketNfts {
    /// Returns the events that credit the packet's NFTs to the receiver, with their indices; none if the VM's own
    /// events name only other owners.
    pub(crate) fn credits<'e>(
        &self,
        events: impl Iterator<Item = (usize, &'e DecodedEvent)>,
        name: &PacketId,
    ) -> Vec<usize> {
        let receivers = PacketReceivers::new([&self.sender, &self.receiver], &self.memo, name);
        let is_contracts = name.destination_port.starts_with(CONTRACT_PORT);
        let (mut credits, mut is_elsewhere, mut is_here) = (Vec::new(), false, false);
        for (place, event) in events {
            for owner in nft_owners(event) {
                let is_his = receivers.include(&owner.bech32());
                (is_here, is_elsewhere) = (is_here || is_his, is_elsewhere || !is_his);
                // On Wasm a contract receives them and reports it.
                if is_his && is_contracts && credits.last() != Some(&place) {
                    credits.push(place);
                }
            }
            let is_receipt = matches!(event.kind.as_str(), NON_FUNGIBLE_TOKEN_PACKET | IBC_PACKET_RECEIVED);
            let is_done = event.text(keys::SUCCESS).is_none_or(|success| success == "true");
            if is_receipt && is_done && receivers.agree(event, keys::RECEIVER) {
                credits.push(place);
            }
        }
        if is_elsewhere && !is_here { Vec::new() } else { credits }
    }

    /// Whether an event refunds the packet's NFTs to its sender.
    pub(crate) fn is_refunded_by(&self, event: &DecodedEvent) -> bool {
        let receiver = event.text(keys::REFUND_RECEIVER).or_else(|| event.text(keys::RECEIVER));
        match event.kind.as_str() {
            TIMEOUT => receiver.is_none_or(|receiver| same_account(receiver, &self.sender)),
            NON_FUNGIBLE_TOKEN_PACKET => event.text(keys::ERROR).is_some(),
            _ => false,
        }
    }
}

/// Returns who has an NFT after an event of a VM.
fn nft_owners(event: &DecodedEvent) -> Vec<Address> {
    match ChainEvent::of(event) {
        ChainEvent::Evm(_) => {
            let moves = event.logs().filter_map(LoggedMove::of).filter(|moved| moved.nft().is_some());
            moves.filter_map(|moved| moved.recipient()).collect()
        }
        ChainEvent::Move(moved) if moved.standard() == Some("object::TransferEvent") => {
            moved.read().and_then(|moved| move_account(&moved.to)).into_iter().collect()
        }
        ChainEvent::Wasm => actions(event).filter_map(|action| action.nft()?.1.recipient()).collect(),
        _ => Vec::new(),
    }
}
