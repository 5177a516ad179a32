//! A plain reader of transactions that knows nothing of the ledger's insides.

use std::collections::{BTreeMap, BTreeSet};

use alloy_primitives::{U256, hex};
use rollscope::{
    demo::ledger::{CommittedBlock, CommittedTx, Ledger, TxEvent},
    domain::{Address, Amount},
};
use serde_json::Value;

const SINGLE: &str = "0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62";
const BATCH: &str = "0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb";
const TRANSFER: &str = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

/// A log as it stands in an event.
struct Log {
    contract: Address,
    topics: Vec<String>,
    data: String,
}

impl Log {
    fn read(text: &str) -> Self {
        let value: Value = serde_json::from_str(text).expect("a log is JSON");
        let address = value["address"].as_str().expect("an address");
        let contract: Address = address.parse().expect("an address");
        assert_eq!(contract.checksummed(), address, "EIP-55");
        let topics = value["topics"].as_array().expect("topics");
        let topics: Vec<String> = topics.iter().map(|topic| topic.as_str().expect("text").to_owned()).collect();
        assert!(topics.iter().all(|topic| topic.len() == 66 && topic.starts_with("0x")), "{text}");
        let data = value["data"].as_str().expect("data").to_owned();
        assert!(hex::decode(&data).is_ok() && data.len() % 64 == 2, "{text}");
        Self { contract, topics, data }
    }

    fn party(&self, topic: usize) -> Option<Address> {
        let address: Address = format!("0x{}", &self.topics[topic][26..]).parse().expect("an address");
        (address != Address::Short([0; 20])).then_some(address)
    }

    /// The words of the data.
    fn words(&self) -> Vec<U256> {
        let bytes = hex::decode(&self.data).expect("hex");
        bytes.chunks(32).map(|word| U256::try_from_be_slice(word).expect("a word")).collect()
    }

    /// Ids and counts of an ERC-1155 movement; nothing for other logs.
    fn items(&self) -> Vec<(U256, U256)> {
        let words = self.words();
        match self.topics.first().map(String::as_str) {
            Some(SINGLE) => vec![(words[0], words[1])],
            Some(BATCH) => {
                let list = |place: U256| -> Vec<U256> {
                    let start = place.to::<usize>() / 32;
                    words[start + 1..][..words[start].to::<usize>()].to_vec()
                };
                list(words[0]).into_iter().zip(list(words[1])).collect()
            }
            _ => Vec::new(),
        }
    }

    /// From, to and amount of an ERC-20 movement.
    fn movement(&self) -> Option<(Option<Address>, Option<Address>, U256)> {
        let is_movement = self.topics.len() == 3 && self.topics[0] == TRANSFER && self.data.len() == 66;
        is_movement.then(|| (self.party(1), self.party(2), self.data.parse().expect("a number")))
    }
}

/// Balances and owners as the logs tell them.
#[derive(Default)]
pub(super) struct Checker {
    balances: BTreeMap<(Address, Address), U256>,
    owners: BTreeMap<(Address, String), Address>,
    items: BTreeMap<(Address, U256), U256>,
    /// How many movements of ERC-1155 items were seen: made, given.
    pub(super) item_logs: [usize; 2],
    strict: bool,
    /// Contracts of the tokens that the ledger lists.
    listed: BTreeSet<Address>,
    /// What accounts gave away and got of other tokens, by contract and account.
    unlisted: BTreeMap<(Address, Address), [U256; 2]>,
    /// How many ERC-20 movements were seen.
    pub(super) fungible_logs: usize,
    /// Bank events that the logs do not repeat.
    pub(super) unbalanced: Vec<String>,
}

impl Checker {
    /// Starts from the state of a ledger; from here on nobody may spend what they do not have.
    pub(super) fn beginning_with(ledger: &Ledger) -> Self {
        let mut checker = Self { strict: true, ..Self::default() };
        for token in ledger.tokens() {
            for (account, amount) in ledger.holders(&token.denom) {
                let contract = token.contract.expect("every token of an EVM rollup has a contract");
                checker.balances.insert((contract, account), amount.get());
            }
            checker.listed.extend(token.contract);
        }
        for nft in ledger.nfts() {
            checker.owners.insert((nft.collection, nft_topic(&nft.token_id)), nft.owner);
        }
        checker
    }

    /// Everybody who holds a token.
    pub(super) fn holders(&self, contract: &Address) -> BTreeMap<Address, Amount> {
        let of_contract = self.balances.iter().filter(|((token, _), amount)| token == contract && !amount.is_zero());
        of_contract.map(|((_, account), amount)| (*account, Amount::new(*amount))).collect()
    }

    /// What accounts gave away and got of tokens that the ledger does not list, by contract and account.
    pub(super) fn unlisted(&self) -> &BTreeMap<(Address, Address), [U256; 2]> {
        &self.unlisted
    }

    /// All NFTs with their owners: collection, id as a topic.
    pub(super) fn owners(&self) -> &BTreeMap<(Address, String), Address> {
        &self.owners
    }

    /// Follows a transaction.
    pub(super) fn take(&mut self, tx: &CommittedTx) {
        let mut last: Vec<Log> = Vec::new();
        for event in &tx.events {
            match &*event.kind {
                "evm" => {
                    last = logs(event);
                    for log in &last {
                        self.follow(log, tx);
                    }
                }
                "coin_spent" | "burn" | "coin_received" | "coinbase" => self.compare(event, &last, tx),
                _ => {}
            }
        }
    }

    /// Items are given by those who have them.
    fn follow_items(&mut self, log: &Log, tx: &CommittedTx) {
        for (id, count) in log.items() {
            let (from, to) = (log.party(2), log.party(3).expect("somebody gets them"));
            self.item_logs[usize::from(from.is_some())] += 1;
            if let Some(from) = from {
                let held = self.items.entry((from, id)).or_default();
                *held = held.checked_sub(count).unwrap_or_else(|| panic!("{from} gives too many in {}", tx.hash));
            }
            *self.items.entry((to, id)).or_default() += count;
        }
    }

    fn follow(&mut self, log: &Log, tx: &CommittedTx) {
        self.follow_items(log, tx);
        if let Some((from, to, amount)) = log.movement() {
            self.fungible_logs += 1;
            if self.strict && !self.listed.contains(&log.contract) {
                for (side, party) in [from, to].into_iter().enumerate() {
                    let party = party.expect("such a token is only moved");
                    self.unlisted.entry((log.contract, party)).or_default()[side] += amount;
                }
                return;
            }
            if let (Some(from), true) = (from, self.strict) {
                let balance = self.balances.entry((log.contract, from)).or_default();
                *balance = balance.checked_sub(amount).unwrap_or_else(|| panic!("{from} overspends in {}", tx.hash));
            }
            if let (Some(to), true) = (to, self.strict) {
                *self.balances.entry((log.contract, to)).or_default() += amount;
            }
        } else if log.topics.len() == 4 && log.topics[0] == TRANSFER {
            let key = (log.contract, log.topics[3].clone());
            let before = self.owners.remove(&key);
            assert!(!self.strict || before == log.party(1), "an NFT is given by its owner in {}", tx.hash);
            if let Some(owner) = log.party(2) {
                self.owners.insert(key, owner);
            }
        }
    }

    /// A bank event must repeat the one movement of the run of the EVM before it.
    fn compare(&mut self, event: &TxEvent, last: &[Log], tx: &CommittedTx) {
        let who = &event.attributes[0].value;
        let who: Address = who.parse().expect("an address");
        let amount = event.attributes[1].value.split(|c: char| !c.is_ascii_digit()).next().unwrap_or_default();
        let amount: U256 = amount.parse().expect("a coin");
        let told = match last {
            [log] => log.movement(),
            _ => None,
        };
        let cut = |address: Address| Address::from_bytes(&address.bytes()[address.bytes().len() - 20..]);
        let expected = match &*event.kind {
            "coin_spent" => told.map(|(from, _, amount)| (from, amount)),
            "coin_received" => told.map(|(_, to, amount)| (to, amount)),
            "coinbase" => told.filter(|(from, ..)| from.is_none()).map(|(_, to, amount)| (to, amount)),
            _ => told.filter(|(_, to, _)| to.is_none()).map(|(from, _, amount)| (from, amount)),
        };
        if expected != Some((cut(who), amount)) {
            self.unbalanced.push(format!("{} of {}", event.kind, tx.hash));
        }
    }
}

/// How an NFT's decimal id stands in a log.
pub(super) fn nft_topic(token_id: &str) -> String {
    let id: U256 = token_id.parse().expect("ids are decimal on the EVM");
    hex::encode_prefixed(id.to_be_bytes::<32>())
}

fn logs(event: &TxEvent) -> Vec<Log> {
    event.values("log").map(Log::read).collect()
}

/// Whether a transaction brought a deposit whose action failed.
pub(super) fn deposit_failed(tx: &CommittedTx) -> bool {
    let mut deposits = tx.events.iter().filter(|event| event.kind == "finalize_token_deposit");
    deposits.any(|event| event.values("success").any(|text| text == "false"))
}

/// Reads all of a transaction that can be read, and compares what is said twice.
pub(super) fn read(block: &CommittedBlock, tx: &CommittedTx) {
    let place = format!("{} in block {}", tx.hash, block.height);
    let body: Value = serde_json::from_str(&tx.body).unwrap_or_else(|error| panic!("{place}: {error}"));
    let messages = body["body"]["messages"].as_array().expect("messages");
    let types: Vec<&str> = messages.iter().map(|message| &message["@type"].as_str().expect("a type")[1..]).collect();
    assert_eq!(types, tx.message_types.iter().map(rollscope::domain::MsgType::as_str).collect::<Vec<_>>(), "{place}");
    for field in ["memo", "timeout_height", "extension_options", "non_critical_extension_options"] {
        assert!(!body["body"][field].is_null(), "{place} has no {field}");
    }
    let auth = &body["auth_info"];
    assert_eq!(auth["fee"]["gas_limit"].as_str(), Some(tx.gas_wanted.to_string().as_str()), "{place}");
    assert!(auth["signer_infos"][0]["sequence"].is_string() && auth["tip"].is_null(), "{place}");
    let coins = auth["fee"]["amount"].as_array().expect("coins");
    assert_eq!(coins.len(), tx.fee.len(), "{place}");
    for (json, coin) in coins.iter().zip(&tx.fee) {
        assert_eq!(json["denom"].as_str(), Some(coin.denom.as_str()));
        assert_eq!(json["amount"].as_str(), Some(coin.amount.to_string().as_str()));
    }
    let mode = &auth["signer_infos"][0]["mode_info"]["single"]["mode"];
    let refunded = tx.events.iter().any(|event| event.kind == "gas_refund");
    assert_eq!(
        mode.is_number(),
        body["body"]["memo"].as_str().is_some_and(|memo| memo.starts_with("{\"type\":")),
        "{place}"
    );
    assert_eq!(refunded, mode.is_number() && tx.code == 0, "{place}");
    read_events(tx, &place);
    read_result(tx, messages.len(), &place);
}

/// Events outside the messages come first and last; those of messages name them in order.
fn read_events(tx: &CommittedTx, place: &str) {
    let mut stage = 0;
    for event in &tx.events {
        assert!(event.kind == "evm" || !event.attributes.is_empty(), "{place}: {}", event.kind);
        let index = event.pairs().position(|(key, _)| key == "msg_index");
        match index {
            Some(index) => {
                assert_eq!(index + 1, event.attributes.len(), "{place}: msg_index is the last attribute");
                let message: usize = event.attributes[index].value.parse().expect("a number");
                assert!(message + 1 == stage || message == stage, "{place}: message {message} after {stage}");
                stage = message + 1;
            }
            None => assert!(stage == 0 || stage == tx.message_types.len(), "{place}: {} without message", event.kind),
        }
    }
    let fees: Vec<_> = tx.events.iter().flat_map(|event| event.values("fee")).collect();
    let coins: Vec<String> = tx.fee.iter().map(ToString::to_string).collect();
    let expected = if tx.events.is_empty() { Vec::new() } else { vec![coins.join(",")] };
    assert_eq!(fees, expected, "{place}");
}

/// Success has a response per message and no log; failure has a log and no data.
fn read_result(tx: &CommittedTx, messages: usize, place: &str) {
    if tx.code != 0 {
        assert!(tx.data.is_empty() && !tx.raw_log.is_empty() && !tx.codespace.is_empty(), "{place}");
        return;
    }
    assert!(tx.raw_log.is_empty() && tx.codespace.is_empty() && tx.gas_used <= tx.gas_wanted, "{place}");
    let mut rest = tx.data.as_slice();
    let mut responses = 0;
    while let Some((tag, after)) = rest.split_first() {
        assert_eq!(*tag, 0x12, "{place}: responses only");
        let (length, after) = varint(after);
        let (any, after) = after.split_at(length);
        let (kind, _) = any[2..].split_at(usize::from(any[1]));
        let kind = std::str::from_utf8(kind).expect("a type");
        assert_eq!(kind[1..], format!("{}Response", tx.message_types[responses].as_str()), "{place}");
        responses += 1;
        rest = after;
    }
    assert_eq!(responses, messages, "{place}");
}

fn varint(bytes: &[u8]) -> (usize, &[u8]) {
    let length = bytes.iter().take_while(|byte| **byte >= 0x80).count() + 1;
    let (number, rest) = bytes.split_at(length);
    let value = number.iter().rev().fold(0, |value, byte| value << 7 | usize::from(byte & 0x7f));
    (value, rest)
}
