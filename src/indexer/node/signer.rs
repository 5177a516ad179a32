//! Who signed a transaction, by the key that it carries.

use crate::{
    domain::Address,
    wire::{RawJson, node::TxAuthInfo, proto},
};

/// The account of the first signer; `None` where its key is absent or of a kind that is not known.
pub(super) fn first_signer(auth_info: &TxAuthInfo) -> Option<Address> {
    let key: &RawJson = auth_info.signer_infos.first()?.public_key.as_ref()?;
    proto::public_key(&serde_json::from_str(key.get()).ok()?)?.address()
}
