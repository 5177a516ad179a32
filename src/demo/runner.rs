//! Makes blocks by the clock or on command, and indexes them: the newest blocks first, then the history.

use std::{
    collections::VecDeque,
    sync::{Arc, mpsc},
    time::Duration,
};

use super::{
    ClockMode, RollupError,
    chain::BlockProducer,
    faults::Fault,
    ledger::{External, ExternalError, Submitted},
    shared::{RollupShared, RunnerCommand, Submission},
};
use crate::{
    domain::{Height, Timestamp},
    indexer::{
        follower::{Followed, FollowerProgress, IndexFollower},
        index::{Bounds, IndexError},
    },
};

/// Maximum blocks that the runner makes at once to catch up with the clock.
const CATCH_UP: u64 = 1_000;

/// Minimum blocks that the chain's node keeps, whatever the index has.
const NODE_BLOCKS: u64 = 5_000;

/// Maximum sleep. The time for which a computer is suspended does not count towards a sleep.
const LONGEST_WAIT: Duration = Duration::from_secs(5);

/// Runs one chain and its index.
pub(super) struct Runner {
    shared: Arc<RollupShared>,
    chain: Box<dyn BlockProducer>,
    commands: mpsc::Receiver<RunnerCommand>,
    steps: Vec<StepWaiter>,
    /// External transactions that wait until the chain catches up with the clock.
    submissions: Vec<Submission>,
    /// External transactions of the index file that belong to blocks still to be replayed.
    kept: VecDeque<(Height, External)>,
    /// Number of `kept` transactions that the router has; `None` for all.
    known: Option<u64>,
    /// Transactions that the router lacks, because the program ended between two writes. The router submits them again.
    unheard: Vec<(External, Submitted)>,
    follower: IndexFollower,
}

/// Caller that waits until a block is indexed.
struct StepWaiter {
    target: Height,
    done: mpsc::SyncSender<Height>,
}

impl Runner {
    /// Runs until stopped. `chain` must not have a block yet.
    pub(super) fn run(
        shared: Arc<RollupShared>,
        chain: Box<dyn BlockProducer>,
        commands: mpsc::Receiver<RunnerCommand>,
    ) -> Result<(), RollupError> {
        shared.index().claim(chain.chain_id())?;
        let kept = shared.index().externals()?.into();
        let follower = IndexFollower::new(!shared.settings().no_rich_list);
        let mut runner = Self {
            known: shared.router().known(),
            shared,
            chain,
            commands,
            steps: Vec::new(),
            submissions: Vec::new(),
            kept,
            unheard: Vec::new(),
            follower,
        };
        if runner.shared.settings().no_rich_list {
            runner.shared.index().forget_rich_list()?;
        }
        runner.resume()?;
        runner.make_history();
        while !runner.is_stopping() {
            runner.make_due_blocks()?;
            while let Ok(command) = runner.commands.try_recv() {
                runner.obey(command);
            }
            runner.take_submissions()?;
            let indexed = runner.index_chunk()?;
            let traced = !runner.is_stalled() && runner.follower.trace(runner.shared.index(), &*runner.chain)?;
            runner.report()?;
            if !indexed && !traced {
                runner.wait()?;
            }
        }
        Ok(())
    }

    fn is_stopping(&self) -> bool {
        self.shared.stop().is_cancelled()
    }

    fn is_stalled(&self) -> bool {
        self.shared.faults().contains(&Fault::StallIndex)
    }

    fn now(&self) -> Option<Timestamp> {
        match self.shared.settings().clock {
            ClockMode::Wall => Some(Timestamp::now()),
            ClockMode::Stepped => None,
        }
    }

    fn next(&self) -> Height {
        self.chain.tip().map_or(Height::FIRST, Height::next)
    }

    fn advance(&mut self) -> Height {
        self.replay();
        self.chain.advance()
    }

    /// Replays the external transactions that the next block had in the earlier run.
    fn replay(&mut self) {
        let next = self.next();
        while let Some((height, external)) = self.kept.front().filter(|(height, _)| *height <= next).cloned() {
            self.kept.pop_front();
            match self.chain.submit(&external) {
                Ok(submitted) if self.known == Some(0) => self.unheard.push((external, submitted)),
                Ok(_) => {}
                // In an indexed block, the hash check would reveal the loss. Later blocks may differ.
                Err(error) => tracing::warn!(%height, %error, "the rollup skips an external transaction from the file"),
            }
            self.known = self.known.map(|known| known.saturating_sub(1));
        }
    }

    /// Adds external transactions to the next block, after storing them in the index file. While the chain catches up
    /// they wait, since they would enter blocks of the past.
    fn take_submissions(&mut self) -> Result<(), RollupError> {
        let due = self.chain.due(self.next());
        if self.now().is_some_and(|now| due.after(LONGEST_WAIT) < now) {
            return Ok(());
        }
        for Submission { external, reply } in std::mem::take(&mut self.submissions) {
            let answer = self.take(&external)?;
            // The transaction is in the block even if the caller has given up.
            let _ = reply.send(answer);
        }
        Ok(())
    }

    /// Adds an external transaction, unless the earlier run already added it.
    fn take(&mut self, external: &External) -> Result<Result<Submitted, ExternalError>, RollupError> {
        self.replay();
        if let Some(place) = self.unheard.iter().position(|(taken, _)| taken == external) {
            return Ok(Ok(self.unheard.remove(place).1));
        }
        let answer = self.chain.submit(external);
        if let (Ok(submitted), Some(_)) = (&answer, &self.shared.settings().data) {
            self.shared.index().keep_external(submitted.height, external)?;
        }
        Ok(answer)
    }

    /// Replays the chain to the newest indexed block, and checks the hash of that block.
    fn resume(&mut self) -> Result<(), RollupError> {
        let Some(held) = self.shared.index().bounds()? else { return Ok(()) };
        let floor = if held.from == Height::FIRST { self.floor(&held)? } else { Height::FIRST };
        let lowest = held.from.max(held.tip.back(NODE_BLOCKS));
        let below = (lowest.get()..held.tip.get()).filter_map(Height::new);
        let hashes = below.map(|height| Ok(self.shared.index().block_hash(height)?.map(|hash| (height, hash))));
        let hashes = hashes.collect::<Result<Vec<_>, IndexError>>()?;
        self.chain.trust(&hashes.into_iter().flatten().collect::<Vec<_>>());
        while self.next() <= held.tip && !self.is_stopping() {
            let height = self.advance();
            if height.get().is_multiple_of(CATCH_UP) {
                self.chain.prune_below(height.back(NODE_BLOCKS - 1).min(floor));
            }
        }
        let made = self.chain.block(held.tip).map(|block| block.hash);
        if self.is_stopping() || made == self.shared.index().block_hash(held.tip)? {
            return Ok(());
        }
        Err(RollupError::OtherBlock(held.tip))
    }

    /// Makes the blocks of the history, before the first request.
    fn make_history(&mut self) {
        let now = self.now();
        while self.next().get() <= self.shared.settings().history
            && now.is_none_or(|now| self.chain.due(self.next()) <= now)
            && !self.is_stopping()
        {
            self.advance();
        }
    }

    /// Makes the blocks that are due. A chain far behind the clock first waits until older blocks are indexed, since
    /// unindexed blocks keep their records in memory.
    fn make_due_blocks(&mut self) -> Result<(), RollupError> {
        let Some(now) = self.now() else { return Ok(()) };
        let far = Height::new(self.next().get() + CATCH_UP).unwrap_or(Height::FIRST);
        if self.chain.due(far) <= now && !self.is_stalled() && self.follower.lacks_older(self.shared.index())? {
            return Ok(());
        }
        for _ in 0..CATCH_UP {
            if self.chain.due(self.next()) > now {
                break;
            }
            self.advance();
        }
        Ok(())
    }

    fn obey(&mut self, command: RunnerCommand) {
        match command {
            RunnerCommand::Wake => {}
            RunnerCommand::Inspect(look) => look(&*self.chain),
            RunnerCommand::Submit(submission) => self.submissions.push(*submission),
            RunnerCommand::Step { blocks, done } => {
                for _ in 0..blocks {
                    self.advance();
                }
                if let Some(target) = self.chain.tip() {
                    self.steps.push(StepWaiter { target, done });
                }
            }
        }
    }

    /// Returns the newest block that the index may have at this time.
    fn target(&self) -> Option<Height> {
        let mut target = self.chain.tip()?;
        let Some(now) = self.now() else { return Some(target) };
        let delay = self.shared.settings().index_delay;
        while self.chain.due(target).after(delay) > now {
            target = target.previous()?;
        }
        Some(target)
    }

    /// Indexes some blocks; false if nothing is left to index.
    fn index_chunk(&mut self) -> Result<bool, RollupError> {
        if self.is_stalled() {
            self.shared.set_ready();
            return Ok(false);
        }
        let target = self.target();
        let followed = self.follower.follow(self.shared.index(), &*self.chain, target)?;
        // The real server indexes from the oldest block and never serves part of the history.
        if !self.shared.settings().quirks {
            self.shared.set_ready();
        }
        if followed != Followed::Blocks
            && let Some(held) = self.shared.index().bounds()?
        {
            let floor = self.floor(&held)?;
            self.chain.prune_below(floor.min(held.tip.back(NODE_BLOCKS - 1)));
        }
        Ok(followed != Followed::Nothing)
    }

    /// Returns the lowest block that the index may still need.
    fn floor(&self, held: &Bounds) -> Result<Height, IndexError> {
        self.follower.floor(self.shared.index(), &*self.chain, held)
    }

    /// Reports the progress to all callers that wait.
    fn report(&mut self) -> Result<(), RollupError> {
        let FollowerProgress { indexed, is_traced, is_complete } =
            self.follower.progress(self.shared.index(), &*self.chain, self.target())?;
        let stalled = self.is_stalled();
        let newest = self.chain.tip().map(|tip| (tip, self.chain.time(tip)));
        // This comes before callers continue. A stalled index makes no progress, so no caller waits for it.
        self.shared.report(newest, is_complete || stalled);
        if is_complete {
            self.shared.set_ready();
        }
        self.steps.retain(|step| {
            let waits = !stalled && (indexed < Some(step.target) || !is_traced);
            if !waits {
                // The caller may have given up.
                let _ = step.done.send(step.target);
            }
            waits
        });
        Ok(())
    }

    /// Sleeps until a block is due, in the chain or the index, or a command arrives.
    fn wait(&mut self) -> Result<(), RollupError> {
        // The flag is set before the wake-up, which another wait may have consumed.
        if self.is_stopping() {
            return Ok(());
        }
        let received = match self.now() {
            None => self.commands.recv().ok(),
            Some(now) => {
                let mut until = self.chain.due(self.next());
                let indexed = self.shared.index().bounds()?.map(|held| held.tip);
                if indexed < self.chain.tip() && !self.is_stalled() {
                    let next = indexed.map_or(Height::FIRST, Height::next);
                    until = until.min(self.chain.due(next).after(self.shared.settings().index_delay));
                }
                self.commands.recv_timeout(until.since(now).min(LONGEST_WAIT)).ok()
            }
        };
        if let Some(command) = received {
            self.obey(command);
        }
        Ok(())
    }
}
