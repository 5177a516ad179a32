//! Commands of the bridge: quotes, messages, signing, and the status of transfers.
//!
//! ```text
//! bundle    file with all facts about a transfer
//! claim     stage of an optimistic withdrawal, and the claim on the L1
//! connect   connection to the routing API, and exit statuses of its errors
//! quote     quote of a route
//! hook      hook to sign before the messages, and the demo wallet's signature
//! messages  messages to sign, and their broadcast by the demo wallet
//! register  registration with the router, with retries
//! transfer  status of one transfer
//! transfers status of several transfers
//! watch     following of transfers: a line per change, or progress bars
//! outcome   the user's program for the outcome of a transfer
//! following driver of followers: sends requests, returns responses
//! print     output formats of a response
//! unsigned  files for the chains' own command lines
//! signing   signing in the browser wallet, broadcast and tracking
//! trust     unknown contracts, which the user confirms
//! router_names  names of chains and tokens from the router's lists
//! link      link to a web bridge, with a QR code
//! find_sent search for a transaction that another program signed
//! files     files that earlier commands wrote
//! ```

mod bundle;
mod claim;
mod connect;
mod files;
mod find_sent;
mod following;
mod fund;
mod hook;
mod link;
mod messages;
mod outcome;
mod print;
mod quote;
mod register;
mod router_names;
mod signing;
mod transfer;
mod transfers;
mod trust;
mod unsigned;
mod watch;

pub(super) use connect::Router;

use super::{BridgeCommand, CommandError, output::CommandOutput};

pub(super) async fn run(
    command: &BridgeCommand,
    router: &Router,
    output: &mut CommandOutput,
) -> Result<(), CommandError> {
    match command {
        BridgeCommand::Route(arguments) => quote::run(arguments, router, output).await,
        BridgeCommand::OpHook(arguments) => hook::run(arguments, router, output).await,
        BridgeCommand::DemoSign(arguments) => hook::sign(arguments, router, output).await,
        BridgeCommand::Msgs(arguments) => messages::run(arguments, router, output).await,
        BridgeCommand::DemoSend(arguments) => messages::send(arguments, router, output).await,
        BridgeCommand::Claim(arguments) => claim::run(arguments, router, output).await,
        BridgeCommand::DemoClaim(arguments) => messages::claim(arguments, router, output).await,
        BridgeCommand::DemoFund(arguments) => fund::run(arguments, router, output).await,
        BridgeCommand::FindSent(arguments) => find_sent::run(arguments, router, output).await,
        BridgeCommand::Track(arguments) => register::run(arguments, router, output).await,
        BridgeCommand::Transfer(arguments) => transfers::run(arguments, router, output).await,
    }
}
