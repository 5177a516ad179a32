//! Which events show that what a packet carried was credited here, or given back.

use super::{PacketId, PacketTokens};
use crate::{
    domain::{Coin, parse_coins, same_account},
    story::DecodedEvent,
};

impl PacketTokens {
    /// Whether an event credits what arrived: to the receiver, or to the account that an attached call runs as.
    pub(in crate::story) fn is_credited_by(&self, event: &DecodedEvent, name: &PacketId) -> bool {
        let has_call = self.memo.trim_start().starts_with('{');
        let is_his = |key: &str| event.value(key).is_none_or(|text| has_call || same_account(text, &self.receiver));
        match event.kind.as_str() {
            "coin_received" => is_his("receiver") && holds(event, &self.arrived(name)),
            "fungible_token_packet" => {
                event.value("success") == Some("true") && is_his("receiver") && self.has_amount(event, "amount")
            }
            _ => false,
        }
    }

    /// Whether an event gives back what was sent, to whoever sent it.
    pub(in crate::story) fn is_refunded_by(&self, event: &DecodedEvent) -> bool {
        let is_his = |key: &str| event.value(key).is_none_or(|text| same_account(text, &self.sender));
        match event.kind.as_str() {
            "coin_received" => is_his("receiver") && holds(event, &self.left()),
            "timeout" => is_his("refund_receiver") && is_his("receiver") && self.has_amount(event, "refund_amount"),
            _ => false,
        }
    }

    /// Whether an attribute is the packet's amount; an event without it does not contradict.
    fn has_amount(&self, event: &DecodedEvent, key: &str) -> bool {
        event.value(key).is_none_or(|text| text == self.amount.to_string())
    }
}

fn holds(event: &DecodedEvent, coin: &Coin) -> bool {
    event.value("amount").and_then(|text| parse_coins(text).ok()).is_some_and(|coins| coins.contains(coin))
}
