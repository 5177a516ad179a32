//! Events that prove the credit or the refund of a packet.

use super::{PacketId, PacketTokens};
use crate::{
    domain::{Address, Amount, Coin, same_account},
    events::{
        bank::BankEvent,
        keys::{self, AttributeKey},
        names::{COIN_RECEIVED, FUNGIBLE_TOKEN_PACKET, TIMEOUT},
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
        match event.kind.as_str() {
            COIN_RECEIVED => is_his(keys::RECEIVER) && holds(event, &self.arrived(name)),
            FUNGIBLE_TOKEN_PACKET => {
                event.get(keys::SUCCESS) == Some(true) && is_his(keys::RECEIVER) && self.has_amount(event, keys::AMOUNT)
            }
            _ => false,
        }
    }

    /// Whether an event refunds the packet's content to its sender.
    pub(crate) fn is_refunded_by(&self, event: &DecodedEvent) -> bool {
        let is_his = |key: AttributeKey<Address>| event.text(key).is_none_or(|text| same_account(text, &self.sender));
        match event.kind.as_str() {
            COIN_RECEIVED => is_his(keys::RECEIVER) && holds(event, &self.left()),
            TIMEOUT => {
                is_his(keys::REFUND_RECEIVER) && is_his(keys::RECEIVER) && self.has_amount(event, keys::REFUND_AMOUNT)
            }
            _ => false,
        }
    }

    /// Whether an attribute equals the packet's amount; a missing attribute does not contradict.
    fn has_amount(&self, event: &DecodedEvent, key: AttributeKey<Amount>) -> bool {
        event.text(key).is_none_or(|text| text == self.amount.to_string())
    }
}

fn holds(event: &DecodedEvent, coin: &Coin) -> bool {
    BankEvent::received(event).is_some_and(|received| received.holds(coin))
}
