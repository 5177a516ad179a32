//! Pictures and metadata of the simulated NFTs.

use crate::{
    demo::{art, shared::RollupShared},
    domain::Address,
    indexer::http::{ANYTHING, HttpRefusal, HttpRequest, Reply, RouteEntry, decode},
};

pub(super) static ROUTES: &[RouteEntry<RollupShared>] = &[
    RouteEntry::get("/demo/v1/art/{collection}/{file}", "", "Get the picture of a demo NFT", ANYTHING, picture),
    RouteEntry::get("/demo/v1/nft/{collection}/{file}", "", "Get the metadata of a demo NFT", ANYTHING, metadata),
    RouteEntry::get("/demo/v1/ipfs/{folder}/{file}", "", "Get the content of a demo ipfs: link", ANYTHING, ipfs),
];

/// Maximum bytes of a folder's or token's name.
const NAME_BYTES: usize = 100;

/// Serves `GET /demo/v1/art/{collection}/{token_id}.png`.
fn picture(shared: &RollupShared, request: &HttpRequest<'_>) -> Result<Reply, HttpRefusal> {
    let file = decode(request.parameter(1));
    let token_id = file.strip_suffix(".png").ok_or_else(missing)?;
    png(&folder(shared, request.parameter(0))?, &named(token_id)?)
}

/// Serves `GET /demo/v1/nft/{collection}/{token_id}.json`.
fn metadata(shared: &RollupShared, request: &HttpRequest<'_>) -> Result<Reply, HttpRefusal> {
    let file = decode(request.parameter(1));
    let token_id = file.strip_suffix(".json").ok_or_else(missing)?;
    Reply::json(&art::metadata(&folder(shared, request.parameter(0))?, &named(token_id)?))
}

/// Serves `GET /demo/v1/ipfs/{folder}/{file}`: the gateway for `ipfs:` URIs.
fn ipfs(_: &RollupShared, request: &HttpRequest<'_>) -> Result<Reply, HttpRefusal> {
    let folder = art::folder_of(&named(&decode(request.parameter(0)))?);
    let file = named(&decode(request.parameter(1)))?;
    if let Some(token_id) = file.strip_suffix(".png") {
        return png(&folder, token_id);
    }
    match file.strip_suffix(".json").unwrap_or(&file) {
        "collection" => Reply::json(&art::collection_metadata(&folder)),
        token_id => Reply::json(&art::metadata(&folder, token_id)),
    }
}

fn png(folder: &str, token_id: &str) -> Result<Reply, HttpRefusal> {
    Ok(Reply::of("image/png", art::picture(folder, token_id).ok_or(HttpRefusal::Internal)?))
}

/// Returns the folder of a collection. The request names the collection or its address.
fn folder(shared: &RollupShared, collection: &str) -> Result<String, HttpRefusal> {
    let collection = named(&decode(collection))?;
    let folder = match collection.parse::<Address>() {
        Ok(address) => {
            let found = shared.index().collection(&address, false)?.ok_or_else(missing)?;
            art::folder_of(found.collection.name.as_received())
        }
        Err(_) => art::folder_of(&collection),
    };
    if folder.is_empty() { Err(missing()) } else { Ok(folder) }
}

/// Checks that a name is neither empty nor too long.
fn named(text: &str) -> Result<String, HttpRefusal> {
    if text.is_empty() || text.len() > NAME_BYTES { Err(missing()) } else { Ok(text.to_owned()) }
}

fn missing() -> HttpRefusal {
    HttpRefusal::NotFound("no such content".to_owned())
}
