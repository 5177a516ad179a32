use crate::domain::{Address, Amount, Denom, Height};

/// What the rollup's own node says about an account that may be a contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContractFacts {
    pub chain_id: String,
    /// `None`: the account has no code of its own.
    pub contract: Option<NodeContract>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeContract {
    pub code: NodeCode,
    /// `None` if the contract answers neither as a token nor as a collection.
    pub token: Option<ContractToken>,
}

/// Code of a contract, from the chain's state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NodeCode {
    Evm {
        /// Bytes of the deployed code.
        size: usize,
    },
    Wasm {
        code_id: String,
        /// Label that the creator chose; hostile.
        label: String,
        creator: Option<Address>,
        /// Account that can replace the code.
        admin: Option<Address>,
        created: Option<Height>,
    },
}

/// What a contract says about itself, without proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContractToken {
    pub kind: ContractTokenKind,
    /// Name; empty if the contract tells none. Hostile.
    pub name: String,
    /// Symbol; hostile.
    pub symbol: String,
    /// Supply in the smallest unit, or the number of NFTs; `None` if the contract does not tell it.
    pub supply: Option<Amount>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ContractTokenKind {
    Fungible {
        /// Denom of the chain's bank, else the one derived from the contract's address.
        denom: Denom,
        decimals: u8,
    },
    Collection,
}
