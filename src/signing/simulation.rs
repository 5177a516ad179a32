//! What a node says that a transaction would do. A node can lie: a simulation adds warnings and proves nothing.

use std::sync::Arc;

use super::{ReadyForm, ReadyTx, SendingAccess};
use crate::{
    domain::{ChainId, Coin, Height, text::Foreign},
    wire::Tx,
};

/// Transaction to simulate, and the node to ask.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SimulationQuestion {
    pub chain_id: ChainId,
    pub signer: String,
    pub form: ReadyForm,
    /// Cosmos REST or Ethereum JSON-RPC URL; empty if unknown.
    pub url: String,
    /// Whether only the router names the node.
    pub is_of_router: bool,
    /// Whether the chain accepts `personal_sign` of an Ethereum wallet.
    pub takes_personal: bool,
}

/// Answer to a [`SimulationQuestion`].
#[derive(Clone, Debug)]
pub struct TxSimulation {
    /// Host and port of the node; empty if unknown.
    pub host: String,
    pub is_of_router: bool,
    pub run: SimulatedRun,
    /// All bank balances of the signer now; `None` if unknown.
    pub held: Option<HeldCoins>,
}

/// All bank balances of an account.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HeldCoins {
    pub coins: Vec<Coin>,
    /// Height of the balances, if the node tells it.
    pub height: Option<Height>,
}

/// Result of a simulation.
#[derive(Clone, Debug)]
pub enum SimulatedRun {
    /// The transaction with its simulated result. A refusal has the log, and no code of the chain.
    Cosmos { tx: Arc<Tx>, gas: Option<u64> },
    /// The call on an EVM chain with its estimated gas.
    Ethereum(Result<u64, CallRevert>),
    /// No result, for this reason.
    Untold(String),
}

/// Refusal of a simulated call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallRevert {
    pub message: Foreign,
    /// Return data of the revert; empty if the node omits it.
    pub data: Vec<u8>,
}

impl SimulationQuestion {
    pub fn new(tx: &ReadyTx, access: &SendingAccess) -> Self {
        let json_rpc = || access.suggestion.as_ref().and_then(|suggestion| suggestion.json_rpc());
        let (url, is_of_router) = match (&tx.form, &access.trust.json_rpc) {
            (ReadyForm::Cosmos(_), _) => (access.rest.clone(), !access.is_rest_trusted()),
            (ReadyForm::Ethereum(_), Some(own)) => (own.clone(), false),
            (ReadyForm::Ethereum(_), None) => (json_rpc().unwrap_or_default().to_owned(), true),
        };
        let (chain_id, signer) = (tx.chain_id.clone(), tx.signer.clone());
        let takes_personal = access.takes_personal;
        Self { chain_id, signer, form: tx.form.clone(), url, is_of_router, takes_personal }
    }
}
