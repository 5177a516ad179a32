//! How the changes of followed transfers are shown: a line for each, and bars where somebody looks.

use std::{
    cell::{Cell, RefCell},
    io::{self, IsTerminal},
};

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};

use super::super::{
    super::{
        CommandError,
        arguments::{Format, TxArguments},
        output::CommandOutput,
    },
    print::OutputStyle,
    router_names::RouterNames,
    transfer::{CSV, FollowedTransfer, csv, line, sign, table, zone_of},
};
use crate::{
    domain::{Timestamp, TransferId, text::clean},
    story::transfer::{HopPhase, HopView, Names as _, Phase, TransferStatusView},
    wire::ApiError,
};

/// Where the changes of all that is followed are shown.
pub(super) struct ChangesShown<'a> {
    output: RefCell<&'a mut CommandOutput>,
    /// The bars below what is printed, where somebody looks.
    bars: Option<MultiProgress>,
    /// Whether each change is one line that names its transfer.
    is_several: bool,
    /// Whether the header line of the CSV is written.
    has_header: Cell<bool>,
}

impl<'a> ChangesShown<'a> {
    pub(super) fn new(output: RefCell<&'a mut CommandOutput>, is_several: bool) -> Self {
        let is_watched = {
            let output = output.borrow();
            output.format == Format::Table && output.is_terminal && io::stderr().is_terminal()
        };
        Self { output, bars: is_watched.then(MultiProgress::new), is_several, has_header: Cell::new(false) }
    }

    /// Tells of what is no change, on standard error.
    pub(super) fn note(&self, text: &str) {
        let warn = || eprintln!("note: {text}");
        match &self.bars {
            Some(bars) => bars.suspend(warn),
            None => warn(),
        }
    }

    /// A line, with the bars out of its way.
    fn line(&self, text: &str) -> Result<(), CommandError> {
        let mut output = self.output.borrow_mut();
        let mut write = || output.line(text).and_then(|()| output.flush());
        match &self.bars {
            Some(bars) => bars.suspend(write),
            None => write(),
        }
    }

    /// Lines of CSV, below the header line.
    fn csv(&self, follow: &FollowedTransfer, view: &TransferStatusView) -> Result<(), CommandError> {
        let mut output = self.output.borrow_mut();
        let names = if self.is_several { ["chain_id", "tx_hash"].as_slice() } else { &[] };
        if !self.has_header.replace(true) {
            output.csv(names.iter().chain(CSV).copied())?;
        }
        let id = follow.id();
        let own = if self.is_several { vec![id.chain_id.to_string(), id.hash.to_string()] } else { Vec::new() };
        csv(view).into_iter().try_for_each(|row| output.csv(own.iter().cloned().chain(row)))
    }
}

/// Shows the changes of one transfer.
pub(super) struct ChangeWriter<'s, 'a> {
    shown: &'s ChangesShown<'a>,
    bars: Vec<ProgressBar>,
    /// What was shown last, but for what only the clock changes.
    last: Option<String>,
}

impl<'s, 'a> ChangeWriter<'s, 'a> {
    pub(super) fn new(shown: &'s ChangesShown<'a>) -> Self {
        Self { shown, bars: Vec::new(), last: None }
    }

    /// Shows how it stands, where that differs from what was shown.
    pub(super) fn change(
        &mut self,
        follow: &FollowedTransfer,
        view: &TransferStatusView,
        names: &RouterNames,
    ) -> Result<(), CommandError> {
        // Where the funds are comes first; the bars only once the router has taken the transaction.
        if self.last.is_some() {
            self.draw(follow, view, names);
        }
        let comparison_key = comparison_key(follow, view);
        if self.last.as_ref() == Some(&comparison_key) {
            return Ok(());
        }
        let shown = self.shown;
        let now = Timestamp::now();
        let format = shown.output.borrow().format;
        match (format, &shown.bars) {
            (Format::Table, None) if !shown.is_several => {
                let mut output = shown.output.borrow_mut();
                let (style, zone) = (OutputStyle::of(&output), zone_of(&output));
                output.text(&table(view, names, style, &zone, now))?;
                output.line("")?;
            }
            (Format::Table, _) => {
                let zone = zone_of(&shown.output.borrow());
                let clock = zone.clock(now);
                let name = if shown.is_several { format!("{}  ", name(follow.id())) } else { String::new() };
                shown.line(&format!("{clock}  {name}{}", clean(&view.headline.first_line_in(&zone, now))))?;
            }
            (Format::Csv, _) => shown.csv(follow, view)?,
            (Format::Json | Format::Jsonl, _) => {
                let mut output = shown.output.borrow_mut();
                output.json(&line(follow, view, now))?;
                output.line("")?;
            }
        }
        self.last = Some(comparison_key);
        shown.output.borrow_mut().flush()
    }

    /// Tells of a failure that may pass, on standard error.
    pub(super) fn trouble(&self, tx: &TxArguments, error: &ApiError) {
        let of = if self.shown.is_several { format!("{} {}: ", tx.chain, tx.hash) } else { String::new() };
        self.shown.note(&format!("{of}{error}; it is asked again"));
    }

    /// What the bars said last stays on the screen.
    pub(super) fn finish(&self) {
        self.bars.iter().for_each(ProgressBar::abandon);
    }

    /// Draws a bar for each hop, or one for all of it where several transfers are followed.
    fn draw(&mut self, follow: &FollowedTransfer, view: &TransferStatusView, names: &RouterNames) {
        let Some(all) = &self.shown.bars else { return };
        let wanted = if self.shown.is_several { 1 } else { view.hops.len() };
        while self.bars.len() < wanted {
            let bar = all.add(ProgressBar::new(100));
            if let Ok(style) = ProgressStyle::with_template("{prefix} {bar:20} {msg}") {
                bar.set_style(style);
            }
            self.bars.push(bar);
        }
        let now = Timestamp::now();
        if let (true, Some(bar)) = (self.shown.is_several, self.bars.first()) {
            let sum: u64 = view.hops.iter().map(|hop| percent(hop, now)).sum();
            bar.set_prefix(sign_of(view));
            bar.set_position(sum / (view.hops.len() as u64).max(1));
            bar.set_message(name(follow.id()));
            return;
        }
        for (bar, hop) in self.bars.iter().zip(&view.hops) {
            let chain = |chain: &Option<_>| chain.as_ref().map(|chain| names.chain(chain)).unwrap_or_default();
            bar.set_prefix(sign(hop.phase));
            bar.set_position(percent(hop, now));
            bar.set_message(format!("{}  {} → {}  {}", hop.protocol, chain(&hop.from), chain(&hop.to), hop.state));
        }
    }
}

/// Chain and hash, as the command takes them.
fn name(id: &TransferId) -> String {
    format!("{} {}", clean(id.chain_id.as_str()), id.hash)
}

/// The mark of a whole transfer.
fn sign_of(view: &TransferStatusView) -> &'static str {
    sign(match &view.phase {
        Phase::Arrived => HopPhase::Done,
        phase if phase.is_failure() => HopPhase::Failed,
        Phase::EndedUnstated | Phase::Strange | Phase::Abandoned => HopPhase::Unknown,
        _ => HopPhase::Active,
    })
}

/// What a change is judged by: everything but the clock's part of the words.
fn comparison_key(follow: &FollowedTransfer, view: &TransferStatusView) -> String {
    let hop = |hop: &HopView| format!("{}{}{}{:?}", hop.phase, hop.state, hop.txs.len(), hop.problem);
    let hops: Vec<String> = view.hops.iter().map(hop).collect();
    let found = (&follow.findings.evidence, &follow.findings.returned, view.as_of.is_some());
    format!("{:?}{:?}{:?}{hops:?}{found:?}", view.phase, view.release, view.problem)
}

/// How far a hop is by its planned time; under way it never looks done.
fn percent(hop: &HopView, now: Timestamp) -> u64 {
    match (hop.phase, hop.began, hop.planned_seconds) {
        (HopPhase::Done, ..) => 100,
        (HopPhase::Active, Some(began), Some(planned)) => (now.since(began).as_secs() * 100 / planned.max(1)).min(95),
        (HopPhase::Active, ..) => 50,
        _ => 0,
    }
}
