//! Block that collects external transactions. They run on a copy of the state when they arrive, so that their results
//! are final.

use super::SimulatedChain;
use crate::{
    demo::ledger::{
        External, ExternalError, MessageFailure, PacketKey, Submitted, TrialRun,
        common::{
            Flavour,
            external::{AdmittedTx, ExternalContext, wanted},
            plan::carry_out,
            record::TxRecord,
            render::{self, Render, RenderView},
            state::LedgerState,
        },
    },
    demo::posted::{PostedTx, TxRefusal},
    domain::{Address, Height, Timestamp},
};

/// Maximum external transactions per block.
const MOST: usize = 200;

/// External transactions of the next block, and the state after them.
#[derive(Debug)]
pub(super) struct NextBlock<F: Flavour> {
    state: LedgerState<F::Own>,
    txs: Vec<TxRecord<F>>,
}

impl<F: Render> SimulatedChain<F> {
    /// Commits the state of the next block and returns its first transactions.
    pub(super) fn begin(&mut self) -> Vec<TxRecord<F>> {
        let Some(next_block) = self.next_block.take() else {
            let height = self.next_height();
            self.state.enter(height, self.clock.time(height));
            self.state.number = self.next_sequence;
            return Vec::new();
        };
        self.state = next_block.state;
        next_block.txs
    }

    /// Executes an external transaction before its block is made.
    pub(super) fn take_in(&mut self, external: &External) -> Result<Submitted, ExternalError> {
        let parties = self.world.len();
        let mut next_block = self.next_block.take().unwrap_or_else(|| self.begin_next_block());
        let taken = self.admit_external(&mut next_block, external);
        if taken.is_err() {
            self.world.forget_after(parties);
        }
        self.next_block = Some(next_block).filter(|next_block| !next_block.txs.is_empty());
        taken
    }

    /// Simulates a posted transaction on a copy of the state.
    pub(super) fn try_out(&self, posted: &PostedTx) -> Result<Result<TrialRun, MessageFailure>, ExternalError> {
        let mut world = self.world.clone();
        let mut state =
            self.next_block.as_ref().map_or_else(|| self.begin_next_block().state, |next| next.state.clone());
        let (clock, height) = (self.clock, self.next_height());
        let mut context =
            ExternalContext::<F> { world: &mut world, state: &mut state, clock, height, declared_fee: None };
        let planned = context.posted(posted, true)?.planned;
        if let Some(failure) = planned.posted.as_ref().and_then(|posted| posted.failure.clone()) {
            return Ok(Err(failure));
        }
        let (gas, number) = (planned.gas, state.number);
        let tx = carry_out(&mut state, &world, planned, (wanted(gas), gas));
        let view = RenderView { world: &world, firsts: &state.firsts, clock, height, number };
        let events = tx.map(|tx| render::transaction(view, &tx).events);
        Ok(Ok(TrialRun { gas: u64::from(gas), events: events.unwrap_or_default() }))
    }

    /// Returns an account's next sequence number, after all pending transactions.
    pub(super) fn sequence_after_waiting(&self, address: &Address) -> Option<u64> {
        let state = self.next_block.as_ref().map_or(&self.state, |next| &next.state);
        self.world.find(address.bytes()).map(|id| u64::from(state.sequence(id)))
    }

    fn next_height(&self) -> u64 {
        self.first + self.blocks.len() as u64
    }

    fn begin_next_block(&self) -> NextBlock<F> {
        let (mut state, height) = (self.state.clone(), self.next_height());
        state.enter(height, self.clock.time(height));
        state.number = self.next_sequence;
        state.is_entered = true;
        NextBlock { state, txs: Vec::new() }
    }

    /// Admits an external transaction; an error changes nothing.
    fn admit_external(
        &mut self,
        next_block: &mut NextBlock<F>,
        external: &External,
    ) -> Result<Submitted, ExternalError> {
        if next_block.txs.len() >= MOST {
            return Err(ExternalError::TooManyWaiting(MOST));
        }
        let (height, number, clock) = (self.next_height(), next_block.state.number, self.clock);
        if let External::Posted(posted) = external
            && next_block.txs.iter().filter_map(|tx| tx.posted.as_ref()).any(|waiting| waiting.tx == **posted)
        {
            return Err(TxRefusal::sdk(19, "this transaction waits for the next block").into());
        }
        let state = &mut next_block.state;
        let mut context = ExternalContext::<F> { world: &mut self.world, state, clock, height, declared_fee: None };
        let AdmittedTx { planned, packet, expires, withdrawal, deposit } = context.admit(external)?;
        let failure = planned.posted.as_ref().and_then(|posted| posted.failure.clone());
        let asked = planned.posted.as_ref().and_then(|posted| u32::try_from(posted.tx.gas()).ok());
        let gas = (asked.unwrap_or_else(|| wanted(planned.gas)), planned.gas);
        let signer = self.world.party(planned.signer).address;
        let tx = carry_out(&mut next_block.state, &self.world, planned, gas).ok_or(ExternalError::Fee(signer))?;
        let view = RenderView { world: &self.world, firsts: &next_block.state.firsts, clock, height, number };
        let tx_hash = render::hash(&view, &tx);
        next_block.txs.push(tx);
        let channel = |place| self.world.catalogue.channel(place).id.to_owned();
        Ok(Submitted {
            tx_hash,
            height: Height::new(height).unwrap_or(Height::FIRST),
            time: clock.time(height),
            packet: packet.map(|(place, sequence)| PacketKey { channel: channel(place), sequence }),
            expires: expires.map(|nanos| Timestamp::from_nanos(i128::from(nanos))),
            withdrawal,
            deposit,
            failure,
        })
    }
}
