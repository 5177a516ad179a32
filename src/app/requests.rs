//! Who waits for which answer: here alone is asked, cancelled and accepted.

use std::time::Duration;

use crate::{
    domain::Timestamp,
    msg::{Instruction, PageId, Request, Slot, Ticket},
};

/// A request that was sent and not answered yet.
#[derive(Debug)]
struct UnderWay {
    ticket: Ticket,
    /// Which try failed, and when the next one comes.
    retrying: Option<(u32, Timestamp)>,
}

/// Everything under way. A few dozen at the most, so that looking through them is as fast as a map.
#[derive(Debug, Default)]
pub(super) struct Requests {
    generation: u64,
    under_way: Vec<UnderWay>,
    /// For the worker, in order.
    instructions: Vec<Instruction>,
}

impl Requests {
    /// Asks for something in a slot; whatever that was waiting for is forgotten.
    pub(super) fn fetch(&mut self, slot: Slot, request: Request) {
        let ticket = self.ask(slot);
        self.instructions.push(Instruction::Fetch(ticket, request));
    }

    pub(super) fn fetch_all(&mut self, asked: Vec<(Slot, Request)>) {
        for (slot, request) in asked {
            self.fetch(slot, request);
        }
    }

    pub(super) fn cancel_where(&mut self, is_unwanted: impl Fn(&Slot) -> bool) {
        let cancelled = self.cancel(is_unwanted).into_iter().map(Instruction::Cancel);
        self.instructions.extend(cancelled);
    }

    /// Stops waiting for everything that a page asked for.
    pub(super) fn cancel_page(&mut self, id: PageId) {
        self.cancel_where(|slot| page_of(slot) == Some(id));
    }

    /// Tells the worker something that has no answer.
    pub(super) fn instruct(&mut self, instruction: Instruction) {
        self.instructions.push(instruction);
    }

    /// What the worker is to be told since the last call.
    pub(super) fn take_instructions(&mut self) -> Vec<Instruction> {
        std::mem::take(&mut self.instructions)
    }

    /// The ticket of a new request; whatever its slot was waiting for is forgotten.
    fn ask(&mut self, slot: Slot) -> Ticket {
        self.generation += 1;
        self.under_way.retain(|request| request.ticket.slot != slot);
        let ticket = Ticket { slot, generation: self.generation };
        self.under_way.push(UnderWay { ticket: ticket.clone(), retrying: None });
        ticket
    }

    /// The slots that wait for an answer.
    pub(super) fn slots(&self) -> impl Iterator<Item = &Slot> {
        self.under_way.iter().map(|request| &request.ticket.slot)
    }

    pub(super) fn is_waiting(&self, slot: &Slot) -> bool {
        self.slots().any(|waiting| waiting == slot)
    }

    /// Stops waiting for these slots and gives them. What was broadcast is waited for whatever a person does: its answer
    /// is the only record of a transaction that may be on chain.
    fn cancel(&mut self, is_unwanted: impl Fn(&Slot) -> bool) -> Vec<Slot> {
        let mut cancelled = Vec::new();
        self.under_way.retain(|request| {
            let slot = &request.ticket.slot;
            let goes = !matches!(slot, Slot::Broadcast(_)) && is_unwanted(slot);
            if goes {
                cancelled.push(slot.clone());
            }
            !goes
        });
        cancelled
    }

    /// Whether somebody waits for this reply; from now on nobody does.
    pub(super) fn accept(&mut self, ticket: &Ticket) -> bool {
        let place = self.under_way.iter().position(|request| request.ticket == *ticket);
        place.map(|place| self.under_way.swap_remove(place)).is_some()
    }

    /// A try failed and the next one comes at a time; false where nobody waits for it.
    pub(super) fn note_retry(&mut self, ticket: &Ticket, attempt: u32, at: Timestamp) -> bool {
        let request = self.under_way.iter_mut().find(|request| request.ticket == *ticket);
        request.map(|request| request.retrying = Some((attempt, at))).is_some()
    }

    /// The try that what pages wait for comes to next, and how long it waits for it.
    pub(super) fn next_try(&self, now: Timestamp) -> Option<(u32, Duration)> {
        let of_pages = self.under_way.iter().filter(|request| page_of(&request.ticket.slot).is_some());
        let retrying = of_pages.filter_map(|request| request.retrying);
        retrying.map(|(failed, at)| (failed + 1, at.since(now))).min_by_key(|(_, wait)| *wait)
    }
}

/// The page that shows what a slot brings, where one does.
fn page_of(slot: &Slot) -> Option<PageId> {
    match slot {
        Slot::List(page, _) | Slot::Page(page, _) => Some(*page),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::msg::PageNeed;

    #[test]
    fn what_was_broadcast_is_waited_for_wherever_one_goes() {
        let mut requests = Requests::default();
        let broadcast = requests.ask(Slot::Broadcast(PageId(9)));
        let file = requests.ask(Slot::Page(PageId(9), PageNeed::File));
        assert_eq!(requests.cancel(|_| true), std::slice::from_ref(&file.slot));
        assert!(!requests.accept(&file), "nobody waits for what was cancelled");
        assert!(requests.accept(&broadcast));
        assert!(!requests.accept(&broadcast), "an answer is taken once");
    }

    #[test]
    fn a_new_request_in_a_slot_makes_the_one_before_late() {
        let mut requests = Requests::default();
        let (first, second) = (requests.ask(Slot::Status), requests.ask(Slot::Status));
        assert!(!requests.accept(&first) && requests.is_waiting(&Slot::Status));
        assert!(!requests.note_retry(&first, 1, Timestamp::EPOCH));
        assert!(requests.accept(&second) && !requests.is_waiting(&Slot::Status));
    }
}
