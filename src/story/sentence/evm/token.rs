use alloy_primitives::U256;

use super::run::{CallPhrase, EvmCall, EvmRun, is_nobody};
use crate::{
    domain::{Address, Amount},
    story::{Phrase, Word, sentence::verb},
};

/// ERC-20: transfers, approvals, permits, mints and burns, the chain's own among them.
pub(super) fn render(run: &EvmRun<'_, '_>, call: &EvmCall, signature: &str) -> Option<CallPhrase> {
    let to = call.to?;
    match signature {
        "transfer(address,uint256)" => {
            Some(transfer(run, to, call.caller?, call.caller?, call.address(0)?, call.number(1)?))
        }
        "transferFrom(address,address,uint256)" | "sudoTransfer(address,address,uint256)" => {
            Some(transfer(run, to, call.caller?, call.address(0)?, call.address(1)?, call.number(2)?))
        }
        "transferFrom(address,address,uint160,address)" => {
            Some(transfer(run, call.address(3)?, call.caller?, call.address(0)?, call.address(1)?, call.number(2)?))
        }
        "approve(address,uint256)" => approve(run, call, to, call.address(0)?, call.number(1)?),
        "approve(address,address,uint160,uint48)" => {
            let words = allowance(run, call, call.address(0)?, call.address(1)?, call.number(2)?, &[]);
            Some(CallPhrase { rest: run.words().then(words.rest).text(" through Permit2").done(), ..words })
        }
        "increaseAllowance(address,uint256)" => Some(by_so_much(run, to, call.address(0)?, call.number(1)?, " more")),
        "decreaseAllowance(address,uint256)" => Some(by_so_much(run, to, call.address(0)?, call.number(1)?, " less")),
        "permit(address,address,uint256,uint256,uint8,bytes32,bytes32)" => {
            Some(permit(run, to, call.address(0)?, call.address(1)?, call.number(2)?))
        }
        "permit(address,((address,uint160,uint48,uint48),address,uint256),bytes)" => {
            let single = call.reading.value(1)?.fields();
            let details = single.first()?.value.fields();
            let (token, amount) = (details.first()?.value.address()?, details.get(1)?.value.number()?);
            Some(permit(run, token, call.address(0)?, single.get(1)?.value.address()?, amount))
        }
        "mint(address,uint256)" | "sudoMint(address,uint256)" => Some(mint(run, to, call.address(0)?, call.number(1)?)),
        "burn(uint256)" => Some(burn(run, to, call.caller?, call.caller?, call.number(0)?)),
        "burnFrom(address,uint256)" | "sudoBurn(address,uint256)" => {
            Some(burn(run, to, call.caller?, call.address(0)?, call.number(1)?))
        }
        _ => None,
    }
}

/// The amount that the log of this movement says, else the one that was asked for.
fn moved(run: &EvmRun<'_, '_>, token: Address, from: Address, to: Address, asked: Amount) -> Vec<Phrase> {
    let mut logs = run.amounts().filter(|(_, contract, movement, _)| {
        *contract == token && movement.from.is_same_in_logs(&from) && movement.to.is_same_in_logs(&to)
    });
    let first = logs.next();
    let exact = first.filter(|(.., amount)| *amount == asked);
    match exact.or_else(|| logs.find(|(.., amount)| *amount == asked)).or(first) {
        Some((event, contract, _, amount)) => run.words().coin(&run.coin(contract, amount)).by([event]).done(),
        None => run.amount_of(token, asked),
    }
}

fn transfer(
    run: &EvmRun<'_, '_>,
    token: Address,
    caller: Address,
    from: Address,
    to: Address,
    amount: Amount,
) -> CallPhrase {
    if run.nfts().any(|(_, contract, _, id)| contract == token && id == amount.get()) {
        return super::nft::transfer(run, token, caller, from, to, amount.get());
    }
    let words = run.words().then(moved(run, token, from, to, amount));
    if !from.is_same_in_logs(&caller) {
        let words = words.text(" from ").word(run.who(from)).text(" to ").word(run.who(to));
        return CallPhrase::new(verb::MOVE, words);
    }
    let words = if from.is_same_in_logs(&to) {
        words.text(" to itself (no net change)")
    } else {
        words.text(" to ").word(run.who(to))
    };
    CallPhrase::new(verb::SEND, words)
}

fn approve(
    run: &EvmRun<'_, '_>,
    call: &EvmCall,
    token: Address,
    spender: Address,
    amount: Amount,
) -> Option<CallPhrase> {
    const APPROVAL: &str = "Approval(address,address,uint256)";
    let owner = call.caller?;
    let approved = run.readings(APPROVAL).filter(|(_, contract, _)| *contract == token);
    let is_owner = |reading: &crate::story::AbiReading| {
        reading
            .value(0)
            .and_then(crate::story::AbiValue::address)
            .is_some_and(|address| address.is_same_in_logs(&owner))
    };
    for (event, _, reading) in approved {
        let is_nft = reading.arguments.as_ref().and_then(|all| all.get(2)).is_some_and(|third| third.is_indexed);
        let (party, number) = (reading.value(1)?.address()?, reading.value(2)?.number()?);
        if is_nft && number == amount {
            return Some(super::nft::approve(run, token, party, number.get(), event));
        }
        if !is_nft && is_owner(&reading) && party.is_same_in_logs(&spender) {
            return Some(allowance(run, call, token, spender, number, &[event]));
        }
    }
    Some(allowance(run, call, token, spender, amount, &[]))
}

/// "allowed … to spend …", without a limit, or taken back.
fn allowance(
    run: &EvmRun<'_, '_>,
    call: &EvmCall,
    token: Address,
    spender: Address,
    amount: Amount,
    events: &[usize],
) -> CallPhrase {
    let by = events.iter().copied();
    if amount.is_zero() {
        let words = run.words().word(run.context.contract(spender)).text("'s right to spend ");
        return CallPhrase::new(verb::TAKE_BACK, words.word(run.token(token)).by(by));
    }
    let mut words = run.words();
    // Who may spend is worth its address and its name.
    words = match run.context.glossary.label(spender).filter(|_| call.is_outer) {
        Some(label) => words
            .word(Word::Account { address: spender, label: None, is_contract: true })
            .by(by.clone())
            .text(format!(" ({label})")),
        None => words.word(run.context.contract(spender)).by(by.clone()),
    };
    CallPhrase::new(verb::ALLOW, words.text(" to spend ").then(spent(run, token, amount, events)))
}

fn spent(run: &EvmRun<'_, '_>, token: Address, amount: Amount, events: &[usize]) -> Vec<Phrase> {
    let by = || events.iter().copied();
    if is_unlimited(amount) {
        run.words().text("unlimited ").by(by()).word(run.token(token)).by(by()).done()
    } else if events.is_empty() {
        run.amount_of(token, amount)
    } else {
        run.words().coin(&run.coin(token, amount)).by(by()).done()
    }
}

/// The largest number of a type stands for no limit: of 256 and 160 bits, and the largest with a sign.
fn is_unlimited(amount: Amount) -> bool {
    let number = amount.get();
    number >= U256::MAX >> 1 || number == (U256::MAX >> 96)
}

fn by_so_much(
    run: &EvmRun<'_, '_>,
    token: Address,
    spender: Address,
    amount: Amount,
    more: &'static str,
) -> CallPhrase {
    let words = run.words().word(run.context.contract(spender)).text(" to spend ");
    CallPhrase::new(verb::ALLOW, words.then(run.amount_of(token, amount)).text(more))
}

fn permit(run: &EvmRun<'_, '_>, token: Address, owner: Address, spender: Address, amount: Amount) -> CallPhrase {
    let words = run.words().text("a signed permit of ").word(run.who(owner)).text(" that allows ");
    let words = words.word(run.context.contract(spender)).text(" to spend ");
    CallPhrase::new(verb::USE, words.then(spent(run, token, amount, &[])))
}

fn mint(run: &EvmRun<'_, '_>, token: Address, to: Address, amount: Amount) -> CallPhrase {
    if let Some((event, .., id)) =
        run.nfts().find(|(_, contract, movement, _)| *contract == token && is_nobody(movement.from))
    {
        return super::nft::minted(run, token, to, id, event);
    }
    let nobody = Address::Short([0; 20]);
    let words = run.words().then(moved(run, token, nobody, to, amount)).text(" to ").word(run.who(to));
    CallPhrase::new(verb::MINT, words)
}

fn burn(run: &EvmRun<'_, '_>, token: Address, caller: Address, from: Address, amount: Amount) -> CallPhrase {
    let nfts = run
        .nfts()
        .find(|(_, contract, movement, id)| *contract == token && is_nobody(movement.to) && *id == amount.get());
    if let Some((event, .., id)) = nfts {
        let words = super::nft::one(run, token, id, Some(event));
        return CallPhrase::new(verb::BURN, words);
    }
    let nobody = Address::Short([0; 20]);
    let words = run.words().then(moved(run, token, from, nobody, amount));
    let words = if from.is_same_in_logs(&caller) { words } else { words.text(" of ").word(run.who(from)) };
    CallPhrase::new(verb::BURN, words)
}
