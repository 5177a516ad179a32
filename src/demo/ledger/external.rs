//! External transactions: requests, results and errors.

use serde::{Deserialize, Serialize};

use crate::{
    demo::posted::{PostedTx, TxRefusal},
    domain::{Address, Amount, Denom, Height, Timestamp, TxHash, text::clip},
    wire::scalar,
};

/// External transaction: from the demo wallet, a relayer or the bridge executor.
///
/// Amounts are in the token's smallest unit. The signer must be a user of the rollup or an account that received
/// external tokens; a recipient may be any 20-byte address.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum External {
    /// Starts a withdrawal over the OPinit bridge, which ends on the L1.
    Withdraw {
        #[serde(with = "scalar::text")]
        sender: Address,
        /// Recipient on the L1, `init1…`.
        to: String,
        /// `l2/…`, or its wrapped form, which the same transaction converts.
        #[serde(with = "denom")]
        denom: Denom,
        /// Amount; for a wrapped form a multiple of 10^12.
        amount: Amount,
    },
    /// Sends tokens over IBC. The packet stays open until a [`PacketOutcome`] arrives.
    Send {
        #[serde(with = "scalar::text")]
        sender: Address,
        /// Recipient on the other chain, verbatim.
        receiver: String,
        /// Any token, or a wrapped form, which the same transaction converts.
        #[serde(with = "denom")]
        denom: Denom,
        /// Amount; for a wrapped form a multiple of 10^12.
        amount: Amount,
        /// Local channel. A voucher must return over its own channel, any other token takes the first.
        channel: String,
        /// Memo, verbatim; may be empty.
        memo: String,
        /// Timeout in seconds after its block.
        seconds: u32,
    },
    /// Finishes a deposit from the L1, by the bridge executor.
    Deposit {
        /// Recipient on the rollup.
        #[serde(with = "scalar::text")]
        to: Address,
        /// Depositor on the L1, `init1…`.
        from: String,
        /// `l2/…`.
        #[serde(with = "denom")]
        denom: Denom,
        amount: Amount,
        hook: ExternalHook,
    },
    /// Delivers a packet of tokens, by the relayer.
    Receive {
        /// Recipient on the rollup.
        #[serde(with = "scalar::text")]
        receiver: Address,
        /// Sender on the other chain, verbatim.
        sender: String,
        /// Local denom: a voucher, or a returning token.
        #[serde(with = "denom")]
        denom: Denom,
        amount: Amount,
        /// Local channel.
        channel: String,
        /// Memo, verbatim; not executed.
        memo: String,
        /// Whether the packet is credited; otherwise it gets an error acknowledgement.
        accepted: bool,
    },
    /// Delivers the outcome of an [`External::Send`], by the relayer.
    Answer {
        /// Local channel.
        channel: String,
        sequence: u64,
        answer: PacketOutcome,
    },
    /// Sends tokens to another account of the rollup.
    BankSend {
        #[serde(with = "scalar::text")]
        sender: Address,
        #[serde(with = "scalar::text")]
        to: Address,
        #[serde(with = "denom")]
        denom: Denom,
        amount: Amount,
    },
    /// Signed transaction posted to the rollup's node; its signer must have received funds.
    Posted(Box<PostedTx>),
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExternalHook {
    #[default]
    None,
    /// The usual signed transaction of the receiver, for the L1's own token only: on the EVM it converts the whole
    /// balance to the 18-decimal form, on Move it lends the deposit, on Wasm it saves the deposit.
    Run,
    /// A signed transaction with a wrong sequence: the deposit is credited, but the hook fails.
    Stale,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PacketOutcome {
    /// Acknowledged with success.
    Accepted,
    /// Acknowledged with an error: refunded.
    Refused,
    /// Timed out: refunded. Only after the packet's timeout.
    Expired,
}

/// Position and effects of an accepted external transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Submitted {
    pub tx_hash: TxHash,
    /// Height of the transaction's block, which is the next block.
    pub height: Height,
    /// Time of that block.
    pub time: Timestamp,
    /// Packet that it sends or concerns.
    pub packet: Option<PacketKey>,
    /// Timeout of the packet that it sends.
    pub expires: Option<Timestamp>,
    /// Sequence number of the withdrawal that it starts.
    pub withdrawal: Option<u64>,
    /// L1 sequence number of the deposit that it finishes.
    pub deposit: Option<u64>,
    /// Failure in its block: the fee is paid, with no other effect.
    pub failure: Option<MessageFailure>,
}

/// Failure of a posted transaction's messages.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MessageFailure {
    /// Error code of the module.
    pub code: u32,
    pub codespace: &'static str,
    /// Full error log, as the node writes it.
    pub log: String,
    /// Revert reason of a contract.
    pub reverted: Option<&'static str>,
}

/// Packet identified by channel and sequence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PacketKey {
    /// Local channel.
    pub channel: String,
    /// Sequence number on the sending side.
    pub sequence: u64,
}

/// Why an external transaction is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExternalError {
    /// No account with this address can sign.
    #[error("{sender} is not an account of this rollup; use the demo wallet {wallet}")]
    UnknownSender { sender: Address, wallet: Address },
    /// Contract or module account.
    #[error("{0} is a contract or module of the rollup: name an account")]
    NotAnAccount(Address),
    /// Unknown 32-byte address.
    #[error("{0} has 32 bytes; accounts have 20")]
    LongAddress(Address),
    #[error("the rollup has {0} new accounts already and accepts no more")]
    TooManyAccounts(usize),
    /// Not an L1 account.
    #[error("“{}” is not an L1 address: write init1…", clip(.0, 70))]
    L1Address(String),
    #[error("the rollup has no token {}", clip(.0.as_str(), 80))]
    UnknownDenom(Denom),
    #[error("the amount must be over 0")]
    Nothing,
    /// Exceeds the VM's maximum amount.
    #[error("{amount} of {symbol} exceeds the limit of the rollup")]
    TooMuch {
        /// In the smallest unit.
        amount: Amount,
        symbol: &'static str,
    },
    /// Not a whole number of the wrapped token's units.
    #[error("{amount} of {symbol} does not unwrap without a remainder: use a multiple of 1000000000000")]
    Rest {
        /// In the smallest unit.
        amount: Amount,
        symbol: &'static str,
    },
    #[error("{sender} has {held} {symbol} but needs {needed} {symbol}")]
    Funds {
        sender: Address,
        /// Balance in display units.
        held: String,
        /// Required amount in display units, including a fee in the same token.
        needed: String,
        symbol: &'static str,
    },
    #[error("{0} cannot pay the fee")]
    Fee(Address),
    /// Insufficient balance of the paying reserve.
    #[error("only {held} {symbol} can leave {place} now")]
    Reserve {
        /// Balance in display units.
        held: String,
        symbol: &'static str,
        place: &'static str,
    },
    /// Token that did not come over the OPinit bridge.
    #[error("{} did not come over the optimistic bridge and cannot go back over it", clip(.0.as_str(), 80))]
    NotBridged(Denom),
    /// Token whose deposits have no hook.
    #[error("deposits with a hook are of {0} only")]
    NoHook(Denom),
    #[error("the rollup has no transfer channel “{}”", clip(.0, 40))]
    UnknownChannel(String),
    #[error("{} travels over {channel} only", clip(.denom.as_str(), 80))]
    OtherChannel { denom: Denom, channel: &'static str },
    /// Missing or oversized text.
    #[error("the {name} must have between {least} and {most} bytes")]
    Length {
        name: &'static str,
        /// Minimum length.
        least: usize,
        /// Maximum length.
        most: usize,
    },
    /// Packet without a timeout.
    #[error("the packet needs at least a second to arrive")]
    NoTime,
    #[error("{0} packets already wait for their acknowledgement: relay some first")]
    TooManyPackets(usize),
    #[error("no packet {sequence} waits for its acknowledgement on {}", clip(.channel, 40))]
    UnknownPacket { channel: String, sequence: u64 },
    /// Packet that has not timed out yet.
    #[error("the packet does not expire before the next block: it may arrive until {0}")]
    NotExpired(Timestamp),
    #[error("{0} transactions already wait for the next block: try again after it")]
    TooManyWaiting(usize),
    /// Posted transaction that failed the checks.
    #[error(transparent)]
    Refused(#[from] TxRefusal),
    #[error("this chain accepts no external transactions")]
    Closed,
    #[error("the embedded rollup has stopped")]
    Stopped,
}

/// Denom as a JSON string.
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
