//! Compact records of transactions. They hold only numbers; rendering derives the rest from them and the world.

mod parts;

pub(crate) use self::parts::{
    AdminAct, DepositHook, DepositRecord, FeePayment, MemoKind, NftPacket, Packet, PacketArrival, PacketTexts, PartyId,
    PostedRecord, Right, SignMode, TokenId,
};
use super::{Flavour, plan::MemoNumber};

#[derive(Debug)]
pub(crate) struct BlockRecord<F: Flavour> {
    /// Global number of the block's first transaction.
    pub(crate) first_sequence: u64,
    /// Global number of the block's first receipt, on the EVM.
    pub(crate) first_receipt: u64,
    /// Global number of the block's first call frame, on the EVM.
    pub(crate) first_frame: u64,
    /// State hash before the block.
    pub(crate) app_hash: [u8; 32],
    /// Index of the proposer in the catalogue.
    pub(crate) sequencer: u8,
    /// Index of the next block's proposer.
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
    pub(crate) note: MemoNumber,
    pub(crate) fee: FeePayment,
    pub(crate) outcome: TxOutcome<F>,
    pub(crate) messages: Box<[Msg<F>]>,
    pub(crate) posted: Option<Box<PostedRecord>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum TxOutcome<F: Flavour> {
    Success,
    Vm(F::VmFailure),
    OutOfGas(&'static str),
    Recovered,
    /// The signature has a sequence number that was already used.
    WrongSequence {
        expected: u32,
    },
    /// The fee is below the minimum.
    InsufficientFee,
    /// The authz grant does not exist.
    NoAuthorization,
    /// Only the executor may send the message, and the signer is not the executor.
    NotExecutor,
    /// Only the admin may send the message, and the signer is not the admin.
    NotAdmin,
    NoChannel,
    InactiveClient,
    /// Another relayer already settled the packet, so its commitment is gone.
    NoCommitment,
    NoAllowance,
    /// The messages of a posted transaction failed; its record has the reason.
    Posted,
}

impl<F: Flavour> TxOutcome<F> {
    /// Whether the transaction failed before the fee. Then it has no events, and the sequence number stays.
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
    PruneAllowances {
        pruner: PartyId,
    },
    Vm(F::Message),
    Deposit(Box<DepositRecord>),
    /// Withdrawal to the L1; without `to`, to the sender's account on the L1.
    Withdraw {
        sender: PartyId,
        to: Option<Box<str>>,
        token: TokenId,
        amount: u128,
        sequence: u64,
    },
    /// Oracle prices of the L1, from the votes of a block.
    UpdateOracle {
        sender: PartyId,
    },
    /// Oracle prices of the L1 with a proof.
    RelayOracle {
        sender: PartyId,
    },
    /// Registration of the rollup's bridge.
    SetBridgeInfo {
        sender: PartyId,
    },
    /// Action that the admin executes as the opchild module.
    Execute {
        sender: PartyId,
        act: AdminAct,
    },
    /// IBC transfer of tokens.
    Transfer(Box<Packet>),
    NftTransfer(Box<NftPacket>),
    /// Update of the light client of the channel's chain.
    UpdateClient {
        signer: PartyId,
        channel: u8,
        sent: u64,
    },
    /// Incoming packet of tokens.
    Receive {
        signer: PartyId,
        packet: Box<Packet>,
        arrival: PacketArrival,
    },
    /// Incoming packet with an NFT.
    NftReceive {
        signer: PartyId,
        packet: Box<NftPacket>,
    },
    /// Acknowledgement of an outgoing packet of tokens.
    Acknowledge {
        signer: PartyId,
        packet: Box<Packet>,
        accepted: bool,
    },
    NftAcknowledge {
        signer: PartyId,
        packet: Box<NftPacket>,
    },
    Timeout {
        signer: PartyId,
        packet: Box<Packet>,
    },
}
