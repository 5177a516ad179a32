//! What a path brings for an amount: exact, hop by hop.

mod pool;

use std::sync::Arc;

pub(super) use self::pool::{BasisPoints, bought};
use super::{
    error::RouterError,
    graph::{AssetEdge, EdgeKind, ListedAsset},
    search::RoutePath,
    world::{RouterWorld, file::amount},
};
use crate::domain::{Amount, Timestamp};
use alloy_primitives::U256;

/// Between the 18 decimals of a wrapped form and the 6 of what it wraps.
pub(super) const WRAP_FACTOR: u64 = 1_000_000_000_000;

/// One step with its amounts.
#[derive(Clone, Debug)]
pub(super) struct QuoteLeg {
    pub(super) edge: Arc<AssetEdge>,
    /// Which signed transaction does it, from 0.
    pub(super) tx_index: u32,
    pub(super) amount_in: Amount,
    pub(super) amount_out: Amount,
    /// How far a swap moves the price against whoever swaps; `None` off swaps.
    pub(super) impact: Option<BasisPoints>,
    /// Until when a relayer's offer holds.
    pub(super) expires: Option<Timestamp>,
}

/// Steps in order.
#[derive(Clone, Debug)]
pub(super) struct RouteQuote {
    pub(super) legs: Vec<QuoteLeg>,
}

/// How long a step takes.
pub(super) fn seconds(world: &RouterWorld, edge: &AssetEdge) -> Option<u64> {
    let terms = world.terms();
    match &edge.kind {
        EdgeKind::Ibc { seconds, .. } => *seconds,
        EdgeKind::Deposit { .. } => Some(terms.optimistic.deposit),
        EdgeKind::Withdraw { .. } => Some(world.scaled(terms.optimistic.finalization)),
        EdgeKind::Swap { .. } | EdgeKind::Send => Some(terms.exchange.seconds),
        EdgeKind::Cctp { .. } => Some(world.scaled(terms.cctp.seconds)),
        EdgeKind::GoFast => Some(terms.go_fast.seconds),
    }
}

impl RouteQuote {
    /// What this path brings at this moment, or why it cannot carry the amount.
    pub(super) fn new(
        world: &RouterWorld,
        path: &RoutePath,
        amount_in: Amount,
        now: Timestamp,
    ) -> Result<Self, RouterError> {
        let mut amount = amount_in;
        let mut legs = Vec::with_capacity(path.steps.len());
        for (edge, tx_index) in &path.steps {
            let leg = leg(world, edge, *tx_index, amount, now)?;
            amount = leg.amount_out;
            legs.push(leg);
        }
        Ok(Self { legs })
    }

    pub(super) fn amount_out(&self) -> Amount {
        self.legs.last().map(|leg| leg.amount_out).unwrap_or_default()
    }

    /// How many signed transactions it takes.
    pub(super) fn txs(&self) -> u32 {
        self.legs.last().map_or(1, |leg| leg.tx_index + 1)
    }

    /// How long it takes; `None` when nobody knows of one of the steps.
    pub(super) fn seconds(&self, world: &RouterWorld) -> Option<u64> {
        self.legs.iter().map(|leg| seconds(world, &leg.edge)).sum()
    }

    /// How far all swaps together move the price; `None` without one.
    pub(super) fn impact(&self) -> Option<BasisPoints> {
        self.legs.iter().filter_map(|leg| leg.impact).reduce(BasisPoints::and)
    }

    /// Whether a swap has a side that nobody knows the price of.
    pub(super) fn swaps_unpriced(&self) -> bool {
        let swaps = self.legs.iter().filter(|leg| matches!(leg.edge.kind, EdgeKind::Swap { .. }));
        swaps.into_iter().any(|leg| leg.edge.from.price.is_none() || leg.edge.to.price.is_none())
    }
}

/// A step with what comes out of it for what goes in.
pub(super) fn leg(
    world: &RouterWorld,
    edge: &Arc<AssetEdge>,
    tx_index: u32,
    amount_in: Amount,
    now: Timestamp,
) -> Result<QuoteLeg, RouterError> {
    let amount_in = if edge.unwraps() { whole(amount_in) } else { amount_in };
    let mut leg =
        QuoteLeg { edge: Arc::clone(edge), tx_index, amount_in, amount_out: amount_in, impact: None, expires: None };
    match &edge.kind {
        EdgeKind::Swap { sides } => {
            let (out, impact) = bought(sides, amount_in, now)?;
            (leg.amount_out, leg.impact) = (out, Some(impact));
        }
        EdgeKind::Cctp { .. } | EdgeKind::GoFast => {
            let fee = relay_fee(world, edge, amount_in)?;
            leg.amount_out = amount_in.checked_sub(fee).filter(|rest| !rest.is_zero()).ok_or_else(|| {
                let (amount, fee) = (edge.from.say(amount_in), edge.from.say(fee));
                RouterError::invalid(format!("{amount} is too little: the relayer alone takes {fee}; send more"))
            })?;
            if matches!(edge.kind, EdgeKind::Cctp { relayed: true }) {
                let valid = std::time::Duration::from_secs(world.terms().cctp.quote_seconds);
                leg.expires = Some(now.cut_to_seconds().after(valid));
            }
        }
        EdgeKind::Ibc { .. } | EdgeKind::Deposit { .. } | EdgeKind::Withdraw { .. } | EdgeKind::Send => {
            leg.amount_out = converted(edge, amount_in)?;
        }
    }
    for (listed, amount) in [(&edge.from, leg.amount_in), (&edge.to, leg.amount_out)] {
        countable(world, listed, amount)?;
    }
    Ok(leg)
}

/// Cut down to what has 6 decimals.
fn whole(amount: Amount) -> Amount {
    let factor = U256::from(WRAP_FACTOR);
    Amount::new(amount.get() / factor * factor)
}

/// The amount with the decimals of the other side.
fn converted(edge: &AssetEdge, amount: Amount) -> Result<Amount, RouterError> {
    let factor = U256::from(WRAP_FACTOR);
    if edge.wraps() {
        let made = amount.get().checked_mul(factor).map(Amount::new);
        return made.ok_or_else(|| RouterError::invalid("no chain can count that much; send less"));
    }
    if !edge.unwraps() {
        return Ok(amount);
    }
    if amount.is_zero() {
        let least = edge.from.say(Amount::new(factor));
        return Err(RouterError::invalid(format!(
            "too little: {} leaves the rollup with 6 decimals, so {least} is the least",
            edge.from.symbol()
        )));
    }
    Ok(Amount::new(amount.get() / factor))
}

/// Coins on Move chains, the L1 among them, are counted in 64 bits.
fn countable(world: &RouterWorld, listed: &ListedAsset, amount: Amount) -> Result<(), RouterError> {
    if !world.is_move(listed.chain()) || amount.get() <= U256::from(u64::MAX) {
        return Ok(());
    }
    let most = listed.say(Amount::from(u128::from(u64::MAX)));
    let chain = world.name(listed.chain());
    Err(RouterError::invalid(format!("{chain} cannot count more than {most}; send less")))
}

/// What whoever carries a coin off the EVM chain keeps of it, in that coin.
pub(super) fn relay_fee(world: &RouterWorld, edge: &AssetEdge, amount_in: Amount) -> Result<Amount, RouterError> {
    let decimals = edge.from.decimals();
    let (cctp, go_fast) = (&world.terms().cctp, &world.terms().go_fast);
    let over = |most: &str, who: &str, next: &str| {
        let most = edge.from.say(amount(most, decimals));
        RouterError::invalid(format!("{who} carries {most} at the most; {next}"))
    };
    match edge.kind {
        EdgeKind::Cctp { .. } if amount_in > amount(&cctp.most, decimals) => {
            Err(over(&cctp.most, "one CCTP burn", "send less"))
        }
        EdgeKind::Cctp { relayed: true } if amount_in > amount(&cctp.relay_most, decimals) => {
            let next = "send less, or allow several transactions (allow_multi_tx)";
            Err(over(&cctp.relay_most, "the relayer", next))
        }
        EdgeKind::Cctp { relayed: true } => Ok(amount(&cctp.relay_fee, decimals)),
        EdgeKind::GoFast if amount_in > amount(&go_fast.most, decimals) => {
            Err(over(&go_fast.most, "Go Fast", "send less, or without go_fast"))
        }
        EdgeKind::GoFast if amount_in < amount(&go_fast.least, decimals) => {
            let least = edge.from.say(amount(&go_fast.least, decimals));
            Err(RouterError::invalid(format!("Go Fast carries {least} at the least; send more, or without go_fast")))
        }
        EdgeKind::GoFast => {
            let share = amount_in.get() * U256::from(go_fast.basis_points) / U256::from(10_000);
            let fee = Amount::new(share).checked_add(amount(&go_fast.fixed, decimals));
            fee.ok_or_else(|| RouterError::invalid("no chain can count that much; send less"))
        }
        _ => Ok(Amount::ZERO),
    }
}

/// What an amount is worth, as the wire writes dollars: two places; empty without a price.
pub(super) fn dollars(listed: &ListedAsset, amount: Amount) -> String {
    let Some(price) = listed.price else { return String::new() };
    let unit = U256::from(10).pow(U256::from(listed.decimals()));
    let cents =
        amount.get().checked_mul(price.get()).map(|product| (product / unit + U256::from(5_000)) / U256::from(10_000));
    cents.map(|cents| pool::hundredths(Amount::new(cents))).unwrap_or_default()
}
