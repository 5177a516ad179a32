//! What is fixed about a rollup before anything happens on it, for whoever routes transfers to and from it.

use super::{
    common::{
        Flavour,
        catalogue::{ChannelSpec, L1_CHAIN_ID, OriginSpec, TokenSpec},
        world::{self, PartyRole, WALLET},
    },
    derive,
    evm::Evm,
    movevm::Move,
    wasm::{self, Wasm},
};
use crate::domain::{Address, Denom, Vm};

/// What a virtual machine and a seed fix about a rollup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RollupFacts {
    /// The virtual machine.
    pub vm: Vm,
    /// `rollscope-evm-1` and the like.
    pub chain_id: &'static str,
    /// The chain that it settles on.
    pub l1_chain_id: &'static str,
    /// The number of its optimistic bridge on the L1.
    pub bridge_id: u64,
    /// The bridge's account on the L1, which holds what was deposited.
    pub bridge_account: Address,
    /// Its tokens; the first is the fee token.
    pub tokens: Vec<RollupToken>,
    /// Its open channels; the first leads to the L1, the second carries NFTs.
    pub channels: Vec<RollupChannel>,
    /// What converts between the two sides of a wrapped pair; `None` off the EVM.
    pub wrapper: Option<Address>,
    /// The demo wallet: a user, the same on all rollups of a seed, who has plenty of what can be bridged.
    pub wallet: Address,
    /// The price of gas, in thousandths of the fee token's smallest unit.
    pub gas_price_milli: u128,
    /// Accounts with a part to play, and what they are called.
    pub accounts: Vec<(Address, &'static str)>,
}

/// A token of a rollup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RollupToken {
    /// Its denom here.
    pub denom: Denom,
    /// Ticker; two tokens may share one.
    pub symbol: &'static str,
    /// Digits after the point in display units.
    pub decimals: u8,
    /// Where it comes from.
    pub origin: TokenOrigin,
    /// The token that this one is the 18-decimal form of, on the EVM. It leaves the rollup as that one.
    pub wraps: Option<Denom>,
    /// Its ERC-20 contract, on the EVM.
    pub contract: Option<Address>,
}

/// Where a token comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenOrigin {
    /// Made here. It leaves over the first channel only.
    Native,
    /// Bridged from the L1, `l2/…`.
    Bridged {
        /// Its denom there.
        l1_denom: &'static str,
    },
    /// A voucher that came over IBC, `ibc/…`. It leaves over the same channel only.
    Voucher {
        /// The channel's name here.
        channel: &'static str,
        /// Its denom on the other chain.
        base: &'static str,
    },
}

/// A channel of a rollup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RollupChannel {
    /// The port on the other chain; here the same, but for NFTs on Wasm.
    pub port: &'static str,
    /// The port here.
    pub local_port: String,
    /// Its name here.
    pub id: &'static str,
    /// Its name on the other chain.
    pub there: &'static str,
    /// The other chain.
    pub chain_id: &'static str,
    /// The prefix of the other chain's addresses.
    pub prefix: &'static str,
    /// The account here that holds what left over it.
    pub escrow: Address,
    /// The connection here that it lies on.
    pub connection: &'static str,
    /// The light client here that the connection trusts.
    pub client: &'static str,
    /// The number in the other chain's heights.
    pub revision: u64,
    /// What the other chain's height was when the rollup began.
    pub start_height: u64,
}

/// The facts of the rollup with this virtual machine and seed; cheap, nothing is simulated.
pub fn facts(vm: Vm, seed: u64) -> RollupFacts {
    match vm {
        Vm::Evm => facts_of::<Evm>(seed),
        Vm::Move => facts_of::<Move>(seed),
        Vm::Wasm => facts_of::<Wasm>(seed),
    }
}

/// The address of the user with this number, whatever the virtual machine; see [`super::Ledger::account`].
pub fn user(seed: u64, index: u32) -> Address {
    world::user(seed, index)
}

fn facts_of<F: Flavour>(seed: u64) -> RollupFacts {
    let catalogue = F::CATALOGUE;
    RollupFacts {
        vm: F::VM,
        chain_id: catalogue.chain_id,
        l1_chain_id: L1_CHAIN_ID,
        bridge_id: catalogue.bridge_id,
        bridge_account: Address::Long(derive::bridge_account(catalogue.bridge_id)),
        tokens: tokens::<F>(seed),
        channels: catalogue.channels.iter().map(channel::<F>).collect(),
        wrapper: (F::VM == Vm::Evm).then(|| world::role_account(catalogue, seed, PartyRole::Wrapper)),
        wallet: user(seed, WALLET),
        gas_price_milli: catalogue.gas_price_milli,
        accounts: accounts::<F>(seed),
    }
}

fn accounts<F: Flavour>(seed: u64) -> Vec<(Address, &'static str)> {
    let roles = [
        (PartyRole::Relayer, "relayer"),
        (PartyRole::LateRelayer, "slow relayer"),
        (PartyRole::Executor, "bridge executor"),
        (PartyRole::Admin, "rollup admin"),
        (PartyRole::OracleBot, "oracle bot"),
    ];
    let named = roles.map(|(role, name)| (world::role_account(F::CATALOGUE, seed, role), name));
    let wrapper =
        (F::VM == Vm::Evm).then(|| (world::role_account(F::CATALOGUE, seed, PartyRole::Wrapper), "ERC20 wrapper"));
    named.into_iter().chain(wrapper).chain([(user(seed, WALLET), "demo wallet")]).collect()
}

fn tokens<F: Flavour>(seed: u64) -> Vec<RollupToken> {
    let laid = F::layout(seed).tokens;
    let wrapped = |place| {
        let (remote, _) = F::WRAPS.iter().find(|(_, local)| *local == place)?;
        laid.get(usize::from(*remote)).map(|(denom, _)| Denom::new(denom.as_str()))
    };
    let token = |(place, ((denom, address), spec)): (u8, (&(String, Address), &TokenSpec))| RollupToken {
        denom: Denom::new(denom.as_str()),
        symbol: spec.symbol,
        decimals: spec.decimals,
        origin: origin::<F>(spec.origin),
        wraps: wrapped(place),
        contract: Some(*address).filter(|_| F::VM == Vm::Evm),
    };
    (0..).zip(laid.iter().zip(F::CATALOGUE.tokens)).map(token).collect()
}

fn origin<F: Flavour>(origin: OriginSpec) -> TokenOrigin {
    match origin {
        OriginSpec::Native => TokenOrigin::Native,
        OriginSpec::Bridged(l1_denom) => TokenOrigin::Bridged { l1_denom },
        OriginSpec::Voucher { channel, base } => {
            let channel = F::CATALOGUE.channels.get(channel).map_or("", |channel| channel.id);
            TokenOrigin::Voucher { channel, base }
        }
    }
}

fn channel<F: Flavour>(channel: &ChannelSpec) -> RollupChannel {
    let version = if channel.port == "transfer" { "ics20-1" } else { "ics721-1" };
    let is_contract = F::VM == Vm::Wasm && channel.port != "transfer";
    RollupChannel {
        port: channel.port,
        local_port: if is_contract { wasm::nft_port() } else { channel.port.to_owned() },
        id: channel.id,
        there: channel.there,
        chain_id: channel.chain_id,
        prefix: channel.prefix,
        escrow: Address::Short(derive::escrow_account(version, channel.port, channel.id)),
        connection: channel.connection,
        client: channel.client,
        revision: channel.revision,
        start_height: channel.start_height,
    }
}
