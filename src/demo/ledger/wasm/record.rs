//! What the Wasm modules run, and how they refuse.

use crate::demo::ledger::PacketOutcome;
use crate::demo::ledger::common::record::{PartyId, TokenId};

/// A CW-20 token: its place in the catalogue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cw20(pub(crate) u8);

/// What a pool holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PoolAsset {
    /// Coins of the bank.
    Coin(TokenId),
    Contract(Cw20),
}

/// A message to one of the Wasm modules.
#[derive(Debug)]
pub(crate) enum VmMessage {
    /// Calling a contract.
    Execute { sender: PartyId, call: ContractCall },
    /// Uploading code, which gets this number.
    StoreCode { sender: PartyId, code: u32 },
    /// Making a contract; the maker is its admin. An address in its message may be mistyped.
    Instantiate { contract: CreatedContract, is_mistyped: bool },
    /// Giving a contract other code.
    Migrate { sender: PartyId, contract: CreatedContract, code: u32 },
    /// Naming another admin of a contract; `None` is nobody for ever.
    SetAdmin { sender: PartyId, contract: CreatedContract, admin: Option<PartyId> },
    /// Naming a contract otherwise.
    SetLabel { sender: PartyId, contract: CreatedContract },
    /// Making a denom of the sender, with this number in its name.
    CreateDenom { sender: PartyId, number: u32 },
    /// Making tokens of a factory denom.
    Mint { sender: PartyId, token: TokenId, amount: u128, to: PartyId },
    /// Trying to make tokens of a denom that nobody made, with this number in its name.
    MintUnknown { sender: PartyId, number: u32 },
    /// Unmaking them.
    Burn { sender: PartyId, token: TokenId, amount: u128 },
    /// Naming another admin of a denom.
    ChangeAdmin { sender: PartyId, token: TokenId, admin: PartyId },
    /// Describing a denom.
    SetMetadata { sender: PartyId, token: TokenId },
    /// Naming a contract that hears of every send of a denom.
    SetSendHook { sender: PartyId, token: TokenId },
    /// An NFT arrives over IBC, at the ICS-721 contract's port.
    ReceiveNft { signer: PartyId, nft_transfer: Box<NftTransfer> },
    /// The other chain answered about an NFT, or did not in time.
    AnswerNft { signer: PartyId, nft_transfer: Box<NftTransfer>, packet_outcome: PacketOutcome },
}

/// A contract that a user made: what its address follows from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CreatedContract {
    pub(crate) maker: PartyId,
    /// The number of its first code.
    pub(crate) code: u32,
    /// Its number among all contracts, or among those made with a salt.
    pub(crate) instance: u32,
    /// Whether its address follows from maker and code, with the number as salt, and not from the number alone.
    pub(crate) is_salted: bool,
}

/// A call of a contract.
#[derive(Debug)]
pub(crate) enum ContractCall {
    /// CW-20 transfer.
    Transfer { token: Cw20, to: PartyId, amount: u128 },
    /// CW-20 `increase_allowance`.
    Allow { token: Cw20, spender: PartyId, amount: u128 },
    /// CW-20 `transfer_from`.
    TransferFrom { token: Cw20, owner: PartyId, to: PartyId, amount: u128 },
    /// CW-20 burn.
    Burn { token: Cw20, amount: u128 },
    /// CW-20 mint, by the issuer.
    Mint { token: Cw20, to: PartyId, amount: u128 },
    /// CW-20 send to the vault, which stakes it.
    Stake { amount: u128 },
    /// Taking it back.
    Unstake { amount: u128 },
    /// Giving the savings contract funds.
    Save { amount: u128 },
    /// Taking them out.
    TakeOut { amount: u128 },
    /// Having the postbox hand coins on.
    HandOn { token: TokenId, to: PartyId, amount: u128 },
    /// A reward is paid by the airdrop contract.
    Claim { amount: u128 },
    /// A swap with a pool: with funds, or by a CW-20 send.
    Swap(Swap),
    /// CW-721 mint by the artist.
    MintNft { collection: u8, id: u32, owner: PartyId },
    /// CW-721 mint by the launchpad, which is paid.
    Launch { collection: u8, id: u32, price: u128 },
    /// CW-721 `transfer_nft`.
    GiveNft { collection: u8, id: u32, to: PartyId },
    /// CW-721 `send_nft` to the marketplace, which offers it.
    OfferNft { collection: u8, id: u32, price: u128 },
    /// Buying what the marketplace offers.
    BuyNft { collection: u8, id: u32, price: u128, seller: PartyId },
    /// CW-721 burn.
    BurnNft { collection: u8, id: u32 },
    /// CW-721 approve of one token.
    ApproveNft { collection: u8, id: u32, spender: PartyId },
    /// CW-721 `approve_all` for the marketplace, or `revoke_all`.
    ApproveAll { collection: u8, approved: bool },
    /// CW-721 `send_nft` to the ICS-721 contract: an NFT leaves.
    BridgeNft {
        nft_transfer: Box<NftTransfer>,
        packet_outcome: PacketOutcome,
        /// Blocks until the answer comes.
        wait: u8,
    },
    /// A call that moves nothing.
    Ping { application: u8, argument: u64 },
    /// Calling an account that is no contract.
    Nowhere { to: PartyId },
    /// A message that the contract does not know.
    Unknown { application: u8 },
}

/// A packet with one NFT, in either direction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NftTransfer {
    /// Place in the catalogue of collections.
    pub(crate) collection: u8,
    pub(crate) id: u32,
    pub(crate) local: PartyId,
    /// Number on the sending side.
    pub(crate) sequence: u64,
    /// The height here when it was sent.
    pub(crate) sent: u64,
    /// Blocks it may be under way; `None` is the usual ten minutes.
    pub(crate) patience: Option<u8>,
    /// Whether it leaves.
    pub(crate) is_outgoing: bool,
    /// Whether it is the first of its class to arrive, for which a contract is made.
    pub(crate) is_first: bool,
}

/// A swap with a pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Swap {
    /// Place in the catalogue of pools.
    pub(crate) pool: u8,
    /// Whether the pool's first token is sold.
    pub(crate) forward: bool,
    /// Sold.
    pub(crate) sold: u128,
    pub(crate) bought: u128,
}

/// How the Wasm modules refuse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum VmFailure {
    /// The contract refused the call, in these words.
    Refused(&'static str),
    /// A contract that the called one called refused, in these words.
    RefusedInside(&'static str),
    /// The contract does not know the message.
    UnknownMessage,
    /// The contract refused to be made: an address is mistyped.
    MistypedAddress,
    /// The contract refused its other code.
    MigrationRefused,
    /// The code is not valid.
    BadCode,
    /// No code of this number.
    NoCode(u32),
    /// No contract at the address.
    NoContract,
    /// Only the contract's admin may do this.
    NotContractAdmin,
    /// Only the denom's admin may do this.
    NotDenomAdmin,
    DenomExists,
    /// The denom does not exist.
    NoDenom {
        /// The number in its name.
        number: u32,
    },
    /// The account does not hold this much.
    InsufficientFunds {
        has: u128,
    },
}

#[cfg(test)]
mod tests {
    use crate::demo::ledger::{
        common::record::{Msg, TxRecord},
        wasm::Wasm,
    };

    #[test]
    fn records_stay_small() {
        let (tx, message) = (size_of::<TxRecord<Wasm>>(), size_of::<Msg<Wasm>>());
        assert!(tx <= 112, "a transaction takes {tx} bytes");
        assert!(message <= 80, "a message takes {message} bytes");
    }
}
