//! What a node tells about a chain's state.

use crate::{
    demo::{ledger::KeyKind, posted::EthereumPayload},
    domain::{Address, Amount, Height, TxHash},
};

/// Withdrawal over the OPinit bridge, from the event in its block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BridgeWithdrawal {
    /// Sequence number, from 1.
    pub sequence: u64,
    pub height: Height,
    pub tx_hash: TxHash,
    /// Sender, `init1…`.
    pub from: String,
    /// Recipient on the L1.
    pub to: String,
    pub l1_denom: &'static str,
    /// Amount in the smallest unit.
    pub amount: u64,
}

/// Account in the auth module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainAccount {
    pub address: Address,
    /// Account number, from 0.
    pub number: u64,
    /// Sequence of the next signature.
    pub sequence: u64,
    /// Compressed public key; `None` before the first signature.
    pub key: Option<(KeyKind, [u8; 33])>,
    pub kind: AccountKind,
}

/// Kind of account in the auth module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccountKind {
    Base,
    /// Module with its name and permissions.
    Module(&'static str, &'static [&'static str]),
    /// EVM contract.
    Contract,
    Object,
}

/// Request of an Ethereum transaction; the receipt has its result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EthereumTx {
    pub cosmos: TxHash,
    /// Payload signed by an Ethereum wallet; `None` for the EVM counterpart of a Cosmos transaction.
    pub signed: Option<Box<EthereumPayload>>,
}

/// Block proposer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sequencer {
    pub moniker: &'static str,
    /// Operator account, whose bytes identify the proposer in blocks.
    pub operator: Address,
    /// Public key, 32 bytes.
    pub key: [u8; 32],
    /// Whether the sequencer proposes blocks now.
    pub is_current: bool,
}

/// CW-20 token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cw20Token {
    pub name: &'static str,
    pub symbol: &'static str,
    pub decimals: u8,
    pub supply: Amount,
}
