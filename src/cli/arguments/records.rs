//! Arguments of the commands for receipts, call frames, NFTs and holders.

use std::sync::Arc;

use clap::{Args, Subcommand, builder::PossibleValuesParser, builder::TypedValueParser};

use super::{ListArguments, OutputArguments};
use crate::{
    domain::{Address, Denom, EvmTxHash, Height, TxHash},
    msg::{CollectionScope, EvmTxScope, InternalTxScope, TokenName, TokenOrder, TokenQuery, TokenScope},
};

/// Commands for all records of the indexer except blocks and transactions.
#[derive(Clone, Debug, Subcommand)]
pub enum RecordsCommand {
    /// List EVM receipts, or show one
    EvmTxs(EvmTxsArguments),
    /// List call frames of EVM transactions
    InternalTxs(InternalTxsArguments),
    /// List NFT collections, or show one
    Collections(CollectionsArguments),
    /// List the NFTs of an account or of a collection
    Nfts(NftsArguments),
    /// List the transactions of an NFT
    NftTxs(NftTxsArguments),
    /// List the holders of a token, the largest first
    Holders(HoldersArguments),
}

#[derive(Clone, Debug, Args)]
pub struct EvmTxsArguments {
    /// Show the receipt of the transaction with this EVM hash
    #[arg(value_name = "HASH", conflicts_with_all = ["list", "account", "height"])]
    pub hash: Option<EvmTxHash>,
    /// Only receipts that involve this account, init1… or 0x…
    #[arg(long, value_name = "ACCOUNT", conflicts_with = "height")]
    pub account: Option<Address>,
    /// Only receipts of transactions that the account sent
    #[arg(long, requires = "account")]
    pub signer: bool,
    /// Only receipts in this block
    #[arg(long, value_name = "HEIGHT")]
    pub height: Option<Height>,
    #[command(flatten)]
    pub list: ListArguments,
    #[command(flatten)]
    pub output: OutputArguments,
}

impl EvmTxsArguments {
    /// Returns the scope of the receipts.
    pub fn scope(&self) -> EvmTxScope {
        match (self.account, self.height) {
            (Some(address), _) => EvmTxScope::Account { address, signer_only: self.signer },
            (None, Some(height)) => EvmTxScope::Height(height),
            (None, None) => EvmTxScope::All,
        }
    }
}

#[derive(Clone, Debug, Args)]
pub struct InternalTxsArguments {
    /// Only call frames of the transaction with this hash, of either kind, the outermost call first
    #[arg(value_name = "HASH", conflicts_with_all = ["account", "height"])]
    pub hash: Option<EvmTxHash>,
    /// Only call frames from or to this account, init1… or 0x…
    #[arg(long, value_name = "ACCOUNT", conflicts_with = "height")]
    pub account: Option<Address>,
    /// Only call frames in this block
    #[arg(long, value_name = "HEIGHT")]
    pub height: Option<Height>,
    #[command(flatten)]
    pub list: ListArguments,
    #[command(flatten)]
    pub output: OutputArguments,
}

impl InternalTxsArguments {
    /// Returns the scope of the call frames.
    pub fn scope(&self) -> InternalTxScope {
        match (self.hash, self.account, self.height) {
            (Some(hash), ..) => InternalTxScope::Tx(hash),
            (None, Some(account), _) => InternalTxScope::Account(account),
            (None, None, Some(height)) => InternalTxScope::Height(height),
            (None, None, None) => InternalTxScope::All,
        }
    }
}

#[derive(Clone, Debug, Args)]
pub struct CollectionsArguments {
    /// Show the collection with this address
    #[arg(value_name = "ADDRESS", conflicts_with_all = ["list", "account", "name"])]
    pub address: Option<Address>,
    /// Only collections with an NFT of this account, init1… or 0x…
    #[arg(long, value_name = "ACCOUNT", conflicts_with = "name")]
    pub account: Option<Address>,
    /// Only collections whose name contains this text; only letters and digits count, in any case
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    #[command(flatten)]
    pub list: ListArguments,
    #[command(flatten)]
    pub output: OutputArguments,
}

impl CollectionsArguments {
    /// Returns the scope of the collections.
    pub fn scope(&self) -> CollectionScope {
        match (self.account, &self.name) {
            (Some(account), _) => CollectionScope::Owner(account),
            (None, Some(name)) => CollectionScope::Name(name.as_str().into()),
            (None, None) => CollectionScope::All,
        }
    }
}

#[derive(Clone, Debug, Args)]
pub struct NftsArguments {
    /// NFTs of this account, init1… or 0x…
    #[arg(long, value_name = "ACCOUNT", required_unless_present = "collection")]
    pub account: Option<Address>,
    /// NFTs of the collection with this address
    #[arg(long, value_name = "ADDRESS")]
    pub collection: Option<Address>,
    /// Only NFTs with exactly this id
    #[arg(long, value_name = "ID")]
    pub token_id: Option<String>,
    /// Sort key; ids sort as text: 1, 10, 2
    #[arg(long, value_name = "FIELD", default_value = "token_id", value_parser = order_parser())]
    pub order_by: TokenOrder,
    #[command(flatten)]
    pub list: ListArguments,
    #[command(flatten)]
    pub output: OutputArguments,
}

impl NftsArguments {
    /// Returns the query for NFTs; `None` without owner and collection, which the parser rejects.
    pub fn query(&self) -> Option<TokenQuery> {
        let scope = match (self.account, self.collection) {
            (Some(address), collection) => TokenScope::Owner { address, collection },
            (None, Some(collection)) => TokenScope::Collection(collection),
            (None, None) => return None,
        };
        Some(TokenQuery { scope, token_id: self.token_id.as_deref().map(Arc::from), order_by: self.order_by })
    }
}

fn order_parser() -> impl TypedValueParser<Value = TokenOrder> {
    PossibleValuesParser::new(["token_id", "height"]).try_map(|text| text.parse::<TokenOrder>())
}

#[derive(Clone, Debug, Args)]
pub struct NftTxsArguments {
    /// Collection address
    #[arg(value_name = "COLLECTION")]
    pub collection: Address,
    /// Token id
    #[arg(value_name = "TOKEN")]
    pub token_id: String,
    #[command(flatten)]
    pub list: ListArguments,
    #[command(flatten)]
    pub output: OutputArguments,
}

impl NftTxsArguments {
    /// Returns the name of the NFT.
    pub fn token(&self) -> TokenName {
        TokenName { collection: self.collection, token_id: self.token_id.as_str().into() }
    }
}

#[derive(Clone, Debug, Args)]
pub struct HoldersArguments {
    /// Denom, such as uinit or l2/…, or a symbol from the network's list or the router; on EVM rollups also the
    /// contract 0x…
    #[arg(value_name = "DENOM", value_parser = parse_denom)]
    pub denom: Denom,
    #[command(flatten)]
    pub list: ListArguments,
    #[command(flatten)]
    pub output: OutputArguments,
}

fn parse_denom(text: &str) -> Result<Denom, String> {
    match text.trim() {
        "" | "." | ".." => Err("write the token as the chain does, such as uinit".to_owned()),
        denom => Ok(Denom::new(denom)),
    }
}

impl RecordsCommand {
    /// Returns the hash of the transaction whose receipt or call frames the command shows.
    pub fn tx_hash(&self) -> Option<TxHash> {
        let hash = match self {
            Self::EvmTxs(arguments) => arguments.hash,
            Self::InternalTxs(arguments) => arguments.hash,
            Self::Collections(_) | Self::Nfts(_) | Self::NftTxs(_) | Self::Holders(_) => None,
        };
        hash.map(|hash| TxHash::new(*hash.bytes()))
    }

    /// Returns the only block whose records are listed, if one is given.
    pub fn block(&self) -> Option<Height> {
        match self {
            Self::EvmTxs(arguments) => arguments.height,
            Self::InternalTxs(arguments) => arguments.height,
            Self::Collections(_) | Self::Nfts(_) | Self::NftTxs(_) | Self::Holders(_) => None,
        }
    }

    /// Returns the output options.
    pub fn output(&self) -> OutputArguments {
        match self {
            Self::EvmTxs(arguments) => arguments.output,
            Self::InternalTxs(arguments) => arguments.output,
            Self::Collections(arguments) => arguments.output,
            Self::Nfts(arguments) => arguments.output,
            Self::NftTxs(arguments) => arguments.output,
            Self::Holders(arguments) => arguments.output,
        }
    }
}
