//! Check that goes on: compares the newest blocks as they come, until a signal.

use std::time::{Duration, Instant};

use backon::{BackoffBuilder as _, ExponentialBackoff, ExponentialBuilder};
use tokio::time::sleep;

use super::{
    super::{CommandError, arguments::CheckArguments, serve::Ending},
    first_difference,
    progress::CheckProgress,
    writer::CheckWriter,
};
use crate::{
    check::{
        BlockSelection, CheckError, CheckMetrics, CheckSession, CheckedPart, CheckedRecord, Findings, SkippedPart,
    },
    domain::{
        Height,
        text::{self, group},
    },
};

/// Maximum blocks that are compared together; their differences are printed together.
const ROUND: usize = 10;

/// Interval between requests for new blocks.
const LOOK: Duration = Duration::from_secs(1);

/// First and longest wait for a side that does not answer.
const WAIT: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(30));

/// Interval between comparisons of rich lists and totals, which are not of single blocks.
const WHOLE: Duration = Duration::from_secs(10 * 60);

/// Findings of a watch, and the number of compared blocks.
pub(super) struct WatchReport {
    pub(super) findings: Findings,
    pub(super) blocks: usize,
}

pub(super) struct CheckWatch<'a, 'o> {
    session: CheckSession,
    arguments: &'a CheckArguments,
    metrics: &'a CheckMetrics,
    writer: &'a mut CheckWriter<'o>,
    progress: CheckProgress,
    report: WatchReport,
    last: Option<Height>,
    /// Time of the last comparison of rich lists and totals.
    whole_at: Option<Instant>,
    /// Whether the next blocks are compared again, because a request failed.
    is_repeat: bool,
    /// Failure of the side that does not answer.
    trouble: Option<String>,
}

/// End of a round.
enum RoundEnd {
    Compared,
    /// There is no new block.
    Idle,
    /// A side does not answer.
    Away(CheckError),
}

impl<'a, 'o> CheckWatch<'a, 'o> {
    pub(super) fn new(
        session: CheckSession,
        arguments: &'a CheckArguments,
        metrics: &'a CheckMetrics,
        writer: &'a mut CheckWriter<'o>,
    ) -> Self {
        let report = WatchReport { findings: session.missing(), blocks: 0 };
        let progress = CheckProgress::endless();
        let (last, whole_at, is_repeat, trouble) = (None, None, false, None);
        Self { session, arguments, metrics, writer, progress, report, last, whole_at, is_repeat, trouble }
    }

    /// Compares new blocks until a signal, or the first difference if the arguments say so.
    pub(super) async fn run(mut self) -> Result<WatchReport, CommandError> {
        let mut ending = Ending::listen()?;
        self.writer.take(&mut self.report.findings)?;
        let ended = tokio::select! {
            ended = self.follow() => ended,
            () = ending.wait() => Ok(()),
        };
        self.progress.finish();
        ended.map(|()| self.report)
    }

    async fn follow(&mut self) -> Result<(), CommandError> {
        let mut waits = patience();
        loop {
            match self.round().await? {
                RoundEnd::Compared => waits = patience(),
                RoundEnd::Idle => {
                    waits = patience();
                    sleep(LOOK).await;
                }
                RoundEnd::Away(error) => {
                    self.say_away(&error);
                    sleep(waits.next().unwrap_or(WAIT.1)).await;
                }
            }
        }
    }

    /// Compares the next blocks.
    async fn round(&mut self) -> Result<RoundEnd, CommandError> {
        if let Some(error) = self.refresh().await? {
            return Ok(RoundEnd::Away(error));
        }
        self.say_back();
        self.metrics.set_heights(self.last, self.session.node_tip());
        let selection = self.last.map_or(BlockSelection::Newest(self.arguments.newest), BlockSelection::Above);
        let mut heights = self.session.heights(selection).unwrap_or_default();
        heights.truncate(ROUND);
        let Some((first, last)) = heights.first().copied().zip(heights.last().copied()) else {
            return Ok(RoundEnd::Idle);
        };
        let begun = Instant::now();
        let is_whole = self.whole_at.is_none_or(|at| begun.saturating_duration_since(at) >= WHOLE);
        let mut skipped = self.arguments.skip.clone();
        if !is_whole {
            skipped.extend([SkippedPart::Holders, SkippedPart::Totals]);
        }
        let run = self.session.run(&heights, &skipped, |_, _| Ok::<_, CommandError>(()));
        let mut found = run.await?;
        if !found.not_asked.is_empty() {
            // What a side did not answer is no finding: these blocks are compared again.
            if let Some(error) = self.refresh().await? {
                return Ok(RoundEnd::Away(error));
            }
            self.is_repeat = !self.is_repeat;
            if self.is_repeat {
                return Ok(RoundEnd::Compared);
            }
        }
        self.is_repeat = false;
        if is_whole {
            self.whole_at = Some(begun);
        }
        if let Some(gap) = self.last.map(Height::next).filter(|next| *next < first) {
            let cause = format!("blocks {gap} to {} are gone, before they were compared", first.back(1));
            found.not_asked(CheckedPart::Blocks, CheckedRecord::AllBlocks, cause);
        }
        self.last = Some(last);
        self.take(found, heights.len())?;
        Ok(RoundEnd::Compared)
    }

    /// Reads the heights of both sides; returns the failure of a side that does not answer.
    async fn refresh(&mut self) -> Result<Option<CheckError>, CommandError> {
        match self.session.refresh().await {
            Ok(()) => Ok(None),
            Err(error @ (CheckError::Indexer(_) | CheckError::Node(_))) => Ok(Some(error)),
            Err(error @ (CheckError::OtherChain { .. } | CheckError::NoRest)) => Err(CommandError::failed(error)),
        }
    }

    /// Prints the findings of these blocks, and adds them to the report and the metrics.
    fn take(&mut self, mut found: Findings, blocks: usize) -> Result<(), CommandError> {
        self.report.blocks += blocks;
        self.metrics.add(blocks, &found);
        self.metrics.set_heights(self.last, self.session.node_tip());
        let stop = first_difference(self.arguments, &found);
        self.progress.hide(|| self.writer.take(&mut found))?;
        self.report.findings.take(found);
        let different: u64 = self.report.findings.counts.values().map(|counts| counts.different).sum();
        let (blocks, newest) = (group(self.report.blocks as u64), self.last.map_or(0, Height::get));
        self.progress.say(format!("{blocks} blocks up to {newest}, differences: {}", group(different)));
        stop.map_or(Ok(()), Err)
    }

    fn say_away(&mut self, error: &CheckError) {
        self.metrics.set_waiting(true);
        let sentence = text::clean(&error.to_string()).into_owned();
        if self.trouble.as_ref() != Some(&sentence) {
            self.progress.hide(|| eprintln!("{sentence}; retrying"));
            self.trouble = Some(sentence);
        }
    }

    fn say_back(&mut self) {
        self.metrics.set_waiting(false);
        if self.trouble.take().is_some() {
            self.progress.hide(|| eprintln!("node and indexer answer again"));
        }
    }
}

fn patience() -> ExponentialBackoff {
    ExponentialBuilder::new().with_min_delay(WAIT.0).with_max_delay(WAIT.1).without_max_times().build()
}
