//! Messages for Cosmos chains, as amino JSON, and the instructions that travel in memos.

use alloy_primitives::U256;
use base64::{Engine, prelude::BASE64_STANDARD};
use serde_json::{Value, json};

use super::{Work, address};
use crate::{
    demo::{
        ledger::{
            abi::{Arg, input, number},
            derive,
        },
        router::{
            error::RouterError,
            graph::{Edge, Link, Listed, Turn},
            hook::call,
            operation,
            quote::Leg,
        },
    },
    domain::{Address, Amount, Denom},
    wire::{bcs::BcsArguments, router::CosmosMessage},
};

/// The account of the demo's own module on the L1, which does several things in one call.
const HELPER: &str = "0x2d1e6a9c74b0f35d8e16c2079ab54f8371de06b95c48a7f1e03b62d98c5f7a40";
/// The account of the L1's standard modules.
const STANDARD: &str = "0x1";
/// How often a packet on its way is sent again.
const RETRIES: u32 = 2;

/// A call of a Move function: a message of its own, or what a memo asks for.
struct Action {
    module: [&'static str; 2],
    function: &'static str,
    args: Vec<String>,
}

fn message(kind: &str, msg: &Value) -> CosmosMessage {
    CosmosMessage { msg: msg.to_string(), msg_type_url: format!("/{kind}") }
}

fn coin(denom: &Denom, amount: Amount) -> Value {
    json!({ "denom": denom, "amount": amount.to_string() })
}

impl Work<'_> {
    /// The transaction, and the older form of each of its messages.
    pub(super) fn cosmos_tx(&self, legs: &[&Leg]) -> Result<(Value, Vec<Value>), RouterError> {
        let Some((first, rest)) = legs.split_first() else { return Err(RouterError::invalid("no operations")) };
        let chain = first.edge.from.chain();
        let messages = self.messages(first, rest);
        let path = operation::chain_ids(legs.iter().map(|leg| leg.edge.as_ref()));
        let tx = json!({
            "chain_id": chain,
            "path": path,
            "msgs": messages,
            "signer_address": self.address(chain),
        });
        let older = messages.iter().map(|one| {
            json!({ "multi_chain_msg": {
                "chain_id": chain, "path": path, "msg": one.msg, "msg_type_url": one.msg_type_url,
            }})
        });
        Ok((tx, older.collect()))
    }

    fn messages(&self, first: &Leg, rest: &[&Leg]) -> Vec<CosmosMessage> {
        let edge = first.edge.as_ref();
        let sender = self.address(edge.from.chain());
        let (mut messages, denom, amount) = self.unwrapped(first);
        match &edge.link {
            Link::Ibc { channel, .. } => messages.push(message(
                "ibc.applications.transfer.v1.MsgTransfer",
                &json!({
                    "source_port": "transfer",
                    "source_channel": channel,
                    "token": coin(&denom, amount),
                    "sender": sender,
                    "receiver": self.receiver(edge),
                    "timeout_height": {},
                    "timeout_timestamp": self.timeout(edge),
                    "memo": self.memo(rest),
                }),
            )),
            Link::Withdraw { .. } => messages.push(message(
                "opinit.opchild.v1.MsgInitiateTokenWithdrawal",
                &json!({ "sender": sender, "to": self.receiver(edge), "amount": coin(&denom, amount) }),
            )),
            Link::Deposit { bridge_id } => messages.push(message(
                "opinit.ophost.v1.MsgInitiateTokenDeposit",
                &json!({
                    "sender": sender,
                    "bridge_id": bridge_id.to_string(),
                    "to": self.receiver(edge),
                    "amount": coin(&denom, amount),
                    "data": self.hook.as_deref().filter(|_| edge.wraps()).unwrap_or_default(),
                }),
            )),
            Link::Send => messages.push(message(
                "cosmos.bank.v1beta1.MsgSend",
                &json!({
                    "from_address": sender,
                    "to_address": self.receiver(edge),
                    "amount": [coin(&denom, amount)],
                }),
            )),
            Link::Swap { turns } => {
                let Action { module: [address, name], function, args } = self.swap(first, turns, rest);
                messages.push(message(
                    "initia.move.v1.MsgExecute",
                    &json!({
                        "sender": sender,
                        "module_address": address,
                        "module_name": name,
                        "function_name": function,
                        "type_args": [],
                        "args": args,
                    }),
                ));
            }
            // They start on EVM chains only.
            Link::Cctp { .. } | Link::GoFast => {}
        }
        messages
    }

    /// What leaves the chain, after the calls that turn the 18-decimal form into it where that is needed.
    fn unwrapped(&self, leg: &Leg) -> (Vec<CosmosMessage>, Denom, Amount) {
        let from = &leg.edge.from;
        let as_it_is = (Vec::new(), from.denom().clone(), leg.amount_in);
        if !leg.edge.unwraps() {
            return as_it_is;
        }
        let sender: Option<Address> = self.address(from.chain()).parse().ok();
        let contract: Option<Address> = from.contract.as_deref().and_then(|text| text.parse().ok());
        let wrapper = self.world.rollup_of(from.chain()).and_then(|rollup| rollup.wrapper);
        let (Some(sender), Some(contract), Some(wrapper), Some(denom)) = (sender, contract, wrapper, &from.wraps)
        else {
            return as_it_is;
        };
        let held = leg.amount_in.get().saturating_to::<u128>();
        let approve = input("approve(address,uint256)", &[Arg::Word(wrapper.word()), number(held)]);
        let arguments = [Arg::Word(sender.word()), Arg::Text(from.denom().as_str()), number(held)];
        let convert = input("toRemote(address,string,uint256)", &arguments);
        let calls = [call(sender, contract, &approve), call(sender, wrapper, &convert)];
        let messages =
            calls.into_iter().map(|one| CosmosMessage { msg: one.msg, msg_type_url: one.msg_type_url }).collect();
        (messages, denom.clone(), leg.amount_out)
    }

    /// What the chain where a packet arrives shall do next, as the packet's memo; empty where nothing.
    pub(super) fn memo(&self, rest: &[&Leg]) -> String {
        self.instruction(rest).map(|value| value.to_string()).unwrap_or_default()
    }

    fn instruction(&self, rest: &[&Leg]) -> Option<Value> {
        let (next, after) = rest.split_first()?;
        let edge = next.edge.as_ref();
        let action = match &edge.link {
            Link::Ibc { channel, .. } => {
                return Some(json!({ "forward": {
                    "channel": channel,
                    "next": self.instruction(after),
                    "port": "transfer",
                    "receiver": self.receiver(edge),
                    "retries": RETRIES,
                    "timeout": self.timeout(edge),
                }}));
            }
            Link::Swap { turns } => self.swap(next, turns, after),
            Link::Deposit { bridge_id } => {
                let args = BcsArguments::default().address(metadata(&edge.from)).amount(next.amount_in);
                let args = self.deposit(args, edge, *bridge_id);
                Action { module: [HELPER, "bridge"], function: "deposit", args: args.finish() }
            }
            Link::Withdraw { .. } | Link::Send | Link::Cctp { .. } | Link::GoFast => return None,
        };
        let Action { module: [address, name], function, args } = action;
        Some(json!({ "move": { "message": {
            "module_address": address,
            "module_name": name,
            "function_name": function,
            "type_args": [],
            "args": args,
        }}}))
    }

    /// A swap and, in the same call, what follows it.
    fn swap(&self, leg: &Leg, turns: &[Turn], rest: &[&Leg]) -> Action {
        let sold = metadata(&leg.edge.from);
        let is_plain = turns.first().is_some_and(|turn| turn.venue == self.world.terms().exchange.venue);
        if let ([turn], [], true) = (turns, rest, is_plain) {
            let args = BcsArguments::default().address(object(&turn.pool)).address(sold);
            let args = args.amount(leg.amount_in).some_amount(self.least(leg));
            return Action { module: [STANDARD, "dex"], function: "swap_script", args: args.finish() };
        }
        let pools: Vec<_> = turns.iter().map(|turn| object(&turn.pool)).collect();
        let args = BcsArguments::default().address(sold).addresses(&pools);
        let args = args.amount(leg.amount_in).some_amount(self.least(leg));
        let (function, args) = match rest.first().map(|next| (next.edge.as_ref(), &next.edge.link)) {
            Some((edge, Link::Ibc { channel, .. })) => {
                let memo = self.memo(rest.get(1..).unwrap_or_default());
                let args = args.text(channel).text(self.receiver(edge)).text(memo).number(self.timeout(edge));
                ("swap_and_transfer", args)
            }
            Some((edge, Link::Deposit { bridge_id })) => ("swap_and_deposit", self.deposit(args, edge, *bridge_id)),
            _ => ("swap", args.address(address::word(self.receiver(&leg.edge)))),
        };
        Action { module: [HELPER, "swap_router"], function, args: args.finish() }
    }

    fn deposit(&self, args: BcsArguments, edge: &Edge, bridge_id: u64) -> BcsArguments {
        let hook = self.hook.as_deref().filter(|_| edge.wraps()).unwrap_or_default();
        let data = BASE64_STANDARD.decode(hook).unwrap_or_default();
        args.number(bridge_id).text(self.receiver(edge)).text(data)
    }
}

/// The metadata object of an asset on the L1: named by `move/…`, else made by the chain under the denom.
fn metadata(listed: &Listed) -> [u8; 32] {
    let chain = U256::from(1).to_be_bytes();
    if listed.denom().as_str().starts_with("move/") {
        object(listed.denom())
    } else {
        derive::named_object(chain, listed.denom().as_str())
    }
}

/// The object that `move/…` names.
fn object(denom: &Denom) -> [u8; 32] {
    address::word(denom.as_str().strip_prefix("move/").unwrap_or_default())
}
