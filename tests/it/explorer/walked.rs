//! Two real rollups, walked page by page behind their nodes by typed keys: what is shown is what the chain's own
//! records say.

mod balances;
mod contracts;
mod truth;

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
    fmt::Debug,
    time::Duration,
};

use rollscope::{
    config::{Network, NodeLocation},
    domain::{Address, Amount, Timestamp, TxHash, Vm, text::group},
    indexer::node::ServiceOptions,
};
use rstest::rstest;
use serde_json::Value;

use self::truth::{BlockTruth, ChainTruth, TxTruth, json, list, text};
use super::{framed_lines, hashes, join};
use crate::harness::{
    Explorer,
    player::{NodePlayer, Served},
    recording::{RecordedBlock, Recording},
};

/// A recorded chain behind its node, what is known of it, and where the explorer said something else.
struct Walk {
    vm: Vm,
    explorer: Explorer,
    truth: ChainTruth,
    problems: RefCell<Vec<String>>,
    _served: Served,
    _runtime: tokio::runtime::Runtime,
}

impl Walk {
    fn start(recording: &Recording, player: &NodePlayer) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let runtime = runtime.expect("a runtime");
        let served = runtime.block_on(async {
            let served = player.served(ServiceOptions::default()).await;
            served.filled().await;
            served.until("/status", |status| status["rich_list_height"].is_u64()).await;
            let has_calls = |block: &&RecordedBlock| block.traces.as_ref().is_some_and(|raw| raw.get().len() > 2);
            if let Some(lowest) = recording.blocks.iter().find(has_calls) {
                let path = format!("/indexer/tx/v1/evm-internal-txs/by_height/{}", lowest.height);
                let has_some = |page: &Value| page["internal_txs"].as_array().is_some_and(|rows| !rows.is_empty());
                served.until(&path, has_some).await;
            }
            served
        });
        let newest = json(recording.blocks.last().expect("blocks").block.get());
        let newest = text(&newest["result"]["block"]["header"]["time"]).parse::<Timestamp>();
        let addresses = player.addresses();
        let node = NodeLocation {
            node: addresses.node,
            rest: addresses.rest,
            json_rpc: addresses.json_rpc,
            others: Vec::new(),
        };
        let network = Network { node: Some(node), vm: Some(player.vm), ..Network::unnamed(String::new()) };
        let builder = Explorer::builder().size(150, 120).network(network).at(newest.expect("a time"));
        let explorer = builder.without_router().server(&served.url()).start();
        explorer.settle();
        let truth = ChainTruth::of(recording);
        Self { vm: player.vm, explorer, truth, problems: RefCell::default(), _served: served, _runtime: runtime }
    }

    fn go_to(&self, what: &str) {
        self.explorer.press("/").paste(what).press("enter").settle();
    }

    fn screen(&self) -> String {
        self.explorer.screen()
    }

    /// The rows of all screens of a list, down to its end.
    fn rows<T: PartialEq + Clone + Debug>(&self, rows: impl Fn(&Explorer) -> Vec<T>) -> Vec<T> {
        let mut all = rows(&self.explorer);
        loop {
            let before = rows(&self.explorer);
            let now = rows(self.explorer.press("n"));
            if now == before {
                return all;
            }
            join(&mut all, &now);
        }
    }

    /// Notes what is not as it is on the chain.
    fn check(&self, is_so: bool, what: impl FnOnce() -> String) {
        if !is_so {
            let screen = self.explorer.screen();
            let shown = screen.lines().map(str::trim_end).filter(|line| line.len() > 10).collect::<Vec<_>>();
            self.problems.borrow_mut().push(format!("{}:\n{}", what(), shown.join("\n")));
        }
    }

    /// Notes it where the screen does not show this.
    fn says(&self, of_what: &str, expected: &str) {
        self.check(self.screen().contains(expected), || format!("{of_what}: no “{expected}”"));
    }

    /// No page of a chain that is whole and can be asked says that something is wrong.
    fn is_well(&self, of_what: &str) {
        let screen = self.screen();
        for trouble in ["unreadable", "✗ the node", "not indexed yet", "unknown host", "older blocks"] {
            self.check(!screen.contains(trouble), || format!("{of_what}: “{trouble}”"));
        }
    }

    fn overview(&self) {
        self.explorer.press("1").settle();
        let (last, truth) = (group(self.truth.last().height), &self.truth);
        for expected in [format!("height {last}"), format!("tip        {last}"), truth.chain_id.clone()] {
            self.says("overview", &expected);
        }
        self.says("overview", &format!("holds      1 to {last}"));
        // How many are looked at is by what the screen has room for.
        let screen = self.screen();
        let (before, after) = screen.split_once(" of the newest ").expect("what failed is of a sample that is said");
        let number = |word: Option<&str>| word.and_then(|word| word.replace(',', "").parse::<usize>().ok());
        let size = number(after.split_whitespace().next()).expect("a number");
        let sample: Vec<&TxTruth> = truth.newest_txs().map(|(_, tx)| tx).take(size).collect();
        let failed = sample.iter().filter(|tx| !tx.has_succeeded()).count();
        let said = number(before.split_whitespace().last());
        self.check(said == Some(failed) && size >= 100, || format!("overview: {failed} of {size} failed"));
        for kind in ["refused", "timed out", "hook failed", "deposit failed"] {
            let count = sample.iter().filter(|tx| tx.partial_failures().contains(kind)).count();
            let is_said = self.screen().contains(&format!("{kind} {count}"));
            self.check(is_said == (count > 0), || format!("overview: {kind} {count}"));
        }
        let (newest, screen) = (short(&sample[0].hash), self.screen());
        self.check(screen.contains(&newest), || format!("overview: the newest transaction, {newest}"));
        self.is_well("overview");
    }

    /// Every block by height and hash, and every transaction as done or failed, in the chain's order.
    fn lists(&self) {
        self.explorer.press("2").settle();
        let expected = self.truth.blocks.iter().rev().map(|block| (block.height, short(&block.hash)));
        let shown = self.rows(block_rows);
        self.check(shown == expected.collect::<Vec<_>>(), || format!("blocks: {shown:?}"));
        self.explorer.press("3").settle();
        let expected = self.truth.newest_txs().map(|(_, tx)| (tx.sign(), short(&tx.hash)));
        let shown = self.rows(tx_rows);
        self.check(shown == expected.collect::<Vec<_>>(), || format!("transactions: {shown:?}"));
    }

    /// The list narrowed to each of some types.
    fn filters(&self) {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        self.truth.newest_txs().flat_map(|(_, tx)| tx.kinds()).for_each(|kind| *counts.entry(kind).or_default() += 1);
        for kind in counts.iter().filter(|(_, count)| **count < 60).map(|(kind, _)| *kind).step_by(5) {
            let of_kind = self.truth.newest_txs().filter(|(_, tx)| tx.kinds().contains(&kind));
            let expected: Vec<String> = of_kind.map(|(_, tx)| short(&tx.hash)).collect();
            self.explorer.press("3 f").paste(kind.trim_start_matches('/')).press("enter").settle();
            let shown = self.rows(hashes);
            self.check(shown == expected, || format!("{kind}: {shown:?}, not {expected:?}"));
            self.explorer.press("esc").settle();
        }
    }

    fn blocks(&self) {
        let with_txs = self.truth.blocks.iter().filter(|block| !block.txs.is_empty());
        for block in with_txs.step_by(60).chain([self.truth.last()]) {
            let of = format!("block {}", block.height);
            self.go_to(&block.height.to_string());
            let sum = |name: &str| {
                let gas = block.txs.iter().filter_map(|tx| text(&tx.result[name]).parse::<u64>().ok());
                group(gas.sum())
            };
            let proposer: Address = format!("0x{}", block.proposer.to_lowercase()).parse().expect("20 bytes");
            for expected in [
                format!("Block {}", group(block.height)),
                block.hash.clone(),
                format!("{} UTC", block.time),
                format!("{} of {}", sum("gas_used"), sum("gas_wanted")),
                proposer.bech32_as("initvaloper"),
            ] {
                self.says(&of, &expected);
            }
            let expected: Vec<String> = block.txs.iter().map(|tx| short(&tx.hash)).collect();
            let shown = self.rows(hashes);
            self.check(shown == expected, || format!("{of}: {shown:?}"));
            self.is_well(&of);
        }
    }

    /// One transaction of each kind, done and failed, with each of its tabs.
    fn transactions(&self) {
        let mut seen = BTreeSet::new();
        let kinds = self.truth.newest_txs().filter(|(_, tx)| seen.insert((tx.kinds().join(" "), tx.has_succeeded())));
        let kinds: Vec<_> = kinds.collect();
        assert!(kinds.len() > 30, "{} kinds", kinds.len());
        for (number, (block, tx)) in kinds.into_iter().enumerate() {
            // By every way in which people write a hash.
            self.go_to(&match number % 3 {
                0 => tx.hash.clone(),
                1 => tx.hash.to_lowercase(),
                _ => format!("0x{}", tx.hash.to_lowercase()),
            });
            self.transaction(block, tx);
        }
    }

    fn transaction(&self, block: &BlockTruth, tx: &TxTruth) {
        let of = format!("tx {}", tx.hash);
        self.says(&of, &format!("{} Tx {}", tx.sign(), tx.hash));
        for _ in 0..6 {
            let screen = self.screen();
            let tab = |name: &str| screen.contains(&format!("[{name}]"));
            self.is_well(&of);
            if tab("Story") {
                self.story(&of, block, tx);
            } else if tab("Messages") {
                self.messages(&of, tx);
            } else if tab("Events") {
                let count = events_of(&screen);
                let expected = tx.events().len();
                // Where they are more than a screen, only some are counted.
                let is_whole = screen.lines().nth(110).is_none_or(|line| line.trim_matches(['│', ' ']).is_empty());
                self.check(!is_whole || count == expected, || format!("{of}: {count} events of {expected}"));
            } else if tab("Logs") {
                self.logs(&of, tx);
            } else if tab("Calls") {
                let frames = tx.evm.as_ref().map_or(0, |(_, frame)| frames(frame));
                let count = if frames == 1 { "1 call".to_owned() } else { format!("{frames} calls") };
                self.check(frames == 0 || screen.contains(&count), || format!("{of}: {count}"));
            } else if tab("Raw") {
                let result = &tx.result;
                self.says(&of, &format!("\"code\": {}", result["code"]));
                self.says(&of, &format!("\"height\": \"{}\"", block.height));
                self.says(&of, &format!("\"gas_used\": \"{}\"", text(&result["gas_used"])));
                return;
            }
            self.explorer.press("l").settle();
        }
        self.check(false, || format!("{of}: the last tab is Raw"));
    }

    /// Every record about a packet leads to the others of that packet; a record's other end is on the same chain.
    fn packets(&self) {
        let mut by_packet: BTreeMap<String, Vec<(u64, String)>> = BTreeMap::new();
        let mut sent = BTreeSet::new();
        for (block, tx) in self.truth.newest_txs() {
            for kind in ["send_packet", "recv_packet", "acknowledge_packet", "timeout_packet"] {
                let part = |name: &str| tx.attributes(kind, &format!("packet_{name}")).next().map(str::to_owned);
                let parts: Option<Vec<String>> =
                    ["src_channel", "dst_channel", "sequence"].into_iter().map(part).collect();
                sent.extend((kind == "send_packet" && parts.is_some()).then(|| tx.hash.clone()));
                if let Some(parts) = parts {
                    by_packet.entry(parts.join(" ")).or_default().push((block.height, tx.hash.clone()));
                }
            }
        }
        assert!(by_packet.len() > 4, "{by_packet:?}");
        let sign_of =
            |hash: &String| self.truth.newest_txs().find(|(_, tx)| tx.hash == *hash).map_or('?', |(_, tx)| tx.sign());
        for steps in by_packet.values() {
            for (height, hash) in steps {
                self.go_to(hash);
                // What is there is not called missing, and what is missing is told with the blocks that were searched.
                let unseen = "acknowledgement or timeout not seen up to block ";
                let is_pending = sent.contains(hash) && steps.len() == 1;
                self.check(self.screen().contains(unseen) == is_pending, || {
                    format!("{is_pending} in tx {hash}: {unseen}")
                });
                for (other, _) in steps.iter().filter(|(other, _)| other != height) {
                    self.says(&format!("packet in tx {hash}"), &format!("↳ block {} · ", group(*other)));
                }
            }
            let [(_, first), .., (_, last)] = &steps[..] else { continue };
            // Without a router, Enter leads from the line of the packet to its other end.
            self.go_to(last);
            self.explorer.click("⇄ ").press("enter").settle();
            self.says(&format!("enter in tx {last}"), &format!("{} Tx {first}", sign_of(first)));
        }
    }

    fn story(&self, of: &str, block: &BlockTruth, tx: &TxTruth) {
        let number = |name: &str| text(&tx.result[name]).parse::<u64>().map(group).unwrap_or_default();
        let place = block.txs.iter().position(|one| one.hash == tx.hash).unwrap_or_default() + 1;
        self.says(of, &format!("{} of {}", number("gas_used"), number("gas_wanted")));
        self.says(of, &format!("block       {}", group(block.height)));
        // Its place is said where the whole block was asked for.
        if self.screen().contains("  transaction ") {
            self.says(of, &format!("{}  transaction {place} of {}", group(block.height), block.txs.len()));
        }
        self.says(of, &format!("{} UTC", block.time));
        if let Some(signer) = tx.attributes("tx", "acc_seq").next().and_then(|value| value.split('/').next()) {
            self.says(of, signer);
        }
        for number in tx.attributes("initiate_token_withdrawal", "l2_sequence").filter(|_| tx.has_succeeded()) {
            let start: Timestamp = format!("{}Z", block.time.replace(' ', "T")).parse().expect("a time");
            // An output each minute, and a challenge period of a week.
            let end = start.after(Duration::from_secs(60 + 604_800)).to_string();
            let end = format!("{} UTC", end.get(..16).unwrap_or_default().replace('T', " "));
            self.says(of, &format!("↳ claimable on initiation-real from about {end} (bridge 77: "));
            self.says(of, &format!("rollscope claim {} {number} --executor URL --l1-rest URL", self.truth.chain_id));
        }
        let screen = self.screen();
        let fee = list(&tx.tx["auth_info"]["fee"]["amount"]).iter();
        let moved = tx.messages().iter().filter(|_| tx.has_succeeded()).flat_map(|message| {
            let is_told = ["MsgSend", "MsgTransfer", "MsgInitiateTokenWithdrawal", "MsgFinalizeTokenDeposit"];
            let coins: Vec<&Value> = match &message["amount"] {
                Value::Array(coins) => coins.iter().collect(),
                coin if coin.is_object() => vec![coin],
                _ => vec![&message["token"]],
            };
            let is_told = is_told.iter().any(|kind| text(&message["@type"]).ends_with(&format!(".{kind}")));
            coins.into_iter().filter(move |_| is_told)
        });
        for coin in fee.chain(moved) {
            let amount: Amount = text(&coin["amount"]).parse().unwrap_or_default();
            let is_shown = amount.is_zero() || screen.lines().any(|line| shows(line, amount));
            self.check(is_shown, || format!("{of}: {amount} {}", text(&coin["denom"])));
        }
        // The node tells the unit of its gas.
        self.check(!screen.contains("“GAS” (unknown denom)"), || format!("{of}: one name for two units"));
        if tx.has_succeeded() && tx.messages().len() == 1 && tx.kinds()[0].ends_with("bank.v1beta1.MsgSend") {
            let short = |name: &str| text(&tx.messages()[0][name]).parse::<Address>().map(|address| address.short());
            let (from, to) = (short("from_address").unwrap_or_default(), short("to_address").unwrap_or_default());
            self.says(of, &format!("{from} sent "));
            self.says(of, &to);
        }
    }

    fn messages(&self, of: &str, tx: &TxTruth) {
        self.says(of, &format!("1 of {}", tx.messages().len()));
        // Those of several are folded.
        if tx.messages().len() > 1 {
            return self.says(of, tx.kinds()[0].rsplit('.').next().unwrap_or_default());
        }
        self.says(of, tx.kinds()[0]);
        let fields = tx.messages()[0].as_object().into_iter().flatten();
        for value in fields.filter_map(|(_, value)| value.as_str()).filter(|value| value.starts_with("init1")) {
            self.says(of, value);
        }
    }

    fn logs(&self, of: &str, tx: &TxTruth) {
        let Some((receipt, _)) = &tx.evm else { return };
        // Logs that only move the fee are folded.
        self.explorer.press("z R").settle();
        let (logs, screen) = (list(&receipt["logs"]), self.screen().to_lowercase());
        let count = if logs.len() == 1 { "1 log from".to_owned() } else { format!("{} logs from", logs.len()) };
        self.check(logs.is_empty() || screen.contains(&count), || format!("{of}: {count}"));
        for log in logs.iter().take(5) {
            let contract = text(&log["address"]).to_lowercase();
            self.check(screen.contains(&contract), || format!("{of}: a log of {contract}"));
        }
    }

    /// Who holds most of a denom, by the bank's own balances of every account.
    fn holders(&self, denom: &str) {
        // Contracts know an account by its last 20 bytes: one of 32 is no holder beside it.
        let holder = |account: &str| {
            let address: Address = account.parse().expect("an address");
            let digits = address.hex().to_lowercase();
            if self.vm == Vm::Evm { digits[digits.len() - 40..].to_owned() } else { digits }
        };
        let amount = |coins: &BTreeMap<String, Amount>| coins.get(denom).copied().unwrap_or_default();
        let held: BTreeMap<String, Amount> =
            self.truth.bank.iter().map(|(account, coins)| (holder(account), amount(coins))).collect();
        let mut held: Vec<Amount> = held.into_values().filter(|amount| !amount.is_zero()).collect();
        held.sort();
        self.go_to(&format!("denom {denom}"));
        self.says(denom, "Rich list · ");
        let screen = self.screen();
        self.check(!screen.contains("(unknown denom)"), || format!("{denom}: a token that the node names"));
        for (rank, amount) in (1..).zip(held.iter().rev()) {
            let is_row = |line: &&str| line.split_whitespace().next() == Some(&format!("{rank}"));
            let is_so = framed_lines(&screen).find(is_row).is_some_and(|row| shows(row, *amount));
            self.check(is_so, || format!("holder {rank} of {denom}: {amount}"));
        }
        self.is_well(denom);
    }

    /// The accounts that hold most denoms: what they hold, and that their transactions are theirs.
    fn accounts(&self) {
        let mut accounts: Vec<_> = self.truth.bank.iter().collect();
        accounts.sort_by_key(|(account, coins)| (coins.len(), (*account).clone()));
        for (number, (account, coins)) in accounts.into_iter().rev().take(3).enumerate() {
            let address: Address = account.parse().expect("an address");
            self.go_to(&if number == 1 { address.hex() } else { account.clone() });
            let of = format!("account {account}");
            self.says(&of, &format!("Account {}", address.short()));
            self.says(&of, account);
            self.own_txs(&of, account, address);
            self.explorer.press("l").settle();
            let tip = group(self.truth.last().height);
            self.says(&of, &format!("from the node's bank, at block {tip}"));
            let screen = self.screen();
            for (denom, amount) in coins.iter().filter(|(_, amount)| !amount.is_zero()) {
                let is_shown = framed_lines(&screen).any(|line| shows(line, *amount));
                self.check(is_shown, || format!("{of}: {amount} {denom}"));
            }
            self.is_well(&of);
            self.explorer.press("l").settle();
            let owned = self.truth.owners.values().filter(|owner| **owner == address).count();
            let rows = framed_lines(&self.screen()).filter(|line| line.contains("://")).count();
            self.check(owned > 0 || rows == 0, || format!("{of}: it owns no NFTs"));
            for _ in 0..2 {
                self.is_well(&of);
                self.explorer.press("l").settle();
            }
        }
    }

    /// Those that an account signed are all there, and each that is there names it.
    fn own_txs(&self, of: &str, account: &str, address: Address) {
        let shown: BTreeSet<String> = self.rows(hashes).into_iter().collect();
        let digits = address.hex().trim_start_matches("0x").to_lowercase();
        for (_, tx) in self.truth.newest_txs() {
            let is_there = shown.contains(&short(&tx.hash));
            let has_signed = tx.attributes("tx", "acc_seq").any(|value| value.split('/').next() == Some(account));
            self.check(is_there || !has_signed, || format!("{of}: it signed {}", tx.hash));
            let record = format!("{} {}", tx.tx, tx.result);
            let is_named = || record.contains(account) || record.to_lowercase().contains(&digits);
            // What only the EVM says of it stands in logs and calls.
            let is_known = is_there && !has_signed && tx.evm.is_none();
            self.check(!is_known || is_named(), || format!("{of}: {} has nothing to do with it", tx.hash));
        }
    }

    /// The collections, and who owns their tokens as their contracts say.
    fn collections(&self) {
        let mut sizes: BTreeMap<Address, usize> = BTreeMap::new();
        self.truth.owners.keys().for_each(|(contract, _)| *sizes.entry(*contract).or_default() += 1);
        assert!(!sizes.is_empty(), "the recording has NFTs");
        self.explorer.press("4").settle();
        self.is_well("collections");
        let mut seen = BTreeSet::new();
        for number in 0..sizes.len() {
            self.explorer.press(if number == 0 { "enter" } else { "esc j enter" }).settle();
            let is_shown = |(contract, _): &(&Address, &usize)| self.screen().contains(&contract.bech32());
            let Some((contract, size)) = sizes.iter().find(is_shown) else {
                self.check(false, || format!("collection {number} is none"));
                continue;
            };
            seen.insert(contract);
            let of = format!("collection {contract}");
            if let Some(name) = self.truth.names.get(contract) {
                self.says(&of, name);
            }
            let screen = self.screen();
            let mut found = 0;
            for ((_, id), owner) in self.truth.owners.iter().filter(|((one, _), _)| one == contract) {
                let is_row = |line: &&str| line.trim_start().strip_prefix(id).is_some_and(|rest| rest.starts_with(' '));
                let row = framed_lines(&screen).filter(is_row).find(|line| line.contains('…'));
                found += usize::from(row.is_some());
                let is_so = row.is_none_or(|row| row.contains(&owner.short()));
                self.check(is_so, || format!("{of}: {id} is of {}", owner.short()));
            }
            self.check(found * 2 > *size, || format!("{of}: {found} tokens of {size}"));
            self.is_well(&of);
        }
        self.check(seen.len() == sizes.len(), || format!("collections: {seen:?}"));
    }

    /// What was noted.
    fn problems(&self) -> String {
        let problems = self.problems.borrow();
        let all: Vec<&str> = problems.iter().filter_map(|problem| problem.lines().next()).collect();
        let whole: Vec<&str> = problems.iter().take(4).map(String::as_str).collect();
        [all.join("\n"), whole.join("\n\n")].join("\n\n").trim().to_owned()
    }
}

/// A hash as lists have it.
fn short(hash: &str) -> String {
    hash.parse::<TxHash>().expect("a hash").short()
}

/// The rows of blocks on screen: height and short hash.
fn block_rows(explorer: &Explorer) -> Vec<(u64, String)> {
    let is_hash = |word: &&str| word.chars().nth(4) == Some('…') && word.chars().count() == 9;
    let row = |line: &str| {
        let height = line.split_whitespace().next()?.replace(',', "").parse().ok()?;
        Some((height, line.split_whitespace().find(is_hash)?.to_owned()))
    };
    framed_lines(&explorer.screen()).filter_map(row).collect()
}

/// The rows of transactions on screen: whether it is shown as done or failed, and its short hash.
fn tx_rows(explorer: &Explorer) -> Vec<(char, String)> {
    let is_row = |line: &&str| line.trim_start().starts_with(['✓', '✗', '!']);
    let screen = explorer.screen();
    let signs = framed_lines(&screen).filter(is_row).filter_map(|line| line.trim_start().chars().next());
    signs.zip(hashes(explorer)).collect()
}

/// Whether a line shows an amount, with any number of decimals.
fn shows(line: &str, amount: Amount) -> bool {
    // A column of amounts has four decimals.
    let forms: Vec<String> = (0..=18)
        .flat_map(|decimals| [amount.shown(decimals), amount.fixed(decimals, 4), amount.display(decimals)])
        .collect();
    line.split_whitespace().any(|word| forms.iter().any(|form| form == word))
}

/// How many events the groups on screen say that they have.
fn events_of(screen: &str) -> usize {
    let count = |line: &str| {
        let words: Vec<&str> = line.trim_end_matches(['│', ' ']).split_whitespace().collect();
        match words[..] {
            [.., count, "event" | "events"] if line.contains('▾') || line.contains('▸') => {
                count.replace(',', "").parse::<usize>().ok()
            }
            _ => None,
        }
    };
    screen.lines().filter_map(count).sum::<usize>()
}

/// A frame with all that it called.
fn frames(frame: &Value) -> usize {
    1 + list(&frame["calls"]).iter().map(frames).sum::<usize>()
}

#[rstest]
#[case("minievm-1.1", Vm::Evm, "GAS")]
#[case("miniwasm-0.7", Vm::Wasm, "umin")]
fn every_page_has_the_chains_truth(#[case] chain: &str, #[case] vm: Vm, #[case] denom: &str) {
    let recording = Recording::fixture(chain, vm);
    let player = NodePlayer::start(&recording);
    let walk = Walk::start(&recording, &player);
    walk.overview();
    walk.lists();
    walk.filters();
    // Wide enough for a hash, and for a sentence, in one row of a half.
    walk.explorer.resize(200, 120);
    walk.blocks();
    walk.transactions();
    walk.explorer.resize(150, 120);
    walk.holders(denom);
    walk.accounts();
    walk.collections();
    walk.contracts();
    walk.packets();
    assert_eq!(walk.problems(), "");
}

#[test]
fn lies_of_a_node_are_seen() {
    let recording = Recording::fixture("miniwasm-0.7", Vm::Wasm);
    let player = NodePlayer::start(&recording);
    let truth = ChainTruth::of(&recording);
    let with_one = |block: &&BlockTruth| block.txs.len() == 1;
    let (block, tx) =
        truth.blocks.iter().rev().find(with_one).map(|block| (block.height, block.txs[0].hash.clone())).expect("one");
    player.change(move |stage| {
        stage.lie = Some(Box::new(move |request, answer| {
            if request == format!("/rpc/block_results?height={block}") {
                answer["result"]["txs_results"][0]["gas_used"] = "1".into();
            } else if let Some(coins) = answer["balances"].as_array_mut() {
                coins.iter_mut().filter(|coin| coin["denom"] == "umin").for_each(|coin| coin["amount"] = "7".into());
            }
        }));
    });
    let walk = Walk::start(&recording, &player);
    walk.go_to(&tx);
    let (of, found) = walk.truth.newest_txs().find(|(_, one)| one.hash == tx).expect("it is on the chain");
    walk.transaction(of, found);
    walk.holders("umin");
    let problems = walk.problems();
    assert!(problems.contains(&format!("tx {tx}: no “")) && problems.contains("holder 1 of umin: "), "{problems}");
    assert!(problems.contains("\"gas_used\": "), "{problems}");
}
