//! Who signed a transaction, by the key that it carries.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde_json::Value;

use crate::{
    domain::{Address, PublicKey},
    wire::{RawJson, node::TxAuthInfo},
};

/// The account of the first signer; `None` where its key is absent or of a kind that is not known.
pub(super) fn first_signer(auth_info: &TxAuthInfo) -> Option<Address> {
    let key: &RawJson = auth_info.signer_infos.first()?.public_key.as_ref()?;
    public_key(&serde_json::from_str(key.get()).ok()?)?.address()
}

/// A public key as transactions have it in JSON.
fn public_key(json: &Value) -> Option<PublicKey> {
    let type_url = json.get("@type")?.as_str()?;
    if type_url != PublicKey::MULTISIG {
        let key = BASE64_STANDARD.decode(json.get("key")?.as_str()?).ok()?;
        return PublicKey::of(type_url, &key);
    }
    let threshold = u32::try_from(json.get("threshold")?.as_u64()?).ok()?;
    let keys = json.get("public_keys")?.as_array()?.iter().map(public_key).collect::<Option<Vec<PublicKey>>>()?;
    Some(PublicKey::Multisig { threshold, keys })
}
