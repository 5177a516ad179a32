//! Queries that only `MiniMove`'s gateway has: resources, denoms, metadata and view functions.

use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    super::{NodeRequest, paging::PageAsked, view::NodeView},
    RestAnswer, RestRefusal,
};
use crate::{
    demo::ledger::{FungibleToken, NftCollection, OwnedNft},
    domain::{Address, Denom},
};

/// Gas of a query; a constant, since the simulation does not measure it.
const USED_GAS: &str = "1000";

const NFT: &str = "0x1::nft::Nft";
const OBJECT: &str = "0x1::object::ObjectCore";
const COLLECTION: &str = "0x1::collection::Collection";
const METADATA: &str = "0x1::fungible_asset::Metadata";

pub(super) fn answer(view: &NodeView<'_>, request: &NodeRequest, path: &[&str]) -> RestAnswer {
    let asked = |name: &str| request.query.first(name).unwrap_or_default().to_owned();
    match (request.is_post, path) {
        (false, ["params"]) => Ok(json!({ "params": {
            "base_denom": view.facts().tokens.first().map(|token| token.denom.as_str().to_owned()),
            "base_min_gas_price": "0.000000000000000000",
            "contract_shared_revenue_ratio": "0.000000000000000000",
            "script_enabled": true,
            "allowed_publishers": [],
        } })),
        (false, ["denom"]) => {
            let metadata = address(&asked("metadata"))?;
            let token = view.chain.tokens().into_iter().find(|token| token.metadata == Some(metadata));
            let missing = || RestRefusal::not_found(format!("metadata {} not found", asked("metadata")));
            Ok(json!({ "denom": token.ok_or_else(missing)?.denom.as_str() }))
        }
        (false, ["metadata"]) => {
            let denom = Denom::new(asked("denom"));
            let token = view.chain.tokens().into_iter().find(|token| token.denom == denom);
            let metadata = token.and_then(|token| token.metadata);
            let missing = || RestRefusal::not_found(format!("denom {} not found", denom.as_str()));
            Ok(json!({ "metadata": short(&metadata.ok_or_else(missing)?) }))
        }
        (false, ["accounts", address, "resources"]) => {
            let address = self::address(address)?;
            Ok(PageAsked::read(&request.query)?.cut("resources", resources(view, &address), Value::clone))
        }
        (false, ["accounts", address, "resources", "by_struct_tag"]) => {
            let (owner, tag) = (self::address(address)?, asked("struct_tag"));
            let found = resources(view, &owner).into_iter().find(|resource| resource["struct_tag"] == tag.as_str());
            let missing = || RestRefusal::not_found(format!("resource {tag} of {address} not found"));
            Ok(json!({ "resource": found.ok_or_else(missing)? }))
        }
        (true, ["view", "json"]) => {
            let call: ViewCall =
                serde_json::from_slice(&request.body).map_err(|error| RestRefusal::invalid(error.to_string()))?;
            view_function(view, &call)
        }
        _ => Err(RestRefusal::not_implemented()),
    }
}

/// Parses an address as Move writes it.
pub(in crate::demo::node) fn address(text: &str) -> Result<Address, RestRefusal> {
    let address = NodeView::address(text).or_else(|| {
        // Nodes omit leading zeros from Move addresses.
        let digits = text.strip_prefix("0x").filter(|digits| digits.len() < 64 && digits.len() != 40)?;
        format!("0x{digits:0>64}").parse().ok()
    });
    address.ok_or_else(|| RestRefusal::invalid(format!("invalid address: {text}")))
}

/// Formats an address as Move does, without leading zeros.
pub(in crate::demo::node) fn short(address: &Address) -> String {
    let hex = address.hex();
    let digits = hex.trim_start_matches("0x").trim_start_matches('0');
    if digits.is_empty() { "0x0".to_owned() } else { format!("0x{digits}") }
}

fn is_at(address: &Address, word: &Address) -> bool {
    address.word() == word.word()
}

/// Returns the resources of an NFT, a collection or a token's metadata object. Their bytes are not simulated.
fn resources(view: &NodeView<'_>, address: &Address) -> Vec<Value> {
    let resource = |tag: &str, data: Value| {
        let text = json!({ "type": tag, "data": data }).to_string();
        json!({ "address": short(address), "struct_tag": tag, "move_resource": text, "raw_bytes": "" })
    };
    let object = |owner: &Address| {
        let data = json!({ "allow_ungated_transfer": true, "owner": short(owner), "version": "1" });
        resource(OBJECT, data)
    };
    let nft = |nft: OwnedNft| vec![object(&nft.owner), resource(NFT, nft_data(&nft))];
    let collection = |collection: NftCollection| {
        vec![object(&collection.creator), resource(COLLECTION, collection_data(view, &collection))]
    };
    let token = |token: FungibleToken| vec![resource(METADATA, metadata(&token))];
    let has = |object: Option<Address>| object.is_some_and(|object| is_at(&object, address));
    let nft = view.state.nft_of_object(address).map(nft);
    nft.or_else(|| view.chain.collection(address).map(collection))
        .or_else(|| view.chain.tokens().into_iter().find(|token| has(token.metadata)).map(token))
        .unwrap_or_default()
}

fn nft_data(nft: &OwnedNft) -> Value {
    json!({
        "collection": { "inner": short(&nft.collection) },
        "description": "",
        "token_id": nft.token_id,
        "uri": nft.uri,
    })
}

fn collection_data(view: &NodeView<'_>, collection: &NftCollection) -> Value {
    let count = view.state.nfts_of(&collection.address).len();
    json!({
        "creator": short(&collection.creator),
        "description": "",
        "name": collection.name,
        "nfts": { "handle": short(&collection.address), "length": count.to_string() },
        "uri": "",
    })
}

fn metadata(token: &FungibleToken) -> Value {
    json!({
        "decimals": token.decimals,
        "icon_uri": "",
        "name": token.symbol,
        "project_uri": "",
        "symbol": token.symbol,
    })
}

/// Call of a view function. Its arguments are JSON.
#[derive(Deserialize)]
struct ViewCall {
    address: String,
    module_name: String,
    function_name: String,
    #[serde(default)]
    args: Vec<String>,
}

impl ViewCall {
    fn account(&self, place: usize) -> Result<Address, RestRefusal> {
        let text = self.args.get(place).map_or("", |text| text.trim_matches('"'));
        address(text)
    }
}

fn view_function(view: &NodeView<'_>, call: &ViewCall) -> RestAnswer {
    let function = format!("{}::{}::{}", call.address, call.module_name, call.function_name);
    let found = match function.as_str() {
        "0x1::coin::balance" | "0x1::primary_fungible_store::balance" => {
            let (account, metadata) = (call.account(0)?, call.account(1)?);
            let tokens = view.chain.tokens();
            let token = tokens.iter().find(|token| token.metadata.is_some_and(|one| is_at(&one, &metadata)));
            token.map(|token| view.balance(&account, &token.denom).to_string())
        }
        "0x1::object::owner" => {
            let object = call.account(0)?;
            view.state.nft_of_object(&object).map(|nft| short(&nft.owner))
        }
        _ => {
            return Err(RestRefusal::machine(format!(
                "this simulated node does not run modules: {function} is unknown to it"
            )));
        }
    };
    let text = found.ok_or_else(|| RestRefusal::machine(format!("VM aborted: {function}: no such object")))?;
    Ok(json!({ "data": Value::from(text).to_string(), "events": [], "gas_used": USED_GAS }))
}
