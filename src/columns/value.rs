//! Value of a row in a column, and its formats in a list, a table and CSV.

use std::{borrow::Cow, time::Duration};

use crate::{
    config::Meaning,
    domain::{
        Address, AddressStyle, Amount, Balance, Coin, Denom, LocalZone, RowSortKey, Target, TimeForm, Timestamp,
        seconds, short_address,
        text::{clean, clip, columns, foreign, group, group_digits},
    },
    story::{Glossary, RowWords, Tone},
    wire::{HexText, WireCoin},
};

/// Partial bars in eighths of a terminal column.
const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/// Default style of addresses.
static USUAL: AddressStyle = AddressStyle::USUAL;

/// Display options of a list, for values that have several formats.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Forms<'a> {
    pub(crate) time: TimeForm,
    pub(crate) address: &'a AddressStyle,
    pub(crate) now: Timestamp,
    pub(crate) zone: &'a LocalZone,
    /// Names of denoms; `None` where lists show raw denoms.
    pub(crate) glossary: Option<&'a Glossary>,
}

impl Forms<'_> {
    /// Options for tables and CSV.
    pub(crate) const PLAIN: Forms<'static> =
        Forms { time: TimeForm::Clock, address: &USUAL, now: Timestamp::EPOCH, zone: &LocalZone::UTC, glossary: None };
}

pub(crate) struct CellValue<'a> {
    content: CellContent<'a>,
    /// Meaning that overrides the header's.
    meaning: Option<Meaning>,
}

enum CellContent<'a> {
    Absent,
    Number(u64),
    Time(Timestamp),
    Milliseconds(i64),
    Text(Cow<'a, str>),
    Hash {
        whole: String,
        short: String,
        /// Transaction whose name, given by the user, replaces the hash in lists.
        named: Option<Target>,
    },
    Account {
        text: &'a str,
        address: Option<Address>,
    },
    /// Account, shortened to both ends by the list's width.
    Ends {
        text: Cow<'a, str>,
        address: Option<Address>,
    },
    /// Other address format of an account, shortened to both ends.
    OtherEnds {
        text: String,
        address: Option<Address>,
    },
    /// Address in hex, as the EVM shows it.
    Hex(&'a str),
    Coins(&'a [WireCoin]),
    Quantity(&'a HexText),
    /// Data, shortened except in CSV.
    Data(&'a HexText),
    Words(&'a RowWords),
    Written {
        in_list: String,
        in_table: String,
        short: Option<String>,
    },
}

/// Cell of a table, with an optional short text. Contains no control characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TableCell {
    pub(crate) text: String,
    short: Option<String>,
    pub(crate) meaning: Meaning,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum CsvCell {
    Number(String),
    /// Text, escaped so that a spreadsheet does not evaluate it.
    Text(String),
}

impl CsvCell {
    /// Returns the text for the file: cleaned, with a `'` before text that looks like a formula.
    pub(crate) fn written(&self) -> String {
        let text = match self {
            Self::Number(number) => return number.clone(),
            Self::Text(text) => text,
        };
        let is_formula = |text: &str| text.starts_with(['=', '+', '-', '@', '\t', '\r']);
        let cleaned = clean(text);
        // Some spreadsheets ignore spaces before a formula.
        let is_risky = is_formula(text) || is_formula(&cleaned) || is_formula(cleaned.trim_start());
        if is_risky { format!("'{cleaned}") } else { cleaned.into_owned() }
    }
}

impl From<String> for CsvCell {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&str> for CsvCell {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl TableCell {
    pub(crate) fn new(text: impl AsRef<str>) -> Self {
        Self { text: clean(text.as_ref()).into_owned(), short: None, meaning: Meaning::Text }
    }

    /// Sets a short text for narrow terminals.
    pub(crate) fn or_short(self, short: impl AsRef<str>) -> Self {
        Self { short: Some(clean(short.as_ref()).into_owned()), ..self }
    }

    pub(crate) fn meaning(self, meaning: Meaning) -> Self {
        Self { meaning, ..self }
    }

    /// Returns the short text if requested and present, else the long text.
    pub(crate) fn form(&self, is_short: bool) -> &str {
        self.short.as_deref().filter(|_| is_short).unwrap_or(&self.text)
    }
}

impl<'a> CellValue<'a> {
    const fn new(content: CellContent<'a>) -> Self {
        Self { content, meaning: None }
    }

    pub(crate) const fn absent() -> Self {
        Self::new(CellContent::Absent)
    }

    pub(crate) const fn number(number: u64) -> Self {
        Self::new(CellContent::Number(number))
    }

    /// Creates a time: lists show an age or clock time, tables date and time.
    pub(crate) const fn time(at: Timestamp) -> Self {
        Self::new(CellContent::Time(at))
    }

    /// Creates a duration from milliseconds, shown in seconds. Tables hide 0, which means unknown.
    pub(crate) const fn milliseconds(span: i64) -> Self {
        Self::new(CellContent::Milliseconds(span))
    }

    /// Creates external text; each format cleans it.
    pub(crate) fn text(text: impl Into<Cow<'a, str>>) -> Self {
        Self::new(CellContent::Text(text.into()))
    }

    pub(crate) const fn hash(whole: String, short: String) -> Self {
        Self::new(CellContent::Hash { whole, short, named: None })
    }

    /// Creates the hash of a transaction, which the user may have named.
    pub(crate) const fn tx_hash(whole: String, short: String, named: Target) -> Self {
        Self::new(CellContent::Hash { whole, short, named: Some(named) })
    }

    /// Creates an account from the server's text; `address` is the parsed text.
    pub(crate) const fn account(text: &'a str, address: Option<Address>) -> Self {
        Self::new(CellContent::Account { text, address })
    }

    /// Creates an account that lists shorten to both ends.
    pub(crate) fn account_ends(text: impl Into<Cow<'a, str>>, address: Option<Address>) -> Self {
        Self::new(CellContent::Ends { text: text.into(), address })
    }

    /// Creates the other address format of an account, shortened to both ends.
    pub(crate) fn other_ends(text: String, address: Option<Address>) -> Self {
        Self::new(CellContent::OtherEnds { text, address })
    }

    /// Creates an address in hex, as the EVM shows it.
    pub(crate) const fn hex(text: &'a str) -> Self {
        Self::new(CellContent::Hex(text))
    }

    pub(crate) const fn coins(coins: &'a [WireCoin]) -> Self {
        Self::new(CellContent::Coins(coins))
    }

    /// Creates a number from the EVM's text; invalid text stays text.
    pub(crate) const fn quantity(quantity: &'a HexText) -> Self {
        Self::new(CellContent::Quantity(quantity))
    }

    /// Creates data of any size: CSV has it all, lists and tables its beginning and size.
    pub(crate) const fn data(data: &'a HexText) -> Self {
        Self::new(CellContent::Data(data))
    }

    /// Creates the sentence of a transaction's row.
    pub(crate) const fn words(words: &'a RowWords) -> Self {
        let meaning = match words.tone {
            Tone::Plain => Meaning::Text,
            Tone::Gain => Meaning::Good,
            Tone::Quiet => Meaning::Muted,
            Tone::Failed => Meaning::Bad,
            Tone::Doubt => Meaning::Warning,
        };
        Self { content: CellContent::Words(words), meaning: Some(meaning) }
    }

    /// Creates a text for lists, another for tables, and a short text for narrow tables.
    pub(crate) const fn written(in_list: String, in_table: String, short: Option<String>) -> Self {
        Self::new(CellContent::Written { in_list, in_table, short })
    }

    /// Sets a meaning that overrides the header's.
    pub(crate) fn of(self, meaning: Meaning) -> Self {
        Self { content: self.content, meaning: Some(meaning) }
    }

    /// Returns the list cell, `room` terminal columns wide; `meaning` is the header's.
    pub(crate) fn list_cell(&self, forms: &Forms<'_>, room: usize, meaning: Meaning) -> (Meaning, String) {
        let fitting = |whole: String, short: &dyn Fn() -> String| {
            if columns(&whole) <= room { whole } else { short() }
        };
        let own_name = match &self.content {
            CellContent::Account { address: Some(address), .. } | CellContent::Ends { address: Some(address), .. } => {
                forms.glossary.and_then(|glossary| glossary.personal_label(*address))
            }
            CellContent::Hash { named: Some(target), .. } => {
                forms.glossary.and_then(|glossary| glossary.shown_personal_name(target))
            }
            _ => None,
        };
        if let Some(name) = own_name {
            return (Meaning::PersonalName, clip(name, room));
        }
        let text = match &self.content {
            CellContent::Absent => String::new(),
            CellContent::Number(number) => group(*number),
            CellContent::Time(at) => forms.time.write(*at, forms.now, forms.zone),
            CellContent::Milliseconds(span) => seconds(span_of(*span)),
            CellContent::Text(text) => clip(&foreign(beginning(text, room)), room),
            CellContent::Hash { whole, short, .. } => fitting(whole.clone(), &|| short.clone()),
            CellContent::Account { address: Some(address), .. } => {
                fitting(forms.address.write(*address), &|| forms.address.short(*address))
            }
            CellContent::Account { text, address: None } => clip(beginning(text, room), room),
            CellContent::Ends { text, address } => match address {
                Some(address) => forms.address.within(*address, room),
                None => ends(text, room),
            },
            CellContent::OtherEnds { address, .. } => {
                address.map_or_else(String::new, |address| forms.address.flipped().within(address, room))
            }
            CellContent::Hex(text) => fitting(clip(beginning(text, room), room + 1), &|| short_address(text)),
            CellContent::Coins(coins) => {
                let coin = |coin: &WireCoin| Coin { denom: Denom::new(coin.denom.as_str()), amount: coin.amount };
                fee_text(&coins.iter().map(coin).collect::<Vec<_>>(), forms.glossary)
            }
            CellContent::Quantity(quantity) => grouped(quantity),
            CellContent::Data(data) => beginning_and_size(data),
            CellContent::Words(words) => words.within(room).to_owned(),
            CellContent::Written { in_list, .. } => in_list.clone(),
        };
        (self.meaning.unwrap_or(meaning), text)
    }

    /// Returns the cell for a table of the command line; `None` without a value.
    pub(crate) fn table_cell(&self) -> Option<TableCell> {
        let plain = |text: String| (text, None);
        let (text, short) = match &self.content {
            CellContent::Absent => return None,
            CellContent::Number(number) => plain(group(*number)),
            CellContent::Time(at) => (at.day_and_clock(), Some(at.clock())),
            CellContent::Milliseconds(0) => plain(String::new()),
            CellContent::Milliseconds(span) => plain(seconds(span_of(*span))),
            CellContent::Hash { whole, short, .. } => (whole.clone(), Some(short.clone())),
            CellContent::Account { text, address } => {
                ((*text).to_owned(), Some(address.map_or_else(|| (*text).to_owned(), |address| address.short())))
            }
            CellContent::Text(text) | CellContent::Ends { text, .. } => plain(text.clone().into_owned()),
            CellContent::OtherEnds { text, .. } => plain(text.clone()),
            CellContent::Hex(text) => ((*text).to_owned(), Some(short_address(text))),
            CellContent::Coins(coins) => plain(exact_coins(coins)),
            CellContent::Quantity(quantity) => plain(grouped(quantity)),
            CellContent::Data(data) => plain(beginning_and_size(data)),
            CellContent::Words(words) => {
                (words.text.clone(), Some(words.brief.as_ref().unwrap_or(&words.text).clone()))
            }
            CellContent::Written { in_table, short, .. } => (in_table.clone(), short.clone()),
        };
        let cell = TableCell::new(text).meaning(self.meaning.unwrap_or(Meaning::Text));
        Some(match short {
            Some(short) => cell.or_short(short),
            None => cell,
        })
    }

    /// Returns the exact value to sort by; `None` without a value, and for sentences.
    pub(crate) fn sort_key(&self) -> Option<RowSortKey> {
        let written = |coin: &WireCoin| (coin.denom.as_str().to_owned(), coin.amount);
        let text = match &self.content {
            CellContent::Absent | CellContent::Words(_) => return None,
            CellContent::Number(number) => return Some(RowSortKey::number(*number)),
            CellContent::Time(at) => return Some(RowSortKey::Time(*at)),
            CellContent::Milliseconds(span) => return Some(RowSortKey::number(u64::try_from(*span).unwrap_or(0))),
            CellContent::Coins(coins) => {
                return Some(RowSortKey::Coins(
                    coins.iter().filter(|coin| !coin.amount.is_zero()).map(written).collect(),
                ));
            }
            CellContent::Quantity(quantity) => match quantity.quantity() {
                Some(number) => return Some(RowSortKey::Number(Balance::from(number))),
                None => quantity.to_string(),
            },
            CellContent::Text(text) | CellContent::Ends { text, .. } => text.clone().into_owned(),
            CellContent::Hash { whole: text, .. }
            | CellContent::OtherEnds { text, .. }
            | CellContent::Written { in_table: text, .. } => text.clone(),
            CellContent::Account { text, .. } | CellContent::Hex(text) => (*text).to_owned(),
            CellContent::Data(data) => data.to_string(),
        };
        (!text.is_empty()).then_some(RowSortKey::Text(text))
    }

    /// Returns the CSV cell: exact, without thousands separators.
    pub(crate) fn csv_cell(self) -> CsvCell {
        CsvCell::Text(match self.content {
            CellContent::Number(number) => return CsvCell::Number(number.to_string()),
            CellContent::Milliseconds(span) => return CsvCell::Number(span.to_string()),
            CellContent::Absent => String::new(),
            CellContent::Time(at) => at.to_string(),
            CellContent::Text(text) | CellContent::Ends { text, .. } => text.into_owned(),
            CellContent::Hash { whole, .. } => whole,
            CellContent::OtherEnds { text, .. } => text,
            CellContent::Account { text, .. } | CellContent::Hex(text) => text.to_owned(),
            CellContent::Coins(coins) => exact_coins(coins),
            CellContent::Quantity(quantity) => match number_of(quantity) {
                Some(number) => return CsvCell::Number(number),
                None => quantity.to_string(),
            },
            CellContent::Data(data) => data.to_string(),
            CellContent::Words(words) => words.text.clone(),
            CellContent::Written { in_table, .. } => in_table,
        })
    }
}

/// Returns a prefix of the text that fills `room` columns; it may be longer, because some characters have no width.
fn beginning(text: &str, room: usize) -> &str {
    match text.char_indices().nth(room.saturating_mul(4) + 64) {
        Some((end, _)) => &text[..end],
        None => text,
    }
}

fn span_of(milliseconds: i64) -> Duration {
    Duration::from_millis(u64::try_from(milliseconds).unwrap_or(0))
}

fn number_of(quantity: &HexText) -> Option<String> {
    quantity.quantity().as_ref().map(Amount::to_string)
}

/// Returns the first four bytes with the size: `0xa9059cbb… 68 bytes`. A word or less is whole.
fn beginning_and_size(data: &HexText) -> String {
    let size = data.0.len().saturating_sub(2) / 2;
    match data.0.get(..10) {
        Some(first) if size > 32 => format!("{first}… {size} bytes"),
        _ => data.to_string(),
    }
}

fn grouped(quantity: &HexText) -> String {
    number_of(quantity).map_or_else(|| quantity.to_string(), |digits| group_digits(&digits))
}

/// Formats exact coins: `12uinit,3uusdc`.
fn exact_coins(coins: &[WireCoin]) -> String {
    coins.iter().map(|coin| format!("{}{}", coin.amount, coin.denom)).collect::<Vec<_>>().join(",")
}

/// Shortens text to its first and last characters; truncates hostile text only at its end.
pub(crate) fn ends(content: &str, room: usize) -> String {
    let clean = clean(content);
    if columns(&clean) <= room || !clean.is_ascii() || room < 5 {
        return clip(&clean, room);
    }
    let tail = (room - 1) / 2;
    let head = room - 1 - tail;
    format!("{}…{}", &clean[..head], &clean[clean.len() - tail..])
}

/// Draws a bar of this many eighths of a terminal column.
pub(crate) fn eighths_bar(eighths: usize) -> String {
    format!("{}{}", "█".repeat(eighths / 8), EIGHTHS.get(eighths % 8).copied().unwrap_or_default())
}

/// Formats an amount with symbol and decimals if the denom is known, else in the smallest unit.
fn coin_text(coin: &Coin, glossary: Option<&Glossary>) -> String {
    match glossary.and_then(|glossary| glossary.token(&coin.denom)) {
        Some(token) => {
            format!("{} {}", coin.amount.shown(token.decimals), clip(&token.symbol, 16))
        }
        None => format!("{} {}", group_digits(&coin.amount.to_string()), coin.denom.short()),
    }
}

/// Formats a declared fee; relayers and bridge executors pay no fee.
pub(crate) fn fee_text(fee: &[Coin], glossary: Option<&Glossary>) -> String {
    let paid: Vec<String> =
        fee.iter().filter(|coin| !coin.amount.is_zero()).map(|coin| coin_text(coin, glossary)).collect();
    if paid.is_empty() { "none".to_owned() } else { paid.join(" + ") }
}
