//! Resolution of a token's symbol, by the network's list, the rollup's node or the router's list.

use std::collections::BTreeMap;

use super::{
    CommandError,
    indexer::Indexer,
    names::{CommandNames, own_chain},
};
use crate::domain::{
    Denom,
    text::{clip, count_of},
};

/// Maximum width of a denom in a sentence, in terminal columns.
const DENOM: usize = 80;
/// Maximum width of a symbol in a sentence, in terminal columns.
const SYMBOL: usize = 16;
/// Maximum number of suggested denoms.
const CHOICES: usize = 6;
/// Maximum number of the chain's denoms in an error.
const MOST_SHOWN: usize = 30;

/// Resolves a denom or symbol. If several tokens have the symbol, fails and lists their denoms.
pub(super) async fn resolve(typed: &Denom, indexer: &Indexer) -> Result<Denom, CommandError> {
    // A symbol contains no slash, and a contract address is no symbol.
    if typed.as_str().contains('/') || typed.as_str().starts_with("0x") {
        return Ok(typed.clone());
    }
    let mut named = BTreeMap::new();
    for token in &indexer.network.tokens {
        named.insert(Denom::new(token.denom.as_str()), token.symbol.clone());
    }
    // The chain comes before a router, which could give its symbols to other tokens.
    let told = if is_known(typed, &named) { None } else { of_node(indexer, &mut named).await? };
    if !is_known(typed, &named) {
        for (denom, symbol) in of_router(indexer).await {
            let known = named.entry(denom).or_default();
            if known.is_empty() {
                *known = symbol;
            }
        }
    }
    if named.contains_key(typed) {
        return Ok(typed.clone());
    }
    let exact: Vec<&Denom> = with_symbol(&named, |symbol| symbol == typed.as_str());
    let found = if exact.is_empty() {
        with_symbol(&named, |symbol| symbol.eq_ignore_ascii_case(typed.as_str()))
    } else {
        exact
    };
    match found.as_slice() {
        [] => match told {
            Some(told) if !told.is_empty() => match filling(typed, indexer).await {
                Some(later) => Err(later),
                None => Err(unknown(typed, &named, &told)),
            },
            _ => {
                // Symbols are in capitals, denoms of the bank in small letters.
                if typed.as_str().chars().any(char::is_uppercase) {
                    if let Some(later) = filling(typed, indexer).await {
                        return Err(later);
                    }
                    eprintln!(
                        "note: nothing here names {typed}, so it is taken for a denom; --router or --node name tokens"
                    );
                }
                Ok(typed.clone())
            }
        },
        [denom] => {
            eprintln!("note: {typed} is {}", clip(denom.as_str(), DENOM));
            Ok((*denom).clone())
        }
        several => {
            let choices: Vec<String> = several.iter().take(CHOICES).map(|denom| clip(denom.as_str(), DENOM)).collect();
            let tokens = count_of(several.len(), "token", "tokens");
            Err(CommandError::Usage(format!("{tokens} have the symbol {typed}: give {}", choices.join(" or "))))
        }
    }
}

/// Adds the chain's names of the bank's denoms and of the tokens seen; returns these denoms, or `None` without a node.
async fn of_node(indexer: &Indexer, named: &mut BTreeMap<Denom, String>) -> Result<Option<Vec<Denom>>, CommandError> {
    let mut tokens = CommandNames::of_chain(indexer).await?;
    let Some(denoms) = tokens.denoms().await else { return Ok(None) };
    for denom in &denoms {
        tokens.glossary.token(denom);
    }
    tokens.look_up().await;
    for denom in &denoms {
        let symbol = tokens.glossary.claims(denom).next().map_or("", |(_, unit)| unit.symbol.as_str());
        named.entry(denom.clone()).or_insert_with(|| symbol.trim_matches(['“', '”']).to_owned());
    }
    Ok(Some(denoms))
}

/// Returns the error for a name that older blocks may bring; `None` unless the index still loads them.
async fn filling(typed: &Denom, indexer: &Indexer) -> Option<CommandError> {
    let status = indexer.client.status().await.ok().filter(|status| status.is_complete == Some(false))?;
    let oldest = status.oldest_height.map_or_else(String::new, |oldest| format!(", now down to block {oldest}"));
    let typed = clip(typed.as_str(), DENOM);
    Some(CommandError::NotFound(format!(
        "no token here is called {typed} yet: the index is still loading older blocks{oldest}; try again later"
    )))
}

fn unknown(typed: &Denom, named: &BTreeMap<Denom, String>, denoms: &[Denom]) -> CommandError {
    let shown = |denom: &Denom| {
        let symbol = named.get(denom).filter(|symbol| !symbol.is_empty() && *symbol != denom.as_str());
        let symbol = symbol.map_or_else(String::new, |symbol| format!(" ({})", clip(symbol, SYMBOL)));
        format!("{}{symbol}", clip(denom.as_str(), DENOM))
    };
    let choices: Vec<String> = denoms.iter().take(MOST_SHOWN).map(shown).collect();
    let more = if denoms.len() > MOST_SHOWN { ", …" } else { "" };
    let typed = clip(typed.as_str(), DENOM);
    CommandError::NotFound(format!("no token here is called {typed}; the chain has {}{more}", choices.join(", ")))
}

fn is_known(typed: &Denom, named: &BTreeMap<Denom, String>) -> bool {
    named.contains_key(typed) || named.values().any(|symbol| symbol == typed.as_str())
}

fn with_symbol(named: &BTreeMap<Denom, String>, fits: impl Fn(&str) -> bool) -> Vec<&Denom> {
    named.iter().filter(|(_, symbol)| fits(symbol)).map(|(denom, _)| denom).collect()
}

/// Returns the router's symbols for tokens of this chain. If the router is missing or does not answer, prints a note
/// and returns an empty list.
async fn of_router(indexer: &Indexer) -> Vec<(Denom, String)> {
    let Some(router) = &indexer.router else { return Vec::new() };
    let Some(chain) = own_chain(indexer).await else { return Vec::new() };
    match router.assets(std::slice::from_ref(&chain)).await {
        Ok(mut answer) => {
            let assets = answer.chain_to_assets_map.remove(&chain).unwrap_or_default().assets;
            assets.into_iter().map(|asset| (asset.denom, asset.symbol.as_received().to_owned())).collect()
        }
        Err(error) => {
            eprintln!("note: cannot read the router's tokens: {}", error.brief());
            Vec::new()
        }
    }
}
