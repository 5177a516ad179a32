//! Transactions for the EVM chain: call data, value and approvals.

use alloy_primitives::hex;
use serde_json::{Value, json};

use super::{MessageBuilder, address::word};
use crate::{
    demo::{
        ledger::abi::{AbiArg, data, number},
        router::{graph::EdgeKind, operation::messaging, quote::QuoteLeg},
    },
    domain::Amount,
};

/// Seconds after which an order that no solver has filled is refunded.
const ORDER_SECONDS: u64 = 3_600;

fn amount(amount: Amount) -> AbiArg<'static> {
    number(amount.get().saturating_to())
}

impl MessageBuilder<'_> {
    /// Builds the transaction that begins these steps. The first step is a burn or an order.
    pub(super) fn evm_tx(&self, legs: &[&QuoteLeg]) -> Value {
        let Some((leg, rest)) = legs.split_first() else { return Value::Null };
        let edge = leg.edge.as_ref();
        let (cctp, go_fast) = (&self.world.terms().cctp, &self.world.terms().go_fast);
        let sender = self.address(edge.from.chain());
        let (token, recipient) = (edge.from.denom().as_str(), word(self.receiver(edge)));
        let memo = self.memo(rest);
        let (contract, data) = match edge.kind {
            EdgeKind::GoFast => {
                let seconds = self.now.as_seconds().unsigned_abs() + ORDER_SECONDS;
                let arguments = [
                    AbiArg::Word(word(sender)),
                    AbiArg::Word(recipient),
                    amount(leg.amount_in),
                    amount(leg.amount_out),
                    number(u128::from(go_fast.destination_domain)),
                    number(u128::from(seconds)),
                    AbiArg::Text(&memo),
                ];
                let signature = "submitOrder(bytes32,bytes32,uint256,uint256,uint32,uint64,bytes)";
                (&go_fast.gateway, data(signature, &arguments))
            }
            EdgeKind::Cctp { relayed: true } => {
                let fee = leg.amount_in.checked_sub(leg.amount_out).unwrap_or_default();
                let arguments = [
                    amount(leg.amount_in),
                    number(u128::from(cctp.domain)),
                    AbiArg::Word(recipient),
                    AbiArg::Word(word(token)),
                    amount(fee),
                    AbiArg::Text(&memo),
                ];
                let signature = "relayTransfer(uint256,uint32,bytes32,address,uint256,string)";
                (&cctp.relayer_contract, data(signature, &arguments))
            }
            _ => {
                let arguments = [
                    amount(leg.amount_in),
                    number(u128::from(cctp.domain)),
                    AbiArg::Word(recipient),
                    AbiArg::Word(word(token)),
                ];
                (&cctp.messenger, data("depositForBurn(uint256,uint32,bytes32,address)", &arguments))
            }
        };
        json!({
            "chain_id": edge.from.chain(),
            "to": contract,
            "value": messaging(self.world, edge).to_string(),
            "data": hex::encode(data),
            "required_erc20_approvals": [
                { "token_contract": token, "spender": contract, "amount": leg.amount_in.to_string() },
            ],
            "signer_address": sender,
        })
    }
}
