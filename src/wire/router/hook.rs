use crate::domain::text::Foreign;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::lenient;
use crate::{
    domain::{ChainId, Denom},
    wire::RawJson,
};

/// Body of `POST /op-hook`; the path has no `/v2`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpHookRequest {
    pub source_address: String,
    pub source_asset_chain_id: ChainId,
    pub source_asset_denom: Denom,
    /// Recipient, as `init1…`.
    pub dest_address: String,
    pub dest_asset_chain_id: ChainId,
    pub dest_asset_denom: Denom,
}

/// Response of `POST /op-hook`: messages that the application signs as one transaction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpHook {
    /// Chain that executes the messages; the sign document is for this chain.
    pub chain_id: ChainId,
    #[serde(default, deserialize_with = "lenient::list")]
    pub hook: Vec<HookMessage>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HookMessage {
    #[serde(default, deserialize_with = "lenient::foreign")]
    pub msg_type_url: Foreign,
    /// JSON of the message, as text.
    #[serde(default, deserialize_with = "lenient::foreign")]
    pub msg: Foreign,
}

/// Signed hook: an object on real routers, a string in the specification. rollscope sends it back as received.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SignedOpHook {
    /// JSON object `{signer, hook}`.
    Object {
        /// Signer as `init1…`.
        signer: String,
        /// Signed transaction in base64.
        hook: String,
        /// Whole object as received.
        raw: RawJson,
    },
    /// String, as in the specification.
    Text(String),
}

impl SignedOpHook {
    pub fn object(signer: &str, hook: &str) -> Result<Self, serde_json::Error> {
        let text = serde_json::json!({ "signer": signer, "hook": hook }).to_string();
        Ok(Self::Object { signer: signer.to_owned(), hook: hook.to_owned(), raw: RawJson::parse(text)? })
    }

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
