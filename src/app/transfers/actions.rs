//! What keys do with the transfer that is open or under the cursor.

use super::{ShownTransfers, TransferCx, TransferEffect, Transfers, WatchedTransfer, read_again};
use crate::{
    config::Command,
    domain::{Tracking, TransferId, text},
    msg::{Instruction, Slot},
    story::transfer::NextStep,
};

/// Columns of a label at the most.
const LABEL: usize = 60;
/// Why nothing is asked about a transfer of a chain that is gone.
pub(crate) const NOBODY: &str = "its chain is gone from this address: nobody here knows of it any more";
const NOT_SELECTED: &str = "no transfer is selected";

impl Transfers {
    /// Registers the selected transfer with the router again.
    pub(in crate::app) fn track_again(&mut self, cx: &mut TransferCx<'_>) {
        let now = cx.now;
        let Some(id) = cx.selected.clone() else { return cx.refuse(NOT_SELECTED) };
        let Some(transfer) = self.get_mut(&id) else { return };
        if transfer.is_lost() {
            return cx.refuse(NOBODY);
        }
        let is_refused = transfer.current_tx().is_some_and(|tx| tx.tracking == Tracking::Refused);
        if !is_refused && !transfer.status_view.phase.is_unwatched() {
            return cx.refuse("the router watches it already; r asks how it stands");
        }
        transfer.track_again(now);
        transfer.note("Asked the router to watch it again.", now);
        cx.inform("asking the router to watch it again");
    }

    /// Does what the selected transfer's page suggests as the next step.
    pub(in crate::app) fn take_next_step(&mut self, cx: &mut TransferCx<'_>) {
        let Some(id) = cx.selected.clone() else { return cx.refuse(NOT_SELECTED) };
        let Some(transfer) = self.get_mut(&id) else { return };
        match transfer.status_view.next.clone() {
            NextStep::Wait if transfer.is_lost() => cx.refuse(NOBODY),
            NextStep::Wait => cx.refuse("nothing is to be done: wait"),
            NextStep::TrackAgain => self.track_again(cx),
            NextStep::RouteFrom(release) => {
                let route = transfer.route();
                let to = route.map(|route| (route.dest_asset_chain_id.clone(), route.dest_asset_denom.clone()));
                cx.effect(TransferEffect::QuoteFrom(release, to));
            }
            NextStep::SendNext(tx) => {
                let record = Box::new(transfer.record.clone());
                match transfer.verbatim_route() {
                    Some(route) => cx.effect(TransferEffect::SendNext(record, route, tx, false)),
                    None => cx.refuse("its route is not known here: it cannot be gone on with"),
                }
            }
            NextStep::Claim => {
                self.claim(&id, cx);
            }
            NextStep::CheckDestination => {
                transfer.ask_now();
                let is_ours = transfer.route().map(|route| route.dest_asset_chain_id.clone()) == cx.own_chain;
                cx.inform(if is_ours {
                    "asking the destination's indexer"
                } else {
                    "no indexer of the destination is known here: look at the recipient there"
                });
            }
        }
    }

    /// Asks now for the transfer on the page, or for all live ones where all are shown.
    pub(in crate::app) fn refresh(&mut self, cx: &mut TransferCx<'_>) {
        let is_all = cx.shown == ShownTransfers::All;
        for transfer in &mut self.all {
            if cx.shown.has(&transfer.record.id) && (!is_all || transfer.is_live()) {
                transfer.ask_now();
            }
        }
        if is_all {
            read_again(cx);
        }
    }

    /// Asks for a name for the selected transfer.
    pub(in crate::app) fn edit_label(&mut self, cx: &mut TransferCx<'_>) {
        let Some(id) = cx.selected.clone() else { return cx.refuse(NOT_SELECTED) };
        let label = self.get(&id).map(|transfer| transfer.record.label.clone()).unwrap_or_default();
        cx.effect(TransferEffect::AskForLabel(id, label));
    }

    pub(in crate::app) fn enter_label(&mut self, id: &TransferId, typed: &str) -> Result<(), String> {
        let label = text::clean(typed);
        if label.chars().count() > LABEL {
            return Err(format!("a name has {LABEL} characters at the most"));
        }
        self.version += 1;
        if let Some(transfer) = self.get_mut(id) {
            label.trim().clone_into(&mut transfer.record.label);
            transfer.is_changed = true;
            transfer.version += 1;
        }
        Ok(())
    }

    /// Keeps the selected transfer no longer, after asking.
    pub(in crate::app) fn forget(&mut self, cx: &mut TransferCx<'_>) {
        let Some(id) = cx.selected.clone() else { return cx.refuse(NOT_SELECTED) };
        if self.forgetting.as_ref() != Some(&id) {
            let is_live = self.get(&id).is_some_and(WatchedTransfer::is_live);
            let live = if is_live { "it is still under way and goes on without us; " } else { "" };
            let key = cx.key(Command::Forget);
            cx.inform(format!("{live}{key} again forgets {} with its history", id.hash.short()));
            self.forgetting = Some(id);
            return;
        }
        self.forgetting = None;
        let Some(place) = self.all.iter().position(|transfer| transfer.record.id == id) else { return };
        self.all.remove(place);
        self.version += 1;
        cx.cancel_questions(&id);
        // What is on its way from the store was read before.
        cx.effect(TransferEffect::Cancel(Slot::Transfers));
        cx.effect(TransferEffect::Instruct(Instruction::Forget(id.clone())));
        if cx.shown.is_only(&id) {
            cx.effect(TransferEffect::Leave);
        }
        cx.done(format!("{} is forgotten", id.hash.short()));
    }

    /// Another key than that for forgetting was pressed.
    pub(in crate::app) fn keep_selected(&mut self) {
        self.forgetting = None;
    }
}
