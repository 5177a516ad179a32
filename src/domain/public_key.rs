use alloy_primitives::keccak256;
use k256::elliptic_curve::sec1::ToSec1Point as _;
use ripemd::{Digest as _, Ripemd160};
use sha2::Sha256;

use super::Address;

/// A public key that signs transactions. Which account is its, follows from its type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PublicKey {
    /// Of programs and hardware wallets, compressed.
    Secp256k1([u8; 33]),
    /// Of Ethereum's wallets: the same curve, compressed, but Ethereum's address.
    EthSecp256k1([u8; 33]),
    /// Of validators.
    Ed25519([u8; 32]),
    /// Several keys, of which some must sign.
    Multisig {
        /// How many must sign.
        threshold: u32,
        /// In their order, which the address depends on.
        keys: Vec<PublicKey>,
    },
}

impl PublicKey {
    /// The type of several keys together.
    pub const MULTISIG: &str = "/cosmos.crypto.multisig.LegacyAminoPubKey";
    /// The type of [`PublicKey::Secp256k1`].
    pub const SECP256K1: &str = "/cosmos.crypto.secp256k1.PubKey";
    /// The type of [`PublicKey::EthSecp256k1`].
    pub const ETH_SECP256K1: &str = "/initia.crypto.v1beta1.ethsecp256k1.PubKey";
    /// The type of [`PublicKey::Ed25519`].
    pub const ED25519: &str = "/cosmos.crypto.ed25519.PubKey";

    /// A single key of this type; `None` for another type, or bytes of another length.
    pub fn of(type_url: &str, key: &[u8]) -> Option<Self> {
        Some(match type_url {
            Self::SECP256K1 => Self::Secp256k1(key.try_into().ok()?),
            Self::ETH_SECP256K1 => Self::EthSecp256k1(key.try_into().ok()?),
            Self::ED25519 => Self::Ed25519(key.try_into().ok()?),
            _ => return None,
        })
    }

    /// The account that is its; `None` for an Ethereum key that is no point of the curve.
    pub fn address(&self) -> Option<Address> {
        let bytes = match self {
            Self::Secp256k1(key) => Ripemd160::digest(Sha256::digest(key)).into(),
            Self::EthSecp256k1(key) => {
                let point = k256::PublicKey::from_sec1_bytes(key).ok()?.to_sec1_point(false);
                // The first byte only says that the point is not compressed.
                *keccak256(point.as_bytes().get(1..)?).last_chunk()?
            }
            Self::Ed25519(key) => *Sha256::digest(key).first_chunk()?,
            Self::Multisig { .. } => *Sha256::digest(self.amino()).first_chunk()?,
        };
        Some(Address::Short(bytes))
    }

    /// The older binary form, of which the address of several keys is made.
    fn amino(&self) -> Vec<u8> {
        let single = |name: &str, key: &[u8]| {
            let mut bytes = amino_prefix(name).to_vec();
            push_length(&mut bytes, key.len());
            bytes.extend_from_slice(key);
            bytes
        };
        match self {
            Self::Secp256k1(key) => single("tendermint/PubKeySecp256k1", key),
            Self::EthSecp256k1(key) => single("initia/PubKeyEthSecp256k1", key),
            Self::Ed25519(key) => single("tendermint/PubKeyEd25519", key),
            Self::Multisig { threshold, keys } => {
                let mut bytes = amino_prefix("tendermint/PubKeyMultisigThreshold").to_vec();
                bytes.push(0x08);
                push_length(&mut bytes, *threshold as usize);
                for key in keys {
                    let key = key.amino();
                    bytes.push(0x12);
                    push_length(&mut bytes, key.len());
                    bytes.extend_from_slice(&key);
                }
                bytes
            }
        }
    }
}

/// The four bytes that amino puts before a registered type: of SHA-256 of its name, behind the three that disambiguate
/// and any zeros before each.
fn amino_prefix(name: &str) -> [u8; 4] {
    let hash = Sha256::digest(name);
    let mut rest = hash.iter().copied().skip_while(|byte| *byte == 0).skip(3).skip_while(|byte| *byte == 0);
    std::array::from_fn(|_| rest.next().unwrap_or_default())
}

fn push_length(bytes: &mut Vec<u8>, mut length: usize) {
    while length >= 0x80 {
        bytes.push(u8::try_from(length & 0x7f).unwrap_or_default() | 0x80);
        length >>= 7;
    }
    bytes.push(u8::try_from(length).unwrap_or_default());
}
