//! Pending requests. Only this module sends and cancels requests, and accepts replies.

use std::{fmt, time::Duration};

use crate::{
    domain::Timestamp,
    msg::{Answer, Ask, Instruction, PageId, Request, Slot, Ticket},
    wire::ApiError,
};

/// Function with which the session `S` takes the reply to one request.
pub(super) type TakeReply<S> = dyn FnOnce(&mut S, Result<Answer, ApiError>);

/// Request, its slot, and the function that takes the reply.
pub(crate) struct SlotRequest<F: ?Sized> {
    pub(super) slot: Slot,
    pub(super) request: Request,
    pub(super) take: Box<F>,
}

impl<F: ?Sized> fmt::Debug for SlotRequest<F> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("SlotRequest").field(&self.slot).field(&self.request).finish()
    }
}

impl<S> SlotRequest<TakeReply<S>> {
    pub(super) fn new<T: 'static>(
        slot: Slot,
        ask: Ask<T>,
        take: impl FnOnce(&mut S, Result<T, ApiError>) + 'static,
    ) -> Self {
        let request = ask.request().clone();
        Self { slot, request, take: Box::new(move |session, reply| take(session, ask.read(reply))) }
    }
}

struct UnderWay<S> {
    ticket: Ticket,
    take: Box<TakeReply<S>>,
    /// Number of the attempt that failed, and the time of the next.
    retrying: Option<(u32, Timestamp)>,
}

/// Pending requests of the session `S`. There are a few dozen at most, so a linear search is as fast as a map.
pub(super) struct Requests<S> {
    generation: u64,
    under_way: Vec<UnderWay<S>>,
    /// Instructions for the worker, in order.
    instructions: Vec<Instruction>,
}

impl<S> Default for Requests<S> {
    fn default() -> Self {
        Self { generation: 0, under_way: Vec::new(), instructions: Vec::new() }
    }
}

impl<S> fmt::Debug for Requests<S> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_list().entries(self.slots()).finish()
    }
}

impl<S> Requests<S> {
    /// Sends a request, and cancels the earlier request in its slot.
    pub(super) fn fetch<T: 'static>(
        &mut self,
        slot: Slot,
        ask: Ask<T>,
        take: impl FnOnce(&mut S, Result<T, ApiError>) + 'static,
    ) {
        self.fetch_all([SlotRequest::new(slot, ask, take)]);
    }

    pub(super) fn fetch_all(&mut self, questions: impl IntoIterator<Item = SlotRequest<TakeReply<S>>>) {
        for SlotRequest { slot, request, take } in questions {
            self.fetch_any(slot, request, take);
        }
    }

    /// Sends a request. `take` must check the type of the answer.
    pub(super) fn fetch_any(&mut self, slot: Slot, request: Request, take: Box<TakeReply<S>>) {
        let ticket = self.ask(slot, take);
        self.instructions.push(Instruction::Fetch(ticket, request));
    }

    pub(super) fn cancel_where(&mut self, is_unwanted: impl Fn(&Slot) -> bool) {
        let cancelled = self.cancel(is_unwanted).into_iter().map(Instruction::Cancel);
        self.instructions.extend(cancelled);
    }

    pub(super) fn cancel_page(&mut self, id: PageId) {
        self.cancel_where(|slot| page_of(slot) == Some(id));
    }

    /// Queues an instruction that has no reply.
    pub(super) fn instruct(&mut self, instruction: Instruction) {
        self.instructions.push(instruction);
    }

    /// Returns the instructions that were queued since the last call.
    pub(super) fn take_instructions(&mut self) -> Vec<Instruction> {
        std::mem::take(&mut self.instructions)
    }

    /// Issues the ticket of a new request, and drops the earlier request in its slot.
    fn ask(&mut self, slot: Slot, take: Box<TakeReply<S>>) -> Ticket {
        self.generation += 1;
        self.under_way.retain(|request| request.ticket.slot != slot);
        let ticket = Ticket { slot, generation: self.generation };
        self.under_way.push(UnderWay { ticket: ticket.clone(), take, retrying: None });
        ticket
    }

    pub(super) fn slots(&self) -> impl Iterator<Item = &Slot> {
        self.under_way.iter().map(|request| &request.ticket.slot)
    }

    pub(super) fn is_waiting(&self, slot: &Slot) -> bool {
        self.slots().any(|waiting| waiting == slot)
    }

    /// Cancels requests by slot and returns the slots. Never cancels a broadcast: without its reply, a transaction
    /// could be on chain unnoticed.
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

    /// Whether the request of this ticket is pending.
    pub(super) fn is_current(&self, ticket: &Ticket) -> bool {
        self.under_way.iter().any(|request| request.ticket == *ticket)
    }

    /// Returns, once, the function that takes a reply; `None` if the request was cancelled or replaced.
    pub(super) fn accept(&mut self, ticket: &Ticket) -> Option<Box<TakeReply<S>>> {
        let place = self.under_way.iter().position(|request| request.ticket == *ticket)?;
        Some(self.under_way.swap_remove(place).take)
    }

    /// Records that an attempt failed and when the next one follows; false if the request is obsolete.
    pub(super) fn note_retry(&mut self, ticket: &Ticket, attempt: u32, at: Timestamp) -> bool {
        let request = self.under_way.iter_mut().find(|request| request.ticket == *ticket);
        request.map(|request| request.retrying = Some((attempt, at))).is_some()
    }

    /// Returns the number of a page's next retry, and the time until it.
    pub(super) fn next_try(&self, now: Timestamp) -> Option<(u32, Duration)> {
        let of_pages = self.under_way.iter().filter(|request| page_of(&request.ticket.slot).is_some());
        let retrying = of_pages.filter_map(|request| request.retrying);
        retrying.map(|(failed, at)| (failed + 1, at.since(now))).min_by_key(|(_, wait)| *wait)
    }
}

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

    fn ask(requests: &mut Requests<()>, slot: Slot) -> Ticket {
        requests.ask(slot, Box::new(|(), _| {}))
    }

    #[test]
    fn what_was_broadcast_is_waited_for_wherever_one_goes() {
        let mut requests = Requests::<()>::default();
        let broadcast = ask(&mut requests, Slot::Broadcast(PageId(9)));
        let file = ask(&mut requests, Slot::Page(PageId(9), PageNeed::Record));
        assert_eq!(requests.cancel(|_| true), std::slice::from_ref(&file.slot));
        assert!(requests.accept(&file).is_none(), "nobody waits for what was cancelled");
        assert!(requests.accept(&broadcast).is_some());
        assert!(requests.accept(&broadcast).is_none(), "an answer is taken once");
    }

    #[test]
    fn a_new_request_in_a_slot_makes_the_one_before_late() {
        let mut requests = Requests::<()>::default();
        let (first, second) = (ask(&mut requests, Slot::Status), ask(&mut requests, Slot::Status));
        assert!(requests.accept(&first).is_none() && requests.is_waiting(&Slot::Status));
        assert!(!requests.note_retry(&first, 1, Timestamp::EPOCH));
        assert!(requests.accept(&second).is_some() && !requests.is_waiting(&Slot::Status));
    }
}
