//! What messages do to the state. Rendering tells the same story as events; tests hold one against the other.

use super::{
    catalogue::{BRIDGED_COLLECTION, FEE_TOKEN, NFT_CHANNEL, Origin, POOLS, REWARD_TOKEN, TOKENS, WRAP_FACTOR, WRAPS},
    record::{Act, Arrival, Call, Deposit, Hook, Memo, Msg, Packet, PartyId, Swap, TokenId},
    state::State,
    world::{Role, World},
};

/// Does what a successful message does.
pub(crate) fn apply(state: &mut State, world: &World, msg: &Msg) {
    match msg {
        Msg::Send { from, to, token, amount } => state.transfer(*token, *from, *to, *amount),
        Msg::Exec { inner, .. } => inner.iter().for_each(|msg| apply(state, world, msg)),
        Msg::Grant { granter, grantee, right, .. } => state.grants.push((*granter, *grantee, *right)),
        Msg::Revoke { granter, grantee, right } => {
            state.grants.retain(|grant| *grant != (*granter, *grantee, *right));
        }
        Msg::AllowFees { granter, grantee, .. } => state.allowances.push((*granter, *grantee)),
        Msg::RevokeFees { granter, grantee } => state.allowances.retain(|pair| *pair != (*granter, *grantee)),
        Msg::Call { sender, call } => apply_call(state, world, *sender, call),
        Msg::Deposit(deposit) => apply_deposit(state, world, deposit),
        Msg::Withdraw { sender, token, amount, .. } => {
            state.burn(*token, *sender, *amount);
            state.withdrawal += 1;
        }
        Msg::Execute { act, .. } => apply_act(state, world, *act),
        Msg::Transfer(packet) => {
            leave(state, world, packet);
            count(&mut state.outgoing, packet.channel);
        }
        Msg::Receive { packet, arrival, .. } => arrive(state, world, packet, *arrival),
        Msg::Acknowledge { packet, accepted: false, .. } | Msg::Timeout { packet, .. } => refund(state, world, packet),
        Msg::NftTransfer(packet) => {
            state.set_owner(BRIDGED_COLLECTION, packet.id, None);
            state.outgoing[NFT_CHANNEL] += 1;
        }
        Msg::NftReceive { packet, .. } => {
            state.set_owner(BRIDGED_COLLECTION, packet.id, Some(packet.local));
            state.incoming[NFT_CHANNEL] += 1;
        }
        Msg::PruneAllowances { .. }
        | Msg::Create { .. }
        | Msg::UpdateOracle { .. }
        | Msg::RelayOracle { .. }
        | Msg::SetBridgeInfo { .. }
        | Msg::UpdateClient { .. }
        | Msg::Acknowledge { accepted: true, .. }
        | Msg::NftAcknowledge { .. } => {}
    }
}

fn count(counters: &mut [u64; 4], channel: u8) {
    if let Some(counter) = counters.get_mut(usize::from(channel)) {
        *counter += 1;
    }
}

fn apply_call(state: &mut State, world: &World, sender: PartyId, call: &Call) {
    match call {
        Call::Transfer { token, to, amount } => state.transfer(*token, sender, *to, *amount),
        Call::Approve { token, spender, amount: None } => {
            state.approvals.insert((*token, sender, *spender));
        }
        Call::Burn { token, amount } => state.burn(*token, sender, *amount),
        Call::Pay { to, amount } => state.transfer(TokenId(FEE_TOKEN), sender, *to, *amount),
        Call::Mint { collection, id } => state.set_owner(*collection, *id, Some(sender)),
        Call::Give { collection, id, to } => state.set_owner(*collection, *id, Some(*to)),
        Call::Swap(swap) => {
            let (sold, bought) = swap_tokens(swap);
            let pool = world.pool(swap.pool);
            state.transfer(sold, sender, pool, swap.sold);
            state.transfer(bought, pool, sender, swap.bought);
        }
        Call::ToLocal { wrap, amount } => to_local(state, world, sender, *wrap, *amount),
        Call::ToRemote { wrap, amount } => {
            let (remote, local) = wrap_tokens(*wrap);
            state.burn(local, sender, *amount);
            state.transfer(remote, world.role(Role::Wrapper), sender, amount / WRAP_FACTOR);
        }
        Call::Stake { amount } => {
            state.transfer(TokenId(REWARD_TOKEN), sender, world.role(Role::Vault), *amount);
            state.set_staked(sender, state.staked(sender) + amount);
        }
        Call::Unstake { amount } => {
            state.transfer(TokenId(REWARD_TOKEN), world.role(Role::Vault), sender, *amount);
            state.set_staked(sender, state.staked(sender).saturating_sub(*amount));
        }
        Call::Claim { amount } => {
            state.transfer(TokenId(REWARD_TOKEN), world.role(Role::Airdrop), sender, *amount);
        }
        Call::Disperse { token, each, to } => {
            to.iter().for_each(|to| state.transfer(*token, sender, *to, *each));
        }
        Call::Approve { .. } | Call::ApproveAll { .. } | Call::Ping { .. } => {}
    }
}

/// What a swap sells and buys.
pub(crate) fn swap_tokens(swap: &Swap) -> (TokenId, TokenId) {
    let (first, second) = POOLS.get(usize::from(swap.pool)).copied().unwrap_or_default();
    if swap.forward { (TokenId(first), TokenId(second)) } else { (TokenId(second), TokenId(first)) }
}

/// The two sides of a wrap: the token from elsewhere and the one here.
pub(crate) fn wrap_tokens(wrap: u8) -> (TokenId, TokenId) {
    let (remote, local) = WRAPS.get(usize::from(wrap)).copied().unwrap_or_default();
    (TokenId(remote), TokenId(local))
}

fn to_local(state: &mut State, world: &World, owner: PartyId, wrap: u8, amount: u128) {
    let (remote, local) = wrap_tokens(wrap);
    state.transfer(remote, owner, world.role(Role::Wrapper), amount);
    state.mint(local, owner, amount * WRAP_FACTOR);
}

fn apply_deposit(state: &mut State, world: &World, deposit: &Deposit) {
    let Deposit { to, token, amount, .. } = *deposit;
    match deposit.hook {
        Hook::Repeated => return,
        Hook::Refused { .. } => state.withdrawal += 1,
        Hook::None | Hook::Stale { .. } => state.mint(token, to, amount),
        Hook::Convert { converted, .. } => {
            state.mint(token, to, amount);
            state.approvals.insert((token, to, world.role(Role::Wrapper)));
            to_local(state, world, to, 0, converted);
            state.advance_sequence(to, 2);
        }
    }
    state.deposit += 1;
}

fn apply_act(state: &mut State, world: &World, act: Act) {
    match act {
        Act::SpendFeePool { recipient, amount } => {
            state.transfer(TokenId(FEE_TOKEN), world.role(Role::FeeCollector), recipient, amount);
        }
        Act::AddValidator(sequencer) => state.sequencer = sequencer,
        _ => {}
    }
}

/// Whether a token leaves by being burned, because its home is elsewhere.
pub(crate) fn is_voucher(token: TokenId) -> bool {
    matches!(TOKENS.get(usize::from(token.0)).map(|spec| spec.origin), Some(Origin::Voucher { .. }))
}

fn leave(state: &mut State, world: &World, packet: &Packet) {
    if is_voucher(packet.token) {
        state.burn(packet.token, packet.local, packet.amount);
    } else {
        state.transfer(packet.token, packet.local, world.role(Role::Escrow), packet.amount);
    }
}

fn refund(state: &mut State, world: &World, packet: &Packet) {
    if is_voucher(packet.token) {
        state.mint(packet.token, packet.local, packet.amount);
    } else {
        state.transfer(packet.token, world.role(Role::Escrow), packet.local, packet.amount);
    }
}

fn arrive(state: &mut State, world: &World, packet: &Packet, arrival: Arrival) {
    if arrival == Arrival::Repeated {
        return;
    }
    count(&mut state.incoming, packet.channel);
    if arrival == Arrival::Refused {
        return;
    }
    if let Memo::Convert(wrap) = packet.memo {
        let (remote, local) = wrap_tokens(wrap);
        state.mint(remote, world.role(Role::Wrapper), packet.amount);
        state.mint(local, packet.local, packet.amount * WRAP_FACTOR);
    } else {
        refund(state, world, packet);
    }
}
