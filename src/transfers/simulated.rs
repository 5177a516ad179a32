//! An executed transaction against what a node simulated before the signature.

use crate::{
    domain::{Balance, Denom, SignerMove, SimulatedOutcome},
    story::{Glossary, signer_moves},
    wire::Tx,
};

/// How a transaction in a block differs from its simulation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutcomeDifference {
    /// Host and port of the node that simulated it.
    pub host: String,
    /// Denoms of which the signer's balance moved differently; empty if the transaction failed.
    pub moves: Vec<MoveDifference>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveDifference {
    pub denom: Denom,
    pub simulated: Balance,
    pub executed: Balance,
}

impl OutcomeDifference {
    /// Compares a transaction with its simulation, which succeeded; `None` if they agree, or if the movements of the
    /// events do not add up.
    pub(super) fn of(tx: &Tx, simulated: &SimulatedOutcome) -> Option<Self> {
        let host = simulated.host.clone();
        if !tx.is_success() {
            return Some(Self { host, moves: Vec::new() });
        }
        let executed = signer_moves(tx, &simulated.signer, &Glossary::default())?;
        let of = |moves: &[SignerMove], denom: &Denom| {
            moves.iter().find(|moved| moved.denom.is_same(denom)).map_or(Balance::default(), |moved| moved.delta)
        };
        let mut denoms: Vec<&Denom> = simulated.moves.iter().chain(&executed).map(|moved| &moved.denom).collect();
        denoms.sort();
        denoms.dedup_by(|one, other| one.is_same(other));
        let moves = denoms.into_iter().map(|denom| MoveDifference {
            denom: denom.clone(),
            simulated: of(&simulated.moves, denom),
            executed: of(&executed, denom),
        });
        let moves: Vec<MoveDifference> = moves.filter(|one| one.simulated != one.executed).collect();
        (!moves.is_empty()).then_some(Self { host, moves })
    }
}
