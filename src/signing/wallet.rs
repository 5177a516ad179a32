//! Requests to a wallet and their results, for the wallet's driver and for the user.

use std::{collections::BTreeSet, sync::Arc};

use serde::Serialize;

use super::{AccountsOrder, ChainSuggestion, ContractUse, FeeDoubt, ReadyTx, RouteDoubt, SigningFee};
use crate::{
    domain::{
        Address, BroadcastHash, ChainId, Coin, Denom, FeeDenom, FormerPlace, GasPrice, SimulatedOutcome, Timestamp,
        TransferRecord, TxTerms,
        text::Foreign,
        text::{clean, group_digits, is_odd},
    },
    wire::router::{ChainInfo, OpHook},
};

/// Description of a transaction for the page and the terminal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OfferWords {
    /// Effect of the signature, with amount and destination.
    pub title: String,
    /// Short title, for the button that asks the wallet.
    pub act: String,
    /// Lines in display order.
    pub lines: Vec<OfferLine>,
    /// Warning, or the reason for a repeated request.
    pub note: Option<String>,
}

/// Why a refusal stays open for good.
const NO_PROOF: &str = "; nothing can prove later that no block includes the transaction, because it has no last \
                        height from a node that the router did not name";

/// Tells that nothing can prove later whether a block included a transaction; empty where its terms can.
pub fn no_proof(terms: Option<&TxTerms>) -> &'static str {
    if terms.is_some() { "" } else { NO_PROOF }
}

/// Named value of a description; cleaned text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OfferLine {
    pub name: &'static str,
    pub text: String,
    pub kind: OfferLineKind,
}

/// Emphasis of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum OfferLineKind {
    Plain,
    /// Funds that leave or arrive, and fees.
    Amount,
    Warning,
}

impl OfferLine {
    pub fn new(name: &'static str, kind: OfferLineKind, text: &str) -> Self {
        Self { name, text: clean(text).into_owned(), kind }
    }
}

impl OfferWords {
    /// Returns these words with a note that explains a repeated request.
    #[must_use]
    pub fn noted(&self, note: Option<String>) -> Self {
        Self { note: note.or_else(|| self.note.clone()), ..self.clone() }
    }

    /// Warns of characters that may imitate the letters of another name; `None` if there are none.
    pub fn letters(&self) -> Option<String> {
        let texts = [self.title.as_str()].into_iter().chain(self.lines.iter().map(|line| line.text.as_str()));
        let odd: BTreeSet<char> = texts.flat_map(str::chars).filter(|character| is_odd(*character)).collect();
        let named: Vec<String> = odd.iter().take(8).map(|odd| format!("{odd} (U+{:04X})", u32::from(*odd))).collect();
        let more = if odd.len() > named.len() { " and others" } else { "" };
        (!named.is_empty()).then(|| format!("outside a–z, may imitate another name: {}{more}", named.join(", ")))
    }
}

/// Transaction to sign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WalletTx {
    /// Transaction checked against the accepted quote.
    pub tx: ReadyTx,
    /// Description for the page and the terminal.
    pub words: OfferWords,
    /// Endpoints of the transaction's chain.
    pub access: SendingAccess,
    /// What a node simulated; `None` if nothing is known.
    pub simulated: Option<SimulatedOutcome>,
}

/// Hook to sign. Another transaction carries the hook, which is never broadcast alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WalletHook {
    /// Hook checked against the accepted quote.
    pub hook: OpHook,
    /// Recipient in the format of the hook's chain.
    pub signer: String,
    /// Contracts that the hook involves, each once per role.
    pub contracts: Vec<ContractUse>,
    /// Denoms of which a contract gets an allowance, with their contracts by the router.
    pub tokens: Vec<(Denom, Address)>,
    /// Parts that only the router tells.
    pub doubts: Vec<RouteDoubt>,
    /// Whether the transfer starts on the hook's chain and uses two of the signer's sequence numbers before the hook.
    pub starts_there: bool,
    /// Description for the page and the terminal.
    pub words: OfferWords,
    /// Endpoints of the hook's chain.
    pub access: SendingAccess,
}

/// Request to the wallet on one page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SigningOrder {
    /// Transaction to sign and broadcast.
    Tx {
        planned: Box<WalletTx>,
        /// Draft of the transfer's record, stored before the broadcast.
        draft: Box<RecordDraft>,
        /// Whether the transfer has no further transaction.
        is_last: bool,
    },
    /// Hook of a later transaction.
    Hook(Box<WalletHook>),
    /// Accounts of the wallet, without a signature.
    Accounts(Box<AccountsOrder>),
    /// Claims of stored transfers' withdrawals, to sign and broadcast in one transaction.
    Claim {
        planned: Box<WalletTx>,
        /// Drafts of the transfers' records, whose history gets the claim before the broadcast.
        draft: Box<ClaimDraft>,
    },
}

/// Endpoints of a chain, with its fees and signing methods.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SendingAccess {
    /// Cosmos REST URL; empty if unknown.
    pub rest: String,
    /// Gas price from the router's list.
    pub listed_price: Option<GasPrice>,
    pub trust: ChainTrust,
    /// Whether the chain accepts `personal_sign` of an Ethereum wallet, as Initia's chains do.
    pub takes_personal: bool,
    /// Display units of the fee's denoms.
    pub units: Vec<FeeUnit>,
    /// Whether the server only simulates a chain of this id: a wallet that broadcasts would use the real chain.
    pub is_simulated: bool,
    /// Suggestion for a wallet that does not know the chain.
    pub suggestion: Option<ChainSuggestion>,
}

/// Facts about a chain from settings, registry and the servers that they name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChainTrust {
    /// Name of the chain.
    pub name: Option<String>,
    /// RPC URL.
    pub rpc: Option<String>,
    /// Cosmos REST URL.
    pub rest: Option<String>,
    /// Ethereum JSON-RPC URL.
    pub json_rpc: Option<String>,
    /// Base URL of the indexer.
    pub indexer: Option<String>,
    /// Denoms in which the chain takes fees, the usual one first; empty if unknown.
    pub fees: Vec<FeeDenom>,
}

/// Request for a second confirmation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SigningQuestion {
    /// Contracts that rollscope does not know.
    Contract {
        why: String,
    },
    /// Part that only the router tells.
    Doubt {
        why: String,
    },
    Fee {
        why: String,
        fee: Vec<Coin>,
    },
}

impl SigningQuestion {
    pub fn why(&self) -> &str {
        match self {
            Self::Contract { why } | Self::Doubt { why } | Self::Fee { why, .. } => why,
        }
    }
}

/// Display unit of a denom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeeUnit {
    pub denom: Denom,
    pub symbol: String,
    pub decimals: u8,
    /// Whether only the router tells symbol and decimals.
    pub is_routed: bool,
}

/// Signed transaction with its hash and stage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BroadcastTx {
    pub chain_id: ChainId,
    /// Hash in the chain's format.
    pub hash: BroadcastHash,
    pub stage: SentStage,
    /// Terms that later prove that no block included the transaction; `None` without such terms.
    pub terms: Option<TxTerms>,
    /// What a node simulated; `None` if nothing is known.
    pub simulated: Option<SimulatedOutcome>,
}

/// Stage of a signed transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SentStage {
    /// Signed and verified; the broadcast follows immediately.
    Signed,
    /// The node accepted the transaction, or the wallet sent it.
    Sent,
    /// The wallet sent the transaction after the timeout.
    SentLate,
    /// The node reports that it did not accept the transaction.
    Refused {
        /// Error code of the node.
        code: u32,
        /// Message of the node, truncated.
        log: Foreign,
    },
}

/// Draft of a transfer's record, for its signed transaction before and after the broadcast.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordDraft {
    /// Whole route as the router sent it.
    pub route: Arc<str>,
    pub addresses: Vec<String>,
    /// Stored record of the transfer; `None` before its first transaction.
    pub kept: Option<TransferRecord>,
}

/// Draft of a claim's records. A transfer's list of transactions excludes the claim, so the history records it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimDraft {
    /// Records of the transfers with their history, one per transaction that started a withdrawal.
    pub kept: Vec<TransferRecord>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotedRecord {
    pub record: TransferRecord,
    /// Record of a later transaction that the node says it refused; it leaves `record`, which waits for another
    /// attempt.
    pub parted: Option<Box<TransferRecord>>,
}

impl SendingAccess {
    /// Creates the access from a router's entry. A trusted REST URL has priority over the router's.
    pub fn new(listed: Option<&ChainInfo>, trust: ChainTrust, units: Vec<FeeUnit>) -> Self {
        let price = |info: &ChainInfo| {
            let mut assets = info.fee_assets.iter();
            assets.find_map(|asset| GasPrice::new(asset.denom.clone(), &asset.gas_price.as_ref()?.average).ok())
        };
        let rest = trust.rest.clone().or_else(|| listed.map(|info| info.rest.clone()));
        Self {
            rest: rest.unwrap_or_default(),
            listed_price: listed.and_then(price),
            takes_personal: listed.is_some_and(|info| info.bech32_prefix == "init"),
            suggestion: listed.and_then(|info| ChainSuggestion::new(info, &trust, &units)),
            trust,
            units,
            is_simulated: false,
        }
    }

    /// Whether the REST is of a server that no router named.
    pub fn is_rest_trusted(&self) -> bool {
        self.trust.rest.as_ref() == Some(&self.rest)
    }

    /// Describes a fee that needs a second confirmation.
    pub fn doubt_words(&self, chain: &ChainId, doubt: &FeeDoubt, fee: &SigningFee) -> String {
        let exact: Vec<String> = fee.amount.iter().map(Coin::to_string).collect();
        let shown = format!("the fee is {} ({})", self.fee_words(fee), exact.join(","));
        match doubt {
            FeeDoubt::OtherDenom { known } => {
                let known: Vec<String> = known.iter().map(Denom::short).collect();
                format!("{shown}, but {chain} takes fees in {}", known.join(" or "))
            }
            FeeDoubt::OverUsual { usual } => {
                let denom = fee.amount.first().map(|coin| coin.denom.as_str()).unwrap_or_default();
                format!("{shown}, over 5 times the usual {usual}{denom}")
            }
            FeeDoubt::OverDollar => format!("{shown}, worth over $1 at the router's price"),
            FeeDoubt::OverPart => format!("{shown}, more than a 10th of the amount sent"),
            FeeDoubt::UnknownPrice => format!("{shown}, and only the router states the gas price of {chain}"),
        }
    }

    /// Formats a fee as amount and gas limit.
    pub fn fee_words(&self, fee: &SigningFee) -> String {
        let coins = fee.amount.iter().map(|coin| {
            let exact =
                || format!("{} smallest units of {}", group_digits(&coin.amount.to_string()), coin.denom.marked());
            let shown = |unit: &FeeUnit| format!("{} {}", coin.amount.display(unit.decimals), unit.symbol);
            match self.units.iter().find(|unit| unit.denom.is_same(&coin.denom)) {
                Some(unit) if unit.is_routed => format!("{} (by the router's units; exactly {})", shown(unit), exact()),
                Some(unit) => shown(unit),
                None => exact(),
            }
        });
        let coins: Vec<String> = coins.collect();
        let offered = if coins.is_empty() { "nothing".to_owned() } else { coins.join(", ") };
        format!("{offered} for at most {} gas", fee.gas)
    }
}

impl BroadcastTx {
    /// Describes a claim by its hash and stage.
    pub fn claim_words(&self) -> String {
        let what = match &self.stage {
            SentStage::Signed => "signed; broadcasting",
            SentStage::Sent => "sent",
            SentStage::SentLate => "sent by the wallet after the timeout",
            SentStage::Refused { .. } => "rejected, according to the node",
        };
        format!("Claim {} on {}: {what}", self.hash, self.chain_id)
    }
}

impl ClaimDraft {
    /// Records the state of the claim; returns the records to write.
    pub fn note(&mut self, sent: &BroadcastTx, now: Timestamp) -> Vec<NotedRecord> {
        for record in &mut self.kept {
            record.note(now, sent.claim_words());
        }
        self.kept.iter().map(|record| NotedRecord { record: record.clone(), parted: None }).collect()
    }
}

impl RecordDraft {
    /// Returns the transfer's record with the transaction of a record that has nothing else.
    pub fn with_tx(&self, fresh: TransferRecord) -> TransferRecord {
        let Some(mut record) = self.kept.clone() else {
            return TransferRecord { route: Some(Arc::clone(&self.route)), addresses: self.addresses.clone(), ..fresh };
        };
        for tx in fresh.txs {
            if !record.txs.iter().any(|known| known.chain_id == tx.chain_id && known.hash == tx.hash) {
                record.txs.push(tx);
                record.is_over = false;
            }
        }
        record
    }

    /// Records the state of the transaction; returns the record to write.
    pub fn note(&mut self, sent: &BroadcastTx, now: Timestamp) -> NotedRecord {
        let BroadcastTx { chain_id, hash, stage, terms, simulated } = sent;
        let mut fresh = TransferRecord::of_hash(chain_id.clone(), hash, now);
        for tx in &mut fresh.txs {
            tx.terms.clone_from(terms);
            tx.simulated.clone_from(simulated);
        }
        let mut record = self.with_tx(fresh.clone());
        let mut parted = None;
        match stage {
            SentStage::Signed => record.note(now, "signed in the browser wallet; about to broadcast"),
            SentStage::Sent => record.note(now, "sent"),
            SentStage::SentLate => record.note(now, "sent by the wallet after rollscope stopped waiting"),
            SentStage::Refused { code, log } => {
                let proof = no_proof(terms.as_ref());
                let words = format!("rejected, according to the node (code {code}): {}{proof}", log.clipped(300));
                // The node's word proves nothing, so the transaction is followed on: a later one apart from its
                // transfer, which waits for another attempt.
                if record.txs.len() > 1 {
                    record.txs.retain(|tx| tx.chain_id != *chain_id || tx.hash != *hash);
                    record.note(now, format!("transaction {} of {chain_id}, followed apart: {words}", hash.short()));
                    fresh.note(now, words);
                    let (transfer, index) = (record.id.clone(), record.txs.len());
                    fresh.former_place = Some(FormerPlace { transfer, index });
                    parted = Some(Box::new(fresh));
                } else {
                    record.note(now, words);
                }
            }
        }
        // Another signature begins a transfer of its own, since the first transaction is refused by a node's word only.
        let is_first_refused = matches!(stage, SentStage::Refused { .. }) && parted.is_none();
        self.kept = (!is_first_refused).then(|| record.clone());
        NotedRecord { record, parted }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Amount, Coin};

    fn sent(digits: &str, stage: SentStage) -> BroadcastTx {
        BroadcastTx {
            chain_id: ChainId::new("a-1"),
            hash: digits.repeat(32).parse().unwrap(),
            stage,
            terms: None,
            simulated: None,
        }
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
    fn what_a_node_refuses_stays_open_and_a_transfer_under_way_waits() {
        let refused = || SentStage::Refused { code: 32, log: "sequence".into() };
        let mut first = draft(None);
        first.note(&sent("AB", SentStage::Signed), Timestamp::EPOCH);
        let over = first.note(&sent("AB", refused()), Timestamp::EPOCH);
        let again = first.note(&sent("EF", SentStage::Signed), Timestamp::EPOCH).record;
        assert_eq!((again.txs.len(), again.id == over.record.id), (1, false), "another signature, another transfer");
        assert!(!over.record.is_over && over.parted.is_none(), "the node's word proves nothing");
        let began = draft(None).note(&sent("AB", SentStage::Sent), Timestamp::EPOCH).record;
        let mut further = draft(Some(began));
        let signed = further.note(&sent("CD", SentStage::Signed), Timestamp::EPOCH);
        assert_eq!(signed.record.txs.len(), 2);
        let waits = further.note(&sent("CD", refused()), Timestamp::EPOCH);
        assert_eq!((waits.record.txs.len(), waits.record.is_over), (1, false));
        let parted = waits.parted.unwrap();
        assert_eq!((parted.id.hash.as_str(), parted.txs.len(), parted.is_over), (&*"CD".repeat(32), 1, false));
        assert_eq!(parted.former_place, Some(FormerPlace { transfer: waits.record.id.clone(), index: 1 }));
        let told = |record: &TransferRecord| record.changes.last().map(|change| change.text.as_str().to_owned());
        let words = format!("rejected, according to the node (code 32): sequence{NO_PROOF}");
        assert_eq!(told(&parted), Some(words.clone()));
        assert_eq!(told(&waits.record), Some(format!("transaction CDCD…CDCD of a-1, followed apart: {words}")));
        let terms =
            TxTerms { rest: "http://r".to_owned(), signer: "init1a".to_owned(), sequence: 4, timeout_height: 9 };
        let proven = BroadcastTx { terms: Some(terms.clone()), ..sent("CD", refused()) };
        further.note(&sent("CD", SentStage::Signed), Timestamp::EPOCH);
        let parted = further.note(&proven, Timestamp::EPOCH).parted.unwrap();
        assert_eq!(parted.txs[0].terms, Some(terms), "its own node can prove it");
        assert_eq!(told(&parted), Some("rejected, according to the node (code 32): sequence".to_owned()));
    }

    #[test]
    fn a_claim_is_noted_and_no_transaction_of_the_transfer() {
        let kept = draft(None).note(&sent("AB", SentStage::Sent), Timestamp::EPOCH).record;
        let mut claim = ClaimDraft { kept: vec![kept] };
        let mut noted = |stage| claim.note(&sent("CD", stage), Timestamp::EPOCH).remove(0).record;
        let signed = noted(SentStage::Signed);
        assert_eq!((signed.txs.len(), signed.is_over), (1, false));
        let words = signed.changes.last().map(|change| change.text.clone()).unwrap_or_default();
        assert_eq!(words.as_str(), format!("Claim {} on a-1: signed; broadcasting", "CD".repeat(32)));
        let taken = noted(SentStage::Sent);
        assert_eq!(taken.changes.len(), signed.changes.len() + 1, "what was noted before stays");
    }

    #[test]
    fn a_fee_is_told_in_units_where_they_are_known() {
        let unit = FeeUnit { denom: Denom::new("uinit"), symbol: "INIT".to_owned(), decimals: 6, is_routed: false };
        let access = SendingAccess { units: vec![unit], ..SendingAccess::default() };
        let fee = |denom: &str| SigningFee {
            amount: vec![Coin { denom: Denom::new(denom), amount: Amount::from(2101) }],
            gas: 140_002,
        };
        assert_eq!(access.fee_words(&fee("uinit")), "0.002101 INIT for at most 140002 gas");
        assert_eq!(access.fee_words(&fee("umin")), "2,101 smallest units of umin for at most 140002 gas");
    }
}
