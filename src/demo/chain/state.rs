//! Parts of a chain's state that a node serves.

use crate::{
    demo::{ledger::KeyKind, posted::EthereumPayload},
    domain::{Address, Amount, Denom, Height, Timestamp, TxHash},
};

/// Withdrawal over the OPinit bridge, as its event describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BridgeWithdrawal {
    /// Sequence number, from 1.
    pub sequence: u64,
    pub height: Height,
    pub tx_hash: TxHash,
    /// Sender's `init1…` address.
    pub from: String,
    /// Recipient on the L1.
    pub to: String,
    pub l1_denom: &'static str,
    /// Amount in the smallest unit.
    pub amount: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainAccount {
    pub address: Address,
    pub number: u64,
    pub sequence: u64,
    /// Compressed public key; `None` before the first signature.
    pub key: Option<(KeyKind, [u8; 33])>,
    pub kind: AccountKind,
}

/// Type of account in the auth module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccountKind {
    Base,
    /// Module account: its name and permissions.
    Module(&'static str, &'static [&'static str]),
    Contract,
    Object,
}

/// Ethereum transaction without its result, which is in the receipt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EthereumTx {
    pub cosmos: TxHash,
    /// Payload that an Ethereum wallet signed; `None` for a Cosmos transaction.
    pub signed: Option<Box<EthereumPayload>>,
}

/// Block proposer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sequencer {
    pub moniker: &'static str,
    /// Operator account. Blocks name the proposer by its consensus address instead.
    pub operator: Address,
    /// Public key, 32 bytes.
    pub key: [u8; 32],
    /// Whether the sequencer is the current proposer.
    pub is_current: bool,
}

/// Token that the bank does not list, by the word of its contract, which keeps the balances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnlistedToken {
    pub name: &'static str,
    pub symbol: &'static str,
    pub decimals: u8,
    pub supply: Amount,
}

/// Contract of a Wasm rollup that is no collection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WasmContract {
    pub code: u32,
    /// Creator; `None` for a contract of genesis.
    pub creator: Option<Address>,
    pub admin: Option<Address>,
    pub label: String,
    pub created: Height,
}

/// Authz grant of a right to execute messages of one type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuthzGrant {
    pub granter: Address,
    pub grantee: Address,
    pub msg_type: &'static str,
    pub expires: Option<Timestamp>,
}

/// Allowance to spend the granter's coins on fees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeeGrant {
    pub granter: Address,
    pub grantee: Address,
    pub denom: Denom,
    /// Rest of the limit in the smallest unit.
    pub left: Amount,
    pub expires: Timestamp,
}

/// Class of NFTs that arrived over IBC.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NftClass {
    /// Class on this chain: `ibc/` and the hash of path and base class.
    pub id: String,
    /// Port and channel: `nft-transfer/channel-1`.
    pub path: String,
    /// Class on the other chain.
    pub base: &'static str,
    /// Collection whose NFTs the class has here.
    pub collection: Address,
}
