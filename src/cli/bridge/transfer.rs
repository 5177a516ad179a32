use std::{path::Path, sync::Arc};

use serde_json::Value;

use super::{
    super::{
        CommandError, TransferArguments,
        arguments::{Format, TxArguments},
        output::CommandOutput,
        table::{Align, Heading, TableCell},
    },
    Router,
    bundle::{self, BundlePlace},
    claim, files,
    print::OutputStyle,
    register::request,
    router_names::RouterNames,
    source_check::SourceCheck,
};
use crate::{
    config::Meaning,
    domain::{ChainId, LocalZone, Timestamp, Tracking, TransferId, TransferRecord, text::clean},
    story::transfer::{
        HopPhase, HopView, IndexFindings, LegClock, Names as _, NextStep, NoReminder, Phase, RouterAnswers,
        RouterStanding, SourceEvidence, TransferStatusView, claim_reminder, phase_word, status_view, transfer_facts,
        transfer_line,
    },
    wire::{
        ApiError, ErrorKind, Verbatim,
        router::{Route, TransferStatus},
    },
};

/// Looks at a transfer once: the index of the chain where it starts is asked first, then the router.
pub(super) async fn run(
    tx: &TxArguments,
    arguments: &TransferArguments,
    router: &Router,
    output: &mut CommandOutput,
) -> Result<(), CommandError> {
    let mut follow = FollowedTransfer::new(tx, arguments.route.as_deref())?;
    SourceCheck::new(router.indexer.clone()).ask_once(&mut follow).await;
    match router.client.status(&request(tx)).await {
        Ok(status) => follow.take(&status, Timestamp::now()),
        Err(error) => {
            follow.miss(&error, Timestamp::now());
            if !follow.is_indexed() {
                return Err(unknown(error, router));
            }
        }
    }
    if arguments.ics.is_some() {
        follow.findings.settlement = claim::settlement(follow.id(), router).await.map(Arc::new);
    }
    let plain = RouterNames::default();
    let is_csv = matches!(output.format, Format::Csv);
    // What ends in failure is told of in words, whatever the format.
    let needs_names = !is_csv || arguments.ics.is_some() || end(&follow.status_view(&plain, Timestamp::now())).is_err();
    let names = if needs_names { RouterNames::fetch(router, &follow.chains()).await } else { plain };
    let at = Timestamp::now();
    let now = follow.status_view(&names, at);
    let reminder = follow.reminder(&now, &names, at);
    let is_calendar_only = arguments.ics.as_deref() == Some(Path::new("-"));
    match (output.format, &reminder) {
        (_, Ok(text)) if is_calendar_only => output.text(text)?,
        _ if is_calendar_only => {}
        (Format::Json | Format::Jsonl, _) => {
            output.json(&line(&follow, &now, at))?;
            output.line("")?;
        }
        (Format::Csv, _) => {
            output.csv(CSV.iter().copied())?;
            csv(&now).into_iter().try_for_each(|row| output.csv(row))?;
        }
        (Format::Table, _) => output.text(&table(&now, &names, OutputStyle::of(output), &zone_of(output), at))?,
    }
    output.flush()?;
    bundle::write(arguments, BundlePlace::File, &follow, &names, router)?;
    if let Some(path) = &arguments.ics {
        let text = reminder.map_err(|why| no_reminder(why, &now, tx))?;
        if !is_calendar_only {
            files::create(path, &text)?;
        }
    }
    end(&now)
}

/// Why nobody need be reminded: that the transfer failed comes before.
fn no_reminder(why: NoReminder, view: &TransferStatusView, tx: &TxArguments) -> CommandError {
    let advice = match why {
        NoReminder::NotFinalizing => format!(": {}", view.headline),
        NoReminder::Unknown => {
            ": choose the network of its chain, whose executor may say so, or give its route with --route".to_owned()
        }
        NoReminder::Past => format!(": rollscope claim {} {}", clean(tx.chain.as_str()), tx.hash),
    };
    end(view).err().unwrap_or_else(|| CommandError::Failed(format!("there is no reminder, since {why}{advice}")))
}

/// Why nothing can be said of it.
fn unknown(error: ApiError, router: &Router) -> CommandError {
    match error.kind {
        ErrorKind::Untracked(_) => {
            CommandError::NotFound(format!("{error}; the router may not watch it yet: rollscope track has it watched"))
        }
        _ => router.failure(error),
    }
}

/// A transfer as it is followed: nothing is kept beyond the command.
pub(super) struct FollowedTransfer {
    record: TransferRecord,
    answers: RouterAnswers,
    pub(super) findings: IndexFindings,
    /// Every status that came, and when; one that came again stands once.
    pub(super) statuses: Vec<(Arc<str>, Timestamp)>,
}

impl FollowedTransfer {
    /// The transfer that a command names.
    pub(super) fn new(tx: &TxArguments, route: Option<&Path>) -> Result<Self, CommandError> {
        let mut record = TransferRecord::of_hash(tx.chain.clone(), &tx.hash, Timestamp::now());
        if let Some(path) = route {
            let route = files::answer::<Route>(path, "route")?;
            record.route = Some(route.raw.get().into());
        }
        Ok(Self {
            answers: RouterAnswers::of(&record),
            record,
            findings: IndexFindings::default(),
            statuses: Vec::new(),
        })
    }

    /// The router has taken the transaction.
    pub(super) fn accept(&mut self) {
        if let Some(tx) = self.record.txs.first_mut() {
            tx.tracking = Tracking::Accepted;
        }
    }

    /// The router does not take the transaction. Says whether it says that the transaction itself is why.
    pub(super) fn refuse(&mut self, error: &ApiError, now: Timestamp) -> bool {
        let is_refusal = self.answers.standing.refuse(error, now);
        if !is_refusal {
            self.miss(error, now);
        }
        is_refusal && matches!(self.answers.standing, RouterStanding::Refusing { is_invalid: true, .. })
    }

    /// The router does not know the transaction, or does not answer.
    pub(super) fn miss(&mut self, error: &ApiError, now: Timestamp) {
        self.answers.standing.fail(error, now);
    }

    pub(super) fn take(&mut self, status: &Verbatim<TransferStatus>, now: Timestamp) {
        if let Some(tx) = self.record.txs.first_mut() {
            tx.tracking = Tracking::Accepted;
            let text: Arc<str> = status.raw.get().into();
            self.answers.take_status(0, Arc::clone(&text), Arc::new(status.value.clone()));
            self.answers.standing.answer();
            if self.statuses.last().is_none_or(|(last, _)| *last != text) {
                self.statuses.push((Arc::clone(&text), now));
            }
            tx.status = Some((text, now));
        }
    }

    /// Whether an index has the transaction.
    pub(super) fn is_indexed(&self) -> bool {
        matches!(self.findings.evidence.source, Some(SourceEvidence::Succeeded | SourceEvidence::Failed))
    }

    pub(super) fn id(&self) -> &TransferId {
        &self.record.id
    }

    pub(super) fn status_view(&self, names: &RouterNames, now: Timestamp) -> TransferStatusView {
        status_view(&self.record, &self.answers, self.findings.clone(), names, now)
    }

    /// When it began, as far as anybody says.
    pub(super) fn begun(&self, view: &TransferStatusView) -> Timestamp {
        view.clocks.first().and_then(|clock| clock.begun).unwrap_or(self.record.created)
    }

    /// The calendar file that reminds of its claim.
    fn reminder(&self, view: &TransferStatusView, names: &RouterNames, now: Timestamp) -> Result<String, NoReminder> {
        claim_reminder(&self.record, view, self.answers.route().map(AsRef::as_ref), names, now)
    }

    /// How it stands, for scripts.
    pub(super) fn facts(&self, names: &RouterNames, now: Timestamp) -> Value {
        transfer_facts(&self.record, &self.findings, &self.status_view(names, now), now)
    }

    /// The route as it was given.
    pub(super) fn route_text(&self) -> Option<&str> {
        self.record.route.as_deref()
    }

    /// The chains that it is known to touch.
    pub(super) fn chains(&self) -> Vec<ChainId> {
        let view = self.status_view(&RouterNames::default(), Timestamp::now());
        let hops = view.hops.iter().flat_map(|hop| [hop.from.clone(), hop.to.clone()]).flatten();
        let release = view.release.iter().map(|release| release.chain_id.clone());
        hops.chain(release).chain([self.record.id.chain_id.clone()]).collect()
    }
}

/// What a script is told by the exit status of a transfer that stands like this.
pub(super) fn end(view: &TransferStatusView) -> Result<(), CommandError> {
    match view.phase {
        Phase::FailedAtSource | Phase::FailedReleased | Phase::FailedHeld => {
            Err(CommandError::TransferFailed(view.headline.to_string()))
        }
        Phase::Abandoned => Err(CommandError::Abandoned(view.headline.to_string())),
        Phase::Strange => Err(CommandError::Unstated(view.headline.to_string())),
        _ => Ok(()),
    }
}

/// What is known, as one object: where the funds are comes first.
pub(super) fn line(follow: &FollowedTransfer, view: &TransferStatusView, now: Timestamp) -> String {
    transfer_line(&follow.record, &follow.findings, view, now)
}

/// The header line of its CSV.
pub(super) const CSV: &[&str] =
    &["phase", "headline", "hop", "protocol", "from_chain_id", "to_chain_id", "hop_phase", "state"];

/// The lines of its CSV, one for each hop and at least one.
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

/// The zone in which a table tells times: that of who looks at a terminal, and UTC where a program reads.
pub(super) fn zone_of(output: &CommandOutput) -> LocalZone {
    if output.is_terminal { LocalZone::of_machine() } else { LocalZone::default() }
}

/// When its transactions were begun and ended, and when it should be there: a line for each.
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

/// Where the funds are, and then the rest.
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
            TableCell::new(if hop.state.is_empty() { words_of(hop.phase) } else { hop.state.clone() }),
            TableCell::new(newest_tx(hop, names)),
        ]
    };
    let rows: Vec<Vec<TableCell>> = view.hops.iter().enumerate().map(row).collect();
    let notes = view.notes.iter().chain(&view.problem).map(|note| format!("{}\n", zone.in_words(&clean(note))));
    let notes: String = notes.collect();
    let gap = if rows.is_empty() { "" } else { "\n" };
    let times = times(view, zone);
    format!("{}\n{notes}{times}{gap}{}", view.headline.first_line_in(zone, now), style.rows(COLUMNS, &rows))
}

fn words_of(phase: HopPhase) -> String {
    phase.to_string().replace('_', " ")
}

/// The newest transaction of a hop: what it did, its hash, and where.
fn newest_tx(hop: &HopView, names: &RouterNames) -> String {
    let Some((slot, tx)) = hop.txs.last() else { return String::new() };
    let slot = slot.to_string();
    let what = slot.trim_end_matches("_tx").replace('_', " ");
    format!("{what} {} on {}", tx.tx_hash, names.chain(&tx.chain_id))
}

/// A mark that says a hop's phase without colours.
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
