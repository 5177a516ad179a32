//! Output of followed transfers: one line per change, and progress bars on a terminal.

use std::{
    cell::{Cell, RefCell},
    io::{self, IsTerminal},
    rc::Rc,
};

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};

use super::super::{
    super::{
        CommandError,
        arguments::{Format, TxArguments},
        clock::CommandClock,
        output::CommandOutput,
    },
    following::FollowedTransfer,
    print::OutputStyle,
    transfer::{CSV, csv, sign, table, zone_of},
};
use crate::{
    domain::{Timestamp, TransferId, text::clean},
    story::Names as _,
    transfers::{HopPhase, HopView, Phase, TransferStatusView},
    wire::ApiError,
};

/// Output shared by all followed transfers.
pub(super) struct ChangesShown<'a> {
    output: RefCell<&'a mut CommandOutput>,
    /// Progress bars below the lines; `None` without a terminal.
    bars: Option<MultiProgress>,
    /// Whether each change is one line that names its transfer.
    is_several: bool,
    /// Whether the CSV's header line is written.
    has_header: Cell<bool>,
    clock: Rc<CommandClock>,
}

impl<'a> ChangesShown<'a> {
    pub(super) fn new(output: RefCell<&'a mut CommandOutput>, is_several: bool, clock: Rc<CommandClock>) -> Self {
        let is_watched = {
            let output = output.borrow();
            output.format == Format::Table && output.is_terminal && io::stderr().is_terminal()
        };
        Self { output, bars: is_watched.then(MultiProgress::new), is_several, has_header: Cell::new(false), clock }
    }

    /// Prints a note on standard error.
    pub(super) fn note(&self, text: &str) {
        let warn = || eprintln!("note: {text}");
        match &self.bars {
            Some(bars) => bars.suspend(warn),
            None => warn(),
        }
    }

    /// Prints a line above the bars.
    fn line(&self, text: &str) -> Result<(), CommandError> {
        let mut output = self.output.borrow_mut();
        let mut write = || output.line(text).and_then(|()| output.flush());
        match &self.bars {
            Some(bars) => bars.suspend(write),
            None => write(),
        }
    }

    /// Writes CSV lines, after a header line if it is missing.
    fn csv(&self, transfer: &FollowedTransfer) -> Result<(), CommandError> {
        let mut output = self.output.borrow_mut();
        let names = if self.is_several { ["chain_id", "tx_hash"].as_slice() } else { &[] };
        if !self.has_header.replace(true) {
            output.csv(names.iter().chain(CSV).copied())?;
        }
        let id = transfer.id();
        let own = if self.is_several { vec![id.chain_id.to_string(), id.hash.to_string()] } else { Vec::new() };
        csv(&transfer.follower.view).into_iter().try_for_each(|row| output.csv(own.iter().cloned().chain(row)))
    }
}

pub(super) struct ChangeWriter<'s, 'a> {
    shown: &'s ChangesShown<'a>,
    bars: Vec<ProgressBar>,
    /// The follower's `news` number at the last output.
    last: Option<u64>,
}

impl<'s, 'a> ChangeWriter<'s, 'a> {
    pub(super) fn new(shown: &'s ChangesShown<'a>) -> Self {
        Self { shown, bars: Vec::new(), last: None }
    }

    /// Writes the status if it changed since the last output.
    pub(super) fn change(&mut self, transfer: &FollowedTransfer) -> Result<(), CommandError> {
        let (follower, view) = (&transfer.follower, &transfer.follower.view);
        // The location of the funds comes first; the bars appear after the router accepted the transaction.
        if self.last.is_some() {
            self.draw(transfer);
        }
        if self.last == Some(follower.news) {
            return Ok(());
        }
        let shown = self.shown;
        let now = shown.clock.now();
        let format = shown.output.borrow().format;
        match (format, &shown.bars) {
            (Format::Table, None) if !shown.is_several => {
                let mut output = shown.output.borrow_mut();
                let (style, zone) = (OutputStyle::of(&output), zone_of(&output));
                output.text(&table(view, &transfer.names, style, &zone, now))?;
                output.line("")?;
            }
            (Format::Table, _) => {
                let zone = zone_of(&shown.output.borrow());
                let clock = zone.clock(now);
                let name = if shown.is_several { format!("{}  ", name(transfer.id())) } else { String::new() };
                shown.line(&format!("{clock}  {name}{}", clean(&view.headline.first_line_in(&zone, now))))?;
            }
            (Format::Csv, _) => shown.csv(transfer)?,
            (Format::Json | Format::Jsonl, _) => {
                let mut output = shown.output.borrow_mut();
                output.json(&follower.line(view, now))?;
                output.line("")?;
            }
        }
        self.last = Some(follower.news);
        shown.output.borrow_mut().flush()
    }

    /// Prints a transient failure on standard error.
    pub(super) fn trouble(&self, tx: &TxArguments, error: &ApiError) {
        let of = if self.shown.is_several { format!("{} {}: ", tx.chain, tx.hash) } else { String::new() };
        self.shown.note(&format!("{of}{error}; rollscope retries"));
    }

    /// Ends the bars and leaves them on the screen.
    pub(super) fn finish(&self) {
        self.bars.iter().for_each(ProgressBar::abandon);
    }

    /// Draws one bar per hop; one bar per transfer if the command follows several.
    fn draw(&mut self, transfer: &FollowedTransfer) {
        let (view, names) = (&transfer.follower.view, &transfer.names);
        let Some(all) = &self.shown.bars else { return };
        let wanted = if self.shown.is_several { 1 } else { view.hops.len() };
        while self.bars.len() < wanted {
            let bar = all.add(ProgressBar::new(100));
            if let Ok(style) = ProgressStyle::with_template("{prefix} {bar:20} {msg}") {
                bar.set_style(style);
            }
            self.bars.push(bar);
        }
        let now = self.shown.clock.now();
        if let (true, Some(bar)) = (self.shown.is_several, self.bars.first()) {
            let sum: u64 = view.hops.iter().map(|hop| percent(hop, now)).sum();
            bar.set_prefix(sign_of(view));
            bar.set_position(sum / (view.hops.len() as u64).max(1));
            bar.set_message(name(transfer.id()));
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

/// Formats chain and hash as the command line accepts them.
fn name(id: &TransferId) -> String {
    format!("{} {}", clean(id.chain_id.as_str()), id.hash)
}

fn sign_of(view: &TransferStatusView) -> &'static str {
    sign(match &view.phase {
        Phase::Arrived => HopPhase::Done,
        phase if phase.is_failure() => HopPhase::Failed,
        Phase::EndedUnstated | Phase::Strange | Phase::Contradictory | Phase::Abandoned => HopPhase::Unknown,
        _ => HopPhase::Active,
    })
}

/// Returns a hop's progress in percent of its planned duration; below 100 until the hop ends.
fn percent(hop: &HopView, now: Timestamp) -> u64 {
    match (hop.phase, hop.began, hop.planned_seconds) {
        (HopPhase::Done, ..) => 100,
        (HopPhase::Active, Some(began), Some(planned)) => (now.since(began).as_secs() * 100 / planned.max(1)).min(95),
        (HopPhase::Active, ..) => 50,
        _ => 0,
    }
}
