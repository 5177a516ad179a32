//! Balances of an account, as the rollup's own node reports them.

use std::{
    collections::{BTreeSet, HashSet},
    sync::Arc,
};

use crate::{
    config::Meaning,
    domain::{
        Address, Amount, ChainId, Coin, Denom, Target, Timestamp, TxHash, Vm,
        text::{clip, count, count_of, group},
    },
    msg::{Ask, ListPage, PageRequest, PageStart, Remote, TxQuery, ask},
    story::{Glossary, contract_tokens},
    widgets::document::{Document, Line},
    wire::{
        ApiError, Status, TokenContract, Tx,
        node::{NodeBalances, TokenAnswer, TokenBalance},
    },
};

/// Rows per page of a search for tokens, and maximum pages.
const PAGE: u16 = 100;
const PAGES: usize = 20;

/// Decimals of an amount, and columns of the amounts; copies and files keep all decimals.
pub(super) const PLACES: u8 = 4;
pub(super) const AMOUNT: usize = 20;

/// Maximum contracts to query for a balance; the node gets them in batches.
const TOKENS: usize = 400;
/// Maximum tokens to name that are not asked.
const NAMED: usize = 3;

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
    search: TokenSearch,
}

/// Search for the contract tokens that the account may hold: page by page in the index's list of them, or in the
/// account's history, and among those shown in this session.
#[derive(Debug, Default)]
struct TokenSearch {
    place: SearchPlace,
    /// Whether the index failed on its list.
    is_list_lost: bool,
    tokens: BTreeSet<Denom>,
    /// Tokens beyond the most that are asked.
    left_out: BTreeSet<Denom>,
    looked_at: HashSet<TxHash>,
    cursor: PageStart,
    pages: usize,
    extent: SearchExtent,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum SearchPlace {
    #[default]
    History,
    /// The index's list of all contract tokens, since this block if it lacks older ones.
    List { since: Option<u64> },
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum SearchExtent {
    #[default]
    Begun,
    /// A page is requested.
    Pending,
    Complete,
    /// Only the newest rows.
    Newest,
    /// The index failed on a page of the history.
    Failed(String),
}

/// Page of a search.
pub(super) enum SearchedPage {
    History(ListPage<Arc<Tx>>),
    List(ListPage<Arc<TokenContract>>),
}

impl TokenSearch {
    /// Adds a token; returns whether its contract is one more to ask.
    fn add(&mut self, denom: Denom) -> bool {
        if self.tokens.len() < TOKENS || self.tokens.contains(&denom) {
            return self.tokens.insert(denom);
        }
        self.left_out.insert(denom);
        false
    }

    /// Says which contracts are asked, and which are not.
    fn words(&self) -> String {
        let txs = match (self.place, &self.extent) {
            (SearchPlace::List { since: None }, _) => "the index's list of contracts with transfers".to_owned(),
            (SearchPlace::List { since: Some(oldest) }, _) => {
                format!("the index's list of contracts with transfers since block {}", group(oldest))
            }
            (SearchPlace::History, SearchExtent::Complete) => {
                format!("all its {} in the index", count(self.looked_at.len(), "transaction"))
            }
            (SearchPlace::History, _) => format!("its {}", count(self.looked_at.len(), "newest transaction")),
        };
        let rest = match &self.extent {
            SearchExtent::Complete => String::new(),
            SearchExtent::Begun | SearchExtent::Pending => "; still searching".to_owned(),
            SearchExtent::Newest => "; older ones were not searched".to_owned(),
            SearchExtent::Failed(why) => format!("; older ones were not searched: {why}"),
        };
        let asked = match self.tokens.len() {
            0 => "No token contract was seen".to_owned(),
            asked => format!("Asked {} seen", count(asked, "token contract")),
        };
        let named = self.left_out.iter().take(NAMED).map(Denom::short).collect::<Vec<_>>().join(", ");
        let left_out = match self.left_out.len() {
            0 => String::new(),
            more if more > NAMED => format!(" {more} more tokens were not asked, among them {named}."),
            more => format!(" {} not asked: {named}.", count_of(more, "more token was", "more tokens were")),
        };
        format!("{asked} in {txs} and in this session{rest}.{left_out}")
    }
}

impl Default for Balances {
    fn default() -> Self {
        Self {
            known: Remote::default(),
            document: Document::new(Vec::new()),
            is_due: true,
            is_stale: true,
            made_with: None,
            search: TokenSearch::default(),
        }
    }
}

impl Balances {
    /// Searches transactions of the account for contract tokens, whose balances the tab then requests.
    pub(super) fn look_at<'a>(&mut self, txs: impl Iterator<Item = &'a Arc<Tx>>, vm: Option<Vm>) {
        for tx in txs {
            if self.search.looked_at.insert(tx.txhash) {
                self.is_stale = true;
                self.see(contract_tokens(tx, vm));
            }
        }
    }

    /// Adds the contract tokens among these denoms.
    pub(super) fn see(&mut self, denoms: BTreeSet<Denom>) {
        let is_of_contract = |denom: &Denom| denom.as_str().starts_with("evm/") || denom.as_str().starts_with("cw20:");
        for denom in denoms.into_iter().filter(is_of_contract) {
            self.is_due |= self.search.add(denom);
        }
    }

    /// Searches the list of the contract tokens of an index with this status, unless the search has begun.
    pub(super) fn search_list(&mut self, status: &Status) {
        let search = &mut self.search;
        let is_new = search.pages == 0 && search.extent == SearchExtent::Begun && !search.is_list_lost;
        if status.has_token_contracts == Some(true) && is_new {
            search.place = SearchPlace::List { since: status.oldest_height };
        }
    }

    /// Returns the request for the next page of the search. A history needs none if the loaded list is the whole.
    pub(super) fn next_page(&mut self, account: Address, is_whole: bool) -> Option<Ask<SearchedPage>> {
        let search = &mut self.search;
        let is_listed = search.place != SearchPlace::History;
        if is_whole && !is_listed && search.extent == SearchExtent::Begun {
            search.extent = SearchExtent::Complete;
        }
        if search.extent != SearchExtent::Begun {
            return None;
        }
        if search.pages >= PAGES {
            search.extent = SearchExtent::Newest;
            self.is_stale = true;
            return None;
        }
        (search.pages, search.extent) = (search.pages + 1, SearchExtent::Pending);
        let cursor = search.cursor.clone();
        let page = PageRequest { cursor, count_total: false, ..PageRequest::newest(PAGE) };
        Some(if is_listed {
            ask::token_contracts(page).map(SearchedPage::List)
        } else {
            ask::txs(TxQuery::history(account), page).map(SearchedPage::History)
        })
    }

    pub(super) fn take_page(&mut self, result: Result<SearchedPage, ApiError>, vm: Option<Vm>) {
        self.is_stale = true;
        let next = match result {
            Ok(SearchedPage::History(page)) => {
                self.look_at(page.items.iter(), vm);
                page.next
            }
            Ok(SearchedPage::List(page)) => {
                self.see(page.items.iter().map(|token| Denom::new(token.denom.as_str())).collect());
                page.next
            }
            Err(_) if self.search.place != SearchPlace::History => {
                // Without the list, the history tells the account's own tokens.
                let TokenSearch { tokens, left_out, looked_at, .. } = std::mem::take(&mut self.search);
                self.search = TokenSearch { tokens, left_out, looked_at, is_list_lost: true, ..TokenSearch::default() };
                return;
            }
            Err(error) => {
                self.search.extent = SearchExtent::Failed(error.brief());
                return;
            }
        };
        (self.search.cursor, self.search.extent) = match next {
            Some(key) => (PageStart::Key(key), SearchExtent::Begun),
            None => (PageStart::Start, SearchExtent::Complete),
        };
    }

    /// Returns the next request if one is due.
    pub(super) fn next_request(&mut self, account: Address, now: Timestamp) -> Option<Ask<Arc<NodeBalances>>> {
        // The contracts found by a search get one request; the bank does not wait for it.
        let is_searching = matches!(self.search.extent, SearchExtent::Begun | SearchExtent::Pending);
        if is_searching && !matches!(self.known, Remote::Idle) {
            return None;
        }
        std::mem::take(&mut self.is_due).then(|| {
            self.known.ask(now);
            self.is_stale = true;
            ask::balances(account, self.search.tokens.iter().cloned().collect())
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

    pub(super) fn error(&self) -> Option<&ApiError> {
        self.known.error()
    }

    /// Returns the balances if the node belongs to this chain.
    pub(super) fn of_chain(&self, chain: Option<&ChainId>) -> Option<&NodeBalances> {
        self.known.value().map(Arc::as_ref).filter(|balances| is_of(balances, chain))
    }

    /// Rebuilds the lines if they are outdated.
    pub(super) fn make_lines(&mut self, glossary: &Arc<Glossary>, chain: Option<ChainId>) {
        let is_same = self.made_with.as_ref().is_some_and(|(names, of)| Arc::ptr_eq(names, glossary) && *of == chain);
        if std::mem::take(&mut self.is_stale) || !is_same {
            let searched = (glossary.vm != Some(Vm::Move)).then(|| self.search.words());
            self.document.replace_lines(lines(&self.known, searched, glossary, chain.as_ref()));
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

fn lines(
    known: &Remote<Arc<NodeBalances>>,
    searched: Option<String>,
    glossary: &Glossary,
    chain: Option<&ChainId>,
) -> Vec<Line> {
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
        let text = format!("{tokens}, read from the contracts:");
        lines.extend([Line::at(0), Line::at(0).with(Meaning::Muted, text)]);
        lines.extend(balances.tokens.iter().map(|token| token_line(token, glossary)));
    }
    lines.extend(searched.into_iter().flat_map(|words| [Line::at(0), Line::at(0).with(Meaning::Muted, words)]));
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
    named(&token.denom, glossary).with(Meaning::Warning, words).leading_to(Some(Target::Denom(token.denom.clone())))
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

/// Starts the line of a token with symbol and denom. A name that the user gave replaces the denom, not the symbol.
fn named(denom: &Denom, glossary: &Glossary) -> Line {
    let token = glossary.token(denom);
    let symbol = token.map_or_else(String::new, |token| clip(&token.symbol, 18));
    let short = if token.is_some() { denom.short_beside_name() } else { denom.short() };
    let own = glossary.personal_denom(denom);
    let (meaning, shown) = match own {
        Some(own) => (Meaning::PersonalName, clip(own, 24)),
        None => (Meaning::Muted, short),
    };
    Line::at(0).with(Meaning::Kind, format!("{symbol:<19}")).with(meaning, format!("{shown:<24} "))
}

/// Returns the line of a coin: symbol, denom and amount.
fn line(coin: &Coin, glossary: &Glossary) -> Line {
    let token = glossary.token(&coin.denom);
    let shown = token.map_or_else(|| coin.amount.display(0), |token| coin.amount.fixed(token.decimals, PLACES));
    named(&coin.denom, glossary)
        .with(Meaning::Number, format!("{shown:>AMOUNT$}"))
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
        let lines = lines(&known, None, &glossary, None);
        lines.last().map(Line::text).unwrap_or_default()
    }

    #[test]
    fn what_a_contract_says_is_shown_as_its_word_and_nothing_is_made_of_the_rest() {
        let amount = TokenAnswer::Held(Amount::from(1_500_000));
        let named = shown(amount, Some(6));
        assert!(named.contains("“COW”") && named.contains("1.5") && named.ends_with("contract"), "{named}");
        let other = shown(amount, Some(18));
        assert!(other.contains("<0.0001") && other.ends_with("contract"), "{other}");
        let unnamed = shown(amount, None);
        assert!(unnamed.contains("1,500,000  smallest unit  contract"), "{unnamed}");
        assert!(shown(TokenAnswer::NoAmount, Some(6)).ends_with("the contract reports no amount"));
        assert!(shown(TokenAnswer::Unanswered, None).ends_with("the node sent no answer for the contract"));
    }

    fn page(hashes: std::ops::Range<u8>, next: Option<&str>) -> ListPage<Arc<Tx>> {
        let tx = |number: u8| {
            let contract = Address::Long([number; 32]).bech32();
            let action = [("_contract_address", &*contract), ("action", "burn"), ("amount", "5"), ("from", &*contract)];
            let attributes: Vec<_> =
                action.iter().map(|(key, value)| serde_json::json!({"key": key, "value": value})).collect();
            let record = serde_json::json!({
                "txhash": format!("{number:02X}").repeat(32), "height": "5", "timestamp": "2026-01-31T12:00:00Z",
                "tx": {"body": {"messages": []}}, "events": [{"type": "wasm", "attributes": attributes}],
            });
            Arc::new(serde_json::from_str(&record.to_string()).unwrap())
        };
        let next = next.map(|key| crate::msg::PageKey(key.into()));
        ListPage { items: hashes.map(tx).collect(), next, total: crate::msg::Total::Unknown, notes: Vec::new() }
    }

    fn asked(balances: &mut Balances) -> Option<usize> {
        match balances.next_request(Address::Short([1; 20]), Timestamp::EPOCH)?.request() {
            crate::msg::Request::Balances(_, tokens) => Some(tokens.len()),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn every_token_contract_of_the_history_is_asked_page_by_page_and_the_rest_is_said() {
        let (account, vm) = (Address::Short([1; 20]), Some(Vm::Wasm));
        let mut balances = Balances::default();
        assert_eq!(asked(&mut balances), Some(0), "the bank does not wait for the search");
        for (range, next) in [(0..90, Some("a")), (90..180, Some("b")), (180..200, None)] {
            assert!(balances.next_page(account, false).is_some() && balances.next_page(account, false).is_none());
            assert!(balances.search.words().ends_with("; still searching."), "{}", balances.search.words());
            balances.take_page(Ok(SearchedPage::History(page(range, next))), vm);
            assert_eq!(asked(&mut balances), next.is_none().then_some(200), "one request when the search has ended");
        }
        assert!(balances.next_page(account, false).is_none(), "it has ended");
        let words = "Asked 200 token contracts seen in all its 200 transactions in the index and in this session.";
        assert_eq!(balances.search.words(), words);
        balances.see([Denom::new("cw20:a"), Denom::new("uinit")].into());
        assert_eq!(asked(&mut balances), Some(201), "the bank's own denoms have no contract");
        balances.see((0..210).map(|number| Denom::new(format!("evm/{number}"))).collect());
        assert_eq!(asked(&mut balances), Some(TOKENS));
        let left_out = " 11 more tokens were not asked, among them evm/9, evm/90, evm/91.";
        assert!(balances.search.words().ends_with(left_out), "{}", balances.search.words());
    }

    #[test]
    fn a_search_that_does_not_reach_the_oldest_transaction_says_so() {
        let (account, vm) = (Address::Short([1; 20]), Some(Vm::Wasm));
        let mut whole = Balances::default();
        assert!(whole.next_page(account, true).is_none(), "the list has the whole history");
        let words = "No token contract was seen in all its 0 transactions in the index and in this session.";
        assert_eq!(whole.search.words(), words);
        let mut long = Balances::default();
        for number in 0..PAGES {
            assert!(long.next_page(account, false).is_some(), "{number}");
            long.take_page(Ok(SearchedPage::History(page(0..1, Some("a")))), vm);
        }
        assert!(long.next_page(account, false).is_none());
        assert!(long.search.words().ends_with("; older ones were not searched."), "{}", long.search.words());
        let mut failed = Balances::default();
        failed.next_page(account, false);
        failed.take_page(Err(ApiError::of_another_kind()), vm);
        assert!(failed.search.words().contains("; older ones were not searched: "), "{}", failed.search.words());
        assert!(failed.next_page(account, false).is_none());
    }

    #[test]
    fn the_indexs_list_of_tokens_is_asked_page_by_page_else_the_history() {
        let (account, vm) = (Address::Short([1; 20]), Some(Vm::Evm));
        let status = |text: &str| -> Status { serde_json::from_str(text).unwrap() };
        let listed = status(r#"{"chain_id":"a-1","height":9000,"oldest_height":8000,"has_token_contracts":true}"#);
        let list = |numbers: std::ops::Range<u16>, next: Option<&str>| {
            let items = numbers.map(|number| Arc::new(TokenContract { denom: format!("evm/{number}") })).collect();
            let next = next.map(|key| crate::msg::PageKey(key.into()));
            Ok(SearchedPage::List(ListPage { items, next, total: crate::msg::Total::Unknown, notes: Vec::new() }))
        };
        let is_of_list = |ask: Option<Ask<SearchedPage>>| {
            ask.map(|ask| matches!(ask.request(), crate::msg::Request::TokenContracts(_)))
        };
        let mut balances = Balances::default();
        balances.search_list(&listed);
        assert_eq!(is_of_list(balances.next_page(account, true)), Some(true), "also where the history is loaded");
        balances.take_page(list(0..100, Some("a")), vm);
        assert_eq!(is_of_list(balances.next_page(account, true)), Some(true));
        balances.take_page(list(100..402, None), vm);
        assert_eq!((asked(&mut balances), balances.next_page(account, true).is_none()), (Some(TOKENS), true));
        let words = "Asked 400 token contracts seen in the index's list of contracts with transfers since block 8,000 \
                     and in this session. 2 more tokens were not asked: evm/400, evm/401.";
        assert_eq!(balances.search.words(), words);
        // A list that fails leaves the history, and the search says so.
        let mut failed = Balances::default();
        failed.search_list(&listed);
        failed.next_page(account, false);
        failed.take_page(Err(ApiError::of_another_kind()), vm);
        failed.search_list(&listed);
        assert_eq!(is_of_list(failed.next_page(account, false)), Some(false));
        assert!(failed.search.words().contains("newest transactions"), "{}", failed.search.words());
        let mut unlisted = Balances::default();
        unlisted.search_list(&status(r#"{"chain_id":"a-1","height":9000}"#));
        assert_eq!(is_of_list(unlisted.next_page(account, false)), Some(false));
    }
}
