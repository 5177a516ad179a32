//! Renders collections and NFTs, which are objects.

use super::{
    effects::{executed, moved},
    short,
};
use crate::demo::ledger::{
    common::{
        record::NftPacket,
        render::{NftEvents, RenderView, event_writer::EventWriter},
    },
    movevm::{
        Move,
        catalogue::BRIDGED_COLLECTION,
        world::{collection_name, nft_object, std_address},
    },
};

fn object(events: &mut EventWriter, object: &str, owner: [u8; 32]) {
    moved(events, "0x1::object::CreateEvent".to_owned(), |json| {
        json.field("object", object).field("owner", &short(owner)).field("version", "1");
    });
}

pub(crate) fn created(view: &RenderView<'_>, events: &mut EventWriter, creator: [u8; 32], collection: u8) {
    let address = short(view.party(view.world.collection(collection)).word());
    object(events, &address, creator);
    moved(events, "0x1::collection::CreateCollectionEvent".to_owned(), |json| {
        json.field("collection", &address).field("creator", &short(creator));
        json.field("name", collection_name(view.world, collection));
    });
}

fn told(view: &RenderView<'_>, events: &mut EventWriter, event: &str, (collection, number): (u8, u32)) {
    let address = short(view.party(view.world.collection(collection)).word());
    moved(events, format!("0x1::collection::{event}"), |json| {
        json.field("collection", &address).number("token_id", number);
        json.field("nft", &short(nft_object(view.world, collection, number)));
    });
}

/// Writes the events of a mint. The token first goes to the collection's creator.
pub(crate) fn minted(view: &RenderView<'_>, events: &mut EventWriter, creator: [u8; 32], token: (u8, u32)) {
    object(events, &short(nft_object(view.world, token.0, token.1)), creator);
    told(view, events, "MintEvent", token);
}

pub(crate) fn burned(view: &RenderView<'_>, events: &mut EventWriter, token: (u8, u32)) {
    told(view, events, "BurnEvent", token);
}

pub(crate) fn given(view: &RenderView<'_>, events: &mut EventWriter, token: (u8, u32), [from, to]: [[u8; 32]; 2]) {
    let address = short(nft_object(view.world, token.0, token.1));
    moved(events, "0x1::object::TransferEvent".to_owned(), |json| {
        json.field("object", &address).field("from", &short(from)).field("to", &short(to));
    });
}

impl NftEvents for Move {
    /// Writes the events that burn a departing bridged NFT.
    fn nft_left(view: &RenderView<'_>, events: &mut EventWriter, packet: &NftPacket) {
        let owner = short(view.party(packet.local).word());
        executed(events, &owner, "0x1", "initia_nft", "burn");
        burned(view, events, (BRIDGED_COLLECTION, packet.id));
    }

    /// Writes the events that mint an arriving bridged NFT. The first arrival creates the collection.
    fn nft_arrived(view: &RenderView<'_>, events: &mut EventWriter, packet: &NftPacket) {
        if packet.first {
            executed(events, "0x1", "0x1", "initia_nft", "create_collection");
            created(view, events, std_address(), BRIDGED_COLLECTION);
        }
        executed(events, "0x1", "0x1", "initia_nft", "mint");
        let token = (BRIDGED_COLLECTION, packet.id);
        minted(view, events, std_address(), token);
        given(view, events, token, [std_address(), view.party(packet.local).word()]);
    }
}
