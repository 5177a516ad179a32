//! Transactions from outside of the simulation: what somebody asks for, what they are told, and why not.

use serde::{Deserialize, Serialize};

use crate::{
    demo::posted::{PostedTx, TxRefusal},
    domain::{Address, Amount, Denom, Height, Timestamp, TxHash, text::clip},
    wire::scalar,
};

/// A transaction from outside of the simulation: of the demo wallet, or of those who bring what happened elsewhere.
///
/// Amounts are in the token's smallest unit. Who signs must be a user of the rollup, or somebody who received tokens
/// from outside before; who receives may be anybody with an address of 20 bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum External {
    /// An account starts a withdrawal over the optimistic bridge. What finishes it happens on the L1.
    Withdraw {
        /// Who signs.
        #[serde(with = "scalar::text")]
        sender: Address,
        /// Who gets it on the L1, `init1…`.
        to: String,
        /// `l2/…`, or the wrapped form of one, which is converted in the same transaction.
        #[serde(with = "denom")]
        denom: Denom,
        /// How much; of a wrapped form a multiple of 10^12.
        amount: Amount,
    },
    /// An account sends tokens over IBC. Nothing is heard of the packet until a [`PacketOutcome`] comes.
    Send {
        /// Who signs.
        #[serde(with = "scalar::text")]
        sender: Address,
        /// Who gets it on the other chain, verbatim.
        receiver: String,
        /// Any token, or the wrapped form of one, which is converted in the same transaction.
        #[serde(with = "denom")]
        denom: Denom,
        /// How much; of a wrapped form a multiple of 10^12.
        amount: Amount,
        /// The channel's name here. Vouchers leave over the one they came over, all else over the first one.
        channel: String,
        /// Instructions for the other chain, verbatim; may be empty.
        memo: String,
        /// Seconds after its block in which the packet may arrive.
        seconds: u32,
    },
    /// The bridge executor finishes a deposit from the L1.
    Deposit {
        /// Who gets it here.
        #[serde(with = "scalar::text")]
        to: Address,
        /// Who deposited on the L1, `init1…`.
        from: String,
        /// `l2/…`.
        #[serde(with = "denom")]
        denom: Denom,
        /// How much.
        amount: Amount,
        /// What comes with it.
        hook: ExternalHook,
    },
    /// The relayer brings a packet of tokens from another chain.
    Receive {
        /// Who gets it here.
        #[serde(with = "scalar::text")]
        receiver: Address,
        /// Who sent it, verbatim.
        sender: String,
        /// The denom here: a voucher, or what had left before.
        #[serde(with = "denom")]
        denom: Denom,
        /// How much.
        amount: Amount,
        /// The channel's name here.
        channel: String,
        /// The packet's memo, verbatim. It is not acted on.
        memo: String,
        /// Whether it is credited; otherwise it is refused with an error acknowledgement.
        accepted: bool,
    },
    /// The relayer brings what became of a packet of an [`External::Send`].
    Answer {
        /// The channel's name here.
        channel: String,
        /// The packet's number.
        sequence: u64,
        /// What became of it.
        answer: PacketOutcome,
    },
    /// An account sends tokens to another one on the rollup.
    BankSend {
        /// Who signs.
        #[serde(with = "scalar::text")]
        sender: Address,
        /// Who gets it.
        #[serde(with = "scalar::text")]
        to: Address,
        /// What.
        #[serde(with = "denom")]
        denom: Denom,
        /// How much.
        amount: Amount,
    },
    /// What somebody signed and posted to the rollup's node, who must be an account that has received something.
    Posted(Box<PostedTx>),
}

/// What comes with a deposit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExternalHook {
    /// Nothing.
    #[default]
    None,
    /// The rollup's usual signed transaction of the receiver, with the L1's own token only: on the EVM all that they
    /// then hold of it is converted to its 18-decimal form, on Move it is lent to the market, on Wasm it is saved.
    Run,
    /// The same, but signed for another sequence: the deposit is credited and the hook fails.
    Stale,
}

/// What became of a packet that left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PacketOutcome {
    /// The other chain took it in.
    Accepted,
    /// The other chain refused it: the tokens come back.
    Refused,
    /// It did not arrive in time: the tokens come back. Only after the packet's timeout.
    Expired,
}

/// What a transaction from outside will be, from the next block on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Submitted {
    /// Its hash.
    pub tx_hash: TxHash,
    /// The block that it will be in: the next one.
    pub height: Height,
    /// That block's time.
    pub time: Timestamp,
    /// The packet that it sends or is about.
    pub packet: Option<PacketKey>,
    /// Until when the packet that it sends may arrive.
    pub expires: Option<Timestamp>,
    /// The number of the withdrawal that it starts.
    pub withdrawal: Option<u64>,
    /// The number on the L1 of the deposit that it finishes.
    pub deposit: Option<u64>,
    /// Why it fails in its block, where it does: the fee is paid, and nothing else happens.
    pub failure: Option<MessageFailure>,
}

/// Why the messages of a posted transaction are not carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MessageFailure {
    /// As its module counts its errors.
    pub code: u32,
    /// The module.
    pub codespace: &'static str,
    /// The whole reason, as the node writes it.
    pub log: String,
    /// The reason that a contract gave up with, where one did.
    pub reverted: Option<&'static str>,
}

/// A packet by its channel and number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PacketKey {
    /// The channel's name here.
    pub channel: String,
    /// Its number on the sending side.
    pub sequence: u64,
}

/// Why a transaction from outside is not taken.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExternalError {
    /// Nobody of this address can sign.
    #[error("{sender} is not an account of this rollup; the demo wallet's is {wallet}")]
    UnknownSender {
        /// As it was given.
        sender: Address,
        /// Who could.
        wallet: Address,
    },
    /// A contract or a module.
    #[error("{0} is a contract or module of the rollup: name an account")]
    NotAnAccount(Address),
    /// An unknown address of 32 bytes.
    #[error("{0} has 32 bytes; accounts have 20")]
    LongAddress(Address),
    /// Too many addresses were met for the first time.
    #[error("the rollup has met {0} new accounts already and takes no more of them")]
    TooManyAccounts(usize),
    /// Not an account of the L1.
    #[error("“{}” is not an address of the L1: init1… is needed", clip(.0, 70))]
    L1Address(String),
    /// No such token.
    #[error("the rollup has no token {}", clip(.0.as_str(), 80))]
    UnknownDenom(Denom),
    /// An amount of nothing.
    #[error("the amount must be more than nothing")]
    Nothing,
    /// More than the virtual machine can count.
    #[error("{amount} of {symbol} is more than the rollup can count")]
    TooMuch {
        /// In the smallest unit.
        amount: Amount,
        /// Ticker.
        symbol: &'static str,
    },
    /// Not a whole number of the token that it wraps.
    #[error("{amount} of {symbol} cannot be unwrapped without a rest: a multiple of 1000000000000 is needed")]
    Rest {
        /// In the smallest unit.
        amount: Amount,
        /// Ticker.
        symbol: &'static str,
    },
    /// The sender has less than that.
    #[error("{sender} has {held} {symbol}, and {needed} {symbol} are needed")]
    Funds {
        /// Who.
        sender: Address,
        /// What they have, in display units.
        held: String,
        /// What they would need, in display units, with the fee where that is paid in the same token.
        needed: String,
        /// Ticker.
        symbol: &'static str,
    },
    /// The sender has too little of the fee token.
    #[error("{0} cannot pay the fee")]
    Fee(Address),
    /// Whoever would have to pay out has less than that.
    #[error("only {held} {symbol} can come out of {place} now")]
    Reserve {
        /// What is there, in display units.
        held: String,
        /// Ticker.
        symbol: &'static str,
        /// Where.
        place: &'static str,
    },
    /// A token that did not come over the optimistic bridge.
    #[error("{} did not come over the optimistic bridge and cannot go back over it", clip(.0.as_str(), 80))]
    NotBridged(Denom),
    /// Hooks come with one token only.
    #[error("deposits with a hook are of {0} only")]
    NoHook(Denom),
    /// No such channel.
    #[error("the rollup has no transfer channel “{}”", clip(.0, 40))]
    UnknownChannel(String),
    /// Another token's channel.
    #[error("{} travels over {channel} only", clip(.denom.as_str(), 80))]
    OtherChannel {
        /// The token.
        denom: Denom,
        /// Its channel.
        channel: &'static str,
    },
    /// A text that is missing or too long.
    #[error("the {name} must have between {least} and {most} bytes")]
    Length {
        /// Which text.
        name: &'static str,
        /// The least it must have.
        least: usize,
        /// The most it may have.
        most: usize,
    },
    /// A packet needs time to arrive.
    #[error("the packet needs at least a second to arrive")]
    NoTime,
    /// Too many packets wait for their answer.
    #[error("{0} packets wait for their answer already: bring some of these first")]
    TooManyPackets(usize),
    /// No such packet waits for an answer.
    #[error("no packet {sequence} waits for its answer on {}", clip(.channel, 40))]
    UnknownPacket {
        /// The channel.
        channel: String,
        /// The number.
        sequence: u64,
    },
    /// The packet may arrive still.
    #[error("the packet may arrive until {0}: it has not expired when the next block comes")]
    NotExpired(Timestamp),
    /// The next block is full.
    #[error("{0} transactions wait for the next block already: try again after it")]
    TooManyWaiting(usize),
    /// A posted transaction is not let into a block.
    #[error(transparent)]
    Refused(#[from] TxRefusal),
    /// A chain that takes nothing from outside.
    #[error("this chain takes no transactions from outside")]
    Closed,
    /// The rollup has ended.
    #[error("the embedded rollup has stopped")]
    Stopped,
}

/// A denom as JSON text.
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
