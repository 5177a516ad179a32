//! What a client sends back is checked against what this router gives.

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

/// Operations at the most; no route has more.
const MOST_OPERATIONS: usize = 8;
/// A swap may bring by this part less or more than a moment ago before a new quote is needed.
const SWAP_PART: u64 = 50;

/// The quote that the operations are, or what is wrong with them.
pub(super) fn quote(world: &RouterWorld, request: &MsgsRequest, now: Timestamp) -> Result<RouteQuote, RouterError> {
    let from = world.end(&request.source_asset_chain_id, &request.source_asset_denom)?;
    let to = world.end(&request.dest_asset_chain_id, &request.dest_asset_denom)?;
    if request.operations.is_empty() || request.operations.len() > MOST_OPERATIONS {
        return Err(RouterError::invalid("operations: send those of a route of this router, all of them"));
    }
    let (mut at, mut amount, mut last) = (Arc::clone(&from), request.amount_in, None);
    let mut legs: Vec<QuoteLeg> = Vec::new();
    for (place, operation) in request.operations.iter().enumerate() {
        let wrong = |what: &str| {
            RouterError::invalid(format!(
                "operation {place} {what}: send the operations as the route had them, or ask for a new route"
            ))
        };
        let edge = edge(world, &at, operation).ok_or_else(|| wrong("is not a way that exists here"))?;
        let tx_index = transaction(world, last.as_ref(), &edge).ok_or_else(|| wrong("cannot follow the one before"))?;
        let mut fresh = leg(world, &edge, tx_index, amount, now)?;
        fresh.amount_out = amount_out(&fresh, operation).ok_or_else(|| wrong("brings another amount now"))?;
        fresh.expires = expires(world, &edge, operation, now)?;
        if !is_verbatim(world, &fresh, operation) {
            return Err(wrong("is not as this router gave it"));
        }
        (at, amount) = (Arc::clone(&edge.to), fresh.amount_out);
        last = Some((edge, tx_index));
        legs.push(fresh);
    }
    if at != to {
        return Err(RouterError::invalid("operations: they do not end at the destination; ask for a new route"));
    }
    if amount != request.amount_out {
        return Err(RouterError::invalid("amount_out is not what the operations bring; send the route's"));
    }
    Ok(RouteQuote { legs })
}

/// The way that an operation is, from where the one before it ended.
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

/// What the operation says comes out, where that is still so.
fn amount_out(fresh: &QuoteLeg, operation: &Operation) -> Option<Amount> {
    let (given, now) = (operation.amount_out?, fresh.amount_out);
    let is_swap = matches!(fresh.edge.kind, EdgeKind::Swap { .. });
    let apart = given.get().abs_diff(now.get());
    let is_near = apart <= now.get() / U256::from(SWAP_PART);
    (given == now || (is_swap && is_near && !given.is_zero())).then_some(given)
}

/// Until when the relayer's offer in an operation holds; refused when it is over.
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
        Some(at) if at < now => Err(RouterError::invalid("the relay fee quote has expired: ask for a new route")),
        Some(at) if at <= latest => Ok(Some(at)),
        _ => Err(RouterError::invalid("smart_relay_fee_quote is not this router's: ask for a new route")),
    }
}

/// Whether an operation came back as it was given; only a swap's price impact may have moved since.
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

/// The signed hook that goes with the deposit, checked; `None` where the route needs none.
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
            "this route needs a signed hook: ask /op-hook, sign what it gives, and send it as signed_op_hook",
        ));
    };
    let bytes = BASE64_STANDARD.decode(signed.hook()).unwrap_or_default();
    if bytes.is_empty() {
        return Err(RouterError::invalid("signed_op_hook is not a signed transaction in base64: sign the hook again"));
    }
    if let SignedOpHook::Object { signer, .. } = signed {
        let recipient: Option<Address> = addresses.last().and_then(|(_, address)| address.parse().ok());
        if signer.parse().ok() != recipient {
            return Err(RouterError::invalid("signed_op_hook: its signer must be the recipient, the last address"));
        }
    }
    Ok(Some(signed.hook().to_owned()))
}
