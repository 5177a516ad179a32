//! Commands for the selected transfer.

use super::{ShownTransfers, TransferCx, Transfers, WatchedTransfer, read_again};
use crate::{
    app::{
        page::{Destination, PageEffect},
        prompt::{Entry, EntryPurpose},
    },
    config::Command,
    domain::{Tracking, TransferId, text},
    msg::{Instruction, Slot},
    transfers::NextStep,
};

/// Maximum characters of a label.
const LABEL: usize = 60;
pub(crate) const NO_LONGER_SERVED: &str = "this address no longer serves the transfer's chain";
const NOT_SELECTED: &str = "select a transfer first";

impl Transfers {
    pub(in crate::app) fn track_again(&mut self, cx: &mut TransferCx<'_>) {
        let now = cx.facts.now;
        let Some(id) = cx.facts.selected.clone() else { return cx.refuse(NOT_SELECTED) };
        let Some(transfer) = self.get_mut(&id) else { return };
        if transfer.is_lost() {
            return cx.refuse(NO_LONGER_SERVED);
        }
        let is_refused = transfer.follower.current_tx().is_some_and(|tx| tx.tracking == Tracking::Refused);
        if !is_refused && !transfer.follower.view.phase.is_unwatched() {
            return cx.refuse("transfer already tracked; r refreshes");
        }
        transfer.follower.track_again(now);
        transfer.follower.note("Asked the router to retry tracking.", now);
        cx.inform("asking the router to retry tracking");
    }

    pub(in crate::app) fn take_next_step(&mut self, cx: &mut TransferCx<'_>) {
        let Some(id) = cx.facts.selected.clone() else { return cx.refuse(NOT_SELECTED) };
        let Some(transfer) = self.get_mut(&id) else { return };
        match transfer.follower.view.next.clone() {
            NextStep::Wait if transfer.is_lost() => cx.refuse(NO_LONGER_SERVED),
            NextStep::Wait => cx.refuse("no step is due: wait"),
            NextStep::TrackAgain => self.track_again(cx),
            NextStep::RouteFrom(release) => {
                let route = transfer.follower.route();
                let to = route.map(|route| (route.dest_asset_chain_id.clone(), route.dest_asset_denom.clone()));
                cx.open(Destination::QuoteFrom(release, to));
            }
            NextStep::SendNext(tx) => {
                let record = Box::new(transfer.follower.record.clone());
                match transfer.verbatim_route() {
                    Some(route) => cx.open(Destination::SendNext(record, route, tx)),
                    None => cx.refuse("unknown route: rollscope cannot prepare the next transaction"),
                }
            }
            NextStep::Claim => {
                self.claim(&id, cx);
            }
            NextStep::CheckDestination => {
                transfer.follower.ask_now();
                let is_ours =
                    transfer.follower.route().map(|route| route.dest_asset_chain_id.clone()) == cx.facts.own_chain;
                cx.inform(if is_ours {
                    "asking the destination's indexer"
                } else {
                    "the destination has no known indexer: check the recipient there"
                });
            }
        }
    }

    /// Requests the status of the selected transfer or, on the board, of all live transfers.
    pub(in crate::app) fn refresh(&mut self, cx: &mut TransferCx<'_>) {
        let is_all = cx.facts.shown == ShownTransfers::All;
        for transfer in &mut self.all {
            if cx.facts.shown.has(&transfer.follower.record.id) && (!is_all || transfer.is_live()) {
                transfer.follower.ask_now();
            }
        }
        if is_all {
            self.ask_open_again();
            read_again(cx);
        }
    }

    /// Opens the input for a transfer's name.
    pub(in crate::app) fn edit_label(&mut self, cx: &mut TransferCx<'_>) {
        let Some(id) = cx.facts.selected.clone() else { return cx.refuse(NOT_SELECTED) };
        let label = self.get(&id).map(|transfer| transfer.follower.record.label.clone()).unwrap_or_default();
        let prompt = "Name of this transfer (empty removes it)";
        cx.ask_person(Entry::new(EntryPurpose::Label(id), prompt, &label));
    }

    pub(in crate::app) fn enter_label(&mut self, id: &TransferId, typed: &str) -> Result<(), String> {
        let label = text::clean(typed);
        if label.chars().count() > LABEL {
            return Err(format!("a name has at most {LABEL} characters"));
        }
        self.version += 1;
        if let Some(transfer) = self.get_mut(id) {
            transfer.follower.edit(|record| label.trim().clone_into(&mut record.label));
        }
        Ok(())
    }

    /// Deletes the selected transfer, after the user confirmed.
    pub(in crate::app) fn forget(&mut self, cx: &mut TransferCx<'_>) {
        let Some(id) = cx.facts.selected.clone() else { return cx.refuse(NOT_SELECTED) };
        if self.forgetting.as_ref() != Some(&id) {
            let is_live = self.get(&id).is_some_and(WatchedTransfer::is_live);
            let live = if is_live { "the transfer continues without rollscope; " } else { "" };
            let key = cx.key(Command::Forget);
            cx.inform(format!("{live}{key} again deletes {} with its history", id.hash.short()));
            self.forgetting = Some(id);
            return;
        }
        self.forgetting = None;
        if self.delete(&id, cx) {
            cx.done(format!("deleted transfer {}", id.hash.short()));
        }
    }

    /// Deletes a transfer, also in the state file. Returns whether it existed.
    pub(super) fn delete(&mut self, id: &TransferId, cx: &mut TransferCx<'_>) -> bool {
        let Some(place) = self.all.iter().position(|transfer| transfer.follower.record.id == *id) else { return false };
        self.all.remove(place);
        self.version += 1;
        cx.cancel_questions(id);
        // A pending read began before the deletion.
        cx.emit(PageEffect::Cancel(Slot::Transfers));
        cx.emit(PageEffect::Instruct(Instruction::Forget(id.clone())));
        if cx.facts.shown.is_only(id) {
            cx.emit(PageEffect::Leave);
        }
        true
    }

    /// Drops the questions that another command does not answer: whether to delete a transfer, and whether to quit.
    pub(in crate::app) fn end_questions(&mut self, command: Command) {
        if command != Command::Forget {
            self.forgetting = None;
        }
        self.is_leaving &= command == Command::Quit;
    }

    /// Returns what is being signed or sent.
    pub(in crate::app) fn pending_signature(&self) -> Option<&'static str> {
        match &self.signing {
            Some(signing) if signing.is_with_wallet() => Some("your wallet has a transaction to sign"),
            Some(signing) if signing.is_sending() => Some("a transaction is being sent"),
            _ => self.departing.is_some().then_some("the demo wallet is sending a transaction"),
        }
    }

    /// Returns what is being signed or sent, the first time that the user quits.
    pub(in crate::app) fn question_before_end(&mut self) -> Option<&'static str> {
        self.pending_signature().filter(|_| !std::mem::replace(&mut self.is_leaving, true))
    }
}
