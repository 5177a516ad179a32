//! Packets over IBC: what users send, what arrives, and the relayer's answers.

use super::{Draft, Planner, calls};
use crate::rollup::ledger::evm::{
    apply::wrap_tokens,
    catalogue::{BRIDGED_COLLECTION, NFT_CHANNEL, Origin, TOKENS},
    record::{Arrival, Fee, Memo, Msg, NftPacket, Packet, PartyId, Style, TokenId},
    state::{Fate, Pending},
    world::Role,
};

/// Tokens that people send over IBC.
const SENT: [u8; 7] = [2, 3, 5, 5, 6, 7, 9];
/// Tokens that arrive over IBC.
const RECEIVED: [u8; 8] = [2, 3, 5, 5, 5, 6, 7, 9];
/// Which of [`super::State::turns`] counts arrivals with something special.
const ARRIVAL_TURN: usize = 2;

/// Blocks that an impatient sender gives a packet.
const PATIENCE: u64 = 24;

/// The channel a token travels: its own one for vouchers, the L1's for all others.
fn channel(token: TokenId) -> u8 {
    match TOKENS.get(usize::from(token.0)).map(|spec| spec.origin) {
        Some(Origin::Voucher { channel, .. }) => u8::try_from(channel).unwrap_or(0),
        _ => 0,
    }
}

fn next(counters: &[u64; 4], channel: u8) -> u64 {
    counters.get(usize::from(channel)).copied().unwrap_or(1)
}

pub(super) fn send(planner: &mut Planner<'_>) -> Option<Draft> {
    let (sender, token, amount) = planner.holder(&SENT, 150)?;
    let channel = channel(token);
    let memo = if planner.rng.chance(1, 8) { Memo::Forward } else { Memo::Empty };
    let sequence = next(&planner.state.outgoing, channel);
    let (fate, wait, patience) = match planner.rng.index(10) {
        0 => (Fate::Refused, 3 + planner.rng.below(8), None),
        1 => (Fate::Expired, PATIENCE + 2 + planner.rng.below(20), u8::try_from(PATIENCE).ok()),
        _ => (Fate::Accepted, 3 + planner.rng.below(8), None),
    };
    let packet = Packet { channel, sequence, local: sender, token, amount, sent: planner.height, patience, memo };
    let style = planner.cosmos_style();
    let draft = Draft::new(sender, style, 187_000, Msg::Transfer(Box::new(packet.clone())));
    Some(Draft { pending: Some(Pending::Tokens { due: planner.height + wait, packet, fate }), ..draft })
}

fn relayed(relayer: PartyId, planner: &Planner<'_>, channel: u8, gas: u32, message: Msg) -> Draft {
    let update = Msg::UpdateClient { signer: relayer, channel, sent: planner.height };
    Draft::free(relayer, Fee::Zero, gas, vec![update, message])
}

pub(super) fn receive(planner: &mut Planner<'_>) -> Option<Draft> {
    let mut token = TokenId(planner.rng.pick(&RECEIVED).copied()?);
    let mut arrival = Arrival::Accepted;
    let mut memo = Memo::Empty;
    let mut relayer = planner.world.role(Role::Relayer);
    if planner.rng.chance(1, 3) {
        match planner.state.turn(ARRIVAL_TURN, 5) {
            0 | 2 | 3 => {
                memo = Memo::Convert(1);
                token = wrap_tokens(1).0;
            }
            1 => arrival = Arrival::Refused,
            _ => {
                arrival = Arrival::Repeated;
                relayer = planner.world.role(Role::LateRelayer);
            }
        }
    }
    let local = planner.other(relayer);
    let channel = channel(token);
    let amount = arriving(planner, token)?;
    let mut sequence = next(&planner.state.incoming, channel);
    if arrival == Arrival::Repeated {
        sequence = sequence.checked_sub(1).filter(|sequence| *sequence > 0)?;
    }
    let packet = Packet { channel, sequence, local, token, amount, sent: planner.height, patience: None, memo };
    let gas = if memo == Memo::Empty { 412_000 } else { 1_092_000 };
    let receive = Msg::Receive { signer: relayer, packet: Box::new(packet), arrival };
    Some(relayed(relayer, planner, channel, gas, receive))
}

/// An amount that can arrive: any of a voucher, of the others only what left before.
fn arriving(planner: &mut Planner<'_>, token: TokenId) -> Option<u128> {
    let spec = TOKENS.get(usize::from(token.0))?;
    if matches!(spec.origin, Origin::Voucher { .. }) {
        let whole = 10u128.pow(u32::from(spec.decimals));
        return Some(whole / 1000 * u128::from(1 + planner.rng.below(40_000)));
    }
    let escrowed = planner.state.balance(token, planner.world.role(Role::Escrow));
    Some(planner.rng.share(escrowed, 30)).filter(|amount| *amount > 0)
}

/// An NFT of the bridged class leaves or arrives.
pub(super) fn nft(planner: &mut Planner<'_>) -> Option<Draft> {
    if planner.rng.chance(2, 5) {
        let (id, sender) = calls::owned(planner, BRIDGED_COLLECTION)?;
        let sequence = planner.state.outgoing[NFT_CHANNEL];
        let packet = NftPacket { sequence, local: sender, id, sent: planner.height, first: false };
        let due = planner.height + 3 + planner.rng.below(8);
        let draft = Draft::new(sender, Style::Personal, 304_000, Msg::NftTransfer(Box::new(packet.clone())));
        return Some(Draft { pending: Some(Pending::Nft { due, packet }), ..draft });
    }
    let relayer = planner.world.role(Role::Relayer);
    let count = planner.state.minted(BRIDGED_COLLECTION);
    let gone = (1..=count).find(|id| planner.state.owner(BRIDGED_COLLECTION, *id).is_none());
    let id = gone.filter(|_| planner.rng.chance(1, 2)).unwrap_or(count + 1);
    let local = planner.other(relayer);
    let sequence = planner.state.incoming[NFT_CHANNEL];
    let packet = NftPacket { sequence, local, id, sent: planner.height, first: count == 0 };
    let receive = Msg::NftReceive { signer: relayer, packet: Box::new(packet) };
    Some(relayed(relayer, planner, u8::try_from(NFT_CHANNEL).ok()?, 742_000, receive))
}

/// The relayer's answers to what left: all that are due on one chain, in one transaction.
pub(super) fn settle(planner: &mut Planner<'_>) -> Option<Draft> {
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
