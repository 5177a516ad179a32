use super::{
    plain::given,
    run::{CallPhrase, EvmCall, EvmRun, TokenFlow, TokenFlows, is_nobody},
};
use crate::{
    domain::Address,
    story::{
        abi::AbiValue,
        context::{evm_logs::SeenLog, proof::Proof},
        words::{clause::VerbForms, sentence::verb},
    },
};

/// Describes deposits and withdrawals of contracts: wrapped coins, vaults (ERC-4626), stakes, rewards. Only logs show a
/// movement; without one the call remains a call.
pub(super) fn render(run: &EvmRun<'_, '_>, call: &EvmCall, signature: &str) -> Option<CallPhrase> {
    let contract = call.to?;
    let caller = call.caller?;
    match signature {
        "deposit()" => wrap(run, call, contract),
        "withdraw(uint256)" => unwrap(run, contract, caller).or_else(|| out_of(run, verb::WITHDRAW, contract, caller)),
        "withdraw()" => out_of(run, verb::WITHDRAW, contract, caller),
        "unstake(uint256)" => out_of(run, verb::UNSTAKE, contract, caller),
        "claim()" | "getReward()" => out_of(run, verb::CLAIM, contract, caller),
        "stake(uint256)" => into(run, call, verb::STAKE, " in "),
        "deposit(uint256)" => into(run, call, verb::DEPOSIT, " into "),
        "deposit(uint256,address)" | "mint(uint256,address)" => {
            let receiver = call.address(1)?;
            let shares = run.flows(receiver).got;
            // Without shares their owner is unknown.
            if shares.is_empty() {
                return into(run, call, verb::DEPOSIT, " into ");
            }
            let phrase = put_into(run, verb::DEPOSIT, " into ", contract, caller)?;
            Some(with_shares(run, phrase, &shares, (caller, receiver)))
        }
        "withdraw(uint256,address,address)" | "redeem(uint256,address,address)" => {
            let (receiver, owner) = (call.address(1)?, call.address(2)?);
            let shares = run.flows(owner).gave;
            let phrase = out_of(run, verb::WITHDRAW, contract, receiver)?;
            Some(with_shares(run, phrase, &shares, (caller, receiver)))
        }
        _ => None,
    }
}

/// Whether the effect of a call only shows in the movements of the whole run.
pub(super) fn is_by_flows(signature: &str) -> bool {
    let name = signature.split('(').next().unwrap_or_default();
    matches!(name, "deposit" | "withdraw" | "unstake" | "claim" | "getReward" | "stake" | "redeem" | "transferRemote")
        || signature == "mint(uint256,address)"
        || name == "fulfillBasicOrder"
}

fn with_shares<'s>(
    run: &EvmRun<'s, '_>,
    phrase: CallPhrase,
    shares: &[TokenFlow<'s>],
    (caller, receiver): (Address, Address),
) -> CallPhrase {
    let words = run.words().then(phrase.rest);
    let words = if shares.is_empty() { words } else { words.text(" for ").then(run.list(shares)) };
    let words = if receiver.is_same_in_logs(&caller) { words } else { words.text(" to ").word(run.who(receiver)) };
    CallPhrase { rest: words.done(), proof: phrase.proof.min(run.rests_on(&[shares])), ..phrase }
}

/// Describes `deposit()` of a contract that wraps or accepts the fee token.
fn wrap(run: &EvmRun<'_, '_>, call: &EvmCall, contract: Address) -> Option<CallPhrase> {
    let log = run.log_of(Some(contract), "Deposit(address,uint256)", |_| true);
    let wrapped = log.and_then(|(seen, reading)| Some((seen, reading.value(1).and_then(AbiValue::number)?)));
    if let Some((seen, amount)) = wrapped {
        let (value, proof) = run.value_of(call.caller, call.to, call.value);
        let words = run.words().then(value).text(" into ").then(run.amount(contract, amount, &[seen.event]));
        let proof = if proof == Proof::Absent { Proof::Reported } else { proof.min(run.standing(contract)) };
        return Some(CallPhrase::moving(verb::WRAP, words, proof).with_value());
    }
    if call.value.is_zero() {
        return into(run, call, verb::DEPOSIT, " into ");
    }
    if !run.context.is_failed() && run.standing(contract) == Proof::Reported {
        return None;
    }
    let (value, proof) = run.value_of(call.caller, call.to, call.value);
    let words = run.words().then(value).text(" into ").word(run.target(call));
    Some(CallPhrase::moving(verb::DEPOSIT, words, proof).with_value())
}

fn unwrap(run: &EvmRun<'_, '_>, contract: Address, caller: Address) -> Option<CallPhrase> {
    let is_ours = |address: Option<Address>| address.is_some_and(|address| address.is_same_in_logs(&caller));
    let log = run.log_of(Some(contract), "Withdrawal(address,uint256)", |reading| {
        is_ours(reading.value(0).and_then(AbiValue::address))
    });
    let (seen, reading) = log?;
    let words = run.words().then(run.amount(contract, reading.value(1)?.number()?, &[seen.event]));
    Some(CallPhrase::moving(verb::UNWRAP, words, run.standing(contract)))
}

/// Describes the caller's payment to the contract, or a burn, in words of the function's name; for an unknown contract
/// only the payment, since any contract may use the name.
fn into(run: &EvmRun<'_, '_>, call: &EvmCall, verb: VerbForms, into: &'static str) -> Option<CallPhrase> {
    let (contract, caller) = (call.to?, call.caller?);
    if run.standing(contract) == Proof::Shown {
        return put_into(run, verb, into, contract, caller);
    }
    let TokenFlows { gave, .. } = flows_to(run, contract, caller);
    (!gave.is_empty()).then(|| given(run, call, &gave, ", giving it "))
}

/// Returns an account's payments to the contract, or burns.
fn flows_to<'s>(run: &EvmRun<'s, '_>, contract: Address, caller: Address) -> TokenFlows<'s> {
    let mut flows = run.flows(caller);
    flows.gave.retain(|flow| flow.logs.iter().any(|seen| ends(seen).is_some_and(|(_, to)| is_of(to, contract))));
    flows
}

/// Describes "{verb} {amounts} into {contract}"; nothing if the funds went elsewhere.
fn put_into(
    run: &EvmRun<'_, '_>,
    verb: VerbForms,
    into: &'static str,
    contract: Address,
    caller: Address,
) -> Option<CallPhrase> {
    let TokenFlows { gave, .. } = flows_to(run, contract, caller);
    if gave.is_empty() {
        return None;
    }
    let words = run.words().then(run.list(&gave)).text(into).word(run.context.contract(contract));
    Some(CallPhrase::moving(verb, words, run.rests_on(&[&gave])))
}

/// Describes an account's income from the contract, or mints; nothing if it came from elsewhere.
fn out_of(run: &EvmRun<'_, '_>, verb: VerbForms, contract: Address, receiver: Address) -> Option<CallPhrase> {
    let TokenFlows { mut got, .. } = run.flows(receiver);
    got.retain(|flow| flow.logs.iter().any(|seen| ends(seen).is_some_and(|(from, _)| is_of(from, contract))));
    if got.is_empty() {
        return None;
    }
    let words = run.words().then(run.list(&got)).text(" from ").word(run.context.contract(contract));
    Some(CallPhrase::moving(verb, words, run.rests_on(&[&got])))
}

fn ends(seen: &SeenLog) -> Option<(Address, Address)> {
    seen.movement.map(|movement| (movement.from, movement.to))
}

fn is_of(account: Address, contract: Address) -> bool {
    account.is_same_in_logs(&contract) || is_nobody(account)
}
