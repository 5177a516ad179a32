//! Lines about a simulation on the signing page, on the terminal and on the Send page.

use super::signing_names::exact_amount;
use crate::{
    domain::{Balance, Denom, SignerMove},
    signing::{OfferLine, OfferLineKind, ReadyTx, TxSimulation},
    story::{
        Names,
        simulation::{SimulatedEffect, SimulatedVerdict, SpentDifference},
    },
};

/// Describes a simulation: what moves, balances, failure, differences from what is signed, and what is not simulated.
pub fn simulation_lines(
    effect: &SimulatedEffect,
    simulation: &TxSimulation,
    tx: &ReadyTx,
    has_later: bool,
    names: &dyn Names,
) -> Vec<OfferLine> {
    let writer = SimulationWriter { names, tx };
    let plain = |name, text: &str| OfferLine::new(name, OfferLineKind::Plain, text);
    let warning = |name, text: &str| OfferLine::new(name, OfferLineKind::Warning, text);
    let by_router = if simulation.is_of_router { ", which only the router names" } else { "" };
    let host = format!("reported by {}", simulation.host);
    let mut lines = Vec::new();
    match &effect.verdict {
        SimulatedVerdict::Untold(why) if simulation.host.is_empty() => {
            return vec![plain("Simulated", &format!("not simulated: {why}"))];
        }
        SimulatedVerdict::Untold(why) => {
            lines.push(plain("Simulated", &format!("not simulated: {why} ({host}{by_router})")));
        }
        SimulatedVerdict::Fails(why) => lines.push(warning("Simulated", &format!("fails: {why} ({host}{by_router})"))),
        SimulatedVerdict::Succeeds => {
            lines.push(plain("Simulated", &format!("{}, {host}{by_router}", writer.moves(effect.moves.as_deref()))));
        }
    }
    let differences = effect.differences.iter().map(|one| warning("Simulated", &writer.difference(one)));
    lines.extend(differences);
    let height = simulation.held.as_ref().and_then(|held| held.height);
    let when = height.map_or_else(|| "now".to_owned(), |height| format!("at height {height}"));
    lines.extend(effect.balances.iter().map(|one| {
        let now = writer.amount(&one.denom, one.now.into());
        let text = format!("{now} {when}, {} after, before the fee, {host}", writer.amount(&one.denom, one.after));
        if one.after.is_negative() { warning("Balance", &text) } else { plain("Balance", &text) }
    }));
    lines.extend(effect.shortfall.iter().map(|short| {
        let (fee, left) = (short.fee.amount.into(), short.left.into());
        let [fee, left] = [fee, left].map(|amount| writer.amount(&short.fee.denom, amount));
        warning("Funds", &format!("the fee needs about {fee}, {left} is left there, {host}"))
    }));
    if has_later && !matches!(effect.verdict, SimulatedVerdict::Untold(_)) {
        lines.push(plain("Simulated", "Later hops are not simulated."));
    }
    lines
}

struct SimulationWriter<'a> {
    names: &'a dyn Names,
    tx: &'a ReadyTx,
}

impl SimulationWriter<'_> {
    fn amount(&self, denom: &Denom, amount: Balance) -> String {
        let sign = if amount.is_negative() { "-" } else { "" };
        format!("{sign}{}", exact_amount(self.names, &self.tx.chain_id, denom, amount.magnitude()))
    }

    fn moves(&self, moves: Option<&[SignerMove]>) -> String {
        let Some(moves) = moves else { return "succeeds; what moves is not told".to_owned() };
        let of = |is_loss: bool, verb: &str| {
            let those = moves.iter().filter(|moved| moved.delta.is_negative() == is_loss);
            let amounts = those.map(|moved| self.amount(&moved.denom, moved.delta.magnitude().into()));
            let amounts: Vec<String> = amounts.collect();
            (!amounts.is_empty()).then(|| format!("{} {verb}", amounts.join(" and ")))
        };
        let told: Vec<String> = [of(true, "leaves you"), of(false, "arrives")].into_iter().flatten().collect();
        if told.is_empty() { "succeeds; nothing moves for you".to_owned() } else { told.join(", ") }
    }

    fn difference(&self, one: &SpentDifference) -> String {
        let amount = |amount| self.amount(&one.denom, Balance::from(amount));
        match (one.simulated.is_zero(), one.signed.is_zero()) {
            (true, _) => format!("takes nothing of the {} that you sign", amount(one.signed)),
            (_, true) => format!("also takes {}, which you do not sign", amount(one.simulated)),
            _ => format!("takes {} from you, but you sign {}", amount(one.simulated), amount(one.signed)),
        }
    }
}
