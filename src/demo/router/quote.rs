//! Exact output of a path for an input amount, step by step.

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

/// Factor between a wrapped token with 18 decimals and its original with 6.
pub(super) const WRAP_FACTOR: u64 = 1_000_000_000_000;

/// Step of a quote, with its amounts.
#[derive(Clone, Debug)]
pub(super) struct QuoteLeg {
    pub(super) edge: Arc<AssetEdge>,
    /// Index of the signed transaction that executes the step, from 0.
    pub(super) tx_index: u32,
    pub(super) amount_in: Amount,
    pub(super) amount_out: Amount,
    /// Price impact of a swap; `None` for other steps.
    pub(super) impact: Option<BasisPoints>,
    /// When the relayer's offer expires.
    pub(super) expires: Option<Timestamp>,
}

/// Quoted steps, in order.
#[derive(Clone, Debug)]
pub(super) struct RouteQuote {
    pub(super) legs: Vec<QuoteLeg>,
}

/// Returns a step's duration in seconds.
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
    /// Quotes a path, or returns why the path cannot carry the amount.
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
        if let Some(leg) = legs.first().filter(|leg| leg.amount_in < amount_in) {
            let [dust, whole] = [amount_in.checked_sub(leg.amount_in).unwrap_or_default(), leg.amount_in]
                .map(|amount| leg.edge.from.say(amount));
            let why = "the rollup sends 6 decimals";
            return Err(RouterError::invalid(format!("{dust} would stay behind, because {why}; send {whole}")));
        }
        Ok(Self { legs })
    }

    pub(super) fn amount_out(&self) -> Amount {
        self.legs.last().map(|leg| leg.amount_out).unwrap_or_default()
    }

    pub(super) fn txs(&self) -> u32 {
        self.legs.last().map_or(1, |leg| leg.tx_index + 1)
    }

    /// Returns the duration in seconds; `None` if a step's duration is unknown.
    pub(super) fn seconds(&self, world: &RouterWorld) -> Option<u64> {
        self.legs.iter().map(|leg| seconds(world, &leg.edge)).sum()
    }

    /// Returns the total price impact; `None` without a swap.
    pub(super) fn impact(&self) -> Option<BasisPoints> {
        self.legs.iter().filter_map(|leg| leg.impact).reduce(BasisPoints::and)
    }

    /// Whether a swap sells or buys an asset without a price.
    pub(super) fn swaps_unpriced(&self) -> bool {
        let swaps = self.legs.iter().filter(|leg| matches!(leg.edge.kind, EdgeKind::Swap { .. }));
        swaps.into_iter().any(|leg| leg.edge.from.price.is_none() || leg.edge.to.price.is_none())
    }
}

/// Quotes one step for this input.
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

/// Rounds an 18-decimal amount down to 6 decimals.
fn whole(amount: Amount) -> Amount {
    let factor = U256::from(WRAP_FACTOR);
    Amount::new(amount.get() / factor * factor)
}

/// Converts an amount to the decimals of the other end.
fn converted(edge: &AssetEdge, amount: Amount) -> Result<Amount, RouterError> {
    let factor = U256::from(WRAP_FACTOR);
    if edge.wraps() {
        let made = amount.get().checked_mul(factor).map(Amount::new);
        return made.ok_or_else(|| RouterError::invalid("the amount exceeds the limit of a chain; send less"));
    }
    if !edge.unwraps() {
        return Ok(amount);
    }
    if amount.is_zero() {
        let least = edge.from.say(Amount::new(factor));
        return Err(RouterError::invalid(format!(
            "too little: the rollup sends {} with 6 decimals; send at least {least}",
            edge.from.symbol()
        )));
    }
    Ok(Amount::new(amount.get() / factor))
}

/// Checks that an amount fits in 64 bits on Move chains, including the L1.
fn countable(world: &RouterWorld, listed: &ListedAsset, amount: Amount) -> Result<(), RouterError> {
    if !world.is_move(listed.chain()) || amount.get() <= U256::from(u64::MAX) {
        return Ok(());
    }
    let most = listed.say(Amount::from(u128::from(u64::MAX)));
    let chain = world.name(listed.chain());
    Err(RouterError::invalid(format!("{chain} cannot count more than {most}; send less")))
}

/// Returns the relayer's fee for a transfer from the EVM chain, in the coin that it transfers.
pub(super) fn relay_fee(world: &RouterWorld, edge: &AssetEdge, amount_in: Amount) -> Result<Amount, RouterError> {
    let decimals = edge.from.decimals();
    let (cctp, go_fast) = (&world.terms().cctp, &world.terms().go_fast);
    let over = |most: &str, who: &str, next: &str| {
        let most = edge.from.say(amount(most, decimals));
        RouterError::invalid(format!("{who} carries at most {most}; {next}"))
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
            Err(over(&go_fast.most, "Go Fast", "send less, or omit go_fast"))
        }
        EdgeKind::GoFast if amount_in < amount(&go_fast.least, decimals) => {
            let least = edge.from.say(amount(&go_fast.least, decimals));
            Err(RouterError::invalid(format!("Go Fast carries at least {least}; send more, or omit go_fast")))
        }
        EdgeKind::GoFast => {
            let share = amount_in.get() * U256::from(go_fast.basis_points) / U256::from(10_000);
            let fee = Amount::new(share).checked_add(amount(&go_fast.fixed, decimals));
            fee.ok_or_else(|| RouterError::invalid("the amount exceeds the limit of a chain; send less"))
        }
        _ => Ok(Amount::ZERO),
    }
}

/// Formats an amount's value in US dollars, with two decimals; empty without a price.
pub(super) fn dollars(listed: &ListedAsset, amount: Amount) -> String {
    let Some(price) = listed.price else { return String::new() };
    let unit = U256::from(10).pow(U256::from(listed.decimals()));
    let cents =
        amount.get().checked_mul(price.get()).map(|product| (product / unit + U256::from(5_000)) / U256::from(10_000));
    cents.map(|cents| pool::hundredths(Amount::new(cents))).unwrap_or_default()
}
