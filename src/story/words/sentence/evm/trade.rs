use super::{
    flows::TokenFlows,
    plain::given,
    run::{CallPhrase, EvmCall, EvmRun, is_nobody},
};
use crate::{
    domain::{Address, Amount},
    story::{
        abi::{AbiValue, Argument},
        context::{evm_logs::SeenLog, proof::Proof},
        words::{clause::VerbForms, phrase::Phrase, sentence::verb},
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
    let TokenFlows { gave, got } = run.exchanged(caller, recipient);
    if gave.is_empty() || got.is_empty() {
        return None;
    }
    let words = run.words().then(run.list(&gave)).text(" for ").then(run.list(&got));
    let words = if caller.is_same_in_logs(&recipient) { words } else { words.text(" to ").word(run.who(recipient)) };
    Some(CallPhrase::moving(verb::SWAP, words, run.rests_on(&[&gave, &got])).with_value())
}

/// Events of a position contract, with the position and its two amounts.
const INCREASE: &str = "IncreaseLiquidity(uint256,uint128,uint256,uint256)";
const COLLECT: &str = "Collect(uint256,address,uint256,uint256)";
/// Events of a v2 pool about added and removed liquidity.
const POOL_ADDED: &str = "Mint(address,uint256,uint256)";
const POOL_REMOVED: &str = "Burn(address,uint256,uint256,address)";

fn liquidity(run: &EvmRun<'_, '_>, call: &EvmCall, signature: &str) -> Option<CallPhrase> {
    match signature.split_once('(')?.0 {
        "addLiquidity" | "addLiquidityETH" => added(run, call, signature),
        "removeLiquidity" | "removeLiquidityETH" => removed(run, call),
        "mint" if signature.starts_with("mint((") => position(run, call, INCREASE, verb::OPEN),
        "increaseLiquidity" => position(run, call, INCREASE, verb::ADD),
        "collect" if signature.starts_with("collect((") => position(run, call, COLLECT, verb::COLLECT),
        "decreaseLiquidity" => {
            let asked = position_asked(call)?;
            let log = run.log_of(call.to, "DecreaseLiquidity(uint256,uint128,uint256,uint256)", |reading| {
                reading.value(0).and_then(AbiValue::number) == Some(asked)
            });
            let proof = log.as_ref().map_or(Proof::Absent, |(seen, _)| run.standing(seen.contract));
            let words = run.words().text(format!("liquidity of position #{asked}")).by(log.map(|(seen, _)| seen.event));
            Some(CallPhrase::new(verb::RELEASE, words, proof))
        }
        "createPool" | "createPair" | "createAndInitializePoolIfNecessary" => pool(run, call),
        _ => None,
    }
}

/// Returns the evidence that the call was about liquidity: a known address, or the log of a pool in these flows.
fn pool_proof(run: &EvmRun<'_, '_>, call: &EvmCall, event: &'static str, flows: &TokenFlows<'_>) -> Option<Proof> {
    if call.to.is_some_and(|to| run.standing(to) == Proof::Shown) {
        return Some(Proof::Shown);
    }
    let (seen, _) = run.readings(event).find(|(seen, _)| flows.involve(seen.contract))?;
    run.take(seen);
    Some(run.standing(seen.contract))
}

fn added(run: &EvmRun<'_, '_>, call: &EvmCall, signature: &str) -> Option<CallPhrase> {
    let caller = call.caller?;
    if run.context.is_failed() {
        let side = |token, amount| Some(run.amount(call.address(token)?, call.number(amount)?, &[]));
        let words = if signature.starts_with("addLiquidity(") {
            run.words().then(side(0, 2)?).text(" and ").then(side(1, 3)?)
        } else {
            run.words().then(side(0, 1)?).text(" and ").then(run.value(call))
        };
        return Some(CallPhrase::moving(verb::ADD, words.text(" as liquidity"), Proof::Absent).with_value());
    }
    let flows = run.exchanged(caller, caller);
    if let Some(proof) = pool_proof(run, call, POOL_ADDED, &flows).filter(|_| !flows.gave.is_empty()) {
        let words = run.words().then(run.list(&flows.gave)).text(" as liquidity");
        let words = if flows.got.is_empty() { words } else { words.text(" and received ").then(run.list(&flows.got)) };
        let proof = run.rests_on(&[&flows.gave, &flows.got]).min(proof);
        return Some(CallPhrase::moving(verb::ADD, words, proof).with_value());
    }
    let gave = run.flows(caller).gave;
    (!gave.is_empty()).then(|| given(run, call, &gave, ", giving ").with_value())
}

fn removed(run: &EvmRun<'_, '_>, call: &EvmCall) -> Option<CallPhrase> {
    let flows = run.exchanged(call.caller?, call.caller?);
    if flows.gave.is_empty() || flows.got.is_empty() {
        return None;
    }
    let proof = pool_proof(run, call, POOL_REMOVED, &flows)?;
    let words = run.words().then(run.list(&flows.got)).text(" from liquidity for ").then(run.list(&flows.gave));
    Some(CallPhrase::moving(verb::WITHDRAW, words, run.rests_on(&[&flows.gave, &flows.got]).min(proof)))
}

fn position_asked(call: &EvmCall) -> Option<Amount> {
    call.reading.value(0)?.fields().first()?.value.number()
}

/// Describes a position by the log of its contract: amounts that opened it, or were added or collected. Only amounts in
/// the log count.
fn position(run: &EvmRun<'_, '_>, call: &EvmCall, event: &'static str, verb: VerbForms) -> Option<CallPhrase> {
    let (caller, contract) = (call.caller?, call.to?);
    let TokenFlows { gave, got } = run.flows(caller);
    let moved = if event == COLLECT { got } else { gave };
    let is_asked = |id: Option<Amount>| verb == verb::OPEN || id == position_asked(call);
    let made = run.log_of(Some(contract), event, |reading| is_asked(reading.value(0).and_then(AbiValue::number)));
    let Some((seen, reading)) = made else {
        let is_given = event == INCREASE && !moved.is_empty() && run.standing(contract) == Proof::Reported;
        return is_given.then(|| given(run, call, &moved, ", giving ").with_value());
    };
    let [id, one, other] = [0, 2, 3].map(|place| reading.value(place).and_then(AbiValue::number));
    let mut moved = moved;
    moved.retain(|flow| [one, other].contains(&Some(flow.amount)));
    if moved.is_empty() {
        return None;
    }
    let (id, list) = (id?, run.list(&moved));
    let words = match verb {
        verb::OPEN => {
            let words = run.words().text("a liquidity position with ").then(list);
            words.text(format!(" (position #{id})")).by([seen.event])
        }
        verb::ADD => run.words().then(list).text(format!(" to liquidity position #{id}")).by([seen.event]),
        _ => run.words().then(list).text(format!(" from liquidity position #{id}")).by([seen.event]),
    };
    let phrase = CallPhrase::moving(verb, words, run.rests_on(&[&moved]).min(run.standing(contract)));
    Some(if event == INCREASE { phrase.with_value() } else { phrase })
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
