//! What a worker may answer of the chain: fitting or not, hostile, huge, failed.

use std::{sync::Arc, time::Duration};

use proptest::prelude::*;
use rollscope::{
    domain::{Address, Amount, BlockHash, Coin, Denom, Height, KeptView, PersonalEntry, PersonalKind, Target},
    msg::{Answer, Identification, ListPage, Metadata, Note, PageKey, Picture, Report, Request, Ticket, Total, Trait},
    wire::{self, ApiError, ErrorKind, RawJson, Step},
};
use strum::IntoEnumIterator as _;

use super::bridge;

/// What a request is answered with, whatever it asked for.
#[derive(Clone, Debug)]
pub(super) enum Reply {
    Status(u64),
    Average(f64),
    Oldest(Option<u64>),
    Blocks {
        first: u64,
        count: u64,
        next: Option<u8>,
        about: u64,
    },
    Block(u64),
    Txs {
        first: u64,
        count: u64,
        next: Option<u8>,
        filtered: bool,
    },
    Tx(u64),
    Recents,
    Personal(u64),
    View(u64),
    Body,
    Collections {
        first: u64,
        count: u64,
        next: Option<u8>,
    },
    Collection(u64),
    Tokens {
        first: u64,
        count: u64,
        next: Option<u8>,
    },
    Holders {
        first: u64,
        count: u64,
        next: Option<u8>,
    },
    TokenContracts {
        first: u64,
        count: u64,
        next: Option<u8>,
    },
    EvmTxs {
        first: u64,
        count: u64,
        next: Option<u8>,
    },
    EvmTx(u64),
    InternalTxs {
        first: u64,
        count: u64,
        next: Option<u8>,
    },
    Metadata(u64),
    Picture(u32),
    Balances(u64),
    Contract(u64),
    NodeNames(u64),
    BridgeInfo(u64),
    NodeTxs(u64),
    PendingPacket(bool),
    Withdrawals {
        first: u64,
        count: u64,
        next: Option<u8>,
    },
    DenomFacts(u64),
    DenomReports(u64),
    /// What this request of router, demo wallet or store is answered with, made of a number.
    Bridge(Box<Request>, u64),
    /// A status of another chain, or a block with another hash than the one of its height.
    Restarted {
        is_block: bool,
        height: u64,
    },
    Identified(u64),
    Failed(u8),
    Retrying,
}

pub(super) fn block(height: u64) -> Arc<wire::Block> {
    let json = format!(
        r#"{{"chain_id": "p", "height": "{height}", "hash": "{height:064X}", "block_time": "1000",
        "timestamp": "2026-01-31T11:59:00Z", "gas_used": "5", "gas_wanted": "6", "tx_count": "1", "proposer": {{}}}}"#
    );
    Arc::new(serde_json::from_str(&json).expect("a block"))
}

/// The event of a withdrawal that begins; not all of it in some.
fn begun_withdrawal(number: u64) -> serde_json::Value {
    let fields = [("l2_sequence", "7"), ("from", "\u{202e}"), ("to", "x"), ("base_denom", "\u{7}"), ("amount", "5")];
    let count = if number.is_multiple_of(4) { 3 } else { fields.len() };
    let fields: Vec<_> =
        fields[..count].iter().map(|(key, value)| serde_json::json!({"key": key, "value": value})).collect();
    serde_json::json!({"type": "initiate_token_withdrawal", "attributes": fields})
}

/// A packet that is sent, and whose end no record shows.
const SENT: &str = r#"{"type": "send_packet", "attributes": [{"key": "packet_sequence", "value": "4"},
    {"key": "packet_src_port", "value": "transfer"}, {"key": "packet_src_channel", "value": "channel-0"},
    {"key": "packet_dst_port", "value": "transfer"}, {"key": "packet_dst_channel", "value": "channel-9"},
    {"key": "msg_index", "value": "0"}]}"#;

pub(super) fn tx(number: u64) -> Arc<wire::Tx> {
    let code = u64::from(number.is_multiple_of(5));
    let json = format!(
        r#"{{"txhash": "{number:064X}", "height": "{}", "code": {code}, "raw_log": "no\u001b[2Jno", "tx": {{"body": {{"messages":
        [{{"@type": "/cosmos.bank.v1beta1.MsgSend", "from_address": "x", "amount": [{{"denom": "d", "amount": "1"}}]}}]}}}},
        "timestamp": "2026-01-31T11:59:00Z", "events": [{{"type": "{}", "attributes": [{{"key": "k", "value": "v"}}]}}, {}, {SENT}]}}"#,
        number / 3 + 1,
        if number.is_multiple_of(2) { "evm" } else { "transfer" },
        begun_withdrawal(number),
    );
    Arc::new(serde_json::from_str(&json).expect("a transaction"))
}

pub(super) fn collection(number: u64) -> Arc<wire::Collection> {
    let json = format!(
        r#"{{"object_addr": "{number:#042x}", "height": 1, "timestamp": "2026-01-31T11:59:00Z",
        "collection": {{"creator": "\u001b[2J", "name": "n\u202e\u0007{number}", "nfts": {{"length": 1}}}}}}"#
    );
    Arc::new(serde_json::from_str(&json).expect("a collection"))
}

fn withdrawal(number: u64) -> Arc<wire::opinit::ExecutorWithdrawal> {
    let json = format!(
        r#"{{"sequence": {number}, "to": "\u001b[2J", "from": "x", "bridge_id": 1, "output_index": {},
        "amount": {{"denom": "u\u202e", "amount": "{number}"}}}}"#,
        number % 3
    );
    Arc::new(serde_json::from_str(&json).expect("a withdrawal"))
}

fn bridge_info(number: u64) -> Option<Arc<wire::opinit::RollupBridge>> {
    let period = if number.is_multiple_of(3) { "604800s" } else { "\u{1b}[31m99999999999999999999s" };
    (!number.is_multiple_of(5)).then(|| {
        Arc::new(wire::opinit::RollupBridge {
            chain_id: "p".to_owned(),
            bridge_id: number.to_string(),
            l1_chain_id: "\u{202e}l1".repeat(40),
            l1_client_id: String::new(),
            bridge_config: Some(wire::opinit::HostedBridgeConfig {
                finalization_period: period.to_owned(),
                submission_interval: "60s".to_owned(),
            }),
        })
    })
}

fn node_names(number: u64) -> Arc<wire::node::NodeNames> {
    let bridge =
        wire::node::NodeBridge { bridge_id: number, l1_chain_id: "\u{202e}".to_owned(), l1_client_id: String::new() };
    let wire::node::DenomFacts { chain_id, facts } =
        facts(number, wire::node::UnitReporter::Bank, |place| Denom::new(format!("d{place}")));
    let fee_denoms = ["GAS", "INIT", "\u{1b}[2J"].map(Denom::new).to_vec();
    let (bridge, supply) = (Some(bridge), fee_denoms.clone());
    let gas_denom = fee_denoms.first().cloned();
    Arc::new(wire::node::NodeNames { chain_id, bridge, gas_denom, fee_denoms, supply, facts, l1_channels: Vec::new() })
}

fn facts(number: u64, reporter: wire::node::UnitReporter, denom: impl Fn(u64) -> Denom) -> wire::node::DenomFacts {
    let claim = |place: u64| match place % 7 {
        0 => wire::node::DenomClaim::Origin(format!("transfer/channel-{place}/”\u{1b}[2J")),
        _ => wire::node::DenomClaim::Unit {
            symbol: format!("”\u{1b}[2J{place}"),
            decimals: u8::try_from(place * 83 % 256).unwrap_or(0),
            reporter,
        },
    };
    let chain_id = if number.is_multiple_of(3) { "other" } else { "p" }.to_owned();
    let fact = |place| wire::node::DenomFact { denom: denom(place), claim: claim(place) };
    wire::node::DenomFacts { chain_id, facts: (0..number % 40).map(fact).collect() }
}

/// The denom of a contract, as the rollup's own bank writes it.
fn contract_denom(place: u64) -> Denom {
    Denom::new(format!("evm/{place:040}"))
}

fn denom_facts(number: u64) -> Arc<wire::node::DenomFacts> {
    Arc::new(facts(number, wire::node::UnitReporter::Contract, contract_denom))
}

fn denom_reports(number: u64) -> Arc<wire::node::DenomReports> {
    let wire::node::DenomFacts { chain_id, facts } = facts(number, wire::node::UnitReporter::Contract, contract_denom);
    let at = rollscope::domain::Timestamp::from_nanos(i128::from(number) << 56);
    let report = |fact: wire::node::DenomFact| {
        let claim = Some(fact.claim).filter(|_| !number.is_multiple_of(5));
        wire::node::DenomReport { denom: fact.denom, claim, at }
    };
    Arc::new(wire::node::DenomReports { chain_id, reports: facts.into_iter().map(report).collect() })
}

fn contract(number: u64) -> Arc<wire::node::ContractFacts> {
    use wire::node::{ContractFacts, ContractToken, ContractTokenKind, NodeCode, NodeContract};
    let hostile = format!("\u{202e}\u{1b}[2J{number}“");
    let account = Address::Long([u8::try_from(number % 200).unwrap_or(0); 32]);
    let code = match number % 2 {
        0 => NodeCode::Evm { size: 7 },
        _ => NodeCode::Wasm {
            code_id: hostile.clone(),
            label: hostile.clone(),
            creator: Some(account),
            admin: None,
            created: Height::new(number),
        },
    };
    let kind = match number % 4 {
        0 | 1 => ContractTokenKind::Fungible { denom: contract_denom(number), decimals: 77 },
        _ => ContractTokenKind::Collection,
    };
    let supply = Some(Amount::from(u128::MAX));
    let token = ContractToken { kind, name: hostile.clone(), symbol: hostile, supply };
    let contract = NodeContract { code, token: (!number.is_multiple_of(5)).then_some(token) };
    let chain_id = if number.is_multiple_of(3) { "other" } else { "p" }.to_owned();
    Arc::new(ContractFacts { chain_id, contract: (!number.is_multiple_of(7)).then_some(contract) })
}

fn balances(number: u64) -> Arc<wire::node::NodeBalances> {
    let denom = |place: u64| match place % 2 {
        0 => contract_denom(place),
        _ => Denom::new(format!("d\u{1b}[2J{place}")),
    };
    let coin = |place: u64| Coin { denom: denom(place), amount: Amount::from(u128::MAX) };
    let coins = (0..number % 40).map(coin).collect();
    let chain_id = if number.is_multiple_of(3) { "other" } else { "p" }.to_owned();
    let token = |place: u64| wire::node::TokenBalance {
        denom: contract_denom(place),
        answer: match place % 3 {
            0 => wire::node::TokenAnswer::Held(Amount::from(u128::MAX)),
            1 => wire::node::TokenAnswer::NoAmount,
            _ => wire::node::TokenAnswer::Unanswered,
        },
    };
    let tokens = (0..number % 7).map(token).collect();
    let height = Height::new(number);
    Arc::new(wire::node::NodeBalances { chain_id, height, coins, is_whole: number < 200, tokens })
}

pub(super) fn token(number: u64) -> Arc<wire::Token> {
    let json = format!(
        r#"{{"collection_addr": "{:#042x}", "collection_name": "n\u001b[2J", "collection_origin_name": "\u202e",
        "object_addr": "", "owner": "{number:#042x}", "nft": {{"token_id": "{number}\u0007", "uri": "ipfs://\u0007{number}"}},
        "height": 1, "timestamp": "2026-01-31T11:59:00Z"}}"#,
        number % 7
    );
    Arc::new(serde_json::from_str(&json).expect("a token"))
}

pub(super) fn holder(number: u64) -> Arc<wire::Holder> {
    let sign = if number.is_multiple_of(9) { "-" } else { "" };
    let json = format!(r#"{{"account": "{number:#042x}", "amount": "{sign}{number}"}}"#);
    Arc::new(serde_json::from_str(&json).expect("a holder"))
}

fn token_contract(number: u64) -> Arc<wire::TokenContract> {
    let denom = [format!("evm/{number:040x}"), "cw20:\u{202e}".to_owned(), "uinit".to_owned(), String::new()];
    Arc::new(wire::TokenContract { denom: denom[usize::try_from(number % 4).unwrap_or(0)].clone() })
}

/// A receipt with a log that is cut, in the block of the transaction with this number.
pub(super) fn receipt(number: u64) -> Arc<wire::EvmTx> {
    let (height, hash) = (format!("{:#x}", number / 3 + 1), format!("{number:#066x}"));
    let json = format!(
        r#"{{"blockHash": "0x", "blockNumber": "{height}", "contractAddress": null, "cumulativeGasUsed": "0x",
        "effectiveGasPrice": "no", "from": "{number:#042x}", "gasUsed": "0x1", "logsBloom": "0x", "status": "0x{}",
        "to": "\u001b[2J", "transactionHash": "{hash}", "transactionIndex": "0x0", "type": "0x2\u0007", "logs":
        [{{"address": "\u202e", "topics": ["0xé", ""], "data": "0x1", "blockNumber": "{height}", "blockHash": "0x",
        "transactionHash": "{hash}", "transactionIndex": "0x0", "logIndex": "0x0", "removed": false}}]}}"#,
        number % 2
    );
    Arc::new(serde_json::from_str(&json).expect("a receipt"))
}

/// Calls that name all kinds of callers, themselves too.
pub(super) fn call(number: u64) -> Arc<wire::InternalTx> {
    let json = format!(
        r#"{{"height": 1, "hash": "{number:#066x}", "parent_index": {}, "index": {number}, "type": "CALL\u001b[2J",
        "from": "", "to": "\u0007", "input": "0xé1234567", "output": "0x08c379a0{number:02x}", "value": "0x01"}}"#,
        number.cast_signed().saturating_sub(1) % 5 * 3 - 1
    );
    Arc::new(serde_json::from_str(&json).expect("a call"))
}

pub(super) fn metadata(number: u64) -> Arc<Metadata> {
    let text = format!("\u{1b}[2J\u{202e}{number}");
    let traits = vec![Trait { name: text.clone(), value: text.clone() }; usize::try_from(number % 30).unwrap_or(0)];
    let image = number.is_multiple_of(2).then(|| text.as_str().into());
    let raw = RawJson::parse(format!(r#"{{"name": "\u0007{number}"}}"#)).expect("JSON");
    Arc::new(Metadata { name: text.clone(), description: text, image, traits, raw })
}

/// A picture, of which the last row is missing in some.
pub(super) fn picture(side: u32) -> Arc<Picture> {
    let bytes = (side * side * 4) as usize;
    let missing = if side.is_multiple_of(3) { (side * 4) as usize } else { 0 };
    Arc::new(Picture { width: side, height: side, rgba: vec![200; bytes - missing].into() })
}

/// Rows from this number down to 1 at the most.
pub(super) fn page<T>(first: u64, count: u64, next: Option<u8>, make: impl Fn(u64) -> T) -> ListPage<T> {
    let items = (1..=first).rev().take(usize::try_from(count).unwrap_or(0)).map(make).collect();
    let next = next.map(|name| PageKey(format!("key-{name}").into()));
    ListPage { items, next, total: Total::Unknown, notes: Vec::new() }
}

pub(super) fn failure(kind: u8) -> ApiError {
    let kind = match kind % 6 {
        0 => ErrorKind::NotFound("[NOT_FOUND] \u{202e}no".into()),
        1 => ErrorKind::Timeout(Duration::from_secs(10)),
        2 => ErrorKind::Offline { step: Step::Tls, detail: "\u{7}bad".to_owned() },
        3 => ErrorKind::BadShape { path: "blocks[0]".to_owned(), detail: "x".repeat(5_000) },
        4 => ErrorKind::RateLimited(None),
        _ => ErrorKind::Server { status: 500, sentence: "Internal Server Error".into() },
    };
    ApiError { kind, url: "http://127.0.0.1:1/status".into(), body: Some("<html>".into()) }
}

pub(super) fn report(ticket: Ticket, reply: &Reply) -> Report {
    let answer = match *reply {
        Reply::Failed(kind) => return Report::Reply(ticket, Err(failure(kind))),
        Reply::Retrying => {
            let wait = Duration::from_millis(250);
            return Report::Retrying { ticket, attempt: 1, wait, error: failure(1) };
        }
        Reply::Status(height) => {
            let is_own = height % 2 == 1;
            let json = format!(
                r#"{{"chain_id": "p", "height": {}, "internal_tx_height": 3, "has_token_contracts": {is_own}}}"#,
                height.max(1)
            );
            Answer::Status(Box::new(serde_json::from_str(&json).expect("a status")))
        }
        Reply::Restarted { is_block: false, height } => {
            let json = format!(r#"{{"chain_id": "q{}", "height": {}}}"#, height % 3, height.max(1));
            Answer::Status(Box::new(serde_json::from_str(&json).expect("a status")))
        }
        Reply::Restarted { is_block: true, height } => {
            let hash = BlockHash::new([0xAB; 32]);
            Answer::Block(Arc::new(wire::Block { hash, ..wire::Block::clone(&block(height.max(1))) }))
        }
        Reply::Identified(number) => {
            let wanted = (1..number % 5).filter_map(Height::new).collect();
            Answer::Identified(Identification { is_news: number.is_multiple_of(2), wanted })
        }
        Reply::Average(seconds) => Answer::AvgBlockTime(seconds),
        Reply::Oldest(height) => Answer::OldestBlock(height.map(|height| block(height.max(1)))),
        Reply::Blocks { first, count, next, about } => {
            Answer::Blocks(ListPage { total: Total::About(about), ..page(first, count, next, block) })
        }
        Reply::Block(height) => Answer::Block(block(height.max(1))),
        Reply::Txs { first, count, next, filtered } => {
            let notes = if filtered { vec![Note::FilteredHere { scanned: 100 }] } else { Vec::new() };
            Answer::Txs(ListPage { notes, ..page(first, count, next, tx) })
        }
        Reply::Tx(number) => Answer::Tx(tx(number)),
        Reply::Collections { first, count, next } => Answer::Collections(page(first, count, next, collection)),
        Reply::Collection(number) => Answer::Collection(collection(number)),
        Reply::Tokens { first, count, next } => Answer::Tokens(page(first, count, next, token)),
        Reply::Holders { first, count, next } => Answer::Holders(page(first, count, next, holder)),
        Reply::TokenContracts { first, count, next } => {
            Answer::TokenContracts(page(first, count, next, token_contract))
        }
        Reply::EvmTxs { first, count, next } => Answer::EvmTxs(page(first, count, next, receipt)),
        Reply::EvmTx(number) => Answer::EvmTx(receipt(number)),
        Reply::InternalTxs { first, count, next } => Answer::InternalTxs(page(first, count, next, call)),
        Reply::Metadata(number) => Answer::Metadata(metadata(number)),
        Reply::Picture(side) => Answer::Picture(picture(side)),
        Reply::NodeNames(number) => Answer::NodeNames(node_names(number)),
        Reply::Withdrawals { first, count, next } => Answer::Withdrawals(page(first, count, next, withdrawal)),
        Reply::BridgeInfo(number) => Answer::BridgeInfo(bridge_info(number)),
        Reply::NodeTxs(number) => Answer::NodeTxs(Arc::new(wire::node::SearchedTxs {
            txs: (number..number + number % 4).map(tx).collect(),
            is_whole: number % 2 == 0,
        })),
        Reply::PendingPacket(is_pending) => Answer::PendingPacket(is_pending),
        Reply::DenomFacts(number) => Answer::DenomFacts(denom_facts(number)),
        Reply::DenomReports(number) => Answer::DenomReports(denom_reports(number)),
        Reply::Contract(number) => Answer::Contract(contract(number)),
        Reply::Balances(number) => Answer::Balances(balances(number)),
        Reply::Bridge(ref request, number) => bridge::answer(request, number),
        Reply::Recents => {
            Answer::Recents(vec!["17".to_owned(), "not a thing".to_owned(), "denom x\u{7}".to_owned(), String::new()])
        }
        Reply::Personal(number) => {
            let subject = Target::Account(Address::Short([u8::try_from(number % 200).unwrap_or(0); 20]));
            let kinds = PersonalKind::iter();
            Answer::Personal(kinds.map(|kind| PersonalEntry::new(kind, subject.clone(), "\u{202e}A")).collect())
        }
        Reply::View(number) => {
            let tabs = ["Blocks", "NFTs", "Rich list", "no such tab", "Bridge"];
            let of = [None, Some("block 7".to_owned()), Some("denom uinit".to_owned()), Some("rubbish".to_owned())];
            let place = usize::try_from(number % 20).unwrap_or(0);
            let view = KeptView { tab: tabs[place % 5].to_owned(), of: of[place % 4].clone() };
            Answer::View((number % 7 > 0).then_some(view))
        }
        Reply::Body => Answer::Body("{\"tx\":\u{202e}1}".into()),
    };
    Report::Reply(ticket, Ok(answer))
}

/// Names every kind of request once: a kind that is not among them does not compile.
macro_rules! kinds {
    ($($kind:ident)*) => {
        pub(super) const KINDS: &[&str] = &[$(stringify!($kind)),*];

        pub(super) fn kind_of(request: &Request) -> &'static str {
            match request {
                $(Request::$kind { .. } => stringify!($kind),)*
            }
        }
    };
}

kinds! {
    Status AvgBlockTime OldestBlock Blocks Block Txs Tx EvmTxs EvmTx InternalTxs Collections Collection Tokens Holders
    TokenContracts Metadata Picture Identify Body Recents Personal View Chains Assets Route OpHook Msgs Track TrackAgain
    TransferStatus DemoInfo DemoFaults DemoSign DemoBroadcast DemoClaim RouterBalances Reach Transfers File Balances NodeNames BridgeInfo DenomFacts
    DenomReports Contract NodeTxs PendingPacket Settlement L1Tx Withdrawals OpenWithdrawals AccountAt Simulation Servers
    Export
}

/// An answer of the kind that the request expects, unless it failed.
pub(super) fn fitting(request: &Request, reply: &Reply) -> Reply {
    let (first, count) = match *reply {
        Reply::Failed(_) | Reply::Retrying => return reply.clone(),
        Reply::Restarted { height, .. } => match request {
            Request::Status => return Reply::Restarted { is_block: false, height },
            Request::Block(_) => return Reply::Restarted { is_block: true, height: height % 400 },
            _ => (30, 25),
        },
        Reply::Blocks { first, count, .. } | Reply::Txs { first, count, .. } => (first, count),
        Reply::Status(number) | Reply::Block(number) | Reply::Tx(number) | Reply::Bridge(_, number) => {
            (number % 400, 25)
        }
        _ => (30, 25),
    };
    let next = (first > count).then_some(u8::try_from(first % 251).unwrap_or(0));
    match request {
        Request::Status => Reply::Status(first),
        Request::AvgBlockTime => Reply::Average(1.0),
        Request::OldestBlock => Reply::Oldest(Some(1)),
        Request::Blocks(_) => Reply::Blocks { first, count, next, about: first },
        Request::Block(_) => Reply::Block(first),
        Request::Txs(..) => Reply::Txs { first, count, next, filtered: false },
        Request::Tx(_) | Request::L1Tx(_) => Reply::Tx(first),
        Request::EvmTxs(..) => Reply::EvmTxs { first, count, next },
        Request::EvmTx(_) => Reply::EvmTx(first),
        Request::InternalTxs(..) => Reply::InternalTxs { first, count, next },
        Request::Collections(..) => Reply::Collections { first, count, next },
        Request::Collection(_) => Reply::Collection(first),
        Request::Tokens(..) => Reply::Tokens { first, count, next },
        Request::Holders(..) => Reply::Holders { first, count, next },
        Request::TokenContracts(..) => Reply::TokenContracts { first, count, next },
        Request::Metadata(_) => Reply::Metadata(first),
        Request::Picture(_) => Reply::Picture(u32::try_from(first % 40).unwrap_or(0)),
        Request::NodeNames => Reply::NodeNames(first),
        Request::BridgeInfo => Reply::BridgeInfo(first),
        Request::NodeTxs(..) => Reply::NodeTxs(first),
        Request::PendingPacket(_) => Reply::PendingPacket(first % 2 == 0),
        Request::Withdrawals(..) => Reply::Withdrawals { first, count, next },
        Request::DenomFacts(_) => Reply::DenomFacts(first),
        Request::DenomReports(..) => Reply::DenomReports(first),
        Request::Balances(..) => Reply::Balances(first),
        Request::Contract(_) => Reply::Contract(first),
        Request::Identify(_) => Reply::Identified(first),
        Request::Recents => Reply::Recents,
        Request::Personal => Reply::Personal(first),
        Request::View => Reply::View(first),
        Request::Body(_) => Reply::Body,
        Request::Chains
        | Request::Assets(_)
        | Request::Route(_)
        | Request::OpHook(_)
        | Request::Msgs(_)
        | Request::Track(_)
        | Request::TrackAgain(_)
        | Request::TransferStatus(_)
        | Request::DemoInfo
        | Request::DemoFaults(_)
        | Request::DemoSign(_)
        | Request::DemoBroadcast(..)
        | Request::DemoClaim(_)
        | Request::Settlement(_)
        | Request::OpenWithdrawals(_)
        | Request::AccountAt(_)
        | Request::Simulation(_)
        | Request::RouterBalances(_)
        | Request::Reach(_)
        | Request::Transfers
        | Request::Servers(_)
        | Request::File(_)
        | Request::Export(..) => Reply::Bridge(Box::new(request.clone()), first),
    }
}

pub(super) fn replies() -> impl Strategy<Value = Reply> {
    let number = prop_oneof![1_u64..300, Just(u64::MAX), Just(1)];
    prop_oneof![
        number.clone().prop_map(Reply::Status),
        prop_oneof![Just(0.0), Just(1.0), Just(f64::NAN), Just(1e300), Just(-1.0)].prop_map(Reply::Average),
        prop::option::of(1_u64..50).prop_map(Reply::Oldest),
        (1_u64..400, 0_u64..101, prop::option::of(any::<u8>()), any::<u64>())
            .prop_map(|(first, count, next, about)| Reply::Blocks { first, count, next, about }),
        number.clone().prop_map(Reply::Block),
        (1_u64..400, 0_u64..101, prop::option::of(any::<u8>()), any::<bool>())
            .prop_map(|(first, count, next, filtered)| Reply::Txs { first, count, next, filtered }),
        number.clone().prop_map(Reply::Tx),
        Just(Reply::Recents),
        number.clone().prop_map(Reply::Personal),
        number.clone().prop_map(Reply::View),
        Just(Reply::Body),
        (1_u64..400, 0_u64..101, prop::option::of(any::<u8>()), 0_u8..7).prop_map(|(first, count, next, kind)| {
            match kind {
                0 => Reply::Collections { first, count, next },
                1 => Reply::Tokens { first, count, next },
                2 => Reply::Holders { first, count, next },
                3 => Reply::EvmTxs { first, count, next },
                4 => Reply::Withdrawals { first, count, next },
                5 => Reply::TokenContracts { first, count, next },
                _ => Reply::InternalTxs { first, count, next },
            }
        }),
        prop_oneof![
            (1_u64..300).prop_map(Reply::Collection),
            (1_u64..300).prop_map(Reply::EvmTx),
            number.prop_map(Reply::Metadata),
            (0_u32..40).prop_map(Reply::Picture),
            (0_u64..300).prop_map(Reply::Balances),
            (0_u64..300).prop_map(Reply::Contract),
            (0_u64..300).prop_map(Reply::NodeNames),
            (0_u64..300).prop_map(Reply::BridgeInfo),
            (0_u64..300).prop_map(Reply::NodeTxs),
            any::<bool>().prop_map(Reply::PendingPacket),
            (0_u64..300).prop_map(Reply::DenomFacts),
            (0_u64..300).prop_map(Reply::DenomReports),
            (0_usize..5, 0_u64..60)
                .prop_map(|(kind, number)| Reply::Bridge(Box::new(bridge::some_request(kind)), number)),
        ],
        prop_oneof![
            (any::<bool>(), 1_u64..300).prop_map(|(is_block, height)| Reply::Restarted { is_block, height }),
            any::<u64>().prop_map(Reply::Identified),
        ],
        any::<u8>().prop_map(Reply::Failed),
        Just(Reply::Retrying),
    ]
}
