//! The messages of IBC (`wire/story.md` §1.3).

mod asked;
mod cargo;
mod relay;
mod send;
mod setup;
#[cfg(test)]
mod tests;

pub(in crate::story) use cargo::{arrived, left, parties};

use crate::story::scene::{Clause, Scene, Told};

/// The messages of IBC.
pub(super) fn tell(scene: &Scene<'_>, told: Told<'_>) -> Option<Clause> {
    match told.kind.as_str() {
        "ibc.applications.transfer.v1.MsgTransfer" => Some(send::tokens(scene, told)),
        "ibc.applications.nft_transfer.v1.MsgTransfer" => Some(send::nfts(scene, told)),
        "ibc.core.channel.v1.MsgRecvPacket" => Some(relay::receive(scene, told)),
        "ibc.core.channel.v1.MsgAcknowledgement" => Some(relay::acknowledge(scene, told)),
        "ibc.core.channel.v1.MsgTimeout" | "ibc.core.channel.v1.MsgTimeoutOnClose" => Some(relay::expire(scene, told)),
        kind => {
            const OURS: [&str; 3] = ["ibc.", "noble.forwarding.", "cosmos.ibc."];
            OURS.iter().any(|prefix| kind.starts_with(prefix)).then(|| setup::tell(scene, told))
        }
    }
}
