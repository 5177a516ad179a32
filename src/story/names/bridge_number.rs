use alloy_primitives::hex;
use sha3::{Digest, Sha3_256};

use super::glossary::Glossary;
use crate::domain::Denom;

/// Maximum bridge ids to try; L1s have far fewer.
const MOST: u64 = 4096;

/// Id of the bridge between a rollup and its L1: from the glossary, else derived from a denom.
pub(crate) struct BridgeNumber {
    known: Option<u64>,
    is_searched: bool,
}

impl BridgeNumber {
    /// Creates the number with the glossary's id.
    pub(crate) fn of(glossary: &Glossary) -> Self {
        Self { known: glossary.bridge_id, is_searched: glossary.bridge_id.is_some() }
    }

    /// Returns the id, searched once: the bridge that derives this denom from this L1 denom.
    pub(crate) fn find(&mut self, l2_denom: &str, l1_denom: &str) -> Option<u64> {
        if !self.is_searched && !l1_denom.is_empty() && l2_denom.starts_with("l2/") {
            self.is_searched = true;
            self.known = (1..=MOST).find(|number| is_made(*number, l2_denom, l1_denom));
        }
        self.known
    }
}

impl BridgeNumber {
    /// Whether this bridge derives the denom from the L1 denom; no other bridge can derive an equal denom.
    pub(crate) fn makes(&mut self, l2_denom: &str, l1_denom: &str) -> bool {
        self.find(l2_denom, l1_denom).is_some_and(|number| is_made(number, l2_denom, l1_denom))
    }
}

/// Whether a bridge derives this denom: `l2/` and sha3-256 of the bridge id and the L1 denom.
fn is_made(bridge_id: u64, l2_denom: &str, l1_denom: &str) -> bool {
    l2_denom.starts_with("l2/") && l2_denom == bridged_denom(bridge_id, l1_denom).as_str()
}

/// Derives the denom of an L1 denom over this bridge.
pub(crate) fn bridged_denom(bridge_id: u64, l1_denom: &str) -> Denom {
    let hash = Sha3_256::new().chain_update(bridge_id.to_be_bytes()).chain_update(l1_denom).finalize();
    Denom::new(format!("l2/{}", hex::encode(hash)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const INTERGAZE: &str = "l2/fb936ffef4eb4019d82941992cc09ae2788ce7197fcb08cb00c4fe6f5e79184e";

    #[test]
    fn a_bridge_is_known_by_the_denoms_it_makes() {
        let mut bridge = BridgeNumber::of(&Glossary::default());
        assert_eq!(bridge.find(INTERGAZE, "uinit"), Some(31));
        assert_eq!(bridge.find("l2/00", "uinit"), Some(31), "one rollup has one bridge");
        let mut glossary = Glossary::default();
        glossary.bridge_id = Some(7);
        let mut told = BridgeNumber::of(&glossary);
        assert_eq!(told.find(INTERGAZE, "uinit"), Some(7));
        assert!(
            bridge.makes(INTERGAZE, "uinit") && !bridge.makes(INTERGAZE, "uusdc") && !bridge.makes("l2/00", "uinit")
        );
        assert!(!told.makes(INTERGAZE, "uinit"), "another bridge's token");
    }

    #[test]
    fn a_search_that_found_nothing_is_not_repeated() {
        let mut bridge = BridgeNumber::of(&Glossary::default());
        assert_eq!(bridge.find("ibc/00", "uinit"), None);
        assert_eq!(bridge.find("l2/00", "uinit"), None);
        assert_eq!(bridge.find(INTERGAZE, "uinit"), None);
    }
}
