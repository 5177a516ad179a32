use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use crate::{
    config::Meaning,
    domain::{Balance, Coin, Denom, text},
    panes::tx_document::TxSheet,
    story::{TokenUnit, Word},
};

/// Maximum columns of a token's symbol.
pub(super) const SYMBOL: usize = 18;

/// Formats amounts, in display units if the network file or the transaction names the token.
pub(super) struct Amounts {
    tokens: HashMap<Denom, Arc<TokenUnit>>,
    /// Symbols that several denoms have.
    shared: HashSet<String>,
    /// Symbols and decimals that several denoms have.
    twins: HashSet<(String, u8)>,
}

impl Amounts {
    pub(super) fn of(sheet: &TxSheet<'_>) -> Self {
        let story = sheet.story;
        let mut tokens = HashMap::new();
        let phrases = story.sentences.iter().map(|sentence| &sentence.phrases);
        for phrase in phrases.chain(story.bridge.iter().map(|moved| &moved.phrases)).flatten() {
            let (denom, token) = match &phrase.word {
                Word::Coin { coin, token: Some(token), .. } => (&coin.denom, token),
                Word::Token { denom, token: Some(token) } => (denom, token),
                _ => continue,
            };
            tokens.insert(denom.clone(), Arc::clone(token));
        }
        let changes = &story.changes;
        let fee = changes.fee.declared.iter().chain(&changes.fee.net_paid).chain(&story.decoded.fee);
        let denoms = changes.balances.iter().map(|change| &change.denom);
        let denoms = denoms.chain(changes.supply.iter().map(|change| &change.denom)).chain(fee.map(|coin| &coin.denom));
        for denom in denoms {
            if let Some(token) = sheet.glossary.token(denom) {
                tokens.insert(denom.clone(), Arc::clone(token));
            }
        }
        let (mut symbols, mut forms) = (HashSet::new(), HashSet::new());
        let (mut shared, mut twins) = (HashSet::new(), HashSet::new());
        for token in tokens.values() {
            if !symbols.insert(token.symbol.clone()) {
                shared.insert(token.symbol.clone());
            }
            if !forms.insert((token.symbol.clone(), token.decimals)) {
                twins.insert((token.symbol.clone(), token.decimals));
            }
        }
        Self { tokens, shared, twins }
    }

    /// Returns the symbol of a denom. An ambiguous symbol includes the decimals, or the denom.
    pub(super) fn symbol(&self, denom: &Denom) -> String {
        match self.tokens.get(denom) {
            Some(token) if self.twins.contains(&(token.symbol.clone(), token.decimals)) => {
                format!("{} ({})", text::clip(&token.symbol, SYMBOL), denom.short_beside_name())
            }
            Some(token) if self.shared.contains(&token.symbol) => {
                format!("{} ({} decimals)", text::clip(&token.symbol, SYMBOL), token.decimals)
            }
            Some(token) => text::clip(&token.symbol, SYMBOL),
            None => denom.short(),
        }
    }

    /// Formats a change with its sign: `+1,234.5`, `−3`.
    pub(super) fn write(&self, delta: Balance, denom: &Denom) -> String {
        let sign = if delta.is_negative() { '−' } else { '+' };
        format!("{sign}{}", delta.magnitude().display(self.tokens.get(denom).map_or(0, |token| token.decimals)))
    }

    /// Returns name and decimals of the unit for gas prices: the smallest unit if its name is short and its own.
    pub(super) fn unit(&self, denom: &Denom) -> (String, u8) {
        let smallest = denom.as_str();
        match self.tokens.get(denom).filter(|token| smallest.contains('/') || token.symbol.contains(smallest)) {
            Some(token) => (text::clip(&token.symbol, SYMBOL), token.decimals),
            None => (denom.short(), 0),
        }
    }

    /// Formats an amount without sign and symbol: `1,234.5`.
    pub(super) fn plain(&self, coin: &Coin) -> String {
        coin.amount.display(self.tokens.get(&coin.denom).map_or(0, |token| token.decimals))
    }

    /// Formats an amount without a sign, with its symbol: `1,234.5 INIT`.
    pub(super) fn coin(&self, coin: &Coin) -> String {
        format!("{} {}", self.plain(coin), self.symbol(&coin.denom))
    }

    /// Joins amounts: `1 INIT + 2 USDC`.
    pub(super) fn coins(&self, coins: &[Coin]) -> String {
        coins.iter().map(|coin| self.coin(coin)).collect::<Vec<_>>().join(" + ")
    }
}

/// Returns the colour of a change. The sign also shows the direction, for terminals without colour.
pub(super) fn signed(delta: Balance) -> Meaning {
    if delta.is_negative() { Meaning::Bad } else { Meaning::Good }
}
