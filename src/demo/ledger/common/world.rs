//! Constants of a rollup: accounts, contracts, tokens and collections, with their addresses in every format.

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

/// Index of the demo wallet among the users.
pub(crate) const WALLET: u32 = 21;

/// Maximum number of accounts added after genesis.
pub(crate) const STRANGERS: usize = 1_000;

/// Account or contract.
#[derive(Clone, Debug)]
pub(crate) struct Party {
    /// Address of 20 bytes, or of 32 bytes for objects and Wasm contracts.
    pub(crate) address: Address,
    /// Address as `init1…`.
    pub(crate) bech32: Box<str>,
    /// Index in the world; `None` for an account outside of it.
    pub(crate) id: Option<PartyId>,
    /// Address as `0x…`; 20 bytes have the EIP-55 checksum.
    pub(crate) hex: Box<str>,
    /// Public key; `None` for contracts, modules and external accounts.
    pub(crate) key: Option<AccountKey>,
}

impl Party {
    pub(crate) fn new(address: Address) -> Self {
        Self { address, id: None, bech32: address.bech32().into(), hex: address.checksummed().into(), key: None }
    }

    /// Creates the party with this key, outside of the world.
    fn signing(key: AccountKey) -> Self {
        Self { key: Some(key), ..Self::new(key.address) }
    }

    /// Returns the address zero-padded to 32 bytes: an EVM word, or a Move address.
    pub(crate) fn word(&self) -> [u8; 32] {
        self.address.word()
    }

    /// Returns the last 20 bytes, which are the EVM address.
    pub(crate) fn tail(&self) -> [u8; 20] {
        derive::last_twenty(self.word())
    }
}

/// Role of an account or contract. In the world these follow the users; a flavour may leave some unused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PartyRole {
    FeeCollector,
    OpChild,
    TransferModule,
    /// Escrow account of channel-0.
    Escrow,
    Relayer,
    /// Second relayer, which always comes too late.
    LateRelayer,
    Executor,
    Admin,
    /// Account that sends oracle prices.
    OracleBot,
    /// Contract that converts between 6 and 18 decimals.
    Wrapper,
    Router,
    /// Staking contract of the reward token.
    Vault,
    /// Contract that distributes rewards.
    Airdrop,
    /// Contract that sends to several accounts in one call.
    Disperser,
}

impl PartyRole {
    /// All roles, in the order of the world.
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

const ROLES: u32 = PartyRole::Disperser as u32 + 1;

#[derive(Clone, Debug)]
pub(crate) struct TokenFacts {
    pub(crate) denom: Denom,
    /// ERC-20 contract or metadata object; on Wasm, a placeholder for the denom.
    pub(crate) contract: PartyId,
}

#[derive(Debug)]
pub(crate) struct ContractLayout {
    /// Denom, and contract or object, of each token in the catalogue, then of the token that no list names.
    pub(crate) tokens: Vec<(String, Address)>,
    /// Contract of each collection in the catalogue, then other contracts by index.
    pub(crate) contracts: Vec<Address>,
    /// Accounts of the flavour that sign; they follow the contracts.
    pub(crate) accounts: Vec<AccountKey>,
}

#[derive(Clone, Debug)]
pub(crate) struct World {
    pub(crate) catalogue: &'static LedgerCatalogue,
    pub(crate) seed: u64,
    users: u32,
    parties: Vec<Party>,
    /// Number of parties at genesis. Later parties are external accounts.
    known: usize,
    tokens: Vec<TokenFacts>,
    /// Class of the bridged collection on this chain, `ibc/…`; empty without one.
    pub(crate) bridged_class: String,
}

impl World {
    /// Creates the world for a seed and a number of users.
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

    /// Returns the number of users, which come first among the parties.
    pub(crate) fn users(&self) -> u32 {
        self.users
    }

    /// Returns the number of parties.
    pub(crate) fn len(&self) -> usize {
        self.parties.len()
    }

    /// Adds an external account; `None` at the maximum.
    pub(crate) fn meet(&mut self, address: Address) -> Option<PartyId> {
        let place = u32::try_from(self.parties.len()).ok()?;
        if self.parties.len() >= self.known + STRANGERS {
            return None;
        }
        self.parties.push(Party { id: Some(PartyId(place)), ..Party::new(address) });
        Some(PartyId(place))
    }

    /// Stores the key of an external account.
    pub(crate) fn learn(&mut self, id: PartyId, key: AccountKey) {
        if let Some(party) = self.parties.get_mut(id.0 as usize).filter(|party| party.key.is_none()) {
            party.key = Some(key);
        }
    }

    /// Removes the parties after the first `parties`.
    pub(crate) fn forget_after(&mut self, parties: usize) {
        self.parties.truncate(parties.max(self.known));
    }

    /// Whether a party signs its own transactions: a user or an external account.
    pub(crate) fn is_person(&self, id: PartyId) -> bool {
        id.0 < self.users || id.0 as usize >= self.known
    }

    /// Whether a party is a person's account, not a contract or module.
    pub(crate) fn is_account(&self, id: PartyId) -> bool {
        let roles =
            [PartyRole::Relayer, PartyRole::LateRelayer, PartyRole::Executor, PartyRole::Admin, PartyRole::OracleBot];
        self.is_person(id) || roles.into_iter().any(|role| self.role(role) == id)
    }

    /// Returns a party. An ID from another world yields the fee collector.
    #[expect(clippy::indexing_slicing, reason = "every world has the parties of all roles behind its users")]
    pub(crate) fn party(&self, id: PartyId) -> &Party {
        self.parties.get(id.0 as usize).unwrap_or(&self.parties[self.users as usize])
    }

    pub(crate) fn find(&self, bytes: &[u8]) -> Option<PartyId> {
        let place = self.parties.iter().position(|party| party.address.bytes() == bytes)?;
        u32::try_from(place).ok().map(PartyId)
    }

    /// Returns all parties, users first.
    pub(crate) fn parties(&self) -> impl Iterator<Item = (PartyId, &Party)> {
        (0..).map(PartyId).zip(&self.parties)
    }

    pub(crate) fn role(&self, role: PartyRole) -> PartyId {
        PartyId(self.users + role as u32)
    }

    /// Returns a token's denom and contract.
    #[expect(clippy::indexing_slicing, reason = "every world has a fee token, its first")]
    pub(crate) fn token(&self, token: TokenId) -> &TokenFacts {
        self.tokens.get(usize::from(token.0)).unwrap_or(&self.tokens[0])
    }

    /// Returns all tokens: those of the catalogue, then the one that no list names.
    pub(crate) fn token_ids(&self) -> impl Iterator<Item = TokenId> + use<> {
        (0..).map(TokenId).take(self.tokens.len())
    }

    pub(crate) fn token_by_denom(&self, denom: &Denom) -> Option<TokenId> {
        let place = self.tokens.iter().position(|facts| facts.denom == *denom)?;
        u8::try_from(place).ok().map(TokenId)
    }

    /// Returns a collection's contract or object.
    pub(crate) fn collection(&self, collection: u8) -> PartyId {
        self.contract(usize::from(collection))
    }

    /// Returns a contract by index. The collections come first, then the flavour's other contracts.
    pub(crate) fn contract(&self, place: usize) -> PartyId {
        PartyId(self.users + ROLES + u32::try_from(self.tokens.len() + place).unwrap_or(0))
    }
}

/// Derives a user's account; all flavours derive equal accounts.
pub(crate) fn user(seed: u64, index: u32) -> Address {
    AccountKey::of(KeyKind::Ethereum, seed, index).address
}

/// Derives an account or contract without a key from seed and index.
pub(crate) fn keyless(seed: u64, index: u32) -> Address {
    let label = [b"rollscope user".as_slice(), &seed.to_be_bytes(), &index.to_be_bytes()].concat();
    Address::Short(derive::last_twenty(alloy_primitives::keccak256(label).0))
}

/// Derives the key of a program or operator by index.
pub(crate) fn operator_key(seed: u64, index: u32) -> AccountKey {
    AccountKey::of(KeyKind::Cosmos, mix(seed), index)
}

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

/// Derives the denom of a foreign token; `None` for a native token.
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
