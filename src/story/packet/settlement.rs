//! Events that prove the credit or the refund of a packet.

use super::{PacketId, PacketTokens};
use crate::{
    domain::{Address, Amount, same_account},
    events::{
        bank::BankEvent,
        keys::{self, AttributeKey},
        names::{FUNGIBLE_TOKEN_PACKET, TIMEOUT},
    },
    story::decode::DecodedEvent,
};

impl PacketTokens {
    /// Whether an event credits the packet's content to its receiver, or to the account of an attached call.
    pub(crate) fn is_credited_by(&self, event: &DecodedEvent, name: &PacketId) -> bool {
        let has_call = self.memo.trim_start().starts_with('{');
        let is_his = |key: AttributeKey<Address>| {
            event.text(key).is_none_or(|text| has_call || same_account(text, &self.receiver))
        };
        if let Some(received) = BankEvent::received(event) {
            return is_his(keys::RECEIVER) && received.holds(&self.arrived(name));
        }
        event.kind == FUNGIBLE_TOKEN_PACKET
            && event.get(keys::SUCCESS) == Some(true)
            && is_his(keys::RECEIVER)
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
