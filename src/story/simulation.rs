//! Meaning of a simulation: what moves for the signer, and how that differs from what is signed. A node reports it, so
//! it can only add warnings.

use super::{
    names::glossary::Glossary,
    transaction::{Story, balance_changes},
    words::explanation::{codes::code_of_log, revert},
};
use crate::{
    domain::{Amount, Balance, Coin, Denom, SignerMove, SimulatedOutcome},
    signing::{
        CallRevert, ReadyTx, RouteDoubt, SendingAccess, SigningFee, SigningRefusal, SimulatedRun, TxSimulation,
        account_of,
    },
    wire::Tx,
};

/// Maximum columns of a node's message.
const MESSAGE: usize = 160;

/// Facts of a simulation.
#[derive(Clone, Debug)]
pub struct SimulatedEffect {
    pub verdict: SimulatedVerdict,
    /// Movements of the signer's balances without the fee, once per denom; `None` if the node does not tell all.
    pub moves: Option<Vec<SignerMove>>,
    /// Denoms of which another amount leaves than is signed.
    pub differences: Vec<SpentDifference>,
    /// Balances now and after the movements, without the fee; those that move.
    pub balances: Vec<BalanceOutlook>,
    /// Fee that the signer cannot pay.
    pub shortfall: Option<FeeShortfall>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SimulatedVerdict {
    Succeeds,
    /// Fails for this reason, without control characters.
    Fails(String),
    /// Not simulated, for this reason.
    Untold(String),
}

/// Denom of which the simulation takes another amount than is signed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpentDifference {
    pub denom: Denom,
    pub signed: Amount,
    pub simulated: Amount,
}

/// Balance of a denom before and after a transaction, without the fee.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BalanceOutlook {
    pub denom: Denom,
    pub now: Amount,
    pub after: Balance,
}

/// Fee above what is left to pay it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeeShortfall {
    pub fee: Coin,
    /// What is left after the movements.
    pub left: Amount,
}

impl SimulatedEffect {
    /// Reads the simulation of a transaction.
    pub fn of(tx: &ReadyTx, access: &SendingAccess, simulation: &TxSimulation, glossary: &Glossary) -> Self {
        let mut effect = Self::told(simulation, tx, glossary);
        if let Some((moves, signed)) = effect.moves.as_ref().zip(tx.spent()) {
            effect.differences = differences(moves, &signed);
        }
        let Some(held) = &simulation.held else { return effect };
        let held = |denom: &Denom| {
            held.coins.iter().find(|coin| coin.denom.is_same(denom)).map_or(Amount::ZERO, |coin| coin.amount)
        };
        let moves = effect.moves.iter().flatten();
        let outlook = |moved: &SignerMove| {
            let now = held(&moved.denom);
            let after = Balance::from(now).checked_add(moved.delta)?;
            Some(BalanceOutlook { denom: moved.denom.clone(), now, after })
        };
        effect.balances = moves.filter_map(outlook).collect();
        let gas = match simulation.run {
            SimulatedRun::Cosmos { gas, .. } => gas,
            SimulatedRun::Ethereum(_) | SimulatedRun::Untold(_) => None,
        };
        effect.shortfall = gas.and_then(|gas| {
            let price = access.trust.fees.iter().find_map(|one| one.price.as_ref()).or(access.listed_price.as_ref())?;
            let fee = SigningFee::of_simulation(gas, price)?.amount.into_iter().next()?;
            let spent = effect.moves.iter().flatten().find(|one| one.denom.is_same(&fee.denom));
            let left =
                Balance::from(held(&fee.denom)).checked_add(spent.map_or(Balance::default(), |one| one.delta))?;
            let left = left.amount().unwrap_or_default();
            (left < fee.amount).then_some(FeeShortfall { fee, left })
        });
        effect
    }

    /// Settles the doubts about pools by the simulation of a node that no router named. Fails if the node says that
    /// the pool sells another coin.
    pub fn settle(&self, tx: &mut ReadyTx, simulation: &TxSimulation) -> Result<(), SigningRefusal> {
        let Some(moves) = self.moves.as_ref().filter(|_| !simulation.is_of_router) else { return Ok(()) };
        let mut open = Vec::new();
        for doubt in std::mem::take(&mut tx.doubts) {
            let RouteDoubt::Pool { chain, bought, least, .. } = &doubt else {
                open.push(doubt);
                continue;
            };
            let mut arrived = moves.iter().filter(|moved| !moved.delta.is_negative());
            let is_enough = |moved: &SignerMove| least.is_none_or(|least| moved.delta.magnitude() >= least);
            match arrived.clone().find(|moved| moved.denom.is_same(bought)) {
                Some(one) if is_enough(one) => {}
                Some(_) => open.push(doubt),
                None => match arrived.next() {
                    Some(other) => {
                        let (derived, quoted) = (other.denom.marked().into_owned(), bought.clone());
                        return Err(SigningRefusal::Yield { chain: chain.clone(), derived, quoted });
                    }
                    None => open.push(doubt),
                },
            }
        }
        tx.doubts = open;
        Ok(())
    }

    /// Returns what to compare with the transaction in a block; `None` unless the node tells all movements.
    pub fn outcome(tx: &ReadyTx, simulation: &TxSimulation) -> Option<SimulatedOutcome> {
        let SimulatedRun::Cosmos { tx: ran, .. } = &simulation.run else { return None };
        // The transaction in the block is read without the names of a network, too.
        let moves = signer_moves(ran, &tx.signer, &Glossary::default()).filter(|_| ran.is_success())?;
        Some(SimulatedOutcome { host: simulation.host.clone(), signer: tx.signer.clone(), moves })
    }

    fn told(simulation: &TxSimulation, tx: &ReadyTx, glossary: &Glossary) -> Self {
        let (verdict, moves) = match &simulation.run {
            SimulatedRun::Untold(why) => (SimulatedVerdict::Untold(why.clone()), None),
            SimulatedRun::Ethereum(Ok(_)) => (SimulatedVerdict::Succeeds, None),
            SimulatedRun::Ethereum(Err(refused)) => (SimulatedVerdict::Fails(call_reason(refused, glossary)), None),
            SimulatedRun::Cosmos { tx: ran, .. } if ran.is_success() => {
                (SimulatedVerdict::Succeeds, signer_moves(ran, &tx.signer, glossary))
            }
            SimulatedRun::Cosmos { tx: ran, .. } => (SimulatedVerdict::Fails(reason(ran, glossary)), None),
        };
        Self { verdict, moves, differences: Vec::new(), balances: Vec::new(), shortfall: None }
    }
}

/// Returns the movements of an account by a transaction's events, without the fee, once per denom; `None` if the events
/// do not add up.
pub fn signer_moves(tx: &Tx, signer: &str, glossary: &Glossary) -> Option<Vec<SignerMove>> {
    let moves = balance_changes(tx, account_of(signer)?, glossary)?;
    Some(moves.into_iter().map(|change| SignerMove { denom: change.denom, delta: change.delta }).collect())
}

/// Returns why a simulated transaction failed, by the reader of failed transactions. Nodes tell no code, but the log
/// ends with the error's name.
fn reason(tx: &Tx, glossary: &Glossary) -> String {
    let quoted = || tx.raw_log.quoted(MESSAGE);
    let Some((codespace, code)) = code_of_log(tx.raw_log.as_received()) else { return quoted() };
    let tx = Tx { codespace: codespace.into(), code, ..tx.clone() };
    match Story::of(&tx, glossary).explanation {
        Some(explanation) if explanation.has_no_reason => "reverted, and the node tells no reason".to_owned(),
        Some(explanation) => explanation.reason,
        None => quoted(),
    }
}

fn call_reason(refused: &CallRevert, glossary: &Glossary) -> String {
    let told = revert::reason(&refused.data, glossary).map(|reason| format!("reverted: {reason}"));
    told.unwrap_or_else(|| refused.message.quoted(MESSAGE))
}

fn differences(moves: &[SignerMove], signed: &[Coin]) -> Vec<SpentDifference> {
    let simulated = |denom: &Denom| {
        let lost = moves.iter().find(|moved| moved.denom.is_same(denom) && moved.delta.is_negative());
        lost.map_or(Amount::ZERO, |moved| moved.delta.magnitude())
    };
    let of_signed = signed.iter().map(|coin| SpentDifference {
        denom: coin.denom.clone(),
        signed: coin.amount,
        simulated: simulated(&coin.denom),
    });
    let is_signed = |denom: &Denom| signed.iter().any(|coin| coin.denom.is_same(denom));
    let others = moves.iter().filter(|moved| moved.delta.is_negative() && !is_signed(&moved.denom));
    let of_others = others.map(|moved| SpentDifference {
        denom: moved.denom.clone(),
        signed: Amount::ZERO,
        simulated: moved.delta.magnitude(),
    });
    of_signed.chain(of_others).filter(|one| one.signed != one.simulated).collect()
}
