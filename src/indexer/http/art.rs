use super::{
    lists::Lists,
    query::decode,
    reply::{Refusal, Reply},
};
use crate::{demo::art, domain::Address};

/// Names longer than this are of no folder and no token.
const NAME_BYTES: usize = 100;

/// `GET /demo/v1/art/{collection}/{token_id}.png`.
pub(super) fn picture(lists: &Lists<'_>, collection: &str, file: &str) -> Result<Reply, Refusal> {
    let file = decode(file);
    let token_id = file.strip_suffix(".png").ok_or_else(missing)?;
    png(&folder(lists, collection)?, &named(token_id)?)
}

/// `GET /demo/v1/nft/{collection}/{token_id}.json`.
pub(super) fn metadata(lists: &Lists<'_>, collection: &str, file: &str) -> Result<Reply, Refusal> {
    let file = decode(file);
    let token_id = file.strip_suffix(".json").ok_or_else(missing)?;
    Reply::json(&art::metadata(&folder(lists, collection)?, &named(token_id)?))
}

/// `GET /demo/v1/ipfs/{folder}/{file}`: the demo's gateway for `ipfs:` addresses.
pub(super) fn ipfs(folder: &str, file: &str) -> Result<Reply, Refusal> {
    let folder = art::folder_of(&named(&decode(folder))?);
    let file = named(&decode(file))?;
    if let Some(token_id) = file.strip_suffix(".png") {
        return png(&folder, token_id);
    }
    match file.strip_suffix(".json").unwrap_or(&file) {
        "collection" => Reply::json(&art::collection_metadata(&folder)),
        token_id => Reply::json(&art::metadata(&folder, token_id)),
    }
}

fn png(folder: &str, token_id: &str) -> Result<Reply, Refusal> {
    Ok(Reply::of("image/png", art::picture(folder, token_id).ok_or(Refusal::Internal)?))
}

/// The folder of a collection that is given by its address or by its name.
fn folder(lists: &Lists<'_>, collection: &str) -> Result<String, Refusal> {
    let collection = named(&decode(collection))?;
    let folder = match collection.parse::<Address>() {
        Ok(address) => {
            let found = lists.index.collection(&address, false)?.ok_or_else(missing)?;
            art::folder_of(&found.collection.name)
        }
        Err(_) => art::folder_of(&collection),
    };
    if folder.is_empty() { Err(missing()) } else { Ok(folder) }
}

/// A name that is not empty and not too long.
fn named(text: &str) -> Result<String, Refusal> {
    if text.is_empty() || text.len() > NAME_BYTES { Err(missing()) } else { Ok(text.to_owned()) }
}

fn missing() -> Refusal {
    Refusal::NotFound("there is nothing of this name".to_owned())
}
