use std::sync::Arc;

use serde_json::{Value, json};

use super::{
    super::{
        CommandError, TransferArguments,
        arguments::Format,
        list::one_line,
        output::CommandOutput,
        table::{Align, Heading, TableCell},
    },
    Router, files,
    print::OutputStyle,
    register::request,
    router_names::RouterNames,
};
use crate::{
    config::Meaning,
    domain::{ChainId, Timestamp, Tracking, TransferId, TransferRecord},
    story::transfer::{
        Evidence, HopPhase, HopView, Names as _, Phase, RouterAnswers, SourceEvidence, TransferStatusView, status_view,
    },
    wire::{
        ErrorKind, RawJson, Verbatim,
        router::{Route, TransferStatus},
    },
};

/// Looks at a transfer once. The body is printed as JSON; a table says where the funds are.
pub(super) async fn run(
    arguments: &TransferArguments,
    router: &Router,
    output: &mut CommandOutput,
) -> Result<(), CommandError> {
    let mut follow = FollowedTransfer::new(arguments)?;
    let answered = router.client.status(&request(&arguments.tx)).await;
    let status = answered.map_err(|error| match error.kind {
        ErrorKind::Untracked(_) => {
            CommandError::NotFound(format!("{error}; the router may not watch it yet: rollscope track has it watched"))
        }
        _ => router.failure(error),
    })?;
    follow.take(&status, Timestamp::now());
    let plain = RouterNames::default();
    let is_json = matches!(output.format, Format::Json | Format::Jsonl);
    // What ends in failure is told of in words, whatever the format.
    let needs_names = !is_json || end(&follow.status_view(&plain, Timestamp::now())).is_err();
    let names = if needs_names { RouterNames::fetch(router, &follow.chains()).await } else { plain };
    let now = follow.status_view(&names, Timestamp::now());
    match output.format {
        Format::Json => {
            output.json(status.raw.get())?;
            output.line("")?;
        }
        Format::Jsonl => {
            output.json(&one_line(status.raw.get()))?;
            output.line("")?;
        }
        Format::Csv => {
            output.csv(CSV.iter().copied())?;
            csv(&now).into_iter().try_for_each(|row| output.csv(row))?;
        }
        Format::Table => output.text(&table(&now, &names, OutputStyle::of(output)))?,
    }
    output.flush()?;
    end(&now)
}

/// A transfer as it is followed: nothing is kept beyond the command.
pub(super) struct FollowedTransfer {
    record: TransferRecord,
    answers: RouterAnswers,
    evidence: Evidence,
}

impl FollowedTransfer {
    /// The transfer that a command names.
    pub(super) fn new(arguments: &TransferArguments) -> Result<Self, CommandError> {
        let tx = &arguments.tx;
        let mut record = TransferRecord::of_hash(tx.chain.clone(), &tx.hash, Timestamp::now());
        if let Some(path) = &arguments.route {
            let route = files::answer::<Route>(path, "route")?;
            record.route = Some(route.raw.get().into());
        }
        Ok(Self { answers: RouterAnswers::of(&record), record, evidence: Evidence::default() })
    }

    /// The router has taken the transaction.
    pub(super) fn accept(&mut self) {
        if let Some(tx) = self.record.txs.first_mut() {
            tx.tracking = Tracking::Accepted;
        }
    }

    pub(super) fn take(&mut self, status: &Verbatim<TransferStatus>, now: Timestamp) {
        if let Some(tx) = self.record.txs.first_mut() {
            tx.tracking = Tracking::Accepted;
            let text: Arc<str> = status.raw.get().into();
            self.answers.take_status(0, Arc::clone(&text), Arc::new(status.value.clone()));
            tx.status = Some((text, now));
        }
    }

    /// What the indexer of the source chain says of the source transaction.
    pub(super) fn take_evidence(&mut self, evidence: SourceEvidence) {
        self.evidence.source = Some(evidence);
    }

    pub(super) fn evidence(&self) -> Evidence {
        self.evidence
    }

    pub(super) fn id(&self) -> &TransferId {
        &self.record.id
    }

    /// When it began, as far as this command knows.
    pub(super) fn begun(&self) -> Timestamp {
        self.record.created
    }

    pub(super) fn status_view(&self, names: &RouterNames, now: Timestamp) -> TransferStatusView {
        status_view(&self.record, &self.answers, self.evidence, names, now)
    }

    /// The status as it came last.
    pub(super) fn status(&self) -> Option<RawJson> {
        let (text, _) = self.record.txs.first()?.status.as_ref()?;
        RawJson::parse(text.to_string()).ok()
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
        Phase::FailedReleased | Phase::FailedHeld => Err(CommandError::TransferFailed(view.headline.to_string())),
        Phase::Abandoned => Err(CommandError::Abandoned(view.headline.to_string())),
        _ => Ok(()),
    }
}

/// The word for a phase in JSON and CSV; scripts rely on them.
fn word(phase: &Phase) -> &'static str {
    match phase {
        Phase::NotKnown => "not_known",
        Phase::Waiting => "waiting",
        Phase::Moving => "moving",
        Phase::Failing => "failing",
        Phase::Finalizing => "finalizing",
        Phase::Arrived => "arrived",
        Phase::EndedUnstated => "completed_unstated",
        Phase::FailedReleased => "failed_released",
        Phase::FailedHeld => "failed_held",
        Phase::Abandoned => "abandoned",
        Phase::Strange => "strange",
    }
}

/// What is known, as one object: where the funds are comes first.
pub(super) fn line(follow: &FollowedTransfer, view: &TransferStatusView, now: Timestamp) -> String {
    let hop = |hop: &HopView| {
        json!({
            "protocol": hop.protocol.to_string(),
            "from_chain_id": hop.from.as_ref().map(ChainId::as_str),
            "to_chain_id": hop.to.as_ref().map(ChainId::as_str),
            "phase": hop.phase.to_string(),
            "state": hop.state,
            "problem": hop.problem,
        })
    };
    let known = json!({
        "headline": view.headline.to_string(),
        "phase": word(&view.phase),
        "notes": view.notes,
        "problem": view.problem,
        "release": view.release,
        "hops": view.hops.iter().map(hop).collect::<Vec<Value>>(),
        "at": now.to_string(),
    });
    let known = known.to_string();
    // The status is put in as text: what came is not to be touched.
    match follow.status() {
        Some(status) => {
            let open = known.strip_suffix('}').unwrap_or(&known);
            format!("{open},\"status\":{}}}", one_line(status.get()))
        }
        None => known,
    }
}

/// The header line of its CSV.
pub(super) const CSV: &[&str] =
    &["phase", "headline", "hop", "protocol", "from_chain_id", "to_chain_id", "hop_phase", "state"];

/// The lines of its CSV, one for each hop and at least one.
pub(super) fn csv(view: &TransferStatusView) -> Vec<Vec<String>> {
    let start = [word(&view.phase).to_owned(), view.headline.to_string()];
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
];

/// Where the funds are, and then the rest.
pub(super) fn table(view: &TransferStatusView, names: &RouterNames, style: OutputStyle) -> String {
    let chain = |chain: &Option<ChainId>| chain.as_ref().map(|chain| names.chain(chain)).unwrap_or_default();
    let row = |(place, hop): (usize, &HopView)| {
        vec![
            TableCell::new((place + 1).to_string()),
            TableCell::new(sign(hop.phase)).meaning(meaning(hop.phase)),
            TableCell::new(hop.protocol.to_string()),
            TableCell::new(chain(&hop.from)),
            TableCell::new(chain(&hop.to)),
            TableCell::new(if hop.state.is_empty() { hop.phase.to_string() } else { hop.state.clone() }),
        ]
    };
    let rows: Vec<Vec<TableCell>> = view.hops.iter().enumerate().map(row).collect();
    let notes = view.notes.iter().chain(&view.problem).map(|note| format!("{}\n", crate::domain::text::clean(note)));
    let notes: String = notes.collect();
    let gap = if rows.is_empty() { "" } else { "\n" };
    format!("{}\n{notes}{gap}{}", view.headline, style.rows(COLUMNS, &rows))
}

/// A mark that says a hop's phase without colours.
pub(super) fn sign(phase: HopPhase) -> &'static str {
    match phase {
        HopPhase::Waiting => "·",
        HopPhase::Active => "►",
        HopPhase::Done => "✓",
        HopPhase::Failed => "✗",
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
