//! What several pages share: rows and sources of lists, tables, the document of a transaction.

pub(crate) mod commands;
pub(crate) mod hints;
pub(crate) mod lists;
pub(crate) mod route_warnings;
pub(crate) mod rows;
pub(crate) mod table;
