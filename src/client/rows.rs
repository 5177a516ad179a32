//! Row types of lists, and the formats in which rows are returned.

use std::{borrow::Borrow, sync::Arc};

use serde::de::DeserializeOwned;

use crate::{
    msg::ListPage,
    wire::{
        Block, BlocksResponse, Collection, CollectionsResponse, EvmTx, EvmTxsResponse, Holder, HoldersResponse,
        InternalTx, InternalTxsResponse, Pagination, RawJson, Token, TokenContract, TokenContractsResponse,
        TokensResponse, Tx, TxsResponse, Verbatim,
    },
};

/// Type of a list's rows: the wire type, or [`Verbatim`] of the wire type.
pub trait RowForm<T>: Borrow<T> + DeserializeOwned + Send + Sync + 'static {}

impl<T, R: Borrow<T> + DeserializeOwned + Send + Sync + 'static> RowForm<T> for R {}

/// Page with its rows as received.
pub type VerbatimPage<T> = ListPage<Arc<Verbatim<T>>>;

/// Row type of a list, with the response that contains the rows.
pub trait ListItem: RowForm<Self> + Sized {
    /// Response with rows in another format.
    type Response<R: RowForm<Self>>: DeserializeOwned + Send + 'static;
    /// Response with rows as received.
    type RawResponse: DeserializeOwned;
    /// JSON field of the rows in a response.
    const FIELD: &'static str;

    /// Returns the rows of a response, and its cursors.
    fn rows<R: RowForm<Self>>(answer: Self::Response<R>) -> (Vec<R>, Pagination);
    /// Returns the rows of a response as received, and its cursors.
    fn raw_rows(answer: Self::RawResponse) -> (Vec<RawJson>, Pagination);
    /// Builds the body of a response with these rows in the server's format.
    fn body(rows: Vec<RawJson>, pagination: Pagination) -> Vec<u8>;
}

macro_rules! listed {
    ($($item:ident: $response:ident.$field:ident,)*) => {
        $(impl ListItem for $item {
            type Response<R: RowForm<Self>> = $response<R>;
            type RawResponse = $response<RawJson>;
            const FIELD: &'static str = stringify!($field);

            fn rows<R: RowForm<Self>>(answer: $response<R>) -> (Vec<R>, Pagination) {
                (answer.$field, answer.pagination)
            }

            fn raw_rows(answer: $response<RawJson>) -> (Vec<RawJson>, Pagination) {
                (answer.$field, answer.pagination)
            }

            fn body(rows: Vec<RawJson>, pagination: Pagination) -> Vec<u8> {
                serde_json::to_vec(&$response { $field: rows, pagination }).unwrap_or_default()
            }
        })*
    };
}

listed! {
    Block: BlocksResponse.blocks,
    Tx: TxsResponse.txs,
    EvmTx: EvmTxsResponse.txs,
    InternalTx: InternalTxsResponse.internal_txs,
    Collection: CollectionsResponse.collections,
    Token: TokensResponse.tokens,
    Holder: HoldersResponse.holders,
    TokenContract: TokenContractsResponse.contracts,
}
