//! Balance of the account after each loaded transaction, back from what the rollup's node reports.

use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

use alloy_primitives::U256;
use ratatui::layout::Rect;

use super::{AccountPage, balances::Balances, lines_across, summary::when};
use crate::{
    app::{
        Context,
        format::age,
        page::{Drawing, Handled, PageCx},
    },
    config::Meaning,
    domain::{
        Address, Amount, Balance, Denom, Height, Timestamp, TxHash, Vm,
        text::{clip, count, group, wrap},
    },
    msg::ListedRow,
    panes::rows::TxRow,
    story::{Glossary, balance_effect},
    widgets::{
        bars::{BarChart, ChartBar},
        canvas::{Canvas, Part, row},
        layout::{Regions, cut_rows},
        list::ListWindow,
    },
    wire::node::NodeBalances,
};

pub(super) const NO_DENOM: &str = "no further denom with a known balance";
/// Columns of the scale, and of the values beside the bars.
const SCALE: u16 = 16;
const VALUES: u16 = 44;
/// Columns of a value's name.
const NAME: usize = 9;
/// Value of a bar that fills the height.
const FULL: u64 = 1 << 32;

/// Changes by denom; `None` where only an unknown contract reports one. `None` for all if the events do not tell.
type BalanceEffect = Option<BTreeMap<Denom, Option<Balance>>>;

#[derive(Debug, Default)]
pub(super) struct BalanceHistory {
    effects: HashMap<TxHash, BalanceEffect>,
    /// Number of the effects that change each denom; a frame asks for the denoms several times.
    changes: BTreeMap<Denom, usize>,
    /// VM by whose rules the effects were read.
    vm: Option<Vm>,
    /// Denom that the user chose.
    pub(super) denom: Option<Denom>,
    coverage: ListCoverage,
}

/// Height up to which the list has every transaction: that of the index when the list's newest page was requested.
#[derive(Debug, Default)]
struct ListCoverage {
    answered_at: Option<Timestamp>,
    to: Option<Height>,
    /// Height of the index since the last answer; a later answer was requested after it.
    index: Option<Height>,
}

impl ListCoverage {
    fn update(&mut self, answered_at: Option<Timestamp>, index: Option<Height>) {
        if answered_at.is_none() {
            *self = Self { index: self.index.or(index), ..Self::default() };
        } else if answered_at != self.answered_at {
            *self = Self { answered_at, to: self.index, index };
        }
    }
}

/// Balances after the listed transactions, newest first.
#[derive(Debug)]
struct Curve {
    after: Vec<Option<Amount>>,
    /// Reason why the balance before the last known one is unknown.
    gap: Option<&'static str>,
}

impl BalanceHistory {
    /// Reads the changes of loaded transactions until the update's budget is spent, and chooses a denom.
    pub(super) fn update(&mut self, address: Address, list: &ListWindow<TxRow>, cx: &mut PageCx<'_>) {
        self.coverage.update(list.state.at(), cx.context.chain.height());
        let glossary = Arc::clone(&cx.context.glossary);
        if self.vm != glossary.vm || list.rows().is_empty() {
            self.forget();
            self.vm = glossary.vm;
        }
        // The list drops rows that are far away.
        if self.effects.len() > 2 * list.rows().len() {
            self.forget();
        }
        let work = &mut cx.words;
        for row in list.rows().iter().filter(|row| !self.effects.contains_key(&row.tx.txhash)).collect::<Vec<_>>() {
            if work.rows == 0 || work.bytes == 0 {
                work.is_left = true;
                return;
            }
            let effect = balance_effect(&row.tx, address, &glossary);
            for denom in effect.iter().flat_map(BTreeMap::keys) {
                *self.changes.entry(denom.clone()).or_default() += 1;
            }
            self.effects.insert(row.tx.txhash, effect);
            work.rows -= 1;
            work.bytes = work.bytes.saturating_sub(row.weight());
            work.has_changed = true;
        }
    }

    fn forget(&mut self) {
        self.effects.clear();
        self.changes.clear();
    }

    /// Returns the denoms with a change, those of most changes first, then those that the account holds.
    fn denoms(&self, balances: &NodeBalances, glossary: &Glossary) -> Vec<Denom> {
        let mut changes: BTreeMap<&Denom, usize> = balances.coins.iter().map(|coin| (&coin.denom, 0)).collect();
        changes.extend(self.changes.iter().map(|(denom, changes)| (denom, *changes)));
        let mut denoms: Vec<(&Denom, usize)> = changes.into_iter().collect();
        denoms.sort_by_key(|(denom, changes)| (glossary.token(denom).is_none(), usize::MAX - changes));
        denoms.into_iter().map(|(denom, _)| denom.clone()).collect()
    }

    /// Returns the denom that is shown: the chosen one, else that of most changes.
    fn shown(&self, denoms: &[Denom]) -> Option<Denom> {
        self.denom.clone().or_else(|| denoms.first().cloned())
    }

    fn curve(&self, list: &ListWindow<TxRow>, balances: &NodeBalances, denom: &Denom, cx: &Context) -> Curve {
        let held = balances.coins.iter().find(|coin| coin.denom == *denom).map(|coin| coin.amount);
        let held = held.or_else(|| balances.is_whole.then_some(Amount::ZERO)).map(Balance::from);
        let rows: Vec<Option<&TxRow>> = list.rows().listed().map(ListedRow::read).collect();
        let mut after = vec![None; rows.len()];
        let (Some(at), Some(held)) = (balances.height, held) else {
            return Curve { after, gap: Some("the node names no block of the balance") };
        };
        let is_above = |row: Option<&TxRow>| row.is_none_or(|row| row.tx.height > at);
        let newer = rows.iter().take_while(|row| is_above(**row)).count();
        let has_row_above = rows.first().copied().flatten().is_some_and(|row| row.tx.height > at);
        let is_covered = !list.has_rows_above() && self.coverage.to.is_some_and(|to| to >= at);
        if !(has_row_above || is_covered) {
            return Curve { after, gap: Some("waiting for the list to reach the balance's block") };
        }
        let missing = cx.chain.extent.faults().highest_missing;
        let mut gap = None;
        // Forward from the node's block, then backward.
        let mut balance = Some(held);
        for (place, row) in rows.iter().enumerate().take(newer).rev() {
            balance = balance.zip(self.delta(*row, denom)).and_then(|(sum, delta)| sum.checked_add(delta));
            after.get_mut(place).into_iter().for_each(|after| *after = balance.and_then(Balance::amount));
        }
        balance = Some(held);
        for (place, row) in rows.iter().enumerate().skip(newer) {
            if row.is_some_and(|row| missing.is_some_and(|missing| row.tx.height.get() <= missing)) {
                gap = Some("the index misses a block");
                break;
            }
            let Some(known) = balance.and_then(Balance::amount) else {
                gap = Some("the events do not show every change");
                break;
            };
            after.get_mut(place).into_iter().for_each(|after| *after = Some(known));
            balance = balance.zip(self.delta(*row, denom)).and_then(|(sum, delta)| sum.checked_add(delta.negated()));
        }
        Curve { after, gap }
    }

    /// Returns a transaction's change of the balance; `None` if it is not known.
    fn delta(&self, row: Option<&TxRow>, denom: &Denom) -> Option<Balance> {
        let effect = self.effects.get(&row?.tx.txhash)?.as_ref()?;
        effect.get(denom).map_or(Some(Balance::default()), |delta| *delta)
    }
}

/// Returns the share of the scale that an amount fills; only zero fills nothing.
fn bar(amount: Amount, [least, most]: [Amount; 2]) -> ChartBar {
    let above = amount.get().saturating_sub(least.get());
    let span = most.get().saturating_sub(least.get()).max(U256::from(1));
    // Large spans lose their last bits, so that the product stays within 256 bits.
    let cut = span.bit_len().saturating_sub(192);
    let share = (above >> cut) * U256::from(FULL) / (span >> cut).max(U256::from(1));
    ChartBar::from(u64::try_from(share).unwrap_or(FULL).max(u64::from(!amount.is_zero())))
}

/// Returns the ends of the scale: from 0, unless all balances are close to each other.
fn scale(known: impl Iterator<Item = Amount> + Clone) -> [Amount; 2] {
    let (least, most) = (known.clone().min().unwrap_or_default(), known.max().unwrap_or_default());
    let is_close = least < most && least.get() > most.get() / U256::from(2);
    [if is_close { least } else { Amount::ZERO }, most]
}

/// Returns the ends of the scale with labels that differ; from 0 where the scale has no room for such labels.
fn labelled(ends: [Amount; 2], decimals: u8) -> ([Amount; 2], [String; 2]) {
    let labels = |ends: [Amount; 2], places| ends.map(|end| end.fixed(decimals, places));
    let differ = |[least, most]: &[String; 2]| least != most && most.len() + 2 <= usize::from(SCALE);
    let found = (2..=decimals.max(2)).map(|places| labels(ends, places)).find(differ);
    let from_zero = [Amount::ZERO, ends[1]];
    found.map_or_else(|| (from_zero, labels(from_zero, 2)), |labels| (ends, labels))
}

impl AccountPage {
    /// Whether the chart of a balance has what it needs.
    pub(super) fn has_chart(&self, cx: &Context) -> bool {
        cx.network.node.is_some() && !self.is_history_narrowed()
    }

    /// Returns the areas of the balance's chart, empty without room or node, and of the transactions.
    pub(super) fn chart_and_list(&self, cx: &Context, regions: &Regions) -> (Rect, Rect) {
        let (_, below) = regions.account_page(lines_across(cx));
        if self.has_chart(cx) { regions.account_chart(below) } else { cut_rows(below, 0) }
    }

    /// Shows the balance of the next or previous denom.
    pub(super) fn turn_denom(&mut self, step: isize, cx: &mut PageCx<'_>) -> Handled {
        match self.denom_beside(step, cx.context) {
            Some(denom) => self.history.denom = Some(denom),
            None => cx.refuse(NO_DENOM),
        }
        Handled::Done
    }

    fn chart_balances<'a>(balances: &'a Balances, cx: &Context) -> Option<&'a NodeBalances> {
        balances.of_chain(cx.own_chain().as_ref())
    }

    /// Returns the denom `step` places from the one that the chart shows.
    pub(super) fn denom_beside(&self, step: isize, cx: &Context) -> Option<Denom> {
        let balances = Self::chart_balances(&self.balances, cx)?;
        let denoms = self.history.denoms(balances, &cx.glossary);
        let shown = self.history.shown(&denoms)?;
        let place = denoms.iter().position(|denom| *denom == shown)?;
        denoms.get(place.checked_add_signed(step)?).cloned()
    }

    /// Draws the balance of one denom after each loaded transaction.
    pub(super) fn draw_balance(&self, canvas: &mut Canvas<'_>, cx: &Drawing<'_>, pane: Rect) {
        let inside = cx.regions.inner(pane);
        let frame = |canvas: &mut Canvas<'_>, name: &str, right: Vec<Part>| {
            let left = vec![(Meaning::Heading, format!("Balance{name}"))];
            canvas.frame(pane, cx.regions.tier, false, left, right);
        };
        let say = |canvas: &mut Canvas<'_>, words: &str| {
            frame(canvas, "", Vec::new());
            canvas.text(row(inside, 0), Meaning::Muted, &format!(" {words}"));
        };
        let Some(balances) = Self::chart_balances(&self.balances, cx.context) else {
            return say(canvas, if self.balances.error().is_some() { "unknown" } else { "asking the rollup's node…" });
        };
        let (glossary, list) = (&cx.context.glossary, &self.txs.list);
        let Some(denom) = self.history.shown(&self.history.denoms(balances, glossary)) else {
            return say(canvas, "no balance, and none among the loaded transactions");
        };
        let token = glossary.token(&denom);
        let decimals = token.map_or(0, |token| token.decimals);
        let symbol = token.map_or_else(|| denom.short(), |token| clip(&token.symbol, 16));
        let curve = self.history.curve(list, balances, &denom, cx.context);
        let room = usize::from(inside.width.saturating_sub(SCALE + VALUES));
        let shown = curve.after.get(..room.min(curve.after.len())).unwrap_or_default();
        let (ends, [least, most]) = labelled(scale(shown.iter().flatten().copied()), decimals);
        let bars: Vec<Option<ChartBar>> = shown.iter().map(|after| after.map(|after| bar(after, ends))).collect();
        let times = [list.rows().listed().take(room).next_back(), list.rows().listed().next()]
            .map(|row| row.and_then(ListedRow::read).map(|row| row.tx.timestamp));
        let right = vec![(Meaning::Muted, source(balances, shown.len(), times))];
        frame(canvas, &format!(" · {symbol}"), right);
        let is_known = shown.iter().any(Option::is_some);
        let labels = if is_known { [least.as_str(), most.as_str()] } else { ["", ""] };
        let ends = times.map(|time| time.map_or_else(String::new, |time| when(time, cx)));
        let chart = BarChart {
            bars: &bars,
            most: FULL,
            cursor: list.held_cursor(),
            scale: SCALE,
            values: VALUES.min(inside.width),
        };
        chart.draw(canvas, inside, (Meaning::Key, String::new()), labels, [&ends[0], &ends[1]], |place| {
            Some(list.shown_place(place))
        });
        let [_, _, values] = chart.split(inside);
        for (place, line) in (0..).zip(self.selected_lines(cx, &curve, &denom, decimals)) {
            canvas.parts(row(values, place), line);
        }
    }

    /// Returns the balance after the selected transaction, its change, and why another is unknown.
    fn selected_lines(&self, cx: &Drawing<'_>, curve: &Curve, denom: &Denom, decimals: u8) -> Vec<Vec<Part>> {
        let line =
            |name: &str, (meaning, value): Part| vec![(Meaning::Key, format!(" {name:<NAME$}")), (meaning, value)];
        let unknown = || (Meaning::Muted, "unknown".to_owned());
        let list = &self.txs.list;
        let after = curve.after.get(list.held_cursor()).copied().flatten();
        let after = after.map_or_else(unknown, |after| (Meaning::Number, after.display(decimals)));
        let change = self.history.delta(list.selected(), denom).map_or_else(unknown, |delta| {
            let sign = if delta.is_negative() || delta.magnitude().is_zero() { "" } else { "+" };
            (Meaning::Number, format!("{sign}{}", delta.display(decimals)))
        });
        let mut lines = vec![line("after", after), line("change", change)];
        if let Some(row) = list.selected() {
            let at = format!("{} · {}", group(row.tx.height.get()), when(row.tx.timestamp, cx));
            lines.push(line("block", (Meaning::Text, at)));
        }
        let gap = curve.gap.map(|gap| wrap(&format!("· is unknown: {gap}"), usize::from(VALUES) - 2, 2));
        lines.extend(gap.into_iter().flatten().map(|line| vec![(Meaning::Muted, format!(" {line}"))]));
        lines
    }
}

/// Returns over what the balances are computed: `100 txs in 2 h, from the node's balance at block 5,929`.
fn source(balances: &NodeBalances, txs: usize, [oldest, newest]: [Option<Timestamp>; 2]) -> String {
    let window = oldest.zip(newest).map(|(oldest, newest)| format!(" in {}", age(newest.since(oldest))));
    let at = balances.height.map(|at| format!(", from the node's balance at block {}", group(at.get())));
    format!("{}{}{}", count(txs, "tx"), window.unwrap_or_default(), at.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_covers_what_the_index_had_when_its_page_was_requested() {
        let (second, height) = (|at| Some(Timestamp::EPOCH.after(std::time::Duration::from_secs(at))), Height::new);
        let mut coverage = ListCoverage::default();
        for (at, index, to) in [
            (None, 7, None),
            (None, 8, None),
            (second(1), 9, Some(7)),
            (second(1), 10, Some(7)),
            (second(2), 12, Some(9)),
            (None, 13, None),
            (second(3), 14, Some(12)),
        ] {
            coverage.update(at, height(index));
            assert_eq!(coverage.to, to.and_then(height), "{at:?} {index}");
        }
    }

    #[test]
    fn balances_close_to_each_other_get_a_scale_of_their_own() {
        let ends =
            |amounts: &[u128]| scale(amounts.iter().map(|amount| Amount::from(*amount))).map(|end| end.to_string());
        assert_eq!(ends(&[]), ["0", "0"]);
        assert_eq!(ends(&[5, 5]), ["0", "5"]);
        assert_eq!(ends(&[100, 900]), ["0", "900"]);
        assert_eq!(ends(&[900, 1000]), ["900", "1000"]);
        let labels = |amounts: [u128; 2]| labelled(amounts.map(Amount::from), 18).1;
        let [close, most] = [3_804_724_108_000_000_000_000, 3_804_724_600_000_000_000_000];
        assert_eq!(labels([close, most]), ["3,804.7241", "3,804.7246"], "two labels that say the same say nothing");
        assert_eq!(labels([most, most + 1]), ["0.00", "3,804.72"], "no room to tell them apart");
        let most = Amount::new(U256::MAX);
        let ends = [Amount::ZERO, most];
        assert_eq!(bar(Amount::from(900), [Amount::from(900), most]).value, 1, "a known amount has a bar");
        assert_eq!([Amount::ZERO, most].map(|amount| bar(amount, ends).value), [0, FULL]);
        assert_eq!(bar(Amount::new(U256::MAX >> 1), ends).value, FULL / 2 - 1);
    }
}
