//! What an account holds by the rollup's own node.

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
    msg::{Answer, Remote, Request},
    story::{Glossary, contract_tokens},
    widgets::document::{Document, Line},
    wire::{
        ApiError, Tx,
        node::{NodeBalances, TokenAnswer, TokenBalance},
    },
};

/// Transactions whose tokens are looked for: the first ones of its list.
const LOOKED_AT: usize = 300;

/// Contracts that are asked, at the most.
const TOKENS: usize = 60;

/// What the node says that an account holds.
#[derive(Debug)]
pub(super) struct Balances {
    known: Remote<Arc<NodeBalances>>,
    /// The same in lines.
    pub(super) document: Document,
    /// What is known is to be asked for anew, once it is on screen.
    is_due: bool,
    /// What the lines were made of is not what there is any more.
    is_stale: bool,
    /// The names and the chain that the lines were made with.
    made_with: Option<(Arc<Glossary>, Option<ChainId>)>,
    /// The tokens of contracts that moved in transactions of the account, and the transactions that were looked at.
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
    /// Looks for tokens of contracts in transactions of the account, whose balances are then asked for as well.
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

    /// What to ask the node for, where it was not asked since it was due.
    pub(super) fn next_request(&mut self, account: Address, now: Timestamp) -> Option<Request> {
        std::mem::take(&mut self.is_due).then(|| {
            self.known.ask(now);
            self.is_stale = true;
            Request::Balances(account, self.tokens.iter().cloned().collect())
        })
    }

    /// Asks once more as soon as it is on screen.
    pub(super) fn ask_again(&mut self) {
        self.is_due = true;
    }

    /// Asks once more for what a failing node kept back.
    pub(super) fn retry(&mut self) {
        self.is_due |= self.known.error().is_some_and(ApiError::is_transient);
    }

    /// The node's answer.
    pub(super) fn take(&mut self, result: Result<Answer, ApiError>, now: Timestamp) {
        let result = match result {
            Ok(Answer::Balances(balances)) => Ok(balances),
            Ok(_) => Err(ApiError::of_another_kind()),
            Err(error) => Err(error),
        };
        self.known.settle(result, now);
        self.is_stale = true;
    }

    pub(super) fn is_loading(&self) -> bool {
        self.known.is_loading()
    }

    /// What is shown of it: nothing where the node is of another chain.
    pub(super) fn of_chain(&self, chain: Option<&ChainId>) -> Option<&NodeBalances> {
        self.known.value().map(Arc::as_ref).filter(|balances| is_of(balances, chain))
    }

    /// Makes the lines where they changed.
    pub(super) fn make_lines(&mut self, glossary: &Arc<Glossary>, chain: Option<ChainId>) {
        let is_same = self.made_with.as_ref().is_some_and(|(names, of)| Arc::ptr_eq(names, glossary) && *of == chain);
        if std::mem::take(&mut self.is_stale) || !is_same {
            self.document.replace_lines(lines(&self.known, glossary, chain.as_ref()));
            self.made_with = Some((Arc::clone(glossary), chain));
        }
    }
}

/// What it holds, for a file; amounts are exact, in the smallest unit, and null where nobody gave one.
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

/// Whether the node is of the chain that is explored; while that is not known, nothing says otherwise.
fn is_of(balances: &NodeBalances, chain: Option<&ChainId>) -> bool {
    chain.is_none_or(|chain| chain.as_str() == balances.chain_id)
}

fn lines(known: &Remote<Arc<NodeBalances>>, glossary: &Glossary, chain: Option<&ChainId>) -> Vec<Line> {
    let mut lines = Vec::new();
    if let Some(error) = known.error() {
        let failed = Line::at(0).with(Meaning::Bad, format!("✗ the node: {}", error.brief()));
        lines.extend([failed, Line::at(0).with(Meaning::Muted, format!("  {}; r asks again", error.advice()))]);
    }
    let Some(balances) = known.value() else {
        if lines.is_empty() {
            lines.push(Line::at(0).with(Meaning::Muted, "asking the rollup's own node…"));
        }
        return lines;
    };
    if let Some(chain) = chain.filter(|chain| !is_of(balances, Some(chain))) {
        let (of, not) = (clip(&balances.chain_id, 40), clip(chain.as_str(), 40));
        let text = format!("The network's node is of {of}, not of {not}: what it says is not shown.");
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
        let text = format!("{tokens} by the word of their own contracts, of those in its newest transactions:");
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

/// Symbol, denom and what its contract says.
fn token_line(token: &TokenBalance, glossary: &Glossary) -> Line {
    let words = match token.answer {
        TokenAnswer::Held(amount) => {
            let coin = Coin { denom: token.denom.clone(), amount };
            return line(&coin, glossary).with(Meaning::Muted, "  contract");
        }
        TokenAnswer::NoAmount => "its contract gives no amount",
        TokenAnswer::Unanswered => "the node did not answer for its contract",
    };
    let symbol = glossary.token(&token.denom).map_or_else(String::new, |token| clip(&token.symbol, 18));
    Line::at(0)
        .with(Meaning::Kind, format!("{symbol:<19}"))
        .with(Meaning::Muted, format!("{:<24} ", token.denom.short()))
        .with(Meaning::Warning, words)
        .leading_to(Some(Target::Denom(token.denom.clone())))
}

/// By whom, as of when, and whether it is all.
fn source(balances: &NodeBalances) -> String {
    let at = match balances.height {
        Some(height) => format!("as of block {}", group(height.get())),
        None => "the node does not say as of which block".to_owned(),
    };
    let denoms = group(balances.coins.len() as u64);
    match (balances.coins.len(), balances.is_whole) {
        (0, true) => format!("The rollup's bank holds nothing for this account, {at}. r asks again."),
        (1, true) => format!("1 denom by the bank of the rollup's own node, {at}. r asks again."),
        (_, true) => format!("{denoms} denoms by the bank of the rollup's own node, {at}. r asks again."),
        (_, false) => format!("The first {denoms} denoms by the bank of the rollup's own node, {at}; there are more."),
    }
}

/// Symbol, denom and amount.
fn line(coin: &Coin, glossary: &Glossary) -> Line {
    let token = glossary.token(&coin.denom);
    let symbol = token.map_or_else(String::new, |token| clip(&token.symbol, 18));
    let shown = token.map_or_else(|| coin.amount.display(0), |token| coin.amount.shown(token.decimals));
    Line::at(0)
        .with(Meaning::Kind, format!("{symbol:<19}"))
        .with(Meaning::Muted, format!("{:<24} ", coin.denom.short()))
        .with(Meaning::Number, shown)
        .with(Meaning::Muted, if token.is_none() { "  smallest unit" } else { "" })
        .leading_to(Some(Target::Denom(coin.denom.clone())))
        .copying(coin.amount.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::node::ContractUnit;

    fn shown(answer: TokenAnswer, unit: Option<u8>) -> String {
        let denom = Denom::new("cw20:init1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqpqr5e3d");
        let mut glossary = Glossary::default();
        let unit = unit.map(|decimals| ContractUnit { denom: denom.clone(), symbol: "COW".to_owned(), decimals });
        glossary.add_contract_units(unit.as_slice());
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
        assert!(shown(TokenAnswer::NoAmount, Some(6)).ends_with("its contract gives no amount"));
        assert!(shown(TokenAnswer::Unanswered, None).ends_with("the node did not answer for its contract"));
    }
}
