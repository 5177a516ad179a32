//! Answers of the router about the assets of a form; each request is made once, and again with `r`.

use std::{collections::BTreeMap, sync::Arc};

use crate::{
    app::directory::AssetFacts,
    domain::{Amount, ChainId, Denom},
    signing::WalletAccounts,
    wire::router::{ChainBalances, ReachRequest, ReachResponse},
};

#[derive(Debug, Default)]
pub(crate) struct AssetAnswers {
    /// Request for the assets that a route from the source can reach, and its answer.
    pub(super) reach: Option<(ReachRequest, Option<Arc<ReachResponse>>)>,
    /// Account's balances by chain; `None` before the answer.
    pub(super) held: BTreeMap<ChainId, Option<ChainBalances>>,
    /// Connected wallet with the balances in `held`; `None` for other accounts.
    pub(super) wallet: Option<WalletAccounts>,
}

impl AssetAnswers {
    /// Returns the known facts about a chain's assets; for the destination also whether a route can reach each.
    pub(super) fn of(&self, chain: &ChainId, is_destination: bool) -> AssetFacts<'_> {
        let reach = self.reach.as_ref().and_then(|(_, reach)| reach.as_ref()).filter(|_| is_destination);
        AssetFacts {
            balances: self.held.get(chain).and_then(Option::as_ref),
            reachable: reach
                .map(|reach| reach.dest_assets.get(chain).map(|list| list.assets.as_slice()).unwrap_or_default()),
        }
    }

    /// Returns how much of an asset the connected wallet has, by the router.
    pub(super) fn of_wallet(&self, chain: &ChainId, denom: &Denom) -> Option<(&WalletAccounts, Amount)> {
        let held = self.list(chain)?.denoms.iter().find(|(listed, _)| listed.is_same(denom))?.1.amount?;
        Some((self.wallet.as_ref()?, held))
    }

    /// Returns how much the connected wallet has for a fee, by the router: nothing if the router's list of its balances
    /// lacks the denom.
    pub(super) fn for_fee(&self, chain: &ChainId, denom: &Denom) -> Option<Amount> {
        let mut denoms = self.list(chain)?.denoms.iter();
        denoms.find(|(listed, _)| listed.is_same(denom)).map_or(Some(Amount::ZERO), |(_, held)| held.amount)
    }

    fn list(&self, chain: &ChainId) -> Option<&ChainBalances> {
        self.held.get(chain)?.as_ref()
    }

    pub(super) fn forget(&mut self) {
        *self = Self::default();
    }
}
