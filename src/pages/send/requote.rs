//! Quote refresh before sending. The page requests an aged quote again and shows changes as old → new.

use std::sync::Arc;

use super::{SendPage, addresses::AddressSlot, state::Goal};
use crate::{
    app::{directory::Directory, page::PageCx},
    domain::{Amount, ChainId, Denom, Slippage, Timestamp},
    msg::ask,
    panes::route_warnings::{Severity, warnings_of},
    story::Names,
    wire::{
        ApiError, Verbatim,
        router::{Fee, FeeBehavior, Operation, Route, RouteRequest},
    },
};

#[derive(Debug)]
pub(super) struct QuoteStage {
    /// Request of the route; `None` for a transfer under way, because its funds have left the start.
    pub(super) request: Option<RouteRequest>,
    pub(super) at: Timestamp,
    pub(super) asked: Timestamp,
    pub(super) is_awaited: bool,
    /// Whether the router reported that the relayer's quote expired.
    pub(super) is_expired: bool,
}

/// Value that differs between two quotes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Changed {
    pub(super) name: &'static str,
    pub(super) old: String,
    pub(super) new: String,
}

/// Comparable part of an operation, without amounts. For a relayer's quote, the fees count.
#[derive(PartialEq, Eq)]
struct Shape<'a> {
    kind: String,
    chains: (Option<&'a ChainId>, Option<&'a ChainId>),
    denoms: (Option<&'a Denom>, Option<&'a Denom>),
    way: (&'a str, &'a str, &'a str),
    tx_index: u32,
}

impl<'a> Shape<'a> {
    fn of(operation: &'a Operation) -> Self {
        let facts = &operation.facts;
        Self {
            kind: operation.kind.to_string(),
            chains: (operation.from_chain(), operation.to_chain()),
            denoms: (operation.denom_in(), operation.denom_out()),
            way: (facts.bridge_id.as_received(), &facts.channel, facts.op_init_bridge_id.as_received()),
            tx_index: operation.tx_index,
        }
    }
}

/// Returns the differences between two quotes that matter before signing.
fn changes(old: &Route, new: &Route, names: &Directory) -> Vec<Changed> {
    let out = |route: &Route| names.amount(&route.dest_asset_chain_id, &route.dest_asset_denom, route.amount_out);
    let way = |route: &Route| {
        let chains: Vec<String> = route.chain_ids.iter().take(8).map(|chain| Names::chain(names, chain)).collect();
        format!("{} over {}", count(route.operations.len(), "step"), chains.join(", "))
    };
    let fees = |route: &Route| fee_words(&route.estimated_fees, names);
    let mut changes = Vec::new();
    let mut add = |name, old: String, new: String| changes.push(Changed { name, old, new });
    if old.amount_out != new.amount_out {
        add("out", out(old), out(new));
    }
    if fees(old) != fees(new) {
        add("fees", fees(old), fees(new));
    }
    let (known, found) = (warning_keys(old), warning_keys(new));
    if known != found {
        add("warnings", count(known.len(), "warning"), count(found.len(), "warning"));
    }
    if !is_same_way(old, new) {
        let (old_way, new_way) = (way(old), way(new));
        let is_named = old_way != new_way;
        add("way", old_way, if is_named { new_way } else { "another path over the same chains".to_owned() });
    }
    changes
}

/// Whether the accepted route covers the new one, so that sending needs no new consent: the way is unchanged, the
/// output reaches the old minimum, and no fee or warning is new.
fn is_within(old: &Route, new: &Route, slippage: Slippage) -> bool {
    let minimum = if old.does_swap { slippage.least_of(old.amount_out) } else { old.amount_out };
    let on_top = |route: &Route| -> Vec<(String, Option<Amount>)> {
        let fees = route.estimated_fees.iter().filter(|fee| fee.behavior() != FeeBehavior::Deducted);
        let asset = |fee: &Fee| fee.origin_asset.as_ref().map(|asset| format!("{}/{}", asset.chain_id, asset.denom));
        fees.map(|fee| (asset(fee).unwrap_or_default(), fee.amount)).collect()
    };
    let (before, after) = (on_top(old), on_top(new));
    let is_no_dearer = before.len() == after.len()
        && before.iter().zip(&after).all(|((asset, was), (other, is))| asset == other && is.is_some() && is <= was);
    let known = warning_keys(old);
    is_same_way(old, new)
        && new.amount_out >= minimum
        && is_no_dearer
        && warning_keys(new).iter().all(|key| known.contains(key))
}

/// Whether both routes take the same steps between the same accounts, whatever the amounts.
fn is_same_way(old: &Route, new: &Route) -> bool {
    old.operations.iter().map(Shape::of).eq(new.operations.iter().map(Shape::of))
        && old.required_chain_addresses == new.required_chain_addresses
        && old.required_op_hook == new.required_op_hook
}

/// Returns the keys of the warnings that the user must acknowledge.
fn warning_keys(route: &Route) -> Vec<String> {
    let all = warnings_of(route).into_iter();
    all.filter(|warning| warning.severity < Severity::Note).map(|warning| warning.key).collect()
}

/// Formats `1 step`, `2 steps`.
pub(super) fn count(number: usize, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}

/// Formats all fees in one line, each in its own asset.
pub(super) fn fee_words(fees: &[Fee], names: &Directory) -> String {
    let words: Vec<String> = fees.iter().take(6).filter_map(|fee| one_fee(fee, names)).collect();
    if words.is_empty() { "none listed".to_owned() } else { words.join(" + ") }
}

fn one_fee(fee: &Fee, names: &Directory) -> Option<String> {
    let (amount, asset) = (fee.amount?, fee.origin_asset.as_ref()?);
    let chain = fee.chain_id.as_ref().unwrap_or(&asset.chain_id);
    let known = names.decimals(chain, &asset.denom).or(names.decimals(&asset.chain_id, &asset.denom));
    let text = match (known, asset.decimals) {
        (None, Some(decimals)) if !asset.symbol.is_empty() => {
            format!("{} {}", amount.display(decimals), asset.symbol.clipped(16))
        }
        _ => names.amount(&asset.chain_id, &asset.denom, amount),
    };
    Some(match fee.behavior() {
        FeeBehavior::Deducted => format!("{text} deducted"),
        FeeBehavior::Additional => format!("{text} on top"),
        FeeBehavior::Other(_) => text,
    })
}

impl SendPage {
    /// Returns when the first of the route's relayer quotes expires.
    pub(super) fn relay_quote_ends(&self) -> Option<Timestamp> {
        let ends = self.route.value.operations.iter();
        ends.filter_map(|operation| operation.facts.relay_quote_expires.parse().ok()).min()
    }

    /// Whether a relayer quote has expired.
    pub(super) fn is_relay_quote_over(&self, now: Timestamp) -> bool {
        self.quote.is_expired || self.relay_quote_ends().is_some_and(|end| end <= now)
    }

    /// Requests a new quote for the route; does nothing for a transfer under way.
    pub(super) fn ask_quote(&mut self, cx: &mut PageCx<'_>) {
        let Some(request) = self.quote.request.clone().filter(|_| !self.quote.is_awaited) else { return };
        (self.quote.is_awaited, self.quote.asked) = (true, cx.context.now);
        cx.request(ask::route(request), |page: &mut Self, result, cx| {
            match result {
                Ok(route) => page.take_quote(route, &cx.context.directory, cx.context.now),
                Err(error) => page.lose_quote(&error),
            }
            page.drive(cx);
        });
    }

    pub(super) fn take_quote(&mut self, route: Arc<Verbatim<Route>>, names: &Directory, now: Timestamp) {
        let changes = changes(&self.route.value, &route.value, names);
        (self.quote.is_awaited, self.quote.is_expired, self.quote.at) = (false, false, now);
        if route.value.required_chain_addresses != self.route.value.required_chain_addresses {
            self.move_addresses(&route.value.required_chain_addresses);
        }
        let old = std::mem::replace(&mut self.route, route);
        if changes.is_empty() {
            return;
        }
        let is_accepted = is_within(&old.value, &self.route.value, self.slippage);
        self.changes = changes;
        if is_accepted {
            return;
        }
        self.hook.go_stale();
        self.calls = true;
        if matches!(self.goal, Some(Goal::Send { .. })) {
            self.stop("The route changed: check the new values, then send again.");
        }
    }

    pub(super) fn lose_quote(&mut self, error: &ApiError) {
        self.quote.is_awaited = false;
        self.stop(format!("Cannot refresh the quote: {}", error.brief()));
    }

    /// Moves the addresses to the new route's slots, for chains that both routes need.
    fn move_addresses(&mut self, chains: &[ChainId]) {
        let mut old = std::mem::take(&mut self.addresses);
        for chain in chains {
            let place = old.iter().position(|slot| slot.chain == *chain);
            let slot = place.map_or_else(|| AddressSlot::new(chain.clone()), |place| old.remove(place));
            self.addresses.push(slot);
        }
    }
}
