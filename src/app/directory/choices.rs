//! Choices of assets, with details that tell assets of one ticker apart.

use super::{Directory, choice};
use crate::{
    app::prompt::PickChoice,
    config::KnownToken,
    domain::{Amount, ChainId, Denom},
    msg::Remote,
    story::Names,
    wire::router::{Asset, ChainBalances, DenomBalance},
};

/// Facts about a chain's assets beyond the router's list.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct AssetFacts<'a> {
    pub(crate) balances: Option<&'a ChainBalances>,
    /// Assets on the destination chain that a route can reach; `None` if unknown.
    pub(crate) reachable: Option<&'a [Asset]>,
}

impl AssetFacts<'_> {
    fn balance(&self, denom: &Denom) -> Option<&DenomBalance> {
        let denoms = &self.balances?.denoms;
        denoms.get(denom).or_else(|| denoms.iter().find(|(known, _)| known.is_same(denom)).map(|(_, balance)| balance))
    }

    /// Whether no route can reach the asset, as far as known.
    fn is_out_of_reach(&self, denom: &Denom) -> bool {
        self.reachable.is_some_and(|assets| !assets.iter().any(|asset| asset.denom.is_same(denom)))
    }
}

impl Directory {
    /// Returns the assets of a chain: reachable ones first, among these native ones, then those with a balance. Without
    /// a list from the router, the network file's tokens.
    pub(crate) fn asset_choices(&self, chain: &ChainId, facts: &AssetFacts<'_>) -> Vec<PickChoice> {
        let listed = self.assets.get(chain).and_then(Remote::value).map(|assets| assets.as_slice()).unwrap_or_default();
        let is_unlisted = |token: &&KnownToken| self.asset(chain, &Denom::new(token.denom.as_str())).is_none();
        let own = self.known.own(chain).iter().filter(is_unlisted);
        let own = own.map(|token| choice(&token.symbol, &token.denom, &token.denom));
        let mut listed: Vec<&Asset> = listed.iter().filter(|asset| !asset.hidden).collect();
        listed.sort_by_cached_key(|asset| {
            let has_some = self.amount_held(asset, facts).is_some_and(|amount| !amount.is_zero());
            (facts.is_out_of_reach(&asset.denom), !is_native(asset), !has_some)
        });
        listed.into_iter().map(|asset| self.asset_choice(asset, facts)).chain(own).collect()
    }

    fn asset_choice(&self, asset: &Asset, facts: &AssetFacts<'_>) -> PickChoice {
        let denom = asset.denom.as_str();
        let label = if asset.symbol.is_empty() { asset.denom.short() } else { asset.symbol.as_received().to_owned() };
        let origin = if is_native(asset) { Some("of this chain".to_owned()) } else { self.origin_words(asset) };
        let out_of_reach = facts.is_out_of_reach(&asset.denom).then(|| "no route".to_owned());
        let name = Some(asset.name.as_received().to_owned()).filter(|name| !name.is_empty());
        let parts = [out_of_reach, self.held_words(asset, facts), origin, name, Some(denom.to_owned())];
        let detail: Vec<String> = parts.into_iter().flatten().collect();
        choice(&label, &detail.join(" · "), denom)
    }

    /// Returns the origin of an asset, as in `from Celestia`.
    fn origin_words(&self, asset: &Asset) -> Option<String> {
        let origin = asset.origin_chain_id.as_ref()?;
        Some(format!("from {}", Names::chain(self, origin)))
    }

    /// Returns the user's balance: from the router, else the demo wallet's.
    fn amount_held(&self, asset: &Asset, facts: &AssetFacts<'_>) -> Option<Amount> {
        let said = facts.balance(&asset.denom).and_then(|balance| balance.amount);
        said.or_else(|| self.held(&asset.chain_id, &asset.denom))
    }

    /// Returns the user's balance in words, as in `you have 12.5 ($31.20)`; `None` if unknown.
    fn held_words(&self, asset: &Asset, facts: &AssetFacts<'_>) -> Option<String> {
        let amount = self.amount_held(asset, facts).filter(|amount| !amount.is_zero())?;
        let amount = match asset.decimals {
            Some(decimals) => amount.shown(decimals),
            None => format!("{} in the smallest unit", amount.display(0)),
        };
        let worth = facts.balance(&asset.denom).map(|balance| balance.value_usd.as_str()).unwrap_or_default();
        let is_number = !worth.is_empty() && worth.len() <= 24 && Amount::from_display(worth, 18).is_ok();
        Some(if is_number { format!("you have {amount} (${worth})") } else { format!("you have {amount}") })
    }
}

fn is_native(asset: &Asset) -> bool {
    match &asset.origin_chain_id {
        Some(origin) => *origin == asset.chain_id,
        None => !asset.denom.as_str().starts_with("ibc/") && !asset.denom.is_bridged(),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::json;

    use super::*;
    use crate::domain::Timestamp;

    fn directory() -> Directory {
        let assets = json!([
            {"denom": "ibc/AA", "chain_id": "a-1", "symbol": "INIT", "decimals": 6, "origin_chain_id": "b-1"},
            {"denom": "ibc/BB", "chain_id": "a-1", "symbol": "INIT", "decimals": 6, "origin_chain_id": "c-1"},
            {"denom": "uinit", "chain_id": "a-1", "symbol": "INIT", "decimals": 6, "origin_chain_id": "a-1"},
            {"denom": "0xAb", "chain_id": "a-1", "symbol": "USDC", "decimals": 6, "origin_chain_id": "a-1"},
        ]);
        let mut directory = Directory::default();
        let listed: Vec<Asset> = serde_json::from_value(assets).unwrap();
        let mut remote = Remote::default();
        remote.settle(Ok(Arc::new(listed)), Timestamp::EPOCH);
        directory.assets.insert(ChainId::new("a-1"), remote);
        directory
    }

    fn order(directory: &Directory, facts: &AssetFacts<'_>) -> Vec<String> {
        directory.asset_choices(&ChainId::new("a-1"), facts).into_iter().map(|choice| choice.value).collect()
    }

    #[test]
    fn the_chains_own_come_first_then_what_one_has_and_what_no_route_leads_to_last() {
        let directory = directory();
        assert_eq!(order(&directory, &AssetFacts::default()), ["uinit", "0xAb", "ibc/AA", "ibc/BB"]);
        let balances =
            json!({"denoms": {"ibc/BB": {"amount": "12500000", "value_usd": "31.20"}, "0xab": {"amount": "5"}}});
        let balances: ChainBalances = serde_json::from_value(balances).unwrap();
        let facts = AssetFacts { balances: Some(&balances), reachable: None };
        assert_eq!(order(&directory, &facts), ["0xAb", "uinit", "ibc/BB", "ibc/AA"], "whatever the letters");
        let reachable: Vec<Asset> = serde_json::from_value(json!([{"denom": "ibc/BB", "chain_id": "a-1"}])).unwrap();
        let facts = AssetFacts { reachable: Some(&reachable), ..facts };
        assert_eq!(order(&directory, &facts), ["ibc/BB", "0xAb", "uinit", "ibc/AA"]);
        let choices = directory.asset_choices(&ChainId::new("a-1"), &facts);
        assert_eq!(choices[0].detail, "you have 12.5 ($31.20) · from c-1 · ibc/BB");
        assert_eq!(choices[2].detail, "no route · of this chain · uinit");
    }

    #[test]
    fn a_worth_that_is_no_number_is_not_shown() {
        let balances = json!({"denoms": {"uinit": {"amount": "5", "value_usd": "\u{1b}[2J"}}});
        let balances: ChainBalances = serde_json::from_value(balances).unwrap();
        let facts = AssetFacts { balances: Some(&balances), reachable: None };
        let choices = directory().asset_choices(&ChainId::new("a-1"), &facts);
        assert!(
            choices.iter().any(|choice| choice.detail.starts_with("you have 0.000005 · of this chain")),
            "{choices:?}"
        );
    }
}
