//! Static facts about a rollup, for routing transfers to and from it.

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

/// Facts about a rollup that depend only on VM and seed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RollupFacts {
    pub vm: Vm,
    /// Chain id, such as `rollscope-evm-1`.
    pub chain_id: &'static str,
    pub l1_chain_id: &'static str,
    /// ID of the rollup's OPinit bridge on the L1.
    pub bridge_id: u64,
    /// Account on the L1 that holds the bridged tokens.
    pub bridge_account: Address,
    /// Tokens, the fee token first.
    pub tokens: Vec<RollupToken>,
    /// Open channels. The first leads to the L1, the second carries NFTs.
    pub channels: Vec<RollupChannel>,
    /// Contract that converts wrapped pairs; `None` unless the VM is the EVM.
    pub wrapper: Option<Address>,
    /// Account of the demo wallet. All rollups of a seed share its key and fund it with every bridged token.
    pub wallet: Address,
    /// Gas price in thousandths of the fee token's smallest unit.
    pub gas_price_milli: u128,
    /// Accounts that have a role, with their labels.
    pub accounts: Vec<(Address, &'static str)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RollupToken {
    pub denom: Denom,
    /// Symbol; other tokens may share it.
    pub symbol: &'static str,
    pub decimals: u8,
    pub origin: TokenOrigin,
    /// On the EVM, the token that this 18-decimal token wraps. The wrapped token leaves the rollup.
    pub wraps: Option<Denom>,
    /// ERC-20 contract; `None` unless the VM is the EVM.
    pub contract: Option<Address>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenOrigin {
    /// Issued on the rollup. It leaves only over the first channel.
    Native,
    /// Bridged from the L1: `l2/…`.
    Bridged { l1_denom: &'static str },
    /// IBC voucher: `ibc/…`. It leaves only over its own channel.
    Voucher {
        channel: &'static str,
        /// Denom on the other chain.
        base: &'static str,
    },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RollupChannel {
    /// Port on the other chain. It differs from the rollup's only for NFTs on Wasm.
    pub port: &'static str,
    pub local_port: String,
    pub id: &'static str,
    /// Channel id on the other chain.
    pub there: &'static str,
    pub chain_id: &'static str,
    /// Bech32 prefix of the other chain.
    pub prefix: &'static str,
    pub escrow: Address,
    pub connection: &'static str,
    pub client: &'static str,
    /// Revision number in the heights of the other chain.
    pub revision: u64,
    /// Height of the other chain at the rollup's genesis.
    pub start_height: u64,
}

/// Returns the facts for this VM and seed, without a simulation.
pub fn facts(vm: Vm, seed: u64) -> RollupFacts {
    match vm {
        Vm::Evm => facts_of::<Evm>(seed),
        Vm::Move => facts_of::<Move>(seed),
        Vm::Wasm => facts_of::<Wasm>(seed),
    }
}

/// Returns the address of a user by index, on any VM; see [`super::Ledger::account`].
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
