//! Parts of records that do not depend on the flavour.

use crate::demo::{ledger::MessageFailure, posted::PostedTx};

/// Index of an account or contract in the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct PartyId(pub(crate) u32);

/// Index of a token in the catalogue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct TokenId(pub(crate) u8);

/// Transaction that a client posted, and the failure of its messages.
#[derive(Debug, Hash)]
pub(crate) struct PostedRecord {
    pub(crate) tx: PostedTx,
    /// Declared fee in the smallest unit of the fee token.
    pub(crate) fee: u128,
    pub(crate) failure: Option<MessageFailure>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum SignMode {
    /// Ethereum wallet that signs an EVM transaction (sign mode 9999).
    Ethereum,
    /// Ethereum wallet that signs a Cosmos transaction as a personal message.
    Personal,
    Direct,
}

/// Who pays a transaction's fee.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum FeePayment {
    Signer,
    Granter(PartyId),
    /// No account: relayers declare `0GAS`.
    Zero,
    /// No account: bridge executors declare an empty fee.
    Empty,
    /// The signer, who declares less than the minimum; the chain rejects the transaction.
    TooLittle,
    /// The signer, with the fee that the posted transaction declares.
    Declared,
}

/// Right that an authz grant gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Right {
    Send,
    Call,
}

/// Action that the admin executes as the opchild module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum AdminAct {
    /// Waives the fees of this account.
    AddFeeWhitelist(PartyId),
    RemoveFeeWhitelist(PartyId),
    AddExecutor(PartyId),
    RemoveExecutor(PartyId),
    UpdateMinGasPrices,
    /// Pays out fees that the chain collected.
    SpendFeePool {
        recipient: PartyId,
        amount: u128,
    },
    /// Changes the VM's parameters.
    UpdateVmParams,
    /// Changes the rollup's parameters.
    UpdateParams,
    /// Appoints the current admin again.
    UpdateAdmin,
    /// Adds a validator, by index in the list of sequencers.
    AddValidator(u8),
    RemoveValidator(u8),
    /// Replaces all validators by one validator, given by index in the list of sequencers.
    UpdateSequencer(u8),
}

#[derive(Clone, Debug, Hash)]
pub(crate) struct DepositRecord {
    pub(crate) executor: PartyId,
    pub(crate) sequence: u64,
    /// Depositor on the L1; `None` if the record determines the address.
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
    /// The receiver's signed transaction runs. The flavour defines what `amount` means.
    Run {
        sequence: u32,
        amount: u128,
    },
    /// The hook's signed transaction has a sequence number that was already used.
    Stale {
        sequence: u32,
        expected: u32,
    },
    /// The hook fails on a node of early 2025. The node burns the tokens and returns them by this withdrawal.
    TakenBack {
        sequence: u32,
        expected: u32,
        withdrawal: u64,
    },
    /// The bank may not credit the receiver. This withdrawal returns the tokens.
    Refused {
        withdrawal: u64,
    },
    /// The deposit was already finalized; it has no effect.
    Repeated,
    /// As `Run`, with an allowance of exactly this amount, in the smallest unit.
    RunExact {
        sequence: u32,
        amount: u128,
    },
}

/// Packet of tokens, outgoing or incoming.
#[derive(Clone, Debug, Hash)]
pub(crate) struct Packet {
    /// Index of the channel in the catalogue.
    pub(crate) channel: u8,
    /// Sequence number on the sending chain.
    pub(crate) sequence: u64,
    pub(crate) local: PartyId,
    pub(crate) token: TokenId,
    pub(crate) amount: u128,
    /// Local height at which the packet was sent.
    pub(crate) sent: u64,
    /// Timeout in blocks; `None` for the usual ten minutes.
    pub(crate) patience: Option<u8>,
    /// Memo for the receiving side.
    pub(crate) memo: MemoKind,
    /// Texts of an external packet, verbatim.
    pub(crate) words: Option<Box<PacketTexts>>,
}

/// Texts of a packet, verbatim.
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
    /// Has the other chain forward the tokens over another channel.
    Forward,
    /// Runs a hook on arrival. The flavour defines the hooks.
    Hook(u8),
    /// Has this chain pass the received tokens on to the L1, in the packet with this number.
    PassOn {
        onward: u64,
    },
    /// None, in the packet that passes on what arrived over this channel under this number.
    PassedOn {
        channel: u8,
        received: u64,
    },
}

impl Packet {
    /// Returns the packet that passes on the tokens of a received one.
    pub(crate) fn onward(&self) -> Option<Self> {
        let MemoKind::PassOn { onward: sequence } = self.memo else { return None };
        let memo = MemoKind::PassedOn { channel: self.channel, received: self.sequence };
        Some(Self { channel: 0, sequence, memo, ..self.clone() })
    }

    /// Returns the received packet whose tokens this one passes on.
    pub(crate) fn carried(&self) -> Option<Self> {
        let MemoKind::PassedOn { channel, received: sequence } = self.memo else { return None };
        Some(Self { channel, sequence, memo: MemoKind::PassOn { onward: self.sequence }, ..self.clone() })
    }
}

/// Outcome of an incoming packet of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum PacketArrival {
    Accepted,
    /// The receiver is invalid, so the rollup rejects the packet with an error acknowledgement.
    Refused,
    /// Another relayer already delivered the packet; it has no effect.
    Repeated,
}

/// Packet with one NFT of the bridged class, outgoing or incoming.
#[derive(Clone, Debug, Hash)]
pub(crate) struct NftPacket {
    /// Sequence number on the sending chain.
    pub(crate) sequence: u64,
    pub(crate) local: PartyId,
    pub(crate) id: u32,
    /// Local height at which the packet was sent.
    pub(crate) sent: u64,
    /// Whether the NFT is the first of its class, so that its arrival deploys the contract.
    pub(crate) first: bool,
}
