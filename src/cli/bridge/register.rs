use std::{
    io::{self, IsTerminal},
    time::Duration,
};

use indicatif::ProgressBar;
use tokio::sync::Semaphore;

use super::{
    super::{CommandError, TrackArguments, arguments::TxArguments, output::CommandOutput, table::TableCell},
    Router,
    print::{BridgeAnswer, OutputStyle, print},
    router_names::RouterNames,
};
use crate::{
    client::endpoints,
    domain::Timestamp,
    story::transfer::{Occasion, next_try},
    wire::{
        ApiError, ErrorKind,
        router::{TrackRequest, TrackResponse},
    },
};

/// Has a transaction watched and prints the answer.
pub(super) async fn run(
    arguments: &TrackArguments,
    router: &Router,
    output: &mut CommandOutput,
) -> Result<(), CommandError> {
    let body = register(router, &arguments.tx).await.map_err(|error| router.failure(error))?;
    print::<TrackResponse>(&body, router, output).await
}

/// The transaction of a command, its hash in the form of its chain.
pub(super) fn request(tx: &TxArguments) -> TrackRequest {
    TrackRequest { tx_hash: tx.hash.for_chain(&tx.chain).to_string(), chain_id: tx.chain.clone() }
}

/// Asks until the router takes the transaction, as patiently as real clients do straight after the broadcast; it may see
/// one some seconds late. What it does not merely not know yet is an error at once.
pub(super) async fn register(router: &Router, tx: &TxArguments) -> Result<Vec<u8>, ApiError> {
    ask_until_taken(router, tx, None, &RegistrationProgress::new()).await
}

/// The same beside others that ask too: each question waits for its turn, and nothing is drawn.
pub(super) async fn register_in_turn(
    router: &Router,
    tx: &TxArguments,
    turns: &Semaphore,
) -> Result<Vec<u8>, ApiError> {
    ask_until_taken(router, tx, Some(turns), &RegistrationProgress(None)).await
}

async fn ask_until_taken(
    router: &Router,
    tx: &TxArguments,
    turns: Option<&Semaphore>,
    waiting: &RegistrationProgress,
) -> Result<Vec<u8>, ApiError> {
    let request = request(tx);
    let ask = async || {
        let _turn = match turns {
            Some(turns) => turns.acquire().await.ok(),
            None => None,
        };
        router.client.raw(endpoints::track(&request)).await
    };
    let mut tries = 0;
    loop {
        let error = match ask().await {
            Ok(body) => return Ok(body),
            Err(error) => error,
        };
        tries += 1;
        let retry_after = if let ErrorKind::RateLimited(wait) = error.kind { wait } else { None };
        let now = Timestamp::now();
        let next = next_try(Occasion::Broadcast, tries, Some(now), retry_after, now);
        let is_worth_it = matches!(error.kind, ErrorKind::Untracked(_)) || error.is_transient();
        let Some(next) = next.filter(|_| is_worth_it && tries < tx.tries) else { return Err(error) };
        waiting.warn(tries, tx.tries, &error);
        tokio::time::sleep(next.since(now)).await;
    }
}

/// A line on standard error while the router does not take a transaction yet; nothing where that is no terminal.
struct RegistrationProgress(Option<ProgressBar>);

impl RegistrationProgress {
    fn new() -> Self {
        Self(io::stderr().is_terminal().then(ProgressBar::new_spinner))
    }

    fn warn(&self, tries: u32, most: u32, error: &ApiError) {
        if let Some(bar) = &self.0 {
            bar.enable_steady_tick(Duration::from_millis(200));
            bar.set_message(format!("not taken yet, asked {tries} of {most} times: {}", error.brief()));
        }
    }
}

impl Drop for RegistrationProgress {
    fn drop(&mut self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}

impl BridgeAnswer for TrackResponse {
    const CSV: &'static [&'static str] = &["tx_hash", "explorer_link"];

    fn csv(&self) -> Vec<Vec<String>> {
        vec![vec![self.tx_hash.clone(), self.explorer_link.clone()]]
    }

    fn table(&self, _: &RouterNames, style: OutputStyle) -> String {
        let mut fields = vec![("Watched", TableCell::new(&self.tx_hash))];
        if !self.explorer_link.is_empty() {
            fields.push(("Page", TableCell::new(&self.explorer_link)));
        }
        style.details(&fields)
    }
}
