//! The tabs of a transaction as documents: its story, messages, events, raw.

mod abi;
pub(crate) mod events;
pub(crate) mod messages;
#[cfg(test)]
mod tests;
mod tree;

pub(crate) use abi::{input_lines, log_lines};
pub(crate) use tree::coin;

use super::story_document::story_lines;
use crate::{
    app::page::{TxLine, TxTab},
    config::Meaning,
    domain::{Address, AddressStyle, Target},
    story::{Explanation, Glossary, Story},
    widgets::document::{self, json::json_lines},
    wire::Tx,
};

/// A line of one of the tabs.
pub(crate) type Line = document::Line<TxLine>;

/// What the lines of a transaction are made of.
pub(crate) struct TxSheet<'a> {
    pub(crate) tx: &'a Tx,
    /// What it means; the record taken apart is in it.
    pub(crate) story: &'a Story,
    /// Why it failed, where the EVM's calls tell more than the record.
    pub(crate) reason: Option<&'a Explanation>,
    /// How accounts are written.
    pub(crate) style: AddressStyle,
    /// What is known by name there.
    pub(crate) glossary: &'a Glossary,
    /// What is known of the hash that the EVM gave it; it stands below the transaction's own.
    pub(crate) beside: Option<Line>,
    /// Its place among its block's transactions from 0, and their number, where they are known.
    pub(crate) place: Option<(usize, usize)>,
    /// How long ago it was, where times are shown so.
    pub(crate) age: Option<String>,
    /// Columns that the lines have.
    pub(crate) width: usize,
}

pub(crate) fn tx_lines(sheet: &TxSheet<'_>, tab: TxTab) -> Vec<Line> {
    match tab {
        TxTab::Story => story_lines(sheet),
        TxTab::Messages => messages::message_lines(sheet),
        // Without the EVM's own record, what its events say of the logs is all there is.
        TxTab::Events | TxTab::Logs | TxTab::Calls => events::event_lines(sheet),
        TxTab::Raw => json_lines(&serde_json::to_string(sheet.tx).unwrap_or_default()),
    }
}

pub(crate) fn field(depth: u16, name: &str) -> Line {
    Line::at(depth).with(Meaning::Key, format!("{name:<11} "))
}

pub(crate) fn address_line(line: Line, address: Address, style: &AddressStyle) -> Line {
    let text = style.write(address);
    line.with(Meaning::Link, &text).copying(text).leading_to(Some(Target::Account(address)))
}
