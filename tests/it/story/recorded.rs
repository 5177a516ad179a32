//! Real chains, recorded whole: what is told of their transactions is what their nodes say of balances.

use std::collections::{BTreeMap, BTreeSet};

use rollscope::{
    story::{BalanceHolder, Glossary, SentenceKind, Story, Style, text_of},
    wire::Tx,
};
use serde_json::Value;

use crate::harness::recording::recorded_text;

/// Where every fee goes; its own changes are those of all transactions of a block and of the block itself.
const FEE_COLLECTOR: &str = "init17xpfvakm2amg962yls6f84z3kell8c5l70rnql";
const CHAINS: [&str; 2] = ["minievm-1.1", "miniwasm-0.7"];

/// The lines of a file that begin like this.
fn lines(chain: &str, name: &str, beginning: &str) -> Vec<Value> {
    let text = recorded_text(chain, name);
    let wanted = text.lines().filter(|line| line.starts_with(beginning));
    wanted.map(|line| serde_json::from_str(line).expect("a line is JSON")).collect()
}

/// A chain's transactions by hash, with their stories told without any names.
struct RecordedChain {
    ledger: Vec<Value>,
    state: Vec<Value>,
    stories: BTreeMap<String, (Tx, Story)>,
}

impl RecordedChain {
    fn of(name: &str) -> Self {
        let glossary = Glossary::default();
        let records = lines(name, "indexer", "{\"path\":\"/indexer/tx/v1/txs/");
        let stories = records.into_iter().filter_map(|mut line| {
            // Some answers are of transactions that the indexer does not know.
            let record = line.pointer_mut("/answer/tx").map(Value::take)?;
            let tx: Tx = serde_json::from_value(record).expect("a transaction");
            let story = Story::of(&tx, &glossary);
            Some((tx.txhash.to_string(), (tx, story)))
        });
        let stories: BTreeMap<_, _> = stories.collect();
        assert!(stories.len() > 400, "{name}: {} transactions", stories.len());
        Self { ledger: lines(name, "ledger", ""), state: lines(name, "state", ""), stories }
    }
}

type Cells = BTreeMap<(String, String), i128>;

/// All that a story says of balances, the fee among it: by account and denom. What only contracts say is apart.
fn told(story: &Story, bank: &BTreeSet<String>) -> Cells {
    let mut cells = Cells::new();
    for change in &story.changes.balances {
        let BalanceHolder::Account(account) = change.holder else { continue };
        if !bank.contains(change.denom.as_str()) {
            let is_token = change.denom.as_str().starts_with("evm/") || change.denom.as_str().starts_with("cw20:");
            assert!(change.is_reported || !is_token, "{} is told as the bank's", change.denom);
            continue;
        }
        let delta: i128 = change.delta.to_string().parse().expect("an amount of the bank");
        *cells.entry((account.bech32(), change.denom.to_string())).or_default() += delta;
    }
    let fee = &story.changes.fee;
    for coin in &fee.net_paid {
        let payer = fee.payer.expect("somebody paid").bech32();
        let paid: i128 = coin.amount.to_string().parse().expect("an amount");
        *cells.entry((payer, coin.denom.to_string())).or_default() -= paid;
    }
    cells.retain(|_, delta| *delta != 0);
    cells
}

/// What the node's balances before and after a block say.
fn known(entry: &Value) -> BTreeMap<String, Cells> {
    let accounts = entry["balance_changes_over_block"].as_object().expect("accounts");
    let of = |(account, denoms): (&String, &Value)| {
        let cells = denoms.as_object().expect("denoms").iter().map(|(denom, change)| {
            let change: i128 = change["change"].as_str().expect("a change").parse().expect("a number");
            ((account.clone(), denom.clone()), change)
        });
        (account.clone(), cells.filter(|(_, change)| *change != 0).collect())
    };
    accounts.iter().map(of).collect()
}

/// Where a story and the node's balances differ.
fn differences(story: &Story, entry: &Value, bank: &BTreeSet<String>) -> Vec<String> {
    let told = told(story, bank);
    let known = known(entry);
    let accounts = known.iter().filter(|(account, _)| *account != FEE_COLLECTOR);
    let differing = accounts.filter_map(|(account, cells)| {
        let ours: Cells =
            told.iter().filter(|((of, _), _)| of == account).map(|(key, delta)| (key.clone(), *delta)).collect();
        (ours != *cells).then(|| format!("{account}: told {ours:?}, in truth {cells:?}"))
    });
    differing.collect()
}

#[test]
fn each_change_of_balances_is_what_the_node_says_before_and_after() {
    let chain = RecordedChain::of("minievm-1.1");
    let bank: BTreeSet<String> = chain
        .ledger
        .iter()
        .flat_map(|entry| known(entry).into_values().flatten())
        .map(|((_, denom), _)| denom)
        .collect();
    let alone = |entry: &&Value| entry["txs_in_block"] == 1;
    let entries: Vec<&Value> = chain.ledger.iter().filter(alone).collect();
    let mut compared = 0;
    for entry in &entries {
        let (_, story) = &chain.stories[entry["hash"].as_str().expect("a hash")];
        assert!(story.changes.is_conserved, "{entry} adds up");
        let wrong = differences(story, entry, &bank);
        assert!(wrong.is_empty(), "{}: {}", entry["what"], wrong.join("; "));
        compared += known(entry).len();
    }
    assert!(compared > 500, "{compared} accounts were compared");

    // A story of another transaction is caught.
    let paid = |entry: &&&Value| entry["kind"] == "bank-send" && entry["succeeded"] == true;
    let sends: Vec<_> = entries.iter().filter(paid).collect();
    let (_, other) = &chain.stories[sends[1]["hash"].as_str().expect("a hash")];
    assert!(!differences(other, sends[0], &bank).is_empty(), "the comparison finds nothing wrong with a lie");
}

#[test]
fn what_was_made_on_a_chain_adds_up_to_what_it_says_at_the_end() {
    let chain = RecordedChain::of("miniwasm-0.7");
    let made = |denom: &str| ["l2/", "ibc/", "factory/"].iter().any(|kind| denom.starts_with(kind));
    let denoms = chain.stories.values().flat_map(|(_, story)| &story.changes.balances);
    let denoms: BTreeSet<String> =
        denoms.map(|change| change.denom.to_string()).filter(|denom| !denom.starts_with("cw20:")).collect();
    let mut sums = Cells::new();
    for (_, story) in chain.stories.values() {
        for (key, delta) in told(story, &denoms) {
            *sums.entry(key).or_default() += delta;
        }
    }
    let mut compared = 0;
    for answer in &chain.state {
        let path = answer["path"].as_str().unwrap_or_default().split('?').next().unwrap_or_default();
        let Some(account) = path.strip_prefix("/cosmos/bank/v1beta1/balances/") else { continue };
        let Some(balances) = answer["answer"]["balances"].as_array() else { continue };
        let held = balances.iter().map(|coin| {
            let amount: i128 = coin["amount"].as_str().expect("an amount").parse().expect("a number");
            ((account.to_owned(), coin["denom"].as_str().expect("a denom").to_owned()), amount)
        });
        let held: Cells = held.filter(|((_, denom), _)| made(denom)).collect();
        let ours = sums.iter().filter(|((of, denom), sum)| of == account && made(denom) && **sum != 0);
        let ours: Cells = ours.map(|(key, sum)| (key.clone(), *sum)).collect();
        assert_eq!(ours, held, "{account}");
        compared += held.len();
    }
    assert!(compared > 20, "{compared} balances were compared");
}

#[test]
fn what_is_told_as_proven_names_its_events() {
    for name in CHAINS {
        let chain = RecordedChain::of(name);
        let mut kinds: BTreeMap<SentenceKind, usize> = BTreeMap::new();
        for (tx, story) in chain.stories.values() {
            for sentence in &story.sentences {
                *kinds.entry(sentence.kind).or_default() += 1;
                let events = sentence.phrases.iter().any(|phrase| !phrase.events.is_empty());
                let text = text_of(&sentence.phrases, Style::Exact);
                let is_asked = sentence.kind == SentenceKind::Asked;
                assert!(is_asked || events, "{name}: nothing bears out {text}");
                assert!(is_asked || tx.is_success(), "{name}: what failed is told as done: {text}");
            }
        }
        assert!(kinds.get(&SentenceKind::Proven).is_some_and(|count| *count > 200), "{name}: {kinds:?}");
    }
}
