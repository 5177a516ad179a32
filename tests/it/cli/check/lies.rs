//! What an indexer may say that is not so: one field each. Those of a group do not hide each other.

mod state;

use rollscope::domain::Vm;
use serde_json::Value;

pub(super) use self::state::TOTALS;
use self::state::{COLLECTIONS, CREATORS, LEFT_OUT, ORDER, STATE, WHOLE};

/// One lie.
pub(super) struct Lie {
    pub(super) name: &'static str,
    /// Whether an address is answered with it.
    pub(super) is_about: fn(&str) -> bool,
    change: Change,
    trace: Trace,
}

/// How an answer is altered.
enum Change {
    /// The value at a path becomes this JSON.
    Set(&'static str, &'static str),
    /// Whether there was anything to alter. An answer that becomes null is none: 404.
    By(fn(&mut Value) -> bool),
}

/// Which differences are the lie, found.
enum Trace {
    /// The values of a field in a part.
    Field(&'static str, &'static str),
    By(fn(&Value) -> bool),
}

impl Lie {
    /// Alters an answer; whether there was anything to alter.
    pub(super) fn tell(&self, json: &mut Value) -> bool {
        match self.change {
            Change::Set(path, value) => set(json, path, parsed(value)),
            Change::By(change) => change(json),
        }
    }

    /// Whether a difference is this lie, found.
    pub(super) fn is_found(&self, difference: &Value) -> bool {
        match self.trace {
            Trace::Field(part, field) => {
                let told = if let Change::Set(_, value) = self.change { Some(parsed(value)) } else { None };
                is(difference, part, "value", field) && told.is_none_or(|told| difference["indexer"] == told)
            }
            Trace::By(found) => found(difference),
        }
    }
}

/// A lie about a field: the value at a path, and the part and the field where it is found.
const fn field(
    name: &'static str,
    is_about: fn(&str) -> bool,
    (path, value): (&'static str, &'static str),
    (part, field): (&'static str, &'static str),
) -> Lie {
    Lie { name, is_about, change: Change::Set(path, value), trace: Trace::Field(part, field) }
}

const fn by(
    name: &'static str,
    is_about: fn(&str) -> bool,
    change: fn(&mut Value) -> bool,
    found: fn(&Value) -> bool,
) -> Lie {
    Lie { name, is_about, change: Change::By(change), trace: Trace::By(found) }
}

/// Lies that are told at once, and what of a check finds them.
pub(super) struct LieGroup {
    pub(super) lies: Vec<&'static Lie>,
    pub(super) arguments: &'static str,
}

const RECORDS_ONLY: &str = "--newest 5 --skip accounts --skip nfts --skip holders";

/// The lies of a rollup of this kind.
pub(super) fn groups(vm: Vm) -> Vec<LieGroup> {
    let of =
        |lies: &[&'static [Lie]], arguments| LieGroup { lies: lies.iter().copied().flatten().collect(), arguments };
    let is_evm = vm == Vm::Evm;
    let only = |lies: &'static [Lie], is_told: bool| if is_told { lies } else { &[] };
    let mut groups = vec![
        of(&[RECORDS], RECORDS_ONLY),
        of(&[MEMBERS, only(ETHEREUM_MEMBERS, is_evm)], "--newest 3 --skip nfts --skip holders"),
        of(&[STATE], "--newest 12 --skip accounts"),
        of(&[LEFT_OUT], "--newest 12 --skip accounts"),
        of(
            // A contract of the EVM does not name who made it.
            &[COLLECTIONS, only(CREATORS, !is_evm)],
            "--newest 12 --skip accounts --skip holders --skip totals",
        ),
    ];
    if is_evm {
        // These do not depend on the VM, but for Ethereum's own.
        groups.extend([
            of(&[OTHER_RECORDS], RECORDS_ONLY),
            of(&[LISTS, ETHEREUM], RECORDS_ONLY),
            of(&[CHAIN], RECORDS_ONLY),
            of(&[CHAIN_ORDER], RECORDS_ONLY),
            of(&[ORDER], "--newest 1 --skip accounts --skip nfts"),
            // The check waits until the indexer can have kept no earlier average.
            of(&[WHOLE], "--newest 1 --skip accounts --skip nfts"),
        ]);
    }
    groups
}

/// A lie about each block.
pub(super) fn one() -> Option<&'static Lie> {
    RECORDS.first()
}

/// Sets the value at a path; false where nothing is there.
fn set(json: &mut Value, path: &str, value: impl Into<Value>) -> bool {
    json.pointer_mut(path).map(|found| *found = value.into()).is_some()
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_default()
}

fn is(difference: &Value, part: &str, kind: &str, field: &str) -> bool {
    difference["part"] == part && difference["difference"] == kind && difference["field"] == field
}

/// Whether a record of this kind differs in this way.
fn is_of(difference: &Value, part: &str, record: &str, kind: &str) -> bool {
    is(difference, part, kind, "") && difference["record"] == record
}

fn rows<'a>(json: &'a mut Value, name: &str, least: usize) -> Option<&'a mut Vec<Value>> {
    json[name].as_array_mut().filter(|rows| rows.len() >= least)
}

/// Takes a row out of a list of at least so many.
fn lacks(json: &mut Value, name: &str, least: usize, place: usize) -> bool {
    rows(json, name, least).map(|rows| rows.remove(place)).is_some()
}

fn swaps(json: &mut Value, name: &str, (one, other): (usize, usize)) -> bool {
    rows(json, name, one.max(other) + 1).map(|rows| rows.swap(one, other)).is_some()
}

/// Puts a row before a list that is like its first, with another hash.
fn gains(json: &mut Value, hash: &str) -> bool {
    rows(json, "txs", 1).is_some_and(|rows| {
        let mut other = rows[0].clone();
        let is_told = set(&mut other, "/txhash", hash);
        rows.insert(0, other);
        is_told
    })
}

const OTHER_HASH: &str = "FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF";

fn is_block(target: &str) -> bool {
    target.contains("/block/v1/blocks/")
}

fn is_block_list(target: &str) -> bool {
    target.contains("/tx/v1/txs/by_height/") && !target.contains("msgs=")
}

fn is_upwards(target: &str) -> bool {
    is_block_list(target) && target.contains("reverse=false")
}

fn is_downwards(target: &str) -> bool {
    is_block_list(target) && !target.contains("reverse=false")
}

fn is_single_tx(target: &str) -> bool {
    target.rsplit('/').next().is_some_and(|last| last.len() == 64) && target.contains("/tx/v1/txs/")
}

fn is_either(target: &str) -> bool {
    is_upwards(target) || is_single_tx(target)
}

const TXS: &str = "transactions";

/// An account that has nothing.
const NOBODY: &str = "init1gfpyysjzgfpyysjzgfpyysjzgfpyysjzv8t30m";

const RECORDS: &[Lie] = &[
    field("a block's gas", is_block, ("/block/gas_used", "\"7\""), ("blocks", "gas_used")),
    field("a block's moniker", is_block, ("/block/proposer/moniker", "\"nobody\""), ("blocks", "proposer.moniker")),
    field("a block's count", is_block, ("/block/tx_count", "\"77\""), ("blocks", "tx_count")),
    field("a block's interval", is_block, ("/block/block_time", "\"99999999\""), ("blocks", "block_time")),
    field(
        "a block's operator",
        is_block,
        ("/block/proposer/operator_address", "\"initvaloper1nobody\""),
        ("blocks", "proposer.operator_address"),
    ),
    field("a code", is_upwards, ("/txs/0/code", "99"), (TXS, "code")),
    field("a codespace", is_upwards, ("/txs/0/codespace", "\"elsewhere\""), (TXS, "codespace")),
    field("data", is_upwards, ("/txs/0/data", "\"00FF\""), (TXS, "data")),
    field(
        "a fee's gas",
        is_upwards,
        ("/txs/0/tx/auth_info/fee/gas_limit", "\"1\""),
        (TXS, "tx.auth_info.fee.gas_limit"),
    ),
    field("a memo", is_upwards, ("/txs/0/tx/body/memo", "\"another\""), (TXS, "tx.body.memo")),
    field(
        "an attribute of an event",
        is_upwards,
        ("/txs/0/events/0/attributes/0/value", "\"elsewhere\""),
        (TXS, "events[0].attributes[0].value"),
    ),
    field("a transaction asked alone", is_single_tx, ("/tx/gas_used", "\"3\""), (TXS, "gas_used")),
    by(
        "a value in the list and alone",
        is_either,
        |json| set(json, "/txs/0/gas_wanted", "4") || set(json, "/tx/gas_wanted", "4"),
        |difference| is(difference, TXS, "value", "gas_wanted") && difference["indexer"] == "4",
    ),
];

/// The order of keys in a database's JSON: by length, then by bytes.
pub(super) const DATABASE: &[Lie] = &[by(
    "the order of keys in a database",
    |target| target.contains("/tx/v1/txs"),
    |json| {
        let lists = json["txs"].as_array_mut().map(Vec::as_mut_slice).unwrap_or_default();
        lists.iter_mut().filter_map(|row| row.get_mut("tx")).for_each(by_length);
        if let Some(alone) = json.pointer_mut("/tx/tx") {
            by_length(alone);
        }
        true
    },
    |_| false,
)];

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
pub(super) const FILTER: &[Lie] = &[by(
    "a row of another type",
    |target| target.contains("/by_height/") && target.contains("msgs="),
    |json| gains(json, OTHER_HASH) && set(json, "/txs/0/tx/body/messages/0/@type", "/of.another.MsgType"),
    |difference| is(difference, "message types", "unfounded", "") && difference["indexer"] == OTHER_HASH,
)];

/// A lie about a block that comes later.
pub(super) const LATER: &[Lie] = &[field(
    "a later block's gas",
    |target| target.ends_with("/block/v1/blocks/105"),
    ("/block/gas_used", "\"7\""),
    ("blocks", "gas_used"),
)];

/// The keys of an object in another order, as a database may have them.
pub(super) const KEY_ORDER: &[Lie] = &[by(
    "the order of keys",
    is_upwards,
    |json| {
        let Some(tx) = json.pointer_mut("/txs/0/tx").and_then(Value::as_object_mut) else { return false };
        tx.shift_remove("body").is_some_and(|body| tx.insert("body".to_owned(), body).is_none())
    },
    |difference| is(difference, TXS, "order", "tx"),
)];

fn is_all_txs(target: &str) -> bool {
    target.contains("/tx/v1/txs?") && !target.contains("msgs=") && !target.contains("limit=1&")
}

/// Lies about the lists of the whole chain, within the checked blocks.
const CHAIN: &[Lie] = &[
    by(
        "a transaction that the list of all lacks",
        is_all_txs,
        |json| lacks(json, "txs", 3, 1),
        |difference| is_of(difference, "order", "all_txs", "missing"),
    ),
    by(
        "a block that the list of all lacks",
        |target| target.contains("/block/v1/blocks?") && target.contains("limit=200"),
        |json| lacks(json, "blocks", 3, 1),
        |difference| is_of(difference, "order", "all_blocks", "missing"),
    ),
    by(
        "a height that the node has not reached",
        |target| target == "/status",
        |json| json["height"].as_u64().is_some_and(|height| set(json, "/height", height + 3)),
        |difference| is(difference, "totals", "value", "status.height"),
    ),
    by(
        "a block's transactions in another order, newest first",
        is_downwards,
        |json| swaps(json, "txs", (0, 1)),
        |difference| is(difference, "order", "order", "newest first"),
    ),
];

const CHAIN_ORDER: &[Lie] = &[
    by(
        "two transactions of the list of all in each other's place",
        is_all_txs,
        |json| swaps(json, "txs", (1, 2)),
        |difference| is_of(difference, "order", "all_txs", "order"),
    ),
    by(
        "two events in each other's place",
        is_upwards,
        |json| {
            let events = json.pointer_mut("/txs/0/events").and_then(Value::as_array_mut);
            events.filter(|events| events.len() > 1 && events[0] != events[1]).map(|events| events.swap(0, 1)).is_some()
        },
        |difference| {
            let field = difference["field"].as_str().unwrap_or_default();
            is(difference, TXS, "value", field) && (field.starts_with("events[0]") || field.starts_with("events[1]"))
        },
    ),
];

const LISTS: &[Lie] = &[
    by(
        "a transaction that its block lacks",
        is_upwards,
        |json| rows(json, "txs", 3).is_some_and(|rows| rows.pop().is_some()),
        |difference| is_of(difference, "order", "tx", "missing"),
    ),
    by(
        "two transactions in each other's place",
        is_upwards,
        |json| swaps(json, "txs", (0, 1)),
        |difference| is(difference, "order", "order", ""),
    ),
    by(
        "a transaction too many in its block",
        is_upwards,
        |json| gains(json, OTHER_HASH),
        |difference| is_of(difference, "order", "tx", "unfounded") && difference["name"] == OTHER_HASH,
    ),
    by(
        "a total",
        is_block_list,
        |json| set(json, "/pagination/total", "1000"),
        |difference| difference["part"] == "totals" && difference["indexer"] == 1000,
    ),
    by(
        "the message filter",
        |target| target.contains("/by_height/") && target.contains("msgs="),
        |json| rows(json, "txs", 1).is_some_and(|rows| rows.pop().is_some()),
        |difference| is(difference, "message types", "missing", ""),
    ),
];

fn is_account(target: &str) -> bool {
    target.contains("/tx/v1/txs/by_account/") && !target.contains("is_signer")
}

fn is_signer(target: &str) -> bool {
    target.contains("/tx/v1/txs/by_account/") && target.contains("is_signer")
}

const MEMBERS: &[Lie] = &[
    by(
        "a transaction that an account lacks",
        is_account,
        |json| lacks(json, "txs", 2, 0),
        |difference| is_of(difference, "accounts", "account", "missing"),
    ),
    by(
        "a foreign transaction of an account",
        is_account,
        |json| gains(json, OTHER_HASH),
        |difference| is_of(difference, "accounts", "account", "unfounded") && difference["indexer"] == OTHER_HASH,
    ),
    by(
        "a transaction that a signer lacks",
        is_signer,
        |json| lacks(json, "txs", 2, 0),
        |difference| is_of(difference, "accounts", "signer", "missing"),
    ),
    by(
        "a transaction that another signed",
        is_signer,
        |json| gains(json, OTHER_HASH),
        |difference| is_of(difference, "accounts", "signer", "unfounded") && difference["indexer"] == OTHER_HASH,
    ),
];

fn is_receipts(target: &str) -> bool {
    target.contains("/evm-txs/by_height/")
}

fn is_calls(target: &str) -> bool {
    target.contains("/evm-internal-txs/by_height/")
}

const ETHEREUM: &[Lie] = &[
    field("a receipt's status", is_receipts, ("/txs/0/status", "\"0x5\""), ("receipts", "status")),
    field("a receipt's gas", is_receipts, ("/txs/0/gasUsed", "\"0x6\""), ("receipts", "gasUsed")),
    field("a receipt's sender", is_receipts, ("/txs/0/from", "\"0x07\""), ("receipts", "from")),
    field("a receipt's place", is_receipts, ("/txs/0/transactionIndex", "\"0x99\""), ("receipts", "transactionIndex")),
    by(
        "a log's word",
        is_receipts,
        |json| {
            let mut txs = json["txs"].as_array_mut().into_iter().flatten();
            txs.any(|tx| set(tx, "/logs/0/topics/0", "0x00"))
        },
        |difference| is(difference, "receipts", "value", "logs[0].topics[0]"),
    ),
    by(
        "a receipt that its block lacks",
        is_receipts,
        |json| rows(json, "txs", 3).is_some_and(|rows| rows.pop().is_some()),
        |difference| is_of(difference, "receipts", "receipt", "missing"),
    ),
    field("who was called", is_calls, ("/internal_txs/0/to", "\"0x0bad\""), ("calls", "to")),
    field("who called", is_calls, ("/internal_txs/0/from", "\"0x0bed\""), ("calls", "from")),
    field("what was paid", is_calls, ("/internal_txs/0/value", "\"0x99\""), ("calls", "value")),
    field("a call's gas", is_calls, ("/internal_txs/0/gas", "\"0x98\""), ("calls", "gas")),
    field("a call's input", is_calls, ("/internal_txs/0/input", "\"0x97\""), ("calls", "input")),
    field("a call's parent", is_calls, ("/internal_txs/0/parent_index", "96"), ("calls", "parent_index")),
    by(
        "a call that is left out",
        is_calls,
        |json| rows(json, "internal_txs", 3).is_some_and(|rows| rows.pop().is_some()),
        |difference| is_of(difference, "calls", "call", "missing"),
    ),
];

const ETHEREUM_MEMBERS: &[Lie] = &[
    by(
        "a receipt that an account lacks",
        |target| target.contains("/evm-txs/by_account/"),
        |json| lacks(json, "txs", 2, 0),
        |difference| is_of(difference, "receipts", "account", "missing"),
    ),
    by(
        "a call that an account lacks",
        |target| target.contains("/evm-internal-txs/by_account/"),
        |json| lacks(json, "internal_txs", 2, 0),
        |difference| is_of(difference, "calls", "account", "missing"),
    ),
];

const OTHER_RECORDS: &[Lie] = &[
    by(
        "a block's hash",
        is_block,
        |json| set(json, "/block/hash", "A".repeat(64)),
        |difference| is(difference, "blocks", "value", "hash"),
    ),
    field("a block's time", is_block, ("/block/timestamp", "\"2020-01-01T00:00:00Z\""), ("blocks", "timestamp")),
    field("a block's fees", is_block, ("/block/total_fee/0/amount", "\"1\""), ("blocks", "total_fee[0].amount")),
    field("an error", is_upwards, ("/txs/0/raw_log", "\"it broke\""), (TXS, "raw_log")),
    field(
        "a fee",
        is_upwards,
        ("/txs/0/tx/auth_info/fee/amount/0/amount", "\"5\""),
        (TXS, "tx.auth_info.fee.amount[0].amount"),
    ),
    field("a signature", is_upwards, ("/txs/0/tx/signatures/0", "\"AAAA\""), (TXS, "tx.signatures[0]")),
    field(
        "a key",
        is_upwards,
        ("/txs/0/tx/auth_info/signer_infos/0/public_key/key", "\"AAAA\""),
        (TXS, "tx.auth_info.signer_infos[0].public_key.key"),
    ),
    field(
        "a sequence",
        is_upwards,
        ("/txs/0/tx/auth_info/signer_infos/0/sequence", "\"999999\""),
        (TXS, "tx.auth_info.signer_infos[0].sequence"),
    ),
    field(
        "a message's type",
        is_upwards,
        ("/txs/0/tx/body/messages/0/@type", "\"/of.another.MsgType\""),
        (TXS, "tx.body.messages[0].@type"),
    ),
    by(
        "a nanosecond",
        is_upwards,
        |json| {
            let Some(time) = json.pointer_mut("/txs/0/timestamp") else { return false };
            let text = time.as_str().unwrap_or_default().trim_end_matches('Z').to_owned();
            let (seconds, fraction) = text.split_once('.').unwrap_or((&text, ""));
            let nanos: u32 = format!("{fraction:0<9}").parse().unwrap_or_default();
            *time = format!("{seconds}.{:09}Z", nanos ^ 1).into();
            true
        },
        |difference| is(difference, TXS, "value", "timestamp"),
    ),
    by(
        "a mark of an attribute",
        is_upwards,
        |json| {
            let mark = json.pointer_mut("/txs/0/events/0/attributes/0/index");
            mark.and_then(|mark| mark.as_bool().map(|is_marked| *mark = (!is_marked).into())).is_some()
        },
        |difference| is(difference, TXS, "value", "events[0].attributes[0].index"),
    ),
    by(
        "an event that is left out",
        is_upwards,
        |json| {
            json.pointer_mut("/txs/1/events").and_then(Value::as_array_mut).is_some_and(|events| events.pop().is_some())
        },
        |difference| is(difference, TXS, "value", "events.length"),
    ),
    field("a transaction that nobody knows alone", is_single_tx, ("/tx/raw_log", "\"it failed\""), (TXS, "raw_log")),
];
