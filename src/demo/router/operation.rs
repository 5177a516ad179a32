//! JSON of a quote: route, operations and fees (`docs/apis/router.md` §1.2–§1.4).

use serde_json::{Value, json};

use super::{
    graph::{AssetEdge, EdgeKind, PoolSide},
    quote::{BasisPoints, QuoteLeg, RouteQuote, dollars, relay_fee, seconds},
    search::BAD_PRICE,
    world::{RouterWorld, file::amount},
};
use crate::{
    domain::{
        Amount, ChainId, Denom,
        text::{Foreign, count},
    },
    wire::{
        RawJson,
        router::{Fee, Operation, Route, RouteRequest, SwapVenue, Warning},
    },
};

/// Fee that the quoted amount already excludes.
const DEDUCTED: &str = "FEE_BEHAVIOR_DEDUCTED";
/// Fee that the client pays on top of the amount.
const ADDITIONAL: &str = "FEE_BEHAVIOR_ADDITIONAL";
/// Native coin of the EVM chain, which pays for bridge messages.
pub(super) const ETHER: &str = "ethereum-native";
const ETHER_DECIMALS: u8 = 18;
const DAY: u64 = 86_400;

pub(super) fn route(
    world: &RouterWorld,
    request: &RouteRequest,
    quote: &RouteQuote,
    extra_infos: Vec<String>,
) -> Route {
    let chain_ids = chain_ids(quote.legs.iter().map(|leg| leg.edge.as_ref()));
    let venues = venues(world, quote);
    let does_swap = !venues.is_empty();
    let is_unpriced = quote.swaps_unpriced();
    let impact = quote.impact().filter(|_| !is_unpriced);
    let ends = (quote.legs.first(), quote.legs.last());
    let extra_infos = extra_infos.into_iter().chain(infos(world, quote)).map(Foreign::new).collect();
    Route {
        amount_in: request.amount_in,
        amount_out: quote.amount_out(),
        source_asset_chain_id: request.source_asset_chain_id.clone(),
        source_asset_denom: request.source_asset_denom.clone(),
        dest_asset_chain_id: request.dest_asset_chain_id.clone(),
        dest_asset_denom: request.dest_asset_denom.clone(),
        operations: quote.legs.iter().filter_map(|leg| operation(world, leg)).collect(),
        required_chain_addresses: required_addresses(quote.legs.iter().map(|leg| leg.edge.as_ref())),
        chain_ids,
        does_swap,
        estimated_amount_out: Some(quote.amount_out()),
        estimated_fees: fees(world, quote),
        estimated_route_duration_seconds: quote.seconds(world),
        txs_required: Some(quote.txs()),
        swap_venue: venues.first().cloned(),
        swap_venues: venues,
        swap_price_impact_percent: impact.map(|impact| impact.to_string()).unwrap_or_default(),
        usd_amount_in: ends.0.map(|leg| dollars(&leg.edge.from, request.amount_in)).unwrap_or_default(),
        usd_amount_out: ends.1.map(|leg| dollars(&leg.edge.to, leg.amount_out)).unwrap_or_default(),
        warning: warning(quote.impact(), is_unpriced),
        extra_infos,
        extra_warnings: warnings(world, quote).into_iter().map(Foreign::new).collect(),
        required_op_hook: quote.legs.last().is_some_and(|leg| leg.edge.wraps()),
    }
}

/// Returns each chain of the route once, in order.
pub(super) fn chain_ids<'a>(edges: impl Iterator<Item = &'a AssetEdge>) -> Vec<ChainId> {
    let mut chains: Vec<ChainId> = Vec::new();
    for chain in edges.flat_map(|edge| [edge.from.chain(), edge.to.chain()]) {
        if !chains.contains(chain) {
            chains.push(chain.clone());
        }
    }
    chains
}

/// Returns the chains that need an address: each chain of the route, and the chain of a local transfer twice.
pub(super) fn required_addresses<'a>(edges: impl Iterator<Item = &'a AssetEdge> + Clone) -> Vec<ChainId> {
    let mut chains = chain_ids(edges.clone());
    if edges.into_iter().any(|edge| edge.kind == EdgeKind::Send) {
        chains.extend(chains.clone());
    }
    chains
}

fn warning(impact: Option<BasisPoints>, is_unpriced: bool) -> Option<Warning> {
    let impact = impact?;
    let (kind, message) = if is_unpriced {
        ("LOW_INFO_WARNING", "unable to determine route safety: one side has no price".to_owned())
    } else if impact > BAD_PRICE {
        ("BAD_PRICE_WARNING", format!("this swap moves the price by {impact} % against you"))
    } else {
        return None;
    };
    Some(Warning { kind: Foreign::new(kind), message: Foreign::new(message) })
}

/// Returns notes for the user: about scaled waits, and about assets that cannot leave.
fn infos(world: &RouterWorld, quote: &RouteQuote) -> Vec<String> {
    let mut infos = Vec::new();
    let waits = |leg: &&QuoteLeg| matches!(leg.edge.kind, EdgeKind::Withdraw { .. } | EdgeKind::Cctp { .. });
    if let Some(leg) = quote.legs.iter().find(waits).filter(|_| world.time_scale() > 1) {
        let real = match leg.edge.kind {
            EdgeKind::Withdraw { .. } => world.terms().optimistic.finalization,
            _ => world.terms().cctp.seconds,
        };
        let here = seconds(world, &leg.edge).unwrap_or_default();
        infos.push(format!("Demo time: a wait of {} on real chains takes {here} s here.", span(real)));
    }
    infos
}

fn warnings(world: &RouterWorld, quote: &RouteQuote) -> Vec<String> {
    let mut warnings = Vec::new();
    if quote.legs.iter().any(|leg| matches!(leg.edge.kind, EdgeKind::Withdraw { .. })) {
        let span = span(world.terms().optimistic.finalization);
        warnings.push(format!("Optimistic withdrawals take about {span}; claim them on the L1 afterwards."));
    }
    if quote.txs() > 1 {
        let chain = quote.legs.iter().find(|leg| leg.tx_index > 0).map(|leg| world.name(leg.edge.from.chain()));
        let chain = chain.unwrap_or_default();
        warnings.push(format!("Two signatures: the funds wait on {chain} for the second transaction."));
    }
    warnings
}

fn span(seconds: u64) -> String {
    let (number, unit) = if seconds >= 2 * DAY { (seconds / DAY, "day") } else { (seconds / 60, "minute") };
    count(usize::try_from(number).unwrap_or(usize::MAX), unit)
}

fn venue(world: &RouterWorld, side: &PoolSide) -> SwapVenue {
    let logo_uri = world.terms().exchange.logo_uri.clone();
    SwapVenue { name: Foreign::new(side.venue.as_str()), chain_id: side.sold.chain().clone(), logo_uri }
}

impl RouterWorld {
    pub(super) fn pool_venues(&self) -> Vec<SwapVenue> {
        let sides = self.every_way().filter_map(|edge| match &edge.kind {
            EdgeKind::Swap { sides } => Some(sides.iter()),
            _ => None,
        });
        sides.flatten().map(|side| venue(self, side)).collect()
    }
}

fn turn_venues(world: &RouterWorld, sides: &[PoolSide]) -> Vec<SwapVenue> {
    let mut venues: Vec<SwapVenue> = sides.iter().map(|side| venue(world, side)).collect();
    venues.dedup();
    venues
}

fn venues(world: &RouterWorld, quote: &RouteQuote) -> Vec<SwapVenue> {
    let mut venues: Vec<SwapVenue> = Vec::new();
    for leg in &quote.legs {
        if let EdgeKind::Swap { sides } = &leg.edge.kind {
            venues.extend(turn_venues(world, sides));
        }
    }
    venues.dedup();
    venues
}

/// Returns the operation of a step. The client sends it back unchanged.
pub(super) fn operation(world: &RouterWorld, leg: &QuoteLeg) -> Option<Operation> {
    let text = operation_json(world, leg).to_string();
    RawJson::parse(text).and_then(Operation::from_json).ok()
}

/// Returns the JSON of a step's operation.
pub(super) fn operation_json(world: &RouterWorld, leg: &QuoteLeg) -> Value {
    let (kind, body) = kind_and_body(world, leg);
    json!({
        kind: body,
        "tx_index": leg.tx_index,
        "amount_in": leg.amount_in.to_string(),
        "amount_out": leg.amount_out.to_string(),
    })
}

fn kind_and_body(world: &RouterWorld, leg: &QuoteLeg) -> (&'static str, Value) {
    let edge = &leg.edge;
    let (from, to) = (edge.from.chain().as_str(), edge.to.chain().as_str());
    let (denom_in, denom_out) = (edge.from.denom().as_str(), edge.to.denom().as_str());
    match &edge.kind {
        EdgeKind::Ibc { channel, .. } => {
            let passes_on = world.forwards(edge.to.chain());
            let body = json!({
                "port": "transfer", "channel": channel, "from_chain_id": from, "to_chain_id": to,
                "pfm_enabled": passes_on, "supports_memo": true, "denom_in": denom_in, "denom_out": denom_out,
                "bridge_id": "IBC", "dest_denom": denom_out, "chain_id": from, "smart_relay": false,
                "to_chain_entry_contract_address": null, "to_chain_callback_contract_address": null,
            });
            ("transfer", body)
        }
        EdgeKind::Deposit { bridge_id } | EdgeKind::Withdraw { bridge_id } => {
            let body = json!({
                "from_chain_id": from, "to_chain_id": to, "denom_in": denom_in, "denom_out": denom_out,
                "op_init_bridge_id": bridge_id.to_string(), "bridge_id": "OPINIT", "smart_relay": false,
            });
            ("op_init_transfer", body)
        }
        EdgeKind::Send => ("bank_send", json!({ "chain_id": from, "denom": denom_in })),
        EdgeKind::Swap { sides } => ("swap", swap(world, leg, sides)),
        EdgeKind::Cctp { relayed } => {
            let body = json!({
                "from_chain_id": from, "to_chain_id": to, "burn_token": denom_in,
                "denom_in": denom_in, "denom_out": denom_out, "bridge_id": "CCTP", "smart_relay": relayed,
                "smart_relay_fee_quote": relay_quote(world, leg),
            });
            ("cctp_transfer", body)
        }
        EdgeKind::GoFast => {
            let terms = &world.terms().go_fast;
            let body = json!({
                "from_chain_id": from, "to_chain_id": to, "denom_in": denom_in, "denom_out": denom_out,
                "source_domain": terms.source_domain.to_string(),
                "destination_domain": terms.destination_domain.to_string(),
                "bridge_id": "GO_FAST", "fee": go_fast_fee(world, leg),
            });
            ("go_fast_transfer", body)
        }
    }
}

fn swap(world: &RouterWorld, leg: &QuoteLeg, sides: &[PoolSide]) -> Value {
    let edge = &leg.edge;
    let (chain, denom_out) = (edge.from.chain().as_str(), edge.to.denom().as_str());
    let steps: Vec<_> = sides
        .iter()
        .map(|side| {
            json!({ "pool": side.pool.as_str(), "denom_in": side.sold.denom(), "denom_out": side.bought.denom() })
        })
        .collect();
    let is_priced = edge.from.price.is_some() && edge.to.price.is_some();
    let impact = leg.impact.filter(|_| is_priced).map(|impact| impact.to_string());
    let venues = turn_venues(world, sides);
    json!({
        "swap_in": {
            "swap_venue": venues.first(),
            "swap_operations": steps,
            "swap_amount_in": leg.amount_in.to_string(),
            "price_impact_percent": impact,
            "estimated_amount_out": leg.amount_out.to_string(),
        },
        "estimated_affiliate_fee": format!("0{denom_out}"),
        "from_chain_id": chain, "chain_id": chain,
        "denom_in": edge.from.denom(), "denom_out": denom_out,
        "swap_venues": venues,
    })
}

fn relay_quote(world: &RouterWorld, leg: &QuoteLeg) -> Value {
    let terms = &world.terms().cctp;
    let Some(expires) = leg.expires else { return Value::Null };
    json!({
        "fee_amount": amount(&terms.relay_fee, leg.edge.from.decimals()).to_string(),
        "fee_denom": leg.edge.from.denom(),
        "fee_payment_address": terms.relayer_contract,
        "relayer_address": terms.relayer_address,
        "expiration": expires.to_string(),
    })
}

fn go_fast_fee(world: &RouterWorld, leg: &QuoteLeg) -> Value {
    let (terms, from) = (&world.terms().go_fast, &leg.edge.from);
    let fixed = amount(&terms.fixed, from.decimals());
    let fee = leg.amount_in.checked_sub(leg.amount_out).unwrap_or_default();
    let share = fee.checked_sub(fixed).unwrap_or_default();
    json!({
        "fee_asset": from.asset,
        "bps_fee": terms.basis_points.to_string(),
        "bps_fee_amount": share.to_string(),
        "bps_fee_usd": dollars(from, share),
        "source_chain_fee_amount": "0",
        "source_chain_fee_usd": "0",
        "destination_chain_fee_amount": fixed.to_string(),
        "destination_chain_fee_usd": dollars(from, fixed),
    })
}

/// Returns a bridge's message fee in the EVM chain's native coin; zero on other chains.
pub(super) fn messaging(world: &RouterWorld, edge: &AssetEdge) -> Amount {
    let terms = world.terms();
    match edge.kind {
        EdgeKind::Cctp { relayed: true } => amount(&terms.cctp.messaging, ETHER_DECIMALS),
        EdgeKind::GoFast => amount(&terms.go_fast.messaging, ETHER_DECIMALS),
        _ => Amount::ZERO,
    }
}

/// Returns all fees of a quote, in the order of the steps.
pub(super) fn fees(world: &RouterWorld, quote: &RouteQuote) -> Vec<Fee> {
    (0..).zip(&quote.legs).flat_map(|(place, leg)| leg_fees(world, leg, place)).collect()
}

fn leg_fees(world: &RouterWorld, leg: &QuoteLeg, place: u32) -> Vec<Fee> {
    let edge = &leg.edge;
    let fee = |kind: &str, bridge: &str, amount: Amount, listed: &super::graph::ListedAsset, behavior: &str| Fee {
        fee_type: kind.into(),
        bridge_id: bridge.into(),
        amount: Some(amount),
        usd_amount: dollars(listed, amount),
        origin_asset: Some(listed.asset.clone()),
        chain_id: Some(listed.chain().clone()),
        tx_index: Some(leg.tx_index),
        operation_index: Some(place),
        fee_behavior: behavior.into(),
    };
    let mut fees = Vec::new();
    let kept = relay_fee(world, edge, leg.amount_in).unwrap_or_default();
    match &edge.kind {
        EdgeKind::Swap { sides } => {
            // The exchange's fee is part of its price. Without a price, rollscope cannot tell how the fee is charged.
            let is_priced = edge.from.price.is_some() && edge.to.price.is_some();
            if let Some(side) = sides.first() {
                let points = alloy_primitives::U256::from(side.basis_points);
                let share = Amount::new(leg.amount_in.get() * points / alloy_primitives::U256::from(10_000));
                fees.push(fee("SWAP", "", share, &side.sold, if is_priced { DEDUCTED } else { "" }));
            }
        }
        EdgeKind::Cctp { relayed } => {
            if *relayed {
                fees.push(fee("SMART_RELAY", "CCTP", kept, &edge.from, DEDUCTED));
            }
        }
        EdgeKind::GoFast => fees.push(fee("BRIDGE", "GO_FAST", kept, &edge.from, DEDUCTED)),
        EdgeKind::Ibc { .. } | EdgeKind::Deposit { .. } | EdgeKind::Withdraw { .. } | EdgeKind::Send => {}
    }
    let message = messaging(world, edge);
    if let Some(ether) = world.listed(edge.from.chain(), &Denom::new(ETHER)).filter(|_| !message.is_zero()) {
        let bridge = if edge.kind == EdgeKind::GoFast { "GO_FAST" } else { "CCTP" };
        fees.push(fee("BRIDGE", bridge, message, ether, ADDITIONAL));
    }
    fees
}
