//! State besides the bank: CW-20 balances, users' contracts, admins and offers.

use super::{
    catalogue::{COUNTER_CODE, CW20S, FACTORY, TOKEN_CODE, TOKENS},
    record::{CreatedContract, Cw20, NftTransfer, PoolAsset},
    world::{self, Account},
};
use crate::{
    demo::ledger::{
        PacketOutcome,
        common::{self, record::PartyId, world::World},
    },
    domain::Address,
};

pub(crate) type LedgerState = common::state::LedgerState<Own>;

/// Contract of a user, as it is now.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Contract {
    /// Inputs of the address.
    pub(crate) made: CreatedContract,
    pub(crate) address: Address,
    /// Height at which it was created.
    pub(crate) created: u64,
    pub(crate) code: u32,
    pub(crate) admin: Option<PartyId>,
    pub(crate) is_renamed: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MarketOffer {
    /// Index of the collection in the catalogue.
    pub(crate) collection: u8,
    pub(crate) id: u32,
    /// Price, in the token that pays for NFTs.
    pub(crate) price: u128,
    pub(crate) seller: PartyId,
}

/// State that only this flavour has.
#[derive(Clone, Debug)]
pub(crate) struct Own {
    balances: Vec<Vec<u128>>,
    supply: Vec<u128>,
    saved: Vec<u128>,
    /// Unused CW-20 allowances: token, owner, spender, amount.
    pub(crate) allowed: Vec<(Cw20, PartyId, PartyId, u128)>,
    pub(crate) codes: u32,
    /// Number of contracts whose address derives from their number.
    pub(crate) instances: u32,
    /// Number of users' contracts with a salt.
    pub(crate) salts: u32,
    /// Users' contracts, oldest first. Nobody moves the tokens of those with CW-20's code.
    pub(crate) made: Vec<Contract>,
    pub(crate) denoms: u32,
    /// Creator and number of the newest denom.
    pub(crate) newest_denom: Option<(PartyId, u32)>,
    /// Admin of each token in the catalogue. Only factory tokens have an admin that counts.
    denom_admins: Vec<PartyId>,
    pub(crate) offers: Vec<MarketOffer>,
    /// NFTs that wait for an acknowledgement or timeout, each with the first height at which one may come.
    pub(crate) away: Vec<(u64, NftTransfer, PacketOutcome)>,
}

impl LedgerState {
    pub(crate) fn asset_balance(&self, asset: PoolAsset, party: PartyId) -> u128 {
        match asset {
            PoolAsset::Coin(token) => self.balance(token, party),
            PoolAsset::Contract(token) => self.own.balance(token, party),
        }
    }
}

impl Own {
    /// Creates the state before the first block, still without CW-20 balances.
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

    /// Returns a party's balance of a CW-20 token.
    pub(crate) fn balance(&self, token: Cw20, party: PartyId) -> u128 {
        self.balances.get(usize::from(token.0)).and_then(|list| list.get(party.0 as usize)).copied().unwrap_or(0)
    }

    /// Returns the supply of a CW-20 token.
    pub(crate) fn supply(&self, token: Cw20) -> u128 {
        self.supply.get(usize::from(token.0)).copied().unwrap_or(0)
    }

    pub(crate) fn mint(&mut self, token: Cw20, to: PartyId, amount: u128) {
        if let Some(slot) = self.slot(token, to) {
            *slot += amount;
        }
        if let Some(supply) = self.supply.get_mut(usize::from(token.0)) {
            *supply += amount;
        }
    }

    /// Burns CW-20 tokens. The planner never exceeds the balance; a larger amount burns nothing.
    pub(crate) fn burn(&mut self, token: Cw20, from: PartyId, amount: u128) {
        if self.take(token, from, amount)
            && let Some(supply) = self.supply.get_mut(usize::from(token.0))
        {
            *supply -= amount;
        }
    }

    /// Transfers CW-20 tokens. The planner never exceeds the balance; a larger amount transfers nothing.
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

    pub(crate) fn saved(&self, user: PartyId) -> u128 {
        self.saved.get(user.0 as usize).copied().unwrap_or(0)
    }

    pub(crate) fn add_saved(&mut self, user: PartyId, amount: u128) {
        if let Some(slot) = self.saved.get_mut(user.0 as usize) {
            *slot += amount;
        }
    }

    pub(crate) fn take_saved(&mut self, user: PartyId, amount: u128) {
        if let Some(slot) = self.saved.get_mut(user.0 as usize) {
            *slot = slot.saturating_sub(amount);
        }
    }

    pub(crate) fn denom_admin(&self, token: u8) -> Option<PartyId> {
        FACTORY.iter().find(|(place, _)| *place == token)?;
        self.denom_admins.get(usize::from(token)).copied()
    }

    pub(crate) fn set_denom_admin(&mut self, token: u8, admin: PartyId) {
        if let Some(slot) = self.denom_admins.get_mut(usize::from(token)) {
            *slot = admin;
        }
    }

    /// Returns a user's contract for changing it.
    pub(crate) fn contract(&mut self, made: CreatedContract) -> Option<&mut Contract> {
        self.made.iter_mut().find(|contract| contract.made == made)
    }

    /// Returns a user's contract by its address.
    pub(crate) fn contract_at(&self, address: &Address) -> Option<&Contract> {
        self.made.iter().find(|contract| contract.address == *address)
    }

    /// Returns the users' contracts that have an admin who may change them, with their admins.
    pub(crate) fn changeable(&self) -> Vec<(Contract, PartyId)> {
        let changeable = self.made.iter().filter(|contract| contract.code != TOKEN_CODE);
        changeable.filter_map(|contract| Some((*contract, contract.admin?))).collect()
    }

    /// Removes an offer.
    pub(crate) fn close(&mut self, collection: u8, id: u32) {
        self.offers.retain(|offer| (offer.collection, offer.id) != (collection, id));
    }
}
