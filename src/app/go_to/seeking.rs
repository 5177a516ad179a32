//! Opens the block nearest to a time.

use super::{GoTo, GoToStep, KnownNames, is_absence, probe, time::TimeSearch};
use crate::{
    app::page::FoundTarget,
    domain::{Height, Target, Timestamp, text},
    wire::ApiError,
};

impl GoTo {
    /// Begins to search for the block nearest to a time.
    pub(super) fn seek_time(&mut self, at: Timestamp, names: &KnownNames<'_>) -> Vec<GoToStep> {
        let (context, zone) = (names.context, &names.context.zone);
        // The times of blocks are whole seconds, those of transactions are not.
        let at = at.cut_to_seconds();
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
