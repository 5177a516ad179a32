//! NFTs that leave and arrive through the ICS-721 contract, and the relayer's answers.

use super::{Draft, Planner, call, nfts::owned};
use crate::demo::ledger::{
    common::{
        catalogue::NFT_CHANNEL,
        record::{Fee, Msg, PartyId},
        state::Fate,
        world::Role,
    },
    wasm::{
        catalogue::{BRIDGED_COLLECTION, COLLECTIONS},
        record::{Call, Vm, Voyage},
        world::{Single, single},
    },
};

/// Blocks that an impatient sender gives a packet.
const PATIENCE: u8 = 24;

/// An NFT leaves: a bridged one for home, another for the L1.
pub(super) fn send(planner: &mut Planner<'_>) -> Option<Draft> {
    let natives = COLLECTIONS.len() - 1;
    let collection = if planner.rng.chance(1, 2) { BRIDGED_COLLECTION } else { planner.rng.place(natives) };
    let (id, local) = owned(planner, collection)?;
    let (fate, wait, patience) = match planner.rng.index(10) {
        0 => (Fate::Refused, 3 + planner.rng.place(8), None),
        1 => (Fate::Expired, PATIENCE + 2 + planner.rng.place(20), Some(PATIENCE)),
        _ => (Fate::Accepted, 3 + planner.rng.place(8), None),
    };
    let (sequence, sent) = (planner.state.outgoing[NFT_CHANNEL], planner.height);
    let voyage = Voyage { collection, id, local, sequence, sent, patience, is_outgoing: true, is_first: false };
    Some(call(planner, local, 402_000, Call::BridgeNft { voyage: Box::new(voyage), fate, wait }))
}

/// The relayer brings something about an NFT.
fn relayed(planner: &Planner<'_>, gas: u32, message: impl FnOnce(PartyId) -> Vm) -> Option<Draft> {
    let signer = planner.world.role(Role::Relayer);
    let channel = u8::try_from(NFT_CHANNEL).ok()?;
    let update = Msg::UpdateClient { signer, channel, sent: planner.height };
    Some(Draft::free(signer, Fee::Zero, gas, vec![update, Msg::Vm(message(signer))]))
}

/// An NFT arrives: one of the bridged class, or one that left and comes home.
pub(super) fn receive(planner: &mut Planner<'_>) -> Option<Draft> {
    let home = if planner.rng.chance(1, 2) { abroad(planner) } else { None };
    let (collection, id) = match home {
        Some(nft) => nft,
        None => (BRIDGED_COLLECTION, foreign_id(planner)?),
    };
    let local = planner.other(planner.world.role(Role::Relayer));
    let (sequence, sent) = (planner.state.incoming[NFT_CHANNEL], planner.height);
    let is_first = collection == BRIDGED_COLLECTION && planner.state.minted(collection) == 0;
    let voyage = Voyage { collection, id, local, sequence, sent, patience: None, is_outgoing: false, is_first };
    let gas = if is_first { 1_386_000 } else { 986_000 };
    relayed(planner, gas, |signer| Vm::ReceiveNft { signer, voyage: Box::new(voyage) })
}

/// A token of this rollup that the L1 has: the ICS-721 contract keeps it, and no answer is awaited.
fn abroad(planner: &mut Planner<'_>) -> Option<(u8, u32)> {
    let keeper = single(planner.world, Single::Ics721);
    let collection = planner.rng.place(COLLECTIONS.len() - 1);
    let away = &planner.state.own.away;
    let is_awaited = |id: u32| away.iter().any(|(_, voyage, _)| (voyage.collection, voyage.id) == (collection, id));
    let count = planner.state.minted(collection);
    let id = (1..=count).find(|id| planner.state.owner(collection, *id) == Some(keeper) && !is_awaited(*id))?;
    Some((collection, id))
}

/// A token of the bridged class that the L1 has: one that went home, or the next one.
fn foreign_id(planner: &mut Planner<'_>) -> Option<u32> {
    let count = planner.state.minted(BRIDGED_COLLECTION);
    let gone = (1..=count).find(|id| planner.state.owner(BRIDGED_COLLECTION, *id).is_none());
    let id = gone.filter(|_| planner.rng.chance(1, 2)).unwrap_or(count + 1);
    let most = COLLECTIONS.get(usize::from(BRIDGED_COLLECTION))?.most;
    (id <= most).then_some(id)
}

/// The relayer's answer to an NFT that left.
pub(super) fn settle(planner: &mut Planner<'_>) -> Option<Draft> {
    let height = planner.height;
    let place = planner.state.own.away.iter().position(|(due, ..)| *due <= height)?;
    let (_, voyage, fate) = planner.state.own.away.remove(place);
    relayed(planner, 428_000, |signer| Vm::AnswerNft { signer, voyage: Box::new(voyage), fate })
}
