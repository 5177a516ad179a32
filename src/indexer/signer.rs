//! Signers of a transaction, derived from its public keys.

use crate::{
    domain::Address,
    wire::{
        RawJson,
        node::{SignerInfo, TxAuthInfo},
        proto,
    },
};

/// Returns the accounts of all signers in order, with `None` for a missing or unknown key.
pub(super) fn signers(auth_info: &TxAuthInfo) -> Vec<Option<Address>> {
    auth_info.signer_infos.iter().map(signer).collect()
}

/// Returns the account of the first signer; `None` for a missing or unknown key.
pub(super) fn first_signer(auth_info: &TxAuthInfo) -> Option<Address> {
    signer(auth_info.signer_infos.first()?)
}

fn signer(info: &SignerInfo) -> Option<Address> {
    let key: &RawJson = info.public_key.as_ref()?;
    proto::public_key(&serde_json::from_str(key.get()).ok()?)?.address()
}
