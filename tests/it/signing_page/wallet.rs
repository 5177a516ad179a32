//! A wallet for tests: its objects in the browser's window, its key here.

use alloy_primitives::{Address, hex, keccak256};
use base64::{Engine as _, prelude::BASE64_STANDARD};
use bech32::{Bech32, Hrp};
use k256::ecdsa::{RecoveryId, Signature, SigningKey, VerifyingKey, signature::hazmat::PrehashVerifier as _};
use rollscope::demo::posted::EthereumPayload;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::browser::WalletScript;

/// Puts wallets in the window: an Ethereum one that announces itself, and Keplr. Both ask the test.
pub(crate) const SCRIPT: &str = r#"
(() => {
  const waiting = new Map();
  let next = 0;
  window.rollscopeSettle = ({ id, result, error }) => {
    const { resolve, reject } = waiting.get(id);
    if (error) reject(Object.assign(new Error(error.message), { code: error.code }));
    else resolve(result);
  };
  const ask = (method, params) => new Promise((resolve, reject) => {
    waiting.set(++next, { resolve, reject });
    window.rollscopeTestWallet(JSON.stringify({ id: next, method, params: params ?? [] }));
  });
  const provider = { request: ({ method, params }) => ask(method, params) };
  const announce = () => window.dispatchEvent(new CustomEvent("eip6963:announceProvider", {
    detail: Object.freeze({ info: { uuid: "1", name: "Test Wallet", rdns: "test", icon: "" }, provider }),
  }));
  window.addEventListener("eip6963:requestProvider", announce);
  announce();
  window.keplr = Object.fromEntries(["enable", "experimentalSuggestChain", "getKey", "signAmino"].map(
    (name) => [name, (...params) => ask("keplr." + name, params)],
  ));
})();
"#;

/// A key that only tests have.
#[derive(Clone)]
pub(crate) struct TestKey(SigningKey);

impl TestKey {
    pub(crate) fn new(seed: u8) -> Self {
        Self(SigningKey::from_slice(&[seed; 32]).unwrap_or_else(|error| panic!("a key: {error}")))
    }

    fn address(&self) -> Address {
        Address::from_raw_public_key(&self.0.verifying_key().to_sec1_point(false).as_bytes()[1..])
    }

    pub(crate) fn hexadecimal(&self) -> String {
        self.address().to_checksum(None)
    }

    pub(crate) fn bech32(&self, prefix: &str) -> String {
        let encoded = Hrp::parse(prefix).map(|prefix| bech32::encode::<Bech32>(prefix, self.address().as_slice()));
        encoded.ok().and_then(Result::ok).unwrap_or_else(|| panic!("an address of {prefix}"))
    }

    /// An EIP-1193 wallet with this key: its account, and signatures of texts.
    pub(crate) fn wallet(&self) -> WalletScript {
        let key = self.clone();
        Box::new(move |method: &str, parameters: &Value| {
            Some(match method {
                "eth_requestAccounts" => Ok(json!([key.hexadecimal()])),
                "personal_sign" => Ok(key.personal_sign(parameters)),
                _ => Err((4200, format!("no {method}"))),
            })
        })
    }

    /// `personal_sign` as wallets do it.
    pub(crate) fn personal_sign(&self, parameters: &Value) -> Value {
        let message = hex::decode(parameters[0].as_str().unwrap_or_default());
        let digest = personal_digest(&message.unwrap_or_else(|error| panic!("hexadecimal: {error}")));
        let (signature, recovery) = self.0.sign_prehash_recoverable(&digest);
        json!(hex::encode_prefixed([&signature.to_bytes()[..], &[27 + recovery.to_byte()]].concat()))
    }

    /// A raw Ethereum transaction, signed.
    pub(crate) fn sign_payload(&self, payload: &EthereumPayload) -> Vec<u8> {
        sign_payload(&self.0, payload)
    }

    /// `signAmino` as Keplr does it, of a document that it writes itself, keys sorted.
    pub(crate) fn sign_amino(&self, text: &str) -> Value {
        let (signature, _) = self.0.sign_prehash_recoverable(&Sha256::digest(text));
        let key = BASE64_STANDARD.encode(self.0.verifying_key().to_sec1_point(true).as_bytes());
        let public_key = json!({"type": "tendermint/PubKeySecp256k1", "value": key});
        json!({"signature": {"signature": BASE64_STANDARD.encode(signature.to_bytes()), "pub_key": public_key}})
    }
}

/// A raw Ethereum transaction, signed with this key.
pub(crate) fn sign_payload(key: &SigningKey, payload: &EthereumPayload) -> Vec<u8> {
    let (signature, recovery) = key.sign_prehash_recoverable(&payload.digest());
    let mut signed = payload.clone();
    signed.signature[..64].copy_from_slice(&signature.to_bytes());
    signed.signature[64] = u8::from(recovery.is_y_odd());
    signed.write()
}

fn personal_digest(message: &[u8]) -> [u8; 32] {
    let prefix = format!("\x19Ethereum Signed Message:\n{}", message.len());
    keccak256([prefix.as_bytes(), message].concat()).0
}

/// Who signed a text by `personal_sign`.
pub(crate) fn personal_signer(text: &str, signature: &[u8; 65]) -> String {
    let recovery = RecoveryId::from_byte(signature[64] - 27).unwrap_or_else(|| panic!("a recovery id"));
    let key = Signature::from_slice(&signature[..64])
        .and_then(|bare| VerifyingKey::recover_from_prehash(&personal_digest(text.as_bytes()), &bare, recovery));
    let key = key.unwrap_or_else(|error| panic!("a signature: {error}"));
    Address::from_raw_public_key(&key.to_sec1_point(false).as_bytes()[1..]).to_checksum(None)
}

/// Whether this key signed the text as an amino document.
pub(crate) fn is_amino_signature(text: &str, signature: &[u8; 64], public_key: &[u8; 33]) -> bool {
    let key = VerifyingKey::from_sec1_bytes(public_key);
    let signature = Signature::from_slice(signature);
    matches!((key, signature), (Ok(key), Ok(it)) if key.verify_prehash(&Sha256::digest(text), &it).is_ok())
}
