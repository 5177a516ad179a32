//! Claims of withdrawals that clients post. The router checks them as the L1's bridge module does.

use std::collections::BTreeMap;

use super::{RouterCall, RouterService, posting::LightPlan};
use crate::{
    demo::{
        posted::{TokenClaim, TxRefusal},
        router::{light::BalanceMovement, tracker::transfer::SentTx},
        settlement::{leaf, output_root, parent},
    },
    domain::{ChainId, Timestamp},
};

impl RouterService {
    /// Whether a withdrawal is claimed in an L1 block that exists.
    pub(in crate::demo) fn is_claimed(&self, withdrawal: u64, now: Timestamp) -> bool {
        self.state().claims.get(&withdrawal).is_some_and(|claim| claim.at <= now)
    }

    /// Checks a claim as the L1's bridge module does, in its order.
    pub(super) fn check_claim(
        &self,
        claim: &TokenClaim,
        chain_id: &ChainId,
        claims: &BTreeMap<u64, SentTx>,
        call: RouterCall<'_>,
    ) -> Result<(), TxRefusal> {
        if chain_id.as_str() != self.world.rollup().l1_chain_id {
            return Err(TxRefusal::sdk(37, "this simulated chain hosts no optimistic bridges"));
        }
        if claim.bridge_id != self.bridge.bridge_id {
            return Err(TxRefusal::ophost(2, &format!("bridge {} not found", claim.bridge_id)));
        }
        if [&claim.storage_root, &claim.last_block_hash].into_iter().chain(&claim.proofs).any(|hash| hash.len() != 32) {
            return Err(TxRefusal::ophost(10, "a hash has 32 bytes"));
        }
        let output = call.rollup.output(claim.output_index);
        let output = output.ok_or_else(|| TxRefusal::ophost(4, &format!("no output {}", claim.output_index)))?;
        if output.proposed.after(self.bridge.period) > call.now {
            return Err(TxRefusal::ophost(8, ""));
        }
        if output_root(&claim.version, &claim.storage_root, &claim.last_block_hash) != output.root() {
            return Err(TxRefusal::ophost(10, "invalid output root"));
        }
        if claims.contains_key(&claim.sequence) {
            return Err(TxRefusal::ophost(11, ""));
        }
        let amount = u64::try_from(claim.coin.amount.get()).map_err(|_| TxRefusal::ophost(10, "invalid amount"))?;
        let texts = [claim.from.as_str(), &claim.to, claim.coin.denom.as_str()];
        let leaf = leaf([claim.bridge_id, claim.sequence, amount], texts);
        let root = claim.proofs.iter().fold(leaf, |hash, beside| parent(&hash, beside));
        if root.as_slice() != claim.storage_root {
            return Err(TxRefusal::ophost(10, "invalid withdrawal proofs"));
        }
        Ok(())
    }

    /// Returns the effects of a valid claim.
    pub(super) fn claim_plan(&self, claim: &TokenClaim) -> LightPlan {
        LightPlan {
            plan: None,
            events: vec![BalanceMovement::received(&claim.to, &claim.coin.denom, claim.coin.amount)],
            what: format!("claims a withdrawal from {}", self.world.rollup().chain_id),
        }
    }
}
