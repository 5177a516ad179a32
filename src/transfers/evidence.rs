//! Evidence about a transfer's transactions in the records of indexers.

use crate::{
    domain::{Address, Amount, Coin, Denom, text},
    events::{
        ChainEvent, bank::BankEvent, evm::LoggedMove, keys, movevm::ModuleEvent, opinit::BridgeTransfer,
        wasm::ReportedMove,
    },
    story::{
        ContractLog, Decoded, DecodedEvent, EventPhase, decode,
        names::{
            metadata::metadata_of,
            move_address::{derived, padded, wide},
        },
    },
    wire::Tx,
};

/// Maximum columns of a failure reason.
const REASON: usize = 240;

/// Evidence about the newest source transaction, in increasing strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SourceEvidence {
    /// The indexer does not have the transaction, or not yet.
    Absent,
    /// No block can include the transaction any more, and the signer's sequence number is still the transaction's. A
    /// node that no router named reports both.
    Expired,
    Succeeded,
    /// The transaction is on chain and failed, so nothing left the account.
    Failed,
}

/// Evidence about the arrival, in increasing strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ArrivalEvidence {
    /// The indexer does not have the arrival transaction that the router names, or not yet.
    Absent,
    /// The indexer has the arrival transaction, which does not credit the recipient.
    NotCredited,
    Credited,
}

/// Evidence from indexers. A field is empty before an answer, or without an indexer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Evidence {
    /// Evidence about the record's newest transaction.
    pub source: Option<SourceEvidence>,
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

pub fn evidence_of_source(tx: &Tx) -> SourceEvidence {
    if tx.is_success() { SourceEvidence::Succeeded } else { SourceEvidence::Failed }
}

/// Returns whether a transaction credits the recipient with this denom, by the events of each VM. The recipient is in
/// either address format. With `at_most`, a credit up to that amount counts, since fees reduce it; a larger credit
/// proves nothing. Pass `None` for routes with swaps, which may exceed the quote, and with hooks, which may convert
/// earlier funds. `None` if the recipient cannot be an account here.
pub fn evidence_of_arrival(
    tx: &Tx,
    recipient: &str,
    denom: &Denom,
    at_most: Option<Amount>,
) -> Option<ArrivalEvidence> {
    let recipient = recipient.parse::<Address>().ok()?;
    let credits = if tx.is_success() { credits(&decode(tx), None, recipient, denom) } else { Vec::new() };
    let is_fit = |amount: &&Amount| at_most.is_none_or(|most| **amount <= most);
    match credits.iter().filter(|amount| !amount.is_zero()).find(is_fit) {
        Some(_) => Some(ArrivalEvidence::Credited),
        None if credits.iter().any(|amount| !amount.is_zero()) => None,
        None => Some(ArrivalEvidence::NotCredited),
    }
}

/// Returns why a deposit's hook failed although the transaction succeeded, without control characters. After `hook
/// failed` the recipient keeps the unconverted tokens; after `deposit failed` they return.
pub fn hook_problem(decoded: &Decoded) -> Option<String> {
    let mut deposits = decoded.events.iter().filter_map(BridgeTransfer::deposit);
    let reason = deposits.find(|deposit| deposit.is_failed)?.reason.unwrap_or("no reason given");
    Some(text::clip(reason, REASON))
}

/// Returns the amounts of the denom that messages credit to the recipient: all messages, or only the message at index
/// `message`. Skips acknowledgements and timeouts, which only refund.
pub(super) fn credits(decoded: &Decoded, message: Option<usize>, recipient: Address, denom: &Denom) -> Vec<Amount> {
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
    match ChainEvent::of(event) {
        ChainEvent::Bank(_) => {
            let coins = credited(event, recipient).filter(|coin| coin.denom.is_same(denom));
            coins.map(|coin| coin.amount).collect()
        }
        ChainEvent::Evm(_) => event.logs().filter_map(|log| of_log(log, recipient, denom)).collect(),
        ChainEvent::Move(event) => of_deposit(event, recipient, denom).into_iter().collect(),
        ChainEvent::Wasm => of_contract(event, recipient, denom).into_iter().collect(),
        _ => Vec::new(),
    }
}

/// Returns the coins that a bank event credits to an account.
pub(super) fn credited(event: &DecodedEvent, account: Address) -> impl Iterator<Item = Coin> {
    let his = BankEvent::received(event).filter(|received| received.address() == Some(account));
    his.into_iter().flat_map(|received| received.coins())
}

/// Returns the credit that an ERC-20 log reports. A log names the last 20 bytes of an account.
fn of_log(log: &ContractLog, recipient: Address, denom: &Denom) -> Option<Amount> {
    let digits = denom.as_str().strip_prefix("evm/")?;
    let contract = format!("0x{}", digits.trim_start_matches("0x")).parse().ok()?;
    let moved = LoggedMove::of(log).filter(|moved| moved.contract == contract)?;
    moved.amount().filter(|_| moved.recipient().is_some_and(|to| to.is_same_in_logs(&recipient)))
}

/// Returns the credit of a Move asset to an account's primary store.
fn of_deposit(event: ModuleEvent<'_>, recipient: Address, denom: &Denom) -> Option<Amount> {
    if event.standard() != Some("fungible_asset::DepositEvent") {
        return None;
    }
    let (deposit, metadata) = (event.read()?, metadata_of(denom));
    let store = derived(&wide(recipient), &metadata, 0xfc);
    let is_ours = padded(&deposit.metadata_addr) == Some(metadata) && padded(&deposit.store_addr) == Some(store);
    deposit.amount().filter(|_| is_ours)
}

/// Returns the credit of a CW-20 token that a contract reports.
fn of_contract(event: &DecodedEvent, recipient: Address, denom: &Denom) -> Option<Amount> {
    let contract = denom.as_str().strip_prefix("cw20:")?;
    let moved = ReportedMove::of_token(event.text(keys::ACTION)?, |key| event.get(key))?;
    let is_ours = event.text(keys::WASM_CONTRACT) == Some(contract) && moved.recipient() == Some(recipient);
    event.get(keys::AMOUNT).filter(|_| is_ours)
}
