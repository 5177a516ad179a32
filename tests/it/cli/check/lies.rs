//! What an indexer may say that is not so: one field each. Those of a group do not hide each other.

use rollscope::domain::Vm;
use serde_json::{Value, json};

/// One lie.
pub(super) struct Lie {
    pub(super) name: &'static str,
    /// Whether an address is answered with it.
    pub(super) is_about: fn(&str) -> bool,
    /// Alters an answer; whether there was anything to alter.
    pub(super) tell: fn(&mut Value) -> bool,
    /// Whether a difference is this lie, found.
    pub(super) found: fn(&Value) -> bool,
    /// Whether a difference follows from it as well.
    pub(super) follows: fn(&Value) -> bool,
}

/// Lies that are told at once, and what of a check finds them.
pub(super) struct LieGroup {
    pub(super) lies: &'static [Lie],
    pub(super) arguments: &'static str,
}

const RECORDS_ONLY: &str = "--newest 5 --skip accounts --skip nfts --skip holders";

/// The lies of a rollup of this kind.
pub(super) fn groups(vm: Vm) -> Vec<LieGroup> {
    let of = |lies, arguments| LieGroup { lies, arguments };
    let mut groups = vec![
        of(RECORDS, RECORDS_ONLY),
        of(OTHER_RECORDS, RECORDS_ONLY),
        of(LISTS, RECORDS_ONLY),
        of(MEMBERS, "--newest 3 --skip nfts --skip holders"),
        of(CHAIN, RECORDS_ONLY),
        of(CHAIN_ORDER, RECORDS_ONLY),
        of(STATE, "--newest 12 --skip accounts"),
        of(LEFT_OUT, "--newest 12 --skip accounts"),
        of(ORDER, "--newest 1 --skip accounts --skip nfts"),
        of(COLLECTIONS, "--newest 12 --skip accounts --skip holders --skip totals"),
        of(SIZES, "--newest 12 --skip accounts --skip holders --skip totals"),
    ];
    if vm == Vm::Evm {
        groups.push(of(ETHEREUM, RECORDS_ONLY));
    } else {
        groups.push(of(CREATORS, "--newest 12 --skip accounts --skip holders --skip totals"));
    }
    groups
}

fn never(_: &Value) -> bool {
    false
}

/// Sets the value at a path; false where nothing is there.
fn set(json: &mut Value, path: &str, value: impl Into<Value>) -> bool {
    json.pointer_mut(path).map(|found| *found = value.into()).is_some()
}

fn is(difference: &Value, part: &str, kind: &str, field: &str) -> bool {
    difference["part"] == part && difference["difference"] == kind && difference["field"] == field
}

fn rows<'a>(json: &'a mut Value, name: &str, least: usize) -> Option<&'a mut Vec<Value>> {
    json[name].as_array_mut().filter(|rows| rows.len() >= least)
}

fn is_block_list(target: &str) -> bool {
    target.contains("/tx/v1/txs/by_height/") && !target.contains("msgs=")
}

fn is_upwards(target: &str) -> bool {
    is_block_list(target) && target.contains("reverse=false")
}

fn is_single_tx(target: &str) -> bool {
    target.rsplit('/').next().is_some_and(|last| last.len() == 64) && target.contains("/tx/v1/txs/")
}

const RECORDS: &[Lie] = &[
    Lie {
        name: "a block's gas",
        is_about: |target| target.contains("/block/v1/blocks/"),
        tell: |json| set(json, "/block/gas_used", "7"),
        found: |difference| is(difference, "blocks", "value", "gas_used") && difference["indexer"] == "7",
        follows: never,
    },
    Lie {
        name: "a block's proposer",
        is_about: |target| target.contains("/block/v1/blocks/"),
        tell: |json| set(json, "/block/proposer/moniker", "nobody"),
        found: |difference| is(difference, "blocks", "value", "proposer.moniker") && difference["indexer"] == "nobody",
        follows: never,
    },
    Lie {
        name: "a transaction's code",
        is_about: is_upwards,
        tell: |json| set(json, "/txs/0/code", 99),
        found: |difference| is(difference, "transactions", "value", "code") && difference["indexer"] == 99,
        follows: never,
    },
    Lie {
        name: "a transaction's fee",
        is_about: is_upwards,
        tell: |json| set(json, "/txs/0/tx/auth_info/fee/gas_limit", "1"),
        found: |difference| is(difference, "transactions", "value", "tx.auth_info.fee.gas_limit"),
        follows: never,
    },
    Lie {
        name: "an attribute of an event",
        is_about: is_upwards,
        tell: |json| set(json, "/txs/0/events/0/attributes/0/value", "elsewhere"),
        found: |difference| is(difference, "transactions", "value", "events[0].attributes[0].value"),
        follows: never,
    },
    Lie {
        name: "a transaction asked alone",
        is_about: is_single_tx,
        tell: |json| set(json, "/tx/gas_used", "3"),
        found: |difference| is(difference, "transactions", "value", "gas_used") && difference["indexer"] == "3",
        follows: never,
    },
];

/// The order of keys in a database's JSON: by length, then by bytes.
pub(super) const DATABASE: &[Lie] = &[Lie {
    name: "the order of keys in a database",
    is_about: |target| target.contains("/tx/v1/txs"),
    tell: |json| {
        let lists = json["txs"].as_array_mut().map(Vec::as_mut_slice).unwrap_or_default();
        lists.iter_mut().filter_map(|row| row.get_mut("tx")).for_each(by_length);
        if let Some(alone) = json.pointer_mut("/tx/tx") {
            by_length(alone);
        }
        true
    },
    found: never,
    follows: never,
}];

fn by_length(json: &mut Value) {
    match json {
        Value::Object(fields) => {
            let mut sorted: Vec<(String, Value)> = std::mem::take(fields).into_iter().collect();
            sorted.sort_by(|(one, _), (other, _)| (one.len(), one).cmp(&(other.len(), other)));
            for (_, value) in &mut sorted {
                by_length(value);
            }
            fields.extend(sorted);
        }
        Value::Array(items) => items.iter_mut().for_each(by_length),
        _ => {}
    }
}

/// One row that the filter by type should have kept back.
pub(super) const FILTER: &[Lie] = &[Lie {
    name: "a row of another type",
    is_about: |target| target.contains("/by_height/") && target.contains("msgs="),
    tell: |json| {
        rows(json, "txs", 1).is_some_and(|rows| {
            let mut other = rows[0].clone();
            let is_told = set(&mut other, "/txhash", "F".repeat(64))
                && set(&mut other, "/tx/body/messages/0/@type", "/of.another.MsgType");
            rows.push(other);
            is_told
        })
    },
    found: |difference| {
        difference["part"] == "message types"
            && difference["difference"] == "unfounded"
            && difference["indexer"] == json!("F".repeat(64))
    },
    follows: never,
}];

/// The keys of an object in another order, as a database may have them.
pub(super) const KEY_ORDER: &[Lie] = &[Lie {
    name: "the order of keys",
    is_about: is_upwards,
    tell: |json| {
        let Some(tx) = json.pointer_mut("/txs/0/tx").and_then(Value::as_object_mut) else { return false };
        tx.shift_remove("body").is_some_and(|body| tx.insert("body".to_owned(), body).is_none())
    },
    found: |difference| is(difference, "transactions", "order", "tx"),
    follows: never,
}];

fn is_all_txs(target: &str) -> bool {
    target.contains("/tx/v1/txs?") && !target.contains("msgs=") && !target.contains("limit=1&")
}

/// Lies about the lists of the whole chain, within the checked blocks.
const CHAIN: &[Lie] = &[
    Lie {
        name: "a transaction that the list of all lacks",
        is_about: is_all_txs,
        tell: |json| {
            rows(json, "txs", 3).is_some_and(|rows| {
                rows.remove(1);
                true
            })
        },
        found: |difference| {
            difference["part"] == "order" && difference["record"] == "all_txs" && difference["difference"] == "missing"
        },
        follows: never,
    },
    Lie {
        name: "a block that the list of all lacks",
        is_about: |target| target.contains("/block/v1/blocks?") && target.contains("limit=200"),
        tell: |json| {
            rows(json, "blocks", 3).is_some_and(|rows| {
                rows.remove(1);
                true
            })
        },
        found: |difference| {
            difference["part"] == "order"
                && difference["record"] == "all_blocks"
                && difference["difference"] == "missing"
        },
        follows: never,
    },
    Lie {
        name: "a height that the node has not reached",
        is_about: |target| target == "/status",
        tell: |json| json["height"].as_u64().is_some_and(|height| set(json, "/height", height + 3)),
        found: |difference| is(difference, "totals", "value", "status.height"),
        follows: never,
    },
];

const CHAIN_ORDER: &[Lie] = &[Lie {
    name: "two transactions of the list of all in each other's place",
    is_about: is_all_txs,
    tell: |json| {
        rows(json, "txs", 3).is_some_and(|rows| {
            rows.swap(1, 2);
            true
        })
    },
    found: |difference| is(difference, "order", "order", "") && difference["record"] == "all_txs",
    follows: never,
}];

const LISTS: &[Lie] = &[
    Lie {
        name: "a transaction that is left out",
        is_about: is_upwards,
        tell: |json| rows(json, "txs", 3).is_some_and(|rows| rows.pop().is_some()),
        found: |difference| difference["part"] == "order" && difference["difference"] == "missing",
        follows: never,
    },
    Lie {
        name: "two transactions in each other's place",
        is_about: is_upwards,
        tell: |json| {
            rows(json, "txs", 2).is_some_and(|rows| {
                rows.swap(0, 1);
                true
            })
        },
        found: |difference| is(difference, "order", "order", ""),
        follows: never,
    },
    Lie {
        name: "a total",
        is_about: is_block_list,
        tell: |json| set(json, "/pagination/total", "1000"),
        found: |difference| difference["part"] == "totals" && difference["indexer"] == 1000,
        follows: never,
    },
    Lie {
        name: "the message filter",
        is_about: |target| target.contains("/by_height/") && target.contains("msgs="),
        tell: |json| rows(json, "txs", 1).is_some_and(|rows| rows.pop().is_some()),
        found: |difference| difference["part"] == "message types" && difference["difference"] == "missing",
        follows: never,
    },
];

const MEMBERS: &[Lie] = &[
    Lie {
        name: "a transaction that an account does not have",
        is_about: |target| target.contains("/txs/by_account/") && !target.contains("is_signer"),
        tell: |json| {
            rows(json, "txs", 2).is_some_and(|rows| {
                rows.remove(0);
                true
            })
        },
        found: |difference| {
            difference["part"] == "accounts"
                && difference["record"] == "account"
                && difference["difference"] == "missing"
        },
        follows: never,
    },
    Lie {
        name: "a transaction that another signed",
        is_about: |target| target.contains("/txs/by_account/") && target.contains("is_signer"),
        tell: |json| {
            let last = "F".repeat(64);
            rows(json, "txs", 1).is_some_and(|rows| set(&mut rows[0], "/txhash", last))
        },
        found: |difference| {
            difference["part"] == "accounts"
                && difference["record"] == "signer"
                && difference["difference"] == "unfounded"
                && difference["indexer"] == json!("F".repeat(64))
        },
        follows: |difference| difference["record"] == "signer" && difference["difference"] == "missing",
    },
];

const ETHEREUM: &[Lie] = &[
    Lie {
        name: "a receipt's status",
        is_about: |target| target.contains("/evm-txs/by_height/"),
        tell: |json| set(json, "/txs/0/status", "0x5"),
        found: |difference| is(difference, "receipts", "value", "status") && difference["indexer"] == "0x5",
        follows: never,
    },
    Lie {
        name: "a log's word",
        is_about: |target| target.contains("/evm-txs/by_height/"),
        tell: |json| {
            let mut txs = json["txs"].as_array_mut().into_iter().flatten();
            txs.any(|tx| set(tx, "/logs/0/topics/0", "0x00"))
        },
        found: |difference| is(difference, "receipts", "value", "logs[0].topics[0]"),
        follows: never,
    },
    Lie {
        name: "who was called",
        is_about: |target| target.contains("/evm-internal-txs/by_height/"),
        tell: |json| set(json, "/internal_txs/0/to", "0x0000000000000000000000000000000000000bad"),
        found: |difference| is(difference, "calls", "value", "to"),
        follows: never,
    },
    Lie {
        name: "a call that is left out",
        is_about: |target| target.contains("/evm-internal-txs/by_height/"),
        tell: |json| rows(json, "internal_txs", 3).is_some_and(|rows| rows.pop().is_some()),
        found: |difference| difference["part"] == "calls" && difference["difference"] == "missing",
        follows: never,
    },
];

const OTHER_RECORDS: &[Lie] = &[
    Lie {
        name: "a block's hash",
        is_about: |target| target.contains("/block/v1/blocks/"),
        tell: |json| set(json, "/block/hash", "A".repeat(64)),
        found: |difference| is(difference, "blocks", "value", "hash"),
        follows: never,
    },
    Lie {
        name: "a block's fees",
        is_about: |target| target.contains("/block/v1/blocks/"),
        tell: |json| set(json, "/block/total_fee/0/amount", "1"),
        found: |difference| is(difference, "blocks", "value", "total_fee[0].amount"),
        follows: never,
    },
    Lie {
        name: "an event that is left out",
        is_about: is_upwards,
        tell: |json| {
            json.pointer_mut("/txs/0/events").and_then(Value::as_array_mut).is_some_and(|events| events.pop().is_some())
        },
        found: |difference| is(difference, "transactions", "value", "events.length"),
        follows: never,
    },
    Lie {
        name: "a moment",
        is_about: is_upwards,
        tell: |json| set(json, "/txs/0/timestamp", "2020-01-01T00:00:00.5Z"),
        found: |difference| is(difference, "transactions", "value", "timestamp"),
        follows: never,
    },
    Lie {
        name: "a transaction that nobody knows alone",
        is_about: is_single_tx,
        tell: |json| set(json, "/tx/raw_log", "it failed"),
        found: |difference| is(difference, "transactions", "value", "raw_log"),
        follows: never,
    },
];

const STATE: &[Lie] = &[
    Lie {
        name: "how much a holder has",
        is_about: |target| target.contains("/richlist/v1/"),
        tell: |json| set(json, "/holders/0/amount", "999999999999999999999999999999999"),
        found: |difference| is(difference, "holders", "value", "amount"),
        follows: never,
    },
    Lie {
        name: "who owns an NFT",
        is_about: |target| target.contains("/nft/v1/tokens/by_collection/"),
        tell: |json| set(json, "/tokens/0/owner", "init1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqpqr5e3d"),
        found: |difference| is(difference, "NFTs", "value", "owner"),
        follows: never,
    },
    Lie {
        name: "an NFT's URI",
        is_about: |target| target.contains("/nft/v1/tokens/by_collection/"),
        tell: |json| set(json, "/tokens/0/nft/uri", "https://elsewhere.example/1"),
        found: |difference| is(difference, "NFTs", "value", "nft.uri"),
        follows: never,
    },
];

const LEFT_OUT: &[Lie] = &[
    Lie {
        name: "a holder that is left out",
        is_about: |target| target.contains("/richlist/v1/"),
        tell: |json| {
            let is_cut = rows(json, "holders", 3).is_some_and(|rows| {
                rows.remove(0);
                true
            });
            let total = json.pointer("/pagination/total").and_then(|total| total.as_str()?.parse::<u64>().ok());
            is_cut && total.is_some_and(|total| set(json, "/pagination/total", (total - 1).to_string()))
        },
        found: |difference| difference["part"] == "holders" && difference["difference"] == "missing",
        follows: never,
    },
    Lie {
        name: "an NFT that is left out",
        is_about: |target| target.contains("/nft/v1/tokens/by_collection/"),
        tell: |json| rows(json, "tokens", 1).is_some_and(|rows| rows.pop().is_some()),
        found: |difference| difference["part"] == "NFTs" && difference["difference"] == "missing",
        follows: never,
    },
];

const ORDER: &[Lie] = &[Lie {
    name: "holders in another order",
    is_about: |target| target.contains("/richlist/v1/"),
    tell: |json| {
        rows(json, "holders", 2).is_some_and(|rows| {
            rows.reverse();
            true
        })
    },
    found: |difference| is(difference, "holders", "order", "amount"),
    follows: never,
}];

const COLLECTIONS: &[Lie] = &[
    Lie {
        name: "a collection's name",
        is_about: is_collection,
        tell: |json| set(json, "/collection/collection/name", "Another"),
        found: |difference| is(difference, "collections", "value", "collection.name"),
        follows: never,
    },
    Lie {
        name: "whose collection it is",
        is_about: is_collection,
        tell: |json| set(json, "/collection/object_addr", "0x0000000000000000000000000000000000000bad"),
        found: |difference| is(difference, "collections", "value", "object_addr"),
        follows: never,
    },
];

const SIZES: &[Lie] = &[
    Lie {
        name: "how many NFTs a collection has",
        is_about: is_collection,
        tell: |json| set(json, "/collection/collection/nfts/length", 99_999),
        found: |difference| {
            is(difference, "collections", "value", "collection.nfts.length") && difference["indexer"] == 99_999
        },
        follows: never,
    },
    Lie {
        name: "how many NFTs are listed",
        is_about: |target| target.contains("/nft/v1/tokens/by_collection/") && !target.contains("token_id="),
        tell: |json| set(json, "/pagination/total", "99998"),
        found: |difference| {
            is(difference, "totals", "total", "")
                && difference["record"] == "collection"
                && difference["indexer"] == 99_998
        },
        follows: never,
    },
];

const CREATORS: &[Lie] = &[Lie {
    name: "who made a collection",
    is_about: is_collection,
    tell: |json| set(json, "/collection/collection/creator", "init1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqpqr5e3d"),
    found: |difference| is(difference, "collections", "value", "collection.creator"),
    follows: never,
}];

/// Lies about the lists over the whole chain: for a check of every block.
pub(super) const TOTALS: &[Lie] = &[
    Lie {
        name: "how many blocks there are",
        is_about: |target| target.contains("/block/v1/blocks?"),
        tell: |json| set(json, "/pagination/total", "9999"),
        found: |difference| is_total(difference, "all_blocks", 9_999),
        follows: never,
    },
    Lie {
        name: "how many transactions there are",
        is_about: |target| target.contains("/tx/v1/txs?") && !target.contains("msgs="),
        tell: |json| set(json, "/pagination/total", "1"),
        found: |difference| is_total(difference, "all_txs", 1),
        follows: never,
    },
    Lie {
        name: "how many transactions there are of a type",
        is_about: |target| target.contains("/tx/v1/txs?") && target.contains("msgs="),
        tell: |json| set(json, "/pagination/total", "9998"),
        found: |difference| is_total(difference, "txs_of_type", 9_998),
        follows: never,
    },
    Lie {
        name: "how many transactions an account has",
        is_about: |target| target.contains("/txs/by_account/") && !target.contains("is_signer=true"),
        tell: |json| set(json, "/pagination/total", "0"),
        found: |difference| is_total(difference, "account", 0),
        follows: never,
    },
    Lie {
        name: "how many transactions an account signed",
        is_about: |target| target.contains("/txs/by_account/") && target.contains("is_signer=true"),
        tell: |json| set(json, "/pagination/total", "9997"),
        found: |difference| is_total(difference, "signer", 9_997),
        follows: never,
    },
];

fn is_total(difference: &Value, record: &str, indexer: u64) -> bool {
    is(difference, "totals", "total", "") && difference["record"] == record && difference["indexer"] == indexer
}

fn is_collection(target: &str) -> bool {
    target.contains("/nft/v1/collections/0x")
}
