//! What the router says of chains and assets, and whether there is a demo wallet. Asked for when a bridge screen is first
//! shown; optional: without it chains and denoms are typed, and the network file names what it knows.

use std::{collections::BTreeMap, sync::Arc};

use crate::{
    app::{App, remote::Remote, view::View},
    config::Network,
    domain::{Amount, ChainId, Denom, text::clip},
    msg::{Answer, Request, Slot},
    story::transfer::Names,
    wire::{
        ApiError,
        router::{Asset, ChainInfo, DemoInfo, DemoWallet},
    },
};

/// Columns of a chain's name or a ticker at the most.
const NAME: usize = 24;

/// What the router says of chains and assets.
#[derive(Debug, Default)]
pub(crate) struct Directory {
    /// The chains, hidden ones left out.
    pub(crate) chains: Remote<Arc<Vec<ChainInfo>>>,
    /// The assets by chain, as far as they were asked for.
    pub(crate) assets: BTreeMap<ChainId, Remote<Arc<Vec<Asset>>>>,
    /// What the server says of itself where it is the embedded rollup.
    pub(crate) demo: Remote<Option<Arc<DemoInfo>>>,
    /// Tokens that the network file knows, on the network's own chain.
    own: Vec<(ChainId, Denom, String, u8)>,
}

impl Directory {
    /// With what the network file knows.
    pub(crate) fn new(network: &Network) -> Self {
        let chain = network.chain_id.as_deref().map(ChainId::new);
        let own = network.tokens.iter().filter_map(|token| {
            Some((chain.clone()?, Denom::new(token.denom.as_str()), token.symbol.clone(), token.decimals))
        });
        Self { own: own.collect(), ..Self::default() }
    }

    /// A chain by its id.
    pub(crate) fn chain(&self, id: &ChainId) -> Option<&ChainInfo> {
        self.chains.value()?.iter().find(|chain| chain.chain_id == *id)
    }

    /// An asset of a chain, where the router lists it.
    pub(crate) fn asset(&self, chain: &ChainId, denom: &Denom) -> Option<&Asset> {
        self.assets.get(chain)?.value()?.iter().find(|asset| asset.denom == *denom)
    }

    /// Digits after the point of a denom on its own chain; `None` where nobody says.
    pub(crate) fn decimals(&self, chain: &ChainId, denom: &Denom) -> Option<u8> {
        let known = self.own.iter().find(|(on, name, ..)| on == chain && name == denom);
        self.asset(chain, denom).and_then(|asset| asset.decimals).or(known.map(|(.., decimals)| *decimals))
    }

    /// The demo wallet, where there is one.
    pub(crate) fn wallet(&self) -> Option<&DemoWallet> {
        self.demo.value()?.as_ref()?.wallet.as_ref()
    }
}

impl Names for Directory {
    fn chain(&self, chain: &ChainId) -> String {
        clip(self.chain(chain).map_or(chain.as_str(), ChainInfo::name), NAME)
    }

    fn amount(&self, chain: &ChainId, denom: &Denom, amount: Amount) -> String {
        match self.decimals(chain, denom) {
            Some(decimals) => format!("{} {}", amount.display(decimals), Names::denom(self, chain, denom)),
            None => format!("{} {}", amount.display(0), clip(denom.as_str(), NAME)),
        }
    }

    fn denom(&self, chain: &ChainId, denom: &Denom) -> String {
        let listed = self.asset(chain, denom).map(|asset| asset.symbol.as_str()).filter(|symbol| !symbol.is_empty());
        let known = self.own.iter().find(|(on, name, ..)| on == chain && name == denom);
        listed.or(known.map(|(_, _, symbol, _)| symbol.as_str())).map_or_else(|| denom.short(), |name| clip(name, NAME))
    }
}

impl App {
    /// Whether a routing API is known for this network.
    pub(crate) fn has_router(&self) -> bool {
        self.network.router.is_some()
    }

    /// Asks for chains and the wallet while a bridge screen is shown, and for the assets of every chain that it names.
    pub(in crate::app) fn meet_directory_needs(&mut self) {
        let is_bridge = matches!(self.navigation.current(), View::Bridge(_) | View::Prepare(_) | View::Transfer(_));
        if !is_bridge || !self.has_router() {
            return;
        }
        let now = self.now;
        if matches!(self.directory.chains, Remote::Idle) {
            self.directory.chains.ask(now);
            self.fetch(Slot::Chains, Request::Chains);
        }
        if matches!(self.directory.demo, Remote::Idle) {
            self.directory.demo.ask(now);
            self.fetch(Slot::DemoInfo, Request::DemoInfo);
        }
        let chains = self.directory.chains.value().map(Arc::clone).unwrap_or_default();
        for (place, chain) in (0..).zip(chains.iter()) {
            let assets = self.directory.assets.entry(chain.chain_id.clone()).or_default();
            if matches!(assets, Remote::Idle) {
                assets.ask(now);
                self.fetch(Slot::Assets(place), Request::Assets(chain.chain_id.clone()));
            }
        }
    }

    /// An answer to one of the directory's questions came.
    pub(in crate::app) fn take_directory(&mut self, slot: Slot, result: Result<Answer, ApiError>) {
        let now = self.now;
        match (slot, result) {
            (_, Ok(Answer::Chains(chains))) => self.directory.chains.settle(Ok(chains), now),
            (_, Ok(Answer::Assets(chain, assets))) => {
                self.directory.assets.entry(chain).or_default().settle(Ok(assets), now);
            }
            (_, Ok(Answer::DemoInfo(demo))) => self.directory.demo.settle(Ok(demo), now),
            (Slot::Chains, Err(error)) => self.directory.chains.settle(Err(error), now),
            (Slot::DemoInfo, Err(error)) => self.directory.demo.settle(Err(error), now),
            (Slot::Assets(place), Err(error)) => {
                let chains = self.directory.chains.value().map(Arc::clone).unwrap_or_default();
                if let Some(chain) = chains.get(place as usize) {
                    self.directory.assets.entry(chain.chain_id.clone()).or_default().settle(Err(error), now);
                }
            }
            _ => {}
        }
        self.effects.redraw = true;
    }
}
