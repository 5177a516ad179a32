//! Builds the world from asset files and the rollups' facts.

use std::{collections::BTreeMap, sync::Arc};

use super::{
    RouterWorld, Terms,
    file::{self, ChainEntry, WorldFile, amount},
};
use crate::{
    demo::{
        ledger::{KeyKind, RollupChannel, RollupFacts, RollupToken, TokenOrigin, derive},
        router::graph::{AssetEdge, EdgeKind, ListedAsset, PoolSide},
    },
    domain::{Address, Amount, ChainId, Denom, text::Foreign},
    wire::router::{Asset, ChainInfo},
};

mod exchange;

const L1: &str = "interwoven-1";
/// Native coin of the L1.
const INIT: &str = "uinit";
/// Demo wallet's balance of each token on the other rollups, in display units.
const PLENTY: &str = "25000";
/// Maximum of that balance, in the smallest unit: Move chains have 64-bit amounts.
const MOST_START: u128 = u64::MAX as u128 / 2;
const PORT: &str = "transfer";

/// Channel between two chains. Packets use it in both directions.
struct ChannelPair {
    from: ChainId,
    channel: String,
    to: ChainId,
    there: String,
    seconds: Option<u64>,
}

/// Builds the world; the embedded rollup is the first chain.
pub(super) fn world(rollup: RollupFacts, rollups: Vec<RollupFacts>, seed: u64, scale: u32) -> RouterWorld {
    let facts = file::read();
    let mut assets = own_assets(&facts);
    for one in &rollups {
        assets.extend(rollup_assets(&facts, one, one.chain_id == rollup.chain_id));
        assets.extend(vouchers_on_l1(&facts, one));
    }
    // Several tokens of a rollup may be one voucher on the L1.
    let mut known = std::collections::BTreeSet::new();
    assets.retain(|listed| known.insert((listed.chain().clone(), listed.denom().clone())));
    let assets: Vec<_> = assets.into_iter().map(Arc::new).collect();
    let lookup = AssetLookup(&assets);
    let mut found = packets(&lookup, &channel_pairs(&facts, &rollups, rollup.chain_id));
    found.extend(rollups.iter().flat_map(|one| optimistic(&lookup, one)));
    found.extend(exchange::swaps(&lookup, &facts, &rollups));
    found.extend(cctp(&lookup, &facts));
    let chains = chains(&facts, &rollups);
    found.extend(sends(&assets, &chains));
    let mut edges: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for edge in found {
        let place = (edge.from.chain().clone(), edge.from.denom().clone());
        edges.entry(place).or_default().push(Arc::new(edge));
    }
    let wallet = wallet(&facts, &rollups, rollup.wallet, seed);
    let file::BridgesFile { optimistic, cctp, go_fast, exchange, .. } = facts.bridges;
    RouterWorld {
        rollup,
        rollups,
        scale,
        chains,
        assets,
        edges,
        wallet,
        terms: Terms { optimistic, cctp, go_fast, exchange },
    }
}

struct AssetLookup<'a>(&'a [Arc<ListedAsset>]);

impl AssetLookup<'_> {
    fn find(&self, chain: &str, denom: &str) -> Option<&Arc<ListedAsset>> {
        self.0.iter().find(|listed| listed.chain().as_str() == chain && listed.denom().as_str() == denom)
    }

    fn by_symbol(&self, chain: &str, symbol: &str) -> Option<&Arc<ListedAsset>> {
        self.0.iter().find(|listed| listed.chain().as_str() == chain && listed.symbol() == symbol)
    }

    fn edge(&self, from: (&str, &str), to: (&str, &str), kind: EdgeKind) -> Option<AssetEdge> {
        let (from, to) = (self.find(from.0, from.1)?, self.find(to.0, to.1)?);
        Some(AssetEdge { from: Arc::clone(from), to: Arc::clone(to), kind })
    }
}

fn chains(facts: &WorldFile, rollups: &[RollupFacts]) -> Vec<ChainInfo> {
    let chain = |id: &str, [name, pretty_name, kind, prefix]: [String; 4], pfm_enabled| ChainInfo {
        chain_id: ChainId::new(id),
        chain_name: Foreign::new(name),
        pretty_name: Foreign::new(pretty_name),
        supports_memo: kind == "cosmos",
        chain_type: kind.into(),
        bech32_prefix: prefix,
        pfm_enabled,
        hidden: false,
        is_testnet: false,
        rpc: String::new(),
        rest: String::new(),
        json_rpc: String::new(),
        fee_assets: Vec::new(),
    };
    let own = facts.chains.iter().map(|ChainEntry { id, name, pretty_name, kind, prefix, forwards, .. }| {
        chain(id, [name, pretty_name, kind, prefix].map(Clone::clone), *forwards)
    });
    let rollups = rollups.iter().map(|rollup| {
        let vm = rollup.vm.to_string();
        let pretty_name = format!("Rollscope Mini{}{}", vm[..1].to_uppercase(), &vm[1..]);
        let names = [format!("rollscope-{vm}"), pretty_name, "cosmos".to_owned(), "init".to_owned()];
        chain(rollup.chain_id, names, false)
    });
    let mut all: Vec<_> = rollups.chain(own).collect();
    // The L1 comes first, because most clients start there.
    all.sort_by_key(|chain| chain.chain_id.as_str() != L1);
    all
}

struct AssetLabel<'a> {
    symbol: &'a str,
    name: &'a str,
    decimals: u8,
}

/// Creates an asset. A path with channels is hashed to its denom.
fn listed(facts: &WorldFile, chain: &str, path: &str, origin: (&str, &str), label: &AssetLabel<'_>) -> ListedAsset {
    let (trace, denom) = match path.rsplit_once("/channel-").filter(|_| path.starts_with("transfer/")) {
        Some((_, rest)) => {
            let base = rest.split_once('/').map_or("", |(_, base)| base);
            let trace = path.strip_suffix(base).map_or("", |trace| trace.trim_end_matches('/'));
            (trace, format!("ibc/{}", derive::voucher_hash(path)))
        }
        None => ("", path.to_owned()),
    };
    let asset = Asset {
        denom: Denom::new(denom),
        chain_id: ChainId::new(chain),
        origin_denom: Some(Denom::new(origin.1)),
        origin_chain_id: Some(ChainId::new(origin.0)),
        trace: trace.into(),
        is_cw20: false,
        is_evm: false,
        is_svm: false,
        symbol: Foreign::new(label.symbol),
        name: Foreign::new(label.name),
        decimals: Some(label.decimals),
        token_contract: String::new().into(),
        hidden: false,
    };
    ListedAsset {
        price: facts.assets.prices.get(label.symbol).map(|text| amount(text, 6)),
        start: amount(PLENTY, label.decimals).min(Amount::from(MOST_START)),
        path: path.to_owned(),
        wraps: None,
        contract: None,
        resets_allowance: false,
        asset,
    }
}

fn own_assets(facts: &WorldFile) -> Vec<ListedAsset> {
    let make = |asset: &file::AssetEntry| {
        let path = if asset.path.is_empty() { asset.denom.as_str() } else { asset.path.as_str() };
        let base = path.rsplit('/').next().filter(|_| path.starts_with("transfer/")).unwrap_or(path);
        let origin = (asset.origin_chain.as_deref().unwrap_or(&asset.chain), base);
        let label = AssetLabel { symbol: &asset.symbol, name: &asset.name, decimals: asset.decimals };
        let mut listed = listed(facts, &asset.chain, path, origin, &label);
        listed.start = amount(&asset.wallet, asset.decimals);
        listed.resets_allowance = asset.resets_allowance;
        let is_evm = facts.chains.iter().any(|chain| chain.id == asset.chain && chain.kind == "evm");
        listed.asset.is_evm = is_evm;
        if is_evm && asset.denom.starts_with("0x") {
            listed.asset.token_contract = asset.denom.as_str().into();
        }
        listed
    };
    facts.assets.assets.iter().map(make).collect()
}

/// Returns the tokens of a rollup that routes can use; of the other rollups, only tokens that the L1 has too.
fn rollup_assets(facts: &WorldFile, rollup: &RollupFacts, is_embedded: bool) -> Vec<ListedAsset> {
    let l1_channel = rollup.channels.first().map_or("", |channel| channel.id);
    let reaches = |token: &&RollupToken| match token.origin {
        TokenOrigin::Voucher { channel, .. } => is_embedded || channel == l1_channel,
        TokenOrigin::Bridged { .. } | TokenOrigin::Native => true,
    };
    let make = |token: &RollupToken| {
        let (path, origin) = rollup_origin(rollup, token);
        let label = AssetLabel { symbol: token.symbol, name: token.symbol, decimals: token.decimals };
        let mut listed = listed(facts, rollup.chain_id, &path, (&origin.0, &origin.1), &label);
        listed.wraps.clone_from(&token.wraps);
        listed.contract = token.contract.map(|contract| contract.checksummed());
        listed.asset.token_contract = listed.contract.clone().unwrap_or_default().into();
        listed
    };
    rollup.tokens.iter().filter(reaches).map(make).collect()
}

/// Returns a token's channel path on its rollup, and its origin: chain and denom.
fn rollup_origin(rollup: &RollupFacts, token: &RollupToken) -> (String, (String, String)) {
    let wrapped = token.wraps.as_ref().and_then(|denom| rollup.tokens.iter().find(|other| other.denom == *denom));
    if let Some(wrapped) = wrapped {
        return (token.denom.as_str().to_owned(), rollup_origin(rollup, wrapped).1);
    }
    match token.origin {
        TokenOrigin::Native => {
            let denom = token.denom.as_str().to_owned();
            (denom.clone(), (rollup.chain_id.to_owned(), denom))
        }
        TokenOrigin::Bridged { l1_denom } => {
            (token.denom.as_str().to_owned(), (rollup.l1_chain_id.to_owned(), l1_denom.to_owned()))
        }
        TokenOrigin::Voucher { channel, base } => {
            let there = rollup.channels.iter().find(|one| one.id == channel).map_or("", |one| one.chain_id);
            (format!("{PORT}/{channel}/{base}"), (there.to_owned(), base.to_owned()))
        }
    }
}

/// Returns the vouchers on the L1 for a rollup's own tokens and its INIT.
fn vouchers_on_l1(facts: &WorldFile, rollup: &RollupFacts) -> Vec<ListedAsset> {
    let Some(channel) = rollup.channels.first() else { return Vec::new() };
    let leaves = |token: &&RollupToken| match token.origin {
        TokenOrigin::Native => token.wraps.is_none() && !token.symbol.contains('-'),
        TokenOrigin::Bridged { l1_denom } => l1_denom == INIT,
        TokenOrigin::Voucher { .. } => false,
    };
    let make = |token: &RollupToken| {
        let path = format!("{PORT}/{}/{}", channel.there, token.denom);
        let label = AssetLabel { symbol: token.symbol, name: token.symbol, decimals: token.decimals };
        listed(facts, L1, &path, (rollup.chain_id, token.denom.as_str()), &label)
    };
    rollup.tokens.iter().filter(leaves).map(make).collect()
}

fn channel_pairs(facts: &WorldFile, rollups: &[RollupFacts], embedded: &str) -> Vec<ChannelPair> {
    let mut channel_pairs: Vec<ChannelPair> = Vec::new();
    let mut both = |from: &str, channel: &str, to: &str, there: &str, seconds: Option<u64>| {
        for ((from, channel), (to, there)) in [((from, channel), (to, there)), ((to, there), (from, channel))] {
            let (from, to) = (ChainId::new(from), ChainId::new(to));
            channel_pairs.push(ChannelPair { from, channel: channel.to_owned(), to, there: there.to_owned(), seconds });
        }
    };
    for channel in &facts.bridges.channels {
        both(&channel.from, &channel.sending, &channel.to, &channel.receiving, channel.seconds);
    }
    for rollup in rollups {
        let open = |channel: &&RollupChannel| {
            channel.port == PORT && (rollup.chain_id == embedded || channel.chain_id == rollup.l1_chain_id)
        };
        for channel in rollup.channels.iter().filter(open) {
            let seconds = facts.bridges.rollup_seconds.get(channel.chain_id).copied();
            both(rollup.chain_id, channel.id, channel.chain_id, channel.there, seconds);
        }
    }
    channel_pairs
}

/// Returns an edge for every IBC transfer that ends in a known asset.
fn packets(assets: &AssetLookup<'_>, channel_pairs: &[ChannelPair]) -> Vec<AssetEdge> {
    let mut edges = Vec::new();
    for pair in channel_pairs {
        let leaving = assets.0.iter().filter(|listed| *listed.chain() == pair.from);
        for listed in leaving {
            // A wrapped form leaves the rollup as its original.
            let path = listed.wraps.as_ref().map_or(listed.path.as_str(), Denom::as_str);
            let home = path.strip_prefix(&format!("{PORT}/{}/", pair.channel));
            let arrived = match home {
                Some(rest) if rest.starts_with("transfer/") => format!("ibc/{}", derive::voucher_hash(rest)),
                Some(rest) => rest.to_owned(),
                None => format!("ibc/{}", derive::voucher_hash(&format!("{PORT}/{}/{path}", pair.there))),
            };
            let kind =
                EdgeKind::Ibc { channel: pair.channel.clone(), there: pair.there.clone(), seconds: pair.seconds };
            let from = (pair.from.as_str(), listed.denom().as_str());
            edges.extend(assets.edge(from, (pair.to.as_str(), &arrived), kind));
        }
    }
    edges
}

/// Returns the edges of a rollup's deposits and withdrawals, including wrappers.
fn optimistic(assets: &AssetLookup<'_>, rollup: &RollupFacts) -> Vec<AssetEdge> {
    let mut edges = Vec::new();
    for token in &rollup.tokens {
        let bridged = match &token.wraps {
            Some(wrapped) => rollup.tokens.iter().find(|other| other.denom == *wrapped),
            None => Some(token),
        };
        let Some(TokenOrigin::Bridged { l1_denom }) = bridged.map(|token| token.origin) else { continue };
        let (here, l1) = ((rollup.chain_id, token.denom.as_str()), (rollup.l1_chain_id, l1_denom));
        edges.extend(assets.edge(l1, here, EdgeKind::Deposit { bridge_id: rollup.bridge_id }));
        edges.extend(assets.edge(here, l1, EdgeKind::Withdraw { bridge_id: rollup.bridge_id }));
    }
    edges
}

fn cctp(assets: &AssetLookup<'_>, facts: &WorldFile) -> Vec<AssetEdge> {
    let (cctp, go_fast) = (&facts.bridges.cctp, &facts.bridges.go_fast);
    let mut edges = Vec::new();
    for [from, to] in &cctp.coins {
        let (from, to) = ((cctp.chain.as_str(), from.as_str()), (cctp.to.as_str(), to.as_str()));
        let Some(plain) = assets.edge(from, to, EdgeKind::Cctp { relayed: false }) else { continue };
        if plain.from.symbol() == cctp.relayed {
            edges.push(AssetEdge { kind: EdgeKind::Cctp { relayed: true }, ..plain.clone() });
        }
        if plain.from.symbol() == go_fast.coin {
            edges.push(AssetEdge { kind: EdgeKind::GoFast, ..plain.clone() });
        }
        edges.push(plain);
    }
    edges
}

/// Returns the transfers within a chain, on chains whose messages are supported.
fn sends(assets: &[Arc<ListedAsset>], chains: &[ChainInfo]) -> Vec<AssetEdge> {
    let is_cosmos = |listed: &&Arc<ListedAsset>| {
        chains.iter().any(|chain| chain.chain_id == *listed.chain() && chain.chain_type == "cosmos")
    };
    let send = |listed: &Arc<ListedAsset>| AssetEdge {
        from: Arc::clone(listed),
        to: Arc::clone(listed),
        kind: EdgeKind::Send,
    };
    assets.iter().filter(is_cosmos).map(send).collect()
}

/// Returns the demo wallet's address on each chain. Chains with Ethereum keys share its bytes.
fn wallet(facts: &WorldFile, rollups: &[RollupFacts], own: Address, seed: u64) -> BTreeMap<ChainId, String> {
    let hash = derive::sha256(format!("rollscope demo wallet {seed}"));
    let other = hash.get(..20).and_then(Address::from_bytes).unwrap_or(own);
    let mut wallet: BTreeMap<_, _> =
        rollups.iter().map(|rollup| (ChainId::new(rollup.chain_id), own.bech32())).collect();
    for chain in &facts.chains {
        let bytes = if chain.keys == KeyKind::Ethereum { own } else { other };
        let text = if chain.kind == "evm" { bytes.checksummed() } else { bytes.bech32_as(&chain.prefix) };
        wallet.insert(ChainId::new(chain.id.as_str()), text);
    }
    wallet
}

/// Whether a swap through a pool yields anything.
fn is_fit(side: &PoolSide) -> bool {
    [side.reserve_sold, side.reserve_bought].iter().all(|reserve| *reserve > Amount::ZERO)
}
