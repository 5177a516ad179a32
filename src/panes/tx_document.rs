//! Tabs of a transaction as documents: story, messages, events, raw.

mod abi;
pub(crate) mod events;
pub(crate) mod messages;
mod sheet;
#[cfg(test)]
mod tests;
mod tree;

pub(crate) use abi::{input_lines, log_lines};
pub(crate) use sheet::{ClaimsShown, Line, PacketsShown, TxSheet, address_line, field};
pub(crate) use tree::coin;

use super::story_document::story_lines;
use crate::{app::page::TxTab, widgets::document::json::json_lines};

pub(crate) fn tx_lines(sheet: &TxSheet<'_>, tab: TxTab) -> Vec<Line> {
    match tab {
        TxTab::Story => story_lines(sheet),
        TxTab::Messages => {
            messages::message_lines(sheet, messages::MessageTitle::Sentence).into_iter().map(Line::prose).collect()
        }
        // Without an EVM record, only the Cosmos events have the logs.
        TxTab::Events | TxTab::Logs | TxTab::Calls => events::event_lines(sheet),
        TxTab::Raw => json_lines(&serde_json::to_string(sheet.tx).unwrap_or_default()),
    }
}
