use super::run::{CallPhrase, EvmCall, EvmRun, TokenFlows, is_nobody, list};
use crate::{
    domain::{Address, Amount},
    story::{AbiValue, Argument, Phrase, sentence::verb},
};

/// What a swap asks for: of which token how much, and the least or most of the other.
struct TradeOrder {
    token_in: Option<Address>,
    amount_in: Amount,
    token_out: Option<Address>,
    amount_out: Amount,
    /// Whether what goes in is exact, so that what comes out is the least.
    is_exact_in: bool,
    recipient: Option<Address>,
}

/// Swaps and liquidity of the common exchanges.
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

/// What the functions of the routers ask for. A missing token is the fee token.
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

/// The orders of v3 routers, whose parameters are fields of one tuple.
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
            Some(token) => run.words().coin(&run.coin(token, amount)).done(),
            None => run.value(&EvmCall { value: amount, ..call.clone() }),
        }
    };
    let (most, least) = if order.is_exact_in { ("", " for at least ") } else { ("at most ", " for ") };
    let words = if most.is_empty() { run.words() } else { run.words().text(most) };
    let words = words.then(side(order.token_in, order.amount_in)).text(least);
    let words = words.then(side(order.token_out, order.amount_out));
    Some(CallPhrase::new(verb::SWAP, words).with_value())
}

/// What the caller gave and the recipient got. A recipient that stands for the router or for the caller hands on.
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
    let words = list(list(run.words(), &gave).text(" for "), &got);
    let words = if caller.is_same_in_logs(&recipient) { words } else { words.text(" to ").word(run.who(recipient)) };
    Some(CallPhrase::new(verb::SWAP, words).with_value())
}

fn liquidity(run: &EvmRun<'_, '_>, call: &EvmCall, signature: &str) -> Option<CallPhrase> {
    let (name, _) = signature.split_once('(')?;
    let TokenFlows { gave, got } = run.flows(call.caller?);
    let position = |place: usize| {
        let fields = call.reading.value(0)?.fields();
        Some(format!("liquidity position #{}", fields.get(place)?.value.number()?))
    };
    match name {
        "addLiquidity" | "addLiquidityETH" if gave.is_empty() && run.context.is_failed() => {
            let side = |token, amount| Some(run.coin(call.address(token)?, call.number(amount)?));
            let words = match name {
                "addLiquidity" => run.words().coin(&side(0, 2)?).text(" and ").coin(&side(1, 3)?),
                _ => run.words().coin(&side(0, 1)?).text(" and ").then(run.value(call)),
            };
            Some(CallPhrase::new(verb::ADD, words.text(" as liquidity")).with_value())
        }
        "addLiquidity" | "addLiquidityETH" if !gave.is_empty() => {
            let words = list(run.words(), &gave).text(" as liquidity");
            let words = if got.is_empty() { words } else { list(words.text(" and received "), &got) };
            Some(CallPhrase::new(verb::ADD, words).with_value())
        }
        "removeLiquidity" | "removeLiquidityETH" if !got.is_empty() => {
            let words = list(run.words(), &got).text(" from liquidity");
            let words = if gave.is_empty() { words } else { list(words.text(" for "), &gave) };
            Some(CallPhrase::new(verb::TAKE, words))
        }
        "mint" if signature.starts_with("mint((") && !gave.is_empty() => {
            let made = run.readings("IncreaseLiquidity(uint256,uint128,uint256,uint256)").next();
            let words = list(run.words().text("a liquidity position with "), &gave);
            let words = match made.and_then(|(event, _, reading)| Some((event, reading.value(0)?.number()?))) {
                Some((event, id)) => words.text(format!(" (position #{id})")).by([event]),
                None => words,
            };
            Some(CallPhrase::new(verb::OPEN, words).with_value())
        }
        "increaseLiquidity" if !gave.is_empty() => {
            let words = list(run.words(), &gave).text(" to ").text(position(0)?);
            Some(CallPhrase::new(verb::ADD, words).with_value())
        }
        "decreaseLiquidity" => {
            let log = run.readings("DecreaseLiquidity(uint256,uint128,uint256,uint256)").next();
            let words = run.words().text("liquidity of ").text(position(0)?).by(log.map(|(event, ..)| event));
            Some(CallPhrase::new(verb::RELEASE, words))
        }
        "collect" if signature.starts_with("collect((") && !got.is_empty() => {
            let words = list(run.words(), &got).text(" from ").text(position(0)?);
            Some(CallPhrase::new(verb::COLLECT, words))
        }
        "createPool" | "createPair" | "createAndInitializePoolIfNecessary" => pool(run, call),
        _ => None,
    }
}

/// "created a pool for {token} and {token} at {address}".
fn pool(run: &EvmRun<'_, '_>, call: &EvmCall) -> Option<CallPhrase> {
    let words = run.words().text("a pool for ").word(run.token(call.address(0)?)).text(" and ");
    let words = words.word(run.token(call.address(1)?));
    Some(CallPhrase::new(
        verb::CREATE,
        match created_pool(run) {
            Some((_, event, pool)) => words.text(" at ").word(run.context.contract(pool)).by([event]),
            None => words,
        },
    ))
}

/// The pool that a run made, as its factory tells: which kind, by which event, where.
pub(super) fn created_pool(run: &EvmRun<'_, '_>) -> Option<(&'static str, usize, Address)> {
    const KINDS: [(&str, &str, usize); 2] = [
        ("v3", "PoolCreated(address,address,uint24,int24,address)", 4),
        ("v2", "PairCreated(address,address,address,uint256)", 2),
    ];
    KINDS.iter().find_map(|(kind, signature, place)| {
        let (event, _, reading) = run.readings(signature).next()?;
        Some((*kind, event, reading.value(*place)?.address().filter(|pool| !is_nobody(*pool))?))
    })
}
