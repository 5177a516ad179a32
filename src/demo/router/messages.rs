//! Messages that a client signs for a route, and the plan of their effects (`docs/apis/router.md` §3).

mod address;
mod cosmos;
mod evm;
mod read;
mod steps;

use serde_json::{Value, json};

use super::{
    error::RouterError,
    graph::{AssetEdge, EdgeKind},
    operation,
    plan::Plan,
    quote::{QuoteLeg, seconds},
    world::RouterWorld,
};
use crate::{
    domain::{Amount, ChainId, Slippage, Timestamp},
    wire::{
        RawJson,
        router::{MsgsRequest, MsgsResponse, RouterTx},
    },
};

/// Planned duration of a step whose duration is unknown, in seconds.
const UNKNOWN_SECONDS: u64 = 40;

struct MessageBuilder<'a> {
    world: &'a RouterWorld,
    legs: &'a [QuoteLeg],
    /// Address on each chain that the route requires, in order.
    addresses: Vec<(ChainId, String)>,
    slippage: Slippage,
    /// Signed hook in base64; `None` if the route needs none.
    hook: Option<String>,
    now: Timestamp,
}

impl RouterWorld {
    /// Returns the messages for a route of this router, and the plan of each transaction.
    pub fn msgs(&self, request: &MsgsRequest, now: Timestamp) -> Result<(MsgsResponse, Vec<Plan>), RouterError> {
        let quote = read::quote(self, request, now)?;
        let edges = || quote.legs.iter().map(|leg| leg.edge.as_ref());
        let addresses = address::check(self, &operation::required_addresses(edges()), &request.address_list)?;
        let hook = read::hook(&quote, request, &addresses)?;
        let work =
            MessageBuilder { world: self, legs: &quote.legs, addresses, slippage: slippage(request)?, hook, now };
        let (mut response, mut plans) = (MsgsResponse::default(), Vec::new());
        for tx_index in 0..quote.txs() {
            let (tx, mut older) = work.transaction(tx_index)?;
            response.txs.push(tx);
            response.msgs.append(&mut older);
            plans.push(work.plan(tx_index));
        }
        let does_swap = edges().any(|edge| matches!(edge.kind, EdgeKind::Swap { .. }));
        let out = quote.amount_out();
        response.min_amount_out = Some(if does_swap { work.slippage.least_of(out) } else { out });
        response.estimated_fees = operation::fees(self, &quote);
        Ok((response, plans))
    }
}

impl RouterWorld {
    /// Returns the plan of a transaction with these steps. `accounts` hold the funds in turn: the sender's first, then
    /// one per step.
    pub(super) fn plan_of(
        &self,
        legs: &[QuoteLeg],
        addresses: Vec<(ChainId, String)>,
        hook: Option<String>,
        now: Timestamp,
    ) -> Plan {
        MessageBuilder { world: self, legs, addresses, slippage: Slippage::DEFAULT, hook, now }.plan(0)
    }
}

fn slippage(request: &MsgsRequest) -> Result<Slippage, RouterError> {
    if request.slippage_tolerance_percent.is_empty() {
        return Ok(Slippage::DEFAULT);
    }
    let slippage = request.slippage_tolerance_percent.parse::<Slippage>();
    slippage.map_err(|error| RouterError::invalid(format!("slippage_tolerance_percent: {error}")))
}

impl MessageBuilder<'_> {
    /// Returns the steps of one signed transaction; at least one.
    fn legs_of(&self, tx_index: u32) -> Vec<&QuoteLeg> {
        self.legs.iter().filter(|leg| leg.tx_index == tx_index).collect()
    }

    /// Returns the client's address on a chain; the first if the route has the chain twice.
    fn address(&self, chain: &ChainId) -> &str {
        self.addresses.iter().find(|(one, _)| one == chain).map_or("", |(_, address)| address.as_str())
    }

    /// Returns the account that holds the funds after a step.
    fn receiver(&self, edge: &AssetEdge) -> &str {
        let last = self.addresses.last().map_or("", |(_, address)| address.as_str());
        if edge.kind == EdgeKind::Send { last } else { self.address(edge.to.chain()) }
    }

    /// Returns the minimum input of a step that follows swaps: the quoted amount less the slippage.
    fn least(&self, leg: &QuoteLeg) -> Amount {
        self.slippage.least_of(leg.amount_out)
    }

    /// Returns the timeout of a step's packet in nanoseconds, a whole second: clients that read numbers as doubles keep
    /// its value.
    fn timeout(&self, edge: &AssetEdge) -> u64 {
        let before = self.legs.iter().take_while(|leg| leg.edge.as_ref() != edge);
        let wait: u64 = before.map(|leg| seconds(self.world, &leg.edge).unwrap_or(UNKNOWN_SECONDS)).sum();
        let at = self.now.after(std::time::Duration::from_secs(wait + u64::from(self.world.packet_seconds())));
        u64::try_from(at.cut_to_seconds().as_nanos()).unwrap_or_default()
    }

    /// Builds a transaction, and its messages in the deprecated format.
    fn transaction(&self, tx_index: u32) -> Result<(RouterTx, Vec<RawJson>), RouterError> {
        let legs = self.legs_of(tx_index);
        let indices: Vec<_> =
            self.legs.iter().zip(0u32..).filter(|(leg, _)| leg.tx_index == tx_index).map(|(_, place)| place).collect();
        let from = legs.first().map(|leg| leg.edge.from.chain());
        let is_evm = from.and_then(|chain| self.world.chain(chain)).is_some_and(|chain| chain.chain_type == "evm");
        let (tx, older) = if is_evm {
            let tx = self.evm_tx(&legs);
            (json!({ "evm_tx": tx, "operations_indices": indices }), vec![json!({ "evm_tx": tx })])
        } else {
            let (tx, older) = self.cosmos_tx(&legs)?;
            (json!({ "cosmos_tx": tx, "operations_indices": indices }), older)
        };
        let raw = |value: &Value| RawJson::parse(value.to_string());
        let made = raw(&tx).and_then(RouterTx::from_json);
        let older: Result<Vec<_>, _> = older.iter().map(raw).collect();
        made.and_then(|tx| older.map(|older| (tx, older))).map_err(|error| RouterError {
            status: 500,
            message: format!("cannot build the messages: {error}"),
            reason: None,
        })
    }
}
