//! Link to a web bridge, where the user can sign; printed on standard error.

use std::io::{self, IsTerminal as _};

use super::super::output::CommandOutput;
use crate::{
    domain::{QrMatrix, web_bridge_link},
    wire::router::Route,
};

/// Prints the link, and on a terminal its QR code.
pub(super) fn say(route: &Route, output: &CommandOutput) {
    let link = web_bridge_link(
        (&route.source_asset_chain_id, &route.source_asset_denom),
        (&route.dest_asset_chain_id, &route.dest_asset_denom),
    );
    eprintln!("{link}");
    if let Some(code) = QrMatrix::new(&link).filter(|_| io::stderr().is_terminal()) {
        eprint!("{}", code.text(output.colored));
    }
}
