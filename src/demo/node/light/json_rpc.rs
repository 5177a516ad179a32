//! JSON-RPC of a light EVM chain. It offers what wallets need: balances, tokens, gas and broadcasts.

use alloy_primitives::{Bloom, BloomInput, U256, hex};
use axum::http::StatusCode;
use serde_json::{Value, json};

use super::view::LightView;
use crate::{
    demo::{
        ledger::abi::{AbiArg, data, encode},
        node::{
            NodeRequest,
            block::filler,
            json_rpc::{
                self, EthAnswer, EthMethod, EthParams, EthRefusal, payload::signed, quantity, read_account, read_number,
            },
        },
        posted::TxRefusal,
        router::{
            light::{AllowanceKey, LightTx, PayloadLog, PostedPayload},
            service::{AskedCall, BASE_FEE, NATIVE, USUAL_TIP},
        },
    },
    domain::{Address, Amount, Denom},
    wire::router::Asset,
};

/// Number of newest blocks to search for a hash.
const HASHES_KEPT: u64 = 256;

const BLOCK_GAS: u128 = 36_000_000;

/// Maximum blocks of a fee query.
const MOST_FEE_BLOCKS: u128 = 1_024;

/// Code of every contract. It shows that the address is a contract and never runs.
const CODE: &str = "0xfe";

fn methods<'a>() -> [EthMethod<LightView<'a>>; 19] {
    [
        ("web3_clientVersion", |_, _| Ok(concat!("rollscope/", env!("CARGO_PKG_VERSION")).into())),
        ("net_version", |view, _| Ok(number(view).to_string().into())),
        ("net_listening", |_, _| Ok(true.into())),
        ("eth_chainId", |view, _| Ok(quantity(u128::from(number(view))))),
        ("eth_syncing", |_, _| Ok(false.into())),
        ("eth_accounts", |_, _| Ok(json!([]))),
        ("eth_blockNumber", |view, _| Ok(quantity(u128::from(view.tip())))),
        ("eth_getBlockByNumber", block_by_number),
        ("eth_getBlockByHash", block_by_hash),
        ("eth_getTransactionByHash", transaction),
        ("eth_getTransactionReceipt", receipt),
        ("eth_getTransactionCount", transaction_count),
        ("eth_getBalance", balance),
        ("eth_getCode", code),
        ("eth_call", call),
        ("eth_estimateGas", estimate_gas),
        ("eth_gasPrice", |_, _| Ok(quantity(BASE_FEE + USUAL_TIP))),
        ("eth_feeHistory", fee_history),
        ("eth_sendRawTransaction", |view, params| json_rpc::sent(&view.brought, params)),
    ]
}

pub(super) fn answer(view: &LightView<'_>, request: &NodeRequest) -> (StatusCode, Value) {
    json_rpc::answer_by(&methods(), view, request)
}

fn number(view: &LightView<'_>) -> u64 {
    view.shared.router().evm_number(&view.chain_id).unwrap_or_default()
}

fn asset(view: &LightView<'_>, contract: &Address) -> Option<Asset> {
    view.shared.router().world().asset(&view.chain_id, &Denom::new(contract.checksummed())).cloned()
}

/// Parses a block number or tag; without one, the newest.
fn height(view: &LightView<'_>, named: &Value) -> Result<u64, EthRefusal> {
    match named.as_str().unwrap_or("latest") {
        "latest" | "pending" | "safe" | "finalized" => Ok(view.tip()),
        "earliest" => Ok(0),
        text => Ok(u64::try_from(read_number(text)?).unwrap_or(u64::MAX)),
    }
}

/// Refuses a state query at any block but the newest.
fn check_newest(view: &LightView<'_>, named: &Value) -> Result<(), EthRefusal> {
    let height = height(view, named)?;
    let why = || EthRefusal::failed(format!("missing trie node: this simulated node keeps no state of block {height}"));
    if height.abs_diff(view.tip()) <= 1 { Ok(()) } else { Err(why()) }
}

fn held(view: &LightView<'_>, account: &Address, denom: &Denom) -> Amount {
    view.look(|chain| chain.balance(&account.checksummed(), denom)).unwrap_or_default()
}

fn written(amount: Amount) -> Value {
    format!("{:#x}", amount.get()).into()
}

fn balance(view: &LightView<'_>, params: &EthParams<'_>) -> EthAnswer {
    check_newest(view, params.value(1))?;
    Ok(written(held(view, &params.account(0)?, &Denom::new(NATIVE))))
}

fn transaction_count(view: &LightView<'_>, params: &EthParams<'_>) -> EthAnswer {
    check_newest(view, params.value(1))?;
    let (account, is_pending) = (params.account(0)?.checksummed(), params.value(1) == "pending");
    let count = |chain: &crate::demo::router::light::LightChain| {
        if is_pending { chain.next_nonce(&account) } else { chain.nonce(&account, view.now) }
    };
    Ok(quantity(u128::from(view.look(count).unwrap_or_default())))
}

fn code(view: &LightView<'_>, params: &EthParams<'_>) -> EthAnswer {
    let account = params.account(0)?;
    let is_contract = asset(view, &account).is_some() || view.shared.router().is_contract(&account);
    Ok(if is_contract { CODE } else { "0x" }.into())
}

/// Parses the call in a request. Without a sender, the zero address calls.
fn asked(params: &EthParams<'_>) -> Result<AskedCall, EthRefusal> {
    let named = |name: &str| params.value(0).get(name).and_then(Value::as_str);
    let to = named("to")
        .ok_or_else(|| EthRefusal::failed("this simulated node does not run code: name a contract in `to`"))?;
    let input = named("input").or_else(|| named("data")).unwrap_or("0x");
    let value = named("value").map_or(Some(U256::ZERO), |text| U256::from_str_radix(text.strip_prefix("0x")?, 16).ok());
    Ok(AskedCall {
        from: named("from").map_or(Ok(Address::Short([0; 20])), read_account)?,
        to: read_account(to)?,
        value: value.ok_or_else(|| EthRefusal::params("invalid argument: value is not a hex number"))?,
        input: hex::decode(input).map_err(|error| EthRefusal::params(format!("invalid argument: {error}")))?,
    })
}

fn call(view: &LightView<'_>, params: &EthParams<'_>) -> EthAnswer {
    check_newest(view, params.value(1))?;
    let asked = asked(params)?;
    if let Some(token) = asset(view, &asked.to) {
        if let Some(bytes) = token_answer(view, &token, &asked.input) {
            return Ok(hex::encode_prefixed(bytes).into());
        }
        return match view.shared.router().try_on_evm(&view.chain_id, &asked) {
            Ok(Ok(_)) => Ok(format!("{:#066x}", U256::from(1)).into()),
            Ok(Err(reason)) => Err(EthRefusal::reverted(&reason)),
            Err(_) => {
                let head = hex::encode_prefixed(asked.input.get(..4).unwrap_or(&asked.input));
                let contract = asked.to.checksummed();
                Err(EthRefusal::failed(format!(
                    "this simulated node does not run contracts: {head} of {contract} is unknown to it"
                )))
            }
        };
    }
    if view.shared.router().is_contract(&asked.to) {
        return Err(EthRefusal::failed("this simulated node does not run bridge contracts for queries"));
    }
    Ok("0x".into())
}

/// Returns the answer of a token's contract; `None` if the simulation does not implement the function.
fn token_answer(view: &LightView<'_>, token: &Asset, input: &[u8]) -> Option<Vec<u8>> {
    let (head, words) = input.split_first_chunk::<4>()?;
    let is = |signature: &str| data(signature, &[]) == *head;
    let account = |place: usize| Address::from_bytes(words.get(place * 32 + 12..place * 32 + 32)?);
    let number = |amount: Amount| amount.get().to_be_bytes::<32>().to_vec();
    match () {
        () if is("name()") => Some(encode(&[AbiArg::Text(token.name.as_received())])),
        () if is("symbol()") => Some(encode(&[AbiArg::Text(token.symbol.as_received())])),
        () if is("decimals()") => Some(number(Amount::from(u128::from(token.decimals.unwrap_or_default())))),
        () if is("balanceOf(address)") => Some(number(held(view, &account(0)?, &token.denom))),
        () if is("allowance(address,address)") => {
            let (owner, spender) = (account(0)?.checksummed(), account(1)?.checksummed());
            let key = AllowanceKey { token: token.denom.clone(), owner, spender };
            Some(number(view.look(|chain| chain.allowance(&key, view.now)).unwrap_or_default()))
        }
        () => None,
    }
}

fn estimate_gas(view: &LightView<'_>, params: &EthParams<'_>) -> EthAnswer {
    let tried = view.shared.router().try_on_evm(&view.chain_id, &asked(params)?);
    match tried {
        Ok(Ok(gas)) => Ok(quantity(u128::from(gas))),
        Ok(Err(reason)) => Err(EthRefusal::reverted(&reason)),
        Err(TxRefusal { log, .. }) => Err(EthRefusal::failed(log)),
    }
}

fn fee_history(view: &LightView<'_>, params: &EthParams<'_>) -> EthAnswer {
    let count = match params.value(0) {
        Value::String(text) => read_number(text)?,
        other => u128::from(other.as_u64().unwrap_or(1)),
    };
    let newest = height(view, params.value(1))?.min(view.tip());
    let count = u64::try_from(count.clamp(1, MOST_FEE_BLOCKS)).unwrap_or(1);
    let oldest = newest.saturating_sub(count - 1);
    let blocks = usize::try_from(newest - oldest + 1).unwrap_or(1);
    let percentiles = params.value(2).as_array().map_or(0, Vec::len);
    let rewards = vec![vec![quantity(USUAL_TIP); percentiles]; blocks];
    Ok(json!({
        "oldestBlock": quantity(u128::from(oldest)),
        "baseFeePerGas": vec![quantity(BASE_FEE); blocks + 1],
        "gasUsedRatio": vec![0; blocks],
        "reward": if percentiles == 0 { Value::Null } else { json!(rewards) },
    }))
}

/// Writes the result of `write` for a posted transaction; null for an unknown transaction.
fn found(view: &LightView<'_>, params: &EthParams<'_>, write: impl Fn(&PostedPayload, &LightTx) -> Value) -> EthAnswer {
    let hash = hex::encode_prefixed(params.hash(0)?);
    let found = view.look(|chain| chain.payload(&hash).map(|(posted, tx)| (posted.clone(), tx.clone()))).flatten();
    Ok(found.map_or(Value::Null, |(posted, tx)| write(&posted, &tx)))
}

fn transaction(view: &LightView<'_>, params: &EthParams<'_>) -> EthAnswer {
    found(view, params, |posted, tx| written_tx(view, posted, tx))
}

fn written_tx(view: &LightView<'_>, posted: &PostedPayload, tx: &LightTx) -> Value {
    let Some(payload) = posted.read(number(view)) else { return Value::Null };
    let mut written = signed(&payload);
    let is_there = tx.at <= view.now;
    let place = [
        ("hash", Value::from(posted.hash.as_str())),
        ("from", posted.from.to_lowercase().into()),
        ("blockHash", is_there.then(|| hex::encode_prefixed(view.hash(tx.height))).into()),
        ("blockNumber", if is_there { quantity(u128::from(tx.height)) } else { Value::Null }),
        ("transactionIndex", if is_there { quantity(index(view, posted, tx)) } else { Value::Null }),
    ];
    if let Some(fields) = written.as_object_mut() {
        fields.extend(place.map(|(name, value)| (name.to_owned(), value)));
        if is_there {
            fields.insert("gasPrice".to_owned(), quantity(posted.price));
        }
    }
    written
}

/// Returns the transaction's index among the posted transactions of its block.
fn index(view: &LightView<'_>, posted: &PostedPayload, tx: &LightTx) -> u128 {
    let place = |chain: &crate::demo::router::light::LightChain| {
        chain.payloads_in(tx.height).iter().position(|(one, _)| one.hash == posted.hash)
    };
    view.look(place).flatten().unwrap_or_default() as u128
}

fn receipt(view: &LightView<'_>, params: &EthParams<'_>) -> EthAnswer {
    found(view, params, |posted, tx| {
        let Some(payload) = posted.read(number(view)).filter(|_| tx.at <= view.now) else { return Value::Null };
        let (block_hash, block) = (hex::encode_prefixed(view.hash(tx.height)), quantity(u128::from(tx.height)));
        let place = index(view, posted, tx);
        let before = |chain: &crate::demo::router::light::LightChain| {
            let all = chain.payloads_in(tx.height);
            let earlier = all.iter().take_while(|(one, _)| one.hash != posted.hash);
            earlier
                .map(|(one, _)| (u128::from(one.gas), one.logs.len() as u128))
                .fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1))
        };
        let (gas, logs) = view.look(before).unwrap_or_default();
        let log = |(nth, log): (u128, &PayloadLog)| {
            json!({
                "address": log.address,
                "topics": log.topics,
                "data": log.data,
                "blockNumber": block,
                "blockHash": block_hash,
                "transactionHash": posted.hash,
                "transactionIndex": quantity(place),
                "logIndex": quantity(logs + nth),
                "removed": false,
            })
        };
        json!({
            "transactionHash": posted.hash,
            "transactionIndex": quantity(place),
            "blockHash": block_hash,
            "blockNumber": block,
            "from": posted.from.to_lowercase(),
            "to": payload.to.map(hex::encode_prefixed),
            "contractAddress": null,
            "cumulativeGasUsed": quantity(gas + u128::from(posted.gas)),
            "gasUsed": quantity(u128::from(posted.gas)),
            "effectiveGasPrice": quantity(posted.price),
            "logs": (0..).zip(&posted.logs).map(log).collect::<Vec<_>>(),
            "logsBloom": bloom(&posted.logs),
            "status": quantity(u128::from(tx.success)),
            "type": quantity(u128::from(payload.kind)),
        })
    })
}

/// Computes the bloom filter over the contracts and topics of logs.
fn bloom(logs: &[PayloadLog]) -> String {
    let mut bloom = Bloom::ZERO;
    for text in logs.iter().flat_map(|log| std::iter::once(&log.address).chain(&log.topics)) {
        bloom.accrue(BloomInput::Raw(&hex::decode(text).unwrap_or_default()));
    }
    hex::encode_prefixed(bloom)
}

fn block_by_number(view: &LightView<'_>, params: &EthParams<'_>) -> EthAnswer {
    let height = height(view, params.value(0))?;
    Ok(if height <= view.tip() { block(view, height, params.is_set(1)) } else { Value::Null })
}

fn block_by_hash(view: &LightView<'_>, params: &EthParams<'_>) -> EthAnswer {
    let (hash, tip) = (params.hash(0)?, view.tip());
    let found = (tip.saturating_sub(HASHES_KEPT)..=tip).rev().find(|height| view.hash(*height) == hash);
    Ok(found.map_or(Value::Null, |height| block(view, height, params.is_set(1))))
}

/// Writes a block with its posted transactions. Its state roots are simulated and prove nothing.
fn block(view: &LightView<'_>, height: u64, is_full: bool) -> Value {
    let posted = |chain: &crate::demo::router::light::LightChain| {
        chain.payloads_in(height).into_iter().map(|(posted, tx)| (posted.clone(), tx.clone())).collect::<Vec<_>>()
    };
    let posted = view.look(posted).unwrap_or_default();
    let gas: u128 = posted.iter().map(|(one, _)| u128::from(one.gas)).sum();
    let logs: Vec<PayloadLog> = posted.iter().flat_map(|(one, _)| one.logs.clone()).collect();
    let write = |(one, tx): &(PostedPayload, LightTx)| {
        if is_full { written_tx(view, one, tx) } else { one.hash.as_str().into() }
    };
    let root = |name: &str| hex::encode_prefixed(filler(name, &view.hash(height)));
    json!({
        "number": quantity(u128::from(height)),
        "hash": hex::encode_prefixed(view.hash(height)),
        "parentHash": hex::encode_prefixed(view.hash(height.saturating_sub(1))),
        "timestamp": quantity(u128::try_from(view.time(height).as_seconds()).unwrap_or(0)),
        "baseFeePerGas": quantity(BASE_FEE),
        "gasLimit": quantity(BLOCK_GAS),
        "gasUsed": quantity(gas),
        "logsBloom": bloom(&logs),
        "transactions": posted.iter().map(write).collect::<Vec<Value>>(),
        "transactionsRoot": root("transactions"),
        "stateRoot": root("state"),
        "receiptsRoot": root("receipts"),
        "miner": crate::demo::ledger::derive::fee_collector().hex(),
        "difficulty": "0x0",
        "extraData": "0x",
        "mixHash": root("mix"),
        "nonce": "0x0000000000000000",
        "sha3Uncles": root("uncles"),
        "size": "0x0",
        "uncles": [],
    })
}
