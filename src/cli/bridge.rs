//! The commands of the bridge: a quote, what is to be signed, the demo wallet, and where the funds are.
//!
//! ```text
//! bundle    all that is known of a transfer as one file
//! claim     what was withdrawn over the optimistic bridge: where it stands, and the claim on the L1
//! connect   which routing API is asked, and what its refusals mean to a script
//! quote     a route
//! hook      what must be signed before the messages, and the demo wallet's signature
//! messages  what is to be signed; sending with the demo wallet
//! register  having a transaction watched, as patiently as real clients
//! transfer  one look at a transfer
//! transfers many transfers: one look, or followed together
//! watch     following: a line for each change, or bars
//! outcome   the person's program is given the outcome of a transfer that was followed
//! following drives followers: carries their questions and answers
//! print     an answer in every format
//! unsigned  files for the chains' own command lines
//! signing   what the browser's wallet signs, kept, sent and watched
//! trust     contracts that nobody knows, and the second yes to them
//! router_names  chains and tokens by the router's lists
//! link      a link to a web bridge, and a code of it
//! find_sent what another program signed, found by its messages
//! files     what earlier commands wrote
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

/// Runs a command of the bridge.
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
