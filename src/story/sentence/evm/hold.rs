use super::run::{Call, Deed, Flow, Flows, Run, list};
use crate::story::scene::Verb;
use crate::story::sentence::verb;
use crate::{domain::Address, story::AbiValue};

/// What goes into a contract and comes out again: wrapped coins, vaults (ERC-4626), stakes, rewards. What moved is what the
/// logs say; a call of such a function without any is only a call.
pub(super) fn tell(run: &Run<'_, '_>, call: &Call, signature: &str) -> Option<Deed> {
    let contract = call.to?;
    let caller = call.caller?;
    let Flows { gave, got } = run.flows(caller);
    match signature {
        "deposit()" => Some(wrap(run, call, contract, &gave)?),
        "withdraw(uint256)" => {
            let unwrapped = run.readings("Withdrawal(address,uint256)").find(|(_, of, _)| *of == contract);
            match unwrapped {
                Some((event, _, reading)) => {
                    let coin = run.coin(contract, reading.value(1)?.number()?);
                    Some(Deed::new(verb::UNWRAP, run.words().coin(&coin).by([event])))
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
            let deed = into(run, verb::DEPOSIT, " into ", contract, &gave)?;
            let words = run.words().then(deed.rest);
            let words = if shares.is_empty() { words } else { list(words.text(" for "), &shares) };
            let words =
                if receiver.is_same_in_logs(&caller) { words } else { words.text(" to ").word(run.who(receiver)) };
            Some(Deed::new(verb::DEPOSIT, words))
        }
        "withdraw(uint256,address,address)" | "redeem(uint256,address,address)" => {
            let (receiver, owner) = (call.address(1)?, call.address(2)?);
            let (shares, assets) = (run.flows(owner).gave, run.flows(receiver).got);
            let deed = out_of(run, verb::WITHDRAW, contract, &assets)?;
            let words = run.words().then(deed.rest);
            let words = if shares.is_empty() { words } else { list(words.text(" for "), &shares) };
            let words =
                if receiver.is_same_in_logs(&caller) { words } else { words.text(" to ").word(run.who(receiver)) };
            Some(Deed::new(verb::WITHDRAW, words))
        }
        _ => None,
    }
}

/// `deposit()` of a contract that wraps the fee token, or of any that takes it.
fn wrap(run: &Run<'_, '_>, call: &Call, contract: Address, gave: &[Flow]) -> Option<Deed> {
    let wrapped = run.readings("Deposit(address,uint256)").find(|(_, of, _)| *of == contract);
    if let Some((event, _, reading)) = wrapped {
        let coin = run.coin(contract, reading.value(1).and_then(AbiValue::number)?);
        let words = run.words().then(run.value(call)).text(" into ").coin(&coin).by([event]);
        return Some(Deed::new(verb::WRAP, words).with_value());
    }
    if call.value.is_zero() {
        return into(run, verb::DEPOSIT, " into ", contract, gave);
    }
    let words = run.words().then(run.value(call)).text(" into ").word(run.target(call));
    Some(Deed::new(verb::DEPOSIT, words).with_value())
}

fn into(run: &Run<'_, '_>, verb: Verb, into: &'static str, contract: Address, gave: &[Flow]) -> Option<Deed> {
    let words = list(run.words(), gave).text(into).word(run.scene.contract(contract));
    (!gave.is_empty()).then(|| Deed::new(verb, words))
}

fn out_of(run: &Run<'_, '_>, verb: Verb, contract: Address, got: &[Flow]) -> Option<Deed> {
    let words = list(run.words(), got).text(" from ").word(run.scene.contract(contract));
    (!got.is_empty()).then(|| Deed::new(verb, words))
}
