//! Messages of IBC (`docs/apis/story.md` §1.3).

mod memo_words;
mod packet_words;
mod relay;
mod send;
mod setup;
#[cfg(test)]
mod tests;

pub(crate) use memo_words::on_acceptance;
pub(crate) use packet_words::{arrived, left, parties, receiver};

use super::nested::SentenceContext;
use crate::story::{context::MessageRef, words::clause::Clause};

pub(super) fn render(context: &SentenceContext<'_>, message: MessageRef<'_>) -> Option<Clause> {
    match message.kind.as_str() {
        "ibc.applications.transfer.v1.MsgTransfer" | "ibc.core.channel.v2.MsgSendPacket" => {
            Some(send::tokens(context, message))
        }
        "ibc.applications.nft_transfer.v1.MsgTransfer" => Some(send::nfts(context, message)),
        "ibc.core.channel.v1.MsgRecvPacket" | "ibc.core.channel.v2.MsgRecvPacket" => {
            Some(relay::receive(context, message))
        }
        "ibc.core.channel.v1.MsgAcknowledgement" | "ibc.core.channel.v2.MsgAcknowledgement" => {
            Some(relay::acknowledge(context, message))
        }
        "ibc.core.channel.v1.MsgTimeout"
        | "ibc.core.channel.v1.MsgTimeoutOnClose"
        | "ibc.core.channel.v2.MsgTimeout" => Some(relay::expire(context, message)),
        kind => {
            const OURS: [&str; 3] = ["ibc.", "noble.forwarding.", "cosmos.ibc."];
            OURS.iter().any(|prefix| kind.starts_with(prefix)).then(|| setup::render(context, message))
        }
    }
}
