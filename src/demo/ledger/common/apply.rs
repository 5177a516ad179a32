//! Applies messages to the state. Rendering describes their changes as events, and tests compare the two.

use super::{
    Flavour,
    catalogue::{FEE_TOKEN, NFT_CHANNEL, OriginSpec},
    record::{AdminAct, DepositHook, DepositRecord, MemoKind, Msg, Packet, PacketArrival, TokenId},
    state::{FeeAllowance, Grant, LedgerState},
    world::{PartyRole, World},
};
use crate::demo::ledger::clock::days_after;

pub(crate) fn apply<F: Flavour>(state: &mut LedgerState<F::Own>, world: &World, msg: &Msg<F>) {
    match msg {
        Msg::Send { from, to, token, amount } => state.transfer(*token, *from, *to, *amount),
        Msg::MultiSend { from, token, outputs } => {
            outputs.iter().for_each(|(to, amount)| state.transfer(*token, *from, *to, *amount));
        }
        Msg::Exec { inner, .. } => inner.iter().for_each(|msg| apply(state, world, msg)),
        Msg::Grant { granter, grantee, right, days } => {
            let expires = Some(*days).filter(|days| *days > 0).map(|days| days_after(state.time, days));
            state.grants.push(Grant { granter: *granter, grantee: *grantee, right: *right, expires });
        }
        Msg::Revoke { granter, grantee, right } => {
            let revoked = (*granter, *grantee, *right);
            state.grants.retain(|grant| (grant.granter, grant.grantee, grant.right) != revoked);
        }
        Msg::AllowFees { granter, grantee, limit, days } => {
            let expires = days_after(state.time, *days);
            state.allowances.push(FeeAllowance { granter: *granter, grantee: *grantee, left: *limit, expires });
        }
        Msg::RevokeFees { granter, grantee } => {
            state.allowances.retain(|allowance| (allowance.granter, allowance.grantee) != (*granter, *grantee));
        }
        Msg::Vm(message) => F::apply(state, world, message),
        Msg::Deposit(deposit) => apply_deposit::<F>(state, world, deposit),
        Msg::Withdraw { sender, token, amount, .. } => {
            state.burn(*token, *sender, *amount);
            state.withdrawal += 1;
        }
        Msg::Execute { act, .. } => apply_act(state, world, *act),
        Msg::Transfer(packet) => {
            leave(state, world, packet);
            state.open.extend(packet.words.is_some().then(|| (**packet).clone()));
        }
        Msg::Receive { packet, arrival, .. } => arrive::<F>(state, world, packet, *arrival),
        Msg::Acknowledge { packet, accepted: true, .. } => close(state, packet),
        // What was passed on goes back to where it came from, so that its voucher ends here.
        Msg::Acknowledge { packet, .. } if matches!(packet.memo, MemoKind::PassedOn { .. }) => {
            state.burn(packet.token, world.role(PartyRole::Escrow), packet.amount);
        }
        Msg::Acknowledge { packet, .. } | Msg::Timeout { packet, .. } => {
            refund(state, world, packet);
            close(state, packet);
        }
        Msg::NftTransfer(packet) => {
            state.set_owner(world.catalogue.bridged_collection, packet.id, None);
            state.outgoing[NFT_CHANNEL] += 1;
        }
        Msg::NftReceive { packet, .. } => {
            state.set_owner(world.catalogue.bridged_collection, packet.id, Some(packet.local));
            state.set_since(world.catalogue.bridged_collection, Some(state.height));
            state.incoming[NFT_CHANNEL] += 1;
        }
        Msg::PruneAllowances { .. }
        | Msg::UpdateOracle { .. }
        | Msg::RelayOracle { .. }
        | Msg::SetBridgeInfo { .. }
        | Msg::UpdateClient { .. }
        | Msg::NftAcknowledge { .. } => {}
    }
}

fn count(counters: &mut [u64; 4], channel: u8) {
    if let Some(counter) = counters.get_mut(usize::from(channel)) {
        *counter += 1;
    }
}

fn apply_deposit<F: Flavour>(state: &mut LedgerState<F::Own>, world: &World, deposit: &DepositRecord) {
    let DepositRecord { to, token, amount, .. } = *deposit;
    match deposit.hook {
        DepositHook::Repeated => return,
        DepositHook::Refused { .. } => state.withdrawal += 1,
        DepositHook::TakenBack { .. } => {
            state.mint(token, to, amount);
            state.burn(token, to, amount);
            state.withdrawal += 1;
        }
        DepositHook::None | DepositHook::Stale { .. } => state.mint(token, to, amount),
        DepositHook::Run { amount: used, .. } | DepositHook::RunExact { amount: used, .. } => {
            state.mint(token, to, amount);
            F::apply_deposit_hook(state, world, deposit, used);
        }
    }
    state.deposit += 1;
}

fn apply_act<O>(state: &mut LedgerState<O>, world: &World, act: AdminAct) {
    match act {
        AdminAct::SpendFeePool { recipient, amount } => {
            state.transfer(TokenId(FEE_TOKEN), world.role(PartyRole::FeeCollector), recipient, amount);
        }
        AdminAct::AddValidator(sequencer) | AdminAct::UpdateSequencer(sequencer) => state.sequencer = sequencer,
        _ => {}
    }
}

/// Whether the token comes from another chain: it arrives and leaves over one channel, as a voucher.
pub(crate) fn is_voucher(world: &World, token: TokenId) -> bool {
    matches!(world.catalogue.origin(token.0), OriginSpec::Voucher { .. })
}

/// Whether the packet's channel is the one that its voucher came over, so that the voucher is burned when it leaves.
pub(crate) fn is_returning(world: &World, packet: &Packet) -> bool {
    let origin = world.catalogue.origin(packet.token.0);
    matches!(origin, OriginSpec::Voucher { channel, .. } if channel == usize::from(packet.channel))
}

fn leave<O>(state: &mut LedgerState<O>, world: &World, packet: &Packet) {
    if is_returning(world, packet) {
        state.burn(packet.token, packet.local, packet.amount);
    } else {
        state.transfer(packet.token, packet.local, world.role(PartyRole::Escrow), packet.amount);
    }
    count(&mut state.outgoing, packet.channel);
}

/// Refunds a packet's tokens: mints vouchers, or releases the tokens from escrow.
pub(crate) fn refund<O>(state: &mut LedgerState<O>, world: &World, packet: &Packet) {
    if is_voucher(world, packet.token) {
        state.mint(packet.token, packet.local, packet.amount);
    } else {
        state.transfer(packet.token, world.role(PartyRole::Escrow), packet.local, packet.amount);
    }
}

/// Removes an external packet from the open packets, after its acknowledgement or timeout.
fn close<O>(state: &mut LedgerState<O>, packet: &Packet) {
    if packet.words.is_some() {
        state.open.retain(|open| (open.channel, open.sequence) != (packet.channel, packet.sequence));
    }
}

fn arrive<F: Flavour>(state: &mut LedgerState<F::Own>, world: &World, packet: &Packet, arrival: PacketArrival) {
    if arrival == PacketArrival::Repeated {
        return;
    }
    count(&mut state.incoming, packet.channel);
    if arrival == PacketArrival::Refused {
        return;
    }
    match packet.memo {
        MemoKind::Hook(hook) => F::apply_arrival_hook(state, world, packet, hook),
        // The account that passes the tokens on holds them only within the message: they go into escrow at once.
        MemoKind::PassOn { .. } => {
            state.mint(packet.token, world.role(PartyRole::Escrow), packet.amount);
            count(&mut state.outgoing, 0);
        }
        MemoKind::Empty | MemoKind::Forward | MemoKind::PassedOn { .. } => refund(state, world, packet),
    }
}
