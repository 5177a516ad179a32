//! Steps of an action: one list from which the state changes and the events follow.

use std::borrow::Cow;

use super::{
    Wasm, packets,
    record::{Cw20, NftTransfer},
    render::bank,
    state::LedgerState,
    world::{Account, account, cw20},
};
use crate::demo::ledger::{
    common::{
        record::{PartyId, TokenId},
        render::{BankEvents, RenderView, base64, body::coin, event_writer::EventWriter},
        world::World,
    },
    json::Json,
};

/// Value of a message's field or of an event's attribute.
pub(crate) enum StepValue {
    Party(PartyId),
    Number(u128),
    Text(Cow<'static, str>),
    Denom(TokenId),
    Coin(TokenId, u128),
    /// JSON of a field.
    Json(Cow<'static, str>),
    /// Order with which a departing token goes to the ICS-721 contract, in Base64.
    Order(NftTransfer),
}

pub(crate) type StepFields = Vec<(&'static str, StepValue)>;

impl From<PartyId> for StepValue {
    fn from(party: PartyId) -> Self {
        Self::Party(party)
    }
}

impl From<u128> for StepValue {
    fn from(number: u128) -> Self {
        Self::Number(number)
    }
}

impl From<u32> for StepValue {
    fn from(number: u32) -> Self {
        Self::Number(number.into())
    }
}

impl From<&'static str> for StepValue {
    fn from(text: &'static str) -> Self {
        Self::Text(text.into())
    }
}

impl From<String> for StepValue {
    fn from(text: String) -> Self {
        Self::Text(text.into())
    }
}

impl StepValue {
    fn text(&self, view: &RenderView<'_>) -> String {
        match self {
            Self::Party(party) => view.party(*party).bech32.to_string(),
            Self::Number(number) => number.to_string(),
            Self::Text(text) | Self::Json(text) => text.to_string(),
            Self::Denom(token) => view.denom(*token).to_owned(),
            Self::Coin(token, amount) => view.coin(*token, *amount),
            Self::Order(nft_transfer) => base64(packets::order(view, nft_transfer)),
        }
    }
}

pub(crate) fn write_fields(view: &RenderView<'_>, json: &mut Json, fields: &[(&'static str, StepValue)]) {
    for (name, value) in fields {
        json.key(name);
        match value {
            StepValue::Json(text) => {
                json.raw(text);
            }
            StepValue::Coin(token, amount) => coin(view, json, *token, *amount),
            _ => {
                json.string(&value.text(view));
            }
        }
    }
}

enum ActionStep {
    /// Bank transfer. Nodes omit the `message` event of a contract's transfer.
    Pay {
        token: TokenId,
        parties: [PartyId; 2],
        amount: u128,
        is_contract: bool,
    },
    /// Mint by the token factory.
    Mint {
        token: TokenId,
        to: PartyId,
        amount: u128,
    },
    /// Burn by the token factory.
    Burn {
        token: TokenId,
        from: PartyId,
        amount: u128,
    },
    Emit(&'static str, StepFields),
    Packet(&'static str, NftTransfer),
    /// State change outside the bank, without an event of its own.
    Change(Box<dyn FnOnce(&mut LedgerState)>),
}

pub(crate) struct ActionSteps<'a> {
    pub(crate) world: &'a World,
    list: Vec<ActionStep>,
}

impl<'a> ActionSteps<'a> {
    pub(crate) fn new(world: &'a World) -> Self {
        Self { world, list: Vec::new() }
    }

    /// Adds a bank transfer by a message.
    pub(crate) fn pay(&mut self, token: TokenId, parties: [PartyId; 2], amount: u128) {
        self.list.push(ActionStep::Pay { token, parties, amount, is_contract: false });
    }

    /// Adds a bank transfer by a contract.
    pub(crate) fn pay_out(&mut self, token: TokenId, parties: [PartyId; 2], amount: u128) {
        self.list.push(ActionStep::Pay { token, parties, amount, is_contract: true });
    }

    pub(crate) fn mint(&mut self, token: TokenId, to: PartyId, amount: u128) {
        self.list.push(ActionStep::Mint { token, to, amount });
    }

    pub(crate) fn burn(&mut self, token: TokenId, from: PartyId, amount: u128) {
        self.list.push(ActionStep::Burn { token, from, amount });
    }

    /// Adds a CW-20 contract's event, from which the balances of `from` and `to` follow.
    pub(crate) fn cw20(&mut self, action: &'static str, token: Cw20, roles: &[(&'static str, PartyId)], amount: u128) {
        let [from, to] = ["from", "to"].map(|name| party(roles, name));
        self.change(move |state| match (from, to) {
            (Some(from), Some(to)) => state.own.transfer(token, from, to, amount),
            (Some(from), None) => state.own.burn(token, from, amount),
            (None, Some(to)) => state.own.mint(token, to, amount),
            (None, None) => {}
        });
        let roles = roles.iter().map(|(name, party)| (*name, StepValue::Party(*party)));
        self.run(cw20(self.world, token), action, roles.chain([("amount", amount.into())]).collect());
    }

    /// Adds a CW-721 contract's event. Afterwards `owner` or `recipient` owns the token; without either it is burned.
    pub(crate) fn nft(&mut self, action: &'static str, collection: u8, id: u32, roles: &[(&'static str, PartyId)]) {
        let owner = party(roles, "owner").or_else(|| party(roles, "recipient"));
        self.change(move |state| state.set_owner(collection, id, owner));
        let roles = roles.iter().map(|(name, party)| (*name, StepValue::Party(*party)));
        self.run(self.world.collection(collection), action, roles.chain([("token_id", id.into())]).collect());
    }

    pub(crate) fn change(&mut self, change: impl FnOnce(&mut LedgerState) + 'static) {
        self.list.push(ActionStep::Change(Box::new(change)));
    }

    pub(crate) fn emit(&mut self, kind: &'static str, fields: StepFields) {
        self.list.push(ActionStep::Emit(kind, fields));
    }

    /// Adds a contract's event, which begins with its address.
    pub(crate) fn named(&mut self, kind: &'static str, contract: PartyId, mut said: StepFields) {
        said.insert(0, ("_contract_address", contract.into()));
        self.emit(kind, said);
    }

    pub(crate) fn says(&mut self, contract: PartyId, said: StepFields) {
        self.named("wasm", contract, said);
    }

    pub(crate) fn execute(&mut self, contract: PartyId) {
        self.named("execute", contract, Vec::new());
    }

    /// Adds the event of a contract call, then the contract's own event.
    pub(crate) fn run(&mut self, contract: PartyId, action: &'static str, mut said: StepFields) {
        said.insert(0, ("action", action.into()));
        self.execute(contract);
        self.says(contract, said);
    }

    pub(crate) fn packet(&mut self, kind: &'static str, nft_transfer: &NftTransfer) {
        self.list.push(ActionStep::Packet(kind, *nft_transfer));
    }

    /// Returns the coins of the first transfer, if a message makes it: the funds of a call.
    pub(crate) fn funds(&self) -> Option<(TokenId, u128)> {
        match self.list.first()? {
            ActionStep::Pay { token, amount, is_contract: false, .. } => Some((*token, *amount)),
            _ => None,
        }
    }

    pub(crate) fn apply(self, state: &mut LedgerState) {
        for step in self.list {
            match step {
                ActionStep::Pay { token, parties: [from, to], amount, .. } => state.transfer(token, from, to, amount),
                ActionStep::Mint { token, to, amount } => state.mint(token, to, amount),
                ActionStep::Burn { token, from, amount } => state.burn(token, from, amount),
                ActionStep::Change(change) => change(state),
                ActionStep::Emit(..) | ActionStep::Packet(..) => {}
            }
        }
    }

    pub(crate) fn render(&self, view: &RenderView<'_>, events: &mut EventWriter) {
        let module = view.party(account(self.world, Account::Factory));
        for step in &self.list {
            match *step {
                ActionStep::Pay { token, parties, amount, is_contract } => {
                    let write = if is_contract { bank::transfer_inside } else { Wasm::bank_transfer };
                    write(view, events, token, parties.map(|party| view.party(party)), amount);
                }
                ActionStep::Mint { token, to, amount } => {
                    Wasm::bank_mint(view, events, token, module, amount);
                    Wasm::bank_transfer(view, events, token, [module, view.party(to)], amount);
                }
                ActionStep::Burn { token, from, amount } => {
                    Wasm::bank_transfer(view, events, token, [view.party(from), module], amount);
                    Wasm::bank_burn(view, events, token, module, amount);
                }
                ActionStep::Emit(kind, ref fields) => {
                    events.emit(kind, fields.iter().map(|(name, value)| (*name, value.text(view))).collect());
                }
                ActionStep::Packet(kind, ref nft_transfer) => packets::event(view, events, kind, nft_transfer),
                ActionStep::Change(_) => {}
            }
        }
    }
}

fn party(roles: &[(&'static str, PartyId)], name: &str) -> Option<PartyId> {
    roles.iter().find(|(role, _)| *role == name).map(|(_, party)| *party)
}
