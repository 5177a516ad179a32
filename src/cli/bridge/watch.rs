//! Following a transfer to its end: one line of JSON for each change, or a bar for each hop where somebody looks.

use std::{
    collections::hash_map::RandomState,
    hash::{BuildHasher as _, Hasher as _},
    io::{self, IsTerminal},
    time::Duration,
};

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};

use super::{
    super::{
        CommandError, TransferArguments,
        arguments::{Format, TxArguments},
        output::CommandOutput,
    },
    Router, bundle, outcome,
    print::OutputStyle,
    register::{register, request},
    router_names::RouterNames,
    source_check::SourceCheck,
    transfer::{CSV, FollowedTransfer, csv, end, line, sign, table, zone_of},
};
use crate::{
    domain::{ChainId, Timestamp},
    story::transfer::{Attention, HopPhase, HopView, LastPoll, Names as _, Phase, TransferStatusView, next_poll},
    wire::{ApiError, ErrorKind},
};

/// A router that takes up a transfer again needs a moment.
const RETRACK_PAUSE: Duration = Duration::from_secs(1);

/// Has a transfer watched by the router, follows it, and prints each change.
pub(super) async fn run(
    tx: &TxArguments,
    arguments: &TransferArguments,
    router: &Router,
    output: &mut CommandOutput,
) -> Result<(), CommandError> {
    let mut follow = FollowedTransfer::new(tx, arguments.route.as_deref())?;
    let mut show = ChangeWriter::new(output);
    let names = RouterNames::default();
    // The index is asked first: a router that does not answer must not keep back what it shows.
    let mut source_check = SourceCheck::new(router.indexer.clone());
    source_check.ask_once(&mut follow).await;
    if follow.is_indexed() {
        let view = follow.status_view(&names, Timestamp::now());
        show.change(&follow, &view, &names)?;
        if view.phase == Phase::FailedAtSource {
            bundle::write(arguments, &follow, &names, router)?;
            outcome::tell(&follow, &view, router).await;
            return end(&view);
        }
    }
    match register(router, tx).await {
        Ok(_) => follow.accept(),
        Err(error) if follow.refuse(&error, Timestamp::now()) => {}
        Err(error) => return Err(router.failure(error)),
    }
    let mut watch = TransferWatch { follow, names, named: Vec::new(), last: None, is_recalled: false, source_check };
    loop {
        watch.source_check.ask_once(&mut watch.follow).await;
        watch.learn_names(router).await;
        let now = Timestamp::now();
        let view = watch.follow.status_view(&watch.names, now);
        if watch.is_informed() {
            show.change(&watch.follow, &view, &watch.names)?;
        }
        let jitter = RandomState::new().build_hasher().finish().to_le_bytes()[0];
        let next = next_poll(&view, watch.follow.begun(&view), watch.last, Attention::Shown, now, jitter);
        // What is held after a failure may be released much later: a script is not kept waiting for that.
        let Some(next) = next.filter(|_| view.phase != Phase::FailedHeld) else {
            show.finish();
            bundle::write(arguments, &watch.follow, &watch.names, router)?;
            outcome::tell(&watch.follow, &view, router).await;
            return end(&view);
        };
        tokio::time::sleep(next.since(now)).await;
        watch.poll(router, tx, &mut show).await?;
    }
}

/// A transfer that is being followed.
struct TransferWatch {
    follow: FollowedTransfer,
    names: RouterNames,
    /// The chains whose names were asked for last.
    named: Vec<ChainId>,
    last: Option<LastPoll>,
    /// Whether the router was asked to watch again what it took up and forgot.
    is_recalled: bool,
    source_check: SourceCheck,
}

impl TransferWatch {
    /// Whether anybody was asked already, so that there is something to tell.
    fn is_informed(&self) -> bool {
        let view = self.follow.status_view(&self.names, Timestamp::now());
        self.last.is_some() || self.follow.findings.evidence.source.is_some() || view.phase != Phase::NotKnown
    }

    /// Asks for names where it is learnt that other chains are touched.
    async fn learn_names(&mut self, router: &Router) {
        let chains = self.follow.chains();
        if self.named != chains {
            self.names = RouterNames::fetch(router, &chains).await;
            self.named = chains;
        }
    }

    /// Asks once. What may pass is told and asked again later; the rest ends the command.
    async fn poll(
        &mut self,
        router: &Router,
        tx: &TxArguments,
        show: &mut ChangeWriter<'_>,
    ) -> Result<(), CommandError> {
        let answered = router.client.status(&request(tx)).await;
        let at = Timestamp::now();
        let failures = self.last.map_or(0, |last| last.failures) + 1;
        let (failures, retry_after) = match answered {
            Ok(status) => {
                self.follow.take(&status, at);
                self.track_again(router, tx).await;
                (0, None)
            }
            // The router took the transaction: it is late, or has forgotten it and is asked once to watch it again.
            Err(error) if matches!(error.kind, ErrorKind::Untracked(_)) => {
                self.follow.miss(&error, at);
                if !std::mem::replace(&mut self.is_recalled, true) {
                    // A router that takes it up again can tell at once, and the next question shows what else came of it.
                    router.client.track(&request(tx)).await.ok();
                    tokio::time::sleep(RETRACK_PAUSE).await;
                    if let Ok(status) = router.client.status(&request(tx)).await {
                        self.follow.take(&status, Timestamp::now());
                    }
                }
                (0, None)
            }
            Err(error) if error.is_transient() => {
                self.follow.miss(&error, at);
                show.trouble(&error);
                (failures, if let ErrorKind::RateLimited(wait) = error.kind { wait } else { None })
            }
            Err(error) => return Err(router.failure(error)),
        };
        self.last = Some(LastPoll { at, failures, retry_after });
        Ok(())
    }
}

impl TransferWatch {
    /// Has a transfer that was given up before this command watched again, once, and looks whether that helped.
    async fn track_again(&mut self, router: &Router, tx: &TxArguments) {
        let request = request(tx);
        let is_given_up = self.follow.status_view(&self.names, Timestamp::now()).phase == Phase::Abandoned;
        if self.last.is_some() || !is_given_up || router.client.track_again(&request).await.is_err() {
            return;
        }
        tokio::time::sleep(RETRACK_PAUSE).await;
        if let Ok(status) = router.client.status(&request).await {
            self.follow.take(&status, Timestamp::now());
        }
    }
}

/// Where changes are shown.
struct ChangeWriter<'a> {
    output: &'a mut CommandOutput,
    bars: Option<HopBars>,
    /// What was shown last, but for what only the clock changes.
    shown: Option<String>,
}

impl<'a> ChangeWriter<'a> {
    fn new(output: &'a mut CommandOutput) -> Self {
        let is_watched = output.format == Format::Table && output.is_terminal && io::stderr().is_terminal();
        Self { output, bars: is_watched.then(HopBars::new), shown: None }
    }

    /// Shows how it stands, where that differs from what was shown.
    fn change(
        &mut self,
        follow: &FollowedTransfer,
        view: &TransferStatusView,
        names: &RouterNames,
    ) -> Result<(), CommandError> {
        // Where the funds are comes first; the bars only once the router has taken the transaction.
        if let Some(bars) = self.bars.as_mut().filter(|_| self.shown.is_some()) {
            bars.draw(view, names);
        }
        let comparison_key = comparison_key(follow, view);
        if self.shown.as_ref() == Some(&comparison_key) {
            return Ok(());
        }
        match (self.output.format, &self.bars) {
            (Format::Table, None) => {
                self.output.text(&table(
                    view,
                    names,
                    OutputStyle::of(self.output),
                    &zone_of(self.output),
                    Timestamp::now(),
                ))?;
                self.output.line("")?;
            }
            (Format::Table, Some(bars)) => {
                let now = Timestamp::now();
                let zone = zone_of(self.output);
                let line = format!("{}  {}", zone.clock(now), view.headline.first_line_in(&zone, now));
                bars.all.suspend(|| self.output.line(&line).and_then(|()| self.output.flush()))?;
            }
            (Format::Csv, _) => {
                if self.shown.is_none() {
                    self.output.csv(CSV.iter().copied())?;
                }
                csv(view).into_iter().try_for_each(|row| self.output.csv(row))?;
            }
            (Format::Json | Format::Jsonl, _) => {
                self.output.json(&line(follow, view, Timestamp::now()))?;
                self.output.line("")?;
            }
        }
        self.shown = Some(comparison_key);
        self.output.flush()
    }

    /// Tells of a failure that may pass, on standard error.
    fn trouble(&self, error: &ApiError) {
        let warn = || eprintln!("note: {error}; it is asked again");
        match &self.bars {
            Some(bars) => bars.all.suspend(warn),
            None => warn(),
        }
    }

    fn finish(&self) {
        if let Some(bars) = &self.bars {
            // What they said last stays on the screen.
            bars.hops.iter().for_each(ProgressBar::abandon);
        }
    }
}

/// What a change is judged by: everything but the clock's part of the words.
fn comparison_key(follow: &FollowedTransfer, view: &TransferStatusView) -> String {
    let hop = |hop: &HopView| format!("{}{}{}{:?}", hop.phase, hop.state, hop.txs.len(), hop.problem);
    let hops: Vec<String> = view.hops.iter().map(hop).collect();
    let found = (&follow.findings.evidence, &follow.findings.returned, view.as_of.is_some());
    format!("{:?}{:?}{:?}{hops:?}{found:?}", view.phase, view.release, view.problem)
}

/// A bar for each hop, below what was printed.
struct HopBars {
    all: MultiProgress,
    hops: Vec<ProgressBar>,
}

impl HopBars {
    fn new() -> Self {
        Self { all: MultiProgress::new(), hops: Vec::new() }
    }

    fn draw(&mut self, view: &TransferStatusView, names: &RouterNames) {
        while self.hops.len() < view.hops.len() {
            let bar = self.all.add(ProgressBar::new(100));
            if let Ok(style) = ProgressStyle::with_template("{prefix} {bar:20} {msg}") {
                bar.set_style(style);
            }
            self.hops.push(bar);
        }
        let now = Timestamp::now();
        for (bar, hop) in self.hops.iter().zip(&view.hops) {
            let chain = |chain: &Option<_>| chain.as_ref().map(|chain| names.chain(chain)).unwrap_or_default();
            bar.set_prefix(sign(hop.phase));
            bar.set_position(percent(hop, now));
            bar.set_message(format!("{}  {} → {}  {}", hop.protocol, chain(&hop.from), chain(&hop.to), hop.state));
        }
    }
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
