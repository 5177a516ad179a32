//! What is handed to a person's wallet, and what becomes of it: facts for whoever asks the wallet, and for who is told.

use std::sync::Arc;

use serde::Serialize;

use super::{ChainSuggestion, GasPrice, ReadyTx, SigningFee};
use crate::{
    domain::{BroadcastHash, ChainId, Denom, Timestamp, TransferRecord, text::group_digits},
    wire::router::{ChainInfo, OpHook},
};

/// What is signed, for people, as page and terminal say it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct OfferWords {
    /// One line: which of how many, and what it does.
    pub title: String,
    /// Name and value, in order.
    pub lines: Vec<(String, String)>,
    /// Why it is asked again; then the page waits for a click before it asks the wallet.
    pub note: Option<String>,
}

/// A transaction to be signed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WalletTx {
    /// What the accepted quote was compared with.
    pub tx: ReadyTx,
    /// What it does, for the page and the terminal.
    pub words: OfferWords,
    /// How its chain is reached.
    pub access: SendingAccess,
}

/// A hook to be signed, which travels with a transaction and is never sent by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WalletHook {
    /// What the accepted quote was compared with.
    pub hook: OpHook,
    /// Who signs: the recipient, as the hook's chain writes it.
    pub signer: String,
    /// Whether the transfer starts on the hook's own chain, which takes two of the signer's sequence first.
    pub starts_there: bool,
    /// What it does, for the page and the terminal.
    pub words: OfferWords,
    /// How its chain is reached.
    pub access: SendingAccess,
}

/// What the wallet is asked for on one page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SigningOrder {
    /// A transaction, which is sent when it is signed.
    Tx {
        /// What is signed.
        planned: Box<WalletTx>,
        /// What is kept of the transfer before anything is sent.
        draft: Box<RecordDraft>,
        /// Whether no further transaction of the transfer follows.
        is_last: bool,
    },
    /// The hook of a transaction that follows.
    Hook(Box<WalletHook>),
    /// The claim of what a kept transfer withdrew, which is sent when it is signed. Nothing follows it.
    Claim {
        /// What is signed.
        planned: Box<WalletTx>,
        /// The transfer, in which the claim is noted before it is sent.
        draft: Box<ClaimDraft>,
    },
}

/// How a chain is asked and what it takes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SendingAccess {
    /// Its Cosmos REST; empty where nobody names one.
    pub rest: String,
    /// What gas costs by the registry; the chain itself is asked where this is `None`.
    pub price: Option<GasPrice>,
    /// Whether it takes what an Ethereum wallet signs by `personal_sign`: Initia's chains do.
    pub takes_personal: bool,
    /// What a fee may be paid in, for people.
    pub units: Vec<FeeUnit>,
    /// Whether the chain is of a simulation, which has the number of a real one: a wallet that sends by itself would send
    /// there.
    pub is_simulated: bool,
    /// What a wallet may be told of the chain where it does not know it.
    pub suggestion: Option<ChainSuggestion>,
}

/// How amounts of a denom are written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeeUnit {
    /// Which.
    pub denom: Denom,
    /// Its symbol.
    pub symbol: String,
    /// How many of its digits lie behind the point.
    pub decimals: u8,
}

/// What is known of a transaction that left the wallet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BroadcastTx {
    /// Where.
    pub chain_id: ChainId,
    /// How the chain calls it.
    pub hash: BroadcastHash,
    /// How far it is.
    pub stage: SentStage,
}

/// How far a signed transaction is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SentStage {
    /// Signed and checked; it is sent next, so that from here on it may be on its way.
    Signed,
    /// The node took it, or the wallet says that it sent it.
    Sent,
    /// The wallet says that it sent it after nobody waited any more.
    SentLate,
    /// The node did not take it: nothing was spent.
    Refused {
        /// The node's number of the reason.
        code: u32,
        /// The node's words, cut.
        log: String,
    },
}

/// What is to be kept of a transfer whose transaction is signed: the record, before it is sent and after.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordDraft {
    /// The whole route as the router gave it.
    pub route: Arc<str>,
    /// The addresses that go with it.
    pub addresses: Vec<String>,
    /// The transfer that goes on, or what was noted of this one already.
    pub kept: Option<TransferRecord>,
}

/// What is to be kept of a transfer whose withdrawal is claimed: the claim is none of its own transactions, so it is noted
/// in its history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimDraft {
    /// The transfer, with what was noted already.
    pub kept: TransferRecord,
}

/// A record as it is to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotedRecord {
    /// The whole of it.
    pub record: TransferRecord,
    /// A transaction that is none of it any more: the node never took it.
    pub dropped: Option<(ChainId, BroadcastHash)>,
}

impl SendingAccess {
    /// What a router's list says of a chain. A REST that the person chose comes before that of the list.
    pub fn of(listed: Option<&ChainInfo>, own_rest: Option<&str>, units: Vec<FeeUnit>) -> Self {
        let price = |info: &ChainInfo| {
            let mut assets = info.fee_assets.iter();
            assets.find_map(|asset| GasPrice::new(asset.denom.clone(), &asset.gas_price.as_ref()?.average).ok())
        };
        let rest = own_rest.filter(|rest| !rest.is_empty()).or(listed.map(|info| info.rest.as_str()));
        Self {
            rest: rest.unwrap_or_default().to_owned(),
            price: listed.and_then(price),
            takes_personal: listed.is_some_and(|info| info.bech32_prefix == "init"),
            suggestion: listed.and_then(|info| ChainSuggestion::of(info, &units)),
            units,
            is_simulated: false,
        }
    }

    /// A fee in words: what is offered, for how much gas at the most.
    pub fn fee_words(&self, fee: &SigningFee) -> String {
        let coins = fee.amount.iter().map(|coin| {
            let known = self.units.iter().find(|unit| unit.denom == coin.denom);
            known.map_or_else(
                || format!("{} smallest units of {}", group_digits(&coin.amount.to_string()), coin.denom.marked()),
                |unit| format!("{} {}", coin.amount.display(unit.decimals), unit.symbol),
            )
        });
        let coins: Vec<String> = coins.collect();
        let offered = if coins.is_empty() { "nothing".to_owned() } else { coins.join(", ") };
        format!("{offered} for at most {} gas", fee.gas)
    }
}

impl BroadcastTx {
    /// What is kept of a claim with its hash, in words.
    pub fn claim_words(&self) -> String {
        let what = match &self.stage {
            SentStage::Signed => "signed; it is sent now",
            SentStage::Sent => "sent",
            SentStage::SentLate => "sent by the wallet after its time",
            SentStage::Refused { .. } => "refused by the node; nothing was spent",
        };
        format!("Claim {} on {}: {what}", self.hash, self.chain_id)
    }
}

impl ClaimDraft {
    /// Notes what became of the claim; gives what is to be written now.
    pub fn note(&mut self, sent: &BroadcastTx, now: Timestamp) -> NotedRecord {
        self.kept.note(now, &sent.claim_words());
        NotedRecord { record: self.kept.clone(), dropped: None }
    }
}

impl RecordDraft {
    /// Notes what became of the transaction; gives what is to be written now.
    pub fn note(&mut self, sent: &BroadcastTx, now: Timestamp) -> NotedRecord {
        let BroadcastTx { chain_id, hash, stage } = sent;
        let fresh = TransferRecord::of_hash(chain_id.clone(), hash, now);
        let mut record = match self.kept.take() {
            Some(mut kept) => {
                let is_new = !kept.txs.iter().any(|tx| tx.chain_id == *chain_id && tx.hash == *hash);
                if is_new {
                    kept.txs.extend(fresh.txs);
                    kept.is_over = false;
                }
                kept
            }
            None => TransferRecord { route: Some(Arc::clone(&self.route)), addresses: self.addresses.clone(), ..fresh },
        };
        let mut dropped = None;
        match stage {
            SentStage::Signed => record.note(now, "signed in the browser's wallet; about to be sent"),
            SentStage::Sent => record.note(now, "sent"),
            SentStage::SentLate => record.note(now, "sent by the wallet after rollscope had stopped waiting"),
            SentStage::Refused { code, log } => {
                record.note(now, &format!("refused by the node (code {code}): {log}; nothing was spent"));
                // The transfer that it would have gone on with waits for another try.
                if record.txs.len() > 1 {
                    record.txs.retain(|tx| tx.chain_id != *chain_id || tx.hash != *hash);
                    dropped = Some((chain_id.clone(), hash.clone()));
                } else {
                    record.is_over = true;
                }
            }
        }
        self.kept = Some(record.clone());
        NotedRecord { record, dropped }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Amount, Coin};

    fn sent(digits: &str, stage: SentStage) -> BroadcastTx {
        BroadcastTx { chain_id: ChainId::new("a-1"), hash: digits.repeat(32).parse().unwrap(), stage }
    }

    fn draft(kept: Option<TransferRecord>) -> RecordDraft {
        RecordDraft { route: "{}".into(), addresses: vec!["me".to_owned()], kept }
    }

    #[test]
    fn a_transaction_is_kept_before_it_is_sent_and_once() {
        let mut draft = draft(None);
        let signed = draft.note(&sent("AB", SentStage::Signed), Timestamp::EPOCH);
        assert!(signed.record.txs.len() == 1 && !signed.record.is_over && signed.record.route.is_some());
        let taken = draft.note(&sent("AB", SentStage::Sent), Timestamp::EPOCH);
        assert_eq!((taken.record.txs.len(), taken.record.changes.len()), (1, 2));
    }

    #[test]
    fn what_a_node_refuses_ends_a_transfer_but_not_one_under_way() {
        let refused = || SentStage::Refused { code: 32, log: "sequence".to_owned() };
        let mut first = draft(None);
        first.note(&sent("AB", SentStage::Signed), Timestamp::EPOCH);
        let over = first.note(&sent("AB", refused()), Timestamp::EPOCH);
        assert!(over.record.is_over && over.dropped.is_none());
        let began = draft(None).note(&sent("AB", SentStage::Sent), Timestamp::EPOCH).record;
        let mut further = draft(Some(began));
        let signed = further.note(&sent("CD", SentStage::Signed), Timestamp::EPOCH);
        assert_eq!(signed.record.txs.len(), 2);
        let waits = further.note(&sent("CD", refused()), Timestamp::EPOCH);
        assert_eq!((waits.record.txs.len(), waits.record.is_over), (1, false));
        assert_eq!(waits.dropped.map(|(_, hash)| hash), Some("CD".repeat(32).parse().unwrap()));
    }

    #[test]
    fn a_claim_is_noted_and_no_transaction_of_the_transfer() {
        let kept = draft(None).note(&sent("AB", SentStage::Sent), Timestamp::EPOCH).record;
        let mut claim = ClaimDraft { kept };
        let signed = claim.note(&sent("CD", SentStage::Signed), Timestamp::EPOCH).record;
        assert_eq!((signed.txs.len(), signed.is_over), (1, false));
        let words = signed.changes.last().map(|change| change.text.clone()).unwrap_or_default();
        assert_eq!(words, format!("Claim {} on a-1: signed; it is sent now", "CD".repeat(32)));
        let taken = claim.note(&sent("CD", SentStage::Sent), Timestamp::EPOCH).record;
        assert_eq!(taken.changes.len(), signed.changes.len() + 1, "what was noted before stays");
    }

    #[test]
    fn a_fee_is_told_in_units_where_they_are_known() {
        let unit = FeeUnit { denom: Denom::new("uinit"), symbol: "INIT".to_owned(), decimals: 6 };
        let access = SendingAccess { units: vec![unit], ..SendingAccess::default() };
        let fee = |denom: &str| SigningFee {
            amount: vec![Coin { denom: Denom::new(denom), amount: Amount::from(2101) }],
            gas: 140_002,
        };
        assert_eq!(access.fee_words(&fee("uinit")), "0.002101 INIT for at most 140002 gas");
        assert_eq!(access.fee_words(&fee("umin")), "2,101 smallest units of umin for at most 140002 gas");
    }
}
