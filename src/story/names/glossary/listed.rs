//! Names from a router's list, and the sources of token names.

use std::{collections::BTreeSet, sync::Arc};

use super::{Glossary, TokenUnit};
use crate::{
    domain::{Denom, text::foreign},
    story::names::denoms::DenomTrace,
    wire::router::Asset,
};

/// Largest power of ten that fits in 256 bits.
pub(super) const MOST_DECIMALS: u8 = 77;
/// Port of token channels.
const TRANSFER: &str = "transfer";

/// Source of a token's name, the highest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NameSource {
    /// Network list, built in or the user's.
    Network,
    /// Format of the denom, which only a token of the L1 can have on a rollup.
    Bridge,
    /// This transaction, which shows the token's origin.
    Transaction,
    /// Bank metadata, which the token's creator writes.
    Bank,
    /// The token's own contract.
    Contract,
    Router,
    /// Denom of the token on the chain that it came from. Tells no decimals.
    Origin,
    /// Denom in which the chain takes fees. Tells no decimals.
    Fee,
}

impl NameSource {
    /// Returns [`Self::who`] without its explanation.
    pub fn brief(self) -> &'static str {
        self.who().split(',').next().unwrap_or_default()
    }

    /// Returns the source as it follows "named by".
    pub fn who(self) -> &'static str {
        match self {
            Self::Network => "the network's list",
            Self::Router => "the router",
            Self::Bridge => "the denom, which only this L1 token can have here",
            Self::Bank => "the chain's bank, as the token's creator named it",
            Self::Contract => "the token's contract",
            Self::Transaction => "this transaction, which shows its origin",
            Self::Origin => "the denom, which is a hash of the origin",
            Self::Fee => "its denom, in which the chain takes fees",
        }
    }

    /// Returns the source's name in JSON.
    pub fn key(self) -> &'static str {
        match self {
            Self::Network => "network",
            Self::Bridge => "bridge",
            Self::Transaction => "transaction",
            Self::Bank => "bank",
            Self::Contract => "contract",
            Self::Router => "router",
            Self::Origin => "origin",
            Self::Fee => "fee",
        }
    }

    pub(crate) fn tells_decimals(self) -> bool {
        !matches!(self, Self::Origin | Self::Fee)
    }
}

impl Glossary {
    /// Adds a router's list of this chain: symbols and decimals, chains behind the channels of vouchers, and the L1.
    /// Settings, registry and the chain itself take precedence. Returns whether any is new.
    pub fn add_assets(&mut self, assets: &[Asset]) -> bool {
        let before = (self.channels.len(), self.l1_chain_id.is_some());
        let listed: BTreeSet<String> = self.listed_symbols().map(str::to_owned).collect();
        let mut is_news = false;
        for asset in assets {
            if let Some(unit) = unit(asset) {
                is_news |= self.claim_by_router(asset.denom.clone(), unit, &listed);
            }
            self.learn_channel(asset);
            self.learn_l1(asset);
        }
        is_news || before != (self.channels.len(), self.l1_chain_id.is_some())
    }

    /// Adds what a router says of a token. A symbol in the network's list is reserved for that list's tokens.
    pub(super) fn claim_by_router(&mut self, denom: Denom, unit: TokenUnit, listed: &BTreeSet<String>) -> bool {
        let is_imitation = listed.contains(&unit.symbol) && !self.is_certain(&denom);
        let TokenUnit { symbol, decimals } = unit;
        let symbol = if is_imitation { format!("{symbol} ({})", denom.short()) } else { symbol };
        self.claim(denom, TokenUnit { symbol, decimals }, NameSource::Router)
    }

    /// Returns the symbols of the network's list.
    pub(super) fn listed_symbols(&self) -> impl Iterator<Item = &str> {
        let listed = self.tokens.keys().filter_map(|denom| self.claims(denom).next());
        listed.filter(|(source, _)| *source == NameSource::Network).map(|(_, unit)| unit.symbol.as_str())
    }

    /// Adds a router's list of this chain's L1, which proves no units. Returns whether any is new.
    pub fn add_l1_assets(&mut self, assets: &[Asset]) -> bool {
        let before = self.l1_tokens.len();
        for asset in assets {
            if let Some(unit) = unit(asset).filter(|_| !self.l1_tokens.contains_key(&asset.denom)) {
                self.l1_tokens.insert(asset.denom.clone(), (Arc::new(unit), NameSource::Router));
            }
        }
        before != self.l1_tokens.len()
    }

    /// Adds the chain behind the channel of a one-hop voucher, if its hash proves that path.
    fn learn_channel(&mut self, asset: &Asset) {
        let Some((TRANSFER, channel)) = asset.trace.as_received().split_once('/') else { return };
        let (Some(base), Some(chain)) = (&asset.origin_denom, &asset.origin_chain_id) else { return };
        let is_proven = !channel.contains('/')
            && DenomTrace::of(&format!("{}/{base}", asset.trace.as_received())).denom() == asset.denom;
        let key = (TRANSFER.to_owned(), channel.to_owned());
        if is_proven && !self.channels.contains_key(&key) {
            self.add_channel(key.0, key.1, chain.as_str());
        }
    }

    /// Adds the L1 as the origin of a token over the OPinit bridge.
    fn learn_l1(&mut self, asset: &Asset) {
        if asset.denom.as_str().starts_with("l2/") && self.l1_chain_id.is_none() {
            let chain = asset.origin_chain_id.as_ref().filter(|chain| **chain != asset.chain_id);
            self.l1_chain_id = chain.map(ToString::to_string);
        }
    }
}

/// Returns symbol and decimals of an asset, if complete.
fn unit(asset: &Asset) -> Option<TokenUnit> {
    let decimals = asset.decimals.filter(|decimals| *decimals <= MOST_DECIMALS)?;
    let symbol = asset.symbol.as_received().trim();
    (!symbol.is_empty()).then(|| TokenUnit { symbol: foreign(symbol).into_owned(), decimals })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Denom;

    fn asset(denom: &str, symbol: &str, trace: &str, base: &str) -> Asset {
        let record = serde_json::json!({
            "denom": denom, "chain_id": "here-1", "origin_denom": base, "origin_chain_id": "there-1", "trace": trace,
            "symbol": symbol, "decimals": 6,
        });
        serde_json::from_value(record).unwrap()
    }

    fn voucher(path: &str) -> String {
        DenomTrace::of(path).denom().to_string()
    }

    #[test]
    fn a_router_names_what_the_network_does_not() {
        let mut glossary = Glossary::default();
        glossary.add_token(Denom::new("uown"), "OWN", 6);
        let listed = [
            asset("uown", "OTHER", "", "uown"),
            asset("unew", "NEW", "", "unew"),
            asset("uno", " ", "", "uno"),
            asset("utoo", "OWN", "", "utoo"),
        ];
        assert!(glossary.add_assets(&listed) && !glossary.add_assets(&listed), "news only once");
        let told = |denom: &str| {
            let denom = Denom::new(denom);
            (glossary.token(&denom).map(|unit| unit.symbol.clone()), glossary.token_source(&denom))
        };
        assert_eq!(told("uown"), (Some("OWN".to_owned()), Some(NameSource::Network)));
        assert_eq!(told("unew"), (Some("NEW".to_owned()), Some(NameSource::Router)));
        let certain = ["uown", "unew"].map(|denom| glossary.is_certain(&Denom::new(denom)));
        assert_eq!(certain, [true, false], "a router's name proves nothing");
        let other = (Some("OWN (utoo)".to_owned()), Some(NameSource::Router));
        assert_eq!(told("utoo"), other, "another token with the symbol of a listed one");
        assert_eq!(told("uno"), (None, None), "without a symbol there is no name");
    }

    #[test]
    fn a_channel_has_a_name_only_where_the_hash_proves_the_way() {
        let mut glossary = Glossary::default();
        let good = asset(&voucher("transfer/channel-3/uatom"), "ATOM", "transfer/channel-3", "uatom");
        let lie = asset(&voucher("transfer/channel-9/uatom"), "ATOM", "transfer/channel-4", "uatom");
        let far = "transfer/channel-5/transfer/channel-1";
        let far = asset(&voucher(&format!("{far}/uatom")), "ATOM", far, "uatom");
        glossary.add_assets(&[good, lie, far]);
        let behind = |channel: &str| glossary.chain_behind("transfer", channel).map(ToString::to_string);
        assert_eq!(behind("channel-3").as_deref(), Some("there-1"));
        assert_eq!((behind("channel-4"), behind("channel-5")), (None, None));
        assert_eq!(glossary.l1_chain_id, None, "no token of a bridge was listed");
    }
}
