//! Balance changes: one row per account, and one column per token if there is room.

use alloy_primitives::hex;
use unicode_width::UnicodeWidthStr as _;

use super::{
    amounts::{Amounts, signed},
    parts::{SHOWN, account_text, heading, short_hex},
};
use crate::{
    app::page::TxLine,
    config::Meaning,
    domain::{Denom, Target, text},
    panes::tx_document::{Line, TxSheet},
    story::{BalanceChange, BalanceHolder},
    widgets::document::{INDENT, WordRef},
};

/// Blank columns before a column of amounts.
const GAP: usize = 2;
/// Mark of an amount that only the token's contract reports.
const REPORTED: &str = "*";
/// Mark of an amount that incomplete events leave uncertain.
const UNSURE: &str = "?";

/// Changes of one account, one cell per denom.
struct MatrixRow<'a> {
    holder: BalanceHolder,
    cells: Vec<Option<&'a BalanceChange>>,
}

struct MatrixColumn {
    title: String,
    /// Columns before the decimal point, and after it.
    whole: usize,
    rest: usize,
}

impl MatrixColumn {
    fn width(&self) -> usize {
        self.title.width().max(self.whole + self.rest)
    }
}

/// All balance changes with their layout.
struct Matrix<'a> {
    sheet: &'a TxSheet<'a>,
    amounts: &'a Amounts,
    /// Columns for the matrix and its indent.
    room: usize,
    rows: Vec<MatrixRow<'a>>,
    columns: Vec<MatrixColumn>,
    names: usize,
}

/// Returns the balance changes in this many columns, or a sentence that says that nothing changed or that the changes
/// are unknown.
pub(super) fn balance_lines(sheet: &TxSheet<'_>, amounts: &Amounts, width: usize) -> Vec<Line> {
    let changes = &sheet.story.changes;
    if changes.balances.is_empty() {
        let explained = sheet.story.explanation.as_ref();
        if explained.is_some_and(|explanation| explanation.effect.is_some()) {
            return Vec::new();
        }
        return vec![Line::at(0).with(Meaning::Muted, nothing(sheet)).named(TxLine::NoBalances)];
    }
    let matrix = Matrix::of(sheet, amounts, width);
    let mut lines = vec![heading(TxLine::Balances, "Balances")];
    let depth = if changes.is_conserved {
        1
    } else {
        let why = "The events are incomplete: the balance changes are uncertain.";
        lines.push(Line::at(1).with(Meaning::Warning, "! ").with(Meaning::Warning, why).hanging());
        let count = text::count(matrix.rows.len(), "account");
        lines.push(Line::at(1).with(Meaning::Muted, format!("{count}, from the events")).folded());
        2
    };
    matrix.push(&mut lines, depth);
    if changes.balances.iter().any(|change| change.is_reported) {
        let note = "only the contract reports this; no chain record confirms it";
        lines.push(Line::at(depth).with(Meaning::Muted, "* ").with(Meaning::Muted, note).hanging());
    }
    lines
}

/// Returns the sentence for a transaction without balance changes in its events.
fn nothing(sheet: &TxSheet<'_>) -> &'static str {
    let story = sheet.story;
    let has_fee = !story.changes.fee.net_paid.is_empty();
    let changes = &story.changes;
    match (sheet.tx.is_success(), changes.is_conserved, changes.has_run_contract, has_fee) {
        (false, _, _, true) => "Nothing changed except the fee.",
        (false, _, _, false) => "Nothing changed.",
        (true, false, _, _) => "The events are incomplete: the changed balances are unknown.",
        (true, true, false, true) => "No balance changed except for the fee.",
        (true, true, false, false) => "No balance changed.",
        (true, true, true, true) => "No balance in the bank changed except for the fee.",
        (true, true, true, false) => "No balance in the bank changed.",
    }
}

impl<'a> Matrix<'a> {
    fn of(sheet: &'a TxSheet<'a>, amounts: &'a Amounts, room: usize) -> Self {
        let balances = &sheet.story.changes.balances;
        let mut denoms: Vec<&Denom> = balances.iter().map(|change| &change.denom).collect();
        denoms.dedup();
        let mut rows: Vec<MatrixRow<'a>> = Vec::new();
        let mut places = std::collections::HashMap::new();
        for change in balances {
            let place = *places.entry(change.holder).or_insert_with(|| {
                rows.push(MatrixRow { holder: change.holder, cells: vec![None; denoms.len()] });
                rows.len() - 1
            });
            let column = denoms.iter().position(|denom| **denom == change.denom);
            let cell = column.and_then(|column| rows.get_mut(place)?.cells.get_mut(column));
            if let Some(cell) = cell {
                *cell = Some(change);
            }
        }
        let signer = sheet.story.decoded.signer.map(BalanceHolder::Account);
        rows.sort_by_key(|row| {
            let first = row.cells.iter().flatten().filter_map(|change| change.events.iter().min()).min();
            (Some(row.holder) != signer, first.copied().unwrap_or(usize::MAX))
        });
        let mut matrix = Self { sheet, amounts, room, rows, columns: Vec::new(), names: 0 };
        matrix.columns = denoms.iter().enumerate().map(|(place, denom)| matrix.column(place, denom)).collect();
        matrix.names = matrix.rows.iter().map(|row| matrix.name(row.holder).width()).max().unwrap_or(0);
        matrix
    }

    fn column(&self, place: usize, denom: &Denom) -> MatrixColumn {
        let cells = self.rows.iter().filter_map(|row| row.cells.get(place).copied().flatten());
        let parts: Vec<(usize, usize)> = cells
            .map(|change| {
                let (whole, rest) = self.parts(change);
                (whole.width(), rest.width())
            })
            .collect();
        let widest = |of: fn(&(usize, usize)) -> usize| parts.iter().map(of).max().unwrap_or(0);
        MatrixColumn { title: self.amounts.symbol(denom), whole: widest(|part| part.0), rest: widest(|part| part.1) }
    }

    /// Splits an amount at its decimal point. The fraction includes the mark.
    fn parts(&self, change: &BalanceChange) -> (String, String) {
        let text = self.amounts.write(change.delta, &change.denom);
        let mark = match (self.sheet.story.changes.is_conserved, change.is_reported) {
            (false, _) => UNSURE,
            (true, true) => REPORTED,
            (true, false) => "",
        };
        match text.split_once('.') {
            Some((whole, rest)) => (whole.to_owned(), format!(".{rest}{mark}")),
            None => (text, mark.to_owned()),
        }
    }

    fn name(&self, holder: BalanceHolder) -> String {
        match holder {
            BalanceHolder::Account(address) => account_text(address, self.sheet),
            BalanceHolder::Store(bytes) => format!("store {}", short_hex(&hex::encode_prefixed(bytes))),
        }
    }

    /// Appends a line per account; those beyond [`SHOWN`] are folded.
    fn push(&self, lines: &mut Vec<Line>, depth: u16) {
        let width = self.names + self.columns.iter().map(|column| GAP + column.width()).sum::<usize>();
        let fits = width + usize::from(depth) * INDENT + 2 <= self.room;
        if fits {
            let mut titles = Line::at(depth).with(Meaning::Muted, " ".repeat(self.names));
            for column in &self.columns {
                let padding = " ".repeat(GAP + column.width() - column.title.width());
                titles = titles.with(Meaning::Muted, format!("{padding}{}", column.title));
            }
            lines.push(titles);
        }
        let shown = if self.rows.len() <= SHOWN + 1 { self.rows.len() } else { SHOWN };
        for (place, row) in self.rows.iter().enumerate() {
            if place == shown {
                let more = format!("{} more", text::count(self.rows.len() - shown, "account"));
                lines.push(Line::at(depth).with(Meaning::Muted, more).folded());
            }
            let depth = if place < shown { depth } else { depth + 1 };
            let name = TxLine::Balance(place);
            if fits {
                // Folded rows are indented, which leaves less room for names.
                let names = self.names - if place < shown { 0 } else { INDENT };
                lines.push(self.wide_line(depth, row, names).named(name));
            } else {
                self.push_narrow(lines, depth, row, name);
            }
        }
    }

    fn wide_line(&self, depth: u16, row: &MatrixRow<'_>, names: usize) -> Line {
        let mut line = self.name_line(depth, row.holder, names);
        for (cell, column) in row.cells.iter().zip(&self.columns) {
            let Some(change) = cell else {
                line = line.with(Meaning::Text, " ".repeat(GAP + column.width()));
                continue;
            };
            let (whole, rest) = self.parts(change);
            let right = column.rest - rest.width();
            let left = GAP + column.width() - right - rest.width() - whole.width();
            line = line.with(Meaning::Text, " ".repeat(left));
            line = line.with_word(self.meaning(change), format!("{whole}{rest}"), word_ref(change));
            line = line.with(Meaning::Text, " ".repeat(right));
        }
        line
    }

    /// Appends an account with its amounts below, or on its line if there is only one.
    fn push_narrow(&self, lines: &mut Vec<Line>, depth: u16, row: &MatrixRow<'_>, name: TxLine) {
        let head = self.name_line(depth, row.holder, self.names).named(name);
        let mut cells = row.cells.iter().flatten();
        let amount = |line: Line, change: &BalanceChange| {
            let (whole, rest) = self.parts(change);
            line.with_word(self.meaning(change), format!("{whole}{rest}"), word_ref(change))
                .with(Meaning::Text, format!(" {}", self.amounts.symbol(&change.denom)))
        };
        if let (Some(only), None) = (cells.next(), cells.next()) {
            lines.push(amount(head.with(Meaning::Text, " ".repeat(GAP)), only).prose());
            return;
        }
        lines.push(head);
        lines.extend(row.cells.iter().flatten().map(|change| amount(Line::at(depth + 1), change)));
    }

    fn name_line(&self, depth: u16, holder: BalanceHolder, width: usize) -> Line {
        let name = self.name(holder);
        let padding = " ".repeat(width.saturating_sub(name.width()));
        let (target, copy) = match holder {
            BalanceHolder::Account(address) => (Some(Target::Account(address)), self.sheet.style.write(address)),
            BalanceHolder::Store(bytes) => (None, hex::encode_prefixed(bytes)),
        };
        let meaning = if target.is_some() { Meaning::Link.of_name(&name) } else { Meaning::Text };
        let word_ref = WordRef::default().leading_to(target.clone()).copying(copy.clone());
        let line = Line::at(depth).with_word(meaning, name, word_ref).with(Meaning::Text, padding);
        line.copying(copy).leading_to(target)
    }

    fn meaning(&self, change: &BalanceChange) -> Meaning {
        if self.sheet.story.changes.is_conserved { signed(change.delta) } else { Meaning::Muted }
    }
}

fn word_ref(change: &BalanceChange) -> WordRef {
    WordRef::by(&change.events).copying(format!("{}{}", change.delta, change.denom))
}
