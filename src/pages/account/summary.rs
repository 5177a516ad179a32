//! What the loaded transactions tell about an account, and the lines in the page's head that say so.

use std::{collections::HashMap, time::Duration};

use super::{AccountPage, AccountTab};
use crate::{
    app::{
        format::{age, age_at},
        page::Drawing,
    },
    config::Meaning,
    domain::{
        Address, Coin, Height, Timestamp,
        text::{clip, group},
    },
    msg::Total,
    panes::rows::TxRow,
    widgets::{
        bars,
        canvas::{Part, width_of},
        list::{ListRow, ListWindow},
    },
};

/// Blank columns between two facts of a line.
const GAP: &str = "   ";

/// Maximum bars of an account's activity, and columns of the words beside them.
const ACTIVITY_BARS: u16 = 72;
const ACTIVITY_WORDS: u16 = 48;

/// Facts of the loaded transactions.
#[derive(Debug, Default)]
pub(super) struct HistorySummary {
    loaded: usize,
    signed: usize,
    failed: usize,
    /// Transactions of which only a part failed.
    partly: usize,
    is_known: bool,
    /// Number of all transactions, if the list or its server says it.
    pub(super) count: Option<String>,
    /// Oldest and newest loaded transaction.
    ends: Option<[(Height, Timestamp); 2]>,
    times: Vec<Timestamp>,
    has_older: bool,
    has_newer: bool,
    /// Accounts that the account received from or sent to, by number of transactions, most first.
    counterparties: Vec<(Address, usize)>,
}

impl HistorySummary {
    pub(super) fn of(list: &ListWindow<TxRow>) -> Self {
        let mut summary = Self {
            is_known: list.state.value().is_some(),
            count: count_of(list),
            has_older: !list.has_ended(),
            has_newer: list.has_rows_above(),
            ..Self::default()
        };
        let mut counts: HashMap<Address, usize> = HashMap::new();
        for row in list.rows().iter() {
            let at = (row.tx.height, row.tx.timestamp);
            summary.ends = Some(summary.ends.map_or([at, at], |[oldest, newest]| [oldest.min(at), newest.max(at)]));
            summary.times.push(row.tx.timestamp);
            summary.loaded += 1;
            summary.failed += usize::from(!row.tx.is_success());
            summary.partly += usize::from(!row.headline.partial.is_empty());
            let Some(part) = row.part() else { continue };
            summary.signed += usize::from(part.is_signer);
            part.counterparties.iter().for_each(|other| *counts.entry(*other).or_default() += 1);
        }
        summary.counterparties = counts.into_iter().collect();
        summary.counterparties.sort_by(|(one, count), (other, of_other)| of_other.cmp(count).then(one.cmp(other)));
        summary
    }

    /// Returns how many transactions are loaded, and what they are.
    fn history(&self) -> Vec<Part> {
        if !self.is_known {
            return vec![(Meaning::Muted, "loading…".to_owned())];
        }
        let loaded = group(self.loaded as u64);
        let of = match &self.count {
            Some(all) if *all == loaded => format!("all {all} loaded: "),
            Some(all) => format!("{loaded} of {all} loaded: "),
            None => format!("newest {loaded} loaded: "),
        };
        let failed = if self.failed > 0 { Meaning::Bad } else { Meaning::Text };
        let partly = if self.partly > 0 { format!(", {} partly", group(self.partly as u64)) } else { String::new() };
        vec![
            (Meaning::Text, of),
            (Meaning::Text, format!("{} signed, ", group(self.signed as u64))),
            (failed, format!("{} failed", group(self.failed as u64))),
            (Meaning::Warning, partly),
        ]
    }

    /// Returns the oldest and the newest loaded transaction, each with what is proven of it.
    fn ends(&self, cx: &Drawing<'_>) -> [(&'static str, Vec<Part>); 2] {
        let is_first = !self.has_older && cx.context.chain.extent.begins_with_chain();
        let names = [if is_first { "first" } else { "oldest" }, if self.has_newer { "newest" } else { "last" }];
        let said = |place: usize| {
            let Some((height, time)) = self.ends.and_then(|ends| ends.get(place).copied()) else { return Vec::new() };
            vec![(Meaning::Text, when(time, cx)), (Meaning::Muted, format!(" · block {}", group(height.get())))]
        };
        [(names[0], said(0)), (names[1], said(1))]
    }

    /// Returns how the loaded transactions spread over the time from the oldest to the newest.
    fn activity(&self, width: u16) -> Vec<Part> {
        let Some([(_, oldest), (_, newest)]) = self.ends else { return Vec::new() };
        let span = newest.since(oldest);
        let room = u64::from(width.saturating_sub(ACTIVITY_WORDS).min(ACTIVITY_BARS));
        let count = room.min(span.as_secs());
        if count < 2 {
            return vec![(Meaning::Muted, "the loaded transactions are of one moment".to_owned())];
        }
        let mut bars = vec![0_u64; usize::try_from(count).unwrap_or_default()];
        for time in &self.times {
            let place = time.since(oldest).as_millis() * u128::from(count) / (span.as_millis() + 1);
            if let Some(bar) = usize::try_from(place).ok().and_then(|place| bars.get_mut(place)) {
                *bar += 1;
            }
        }
        let most = bars.iter().copied().max().unwrap_or(0);
        let each = age(Duration::from_secs(span.as_secs().div_ceil(count)));
        vec![
            (Meaning::Number, bars::strip(&bars, most)),
            (
                Meaning::Muted,
                format!("  {} txs in {}, at most {} in {each}", group(self.loaded as u64), age(span), group(most)),
            ),
        ]
    }

    /// Returns the accounts of most transactions that fit, and the number of the others.
    fn counterparties(&self, cx: &Drawing<'_>, width: u16) -> Vec<Part> {
        if self.counterparties.is_empty() {
            let none = if self.loaded == 0 { "" } else { "no transfers among the loaded transactions" };
            return vec![(Meaning::Muted, none.to_owned())];
        }
        let name = |address: Address| {
            let label = cx.context.glossary.label(address).map(|label| clip(label, 24));
            label.unwrap_or_else(|| cx.context.address_style.short(address))
        };
        let item = |(address, count): &(Address, usize)| {
            let name = name(*address);
            vec![(Meaning::Link.of_name(&name), name), (Meaning::Muted, format!(" ×{}", group(*count as u64)))]
        };
        fitting_items(self.counterparties.iter().map(item), self.counterparties.len(), width)
    }
}

/// Formats a time as an age, or in UTC if the screen shows clock times.
pub(super) fn when(time: Timestamp, cx: &Drawing<'_>) -> String {
    if cx.context.has_ages() {
        format!("{} ago", age_at(time, cx.context.now))
    } else {
        format!("{} UTC", time.day_and_clock())
    }
}

/// Returns the number of rows of a list that is loaded to its end, or that its server counted.
fn count_of<R: ListRow>(list: &ListWindow<R>) -> Option<String> {
    list.state.value()?;
    match list.total {
        _ if list.has_ended() && !list.has_rows_above() => Some(group(list.rows().len() as u64)),
        Total::Exact(total) => Some(group(total)),
        Total::About(_) | Total::Unknown => None,
    }
}

/// Joins the leading items that fit, and counts the others: `a ×2   b ×1   +3 more`.
fn fitting_items(items: impl Iterator<Item = Vec<Part>>, count: usize, width: u16) -> Vec<Part> {
    let rest = |left: usize| vec![(Meaning::Muted, format!("+{} more", group(left as u64)))];
    let mut line: Vec<Part> = Vec::new();
    for (place, item) in items.enumerate() {
        let left = count - place - 1;
        let gap = (!line.is_empty()).then(|| (Meaning::Text, GAP.to_owned()));
        let after = if left > 0 { width_of(&rest(left)) + 3 } else { 0 };
        let more: Vec<Part> = gap.clone().into_iter().chain(item).collect();
        if !line.is_empty() && width_of(&line) + width_of(&more) + after > width {
            line.extend(gap);
            line.extend(rest(left + 1));
            return line;
        }
        line.extend(more);
    }
    line
}

impl AccountPage {
    /// Returns what the rollup's node says that the account holds; `None` without a node.
    fn holdings(&self, cx: &Drawing<'_>, width: u16) -> Option<Vec<Part>> {
        cx.context.network.node.as_ref()?;
        if let Some(error) = self.balances.error() {
            return Some(vec![(Meaning::Warning, format!("unknown: {}", error.brief()))]);
        }
        let Some(balances) = self.balances.of_chain(cx.context.own_chain().as_ref()) else {
            return Some(vec![(Meaning::Muted, "asking the rollup's node…".to_owned())]);
        };
        let at = balances.height.map_or_else(String::new, |height| format!("at block {}", group(height.get())));
        if balances.coins.is_empty() {
            return Some(vec![
                (Meaning::Text, "nothing in the bank".to_owned()),
                (Meaning::Muted, format!("{GAP}{at}")),
            ]);
        }
        let (mut coins, glossary) = (balances.coins.iter().collect::<Vec<&Coin>>(), &cx.context.glossary);
        coins.sort_by_key(|coin| glossary.token(&coin.denom).is_none());
        let item = |coin: &&Coin| match glossary.token(&coin.denom) {
            Some(token) => {
                let amount = coin.amount.fixed(token.decimals, 2);
                vec![(Meaning::Number, amount), (Meaning::Text, format!(" {}", clip(&token.symbol, 16)))]
            }
            None => {
                vec![(Meaning::Number, coin.amount.display(0)), (Meaning::Text, format!(" {}", coin.denom.short()))]
            }
        };
        let room = width.saturating_sub(u16::try_from(at.len() + GAP.len()).unwrap_or(width));
        let mut line = fitting_items(coins.iter().map(item), coins.len(), room);
        line.push((Meaning::Muted, format!("{GAP}{at}")));
        Some(line)
    }

    /// Returns the number of a tab's rows, where it is known.
    pub(super) fn count(&self, tab: AccountTab, cx: &Drawing<'_>) -> Option<String> {
        match tab {
            AccountTab::Txs => self.summary.count.clone(),
            AccountTab::Tokens if self.of_collection.is_none() => count_of(&self.tokens),
            AccountTab::Collections => count_of(&self.collections),
            AccountTab::Withdrawals => count_of(&self.withdrawals.list),
            AccountTab::Balances => {
                let balances = self.balances.of_chain(cx.context.own_chain().as_ref())?;
                balances.is_whole.then(|| group((balances.coins.len() + balances.tokens.len()) as u64))
            }
            AccountTab::Tokens | AccountTab::Contract | AccountTab::Holdings => None,
        }
    }

    /// Returns the head's lines, as names and values: those of the left half, those of the right half, and those across
    /// both. A narrow screen has one half.
    pub(super) fn head(&self, cx: &Drawing<'_>, left: u16, whole: u16) -> AccountHead {
        let history = ("history", self.summary.history());
        let address = |form: String| vec![(Meaning::Link, form)];
        let forms = [("cosmos", address(self.address.bech32())), ("hex", address(self.address.checksummed()))];
        let [oldest, newest] = self.summary.ends(cx);
        let with = ("with", self.summary.counterparties(cx, left));
        let activity = ("activity", self.summary.activity(whole));
        let holds = self.holdings(cx, whole).map(|holds| ("holds", holds));
        AccountHead {
            left: forms.into_iter().chain([with]).collect(),
            right: vec![history, oldest, newest],
            across: std::iter::once(activity).chain(holds).collect(),
        }
    }
}

pub(super) type HeadLine = (&'static str, Vec<Part>);

pub(super) struct AccountHead {
    pub(super) left: Vec<HeadLine>,
    pub(super) right: Vec<HeadLine>,
    pub(super) across: Vec<HeadLine>,
}
