//! Makes blocks by the clock or on command, and brings them into the index: the newest first, then the older ones.

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
        follower::{Followed, Follower, FollowerProgress},
        index::{Bounds, IndexError},
    },
};

/// Blocks made at once while the chain is behind the clock.
const CATCH_UP: u64 = 1_000;

/// Blocks that the chain's node keeps at least, whatever the index has read of them.
const NODE_BLOCKS: u64 = 5_000;

/// The longest sleep: a computer's own sleep does not count as time passed.
const LONGEST_WAIT: Duration = Duration::from_secs(5);

/// Drives one chain and its index.
pub(super) struct Runner {
    shared: Arc<RollupShared>,
    chain: Box<dyn BlockProducer>,
    commands: mpsc::Receiver<RunnerCommand>,
    steps: Vec<StepWaiter>,
    /// Transactions from outside that wait until the chain is up to the clock.
    submissions: Vec<Submission>,
    /// Transactions from outside that the file has, with their blocks, for those blocks that are made again.
    kept: VecDeque<(Height, External)>,
    /// How many of these the router knows of; `None` where it knows of all.
    known: Option<u64>,
    /// Those that it does not know of: the program was killed between their entry in the file and in the journal. The
    /// router asks for the same again.
    unheard: Vec<(External, Submitted)>,
    follower: Follower,
}

/// Somebody who waits until a block is indexed.
struct StepWaiter {
    target: Height,
    done: mpsc::SyncSender<Height>,
}

impl Runner {
    /// Runs until it is told to stop. `chain` stands before its first block.
    pub(super) fn run(
        shared: Arc<RollupShared>,
        chain: Box<dyn BlockProducer>,
        commands: mpsc::Receiver<RunnerCommand>,
    ) -> Result<(), RollupError> {
        shared.index().claim(chain.chain_id())?;
        let kept = shared.index().externals()?.into();
        let follower = Follower::new(!shared.settings().no_rich_list);
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

    /// The block after the chain's newest.
    fn next(&self) -> Height {
        self.chain.tip().map_or(Height::FIRST, Height::next)
    }

    /// Makes the next block.
    fn advance(&mut self) -> Height {
        self.replay();
        self.chain.advance()
    }

    /// Gives the next block again what it took before the program was started anew.
    fn replay(&mut self) {
        let next = self.next();
        while let Some((height, external)) = self.kept.front().filter(|(height, _)| *height <= next).cloned() {
            self.kept.pop_front();
            match self.chain.submit(&external) {
                Ok(submitted) if self.known == Some(0) => self.unheard.push((external, submitted)),
                Ok(_) => {}
                // Blocks that are indexed show the difference; others may have been made anew in another way.
                Err(error) => tracing::warn!(%height, %error, "a transaction from outside is not taken again"),
            }
            self.known = self.known.map(|known| known.saturating_sub(1));
        }
    }

    /// Takes transactions from outside into the next block; a file has them before anybody hears of it. While the chain
    /// makes up for a sleep they wait: they would be in a block of the past.
    fn take_submissions(&mut self) -> Result<(), RollupError> {
        let due = self.chain.due(self.next());
        if self.now().is_some_and(|now| due.after(LONGEST_WAIT) < now) {
            return Ok(());
        }
        for Submission { external, reply } in std::mem::take(&mut self.submissions) {
            let answer = self.take(&external)?;
            // Whoever asked may have given up: the transaction is in the block all the same.
            let _ = reply.send(answer);
        }
        Ok(())
    }

    /// Takes a transaction from outside, or finds the one that was taken before the program was killed.
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

    /// Simulates the chain up to the newest block that is indexed already, and checks that it is the same block.
    fn resume(&mut self) -> Result<(), RollupError> {
        let Some(held) = self.shared.index().bounds()? else { return Ok(()) };
        let floor = if held.from == Height::FIRST { self.floor(&held)? } else { Height::FIRST };
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

    /// Makes the blocks that there are before anybody looks.
    fn make_history(&mut self) {
        let now = self.now();
        while self.next().get() <= self.shared.settings().history
            && now.is_none_or(|now| self.chain.due(self.next()) <= now)
            && !self.is_stopping()
        {
            self.advance();
        }
    }

    /// Makes blocks whose time has come. Far behind the clock, older blocks are indexed first: their records are kept
    /// until then.
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

    /// The newest block that the index may have by now.
    fn target(&self) -> Option<Height> {
        let mut target = self.chain.tip()?;
        let Some(now) = self.now() else { return Some(target) };
        let delay = self.shared.settings().index_delay;
        while self.chain.due(target).after(delay) > now {
            target = target.previous()?;
        }
        Some(target)
    }

    /// Indexes some blocks; false when there was nothing to do.
    fn index_chunk(&mut self) -> Result<bool, RollupError> {
        if self.is_stalled() {
            self.shared.set_ready();
            return Ok(false);
        }
        let target = self.target();
        let followed = self.follower.follow(self.shared.index(), &*self.chain, target)?;
        // The real server indexes upwards: it is never asked while history is missing.
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

    /// The lowest block that the index may still ask for.
    fn floor(&self, held: &Bounds) -> Result<Height, IndexError> {
        self.follower.floor(self.shared.index(), &*self.chain, held)
    }

    /// Says how far everything is, to all who wait for it.
    fn report(&mut self) -> Result<(), RollupError> {
        let FollowerProgress { indexed, is_traced, is_complete } =
            self.follower.progress(self.shared.index(), &*self.chain, self.target())?;
        let stalled = self.is_stalled();
        let newest = self.chain.tip().map(|tip| (tip, self.chain.time(tip)));
        // Before anybody goes on who waits for it. An index that stands still on purpose will not get any further.
        self.shared.report(newest, is_complete || stalled);
        if is_complete {
            self.shared.set_ready();
        }
        self.steps.retain(|step| {
            let waits = !stalled && (indexed < Some(step.target) || !is_traced);
            if !waits {
                // Whoever asked may have given up: then nobody needs to know.
                let _ = step.done.send(step.target);
            }
            waits
        });
        Ok(())
    }

    /// Sleeps until the next block is due, here or in the index, or a command comes.
    fn wait(&mut self) -> Result<(), RollupError> {
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
