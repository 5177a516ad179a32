//! What a row has in a column, and how that is written: in a list on screen, in a table, in CSV.

use std::{borrow::Cow, time::Duration};

use unicode_width::UnicodeWidthStr as _;

use crate::{
    config::Meaning,
    domain::{
        Address, AddressStyle, Amount, Coin, Denom, TimeForm, Timestamp, seconds, short_address,
        text::{clean, clip, group, group_digits},
    },
    story::{Glossary, RowWords, Tone},
    wire::{HexText, WireCoin},
};

/// The ends of bars, by eighths of a terminal column.
const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/// How accounts are written where a text stands for itself.
static USUAL: AddressStyle = AddressStyle::USUAL;

/// How a list writes values that can be written in several ways.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Forms<'a> {
    pub(crate) time: TimeForm,
    pub(crate) address: &'a AddressStyle,
    pub(crate) now: Timestamp,
    /// What denoms are called, where they are written by their names.
    pub(crate) glossary: Option<&'a Glossary>,
}

impl Forms<'_> {
    /// Those of tables and CSV, whose texts stand for themselves.
    pub(crate) const PLAIN: Forms<'static> =
        Forms { time: TimeForm::Clock, address: &USUAL, now: Timestamp::EPOCH, glossary: None };
}

/// A row's value in a column.
pub(crate) struct CellValue<'a> {
    content: CellContent<'a>,
    /// Where it says more than the column's header.
    meaning: Option<Meaning>,
}

enum CellContent<'a> {
    /// The row has nothing of the kind.
    Absent,
    Number(u64),
    Time(Timestamp),
    Milliseconds(i64),
    Text(Cow<'a, str>),
    Hash {
        whole: String,
        short: String,
    },
    Account {
        text: &'a str,
        address: Option<Address>,
    },
    /// An account of which a list shows as much as has room.
    Ends {
        text: Cow<'a, str>,
        address: Option<Address>,
    },
    /// The same in the other form.
    OtherEnds {
        text: String,
        address: Option<Address>,
    },
    /// An address as the EVM writes it.
    Hex(&'a str),
    Coins(&'a [WireCoin]),
    Quantity(&'a HexText),
    Words(&'a RowWords),
    Written {
        in_list: String,
        in_table: String,
        short: Option<String>,
    },
}

/// A cell of a table for people, with a form for where there is little room. Cleaned of anything that could steer the
/// terminal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TableCell {
    pub(crate) text: String,
    short: Option<String>,
    pub(crate) meaning: Meaning,
}

/// A cell of CSV.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum CsvCell {
    /// A number of ours, as it is.
    Number(String),
    /// Anything else; what a spreadsheet would compute it must not.
    Text(String),
}

impl CsvCell {
    /// What stands in the file: cleaned, and with a `'` before a text that spreadsheets would take for a formula.
    pub(crate) fn written(&self) -> String {
        let text = match self {
            Self::Number(number) => return number.clone(),
            Self::Text(text) => text,
        };
        let is_formula = |text: &str| text.starts_with(['=', '+', '-', '@', '\t', '\r']);
        let cleaned = clean(text);
        // Some spreadsheets pass over blanks before a formula.
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

    /// With a form for narrow terminals.
    pub(crate) fn or_short(self, short: impl AsRef<str>) -> Self {
        Self { short: Some(clean(short.as_ref()).into_owned()), ..self }
    }

    pub(crate) fn meaning(self, meaning: Meaning) -> Self {
        Self { meaning, ..self }
    }

    /// The short form where that is asked for and there is one.
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

    /// A moment: an age or a clock time in a list, day and clock in a table.
    pub(crate) const fn time(at: Timestamp) -> Self {
        Self::new(CellContent::Time(at))
    }

    /// A span: seconds for people. A table says nothing of a span of 0, which stands for one that is not known.
    pub(crate) const fn milliseconds(span: i64) -> Self {
        Self::new(CellContent::Milliseconds(span))
    }

    /// Text from outside; it is cleaned where it is shown.
    pub(crate) fn text(text: impl Into<Cow<'a, str>>) -> Self {
        Self::new(CellContent::Text(text.into()))
    }

    pub(crate) const fn hash(whole: String, short: String) -> Self {
        Self::new(CellContent::Hash { whole, short })
    }

    /// An account as the server wrote it; the address is what that text stands for.
    pub(crate) const fn account(text: &'a str, address: Option<Address>) -> Self {
        Self::new(CellContent::Account { text, address })
    }

    /// The same of which a list shows both ends, as much of them as has room.
    pub(crate) fn account_ends(text: impl Into<Cow<'a, str>>, address: Option<Address>) -> Self {
        Self::new(CellContent::Ends { text: text.into(), address })
    }

    /// The form of an account that a list does not have it in, by both its ends.
    pub(crate) fn other_ends(text: String, address: Option<Address>) -> Self {
        Self::new(CellContent::OtherEnds { text, address })
    }

    /// An address as the EVM writes it.
    pub(crate) const fn hex(text: &'a str) -> Self {
        Self::new(CellContent::Hex(text))
    }

    pub(crate) const fn coins(coins: &'a [WireCoin]) -> Self {
        Self::new(CellContent::Coins(coins))
    }

    /// A number that the EVM wrote; the text itself where it is none.
    pub(crate) const fn quantity(quantity: &'a HexText) -> Self {
        Self::new(CellContent::Quantity(quantity))
    }

    /// What a row says of its transaction, as much as has room.
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

    /// Text that is one in lists and another in tables, there with a form for where there is little room.
    pub(crate) const fn written(in_list: String, in_table: String, short: Option<String>) -> Self {
        Self::new(CellContent::Written { in_list, in_table, short })
    }

    /// With this meaning rather than that of the column's header.
    pub(crate) fn of(self, meaning: Meaning) -> Self {
        Self { content: self.content, meaning: Some(meaning) }
    }

    /// A cell of so many terminal columns in a list; `meaning` is that of the column's header.
    pub(crate) fn list_cell(&self, forms: &Forms<'_>, room: usize, meaning: Meaning) -> (Meaning, String) {
        let fitting = |whole: String, short: &dyn Fn() -> String| {
            if whole.width() <= room { whole } else { short() }
        };
        let own_name = |address: &Address| {
            let label = forms.glossary.and_then(|glossary| glossary.personal_label(*address));
            label.map(|label| clip(label, room))
        };
        let text = match &self.content {
            CellContent::Absent => String::new(),
            CellContent::Number(number) => group(*number),
            CellContent::Time(at) => forms.time.write(*at, forms.now),
            CellContent::Milliseconds(span) => seconds(span_of(*span)),
            CellContent::Text(text) => clip(beginning(text, room), room),
            CellContent::Hash { whole, short } => fitting(whole.clone(), &|| short.clone()),
            CellContent::Account { address: Some(address), .. } => own_name(address)
                .unwrap_or_else(|| fitting(forms.address.write(*address), &|| forms.address.short(*address))),
            CellContent::Account { text, address: None } => clip(beginning(text, room), room),
            CellContent::Ends { text, address } => match address {
                Some(address) => own_name(address).unwrap_or_else(|| forms.address.within(*address, room)),
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
            CellContent::Words(words) => words.within(room).to_owned(),
            CellContent::Written { in_list, .. } => in_list.clone(),
        };
        (self.meaning.unwrap_or(meaning), text)
    }

    /// The cell in a table of the command line.
    pub(crate) fn table_cell(&self) -> Option<TableCell> {
        let plain = |text: String| (text, None);
        let (text, short) = match &self.content {
            CellContent::Absent => return None,
            CellContent::Number(number) => plain(group(*number)),
            CellContent::Time(at) => (at.day_and_clock(), Some(at.clock())),
            CellContent::Milliseconds(0) => plain(String::new()),
            CellContent::Milliseconds(span) => plain(seconds(span_of(*span))),
            CellContent::Hash { whole, short } => (whole.clone(), Some(short.clone())),
            CellContent::Account { text, address } => {
                ((*text).to_owned(), Some(address.map_or_else(|| (*text).to_owned(), |address| address.short())))
            }
            CellContent::Text(text) | CellContent::Ends { text, .. } => plain(text.clone().into_owned()),
            CellContent::OtherEnds { text, .. } => plain(text.clone()),
            CellContent::Hex(text) => ((*text).to_owned(), Some(short_address(text))),
            CellContent::Coins(coins) => plain(exact_coins(coins)),
            CellContent::Quantity(quantity) => plain(grouped(quantity)),
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

    /// The cell in CSV: exact and ungrouped.
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
            CellContent::Words(words) => words.text.clone(),
            CellContent::Written { in_table, .. } => in_table,
        })
    }
}

/// As much of a text of any length as can matter in so many terminal columns: most characters take one, and some none.
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

fn grouped(quantity: &HexText) -> String {
    number_of(quantity).map_or_else(|| quantity.to_string(), |digits| group_digits(&digits))
}

/// `12uinit,3uusdc`, exact.
fn exact_coins(coins: &[WireCoin]) -> String {
    coins.iter().map(|coin| format!("{}{}", coin.amount, coin.denom)).collect::<Vec<_>>().join(",")
}

/// A text of which only the two ends are shown where it has too little room; hostile text is cut at its end.
pub(crate) fn ends(content: &str, room: usize) -> String {
    let clean = clean(content);
    if clean.width() <= room || !clean.is_ascii() || room < 5 {
        return clip(&clean, room);
    }
    let tail = (room - 1) / 2;
    let head = room - 1 - tail;
    format!("{}…{}", &clean[..head], &clean[clean.len() - tail..])
}

/// A bar of so many eighths of a terminal column.
pub(crate) fn eighths_bar(eighths: usize) -> String {
    format!("{}{}", "█".repeat(eighths / 8), EIGHTHS[eighths % 8])
}

/// An amount with its symbol and decimals where the denom is known, else as the chain writes it.
fn coin_text(coin: &Coin, glossary: Option<&Glossary>) -> String {
    match glossary.and_then(|glossary| glossary.token(&coin.denom)) {
        Some(token) => {
            format!("{} {}", coin.amount.shown(token.decimals), clip(&token.symbol, 16))
        }
        None => format!("{} {}", group_digits(&coin.amount.to_string()), coin.denom.short()),
    }
}

/// A declared fee; relayers and bridge executors pay none.
pub(crate) fn fee_text(fee: &[Coin], glossary: Option<&Glossary>) -> String {
    let paid: Vec<String> =
        fee.iter().filter(|coin| !coin.amount.is_zero()).map(|coin| coin_text(coin, glossary)).collect();
    if paid.is_empty() { "none".to_owned() } else { paid.join(" + ") }
}
