//! Compact records of transactions: numbers only. All else follows from them and the world.

mod parts;

pub(crate) use self::parts::{
    AdminAct, DepositHook, DepositRecord, FeePayment, MemoKind, NftPacket, Packet, PacketArrival, PacketTexts, PartyId,
    PostedRecord, Right, SignMode, TokenId,
};
use super::{Flavour, plan::MemoNumber};

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
    /// Whether the transaction failed before the fee: no events, no new sequence.
    pub(crate) fn is_before_fee(self) -> bool {
        matches!(self, Self::WrongSequence { .. } | Self::InsufficientFee)
    }
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
