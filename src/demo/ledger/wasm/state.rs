//! What changes besides the bank: CW-20 balances, contracts that users made, admins and offers.

use super::{
    catalogue::{COUNTER_CODE, CW20S, FACTORY, TOKENS},
    record::{CreatedContract, Cw20, NftTransfer},
    world::{self, Account},
};
use crate::demo::ledger::PacketOutcome;
use crate::demo::ledger::common::{self, record::PartyId, world::World};

/// What changes: the bank and all the rest.
pub(crate) type LedgerState = common::state::LedgerState<Own>;

/// A contract that a user made, as it is now.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Contract {
    /// What its address follows from.
    pub(crate) made: CreatedContract,
    /// The number of its code now.
    pub(crate) code: u32,
    /// Who may change it.
    pub(crate) admin: PartyId,
}

/// What the marketplace offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MarketOffer {
    /// Place in the catalogue of collections.
    pub(crate) collection: u8,
    pub(crate) id: u32,
    /// In the token that NFTs are paid with.
    pub(crate) price: u128,
    pub(crate) seller: PartyId,
}

/// What changes besides the bank.
#[derive(Clone, Debug)]
pub(crate) struct Own {
    balances: Vec<Vec<u128>>,
    supply: Vec<u128>,
    saved: Vec<u128>,
    /// CW-20 allowances that wait to be used: token, owner, spender, how much.
    pub(crate) allowed: Vec<(Cw20, PartyId, PartyId, u128)>,
    /// The highest code number.
    pub(crate) codes: u32,
    /// How many contracts there are whose address follows from their number.
    pub(crate) instances: u32,
    /// How many contracts users made with a salt.
    pub(crate) salts: u32,
    /// Contracts that users made and that still have an admin, the oldest first.
    pub(crate) made: Vec<Contract>,
    /// How many denoms users made.
    pub(crate) denoms: u32,
    /// The newest of them: who made it, and its number.
    pub(crate) newest_denom: Option<(PartyId, u32)>,
    /// Admins of the tokens in the catalogue's order; only those of the factory count.
    denom_admins: Vec<PartyId>,
    /// What the marketplace offers.
    pub(crate) offers: Vec<MarketOffer>,
    /// NFTs that left and wait for their answer: from which height it comes, and which.
    pub(crate) away: Vec<(u64, NftTransfer, PacketOutcome)>,
}

impl Own {
    /// Before the first block, with no CW-20 token anywhere.
    pub(crate) fn empty(world: &World) -> Self {
        Self {
            balances: vec![vec![0; world.len()]; CW20S.len()],
            supply: vec![0; CW20S.len()],
            saved: vec![0; world.users() as usize],
            allowed: Vec::new(),
            codes: COUNTER_CODE,
            instances: world::INSTANCES,
            salts: 0,
            made: Vec::new(),
            denoms: 0,
            newest_denom: None,
            denom_admins: vec![world::account(world, Account::Issuer); TOKENS.len()],
            offers: Vec::new(),
            away: Vec::new(),
        }
    }

    fn slot(&mut self, token: Cw20, party: PartyId) -> Option<&mut u128> {
        self.balances.get_mut(usize::from(token.0))?.get_mut(party.0 as usize)
    }

    /// What a party holds of a CW-20 token.
    pub(crate) fn balance(&self, token: Cw20, party: PartyId) -> u128 {
        self.balances.get(usize::from(token.0)).and_then(|list| list.get(party.0 as usize)).copied().unwrap_or(0)
    }

    /// What all parties hold of a CW-20 token together.
    pub(crate) fn supply(&self, token: Cw20) -> u128 {
        self.supply.get(usize::from(token.0)).copied().unwrap_or(0)
    }

    /// Makes CW-20 tokens.
    pub(crate) fn mint(&mut self, token: Cw20, to: PartyId, amount: u128) {
        if let Some(slot) = self.slot(token, to) {
            *slot += amount;
        }
        if let Some(supply) = self.supply.get_mut(usize::from(token.0)) {
            *supply += amount;
        }
    }

    /// Unmakes CW-20 tokens. The planner never asks for more than there is; that would move nothing.
    pub(crate) fn burn(&mut self, token: Cw20, from: PartyId, amount: u128) {
        if self.take(token, from, amount)
            && let Some(supply) = self.supply.get_mut(usize::from(token.0))
        {
            *supply -= amount;
        }
    }

    /// Moves CW-20 tokens. The planner never asks for more than there is; that would move nothing.
    pub(crate) fn transfer(&mut self, token: Cw20, from: PartyId, to: PartyId, amount: u128) {
        if self.take(token, from, amount)
            && let Some(slot) = self.slot(token, to)
        {
            *slot += amount;
        }
    }

    fn take(&mut self, token: Cw20, from: PartyId, amount: u128) -> bool {
        let left = self.balance(token, from).checked_sub(amount);
        debug_assert!(left.is_some(), "taking {amount} of {token:?} from {from:?}");
        match (left, self.slot(token, from)) {
            (Some(left), Some(slot)) => {
                *slot = left;
                true
            }
            _ => false,
        }
    }

    /// What a user has in the savings contract.
    pub(crate) fn saved(&self, user: PartyId) -> u128 {
        self.saved.get(user.0 as usize).copied().unwrap_or(0)
    }

    /// Notes what a user saves.
    pub(crate) fn add_saved(&mut self, user: PartyId, amount: u128) {
        if let Some(slot) = self.saved.get_mut(user.0 as usize) {
            *slot += amount;
        }
    }

    /// Notes what a user takes out.
    pub(crate) fn take_saved(&mut self, user: PartyId, amount: u128) {
        if let Some(slot) = self.saved.get_mut(user.0 as usize) {
            *slot = slot.saturating_sub(amount);
        }
    }

    /// The admin of a factory token.
    pub(crate) fn denom_admin(&self, token: u8) -> Option<PartyId> {
        FACTORY.iter().find(|(place, _)| *place == token)?;
        self.denom_admins.get(usize::from(token)).copied()
    }

    /// Names another admin of a factory token.
    pub(crate) fn set_denom_admin(&mut self, token: u8, admin: PartyId) {
        if let Some(slot) = self.denom_admins.get_mut(usize::from(token)) {
            *slot = admin;
        }
    }

    /// The contract that a user made, while it has an admin.
    pub(crate) fn contract(&mut self, made: CreatedContract) -> Option<&mut Contract> {
        self.made.iter_mut().find(|contract| contract.made == made)
    }

    /// Takes an offer away.
    pub(crate) fn close(&mut self, collection: u8, id: u32) {
        self.offers.retain(|offer| (offer.collection, offer.id) != (collection, id));
    }
}
