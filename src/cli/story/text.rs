//! A story as text: sentences, balance changes, and fields of the record.

use std::collections::{HashMap, HashSet};

use crate::{
    cli::{
        record::CommandRecord,
        table::{Align, Heading, TableCell, TableLayout, details, paint},
    },
    config::Meaning,
    domain::{
        Address, AddressStyle, Amount, Balance, Denom, EvmTxHash, ShortForms,
        text::{clean, clip, group_digits, wrap},
    },
    story::{BalanceHolder, BridgeMove, Glossary, PartialFailure, Story, Style, nft_words, text_of},
    wire::Tx,
};

/// Renders a transaction's story; `width` is in terminal columns, `evm_hash` the hash of its receipt, if known.
pub(super) fn of(
    tx: &Tx,
    evm_hash: Option<EvmTxHash>,
    glossary: &Glossary,
    width: Option<usize>,
    colored: bool,
) -> String {
    let story = Story::of(tx, glossary);
    let twins = twins(&story, glossary);
    let usual = AddressStyle::USUAL.with_short(ShortForms::new(story.accounts()));
    let addresses = usual.with_contracts(story.contracts());
    let mut page = StoryText { tx, story: &story, glossary, width, colored, twins, addresses, text: String::new() };
    page.verdict();
    page.sentences();
    page.notes();
    page.nfts();
    page.bridge();
    page.balances();
    page.fee();
    page.fields(evm_hash);
    page.text
}

struct StoryText<'a> {
    tx: &'a Tx,
    story: &'a Story,
    glossary: &'a Glossary,
    width: Option<usize>,
    colored: bool,
    /// Symbols that several tokens of the story have.
    twins: HashSet<&'a str>,
    addresses: AddressStyle,
    text: String,
}

/// Maximum width of a paragraph, in terminal columns; JSON has the whole text.
const MOST_COLUMNS: usize = 4_000;

const COLUMNS: &[Heading] =
    &[("Balances", Align::Left), ("Change", Align::Right), ("Token", Align::Left), ("", Align::Left)];

impl StoryText<'_> {
    fn verdict(&mut self) {
        let explanation = self.story.explanation.as_ref();
        let (line, meaning) = match (self.tx.is_success(), explanation) {
            (true, None) => match PartialFailure::verdict(&self.story.partial) {
                Some(partly) => (partly, Meaning::Bad),
                None => ("✓ succeeded".to_owned(), Meaning::Good),
            },
            (true, Some(problem)) => (format!("! succeeded, with a problem: {}", problem.name), Meaning::Bad),
            (false, Some(failure)) => (format!("✗ failed: {}", failure.name), Meaning::Bad),
            (false, None) => {
                (format!("✗ failed: code {} of {}", self.tx.code, self.tx.codespace.clipped(160)), Meaning::Bad)
            }
        };
        self.prose("", &line, meaning);
        if let Some(explanation) = explanation {
            self.prose("", &explanation.text, Meaning::Text);
        }
    }

    fn sentences(&mut self) {
        self.gap();
        let is_one = self.story.sentences.len() == 1;
        for sentence in &self.story.sentences {
            let number = if is_one { String::new() } else { format!("{}. ", sentence.message + 1) };
            self.prose(&number, &text_of(&sentence.phrases, self.style()), Meaning::Text);
        }
    }

    fn notes(&mut self) {
        let problem = self.story.decoded.problem.as_ref().map(|problem| format!("Note: {problem}."));
        let cut = "Note: the record is too large to read in full; the story covers only its beginning.";
        let is_cut = self.story.work.is_cut().then(|| cut.to_owned());
        for note in problem.into_iter().chain(is_cut) {
            self.prose("", &note, Meaning::Bad);
        }
    }

    fn nfts(&mut self) {
        if self.story.changes.nfts.is_empty() {
            return;
        }
        self.heading("NFTs");
        for (_, change) in self.story.changes.nft_outcomes() {
            self.prose("  ", &text_of(&nft_words(&change, self.glossary), self.style()), Meaning::Text);
        }
    }

    fn bridge(&mut self) {
        if self.story.bridge.is_empty() {
            return;
        }
        self.heading("Bridge");
        for BridgeMove { phrases, counterparty, search, .. } in &self.story.bridge {
            self.prose("  ", &text_of(phrases, self.style()), Meaning::Text);
            if let Some(search) = search {
                let place = counterparty.as_deref().unwrap_or("the other chain");
                self.prose("    ", &format!("other half, on {place}: {search}"), Meaning::Text);
            }
        }
    }

    fn balances(&mut self) {
        let changes = &self.story.changes;
        if !changes.is_conserved {
            let warning = "The events are incomplete: their balance changes do not add up; do not rely on them.";
            self.gap();
            self.prose("", warning, Meaning::Bad);
        }
        let mut rows = Vec::with_capacity(changes.balances.len() + changes.supply.len());
        for change in &changes.balances {
            let mark = if change.is_reported { "as the contract reports" } else { "" };
            rows.push(self.row(self.holder(change.holder), &change.denom, change.delta, mark));
        }
        for change in &changes.supply {
            let name = if change.delta.is_negative() { "burned" } else { "minted" };
            rows.push(self.row(TableCell::new(name), &change.denom, change.delta, "supply"));
        }
        if rows.is_empty() {
            return;
        }
        self.gap();
        let layout = TableLayout::fit(COLUMNS, &rows, self.width, self.colored);
        self.line(&layout.heading());
        for row in &rows {
            self.line(&layout.line(row));
        }
    }

    fn row(&self, holder: TableCell, denom: &Denom, delta: Balance, mark: &str) -> Vec<TableCell> {
        let token = self.story.token(denom, self.glossary);
        let sign = if delta.is_negative() { "-" } else { "+" };
        let amount = amount_text(delta.magnitude(), token.map(|token| token.decimals));
        let meaning = if delta.is_negative() { Meaning::Bad } else { Meaning::Good };
        vec![
            holder,
            TableCell::new(format!("{sign}{amount}")).meaning(meaning),
            self.token(denom),
            TableCell::new(mark),
        ]
    }

    /// Returns a token's symbol; adds the decimals if another token of the story has the symbol.
    fn token(&self, denom: &Denom) -> TableCell {
        match self.story.token(denom, self.glossary) {
            None => TableCell::new(denom.marked()).or_short(denom.short()),
            Some(token) if self.twins.contains(token.symbol.as_str()) => {
                TableCell::new(format!("{} ({} decimals)", token.symbol, token.decimals))
            }
            Some(token) => TableCell::new(&token.symbol),
        }
    }

    fn holder(&self, holder: BalanceHolder) -> TableCell {
        match holder {
            BalanceHolder::Account(address) => match self.glossary.label(address) {
                Some(label) => TableCell::new(format!("{} ({label})", address.bech32())).or_short(label),
                None => TableCell::new(address.bech32()).or_short(self.addresses.short(address)),
            },
            BalanceHolder::Store(bytes) => {
                let hex = Address::Long(bytes).hex();
                TableCell::new(format!("store {hex}")).or_short(format!("store {}", hex.get(..10).unwrap_or_default()))
            }
        }
    }

    fn fee(&mut self) {
        let fee = &self.story.changes.fee;
        let coin = |(denom, amount): (&Denom, Amount)| {
            let token = self.story.token(denom, self.glossary);
            let name = match (token, self.style()) {
                (Some(token), _) => token.symbol.clone(),
                (None, Style::Exact) => denom.marked().into_owned(),
                (None, _) => denom.short(),
            };
            format!("{} {name}", amount_text(amount, token.map(|token| token.decimals)))
        };
        let coins = |coins: &[crate::domain::Coin]| {
            let listed: Vec<_> = coins.iter().map(|paid| coin((&paid.denom, paid.amount))).collect();
            listed.join(", ")
        };
        let mut line =
            if fee.net_paid.is_empty() { "no fee".to_owned() } else { format!("fee {}", coins(&fee.net_paid)) };
        let declared: HashMap<&Denom, Amount> = fee.declared.iter().map(|coin| (&coin.denom, coin.amount)).collect();
        if fee.net_paid.iter().any(|paid| declared.get(&paid.denom).is_some_and(|offered| *offered != paid.amount)) {
            line = format!("{line} (of {} offered, the rest refunded)", coins(&fee.declared));
        }
        if let Some(payer) = fee.payer.filter(|_| !fee.net_paid.is_empty()) {
            let granted = if fee.granter.is_some() { ", which grants the fee" } else { "" };
            line = format!("{line}, paid by {}{granted}", self.account(payer));
        }
        self.gap();
        self.prose("", &line, Meaning::Text);
    }

    /// Adds the record's own fields. Omits the gas settings that Ethereum wallets write into the memo.
    fn fields(&mut self, evm_hash: Option<EvmTxHash>) {
        let mut fields = self.tx.details();
        // Below the transaction's own hash.
        fields.splice(1..1, evm_hash.map(|hash| ("EVM hash", TableCell::new(hash.to_string()))));
        fields.retain(|(name, _)| *name != "Memo" || !self.story.decoded.is_ethereum_signed);
        self.gap();
        self.text.push_str(&details(&fields, self.colored));
    }

    fn account(&self, address: Address) -> String {
        match (self.glossary.label(address), self.style()) {
            (Some(label), _) => label.to_string(),
            (None, Style::Exact) => address.bech32(),
            (None, _) => self.addresses.short(address),
        }
    }

    /// Returns the style of addresses, which stay whole in outputs of unlimited width.
    fn style(&self) -> Style<'_> {
        if self.width.is_some() { Style::Screen(&self.addresses) } else { Style::Exact }
    }

    fn heading(&mut self, title: &str) {
        self.gap();
        self.line(&paint(Meaning::Heading, title, self.colored));
    }

    fn gap(&mut self) {
        self.text.push('\n');
    }

    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// Adds cleaned text after a mark, wrapped at spaces and indented to the mark's width.
    fn prose(&mut self, mark: &str, words: &str, meaning: Meaning) {
        let indent = mark.chars().count();
        let lines = match self.width {
            Some(width) => wrap(&clip(words, MOST_COLUMNS), width.saturating_sub(indent).max(1), usize::MAX),
            None => vec![clean(words).into_owned()],
        };
        for (place, line) in lines.iter().enumerate() {
            let before = if place == 0 { mark.to_owned() } else { " ".repeat(indent) };
            self.line(&format!("{before}{}", paint(meaning, line, self.colored)));
        }
    }
}

/// Returns the symbols that several tokens of a story have.
fn twins<'a>(story: &'a Story, glossary: &'a Glossary) -> HashSet<&'a str> {
    let changes = &story.changes;
    let denoms = changes.balances.iter().map(|change| &change.denom);
    let denoms: HashSet<&Denom> = denoms.chain(changes.supply.iter().map(|change| &change.denom)).collect();
    let mut seen = HashSet::new();
    let symbols = denoms.into_iter().filter_map(|denom| Some(story.token(denom, glossary)?.symbol.as_str()));
    symbols.filter(|symbol| !seen.insert(*symbol)).collect()
}

/// Formats an amount in display units if the decimals are known, else in the smallest unit.
fn amount_text(amount: Amount, decimals: Option<u8>) -> String {
    match decimals {
        Some(decimals) => amount.display(decimals),
        None => group_digits(&amount.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use unicode_width::UnicodeWidthStr;

    use super::*;

    const ONE: Address = Address::Short([0x11; 20]);
    const TWO: Address = Address::Short([0x22; 20]);

    /// Returns a successful transfer of two tokens that the glossary gives one symbol.
    fn tx() -> Tx {
        let told = |kind: &str, who: &str, account: Address| {
            let attribute = |key: &str, value: &str| json!({"key": key, "value": value});
            let attributes = [
                attribute(who, &account.bech32()),
                attribute("amount", "1500000uone,20utwo"),
                attribute("msg_index", "0"),
            ];
            json!({"type": kind, "attributes": attributes})
        };
        let message = json!({"@type": "/cosmos.bank.v1beta1.MsgSend", "from_address": ONE.bech32(), "to_address": TWO.bech32(),
            "amount": [{"denom": "uone", "amount": "1500000"}, {"denom": "utwo", "amount": "20"}]});
        let record = json!({
            "txhash": "0".repeat(64), "height": "7", "timestamp": "2026-01-01T00:00:00Z",
            "tx": {"body": {"messages": [message]}},
            "events": [told("coin_spent", "spender", ONE), told("coin_received", "receiver", TWO)],
        });
        serde_json::from_str(&record.to_string()).unwrap()
    }

    fn glossary() -> Glossary {
        let mut glossary = Glossary::default();
        glossary.add_token(Denom::new("uone"), "ONE", 6);
        glossary.add_token(Denom::new("utwo"), "ONE", 1);
        glossary
    }

    #[test]
    fn a_pipe_gets_whole_addresses_and_tells_twins_apart() {
        let text = of(&tx(), None, &glossary(), None, false);
        let row = |account: Address, amount: &str, token: &str| {
            let mut lines = text.lines().filter(|line| line.starts_with(&account.bech32()));
            assert!(lines.any(|line| line.contains(amount) && line.contains(token)), "{text}");
        };
        row(ONE, " -1.5  ", "ONE (6 decimals)");
        row(TWO, " +1.5  ", "ONE (6 decimals)");
        row(TWO, " +2  ", "ONE (1 decimals)");
        assert!(text.starts_with("✓ succeeded\n") && text.contains("\nno fee\n"), "{text}");
    }

    #[test]
    fn a_terminal_gets_lines_that_fit() {
        let text = of(&tx(), None, &glossary(), Some(48), false);
        let story = text.split("Transaction  ").next().unwrap_or_default();
        assert!(story.lines().all(|line| line.width() <= 48), "{story}");
        assert!(story.contains(&ONE.short()) && !story.contains(&ONE.bech32()), "{story}");
    }
}
