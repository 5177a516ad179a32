//! Values of balances, and assets for queries other than routes.

use std::collections::{BTreeMap, BTreeSet};

use super::{error::RouterError, quote::dollars, world::RouterWorld};
use crate::{
    domain::{Address, Amount, ChainId, Denom, text::clip},
    wire::router::{
        Asset, AssetsResponse, BalanceError, BalancesQuery, ChainBalances, DenomBalance, ReachRequest, ReachResponse,
        SwapVenue,
    },
};

/// Decimals of a price, which is in millionths of a US dollar.
const PRICE_DECIMALS: u8 = 6;

/// Length of a complete hex address with its prefix, for 20 and 32 bytes.
const ACCOUNT_DIGITS: [usize; 2] = [42, 66];

impl RouterWorld {
    /// Returns the account in a query, in its chain's format.
    pub fn account_of(&self, chain: &ChainId, query: &BalancesQuery) -> Result<String, RouterError> {
        let Some(info) = self.chain(chain) else {
            return Err(RouterError::not_found(format!("chain ID not supported: {}", clip(chain.as_str(), 60))));
        };
        let address = query.address.as_str();
        let is_own = !info.bech32_prefix.is_empty()
            && address.to_ascii_lowercase().starts_with(&format!("{}1", info.bech32_prefix));
        let is_hex = address.starts_with("0x") && ACCOUNT_DIGITS.contains(&address.len());
        let own: Option<Address> = address.parse().ok();
        match own {
            // Initia chains accept both address formats.
            Some(own) if info.bech32_prefix == "init" && (is_hex || is_own) => Ok(own.bech32()),
            Some(own) if info.bech32_prefix.is_empty() && is_hex => Ok(own.checksummed()),
            _ if is_own && bech32::decode(address).is_ok() => Ok(address.to_owned()),
            _ => Err(RouterError::invalid(format!(
                "chains.{}.address: “{}” is not an address of that chain",
                clip(chain.as_str(), 60),
                clip(address, 70)
            ))),
        }
    }

    /// Returns the balances in `held` that the query requests, with their values. An unknown denom gets an error.
    pub fn balances(&self, chain: &ChainId, query: &BalancesQuery, held: &BTreeMap<Denom, Amount>) -> ChainBalances {
        let all = held.iter().filter(|(_, amount)| !amount.is_zero()).map(|(denom, _)| denom);
        let asked: BTreeSet<&Denom> =
            if query.denoms.is_empty() { all.collect() } else { query.denoms.iter().collect() };
        let denoms = asked.into_iter().map(|denom| (denom.clone(), self.balance(chain, denom, held.get(denom))));
        ChainBalances { address: query.address.clone(), denoms: denoms.collect() }
    }

    fn balance(&self, chain: &ChainId, denom: &Denom, held: Option<&Amount>) -> DenomBalance {
        let listed = self.listed(chain, denom);
        if listed.is_none() && held.is_none() {
            let message = format!("unknown denom {} on {chain}", clip(denom.as_str(), 90));
            return DenomBalance { error: Some(BalanceError { message: message.into() }), ..DenomBalance::default() };
        }
        let amount = held.copied().unwrap_or_default();
        let mut balance = DenomBalance { amount: Some(amount), ..DenomBalance::default() };
        if let Some(listed) = listed {
            balance.decimals = listed.asset.decimals;
            balance.formatted_amount = amount.display(listed.decimals()).replace(',', "");
            balance.price =
                listed.price.map(|price| price.display(PRICE_DECIMALS).replace(',', "")).unwrap_or_default();
            balance.value_usd = dollars(listed, amount);
        }
        balance
    }

    /// Returns the assets that an asset can become, by chain.
    pub fn assets_from(&self, request: &ReachRequest) -> Result<ReachResponse, RouterError> {
        let from = self.end(&request.source_asset_chain_id, &request.source_asset_denom)?;
        let mut assets = AssetsResponse::default();
        for listed in self.reachable(&from, request.allow_multi_tx) {
            let list = assets.chain_to_assets_map.entry(listed.chain().clone()).or_default();
            list.assets.push(listed.asset.clone());
        }
        Ok(ReachResponse { dest_assets: assets.chain_to_assets_map })
    }

    /// Returns the denoms of an asset on another chain that transfers without swaps can reach, nearest first.
    pub fn recommended(&self, from: (&ChainId, &Denom), to: &ChainId) -> Result<Vec<Asset>, RouterError> {
        let from = self.end(from.0, from.1)?;
        if self.chain(to).is_none() {
            return Err(RouterError::not_found(format!("chain ID not supported: {}", clip(to.as_str(), 60))));
        }
        Ok(self.same_on(&from, to).into_iter().map(|listed| listed.asset.clone()).collect())
    }

    /// Returns the asset from which an asset originates; `None` if either is unknown.
    pub fn origin_of(&self, chain: &ChainId, denom: &Denom) -> Option<Asset> {
        let asset = self.asset(chain, denom)?;
        let (origin_chain, origin_denom) = (asset.origin_chain_id.as_ref()?, asset.origin_denom.as_ref()?);
        self.asset(origin_chain, origin_denom).cloned()
    }

    /// Returns the venues of all swaps, without duplicates.
    pub fn venues(&self) -> Vec<SwapVenue> {
        let mut venues: Vec<SwapVenue> = Vec::new();
        for venue in self.pool_venues() {
            if venues.iter().all(|known| (&known.name, &known.chain_id) != (&venue.name, &venue.chain_id)) {
                venues.push(venue);
            }
        }
        venues
    }
}
