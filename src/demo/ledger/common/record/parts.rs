//! Parts of records that are the same for every flavour.

use crate::demo::{ledger::MessageFailure, posted::PostedTx};

/// Account or contract, by index in the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct PartyId(pub(crate) u32);

/// Token, by index in the catalogue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct TokenId(pub(crate) u8);

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

/// Authz right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Right {
    Send,
    /// Calls of contracts or modules.
    Call,
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
    /// Sets the admin to the current admin.
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
    /// Whether the NFT is the first of its class, for which a contract is deployed.
    pub(crate) first: bool,
}
