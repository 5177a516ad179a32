//! Keys of the simulated accounts, and addresses derived from them as on real chains.
//!
//! A key is the secp256k1 point `k·G`, where `k` depends on the seed and increases by one with each account: one
//! addition yields the next key. These keys sign nothing.

use alloy_primitives::keccak256;
use k256::{
    AffinePoint, FieldBytes, ProjectivePoint, Scalar,
    elliptic_curve::{BatchNormalize as _, ops::Reduce as _, sec1::ToSec1Point as _},
};
use ripemd::{Digest as _, Ripemd160};

use super::derive;
use crate::domain::Address;

/// Type of a public key, which determines how its address is derived.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KeyKind {
    /// Key of a program. Address: RIPEMD-160 of SHA-256 of the compressed key.
    Cosmos,
    /// Key of a wallet. Address: the last bytes of keccak-256 of the uncompressed key.
    Ethereum,
}

impl KeyKind {
    pub const fn type_url(self) -> &'static str {
        match self {
            Self::Cosmos => "/cosmos.crypto.secp256k1.PubKey",
            Self::Ethereum => "/initia.crypto.v1beta1.ethsecp256k1.PubKey",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct AccountKey {
    pub(crate) kind: KeyKind,
    /// Compressed public key, as in transactions.
    pub(crate) compressed: [u8; 33],
    pub(crate) address: Address,
}

impl AccountKey {
    /// Returns the key of an account by index.
    pub(crate) fn of(kind: KeyKind, seed: u64, index: u32) -> Self {
        Self::at(kind, &first_point(seed, index).to_affine())
    }

    fn at(kind: KeyKind, point: &AffinePoint) -> Self {
        let mut compressed = [0; 33];
        compressed.iter_mut().zip(point.to_sec1_point(true).as_bytes()).for_each(|(to, from)| *to = *from);
        let address = match kind {
            KeyKind::Cosmos => Ripemd160::digest(derive::sha256(compressed)).into(),
            // The first byte only marks the point as uncompressed.
            KeyKind::Ethereum => {
                let whole = point.to_sec1_point(false);
                derive::last_twenty(keccak256(whole.as_bytes().get(1..).unwrap_or_default()).0)
            }
        };
        Self { kind, compressed, address: Address::Short(address) }
    }
}

/// Returns the keys of a seed's first accounts, each one addition after the previous.
pub(crate) fn first_keys(kind: KeyKind, seed: u64, count: u32) -> Vec<AccountKey> {
    let first = first_point(seed, 0);
    let next = |point: &ProjectivePoint| Some(point + &AffinePoint::GENERATOR);
    let points: Vec<ProjectivePoint> = std::iter::successors(Some(first), next).take(count as usize).collect();
    let affine = ProjectivePoint::batch_normalize(points.as_slice());
    affine.iter().map(|point| AccountKey::at(kind, point)).collect()
}

fn first_point(seed: u64, index: u32) -> ProjectivePoint {
    let label = [b"rollscope key".as_slice(), &seed.to_be_bytes()].concat();
    let start = Scalar::reduce(&FieldBytes::from(derive::sha256(label)));
    ProjectivePoint::GENERATOR * (start + Scalar::from(index))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_follow_from_keys_as_on_real_chains() {
        // The private key 1 has well-known addresses.
        let ethereum = AccountKey::at(KeyKind::Ethereum, &AffinePoint::GENERATOR);
        assert_eq!(ethereum.address.checksummed(), "0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf");
        let cosmos = AccountKey::at(KeyKind::Cosmos, &AffinePoint::GENERATOR);
        assert_eq!(cosmos.address.hex(), "0x751e76e8199196d454941c45d1b3a323f1433bd6");
        assert_eq!(ethereum.compressed, cosmos.compressed);
        assert_eq!(ethereum.compressed[..5], [0x02, 0x79, 0xbe, 0x66, 0x7e]);
    }

    #[test]
    fn a_key_found_alone_is_the_one_found_in_line() {
        let line = first_keys(KeyKind::Ethereum, 7, 40);
        for index in [0, 1, 21, 39] {
            assert_eq!(line[index as usize], AccountKey::of(KeyKind::Ethereum, 7, index), "{index}");
        }
        assert_ne!(line[0].address, AccountKey::of(KeyKind::Ethereum, 8, 0).address, "another seed");
    }
}
