//! Queries to the EVM's token contracts. Other calls fail with an error that says so.

use std::sync::LazyLock;

use alloy_primitives::{U256, hex, keccak256};

use super::view::NodeView;
use crate::{
    demo::{
        chain::{AccountKind, UnlistedToken},
        ledger::{
            FungibleToken, NftCollection,
            abi::{AbiArg, encode},
        },
    },
    domain::{Address, Amount, Denom},
};

/// Why a call has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum CallRefusal {
    Reverted,
    Pruned,
    /// The simulation does not implement the contract's function.
    Unknown(String),
}

/// View functions that the simulation supports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum View {
    Name,
    Symbol,
    Decimals,
    TotalSupply,
    BalanceOf,
    Allowance,
    OwnerOf,
    TokenUri,
    TokenByIndex,
    TokenOfOwnerByIndex,
    SupportsInterface,
}

static SELECTORS: LazyLock<[([u8; 4], View); 11]> = LazyLock::new(|| {
    [
        ("name()", View::Name),
        ("symbol()", View::Symbol),
        ("decimals()", View::Decimals),
        ("totalSupply()", View::TotalSupply),
        ("balanceOf(address)", View::BalanceOf),
        ("allowance(address,address)", View::Allowance),
        ("ownerOf(uint256)", View::OwnerOf),
        ("tokenURI(uint256)", View::TokenUri),
        ("tokenByIndex(uint256)", View::TokenByIndex),
        ("tokenOfOwnerByIndex(address,uint256)", View::TokenOfOwnerByIndex),
        ("supportsInterface(bytes4)", View::SupportsInterface),
    ]
    .map(|(signature, view)| (selector(signature), view))
});

/// Interface IDs of ERC-721 contracts: ERC-165, ERC-721, metadata, enumerable.
const NFT_INTERFACES: [[u8; 4]; 4] =
    [[0x01, 0xff, 0xc9, 0xa7], [0x80, 0xac, 0x58, 0xcd], [0x5b, 0x5e, 0x13, 0x9f], [0x78, 0x0e, 0x9d, 0x63]];

fn selector(signature: &str) -> [u8; 4] {
    let [first, second, third, fourth, ..] = keccak256(signature).0;
    [first, second, third, fourth]
}

/// Executes a view call. The result is empty if the address has no contract.
pub(super) fn call(view: &NodeView<'_>, contract: &Address, input: &[u8]) -> Result<Vec<u8>, CallRefusal> {
    let asked = input.split_first_chunk::<4>();
    let known = asked.and_then(|(head, rest)| {
        let (_, known) = SELECTORS.iter().find(|(selector, _)| selector == head)?;
        Some((*known, rest))
    });
    let unknown = || {
        let head = hex::encode_prefixed(input.get(..4).unwrap_or(input));
        let contract = contract.checksummed();
        CallRefusal::Unknown(format!(
            "this simulated node does not run contracts: {head} of {contract} is unknown to it"
        ))
    };
    let is_of_balances = known.is_some_and(|(known, _)| known == View::BalanceOf);
    if let Some((token, name)) = token_at(view, contract) {
        let (known, rest) = known.ok_or_else(unknown)?;
        if !is_of_balances && !view.is_at_tip() {
            return Err(CallRefusal::Pruned);
        }
        return token_answer(view, (&token, &name), known, rest).ok_or(CallRefusal::Reverted);
    }
    if !view.is_at_tip() {
        return Err(CallRefusal::Pruned);
    }
    if let Some(collection) = view.chain.collection(contract) {
        let (known, rest) = known.ok_or_else(unknown)?;
        return collection_answer(view, &collection, known, rest).ok_or(CallRefusal::Reverted);
    }
    if is_contract(view, contract) { Err(unknown()) } else { Ok(Vec::new()) }
}

/// Whether an address has code. A collection has none before its first token.
pub(super) fn is_contract(view: &NodeView<'_>, address: &Address) -> bool {
    let is_account = view.state.account(address).is_some_and(|account| account.kind == AccountKind::Contract);
    is_account && !is_future_collection(view, address)
}

/// Whether the address will get the bridged collection's contract.
fn is_future_collection(view: &NodeView<'_>, address: &Address) -> bool {
    view.state.is_undeployed(address)
}

fn word(input: &[u8], place: usize) -> Option<[u8; 32]> {
    input.get(place * 32..place * 32 + 32)?.try_into().ok()
}

fn account(input: &[u8], place: usize) -> Option<Address> {
    let word = word(input, place)?;
    if word.iter().take(12).any(|byte| *byte != 0) { None } else { Address::from_bytes(word.get(12..)?) }
}

fn number(amount: Amount) -> Vec<u8> {
    amount.get().to_be_bytes::<32>().to_vec()
}

fn text(text: &str) -> Vec<u8> {
    encode(&[AbiArg::Text(text)])
}

/// Returns the ERC-20 token at an address, with its name: one of the bank, or one that no list names.
pub(super) fn token_at(view: &NodeView<'_>, contract: &Address) -> Option<(FungibleToken, String)> {
    if let Some(token) = view.chain.tokens().into_iter().find(|token| token.contract == Some(*contract)) {
        let name = token.symbol.to_string();
        return Some((token, name));
    }
    let UnlistedToken { name, symbol, decimals, supply } = view.state.unlisted_token(contract)?;
    let denom = Denom::new(format!("evm/{}", contract.checksummed().trim_start_matches("0x")));
    let (contract, symbol) = (Some(*contract), symbol.into());
    Some((FungibleToken { denom, contract, metadata: None, symbol, decimals, supply }, name.to_owned()))
}

fn token_answer(
    view: &NodeView<'_>,
    (token, name): (&FungibleToken, &str),
    asked: View,
    input: &[u8],
) -> Option<Vec<u8>> {
    match asked {
        View::Name => Some(text(name)),
        View::Symbol => Some(text(&token.symbol)),
        View::Decimals => Some(number(Amount::from(u128::from(token.decimals)))),
        View::TotalSupply => Some(number(token.supply)),
        View::BalanceOf => Some(number(view.balance(&account(input, 0)?, &token.denom))),
        View::Allowance => {
            Some(number(view.state.allowance(token.contract.as_ref()?, &account(input, 0)?, &account(input, 1)?)))
        }
        View::OwnerOf | View::TokenUri | View::TokenByIndex | View::TokenOfOwnerByIndex => None,
        View::SupportsInterface => Some(number(Amount::ZERO)),
    }
}

fn collection_answer(view: &NodeView<'_>, collection: &NftCollection, asked: View, input: &[u8]) -> Option<Vec<u8>> {
    let nft = || view.chain.nft(&collection.address, &U256::from_be_bytes(word(input, 0)?).to_string());
    let ids = |owner: Option<Address>| {
        let nfts = view
            .state
            .nfts_of(&collection.address)
            .into_iter()
            .filter(|nft| owner.is_none_or(|owner| nft.owner == owner));
        let mut ids: Vec<U256> = nfts.filter_map(|nft| nft.token_id.parse().ok()).collect();
        ids.sort_unstable();
        ids
    };
    let count = |owner| number(Amount::from(ids(owner).len() as u128));
    let at = |owner, place: usize| {
        let place = usize::try_from(U256::from_be_bytes(word(input, place)?)).ok()?;
        Some(ids(owner).get(place)?.to_be_bytes::<32>().to_vec())
    };
    match asked {
        View::Name => Some(text(&collection.name)),
        View::Symbol => Some(text(&initials(&collection.name))),
        View::TotalSupply => Some(count(None)),
        View::BalanceOf => Some(count(Some(account(input, 0)?))),
        View::TokenByIndex => at(None, 0),
        View::TokenOfOwnerByIndex => at(Some(account(input, 0)?), 1),
        View::OwnerOf => Some(nft()?.owner.word().to_vec()),
        View::TokenUri => Some(text(&nft()?.uri)),
        View::SupportsInterface => {
            let has_it = NFT_INTERFACES.iter().any(|interface| input.starts_with(interface));
            Some(number(Amount::from(u128::from(has_it))))
        }
        View::Decimals | View::Allowance => None,
    }
}

/// Returns a collection's symbol, the initials of its name.
fn initials(name: &str) -> String {
    name.split_whitespace().filter_map(|word| word.chars().next()).collect::<String>().to_uppercase()
}
