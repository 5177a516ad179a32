use alloy_primitives::U256;

use super::run::{CallPhrase, EvmCall, EvmRun, is_nobody};
use crate::{
    domain::{Address, Amount, ContractRole},
    story::{
        abi::{AbiReading, AbiValue},
        context::proof::Proof,
        words::{
            builder::PhraseBuilder,
            clause::VerbForms,
            phrase::{AccountPlace, Phrase, Word},
            sentence::verb,
        },
    },
};

const NOBODY: Address = Address::Short([0; 20]);
const APPROVAL: &str = "Approval(address,address,uint256)";

/// Describes calls of ERC-20: transfers, approvals, permits, mints and burns.
pub(super) fn render(run: &EvmRun<'_, '_>, call: &EvmCall, signature: &str) -> Option<CallPhrase> {
    let to = call.to?;
    let is_permit2 = run.context.glossary.role(to) == Some(ContractRole::Permit);
    match signature {
        "transfer(address,uint256)" => {
            Some(transfer(run, to, call.caller?, call.caller?, call.address(0)?, call.number(1)?))
        }
        "transferFrom(address,address,uint256)" | "sudoTransfer(address,address,uint256)" => {
            Some(transfer(run, to, call.caller?, call.address(0)?, call.address(1)?, call.number(2)?))
        }
        "transferFrom(address,address,uint160,address)" if is_permit2 => {
            Some(transfer(run, call.address(3)?, call.caller?, call.address(0)?, call.address(1)?, call.number(2)?))
        }
        "approve(address,uint256)" => approve(run, call, to, call.address(0)?, call.number(1)?),
        "approve(address,address,uint160,uint48)" if is_permit2 => through_permit2(run, call, to),
        "increaseAllowance(address,uint256)" => by_so_much(run, call, to, verb::RAISE),
        "decreaseAllowance(address,uint256)" => by_so_much(run, call, to, verb::LOWER),
        "permit(address,address,uint256,uint256,uint8,bytes32,bytes32)" => {
            let (owner, spender) = (call.address(0)?, call.address(1)?);
            let log = run.log_of(Some(to), APPROVAL, |reading| is_from(reading, owner) && is_to(reading, spender));
            let seen = log.and_then(|(seen, reading)| Some((seen.event, reading.value(2)?.number()?)));
            Some(permit(run, to, [owner, spender], call.number(2)?, seen))
        }
        "permit(address,((address,uint160,uint48,uint48),address,uint256),bytes)" if is_permit2 => {
            signed_permit2(run, call, to)
        }
        "mint(address,uint256)" | "sudoMint(address,uint256)" => Some(mint(run, to, call.address(0)?, call.number(1)?)),
        "burn(uint256)" => Some(burn(run, to, call.caller?, call.caller?, call.number(0)?)),
        "burnFrom(address,uint256)" | "sudoBurn(address,uint256)" => {
            Some(burn(run, to, call.caller?, call.address(0)?, call.number(1)?))
        }
        _ => None,
    }
}

/// Whether an event's first argument is this account.
fn is_from(reading: &AbiReading, account: Address) -> bool {
    reading.value(0).and_then(AbiValue::address).is_some_and(|address| address.is_same_in_logs(&account))
}

/// Whether an event's second argument is this account.
fn is_to(reading: &AbiReading, account: Address) -> bool {
    reading.value(1).and_then(AbiValue::address).is_some_and(|address| address.is_same_in_logs(&account))
}

/// Returns the logged amount of this transfer and claims the log; else the requested amount.
fn moved(run: &EvmRun<'_, '_>, token: Address, from: Address, to: Address, asked: Amount) -> (Vec<Phrase>, Proof) {
    let mut logs = run.amounts().filter(|(seen, movement, _)| {
        seen.contract == token && movement.from.is_same_in_logs(&from) && movement.to.is_same_in_logs(&to)
    });
    let first = logs.next();
    let exact = first.filter(|(.., amount)| *amount == asked);
    match exact.or_else(|| logs.find(|(.., amount)| *amount == asked)).or(first) {
        Some((seen, _, amount)) => {
            run.take(seen);
            (run.amount(token, amount, &[seen.event]), run.standing(token))
        }
        None => (run.amount_of(token, asked), Proof::Absent),
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
    if run.nfts().any(|(seen, _, id)| seen.contract == token && id == amount.get()) {
        return super::nft::transfer(run, token, caller, [from, to], amount.get());
    }
    let (what, proof) = moved(run, token, from, to, amount);
    let words = run.words().then(what);
    if !from.is_same_in_logs(&caller) {
        let words = words.text(" from ").word(run.who(from)).text(" to ").word(run.who(to));
        return CallPhrase::moving(verb::MOVE, words, proof);
    }
    let words = if from.is_same_in_logs(&to) {
        words.text(" to itself (no net change)")
    } else {
        words.text(" to ").word(run.who(to))
    };
    CallPhrase::moving(verb::SEND, words, proof)
}

fn approve(
    run: &EvmRun<'_, '_>,
    call: &EvmCall,
    token: Address,
    spender: Address,
    amount: Amount,
) -> Option<CallPhrase> {
    let owner = call.caller?;
    let is_nft = |reading: &AbiReading| {
        reading.arguments.as_ref().and_then(|all| all.get(2)).is_some_and(|third| third.is_indexed)
    };
    let of_nft = run.log_of(Some(token), APPROVAL, |reading| {
        is_nft(reading) && reading.value(2).and_then(AbiValue::number) == Some(amount)
    });
    if let Some((seen, reading)) = of_nft {
        return Some(super::nft::approve(run, token, reading.value(1)?.address()?, amount.get(), seen));
    }
    let of_token = run.log_of(Some(token), APPROVAL, |reading| {
        !is_nft(reading) && is_from(reading, owner) && is_to(reading, spender)
    });
    let seen = of_token.and_then(|(seen, reading)| Some((seen.event, reading.value(2)?.number()?)));
    Some(allowance(run, call, token, spender, amount, seen))
}

fn through_permit2(run: &EvmRun<'_, '_>, call: &EvmCall, permit2: Address) -> Option<CallPhrase> {
    let (token, spender) = (call.address(0)?, call.address(1)?);
    let log = run.log_of(Some(permit2), "Approval(address,address,address,uint160,uint48)", |reading| {
        call.caller.is_some_and(|caller| is_from(reading, caller))
            && is_to(reading, token)
            && reading.value(2).and_then(AbiValue::address) == Some(spender)
    });
    let seen = log.and_then(|(seen, reading)| Some((seen.event, reading.value(3)?.number()?)));
    let phrase = allowance(run, call, token, spender, call.number(2)?, seen);
    let proof = if seen.is_some() { Proof::Shown } else { phrase.proof };
    Some(CallPhrase { proof, rest: run.words().then(phrase.rest).text(" through Permit2").done(), ..phrase })
}

fn signed_permit2(run: &EvmRun<'_, '_>, call: &EvmCall, permit2: Address) -> Option<CallPhrase> {
    let owner = call.address(0)?;
    let single = call.reading.value(1)?.fields();
    let details = single.first()?.value.fields();
    let (token, asked) = (details.first()?.value.address()?, details.get(1)?.value.number()?);
    let spender = single.get(1)?.value.address()?;
    let log = run.log_of(Some(permit2), "Permit(address,address,address,uint160,uint48,uint48)", |reading| {
        is_from(reading, owner)
            && is_to(reading, token)
            && reading.value(2).and_then(AbiValue::address) == Some(spender)
    });
    let seen = log.and_then(|(seen, reading)| Some((seen.event, reading.value(3)?.number()?)));
    let phrase = permit(run, token, [owner, spender], asked, seen);
    Some(CallPhrase { proof: if seen.is_some() { Proof::Shown } else { phrase.proof }, ..phrase })
}

/// Describes "allowed … to spend …", with unlimited and revoked allowances: the logged amount, else the requested one.
fn allowance(
    run: &EvmRun<'_, '_>,
    call: &EvmCall,
    token: Address,
    spender: Address,
    asked: Amount,
    seen: Option<(usize, Amount)>,
) -> CallPhrase {
    let (event, amount) = (seen.map(|(event, _)| event), seen.map_or(asked, |(_, amount)| amount));
    let proof = if seen.is_some() { run.standing(token) } else { Proof::Absent };
    if amount.is_zero() {
        let words = run.words().word(run.context.contract(spender)).by(event).text("'s allowance to spend ");
        return CallPhrase::new(verb::REVOKE, words.then(run.token(token)), proof);
    }
    let mut words = run.words();
    // The spender matters: full address and label.
    words = match run.context.glossary.label(spender).filter(|_| call.is_outer) {
        Some(label) => words
            .word(Word::Account { address: spender, label: None, place: AccountPlace::Contract })
            .by(event)
            .text(format!(" ({label})")),
        None => words.word(run.context.contract(spender)).by(event),
    };
    CallPhrase::new(verb::ALLOW, spending(run, words, token, amount, event), proof)
}

/// Adds " to spend {amount}".
fn spending<'w, 'a>(
    run: &EvmRun<'w, 'a>,
    words: PhraseBuilder<'w, 'a>,
    token: Address,
    amount: Amount,
    event: Option<usize>,
) -> PhraseBuilder<'w, 'a> {
    let words = words.text(" to spend ");
    match event {
        _ if is_unlimited(amount) => words.text("unlimited ").by(event).then(run.token(token)),
        Some(event) => words.then(run.amount(token, amount, &[event])),
        None => words.then(run.amount_of(token, amount)),
    }
}

/// Whether the number is the maximum of 256 or 160 bits, or of a signed type: an unlimited allowance.
fn is_unlimited(amount: Amount) -> bool {
    let number = amount.get();
    number >= U256::MAX >> 1 || number == (U256::MAX >> 96)
}

/// Describes a raised or lowered allowance: the log has the new amount, the call only the difference.
fn by_so_much(run: &EvmRun<'_, '_>, call: &EvmCall, token: Address, verb: VerbForms) -> Option<CallPhrase> {
    let (owner, spender) = (call.caller?, call.address(0)?);
    let log = run.log_of(Some(token), APPROVAL, |reading| is_from(reading, owner) && is_to(reading, spender));
    let seen = log.and_then(|(seen, reading)| Some((seen.event, reading.value(2)?.number()?)));
    if seen.is_some() {
        return Some(allowance(run, call, token, spender, Amount::ZERO, seen));
    }
    let words = run.words().word(run.context.contract(spender)).text("'s allowance by ");
    Some(CallPhrase::new(verb, words.then(run.amount_of(token, call.number(1)?)), Proof::Absent))
}

fn permit(
    run: &EvmRun<'_, '_>,
    token: Address,
    [owner, spender]: [Address; 2],
    asked: Amount,
    seen: Option<(usize, Amount)>,
) -> CallPhrase {
    let event = seen.map(|(event, _)| event);
    let words = run.words().text("a signed permit of ").word(run.who(owner)).by(event).text(" that allows ");
    let words = words.word(run.context.contract(spender)).by(event);
    let amount = seen.map_or(asked, |(_, amount)| amount);
    let proof = if seen.is_some() { run.standing(token) } else { Proof::Absent };
    CallPhrase::new(verb::USE, spending(run, words, token, amount, event), proof)
}

fn mint(run: &EvmRun<'_, '_>, token: Address, to: Address, amount: Amount) -> CallPhrase {
    let nft = run.nfts().find(|(seen, movement, _)| {
        seen.contract == token && is_nobody(movement.from) && movement.to.is_same_in_logs(&to)
    });
    if let Some((seen, movement, id)) = nft {
        return super::nft::minted(run, seen, movement.to, id);
    }
    let (what, proof) = moved(run, token, NOBODY, to, amount);
    CallPhrase::moving(verb::MINT, run.words().then(what).text(" to ").word(run.who(to)), proof)
}

fn burn(run: &EvmRun<'_, '_>, token: Address, caller: Address, from: Address, amount: Amount) -> CallPhrase {
    let nft =
        run.nfts().find(|(seen, movement, id)| seen.contract == token && is_nobody(movement.to) && *id == amount.get());
    if let Some((seen, movement, id)) = nft {
        run.take(seen);
        let words = super::nft::one(run, token, id, Some(seen.event));
        let is_own = movement.from.is_same_in_logs(&caller);
        let words = if is_own { words } else { words.text(" of ").word(run.who(movement.from)).by([seen.event]) };
        return CallPhrase::moving(verb::BURN, words, run.standing(token));
    }
    let (what, proof) = moved(run, token, from, NOBODY, amount);
    let words = run.words().then(what);
    let words = if from.is_same_in_logs(&caller) { words } else { words.text(" of ").word(run.who(from)) };
    CallPhrase::moving(verb::BURN, words, proof)
}
