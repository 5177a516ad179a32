//! The claim of an optimistic withdrawal: signed in the person's own wallet, or by the demo wallet where there is one.

use std::{borrow::Cow, sync::Arc, time::Duration};

use super::{TransferCx, TransferEffect, Transfers, WatchedTransfer};
use crate::{
    config::Command,
    domain::{BroadcastHash, ChainId, Timestamp, TransferId, TransferRecord, text},
    msg::{Answer, Request, Slot},
    signing::{ClaimDraft, SigningOrder, WalletTx},
    story::{WithdrawalStage, offer_words, ready_claim, transfer::Phase},
    wire::{ApiError, opinit::SettlementAnswers, router::TrackRequest},
};

/// What was sent is in a block after this long, or will not be.
const SETTLES_IN: Duration = Duration::from_secs(120);
/// Why no claim can be made where nobody proves it.
const NO_EXECUTOR: &str =
    "nobody names this rollup's executor: set executor for its network, or run rollscope claim with --executor URL";
/// The same where it is not known what is to be proven.
const SEVERAL: &str = "its transaction starts several withdrawals: rollscope claim CHAIN NUMBER claims one of them";
const NO_NUMBER: &str =
    "its number is not known here, which the rollup's indexer tells: rollscope claim CHAIN NUMBER claims it without";
const NO_L1: &str = "the router lists no REST of the L1, which has the output and takes the claim";
const ANOTHER: &str = "the executor speaks of another withdrawal than was asked for: nothing it says of it is used";

/// A claim that was sent from here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SentClaim {
    /// Where.
    pub(crate) chain_id: ChainId,
    pub(crate) hash: BroadcastHash,
    pub(crate) at: Timestamp,
}

impl WatchedTransfer {
    /// Whether it waits for a claim, now or once its time has come.
    pub(crate) fn is_withdrawal(&self) -> bool {
        self.status_view.phase == Phase::Finalizing
    }

    /// What the executor and the L1 said last of what it withdrew.
    pub(crate) fn settlement_answers(&self) -> Option<&SettlementAnswers> {
        self.found.settlement.as_deref()
    }

    /// Why nothing can be claimed yet, by what is known here.
    fn refusal_to_claim(&self, has_executor: bool, now: Timestamp) -> Option<Cow<'static, str>> {
        if let Some(claim) = self.claim.as_ref().filter(|claim| now.since(claim.at) < SETTLES_IN) {
            let (hash, age) = (claim.hash.short(), text::age(now.since(claim.at)));
            return Some(format!("its claim {hash} was sent {age} ago: the L1 is asked whether it has it").into());
        }
        if !has_executor {
            return Some(NO_EXECUTOR.into());
        }
        match self.begun.len() {
            0 => return Some(NO_NUMBER.into()),
            1 => {}
            _ => return Some(SEVERAL.into()),
        }
        // Nothing but another question can tell more.
        let stage = self.settlement_answers().map(WithdrawalStage::of)?;
        (!stage.is_ready(now)).then(|| format!("nothing is to be signed: {}", stage.sentence(now)).into())
    }
}

impl Transfers {
    /// Why the person's own wallet cannot be asked for the claim of what this transfer withdrew now, in words.
    pub(crate) fn refusal_to_claim(
        &self,
        id: &TransferId,
        has_executor: bool,
        now: Timestamp,
    ) -> Option<Cow<'static, str>> {
        let known = || self.get(id).and_then(|transfer| transfer.refusal_to_claim(has_executor, now));
        self.busy_wallet(id).map(Cow::Borrowed).or_else(known)
    }

    /// The person's own wallet is to claim what this transfer withdrew: whoever proves it is asked once more first, since
    /// somebody may have claimed it meanwhile.
    pub(super) fn prove_claim(&mut self, id: &TransferId, cx: &mut TransferCx<'_>) {
        if let Some(why) = self.refusal_to_claim(id, cx.executor.is_some(), cx.now) {
            return cx.refuse(why);
        }
        let slot = Slot::ClaimProof(id.clone());
        if cx.is_waiting(&slot) {
            return cx.refuse("the executor and the L1 are being asked for the proof");
        }
        if cx.directory.settlement().is_none() {
            return cx.refuse(NO_L1);
        }
        let Some(question) = self.get(id).and_then(|transfer| transfer.settlement_question(cx)) else {
            return cx.refuse(NO_NUMBER);
        };
        cx.ask(slot, question);
        cx.inform("asking the executor and the L1 for the proof…");
        if !cx.shown.is_only(id) {
            cx.effect(TransferEffect::OpenTransfer(id.clone()));
        }
    }

    /// What the executor and the L1 said when the claim was to be signed: it is handed to the wallet where they prove it.
    pub(in crate::app) fn take_proof(
        &mut self,
        id: &TransferId,
        result: &Result<Answer, ApiError>,
        cx: &mut TransferCx<'_>,
    ) {
        cx.effect(TransferEffect::Unsay);
        let now = cx.now;
        let answers = match result {
            Ok(Answer::Settlement(answers)) => Arc::clone(answers),
            Ok(_) => return cx.complain("nothing was signed: the executor gave another answer than its proof"),
            Err(error) => return cx.complain(format!("nothing was signed: {}", error.brief())),
        };
        let Some(transfer) = self.get_mut(id) else { return };
        if !transfer.take_settlement(result, now) {
            return cx.complain(ANOTHER);
        }
        self.review(id, cx);
        if let Some(why) = self.busy_wallet(id) {
            return cx.refuse(why);
        }
        let Some(l1) = cx.directory.settlement().map(|chain| chain.chain_id.clone()) else { return cx.refuse(NO_L1) };
        let tx = match ready_claim(&answers, &l1, None, now) {
            Ok(tx) => tx,
            Err(refusal) => return cx.complain(text::clean(&refusal.to_string()).into_owned()),
        };
        let Some(kept) = self.get(id).map(|transfer| transfer.record.clone()) else { return };
        let (words, access) = (offer_words(&tx, (0, 1), cx.directory), cx.directory.sending_access(&l1, None));
        let planned = Box::new(WalletTx { tx, words, access });
        self.sign_claim(id.clone(), SigningOrder::Claim { planned, draft: Box::new(ClaimDraft { kept }) }, cx);
        // What is signed stands on the terminal at that moment.
        if !cx.shown.is_only(id) {
            cx.effect(TransferEffect::OpenTransfer(id.clone()));
        }
    }

    /// A claim was sent, or may have been: the L1 says what became of it.
    pub(super) fn keep_claim(
        &mut self,
        record: &TransferRecord,
        (chain_id, hash): (ChainId, BroadcastHash),
        doubt: Option<String>,
        cx: &mut TransferCx<'_>,
    ) {
        let (id, at) = (record.id.clone(), cx.now);
        self.adopt_drawn(record.clone(), cx);
        if let Some(transfer) = self.get_mut(&id) {
            transfer.claim = Some(SentClaim { chain_id, hash: hash.clone(), at });
            (transfer.is_watched, transfer.is_changed) = (true, true);
            transfer.ask_now();
        }
        self.review(&id, cx);
        match doubt {
            Some(doubt) => cx.complain(doubt),
            None => cx.done(format!("the claim was sent: {hash}")),
        }
    }

    /// Has the demo wallet claim what this transfer withdrew.
    pub(super) fn claim(&mut self, id: &TransferId, cx: &mut TransferCx<'_>) {
        let slot = Slot::Claim(id.clone());
        if cx.directory.wallet().is_none() {
            let key = cx.key(Command::SignInBrowser);
            return cx.inform(format!("{key} has your own wallet claim it; whoever claims, it goes to the recipient"));
        }
        if cx.is_waiting(&slot) {
            return cx.refuse("the claim is with the demo wallet");
        }
        let Some(tx) = self.get(id).and_then(|transfer| transfer.current_tx()) else { return };
        let started = TrackRequest { tx_hash: tx.hash.to_string(), chain_id: tx.chain_id.clone() };
        cx.ask(slot, Request::DemoClaim(started));
        cx.inform("claiming it with the demo wallet");
    }

    /// What became of a claim.
    pub(in crate::app) fn take_claim(
        &mut self,
        id: &TransferId,
        result: &Result<Answer, ApiError>,
        cx: &mut TransferCx<'_>,
    ) {
        let now = cx.now;
        match result {
            Ok(Answer::Broadcast(claim)) => {
                let Some(transfer) = self.get_mut(id) else { return };
                transfer.note(&format!("Claimed by the demo wallet: {} on {}", claim.tx_hash, claim.chain_id), now);
                transfer.ask_now();
                self.version += 1;
                cx.done(format!("claimed by the demo wallet: {}", claim.tx_hash));
            }
            Ok(_) => cx.complain("the demo wallet gave another answer than the hash of its claim"),
            Err(error) => cx.complain(format!("it was not claimed: {}", error.brief())),
        }
    }
}
