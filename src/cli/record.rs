//! How blocks, transactions and the status look as table rows, as details and as CSV.

mod evm;
mod holder;
mod nft;

use serde::Deserialize;

use super::table::{Align, Cell, Column, Meaning};
use crate::{
    domain::{MsgType, text::group},
    story::{Glossary, Headline, Style, row_words},
    wire::{Block, Status, Tx, WireCoin},
};

/// Something that can be listed, shown alone, and written as CSV.
pub(super) trait Record: Sized {
    /// The columns of its table, the most important first.
    const COLUMNS: &'static [Column];
    /// The header line of its CSV.
    const CSV: &'static [&'static str];

    /// A table row.
    fn cells(&self) -> Vec<Cell>;
    /// The columns for rows at this place of a list.
    fn columns(_place: Place) -> &'static [Column] {
        Self::COLUMNS
    }
    /// Table rows, for the columns of the same place.
    fn rows(items: &[&Self], _place: Place) -> Vec<Vec<Cell>> {
        items.iter().map(|item| item.cells()).collect()
    }
    /// What it means in words, for a last column of wide terminals; the heading is [`WORDS`].
    fn words(&self, _glossary: &Glossary) -> Option<Cell> {
        None
    }
    /// A CSV line; numbers are exact and ungrouped.
    fn csv(&self) -> Vec<String>;
    /// Everything, as names and values.
    fn details(&self) -> Vec<(&'static str, Cell)>;
}

/// The column of what rows mean.
pub(super) const WORDS: Column = ("Summary", Align::Left);

/// Where in its list a page stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// Rows of the whole list before the page; `None` where that is not known or the list is upside down.
    pub(super) first: Option<u64>,
    /// Whether the page is all that is printed.
    pub(super) is_whole: bool,
    /// Whether somebody looks at a terminal.
    pub(super) is_terminal: bool,
}

impl Record for Block {
    const COLUMNS: &'static [Column] = &[
        ("Height", Align::Right),
        ("Time (UTC)", Align::Left),
        ("Took", Align::Right),
        ("Txs", Align::Right),
        ("Gas used", Align::Right),
        ("Proposer", Align::Left),
        ("Hash", Align::Left),
        ("Fees", Align::Left),
    ];
    const CSV: &'static [&'static str] = &[
        "height",
        "hash",
        "timestamp",
        "block_time_ms",
        "tx_count",
        "gas_used",
        "gas_wanted",
        "total_fee",
        "proposer_moniker",
        "proposer_operator_address",
        "chain_id",
    ];

    fn cells(&self) -> Vec<Cell> {
        vec![
            Cell::new(group(self.height.get())),
            Cell::new(self.timestamp.day_and_clock()).or_short(self.timestamp.clock()),
            Cell::new(took(self.block_time)),
            Cell::new(group(self.tx_count)),
            Cell::new(group(self.gas_used)),
            Cell::new(proposer(self)),
            Cell::new(self.hash.to_string()).or_short(self.hash.short()),
            Cell::new(coins(&self.total_fee)),
        ]
    }

    fn csv(&self) -> Vec<String> {
        vec![
            self.height.to_string(),
            self.hash.to_string(),
            self.timestamp.to_string(),
            self.block_time.to_string(),
            self.tx_count.to_string(),
            self.gas_used.to_string(),
            self.gas_wanted.to_string(),
            coins(&self.total_fee),
            self.proposer.moniker.clone(),
            self.proposer.operator_address.clone(),
            self.chain_id.clone(),
        ]
    }

    fn details(&self) -> Vec<(&'static str, Cell)> {
        vec![
            ("Block", Cell::new(group(self.height.get()))),
            ("Chain", Cell::new(&self.chain_id)),
            ("Hash", Cell::new(self.hash.to_string())),
            ("Time", Cell::new(format!("{} UTC", self.timestamp.day_and_clock()))),
            ("Took", Cell::new(took(self.block_time))),
            ("Transactions", Cell::new(group(self.tx_count))),
            ("Gas", Cell::new(gas(self.gas_used, self.gas_wanted))),
            ("Fees", Cell::new(coins(&self.total_fee))),
            ("Proposer", Cell::new(format!("{}  {}", self.proposer.moniker, self.proposer.operator_address).trim())),
        ]
    }
}

impl Record for Tx {
    const COLUMNS: &'static [Column] = &[
        ("", Align::Left),
        ("Height", Align::Right),
        ("Hash", Align::Left),
        ("Messages", Align::Left),
        ("Gas used", Align::Right),
        ("Time (UTC)", Align::Left),
    ];
    const CSV: &'static [&'static str] = &[
        "txhash",
        "height",
        "timestamp",
        "code",
        "codespace",
        "gas_used",
        "gas_wanted",
        "messages",
        "fee",
        "memo",
        "raw_log",
    ];

    fn cells(&self) -> Vec<Cell> {
        let headline = Headline::of(self);
        let messages = headline.types.iter().map(MsgType::short).collect::<Vec<_>>().join(", ");
        vec![
            mark(self),
            Cell::new(group(self.height.get())),
            Cell::new(self.txhash.to_string()).or_short(self.txhash.short()),
            Cell::new(messages).or_short(headline.kind()),
            Cell::new(group(self.gas_used)),
            Cell::new(self.timestamp.day_and_clock()).or_short(self.timestamp.clock()),
        ]
    }

    fn words(&self, glossary: &Glossary) -> Option<Cell> {
        let words = row_words(self, &Headline::of(self), glossary, Style::Short);
        let cell = Cell::new(&words.text).or_short(words.brief.as_ref().unwrap_or(&words.text));
        Some(if self.is_success() { cell } else { cell.meaning(Meaning::Bad) })
    }

    fn csv(&self) -> Vec<String> {
        let signed = Signed::of(self);
        vec![
            self.txhash.to_string(),
            self.height.to_string(),
            self.timestamp.to_string(),
            self.code.to_string(),
            self.codespace.clone(),
            self.gas_used.to_string(),
            self.gas_wanted.to_string(),
            self.message_types().iter().map(ToString::to_string).collect::<Vec<_>>().join(";"),
            coins(&signed.auth_info.fee.amount),
            signed.body.memo,
            if self.is_success() { String::new() } else { self.raw_log.clone() },
        ]
    }

    fn details(&self) -> Vec<(&'static str, Cell)> {
        let signed = Signed::of(self);
        let result = if self.is_success() {
            Cell::new("✓ success").meaning(Meaning::Good)
        } else {
            Cell::new(format!("✗ failed: code {} of {}", self.code, self.codespace)).meaning(Meaning::Bad)
        };
        let mut details = vec![
            ("Transaction", Cell::new(self.txhash.to_string())),
            ("Result", result),
            ("Block", Cell::new(group(self.height.get()))),
            ("Time", Cell::new(format!("{} UTC", self.timestamp.day_and_clock()))),
            ("Gas", Cell::new(gas(self.gas_used, self.gas_wanted))),
        ];
        if !signed.auth_info.fee.amount.is_empty() {
            details.push(("Fee", Cell::new(coins(&signed.auth_info.fee.amount))));
        }
        if !signed.body.memo.is_empty() {
            details.push(("Memo", Cell::new(&signed.body.memo)));
        }
        if !self.is_success() {
            details.push(("Reason", Cell::new(&self.raw_log)));
        }
        details.extend(self.message_types().iter().map(|message| ("Message", Cell::new(message.as_str()))));
        details
    }
}

impl Record for Status {
    const COLUMNS: &'static [Column] = &[("Chain", Align::Left), ("Height", Align::Right)];
    const CSV: &'static [&'static str] =
        &["chain_id", "height", "internal_tx_height", "rich_list_height", "version", "commit_hash"];

    fn cells(&self) -> Vec<Cell> {
        vec![Cell::new(&self.chain_id), Cell::new(group(self.height.get()))]
    }

    fn csv(&self) -> Vec<String> {
        let optional = |height: Option<u64>| height.map(|height| height.to_string()).unwrap_or_default();
        vec![
            self.chain_id.clone(),
            self.height.to_string(),
            optional(self.internal_tx_height),
            optional(self.rich_list_height),
            self.version.clone(),
            self.commit_hash.clone(),
        ]
    }

    fn details(&self) -> Vec<(&'static str, Cell)> {
        let behind = |height: Option<u64>| match height {
            None => Cell::new("not indexed"),
            Some(height) if height >= self.height.get() => Cell::new(group(height)),
            Some(height) => Cell::new(format!("{}  ({} behind)", group(height), group(self.height.get() - height))),
        };
        vec![
            ("Chain", Cell::new(&self.chain_id)),
            ("Height", Cell::new(group(self.height.get()))),
            ("Internal transactions", behind(self.internal_tx_height)),
            ("Rich list", behind(self.rich_list_height)),
            ("Indexer", Cell::new(format!("{} {}", self.version, self.commit_hash).trim())),
        ]
    }
}

/// The signed parts of a transaction that people ask for; empty where the chain writes them otherwise.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Signed {
    body: Body,
    auth_info: AuthInfo,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Body {
    memo: String,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct AuthInfo {
    fee: Fee,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Fee {
    amount: Vec<WireCoin>,
}

impl Signed {
    fn of(tx: &Tx) -> Self {
        serde_json::from_str(tx.tx.get()).unwrap_or_default()
    }
}

fn mark(tx: &Tx) -> Cell {
    if tx.is_success() { Cell::new("✓").meaning(Meaning::Good) } else { Cell::new("✗").meaning(Meaning::Bad) }
}

/// Milliseconds as seconds, by integer arithmetic; nothing for the first block.
fn took(milliseconds: i64) -> String {
    match milliseconds {
        0 => String::new(),
        _ => format!("{}.{:02} s", milliseconds / 1000, milliseconds.unsigned_abs() % 1000 / 10),
    }
}

fn proposer(block: &Block) -> &str {
    let Block { proposer, .. } = block;
    if proposer.moniker.is_empty() { &proposer.operator_address } else { &proposer.moniker }
}

fn coins(coins: &[WireCoin]) -> String {
    coins.iter().map(|coin| format!("{}{}", coin.amount, coin.denom)).collect::<Vec<_>>().join(",")
}

fn gas(used: u64, wanted: u64) -> String {
    let percent = u128::from(used).saturating_mul(100).checked_div(u128::from(wanted));
    let share = percent.map(|percent| format!("  ({percent} %)")).unwrap_or_default();
    format!("{} of {}{share}", group(used), group(wanted))
}
