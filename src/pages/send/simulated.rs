//! Simulation of the next transaction, before a wallet signs it.

use std::sync::Arc;

use super::SendPage;
use crate::{
    app::{Context, directory::Directory, page::PageCx},
    domain::{SimulatedOutcome, Timestamp},
    msg::ask,
    signing::{OfferLine, ReadyTx, SendingAccess, Simulation, SimulationQuestion},
    story::{Glossary, SimulatedEffect, simulation_lines},
};

/// Simulation of the messages' next transaction.
#[derive(Debug, Default)]
pub(super) struct SimulationStage {
    /// Time of the simulated messages.
    of: Option<Timestamp>,
    asked: Option<Box<(ReadyTx, SendingAccess)>>,
    answer: Option<SimulatedAnswer>,
}

#[derive(Debug)]
struct SimulatedAnswer {
    tx: ReadyTx,
    has_later: bool,
    simulation: Arc<Simulation>,
    effect: SimulatedEffect,
}

impl SimulationStage {
    pub(super) fn is_awaited(&self) -> bool {
        self.asked.is_some()
    }

    /// Describes the simulation of these messages.
    pub(super) fn lines(&self, messages: Option<Timestamp>, names: &Directory) -> Vec<OfferLine> {
        let answer = self.answer.as_ref().filter(|_| self.of == messages);
        answer.map_or_else(Vec::new, |it| simulation_lines(&it.effect, &it.simulation, &it.tx, it.has_later, names))
    }

    /// Returns what to compare with the transaction in a block.
    pub(super) fn outcome(&self) -> Option<SimulatedOutcome> {
        self.answer.as_ref().and_then(|it| SimulatedEffect::outcome(&it.tx, &it.simulation))
    }
}

impl SendPage {
    /// Requests the simulation of new messages. Messages that differ from the quote are not simulated.
    pub(super) fn ask_simulation(&mut self, cx: &mut PageCx<'_>) {
        let at = self.messages.at().filter(|_| self.messages.error().is_none());
        if at == self.simulation.of {
            return;
        }
        self.simulation = SimulationStage { of: at, ..SimulationStage::default() };
        let (names, place) = (&cx.context.directory, self.tx());
        let Some(Ok(ready)) = self.compared(names, cx.context.now) else { return };
        let has_more = place + 1 < ready.len();
        let Some(tx) = ready.into_iter().nth(place) else { return };
        let access = names.sending_access(&tx.chain_id, cx.context.own_chain().as_ref());
        let question = Arc::new(SimulationQuestion::new(&tx, &access));
        self.simulation.asked = Some(Box::new((tx, access)));
        cx.request(ask::simulation(question), move |page: &mut Self, result, cx| {
            let asked = page.simulation.asked.take();
            if let Some(((tx, access), simulation)) = asked.map(|asked| *asked).zip(result.ok()) {
                let effect = SimulatedEffect::of(&tx, &access, &simulation, &glossary(&tx, cx.context));
                let has_later = has_more || tx.arrives_on != tx.chain_id;
                page.simulation.answer = Some(SimulatedAnswer { tx, has_later, simulation, effect });
            }
            page.drive(cx);
        });
    }
}

/// Returns the names for a transaction's events: those of the network on its own chain.
fn glossary(tx: &ReadyTx, cx: &Context) -> Arc<Glossary> {
    let is_own = cx.own_chain().as_ref() == Some(&tx.chain_id);
    if is_own { Arc::clone(&cx.glossary) } else { Arc::new(Glossary::default()) }
}
