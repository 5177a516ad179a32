//! Claim of a withdrawal in the user's wallet: the signing request, and files for signing without it.

use super::{
    TransferPage,
    hops::TransferFacts,
    line::{Line, TransferLine},
};
use crate::{
    app::{
        Context,
        page::{Export, PageCx, PageEffect},
        transfers::{BrowserSigning, BrowserStage, WatchedTransfer, record::file_name},
    },
    config::Meaning,
    panes::signing::signing_lines,
    story::{ChainAccess, ready_claim, unsigned_claim},
    transfers::Phase,
    widgets::layout::Regions,
};

impl TransferPage {
    /// Returns the browser's signing page if it handles a claim of this transfer.
    pub(super) fn signing<'a>(&self, cx: &'a Context) -> Option<&'a BrowserSigning> {
        cx.transfers.signing.as_ref().filter(|open| open.claims(&self.id))
    }

    /// Whether the signing page waits for the user's second confirmation.
    pub(super) fn is_asked_for_yes(&self, cx: &Context) -> bool {
        self.signing(cx).is_some_and(|open| matches!(open.stage, BrowserStage::Asked(_)))
    }

    /// Cancels the request to the wallet. Returns whether a request was open.
    pub(super) fn cancel_signing(&self, cx: &mut PageCx<'_>) -> bool {
        let can = self.signing(cx.context).is_some_and(BrowserSigning::can_cancel);
        if can {
            cx.emit(PageEffect::StopSigning);
        }
        can
    }
}

impl TransferFacts<'_> {
    /// Adds the signing request, in the words of the browser's page.
    pub(super) fn push_signing(&self, lines: &mut Vec<Line>) {
        let open = self.cx.transfers.signing.as_ref().filter(|open| open.claims(&self.transfer.follower.record.id));
        let Some(open) = open else { return };
        let regions = Regions::new(self.cx.size);
        let width = usize::from(regions.inner(regions.body).width);
        let heading = Line::at(0).with(Meaning::Heading, "Claim in your browser");
        lines.push(heading.named(TransferLine::Signing));
        lines.extend(signing_lines(open, width));
        lines.push(Line::at(0));
    }
}

/// Returns the unsigned claim for the L1's command line, once the withdrawal is claimable.
pub(super) fn unsigned(transfer: &WatchedTransfer, cx: &Context) -> Vec<Export> {
    let names = &cx.directory;
    let found = transfer.follower.settlement_answers().filter(|_| transfer.follower.view.phase == Phase::Finalizing);
    let ready = found.zip(names.settlement()).and_then(|(answers, l1)| {
        let claim = ready_claim([answers], &l1.chain_id, None, cx.now).ok()?;
        let fees = names.trust(&l1.chain_id, None).fees;
        Some((claim, ChainAccess::of(&l1.chain_id, Some(l1), (None, &fees), names)))
    });
    let Some((claim, access)) = ready else { return Vec::new() };
    let stem = format!("{}-", file_name(&transfer.follower.record.id));
    let files = unsigned_claim(&claim, access, &stem, names).into_iter();
    files.map(|file| Export::new(file.name, file.contents)).collect()
}
