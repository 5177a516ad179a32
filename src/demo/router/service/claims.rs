//! Claims of withdrawals that clients post. The router checks them as the L1's bridge module does.

use std::collections::{BTreeMap, BTreeSet};

use super::{RouterCall, RouterService, posting::LightPlan};
use crate::{
    demo::{
        posted::{TokenClaim, TxRefusal},
        router::{light::BalanceMovement, tracker::transfer::SentTx},
        settlement::{leaf, output_root, parent},
    },
    domain::{ChainId, Timestamp, text},
};

impl RouterService {
    /// Whether a withdrawal is claimed in an L1 block that exists.
    pub(in crate::demo) fn is_claimed(&self, withdrawal: u64, now: Timestamp) -> bool {
        self.state().claims.get(&withdrawal).is_some_and(|claim| claim.at <= now)
    }

    /// Checks the claims of a transaction, one after the other.
    pub(super) fn check_claims(
        &self,
        all: &[&TokenClaim],
        chain_id: &ChainId,
        claims: &BTreeMap<u64, SentTx>,
        call: RouterCall<'_>,
    ) -> Result<(), TxRefusal> {
        let mut claimed: BTreeSet<u64> = claims.keys().copied().collect();
        for (place, claim) in all.iter().enumerate() {
            self.check_claim(claim, chain_id, &claimed, call).map_err(|refusal| refusal.of_message(place))?;
            claimed.insert(claim.sequence);
        }
        Ok(())
    }

    /// Checks a claim as the L1's bridge module does, in its order.
    fn check_claim(
        &self,
        claim: &TokenClaim,
        chain_id: &ChainId,
        claimed: &BTreeSet<u64>,
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
        if claimed.contains(&claim.sequence) {
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

    /// Returns the effects of valid claims.
    pub(super) fn claim_plan(&self, all: &[&TokenClaim]) -> LightPlan {
        let received = |claim: &&TokenClaim| BalanceMovement::received(&claim.to, &claim.coin.denom, claim.coin.amount);
        let what = text::count(all.len(), "withdrawal");
        LightPlan {
            plan: None,
            events: all.iter().map(received).collect(),
            what: format!("claims {what} from {}", self.world.rollup().chain_id),
        }
    }
}
