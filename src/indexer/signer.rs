//! Who signed a transaction, by the keys that it carries.

use crate::{
    domain::Address,
    wire::{
        RawJson,
        node::{SignerInfo, TxAuthInfo},
        proto,
    },
};

/// The accounts of all signers in order; `None` in the place of one whose key is absent or of a kind that is not known.
pub(super) fn signers(auth_info: &TxAuthInfo) -> Vec<Option<Address>> {
    auth_info.signer_infos.iter().map(signer).collect()
}

/// The account of the first signer; `None` where its key is absent or of a kind that is not known.
pub(super) fn first_signer(auth_info: &TxAuthInfo) -> Option<Address> {
    signer(auth_info.signer_infos.first()?)
}

fn signer(info: &SignerInfo) -> Option<Address> {
    let key: &RawJson = info.public_key.as_ref()?;
    proto::public_key(&serde_json::from_str(key.get()).ok()?)?.address()
}
