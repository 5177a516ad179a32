//! Route search: finds all paths up to a length, quotes them, and returns the best.

use std::{cmp::Reverse, collections::BTreeSet, sync::Arc};

use super::{
    error::RouterError,
    graph::{AssetEdge, EdgeKind, ListedAsset},
    operation,
    quote::{BasisPoints, RouteQuote},
    world::RouterWorld,
};
use crate::{
    domain::{Amount, ChainId, Timestamp},
    wire::router::{Route, RouteRequest},
};
use alloy_primitives::U256;

/// Maximum steps of a path.
pub(super) const MOST_STEPS: usize = 5;
/// Maximum signed transactions of a path.
pub(super) const MOST_TXS: u32 = 2;
/// Maximum steps that a search tries.
const MOST_TRIED: usize = 50_000;
/// Price impact from which the route carries a warning.
pub(super) const BAD_PRICE: BasisPoints = BasisPoints(500);

/// Steps of a route, each with the index of the transaction that executes it.
#[derive(Clone, Debug)]
pub(super) struct RoutePath {
    pub(super) steps: Vec<(Arc<AssetEdge>, u32)>,
}

impl RoutePath {
    fn has(&self, is: impl Fn(&EdgeKind) -> bool) -> bool {
        self.steps.iter().any(|(edge, _)| is(&edge.kind))
    }

    fn withdraws(&self) -> bool {
        self.has(|kind| matches!(kind, EdgeKind::Withdraw { .. }))
    }

    fn goes_fast(&self) -> bool {
        self.has(|kind| matches!(kind, EdgeKind::GoFast))
    }

    fn txs(&self) -> u32 {
        self.steps.last().map_or(1, |(_, tx)| tx + 1)
    }
}

pub(super) fn route(world: &RouterWorld, request: &RouteRequest, now: Timestamp) -> Result<Route, RouterError> {
    let (from, to) = world.ends(request)?;
    if request.amount_in.is_zero() {
        return Err(RouterError::invalid("amount_in is zero: send more"));
    }
    if request.amount_in.get() > U256::from(u128::MAX) {
        return Err(RouterError::invalid("amount_in exceeds the limit of a chain; send less"));
    }
    let (quote, infos) = best(world, request, (&from, &to), now)?;
    Ok(operation::route(world, request, &quote, infos))
}

/// Returns the paths that the request allows. If there are none, returns a 404 that names the option which allows more.
fn allowed(
    world: &RouterWorld,
    request: &RouteRequest,
    from: &Arc<ListedAsset>,
    to: &Arc<ListedAsset>,
) -> Result<Vec<RoutePath>, RouterError> {
    let mut paths = paths(world, from, to);
    let place = |listed: &ListedAsset| format!("{} on {}", listed.symbol(), world.name(listed.chain()));
    let pair = format!("from {} to {}", place(from), place(to));
    if paths.is_empty() {
        return Err(RouterError::not_found(format!("no route {pair}: choose another asset or go via the L1")));
    }
    if request.is_op_withdraw == Some(true) {
        paths.retain(RoutePath::withdraws);
        if paths.is_empty() {
            return Err(RouterError::not_found(format!(
                "no optimistic withdrawal {pair}: for other routes omit is_op_withdraw"
            )));
        }
    } else if paths.iter().any(|path| !path.withdraws() && path.txs() == 1) {
        // A seven-day withdrawal is used only on request, or if there is no other way.
        paths.retain(|path| !path.withdraws());
    }
    if request.go_fast == Some(false) {
        paths.retain(|path| !path.goes_fast());
    }
    if request.allow_multi_tx != Some(true) {
        paths.retain(|path| path.txs() == 1);
        if paths.is_empty() {
            return Err(RouterError::not_found(format!(
                "no route {pair} with one signature: two transactions work; allow several (allow_multi_tx)"
            )));
        }
    }
    Ok(paths)
}

/// Returns the best quote, with notes that explain the choice.
fn best(
    world: &RouterWorld,
    request: &RouteRequest,
    (from, to): (&Arc<ListedAsset>, &Arc<ListedAsset>),
    now: Timestamp,
) -> Result<(RouteQuote, Vec<String>), RouterError> {
    let paths = allowed(world, request, from, to)?;
    let (mut quotes, mut failures) = (Vec::new(), Vec::new());
    for path in &paths {
        match RouteQuote::new(world, path, request.amount_in, now) {
            Ok(quote) => quotes.push((path.goes_fast(), quote)),
            Err(error) => failures.push((path.txs(), path.goes_fast(), path.steps.len(), error)),
        }
    }
    let slow_exists = quotes.iter().any(|(fast, _)| !fast);
    let mut infos = Vec::new();
    match request.go_fast {
        Some(true) if quotes.iter().any(|(fast, _)| *fast) => quotes.retain(|(fast, _)| *fast),
        Some(true) if paths.iter().any(RoutePath::goes_fast) && slow_exists => {
            let reason = failures.iter().find(|(_, fast, ..)| *fast).map(|(.., error)| error.message.clone());
            infos.extend(reason.map(|reason| format!("Not by Go Fast: {reason}.")));
        }
        _ => quotes.retain(|(fast, quote)| !fast || !slow_exists || is_cheap(quote)),
    }
    if quotes.is_empty() {
        // Reports the error of the simplest path; Go Fast's only if no other path was tried.
        let first = failures.into_iter().min_by_key(|(txs, fast, steps, _)| (*txs, *fast, *steps));
        return Err(first.map_or_else(|| RouterError::not_found("no route"), |(.., error)| error));
    }
    let mut quotes: Vec<_> = quotes.into_iter().map(|(_, quote)| quote).collect();
    quotes.sort_by_cached_key(|quote| rank(world, quote));
    if request.allow_unsafe == Some(false) {
        let refusal = quotes.first().and_then(danger);
        quotes.retain(|quote| danger(quote).is_none());
        if let Some(refusal) = refusal.filter(|_| quotes.is_empty()) {
            return Err(refusal);
        }
    }
    let quote = quotes.into_iter().next().ok_or_else(|| RouterError::not_found("no route"))?;
    Ok((quote, infos))
}

/// Ranks a quote by transactions and hops, then duration, then fee.
fn rank(world: &RouterWorld, quote: &RouteQuote) -> (u32, usize, u64, Reverse<Amount>) {
    let seconds = quote.seconds(world).unwrap_or(u64::MAX);
    (quote.txs(), quote.legs.len(), seconds, Reverse(quote.amount_out()))
}

/// Whether Go Fast is cheap enough to be the default: a fee of at most half a percent.
fn is_cheap(quote: &RouteQuote) -> bool {
    quote.legs.iter().filter(|leg| leg.edge.kind == EdgeKind::GoFast).all(|leg| {
        let kept = leg.amount_in.get().saturating_sub(leg.amount_out.get());
        kept * U256::from(200) <= leg.amount_in.get()
    })
}

/// Returns why a client that wants only safe routes does not get this route.
fn danger(quote: &RouteQuote) -> Option<RouterError> {
    let impact = quote.impact()?;
    if quote.swaps_unpriced() {
        let message = "unable to determine route safety: one side has no price; allow_unsafe shows the route";
        return Some(RouterError::unsafe_route(message, "LOW_INFO_ERROR"));
    }
    (impact > BAD_PRICE).then(|| {
        let message = format!(
            "the price moves by {impact} %, more than {BAD_PRICE} %: send less, or use allow_unsafe to see the route"
        );
        RouterError::unsafe_route(message, "BAD_PRICE_ERROR")
    })
}

/// Returns every path between two assets.
fn paths(world: &RouterWorld, from: &Arc<ListedAsset>, to: &Arc<ListedAsset>) -> Vec<RoutePath> {
    if from == to {
        let sends = world.ways(from).iter().filter(|edge| edge.kind == EdgeKind::Send);
        return sends.map(|edge| RoutePath { steps: vec![(Arc::clone(edge), 0)] }).collect();
    }
    let mut search = RouteSearch { world, to, tried: 0, steps: Vec::new(), found: Vec::new() };
    let mut seen = BTreeSet::from([from.chain().clone()]);
    search.go(from, &mut seen);
    search.found
}

struct RouteSearch<'a> {
    world: &'a RouterWorld,
    to: &'a Arc<ListedAsset>,
    tried: usize,
    steps: Vec<(Arc<AssetEdge>, u32)>,
    found: Vec<RoutePath>,
}

impl RouteSearch<'_> {
    fn go(&mut self, at: &ListedAsset, seen: &mut BTreeSet<ChainId>) {
        if self.steps.len() >= MOST_STEPS {
            return;
        }
        for edge in self.world.ways(at) {
            self.tried += 1;
            if self.tried > MOST_TRIED {
                return;
            }
            let Some(tx) = self.transaction(edge) else { continue };
            let is_back = !edge.is_local() && seen.contains(edge.to.chain());
            // A wrapped form is always the end of a transaction, since no further step can use its signature.
            if tx >= MOST_TXS || is_back || (edge.wraps() && edge.to != *self.to) {
                continue;
            }
            let is_new = seen.insert(edge.to.chain().clone());
            self.steps.push((Arc::clone(edge), tx));
            if edge.to == *self.to {
                self.found.push(RoutePath { steps: self.steps.clone() });
            } else {
                self.go(&edge.to, seen);
            }
            self.steps.pop();
            if is_new {
                seen.remove(edge.to.chain());
            }
        }
    }

    fn transaction(&self, edge: &AssetEdge) -> Option<u32> {
        if edge.kind == EdgeKind::Send { None } else { transaction(self.world, self.steps.last(), edge) }
    }
}

/// Returns the index of the transaction that executes a step after `last`; `None` if the step cannot follow.
pub(super) fn transaction(world: &RouterWorld, last: Option<&(Arc<AssetEdge>, u32)>, edge: &AssetEdge) -> Option<u32> {
    let Some((last, tx)) = last else { return Some(0) };
    let is_swap = matches!(edge.kind, EdgeKind::Swap { .. });
    let goes_on = match &last.kind {
        EdgeKind::Swap { .. } if is_swap => return None,
        // On the L1, modules can swap, deposit or forward every asset that arrives.
        EdgeKind::Swap { .. } => true,
        EdgeKind::Ibc { .. } | EdgeKind::Cctp { relayed: true } | EdgeKind::GoFast => {
            world.forwards(edge.from.chain()) && !edge.unwraps()
        }
        EdgeKind::Cctp { relayed: false } | EdgeKind::Deposit { .. } | EdgeKind::Withdraw { .. } | EdgeKind::Send => {
            false
        }
    };
    Some(if goes_on { *tx } else { tx + 1 })
}
