//! Renders the signed part of a transaction, and its hash.

use super::{Render, RenderView, base64, body};
use crate::{
    demo::ledger::{
        common::{
            Flavour,
            catalogue::FEE_TOKEN,
            record::{FeePayment, SignMode, TokenId, TxRecord},
        },
        derive,
        json::Json,
    },
    domain::TxHash,
    wire::proto::{encode_tx, tx_hash},
};

/// Returns the declared fee: `None` for an empty list, zero for relayers.
pub(super) fn fee<F: Flavour>(view: &RenderView<'_>, tx: &TxRecord<F>) -> Option<(String, u128)> {
    let price = view.world.catalogue.fee(tx.gas_wanted);
    let denom = view.denom(TokenId(FEE_TOKEN)).to_owned();
    match tx.fee {
        FeePayment::Signer | FeePayment::Granter(_) => Some((denom, price)),
        FeePayment::TooLittle => Some((denom, 1)),
        FeePayment::Declared => tx.posted.as_ref().map(|posted| (denom, posted.fee)).filter(|(_, amount)| *amount > 0),
        FeePayment::Zero => Some((view.world.catalogue.free_denom.to_owned(), 0)),
        FeePayment::Empty => None,
    }
}

/// Signed parts of a transaction: body, auth info, signature.
pub(super) struct SignedTxParts {
    /// Body as JSON.
    pub(super) body: String,
    /// Keys, sign modes, sequence numbers and fee as JSON.
    pub(super) auth_info: String,
    /// Signature in base64.
    pub(super) signature: String,
}

impl SignedTxParts {
    /// Builds the parts of a simulated transaction that declares this fee.
    pub(super) fn of<F: Render>(view: &RenderView<'_>, tx: &TxRecord<F>, fee: Option<&(String, u128)>) -> Self {
        let (body, auth_info) = (body::body(view, tx), body::auth_info(view, tx, fee));
        Self { body, auth_info, signature: signature(view, tx) }
    }

    /// Returns the transaction's JSON, as in a node's REST API.
    pub(super) fn json(&self) -> String {
        let mut json = Json::new();
        json.object(|json| {
            json.value("body", &self.body).value("auth_info", &self.auth_info);
            json.key("signatures").list(|json| {
                json.string(&self.signature);
            });
        });
        json.finish()
    }
}

pub(crate) fn hash<F: Render>(view: &RenderView<'_>, tx: &TxRecord<F>) -> TxHash {
    if let Some(posted) = &tx.posted {
        return posted.tx.hash();
    }
    hash_of(&SignedTxParts::of(view, tx, fee(view, tx).as_ref()).json())
}

/// Returns the hash of a transaction, from its JSON.
pub(super) fn hash_of(json: &str) -> TxHash {
    match encode_tx(json) {
        Ok(raw) => tx_hash(&raw),
        Err(error) => {
            tracing::error!(%error, "a simulated transaction is not encodable");
            tx_hash(json.as_bytes())
        }
    }
}

/// Returns the signature in base64.
fn signature<F: Flavour>(view: &RenderView<'_>, tx: &TxRecord<F>) -> String {
    base64(signature_bytes(view, tx))
}

/// Derives the signature from chain and global number. The simulation never verifies it.
pub(crate) fn signature_bytes<F: Flavour>(view: &RenderView<'_>, tx: &TxRecord<F>) -> Vec<u8> {
    let number = view.number;
    let mut bytes = derive::filler("signature", &[view.clock.identity, number, u64::from(tx.sequence)], 64);
    if tx.style == SignMode::Ethereum {
        bytes.push(u8::from(number % 2 == 1));
    }
    bytes
}
