//! `/v2/tx/submit`: broadcasts a signed transaction and tracks its transfer.

use base64::{Engine as _, prelude::BASE64_STANDARD};

use super::{RouterCall, RouterService};
use crate::{
    demo::{
        posted::TxRefusal,
        router::{
            error::RouterError,
            tracker::{
                report::LinkMaker as _,
                transfer::{SentTx, TransferKey},
            },
        },
    },
    domain::text::clip,
    wire::router::{ChainKind, SubmitRequest, TrackResponse},
};

/// JSON-RPC error code with which Ethereum nodes reject a transaction.
const ETHEREUM_CODE: i64 = -32_000;

impl RouterService {
    /// Submits a signed transaction to the node of its chain, and tracks its transfer.
    pub fn submit(&self, request: &SubmitRequest, call: RouterCall<'_>) -> Result<TrackResponse, RouterError> {
        let SubmitRequest { tx, chain_id } = request;
        let chain = self.world.chain(chain_id).ok_or_else(|| RouterError::not_found("chain ID not supported"))?;
        let digits = tx.strip_prefix("0x");
        let raw = digits.map_or_else(|| BASE64_STANDARD.decode(tx).ok(), |hex| alloy_primitives::hex::decode(hex).ok());
        let raw = raw.filter(|raw| !raw.is_empty());
        let raw = raw.ok_or_else(|| RouterError::invalid("tx: neither base64 nor hex with 0x"))?;
        let is_evm = chain.kind() == ChainKind::Evm;
        let refused = |refusal: TxRefusal| {
            let code = if is_evm || digits.is_some() { ETHEREUM_CODE } else { i64::from(refusal.code) };
            let (chain, log) = (clip(chain_id.as_str(), 60), clip(&refusal.log, 400));
            RouterError::invalid(format!("the node of {chain} rejected the transaction with code {code}: {log}"))
        };
        let tx_hash = if is_evm {
            self.post_ethereum(chain_id, &raw, call).map(|hash| hash.to_string())
        } else if digits.is_some() {
            self.ethereum_to_rollup(chain_id, &raw, call).map(|(cosmos, _)| cosmos.to_string())
        } else {
            self.post(chain_id, &raw, call).map(|hash| hash.to_string())
        };
        let key = TransferKey { chain_id: chain_id.clone(), tx_hash: tx_hash.map_err(refused)? };
        self.with_state(call, |state, _| {
            state.is_changed |= state.transfers.watch(&key, call.now).is_some();
        });
        // A transaction without a transfer to track still has a hash and a link.
        let TransferKey { chain_id, tx_hash } = key;
        let sent = SentTx { chain_id, tx_hash, at: call.now, height: None };
        let explorer_link = self.links.link(&sent);
        Ok(TrackResponse { tx_hash: sent.tx_hash, explorer_link: explorer_link.into() })
    }
}
