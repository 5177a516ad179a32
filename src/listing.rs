//! Lists of an indexer, read to their end: for commands, and for files that the explorer writes.
//!
//! ```text
//! subject   name, identity and sort order of each list
//! walk      paging: finds new rows, the next page and the end
//! report    notes about a list that its rows do not show
//! pages     the pages of a walk, given to a writer
//! ```

mod pages;
mod report;
mod subject;
mod walk;

pub(crate) use pages::{ListWriter, write_pages};
pub(crate) use report::{OddRows, WalkReport};
pub(crate) use subject::ListSubject;
pub(crate) use walk::{PageWalk, WalkError, WalkRange, WalkedRow};

/// Maximum rows of a page of the API.
pub(crate) const LARGEST_PAGE: u64 = 1000;
/// Rows per page of a list with several pages.
const PAGE: u16 = 500;
