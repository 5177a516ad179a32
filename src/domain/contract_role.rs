use std::str::FromStr;

use alloy_primitives::hex;

use super::Address;

/// Role of a contract, derived only from its address: any contract can imitate function names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ContractRole {
    /// The chain's ERC20 wrapper, which wraps and unwraps tokens.
    Wrapper,
    /// Multi-signature wallet.
    Safe,
    /// Executes a batch of calls.
    Multicall,
    /// Transfers tokens by signed permits.
    Permit,
    /// Executes operations of smart accounts.
    EntryPoint,
    /// Executes a Cosmos message: `ICosmos`.
    Cosmos,
    /// Registers tokens with the bank module: `IERC20Registry`.
    Erc20Registry,
    /// Parses JSON: `IJSONUtils`.
    JsonUtils,
}

/// Contracts with one address on every chain; their deployment fixes their code.
const SINGLETONS: [([u8; 20], ContractRole); 4] = [
    (hex!("ca11bde05977b3631167028862be2a173976ca11"), ContractRole::Multicall),
    (hex!("000000000022d473030f116ddee9f6b43ac78ba3"), ContractRole::Permit),
    (hex!("5ff137d4b0fdcd49dca30c7cf57e578a026d2789"), ContractRole::EntryPoint),
    (hex!("0000000071727de22e5e9d8baf0e6dac37da032e"), ContractRole::EntryPoint),
];

impl ContractRole {
    pub fn of_singleton(address: Address) -> Option<Self> {
        let tail = address.tail();
        if let ([head @ .., last], true) = (&tail, matches!(address, Address::Short(_)))
            && head.iter().all(|&byte| byte == 0)
        {
            return match last {
                0xf1 => Some(Self::Cosmos),
                0xf2 => Some(Self::Erc20Registry),
                0xf3 => Some(Self::JsonUtils),
                _ => None,
            };
        }
        SINGLETONS.iter().find(|(known, _)| *known == tail).map(|(_, role)| *role)
    }
}

impl FromStr for ContractRole {
    type Err = ();

    /// Parses the name of a role in a list of networks, such as `wrapper` or `safe`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "wrapper" => Ok(Self::Wrapper),
            "safe" => Ok(Self::Safe),
            "multicall" => Ok(Self::Multicall),
            _ => Err(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn singletons_are_known_by_their_whole_address() {
        let role = |text: &str| ContractRole::of_singleton(text.parse().unwrap());
        assert_eq!(role("0xf1"), Some(ContractRole::Cosmos));
        assert_eq!(role("0xcA11bde05977b3631167028862bE2a173976CA11"), Some(ContractRole::Multicall));
        assert_eq!(role("0xcA11bde05977b3631167028862bE2a173976CA12"), None);
        assert_eq!(role("0x00000000000000000000000000000000000001f1"), None);
        assert_eq!("permit".parse::<ContractRole>(), Err(()), "what every chain has needs no list");
    }
}
