//! The Wasm flavour's type, and messages and failures of its modules.

use crate::demo::ledger::PacketOutcome;
use crate::demo::ledger::common::record::{PartyId, TokenId};

/// Flavour with the Wasm VM. Apart from its `impl Flavour`, which needs the planner, which needs this type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Wasm;

/// CW-20 token by index in the catalogue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Cw20(pub(crate) u8);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum PoolAsset {
    /// Bank coin.
    Coin(TokenId),
    Contract(Cw20),
}

/// Message to one of the Wasm modules.
#[derive(Debug, Hash)]
pub(crate) enum VmMessage {
    Execute {
        sender: PartyId,
        call: ContractCall,
    },
    /// Upload of a code, which gets this number.
    StoreCode {
        sender: PartyId,
        code: u32,
    },
    /// Instantiation; the creator is the admin. An address in its message may be mistyped.
    Instantiate {
        contract: CreatedContract,
        is_mistyped: bool,
    },
    /// Migration to another code.
    Migrate {
        sender: PartyId,
        contract: CreatedContract,
        code: u32,
    },
    /// Change of a contract's admin; `None` removes it.
    SetAdmin {
        sender: PartyId,
        contract: CreatedContract,
        admin: Option<PartyId>,
    },
    /// Change of a contract's label.
    SetLabel {
        sender: PartyId,
        contract: CreatedContract,
    },
    /// Creation of a denom with this number in its name.
    CreateDenom {
        sender: PartyId,
        number: u32,
    },
    /// Mint of a factory denom.
    Mint {
        sender: PartyId,
        token: TokenId,
        amount: u128,
        to: PartyId,
    },
    /// Failing mint of an unknown denom with this number in its name.
    MintUnknown {
        sender: PartyId,
        number: u32,
    },
    Burn {
        sender: PartyId,
        token: TokenId,
        amount: u128,
    },
    ChangeAdmin {
        sender: PartyId,
        token: TokenId,
        admin: PartyId,
    },
    SetMetadata {
        sender: PartyId,
        token: TokenId,
    },
    /// Registration of a contract as the before-send hook of a denom.
    SetSendHook {
        sender: PartyId,
        token: TokenId,
    },
    /// Received NFT at the ICS-721 contract's port.
    ReceiveNft {
        signer: PartyId,
        nft_transfer: Box<NftTransfer>,
    },
    /// Acknowledgement or timeout for an NFT.
    AnswerNft {
        signer: PartyId,
        nft_transfer: Box<NftTransfer>,
        packet_outcome: PacketOutcome,
    },
}

/// Contract of a user: the inputs of its address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct CreatedContract {
    pub(crate) maker: PartyId,
    /// Number of its first code.
    pub(crate) code: u32,
    /// Number among all contracts, or among the contracts with a salt.
    pub(crate) instance: u32,
    /// Whether its address derives from creator, code and salt instead of the number alone.
    pub(crate) is_salted: bool,
}

#[derive(Debug, Hash)]
pub(crate) enum ContractCall {
    /// CW-20 transfer.
    Transfer {
        token: Cw20,
        to: PartyId,
        amount: u128,
    },
    /// CW-20 `increase_allowance`.
    Allow {
        token: Cw20,
        spender: PartyId,
        amount: u128,
    },
    /// CW-20 `transfer_from`.
    TransferFrom {
        token: Cw20,
        owner: PartyId,
        to: PartyId,
        amount: u128,
    },
    /// CW-20 burn.
    Burn {
        token: Cw20,
        amount: u128,
    },
    /// CW-20 mint by the issuer.
    Mint {
        token: Cw20,
        to: PartyId,
        amount: u128,
    },
    /// CW-20 send to the vault for staking.
    Stake {
        amount: u128,
    },
    Unstake {
        amount: u128,
    },
    /// Deposit at the savings contract.
    Save {
        amount: u128,
    },
    TakeOut {
        amount: u128,
    },
    /// Forwarding of coins by the postbox.
    HandOn {
        token: TokenId,
        to: PartyId,
        amount: u128,
    },
    /// Reward payment by the airdrop contract.
    Claim {
        amount: u128,
    },
    /// Swap with a pool: with funds, or by a CW-20 send.
    Swap(Swap),
    /// CW-721 mint by the artist.
    MintNft {
        collection: u8,
        id: u32,
        owner: PartyId,
    },
    /// CW-721 mint by the launchpad, for a price.
    Launch {
        collection: u8,
        id: u32,
        price: u128,
    },
    /// CW-721 `transfer_nft`.
    GiveNft {
        collection: u8,
        id: u32,
        to: PartyId,
    },
    /// CW-721 `send_nft` to the marketplace as an offer.
    OfferNft {
        collection: u8,
        id: u32,
        price: u128,
    },
    /// Purchase from the marketplace.
    BuyNft {
        collection: u8,
        id: u32,
        price: u128,
        seller: PartyId,
    },
    /// CW-721 burn.
    BurnNft {
        collection: u8,
        id: u32,
    },
    /// CW-721 approval of one token.
    ApproveNft {
        collection: u8,
        id: u32,
        spender: PartyId,
    },
    /// CW-721 `approve_all` for the marketplace, or `revoke_all`.
    ApproveAll {
        collection: u8,
        approved: bool,
    },
    /// CW-721 `send_nft` to the ICS-721 contract, to leave over IBC.
    BridgeNft {
        nft_transfer: Box<NftTransfer>,
        packet_outcome: PacketOutcome,
        /// Blocks until the outcome.
        wait: u8,
    },
    /// Call without a movement.
    Ping {
        application: u8,
        argument: u64,
    },
    /// Call of an account without a contract.
    Nowhere {
        to: PartyId,
    },
    /// Message that the contract does not know.
    Unknown {
        application: u8,
    },
}

/// Packet with one NFT in either direction.
#[derive(Clone, Copy, Debug, Hash)]
pub(crate) struct NftTransfer {
    /// Collection by index in the catalogue.
    pub(crate) collection: u8,
    pub(crate) id: u32,
    pub(crate) local: PartyId,
    /// Sequence number on the sending side.
    pub(crate) sequence: u64,
    /// Local height at its sending.
    pub(crate) sent: u64,
    /// Timeout in blocks; `None` for the usual ten minutes.
    pub(crate) patience: Option<u8>,
    pub(crate) is_outgoing: bool,
    /// Whether the NFT is the first of its class, for which a contract is created.
    pub(crate) is_first: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Swap {
    /// Pool by index in the catalogue.
    pub(crate) pool: u8,
    /// Whether the pool's first token is sold.
    pub(crate) forward: bool,
    pub(crate) sold: u128,
    pub(crate) bought: u128,
}

/// Failure of the Wasm modules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum VmFailure {
    /// Error of the called contract.
    Refused(&'static str),
    /// Error of a contract that the called contract calls.
    RefusedInside(&'static str),
    UnknownMessage,
    /// Failed instantiation because of a mistyped address.
    MistypedAddress,
    MigrationRefused,
    BadCode,
    /// Unknown code id.
    NoCode(u32),
    NoContract,
    NotContractAdmin,
    NotDenomAdmin,
    DenomExists,
    NoDenom {
        /// Number in the denom's name.
        number: u32,
    },
    InsufficientFunds {
        has: u128,
    },
}

#[cfg(test)]
mod tests {
    use super::Wasm;
    use crate::demo::ledger::common::record::{Msg, TxRecord};

    #[test]
    fn records_stay_small() {
        let (tx, message) = (size_of::<TxRecord<Wasm>>(), size_of::<Msg<Wasm>>());
        assert!(tx <= 112, "a transaction takes {tx} bytes");
        assert!(message <= 80, "a message takes {message} bytes");
    }
}
