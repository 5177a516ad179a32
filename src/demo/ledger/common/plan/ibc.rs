//! Plans for IBC: outgoing and incoming transfers, and the relayer's messages.

use super::{PlannedTx, Planner, TRIES};
use crate::demo::ledger::PacketOutcome;
use crate::demo::ledger::common::{
    Flavour,
    catalogue::{FEE_TOKEN, LedgerCatalogue, NFT_CHANNEL, OriginSpec},
    record::{FeePayment, MemoKind, Msg, NftPacket, Packet, PacketArrival, PartyId, SignMode, TokenId},
    state::Pending,
    world::PartyRole,
};

/// Counter of special arrivals in [`super::LedgerState::turns`].
const ARRIVAL_TURN: usize = 2;

/// Of so many packets from other chains than the L1, this chain passes the first on. The L1 refuses every second.
const PASSED_ON: u64 = 3;
/// Number of blocks until the acknowledgement of a packet that this chain passed on.
const ANSWERED_AFTER: u64 = 5;

/// Timeout of a packet from an impatient sender, in blocks.
const PATIENCE: u64 = 24;

/// Returns a token's channel: a voucher's own channel, else the L1's.
pub(crate) fn channel(catalogue: &LedgerCatalogue, token: TokenId) -> u8 {
    match catalogue.origin(token.0) {
        OriginSpec::Voucher { channel, .. } => u8::try_from(channel).unwrap_or(0),
        _ => 0,
    }
}

pub(crate) fn next(counters: &[u64; 4], channel: u8) -> u64 {
    counters.get(usize::from(channel)).copied().unwrap_or(1)
}

pub(crate) fn send<F: Flavour>(planner: &mut Planner<'_, F>) -> Option<PlannedTx<F>> {
    let (sender, token, amount) = planner.holder(planner.world.catalogue.sent, 150)?;
    let channel = channel(planner.world.catalogue, token);
    let memo = if planner.rng.chance(1, 8) { MemoKind::Forward } else { MemoKind::Empty };
    let sequence = next(&planner.state.outgoing, channel);
    let (packet_outcome, wait, patience) = match planner.rng.index(10) {
        0 => (PacketOutcome::Refused, 3 + planner.rng.below(8), None),
        1 => (PacketOutcome::Expired, PATIENCE + 2 + planner.rng.below(20), u8::try_from(PATIENCE).ok()),
        _ => (PacketOutcome::Accepted, 3 + planner.rng.below(8), None),
    };
    let (local, sent, words) = (sender, planner.height, None);
    let packet = Packet { channel, sequence, local, token, amount, sent, patience, memo, words };
    let style = planner.cosmos_style();
    let tx = PlannedTx::new(sender, style, 187_000, Msg::Transfer(Box::new(packet.clone())));
    Some(PlannedTx { pending: Some(Pending::Tokens { due: planner.height + wait, packet, packet_outcome }), ..tx })
}

fn relayed<F: Flavour>(
    relayer: PartyId,
    planner: &Planner<'_, F>,
    channel: u8,
    gas: u32,
    message: Msg<F>,
) -> PlannedTx<F> {
    brought(relayer, planner.height, channel, gas, message)
}

/// Plans a relayer's transaction: a client update and a message about a packet.
pub(crate) fn brought<F: Flavour>(
    relayer: PartyId,
    height: u64,
    channel: u8,
    gas: u32,
    message: Msg<F>,
) -> PlannedTx<F> {
    let update = Msg::UpdateClient { signer: relayer, channel, sent: height };
    PlannedTx::free(relayer, FeePayment::Zero, gas, vec![update, message])
}

pub(crate) fn receive<F: Flavour>(planner: &mut Planner<'_, F>) -> Option<PlannedTx<F>> {
    let mut token = TokenId(planner.rng.pick(planner.world.catalogue.received).copied()?);
    let mut arrival = PacketArrival::Accepted;
    let mut memo = MemoKind::Empty;
    let mut relayer = planner.world.role(PartyRole::Relayer);
    if planner.rng.chance(1, 3) {
        match planner.state.turn(ARRIVAL_TURN, 5) {
            0 | 2 | 3 => {
                memo = MemoKind::Hook(F::ARRIVAL_HOOK.0);
                token = F::ARRIVAL_HOOK.1;
            }
            1 => arrival = PacketArrival::Refused,
            _ => {
                arrival = PacketArrival::Repeated;
                relayer = planner.world.role(PartyRole::LateRelayer);
            }
        }
    }
    let local = planner.other(relayer);
    let channel = channel(planner.world.catalogue, token);
    let amount = arriving(planner, token)?;
    let mut sequence = next(&planner.state.incoming, channel);
    if arrival == PacketArrival::Repeated {
        sequence = sequence.checked_sub(1).filter(|sequence| *sequence > 0)?;
    }
    if (memo, arrival) == (MemoKind::Empty, PacketArrival::Accepted) && channel > 0 && sequence % PASSED_ON == 1 {
        memo = MemoKind::PassOn { onward: next(&planner.state.outgoing, 0) };
    }
    let (sent, patience, words) = (planner.height, None, None);
    let packet = Packet { channel, sequence, local, token, amount, sent, patience, memo, words };
    let gas = if memo == MemoKind::Empty { 412_000 } else { 1_092_000 };
    let pending = packet.onward().map(|packet| {
        let packet_outcome =
            if sequence % (2 * PASSED_ON) == 1 { PacketOutcome::Accepted } else { PacketOutcome::Refused };
        Pending::Tokens { due: planner.height + ANSWERED_AFTER, packet, packet_outcome }
    });
    let receive = Msg::Receive { signer: relayer, packet: Box::new(packet), arrival };
    Some(PlannedTx { pending, ..relayed(relayer, planner, channel, gas, receive) })
}

/// Returns an amount that can arrive: any amount of a voucher, else at most the amount that left before.
fn arriving<F: Flavour>(planner: &mut Planner<'_, F>, token: TokenId) -> Option<u128> {
    let catalogue = planner.world.catalogue;
    if matches!(catalogue.origin(token.0), OriginSpec::Voucher { .. }) {
        let unit = (catalogue.whole(token.0) / 1000).min(catalogue.largest / 1_000_000_000);
        return Some(unit * u128::from(1 + planner.rng.below(40_000)));
    }
    let mut escrowed = planner.state.balance(token, planner.world.role(PartyRole::Escrow));
    if planner.state.is_entered {
        escrowed = escrowed.saturating_sub(planner.state.promised(token));
    }
    Some(planner.rng.share(escrowed, 30)).filter(|amount| *amount > 0)
}

/// Returns a token of a collection, and its owner, who can pay fees.
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

/// Plans the departure or the arrival of a bridged NFT.
pub(crate) fn nft<F: Flavour>(planner: &mut Planner<'_, F>) -> Option<PlannedTx<F>> {
    if planner.rng.chance(2, 5) {
        let (id, sender) = owned(planner, planner.world.catalogue.bridged_collection)?;
        let sequence = planner.state.outgoing[NFT_CHANNEL];
        let packet = NftPacket { sequence, local: sender, id, sent: planner.height, first: false };
        let due = planner.height + 3 + planner.rng.below(8);
        let tx = PlannedTx::new(sender, SignMode::Personal, 304_000, Msg::NftTransfer(Box::new(packet.clone())));
        return Some(PlannedTx { pending: Some(Pending::Nft { due, packet }), ..tx });
    }
    let collection = planner.world.catalogue.bridged_collection;
    let relayer = planner.world.role(PartyRole::Relayer);
    let count = planner.state.minted(collection);
    let gone = (1..=count).find(|id| planner.state.owner(collection, *id).is_none());
    let id = gone.filter(|_| planner.rng.chance(1, 2)).unwrap_or(count + 1);
    let local = planner.other(relayer);
    let sequence = planner.state.incoming[NFT_CHANNEL];
    let packet = NftPacket { sequence, local, id, sent: planner.height, first: count == 0 };
    let receive = Msg::NftReceive { signer: relayer, packet: Box::new(packet) };
    Some(relayed(relayer, planner, u8::try_from(NFT_CHANNEL).ok()?, 742_000, receive))
}

/// Plans the relayer's due acknowledgements and timeouts of one chain, in one transaction.
pub(crate) fn settle<F: Flavour>(planner: &mut Planner<'_, F>) -> Option<PlannedTx<F>> {
    let relayer = planner.world.role(PartyRole::Relayer);
    let height = planner.height;
    let place = planner.state.pending.iter().position(|pending| pending.due() <= height)?;
    let pending = planner.state.pending.remove(place);
    Some(match pending {
        Pending::Nft { packet, .. } => {
            let answer = Msg::NftAcknowledge { signer: relayer, packet: Box::new(packet) };
            relayed(relayer, planner, u8::try_from(NFT_CHANNEL).ok()?, 311_000, answer)
        }
        Pending::Tokens { packet, packet_outcome, .. } => {
            let (channel, packet) = (packet.channel, Box::new(packet));
            let answer = match packet_outcome {
                PacketOutcome::Expired => Msg::Timeout { signer: relayer, packet },
                _ => Msg::Acknowledge { signer: relayer, packet, accepted: packet_outcome == PacketOutcome::Accepted },
            };
            relayed(relayer, planner, channel, 336_000, answer)
        }
    })
}
