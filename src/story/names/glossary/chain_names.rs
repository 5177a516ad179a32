//! Names from the chain's own state: proven by its bridge to the L1, or claimed by its bank.

use std::sync::Arc;

use super::{
    Glossary, TokenUnit,
    listed::{MOST_DECIMALS, NameSource},
};
use crate::{
    domain::{Denom, text},
    story::names::{bridge_number::bridged_denom, denoms::DenomTrace},
    wire::node::{ContractUnit, NodeNames},
};

impl Glossary {
    /// Adds L1, bridge id and channels of the chain. The network's list takes precedence.
    pub fn add_bridge_of_chain(&mut self, names: &NodeNames) {
        let Some(bridge) = &names.bridge else { return };
        let is_same = *self.l1_chain_id.get_or_insert_with(|| bridge.l1_chain_id.clone()) == bridge.l1_chain_id;
        if !is_same {
            return;
        }
        self.bridge_id.get_or_insert(bridge.bridge_id);
        for (port, channel) in &names.l1_channels {
            if self.chain_behind(port, channel).is_none() {
                self.add_channel(port.as_str(), channel.as_str(), bridge.l1_chain_id.as_str());
            }
        }
    }

    /// Adds token names from the chain's state. Returns whether any is new.
    ///
    /// L1 tokens that came over the bridge or over one hop are proven by the hash in their denoms. The token's creator
    /// writes the bank's metadata, so these names appear in quotes and only without another source; metadata of
    /// vouchers and bridged tokens only repeats a denom and is skipped.
    pub fn add_chain_names(&mut self, names: &NodeNames) -> bool {
        let before = self.tokens.len();
        for (denom, unit) in self.proven_units(names) {
            self.add_own_unit(denom, &unit, NameSource::Bridge);
        }
        for unit in &names.units {
            let denom = unit.denom.as_str();
            if unit.decimals <= MOST_DECIMALS && !denom.starts_with("ibc/") && !denom.starts_with("l2/") {
                let symbol = text::quoted_within(&unit.symbol, MOST_SYMBOL);
                let unit_of = TokenUnit { symbol, decimals: unit.decimals };
                self.add_own_unit(unit.denom.clone(), &unit_of, NameSource::Bank);
            }
        }
        before != self.tokens.len()
    }

    /// Adds the names that token contracts report, in quotes and only without another source. Returns whether any is
    /// new.
    pub fn add_contract_units(&mut self, units: &[ContractUnit]) -> bool {
        let before = self.tokens.len();
        for unit in units.iter().filter(|unit| unit.decimals <= MOST_DECIMALS) {
            let symbol = text::quoted_within(&unit.symbol, MOST_SYMBOL);
            self.add_own_unit(unit.denom.clone(), &TokenUnit { symbol, decimals: unit.decimals }, NameSource::Contract);
        }
        before != self.tokens.len()
    }

    /// Returns the local denoms of L1 tokens, if the bridge or a channel is known to lead to the L1.
    fn proven_units(&self, names: &NodeNames) -> Vec<(Denom, Arc<TokenUnit>)> {
        let Some(bridge) = names.bridge.as_ref().filter(|of| self.l1_chain_id.as_ref() == Some(&of.l1_chain_id)) else {
            return Vec::new();
        };
        let mut units = Vec::new();
        for (denom, unit) in &self.l1_tokens {
            units.push((bridged_denom(bridge.bridge_id, denom.as_str()), Arc::clone(unit)));
            for (port, channel) in &names.l1_channels {
                let path = format!("{port}/{channel}/{denom}");
                units.push((DenomTrace::of(&path).denom(), Arc::clone(unit)));
            }
        }
        units
    }

    fn add_own_unit(&mut self, denom: Denom, unit: &TokenUnit, source: NameSource) {
        if self.token(&denom).is_none() {
            self.add_token(denom.clone(), unit.symbol.as_str(), unit.decimals);
            self.own_units.insert(denom, source);
        }
    }
}

/// Maximum columns of a symbol from the bank or a contract.
const MOST_SYMBOL: usize = 16;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::node::{BankUnit, NodeBridge};

    fn names() -> NodeNames {
        let unit =
            |denom: &str, symbol: &str| BankUnit { denom: Denom::new(denom), symbol: symbol.to_owned(), decimals: 6 };
        NodeNames {
            chain_id: "rollup-1".to_owned(),
            bridge: Some(NodeBridge {
                bridge_id: 31,
                l1_chain_id: "interwoven-1".to_owned(),
                l1_client_id: "07-tendermint-0".to_owned(),
            }),
            units: vec![
                unit("umin", "MIN"),
                unit("factory/init1x/fake", "INIT” by “all"),
                unit("ibc/00", "USDC"),
                unit("l2/00", "INIT"),
            ],
            l1_channels: vec![("transfer".to_owned(), "channel-0".to_owned())],
        }
    }

    fn learned(names: &NodeNames) -> Glossary {
        let mut glossary = Glossary::default();
        glossary.add_bridge_of_chain(names);
        glossary.add_chain_names(names);
        glossary
    }

    fn symbol<'g>(glossary: &'g Glossary, denom: &str) -> Option<&'g str> {
        glossary.token(&Denom::new(denom)).map(|unit| unit.symbol.as_str())
    }

    #[test]
    fn only_what_a_hash_proves_has_the_known_name() {
        let bridged = "l2/fb936ffef4eb4019d82941992cc09ae2788ce7197fcb08cb00c4fe6f5e79184e";
        let voucher = DenomTrace::of("transfer/channel-0/uinit").denom();
        let glossary = learned(&names());
        for denom in [bridged, voucher.as_str()] {
            assert_eq!(symbol(&glossary, denom), Some("INIT"));
            assert_eq!(glossary.token_source(&Denom::new(denom)), Some(NameSource::Bridge));
        }
        assert_eq!(symbol(&glossary, "umin"), Some("“MIN”"));
        assert_eq!(glossary.token_source(&Denom::new("umin")), Some(NameSource::Bank));
        assert_eq!(symbol(&glossary, "factory/init1x/fake"), Some("“INIT\" by \"all”"));
        assert_eq!((symbol(&glossary, "ibc/00"), symbol(&glossary, "l2/00")), (None, None));
        assert_eq!(glossary.chain_behind("transfer", "channel-0").map(|chain| &**chain), Some("interwoven-1"));
        // Over another bridge the denom is unknown.
        let other =
            NodeNames { bridge: names().bridge.map(|bridge| NodeBridge { bridge_id: 32, ..bridge }), ..names() };
        assert_eq!(symbol(&learned(&other), bridged), None);
    }

    #[test]
    fn what_a_contract_calls_itself_is_in_quotes_and_gives_way() {
        let mut glossary = learned(&names());
        let unit = |denom: &str, symbol: &str| ContractUnit {
            denom: Denom::new(denom),
            symbol: symbol.to_owned(),
            decimals: 18,
        };
        assert!(glossary.add_contract_units(&[unit("evm/aB", "INIT"), unit("umin", "MAX")]));
        assert_eq!(symbol(&glossary, "evm/aB"), Some("“INIT”"));
        assert_eq!(glossary.token_source(&Denom::new("evm/aB")), Some(NameSource::Contract));
        assert_eq!(symbol(&glossary, "umin"), Some("“MIN”"), "the bank spoke first");
        assert!(!glossary.add_contract_units(&[unit("evm/aB", "OTHER")]), "one name is enough");
    }

    #[test]
    fn who_speaks_for_more_goes_before_the_chain() {
        let mut glossary = Glossary { l1_chain_id: Some("another-1".to_owned()), ..Glossary::default() };
        glossary.add_token(Denom::new("umin"), "MINE", 6);
        glossary.add_bridge_of_chain(&names());
        glossary.add_chain_names(&names());
        assert_eq!((symbol(&glossary, "umin"), glossary.bridge_id), (Some("MINE"), None), "the list's words stay");
        let voucher = DenomTrace::of("transfer/channel-0/uinit").denom();
        assert_eq!(symbol(&glossary, voucher.as_str()), None, "nothing is proven of an L1 that the list does not name");
        let mut glossary = learned(&names());
        let asset = serde_json::json!({
            "denom": "umin", "chain_id": "rollup-1", "origin_denom": "umin", "origin_chain_id": "rollup-1", "trace": "",
            "symbol": "MINIMUM", "decimals": 6,
        });
        assert!(glossary.add_assets(&[serde_json::from_value(asset).unwrap()]), "a router knows better");
        assert_eq!(symbol(&glossary, "umin"), Some("MINIMUM"));
        assert_eq!(glossary.token_source(&Denom::new("umin")), Some(NameSource::Router));
    }
}
