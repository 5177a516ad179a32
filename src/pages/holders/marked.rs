//! A rich list that the user marked, and what changed since.

use std::collections::HashMap;

use super::state::HoldersPage;
use crate::{
    config::Meaning,
    domain::{Balance, Denom, Timestamp, text},
    panes::rows::HolderRow,
};

/// Rank and amount of each holder at one moment; as many holders as the list holds in memory.
#[derive(Debug)]
pub(crate) struct MarkedList {
    denom: Denom,
    /// Height of the list; `None` if the server does not report it.
    pub(super) height: Option<u64>,
    pub(super) at: Timestamp,
    holders: HashMap<String, (u64, Balance)>,
    /// Whether these were all holders of the denom.
    is_whole: bool,
    pub(super) changes: ListChanges,
}

/// Changes of a list since it was marked, as far as both have the ranks.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct ListChanges {
    /// Number of ranks that both lists have; `None` if both are whole.
    pub(super) within: Option<u64>,
    pub(super) entered: usize,
    /// Holders that left, by their former ranks.
    pub(super) left: Vec<(u64, String)>,
    /// Number of holders with another rank.
    pub(super) moved: usize,
    /// Number of holders with another amount.
    pub(super) amounts: usize,
}

/// Change of one holder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HolderChange {
    Entered,
    /// Former rank, and the difference of the amount; `None` above 256 bits.
    Stayed(u64, Option<Balance>),
}

impl MarkedList {
    /// Marks the loaded rows; `None` if these do not have each rank from the first on.
    fn of(page: &HoldersPage) -> Option<Self> {
        let (denom, at) = (page.denom.clone()?, page.read?);
        let rows: Vec<&HolderRow> = page.list.rows().iter().collect();
        if !is_gapless(&rows) {
            return None;
        }
        let holders =
            rows.iter().map(|row| (row.holder.account.clone(), (row.rank.get(), row.holder.amount))).collect();
        let is_whole = page.is_whole();
        Some(Self { denom, height: page.height, at, holders, is_whole, changes: ListChanges::default() })
    }

    /// Returns how many ranks are known, from the first on.
    fn ranks(&self) -> u64 {
        self.holders.len() as u64
    }

    /// Returns the change of a holder; `None` if its former rank is below the marked ones.
    pub(super) fn change_of(&self, row: &HolderRow) -> Option<HolderChange> {
        let Some((rank, amount)) = self.holders.get(&row.holder.account) else {
            return (self.is_whole || row.rank.get() <= self.ranks()).then_some(HolderChange::Entered);
        };
        Some(HolderChange::Stayed(*rank, row.holder.amount.checked_add(amount.negated())))
    }

    fn compare(&mut self, page_rows: &[&HolderRow], is_whole: bool) {
        let now = page_rows.last().map_or(0, |row| row.rank.get());
        let held: HashMap<&str, &HolderRow> = page_rows.iter().map(|row| (row.holder.account.as_str(), *row)).collect();
        let within = if self.is_whole && is_whole { None } else { Some(now.min(self.ranks())) };
        let counts = |rank: u64| within.is_none_or(|within| rank <= within);
        let mut changes = ListChanges { within, ..ListChanges::default() };
        for row in page_rows.iter().filter(|row| counts(row.rank.get())) {
            match self.holders.get(&row.holder.account) {
                Some((rank, amount)) if counts(*rank) => {
                    changes.moved += usize::from(*rank != row.rank.get());
                    changes.amounts += usize::from(*amount != row.holder.amount);
                }
                _ => changes.entered += 1,
            }
        }
        let is_gone = |account: &str| held.get(account).is_none_or(|row| !counts(row.rank.get()));
        let left = self.holders.iter().filter(|(account, (rank, _))| counts(*rank) && is_gone(account));
        changes.left = left.map(|(account, (rank, _))| (*rank, account.clone())).collect();
        changes.left.sort_unstable();
        self.changes = changes;
    }
}

/// Whether rows have each rank from the first on: none was dropped, and none is unreadable.
fn is_gapless(rows: &[&HolderRow]) -> bool {
    !rows.is_empty() && (1..).zip(rows).all(|(rank, row)| row.rank.get() == rank)
}

impl HolderChange {
    /// Formats the change: `entered`, `↑2 +1,200.00`; `None` if nothing changed.
    pub(super) fn shown(self, row: &HolderRow, decimals: u8, fraction: u8) -> Option<(Meaning, String)> {
        let Self::Stayed(former, difference) = self else { return Some((Meaning::Heading, "entered".to_owned())) };
        let rank = row.rank.get();
        let moved = match former.cmp(&rank) {
            std::cmp::Ordering::Greater => format!("↑{}", text::group(former - rank)),
            std::cmp::Ordering::Less => format!("↓{}", text::group(rank - former)),
            std::cmp::Ordering::Equal => String::new(),
        };
        let amount = difference.filter(|difference| !difference.magnitude().is_zero());
        let plus = |amount: &Balance| if amount.is_negative() { "" } else { "+" };
        let written = amount.map(|amount| format!("{}{}", plus(&amount), amount.fixed(decimals, fraction)));
        let meaning = match amount {
            Some(amount) if amount.is_negative() => Meaning::Bad,
            Some(_) => Meaning::Good,
            None => Meaning::Muted,
        };
        let words = [Some(moved).filter(|moved| !moved.is_empty()), written];
        let shown = words.into_iter().flatten().collect::<Vec<_>>().join(" ");
        (!shown.is_empty()).then_some((meaning, shown))
    }
}

impl HoldersPage {
    /// Marks the list as it is, or removes the mark. Returns the message, or why the list cannot be marked.
    pub(super) fn turn_mark(&mut self) -> Result<String, &'static str> {
        if self.mark().is_some() {
            self.marked = None;
            return Ok("removed the mark".to_owned());
        }
        let marked = MarkedList::of(self).ok_or("rows are missing from the list: go to the top and refresh first")?;
        let at = marked.height.map_or_else(String::new, |height| format!(" at height {}", text::group(height)));
        let rows = text::count(self.list.rows().len(), "holder");
        self.marked = Some(Box::new(marked));
        self.compare_with_mark();
        Ok(format!("marked {rows}{at}; changes since then are shown"))
    }

    /// Returns the mark of the shown denom.
    pub(super) fn mark(&self) -> Option<&MarkedList> {
        self.marked.as_deref().filter(|marked| Some(&marked.denom) == self.denom.as_ref())
    }

    /// Compares the rows with the mark of their denom. A list with missing rows keeps the last comparison.
    pub(super) fn compare_with_mark(&mut self) {
        let is_whole = self.is_whole();
        let rows: Vec<&HolderRow> = self.list.rows().iter().collect();
        if !is_gapless(&rows) {
            return;
        }
        if let Some(marked) = self.marked.as_mut().filter(|marked| Some(&marked.denom) == self.denom.as_ref()) {
            marked.compare(&rows, is_whole);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{domain::Amount, wire::Holder};

    fn row(rank: u64, account: &str, amount: u64) -> HolderRow {
        let amount = Balance::from(Amount::from(u128::from(amount)));
        let mut row = HolderRow::new(Arc::new(Holder { account: account.to_owned(), amount }));
        row.rank = rank.try_into().expect("ranks begin at one");
        row
    }

    fn marked(rows: &[HolderRow], is_whole: bool) -> MarkedList {
        let holders =
            rows.iter().map(|row| (row.holder.account.clone(), (row.rank.get(), row.holder.amount))).collect();
        let (denom, at, changes) = (Denom::new("ugas"), Timestamp::EPOCH, ListChanges::default());
        MarkedList { denom, height: None, at, holders, is_whole, changes }
    }

    #[test]
    fn what_lies_below_the_ranks_of_both_lists_is_not_told_of() {
        let before = [row(1, "a", 9), row(2, "b", 8), row(3, "c", 7)];
        let after = [row(1, "b", 8), row(2, "x", 7), row(3, "a", 6), row(4, "c", 5), row(5, "y", 4)];
        let told = |mark: &mut MarkedList, rows: &[HolderRow], is_whole| {
            mark.compare(&rows.iter().collect::<Vec<_>>(), is_whole);
            let left = mark.changes.left.iter().map(|(_, account)| account.clone()).collect::<String>();
            (mark.changes.within, mark.changes.entered, left, mark.changes.moved, mark.changes.amounts)
        };
        let mut part = marked(&before, false);
        assert_eq!(told(&mut part, &after, true), (Some(3), 1, "c".to_owned(), 2, 1), "of three ranks");
        assert_eq!(told(&mut part, &after[..2], false), (Some(2), 1, "a".to_owned(), 1, 0), "of two ranks");
        assert_eq!(part.change_of(&after[1]), Some(HolderChange::Entered));
        assert_eq!(part.change_of(&after[4]), None, "it may have been the fifth before");
        let mut whole = marked(&before, true);
        assert_eq!(told(&mut whole, &after, true), (None, 2, String::new(), 3, 2));
        assert_eq!(whole.change_of(&after[4]), Some(HolderChange::Entered));
    }

    #[test]
    fn rows_with_a_missing_rank_are_not_compared() {
        let rows = [row(1, "a", 9), row(3, "c", 7)];
        assert!(!is_gapless(&rows.iter().collect::<Vec<_>>()) && !is_gapless(&[]));
        assert!(!is_gapless(&[&rows[1]]) && is_gapless(&[&rows[0]]));
    }
}
