//! Packets over IBC: what users send, what arrives, and the relayer's answers.

use super::{Draft, Planner, TRIES};
use crate::demo::ledger::common::{
    Flavour,
    catalogue::{Catalogue, FEE_TOKEN, NFT_CHANNEL, Origin},
    record::{Arrival, Fee, Memo, Msg, NftPacket, Packet, PartyId, Style, TokenId},
    state::{Fate, Pending},
    world::Role,
};

/// Which of [`super::State::turns`] counts arrivals with something special.
const ARRIVAL_TURN: usize = 2;

/// Blocks that an impatient sender gives a packet.
const PATIENCE: u64 = 24;

/// The channel a token travels: its own one for vouchers, the L1's for all others.
pub(crate) fn channel(catalogue: &Catalogue, token: TokenId) -> u8 {
    match catalogue.origin(token.0) {
        Origin::Voucher { channel, .. } => u8::try_from(channel).unwrap_or(0),
        _ => 0,
    }
}

/// A channel's next number.
pub(crate) fn next(counters: &[u64; 4], channel: u8) -> u64 {
    counters.get(usize::from(channel)).copied().unwrap_or(1)
}

/// Tokens leave over IBC.
pub(crate) fn send<F: Flavour>(planner: &mut Planner<'_, F>) -> Option<Draft<F>> {
    let (sender, token, amount) = planner.holder(planner.world.catalogue.sent, 150)?;
    let channel = channel(planner.world.catalogue, token);
    let memo = if planner.rng.chance(1, 8) { Memo::Forward } else { Memo::Empty };
    let sequence = next(&planner.state.outgoing, channel);
    let (fate, wait, patience) = match planner.rng.index(10) {
        0 => (Fate::Refused, 3 + planner.rng.below(8), None),
        1 => (Fate::Expired, PATIENCE + 2 + planner.rng.below(20), u8::try_from(PATIENCE).ok()),
        _ => (Fate::Accepted, 3 + planner.rng.below(8), None),
    };
    let (local, sent, words) = (sender, planner.height, None);
    let packet = Packet { channel, sequence, local, token, amount, sent, patience, memo, words };
    let style = planner.cosmos_style();
    let draft = Draft::new(sender, style, 187_000, Msg::Transfer(Box::new(packet.clone())));
    Some(Draft { pending: Some(Pending::Tokens { due: planner.height + wait, packet, fate }), ..draft })
}

fn relayed<F: Flavour>(relayer: PartyId, planner: &Planner<'_, F>, channel: u8, gas: u32, message: Msg<F>) -> Draft<F> {
    brought(relayer, planner.height, channel, gas, message)
}

/// What a relayer brings about a packet, after news of the other chain.
pub(crate) fn brought<F: Flavour>(relayer: PartyId, height: u64, channel: u8, gas: u32, message: Msg<F>) -> Draft<F> {
    let update = Msg::UpdateClient { signer: relayer, channel, sent: height };
    Draft::free(relayer, Fee::Zero, gas, vec![update, message])
}

/// Tokens arrive over IBC.
pub(crate) fn receive<F: Flavour>(planner: &mut Planner<'_, F>) -> Option<Draft<F>> {
    let mut token = TokenId(planner.rng.pick(planner.world.catalogue.received).copied()?);
    let mut arrival = Arrival::Accepted;
    let mut memo = Memo::Empty;
    let mut relayer = planner.world.role(Role::Relayer);
    if planner.rng.chance(1, 3) {
        match planner.state.turn(ARRIVAL_TURN, 5) {
            0 | 2 | 3 => {
                memo = Memo::Hook(F::ARRIVAL_HOOK.0);
                token = F::ARRIVAL_HOOK.1;
            }
            1 => arrival = Arrival::Refused,
            _ => {
                arrival = Arrival::Repeated;
                relayer = planner.world.role(Role::LateRelayer);
            }
        }
    }
    let local = planner.other(relayer);
    let channel = channel(planner.world.catalogue, token);
    let amount = arriving(planner, token)?;
    let mut sequence = next(&planner.state.incoming, channel);
    if arrival == Arrival::Repeated {
        sequence = sequence.checked_sub(1).filter(|sequence| *sequence > 0)?;
    }
    let (sent, patience, words) = (planner.height, None, None);
    let packet = Packet { channel, sequence, local, token, amount, sent, patience, memo, words };
    let gas = if memo == Memo::Empty { 412_000 } else { 1_092_000 };
    let receive = Msg::Receive { signer: relayer, packet: Box::new(packet), arrival };
    Some(relayed(relayer, planner, channel, gas, receive))
}

/// An amount that can arrive: any of a voucher, of the others only what left before.
fn arriving<F: Flavour>(planner: &mut Planner<'_, F>, token: TokenId) -> Option<u128> {
    let catalogue = planner.world.catalogue;
    if matches!(catalogue.origin(token.0), Origin::Voucher { .. }) {
        let unit = (catalogue.whole(token.0) / 1000).min(catalogue.largest / 1_000_000_000);
        return Some(unit * u128::from(1 + planner.rng.below(40_000)));
    }
    let mut escrowed = planner.state.balance(token, planner.world.role(Role::Escrow));
    if planner.state.is_entered {
        escrowed = escrowed.saturating_sub(planner.state.promised(token));
    }
    Some(planner.rng.share(escrowed, 30)).filter(|amount| *amount > 0)
}

/// A token of a collection with its owner, who can pay fees.
pub(crate) fn owned<F: Flavour>(planner: &mut Planner<'_, F>, collection: u8) -> Option<(u32, PartyId)> {
    for _ in 0..TRIES {
        let id = 1 + planner.rng.index(planner.state.minted(collection));
        let reserve = planner.world.catalogue.fee_reserve();
        let owner = planner.state.owner(collection, id);
        if let Some(owner) = owner.filter(|owner| planner.spendable(TokenId(FEE_TOKEN), *owner) > reserve) {
            return Some((id, owner));
        }
    }
    None
}

/// An NFT of the bridged class leaves or arrives.
pub(crate) fn nft<F: Flavour>(planner: &mut Planner<'_, F>) -> Option<Draft<F>> {
    if planner.rng.chance(2, 5) {
        let (id, sender) = owned(planner, planner.world.catalogue.bridged_collection)?;
        let sequence = planner.state.outgoing[NFT_CHANNEL];
        let packet = NftPacket { sequence, local: sender, id, sent: planner.height, first: false };
        let due = planner.height + 3 + planner.rng.below(8);
        let draft = Draft::new(sender, Style::Personal, 304_000, Msg::NftTransfer(Box::new(packet.clone())));
        return Some(Draft { pending: Some(Pending::Nft { due, packet }), ..draft });
    }
    let collection = planner.world.catalogue.bridged_collection;
    let relayer = planner.world.role(Role::Relayer);
    let count = planner.state.minted(collection);
    let gone = (1..=count).find(|id| planner.state.owner(collection, *id).is_none());
    let id = gone.filter(|_| planner.rng.chance(1, 2)).unwrap_or(count + 1);
    let local = planner.other(relayer);
    let sequence = planner.state.incoming[NFT_CHANNEL];
    let packet = NftPacket { sequence, local, id, sent: planner.height, first: count == 0 };
    let receive = Msg::NftReceive { signer: relayer, packet: Box::new(packet) };
    Some(relayed(relayer, planner, u8::try_from(NFT_CHANNEL).ok()?, 742_000, receive))
}

/// The relayer's answers to what left: all that are due on one chain, in one transaction.
pub(crate) fn settle<F: Flavour>(planner: &mut Planner<'_, F>) -> Option<Draft<F>> {
    let relayer = planner.world.role(Role::Relayer);
    let height = planner.height;
    let place = planner.state.pending.iter().position(|pending| pending.due() <= height)?;
    let pending = planner.state.pending.remove(place);
    Some(match pending {
        Pending::Nft { packet, .. } => {
            let answer = Msg::NftAcknowledge { signer: relayer, packet: Box::new(packet) };
            relayed(relayer, planner, u8::try_from(NFT_CHANNEL).ok()?, 311_000, answer)
        }
        Pending::Tokens { packet, fate, .. } => {
            let (channel, packet) = (packet.channel, Box::new(packet));
            let answer = match fate {
                Fate::Expired => Msg::Timeout { signer: relayer, packet },
                _ => Msg::Acknowledge { signer: relayer, packet, accepted: fate == Fate::Accepted },
            };
            relayed(relayer, planner, channel, 336_000, answer)
        }
    })
}
