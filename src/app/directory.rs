//! What the router says of chains and assets, and whether there is a demo wallet. Asked for when a bridge screen is first
//! shown; optional: without it chains and denoms are typed, and the network file names what it knows.

mod choices;

pub(crate) use choices::AssetFacts;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
    time::Duration,
};

use crate::{
    app::prompt::PickChoice,
    config::{Network, Networks},
    domain::{
        Amount, ChainId, Denom, Timestamp,
        text::{clean, clip},
    },
    msg::{Answer, Remote, Request, Slot},
    signing::{FeeUnit, SendingAccess},
    story::transfer::{Names, known_chain},
    wire::{
        ApiError,
        router::{Asset, ChainInfo, DemoInfo, DemoWallet},
    },
};

/// Columns of a chain's name or a ticker at the most.
const NAME: usize = 24;
/// With more chains than this only the assets of those that something names are asked for.
const FEW_CHAINS: usize = 24;
/// Asset lists asked for at once.
const LANES: usize = 6;
/// How old what the demo wallet has may be beside the amount.
const REFRESH: Duration = Duration::from_secs(10);
/// The L1's own asset.
const INIT: &str = "uinit";

/// One to choose, cleaned.
fn choice(label: &str, detail: &str, value: &str) -> PickChoice {
    PickChoice { label: clip(label, NAME), detail: clip(detail, 160), value: value.to_owned() }
}

/// What the router says of chains and assets.
#[derive(Debug, Default)]
pub(crate) struct Directory {
    /// The chains, hidden ones left out.
    pub(crate) chains: Remote<Arc<Vec<ChainInfo>>>,
    /// The assets by chain, as far as they were asked for.
    pub(crate) assets: BTreeMap<ChainId, Remote<Arc<Vec<Asset>>>>,
    /// What the server says of itself where it is the embedded rollup.
    pub(crate) demo: Remote<Option<Arc<DemoInfo>>>,
    /// When that was asked for.
    demo_asked: Option<Timestamp>,
    /// Tokens that the network file knows, on the network's own chain.
    own: Vec<(ChainId, Denom, String, u8)>,
    /// Chains whose assets are wanted though there are too many chains to ask for all.
    wanted: BTreeSet<ChainId>,
    /// Counts the answers: what was made with an older one may name things otherwise.
    pub(crate) edition: u64,
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
        let known = known.map(|(.., decimals)| *decimals);
        let built_in = || Networks::built_in().token(chain, denom).map(|token| token.decimals);
        self.asset(chain, denom).and_then(|asset| asset.decimals).or(known).or_else(built_in)
    }

    /// The asset that stands on another chain for this one: of the same symbol.
    pub(crate) fn counterpart(&self, chain: &ChainId, denom: &Denom, other: &ChainId) -> Option<Denom> {
        let symbol = &self.asset(chain, denom)?.symbol;
        let assets = self.assets.get(other)?.value()?;
        assets.iter().find(|asset| !symbol.is_empty() && asset.symbol == *symbol).map(|asset| asset.denom.clone())
    }

    /// The way that most people go: the L1, its INIT, and what that is on this rollup. `None` while that is not known, or
    /// for the L1 itself.
    pub(crate) fn usual_way(&self, rollup: &ChainId) -> Option<(ChainId, Denom, Denom)> {
        let init = Denom::new(INIT);
        let here = self.assets.get(rollup)?.value()?.iter();
        let here =
            here.into_iter().find(|asset| asset.origin_denom.as_ref() == Some(&init) || asset.symbol == "INIT")?;
        let chains = self.chains.value()?.iter().filter(|chain| chain.chain_id != *rollup);
        let home = chains.into_iter().find(|chain| self.asset(&chain.chain_id, &init).is_some())?;
        Some((home.chain_id.clone(), init, here.denom.clone()))
    }

    /// What the demo wallet has of an asset, where there is one.
    pub(crate) fn held(&self, chain: &ChainId, denom: &Denom) -> Option<Amount> {
        self.wallet()?.balances.get(chain)?.get(denom)?.parse().ok()
    }

    /// The chains to choose from; the network's own too where the router does not list it.
    pub(crate) fn chain_choices(&self, own: Option<&ChainId>) -> Vec<PickChoice> {
        let listed = self.chains.value().map(|chains| chains.as_slice()).unwrap_or_default();
        let missing = own.filter(|own| self.chain(own).is_none());
        let missing = missing.map(|own| choice(own.as_str(), "this network", own.as_str()));
        let listed = listed.iter().map(|chain| {
            let id = chain.chain_id.as_str();
            choice(chain.name(), [id, &chain.chain_type].join(" · ").trim_end_matches(" · "), id)
        });
        missing.into_iter().chain(listed).collect()
    }

    /// Something on screen names assets of this chain.
    pub(in crate::app) fn want(&mut self, chain: &ChainId) {
        if !self.wanted.contains(chain) {
            self.wanted.insert(chain.clone());
        }
    }

    /// What never came is to be asked for again.
    pub(in crate::app) fn forget_failures(&mut self) {
        self.chains.forget_failure();
        self.demo.forget_failure();
        self.assets.values_mut().filter(|assets| assets.error().is_some()).for_each(Remote::forget_failure);
    }

    /// The questions for the names of these chains and of their assets that nobody has asked yet; from now on they count
    /// as asked.
    pub(in crate::app) fn learn(&mut self, named: BTreeSet<ChainId>, now: Timestamp) -> Vec<(Slot, Request)> {
        let mut questions = Vec::new();
        if matches!(self.chains, Remote::Idle) {
            self.chains.ask(now);
            questions.push((Slot::Chains, Request::Chains));
        }
        for chain in named {
            if self.chain(&chain).is_none() {
                continue;
            }
            let assets = self.assets.entry(chain.clone()).or_default();
            if matches!(assets, Remote::Idle) {
                assets.ask(now);
                questions.push((Slot::Assets(chain.clone()), Request::Assets(chain)));
            }
        }
        questions
    }

    /// The next chain whose assets are to be asked for, with its place in the list.
    fn next_wanted(&self, own: Option<&ChainId>) -> Option<ChainId> {
        let chains = self.chains.value()?;
        let is_wanted = |id: &ChainId| chains.len() <= FEW_CHAINS || own == Some(id) || self.wanted.contains(id);
        let is_home = |id: &ChainId| self.own.iter().any(|(chain, ..)| chain == id);
        let is_unknown = |id: &ChainId| self.assets.get(id).is_none_or(|assets| matches!(assets, Remote::Idle));
        let mut ids = chains.iter().map(|chain| &chain.chain_id);
        ids.find(|id| (is_wanted(id) || is_home(id)) && is_unknown(id)).cloned()
    }

    /// Where the API of the embedded rollup's executor is, as a path of the router; `None` where that is no such rollup.
    pub(crate) fn executor_path(&self) -> Option<&str> {
        self.demo.value()?.as_ref().map(|demo| demo.executor.as_str()).filter(|path| path.starts_with('/'))
    }

    /// The chain that hosts optimistic bridges, where the router lists it with its REST.
    pub(crate) fn settlement(&self) -> Option<&ChainInfo> {
        let mut chains = self.chains.value()?.iter();
        chains.find(|chain| Names::is_settlement(self, &chain.chain_id) && !chain.rest.is_empty())
    }

    /// The base address of its REST.
    pub(crate) fn settlement_rest(&self) -> Option<&str> {
        self.settlement().map(|chain| chain.rest.as_str())
    }

    /// How a chain is reached by who sends something there, as far as the router and the person say: with the person's
    /// own REST of it, where there is one.
    pub(crate) fn sending_access(&self, chain: &ChainId, own_rest: Option<&str>) -> SendingAccess {
        let assets = self.assets.get(chain).and_then(|assets| assets.value());
        let units = assets.into_iter().flat_map(|assets| assets.iter()).filter(|asset| !asset.symbol.is_empty());
        let unit = |asset: &Asset| {
            let (denom, symbol) = (asset.denom.clone(), clean(&asset.symbol).into_owned());
            Some(FeeUnit { denom, symbol, decimals: asset.decimals? })
        };
        let access = SendingAccess::of(self.chain(chain), own_rest, units.filter_map(unit).collect());
        SendingAccess { is_simulated: self.is_demo(), ..access }
    }

    /// Whether the router has not told its chains yet, and has not failed to.
    pub(crate) fn awaits_chains(&self) -> bool {
        self.chains.value().is_none() && self.chains.error().is_none()
    }

    /// The REST of a chain that hosts optimistic bridges, where the router names one.
    pub(crate) fn host_rest(&self, chain: &ChainId) -> Option<&str> {
        let listed = self.chain(chain).filter(|_| Names::is_settlement(self, chain))?;
        Some(listed.rest.as_str()).filter(|rest| !rest.is_empty())
    }

    /// Whether the router is of a simulation.
    pub(crate) fn is_demo(&self) -> bool {
        self.demo.value().is_some_and(Option::is_some)
    }

    /// The demo wallet, where there is one.
    pub(crate) fn wallet(&self) -> Option<&DemoWallet> {
        self.demo.value()?.as_ref()?.wallet.as_ref()
    }
}

impl Names for Directory {
    fn chain(&self, chain: &ChainId) -> String {
        let named = self.chain(chain).map(ChainInfo::name);
        clip(named.or_else(|| known_chain(chain)).unwrap_or(chain.as_str()), NAME)
    }

    fn amount(&self, chain: &ChainId, denom: &Denom, amount: Amount) -> String {
        let built_in = || Networks::built_in().token(chain, denom).map(|token| token.decimals);
        match self.decimals(chain, denom).or_else(built_in) {
            Some(decimals) => format!("{} {}", amount.display(decimals), Names::denom(self, chain, denom)),
            None => format!("{} smallest units of {}", amount.display(0), Names::denom(self, chain, denom)),
        }
    }

    fn denom(&self, chain: &ChainId, denom: &Denom) -> String {
        let listed = self.asset(chain, denom).map(|asset| asset.symbol.as_str()).filter(|symbol| !symbol.is_empty());
        let known = self.own.iter().find(|(on, name, ..)| on == chain && name == denom);
        let built_in = || Networks::built_in().token(chain, denom).map(|token| token.symbol.as_str());
        let known = known.map(|(_, _, symbol, _)| symbol.as_str());
        listed.or(known).or_else(built_in).map_or_else(|| denom.short(), |name| clip(name, NAME))
    }
}

/// What is known of who wants the directory's answers.
pub(super) struct DirectoryDemand<'a> {
    /// The chain of the indexer that is asked.
    pub(super) own: Option<&'a ChainId>,
    /// Whether what the demo wallet has is on screen.
    pub(super) shows_wallet: bool,
    pub(super) is_frozen: bool,
}

impl Directory {
    /// What is to be asked now: chains and the wallet, and the assets of the chains, a few lists at a time: of all of them
    /// where they are few, else of those that something names.
    pub(super) fn ask(
        &mut self,
        demand: &DirectoryDemand<'_>,
        is_waiting: impl Fn(&Slot) -> bool,
        now: Timestamp,
    ) -> Vec<(Slot, Request)> {
        let mut asked = Vec::new();
        if matches!(self.chains, Remote::Idle) {
            self.chains.ask(now);
            asked.push((Slot::Chains, Request::Chains));
        }
        if self.is_wallet_due(demand, now) && !is_waiting(&Slot::DemoInfo) {
            self.demo.ask(now);
            self.demo_asked = Some(now);
            asked.push((Slot::DemoInfo, Request::DemoInfo));
        }
        while self.assets.values().filter(|assets| assets.is_loading()).count() < LANES
            && let Some(chain) = self.next_wanted(demand.own)
        {
            self.assets.entry(chain.clone()).or_default().ask(now);
            asked.push((Slot::Assets(chain.clone()), Request::Assets(chain)));
        }
        asked
    }

    /// Whether what the demo wallet has is to be asked for: once, and again while it is on screen beside the amount.
    fn is_wallet_due(&self, demand: &DirectoryDemand<'_>, now: Timestamp) -> bool {
        if matches!(self.demo, Remote::Idle) {
            return true;
        }
        let is_old = self.demo_asked.is_none_or(|at| now.since(at) >= REFRESH);
        demand.shows_wallet && is_old && !demand.is_frozen && self.wallet().is_some()
    }

    /// An answer to one of its questions came.
    pub(super) fn take(&mut self, slot: Slot, result: Result<Answer, ApiError>, now: Timestamp) {
        self.edition += 1;
        match (slot, result) {
            (_, Ok(Answer::Chains(chains))) => self.chains.settle(Ok(chains), now),
            (_, Ok(Answer::Assets(chain, assets))) => self.assets.entry(chain).or_default().settle(Ok(assets), now),
            (_, Ok(Answer::DemoInfo(demo))) => self.demo.settle(Ok(demo), now),
            (Slot::Chains, Err(error)) => self.chains.settle(Err(error), now),
            (Slot::DemoInfo, Err(error)) => self.demo.settle(Err(error), now),
            (Slot::Assets(chain), Err(error)) => self.assets.entry(chain).or_default().settle(Err(error), now),
            _ => {}
        }
    }
}
