//! Balances of an account, as the rollup's own node reports them.

use std::{
    collections::{BTreeSet, HashSet},
    sync::Arc,
};

use crate::{
    config::Meaning,
    domain::{
        Address, Amount, ChainId, Coin, Denom, Target, Timestamp, TxHash, Vm,
        text::{clip, group},
    },
    msg::{Ask, Remote, ask},
    story::{Glossary, TokenUnit, contract_tokens},
    widgets::document::{Document, Line},
    wire::{
        ApiError, Tx,
        node::{NodeBalances, TokenAnswer, TokenBalance},
    },
};

/// Number of newest transactions to search for tokens.
const LOOKED_AT: usize = 300;

/// Maximum contracts to query for a balance.
const TOKENS: usize = 60;

/// Balances from the node, and the lines that show them.
#[derive(Debug)]
pub(super) struct Balances {
    known: Remote<Arc<NodeBalances>>,
    pub(super) document: Document,
    /// Whether the tab requests the balances again when it is shown.
    is_due: bool,
    /// Whether the lines are older than the balances.
    is_stale: bool,
    /// Names and chain that the current lines show.
    made_with: Option<(Arc<Glossary>, Option<ChainId>)>,
    tokens: BTreeSet<Denom>,
    looked_at: HashSet<TxHash>,
}

impl Default for Balances {
    fn default() -> Self {
        Self {
            known: Remote::default(),
            document: Document::new(Vec::new()),
            is_due: true,
            is_stale: true,
            made_with: None,
            tokens: BTreeSet::new(),
            looked_at: HashSet::new(),
        }
    }
}

impl Balances {
    /// Searches the account's transactions for contract tokens, whose balances the tab then requests.
    pub(super) fn look_at<'a>(&mut self, txs: impl Iterator<Item = &'a Arc<Tx>>, vm: Option<Vm>) {
        for tx in txs.take(LOOKED_AT) {
            if self.tokens.len() >= TOKENS || !self.looked_at.insert(tx.txhash) {
                continue;
            }
            for denom in contract_tokens(tx, vm) {
                self.is_due |= self.tokens.len() < TOKENS && self.tokens.insert(denom);
            }
        }
    }

    /// Returns the next request if one is due.
    pub(super) fn next_request(&mut self, account: Address, now: Timestamp) -> Option<Ask<Arc<NodeBalances>>> {
        std::mem::take(&mut self.is_due).then(|| {
            self.known.ask(now);
            self.is_stale = true;
            ask::balances(account, self.tokens.iter().cloned().collect())
        })
    }

    /// Requests the balances again when the tab is next shown.
    pub(super) fn ask_again(&mut self) {
        self.is_due = true;
    }

    /// Repeats the failed request.
    pub(super) fn retry(&mut self) {
        self.is_due |= self.known.error().is_some_and(ApiError::is_transient);
    }

    pub(super) fn take(&mut self, result: Result<Arc<NodeBalances>, ApiError>, now: Timestamp) {
        self.known.settle(result, now);
        self.is_stale = true;
    }

    pub(super) fn is_loading(&self) -> bool {
        self.known.is_loading()
    }

    /// Returns the balances if the node belongs to this chain.
    pub(super) fn of_chain(&self, chain: Option<&ChainId>) -> Option<&NodeBalances> {
        self.known.value().map(Arc::as_ref).filter(|balances| is_of(balances, chain))
    }

    /// Rebuilds the lines if they are outdated.
    pub(super) fn make_lines(&mut self, glossary: &Arc<Glossary>, chain: Option<ChainId>) {
        let is_same = self.made_with.as_ref().is_some_and(|(names, of)| Arc::ptr_eq(names, glossary) && *of == chain);
        if std::mem::take(&mut self.is_stale) || !is_same {
            self.document.replace_lines(lines(&self.known, glossary, chain.as_ref()));
            self.made_with = Some((Arc::clone(glossary), chain));
        }
    }
}

/// Returns the balances as records for a file. Amounts are exact, in the smallest unit; an unknown amount is null.
pub(super) fn records(balances: &NodeBalances) -> impl Iterator<Item = serde_json::Value> {
    let record = |denom: &Denom, amount: Option<Amount>, source: &str| {
        serde_json::json!({
            "denom": denom.as_str(), "amount": amount.map(|amount| amount.to_string()), "height": balances.height,
            "source": source,
        })
    };
    let of_bank = balances.coins.iter().map(move |coin| record(&coin.denom, Some(coin.amount), "bank"));
    of_bank.chain(balances.tokens.iter().map(move |token| record(&token.denom, held(token), "contract")))
}

/// Whether the node belongs to the explored chain; true while that chain is unknown.
fn is_of(balances: &NodeBalances, chain: Option<&ChainId>) -> bool {
    chain.is_none_or(|chain| chain.as_str() == balances.chain_id)
}

fn lines(known: &Remote<Arc<NodeBalances>>, glossary: &Glossary, chain: Option<&ChainId>) -> Vec<Line> {
    let mut lines = Vec::new();
    if let Some(error) = known.error() {
        let failed = Line::at(0).with(Meaning::Bad, format!("✗ the node: {}", error.brief()));
        lines.extend([failed, Line::at(0).with(Meaning::Muted, format!("  {}; r retries", error.advice()))]);
    }
    let Some(balances) = known.value() else {
        if lines.is_empty() {
            lines.push(Line::at(0).with(Meaning::Muted, "asking the rollup's node…"));
        }
        return lines;
    };
    if let Some(chain) = chain.filter(|chain| !is_of(balances, Some(chain))) {
        let (of, not) = (clip(&balances.chain_id, 40), clip(chain.as_str(), 40));
        let text = format!("The node serves {of}, not {not}; rollscope hides its balances.");
        lines.push(Line::at(0).with(Meaning::Warning, text));
        return lines;
    }
    lines.push(Line::at(0).with(Meaning::Muted, source(balances)));
    let (named, others): (Vec<&Coin>, Vec<&Coin>) =
        balances.coins.iter().partition(|coin| glossary.token(&coin.denom).is_some());
    lines.extend(named.into_iter().chain(others).map(|coin| line(coin, glossary)));
    if !balances.tokens.is_empty() {
        let tokens = balances.tokens.len();
        let tokens = if tokens == 1 { "1 token".to_owned() } else { format!("{tokens} tokens") };
        let text = format!("{tokens} in the account's newest transactions, read from the contracts:");
        lines.extend([Line::at(0), Line::at(0).with(Meaning::Muted, text)]);
        lines.extend(balances.tokens.iter().map(|token| token_line(token, glossary)));
    }
    lines
}

fn held(token: &TokenBalance) -> Option<Amount> {
    match token.answer {
        TokenAnswer::Held(amount) => Some(amount),
        TokenAnswer::NoAmount | TokenAnswer::Unanswered => None,
    }
}

/// Returns the line of a token: symbol, denom and the balance that its contract reported.
fn token_line(token: &TokenBalance, glossary: &Glossary) -> Line {
    let words = match token.answer {
        TokenAnswer::Held(amount) => {
            let coin = Coin { denom: token.denom.clone(), amount };
            return line(&coin, glossary).with(Meaning::Muted, "  contract");
        }
        TokenAnswer::NoAmount => "the contract reports no amount",
        TokenAnswer::Unanswered => "the node sent no answer for the contract",
    };
    named(&token.denom, glossary.token(&token.denom))
        .with(Meaning::Warning, words)
        .leading_to(Some(Target::Denom(token.denom.clone())))
}

/// Returns the line that names the node, the height, and whether the list is complete.
fn source(balances: &NodeBalances) -> String {
    let at = match balances.height {
        Some(height) => format!("at block {}", group(height.get())),
        None => "at an unknown block".to_owned(),
    };
    let denoms = group(balances.coins.len() as u64);
    match (balances.coins.len(), balances.is_whole) {
        (0, true) => format!("The node's bank reports no balance for this account, {at}. r refreshes."),
        (1, true) => format!("1 denom from the node's bank, {at}. r refreshes."),
        (_, true) => format!("{denoms} denoms from the node's bank, {at}. r refreshes."),
        (_, false) => format!("Only the first {denoms} denoms from the node's bank, {at}."),
    }
}

/// Starts the line of a token with symbol and denom.
fn named(denom: &Denom, token: Option<&Arc<TokenUnit>>) -> Line {
    let symbol = token.map_or_else(String::new, |token| clip(&token.symbol, 18));
    let denom = if token.is_some() { denom.short_beside_name() } else { denom.short() };
    Line::at(0).with(Meaning::Kind, format!("{symbol:<19}")).with(Meaning::Muted, format!("{denom:<24} "))
}

/// Returns the line of a coin: symbol, denom and amount.
fn line(coin: &Coin, glossary: &Glossary) -> Line {
    let token = glossary.token(&coin.denom);
    let shown = token.map_or_else(|| coin.amount.display(0), |token| coin.amount.shown(token.decimals));
    named(&coin.denom, token)
        .with(Meaning::Number, shown)
        .with(Meaning::Muted, if token.is_none() { "  smallest unit" } else { "" })
        .leading_to(Some(Target::Denom(coin.denom.clone())))
        .copying(coin.amount.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::node::{DenomClaim, DenomFact, UnitReporter};

    fn shown(answer: TokenAnswer, unit: Option<u8>) -> String {
        let denom = Denom::new("cw20:init1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqpqr5e3d");
        let mut glossary = Glossary::default();
        let claim =
            |decimals| DenomClaim::Unit { symbol: "COW".to_owned(), decimals, reporter: UnitReporter::Contract };
        let fact = unit.map(|decimals| DenomFact { denom: denom.clone(), claim: claim(decimals) });
        glossary.add_facts(fact.as_slice());
        let tokens = vec![TokenBalance { denom, answer }];
        let chain_id = "a-1".to_owned();
        let balances = NodeBalances { chain_id, height: None, coins: Vec::new(), is_whole: true, tokens };
        let mut known = Remote::default();
        known.settle(Ok(Arc::new(balances)), Timestamp::EPOCH);
        let lines = lines(&known, &glossary, None);
        lines.last().map(Line::text).unwrap_or_default()
    }

    #[test]
    fn what_a_contract_says_is_shown_as_its_word_and_nothing_is_made_of_the_rest() {
        let amount = TokenAnswer::Held(Amount::from(1_500_000));
        let named = shown(amount, Some(6));
        assert!(named.contains("“COW”") && named.contains("1.5") && named.ends_with("contract"), "{named}");
        let other = shown(amount, Some(18));
        assert!(other.contains("0.0000000000015") && other.ends_with("contract"), "{other}");
        let unnamed = shown(amount, None);
        assert!(unnamed.contains("1,500,000  smallest unit  contract"), "{unnamed}");
        assert!(shown(TokenAnswer::NoAmount, Some(6)).ends_with("the contract reports no amount"));
        assert!(shown(TokenAnswer::Unanswered, None).ends_with("the node sent no answer for the contract"));
    }
}
