//! External transactions: their requests, results and errors.

use serde::{Deserialize, Serialize};

use crate::{
    demo::{
        ledger::TxEvent,
        posted::{PostedTx, TxRefusal},
    },
    domain::{Address, Amount, Denom, Height, Timestamp, TxHash, text::clip},
    wire::scalar,
};

/// Transaction from outside the simulation: from the demo wallet, a relayer or the bridge executor.
///
/// Amounts are in the token's smallest unit. The signer must be a user of the rollup, or an account that received
/// tokens from outside. A recipient may be any 20-byte address.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum External {
    /// Begins a withdrawal over the OPinit bridge, which a claim on the L1 completes.
    Withdraw {
        #[serde(with = "scalar::text")]
        sender: Address,
        /// Recipient's `init1…` address on the L1.
        to: String,
        /// Denom: `l2/…`, or the denom that wraps it, which the transaction first unwraps.
        #[serde(with = "denom")]
        denom: Denom,
        /// Amount; for a wrapper, a multiple of 10^12.
        amount: Amount,
    },
    /// Sends tokens over IBC. The packet stays open until a [`PacketOutcome`] arrives.
    Send {
        #[serde(with = "scalar::text")]
        sender: Address,
        /// Recipient on the other chain, verbatim.
        receiver: String,
        /// Any denom, including a wrapper, which the transaction first unwraps.
        #[serde(with = "denom")]
        denom: Denom,
        /// Amount; for a wrapper, a multiple of 10^12.
        amount: Amount,
        /// Channel on the rollup. A voucher must return over its own channel; other tokens take the first.
        channel: String,
        /// Memo, verbatim; may be empty.
        memo: String,
        /// Timeout of the packet, in seconds after its block.
        seconds: u32,
    },
    /// Finalizes a deposit from the L1, as the bridge executor.
    Deposit {
        /// Recipient on the rollup.
        #[serde(with = "scalar::text")]
        to: Address,
        /// Depositor's `init1…` address on the L1.
        from: String,
        /// Denom: `l2/…`.
        #[serde(with = "denom")]
        denom: Denom,
        amount: Amount,
        hook: ExternalHook,
    },
    /// Delivers a packet of tokens, as the relayer.
    Receive {
        /// Recipient on the rollup.
        #[serde(with = "scalar::text")]
        receiver: Address,
        /// Sender on the other chain, verbatim.
        sender: String,
        /// Denom on the rollup: of a voucher, or of a token that returns.
        #[serde(with = "denom")]
        denom: Denom,
        amount: Amount,
        channel: String,
        /// Memo, which the rollup does not execute.
        memo: String,
        /// Whether the rollup credits the packet. If false, it writes an error acknowledgement.
        accepted: bool,
    },
    /// Delivers the acknowledgement or timeout of an [`External::Send`], as the relayer.
    Answer { channel: String, sequence: u64, answer: PacketOutcome },
    /// Sends tokens to another account on the rollup.
    BankSend {
        #[serde(with = "scalar::text")]
        sender: Address,
        #[serde(with = "scalar::text")]
        to: Address,
        #[serde(with = "denom")]
        denom: Denom,
        amount: Amount,
    },
    /// Signed transaction that a client posted to the rollup's node. The signer must have received funds.
    Posted(Box<PostedTx>),
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExternalHook {
    #[default]
    None,
    /// The receiver's usual hook, only for the L1's native token. On the EVM it converts the whole balance to 18
    /// decimals; on Move it lends the deposit; on Wasm it saves the deposit.
    Run,
    /// As `Run`, with an allowance of this amount in the smallest unit, which the conversion does not exceed.
    RunExact(Amount),
    /// A hook with a wrong sequence number: the rollup credits the deposit, but the hook fails.
    Stale,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PacketOutcome {
    Accepted,
    /// The other chain rejected the packet; the rollup refunds it.
    Refused,
    /// The packet timed out; the rollup refunds it. Invalid before the timeout.
    Expired,
}

/// What a transaction would do in the next block.
#[derive(Clone, Debug)]
pub struct TrialRun {
    pub gas: u64,
    /// Empty if the signer cannot pay the fee.
    pub events: Vec<TxEvent>,
}

/// Block and effects of an accepted external transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Submitted {
    pub tx_hash: TxHash,
    /// Height of the block that includes the transaction: the next block.
    pub height: Height,
    pub time: Timestamp,
    /// Packet that the transaction sends or settles.
    pub packet: Option<PacketKey>,
    /// Timeout of the packet that the transaction sends.
    pub expires: Option<Timestamp>,
    /// L2 sequence number of the withdrawal that the transaction begins.
    pub withdrawal: Option<u64>,
    /// L1 sequence number of the deposit that the transaction finalizes.
    pub deposit: Option<u64>,
    /// Failure of the messages. The account pays the fee; nothing else changes.
    pub failure: Option<MessageFailure>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MessageFailure {
    pub code: u32,
    pub codespace: &'static str,
    /// Error log, as the node writes it.
    pub log: String,
    pub reverted: Option<&'static str>,
}

/// Packet, identified by channel and sequence number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PacketKey {
    pub channel: String,
    /// Sequence number on the sending chain.
    pub sequence: u64,
}

/// Why the rollup refuses an external transaction.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExternalError {
    /// The rollup has no account with this address that can sign.
    #[error("{sender} is not an account of this rollup; use the demo wallet {wallet}")]
    UnknownSender { sender: Address, wallet: Address },
    /// The address belongs to a contract or module.
    #[error("{0} is a contract or module of the rollup: name an account")]
    NotAnAccount(Address),
    /// The rollup does not know this 32-byte address.
    #[error("{0} has 32 bytes; accounts have 20")]
    LongAddress(Address),
    #[error("the rollup has {0} new accounts already and accepts no more")]
    TooManyAccounts(usize),
    /// The text is not an L1 address.
    #[error("“{}” is not an L1 address: write init1…", clip(.0, 70))]
    L1Address(String),
    #[error("the rollup has no token {}", clip(.0.as_str(), 80))]
    UnknownDenom(Denom),
    #[error("the amount must be over 0")]
    Nothing,
    /// The amount exceeds what the VM can represent.
    #[error("{amount} of {symbol} exceeds the limit of the rollup")]
    TooMuch {
        /// Amount in the smallest unit.
        amount: Amount,
        symbol: &'static str,
    },
    /// The amount is not a whole number of the original token's smallest units.
    #[error("{amount} of {symbol} does not unwrap without a remainder: use a multiple of 1000000000000")]
    Rest {
        /// Amount in the smallest unit.
        amount: Amount,
        symbol: &'static str,
    },
    #[error("{sender} has {held} {symbol} but needs {needed} {symbol}")]
    Funds {
        sender: Address,
        /// Balance in display units.
        held: String,
        /// Required amount in display units, including a fee in that token.
        needed: String,
        symbol: &'static str,
    },
    #[error("{0} cannot pay the fee")]
    Fee(Address),
    /// The account that must pay out, such as an escrow, holds too little.
    #[error("only {held} {symbol} can leave {place} now")]
    Reserve {
        /// The account's balance in display units.
        held: String,
        symbol: &'static str,
        place: &'static str,
    },
    /// The token did not come over the OPinit bridge.
    #[error("{} did not come over the optimistic bridge and cannot go back over it", clip(.0.as_str(), 80))]
    NotBridged(Denom),
    /// Deposits of the token cannot have a hook.
    #[error("only deposits of {0} can have a hook")]
    NoHook(Denom),
    #[error("the rollup has no transfer channel “{}”", clip(.0, 40))]
    UnknownChannel(String),
    #[error("{} leaves only over {channel}", clip(.denom.as_str(), 80))]
    OtherChannel { denom: Denom, channel: &'static str },
    /// A text is empty or too long.
    #[error("the {name} must have between {least} and {most} bytes")]
    Length {
        name: &'static str,
        /// Minimum length, in bytes.
        least: usize,
        /// Maximum length, in bytes.
        most: usize,
    },
    /// The packet has no timeout.
    #[error("the packet needs at least a second to arrive")]
    NoTime,
    #[error("{0} packets already wait for their acknowledgement: relay some first")]
    TooManyPackets(usize),
    #[error("no packet {sequence} waits for its acknowledgement on {}", clip(.channel, 40))]
    UnknownPacket { channel: String, sequence: u64 },
    /// The packet has not timed out yet.
    #[error("the packet does not expire before the next block: it may arrive until {0}")]
    NotExpired(Timestamp),
    #[error("{0} transactions already wait for the next block: try again after it")]
    TooManyWaiting(usize),
    /// The posted transaction failed the node's checks.
    #[error(transparent)]
    Refused(#[from] TxRefusal),
    #[error("this chain accepts no external transactions")]
    Closed,
    #[error("the embedded rollup has stopped")]
    Stopped,
}

/// Parses a denom from a JSON string.
mod denom {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    use crate::domain::Denom;

    pub(super) fn serialize<S: Serializer>(denom: &Denom, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(denom.as_str())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Denom, D::Error> {
        let text = String::deserialize(deserializer)?;
        if Denom::is_fit(&text) { Ok(Denom::new(text)) } else { Err(D::Error::custom("this text is not a denom")) }
    }
}
