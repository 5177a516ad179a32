use std::{
    io::{self, IsTerminal},
    time::Duration,
};

use indicatif::ProgressBar;

use super::{
    super::{CommandError, TrackArguments, arguments::TxArguments, output::CommandOutput, table::TableCell},
    Router,
    print::{BridgeAnswer, OutputStyle, print},
    router_names::RouterNames,
};
use crate::{
    client::{RouterClient, endpoints},
    domain::Timestamp,
    transfers::{TrackReason, next_try},
    wire::{
        ApiError, ErrorKind,
        router::{TrackRequest, TrackResponse},
    },
};

/// Registers a transaction with the router and prints the response.
pub(super) async fn run(
    arguments: &TrackArguments,
    router: &Router,
    output: &mut CommandOutput,
) -> Result<(), CommandError> {
    let body = register(router.client()?, &arguments.tx).await.map_err(|error| router.failure(error))?;
    print::<TrackResponse>(&body, router, output).await
}

/// Creates the tracking request of a command, with the hash in its chain's format.
fn request(tx: &TxArguments) -> TrackRequest {
    TrackRequest { tx_hash: tx.hash.for_chain(&tx.chain).to_string(), chain_id: tx.chain.clone() }
}

/// Registers a transaction. Retries while the router does not know the transaction, because it may see a broadcast some
/// seconds late; fails immediately on another error.
pub(super) async fn register(client: &RouterClient, tx: &TxArguments) -> Result<Vec<u8>, ApiError> {
    let (request, waiting) = (request(tx), RegistrationProgress::new());
    let mut tries = 0;
    loop {
        let error = match client.raw(endpoints::track(&request)).await {
            Ok(body) => return Ok(body),
            Err(error) => error,
        };
        tries += 1;
        let retry_after = if let ErrorKind::RateLimited(wait) = error.kind { wait } else { None };
        let now = Timestamp::now();
        let next = next_try(TrackReason::Broadcast, tries, Some(now), retry_after, now);
        let Some(next) = next.filter(|_| may_pass(&error) && tries < tx.tries) else { return Err(error) };
        waiting.warn(tries, tx.tries, &error);
        tokio::time::sleep(next.since(now)).await;
    }
}

/// Whether a retry may succeed.
pub(super) fn may_pass(error: &ApiError) -> bool {
    matches!(error.kind, ErrorKind::Untracked(_)) || error.is_transient()
}

/// Progress line on standard error until the router accepts the transaction; hidden without a terminal.
pub(super) struct RegistrationProgress(Option<ProgressBar>);

impl RegistrationProgress {
    pub(super) fn new() -> Self {
        Self(io::stderr().is_terminal().then(ProgressBar::new_spinner))
    }

    pub(super) fn warn(&self, tries: u32, most: u32, error: &ApiError) {
        if let Some(bar) = &self.0 {
            bar.enable_steady_tick(Duration::from_millis(200));
            bar.set_message(format!(
                "the router has not accepted the transaction yet, attempt {tries} of {most}: {}",
                error.brief()
            ));
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
        vec![vec![self.tx_hash.clone(), self.explorer_link.as_received().to_owned()]]
    }

    fn table(&self, _: &RouterNames, style: OutputStyle) -> String {
        let mut fields = vec![("Watched", TableCell::new(&self.tx_hash))];
        if !self.explorer_link.is_empty() {
            fields.push(("Page", TableCell::new(self.explorer_link.as_received())));
        }
        style.details(&fields)
    }
}
