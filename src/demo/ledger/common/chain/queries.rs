//! Queries about accounts and contracts of a simulated rollup.

use super::{SimulatedChain, Simulation as _};
use crate::{
    demo::{
        chain::{AccountKind, AuthzGrant, ChainAccount, FeeGrant, NftClass, OpenPacket, Sequencer},
        ledger::common::{
            catalogue::{FEE_TOKEN, NFT_CHANNEL, SEQUENCERS},
            record::{Msg, PartyId, TokenId},
            render::{
                Render, RenderView, kind, operator_account,
                packet::{nft_packet_view, packet_view},
                sequencer_public_key,
            },
            state::{FeeAllowance, Grant, Pending},
            world::PartyRole,
        },
    },
    domain::{Address, Amount, Denom, Height, Vm},
};

/// Modules with an account, and their bank permissions.
const MODULES: [(PartyRole, &str, &[&str]); 3] = [
    (PartyRole::FeeCollector, "fee_collector", &[]),
    (PartyRole::OpChild, "opchild", &["minter", "burner"]),
    (PartyRole::TransferModule, "transfer", &["minter", "burner"]),
];

const CONTRACTS: [PartyRole; 5] =
    [PartyRole::Wrapper, PartyRole::Router, PartyRole::Vault, PartyRole::Airdrop, PartyRole::Disperser];

impl<F: Render> SimulatedChain<F> {
    /// Returns each account once: tokens may share a contract, and tokens on Wasm have none.
    pub(super) fn all_accounts(&self) -> Vec<ChainAccount> {
        let mut seen = std::collections::HashSet::new();
        let accounts = self.world.parties().map(|(id, _)| self.account_at(id));
        accounts.filter(|account| seen.insert(account.address)).collect()
    }

    /// Returns an account's balance after a block: the previous value at its next change.
    pub(super) fn past_balance(&self, account: &Address, denom: &Denom, height: Height) -> Option<Amount> {
        let later = self.tip().checked_sub(height.get()).and_then(|blocks| usize::try_from(blocks).ok())?;
        let first = self.changes.len().checked_sub(later)?;
        let Some((party, token)) = self.world.find(account.bytes()).zip(self.world.token_by_denom(denom)) else {
            return Some(Amount::ZERO);
        };
        let changed = self.changes.iter().skip(first).flatten().find(|(one, who, _)| (*one, *who) == (token, party));
        Some(Amount::from(changed.map_or_else(|| self.state.balance(token, party), |(_, _, before)| *before)))
    }

    pub(super) fn account_at(&self, id: PartyId) -> ChainAccount {
        let party = self.world.party(id);
        ChainAccount {
            address: party.address,
            number: u64::from(id.0),
            sequence: u64::from(self.state.sequence(id)),
            key: party.key.map(|key| (key.kind, key.compressed)),
            kind: self.kind_of(id, &party.address),
        }
    }

    fn kind_of(&self, id: PartyId, address: &Address) -> AccountKind {
        let is = |role: PartyRole| self.world.role(role) == id;
        if let Some((_, name, permissions)) = MODULES.into_iter().find(|(role, ..)| is(*role)) {
            return AccountKind::Module(name, permissions);
        }
        let is_made = !self.world.is_person(id) && self.world.party(id).key.is_none() && !is(PartyRole::Escrow);
        match (F::VM, address) {
            (Vm::Evm, _) if CONTRACTS.into_iter().any(is) => AccountKind::Contract,
            (Vm::Evm, _) if is_made && id.0 > self.world.role(PartyRole::Disperser).0 => AccountKind::Contract,
            (Vm::Move, Address::Long(_)) if is_made => AccountKind::Object,
            _ => AccountKind::Base,
        }
    }

    /// Returns an allowance; simulated owners give only unlimited allowances.
    pub(super) fn allowance_of(&self, token: &Address, owner: &Address, spender: &Address) -> Amount {
        let find = |address: &Address| self.world.find(address.bytes());
        let token = self.world.token_ids().find(|id| self.address(self.world.token(*id).contract) == *token);
        let Some(((token, owner), spender)) = token.zip(find(owner)).zip(find(spender)) else { return Amount::ZERO };
        let given = (token, owner, spender);
        if self.state.approvals.contains(&given) {
            return Amount::new(alloy_primitives::U256::MAX);
        }
        Amount::from(self.state.limited.get(&given).copied().unwrap_or(0))
    }

    /// Returns all grants, first that of genesis, by which the oracle bot acts for the bridge executor.
    pub(super) fn all_grants(&self) -> Vec<AuthzGrant> {
        let of_genesis = AuthzGrant {
            granter: self.address(self.world.role(PartyRole::Executor)),
            grantee: self.address(self.world.role(PartyRole::OracleBot)),
            msg_type: kind::kind::<F>(&Msg::UpdateOracle { sender: self.world.role(PartyRole::Executor) }),
            expires: None,
        };
        let written = |grant: &Grant| AuthzGrant {
            granter: self.address(grant.granter),
            grantee: self.address(grant.grantee),
            msg_type: kind::allowed::<F>(grant.right),
            expires: grant.expires,
        };
        std::iter::once(of_genesis).chain(self.state.grants.iter().map(written)).collect()
    }

    pub(super) fn all_fee_grants(&self) -> Vec<FeeGrant> {
        let denom = &self.world.token(TokenId(FEE_TOKEN)).denom;
        let written = |allowance: &FeeAllowance| FeeGrant {
            granter: self.address(allowance.granter),
            grantee: self.address(allowance.grantee),
            denom: denom.clone(),
            left: Amount::from(allowance.left),
            expires: allowance.expires,
        };
        self.state.allowances.iter().map(written).collect()
    }

    /// Returns the class of the bridged collection. On Wasm a contract bridges NFTs, without the module's classes.
    pub(super) fn bridged_nft_class(&self) -> Option<NftClass> {
        let place = self.world.catalogue.bridged_collection;
        let base = self.world.catalogue.bridged_class()?.origin.filter(|_| F::VM != Vm::Wasm)?;
        self.state.since(place)?;
        Some(NftClass {
            id: self.world.bridged_class.clone(),
            path: format!("nft-transfer/{}", self.world.catalogue.channels[NFT_CHANNEL].id),
            base,
            collection: self.address(self.world.collection(place)),
        })
    }

    /// Returns the packets that wait for their acknowledgement or timeout, by their numbers.
    pub(super) fn unsettled(&self) -> Vec<OpenPacket> {
        let (world, clock) = (&self.world, self.clock);
        let view = RenderView { world, firsts: &self.state.firsts, clock, height: self.state.height, number: 0 };
        let pending = self.state.pending.iter().map(|pending| match pending {
            Pending::Tokens { packet, .. } => packet_view::<F>(&view, packet, true, false),
            Pending::Nft { packet, .. } => nft_packet_view(&view, packet, true),
        });
        let open = self.state.open.iter().map(|packet| packet_view::<F>(&view, packet, true, false));
        let mut packets: Vec<OpenPacket> =
            pending.chain(open).chain(F::open_packets(&view, &self.state)).map(|packet| packet.open()).collect();
        packets.sort_by_key(|packet| packet.sequence);
        packets
    }

    /// Returns all proposers up to the current proposer, in order of succession.
    pub(super) fn all_sequencers(&self) -> Vec<Sequencer> {
        let seed = self.clock.seed;
        // They take turns, and a node's validators keep those that proposed the blocks it has.
        (0..)
            .zip(SEQUENCERS)
            .map(|(place, moniker)| Sequencer {
                moniker,
                operator: operator_account(seed, place),
                key: sequencer_public_key(seed, place),
                is_current: place == self.state.sequencer,
            })
            .collect()
    }
}
