//! Parts that several pages share: rows and sources of lists, tables, the document of a transaction.

pub(crate) mod art;
pub(crate) mod block_list;
pub(crate) mod commands;
pub(crate) mod hints;
pub(crate) mod lists;
pub(crate) mod nft_facts;
pub(crate) mod nft_lists;
pub(crate) mod nft_records;
pub(crate) mod route_warnings;
pub(crate) mod rows;
pub(crate) mod signing;
mod story_document;
pub(crate) mod table;
pub(crate) mod transfers;
pub(crate) mod tx_detail;
pub(crate) mod tx_document;
pub(crate) mod tx_list;
pub(crate) mod words;

pub(crate) use story_document::receipt_price;
