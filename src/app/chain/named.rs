//! The network names one chain, and its server answers for another: nothing of it is shown.

use super::Chain;
use crate::{
    app::App,
    config::Network,
    domain::{ChainId, Timestamp, text},
    msg::{Request, Slot},
    wire,
};

/// Columns of a name in a sentence.
const NAME: usize = 40;

/// The chain that the network names, and the one that its server answers for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NamedElse {
    pub(crate) named: ChainId,
    pub(crate) answering: ChainId,
}

impl NamedElse {
    /// Where the network names a chain, and the status is of another.
    fn of(network: &Network, status: &wire::Status) -> Option<Self> {
        let named = network.chain_id.as_deref().filter(|named| *named != status.chain_id)?;
        Some(Self { named: ChainId::new(named), answering: ChainId::new(status.chain_id.as_str()) })
    }

    /// What is wrong, in a sentence: of which network, and where it was asked.
    pub(crate) fn sentence(&self, network: &Network) -> String {
        format!(
            "the network “{}” is {}, but {} answers for {}",
            text::clip(&network.name, NAME),
            text::clip(self.named.as_str(), NAME),
            text::clip(&network.indexer, 2 * NAME),
            text::clip(self.answering.as_str(), NAME),
        )
    }
}

impl Chain {
    /// Nothing known of the chain that is named, since another one answers; the status alone is asked for, as seldom as
    /// may be.
    fn named_else(of: NamedElse, now: Timestamp) -> Self {
        Self {
            named_else: Some(of),
            status_due: Some(now.after(super::SLOWEST)),
            average_due: None,
            oldest_due: None,
            ..Self::new(now)
        }
    }
}

impl App {
    /// Compares the chain of a status with the one that the network names; whether it is another. Then all that came is
    /// dropped and nothing more is asked for; where it is the named one again, everything begins.
    pub(in crate::app) fn refuse_other_chain(&mut self, status: &wire::Status) -> bool {
        let found = NamedElse::of(&self.context.network, status);
        if found.is_none() && self.context.chain.named_else.is_none() {
            return false;
        }
        self.requests.cancel_where(|_| true);
        self.restart_pages();
        self.effects.redraw = true;
        let Some(found) = found else {
            self.context.chain = Chain::new(self.now);
            self.requests.fetch(Slot::Recents, Request::Recents);
            self.requests.fetch(Slot::Transfers, Request::Transfers);
            return false;
        };
        self.modal = None;
        self.context.chain = Chain::named_else(found, self.now);
        true
    }
}
