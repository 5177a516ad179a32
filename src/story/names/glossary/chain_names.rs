//! Names from the chain's own state: proven by its bridge to the L1, or claimed by its bank.

use std::sync::Arc;

use super::{
    Glossary, TokenUnit,
    listed::{MOST_DECIMALS, NameSource},
};
use crate::{
    domain::{Denom, text},
    story::names::{bridge_number::bridged_denom, denoms::DenomTrace},
    wire::node::{DenomClaim, DenomFact, NodeNames, UnitReporter},
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

    /// Adds fee denoms and token names from the chain's state. Returns whether any is new.
    ///
    /// L1 tokens that came over the bridge or over one hop are proven by the hash in their denoms; their units are a
    /// router's word where only a router lists the token.
    pub fn add_chain_names(&mut self, names: &NodeNames) -> bool {
        let mut is_news = self.gas_denom != names.gas_denom;
        self.gas_denom.clone_from(&names.gas_denom);
        is_news |= self.add_fee_denoms(&names.fee_denoms);
        let proven = self.proven_tokens(names);
        let is_listed = |source: &NameSource| *source == NameSource::Network;
        let listed =
            self.l1_tokens.values().filter(|(_, source)| is_listed(source)).map(|(unit, _)| unit.symbol.clone());
        let listed = listed.chain(self.listed_symbols().map(str::to_owned)).collect();
        for (denom, (unit, source)) in proven {
            let unit = TokenUnit::clone(&unit);
            is_news |= if is_listed(&source) {
                self.claim(denom, unit, NameSource::Bridge)
            } else {
                // What a router says of the chain's own denom stays.
                self.claims(&denom).all(|(by, _)| by != source) && self.claim_by_router(denom, unit, &listed)
            };
        }
        self.add_facts(&names.facts) || is_news
    }

    /// Adds denoms in which the chain takes fees. Returns whether any is new.
    pub fn add_fee_denoms(&mut self, denoms: &[Denom]) -> bool {
        let mut is_news = false;
        // A denom that looks like a symbol is the chain's own word here, unless it imitates a well-known one.
        for denom in denoms.iter().filter(|denom| denom.spells_symbol() && !denom.spells_known_symbol()) {
            let unit = TokenUnit { symbol: text::quoted_within(denom.as_str(), MOST_SYMBOL), decimals: 0 };
            is_news |= self.claim(denom.clone(), unit, NameSource::Fee);
        }
        is_news
    }

    /// Adds what the chain's bank and contracts say of tokens. Returns whether any is new.
    ///
    /// The token's creator writes these names, so they appear in quotes. The origin of a bridged token or a voucher
    /// counts only if its hash is the denom; it tells no decimals.
    pub fn add_facts(&mut self, facts: &[DenomFact]) -> bool {
        let mut is_news = false;
        for DenomFact { denom, claim } in facts {
            is_news |= match claim {
                DenomClaim::Unit { symbol, decimals, reporter } if *decimals <= MOST_DECIMALS => {
                    let source = match reporter {
                        UnitReporter::Bank => NameSource::Bank,
                        UnitReporter::Contract => NameSource::Contract,
                    };
                    let symbol = text::quoted_within(symbol, MOST_SYMBOL);
                    self.claim(denom.clone(), TokenUnit { symbol, decimals: *decimals }, source)
                }
                DenomClaim::Origin(path) if self.is_origin(path, denom) => {
                    let symbol = format!("{} ({})", Denom::new(DenomTrace::of(path).base).short(), denom.short());
                    self.claim(denom.clone(), TokenUnit { symbol, decimals: 0 }, NameSource::Origin)
                }
                DenomClaim::Unit { .. } | DenomClaim::Origin(_) => false,
            };
        }
        is_news
    }

    /// Whether the denom is the hash of this path, or of this L1 denom and the chain's bridge.
    fn is_origin(&self, path: &str, denom: &Denom) -> bool {
        let trace = DenomTrace::of(path);
        let is_bridged = || self.bridge_id.is_some_and(|bridge| bridged_denom(bridge, path) == *denom);
        trace.is_voucher() && trace.denom() == *denom || is_bridged()
    }

    /// Returns the local denoms of L1 tokens, if the bridge or a channel is known to lead to the L1.
    fn proven_tokens(&self, names: &NodeNames) -> Vec<(Denom, (Arc<TokenUnit>, NameSource))> {
        let Some(bridge) = names.bridge.as_ref().filter(|of| self.l1_chain_id.as_ref() == Some(&of.l1_chain_id)) else {
            return Vec::new();
        };
        let mut tokens = Vec::new();
        for (denom, token) in &self.l1_tokens {
            tokens.push((bridged_denom(bridge.bridge_id, denom.as_str()), token.clone()));
            for (port, channel) in &names.l1_channels {
                let path = format!("{port}/{channel}/{denom}");
                tokens.push((DenomTrace::of(&path).denom(), token.clone()));
            }
        }
        tokens
    }
}

/// Maximum columns of a symbol from the bank or a contract.
const MOST_SYMBOL: usize = 16;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::node::NodeBridge;

    fn fact(denom: &str, symbol: &str, decimals: u8, reporter: UnitReporter) -> DenomFact {
        let claim = DenomClaim::Unit { symbol: symbol.to_owned(), decimals, reporter };
        DenomFact { denom: Denom::new(denom), claim }
    }

    fn origin(denom: &str, path: &str) -> DenomFact {
        DenomFact { denom: Denom::new(denom), claim: DenomClaim::Origin(path.to_owned()) }
    }

    fn names() -> NodeNames {
        let unit = |denom: &str, symbol: &str| fact(denom, symbol, 6, UnitReporter::Bank);
        NodeNames {
            chain_id: "rollup-1".to_owned(),
            bridge: Some(NodeBridge {
                bridge_id: 31,
                l1_chain_id: "interwoven-1".to_owned(),
                l1_client_id: "07-tendermint-0".to_owned(),
            }),
            gas_denom: Some(Denom::new("GAS")),
            fee_denoms: vec![Denom::new("GAS")],
            supply: Vec::new(),
            facts: vec![
                unit("umin", "MIN"),
                unit("factory/init1x/fake", "INIT” by “all"),
                origin("ibc/00", "transfer/channel-0/uusdc"),
                origin("l2/00", "uinit"),
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
    fn a_routers_list_of_the_l1_proves_no_units() {
        let asset = |denom: &str, symbol: &str, decimals: u8| {
            let record = serde_json::json!({
                "denom": denom, "chain_id": "interwoven-1", "origin_denom": denom, "trace": "", "symbol": symbol,
                "origin_chain_id": "interwoven-1", "decimals": decimals,
            });
            serde_json::from_value(record).unwrap()
        };
        let mut glossary = Glossary::default();
        let lies = [asset("uinit", "USDC", 0), asset("uusdc", "USDC", 18), asset("ufake", "INIT", 6)];
        assert!(glossary.add_l1_assets(&lies));
        assert_eq!(glossary.l1_token(&Denom::new("uusdc")), None, "no transaction takes its units from a router");
        glossary.add_bridge_of_chain(&names());
        glossary.add_chain_names(&names());
        let (usdc, fake) = (bridged_denom(31, "uusdc"), bridged_denom(31, "ufake"));
        let voucher = DenomTrace::of("transfer/channel-0/uusdc").denom();
        let told = |denom: &Denom| (glossary.token_source(denom), glossary.is_certain(denom));
        assert_eq!([&usdc, &voucher, &fake].map(told), [(Some(NameSource::Router), false); 3]);
        let init = bridged_denom(31, "uinit");
        assert_eq!((symbol(&glossary, init.as_str()), told(&init)), (Some("INIT"), (Some(NameSource::Bridge), true)));
        let imitation = format!("INIT ({})", fake.short());
        assert_eq!(symbol(&glossary, fake.as_str()), Some(imitation.as_str()), "reserved for the listed token");
        let own = serde_json::json!({
            "denom": usdc.as_str(), "chain_id": "rollup-1", "origin_denom": "uusdc", "trace": "", "symbol": "USDC",
            "origin_chain_id": "interwoven-1", "decimals": 6,
        });
        glossary.add_assets(&[serde_json::from_value(own).unwrap()]);
        glossary.add_chain_names(&names());
        assert_eq!(glossary.token(&usdc).map(|unit| unit.decimals), Some(6), "its list of this chain stays");
        glossary.add_facts(&[fact(usdc.as_str(), "USDC", 8, UnitReporter::Contract)]);
        assert!(glossary.is_disputed(&usdc), "the router has no last word");
    }

    #[test]
    fn a_contracts_own_name_is_in_quotes_and_vouches_for_nothing() {
        let mut glossary = learned(&names());
        let unit = |denom: &str, symbol: &str| fact(denom, symbol, 6, UnitReporter::Contract);
        assert!(glossary.add_facts(&[unit("evm/aB", "INIT"), unit("umin", "MAX")]));
        assert_eq!(symbol(&glossary, "evm/aB"), Some("“INIT”"));
        assert_eq!(glossary.token_source(&Denom::new("evm/aB")), Some(NameSource::Contract));
        assert_eq!(symbol(&glossary, "umin"), Some("“MIN”"), "the bank comes first");
        assert!(glossary.add_facts(&[unit("evm/aB", "OTHER")]), "asked again, the newest answer counts");
        assert!(!glossary.add_facts(&[unit("evm/aB", "OTHER")]));
        let bridged = "l2/fb936ffef4eb4019d82941992cc09ae2788ce7197fcb08cb00c4fe6f5e79184e";
        let vouched = ["umin", "evm/aB", bridged].map(|denom| glossary.is_certain(&Denom::new(denom)));
        assert_eq!(vouched, [false, false, true]);
    }

    #[test]
    fn sources_that_differ_in_decimals_leave_the_integer() {
        let mut glossary = learned(&names());
        glossary.add_token(Denom::new("ueth"), "ETH", 18);
        let told = |denom: &str, decimals| fact(denom, "X", decimals, UnitReporter::Contract);
        assert!(!glossary.add_facts(&[told("umin", 6), told("ueth", 18)]), "equal decimals are no news");
        assert!(glossary.add_facts(&[told("umin", 8), told("ueth", 6)]));
        let unit = |denom: &str| glossary.token(&Denom::new(denom)).map(|unit| (unit.symbol.as_str(), unit.decimals));
        assert_eq!(unit("umin"), Some(("umin (6 or 8 decimals)", 0)));
        assert_eq!(unit("ueth"), Some(("ueth (6 or 18 decimals)", 0)));
    }

    #[test]
    fn an_origin_is_shown_where_the_hash_proves_it_and_tells_no_decimals() {
        let mut glossary = learned(&names());
        let bridged = bridged_denom(31, "uusdc");
        let voucher = DenomTrace::of("transfer/channel-7/INIT").denom();
        let far = bridged_denom(32, "uusdc");
        let told = |denom: &Denom, path: &str| origin(denom.as_str(), path);
        let facts = [told(&bridged, "uusdc"), told(&voucher, "transfer/channel-7/INIT"), told(&far, "uusdc")];
        assert!(glossary.add_facts(&facts));
        let shown = |denom: &Denom| glossary.token(denom).map(|unit| (unit.symbol.clone(), unit.decimals));
        assert_eq!(shown(&bridged), Some((format!("uusdc ({})", bridged.short()), 0)));
        assert_eq!(shown(&voucher), Some((format!("“INIT” (unknown denom) ({})", voucher.short()), 0)));
        assert_eq!(shown(&far), None, "another bridge's denom");
        let asset = serde_json::json!({
            "denom": bridged.as_str(), "chain_id": "rollup-1", "origin_denom": "uusdc", "trace": "", "symbol": "USDC",
            "origin_chain_id": "noble-1", "decimals": 6,
        });
        assert!(glossary.add_assets(&[serde_json::from_value(asset).unwrap()]));
        assert_eq!(symbol(&glossary, bridged.as_str()), Some("USDC"), "an origin tells no decimals to differ in");
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
        assert!(!glossary.add_assets(&[serde_json::from_value(asset).unwrap()]), "the chain comes before the router");
        assert_eq!(symbol(&glossary, "umin"), Some("“MIN”"));
        assert_eq!(glossary.token_source(&Denom::new("umin")), Some(NameSource::Bank));
    }
}
