//! Messages for Cosmos chains in amino JSON, and the instructions in memos.

use alloy_primitives::U256;
use base64::{Engine, prelude::BASE64_STANDARD};
use serde_json::{Value, json};

use super::{MessageBuilder, address};
use crate::{
    demo::{
        ledger::{
            abi::{AbiArg, input, number},
            derive,
        },
        router::{
            error::RouterError,
            graph::{AssetEdge, EdgeKind, ListedAsset, PoolSide},
            hook::call,
            operation,
            quote::QuoteLeg,
        },
    },
    domain::{Address, Amount, Denom},
    wire::{bcs::BcsArguments, router::CosmosMessage},
};

/// Account of the demo's module on the L1, which does several actions in one call.
const HELPER: &str = "0x2d1e6a9c74b0f35d8e16c2079ab54f8371de06b95c48a7f1e03b62d98c5f7a40";
/// Account of the L1's standard library.
const STANDARD: &str = "0x1";
/// Number of times that a forwarded packet is retried.
const RETRIES: u32 = 2;

/// Call of a Move function, in a message or in a memo.
struct MoveCall {
    module: [&'static str; 2],
    function: &'static str,
    args: Vec<String>,
}

fn message(kind: &str, msg: &Value) -> CosmosMessage {
    CosmosMessage { msg: msg.to_string().into(), msg_type_url: format!("/{kind}").into() }
}

fn coin(denom: &Denom, amount: Amount) -> Value {
    json!({ "denom": denom, "amount": amount.to_string() })
}

impl MessageBuilder<'_> {
    /// Builds the transaction, and its messages in the deprecated format.
    pub(super) fn cosmos_tx(&self, legs: &[&QuoteLeg]) -> Result<(Value, Vec<Value>), RouterError> {
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

    fn messages(&self, first: &QuoteLeg, rest: &[&QuoteLeg]) -> Vec<CosmosMessage> {
        let edge = first.edge.as_ref();
        let sender = self.address(edge.from.chain());
        let (mut messages, denom, amount) = self.unwrapped(first);
        match &edge.kind {
            EdgeKind::Ibc { channel, .. } => messages.push(message(
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
            EdgeKind::Withdraw { .. } => messages.push(message(
                "opinit.opchild.v1.MsgInitiateTokenWithdrawal",
                &json!({ "sender": sender, "to": self.receiver(edge), "amount": coin(&denom, amount) }),
            )),
            EdgeKind::Deposit { bridge_id } => messages.push(message(
                "opinit.ophost.v1.MsgInitiateTokenDeposit",
                &json!({
                    "sender": sender,
                    "bridge_id": bridge_id.to_string(),
                    "to": self.receiver(edge),
                    "amount": coin(&denom, amount),
                    "data": self.hook.as_deref().filter(|_| edge.wraps()).unwrap_or_default(),
                }),
            )),
            EdgeKind::Send => messages.push(message(
                "cosmos.bank.v1beta1.MsgSend",
                &json!({
                    "from_address": sender,
                    "to_address": self.receiver(edge),
                    "amount": [coin(&denom, amount)],
                }),
            )),
            EdgeKind::Swap { sides } => {
                let MoveCall { module: [address, name], function, args } = self.swap(first, sides, rest);
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
            // These edges start only on EVM chains.
            EdgeKind::Cctp { .. } | EdgeKind::GoFast => {}
        }
        messages
    }

    /// Returns the coin that leaves, and the calls that first convert it if it is an 18-decimal wrapper.
    fn unwrapped(&self, leg: &QuoteLeg) -> (Vec<CosmosMessage>, Denom, Amount) {
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
        let approve = input("approve(address,uint256)", &[AbiArg::Word(wrapper.word()), number(held)]);
        let arguments = [AbiArg::Word(sender.word()), AbiArg::Text(from.denom().as_str()), number(held)];
        let convert = input("toRemote(address,string,uint256)", &arguments);
        let calls = [call(sender, contract, &approve), call(sender, wrapper, &convert)];
        let messages =
            calls.into_iter().map(|one| CosmosMessage { msg: one.msg, msg_type_url: one.msg_type_url }).collect();
        (messages, denom.clone(), leg.amount_out)
    }

    /// Returns the memo for the packet's destination with the next instruction; empty without one.
    pub(super) fn memo(&self, rest: &[&QuoteLeg]) -> String {
        self.instruction(rest).map(|value| value.to_string()).unwrap_or_default()
    }

    fn instruction(&self, rest: &[&QuoteLeg]) -> Option<Value> {
        let (next, after) = rest.split_first()?;
        let edge = next.edge.as_ref();
        let action = match &edge.kind {
            EdgeKind::Ibc { channel, .. } => {
                return Some(json!({ "forward": {
                    "channel": channel,
                    "next": self.instruction(after),
                    "port": "transfer",
                    "receiver": self.receiver(edge),
                    "retries": RETRIES,
                    "timeout": self.timeout(edge),
                }}));
            }
            EdgeKind::Swap { sides } => self.swap(next, sides, after),
            EdgeKind::Deposit { bridge_id } => {
                let args = BcsArguments::default().address(metadata(&edge.from)).amount(next.amount_in);
                let args = self.deposit(args, edge, *bridge_id);
                MoveCall { module: [HELPER, "bridge"], function: "deposit", args: args.finish() }
            }
            EdgeKind::Withdraw { .. } | EdgeKind::Send | EdgeKind::Cctp { .. } | EdgeKind::GoFast => return None,
        };
        let MoveCall { module: [address, name], function, args } = action;
        Some(json!({ "move": { "message": {
            "module_address": address,
            "module_name": name,
            "function_name": function,
            "type_args": [],
            "args": args,
        }}}))
    }

    /// Builds one call that swaps and then continues with the steps in `rest`.
    fn swap(&self, leg: &QuoteLeg, sides: &[PoolSide], rest: &[&QuoteLeg]) -> MoveCall {
        let sold = metadata(&leg.edge.from);
        let is_plain = sides.first().is_some_and(|side| side.venue == self.world.terms().exchange.venue);
        if let ([side], [], true) = (sides, rest, is_plain) {
            let args = BcsArguments::default().address(object(&side.pool)).address(sold);
            let args = args.amount(leg.amount_in).some_amount(self.least(leg));
            return MoveCall { module: [STANDARD, "dex"], function: "swap_script", args: args.finish() };
        }
        let pools: Vec<_> = sides.iter().map(|side| object(&side.pool)).collect();
        let args = BcsArguments::default().address(sold).addresses(&pools);
        let args = args.amount(leg.amount_in).some_amount(self.least(leg));
        let (function, args) = match rest.first().map(|next| (next.edge.as_ref(), &next.edge.kind)) {
            Some((edge, EdgeKind::Ibc { channel, .. })) => {
                let memo = self.memo(rest.get(1..).unwrap_or_default());
                let args = args.text(channel).text(self.receiver(edge)).text(memo).number(self.timeout(edge));
                ("swap_and_transfer", args)
            }
            Some((edge, EdgeKind::Deposit { bridge_id })) => ("swap_and_deposit", self.deposit(args, edge, *bridge_id)),
            _ => ("swap", args.address(address::word(self.receiver(&leg.edge)))),
        };
        MoveCall { module: [HELPER, "swap_router"], function, args: args.finish() }
    }

    fn deposit(&self, args: BcsArguments, edge: &AssetEdge, bridge_id: u64) -> BcsArguments {
        let hook = self.hook.as_deref().filter(|_| edge.wraps()).unwrap_or_default();
        let data = BASE64_STANDARD.decode(hook).unwrap_or_default();
        args.number(bridge_id).text(self.receiver(edge)).text(data)
    }
}

/// Returns the metadata object of an asset on the L1. `move/…` names it; other denoms determine it.
fn metadata(listed: &ListedAsset) -> [u8; 32] {
    let chain = U256::from(1).to_be_bytes();
    if listed.denom().as_str().starts_with("move/") {
        object(listed.denom())
    } else {
        derive::named_object(chain, listed.denom().as_str())
    }
}

/// Parses the object's address in `move/…`.
fn object(denom: &Denom) -> [u8; 32] {
    address::word(denom.as_str().strip_prefix("move/").unwrap_or_default())
}
