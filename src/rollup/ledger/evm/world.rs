//! What never changes: accounts, contracts, tokens and collections, with their addresses in every form.

use super::{
    catalogue::{APPLICATIONS, BRIDGE_ID, CHANNELS, COLLECTIONS, Origin, POOLS, TOKENS},
    record::{PartyId, TokenId},
};
use crate::{
    domain::{Address, Denom},
    rollup::ledger::{derive, rng::mix},
};

/// An account or contract.
#[derive(Clone, Debug)]
pub(crate) struct Party {
    /// The bytes.
    pub(crate) bytes: [u8; 20],
    /// `init1…`.
    pub(crate) bech32: Box<str>,
    /// `0x…` with its checksum.
    pub(crate) hex: Box<str>,
}

impl Party {
    /// A party of these bytes.
    pub(crate) fn new(bytes: [u8; 20]) -> Self {
        let address = Address::Short(bytes);
        Self { bytes, bech32: address.bech32().into(), hex: address.checksummed().into() }
    }

    /// As an EVM word.
    pub(crate) fn word(&self) -> [u8; 32] {
        derive::word(self.bytes)
    }
}

/// Accounts and contracts with a part to play; they follow the users.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Where fees go.
    FeeCollector,
    /// The bridge's module.
    OpChild,
    /// The token-transfer module.
    TransferModule,
    /// What left over channel-0.
    Escrow,
    /// The IBC relayer.
    Relayer,
    /// Another relayer, always a little late.
    LateRelayer,
    /// The bridge executor.
    Executor,
    /// The admin of the rollup.
    Admin,
    /// Who brings oracle prices.
    OracleBot,
    /// The contract that converts between 6 and 18 decimals.
    Wrapper,
    /// The router of the pools.
    Router,
    /// Where the reward token is staked.
    Vault,
    /// Who gives rewards away.
    Airdrop,
    /// Who sends to several at once.
    Disperser,
}

/// How many roles there are.
const ROLES: u32 = Role::Disperser as u32 + 1;

/// A token.
#[derive(Debug)]
pub(crate) struct TokenFacts {
    /// Its denom.
    pub(crate) denom: Denom,
    /// Its ERC-20 contract.
    pub(crate) contract: PartyId,
}

/// What never changes.
#[derive(Debug)]
pub(crate) struct World {
    users: u32,
    parties: Vec<Party>,
    tokens: Vec<TokenFacts>,
    /// The class of the bridged collection on this chain, `ibc/…`.
    pub(crate) bridged_class: String,
}

impl World {
    /// The world of a seed with so many users.
    pub(crate) fn new(seed: u64, users: u32) -> Self {
        let mut parties: Vec<Party> = (0..users).map(|index| user(seed, index)).collect();
        parties.extend(roles(seed).into_iter().map(Party::new));
        let deployer = user(seed, u32::MAX).bytes;
        let contracts = TOKENS.len() + COLLECTIONS.len() + POOLS.len() + APPLICATIONS.len();
        parties.extend((0..contracts as u64).map(|nonce| Party::new(derive::create_address(deployer, nonce))));
        let first = users + ROLES;
        let tokens = TOKENS
            .iter()
            .zip(first..)
            .map(|(spec, place)| {
                let hex = parties.get(place as usize).map_or("", |party| &*party.hex);
                TokenFacts { denom: Denom::new(denom(spec.origin, hex)), contract: PartyId(place) }
            })
            .collect();
        let bridged_class = COLLECTIONS.iter().find_map(|spec| spec.origin).map_or_else(String::new, |origin| {
            format!("ibc/{}", derive::voucher_hash(&format!("nft-transfer/{}/{origin}", CHANNELS[1].id)))
        });
        Self { users, parties, tokens, bridged_class }
    }

    /// How many users there are; they come first among the parties.
    pub(crate) fn users(&self) -> u32 {
        self.users
    }

    /// How many parties there are.
    pub(crate) fn len(&self) -> usize {
        self.parties.len()
    }

    /// A party. Ids are only made by this world and the planner, within range; a stray one names the fee collector.
    pub(crate) fn party(&self, id: PartyId) -> &Party {
        self.parties.get(id.0 as usize).unwrap_or(&self.parties[self.users as usize])
    }

    /// The party of an address.
    pub(crate) fn find(&self, bytes: &[u8]) -> Option<PartyId> {
        let place = self.parties.iter().position(|party| party.bytes == bytes)?;
        u32::try_from(place).ok().map(PartyId)
    }

    /// All parties, users first.
    pub(crate) fn parties(&self) -> impl Iterator<Item = (PartyId, &Party)> {
        (0..).map(PartyId).zip(&self.parties)
    }

    /// The party with this part.
    pub(crate) fn role(&self, role: Role) -> PartyId {
        PartyId(self.users + role as u32)
    }

    /// A token's denom and contract.
    pub(crate) fn token(&self, token: TokenId) -> &TokenFacts {
        self.tokens.get(usize::from(token.0)).unwrap_or(&self.tokens[0])
    }

    /// A token by its denom.
    pub(crate) fn token_by_denom(&self, denom: &Denom) -> Option<TokenId> {
        let place = self.tokens.iter().position(|facts| facts.denom == *denom)?;
        u8::try_from(place).ok().map(TokenId)
    }

    /// A collection's contract.
    pub(crate) fn collection(&self, collection: u8) -> PartyId {
        self.contract(TOKENS.len() + usize::from(collection))
    }

    /// A pool's contract, which holds its reserves.
    pub(crate) fn pool(&self, pool: u8) -> PartyId {
        self.contract(TOKENS.len() + COLLECTIONS.len() + usize::from(pool))
    }

    /// An application's contract.
    pub(crate) fn application(&self, application: u8) -> PartyId {
        self.contract(TOKENS.len() + COLLECTIONS.len() + POOLS.len() + usize::from(application))
    }

    fn contract(&self, place: usize) -> PartyId {
        PartyId(self.users + ROLES + u32::try_from(place).unwrap_or(0))
    }
}

/// A user's account: 20 bytes that the seed and the number fix.
fn user(seed: u64, index: u32) -> Party {
    let label = [b"rollscope user".as_slice(), &seed.to_be_bytes(), &index.to_be_bytes()].concat();
    Party::new(derive::last_twenty(alloy_primitives::keccak256(label).0))
}

/// The addresses of the roles, in order.
fn roles(seed: u64) -> Vec<[u8; 20]> {
    let modules = ["fee_collector", "opchild", "transfer"].map(derive::module_account);
    let escrow = derive::escrow_account("ics20-1", CHANNELS[0].port, CHANNELS[0].id);
    let others = (Role::Relayer as u32..ROLES).map(|role| user(mix(seed), role).bytes);
    modules.into_iter().chain([escrow]).chain(others).collect()
}

fn denom(origin: Origin, contract: &str) -> String {
    match origin {
        Origin::Native => format!("evm/{}", contract.trim_start_matches("0x")),
        Origin::Bridged(base) => derive::l2_denom(BRIDGE_ID, base),
        Origin::Voucher { channel, base } => {
            let id = CHANNELS.get(channel).map_or("", |channel| channel.id);
            format!("ibc/{}", derive::voucher_hash(&format!("transfer/{id}/{base}")))
        }
    }
}
