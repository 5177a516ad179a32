use std::collections::BTreeSet;

use serde::Deserialize;

use crate::{
    domain::Address,
    indexer::source::{CommittedBlock, CommittedTx},
};

/// Digits of a 20-byte and of a 32-byte address.
const SHORT_DIGITS: usize = 40;
const LONG_DIGITS: usize = 64;

/// Every account that a transaction touches: its first signer, and what its events name (`docs/apis/indexer.md` §5.2).
pub(super) fn accounts_of(tx: &CommittedTx) -> BTreeSet<Address> {
    let mut accounts = BTreeSet::from_iter(tx.signer);
    for event in &tx.events {
        for (key, value) in event.pairs() {
            match (&*event.kind, key) {
                ("evm", "log") => accounts_of_log(value, &mut accounts),
                ("move", "data") => accounts_of_move_data(value, &mut accounts),
                (_, "ret") => {}
                _ => accounts.extend(value.split(',').filter_map(exact_address)),
            }
        }
    }
    accounts
}

/// Whose coins a block moved, in its transactions and outside of them: fees and rewards are paid there.
pub(super) fn holders_of(block: &CommittedBlock) -> BTreeSet<Address> {
    let of_txs = block.txs.iter().flat_map(|tx| &tx.events);
    let events = of_txs.chain(block.events.iter().map(|outside| &outside.event));
    let moved = events.flat_map(|event| {
        let key = match &*event.kind {
            "coin_spent" => "spender",
            "coin_received" => "receiver",
            "coinbase" => "minter",
            "burn" => "burner",
            _ => "",
        };
        event.values(key).filter_map(exact_address)
    });
    moved.collect()
}

/// A value that is an address and nothing else: `init1` and 38 or 58 characters, or `0x` and 1 to 64 digits.
fn exact_address(value: &str) -> Option<Address> {
    if let Some(rest) = value.strip_prefix("init1") {
        return if matches!(rest.len(), 38 | 58) { value.parse().ok() } else { None };
    }
    value.strip_prefix("0x").filter(|digits| (1..=LONG_DIGITS).contains(&digits.len())).and_then(address_of_digits)
}

/// An address of hexadecimal digits without `0x`: leading zeros are dropped, then 20 bytes are filled up, or 32.
///
/// `None` over 64 digits or where one is no digit. No digits at all are the zero address.
pub(crate) fn address_of_digits(digits: &str) -> Option<Address> {
    let stripped = digits.trim_start_matches('0');
    if stripped.len() > LONG_DIGITS {
        return None;
    }
    let width = if stripped.len() > SHORT_DIGITS { LONG_DIGITS } else { SHORT_DIGITS };
    let bytes = alloy_primitives::hex::decode(format!("{stripped:0>width$}")).ok()?;
    Address::from_bytes(&bytes)
}

/// The emitter of an EVM log, and its topics after the first that look like an address.
fn accounts_of_log(json: &str, accounts: &mut BTreeSet<Address>) {
    #[derive(Deserialize)]
    struct LoggedAccounts<'a> {
        #[serde(borrow, default)]
        address: &'a str,
        #[serde(borrow, default)]
        topics: Vec<&'a str>,
    }
    let Ok(log) = serde_json::from_str::<LoggedAccounts<'_>>(json) else { return };
    accounts.extend(log.address.strip_prefix("0x").and_then(address_of_digits));
    let padded = log.topics.iter().skip(1).filter_map(|topic| topic.strip_prefix("0x000000000000000000000000"));
    accounts.extend(padded.filter_map(address_of_digits));
}

/// Every `0x…` in the data of a Move event, wherever it stands.
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
        let found = accounts_of(&tx(vec![TxEvent::new("transfer", [("recipient", value)])]));
        assert_eq!(found, BTreeSet::from([Address::Short([1; 20]), other, short(2), short(4)]));
    }

    #[test]
    fn return_values_do_not_count() {
        let found =
            accounts_of(&tx(vec![TxEvent::new("call", [("contract", "0x05".to_owned()), ("ret", "0x06".to_owned())])]));
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
        let found = accounts_of(&tx(vec![TxEvent::new("evm", [("log", json)])]));
        assert_eq!(found, BTreeSet::from([Address::Short([1; 20]), short(10), short(12)]));
    }

    #[test]
    fn addresses_inside_move_data_count() {
        let data = r#"{"owner":"0x2a","list":["0x2b::coin","x"]}"#.to_owned();
        let found = accounts_of(&tx(vec![TxEvent::new("move", [("data", data)])]));
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
