use std::sync::Arc;

use super::list::Row;
use crate::{
    domain::{Height, TxHash},
    story::Headline,
    wire,
};

/// A block in a list.
#[derive(Clone, Debug)]
pub(crate) struct BlockRow(pub(crate) Arc<wire::Block>);

impl Row for BlockRow {
    type Key = Height;

    fn key(&self) -> Height {
        self.0.height
    }
}

/// A transaction in a list.
#[derive(Clone, Debug)]
pub(crate) struct TxRow {
    /// The record.
    pub(crate) tx: Arc<wire::Tx>,
    /// What the row says of it.
    pub(crate) headline: Headline,
}

impl TxRow {
    /// Reads the record's headline.
    pub(crate) fn new(tx: Arc<wire::Tx>) -> Self {
        let headline = Headline::of(&tx);
        Self { tx, headline }
    }
}

impl Row for TxRow {
    type Key = TxHash;

    fn key(&self) -> TxHash {
        self.tx.txhash
    }
}
