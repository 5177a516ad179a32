use std::{sync::Arc, time::Duration};

use tokio::time::timeout;

use super::cosmos::bech32_of;
use crate::{
    client::{ClientOptions, EvmClient, SendingClient, SimulationAnswer},
    domain::{Height, Timestamp},
    signing::{
        HeldCoins, ReadyForm, SignDocument, SignableMessage, SigningFee, SigningMode, SimulatedRun, SimulationQuestion,
        TxSimulation,
    },
    wire::{
        ApiError, RawJson, Tx,
        node::GrpcError,
        proto::{decode_tx, tx_hash},
    },
};

/// What a node's message has behind the error of a simulation.
const GAS_USED: &str = " with gas used: ";

/// How long a signature waits for what a node tells only to warn the user.
pub(super) const PATIENCE: Duration = Duration::from_secs(5);

/// Asks a node what a transaction would do. Never fails: the result may be that nothing is known.
pub async fn simulate(question: &SimulationQuestion, options: &ClientOptions) -> TxSimulation {
    let late = || (SimulatedRun::Untold(format!("no answer within {} s", PATIENCE.as_secs())), None);
    let (run, held) = timeout(PATIENCE, answer(question, options)).await.unwrap_or_else(|_| late());
    TxSimulation { host: host_of(&question.url), is_of_router: question.is_of_router, run, held }
}

async fn answer(question: &SimulationQuestion, options: &ClientOptions) -> (SimulatedRun, Option<HeldCoins>) {
    match &question.form {
        _ if question.url.is_empty() => (SimulatedRun::Untold("no node of the chain is known".to_owned()), None),
        ReadyForm::Cosmos(messages) => of_messages(question, messages, options).await,
        ReadyForm::Ethereum(call) if !call.approvals.is_empty() => {
            (SimulatedRun::Untold("the allowance comes first".to_owned()), None)
        }
        ReadyForm::Ethereum(call) => {
            let run = match EvmClient::new(&question.url, options.clone()) {
                Ok(client) => client.try_call(call).await.map_or_else(|error| untold(&error), SimulatedRun::Ethereum),
                Err(error) => SimulatedRun::Untold(error.to_string()),
            };
            (run, None)
        }
    }
}

async fn of_messages(
    question: &SimulationQuestion,
    messages: &[SignableMessage],
    options: &ClientOptions,
) -> (SimulatedRun, Option<HeldCoins>) {
    let client = match SendingClient::new(&question.url, options.clone()) {
        Ok(client) => client,
        Err(error) => return (SimulatedRun::Untold(error.to_string()), None),
    };
    let signer = bech32_of(&question.signer);
    let (account, held) = tokio::join!(client.account(&signer), client.balances(&signer));
    let held = held.ok().flatten();
    let account = match account {
        Ok(Some(account)) => account,
        Ok(None) => {
            let why = "the signer has no account there and cannot pay the fee".to_owned();
            return (SimulatedRun::Untold(why), held);
        }
        Err(error) => return (untold(&error), held),
    };
    let nothing = SigningFee { amount: Vec::new(), gas: 0 };
    let chain_id = question.chain_id.clone();
    let document = SignDocument::new(chain_id, account.number, account.sequence, nothing, "", messages);
    let mode = if question.takes_personal { SigningMode::Personal } else { SigningMode::Amino };
    let raw = document.simulation(mode, None);
    let run = match client.simulate(&raw).await {
        Ok(SimulationAnswer { gas_used, events }) => {
            simulated_tx(&raw, events, "").map(|tx| SimulatedRun::Cosmos { tx: Arc::new(tx), gas: Some(gas_used) })
        }
        Err(error) => match refusal(&error) {
            Some(log) => simulated_tx(&raw, None, &log).map(|tx| SimulatedRun::Cosmos { tx: Arc::new(tx), gas: None }),
            None => Some(untold(&error)),
        },
    };
    (run.unwrap_or_else(|| SimulatedRun::Untold("rollscope cannot read its own transaction".to_owned())), held)
}

/// Builds the record of a simulated transaction. A log means that it failed: nodes omit the code of a simulation.
fn simulated_tx(raw: &[u8], events: Option<RawJson>, log: &str) -> Option<Tx> {
    let empty = || RawJson::parse("[]".to_owned()).ok();
    Some(Tx {
        txhash: tx_hash(raw),
        height: Height::FIRST,
        codespace: String::new().into(),
        code: u32::from(!log.is_empty()),
        data: String::new(),
        raw_log: log.into(),
        logs: empty()?,
        info: String::new().into(),
        gas_wanted: 0,
        gas_used: 0,
        tx: RawJson::parse(decode_tx(raw).ok()?).ok()?,
        timestamp: Timestamp::EPOCH,
        events: events.or_else(empty)?,
        heights: Vec::new(),
    })
}

/// Returns the chain's log of a transaction that failed in its simulation; `None` for another error.
fn refusal(error: &ApiError) -> Option<String> {
    let told: GrpcError = serde_json::from_str(error.body.as_ref()?).ok()?;
    let is_it = !told.is_passing() && told.code != GrpcError::UNIMPLEMENTED && !told.message.is_empty();
    let log = told.message.as_received().rsplit_once(GAS_USED).map_or(told.message.as_received(), |(log, _)| log);
    // Nodes add the line of their code: ` [cosmos/cosmos-sdk@v0.50.13/baseapp/baseapp.go:1023]`.
    let log = log.strip_suffix(']').and_then(|log| log.rsplit_once(" [")).map_or(log, |(log, _)| log);
    is_it.then(|| log.to_owned())
}

fn untold(error: &ApiError) -> SimulatedRun {
    SimulatedRun::Untold(error.brief())
}

/// Returns host and port of a URL.
pub(super) fn host_of(url: &str) -> String {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.split(['/', '?', '#']).next().unwrap_or_default().to_owned()
}
