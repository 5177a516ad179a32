//! What the indexer of a chain that we can ask has of a transfer's transactions.

use alloy_primitives::{U256, hex};
use serde::Deserialize;

use crate::{
    domain::{Address, Amount, Denom, parse_coins, text},
    story::{
        ContractLog, Decoded, DecodedEvent, EventPhase, decode,
        log::TRANSFER,
        nft_moves::{derived, padded, wide},
    },
    wire::Tx,
};

/// Columns of a reason at the most.
const REASON: usize = 240;

/// What is found of the newest source transaction; of several findings the greater one says more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SourceEvidence {
    /// Its indexer does not have it (yet).
    Absent,
    /// It is on chain and succeeded.
    Succeeded,
    /// It is on chain and failed: nothing left the account.
    Failed,
}

/// What is found on the destination; of several findings the greater one says more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ArrivalEvidence {
    /// Its indexer does not have the transaction that the router calls the arrival (yet).
    Absent,
    /// That transaction is there, and does not credit the recipient.
    NotCredited,
    /// The recipient was credited.
    Credited,
}

/// What indexers have found of a transfer; nothing where nobody was asked, or nobody could be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Evidence {
    /// Of the newest transaction of the record.
    pub source: Option<SourceEvidence>,
    /// On the route's destination.
    pub arrival: Option<ArrivalEvidence>,
}

impl From<SourceEvidence> for Evidence {
    fn from(source: SourceEvidence) -> Self {
        Self { source: Some(source), arrival: None }
    }
}

impl From<ArrivalEvidence> for Evidence {
    fn from(arrival: ArrivalEvidence) -> Self {
        Self { source: None, arrival: Some(arrival) }
    }
}

/// What the source transaction says.
pub fn evidence_of_source(tx: &Tx) -> SourceEvidence {
    if tx.is_success() { SourceEvidence::Succeeded } else { SourceEvidence::Failed }
}

/// Whether a transaction credits the recipient (an address in either form) with this denom, as the events of each VM tell
/// it. With `at_most`, a credit of up to that much counts: fees make it less; of a larger one nothing is said. Give none
/// for routes that swap, which may bring more than was quoted, and for those with a hook, which may convert what was there
/// before. `None` where the recipient cannot be an account here.
pub fn evidence_of_arrival(
    tx: &Tx,
    recipient: &str,
    denom: &Denom,
    at_most: Option<Amount>,
) -> Option<ArrivalEvidence> {
    let recipient = recipient.parse::<Address>().ok()?;
    let credits = if tx.is_success() { credits(tx, recipient, denom) } else { Vec::new() };
    let is_fit = |amount: &&Amount| at_most.is_none_or(|most| **amount <= most);
    match credits.iter().filter(|amount| !amount.is_zero()).find(is_fit) {
        Some(_) => Some(ArrivalEvidence::Credited),
        None if credits.iter().any(|amount| !amount.is_zero()) => None,
        None => Some(ArrivalEvidence::NotCredited),
    }
}

/// Why what came with a deposit did not work, cleaned: the transaction is a success all the same. After `hook failed` the
/// tokens stay with the recipient as they arrived, after `deposit failed` they travel back.
pub fn hook_problem(tx: &Tx) -> Option<String> {
    let decoded = decode(tx);
    let deposits = decoded.events.iter().filter(|event| event.kind == "finalize_token_deposit");
    let failed = deposits.into_iter().find(|event| value(event, "success") == Some("false"))?;
    Some(text::clip(value(failed, "reason").unwrap_or("no reason is given"), REASON))
}

/// Every credit of the denom to the account by a message that brings something; answers and timeouts only give back.
pub(super) fn credits(tx: &Tx, recipient: Address, denom: &Denom) -> Vec<Amount> {
    credits_by(&decode(tx), None, recipient, denom)
}

/// The same of one message alone, where its place is given.
pub(super) fn credits_by(decoded: &Decoded, message: Option<usize>, recipient: Address, denom: &Denom) -> Vec<Amount> {
    let is_return = |event: &DecodedEvent| match event.phase {
        EventPhase::Message(index) => decoded.messages.get(index).is_some_and(|message| {
            matches!(message.kind.short(), "MsgAcknowledgement" | "MsgTimeout" | "MsgTimeoutOnClose")
        }),
        EventPhase::Before | EventPhase::After => true,
    };
    let is_asked = |event: &&DecodedEvent| message.is_none_or(|index| event.phase == EventPhase::Message(index));
    let of_messages = decoded.events.iter().filter(is_asked).filter(|event| !is_return(event));
    of_messages.flat_map(|event| credit(event, recipient, denom)).collect()
}

fn credit(event: &DecodedEvent, recipient: Address, denom: &Denom) -> Vec<Amount> {
    let is_recipient = |key: &str| value(event, key).and_then(|text| text.parse::<Address>().ok()) == Some(recipient);
    match event.kind.as_str() {
        "coin_received" if is_recipient("receiver") => {
            let coins = value(event, "amount").and_then(|text| parse_coins(text).ok()).unwrap_or_default();
            coins.into_iter().filter(|coin| is_same(&coin.denom, denom)).map(|coin| coin.amount).collect()
        }
        "evm" => ContractLog::of_event(event).filter_map(|log| of_log(&log, recipient, denom)).collect(),
        "move" => of_deposit(event, recipient, denom).into_iter().collect(),
        "wasm" => of_contract(event, recipient, denom).into_iter().collect(),
        _ => Vec::new(),
    }
}

fn value<'a>(event: &'a DecodedEvent, key: &str) -> Option<&'a str> {
    event.attributes.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
}

/// Denoms are what they are to the letter, but for the case of hexadecimal digits.
fn is_same(one: &Denom, other: &Denom) -> bool {
    let is_evm = other.as_str().starts_with("evm/") || other.as_str().starts_with("0x");
    one == other || (is_evm && one.as_str().eq_ignore_ascii_case(other.as_str()))
}

/// An ERC-20 transfer: logs know accounts by their last 20 bytes.
fn of_log(log: &ContractLog, recipient: Address, denom: &Denom) -> Option<Amount> {
    let [topic, _, to] = log.topics.as_slice() else { return None };
    let contract = denom.as_str().strip_prefix("evm/")?;
    let tail = recipient.bytes().rchunks(20).next()?;
    let is_ours = topic == TRANSFER
        && log.address.trim_start_matches("0x").eq_ignore_ascii_case(contract.trim_start_matches("0x"))
        && ContractLog::party(to).is_some_and(|party| party.bytes() == tail);
    let word: [u8; 32] = hex::decode(&log.data).ok()?.try_into().ok()?;
    is_ours.then(|| Amount::new(U256::from_be_bytes(word)))
}

/// A fungible asset of Move that comes into the account's primary store.
fn of_deposit(event: &DecodedEvent, recipient: Address, denom: &Denom) -> Option<Amount> {
    #[derive(Deserialize)]
    struct Deposit {
        store_addr: String,
        metadata_addr: String,
        amount: String,
    }
    if value(event, "type_tag") != Some("0x1::fungible_asset::DepositEvent") {
        return None;
    }
    let deposit: Deposit = serde_json::from_str(value(event, "data")?).ok()?;
    let metadata = metadata(denom)?;
    let store = derived(&wide(recipient), &metadata, 0xfc);
    let is_ours = padded(&deposit.metadata_addr) == Some(metadata) && padded(&deposit.store_addr) == Some(store);
    is_ours.then(|| deposit.amount.parse().ok()).flatten()
}

/// The object that stands for a denom on Move: `move/` names it, that of another denom is derived from its name.
fn metadata(denom: &Denom) -> Option<[u8; 32]> {
    match denom.as_str().strip_prefix("move/") {
        Some(digits) => padded(&format!("0x{digits}")),
        None => Some(derived(&padded("0x1")?, denom.as_str().as_bytes(), 0xfe)),
    }
}

/// A token of a Wasm contract.
fn of_contract(event: &DecodedEvent, recipient: Address, denom: &Denom) -> Option<Amount> {
    let contract = denom.as_str().strip_prefix("cw20:")?;
    let is_transfer = matches!(value(event, "action")?, "transfer" | "send" | "transfer_from" | "send_from" | "mint");
    let is_ours = is_transfer
        && value(event, "_contract_address") == Some(contract)
        && value(event, "to").and_then(|to| to.parse::<Address>().ok()) == Some(recipient);
    is_ours.then(|| value(event, "amount").and_then(|amount| amount.parse().ok())).flatten()
}
