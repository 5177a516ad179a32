use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::lenient;
use crate::{
    domain::{ChainId, Denom},
    wire::RawJson,
};

/// The body of `POST /op-hook`; no `/v2` before the path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpHookRequest {
    /// Who sends.
    pub source_address: String,
    /// From where.
    pub source_asset_chain_id: ChainId,
    /// What.
    pub source_asset_denom: Denom,
    /// Who receives, as `init1…`.
    pub dest_address: String,
    /// Where.
    pub dest_asset_chain_id: ChainId,
    /// As what.
    pub dest_asset_denom: Denom,
}

/// The answer of `POST /op-hook`: messages that the application signs as one transaction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpHook {
    /// The chain that will run them, whose sign document is used.
    pub chain_id: ChainId,
    /// The messages.
    #[serde(default, deserialize_with = "lenient::list")]
    pub hook: Vec<HookMessage>,
}

/// A message of a hook.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HookMessage {
    /// Its type, with a slash before it.
    #[serde(default, deserialize_with = "lenient::text")]
    pub msg_type_url: String,
    /// JSON in a string.
    #[serde(default, deserialize_with = "lenient::text")]
    pub msg: String,
}

/// A hook that was signed: an object for real routers, a string in the specification. Sent as it was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SignedOpHook {
    /// `{signer, hook}`.
    Object {
        /// Whose signature, as `init1…`.
        signer: String,
        /// The signed transaction, base64.
        hook: String,
        /// The whole object as it was given.
        raw: RawJson,
    },
    /// The string form of the specification.
    Text(String),
}

impl SignedOpHook {
    /// The object form.
    pub fn object(signer: &str, hook: &str) -> Result<Self, serde_json::Error> {
        let text = serde_json::json!({ "signer": signer, "hook": hook }).to_string();
        Ok(Self::Object { signer: signer.to_owned(), hook: hook.to_owned(), raw: RawJson::parse(text)? })
    }

    /// The signed transaction.
    pub fn hook(&self) -> &str {
        match self {
            Self::Object { hook, .. } | Self::Text(hook) => hook,
        }
    }
}

impl Serialize for SignedOpHook {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Object { raw, .. } => raw.serialize(serializer),
            Self::Text(text) => serializer.serialize_str(text),
        }
    }
}

impl<'de> Deserialize<'de> for SignedOpHook {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Object {
            #[serde(default, deserialize_with = "lenient::text")]
            signer: String,
            hook: String,
        }
        let raw = RawJson::deserialize(deserializer)?;
        if raw.get().starts_with('"') {
            return serde_json::from_str(raw.get()).map(Self::Text).map_err(de::Error::custom);
        }
        let Object { signer, hook } = serde_json::from_str(raw.get()).map_err(de::Error::custom)?;
        Ok(Self::Object { signer, hook, raw })
    }
}
