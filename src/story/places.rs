use std::cell::OnceCell;

use super::decode::{DecodedEvent, EventPhase};

/// Indices of a message, of a message within it, and of an event.
type InnerEvent = (usize, usize, usize);

/// Index of events by message, so that a lookup need not scan all events.
pub(super) struct EventPlaces<'a> {
    events: &'a [DecodedEvent],
    of_messages: Vec<InnerEvent>,
    of_inner: OnceCell<Vec<InnerEvent>>,
}

impl<'a> EventPlaces<'a> {
    /// Sorts events by message; honest records are already sorted.
    pub(super) fn new(events: &'a [DecodedEvent]) -> Self {
        let message = |(place, event): (usize, &DecodedEvent)| match event.phase {
            EventPhase::Message(message) => Some((message, 0, place)),
            EventPhase::Before | EventPhase::After => None,
        };
        let of_messages = sorted(events.iter().enumerate().filter_map(message).collect());
        Self { events, of_messages, of_inner: OnceCell::new() }
    }

    /// Returns the events of a message in order; with `authz`, only those of that nested message.
    pub(super) fn of(&self, message: usize, authz: Option<usize>) -> impl Iterator<Item = (usize, &'a DecodedEvent)> {
        let (entries, inner) = match authz {
            None => (&self.of_messages, 0),
            Some(inner) => (self.of_inner.get_or_init(|| self.inner()), inner),
        };
        let start = entries.partition_point(|entry| (entry.0, entry.1) < (message, inner));
        let rest = entries.get(start..).unwrap_or_default().iter();
        rest.take_while(move |entry| (entry.0, entry.1) == (message, inner))
            .filter_map(|&(_, _, place)| Some((place, self.events.get(place)?)))
    }

    fn inner(&self) -> Vec<InnerEvent> {
        let inner = |&(message, _, place): &InnerEvent| {
            let number = self.events.get(place)?.authz_index()?;
            Some((message, number, place))
        };
        sorted(self.of_messages.iter().filter_map(inner).collect())
    }
}

fn sorted(mut entries: Vec<InnerEvent>) -> Vec<InnerEvent> {
    if !entries.is_sorted() {
        entries.sort_unstable();
    }
    entries
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(phase: EventPhase, inner: Option<&str>) -> DecodedEvent {
        let number = |inner: &str| ("authz_msg_index".to_owned(), inner.to_owned());
        // A contract may write arbitrary attributes before the chain writes its own.
        let attributes = inner.into_iter().flat_map(|inner| [number("0"), number(inner)]).collect();
        DecodedEvent::new("a".to_owned(), attributes, phase)
    }

    #[test]
    fn events_are_found_by_message_and_by_the_message_within() {
        let (before, after) = (EventPhase::Before, EventPhase::After);
        let events = [
            event(before, None),
            event(EventPhase::Message(1), Some("10")),
            event(EventPhase::Message(0), None),
            event(EventPhase::Message(1), Some("9")),
            event(EventPhase::Message(1), Some("10")),
            event(EventPhase::Message(1), Some("x")),
            event(after, None),
        ];
        let places = EventPlaces::new(&events);
        let of = |message, authz| places.of(message, authz).map(|(place, _)| place).collect::<Vec<_>>();
        assert_eq!((of(0, None), of(1, None), of(2, None)), (vec![2], vec![1, 3, 4, 5], vec![]));
        assert_eq!((of(1, Some(10)), of(1, Some(9)), of(0, Some(0))), (vec![1, 4], vec![3], vec![]));
    }
}
