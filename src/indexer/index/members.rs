use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde_json::Value;

use crate::{
    domain::{Address, move_address::account},
    events::{EventClass, EventRecord, bank::BankEvent, evm::account as account_of_word, keys},
    indexer::{
        signer::signers,
        source::{CommittedBlock, CommittedTx},
    },
    wire::node::TxAuthInfo,
};

/// Number of hex digits of a 20-byte and of a 32-byte address.
const SHORT_DIGITS: usize = 40;
const LONG_DIGITS: usize = 64;

/// Reason why an account's list contains a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AccountRole {
    /// The account is the first signer.
    Signer,
    Event,
    LaterSigner,
    Quoted,
    /// Only the messages name the account.
    Message,
    /// A number in a log looks like the account.
    Number,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccountRules {
    /// Rules of the real server: the first signer and each address-like value in events (`docs/apis/indexer.md` §5.2).
    RealServer,
    /// Rules by involvement: also later signers, quoted accounts and accounts in messages; numbers in log topics are no
    /// accounts.
    Chain,
}

/// Rules under which an account lists a transaction; the database stores the discriminants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AccountListing {
    Both = 0,
    RealServer = 1,
    Chain = 2,
}

impl AccountRules {
    /// Returns the listing under only the other rules.
    pub(super) fn other(self) -> AccountListing {
        match self {
            Self::RealServer => AccountListing::Chain,
            Self::Chain => AccountListing::RealServer,
        }
    }
}

/// Returns every account of a transaction with its strongest reason.
pub fn account_roles(tx: &CommittedTx) -> BTreeMap<Address, AccountRole> {
    let mut roles = named(tx);
    for (address, role) in unnamed(tx) {
        let known = roles.entry(address).or_insert(role);
        *known = role.min(*known);
    }
    roles
}

/// Returns every account that lists a transaction under any rules.
pub(super) fn listings_of(tx: &CommittedTx) -> BTreeMap<Address, AccountListing> {
    let listing = |role| if role == AccountRole::Number { AccountListing::RealServer } else { AccountListing::Both };
    let mut listings: BTreeMap<_, _> = named(tx).into_iter().map(|(address, role)| (address, listing(role))).collect();
    for (address, _) in unnamed(tx) {
        let known = listings.entry(address).or_insert(AccountListing::Chain);
        if *known == AccountListing::RealServer {
            *known = AccountListing::Both;
        }
    }
    listings
}

/// Returns the first signer and each address-like value in the events, as on the real server.
fn named(tx: &CommittedTx) -> BTreeMap<Address, AccountRole> {
    let mut accounts = BTreeSet::new();
    let mut topics = BTreeSet::new();
    for event in &tx.events {
        for log in event.logs() {
            accounts.extend(account(&log.address));
            topics.extend(log.topics.iter().skip(1).filter_map(|topic| account_of_word(topic)));
        }
        for (key, value) in event.pairs() {
            match event.class() {
                EventClass::Evm(_) if keys::LOG.is(key) => {}
                EventClass::Move if keys::DATA.is(key) => accounts_of_move_data(value, &mut accounts),
                _ if keys::RETURNED.is(key) => {}
                _ => accounts.extend(value.split(',').filter_map(exact_address)),
            }
        }
    }
    let topics = topics.into_iter().map(|address| {
        let role = if is_small(&address) { AccountRole::Number } else { AccountRole::Event };
        (address, role)
    });
    let mut roles: BTreeMap<_, _> = topics.collect();
    roles.extend(accounts.into_iter().map(|address| (address, AccountRole::Event)));
    roles.extend(tx.signer.map(|signer| (signer, AccountRole::Signer)));
    roles
}

/// Returns the other involved accounts; events may name some of them too.
fn unnamed(tx: &CommittedTx) -> Vec<(Address, AccountRole)> {
    let body: Value = serde_json::from_str(&tx.body).unwrap_or_default();
    let auth_info = body.get("auth_info").and_then(|info| TxAuthInfo::deserialize(info).ok()).unwrap_or_default();
    let later = signers(&auth_info).into_iter().skip(1).flatten();
    let mut found: Vec<_> = later.map(|address| (address, AccountRole::LaterSigner)).collect();
    for event in &tx.events {
        for (key, value) in event.pairs() {
            // Logs and data of Move events have rules of their own.
            let is_known = match event.class() {
                EventClass::Evm(_) => keys::LOG.is(key),
                EventClass::Move => keys::DATA.is(key),
                _ => false,
            };
            if !is_known && let Some(quote) = json_in(value) {
                addresses_of(&quote, QUOTES, &mut |address| found.push((address, AccountRole::Quoted)));
            }
        }
    }
    if let Some(messages) = body.pointer("/body/messages") {
        addresses_of(messages, 0, &mut |address| found.push((address, AccountRole::Message)));
    }
    found
}

/// Whether an address is a number below 2^64: an id or amount in a topic.
fn is_small(address: &Address) -> bool {
    address.word().iter().take(24).all(|byte| *byte == 0)
}

/// Parses a complete address; hex must have all digits.
fn whole_address(text: &str) -> Option<Address> {
    let digits = text.strip_prefix("0x").map(str::len);
    let is_whole =
        digits.map_or_else(|| text.starts_with("init1"), |digits| matches!(digits, SHORT_DIGITS | LONG_DIGITS));
    if is_whole { text.parse().ok() } else { None }
}

/// Maximum depth of JSON in texts of JSON: a packet's memo, and a memo for the next chain in it.
const QUOTES: u32 = 2;

/// Parses a text that is a JSON string, list or object.
fn json_in(text: &str) -> Option<Value> {
    if text.starts_with(['"', '{', '[']) { serde_json::from_str(text).ok() } else { None }
}

/// Finds every string in JSON that is an address, except in call data; also in texts that are JSON, down to this depth.
fn addresses_of(json: &Value, depth: u32, found: &mut impl FnMut(Address)) {
    match json {
        Value::String(text) => match (whole_address(text), depth.checked_sub(1).zip(json_in(text))) {
            (Some(address), _) => found(address),
            (None, Some((depth, quote))) => addresses_of(&quote, depth, found),
            (None, None) => {}
        },
        Value::Array(values) => values.iter().for_each(|value| addresses_of(value, depth, found)),
        Value::Object(fields) => {
            let named = fields.iter().filter(|(key, _)| !matches!(key.as_str(), "input" | "data" | "proof"));
            named.for_each(|(_, value)| addresses_of(value, depth, found));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Returns the accounts whose coins a block moved. Outside of transactions, the chain pays fees and rewards.
pub(super) fn holders_of(block: &CommittedBlock) -> BTreeSet<Address> {
    let of_txs = block.txs.iter().flat_map(|tx| &tx.events);
    let events = of_txs.chain(block.events.iter().map(|outside| &outside.event));
    events.filter_map(|event| exact_address(BankEvent::of(event)?.account?)).collect()
}

/// Parses a text that is exactly an address: `init1` and 38 or 58 characters, or `0x` and 1 to 64 hex digits.
fn exact_address(value: &str) -> Option<Address> {
    if let Some(rest) = value.strip_prefix("init1") {
        return if matches!(rest.len(), 38 | 58) { value.parse().ok() } else { None };
    }
    account(value)
}

/// Parses hex digits without `0x` as an address of 20 or 32 bytes.
///
/// `None` for more than 64 digits or an invalid digit. Empty text means the zero address.
pub(crate) fn address_of_digits(digits: &str) -> Option<Address> {
    account(&format!("0x{:0>1}", digits.trim_start_matches('0')))
}

/// Collects every `0x…` value in the data of a Move event.
fn accounts_of_move_data(data: &str, accounts: &mut BTreeSet<Address>) {
    for rest in data.split("0x").skip(1) {
        let digits = rest.bytes().take_while(u8::is_ascii_hexdigit).take(LONG_DIGITS).count();
        accounts.extend(rest.get(..digits).filter(|digits| !digits.is_empty()).and_then(address_of_digits));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{domain::TxHash, indexer::source::TxEvent};

    fn tx(events: Vec<TxEvent>) -> CommittedTx {
        CommittedTx {
            hash: TxHash::new([0; 32]),
            code: 0,
            codespace: "".into(),
            info: String::new(),
            data: Vec::new(),
            raw_log: String::new(),
            gas_wanted: 0,
            gas_used: 0,
            fee: Vec::new(),
            raw: None,
            body: String::new(),
            message_types: Vec::new(),
            signer: Some(Address::Short([1; 20])),
            events,
        }
    }

    /// Returns the accounts under the real server's rules.
    fn real(tx: &CommittedTx) -> BTreeSet<Address> {
        named(tx).into_keys().collect()
    }

    fn short(last: u8) -> Address {
        let mut bytes = [0; 20];
        bytes[19] = last;
        Address::Short(bytes)
    }

    #[test]
    fn values_count_only_when_they_are_an_address_and_nothing_else() {
        let other = Address::Long([9; 32]);
        let value = format!(
            "{},0x2,{} ,0x,0xg1,5uinit,{},{}",
            other.bech32(),
            short(3).bech32(),
            "0x0".to_owned() + &"1".repeat(64),
            short(4).bech32()
        );
        let found = real(&tx(vec![TxEvent::new("transfer", [("recipient", value)])]));
        assert_eq!(found, BTreeSet::from([Address::Short([1; 20]), other, short(2), short(4)]));
    }

    #[test]
    fn return_values_do_not_count() {
        let found =
            real(&tx(vec![TxEvent::new("call", [("contract", "0x05".to_owned()), ("ret", "0x06".to_owned())])]));
        assert_eq!(found, BTreeSet::from([Address::Short([1; 20]), short(5)]));
    }

    #[test]
    fn logs_give_emitter_and_padded_topics_after_the_first() {
        let topic = |last: u8| format!("0x{:0>64}", format!("{last:x}"));
        let json = format!(
            r#"{{"address":"0x{:0>40}","topics":["{}","{}","0x{}"],"data":"0x0d"}}"#,
            "a",
            topic(11),
            topic(12),
            "f".repeat(64)
        );
        let found = real(&tx(vec![TxEvent::new("evm", [("log", json)])]));
        assert_eq!(found, BTreeSet::from([Address::Short([1; 20]), short(10), short(12)]));
    }

    #[test]
    fn a_number_in_a_topic_is_nobody_but_to_the_real_server() {
        let (number, other) = ("0".repeat(63) + "7", "9".repeat(40));
        let json = format!(r#"{{"address":"0x{other}","topics":["0x00","0x{number}","0x{other:0>64}"]}}"#);
        let mut tx = tx(vec![TxEvent::new("evm", [("log", json)])]);
        let nobody = short(7);
        assert_eq!(account_roles(&tx)[&nobody], AccountRole::Number);
        assert_eq!(listings_of(&tx)[&nobody], AccountListing::RealServer);
        assert_eq!(listings_of(&tx)[&Address::Short([0x99; 20])], AccountListing::Both);
        tx.body = format!(r#"{{"body":{{"messages":[{{"contract_addr":"{}"}}]}}}}"#, nobody.hex());
        assert_eq!(listings_of(&tx)[&nobody], AccountListing::Both, "it is called");
        tx.events = vec![TxEvent::new("call", [("contract", "0x7".to_owned())])];
        assert_eq!(account_roles(&tx)[&nobody], AccountRole::Event);
    }

    #[test]
    fn who_stands_in_messages_or_quotes_only_has_it_by_the_chains_rules() {
        let (recipient, grantee, inner, hash) = (short(21), short(22), Address::Long([23; 32]), short(24));
        let mut tx = tx(vec![TxEvent::new("authz", [("grantee", format!("\"{}\"", grantee.bech32()))])]);
        tx.body = format!(
            r#"{{"body":{{"messages":[{{"to_address":"{}","msgs":[{{"to":["{}"]}}],"input":"{}","memo":"to {}"}}]}}}}"#,
            recipient.bech32(),
            inner.hex(),
            hash.hex(),
            hash.bech32(),
        );
        let roles = [(recipient, AccountRole::Message), (grantee, AccountRole::Quoted), (inner, AccountRole::Message)];
        let first = (Address::Short([1; 20]), AccountRole::Signer);
        assert_eq!(account_roles(&tx), roles.into_iter().chain([first]).collect());
        let listings = listings_of(&tx);
        assert!(roles.iter().all(|(address, _)| listings[address] == AccountListing::Chain), "{listings:?}");
        assert_eq!(real(&tx), BTreeSet::from([first.0]));
        assert_eq!(AccountRules::RealServer.other(), AccountListing::Chain);
    }

    #[test]
    fn who_stands_in_a_packet_or_its_memos_is_quoted_and_deeper_texts_are_not_read() {
        let parties: Vec<Address> = (31..=35).map(short).collect();
        let memo = |party: &Address, inner: &str| serde_json::json!({"to": party.bech32(), "memo": inner}).to_string();
        let deepest = memo(&parties[4], "");
        let memos = memo(&parties[2], &memo(&parties[3], &deepest));
        let packet = serde_json::json!({
            "sender": parties[0].bech32(), "receiver": parties[1].hex(), "memo": memos, "data": parties[4].hex(),
        });
        let tx = tx(vec![
            TxEvent::new("recv_packet", [("packet_data", packet.to_string())]),
            TxEvent::new("evm", [("log", format!("{{\"topics\":[\"{}\"]}}", Address::Long([7; 32]).hex()))]),
        ]);
        let roles = account_roles(&tx);
        let quoted: Vec<&Address> =
            roles.iter().filter(|(_, role)| **role == AccountRole::Quoted).map(|one| one.0).collect();
        assert_eq!(quoted, parties[..4].iter().collect::<Vec<_>>());
        assert_eq!(roles.len(), 5, "and the signer: {roles:?}");
    }

    #[test]
    fn addresses_inside_move_data_count() {
        let data = r#"{"owner":"0x2a","list":["0x2b::coin","x"]}"#.to_owned();
        let found = real(&tx(vec![TxEvent::new("move", [("data", data)])]));
        assert_eq!(found, BTreeSet::from([Address::Short([1; 20]), short(42), short(43)]));
    }

    #[test]
    fn leading_zeros_collapse_to_the_short_form() {
        let padded = format!("{:0>64}", "1");
        assert_eq!(address_of_digits(&padded), Some(short(1)));
        assert_eq!(address_of_digits(""), Some(short(0)));
        assert_eq!(address_of_digits(&"1".repeat(65)), None);
        assert_eq!(address_of_digits(&"f".repeat(64)), Some(Address::Long([255; 32])));
    }
}
