//! Units that a chain's own state reports while the user prepares a transaction, for tokens that neither settings nor
//! registry know. They are read for this transaction alone, never from kept names.

use std::collections::HashMap;

use super::{
    bridge_number::bridged_denom,
    chain_names::{Names, UnitSource},
    glossary::TokenUnit,
};
use crate::{
    domain::{Amount, ChainId, Denom, text},
    wire::node::{DenomClaim, DenomFacts},
};

/// Maximum columns of a symbol that the token's creator chose.
const MOST_SYMBOL: usize = 16;

#[derive(Clone, Debug, Default)]
pub struct ReportedUnits(HashMap<(ChainId, Denom), (TokenUnit, UnitSource)>);

impl ReportedUnits {
    /// Reads facts of one chain. A bridged token has the unit of its L1 denom, if that is known and the hash of the
    /// bridge and the L1 denom is the denom; what modules say of such tokens counts for nothing.
    pub fn new(facts: &DenomFacts, bridge_id: Option<u64>, l1_unit: impl Fn(&Denom) -> Option<(String, u8)>) -> Self {
        let chain = ChainId::new(facts.chain_id.as_str());
        let units = facts.facts.iter().filter_map(|fact| {
            let told = match &fact.claim {
                DenomClaim::Unit { symbol, decimals, .. } => {
                    let symbol = text::quoted_within(symbol, MOST_SYMBOL);
                    (TokenUnit { symbol, decimals: *decimals }, UnitSource::Issuer)
                }
                DenomClaim::Origin(base) => {
                    let is_proven = bridged_denom(bridge_id?, base) == fact.denom;
                    let (symbol, decimals) = l1_unit(&Denom::new(base.as_str())).filter(|_| is_proven)?;
                    (TokenUnit { symbol, decimals }, UnitSource::Known)
                }
            };
            Some(((chain.clone(), fact.denom.clone()), told))
        });
        Self(units.collect())
    }

    /// Returns the decimals by chain and denom.
    pub fn decimals(&self) -> impl Iterator<Item = (&ChainId, &Denom, u8)> {
        self.0.iter().map(|((chain, denom), (unit, _))| (chain, denom, unit.decimals))
    }

    /// Returns these names with the chain's units before a router's.
    pub fn before<'a>(&'a self, names: &'a dyn Names) -> ReportedNames<'a> {
        ReportedNames { names, reported: self }
    }
}

/// Names in which the chain's units come after settings and registry, and before a router's.
pub struct ReportedNames<'a> {
    names: &'a dyn Names,
    reported: &'a ReportedUnits,
}

impl ReportedNames<'_> {
    fn told(&self, chain: &ChainId, denom: &Denom) -> Option<&(TokenUnit, UnitSource)> {
        let is_open = self.names.unit_source(chain, denom) != UnitSource::Known;
        self.reported.0.get(&(chain.clone(), denom.clone())).filter(|_| is_open)
    }
}

impl Names for ReportedNames<'_> {
    fn chain(&self, chain: &ChainId) -> String {
        self.names.chain(chain)
    }

    fn settled_chain(&self, chain: &ChainId) -> Option<String> {
        self.names.settled_chain(chain)
    }

    fn amount(&self, chain: &ChainId, denom: &Denom, amount: Amount) -> String {
        match self.told(chain, denom) {
            Some((unit, _)) => format!("{} {}", amount.display(unit.decimals), unit.symbol),
            None => self.names.amount(chain, denom, amount),
        }
    }

    fn denom(&self, chain: &ChainId, denom: &Denom) -> String {
        self.told(chain, denom).map_or_else(|| self.names.denom(chain, denom), |(unit, _)| unit.symbol.clone())
    }

    fn unit_source(&self, chain: &ChainId, denom: &Denom) -> UnitSource {
        self.told(chain, denom).map_or_else(|| self.names.unit_source(chain, denom), |(_, source)| *source)
    }

    fn is_settlement(&self, chain: &ChainId) -> bool {
        self.names.is_settlement(chain)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        story::words::signing_names::exact_amount,
        wire::node::{DenomFact, UnitReporter},
    };

    /// Router that lists every token as USDC with 8 decimals.
    struct Router;

    impl Names for Router {
        fn chain(&self, chain: &ChainId) -> String {
            chain.to_string()
        }

        fn amount(&self, _: &ChainId, _: &Denom, amount: Amount) -> String {
            format!("{} USDC", amount.display(8))
        }

        fn denom(&self, _: &ChainId, _: &Denom) -> String {
            "USDC".to_owned()
        }

        fn unit_source(&self, _: &ChainId, denom: &Denom) -> UnitSource {
            if denom.as_str() == "uinit" { UnitSource::Known } else { UnitSource::Router }
        }
    }

    #[test]
    fn the_chain_comes_before_a_router_and_after_the_settings() {
        let claim =
            |symbol: &str| DenomClaim::Unit { symbol: symbol.to_owned(), decimals: 6, reporter: UnitReporter::Bank };
        let (bridged, other) = (bridged_denom(77, "uinit"), bridged_denom(77, "uusdc"));
        let fact = |denom: &Denom, claim| DenomFact { denom: denom.clone(), claim };
        let origin = |base: &str| DenomClaim::Origin(base.to_owned());
        let [umin, uinit, far] = ["umin", "uinit", "l2/00"].map(Denom::new);
        let facts = DenomFacts {
            chain_id: "roll-1".to_owned(),
            facts: vec![
                fact(&umin, claim("INIT")),
                fact(&uinit, claim("X")),
                fact(&bridged, origin("uinit")),
                fact(&other, origin("uusdc")),
                fact(&far, origin("uinit")),
            ],
        };
        let l1 = |denom: &Denom| (denom.as_str() == "uinit").then(|| ("INIT".to_owned(), 6));
        let told = ReportedUnits::new(&facts, Some(77), l1);
        let chain = ChainId::new("roll-1");
        let words = |chain: &ChainId, denom: &Denom| {
            exact_amount(&told.before(&Router), chain, denom, Amount::from(100_000_000))
        };
        assert_eq!(words(&chain, &umin), "100 “INIT” (exactly 100,000,000 umin)");
        assert_eq!(words(&chain, &bridged), "100 INIT");
        assert_eq!(words(&chain, &uinit), "1 USDC", "settings know it");
        let routed = |denom: &Denom| format!("1 “USDC” (by the router's units; exactly 100,000,000 {denom})");
        for unproven in [&other, &far] {
            assert_eq!(words(&chain, unproven), routed(unproven));
        }
        assert_eq!(words(&ChainId::new("roll-2"), &umin), routed(&umin), "another chain's token");
    }
}
