//! Plans for NFT transfers over the ICS-721 contract, and for the relayer's messages about them.

use super::{PlannedTx, Planner, call, nfts::owned};
use crate::demo::ledger::PacketOutcome;
use crate::demo::ledger::{
    common::{
        catalogue::NFT_CHANNEL,
        record::{FeePayment, Msg, PartyId},
        world::PartyRole,
    },
    wasm::{
        catalogue::{BRIDGED_COLLECTION, COLLECTIONS},
        record::{ContractCall, NftTransfer, VmMessage},
        world::{SingleContract, single_contract},
    },
};

/// Timeout of a packet from an impatient sender, in blocks.
const PATIENCE: u8 = 24;

/// Plans the departure of an NFT. A bridged NFT returns; another NFT goes to the L1.
pub(super) fn send(planner: &mut Planner<'_>) -> Option<PlannedTx> {
    let natives = COLLECTIONS.len() - 1;
    let collection = if planner.rng.chance(1, 2) { BRIDGED_COLLECTION } else { planner.rng.place(natives) };
    let (id, local) = owned(planner, collection)?;
    let (packet_outcome, wait, patience) = match planner.rng.index(10) {
        0 => (PacketOutcome::Refused, 3 + planner.rng.place(8), None),
        1 => (PacketOutcome::Expired, PATIENCE + 2 + planner.rng.place(20), Some(PATIENCE)),
        _ => (PacketOutcome::Accepted, 3 + planner.rng.place(8), None),
    };
    let (sequence, sent) = (planner.state.outgoing[NFT_CHANNEL], planner.height);
    let nft_transfer =
        NftTransfer { collection, id, local, sequence, sent, patience, is_outgoing: true, is_first: false };
    Some(call(
        planner,
        local,
        402_000,
        ContractCall::BridgeNft { nft_transfer: Box::new(nft_transfer), packet_outcome, wait },
    ))
}

/// Plans a relayer's transaction with a message about an NFT.
fn relayed(planner: &Planner<'_>, gas: u32, message: impl FnOnce(PartyId) -> VmMessage) -> Option<PlannedTx> {
    let signer = planner.world.role(PartyRole::Relayer);
    let channel = u8::try_from(NFT_CHANNEL).ok()?;
    let update = Msg::UpdateClient { signer, channel, sent: planner.height };
    Some(PlannedTx::free(signer, FeePayment::Zero, gas, vec![update, Msg::Vm(message(signer))]))
}

/// Plans the arrival of an NFT: an NFT of the bridged class, or an NFT that returns.
pub(super) fn receive(planner: &mut Planner<'_>) -> Option<PlannedTx> {
    let home = if planner.rng.chance(1, 2) { abroad(planner) } else { None };
    let (collection, id) = match home {
        Some(nft) => nft,
        None => (BRIDGED_COLLECTION, foreign_id(planner)?),
    };
    let local = planner.other(planner.world.role(PartyRole::Relayer));
    let (sequence, sent) = (planner.state.incoming[NFT_CHANNEL], planner.height);
    let is_first = collection == BRIDGED_COLLECTION && planner.state.minted(collection) == 0;
    let nft_transfer =
        NftTransfer { collection, id, local, sequence, sent, patience: None, is_outgoing: false, is_first };
    let gas = if is_first { 1_386_000 } else { 986_000 };
    relayed(planner, gas, |signer| VmMessage::ReceiveNft { signer, nft_transfer: Box::new(nft_transfer) })
}

/// Returns a native NFT that is on the L1 and has no open packet. The ICS-721 contract holds it in escrow.
fn abroad(planner: &mut Planner<'_>) -> Option<(u8, u32)> {
    let ics721 = single_contract(planner.world, SingleContract::Ics721);
    let collection = planner.rng.place(COLLECTIONS.len() - 1);
    let away = &planner.state.own.away;
    let is_awaited = |id: u32| {
        away.iter().any(|(_, nft_transfer, _)| (nft_transfer.collection, nft_transfer.id) == (collection, id))
    };
    let count = planner.state.minted(collection);
    let id = (1..=count).find(|id| planner.state.owner(collection, *id) == Some(ics721) && !is_awaited(*id))?;
    Some((collection, id))
}

/// Returns a bridged NFT that is on the L1: one that returned, or the next new one.
fn foreign_id(planner: &mut Planner<'_>) -> Option<u32> {
    let count = planner.state.minted(BRIDGED_COLLECTION);
    let gone = (1..=count).find(|id| planner.state.owner(BRIDGED_COLLECTION, *id).is_none());
    let id = gone.filter(|_| planner.rng.chance(1, 2)).unwrap_or(count + 1);
    let most = COLLECTIONS.get(usize::from(BRIDGED_COLLECTION))?.most;
    (id <= most).then_some(id)
}

/// Plans the relayer's acknowledgement or timeout for a sent NFT.
pub(super) fn settle(planner: &mut Planner<'_>) -> Option<PlannedTx> {
    let height = planner.height;
    let place = planner.state.own.away.iter().position(|(due, ..)| *due <= height)?;
    let (_, nft_transfer, packet_outcome) = planner.state.own.away.remove(place);
    relayed(planner, 428_000, |signer| VmMessage::AnswerNft {
        signer,
        nft_transfer: Box::new(nft_transfer),
        packet_outcome,
    })
}
