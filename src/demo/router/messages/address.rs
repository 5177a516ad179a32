//! Addresses that a client sends, one per chain that the route requires.

use alloy_primitives::Address as EvmAddress;

use crate::{
    demo::router::{error::RouterError, world::RouterWorld},
    domain::{Address, ChainId, text::clip},
    wire::router::ChainKind,
};

/// Bytes of an account's address. Bridges cannot pay longer addresses, which are contracts and objects.
const ACCOUNT: usize = 20;

/// Checks number, format, prefix and checksum of the addresses. The error names the first invalid one by its position,
/// from 1, and its chain.
pub(super) fn check(
    world: &RouterWorld,
    required: &[ChainId],
    given: &[String],
) -> Result<Vec<(ChainId, String)>, RouterError> {
    if required.len() != given.len() {
        let chains: Vec<_> = required.iter().map(ChainId::as_str).collect();
        return Err(RouterError::invalid(format!(
            "address_list has {} addresses, but needs {}, in this order: {}",
            given.len(),
            required.len(),
            chains.join(", ")
        )));
    }
    let one = |(position, (chain, text)): (usize, (&ChainId, &String))| {
        one(world, chain, text).map(|()| (chain.clone(), text.clone())).map_err(|reason| {
            let text = clip(text, 70);
            RouterError::invalid(format!("address_list: position {position}, for {chain}: “{text}” {reason}"))
        })
    };
    (1..).zip(required.iter().zip(given)).map(one).collect()
}

fn one(world: &RouterWorld, chain: &ChainId, text: &str) -> Result<(), String> {
    let Some(info) = world.chain(chain) else { return Err("is for an unknown chain".to_owned()) };
    if info.kind() == ChainKind::Evm {
        return evm(text);
    }
    let prefix = info.bech32_prefix.as_str();
    let needed = format!("is not an address of that chain: write {prefix}1…");
    if !text.to_ascii_lowercase().starts_with(&format!("{prefix}1")) {
        return Err(needed);
    }
    match bech32_bytes(text) {
        Some((found, _)) if !found.eq_ignore_ascii_case(prefix) => Err(needed),
        Some((_, bytes)) if bytes.len() == ACCOUNT => Ok(()),
        Some(_) => Err("has the wrong length".to_owned()),
        None => Err("has a wrong checksum: check for a mistyped character".to_owned()),
    }
}

fn evm(text: &str) -> Result<(), String> {
    let digits = text.strip_prefix("0x").filter(|digits| digits.len() == 40);
    let Some(digits) = digits.filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit())) else {
        return Err("is not an address of that chain: write 0x with 40 digits".to_owned());
    };
    let has_one_case = digits == digits.to_ascii_lowercase() || digits == digits.to_ascii_uppercase();
    if has_one_case || EvmAddress::parse_checksummed(text, None).is_ok() {
        Ok(())
    } else {
        Err("has a wrong checksum: check for a mistyped character".to_owned())
    }
}

/// Decodes a bech32 address to its prefix and bytes; `None` if it is invalid.
pub(super) fn bech32_bytes(text: &str) -> Option<(String, Vec<u8>)> {
    let (prefix, bytes) = bech32::decode(text).ok()?;
    Some((prefix.to_string(), bytes))
}

/// Zero-pads an address of any format to 32 bytes.
pub(super) fn word(text: &str) -> [u8; 32] {
    let bytes = match text.parse::<Address>() {
        Ok(address) => address.bytes().to_vec(),
        Err(_) => bech32_bytes(text).map(|(_, bytes)| bytes).unwrap_or_default(),
    };
    let mut word = [0; 32];
    word.iter_mut().rev().zip(bytes.iter().rev()).for_each(|(to, from)| *to = *from);
    word
}
