//! Bridges and channels of a route: where they lead is a fact of the settings, the registry or the chain.

use std::fmt;

use super::{KnownContracts, SigningRefusal};
use crate::{
    domain::{ChainId, text::clip},
    wire::router::{Operation, OperationKind},
};

/// Connection of two chains that a route takes. The texts are the router's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RouteConnection {
    /// OPinit bridge between an L1 and a rollup.
    Bridge { id: String, from: ChainId, to: ChainId },
    /// IBC channel of the chain `from`.
    Channel { id: String, from: ChainId, to: ChainId },
}

impl RouteConnection {
    /// Returns the name that an option of commands takes: `interwoven-1:channel-99` or `interwoven-1:bridge-78`.
    pub fn key(&self) -> String {
        match self {
            Self::Bridge { id, from, .. } => format!("{from}:bridge-{id}"),
            Self::Channel { id, from, .. } => format!("{from}:{id}"),
        }
    }
}

impl fmt::Display for RouteConnection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bridge { id, from, to } => {
                write!(f, "only the router says that bridge {} leads from {from} to {to}", clip(id, 20))
            }
            Self::Channel { id, from, to } => {
                write!(f, "only the router says that {} of {from} leads to {to}", clip(id, 20))
            }
        }
    }
}

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
            let found = &step.facts.op_init_bridge_id;
            let bridges: Vec<(&ChainId, u64)> =
                [from, to].into_iter().filter_map(|rollup| Some((rollup, known.bridge_of(rollup)?))).collect();
            if let Some((rollup, known)) = bridges.iter().find(|(_, known)| found.parse() != Ok(*known)) {
                let (rollup, known, found) = ((*rollup).clone(), *known, found.clone());
                return Err(SigningRefusal::Bridge { rollup, known, found });
            }
            told(RouteConnection::Bridge { id: found.clone(), from: ends.0, to: ends.1 }, !bridges.is_empty())
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
