//! Lists that can be read to their end: name, row identity and sort order of each.

use std::hash::Hash;

use crate::{
    client::{BlocksQuery, HoldersQuery, IndexerClient, ListEndpoint, endpoints},
    columns::ListRecord,
    domain::{Balance, Denom, EvmTxHash, Height, TxHash, text::group},
    msg::{CollectionScope, EvmTxScope, InternalTxScope, Order, TokenOrder, TokenQuery, TokenScope, TxQuery, TxScope},
    wire::{Block, Collection, ErrorKind, EvmTx, Holder, InternalTx, Token, Tx},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum SortKey {
    Height(u64),
    Amount(Balance),
}

pub(crate) trait ListSubject: ListEndpoint<Item: ListRecord> {
    /// Identity of a row.
    type Key: Hash + Eq;

    fn name(&self) -> String;

    fn key(&self, row: &Self::Item) -> Self::Key;

    /// Returns the sort key of a row; `None` if servers promise no order.
    fn sort_key(&self, row: &Self::Item) -> Option<SortKey>;

    /// Returns what two rows of one key agree in, with its words; `None` where a row may change.
    fn constant(&self, _row: &Self::Item) -> Option<(u64, String)> {
        None
    }

    /// Returns the names of the types that filter the list; `None` without a type filter.
    fn wanted_types(&self) -> Option<String> {
        None
    }

    /// Returns the denom of all rows; `None` for rows of different denoms, or of none.
    fn denom(&self) -> Option<&Denom> {
        None
    }

    /// Requests the current height of a list whose rows have no height.
    fn height(&self, _client: &IndexerClient) -> impl Future<Output = Option<u64>> {
        async { None }
    }

    /// Finds the row after `behind` (or the first row) on which the server fails, with the reason; `None` if unproven.
    fn failing_row(
        &self,
        _client: &IndexerClient,
        _behind: Option<&Self::Item>,
        _order: Order,
    ) -> impl Future<Output = Option<String>> {
        async { None }
    }
}

impl ListSubject for BlocksQuery {
    type Key = Height;

    fn name(&self) -> String {
        "the blocks".to_owned()
    }

    fn key(&self, row: &Block) -> Height {
        row.height
    }

    fn sort_key(&self, row: &Block) -> Option<SortKey> {
        Some(SortKey::Height(row.height.get()))
    }

    fn constant(&self, row: &Block) -> Option<(u64, String)> {
        let hash = row.hash.bytes().iter().fold(0_u64, |sum, byte| sum.rotate_left(8) ^ u64::from(*byte));
        Some((hash, format!("block {}", group(row.height.get()))))
    }

    /// Returns the next block if even a request for this block alone fails.
    async fn failing_row(&self, client: &IndexerClient, behind: Option<&Block>, order: Order) -> Option<String> {
        let height = match (behind, order) {
            (Some(block), Order::Descending) => block.height.previous()?,
            (Some(block), Order::Ascending) => block.height.next(),
            (None, Order::Descending) => client.status().await.ok()?.height,
            (None, Order::Ascending) => return None,
        };
        let failure = client.one(endpoints::block(height)).await.err()?;
        let ErrorKind::Server { status, .. } = failure.kind else { return None };
        let height = group(height.get());
        Some(format!(
            "the server fails ({status}) at block {height}, as real servers do after its proposer left the \
             validator set; skip it with --offset"
        ))
    }
}

impl ListSubject for TxQuery {
    /// Height and hash: a transaction may fail in one block and be included again in a later block.
    type Key = (Height, TxHash);

    fn name(&self) -> String {
        match &self.scope {
            TxScope::All => "the transactions".to_owned(),
            TxScope::Account { address, signer_only: false } => format!("the transactions of {address}"),
            TxScope::Account { address, signer_only: true } => format!("the transactions signed by {address}"),
            TxScope::Height(height) => format!("the transactions of block {}", group(height.get())),
            TxScope::Packet(packet) => format!("the transactions of {packet}"),
            TxScope::Token(token) => format!("the transactions of NFT {} of {}", token.token_id, token.collection),
        }
    }

    fn key(&self, row: &Tx) -> (Height, TxHash) {
        (row.height, row.txhash)
    }

    fn sort_key(&self, row: &Tx) -> Option<SortKey> {
        Some(SortKey::Height(row.height.get()))
    }

    fn constant(&self, row: &Tx) -> Option<(u64, String)> {
        Some((u64::from(row.code), format!("transaction {}", row.txhash.short())))
    }

    fn wanted_types(&self) -> Option<String> {
        let types: Vec<&str> = self.msgs.iter().map(crate::domain::MsgType::as_str).collect();
        (!types.is_empty()).then(|| types.join(", "))
    }
}

impl ListSubject for EvmTxScope {
    type Key = EvmTxHash;

    fn name(&self) -> String {
        match self {
            Self::All => "the EVM receipts".to_owned(),
            Self::Account { address, .. } => format!("the EVM receipts of {address}"),
            Self::Height(height) => format!("the EVM receipts of block {}", group(height.get())),
        }
    }

    fn key(&self, row: &EvmTx) -> EvmTxHash {
        row.transaction_hash
    }

    fn sort_key(&self, row: &EvmTx) -> Option<SortKey> {
        row.height().map(|height| SortKey::Height(height.get()))
    }
}

impl ListSubject for InternalTxScope {
    type Key = (EvmTxHash, i64);

    fn name(&self) -> String {
        match self {
            Self::All => "the call frames".to_owned(),
            Self::Account(address) => format!("the call frames of {address}"),
            Self::Height(height) => format!("the call frames of block {}", group(height.get())),
            Self::Tx(hash) => format!("the call frames of {hash}"),
        }
    }

    fn key(&self, row: &InternalTx) -> (EvmTxHash, i64) {
        (row.hash, row.index)
    }

    fn sort_key(&self, row: &InternalTx) -> Option<SortKey> {
        Some(SortKey::Height(row.height.get()))
    }
}

impl ListSubject for CollectionScope {
    type Key = String;

    fn name(&self) -> String {
        match self {
            Self::All => "the collections".to_owned(),
            Self::Owner(address) => format!("the collections of {address}"),
            Self::Name(name) | Self::NameAtServer(name) => format!("the collections called “{name}”"),
        }
    }

    fn key(&self, row: &Collection) -> String {
        row.object_addr.clone()
    }

    fn sort_key(&self, row: &Collection) -> Option<SortKey> {
        (*self == Self::All).then(|| SortKey::Height(row.height.get()))
    }
}

impl ListSubject for TokenQuery {
    type Key = (String, String);

    fn name(&self) -> String {
        match self.scope {
            TokenScope::Owner { address, .. } => format!("the NFTs of {address}"),
            TokenScope::Collection(address) => format!("the NFTs of collection {}", address.hex()),
        }
    }

    fn key(&self, row: &Token) -> (String, String) {
        (row.collection_addr.clone(), row.nft.token_id.as_received().to_owned())
    }

    /// The server's database sorts ids as text.
    fn sort_key(&self, row: &Token) -> Option<SortKey> {
        (self.order_by == TokenOrder::Height).then(|| SortKey::Height(row.height.get()))
    }
}

impl ListSubject for HoldersQuery {
    type Key = String;

    fn name(&self) -> String {
        format!("the holders of {}", self.0)
    }

    fn key(&self, row: &Holder) -> String {
        row.account.clone()
    }

    fn sort_key(&self, row: &Holder) -> Option<SortKey> {
        Some(SortKey::Amount(row.amount))
    }

    fn denom(&self) -> Option<&Denom> {
        Some(&self.0)
    }

    async fn height(&self, client: &IndexerClient) -> Option<u64> {
        client.status().await.ok()?.rich_list_height
    }
}
