use std::collections::BTreeSet;

use alloy_primitives::{U256, hex};
use serde::Deserialize;

use super::{BlockChanges, CoinChange, CoinKey, NftEvent, NftId};
use crate::{
    domain::{Address, Amount, Balance},
    events::{keys, names::TRANSFER_TOPIC},
    indexer::{
        index::address_of_digits,
        source::{CommittedTx, TxEvent},
    },
};

/// End of a log without data in an event: a quick check that avoids most parsing.
const NO_DATA: &str = "\"data\":\"0x\"";

#[derive(Deserialize)]
struct LogText<'a> {
    #[serde(borrow)]
    address: &'a str,
    #[serde(borrow)]
    topics: Vec<&'a str>,
    #[serde(borrow)]
    data: &'a str,
}

enum TransferLog {
    Coins { token: Address, from: Option<Address>, to: Option<Address>, amount: Amount },
    Nft { nft: NftId, to: Option<Address> },
}

/// Adds the effects of a transaction.
pub(super) fn follow(events: &[TxEvent], changes: &mut BlockChanges) {
    for transfer in logs(events).filter_map(read) {
        match transfer {
            TransferLog::Nft { nft, to: Some(to) } => changes.nfts.push(NftEvent::Moved { nft, to, object: None }),
            TransferLog::Nft { nft, to: None } => changes.nfts.push(NftEvent::Burned(nft)),
            TransferLog::Coins { token, from, to, amount } => {
                let sides = [(from, Balance::below_zero(amount)), (to, Balance::from(amount))];
                for (account, by) in sides {
                    let token = CoinKey::Contract(token);
                    changes.coins.extend(account.map(|account| CoinChange { token, account, by }));
                }
            }
        }
    }
}

pub(super) fn nfts(tx: &CommittedTx) -> BTreeSet<NftId> {
    let transfers = logs(&tx.events).filter(|log| log.contains(NO_DATA)).filter_map(read);
    transfers
        .filter_map(|transfer| match transfer {
            TransferLog::Nft { nft, .. } => Some(nft),
            TransferLog::Coins { .. } => None,
        })
        .collect()
}

fn logs(events: &[TxEvent]) -> impl Iterator<Item = &str> {
    events.iter().filter(|event| event.kind == "evm").flat_map(|event| event.texts(keys::LOG))
}

/// Parses a log: three topics and a word are coins, four topics without data are an NFT.
fn read(json: &str) -> Option<TransferLog> {
    let log: LogText<'_> = serde_json::from_str(json).ok()?;
    let contract = log.address.strip_prefix("0x").and_then(address_of_digits)?;
    match *log.topics.as_slice() {
        [TRANSFER_TOPIC, from, to] if log.data.len() == 66 => Some(TransferLog::Coins {
            token: contract,
            from: account(party(from)?),
            to: account(party(to)?),
            amount: Amount::new(word(log.data)?),
        }),
        [TRANSFER_TOPIC, _, to, id] if log.data == "0x" => {
            let nft = NftId { collection: contract, token_id: word(id)?.to_string() };
            Some(TransferLog::Nft { nft, to: account(party(to)?) })
        }
        _ => None,
    }
}

/// Returns the address in a topic's last 20 bytes.
fn party(topic: &str) -> Option<Address> {
    word(topic)?.to_be_bytes::<32>().last_chunk().copied().map(Address::Short)
}

/// Returns the account; `None` for the zero address of mints and burns.
fn account(party: Address) -> Option<Address> {
    Some(party).filter(|party| *party != Address::Short([0; 20]))
}

fn word(text: &str) -> Option<U256> {
    let bytes: [u8; 32] = hex::decode(text).ok()?.try_into().ok()?;
    Some(U256::from_be_bytes(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn topic(last: &str) -> String {
        format!("0x{last:0>64}")
    }

    fn log(topics: &[&str], data: &str) -> String {
        format!("{{\"address\":\"0x{:0>40}\",\"topics\":{topics:?},\"data\":\"{data}\"}}", "c")
    }

    #[test]
    fn coins_and_nfts_are_told_apart_by_topics_and_data() {
        let (from, to, id) = (topic("a"), topic("b"), topic("1f"));
        let coins = read(&log(&[TRANSFER_TOPIC, &from, &to], &topic("64"))).unwrap();
        assert!(matches!(coins, TransferLog::Coins { amount, .. } if amount == Amount::from(100)));
        let nft = read(&log(&[TRANSFER_TOPIC, &from, &to, &id], "0x")).unwrap();
        assert!(matches!(nft, TransferLog::Nft { nft, to: Some(_) } if nft.token_id == "31"));
        let burned = read(&log(&[TRANSFER_TOPIC, &from, &topic("0"), &id], "0x")).unwrap();
        assert!(matches!(burned, TransferLog::Nft { to: None, .. }));
        for other in [
            log(&[TRANSFER_TOPIC], &format!("0x{}", "0".repeat(192))),
            log(&[TRANSFER_TOPIC, &from, &to, &id], &topic("1")),
            log(&[TRANSFER_TOPIC, &from, &to], "0x"),
            log(&[&id, &from, &to], &topic("64")),
            log(&[TRANSFER_TOPIC, "0x12", &to], &topic("64")),
            "no log".to_owned(),
        ] {
            assert!(read(&other).is_none(), "{other}");
        }
    }
}
