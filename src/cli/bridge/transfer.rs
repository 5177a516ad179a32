use std::path::Path;

use super::{
    super::{
        CommandError, TransferArguments,
        arguments::{Format, TxArguments},
        output::CommandOutput,
        table::{Align, Heading, TableCell},
    },
    Router,
    bundle::{self, BundlePlace},
    files,
    following::{FollowGroup, FollowedTransfer},
    print::OutputStyle,
    router_names::RouterNames,
};
use crate::{
    config::Meaning,
    domain::{
        ChainId, LocalZone, Timestamp,
        text::{clean, quoted_within},
    },
    story::Names as _,
    transfers::{
        HopPhase, HopView, LegClock, NextStep, NoReminder, Phase, TransferStatusView, claim_reminder, phase_word,
    },
    wire::{ApiError, ErrorKind},
};

/// Queries the router and the sources of evidence once, and prints the status.
pub(super) async fn run(
    tx: &TxArguments,
    arguments: &TransferArguments,
    router: &Router,
    output: &mut CommandOutput,
) -> Result<(), CommandError> {
    let transfer = FollowedTransfer::new(tx, arguments.route.as_deref(), router)?;
    let group = FollowGroup::open(router, vec![transfer], arguments.ics.is_some()).await?;
    let Some(mut drive) = group.drive(0) else { return Ok(()) };
    let status_error = drive.look().await;
    let at = Timestamp::now();
    let mut transfer = drive.transfer_mut();
    if let Some(error) = status_error.filter(|_| !transfer.is_known()) {
        return Err(unknown(error, router));
    }
    let now = transfer.review(at);
    let names = transfer.names.clone();
    let follower = &transfer.follower;
    let route = follower.route().map(AsRef::as_ref);
    let reminder = claim_reminder(&follower.record, &now, route, &*names, at);
    let is_calendar_only = arguments.ics.as_deref() == Some(Path::new("-"));
    match (output.format, &reminder) {
        (_, Ok(text)) if is_calendar_only => output.text(text)?,
        _ if is_calendar_only => {}
        (Format::Json | Format::Jsonl, _) => {
            output.json(&follower.line(&now, at))?;
            output.line("")?;
        }
        (Format::Csv, _) => {
            output.csv(CSV.iter().copied())?;
            csv(&now).into_iter().try_for_each(|row| output.csv(row))?;
        }
        (Format::Table, _) => output.text(&table(&now, &names, OutputStyle::of(output), &zone_of(output), at))?,
    }
    output.flush()?;
    bundle::write(arguments, BundlePlace::File, &transfer, router)?;
    if let Some(path) = &arguments.ics {
        let text = reminder.map_err(|why| no_reminder(why, &now, tx))?;
        if !is_calendar_only {
            files::create(path, &text)?;
        }
    }
    end(&now)
}

/// Creates the error for a missing reminder; a failure of the transfer has priority.
fn no_reminder(why: NoReminder, view: &TransferStatusView, tx: &TxArguments) -> CommandError {
    let advice = match why {
        NoReminder::NotFinalizing => format!(": {}", view.headline),
        NoReminder::Unknown => ": choose the rollup's network with --network, or give --route".to_owned(),
        NoReminder::Past => format!(": rollscope claim {} {}", clean(tx.chain.as_str()), tx.hash),
    };
    end(view).err().unwrap_or_else(|| CommandError::Failed(format!("no reminder, since {why}{advice}")))
}

fn unknown(error: ApiError, router: &Router) -> CommandError {
    match error.kind {
        ErrorKind::Untracked(_) => {
            CommandError::NotFound(format!("{error}; the router may not track it yet: run rollscope track"))
        }
        _ => router.failure(error),
    }
}

pub(super) fn end(view: &TransferStatusView) -> Result<(), CommandError> {
    match view.phase {
        Phase::FailedAtSource | Phase::FailedReleased | Phase::FailedHeld => {
            Err(CommandError::TransferFailed(view.headline.to_string()))
        }
        Phase::Abandoned => Err(CommandError::Abandoned(view.headline.to_string())),
        Phase::Strange | Phase::Contradictory => Err(CommandError::Unstated(view.headline.to_string())),
        _ => Ok(()),
    }
}

/// Columns of the CSV's header line.
pub(super) const CSV: &[&str] =
    &["phase", "headline", "hop", "protocol", "from_chain_id", "to_chain_id", "hop_phase", "state"];

/// Returns the CSV lines: one line per hop, but at least one line.
pub(super) fn csv(view: &TransferStatusView) -> Vec<Vec<String>> {
    let start = [phase_word(&view.phase).to_owned(), view.headline.to_string()];
    let chain = |chain: &Option<ChainId>| chain.as_ref().map(ToString::to_string).unwrap_or_default();
    let of = |(place, hop): (usize, &HopView)| {
        let (from, to) = (chain(&hop.from), chain(&hop.to));
        let rest = [place.to_string(), hop.protocol.to_string(), from, to, hop.phase.to_string(), hop.state.clone()];
        [start.as_slice(), rest.as_slice()].concat()
    };
    if view.hops.is_empty() {
        return vec![[start.as_slice(), [const { String::new() }; 6].as_slice()].concat()];
    }
    view.hops.iter().enumerate().map(of).collect()
}

const COLUMNS: &[Heading] = &[
    ("#", Align::Right),
    ("", Align::Left),
    ("Over", Align::Left),
    ("From", Align::Left),
    ("To", Align::Left),
    ("State", Align::Left),
    ("Last transaction", Align::Left),
];

/// Returns the time zone of a table: the user's on a terminal, else UTC.
pub(super) fn zone_of(output: &CommandOutput) -> LocalZone {
    if output.is_terminal { LocalZone::of_machine() } else { LocalZone::default() }
}

/// Formats begin and end of each transaction and the expected arrival, one per line.
fn times(view: &TransferStatusView, zone: &LocalZone) -> String {
    let several = view.clocks.len() > 1;
    let of_tx = |(place, clock): (usize, &LegClock)| {
        let begun = clock.begun?;
        let how = match (several, clock.is_on_chain) {
            (true, true) => format!("Transaction {}: in a block", place + 1),
            (true, false) => format!("Transaction {}: sent", place + 1),
            (false, true) => "In a block".to_owned(),
            (false, false) => "Sent".to_owned(),
        };
        let ended = clock.ended.map(|at| format!(", ended {}", zone.beside_utc(at))).unwrap_or_default();
        Some(format!("{how} {}{ended}.\n", zone.beside_utc(begun)))
    };
    let is_awaited = !view.phase.is_over() && view.next == NextStep::Wait && view.as_of.is_none();
    let expected = view.expected.filter(|_| is_awaited);
    let expected = expected.map(|at| format!("Expected about {} (estimate).\n", zone.beside_utc(at)));
    view.clocks.iter().enumerate().filter_map(of_tx).chain(expected).collect()
}

/// Prints the position of the funds, then the details.
pub(super) fn table(
    view: &TransferStatusView,
    names: &RouterNames,
    style: OutputStyle,
    zone: &LocalZone,
    now: Timestamp,
) -> String {
    let chain = |chain: &Option<ChainId>| chain.as_ref().map(|chain| names.chain(chain)).unwrap_or_default();
    let row = |(place, hop): (usize, &HopView)| {
        vec![
            TableCell::new((place + 1).to_string()),
            TableCell::new(sign(hop.phase)).meaning(meaning(hop.phase)),
            TableCell::new(hop.protocol.to_string()),
            TableCell::new(chain(&hop.from)),
            TableCell::new(chain(&hop.to)),
            TableCell::new(if hop.state.is_empty() { words_of(hop.phase) } else { state_words(&hop.state) }),
            TableCell::new(newest_tx(hop, names)),
        ]
    };
    let rows: Vec<Vec<TableCell>> = view.hops.iter().enumerate().map(row).collect();
    let notes = view.notes.iter().map(|note| note.in_zone(zone)).chain(view.problem_sentence());
    let notes: String = notes.map(|note| clean(&note).into_owned() + "\n").collect();
    let gap = if rows.is_empty() { "" } else { "\n" };
    let times = times(view, zone);
    format!("{}\n{notes}{times}{gap}{}", view.headline.first_line_in(zone, now), style.rows(COLUMNS, &rows))
}

/// Returns the router's word for a state; quotes what is no plain word.
fn state_words(state: &str) -> String {
    let is_word = state.chars().all(|sign| sign.is_ascii_uppercase() || sign.is_ascii_digit() || sign == '_');
    if is_word { state.to_owned() } else { quoted_within(state, 40) }
}

fn words_of(phase: HopPhase) -> String {
    phase.to_string().replace('_', " ")
}

/// Describes a hop's newest transaction by role, hash and chain.
fn newest_tx(hop: &HopView, names: &RouterNames) -> String {
    let Some((slot, tx)) = hop.txs.last() else { return String::new() };
    let slot = slot.to_string();
    let what = slot.trim_end_matches("_tx").replace('_', " ");
    format!("{what} {} on {}", tx.tx_hash, names.chain(&tx.chain_id))
}

/// Returns the mark of a hop's phase; marks are distinct without colours.
pub(super) fn sign(phase: HopPhase) -> &'static str {
    match phase {
        HopPhase::Waiting => "·",
        HopPhase::Active => "►",
        HopPhase::Done => "✓",
        HopPhase::Failed => "✗",
        HopPhase::Unreached => "–",
        HopPhase::Unknown => "?",
    }
}

fn meaning(phase: HopPhase) -> Meaning {
    match phase {
        HopPhase::Done => Meaning::Good,
        HopPhase::Failed => Meaning::Bad,
        _ => Meaning::Text,
    }
}
