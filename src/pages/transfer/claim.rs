//! The claim of what a transfer withdrew, signed in the person's own wallet: what that is asked for, and files for who signs
//! without it.

use super::{
    TransferPage,
    hops::TransferFacts,
    line::{Line, TransferLine},
};
use crate::{
    app::{
        Context,
        page::{Cx, Export, Wish},
        transfers::{BrowserSigning, BrowserStage, TransferWish, WatchedTransfer, record::file_name},
    },
    config::Meaning,
    panes::signing::signing_lines,
    story::{ChainAccess, ready_claim, transfer::Phase, unsigned_claim},
    widgets::layout::Regions,
};

impl TransferPage {
    /// The page in the browser that has the claim of this transfer.
    pub(super) fn signing<'a>(&self, cx: &'a Context) -> Option<&'a BrowserSigning> {
        cx.transfers.signing.as_ref().filter(|open| open.claims(&self.id))
    }

    /// Whether a second yes is asked for.
    pub(super) fn is_asked_for_yes(&self, cx: &Context) -> bool {
        self.signing(cx).is_some_and(|open| matches!(open.stage, BrowserStage::Asked(_)))
    }

    /// Takes back what is with the wallet. Says whether anything was.
    pub(super) fn cancel_signing(&self, cx: &mut Cx<'_>) -> bool {
        let can = self.signing(cx).is_some_and(BrowserSigning::can_cancel);
        if can {
            cx.wish(Wish::Transfer(TransferWish::StopSigning));
        }
        can
    }
}

impl TransferFacts<'_> {
    /// What is signed, word for word as the page in the browser has it.
    pub(super) fn push_signing(&self, lines: &mut Vec<Line>) {
        let open = self.cx.transfers.signing.as_ref().filter(|open| open.claims(&self.transfer.record.id));
        let Some(open) = open else { return };
        let regions = Regions::of(self.cx.size);
        let width = usize::from(regions.inner(regions.body).width);
        let heading = Line::at(0).with(Meaning::Heading, "The claim, in your browser");
        lines.push(heading.named(TransferLine::Signing));
        lines.extend(signing_lines(open, width));
        lines.push(Line::at(0));
    }
}

/// What the L1's own command line signs, where the withdrawal can be claimed.
pub(super) fn unsigned(transfer: &WatchedTransfer, cx: &Context) -> Vec<Export> {
    let names = &cx.directory;
    let found = transfer.settlement_answers().filter(|_| transfer.status_view.phase == Phase::Finalizing);
    let ready = found.zip(names.settlement()).and_then(|(answers, l1)| {
        let claim = ready_claim(answers, &l1.chain_id, None, cx.now).ok()?;
        Some((claim, ChainAccess::of(&l1.chain_id, Some(l1), None, names)))
    });
    let Some((claim, access)) = ready else { return Vec::new() };
    let stem = format!("{}-", file_name(&transfer.record.id));
    let files = unsigned_claim(&claim, access, &stem, names).into_iter();
    files.map(|file| Export::new(file.name, file.contents)).collect()
}
