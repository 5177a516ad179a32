use std::{path::PathBuf, sync::Arc, time::Duration};

use rollscope::{
    client::{ClientOptions, NodeAddresses},
    config::{Network, NodeLocation},
    msg::{Answer, Instruction, Report, Request},
    tui::{Start, WorkerLink},
    wire::ApiError,
    worker::{OutcomeProgram, OutcomeTurn, Worker, WorkerOptions},
};
use tokio::{runtime::Handle, sync::mpsc};

use super::shared::{Shared, State};

/// More than any test has under way at once.
const CAPACITY: usize = 4096;

/// A worker that never answers.
pub(super) fn silent() -> Start {
    Box::pin(async {
        let (sender, reports) = mpsc::channel(1);
        // The sender is kept: a worker whose reports end is another case.
        let send = move |_| {
            let _ = &sender;
        };
        Ok(WorkerLink { send: Box::new(send), reports })
    })
}

/// The worker that users have, but for the waits between tries: tests have better things to do.
pub(super) fn real(
    network: &Network,
    store: Option<PathBuf>,
    timeout: Option<Duration>,
    on_end: Option<OutcomeProgram>,
) -> Start {
    let Network { indexer: url, router, node, .. } = network;
    // Nothing is asked outside of this machine, whatever an NFT names.
    let ipfs_gateway = Some(format!("{url}/demo/v1/ipfs"));
    let usual = ClientOptions::default();
    let timeout = timeout.unwrap_or(usual.timeout);
    let client = ClientOptions { first_wait: Duration::from_millis(1), timeout, ipfs_gateway, ..usual };
    let (indexer_url, network) = (url.to_owned(), Network::unnamed(url.to_owned()).key().to_owned());
    let router_url = router.clone();
    let other_nodes = node.as_ref().map(|node| node.others.clone()).unwrap_or_default();
    let node = node.clone().map(|NodeLocation { node, rest, json_rpc, .. }| NodeAddresses { node, rest, json_rpc });
    let options = WorkerOptions {
        indexer_url,
        router_url,
        node,
        other_nodes,
        client,
        store,
        network,
        on_end,
        turn: OutcomeTurn::default(),
    };
    Box::pin(async move {
        let (worker, reports) = Worker::spawn(options, &Handle::current())?;
        Ok(WorkerLink { send: Box::new(move |command| worker.send(command)), reports })
    })
}

/// A worker that answers every request at once, with what the script says.
pub(super) fn scripted(mut script: impl FnMut(&Request) -> Result<Answer, ApiError> + Send + 'static) -> Start {
    Box::pin(async move {
        let (sender, reports) = mpsc::channel(CAPACITY);
        let send = move |command| {
            if let Instruction::Fetch(ticket, request) = command {
                let reply = Report::Reply(ticket, script(&request));
                sender.try_send(reply).expect("room for the answer, and a loop that takes it");
            }
        };
        Ok(WorkerLink { send: Box::new(send), reports })
    })
}

/// A scripted worker with a book of the requests it got and of those it has not answered yet.
pub(super) fn observed(start: Start, shared: Arc<Shared>) -> Start {
    Box::pin(async move {
        let WorkerLink { mut send, reports: mut inner } = start.await?;
        let (sender, reports) = mpsc::channel(CAPACITY);
        let book = Arc::clone(&shared);
        tokio::spawn(async move {
            while let Some(report) = inner.recv().await {
                let ticket = if let Report::Reply(ticket, _) = &report { Some(ticket.clone()) } else { None };
                if sender.send(report).await.is_err() {
                    break;
                }
                // Only now: who sees no open request may rely on the answer lying in the loop's queue.
                let Some(ticket) = ticket else { continue };
                book.change(|state| state.outstanding.retain(|waiting| *waiting != ticket));
            }
        });
        let send = move |command: Instruction| {
            shared.change(|state| note(state, &command));
            send(command);
        };
        Ok(WorkerLink { send: Box::new(send), reports })
    })
}

fn note(state: &mut State, command: &Instruction) {
    match command {
        Instruction::Fetch(ticket, _) => {
            state.outstanding.retain(|waiting| waiting.slot != ticket.slot);
            state.outstanding.push(ticket.clone());
        }
        Instruction::Cancel(slot) => {
            state.outstanding.retain(|waiting| waiting.slot != *slot);
        }
        Instruction::TellOutcome(_)
        | Instruction::Remember(_)
        | Instruction::KeepPersonal(_)
        | Instruction::KeepView(_)
        | Instruction::Keep(_)
        | Instruction::Forget(_)
        | Instruction::CloseChainScope
        | Instruction::Sign(..)
        | Instruction::StopSigning(..)
        | Instruction::AllowSigning(_) => {}
    }
    state.commands.push(command.clone());
}
