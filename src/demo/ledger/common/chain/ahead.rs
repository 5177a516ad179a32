//! The next block as far as it has begun: transactions from outside are carried out when they come, on a copy of the
//! state, so that everything said about them is certain.

use super::Chain;
use crate::{
    demo::ledger::{
        External, ExternalError, PacketKey, Submitted,
        common::{
            Flavour,
            entrance::{Entrance, Entry, wanted},
            plan::carry_out,
            record::TxRecord,
            render::{self, Render, View},
            state::State,
        },
    },
    domain::{Height, Timestamp},
};

/// How many transactions from outside a block takes.
const MOST: usize = 200;

/// The next block as far as it has begun.
#[derive(Debug)]
pub(super) struct Ahead<F: Flavour> {
    state: State<F::Own>,
    txs: Vec<TxRecord<F>>,
}

impl<F: Render> Chain<F> {
    /// Makes the state that of the block that comes now; gives the transactions that it begins with.
    pub(super) fn begin(&mut self) -> Vec<TxRecord<F>> {
        let Some(ahead) = self.ahead.take() else {
            self.state.number = self.next_sequence;
            return Vec::new();
        };
        self.state = ahead.state;
        ahead.txs
    }

    /// Carries a transaction from outside out, ahead of its block.
    pub(super) fn take_in(&mut self, external: &External) -> Result<Submitted, ExternalError> {
        let parties = self.world.len();
        let mut ahead = self.ahead.take().unwrap_or_else(|| self.look_ahead());
        let taken = self.carry(&mut ahead, external);
        if taken.is_err() {
            self.world.forget_after(parties);
        }
        self.ahead = Some(ahead).filter(|ahead| !ahead.txs.is_empty());
        taken
    }

    fn next_height(&self) -> u64 {
        self.first + self.blocks.len() as u64
    }

    fn look_ahead(&self) -> Ahead<F> {
        let mut state = self.state.clone();
        state.height = self.next_height();
        state.number = self.next_sequence;
        state.is_entered = true;
        Ahead { state, txs: Vec::new() }
    }

    /// Nothing of the state is changed on an error.
    fn carry(&mut self, ahead: &mut Ahead<F>, external: &External) -> Result<Submitted, ExternalError> {
        if ahead.txs.len() >= MOST {
            return Err(ExternalError::TooManyWaiting(MOST));
        }
        let (height, number, clock) = (self.next_height(), ahead.state.number, self.clock);
        let mut entrance = Entrance::<F> { world: &mut self.world, state: &mut ahead.state, clock, height };
        let Entry { draft, packet, expires, withdrawal, deposit } = entrance.enter(external)?;
        let gas = (wanted(draft.gas), draft.gas);
        let signer = self.world.party(draft.signer).address;
        let tx = carry_out(&mut ahead.state, &self.world, draft, gas).ok_or(ExternalError::Fee(signer))?;
        let view = View { world: &self.world, firsts: &ahead.state.firsts, clock, height, number };
        let tx_hash = render::hash(&view, &tx);
        ahead.txs.push(tx);
        let channel = |place| self.world.catalogue.channel(place).id.to_owned();
        Ok(Submitted {
            tx_hash,
            height: Height::new(height).unwrap_or(Height::FIRST),
            time: clock.time(height),
            packet: packet.map(|(place, sequence)| PacketKey { channel: channel(place), sequence }),
            expires: expires.map(|nanos| Timestamp::from_nanos(i128::from(nanos))),
            withdrawal,
            deposit,
        })
    }
}
