//! Columns of every list on screen.

use super::{
    Column, List, Resource, blocks::Blocks, collections::Collections, header::ColumnInfo, holders::Holders, in_order,
    tokens::Tokens, txs::Txs, withdrawals::Withdrawals,
};

impl List {
    /// Returns all columns that the list can show, the default columns first and in order.
    pub fn columns(self) -> Vec<ColumnInfo> {
        match self {
            Self::Blocks => info::<Blocks>(self),
            Self::Txs | Self::AccountTxs | Self::NftTxs => info::<Txs>(self),
            Self::Collections | Self::AccountCollections => info::<Collections>(self),
            Self::Nfts | Self::AccountNfts => info::<Tokens>(self),
            Self::Holders => info::<Holders>(self),
            Self::Withdrawals => info::<Withdrawals>(self),
        }
    }

    /// Returns the ids of the columns that the list shows by default in a wide terminal.
    pub fn default_ids(self) -> Vec<&'static str> {
        self.columns().into_iter().filter(|column| column.is_default).map(|column| column.id).collect()
    }
}

fn info<R: Resource>(list: List) -> Vec<ColumnInfo> {
    let default = in_order(|column: &Column<R>| column.place(list).map(|place| place.at));
    let others = R::COLUMNS.iter().filter(|column| column.is_for(list) && column.place(list).is_none());
    let info = |column: &Column<R>| ColumnInfo {
        id: column.id,
        heading: [column.header(list).title, column.label, column.id]
            .into_iter()
            .find(|name| !name.is_empty())
            .unwrap_or(""),
        is_default: column.place(list).is_some(),
        header: column.header(list),
    };
    default.into_iter().chain(others).map(info).collect()
}
