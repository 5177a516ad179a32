use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde_json::Value;

use crate::domain::{Address, PublicKey};

/// Reads a public key from the JSON of a transaction or account; `None` if the key is missing or of an unknown type.
pub fn public_key(json: &Value) -> Option<PublicKey> {
    let type_url = json.get("@type")?.as_str()?;
    if type_url != PublicKey::MULTISIG {
        let key = BASE64_STANDARD.decode(json.get("key")?.as_str()?).ok()?;
        return PublicKey::new(type_url, &key);
    }
    let threshold = u32::try_from(json.get("threshold")?.as_u64()?).ok()?;
    let keys = json.get("public_keys")?.as_array()?.iter().map(public_key).collect::<Option<Vec<PublicKey>>>()?;
    Some(PublicKey::Multisig { threshold, keys })
}

/// Returns the account of the first signer of a transaction in REST's JSON; `None` if the key is missing or unknown.
pub fn first_signer(tx: &Value) -> Option<Address> {
    public_key(tx.pointer("/auth_info/signer_infos/0/public_key")?)?.address()
}
