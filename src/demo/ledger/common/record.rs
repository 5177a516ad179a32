//! Compact records of transactions: numbers only. All else follows from them and the world.

use super::{Flavour, plan::MemoNumber};
use crate::demo::{ledger::MessageFailure, posted::PostedTx};

/// Account or contract, by index in the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct PartyId(pub(crate) u32);

/// Token, by index in the catalogue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct TokenId(pub(crate) u8);

#[derive(Debug)]
pub(crate) struct BlockRecord<F: Flavour> {
    /// Global number of its first transaction.
    pub(crate) first_sequence: u64,
    /// Global number of its first receipt, if the node makes receipts.
    pub(crate) first_receipt: u64,
    /// Global number of its first call frame, if the node traces calls.
    pub(crate) first_frame: u64,
    /// State hash before the block.
    pub(crate) app_hash: [u8; 32],
    /// Proposer, by index in the catalogue.
    pub(crate) sequencer: u8,
    /// Proposer of the next block.
    pub(crate) next_sequencer: u8,
    pub(crate) txs: Box<[TxRecord<F>]>,
}

#[derive(Debug, Hash)]
pub(crate) struct TxRecord<F: Flavour> {
    pub(crate) signer: PartyId,
    pub(crate) sequence: u32,
    pub(crate) gas_wanted: u32,
    pub(crate) gas_used: u32,
    pub(crate) style: SignMode,
    /// Memo of the user.
    pub(crate) note: MemoNumber,
    pub(crate) fee: FeePayment,
    pub(crate) outcome: TxOutcome<F>,
    pub(crate) messages: Box<[Msg<F>]>,
    /// Signed transaction, if posted.
    pub(crate) posted: Option<Box<PostedRecord>>,
}

/// Posted transaction with the failure of its messages, if any.
#[derive(Debug, Hash)]
pub(crate) struct PostedRecord {
    pub(crate) tx: PostedTx,
    /// Declared fee in the smallest unit of the fee token.
    pub(crate) fee: u128,
    pub(crate) failure: Option<MessageFailure>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum SignMode {
    /// Ethereum wallet, over the EVM transaction (sign mode 9999).
    Ethereum,
    /// Ethereum wallet, as a personal message over a Cosmos transaction.
    Personal,
    /// Program, directly.
    Direct,
}

/// Payer of a transaction's fee.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum FeePayment {
    Signer,
    /// Granter of a fee allowance.
    Granter(PartyId),
    /// No payer: relayers declare `0GAS`.
    Zero,
    /// No payer: bridge executors declare an empty fee.
    Empty,
    /// Signer, with a declared fee below the minimum, which is rejected.
    TooLittle,
    /// Signer, with the fee in the posted transaction.
    Declared,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum TxOutcome<F: Flavour> {
    Success,
    Vm(F::VmFailure),
    OutOfGas(&'static str),
    /// Recovered panic of the application.
    Recovered,
    /// Signature with a used sequence.
    WrongSequence {
        expected: u32,
    },
    /// Fee below the minimum.
    InsufficientFee,
    /// Missing authz grant.
    NoAuthorization,
    /// Only the executor may send the message.
    NotExecutor,
    /// Only the admin may send the message.
    NotAdmin,
    NoChannel,
    /// Expired light client.
    InactiveClient,
    /// Packet settled by another relayer, without a commitment.
    NoCommitment,
    /// Missing fee allowance.
    NoAllowance,
    /// Failure of a posted transaction's messages, in its record.
    Posted,
}

impl<F: Flavour> TxOutcome<F> {
    /// Whether it failed before the fee: no events, no new sequence.
    pub(crate) fn is_before_fee(self) -> bool {
        matches!(self, Self::WrongSequence { .. } | Self::InsufficientFee)
    }
}

/// Authz right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Right {
    Send,
    /// Calls of contracts or modules.
    Call,
}

#[derive(Debug, Hash)]
pub(crate) enum Msg<F: Flavour> {
    Send {
        from: PartyId,
        to: PartyId,
        token: TokenId,
        amount: u128,
    },
    /// Bank transfer to several accounts, each with its amount.
    MultiSend {
        from: PartyId,
        token: TokenId,
        outputs: Box<[(PartyId, u128)]>,
    },
    Exec {
        grantee: PartyId,
        inner: Box<[Msg<F>]>,
    },
    Grant {
        granter: PartyId,
        grantee: PartyId,
        right: Right,
        days: u16,
    },
    Revoke {
        granter: PartyId,
        grantee: PartyId,
        right: Right,
    },
    /// Grant of a fee allowance.
    AllowFees {
        granter: PartyId,
        grantee: PartyId,
        limit: u128,
        days: u16,
    },
    RevokeFees {
        granter: PartyId,
        grantee: PartyId,
    },
    /// Removal of expired fee allowances.
    PruneAllowances {
        pruner: PartyId,
    },
    Vm(F::Message),
    /// Deposit from the L1.
    Deposit(Box<DepositRecord>),
    /// Withdrawal to the L1; without `to` the sender's own account there.
    Withdraw {
        sender: PartyId,
        to: Option<Box<str>>,
        token: TokenId,
        amount: u128,
        sequence: u64,
    },
    /// Oracle prices of the L1 from a block's votes.
    UpdateOracle {
        sender: PartyId,
    },
    /// Oracle prices of the L1 with a proof.
    RelayOracle {
        sender: PartyId,
    },
    /// Link of the rollup to its bridge.
    SetBridgeInfo {
        sender: PartyId,
    },
    /// Action of the admin as the opchild module.
    Execute {
        sender: PartyId,
        act: AdminAct,
    },
    /// IBC transfer of tokens.
    Transfer(Box<Packet>),
    /// IBC transfer of an NFT.
    NftTransfer(Box<NftPacket>),
    /// Update of a light client; `channel` names the chain.
    UpdateClient {
        signer: PartyId,
        channel: u8,
        sent: u64,
    },
    /// Received tokens over IBC.
    Receive {
        signer: PartyId,
        packet: Box<Packet>,
        arrival: PacketArrival,
    },
    /// Received NFT over IBC.
    NftReceive {
        signer: PartyId,
        packet: Box<NftPacket>,
    },
    /// Acknowledgement of a packet of tokens.
    Acknowledge {
        signer: PartyId,
        packet: Box<Packet>,
        accepted: bool,
    },
    /// Acknowledgement of a packet with an NFT.
    NftAcknowledge {
        signer: PartyId,
        packet: Box<NftPacket>,
    },
    Timeout {
        signer: PartyId,
        packet: Box<Packet>,
    },
}

/// Action of the admin as the opchild module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum AdminAct {
    /// Waives the fees of this account.
    AddFeeWhitelist(PartyId),
    RemoveFeeWhitelist(PartyId),
    AddExecutor(PartyId),
    RemoveExecutor(PartyId),
    /// Changes the minimum gas price.
    UpdateMinGasPrices,
    /// Pays out collected fees.
    SpendFeePool {
        recipient: PartyId,
        amount: u128,
    },
    /// Changes the VM's parameters.
    UpdateVmParams,
    /// Changes the rollup's parameters.
    UpdateParams,
    /// Sets the admin to the current one.
    UpdateAdmin,
    /// Adds a validator, by index in the catalogue of sequencers.
    AddValidator(u8),
    RemoveValidator(u8),
    /// Replaces all validators by one, by index in the catalogue of sequencers.
    UpdateSequencer(u8),
}

#[derive(Clone, Debug, Hash)]
pub(crate) struct DepositRecord {
    pub(crate) executor: PartyId,
    /// Sequence number on the L1.
    pub(crate) sequence: u64,
    /// Depositor on the L1, if it does not follow from the record.
    pub(crate) from: Option<Box<str>>,
    /// Recipient on the rollup.
    pub(crate) to: PartyId,
    pub(crate) token: TokenId,
    pub(crate) amount: u128,
    pub(crate) hook: DepositHook,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum DepositHook {
    None,
    /// Signed transaction of the receiver; the flavour defines its use of `amount`.
    Run {
        sequence: u32,
        amount: u128,
    },
    /// Signed transaction with a used sequence.
    Stale {
        sequence: u32,
        expected: u32,
    },
    /// Failed hook on a node of early 2025, which takes the tokens back: burned and returned as this withdrawal.
    TakenBack {
        sequence: u32,
        expected: u32,
        withdrawal: u64,
    },
    /// Receiver that may not receive: the tokens return as this withdrawal.
    Refused {
        withdrawal: u64,
    },
    /// Repeated deposit without an effect.
    Repeated,
}

/// Packet of tokens in either direction.
#[derive(Clone, Debug, Hash)]
pub(crate) struct Packet {
    /// Channel by index in the catalogue.
    pub(crate) channel: u8,
    /// Sequence number on the sending side.
    pub(crate) sequence: u64,
    pub(crate) local: PartyId,
    pub(crate) token: TokenId,
    pub(crate) amount: u128,
    /// Local height at its sending.
    pub(crate) sent: u64,
    /// Timeout in blocks; `None` for the usual ten minutes.
    pub(crate) patience: Option<u8>,
    /// Memo for the receiving side.
    pub(crate) memo: MemoKind,
    /// Verbatim texts of an external packet.
    pub(crate) words: Option<Box<PacketTexts>>,
}

/// Verbatim texts of a packet.
#[derive(Clone, Debug, Hash)]
pub(crate) struct PacketTexts {
    /// Account on the other chain.
    pub(crate) there: Box<str>,
    pub(crate) memo: Box<str>,
    /// Timeout in nanoseconds since 1970.
    pub(crate) timeout: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum MemoKind {
    Empty,
    /// Forwards over another channel.
    Forward,
    /// Runs a hook on arrival; the flavour defines the number.
    Hook(u8),
}

/// Result of a received packet of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum PacketArrival {
    Accepted,
    /// Invalid receiver: rejected with an error acknowledgement.
    Refused,
    /// Delivered earlier by another relayer: no effect.
    Repeated,
}

/// Packet with one NFT of the bridged class, in either direction.
#[derive(Clone, Debug, Hash)]
pub(crate) struct NftPacket {
    /// Sequence number on the sending side.
    pub(crate) sequence: u64,
    pub(crate) local: PartyId,
    pub(crate) id: u32,
    /// Local height at its sending.
    pub(crate) sent: u64,
    /// Whether it is the first of its class, for which a contract is deployed.
    pub(crate) first: bool,
}
