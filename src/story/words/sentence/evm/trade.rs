use super::{
    plain::given,
    run::{CallPhrase, EvmCall, EvmRun, TokenFlows, is_nobody},
};
use crate::{
    domain::{Address, Amount},
    story::{
        abi::{AbiValue, Argument},
        context::{evm_logs::SeenLog, proof::Proof},
        words::{phrase::Phrase, sentence::verb},
    },
};

/// Order of a swap: tokens and amounts, one of them a limit.
struct TradeOrder {
    token_in: Option<Address>,
    amount_in: Amount,
    token_out: Option<Address>,
    amount_out: Amount,
    /// Whether the input is exact and the output a minimum.
    is_exact_in: bool,
    recipient: Option<Address>,
}

/// Describes swaps and liquidity of common exchanges.
pub(super) fn render(run: &EvmRun<'_, '_>, call: &EvmCall, signature: &str) -> Option<CallPhrase> {
    if let Some(order) = order(call, signature) {
        return swap(run, call, &order);
    }
    match signature {
        "execute(bytes,bytes[],uint256)" | "execute(bytes,bytes[])" => exchange(run, call, call.caller?),
        "swap(uint256,uint256,address,bytes)" => exchange(run, call, call.address(2)?),
        "swap(address,bool,int256,uint160,bytes)" => exchange(run, call, call.address(0)?),
        _ => liquidity(run, call, signature),
    }
}

/// Returns the order in a router function's arguments. A missing token is the fee token.
fn order(call: &EvmCall, signature: &str) -> Option<TradeOrder> {
    let (name, _) = signature.split_once('(')?;
    let path = |place: usize| {
        let tokens = call.reading.value(place)?.items();
        Some((tokens.first()?.address()?, tokens.last()?.address()?))
    };
    let number = |place| call.number(place);
    let order = |tokens: (Option<Address>, Option<Address>), amount_in, amount_out, is_exact_in, recipient| {
        TradeOrder { token_in: tokens.0, amount_in, token_out: tokens.1, amount_out, is_exact_in, recipient }
    };
    let (first, last) = match name {
        "swapExactETHForTokens" | "swapExactETHForTokensSupportingFeeOnTransferTokens" | "swapETHForExactTokens" => {
            path(1)?
        }
        name if name.starts_with("swap") && signature.contains("address[]") => path(2)?,
        _ => return single(call, name),
    };
    let (first, last) = (Some(first), Some(last));
    Some(match name {
        "swapExactETHForTokens" | "swapExactETHForTokensSupportingFeeOnTransferTokens" => {
            order((None, last), call.value, number(0)?, true, call.address(2))
        }
        "swapETHForExactTokens" => order((None, last), call.value, number(0)?, false, call.address(2)),
        "swapTokensForExactTokens" => order((first, last), number(1)?, number(0)?, false, call.address(3)),
        "swapTokensForExactETH" => order((first, None), number(1)?, number(0)?, false, call.address(3)),
        "swapExactTokensForETH" | "swapExactTokensForETHSupportingFeeOnTransferTokens" => {
            order((first, None), number(0)?, number(1)?, true, call.address(3))
        }
        "swapExactTokensForTokens" | "swapExactTokensForTokensSupportingFeeOnTransferTokens" => {
            order((first, last), number(0)?, number(1)?, true, call.address(3))
        }
        _ => return None,
    })
}

/// Returns the order of a v3 router, whose parameters form one tuple.
fn single(call: &EvmCall, name: &str) -> Option<TradeOrder> {
    if !matches!(name, "exactInputSingle" | "exactInput" | "exactOutputSingle") {
        return None;
    }
    let fields = call.reading.value(0)?.fields();
    let field = |name: &str| fields.iter().find(|field: &&Argument| &*field.name == name).map(|field| &field.value);
    let number = |name: &str| field(name)?.number();
    let (token_in, token_out) = match field("path").and_then(AbiValue::bytes) {
        Some(path) => (path.first_chunk::<20>().copied(), path.last_chunk::<20>().copied()),
        None => (None, None),
    };
    let address = |bytes: Option<[u8; 20]>| bytes.map(Address::Short);
    Some(TradeOrder {
        token_in: address(token_in).or_else(|| field("tokenIn")?.address()),
        token_out: address(token_out).or_else(|| field("tokenOut")?.address()),
        amount_in: number("amountIn").or_else(|| number("amountInMaximum"))?,
        amount_out: number("amountOutMinimum").or_else(|| number("amountOut"))?,
        is_exact_in: name != "exactOutputSingle",
        recipient: field("recipient").and_then(AbiValue::address),
    })
}

fn swap(run: &EvmRun<'_, '_>, call: &EvmCall, order: &TradeOrder) -> Option<CallPhrase> {
    let recipient = order.recipient.or(call.caller)?;
    if let Some(phrase) = exchange(run, call, recipient) {
        return Some(phrase);
    }
    if !run.context.is_failed() {
        return None;
    }
    let side = |token: Option<Address>, amount: Amount| -> Vec<Phrase> {
        match token {
            Some(token) => run.amount(token, amount, &[]),
            None => run.value(&EvmCall { value: amount, ..call.clone() }),
        }
    };
    let (most, least) = if order.is_exact_in { ("", " for at least ") } else { ("at most ", " for ") };
    let words = if most.is_empty() { run.words() } else { run.words().text(most) };
    let words = words.then(side(order.token_in, order.amount_in)).text(least);
    let words = words.then(side(order.token_out, order.amount_out));
    Some(CallPhrase::moving(verb::SWAP, words, Proof::Absent).with_value())
}

/// Whether the effect of a call only shows in the movements of the whole run.
pub(super) fn is_by_flows(signature: &str) -> bool {
    let name = signature.split('(').next().unwrap_or_default();
    let is_position = signature.starts_with("mint((") || signature.starts_with("collect((");
    is_position
        || name.starts_with("swap")
        || name.starts_with("exact")
        || name.starts_with("addLiquidity")
        || name.starts_with("removeLiquidity")
        || matches!(name, "execute" | "increaseLiquidity")
}

/// Describes what the caller gave and the recipient got. A recipient that stands for the router or the caller passes
/// the funds on.
fn exchange(run: &EvmRun<'_, '_>, call: &EvmCall, recipient: Address) -> Option<CallPhrase> {
    let caller = call.caller?;
    let stands_for_another = |address: Address| {
        let bytes = address.bytes();
        bytes.iter().rev().skip(1).all(|&byte| byte == 0) || Some(address) == call.to
    };
    let recipient = if stands_for_another(recipient) { caller } else { recipient };
    let (gave, got) = (run.flows(caller).gave, run.flows(recipient).got);
    if gave.is_empty() || got.is_empty() {
        return None;
    }
    let words = run.words().then(run.list(&gave)).text(" for ").then(run.list(&got));
    let words = if caller.is_same_in_logs(&recipient) { words } else { words.text(" to ").word(run.who(recipient)) };
    Some(CallPhrase::moving(verb::SWAP, words, run.rests_on(&[&gave, &got])).with_value())
}

/// Event of a position contract about added liquidity.
const INCREASE: &str = "IncreaseLiquidity(uint256,uint128,uint256,uint256)";

fn liquidity(run: &EvmRun<'_, '_>, call: &EvmCall, signature: &str) -> Option<CallPhrase> {
    let (name, _) = signature.split_once('(')?;
    let TokenFlows { gave, got } = run.flows(call.caller?);
    let id = |place: usize| call.reading.value(0)?.fields().get(place)?.value.number();
    let position = |place: usize| Some(format!("liquidity position #{}", id(place)?));
    let is_stranger = call.to.is_some_and(|to| run.standing(to) == Proof::Reported);
    match name {
        "addLiquidity" | "addLiquidityETH" if gave.is_empty() && run.context.is_failed() => {
            let side = |token, amount| Some(run.amount(call.address(token)?, call.number(amount)?, &[]));
            let words = match name {
                "addLiquidity" => run.words().then(side(0, 2)?).text(" and ").then(side(1, 3)?),
                _ => run.words().then(side(0, 1)?).text(" and ").then(run.value(call)),
            };
            Some(CallPhrase::moving(verb::ADD, words.text(" as liquidity"), Proof::Absent).with_value())
        }
        "addLiquidity" | "addLiquidityETH" if !gave.is_empty() && got.is_empty() && is_stranger => {
            Some(given(run, call, &gave, ", giving ").with_value())
        }
        "addLiquidity" | "addLiquidityETH" if !gave.is_empty() => {
            let words = run.words().then(run.list(&gave)).text(" as liquidity");
            let words = if got.is_empty() { words } else { words.text(" and received ").then(run.list(&got)) };
            Some(CallPhrase::moving(verb::ADD, words, run.rests_on(&[&gave, &got])).with_value())
        }
        "removeLiquidity" | "removeLiquidityETH" if !got.is_empty() => {
            let words = run.words().then(run.list(&got)).text(" from liquidity");
            let words = if gave.is_empty() { words } else { words.text(" for ").then(run.list(&gave)) };
            Some(CallPhrase::moving(verb::WITHDRAW, words, run.rests_on(&[&gave, &got])))
        }
        "mint" if signature.starts_with("mint((") && !gave.is_empty() => {
            let made = run.log_of(call.to, INCREASE, |_| true);
            if made.is_none() && is_stranger {
                return Some(given(run, call, &gave, ", giving ").with_value());
            }
            let words = run.words().text("a liquidity position with ").then(run.list(&gave));
            let words = match made.and_then(|(seen, reading)| Some((seen.event, reading.value(0)?.number()?))) {
                Some((event, id)) => words.text(format!(" (position #{id})")).by([event]),
                None => words,
            };
            let proof = run.rests_on(&[&gave]).min(call.to.map_or(Proof::Reported, |to| run.standing(to)));
            Some(CallPhrase::moving(verb::OPEN, words, proof).with_value())
        }
        "increaseLiquidity" if !gave.is_empty() => {
            let made = run.log_of(call.to, INCREASE, |reading| reading.value(0).and_then(AbiValue::number) == id(0));
            if made.is_none() && is_stranger {
                return Some(given(run, call, &gave, ", giving ").with_value());
            }
            let words = run.words().then(run.list(&gave)).text(" to ").text(position(0)?);
            let proof = run.rests_on(&[&gave]).min(call.to.map_or(Proof::Reported, |to| run.standing(to)));
            Some(CallPhrase::moving(verb::ADD, words, proof).with_value())
        }
        "decreaseLiquidity" => {
            let asked = id(0)?;
            let log = run.log_of(call.to, "DecreaseLiquidity(uint256,uint128,uint256,uint256)", |reading| {
                reading.value(0).and_then(AbiValue::number) == Some(asked)
            });
            let proof = log.as_ref().map_or(Proof::Absent, |(seen, _)| run.standing(seen.contract));
            let words = run.words().text(format!("liquidity of position #{asked}")).by(log.map(|(seen, _)| seen.event));
            Some(CallPhrase::new(verb::RELEASE, words, proof))
        }
        "collect" if signature.starts_with("collect((") && !got.is_empty() => {
            let words = run.words().then(run.list(&got)).text(" from ").text(position(0)?);
            Some(CallPhrase::moving(verb::COLLECT, words, run.rests_on(&[&got])))
        }
        "createPool" | "createPair" | "createAndInitializePoolIfNecessary" => pool(run, call),
        _ => None,
    }
}

/// Describes "created a pool for {token} and {token} at {address}".
fn pool(run: &EvmRun<'_, '_>, call: &EvmCall) -> Option<CallPhrase> {
    let asked = [call.address(0)?, call.address(1)?];
    let words = |[one, other]: [Address; 2]| {
        run.words().text("a pool for ").then(run.token(one)).text(" and ").then(run.token(other))
    };
    Some(match created_pool(run, |pair| pair == asked || [pair[1], pair[0]] == asked) {
        Some(pool) => {
            let words = words(asked).text(" at ").word(run.context.contract(pool.address)).by([pool.seen.event]);
            CallPhrase::new(verb::CREATE, words, run.standing(pool.seen.contract))
        }
        None => CallPhrase::new(verb::CREATE, words(asked), Proof::Absent),
    })
}

/// Pool created in the run, by its factory's log.
pub(super) struct CreatedPool<'s> {
    pub(super) kind: &'static str,
    pub(super) address: Address,
    pub(super) seen: &'s SeenLog,
}

/// Claims the log of the first new pool with matching tokens.
pub(super) fn created_pool<'s>(run: &EvmRun<'s, '_>, fits: impl Fn([Address; 2]) -> bool) -> Option<CreatedPool<'s>> {
    const KINDS: [(&str, &str, usize); 2] = [
        ("v3", "PoolCreated(address,address,uint24,int24,address)", 4),
        ("v2", "PairCreated(address,address,address,uint256)", 2),
    ];
    let pool = KINDS.iter().find_map(|(kind, signature, place)| {
        run.readings(signature).find_map(|(seen, reading)| {
            let pair = [reading.value(0)?.address()?, reading.value(1)?.address()?];
            let address = reading.value(*place)?.address().filter(|pool| !is_nobody(*pool) && fits(pair))?;
            Some(CreatedPool { kind, address, seen })
        })
    })?;
    run.take(pool.seen);
    Some(pool)
}
