//! What never changes: accounts, contracts, tokens and collections, with their addresses in every form.

use super::{
    catalogue::{LedgerCatalogue, NFT_CHANNEL, OriginSpec},
    record::{PartyId, TokenId},
};
use crate::{
    demo::ledger::{
        derive,
        keys::{AccountKey, KeyKind, first_keys},
        rng::mix,
    },
    domain::{Address, Denom},
};

/// The user whose keys the demo wallet has.
pub(crate) const WALLET: u32 = 21;

/// How many accounts can be met after genesis.
pub(crate) const STRANGERS: usize = 1_000;

/// An account or contract.
#[derive(Clone, Debug)]
pub(crate) struct Party {
    /// The address: 20 bytes, or 32 for objects and Wasm contracts.
    pub(crate) address: Address,
    /// `init1…`.
    pub(crate) bech32: Box<str>,
    /// Its place in the world; `None` outside of it.
    pub(crate) id: Option<PartyId>,
    /// `0x…`, with its checksum where it has 20 bytes.
    pub(crate) hex: Box<str>,
    /// What it signs with; `None` for contracts and modules, and for accounts from outside, whose keys nobody here has.
    pub(crate) key: Option<AccountKey>,
}

impl Party {
    /// The party of this address, outside of the world.
    pub(crate) fn new(address: Address) -> Self {
        Self { address, id: None, bech32: address.bech32().into(), hex: address.checksummed().into(), key: None }
    }

    /// The party that signs with this key, outside of the world.
    fn signing(key: AccountKey) -> Self {
        Self { key: Some(key), ..Self::new(key.address) }
    }

    /// As 32 bytes, with zeros before a short address: an EVM word, a Move address.
    pub(crate) fn word(&self) -> [u8; 32] {
        self.address.word()
    }

    /// The last 20 bytes, as the EVM cuts addresses.
    pub(crate) fn tail(&self) -> [u8; 20] {
        derive::last_twenty(self.word())
    }
}

/// Accounts and contracts with a part to play; they follow the users. A flavour need not use all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PartyRole {
    FeeCollector,
    OpChild,
    TransferModule,
    /// What left over channel-0.
    Escrow,
    Relayer,
    /// Another relayer, always a little late.
    LateRelayer,
    Executor,
    /// The admin of the rollup.
    Admin,
    /// Who brings oracle prices.
    OracleBot,
    /// What converts between 6 and 18 decimals.
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

impl PartyRole {
    /// All of them, in the order of their places.
    const ALL: [Self; ROLES as usize] = [
        Self::FeeCollector,
        Self::OpChild,
        Self::TransferModule,
        Self::Escrow,
        Self::Relayer,
        Self::LateRelayer,
        Self::Executor,
        Self::Admin,
        Self::OracleBot,
        Self::Wrapper,
        Self::Router,
        Self::Vault,
        Self::Airdrop,
        Self::Disperser,
    ];
}

/// How many roles there are.
const ROLES: u32 = PartyRole::Disperser as u32 + 1;

#[derive(Clone, Debug)]
pub(crate) struct TokenFacts {
    pub(crate) denom: Denom,
    /// Its ERC-20 contract or its metadata object; what stands for the denom elsewhere.
    pub(crate) contract: PartyId,
}

/// Where a flavour's tokens and contracts lie.
#[derive(Debug)]
pub(crate) struct ContractLayout {
    /// The tokens in the catalogue's order: denom and contract or object.
    pub(crate) tokens: Vec<(String, Address)>,
    /// The collections in the catalogue's order, then everything else that the flavour knows by its place.
    pub(crate) contracts: Vec<Address>,
    /// Accounts of the flavour's own that sign; their places follow those of the contracts.
    pub(crate) accounts: Vec<AccountKey>,
}

#[derive(Clone, Debug)]
pub(crate) struct World {
    /// What the rollup is made of.
    pub(crate) catalogue: &'static LedgerCatalogue,
    /// What its addresses were made of.
    pub(crate) seed: u64,
    users: u32,
    parties: Vec<Party>,
    /// How many of the parties were there at genesis; the others were met since.
    known: usize,
    tokens: Vec<TokenFacts>,
    /// The class of the bridged collection on this chain, `ibc/…`; empty where there is none.
    pub(crate) bridged_class: String,
}

impl World {
    /// The world of a seed with so many users.
    pub(crate) fn new(catalogue: &'static LedgerCatalogue, seed: u64, users: u32, layout: ContractLayout) -> Self {
        let mut parties: Vec<Party> =
            first_keys(KeyKind::Ethereum, seed, users).into_iter().map(Party::signing).collect();
        parties.extend(PartyRole::ALL.into_iter().map(|role| role_party(catalogue, seed, role)));
        let mut tokens = Vec::with_capacity(layout.tokens.len());
        for ((denom, address), place) in layout.tokens.into_iter().zip(users + ROLES..) {
            tokens.push(TokenFacts { denom: Denom::new(denom), contract: PartyId(place) });
            parties.push(Party::new(address));
        }
        parties.extend(layout.contracts.into_iter().map(Party::new));
        parties.extend(layout.accounts.into_iter().map(Party::signing));
        (0..).map(PartyId).zip(&mut parties).for_each(|(id, party)| party.id = Some(id));
        let bridged_class = catalogue.bridged_class().and_then(|spec| spec.origin).map_or_else(String::new, |origin| {
            let channel = &catalogue.channels[NFT_CHANNEL];
            format!("ibc/{}", derive::voucher_hash(&format!("nft-transfer/{}/{origin}", channel.id)))
        });
        let known = parties.len();
        Self { catalogue, seed, users, parties, known, tokens, bridged_class }
    }

    /// How many users there are; they come first among the parties.
    pub(crate) fn users(&self) -> u32 {
        self.users
    }

    /// How many parties there are.
    pub(crate) fn len(&self) -> usize {
        self.parties.len()
    }

    /// Somebody whom the simulation does not know; `None` where there are too many of them already.
    pub(crate) fn meet(&mut self, address: Address) -> Option<PartyId> {
        let place = u32::try_from(self.parties.len()).ok()?;
        if self.parties.len() >= self.known + STRANGERS {
            return None;
        }
        self.parties.push(Party { id: Some(PartyId(place)), ..Party::new(address) });
        Some(PartyId(place))
    }

    /// Learns what somebody signs with who was met since genesis.
    pub(crate) fn learn(&mut self, id: PartyId, key: AccountKey) {
        if let Some(party) = self.parties.get_mut(id.0 as usize).filter(|party| party.key.is_none()) {
            party.key = Some(key);
        }
    }

    /// Forgets whom it met last, down to so many parties.
    pub(crate) fn forget_after(&mut self, parties: usize) {
        self.parties.truncate(parties.max(self.known));
    }

    /// Whether a party signs for itself: a user, or somebody who was met since genesis.
    pub(crate) fn is_person(&self, id: PartyId) -> bool {
        id.0 < self.users || id.0 as usize >= self.known
    }

    /// Whether a party is an account of somebody, not a contract or module.
    pub(crate) fn is_account(&self, id: PartyId) -> bool {
        let roles =
            [PartyRole::Relayer, PartyRole::LateRelayer, PartyRole::Executor, PartyRole::Admin, PartyRole::OracleBot];
        self.is_person(id) || roles.into_iter().any(|role| self.role(role) == id)
    }

    /// A party. Ids are only made by this world and the planner, within range; a stray one names the fee collector.
    pub(crate) fn party(&self, id: PartyId) -> &Party {
        self.parties.get(id.0 as usize).unwrap_or(&self.parties[self.users as usize])
    }

    /// The party of an address.
    pub(crate) fn find(&self, bytes: &[u8]) -> Option<PartyId> {
        let place = self.parties.iter().position(|party| party.address.bytes() == bytes)?;
        u32::try_from(place).ok().map(PartyId)
    }

    /// All parties, users first.
    pub(crate) fn parties(&self) -> impl Iterator<Item = (PartyId, &Party)> {
        (0..).map(PartyId).zip(&self.parties)
    }

    /// The party with this part.
    pub(crate) fn role(&self, role: PartyRole) -> PartyId {
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

    /// A collection's contract or object.
    pub(crate) fn collection(&self, collection: u8) -> PartyId {
        self.contract(usize::from(collection))
    }

    /// A contract by its place after the tokens: the collections first, then the flavour's own ones.
    pub(crate) fn contract(&self, place: usize) -> PartyId {
        PartyId(self.users + ROLES + u32::try_from(self.tokens.len() + place).unwrap_or(0))
    }
}

/// A user's account, the same on all flavours.
pub(crate) fn user(seed: u64, index: u32) -> Address {
    AccountKey::of(KeyKind::Ethereum, seed, index).address
}

/// An account or contract that never signs: 20 bytes that the seed and the number fix.
pub(crate) fn keyless(seed: u64, index: u32) -> Address {
    let label = [b"rollscope user".as_slice(), &seed.to_be_bytes(), &index.to_be_bytes()].concat();
    Address::Short(derive::last_twenty(alloy_primitives::keccak256(label).0))
}

/// The key of a program or an operator of the rollup, by its number.
pub(crate) fn operator_key(seed: u64, index: u32) -> AccountKey {
    AccountKey::of(KeyKind::Cosmos, mix(seed), index)
}

/// The address of a role.
pub(crate) fn role_account(catalogue: &LedgerCatalogue, seed: u64, role: PartyRole) -> Address {
    role_party(catalogue, seed, role).address
}

fn role_party(catalogue: &LedgerCatalogue, seed: u64, role: PartyRole) -> Party {
    match role {
        PartyRole::FeeCollector => Party::new(Address::Short(derive::module_account("fee_collector"))),
        PartyRole::OpChild => Party::new(Address::Short(derive::module_account("opchild"))),
        PartyRole::TransferModule => Party::new(Address::Short(derive::module_account("transfer"))),
        PartyRole::Escrow => {
            let channel = &catalogue.channels[0];
            Party::new(Address::Short(derive::escrow_account("ics20-1", channel.port, channel.id)))
        }
        PartyRole::Relayer | PartyRole::LateRelayer | PartyRole::Executor | PartyRole::Admin | PartyRole::OracleBot => {
            Party::signing(operator_key(seed, role as u32))
        }
        PartyRole::Wrapper | PartyRole::Router | PartyRole::Vault | PartyRole::Airdrop | PartyRole::Disperser => {
            Party::new(keyless(mix(seed), role as u32))
        }
    }
}

/// The denom of a token that came from elsewhere; `None` for one made here.
pub(crate) fn foreign_denom(catalogue: &LedgerCatalogue, origin: OriginSpec) -> Option<String> {
    match origin {
        OriginSpec::Native => None,
        OriginSpec::Bridged(base) => Some(derive::l2_denom(catalogue.bridge_id, base)),
        OriginSpec::Voucher { channel, base } => {
            let id = catalogue.channels.get(channel).map_or("", |channel| channel.id);
            Some(format!("ibc/{}", derive::voucher_hash(&format!("transfer/{id}/{base}"))))
        }
    }
}
