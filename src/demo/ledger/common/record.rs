//! What the ledger remembers of a transaction: numbers only. Everything else follows from them and the world.

use super::{Flavour, plan::MemoNumber};
use crate::demo::{ledger::MessageFailure, posted::PostedTx};

/// An account or contract: its place in the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct PartyId(pub(crate) u32);

/// A token: its place in the catalogue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct TokenId(pub(crate) u8);

#[derive(Debug)]
pub(crate) struct BlockRecord<F: Flavour> {
    /// The global number of its first transaction.
    pub(crate) first_sequence: u64,
    /// The global number of its first receipt, where the node makes receipts.
    pub(crate) first_receipt: u64,
    /// The global number of its first call frame, where the node traces calls.
    pub(crate) first_frame: u64,
    /// A running digest of everything that happened so far, standing for the application hash.
    pub(crate) digest: u64,
    /// Who proposed it: place in the catalogue.
    pub(crate) sequencer: u8,
    pub(crate) txs: Box<[TxRecord<F>]>,
}

#[derive(Debug)]
pub(crate) struct TxRecord<F: Flavour> {
    pub(crate) signer: PartyId,
    /// The number the signature was made for.
    pub(crate) sequence: u32,
    /// Gas asked for.
    pub(crate) gas_wanted: u32,
    /// Gas used.
    pub(crate) gas_used: u32,
    /// How it was signed.
    pub(crate) style: SignMode,
    /// What a person wrote with it.
    pub(crate) note: MemoNumber,
    pub(crate) fee: FeePayment,
    pub(crate) outcome: TxOutcome<F>,
    /// What it asked for.
    pub(crate) messages: Box<[Msg<F>]>,
    /// What was signed, where somebody posted it.
    pub(crate) posted: Option<Box<PostedRecord>>,
}

/// A transaction as it was posted, and how its messages failed, if they did.
#[derive(Debug)]
pub(crate) struct PostedRecord {
    pub(crate) tx: PostedTx,
    /// The declared fee, in the smallest unit of what fees are paid in.
    pub(crate) fee: u128,
    pub(crate) failure: Option<MessageFailure>,
}

/// How a transaction was signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SignMode {
    /// By an Ethereum wallet over the EVM transaction (sign mode 9999).
    Ethereum,
    /// By an Ethereum wallet as a personal message over a Cosmos transaction.
    Personal,
    /// By a program, directly.
    Direct,
}

/// Who pays for a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FeePayment {
    Signer,
    /// Somebody who allowed it.
    Granter(PartyId),
    /// Nobody: relayers declare `0GAS`.
    Zero,
    /// Nobody: bridge executors declare nothing.
    Empty,
    /// The signer, who declares too little and is refused before anything happens.
    TooLittle,
    /// The signer, who declares what the posted transaction says.
    Declared,
}

/// How a transaction ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TxOutcome<F: Flavour> {
    /// Everything was done.
    Success,
    /// The virtual machine or its module refused, in its own way.
    Vm(F::VmFailure),
    /// The gas limit was reached, at this place.
    OutOfGas(&'static str),
    /// The application recovered from a panic.
    Recovered,
    /// The signature was made for a number already used.
    WrongSequence {
        expected: u32,
    },
    /// The declared fee is below the minimum.
    InsufficientFee,
    /// No such right was granted.
    NoAuthorization,
    /// Only the executor may do this.
    NotExecutor,
    /// Only the admin may do this.
    NotAdmin,
    NoChannel,
    /// The light client cannot be used.
    InactiveClient,
    /// The packet had been settled by another relayer and its commitment is gone.
    NoCommitment,
    /// There is no fee allowance to take back.
    NoAllowance,
    /// A posted transaction's messages failed, as its record says.
    Posted,
}

impl<F: Flavour> TxOutcome<F> {
    /// Whether it stopped before the fee was taken: no events, no new sequence.
    pub(crate) fn is_before_fee(self) -> bool {
        matches!(self, Self::WrongSequence { .. } | Self::InsufficientFee)
    }
}

/// A right given to another account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Right {
    /// To send coins.
    Send,
    /// To call contracts or modules.
    Call,
}

#[derive(Debug)]
pub(crate) enum Msg<F: Flavour> {
    /// Bank send.
    Send { from: PartyId, to: PartyId, token: TokenId, amount: u128 },
    /// Bank send to several accounts, each with its amount.
    MultiSend { from: PartyId, token: TokenId, outputs: Box<[(PartyId, u128)]> },
    /// Acting for another.
    Exec { grantee: PartyId, inner: Box<[Msg<F>]> },
    /// Giving a right.
    Grant { granter: PartyId, grantee: PartyId, right: Right, days: u16 },
    /// Taking it back.
    Revoke { granter: PartyId, grantee: PartyId, right: Right },
    /// Promising to pay fees.
    AllowFees { granter: PartyId, grantee: PartyId, limit: u128, days: u16 },
    /// Taking it back.
    RevokeFees { granter: PartyId, grantee: PartyId },
    /// Clearing away fee allowances that expired.
    PruneAllowances { pruner: PartyId },
    /// Whatever the virtual machine runs.
    Vm(F::Message),
    /// A deposit from the L1 arrives.
    Deposit(Box<DepositRecord>),
    /// A withdrawal to the L1 starts; without `to` it goes to the same key's account there.
    Withdraw { sender: PartyId, to: Option<Box<str>>, token: TokenId, amount: u128, sequence: u64 },
    /// Prices of the L1 arrive in a block's votes.
    UpdateOracle { sender: PartyId },
    /// Prices of the L1 arrive with a proof.
    RelayOracle { sender: PartyId },
    /// The rollup is linked to its bridge.
    SetBridgeInfo { sender: PartyId },
    /// The admin acts as the opchild module.
    Execute { sender: PartyId, act: AdminAct },
    /// Tokens leave over IBC.
    Transfer(Box<Packet>),
    /// An NFT leaves over IBC.
    NftTransfer(Box<NftPacket>),
    /// A light client learns a height; `channel` names the chain.
    UpdateClient { signer: PartyId, channel: u8, sent: u64 },
    /// Tokens arrive over IBC.
    Receive { signer: PartyId, packet: Box<Packet>, arrival: PacketArrival },
    /// An NFT arrives over IBC.
    NftReceive { signer: PartyId, packet: Box<NftPacket> },
    /// The other chain answered.
    Acknowledge { signer: PartyId, packet: Box<Packet>, accepted: bool },
    /// The other chain answered about an NFT.
    NftAcknowledge { signer: PartyId, packet: Box<NftPacket> },
    /// The other chain did not answer in time.
    Timeout { signer: PartyId, packet: Box<Packet> },
}

/// What the admin does as the opchild module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AdminAct {
    /// Fees of these accounts are waived.
    AddFeeWhitelist(PartyId),
    /// … no longer.
    RemoveFeeWhitelist(PartyId),
    /// A bridge executor more.
    AddExecutor(PartyId),
    /// A bridge executor less.
    RemoveExecutor(PartyId),
    /// Another least gas price.
    UpdateMinGasPrices,
    /// Collected fees are paid out.
    SpendFeePool { recipient: PartyId, amount: u128 },
    /// Parameters of the virtual machine change.
    UpdateVmParams,
    /// Parameters of the rollup change.
    UpdateParams,
    /// The admin is named again.
    UpdateAdmin,
    /// Another validator signs: place in the catalogue of sequencers.
    AddValidator(u8),
    /// … no longer.
    RemoveValidator(u8),
    /// Another validator replaces all others: place in the catalogue of sequencers.
    UpdateSequencer(u8),
}

/// A deposit from the L1.
#[derive(Clone, Debug)]
pub(crate) struct DepositRecord {
    pub(crate) executor: PartyId,
    /// Number on the L1.
    pub(crate) sequence: u64,
    /// Who deposited it there, where that does not follow from the rest.
    pub(crate) from: Option<Box<str>>,
    /// Who gets it here.
    pub(crate) to: PartyId,
    pub(crate) token: TokenId,
    pub(crate) amount: u128,
    pub(crate) hook: DepositHook,
}

/// What comes with a deposit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DepositHook {
    None,
    /// A signed transaction that the receiver sent along; what it does with `amount` is the flavour's.
    Run {
        sequence: u32,
        amount: u128,
    },
    /// The same, but the signature was made for a sequence already used.
    Stale {
        sequence: u32,
        expected: u32,
    },
    /// The same on nodes of early 2025, which take the tokens back: they are burned and go back as this withdrawal.
    TakenBack {
        sequence: u32,
        expected: u32,
        withdrawal: u64,
    },
    /// The receiver may not receive: the tokens go back as this withdrawal.
    Refused {
        withdrawal: u64,
    },
    /// This deposit had been done before: nothing happens.
    Repeated,
}

/// A packet of tokens, in either direction.
#[derive(Clone, Debug)]
pub(crate) struct Packet {
    /// Place in the catalogue of channels.
    pub(crate) channel: u8,
    /// Number on the sending side.
    pub(crate) sequence: u64,
    pub(crate) local: PartyId,
    pub(crate) token: TokenId,
    pub(crate) amount: u128,
    /// The height here when it was sent.
    pub(crate) sent: u64,
    /// Blocks it may be under way; `None` is the usual ten minutes.
    pub(crate) patience: Option<u8>,
    /// Instructions for the receiving side.
    pub(crate) memo: MemoKind,
    /// What it says verbatim, where it came from outside of the simulation.
    pub(crate) words: Option<Box<PacketTexts>>,
}

/// What a packet says verbatim, instead of what follows from its numbers.
#[derive(Clone, Debug)]
pub(crate) struct PacketTexts {
    /// The account on the other chain.
    pub(crate) there: Box<str>,
    pub(crate) memo: Box<str>,
    /// Nanoseconds since 1970 after which it cannot be taken in.
    pub(crate) timeout: u64,
}

/// Instructions in a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MemoKind {
    /// None.
    Empty,
    /// Pass it on over another channel.
    Forward,
    /// Run something on arrival; what the number says is the flavour's.
    Hook(u8),
}

/// How a packet of tokens was taken in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PacketArrival {
    /// Credited.
    Accepted,
    /// The receiver's address is wrong: refused with an error answer.
    Refused,
    /// Another relayer was first: nothing happens.
    Repeated,
}

/// A packet with one NFT of the bridged class, in either direction.
#[derive(Clone, Debug)]
pub(crate) struct NftPacket {
    /// Number on the sending side.
    pub(crate) sequence: u64,
    pub(crate) local: PartyId,
    pub(crate) id: u32,
    /// The height here when it was sent.
    pub(crate) sent: u64,
    /// Whether it is the first of its class to arrive, for which a contract is deployed.
    pub(crate) first: bool,
}
