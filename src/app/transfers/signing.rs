//! What the wallet in the browser is asked for: one page at a time, which outlives the screen that began it.

use super::{Departure, TransferCx, TransferEffect, Transfers, WatchedTransfer, watched::Milestone};
use crate::{
    app::HostEffect,
    domain::{BroadcastHash, TransferId, TransferRecord, text},
    msg::{Instruction, PageId, SigningId, SigningNews},
    signing::{NotedRecord, OfferWords, SigningOrder},
};

/// What the page in the browser says where a person took it back.
const TAKEN_BACK: &str = "Cancelled in the terminal.";
/// The same where the chain went away under it.
const CHAIN_GONE: &str =
    "The chain at this address is another one now: rollscope closed this page, and nothing more is sent.";

/// Who gave what is signed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum SigningOrigin {
    /// The screen where a route is made ready.
    Page(PageId),
    /// A kept transfer, whose withdrawal is claimed.
    Claim(TransferId),
}

/// A page in the browser.
#[derive(Debug)]
pub(crate) struct BrowserSigning {
    id: SigningId,
    origin: SigningOrigin,
    /// The transfer that goes on with it, once it is kept.
    transfer: Option<TransferId>,
    /// Whether the transfer has no further transaction behind it.
    is_last: bool,
    /// Where the page is, once it is served.
    pub(crate) address: Option<String>,
    /// What must run beside the browser first.
    pub(crate) tunnel: Option<String>,
    pub(crate) is_opened: bool,
    /// The wallet as it calls itself, and its account.
    pub(crate) wallet: Option<(String, String)>,
    pub(crate) approvals: Vec<BroadcastHash>,
    pub(crate) stage: BrowserStage,
}

/// How far what is signed is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum BrowserStage {
    /// The chain is asked for account, gas and fee.
    Preparing,
    /// The person is asked for a second yes, to this.
    Asked(String),
    /// The page shows this.
    Offered(OfferWords),
    /// It is being sent: there is no way back.
    Sending(BroadcastHash),
    /// The page stays open for what follows.
    Waiting,
}

impl BrowserSigning {
    fn new(id: SigningId, origin: SigningOrigin, transfer: Option<TransferId>, is_last: bool) -> Self {
        Self {
            id,
            origin,
            transfer,
            is_last,
            address: None,
            tunnel: None,
            is_opened: false,
            wallet: None,
            approvals: Vec::new(),
            stage: BrowserStage::Preparing,
        }
    }

    /// Whether this screen gave what is signed.
    pub(crate) fn is_of(&self, page: Option<PageId>) -> bool {
        matches!(self.origin, SigningOrigin::Page(own) if Some(own) == page)
    }

    /// Whether it claims what this transfer withdrew.
    pub(crate) fn claims(&self, id: &TransferId) -> bool {
        matches!(&self.origin, SigningOrigin::Claim(own) if own == id)
    }

    /// Whether the wallet is asked, or about to be.
    pub(crate) fn is_with_wallet(&self) -> bool {
        matches!(self.stage, BrowserStage::Preparing | BrowserStage::Asked(_) | BrowserStage::Offered(_))
    }

    /// Whether Esc can take it back: also a page that waits behind a hook.
    pub(crate) fn can_cancel(&self) -> bool {
        self.is_with_wallet() || self.stage == BrowserStage::Waiting && self.transfer.is_none()
    }

    /// Whether it waits for the next order of this page or transfer.
    pub(crate) fn awaits(&self, page: PageId, further: Option<&TransferId>) -> bool {
        let is_of_transfer = self.transfer.is_some() && self.transfer.as_ref() == further;
        self.stage == BrowserStage::Waiting && (is_of_transfer || self.transfer.is_none() && self.is_of(Some(page)))
    }
}

impl Transfers {
    /// Asks the wallet in the browser: on the page that waits for it, else on a new one.
    pub(in crate::app) fn sign(&mut self, departure: Departure, mut order: SigningOrder, cx: &mut TransferCx<'_>) {
        let Departure { page, further, .. } = departure;
        let mut ended = false;
        if let SigningOrder::Tx { draft, is_last, .. } = &mut order {
            draft.kept = further.as_ref().and_then(|id| self.get(id)).map(|kept| kept.record.clone());
            ended = *is_last;
        }
        let open = self.signing.take_if(|open| open.awaits(page, further.as_ref()));
        let signing = if let Some(open) = open {
            let (origin, approvals) = (SigningOrigin::Page(page), Vec::new());
            BrowserSigning { origin, is_last: ended, stage: BrowserStage::Preparing, approvals, ..open }
        } else {
            BrowserSigning::new(self.next_signing(), SigningOrigin::Page(page), further, ended)
        };
        self.order(signing, order, cx);
    }

    /// Has a claim signed, on a page of its own.
    pub(super) fn sign_claim(&mut self, id: TransferId, order: SigningOrder, cx: &mut TransferCx<'_>) {
        let signing = BrowserSigning::new(self.next_signing(), SigningOrigin::Claim(id), None, true);
        self.order(signing, order, cx);
    }

    fn next_signing(&mut self) -> SigningId {
        self.signings += 1;
        SigningId(self.signings)
    }

    fn order(&mut self, signing: BrowserSigning, order: SigningOrder, cx: &mut TransferCx<'_>) {
        cx.effect(TransferEffect::Instruct(Instruction::Sign(signing.id, order)));
        self.signing = Some(signing);
        self.signing_version += 1;
        cx.redraw();
    }

    /// Says how it ended to whoever gave it.
    fn conclude(&mut self, origin: &SigningOrigin, outcome: Result<TransferId, String>, cx: &mut TransferCx<'_>) {
        self.signing_version += 1;
        match (origin, outcome) {
            (SigningOrigin::Page(page), outcome) => cx.effect(TransferEffect::Departed(*page, outcome)),
            (SigningOrigin::Claim(_), Err(words)) => cx.complain(words),
            (SigningOrigin::Claim(_), Ok(_)) => {}
        }
    }

    /// Counts what changes of the page in the browser.
    pub(crate) fn signing_version(&self) -> u64 {
        self.signing_version
    }

    /// The chain is another one from now on: nothing of the one before is to be signed. What is being sent goes on, and
    /// nothing follows it.
    pub(super) fn leave_signing(&mut self, cx: &mut TransferCx<'_>) {
        let Some(mut signing) = self.signing.take() else { return };
        cx.effect(TransferEffect::Instruct(Instruction::StopSigning(signing.id, CHAIN_GONE)));
        if matches!(signing.stage, BrowserStage::Sending(_)) {
            signing.is_last = true;
            self.signing = Some(signing);
            return;
        }
        // What was sent before it waits for what follows was sent.
        if signing.stage == BrowserStage::Waiting && signing.transfer.is_some() {
            return;
        }
        if let SigningOrigin::Claim(id) = &signing.origin
            && let Some(transfer) = self.get_mut(id)
        {
            transfer
                .note("The chain is another one now: the page in the browser was closed, nothing was sent.", cx.now);
        }
        let advice = if matches!(signing.origin, SigningOrigin::Page(_)) { " Ask for a new quote." } else { "" };
        let words =
            "The chain at this address is another one now: the page in the browser was closed, and nothing was sent.";
        self.conclude(&signing.origin, Err(format!("{words}{advice}")), cx);
    }

    /// A person says yes to what they are asked.
    pub(in crate::app) fn allow_signing(&mut self, cx: &mut TransferCx<'_>) {
        let Some(signing) = &mut self.signing else { return };
        if matches!(signing.stage, BrowserStage::Asked(_)) {
            signing.stage = BrowserStage::Preparing;
            cx.effect(TransferEffect::Instruct(Instruction::AllowSigning(signing.id)));
            cx.redraw();
        }
    }

    /// A person wants it no more.
    pub(in crate::app) fn stop_signing(&mut self, cx: &mut TransferCx<'_>) {
        if let Some(signing) = self.signing.take_if(|signing| signing.can_cancel()) {
            cx.effect(TransferEffect::Instruct(Instruction::StopSigning(signing.id, TAKEN_BACK)));
            self.conclude(&signing.origin, Err("Cancelled here: nothing was sent.".to_owned()), cx);
        }
        cx.redraw();
    }

    /// News of a page. What is kept of a transfer is taken in whichever page it is of.
    pub(in crate::app) fn take_signing_news(&mut self, id: SigningId, news: SigningNews, cx: &mut TransferCx<'_>) {
        cx.redraw();
        self.signing_version += 1;
        let is_current = self.signing.as_ref().is_some_and(|signing| signing.id == id);
        match news {
            SigningNews::Sent { record, doubt } => self.keep_signed(is_current, &record, doubt, cx),
            SigningNews::ClaimSent { record, chain_id, hash, doubt } => {
                if is_current {
                    self.signing = None;
                }
                self.keep_claim(&record, (chain_id, hash), doubt, cx);
            }
            SigningNews::Late(record) => {
                let hash = record.txs.last().map(|tx| tx.hash.short()).unwrap_or_default();
                self.follow_signed(&record, cx);
                cx.complain(format!("the wallet sent {hash} though it was cancelled here: it is kept and followed"));
            }
            SigningNews::Failed { words, refused } => self.take_failure(is_current, &words, refused, cx),
            SigningNews::Gone if is_current => {
                if let Some(signing) = self.signing.take().filter(|signing| signing.stage != BrowserStage::Waiting) {
                    let words = "The page in the browser was closed: nothing was sent.".to_owned();
                    self.conclude(&signing.origin, Err(words), cx);
                }
            }
            SigningNews::Hook(signed) if is_current => {
                let Some(signing) = &mut self.signing else { return };
                signing.stage = BrowserStage::Waiting;
                if let SigningOrigin::Page(page) = signing.origin {
                    cx.effect(TransferEffect::HookSigned(page, signed));
                }
            }
            news if is_current => self.note_signing(news, cx),
            _ => {}
        }
    }

    fn note_signing(&mut self, news: SigningNews, cx: &mut TransferCx<'_>) {
        let Some(signing) = &mut self.signing else { return };
        match news {
            SigningNews::Served { address, tunnel } => {
                if tunnel.is_none() {
                    cx.host(HostEffect::Open(address.clone()));
                }
                (signing.address, signing.tunnel) = (Some(address), tunnel);
            }
            SigningNews::Opened => signing.is_opened = true,
            SigningNews::Connected { wallet, account } => signing.wallet = Some((wallet, account)),
            SigningNews::Asked(why) => signing.stage = BrowserStage::Asked(why),
            SigningNews::Shown(words) => signing.stage = BrowserStage::Offered(words),
            SigningNews::ApprovalSent(hash) => signing.approvals.push(hash),
            SigningNews::Signed(hash) => signing.stage = BrowserStage::Sending(hash),
            SigningNews::Sent { .. }
            | SigningNews::ClaimSent { .. }
            | SigningNews::Hook(_)
            | SigningNews::Failed { .. }
            | SigningNews::Late(_)
            | SigningNews::Gone => {}
        }
    }

    /// It was sent, or may have been: it is followed on its page.
    fn keep_signed(
        &mut self,
        is_current: bool,
        record: &TransferRecord,
        doubt: Option<String>,
        cx: &mut TransferCx<'_>,
    ) {
        if let Some(signing) = self.signing.take_if(|_| is_current) {
            self.conclude(&signing.origin, Ok(record.id.clone()), cx);
            if !signing.is_last && doubt.is_none() {
                let (transfer, stage) = (Some(record.id.clone()), BrowserStage::Waiting);
                self.signing = Some(BrowserSigning { transfer, stage, ..signing });
            }
        }
        self.follow_signed(record, cx);
        if let Some(doubt) = doubt {
            cx.complain(doubt);
        }
    }

    fn follow_signed(&mut self, record: &TransferRecord, cx: &mut TransferCx<'_>) {
        // What was learnt here meanwhile stays: the record was drawn up when it was given to the wallet.
        self.begin(record.clone(), cx);
    }

    fn take_failure(
        &mut self,
        is_current: bool,
        words: &str,
        refused: Option<Box<NotedRecord>>,
        cx: &mut TransferCx<'_>,
    ) {
        if let Some(NotedRecord { record, dropped }) = refused.map(|noted| *noted) {
            let id = record.id.clone();
            self.adopt_drawn(record, cx);
            if let (Some((chain, hash)), Some(transfer)) = (dropped, self.get_mut(&id)) {
                transfer.drop_tx(&chain, &hash);
            }
            self.review(&id, cx);
        }
        let Some(signing) = self.signing.take_if(|_| is_current) else { return };
        self.conclude(&signing.origin, Err(format!("{}.", text::clean(words))), cx);
    }

    /// The next transaction of the selected transfer is signed in the browser, or the claim of what it withdrew.
    pub(in crate::app) fn sign_selected(&mut self, cx: &mut TransferCx<'_>) {
        let Some(id) = cx.selected.clone() else { return };
        if self.get(&id).is_some_and(WatchedTransfer::is_withdrawal) {
            self.prove_claim(&id, cx);
        } else {
            self.sign_next(&id, cx);
        }
    }

    /// Why the wallet in the browser cannot be asked for a claim now: one page at a time.
    pub(super) fn busy_wallet(&self, claim: &TransferId) -> Option<&'static str> {
        let open = self.signing.as_ref().filter(|open| open.stage != BrowserStage::Waiting)?;
        Some(if open.claims(claim) {
            "it is being signed"
        } else if open.is_with_wallet() {
            "another transaction is with your wallet: finish it there, or take it back where it began"
        } else {
            "another transaction is being sent just now"
        })
    }

    fn sign_next(&mut self, id: &TransferId, cx: &mut TransferCx<'_>) {
        let Some(transfer) = self.get(id) else { return };
        let Some(Milestone::ToSend(tx)) = transfer.milestone() else {
            return cx.refuse("no transaction of this transfer is yours to send now");
        };
        let record = Box::new(transfer.record.clone());
        match transfer.verbatim_route() {
            Some(route) => cx.effect(TransferEffect::SendNext(record, route, tx, true)),
            None => cx.refuse("its route is not known here: it cannot be gone on with"),
        }
    }

    /// The page in the browser waits for this transfer's next transaction, and its turn came while one looks at it.
    pub(super) fn go_on_signing(&mut self, id: &TransferId, cx: &mut TransferCx<'_>) {
        let waits = |signing: &BrowserSigning| signing.stage == BrowserStage::Waiting;
        let is_awaited = self.signing.as_ref().is_some_and(|open| waits(open) && open.transfer.as_ref() == Some(id));
        if is_awaited && cx.shown.is_only(id) && !cx.has_modal {
            self.sign_next(id, cx);
        }
    }
}
