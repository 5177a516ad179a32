//! Parts of a transaction's changes.

use crate::{
    domain::{Address, Amount, Balance, Coin, Denom},
    story::names::move_address,
};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FeeLine {
    pub declared: Vec<Coin>,
    /// Payer: the granter, if there is one.
    pub payer: Option<Address>,
    /// Granter, if not the signer paid.
    pub granter: Option<Address>,
    /// Declared minus refunded amounts by denom; never zero.
    pub net_paid: Vec<Coin>,
    /// Unused gas whose price the chain paid back.
    pub refunded_gas: u64,
    pub events: Vec<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BalanceHolder {
    Account(Address),
    /// Store on Move of unknown owner, such as the inside of a pool.
    Store([u8; 32]),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BalanceChange {
    pub holder: BalanceHolder,
    pub denom: Denom,
    /// Change in the smallest unit.
    pub delta: Balance,
    /// Whether only an unregistered contract, which may lie, reports the change.
    pub is_reported: bool,
    /// Contributing events, as indices in [`Decoded::events`](crate::story::Decoded::events).
    pub events: Vec<usize>,
}

/// Movement of a token from one holder to another, as the events report it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenTransfer {
    /// Index of the message, from 0; `None` before and after the messages, such as for the fee.
    pub message: Option<usize>,
    /// `None` for a mint, or if no event names the sender.
    pub from: Option<BalanceHolder>,
    /// `None` for a burn, or if no event names the recipient.
    pub to: Option<BalanceHolder>,
    pub denom: Denom,
    pub amount: Amount,
}

/// Mints and burns of a denom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SupplyChange {
    pub denom: Denom,
    /// Minted minus burned, in the smallest unit.
    pub delta: Balance,
    pub events: Vec<usize>,
}

/// Movement of an NFT, or of an object that may be one, as an event reports it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NftChange {
    /// Index of the message, from 0.
    pub message: usize,
    pub what: NftName,
    /// Previous owner, or the account that requested the movement; `None` for a mint.
    pub from: Option<Address>,
    /// Whether no event names the previous owner: `from` only requested the movement.
    pub is_inferred: bool,
    /// New owner; `None` for a burn.
    pub to: Option<Address>,
    /// Number of copies, for ERC-1155.
    pub amount: Option<Amount>,
    /// Token id on the chain of origin, if this transaction names it and the local id proves it: on the EVM the local
    /// id is its hash.
    pub origin_id: Option<String>,
    pub events: Vec<usize>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NftName {
    /// Token of an EVM or Wasm contract.
    Token {
        /// EIP-55 on EVM, bech32 on Wasm.
        contract: String,
        /// Token id as the contract writes it, decimal on EVM.
        token_id: String,
    },
    /// NFT on Move with its collection; addresses in hex with `0x`, without leading zeros.
    Nft { collection: String, token_id: String, nft: String },
    /// Transferred Move object: an NFT or any other object.
    Object {
        /// Hex with `0x`.
        object: String,
    },
}

impl NftName {
    /// Returns the contract or collection; `None` for an object.
    pub fn collection(&self) -> Option<Address> {
        match self {
            Self::Token { contract, .. } => contract.parse().ok(),
            // Move omits leading zeros of an address.
            Self::Nft { collection, .. } => move_address::account(collection),
            Self::Object { .. } => None,
        }
    }
}
