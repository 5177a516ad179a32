//! Claim of an optimistic withdrawal, by the user's wallet or the demo wallet.

use std::{borrow::Cow, collections::BTreeSet, sync::Arc, time::Duration};

use super::{TransferCx, Transfers, WatchedTransfer, polling::settlement, watched::SentClaim};
use crate::{
    app::page::{Destination, PageEffect},
    config::Command,
    domain::{Address, BroadcastHash, ChainId, Timestamp, TransferId, TransferRecord, text},
    msg::{Slot, ask},
    signing::{ClaimDraft, ReadyTx, SendingAccess, SigningOrder, SimulationQuestion, TxSimulation, WalletTx},
    story::{
        Glossary, MOST_CLAIMS, OfferPlace, SimulatedEffect, WithdrawalStage, offer_words, ready_claim, simulation_lines,
    },
    transfers::Phase,
    wire::{
        ApiError,
        opinit::{OpenWithdrawals, SettlementAnswers},
        router::{Broadcast, TrackRequest},
    },
};

/// Maximum time until a broadcast claim is in a block.
const SETTLES_IN: Duration = Duration::from_secs(120);
/// Refusal without an executor, which provides the proof.
const NO_EXECUTOR: &str = "unknown executor: set executor for this network, or run rollscope claim with --executor URL";
const SEVERAL: &str = "the transaction starts several withdrawals: rollscope claim CHAIN NUMBER claims one";
const NO_NUMBER: &str = "unknown withdrawal number: choose the rollup's indexer, or run rollscope claim CHAIN NUMBER";
const NO_L1: &str = "unknown L1 REST address: run rollscope claim with --l1-rest URL";
const NOT_READY: &str = "nothing to sign: no withdrawal to this account is claimable now";
const UNNAMED: &str = "the executor does not name the transaction: run rollscope claim CHAIN NUMBER";
const ANOTHER: &str = "the executor returned another withdrawal; rollscope ignores it";

impl WatchedTransfer {
    /// Whether the transfer waits for a claim, now or after the challenge period.
    pub(crate) fn is_withdrawal(&self) -> bool {
        self.follower.view.phase == Phase::Finalizing
    }

    /// Returns why no claim is possible yet, without a request.
    fn refusal_to_claim(&self, has_executor: bool, now: Timestamp) -> Option<Cow<'static, str>> {
        if let Some(claim) = self.claim.as_ref().filter(|claim| now.since(claim.at) < SETTLES_IN) {
            let (hash, age) = (claim.hash.short(), text::age(now.since(claim.at)));
            return Some(format!("claim {hash} sent {age} ago: rollscope is checking the L1").into());
        }
        if !has_executor {
            return Some(NO_EXECUTOR.into());
        }
        match self.follower.begun_withdrawals().len() {
            0 => return Some(NO_NUMBER.into()),
            1 => {}
            _ => return Some(SEVERAL.into()),
        }
        // Without an answer so far, a new request decides.
        let stage = self.follower.settlement_answers().map(WithdrawalStage::of)?;
        (!stage.is_ready(now)).then(|| format!("nothing to sign: {}", stage.sentence(now)).into())
    }
}

impl Transfers {
    /// Returns why the user's wallet cannot sign the claim now.
    pub(crate) fn refusal_to_claim(
        &self,
        id: &TransferId,
        has_executor: bool,
        now: Timestamp,
    ) -> Option<Cow<'static, str>> {
        let known = || self.get(id).and_then(|transfer| transfer.refusal_to_claim(has_executor, now));
        self.busy_wallet(std::slice::from_ref(id)).map(Cow::Borrowed).or_else(known)
    }

    /// Requests a fresh proof before the user's wallet signs the claim, since another account may have claimed it.
    pub(super) fn prove_claim(&mut self, id: &TransferId, cx: &mut TransferCx<'_>) {
        if let Some(why) = self.refusal_to_claim(id, cx.facts.executor.is_some(), cx.facts.now) {
            return cx.refuse(why);
        }
        // The recipient's other withdrawals need no signature of their own.
        let begun = self.get(id).and_then(|transfer| transfer.follower.begun_withdrawals().first());
        let recipient = begun.and_then(|begun| begun.to.parse().ok());
        if let Some(account) = recipient.filter(|account| self.open.ready_of(*account, cx.facts.now) > 1) {
            return self.claim_open(account, cx);
        }
        let slot = Slot::ClaimProof(id.clone());
        if cx.is_waiting(&slot) {
            return cx.refuse("rollscope is already requesting the proof");
        }
        if cx.directory.settlement().is_none() {
            return cx.refuse(NO_L1);
        }
        let l1s = cx.l1_addresses();
        let question = self
            .get(id)
            .and_then(|transfer| transfer.follower.settlement_question(&cx.follower_context(transfer, &l1s)));
        let Some(ask) = question.and_then(settlement) else { return cx.refuse(NO_NUMBER) };
        let of = id.clone();
        cx.request(slot, ask, move |transfers, result, cx| transfers.take_proof(&of, &result, cx));
        cx.inform("asking the executor and the L1 for the proof…");
        if !cx.facts.shown.is_only(id) {
            cx.open(Destination::Transfer(id.clone()));
        }
    }

    /// Requests fresh proofs of all claimable withdrawals to an account, and gives their claims to the user's wallet in
    /// one transaction.
    pub(in crate::app) fn claim_open(&mut self, account: Address, cx: &mut TransferCx<'_>) {
        if cx.facts.executor.is_none() {
            return cx.refuse(NO_EXECUTOR);
        }
        if let Some(why) = self.busy_wallet(&[]) {
            return cx.refuse(why);
        }
        let slot = Slot::ClaimProofs(account);
        if cx.is_waiting(&slot) {
            return cx.refuse("rollscope is already requesting the proof");
        }
        let Some(ask) = self.open_question(account, cx) else { return cx.refuse(NO_L1) };
        cx.request(slot, ask, move |transfers, result, cx| transfers.take_open_proofs(account, result, cx));
        cx.inform("asking the executor and the L1 for the proofs…");
    }

    /// Takes the proofs. Keeps the withdrawals that executor and L1 confirm as transfers, and gives their claims to the
    /// wallet.
    fn take_open_proofs(
        &mut self,
        account: Address,
        result: Result<Arc<OpenWithdrawals>, ApiError>,
        cx: &mut TransferCx<'_>,
    ) {
        cx.emit(PageEffect::Unsay);
        let now = cx.facts.now;
        let found = match &result {
            Ok(found) => Arc::clone(found),
            Err(error) => return cx.complain(format!("nothing was signed: {}", error.brief())),
        };
        self.take_open(account, result, cx);
        if let Some(why) = self.busy_wallet(&[]) {
            return cx.refuse(why);
        }
        let Some((own, l1)) = cx.facts.own_chain.clone().zip(cx.claims_l1()) else { return cx.refuse(NO_L1) };
        let hash = |one: &SettlementAnswers| one.withdrawal.tx_hash.as_deref()?.parse::<BroadcastHash>().ok();
        let ready = found.open.iter().rev().filter(|one| WithdrawalStage::of(one).is_ready(now));
        let (kept, unnamed): (Vec<_>, Vec<_>) = ready.partition(|one| hash(one).is_some());
        let Some((first, _)) = kept.split_first() else {
            return cx.refuse(if unnamed.is_empty() { NOT_READY } else { UNNAMED });
        };
        let claimed = kept.get(..MOST_CLAIMS).unwrap_or(&kept);
        let tx = match ready_claim(claimed.iter().copied(), &l1, None, now) {
            Ok(tx) => tx,
            Err(refusal) => return cx.complain(text::clean(&refusal.to_string()).into_owned()),
        };
        let hashes: Vec<BroadcastHash> = claimed.iter().filter_map(|one| hash(one)).collect();
        let ids: BTreeSet<TransferId> = hashes.iter().map(|hash| self.keep_begun(&own, hash, cx)).collect();
        let shown = hash(first).and_then(|hash| self.of_hash(&own, &hash)).map(|kept| kept.follower.record.id.clone());
        Self::give_claim(tx, ids.into_iter().collect(), &l1, cx);
        if let Some(id) = shown {
            cx.open(Destination::Transfer(id));
        }
    }

    /// Keeps the transfer that a transaction of the rollup begins, and returns its id.
    fn keep_begun(&mut self, own: &ChainId, hash: &BroadcastHash, cx: &mut TransferCx<'_>) -> TransferId {
        if let Some(known) = self.of_hash(own, hash) {
            return known.follower.record.id.clone();
        }
        let record = TransferRecord::of_hash(own.clone(), hash, cx.facts.now);
        let id = record.id.clone();
        self.keep_new(record, cx);
        id
    }

    /// Gives the claims of kept transfers to the user's wallet.
    fn give_claim(tx: ReadyTx, ids: Vec<TransferId>, l1: &ChainId, cx: &mut TransferCx<'_>) {
        let access = cx.directory.sending_access(l1, cx.facts.own_chain.as_ref());
        let question = Arc::new(SimulationQuestion::new(&tx, &access));
        if cx.is_waiting(&Slot::ClaimSimulation) {
            return cx.refuse("rollscope is already simulating a claim");
        }
        cx.request(Slot::ClaimSimulation, ask::simulation(question), move |transfers, result, cx| {
            transfers.give_simulated_claim((tx, access), ids, result.ok().as_deref(), cx);
        });
        cx.inform("simulating the claim…");
    }

    fn give_simulated_claim(
        &mut self,
        (tx, access): (ReadyTx, SendingAccess),
        ids: Vec<TransferId>,
        simulation: Option<&TxSimulation>,
        cx: &mut TransferCx<'_>,
    ) {
        cx.emit(PageEffect::Unsay);
        if let Some(why) = self.busy_wallet(&ids) {
            return cx.refuse(why);
        }
        let kept = ids.iter().filter_map(|id| self.get(id)).map(|transfer| transfer.follower.record.clone()).collect();
        let mut words = offer_words(&tx, OfferPlace::ONLY, cx.directory);
        if let Some(simulation) = simulation {
            let effect = SimulatedEffect::of(&tx, &access, simulation, &Glossary::default());
            words.lines.extend(simulation_lines(&effect, simulation, &tx, false, cx.directory));
        }
        let planned = Box::new(WalletTx { tx, words, access, simulated: None });
        self.sign_claim(ids, SigningOrder::Claim { planned, draft: Box::new(ClaimDraft { kept }) }, cx);
    }

    /// Takes the proof. If executor and L1 confirm the claim, the wallet gets it.
    fn take_proof(
        &mut self,
        id: &TransferId,
        result: &Result<Arc<SettlementAnswers>, ApiError>,
        cx: &mut TransferCx<'_>,
    ) {
        cx.emit(PageEffect::Unsay);
        let now = cx.facts.now;
        let answers = match result {
            Ok(answers) => Arc::clone(answers),
            Err(error) => return cx.complain(format!("nothing was signed: {}", error.brief())),
        };
        let Some(transfer) = self.get_mut(id) else { return };
        if !transfer.follower.take_settlement(result, now) {
            return cx.complain(ANOTHER);
        }
        self.review(id, cx);
        if let Some(why) = self.busy_wallet(std::slice::from_ref(id)) {
            return cx.refuse(why);
        }
        let Some(l1) = cx.directory.settlement().map(|chain| chain.chain_id.clone()) else { return cx.refuse(NO_L1) };
        let tx = match ready_claim([&*answers], &l1, None, now) {
            Ok(tx) => tx,
            Err(refusal) => return cx.complain(text::clean(&refusal.to_string()).into_owned()),
        };
        Self::give_claim(tx, vec![id.clone()], &l1, cx);
        // The user must see the transfer when signing.
        if !cx.facts.shown.is_only(id) {
            cx.open(Destination::Transfer(id.clone()));
        }
    }

    /// Records a claim that was broadcast, or may have been. The L1 decides.
    pub(super) fn keep_claim(
        &mut self,
        record: &TransferRecord,
        (chain_id, hash): (&ChainId, &BroadcastHash),
        cx: &mut TransferCx<'_>,
    ) {
        let (id, at) = (record.id.clone(), cx.facts.now);
        self.adopt_drawn(record.clone(), cx);
        if let Some(transfer) = self.get_mut(&id) {
            transfer.claim = Some(SentClaim { chain_id: chain_id.clone(), hash: hash.clone(), at });
            transfer.is_watched = true;
            transfer.follower.keep();
            transfer.follower.ask_now();
        }
        self.review(&id, cx);
    }

    /// Claims the withdrawal with the demo wallet.
    pub(super) fn claim(&mut self, id: &TransferId, cx: &mut TransferCx<'_>) {
        let slot = Slot::Claim(id.clone());
        if cx.directory.wallet().is_none() {
            let key = cx.key(Command::SignInBrowser);
            return cx.inform(format!("{key} claims with your own wallet; the recipient gets the funds"));
        }
        if cx.is_waiting(&slot) {
            return cx.refuse("the demo wallet is already claiming");
        }
        let Some(tx) = self.get(id).and_then(|transfer| transfer.follower.current_tx()) else { return };
        let started = TrackRequest { tx_hash: tx.hash.to_string(), chain_id: tx.chain_id.clone() };
        let of = id.clone();
        cx.request(slot, ask::demo_claim(started), move |transfers, result, cx| {
            transfers.take_claim(&of, result, cx);
        });
        cx.inform("claiming the withdrawal with the demo wallet");
    }

    fn take_claim(&mut self, id: &TransferId, result: Result<Broadcast, ApiError>, cx: &mut TransferCx<'_>) {
        let now = cx.facts.now;
        match result {
            Ok(claim) => {
                let Some(transfer) = self.get_mut(id) else { return };
                transfer
                    .follower
                    .note(format!("Claimed by the demo wallet: {} on {}", claim.tx_hash, claim.chain_id), now);
                transfer.follower.ask_now();
                self.version += 1;
                cx.done(format!("claimed by the demo wallet: {}", claim.tx_hash));
            }
            Err(error) => cx.complain(format!("claim failed: {}", error.brief())),
        }
    }
}
