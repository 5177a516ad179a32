//! Chains and assets from the router, and the demo wallet. The session requests them when a bridge screen first
//! appears. Without a router, the user types chains and denoms, and the network file names known ones.

mod asking;
mod choices;

pub(in crate::app) use asking::{DirectoryDemand, take_demo};
pub(crate) use choices::AssetFacts;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use crate::{
    app::{Authority, OwnNetwork, fee_units, is_own_simulation, prompt::PickChoice},
    config::{KnownTokens, Network, Networks},
    domain::{
        AddressRule, Amount, ChainId, Denom, Timestamp,
        text::{Foreign, clip},
    },
    msg::Remote,
    signing::{ChainTrust, KnownContracts, SendingAccess},
    story::{Names, UnitSource, known_chain, routed_symbol, settled_name},
    wire::router::{Asset, ChainInfo, ChainKind, DemoInfo, DemoWallet},
};

/// Maximum columns of a chain's name or a ticker.
const NAME: usize = 24;
/// Maximum number of chains for which the session requests every asset list. With more chains, it requests only those
/// on screen.
const FEW_CHAINS: usize = 24;
const INIT: &str = "uinit";

/// Returns a choice without control characters in its texts.
fn choice(label: &str, detail: &str, value: &str) -> PickChoice {
    PickChoice { label: clip(label, NAME), detail: clip(detail, 160), value: value.to_owned() }
}

#[derive(Debug, Default)]
pub(crate) struct Directory {
    /// Chains that the router lists, without hidden chains.
    pub(crate) chains: Remote<Arc<Vec<ChainInfo>>>,
    pub(crate) assets: BTreeMap<ChainId, Remote<Arc<Vec<Asset>>>>,
    pub(crate) demo: Remote<Option<Arc<DemoInfo>>>,
    /// When `demo` was requested.
    demo_asked: Option<Timestamp>,
    network: Network,
    pub(in crate::app) networks: Networks,
    known: KnownTokens,
    /// Chains whose names are on screen. Their assets are requested even if the router has many chains.
    wanted: BTreeSet<ChainId>,
    /// Number of answers so far. Names from an older edition may be outdated.
    pub(crate) edition: u64,
}

impl Directory {
    /// Creates a directory with the network file's tokens.
    pub(crate) fn new(network: &Network, networks: Networks) -> Self {
        Self {
            known: KnownTokens::new(&networks, Some(network)),
            network: network.clone(),
            networks,
            ..Self::default()
        }
    }

    pub(crate) fn chain(&self, id: &ChainId) -> Option<&ChainInfo> {
        self.chains.value()?.iter().find(|chain| chain.chain_id == *id)
    }

    /// Returns the address format of a chain, if known. `own` is the indexer's chain, which is an Initia chain.
    pub(crate) fn address_rule(&self, chain: &ChainId, own: Option<&ChainId>) -> AddressRule {
        let is_number = !chain.as_str().is_empty() && chain.as_str().bytes().all(|byte| byte.is_ascii_digit());
        match self.chain(chain) {
            Some(info) => match info.kind() {
                ChainKind::Evm => AddressRule::Evm,
                ChainKind::Svm => AddressRule::Solana,
                ChainKind::Cosmos | ChainKind::Unknown => AddressRule::of_prefix(&info.bech32_prefix),
            },
            None if own == Some(chain) => AddressRule::Initia,
            None if is_number => AddressRule::Evm,
            None => AddressRule::Unknown,
        }
    }

    /// Returns an asset; `None` if the router does not list it.
    pub(crate) fn asset(&self, chain: &ChainId, denom: &Denom) -> Option<&Asset> {
        self.assets.get(chain)?.value()?.iter().find(|asset| asset.denom.is_same(denom))
    }

    /// Returns the decimals of a denom on its own chain, if known: by settings and registry, else by the router.
    pub(crate) fn decimals(&self, chain: &ChainId, denom: &Denom) -> Option<u8> {
        let known = self.known.token(chain, denom).map(|token| token.decimals);
        known.or_else(|| self.asset(chain, denom)?.decimals)
    }

    /// Returns the denom of the asset with this asset's symbol on another chain.
    pub(crate) fn counterpart(&self, chain: &ChainId, denom: &Denom, other: &ChainId) -> Option<Denom> {
        let symbol = &self.asset(chain, denom)?.symbol;
        let assets = self.assets.get(other)?.value()?;
        assets.iter().find(|asset| !symbol.is_empty() && asset.symbol == *symbol).map(|asset| asset.denom.clone())
    }

    /// Returns the default route: the L1, its INIT, and INIT's denom on this rollup. `None` if unknown, or if the
    /// network is the L1.
    pub(crate) fn usual_way(&self, rollup: &ChainId) -> Option<(ChainId, Denom, Denom)> {
        let init = Denom::new(INIT);
        let here = self.assets.get(rollup)?.value()?.iter();
        // The bridge's own form arrives as it is; a contract's form needs a signed hook.
        let here = here
            .filter(|asset| asset.origin_denom.as_ref() == Some(&init) || asset.symbol.as_received() == "INIT")
            .min_by_key(|asset| !asset.denom.is_bridged())?;
        let chains = self.chains.value()?.iter().filter(|chain| chain.chain_id != *rollup);
        let home = chains.into_iter().find(|chain| self.asset(&chain.chain_id, &init).is_some())?;
        Some((home.chain_id.clone(), init, here.denom.clone()))
    }

    /// Returns how much of an asset the demo wallet has.
    pub(crate) fn held(&self, chain: &ChainId, denom: &Denom) -> Option<Amount> {
        let mut balances = self.wallet()?.balances.get(chain)?.iter();
        balances.find(|(held, _)| held.is_same(denom))?.1.parse().ok()
    }

    /// Returns the chains that the user can choose from, including the network's own.
    pub(crate) fn chain_choices(&self, own: Option<&ChainId>) -> Vec<PickChoice> {
        let listed = self.chains.value().map(|chains| chains.as_slice()).unwrap_or_default();
        let missing = own.filter(|own| self.chain(own).is_none());
        let missing = missing.map(|own| choice(own.as_str(), "this network", own.as_str()));
        let listed = listed.iter().map(|chain| {
            let id = chain.chain_id.as_str();
            let name = chain.name().map_or(id, Foreign::as_received);
            choice(name, [id, chain.chain_type.as_received()].join(" · ").trim_end_matches(" · "), id)
        });
        missing.into_iter().chain(listed).collect()
    }

    /// Requests the assets of a chain, at the next occasion.
    pub(in crate::app) fn want(&mut self, chain: &ChainId) {
        if !self.wanted.contains(chain) {
            self.wanted.insert(chain.clone());
        }
    }

    /// Allows failed requests to repeat.
    pub(in crate::app) fn forget_failures(&mut self) {
        self.chains.forget_failure();
        self.demo.forget_failure();
        self.assets.values_mut().filter(|assets| assets.error().is_some()).for_each(Remote::forget_failure);
    }

    /// Returns the next chain whose assets are to be requested.
    fn next_wanted(&self, own: Option<&ChainId>) -> Option<ChainId> {
        let chains = self.chains.value()?;
        let is_wanted = |id: &ChainId| chains.len() <= FEW_CHAINS || own == Some(id) || self.wanted.contains(id);
        let is_home = |id: &ChainId| !self.known.own(id).is_empty();
        let is_unknown = |id: &ChainId| self.assets.get(id).is_none_or(|assets| matches!(assets, Remote::Idle));
        let mut ids = chains.iter().map(|chain| &chain.chain_id);
        ids.find(|id| (is_wanted(id) || is_home(id)) && is_unknown(id)).cloned()
    }

    /// Returns the path of the executor's API on the router; `None` unless the router is the embedded one.
    pub(crate) fn executor_path(&self) -> Option<&str> {
        self.demo.value()?.as_ref().map(|demo| demo.executor.as_str()).filter(|path| path.starts_with('/'))
    }

    /// Returns the chain that hosts OPinit bridges, if the router lists its REST URL.
    pub(crate) fn settlement(&self) -> Option<&ChainInfo> {
        let mut chains = self.chains.value()?.iter();
        chains.find(|chain| Names::is_settlement(self, &chain.chain_id) && !chain.rest.is_empty())
    }

    /// Collects the facts about a chain that do not come from the router. `own` is the chain of the user's indexer.
    pub(crate) fn trust(&self, chain: &ChainId, own: Option<&ChainId>) -> ChainTrust {
        self.authority(own).trust(chain, self.chain(chain))
    }

    /// Returns the judge of statements about chains. `own` is the chain of the user's indexer.
    fn authority<'a>(&'a self, own: Option<&'a ChainId>) -> Authority<'a> {
        let own = Some(OwnNetwork { network: &self.network, chain: own });
        Authority { networks: self.networks.or_built_in(), own, is_simulated: self.is_demo() }
    }

    /// Returns contracts, bridges, channels and tokens that no router told.
    pub(crate) fn known_contracts(&self, own: Option<&ChainId>) -> KnownContracts {
        self.authority(own).known_contracts()
    }

    /// Returns the user's network and its settings.
    pub(crate) fn known_tokens(&self) -> &KnownTokens {
        &self.known
    }

    /// Drops a description of a simulation that is not the user's own.
    fn own_simulation(&self, info: Arc<DemoInfo>) -> Option<Arc<DemoInfo>> {
        let router = self.network.router.as_deref().unwrap_or(&self.network.indexer);
        Some(info).filter(|info| is_own_simulation(router, &self.network, info))
    }

    /// Returns the router's symbol and decimals of a denom that no other source knows.
    fn routed_unit(&self, chain: &ChainId, denom: &Denom) -> Option<(&str, u8)> {
        let asset = self.asset(chain, denom)?;
        let symbol =
            routed_symbol(asset.symbol.as_received()).filter(|symbol| !self.known.has_symbol(chain, symbol))?;
        Some((symbol, asset.decimals?))
    }

    /// Returns the endpoints for broadcasts on a chain. Those that no router named come first.
    pub(crate) fn sending_access(&self, chain: &ChainId, own: Option<&ChainId>) -> SendingAccess {
        let assets = self.assets.get(chain).and_then(|assets| assets.value());
        let units = fee_units(&self.known, chain, assets.into_iter().flat_map(|assets| assets.iter()));
        let access = SendingAccess::new(self.chain(chain), self.trust(chain, own), units);
        SendingAccess { is_simulated: self.is_demo(), ..access }
    }

    /// Whether the router's chains are still to come.
    pub(crate) fn awaits_chains(&self) -> bool {
        self.chains.value().is_none() && self.chains.error().is_none()
    }

    /// Whether the names of assets on these chains are still to come, as far as the router lists the chains.
    pub(in crate::app) fn awaits_names<'a>(&self, mut chains: impl Iterator<Item = &'a ChainId>) -> bool {
        let is_open = |assets: &Remote<_>| assets.is_loading() || matches!(assets, Remote::Idle);
        let is_awaited = |chain| self.chain(chain).is_some() && self.assets.get(chain).is_none_or(is_open);
        self.chains.is_loading() || chains.any(is_awaited)
    }

    /// Whether the router is a simulation.
    pub(crate) fn is_demo(&self) -> bool {
        self.demo.value().is_some_and(Option::is_some)
    }

    /// Returns the active faults of the embedded rollup, as far as it was asked.
    pub(crate) fn faults(&self) -> &[String] {
        self.demo.value().and_then(Option::as_ref).map_or(&[], |info| &info.faults)
    }

    /// Returns the demo wallet; `None` on real networks.
    pub(crate) fn wallet(&self) -> Option<&DemoWallet> {
        self.demo.value()?.as_ref()?.wallet.as_ref()
    }
}

impl Names for Directory {
    fn chain(&self, chain: &ChainId) -> String {
        let listed = || Some(self.chain(chain)?.name()?.clipped(NAME));
        let name = known_chain(chain).map(str::to_owned).or_else(listed);
        name.unwrap_or_else(|| clip(chain.as_str(), NAME))
    }

    fn settled_chain(&self, chain: &ChainId) -> Option<String> {
        if self.is_demo() {
            return Some(Names::chain(self, chain));
        }
        let listed = self.chain(chain).and_then(ChainInfo::name);
        settled_name(chain, self.authority(None).name(chain), listed).map(|name| clip(&name, NAME))
    }

    fn amount(&self, chain: &ChainId, denom: &Denom, amount: Amount) -> String {
        let known = self.known.token(chain, denom).map(|token| token.decimals);
        match known.or_else(|| self.routed_unit(chain, denom).map(|(_, decimals)| decimals)) {
            Some(decimals) => format!("{} {}", amount.display(decimals), Names::denom(self, chain, denom)),
            None => format!("{} smallest units of {}", amount.display(0), Names::denom(self, chain, denom)),
        }
    }

    fn unit_source(&self, chain: &ChainId, denom: &Denom) -> UnitSource {
        UnitSource::of(self.known.token(chain, denom).is_some(), self.routed_unit(chain, denom).is_some())
    }

    fn denom(&self, chain: &ChainId, denom: &Denom) -> String {
        if let Some(token) = self.known.token(chain, denom) {
            return clip(&token.symbol, NAME);
        }
        let listed = self.asset(chain, denom).and_then(|asset| routed_symbol(asset.symbol.as_received()));
        let listed = listed.filter(|symbol| !self.known.has_symbol(chain, symbol));
        listed.map_or_else(|| denom.short(), str::to_owned)
    }
}
