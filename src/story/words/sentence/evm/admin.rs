use crate::{
    domain::Address,
    story::{
        abi::{AbiReading, AbiValue},
        context::{evm_logs::SeenLog, proof::Proof},
        words::sentence::verb,
    },
};
use alloy_primitives::{hex, keccak256};

use super::run::{CallPhrase, EvmCall, EvmRun, is_nobody};

/// Describes changes of a contract's owner, roles and pause state, by its own log.
pub(super) fn render(run: &EvmRun<'_, '_>, call: &EvmCall, signature: &str) -> Option<CallPhrase> {
    let contract = run.target(call);
    let of = |signature: &'static str| run.log_of(call.to, signature, |_| true).map(|(seen, _)| seen);
    let standing = || call.to.map_or(Proof::Absent, |to| run.standing(to));
    let proof = |seen: Option<&SeenLog>| if seen.is_some() { standing() } else { Proof::Absent };
    let plain = |verb, seen: Option<&SeenLog>| {
        let words = run.words().word(contract.clone()).by(seen.map(|seen| seen.event));
        Some(CallPhrase::new(verb, words, proof(seen)))
    };
    match signature {
        "transferOwnership(address)" | "renounceOwnership()" => ownership(run, call, signature),
        "grantRole(bytes32,address)" | "revokeRole(bytes32,address)" => roles(run, call, signature),
        "pause()" => plain(verb::PAUSE, of("Paused(address)")),
        "unpause()" => plain(verb::UNPAUSE, of("Unpaused(address)")),
        "initialize()" | "initialize(address)" => {
            plain(verb::INITIALIZE, of("Initialized(uint8)").or_else(|| of("Initialized(uint64)")))
        }
        "upgradeTo(address)" | "upgradeToAndCall(address,bytes)" => {
            let log = run.log_of(call.to, "Upgraded(address)", |_| true);
            let code = match &log {
                Some((_, reading)) => reading.value(0)?.address()?,
                None => call.address(0)?,
            };
            let seen = log.as_ref().map(|(seen, _)| *seen);
            let words = run.words().word(contract).text(" to the code of ").word(run.context.contract(code));
            Some(CallPhrase::new(verb::UPGRADE, words.by(seen.map(|seen| seen.event)), proof(seen)))
        }
        "updateMetadata(string,string,uint8)" => {
            let log = run.log_of(call.to, "MetadataUpdated(string,string,uint8)", |_| true);
            let reading = log.as_ref().map_or(&call.reading, |(_, reading)| reading);
            let text = |place: usize| reading.value(place)?.text();
            let seen = log.as_ref().map(|(seen, _)| *seen);
            let words = run.words().word(contract).text(" ").quote(text(0)?).by(seen.map(|seen| seen.event));
            let words = words.text(" (").quote(text(1)?);
            let words = words.text(format!(", {} decimals)", reading.value(2)?.number()?));
            Some(CallPhrase::new(verb::NAME_THE_TOKEN, words, proof(seen)))
        }
        "transferRemote(uint32,bytes32,uint256)" => remote(run, call),
        name if name.starts_with("fulfillBasicOrder(") => bought(run, call),
        _ => None,
    }
}

fn ownership(run: &EvmRun<'_, '_>, call: &EvmCall, signature: &str) -> Option<CallPhrase> {
    let owner = |reading: &AbiReading| reading.value(1).and_then(AbiValue::address);
    let contract = run.target(call);
    let standing = run.standing(call.to?);
    if signature == "renounceOwnership()" {
        let log = run
            .log_of(call.to, "OwnershipTransferred(address,address)", |reading| owner(reading).is_some_and(is_nobody));
        let event = log.as_ref().map(|(seen, _)| seen.event);
        let words = run.words().text("the ownership of ").by(event).word(contract);
        return Some(CallPhrase::new(verb::GIVE_UP, words, event.map_or(Proof::Absent, |_| standing)));
    }
    let asked = call.address(0)?;
    let done = run.log_of(call.to, "OwnershipTransferred(address,address)", |_| true);
    let (verb, log) = match done {
        Some(log) => (verb::HAND, Some(log)),
        None => match run.log_of(call.to, "OwnershipTransferStarted(address,address)", |_| true) {
            Some(log) => (verb::OFFER, Some(log)),
            None => (verb::HAND, None),
        },
    };
    let event = log.as_ref().map(|(seen, _)| seen.event);
    let to = log.as_ref().and_then(|(_, reading)| owner(reading)).unwrap_or(asked);
    let words = run.words().text("the ownership of ").by(event).word(contract).text(" to ").word(run.who(to)).by(event);
    Some(CallPhrase::new(verb, words, event.map_or(Proof::Absent, |_| standing)))
}

fn roles(run: &EvmRun<'_, '_>, call: &EvmCall, signature: &str) -> Option<CallPhrase> {
    let is_granted = signature.starts_with("grant");
    let event =
        if is_granted { "RoleGranted(bytes32,address,address)" } else { "RoleRevoked(bytes32,address,address)" };
    let log = run.log_of(call.to, event, |reading| reading.value(0) == call.reading.value(0));
    let account = match &log {
        Some((_, reading)) => reading.value(1)?.address()?,
        None => call.address(1)?,
    };
    let event = log.as_ref().map(|(seen, _)| seen.event);
    let proof = if event.is_some() { run.standing(call.to?) } else { Proof::Absent };
    let (account, contract) = (run.who(account), run.target(call));
    Some(if is_granted {
        let words = run.words().word(account).by(event).text(" the role ").code(role(call)?);
        CallPhrase::new(verb::GIVE, words.text(" on ").word(contract), proof)
    } else {
        let words = run.words().text("the role ").code(role(call)?).by(event).text(" on ").word(contract);
        CallPhrase::new(verb::TAKE, words.text(" from ").word(account).by(event), proof)
    })
}

/// Returns the name of a common role, else its hash.
fn role(call: &EvmCall) -> Option<String> {
    const NAMES: [&str; 6] =
        ["MINTER_ROLE", "BURNER_ROLE", "PAUSER_ROLE", "UPGRADER_ROLE", "OPERATOR_ROLE", "ADMIN_ROLE"];
    let hash = call.reading.value(0).and_then(AbiValue::bytes)?;
    if hash.iter().all(|&byte| byte == 0) {
        return Some("DEFAULT_ADMIN_ROLE".to_owned());
    }
    let known = NAMES.iter().find(|name| keccak256(name).as_slice() == hash);
    Some(known.map_or_else(|| hex::encode_prefixed(hash), |name| (*name).to_owned()))
}

/// Describes a transfer over Hyperlane by the token contract's log.
fn remote(run: &EvmRun<'_, '_>, call: &EvmCall) -> Option<CallPhrase> {
    let log = run.log_of(call.to, "SentTransferRemote(uint32,bytes32,uint256)", |_| true);
    let reading = log.as_ref().map_or(&call.reading, |(_, reading)| reading);
    let (domain, recipient) = (reading.value(0)?.number()?, reading.value(1)?.bytes()?);
    let (padding, account) = recipient.split_at_checked(12)?;
    let shown = if padding.iter().all(|&byte| byte == 0) { account } else { recipient };
    let gave = run.flows_with(call.caller?, call.to?).gave;
    let event = log.as_ref().map(|(seen, _)| seen.event);
    let (what, proof) = match event {
        Some(_) if !gave.is_empty() => (run.list(&gave), run.rests_on(&[&gave]).min(run.standing(call.to?))),
        _ => (run.amount_of(call.to?, reading.value(2)?.number()?), Proof::Absent),
    };
    let words = run.words().then(what).text(" over Hyperlane to ").code(hex::encode_prefixed(shown)).by(event);
    Some(CallPhrase::moving(verb::SEND, words.text(format!(" on domain {domain}")), proof).with_value())
}

/// Describes a purchase on Seaport by the market's log: the NFT and the price, if the seller was paid a part of it.
fn bought(run: &EvmRun<'_, '_>, call: &EvmCall) -> Option<CallPhrase> {
    const SOLD: &str = "OrderFulfilled(bytes32,address,address,address,(uint8,address,uint256,uint256)[],\
                        (uint8,address,uint256,uint256,address)[])";
    let (caller, market) = (call.caller?, call.to?);
    let is_ours = |address: Address| address.is_same_in_logs(&caller) && !is_nobody(address);
    let (seen, movement, id) = run.nfts().find(|(_, movement, _)| is_ours(movement.to) && !is_nobody(movement.from))?;
    let seller = movement.from;
    let is_same = |value: Option<&AbiValue>, account: Address| {
        value.and_then(AbiValue::address).is_some_and(|address| address.is_same_in_logs(&account))
    };
    let (_, order) = run.log_of(Some(market), SOLD, |reading| is_same(reading.value(1), seller))?;
    let payees = order.value(5).map_or(&[][..], AbiValue::items).iter();
    let payees: Vec<Address> = payees.filter_map(|item| item.fields().get(4)?.value.address()).collect();
    let is_payee = |account: &Address| payees.iter().any(|payee| payee.is_same_in_logs(account));
    let gave = run.flows_where(caller, |movement, _| {
        [movement.from, movement.to].iter().any(|side| side.is_same_in_logs(&market) || is_payee(side))
    });
    let is_paid = run.amounts().any(|(_, movement, _)| {
        movement.to.is_same_in_logs(&seller) && [caller, market].iter().any(|from| movement.from.is_same_in_logs(from))
    });
    if gave.gave.is_empty() || !is_paid {
        return None;
    }
    run.take(seen);
    let words = super::nft::one(run, seen.contract, id, Some(seen.event));
    let words = words.text(" from ").word(run.who(seller)).by([seen.event]);
    let words = words.text(" for ").then(run.list(&gave.gave));
    let proof = run.rests_on(&[&gave.gave]).min(run.standing(seen.contract)).min(run.standing(market));
    Some(CallPhrase::moving(verb::BUY, words, proof).with_value())
}
