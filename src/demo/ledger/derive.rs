//! Derives addresses and denoms as real chains do (`docs/apis/story.md` §3, §4, §6).

use alloy_primitives::{hex, keccak256};
use sha2::{Digest, Sha256};
use sha3::Sha3_256;

use crate::domain::{Address, Vm};

/// Returns the first 20 bytes of a hash.
fn first_twenty(hash: &[u8]) -> [u8; 20] {
    let mut bytes = [0; 20];
    bytes.iter_mut().zip(hash).for_each(|(to, from)| *to = *from);
    bytes
}

/// Returns the address in an EVM word: the last 20 bytes.
pub(super) fn last_twenty(word: [u8; 32]) -> [u8; 20] {
    let mut bytes = [0; 20];
    bytes.iter_mut().zip(word.into_iter().skip(12)).for_each(|(to, from)| *to = from);
    bytes
}

/// Zero-pads a 20-byte address to an EVM word.
pub(in crate::demo) fn word(address: [u8; 20]) -> [u8; 32] {
    let mut bytes = [0; 32];
    bytes.iter_mut().skip(12).zip(address).for_each(|(to, from)| *to = from);
    bytes
}

/// Encodes a number as an EVM word.
pub(super) fn number_word(value: u128) -> [u8; 32] {
    let mut bytes = [0; 32];
    bytes.iter_mut().skip(16).zip(value.to_be_bytes()).for_each(|(to, from)| *to = from);
    bytes
}

pub(in crate::demo) fn sha256(bytes: impl AsRef<[u8]>) -> [u8; 32] {
    Sha256::digest(bytes.as_ref()).into()
}

/// Returns the account of a system address, such as `0x1`.
pub(in crate::demo) fn system_account(low: u8) -> [u8; 20] {
    let mut bytes = [0; 20];
    bytes[19] = low;
    bytes
}

pub(super) fn module_account(name: &str) -> [u8; 20] {
    first_twenty(&sha256(name))
}

pub(in crate::demo) fn fee_collector() -> Address {
    Address::Short(module_account("fee_collector"))
}

/// Derives the escrow account of a channel; `version` is `ics20-1` or `ics721-1`.
pub(in crate::demo) fn escrow_account(version: &str, port: &str, channel: &str) -> [u8; 20] {
    first_twenty(&sha256(format!("{version}\0{port}/{channel}")))
}

/// Derives the 32-byte account that runs an IBC hook, for a sender on another chain.
pub(super) fn hook_account(vm: Vm, channel: &str, sender: &str) -> [u8; 32] {
    let mut hasher = Sha256::new();
    hasher.update(sha256(format!("ibc-{vm}-hook-intermediary")));
    hasher.update(format!("{channel}/{sender}"));
    hasher.finalize().into()
}

/// Derives the account that forwards packets of a sender on another chain. The module spells its name so.
pub(super) fn forwarding_account(channel: &str, sender: &str) -> [u8; 20] {
    let hasher = Sha256::new().chain_update(sha256("packetfowardmiddleware"));
    let [account @ .., _, _, _, _, _, _, _, _, _, _, _, _]: [u8; 32] =
        hasher.chain_update(format!("{channel}/{sender}")).finalize().into();
    account
}

/// Derives the 32-byte account of a bridge on the L1.
pub(in crate::demo) fn bridge_account(bridge_id: u64) -> [u8; 32] {
    let mut hasher = Sha256::new();
    hasher.update(sha256("module"));
    hasher.update(b"ophost\0");
    hasher.update(bridge_id.to_be_bytes());
    hasher.finalize().into()
}

/// Derives the address of a Move object: SHA3-256 of owner, seed and scheme.
fn object(owner: [u8; 32], seed: &[u8], mark: u8) -> [u8; 32] {
    let mut hasher = Sha3_256::new();
    hasher.update(owner);
    hasher.update(seed);
    hasher.update([mark]);
    hasher.finalize().into()
}

/// Derives the address of a named Move object of a creator: coin metadata, collection or NFT.
pub(in crate::demo) fn named_object(creator: [u8; 32], name: &str) -> [u8; 32] {
    object(creator, name.as_bytes(), 0xfe)
}

/// Derives an account's primary store for a fungible asset.
pub(super) fn primary_store(owner: [u8; 32], metadata: [u8; 32]) -> [u8; 32] {
    object(owner, &metadata, 0xfc)
}

/// Derives the denom that an L1 denom has on the rollup.
pub(in crate::demo) fn l2_denom(bridge_id: u64, l1_denom: &str) -> String {
    let mut hasher = Sha3_256::new();
    hasher.update(bridge_id.to_be_bytes());
    hasher.update(l1_denom);
    format!("l2/{}", hex::encode(hasher.finalize()))
}

/// Returns the upper-case hex hash in a voucher's denom, for a path such as `transfer/channel-0/uinit`.
pub(in crate::demo) fn voucher_hash(path: &str) -> String {
    hex::encode_upper(sha256(path))
}

/// Derives a CREATE address: the last 20 bytes of keccak(rlp([sender, nonce])).
pub(super) fn create_address(sender: [u8; 20], nonce: u64) -> [u8; 20] {
    let digits: Vec<u8> = nonce.to_be_bytes().into_iter().skip_while(|byte| *byte == 0).collect();
    let mut body = vec![0x94];
    body.extend_from_slice(&sender);
    match digits.as_slice() {
        [] => body.push(0x80),
        [one] if *one < 0x80 => body.push(*one),
        many => {
            body.push(0x80 + u8::try_from(many.len()).unwrap_or(8));
            body.extend_from_slice(many);
        }
    }
    let mut list = vec![0xc0 + u8::try_from(body.len()).unwrap_or(30)];
    list.extend_from_slice(&body);
    last_twenty(keccak256(list).0)
}

pub(super) fn create2_address(sender: [u8; 20], salt: u64, code: &[u8]) -> [u8; 20] {
    let mut bytes = vec![0xff];
    bytes.extend_from_slice(&sender);
    bytes.extend_from_slice(&number_word(u128::from(salt)));
    bytes.extend_from_slice(keccak256(code).as_slice());
    last_twenty(keccak256(bytes).0)
}

/// Returns `count` deterministic bytes, for keys, signatures and proofs that nothing verifies.
pub(in crate::demo) fn filler(label: &str, numbers: &[u64], count: usize) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(count + 31);
    let mut round = 0u64;
    while bytes.len() < count {
        let mut hasher = Sha256::new();
        hasher.update(label);
        for number in numbers {
            hasher.update(number.to_be_bytes());
        }
        hasher.update(round.to_be_bytes());
        bytes.extend_from_slice(&hasher.finalize());
        round += 1;
    }
    bytes.truncate(count);
    bytes
}

#[cfg(test)]
mod tests {
    use super::{create_address, escrow_account, hook_account, l2_denom, module_account, voucher_hash};
    use crate::domain::{Address, Vm};

    #[test]
    fn known_accounts_come_out() {
        assert_eq!(
            Address::Short(module_account("fee_collector")).bech32(),
            "init17xpfvakm2amg962yls6f84z3kell8c5l70rnql"
        );
        assert_eq!(
            Address::Short(escrow_account("ics20-1", "transfer", "channel-29")).bech32(),
            "init1je5zsemauel5dqjwug9snfvkwr8hks9zrfgla2"
        );
        assert_eq!(
            Address::Long(super::bridge_account(11)).bech32(),
            "init1zmnz4qk7v0xdpruy6fatyf3ph0dfm6v2n5xqnf3x6zfs3utxum5sjh4vpr"
        );
        let sender = "init102f37svmnhu0z95y6c0nzgrt8746r2ukefuvl0p8h5xtjy9654vqrugufe";
        assert_eq!(
            Address::Long(hook_account(Vm::Evm, "channel-0", sender)).bech32(),
            "init1x3ks28tgkq98hqcx8rjvj7da3jjhw46kt7lyc9my95z6w2xft2qstrm2ls"
        );
    }

    #[test]
    fn known_denoms_come_out() {
        assert_eq!(l2_denom(11, "uinit"), "l2/8f73cfaf153520f511b4fc0bd71d60d64b4e19eff04a350e642718a3c1ab3b06");
        assert_eq!(
            voucher_hash("transfer/channel-0/move/edfcddacac79ab86737a1e9e65805066d8be286a37cb94f4884b892b0e39f954"),
            "39026A3BC5B3135CAC7FA5551C286A05E215FDA2C3C79195EB73F6699696F4FF"
        );
    }

    #[test]
    fn known_objects_come_out() {
        let word = |text: &str| -> [u8; 32] {
            let address: Address = text.parse().unwrap();
            match address {
                Address::Short(bytes) => super::word(bytes),
                Address::Long(bytes) => bytes,
            }
        };
        let hex = |bytes: [u8; 32]| Address::Long(bytes).hex();
        let metadata = super::named_object(word("0x1"), "uinit");
        assert_eq!(hex(metadata), "0x8e4733bdabcf7d4afc3d14f0dd46c9bf52fb0fce9e4b996c939e195b8bc891d9");
        let collector = super::word(module_account("fee_collector"));
        let store = super::primary_store(collector, metadata);
        assert_eq!(hex(store), "0x66a8cb0bfb991610dcffb8a6543ac0887c7c5405b8f985ebed6d628fe50c4686");
        let creator = word("0xe7ddea46e6bd763c1610f0544f5cf9dc8c623b5c");
        let nft = super::named_object(creator, "Favorite food::1");
        assert_eq!(hex(nft), "0xeafbe62f2441e2ecce99db4cfbab294f7542d78ce2d82ca28de13da0a9d41b86");
    }

    #[test]
    fn create_addresses_follow_the_nonce() {
        let sender = [0x6a; 20];
        let addresses: std::collections::BTreeSet<_> = (0..300).map(|nonce| create_address(sender, nonce)).collect();
        assert_eq!(addresses.len(), 300);
        let known: Address = "0x6ac7ea33f8831ea9dcc53393aaa88b25a785dbf0".parse().unwrap();
        let bytes: [u8; 20] = known.bytes().try_into().unwrap();
        assert_eq!(Address::Short(create_address(bytes, 0)).hex(), "0xcd234a471b72ba2f1ccf0a70fcaba648a5eecd8d");
        assert_eq!(Address::Short(create_address(bytes, 1)).hex(), "0x343c43a37d37dff08ae8c4a11544c718abb4fcf8");
    }
}
