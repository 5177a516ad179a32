use super::run::{CallPhrase, EvmCall, EvmRun, TokenFlow, TokenFlows, list};
use crate::story::context::VerbForms;
use crate::story::sentence::verb;
use crate::{domain::Address, story::AbiValue};

/// What goes into a contract and comes out again: wrapped coins, vaults (ERC-4626), stakes, rewards. What moved is what the
/// logs say; a call of such a function without any is only a call.
pub(super) fn render(run: &EvmRun<'_, '_>, call: &EvmCall, signature: &str) -> Option<CallPhrase> {
    let contract = call.to?;
    let caller = call.caller?;
    let TokenFlows { gave, got } = run.flows(caller);
    match signature {
        "deposit()" => Some(wrap(run, call, contract, &gave)?),
        "withdraw(uint256)" => {
            let unwrapped = run.readings("Withdrawal(address,uint256)").find(|(_, of, _)| *of == contract);
            match unwrapped {
                Some((event, _, reading)) => {
                    let coin = run.coin(contract, reading.value(1)?.number()?);
                    Some(CallPhrase::new(verb::UNWRAP, run.words().coin(&coin).by([event])))
                }
                None => out_of(run, verb::WITHDRAW, contract, &got),
            }
        }
        "withdraw()" => out_of(run, verb::WITHDRAW, contract, &got),
        "unstake(uint256)" => out_of(run, verb::UNSTAKE, contract, &got),
        "claim()" | "getReward()" => out_of(run, verb::CLAIM, contract, &got),
        "stake(uint256)" => into(run, verb::STAKE, " in ", contract, &gave),
        "deposit(uint256)" => into(run, verb::DEPOSIT, " into ", contract, &gave),
        "deposit(uint256,address)" | "mint(uint256,address)" => {
            let receiver = call.address(1)?;
            let shares = run.flows(receiver).got;
            let phrase = into(run, verb::DEPOSIT, " into ", contract, &gave)?;
            let words = run.words().then(phrase.rest);
            let words = if shares.is_empty() { words } else { list(words.text(" for "), &shares) };
            let words =
                if receiver.is_same_in_logs(&caller) { words } else { words.text(" to ").word(run.who(receiver)) };
            Some(CallPhrase::new(verb::DEPOSIT, words))
        }
        "withdraw(uint256,address,address)" | "redeem(uint256,address,address)" => {
            let (receiver, owner) = (call.address(1)?, call.address(2)?);
            let (shares, assets) = (run.flows(owner).gave, run.flows(receiver).got);
            let phrase = out_of(run, verb::WITHDRAW, contract, &assets)?;
            let words = run.words().then(phrase.rest);
            let words = if shares.is_empty() { words } else { list(words.text(" for "), &shares) };
            let words =
                if receiver.is_same_in_logs(&caller) { words } else { words.text(" to ").word(run.who(receiver)) };
            Some(CallPhrase::new(verb::WITHDRAW, words))
        }
        _ => None,
    }
}

/// `deposit()` of a contract that wraps the fee token, or of any that takes it.
fn wrap(run: &EvmRun<'_, '_>, call: &EvmCall, contract: Address, gave: &[TokenFlow]) -> Option<CallPhrase> {
    let wrapped = run.readings("Deposit(address,uint256)").find(|(_, of, _)| *of == contract);
    if let Some((event, _, reading)) = wrapped {
        let coin = run.coin(contract, reading.value(1).and_then(AbiValue::number)?);
        let words = run.words().then(run.value(call)).text(" into ").coin(&coin).by([event]);
        return Some(CallPhrase::new(verb::WRAP, words).with_value());
    }
    if call.value.is_zero() {
        return into(run, verb::DEPOSIT, " into ", contract, gave);
    }
    let words = run.words().then(run.value(call)).text(" into ").word(run.target(call));
    Some(CallPhrase::new(verb::DEPOSIT, words).with_value())
}

fn into(
    run: &EvmRun<'_, '_>,
    verb: VerbForms,
    into: &'static str,
    contract: Address,
    gave: &[TokenFlow],
) -> Option<CallPhrase> {
    let words = list(run.words(), gave).text(into).word(run.context.contract(contract));
    (!gave.is_empty()).then(|| CallPhrase::new(verb, words))
}

fn out_of(run: &EvmRun<'_, '_>, verb: VerbForms, contract: Address, got: &[TokenFlow]) -> Option<CallPhrase> {
    let words = list(run.words(), got).text(" from ").word(run.context.contract(contract));
    (!got.is_empty()).then(|| CallPhrase::new(verb, words))
}
