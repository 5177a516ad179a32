//! Events, in the order and with the attributes of real nodes.

use alloy_primitives::hex;

use super::{
    View,
    abi::{Log, ZERO},
};
use crate::rollup::ledger::{
    Event,
    evm::{record::TokenId, world::Party},
};

/// Attributes of an event being written.
pub(crate) type Attributes = Vec<(&'static str, String)>;

/// Writes a transaction's events.
pub(crate) struct Scribe<'a> {
    view: View<'a>,
    events: Vec<Event>,
    message: Option<usize>,
    inner: Option<usize>,
}

impl<'a> Scribe<'a> {
    /// Before the first message: events have no `msg_index`.
    pub(crate) fn new(view: View<'a>) -> Self {
        Self { view, events: Vec::with_capacity(24), message: None, inner: None }
    }

    /// What was written.
    pub(crate) fn finish(self) -> Vec<Event> {
        self.events
    }

    /// From here on, events belong to this message, or to none.
    pub(crate) fn enter(&mut self, message: Option<usize>) {
        self.message = message;
    }

    /// From here on, events belong to this message inside an authz exec, or to none.
    pub(crate) fn enter_inner(&mut self, inner: Option<usize>) {
        self.inner = inner;
    }

    /// An event.
    pub(crate) fn emit(&mut self, kind: &'static str, mut attributes: Attributes) {
        attributes.extend(self.inner.map(|inner| ("authz_msg_index", inner.to_string())));
        attributes.extend(self.message.map(|message| ("msg_index", message.to_string())));
        self.events.push(Event { kind, attributes });
    }

    /// The `message` event of a module that names itself.
    pub(crate) fn module(&mut self, module: &str) {
        self.emit("message", vec![("module", module.to_owned())]);
    }

    /// A call of a contract with what it returned.
    pub(crate) fn call(&mut self, contract: &Party, returned: &[u8]) {
        self.emit("call", vec![("contract", contract.hex.to_string()), ("ret", hex::encode_prefixed(returned))]);
    }

    /// The logs of one run of the EVM.
    pub(crate) fn logs(&mut self, logs: &[Log]) {
        self.emit("evm", logs.iter().map(|log| ("log", log.json())).collect());
    }

    fn contract(&self, token: TokenId) -> &'a Party {
        let world = self.view.world;
        world.party(world.token(token).contract)
    }

    /// A movement by the bank, which calls the token's contract.
    pub(crate) fn bank_transfer(&mut self, token: TokenId, from: &Party, to: &Party, amount: u128) {
        let contract = self.contract(token);
        let coin = self.view.coin(token, amount);
        self.call(contract, &[]);
        self.logs(&[Log::transfer(contract, from.word(), to.word(), amount)]);
        let (sender, recipient) = (from.bech32.to_string(), to.bech32.to_string());
        self.emit("coin_spent", vec![("spender", sender.clone()), ("amount", coin.clone())]);
        self.emit("coin_received", vec![("receiver", recipient.clone()), ("amount", coin.clone())]);
        self.emit("transfer", vec![("recipient", recipient), ("sender", sender.clone()), ("amount", coin)]);
        self.emit("message", vec![("sender", sender)]);
    }

    /// Tokens made by a module.
    pub(crate) fn bank_mint(&mut self, token: TokenId, module: &Party, amount: u128) {
        let contract = self.contract(token);
        self.call(contract, &[]);
        self.logs(&[Log::transfer(contract, ZERO, module.word(), amount)]);
        let coin = self.view.coin(token, amount);
        self.emit("coinbase", vec![("minter", module.bech32.to_string()), ("amount", coin)]);
    }

    /// Tokens unmade by a module.
    pub(crate) fn bank_burn(&mut self, token: TokenId, module: &Party, amount: u128) {
        let contract = self.contract(token);
        self.call(contract, &[]);
        self.logs(&[Log::transfer(contract, module.word(), ZERO, amount)]);
        let coin = self.view.coin(token, amount);
        self.emit("burn", vec![("burner", module.bech32.to_string()), ("amount", coin)]);
    }
}
