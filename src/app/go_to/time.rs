//! Search for the block nearest to a time, by a few blocks between two known ones.

use super::{GoTo, GoToStep, KnownNames, is_absence, probe};
use crate::{
    app::page::FoundTarget,
    domain::{Height, Target, Timestamp, text},
    wire::ApiError,
};

/// Blocks to request in proportion to the time; further ones halve the range, which always ends.
const IN_PROPORTION: u32 = 8;

#[derive(Debug)]
pub(crate) struct TimeSearch {
    at: Timestamp,
    /// Block at or before the time. The first indexed block has no time yet.
    low: (Height, Option<Timestamp>),
    /// Block after the time.
    high: (Height, Timestamp),
    requested: u32,
}

impl TimeSearch {
    /// Returns the height to request; `None` if the neighbours of the time are known.
    fn next(&self) -> Option<Height> {
        let (low, high) = (self.low.0.get(), self.high.0.get());
        let Some(since) = self.low.1 else { return Some(self.low.0) };
        if high.saturating_sub(low) <= 1 {
            return None;
        }
        let blocks = u128::from(high - low);
        let ahead = if self.requested < IN_PROPORTION {
            blocks * self.at.since(since).as_millis() / self.high.1.since(since).as_millis().max(1)
        } else {
            blocks / 2
        };
        Height::new(low + u64::try_from(ahead).unwrap_or(1).clamp(1, high - low - 1))
    }

    /// Returns the block that is nearest to the time.
    fn nearest(&self) -> (Height, Timestamp) {
        match self.low {
            (low, Some(since)) if self.at.since(since) <= self.high.1.since(self.at) => (low, since),
            _ => self.high,
        }
    }
}

impl GoTo {
    /// Begins to search for the block nearest to a time.
    pub(super) fn seek_time(&mut self, at: Timestamp, names: &KnownNames<'_>) -> Vec<GoToStep> {
        let (context, zone) = (names.context, &names.context.zone);
        let Some(newest) = context.chain.newest_block.as_ref() else {
            self.problem = Some("the index has no block yet; retry in a moment".to_owned());
            return Vec::new();
        };
        if at > context.now {
            self.problem = Some(format!("{} is in the future: type a height", zone.beside_utc(at)));
            return Vec::new();
        }
        let high = (newest.height, newest.timestamp);
        let low = (context.chain.extent.oldest().unwrap_or(Height::FIRST), None);
        self.problem = None;
        self.time = Some(TimeSearch { at, low, high, requested: 0 });
        if at >= newest.timestamp { self.end_time(names) } else { self.go_on(names) }
    }

    fn go_on(&mut self, names: &KnownNames<'_>) -> Vec<GoToStep> {
        let Some(search) = self.time.as_mut() else { return Vec::new() };
        let Some(ask) = search.next().and_then(|height| probe(&Target::Block(height))) else {
            return self.end_time(names);
        };
        search.requested += 1;
        vec![GoToStep::LookUpTime(ask)]
    }

    /// Takes a block between the two, or the first indexed one.
    pub(super) fn take_time(
        &mut self,
        result: Result<Option<FoundTarget>, ApiError>,
        names: &KnownNames<'_>,
    ) -> Vec<GoToStep> {
        let Some(search) = self.time.as_mut() else { return Vec::new() };
        let problem = match result {
            Ok(Some(FoundTarget::Block(block))) if block.timestamp <= search.at => {
                search.low = (block.height, Some(block.timestamp));
                return self.go_on(names);
            }
            Ok(Some(FoundTarget::Block(block))) if search.low.1.is_some() => {
                search.high = (block.height, block.timestamp);
                return self.go_on(names);
            }
            Ok(Some(FoundTarget::Block(first))) => {
                let (height, begun) = (text::group(first.height.get()), names.context.zone.beside_utc(first.timestamp));
                format!("the index begins later: with block {height} of {begun}")
            }
            Err(error) if !is_absence(&error) => format!("search failed: {}; {}", error.brief(), error.advice()),
            _ => "the index lacks blocks about that time: type a height".to_owned(),
        };
        (self.time, self.problem) = (None, Some(problem));
        Vec::new()
    }

    fn end_time(&mut self, names: &KnownNames<'_>) -> Vec<GoToStep> {
        let Some(search) = self.time.take() else { return Vec::new() };
        let ((height, found), zone) = (search.nearest(), &names.context.zone);
        self.elsewhere = Some(format!("block of {}, nearest to {}", zone.clock(found), zone.beside_utc(search.at)));
        self.open(&Target::Block(height))
    }
}
