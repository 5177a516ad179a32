use alloy_primitives::keccak256;
use k256::elliptic_curve::sec1::ToSec1Point as _;
use ripemd::{Digest as _, Ripemd160};
use sha2::Sha256;

use super::Address;

/// Public key of a signer. Its type determines how the account's address is derived.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PublicKey {
    /// Compressed key of CLI and hardware wallets.
    Secp256k1([u8; 33]),
    /// Compressed key of Ethereum wallets: also on secp256k1, but with an Ethereum address.
    EthSecp256k1([u8; 33]),
    Ed25519([u8; 32]),
    Multisig {
        /// Number of required signatures.
        threshold: u32,
        /// Keys in order; the address depends on the order.
        keys: Vec<PublicKey>,
    },
}

impl PublicKey {
    pub const MULTISIG: &str = "/cosmos.crypto.multisig.LegacyAminoPubKey";
    pub const SECP256K1: &str = "/cosmos.crypto.secp256k1.PubKey";
    pub const ETH_SECP256K1: &str = "/initia.crypto.v1beta1.ethsecp256k1.PubKey";
    pub const ED25519: &str = "/cosmos.crypto.ed25519.PubKey";

    /// Creates a single key from its type and bytes; `None` for another type or a wrong length.
    pub fn new(type_url: &str, key: &[u8]) -> Option<Self> {
        Some(match type_url {
            Self::SECP256K1 => Self::Secp256k1(key.try_into().ok()?),
            Self::ETH_SECP256K1 => Self::EthSecp256k1(key.try_into().ok()?),
            Self::ED25519 => Self::Ed25519(key.try_into().ok()?),
            _ => return None,
        })
    }

    /// Derives the account's address; `None` for an Ethereum key that is not a point of the curve.
    pub fn address(&self) -> Option<Address> {
        let bytes = match self {
            Self::Secp256k1(key) => Ripemd160::digest(Sha256::digest(key)).into(),
            Self::EthSecp256k1(key) => {
                let point = k256::PublicKey::from_sec1_bytes(key).ok()?.to_sec1_point(false);
                // The first byte only marks the point as uncompressed.
                *keccak256(point.as_bytes().get(1..)?).last_chunk()?
            }
            Self::Ed25519(key) => *Sha256::digest(key).first_chunk()?,
            Self::Multisig { .. } => *Sha256::digest(self.amino()).first_chunk()?,
        };
        Some(Address::Short(bytes))
    }

    /// Encodes the key in amino; the address of a multi-signature key derives from these bytes.
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

/// Returns the four amino prefix bytes of a registered type: taken from the SHA-256 of its name, after the three
/// disambiguation bytes; zeros before each group are skipped.
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

#[cfg(test)]
mod tests {
    use base64::{Engine as _, prelude::BASE64_STANDARD};

    use super::*;

    fn key(type_url: &str, base64: &str) -> PublicKey {
        PublicKey::new(type_url, &BASE64_STANDARD.decode(base64).unwrap()).unwrap()
    }

    fn address(key: &PublicKey, prefix: &str) -> String {
        key.address().unwrap().bech32_as(prefix)
    }

    #[test]
    fn single_keys_have_the_addresses_that_others_published() {
        // From the tests of CosmJS: packages/amino/src/addresses.spec.ts.
        let secp = key(PublicKey::SECP256K1, "AtQaCqFnshaZQp6rIkvAPyzThvCvXSDO+9AzbxVErqJP");
        assert_eq!(address(&secp, "cosmos"), "cosmos1h806c7khnvmjlywdrkdgk2vrayy2mmvf9rxk2r");
        let bytes = alloy_primitives::hex!("12ee6f581fe55673a1e9e1382a0829e32075a0aa4763c968bc526e1852e78c95");
        let ed = PublicKey::new(PublicKey::ED25519, &bytes).unwrap();
        assert_eq!(address(&ed, "cosmos"), "cosmos1pfq05em6sfkls66ut4m2257p7qwlk448h8mysz");
        // Private key 1, whose address is well known.
        let bytes = alloy_primitives::hex!("0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798");
        let eth = PublicKey::new(PublicKey::ETH_SECP256K1, &bytes).unwrap();
        assert_eq!(eth.address().unwrap().checksummed(), "0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf");
        let same = PublicKey::new(PublicKey::SECP256K1, &bytes).unwrap();
        assert_eq!(same.address().unwrap().hex(), "0x751e76e8199196d454941c45d1b3a323f1433bd6");
    }

    #[test]
    fn several_keys_have_the_address_that_others_published() {
        // From a test of Terra's JavaScript library: MultisigPublicKey, two of three.
        let keys = [
            "A/PwvW/JLEnhb0/o5g+AnOqMN+FFT24gjJfDtA1tBsBv",
            "A9XR3uRxAD5L9kkYotz094hH6ye92YLraSO/sGhWalxb",
            "AyETa9Y9ihObzeRPWMP0MBAa0Mqune3I+5KonOCPTtkv",
        ];
        let keys = keys.map(|text| key(PublicKey::SECP256K1, text)).to_vec();
        let multisig = PublicKey::Multisig { threshold: 2, keys: keys.clone() };
        assert_eq!(address(&multisig, "terra"), "terra1gufrav46pnpwf03yu7xz76ylkmatsxtplrxnmc");
        let other = PublicKey::Multisig { threshold: 3, keys };
        assert_ne!(other.address(), multisig.address());
    }

    #[test]
    fn amino_prefixes_are_the_ones_in_use() {
        for (name, prefix) in [
            ("tendermint/PubKeySecp256k1", [0xeb, 0x5a, 0xe9, 0x87]),
            ("tendermint/PubKeyEd25519", [0x16, 0x24, 0xde, 0x64]),
            ("tendermint/PubKeyMultisigThreshold", [0x22, 0xc1, 0xf7, 0xe2]),
        ] {
            assert_eq!(amino_prefix(name), prefix, "{name}");
        }
    }

    #[test]
    fn what_is_no_key_has_no_address() {
        assert_eq!(PublicKey::new(PublicKey::SECP256K1, &[2; 32]), None);
        assert_eq!(PublicKey::new(PublicKey::ED25519, &[2; 33]), None);
        assert_eq!(PublicKey::new("/cosmos.crypto.sr25519.PubKey", &[2; 32]), None);
        assert_eq!(PublicKey::EthSecp256k1([0xff; 33]).address(), None);
    }
}
