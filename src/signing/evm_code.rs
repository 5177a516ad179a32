//! Proxies of EVM chains: where their code, or their storage, names the contract that they run.

use alloy_primitives::{b256, hex, keccak256};

use crate::domain::Address;

/// Storage slots of EIP-1967.
pub const IMPLEMENTATION_SLOT: [u8; 32] = b256!("360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc").0;
pub const ADMIN_SLOT: [u8; 32] = b256!("b53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103").0;
pub const BEACON_SLOT: [u8; 32] = b256!("a3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50").0;

/// Selector of a beacon's `implementation()`.
pub const IMPLEMENTATION_CALL: [u8; 4] = hex!("5c60da1b");

/// Code of an EIP-1167 clone, before and behind the address.
const CLONE: ([u8; 10], [u8; 15]) = (hex!("363d3d373d3d3d363d73"), hex!("5af43d82803e903d91602b57fd5bf3"));

/// Prefix of an account's EIP-7702 delegation.
const DELEGATION: [u8; 3] = hex!("ef0100");

/// Contract whose code an EVM account's own code runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NamedCode {
    /// EIP-1167: fixed.
    Clone(Address),
    /// EIP-7702: the account can choose another.
    Delegation(Address),
}

impl NamedCode {
    /// Reads the contract that code names; `None` for other code.
    pub fn read(code: &[u8]) -> Option<Self> {
        let delegated = code.strip_prefix(&DELEGATION).filter(|rest| rest.len() == 20);
        if let Some(address) = delegated {
            return Address::from_bytes(address).map(Self::Delegation);
        }
        let rest = code.strip_prefix(&CLONE.0)?.strip_suffix(&CLONE.1)?;
        (rest.len() == 20).then(|| Address::from_bytes(rest).map(Self::Clone)).flatten()
    }
}

/// Whether code can run the code of another account as its own, by its instructions. Data among them may seem to.
pub fn delegates(code: &[u8]) -> bool {
    const PUSHES: std::ops::RangeInclusive<u8> = 0x60..=0x7f;
    let mut rest = code;
    while let Some((instruction, behind)) = rest.split_first() {
        // CALLCODE and DELEGATECALL.
        if matches!(instruction, 0xf2 | 0xf4) {
            return true;
        }
        let data = if PUSHES.contains(instruction) { usize::from(instruction - 0x5f) } else { 0 };
        rest = behind.get(data..).unwrap_or_default();
    }
    false
}

/// Hashes EVM code for [`crate::domain::ContractCode::hash`].
pub fn code_hash(code: &[u8]) -> String {
    hex::encode_prefixed(keccak256(code))
}

/// Reads the address in a storage word; `None` if the word is zero.
pub fn address_in_word(word: [u8; 32]) -> Option<Address> {
    let address = Address::from_bytes(word.get(12..)?)?;
    (word != [0; 32]).then_some(address)
}

#[cfg(test)]
mod tests {
    use alloy_primitives::U256;

    use super::*;

    #[test]
    fn the_slots_are_those_of_eip_1967() {
        for (name, slot) in [("implementation", IMPLEMENTATION_SLOT), ("admin", ADMIN_SLOT), ("beacon", BEACON_SLOT)] {
            let number = U256::from_be_bytes(keccak256(format!("eip1967.proxy.{name}")).0) - U256::from(1);
            assert_eq!(slot, number.to_be_bytes::<32>(), "{name}");
        }
        assert_eq!(IMPLEMENTATION_CALL, keccak256("implementation()")[..4]);
    }

    #[test]
    fn code_names_another_contract_only_in_the_whole_form_of_its_eip() {
        let other = [0x44; 20];
        let address = Address::from_bytes(&other).unwrap();
        let clone = [&CLONE.0[..], &other, &CLONE.1].concat();
        assert_eq!(NamedCode::read(&clone), Some(NamedCode::Clone(address)));
        let delegation = [&DELEGATION[..], &other].concat();
        assert_eq!(NamedCode::read(&delegation), Some(NamedCode::Delegation(address)));
        for code in [&clone[1..], &clone[..44], &delegation[..22], &[clone.clone(), vec![0]].concat(), &[]] {
            assert_eq!(NamedCode::read(code), None);
        }
        assert!(delegates(&clone) && delegates(&[0x60, 0, 0xf4]));
        assert!(!delegates(&[0x60, 0xf4, 0x61, 0xf4, 0xf4, 0]) && !delegates(&[0x7f, 0xf4]));
        assert_eq!(address_in_word(address.word()), Some(address));
        assert_eq!(address_in_word([0; 32]), None);
    }
}
