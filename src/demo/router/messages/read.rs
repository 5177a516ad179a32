//! Checks the operations that a client sends back.

use std::{sync::Arc, time::Duration};

use alloy_primitives::U256;
use base64::{Engine, prelude::BASE64_STANDARD};
use serde_json::Value;

use crate::{
    demo::router::{
        error::RouterError,
        graph::{AssetEdge, EdgeKind, ListedAsset},
        operation,
        quote::{QuoteLeg, RouteQuote, leg},
        search::transaction,
        world::RouterWorld,
    },
    domain::{Address, Amount, ChainId, Timestamp},
    wire::router::{MsgsRequest, Operation, OperationKind, SignedOpHook},
};

/// Maximum operations of a route.
const MOST_OPERATIONS: usize = 8;
/// Divisor of a swap's output: if the output has moved by more than this part, the client needs a new quote.
const SWAP_PART: u64 = 50;

pub(super) fn quote(world: &RouterWorld, request: &MsgsRequest, now: Timestamp) -> Result<RouteQuote, RouterError> {
    let from = world.end(&request.source_asset_chain_id, &request.source_asset_denom)?;
    let to = world.end(&request.dest_asset_chain_id, &request.dest_asset_denom)?;
    if request.operations.is_empty() || request.operations.len() > MOST_OPERATIONS {
        return Err(RouterError::invalid("operations: send all operations of one route of this router"));
    }
    let (mut at, mut amount, mut last) = (Arc::clone(&from), request.amount_in, None);
    let mut legs: Vec<QuoteLeg> = Vec::new();
    for (place, operation) in request.operations.iter().enumerate() {
        let wrong = |what: &str| {
            RouterError::invalid(format!(
                "operation {place} {what}: send the route's operations unchanged, or request a new route"
            ))
        };
        let edge = edge(world, &at, operation).ok_or_else(|| wrong("is not a known step"))?;
        let tx_index = transaction(world, last.as_ref(), &edge).ok_or_else(|| {
            wrong(
                "does not follow the previous \
         one",
            )
        })?;
        let mut fresh = leg(world, &edge, tx_index, amount, now)?;
        fresh.amount_out = amount_out(&fresh, operation).ok_or_else(|| wrong("yields another amount now"))?;
        fresh.expires = expires(world, &edge, operation, now)?;
        if !is_verbatim(world, &fresh, operation) {
            return Err(wrong("differs from the router's"));
        }
        (at, amount) = (Arc::clone(&edge.to), fresh.amount_out);
        last = Some((edge, tx_index));
        legs.push(fresh);
    }
    if at != to {
        return Err(RouterError::invalid("operations: they do not end at the destination; request a new route"));
    }
    if amount != request.amount_out {
        return Err(RouterError::invalid("wrong amount_out for the operations; send the route's amount_out"));
    }
    Ok(RouteQuote { legs })
}

/// Returns the edge that an operation takes from this asset.
fn edge(world: &RouterWorld, at: &ListedAsset, operation: &Operation) -> Option<Arc<AssetEdge>> {
    let is_it = |edge: &&Arc<AssetEdge>| {
        let facts = &operation.facts;
        let ends = operation.from_chain() == Some(edge.from.chain())
            && operation.to_chain() == Some(edge.to.chain())
            && operation.denom_in() == Some(edge.from.denom())
            && operation.denom_out() == Some(edge.to.denom());
        ends && match (&edge.kind, &operation.kind) {
            (EdgeKind::Ibc { channel, .. }, OperationKind::Transfer) => facts.channel == *channel,
            (EdgeKind::Cctp { relayed }, OperationKind::CctpTransfer) => facts.smart_relay == *relayed,
            (EdgeKind::Deposit { .. } | EdgeKind::Withdraw { .. }, OperationKind::OpInitTransfer)
            | (EdgeKind::Swap { .. }, OperationKind::Swap)
            | (EdgeKind::Send, OperationKind::BankSend)
            | (EdgeKind::GoFast, OperationKind::GoFastTransfer) => true,
            _ => false,
        }
    };
    world.ways(at).iter().find(is_it).cloned()
}

/// Returns the output that an operation names, if the swap still yields it.
fn amount_out(fresh: &QuoteLeg, operation: &Operation) -> Option<Amount> {
    let (given, now) = (operation.amount_out?, fresh.amount_out);
    let is_swap = matches!(fresh.edge.kind, EdgeKind::Swap { .. });
    let apart = given.get().abs_diff(now.get());
    let is_near = apart <= now.get() / U256::from(SWAP_PART);
    (given == now || (is_swap && is_near && !given.is_zero())).then_some(given)
}

/// Returns when the relayer's offer in an operation expires. Refuses an expired offer.
fn expires(
    world: &RouterWorld,
    edge: &AssetEdge,
    operation: &Operation,
    now: Timestamp,
) -> Result<Option<Timestamp>, RouterError> {
    if edge.kind != (EdgeKind::Cctp { relayed: true }) {
        return Ok(None);
    }
    let expires: Option<Timestamp> = operation.facts.relay_quote_expires.parse().ok();
    let latest = now.after(Duration::from_secs(world.terms().cctp.quote_seconds));
    match expires {
        Some(at) if at < now => Err(RouterError::invalid("the relay fee quote has expired: request a new route")),
        Some(at) if at <= latest => Ok(Some(at)),
        _ => Err(RouterError::invalid("smart_relay_fee_quote is not this router's: request a new route")),
    }
}

/// Whether a client sent an operation back unchanged. Only a swap's price impact may differ.
fn is_verbatim(world: &RouterWorld, leg: &QuoteLeg, operation: &Operation) -> bool {
    let mut mine = operation::operation_json(world, leg);
    let Ok(mut given) = serde_json::from_str::<Value>(operation.raw.get()) else { return false };
    for value in [&mut mine, &mut given] {
        if let Some(impact) = value.pointer_mut("/swap/swap_in/price_impact_percent") {
            *impact = Value::Null;
        }
    }
    mine == given
}

/// Returns the deposit's hook after checking it; `None` if the route needs none.
pub(super) fn hook(
    quote: &RouteQuote,
    request: &MsgsRequest,
    addresses: &[(ChainId, String)],
) -> Result<Option<String>, RouterError> {
    if !quote.legs.last().is_some_and(|leg| leg.edge.wraps()) {
        return Ok(None);
    }
    let Some(signed) = &request.signed_op_hook else {
        return Err(RouterError::invalid(
            "this route needs a signed hook: request /op-hook, sign its answer, and send it as signed_op_hook",
        ));
    };
    let bytes = BASE64_STANDARD.decode(signed.hook()).unwrap_or_default();
    if bytes.is_empty() {
        return Err(RouterError::invalid("signed_op_hook is not a signed transaction in base64: sign the hook again"));
    }
    if let SignedOpHook::Object { signer, .. } = signed {
        let recipient: Option<Address> = addresses.last().and_then(|(_, address)| address.parse().ok());
        if signer.parse().ok() != recipient {
            return Err(RouterError::invalid("signed_op_hook: the signer must be the recipient, the last address"));
        }
    }
    Ok(Some(signed.hook().to_owned()))
}
