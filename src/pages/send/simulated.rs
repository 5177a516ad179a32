//! Simulation of the next transaction, before a wallet signs it.

use std::sync::Arc;

use crate::{
    app::{Context, directory::Directory},
    domain::{SimulatedOutcome, Timestamp},
    msg::{Ask, ask},
    signing::{OfferLine, ReadyTx, SendingAccess, SigningRefusal, SimulationQuestion, TxSimulation},
    story::{Glossary, SimulatedEffect, simulation_lines},
    wire::ApiError,
};

/// Simulation of the messages' next transaction.
#[derive(Debug, Default)]
pub(super) struct SimulationStage {
    /// Time of the simulated messages.
    of: Option<Timestamp>,
    asked: Option<Box<SimulatedTx>>,
    answer: Option<SimulatedAnswer>,
}

/// Transaction of a request.
#[derive(Debug)]
struct SimulatedTx {
    tx: ReadyTx,
    access: SendingAccess,
    /// Whether hops follow that are not simulated.
    has_later: bool,
}

#[derive(Debug)]
struct SimulatedAnswer {
    asked: SimulatedTx,
    simulation: Arc<TxSimulation>,
    effect: SimulatedEffect,
}

impl SimulationStage {
    pub(super) fn is_awaited(&self) -> bool {
        self.asked.is_some()
    }

    /// Describes the simulation of these messages.
    pub(super) fn lines(&self, messages: Option<Timestamp>, names: &Directory) -> Vec<OfferLine> {
        let answer = self.answer.as_ref().filter(|_| self.of == messages);
        let told = |it: &SimulatedAnswer| {
            simulation_lines(&it.effect, &it.simulation, &it.asked.tx, it.asked.has_later, names)
        };
        answer.map_or_else(Vec::new, told)
    }

    /// Settles a transaction's doubts by the simulation of these messages.
    pub(super) fn settle(&self, messages: Option<Timestamp>, tx: &mut ReadyTx) -> Result<(), SigningRefusal> {
        let answer = self.answer.as_ref().filter(|_| self.of == messages);
        answer.map_or(Ok(()), |it| it.effect.settle(tx, &it.simulation))
    }

    /// Returns what to compare with the transaction in a block.
    pub(super) fn outcome(&self) -> Option<SimulatedOutcome> {
        self.answer.as_ref().and_then(|it| SimulatedEffect::outcome(&it.asked.tx, &it.simulation))
    }

    /// Starts over for the messages of this time; `false` if they are the simulated ones.
    pub(super) fn begin(&mut self, messages: Option<Timestamp>) -> bool {
        let is_new = messages != self.of;
        if is_new {
            *self = Self { of: messages, ..Self::default() };
        }
        is_new
    }

    /// Notes what is asked; returns the request.
    pub(super) fn ask(&mut self, tx: ReadyTx, access: SendingAccess, has_later: bool) -> Ask<Arc<TxSimulation>> {
        let question = Arc::new(SimulationQuestion::new(&tx, &access));
        self.asked = Some(Box::new(SimulatedTx { tx, access, has_later }));
        ask::simulation(question)
    }

    /// Takes the simulation of the messages of this time; ignores that of earlier ones.
    pub(super) fn take(
        &mut self,
        messages: Option<Timestamp>,
        result: Result<Arc<TxSimulation>, ApiError>,
        cx: &Context,
    ) {
        if messages != self.of {
            return;
        }
        let asked = self.asked.take().map(|asked| *asked);
        self.answer = asked.zip(result.ok()).map(|(asked, simulation)| {
            let effect = SimulatedEffect::of(&asked.tx, &asked.access, &simulation, &glossary(&asked.tx, cx));
            SimulatedAnswer { asked, simulation, effect }
        });
    }
}

/// Returns the names for a transaction's events: those of the network on its own chain.
fn glossary(tx: &ReadyTx, cx: &Context) -> Arc<Glossary> {
    let is_own = cx.own_chain().as_ref() == Some(&tx.chain_id);
    if is_own { Arc::clone(&cx.glossary) } else { Arc::new(Glossary::default()) }
}
