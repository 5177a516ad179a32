use crate::story::sentence::verb;
use alloy_primitives::{hex, keccak256};

use super::run::{CallPhrase, EvmCall, EvmRun, is_nobody};
use crate::{domain::Address, story::AbiValue};

/// Who owns a contract, who may do what with it, and whether it runs.
pub(super) fn render(run: &EvmRun<'_, '_>, call: &EvmCall, signature: &str) -> Option<CallPhrase> {
    let contract = run.target(call);
    let of = |signature: &'static str| run.readings(signature).find(|(_, of, _)| Some(*of) == call.to);
    let plain = |verb, event: Option<usize>| Some(CallPhrase::new(verb, run.words().word(contract.clone()).by(event)));
    match signature {
        "transferOwnership(address)" => {
            let started = of("OwnershipTransferStarted(address,address)").map(|(event, ..)| event);
            let done = of("OwnershipTransferred(address,address)").map(|(event, ..)| event);
            let words = run.words().text("the ownership of ").by(done.or(started)).word(contract).text(" to ");
            let words = words.word(run.who(call.address(0)?));
            Some(match (started, done) {
                (Some(_), None) => CallPhrase::new(verb::OFFER, words),
                _ => CallPhrase::new(verb::HAND, words),
            })
        }
        "renounceOwnership()" => {
            let event = of("OwnershipTransferred(address,address)").map(|(event, ..)| event);
            Some(CallPhrase::new(verb::GIVE_UP, run.words().text("the ownership of ").by(event).word(contract)))
        }
        "grantRole(bytes32,address)" => {
            let event = of("RoleGranted(bytes32,address,address)").map(|(event, ..)| event);
            let words = run.words().word(run.who(call.address(1)?)).by(event).text(" the role ");
            Some(CallPhrase::new(verb::GIVE, words.code(role(call)?).text(" on ").word(contract)))
        }
        "revokeRole(bytes32,address)" => {
            let event = of("RoleRevoked(bytes32,address,address)").map(|(event, ..)| event);
            let words = run.words().text("the role ").code(role(call)?).by(event).text(" on ").word(contract);
            Some(CallPhrase::new(verb::TAKE, words.text(" from ").word(run.who(call.address(1)?))))
        }
        "pause()" => plain(verb::PAUSE, of("Paused(address)").map(|(event, ..)| event)),
        "unpause()" => plain(verb::UNPAUSE, of("Unpaused(address)").map(|(event, ..)| event)),
        "initialize()" | "initialize(address)" => {
            let event = of("Initialized(uint8)").or_else(|| of("Initialized(uint64)")).map(|(event, ..)| event);
            plain(verb::INITIALIZE, event)
        }
        "upgradeTo(address)" | "upgradeToAndCall(address,bytes)" => {
            let event = of("Upgraded(address)").map(|(event, ..)| event);
            let words = run.words().word(contract).text(" to the code of ");
            Some(CallPhrase::new(verb::UPGRADE, words.word(run.context.contract(call.address(0)?)).by(event)))
        }
        "updateMetadata(string,string,uint8)" => {
            let event = of("MetadataUpdated(string,string,uint8)").map(|(event, ..)| event);
            let words = run.words().word(contract).text(" ").code(call.text(0)?).by(event).text(" (");
            let words = words.code(call.text(1)?).text(format!(", {} decimals)", call.number(2)?));
            Some(CallPhrase::new(verb::NAME_THE_TOKEN, words))
        }
        "transferRemote(uint32,bytes32,uint256)" => remote(run, call),
        name if name.starts_with("fulfillBasicOrder(") => bought(run, call),
        _ => None,
    }
}

/// The name of a role, where it is one of the usual; else its hash.
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

/// A transfer over Hyperlane: what left is what the logs say.
fn remote(run: &EvmRun<'_, '_>, call: &EvmCall) -> Option<CallPhrase> {
    let gave = run.flows(call.caller?).gave;
    let recipient = call.reading.value(1)?.bytes()?;
    let (padding, account) = recipient.split_at_checked(12)?;
    let shown = if padding.iter().all(|&byte| byte == 0) { account } else { recipient };
    let words = if gave.is_empty() {
        run.words().then(run.amount_of(call.to?, call.number(2)?))
    } else {
        super::run::list(run.words(), &gave)
    };
    let words = words.text(" over Hyperlane to ").code(hex::encode_prefixed(shown));
    Some(CallPhrase::new(verb::SEND, words.text(format!(" on domain {}", call.number(0)?))).with_value())
}

/// A purchase on Seaport: the NFT that came, and what was paid.
fn bought(run: &EvmRun<'_, '_>, call: &EvmCall) -> Option<CallPhrase> {
    let caller = call.caller?;
    let is_ours = |address: Address| address.is_same_in_logs(&caller) && !is_nobody(address);
    let (event, contract, movement, id) = run.nfts().find(|(_, _, movement, _)| is_ours(movement.to))?;
    let gave = run.flows(caller).gave;
    let words = super::nft::one(run, contract, id, Some(event));
    let words = words.text(" from ").word(run.who(movement.from)).by([event]);
    let words = if gave.is_empty() { words } else { super::run::list(words.text(" for "), &gave) };
    Some(CallPhrase { says_value: !gave.is_empty(), ..CallPhrase::new(verb::BUY, words) })
}
