//! Whether what is sent as a signed hook is one: a transaction of the recipient's, signed for the rollup that runs it.

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
    /// Refuses messages whose signed hook would not run: no transaction, another's, for another sequence, or with a
    /// signature that is not the recipient's. `account` is the recipient on the embedded rollup.
    pub fn check_hook(
        &self,
        request: &MsgsRequest,
        account: impl FnOnce(Address) -> Option<AnteAccount>,
    ) -> Result<(), RouterError> {
        let Some(signed) = &request.signed_op_hook else { return Ok(()) };
        let (chain_id, recipient) = (&request.dest_asset_chain_id, request.address_list.last());
        let Some(recipient) = recipient.filter(|_| self.world.rollup_of(chain_id).is_some()) else { return Ok(()) };
        let wrong = |why: &dyn std::fmt::Display| {
            RouterError::invalid(format!("signed_op_hook is not a transaction that {chain_id} would run: {why}"))
        };
        let raw = BASE64_STANDARD.decode(signed.hook()).map_err(|error| wrong(&error))?;
        let posted = PostedTx::read(&raw).map_err(|refusal| wrong(&refusal))?;
        if !same_account(posted.signer(), recipient) {
            return Err(wrong(&"its signer must be the recipient, the last address"));
        }
        // Nobody verifies what the demo wallet signs: it signs with nothing.
        if self.world.wallet_address(chain_id).is_some_and(|wallet| same_account(wallet, recipient)) {
            return Ok(());
        }
        let is_embedded = chain_id.as_str() == self.world.rollup().chain_id;
        let account = match recipient.parse() {
            Ok(address) if is_embedded => account(address),
            _ => self.with_light(chain_id, |chain| chain.account(recipient)).flatten(),
        };
        let missing = || wrong(&"the recipient has no account there yet, and so no number to sign for");
        posted.check_signer(chain_id.as_str(), "init", &account.ok_or_else(missing)?).map_err(|error| wrong(&error))
    }
}
