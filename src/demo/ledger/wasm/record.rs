//! Type of the Wasm flavour; messages and failures of its modules.

use crate::demo::ledger::PacketOutcome;
use crate::demo::ledger::common::record::{PartyId, TokenId};

/// Wasm flavour. Its `impl Flavour` is in another file, because it needs the planner, which needs this type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Wasm;

/// Index of a CW-20 token in the catalogue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Cw20(pub(crate) u8);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum PoolAsset {
    Coin(TokenId),
    Contract(Cw20),
}

#[derive(Debug, Hash)]
pub(crate) enum VmMessage {
    Execute {
        sender: PartyId,
        call: ContractCall,
    },
    StoreCode {
        sender: PartyId,
        code: u32,
    },
    /// Instantiation of a contract, whose admin is the creator. The message may contain a mistyped address.
    Instantiate {
        contract: CreatedContract,
        is_mistyped: bool,
    },
    /// Migration of a contract to another code.
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
    /// Creation of a denom, whose name contains this number.
    CreateDenom {
        sender: PartyId,
        number: u32,
    },
    Mint {
        sender: PartyId,
        token: TokenId,
        amount: u128,
        to: PartyId,
    },
    /// Mint of an unknown denom, whose name contains this number; it fails.
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
    /// Registration of a contract that the bank calls before it sends the denom.
    SetSendHook {
        sender: PartyId,
        token: TokenId,
    },
    /// Arrival of an NFT at the ICS-721 contract's port.
    ReceiveNft {
        signer: PartyId,
        nft_transfer: Box<NftTransfer>,
    },
    /// Acknowledgement or timeout of a sent NFT.
    AnswerNft {
        signer: PartyId,
        nft_transfer: Box<NftTransfer>,
        packet_outcome: PacketOutcome,
    },
}

/// User's contract, by the inputs of its address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct CreatedContract {
    pub(crate) maker: PartyId,
    pub(crate) code: u32,
    /// Number among all contracts or, with a salt, among the contracts with a salt.
    pub(crate) instance: u32,
    /// Whether the address derives from creator, code and salt, not from the number alone.
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
    /// CW-20 mint, by the issuer.
    Mint {
        token: Cw20,
        to: PartyId,
        amount: u128,
    },
    /// CW-20 send to the vault, which stakes the tokens.
    Stake {
        amount: u128,
    },
    Unstake {
        amount: u128,
    },
    Save {
        amount: u128,
    },
    TakeOut {
        amount: u128,
    },
    /// Forwarding of coins, by the postbox.
    HandOn {
        token: TokenId,
        to: PartyId,
        amount: u128,
    },
    Claim {
        amount: u128,
    },
    /// Swap in a pool: with funds, or by a CW-20 send.
    Swap(Swap),
    /// CW-721 mint, by the artist.
    MintNft {
        collection: u8,
        id: u32,
        owner: PartyId,
    },
    /// CW-721 mint, by the launchpad for a price.
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
    /// CW-721 `send_nft` to the marketplace, which offers the token.
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
    /// CW-721 `send_nft` to the ICS-721 contract, which sends the token over IBC.
    BridgeNft {
        nft_transfer: Box<NftTransfer>,
        packet_outcome: PacketOutcome,
        /// Number of blocks until the acknowledgement or timeout.
        wait: u8,
    },
    Ping {
        application: u8,
        argument: u64,
    },
    /// Call of an account that is no contract.
    Nowhere {
        to: PartyId,
    },
    /// Message that the contract does not know.
    Unknown {
        application: u8,
    },
}

/// Packet with one NFT, outgoing or incoming.
#[derive(Clone, Copy, Debug, Hash)]
pub(crate) struct NftTransfer {
    /// Index of the collection in the catalogue.
    pub(crate) collection: u8,
    pub(crate) id: u32,
    pub(crate) local: PartyId,
    /// Sequence number on the sending chain.
    pub(crate) sequence: u64,
    /// Local height at which the NFT was sent.
    pub(crate) sent: u64,
    /// Timeout in blocks; `None` for the usual ten minutes.
    pub(crate) patience: Option<u8>,
    pub(crate) is_outgoing: bool,
    /// Whether the NFT is the first of its class, so that its arrival creates the contract.
    pub(crate) is_first: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Swap {
    /// Index of the pool in the catalogue.
    pub(crate) pool: u8,
    /// Whether the swap sells the pool's first token.
    pub(crate) forward: bool,
    pub(crate) sold: u128,
    pub(crate) bought: u128,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum VmFailure {
    Refused(&'static str),
    /// Another contract, which the called contract calls, refuses.
    RefusedInside(&'static str),
    UnknownMessage,
    /// The instantiation fails because an address is mistyped.
    MistypedAddress,
    MigrationRefused,
    BadCode,
    /// The code does not exist.
    NoCode(u32),
    NoContract,
    NotContractAdmin,
    NotDenomAdmin,
    DenomExists,
    NoDenom {
        /// Number in the name of the denom.
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
