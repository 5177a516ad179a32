use super::{
    flows::{TokenFlow, TokenFlows},
    plain::given,
    run::{CallPhrase, EvmCall, EvmRun},
};
use crate::{
    domain::Address,
    story::{
        abi::{AbiReading, AbiValue},
        context::proof::Proof,
        words::{clause::VerbForms, sentence::verb},
    },
};

/// Describes deposits and withdrawals of contracts: wrapped coins, vaults (ERC-4626), stakes, rewards. Only logs show a
/// movement; without one the call remains a call.
pub(super) fn render(run: &EvmRun<'_, '_>, call: &EvmCall, signature: &str) -> Option<CallPhrase> {
    let contract = call.to?;
    let caller = call.caller?;
    match signature {
        "deposit()" => wrap(run, call, contract, caller),
        "withdraw(uint256)" => unwrap(run, contract, caller).or_else(|| out_of(run, verb::WITHDRAW, contract, caller)),
        "withdraw()" => out_of(run, verb::WITHDRAW, contract, caller),
        "unstake(uint256)" => out_of(run, verb::UNSTAKE, contract, caller),
        "claim()" | "getReward()" => out_of(run, verb::CLAIM, contract, caller),
        "stake(uint256)" => into(run, call, verb::STAKE, " in "),
        "deposit(uint256)" => into(run, call, verb::DEPOSIT, " into "),
        "deposit(uint256,address)" | "mint(uint256,address)" => {
            let receiver = call.address(1)?;
            let shares = run.flows_with(receiver, contract).got;
            // Without shares their owner is unknown.
            if shares.is_empty() {
                return into(run, call, verb::DEPOSIT, " into ");
            }
            let phrase = put_into(run, verb::DEPOSIT, " into ", contract, caller)?;
            Some(with_shares(run, phrase, (&shares, caller), (caller, receiver)))
        }
        "withdraw(uint256,address,address)" | "redeem(uint256,address,address)" => {
            let (receiver, owner) = (call.address(1)?, call.address(2)?);
            let shares = run.flows_with(owner, contract).gave;
            let phrase = out_of(run, verb::WITHDRAW, contract, receiver)?;
            Some(with_shares(run, phrase, (&shares, owner), (caller, receiver)))
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

/// Adds the shares and their owner, and the receiver, where these are not the caller.
fn with_shares<'s>(
    run: &EvmRun<'s, '_>,
    phrase: CallPhrase,
    (shares, owner): (&[TokenFlow<'s>], Address),
    (caller, receiver): (Address, Address),
) -> CallPhrase {
    let is_other = |account: Address| !account.is_same_in_logs(&caller);
    let words = run.words().then(phrase.rest);
    let words = if shares.is_empty() { words } else { words.text(" for ").then(run.list(shares)) };
    let words = if shares.is_empty() || !is_other(owner) { words } else { words.text(" of ").word(run.who(owner)) };
    let words = if is_other(receiver) { words.text(" to ").word(run.who(receiver)) } else { words };
    CallPhrase { rest: words.done(), proof: phrase.proof.min(run.rests_on(&[shares])), ..phrase }
}

/// Describes `deposit()` of a contract that wraps or accepts the fee token.
fn wrap(run: &EvmRun<'_, '_>, call: &EvmCall, contract: Address, caller: Address) -> Option<CallPhrase> {
    if call.value.is_zero() {
        return into(run, call, verb::DEPOSIT, " into ");
    }
    let log = run.log_of(Some(contract), "Deposit(address,uint256)", |reading| is_of(reading, caller));
    let wrapped = log.and_then(|(seen, reading)| Some((seen, reading.value(1).and_then(AbiValue::number)?)));
    if let Some((seen, amount)) = wrapped {
        let (value, proof) = run.value_of(call.caller, call.to, call.value);
        let words = run.words().then(value).text(" into ").then(run.amount(contract, amount, &[seen.event]));
        take_own(run, contract, caller);
        let proof = if proof == Proof::Absent { Proof::Reported } else { proof.min(run.standing(contract)) };
        return Some(CallPhrase::moving(verb::WRAP, words, proof).with_value());
    }
    if !run.context.is_failed() && run.standing(contract) == Proof::Reported {
        return None;
    }
    let (value, proof) = run.value_of(call.caller, call.to, call.value);
    let words = run.words().then(value).text(" into ").word(run.target(call));
    Some(CallPhrase::moving(verb::DEPOSIT, words, proof).with_value())
}

fn unwrap(run: &EvmRun<'_, '_>, contract: Address, caller: Address) -> Option<CallPhrase> {
    let log = run.log_of(Some(contract), "Withdrawal(address,uint256)", |reading| is_of(reading, caller));
    let (seen, reading) = log?;
    let words = run.words().then(run.amount(contract, reading.value(1)?.number()?, &[seen.event]));
    take_own(run, contract, caller);
    let got = run.flows_with(caller, contract).got;
    let words = if got.is_empty() { words } else { words.text(" into ").then(run.list(&got)) };
    Some(CallPhrase::moving(verb::UNWRAP, words, run.rests_on(&[&got]).min(run.standing(contract))))
}

/// Claims the transfers that repeat a wrapping.
fn take_own(run: &EvmRun<'_, '_>, contract: Address, caller: Address) {
    let own = run.flows_where(caller, |movement, _| movement.contract == contract);
    run.rests_on(&[&own.gave, &own.got]);
}

/// Whether a contract's log is about this account.
fn is_of(reading: &AbiReading, account: Address) -> bool {
    reading.value(0).and_then(AbiValue::address).is_some_and(|address| address.is_same_in_logs(&account))
}

/// Describes the caller's payment to the contract in words of the function's name; for an unknown contract only the
/// payment, since any contract may use the name.
fn into(run: &EvmRun<'_, '_>, call: &EvmCall, verb: VerbForms, into: &'static str) -> Option<CallPhrase> {
    let (contract, caller) = (call.to?, call.caller?);
    if run.standing(contract) == Proof::Shown {
        return put_into(run, verb, into, contract, caller);
    }
    let TokenFlows { gave, .. } = run.flows_with(caller, contract);
    (!gave.is_empty()).then(|| given(run, call, &gave, ", giving it "))
}

/// Describes "{verb} {amounts} into {contract}"; nothing if the funds went elsewhere.
fn put_into(
    run: &EvmRun<'_, '_>,
    verb: VerbForms,
    into: &'static str,
    contract: Address,
    caller: Address,
) -> Option<CallPhrase> {
    let TokenFlows { gave, .. } = run.flows_with(caller, contract);
    if gave.is_empty() {
        return None;
    }
    let words = run.words().then(run.list(&gave)).text(into).word(run.context.contract(contract));
    Some(CallPhrase::moving(verb, words, run.rests_on(&[&gave])))
}

/// Describes an account's income from the contract; nothing if it came from elsewhere.
fn out_of(run: &EvmRun<'_, '_>, verb: VerbForms, contract: Address, receiver: Address) -> Option<CallPhrase> {
    let TokenFlows { got, .. } = run.flows_with(receiver, contract);
    if got.is_empty() {
        return None;
    }
    let words = run.words().then(run.list(&got)).text(" from ").word(run.context.contract(contract));
    Some(CallPhrase::moving(verb, words, run.rests_on(&[&got])))
}
