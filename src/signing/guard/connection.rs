//! Bridges and channels of a route: where they lead is a fact of the settings, the registry or the chain.

use super::{doubt::RouteConnection, refusal::SigningRefusal};
use crate::{
    domain::ChainId,
    signing::KnownContracts,
    wire::router::{Operation, OperationKind},
};

/// L1s of Initia's networks: bridges of rollups lead there, where nobody says where else.
const L1S: [&str; 2] = ["interwoven-1", "initiation-2"];

/// Connection of a step.
pub(super) struct StepConnection {
    pub(super) connection: RouteConnection,
    /// Whether settings, registry or chain know where it leads; else only the router does.
    pub(super) is_known: bool,
}

/// Returns the connection of a step; `None` for a step of another kind. Fails if the connection is known to lead
/// elsewhere.
pub(super) fn connection_of(
    step: &Operation,
    known: &KnownContracts,
) -> Result<Option<StepConnection>, SigningRefusal> {
    let (Some(from), Some(to)) = (step.from_chain(), step.to_chain()) else { return Ok(None) };
    let (ends, told) =
        ((from.clone(), to.clone()), |connection, is_known| Ok(Some(StepConnection { connection, is_known })));
    match step.kind {
        OperationKind::OpInitTransfer => {
            let found = step.facts.op_init_bridge_id.as_received();
            let bridges: Vec<(&ChainId, u64)> =
                [from, to].into_iter().filter_map(|rollup| Some((rollup, known.bridge_of(rollup)?))).collect();
            if let Some((rollup, known)) = bridges.iter().find(|(_, known)| found.parse() != Ok(*known)) {
                let (rollup, known, found) = ((*rollup).clone(), *known, found.to_owned());
                return Err(SigningRefusal::Bridge { rollup, known, found });
            }
            let end = |chain: &ChainId, known: &ChainId| {
                let (bridge, known, found) = (found.to_owned(), known.clone(), chain.clone());
                Err(SigningRefusal::BridgeEnds { bridge, known, found })
            };
            let mut is_known = false;
            for (rollup, l1) in [(from, to), (to, from)] {
                let of_bridge = found.parse().ok().and_then(|bridge| known.rollup_of(l1, bridge));
                if let Some(other) = of_bridge.filter(|other| *other != rollup) {
                    return end(rollup, other);
                }
                if known.bridge_of(rollup).is_some() {
                    match known.l1_of(rollup) {
                        Some(other) if other != l1 => return end(l1, other),
                        known => is_known = known.is_some() || L1S.contains(&l1.as_str()),
                    }
                }
            }
            told(RouteConnection::Bridge { id: found.to_owned(), from: ends.0, to: ends.1 }, is_known)
        }
        OperationKind::Transfer => {
            let channel = &step.facts.channel;
            match known.counterparty_of(from, channel) {
                Some(known) if known != to => Err(SigningRefusal::Channel {
                    chain: from.clone(),
                    channel: channel.clone(),
                    known: known.clone(),
                    found: to.clone(),
                }),
                known => {
                    let line = RouteConnection::Channel { id: channel.clone(), from: ends.0, to: ends.1 };
                    told(line, known.is_some())
                }
            }
        }
        _ => Ok(None),
    }
}
