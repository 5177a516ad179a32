//! Checks a signed hook: the recipient's transaction, signed for its rollup.

use base64::{Engine as _, prelude::BASE64_STANDARD};

use super::RouterService;
use crate::{
    demo::{
        posted::{AnteAccount, PostedTx},
        router::error::RouterError,
    },
    domain::{Address, same_account},
    wire::router::MsgsRequest,
};

impl RouterService {
    /// Rejects messages whose hook would fail: it is not a transaction, another account signed it, or its sequence
    /// number or signature is wrong. `account` is the recipient on the embedded rollup.
    pub fn check_hook(
        &self,
        request: &MsgsRequest,
        account: impl FnOnce(Address) -> Option<AnteAccount>,
    ) -> Result<(), RouterError> {
        let Some(signed) = &request.signed_op_hook else { return Ok(()) };
        let (chain_id, recipient) = (&request.dest_asset_chain_id, request.address_list.last());
        let Some(recipient) = recipient.filter(|_| self.world.rollup_of(chain_id).is_some()) else { return Ok(()) };
        let wrong = |why: &dyn std::fmt::Display| {
            RouterError::invalid(format!("signed_op_hook is not a valid transaction on {chain_id}: {why}"))
        };
        let raw = BASE64_STANDARD.decode(signed.hook()).map_err(|error| wrong(&error))?;
        let posted = PostedTx::read(&raw).map_err(|refusal| wrong(&refusal))?;
        if !same_account(posted.signer(), recipient) {
            return Err(wrong(&"the signer must be the recipient, the last address"));
        }
        // The demo wallet's signature is a placeholder, which this check cannot verify.
        if self.world.wallet_address(chain_id).is_some_and(|wallet| same_account(wallet, recipient)) {
            return Ok(());
        }
        let is_embedded = chain_id.as_str() == self.world.rollup().chain_id;
        let account = match recipient.parse() {
            Ok(address) if is_embedded => account(address),
            _ => self.with_light(chain_id, |chain| chain.account(recipient)).flatten(),
        };
        let missing =
            || wrong(&"the recipient has no account on the destination; fund the account, then sign the hook");
        posted.check_signer(chain_id.as_str(), "init", &account.ok_or_else(missing)?).map_err(|error| wrong(&error))
    }
}
