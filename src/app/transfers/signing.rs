//! Signing in the browser wallet. There is one signing page at a time; it outlives the screen that opened it.

use super::{
    PendingBroadcast, TransferCx, Transfers, WatchedTransfer,
    browser_signing::{BrowserSigning, BrowserStage, SigningOrigin},
};
use crate::{
    app::{
        Effect,
        page::{Destination, PageEffect},
    },
    domain::{ChainId, SourceTx, TransferId, TransferRecord, text},
    msg::{Instruction, PageId, SigningId, SigningUpdate},
    signing::{AccountsOrder, NotedRecord, SigningOrder},
    story::accounts_words,
    transfers::Milestone,
};

/// Text on the browser page after a cancellation.
const TAKEN_BACK: &str = "Cancelled in the terminal.";
/// Text on the browser page after a chain change.
const CHAIN_GONE: &str = "This address now serves another chain: rollscope closed this page and sends nothing more.";

impl Transfers {
    /// Gives an order to the browser wallet: on the signing page that waits, or on a new one.
    pub(in crate::app) fn sign(
        &mut self,
        departure: PendingBroadcast,
        mut order: SigningOrder,
        cx: &mut TransferCx<'_>,
    ) {
        let PendingBroadcast { page, further, .. } = departure;
        let mut ended = false;
        if let SigningOrder::Tx { draft, is_last, .. } = &mut order {
            draft.kept = further.as_ref().and_then(|id| self.get(id)).map(|kept| kept.follower.record.clone());
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

    /// Gives the order for a claim to the browser wallet, on a new signing page.
    pub(super) fn sign_claim(&mut self, ids: Vec<TransferId>, order: SigningOrder, cx: &mut TransferCx<'_>) {
        let signing = BrowserSigning::new(self.next_signing(), SigningOrigin::Claim(ids), None, true);
        self.order(signing, order, cx);
    }

    /// Asks a browser wallet for its accounts on these chains, on the signing page that waits, or on a new one.
    pub(in crate::app) fn connect_wallet(&mut self, page: PageId, chains: Vec<ChainId>, cx: &mut TransferCx<'_>) {
        let busy = self.signing.as_ref().filter(|open| !matches!(open.origin, SigningOrigin::Accounts(_)));
        if busy.is_some_and(|open| open.stage != BrowserStage::Waiting || open.transfer.is_some()) {
            return cx.refuse("your wallet has another transaction: finish or cancel it first");
        }
        let suggested = |chain: ChainId| {
            let access = cx.directory.sending_access(&chain, None);
            (chain, access.suggestion.filter(|suggestion| suggestion.keplr().is_some()))
        };
        let chains: Vec<_> = chains.into_iter().map(suggested).collect();
        let order = AccountsOrder { words: accounts_words(&chains, cx.directory), chains };
        let open = self.signing.take_if(|open| open.stage == BrowserStage::Waiting);
        let origin = SigningOrigin::Accounts(page);
        let signing = match open {
            Some(open) => BrowserSigning { origin, is_last: false, stage: BrowserStage::Preparing, ..open },
            None => BrowserSigning::new(self.next_signing(), origin, None, false),
        };
        self.order(signing, SigningOrder::Accounts(Box::new(order)), cx);
    }

    fn next_signing(&mut self) -> SigningId {
        self.signings += 1;
        SigningId(self.signings)
    }

    fn order(&mut self, signing: BrowserSigning, order: SigningOrder, cx: &mut TransferCx<'_>) {
        cx.emit(PageEffect::Instruct(Instruction::Sign(signing.id, order)));
        self.signing = Some(signing);
        self.signing_version += 1;
        cx.redraw();
    }

    /// Reports the result to the page or transfer that requested the signature.
    fn conclude(&mut self, origin: &SigningOrigin, outcome: Result<TransferId, String>, cx: &mut TransferCx<'_>) {
        self.signing_version += 1;
        match (origin, outcome) {
            (SigningOrigin::Page(page), outcome) => cx.emit(PageEffect::Departed(*page, outcome)),
            (SigningOrigin::Claim(_) | SigningOrigin::Accounts(_), Err(words)) => cx.complain(words),
            (SigningOrigin::Claim(_) | SigningOrigin::Accounts(_), Ok(_)) => {}
        }
    }

    pub(crate) fn signing_version(&self) -> u64 {
        self.signing_version
    }

    /// Cancels the orders of the previous chain. A broadcast in progress ends, but nothing follows it.
    pub(super) fn leave_signing(&mut self, cx: &mut TransferCx<'_>) {
        let Some(mut signing) = self.signing.take() else { return };
        cx.emit(PageEffect::Instruct(Instruction::StopSigning(signing.id, CHAIN_GONE)));
        if signing.is_sending() {
            signing.is_last = true;
            self.signing = Some(signing);
            return;
        }
        // The broadcast already happened, and the page waits for the next request.
        if signing.stage == BrowserStage::Waiting && signing.transfer.is_some() {
            return;
        }
        let claimed = if let SigningOrigin::Claim(ids) = &signing.origin { &ids[..] } else { &[] };
        for id in claimed {
            if let Some(transfer) = self.get_mut(id) {
                let words = "The chain changed: rollscope closed the browser page and sent nothing.";
                transfer.follower.note(words, cx.facts.now);
            }
        }
        let advice = if matches!(signing.origin, SigningOrigin::Page(_)) { " Request a new quote." } else { "" };
        let words = "This address now serves another chain: rollscope closed the browser page and sent nothing.";
        self.conclude(&signing.origin, Err(format!("{words}{advice}")), cx);
    }

    pub(in crate::app) fn allow_signing(&mut self, cx: &mut TransferCx<'_>) {
        let Some(signing) = &mut self.signing else { return };
        if matches!(signing.stage, BrowserStage::Asked(_)) {
            signing.stage = BrowserStage::Preparing;
            cx.emit(PageEffect::Instruct(Instruction::AllowSigning(signing.id)));
            cx.redraw();
        }
    }

    pub(in crate::app) fn stop_signing(&mut self, cx: &mut TransferCx<'_>) {
        if let Some(signing) = self.signing.take_if(|signing| signing.can_cancel()) {
            cx.emit(PageEffect::Instruct(Instruction::StopSigning(signing.id, TAKEN_BACK)));
            self.conclude(&signing.origin, Err("Cancelled: rollscope sent nothing.".to_owned()), cx);
        }
        cx.redraw();
    }

    /// Takes news from a signing page. A record of a transfer is kept, whichever page it came from.
    pub(in crate::app) fn take_signing_news(&mut self, id: SigningId, news: SigningUpdate, cx: &mut TransferCx<'_>) {
        cx.redraw();
        self.signing_version += 1;
        let is_current = self.signing.as_ref().is_some_and(|signing| signing.id == id);
        match news {
            SigningUpdate::Sent { record, doubt } => self.keep_signed(is_current, &record, doubt, cx),
            SigningUpdate::ClaimSent { records, chain_id, hash, doubt } => {
                if is_current {
                    self.signing = None;
                }
                for record in &records {
                    self.keep_claim(record, (&chain_id, &hash), cx);
                }
                match doubt {
                    Some(doubt) => cx.complain(doubt),
                    None => cx.done(format!("sent the claim {hash}")),
                }
            }
            SigningUpdate::Late(record) => {
                let hash = record.txs.last().map(|tx| tx.hash.short()).unwrap_or_default();
                self.begin((*record).clone(), cx);
                cx.complain(format!("the wallet sent {hash} after you cancelled; rollscope tracks it"));
            }
            SigningUpdate::Failed { words, refused } => self.take_failure(is_current, &words, refused, cx),
            SigningUpdate::Gone if is_current => {
                if let Some(signing) = self.signing.take().filter(|signing| signing.stage != BrowserStage::Waiting) {
                    let words = "The browser page was closed; rollscope sent nothing.".to_owned();
                    self.conclude(&signing.origin, Err(words), cx);
                }
            }
            SigningUpdate::Hook(signed) if is_current => {
                let Some(signing) = &mut self.signing else { return };
                signing.stage = BrowserStage::Waiting;
                if let SigningOrigin::Page(page) = signing.origin {
                    cx.emit(PageEffect::HookSigned(page, signed));
                }
            }
            SigningUpdate::Accounts(accounts) if is_current => {
                if let Some(signing) = &mut self.signing {
                    signing.stage = BrowserStage::Waiting;
                }
                cx.done(format!("{} is connected", accounts.wallet.clipped(80)));
                self.accounts = Some(accounts);
            }
            news if is_current => self.note_signing(news, cx),
            _ => {}
        }
    }

    fn note_signing(&mut self, news: SigningUpdate, cx: &mut TransferCx<'_>) {
        let Some(signing) = &mut self.signing else { return };
        match news {
            SigningUpdate::Served { address, tunnel } => {
                if tunnel.is_none() {
                    cx.emit(PageEffect::Shell(Effect::Open(address.clone())));
                }
                if matches!(signing.origin, SigningOrigin::Accounts(_)) {
                    let first = tunnel.as_ref().map(|tunnel| format!("run {tunnel}, then ")).unwrap_or_default();
                    cx.inform(format!("{first}open {address} in your browser to connect"));
                }
                (signing.address, signing.tunnel) = (Some(address), tunnel);
            }
            SigningUpdate::Opened => signing.is_opened = true,
            SigningUpdate::Connected { wallet, account } => signing.wallet = Some((wallet, account)),
            SigningUpdate::Asked(why) => signing.stage = BrowserStage::Asked(why),
            SigningUpdate::Shown(words) => signing.stage = BrowserStage::Offered(words),
            SigningUpdate::ApprovalSent(step, hash) => signing.approvals.push((step, hash)),
            SigningUpdate::Signed(hash) => signing.stage = BrowserStage::Sending(hash),
            SigningUpdate::Sent { .. }
            | SigningUpdate::ClaimSent { .. }
            | SigningUpdate::Hook(_)
            | SigningUpdate::Accounts(_)
            | SigningUpdate::Failed { .. }
            | SigningUpdate::Late(_)
            | SigningUpdate::Gone => {}
        }
    }

    /// Keeps a transaction that was broadcast, or may have been, and opens its page.
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
        self.begin(record.clone(), cx);
        if let Some(doubt) = doubt {
            cx.complain(doubt);
        }
    }

    fn take_failure(&mut self, is_current: bool, words: &str, refused: Vec<NotedRecord>, cx: &mut TransferCx<'_>) {
        for NotedRecord { record, parted } in refused {
            let id = record.id.clone();
            self.adopt_drawn(record, cx);
            if let Some(parted) = parted {
                let TransferId { chain_id, hash } = parted.id.clone();
                let is_it = |tx: &SourceTx| tx.chain_id == chain_id && tx.hash == hash;
                if let Some(transfer) = self.get_mut(&id).filter(|transfer| transfer.follower.record.txs.len() > 1) {
                    transfer.follower.edit(|record| record.txs.retain(|tx| !is_it(tx)));
                }
                let apart = parted.id.clone();
                self.adopt_drawn(*parted, cx);
                self.review(&apart, cx);
            }
            self.review(&id, cx);
        }
        let Some(signing) = self.signing.take_if(|_| is_current) else { return };
        self.conclude(&signing.origin, Err(format!("{}.", text::clean(words))), cx);
    }

    /// Signs, in the browser, the selected transfer's next transaction or its claim.
    pub(in crate::app) fn sign_selected(&mut self, cx: &mut TransferCx<'_>) {
        let Some(id) = cx.facts.selected.clone() else { return };
        if self.get(&id).is_some_and(WatchedTransfer::is_withdrawal) {
            self.prove_claim(&id, cx);
        } else {
            self.sign_next(&id, cx);
        }
    }

    /// Returns why the browser wallet cannot sign a claim now. It has one signing page at a time.
    pub(super) fn busy_wallet(&self, claims: &[TransferId]) -> Option<&'static str> {
        let open = self.signing.as_ref().filter(|open| open.stage != BrowserStage::Waiting)?;
        Some(if claims.iter().any(|claim| open.claims(claim)) {
            "signing is in progress"
        } else if open.is_with_wallet() {
            "your wallet has another transaction: finish or cancel it first"
        } else {
            "another transaction is being sent"
        })
    }

    fn sign_next(&mut self, id: &TransferId, cx: &mut TransferCx<'_>) {
        let Some(transfer) = self.get(id) else { return };
        let Some(Milestone::ToSend(tx)) = transfer.follower.milestone() else {
            return cx.refuse("you have no transaction of this transfer to send now");
        };
        let record = Box::new(transfer.follower.record.clone());
        match transfer.verbatim_route() {
            Some(route) => cx.open(Destination::SignNext(record, route, tx)),
            None => cx.refuse("unknown route: rollscope cannot prepare the next transaction"),
        }
    }

    /// Continues on the signing page that waits, if the transfer's next transaction is due and its page is on screen.
    pub(super) fn go_on_signing(&mut self, id: &TransferId, cx: &mut TransferCx<'_>) {
        let waits = |signing: &BrowserSigning| signing.stage == BrowserStage::Waiting;
        let is_awaited = self.signing.as_ref().is_some_and(|open| waits(open) && open.transfer.as_ref() == Some(id));
        if is_awaited && cx.facts.shown.is_only(id) && !cx.facts.has_modal {
            self.sign_next(id, cx);
        }
    }
}
