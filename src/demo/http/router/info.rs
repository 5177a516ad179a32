//! Routes for chains, assets, balances and venues.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    super::body::{read, read_as},
    account_of, check_ends, with_old_form,
};
use crate::{
    demo::{router::error::RouterError, shared::RollupShared},
    domain::{Address, ChainId, Denom},
    indexer::http::{HttpRefusal, HttpRequest, ParameterType, QueryParameter, Reply, RouteEntry},
    wire::router::{
        Asset, BalancesRequest, BalancesResponse, ChainsResponse, MsgsRequest, ReachRequest, RouteRequest, SignedOpHook,
    },
};

/// Maximum chains, or assets, in a request.
const MOST: usize = 100;

/// Bridges that routes use: ID and name.
const BRIDGES: [(&str, &str); 4] = [("IBC", "IBC"), ("OPINIT", "OPinit"), ("CCTP", "CCTP"), ("GO_FAST", "Go Fast")];

const CHAINS: &[QueryParameter] =
    &[QueryParameter::new("chain_ids", ParameterType::Texts, "IDs of the chains; separate with commas or repeat")];

pub(in super::super) static ROUTES: &[RouteEntry<RollupShared>] = &[
    RouteEntry::get("/v2/info/chains", "listChains", "List the router's chains", "ChainsResponse", chains)
        .refusing_as(&[], "RouterRefusal"),
    RouteEntry::get("/v2/info/bridges", "listBridges", "List the router's bridges", "BridgesResponse", bridges)
        .refusing_as(&[], "RouterRefusal"),
    RouteEntry::get("/v2/fungible/venues", "listVenues", "List the swap venues", "VenuesResponse", venues)
        .refusing_as(&[], "RouterRefusal"),
    RouteEntry::get(
        "/v2/fungible/assets",
        "listAssets",
        "List the router's assets, by chain",
        "AssetsResponse",
        assets,
    )
    .with_query(&[CHAINS])
    .refusing_as(&[], "RouterRefusal"),
    RouteEntry::post(
        "/v2/info/balances",
        "getBalances",
        "Get the balances of accounts, by chain and denom",
        "BalancesResponse",
        balances,
    )
    .asking_only()
    .with_body("BalancesRequest")
    .refusing_as(&[400, 404], "RouterRefusal"),
    RouteEntry::post(
        "/v2/fungible/recommend_assets",
        "recommendAssets",
        "Get the denom of an asset on another chain",
        "RecommendationsResponse",
        recommend,
    )
    .asking_only()
    .with_body("RecommendRequest")
    .refusing_as(&[400], "RouterRefusal"),
    RouteEntry::post(
        "/v2/fungible/assets_from_source",
        "getAssetsFromSource",
        "List the assets that an asset can become, by chain",
        "AssetsFromSourceResponse",
        assets_from_source,
    )
    .asking_only()
    .with_body("AssetsFromSourceRequest")
    .refusing_as(&[400, 404], "RouterRefusal"),
    RouteEntry::post(
        "/v2/fungible/ibc_origin_assets",
        "getOriginAssets",
        "Get the origins of assets",
        "OriginAssetsResponse",
        origins,
    )
    .asking_only()
    .with_body("OriginAssetsRequest")
    .refusing_as(&[400], "RouterRefusal"),
    RouteEntry::post(
        "/v2/fungible/msgs_direct",
        "getMsgsDirect",
        "Quote a route and get its transactions",
        "MsgsDirectResponse",
        msgs_direct,
    )
    .shared()
    .with_body("MsgsDirectRequest")
    .refusing_as(&[400, 404, 500], "RouterRefusal"),
];

fn chains(shared: &RollupShared, _: &HttpRequest<'_>) -> Result<Reply, HttpRefusal> {
    Reply::json(&ChainsResponse { chains: shared.router().chains_with_nodes() })
}

fn bridges(_: &RollupShared, _: &HttpRequest<'_>) -> Result<Reply, HttpRefusal> {
    Reply::json(&json!({ "bridges": BRIDGES.map(|(id, name)| json!({ "id": id, "name": name })) }))
}

fn venues(shared: &RollupShared, _: &HttpRequest<'_>) -> Result<Reply, HttpRefusal> {
    Reply::json(&json!({ "venues": shared.router().world().venues() }))
}

fn assets(shared: &RollupShared, request: &HttpRequest<'_>) -> Result<Reply, HttpRefusal> {
    let named = request.query.all("chain_ids").flat_map(|value| value.split(','));
    let chains: Vec<ChainId> = named.filter(|id| !id.is_empty()).take(MOST).map(ChainId::new).collect();
    Reply::json(&shared.router().world().assets(&chains))
}

fn balances(shared: &RollupShared, request: &HttpRequest<'_>) -> Result<Reply, HttpRefusal> {
    let written: Value = read_as(request, "BalancesRequest")?;
    // A schema cannot restrict keys, so an empty chain ID counts as an unknown chain.
    if written.get("chains").is_some_and(|chains| chains.get("").is_some()) {
        return Err(RouterError::not_found("chain ID not supported: the id is empty").into());
    }
    let asked: BalancesRequest = read(request)?;
    bounded("chains", asked.chains.len())?;
    let (router, mut answer) = (shared.router(), BalancesResponse::default());
    for (chain, query) in asked.chains {
        let account = router.world().account_of(&chain, &query)?;
        let held: BTreeMap<Denom, _> = match (router.light_balances(&chain, &account), account.parse::<Address>()) {
            (Some(held), _) => held,
            (None, Ok(address)) => shared.index().balances(&address)?.into_iter().collect(),
            (None, Err(_)) => BTreeMap::new(),
        };
        let balances = router.world().balances(&chain, &query, &held);
        answer.chains.insert(chain, balances);
    }
    Reply::json(&answer)
}

#[derive(Deserialize)]
struct RecommendRequest {
    requests: Vec<RecommendQuery>,
}

#[derive(Deserialize)]
struct RecommendQuery {
    source_asset_chain_id: ChainId,
    source_asset_denom: Denom,
    dest_chain_id: ChainId,
}

/// Answers each item of the request separately: with assets or an error.
fn recommend(shared: &RollupShared, request: &HttpRequest<'_>) -> Result<Reply, HttpRefusal> {
    let asked: RecommendRequest = read_as(request, "RecommendRequest")?;
    bounded("requests", asked.requests.len())?;
    let world = shared.router().world();
    let entry = |query: &RecommendQuery| {
        let from = (&query.source_asset_chain_id, &query.source_asset_denom);
        match world.recommended(from, &query.dest_chain_id) {
            Ok(found) => {
                let each = found.iter().map(|asset| json!({ "asset": asset, "reason": "DIRECT" }));
                json!({ "recommendations": each.collect::<Vec<Value>>() })
            }
            Err(error) => json!({ "recommendations": [], "error": { "message": error.message } }),
        }
    };
    Reply::json(&json!({ "recommendation_entries": asked.requests.iter().map(entry).collect::<Vec<_>>() }))
}

fn assets_from_source(shared: &RollupShared, request: &HttpRequest<'_>) -> Result<Reply, HttpRefusal> {
    let asked: ReachRequest = read_as(request, "AssetsFromSourceRequest")?;
    Reply::json(&shared.router().world().assets_from(&asked)?)
}

#[derive(Deserialize)]
struct OriginsRequest {
    assets: Vec<AssetOriginQuery>,
}

#[derive(Deserialize)]
struct AssetOriginQuery {
    chain_id: ChainId,
    denom: Denom,
}

fn origins(shared: &RollupShared, request: &HttpRequest<'_>) -> Result<Reply, HttpRefusal> {
    let asked: OriginsRequest = read_as(request, "OriginAssetsRequest")?;
    bounded("assets", asked.assets.len())?;
    let world = shared.router().world();
    let entry = |name: &AssetOriginQuery| {
        let found: Option<Asset> = world.origin_of(&name.chain_id, &name.denom);
        json!({ "asset_found": found.is_some(), "asset": found })
    };
    Reply::json(&json!({ "origin_assets": asked.assets.iter().map(entry).collect::<Vec<_>>() }))
}

#[derive(Deserialize)]
struct DirectRequest {
    chain_ids_to_addresses: BTreeMap<ChainId, String>,
    #[serde(default)]
    slippage_tolerance_percent: Option<String>,
    #[serde(default)]
    signed_op_hook: Option<SignedOpHook>,
}

fn msgs_direct(shared: &RollupShared, request: &HttpRequest<'_>) -> Result<Reply, HttpRefusal> {
    check_ends(shared, request)?;
    let route: RouteRequest = read_as(request, "MsgsDirectRequest")?;
    let DirectRequest { chain_ids_to_addresses, slippage_tolerance_percent, signed_op_hook } = read(request)?;
    let with = (&chain_ids_to_addresses, slippage_tolerance_percent.unwrap_or_default(), signed_op_hook);
    let check = |asked: &MsgsRequest| shared.router().check_hook(asked, |address| account_of(shared, address));
    let (route, msgs) = shared.router().msgs_direct(&route, with, check, shared.chain_now())?;
    let mut answer = serde_json::to_value(msgs).map_err(|_| HttpRefusal::Internal)?;
    if let Some(fields) = answer.as_object_mut() {
        fields.insert("route".to_owned(), serde_json::to_value(route).map_err(|_| HttpRefusal::Internal)?);
    }
    with_old_form(answer)
}

fn bounded(field: &str, number: usize) -> Result<(), RouterError> {
    if number <= MOST {
        return Ok(());
    }
    Err(RouterError::invalid(format!("{field}: {number} are too many; send at most {MOST}")))
}
