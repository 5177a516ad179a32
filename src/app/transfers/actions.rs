//! What keys do on the board and on a transfer's page.

use crate::{
    app::{
        App,
        modal::{Entry, EntryPurpose, Modal},
        page::{Destination, ShownTransfers},
    },
    domain::{Tracking, TransferId, text},
    msg::{Instruction, Slot},
    story::transfer::{NextStep, Phase},
    wire,
};

/// Columns of a label at the most.
const LABEL: usize = 60;
/// Why nothing is asked about a transfer of a chain that is gone.
pub(super) const NOBODY: &str = "its chain is gone from this address: nobody here knows of it any more";

impl App {
    /// Registers the transfer on screen with the router again.
    pub(in crate::app) fn track_again(&mut self) {
        let now = self.now;
        let Some(id) = self.selected_transfer() else { return self.refuse("no transfer is selected") };
        let Some(transfer) = self.transfers.get_mut(&id) else { return };
        if transfer.is_lost() {
            return self.refuse(NOBODY);
        }
        let is_refused = transfer.current_tx().is_some_and(|tx| tx.tracking == Tracking::Refused);
        if !is_refused && !matches!(transfer.status_view.phase, Phase::Abandoned | Phase::NotKnown | Phase::Strange) {
            return self.refuse("the router watches it already; r asks how it stands");
        }
        transfer.track_again(now);
        transfer.note("Asked the router to watch it again.", now);
        self.tell("asking the router to watch it again");
    }

    /// Does what the transfer page suggests as the next step.
    pub(in crate::app) fn take_next_step(&mut self) {
        let Some(id) = self.selected_transfer() else { return self.refuse("no transfer is selected") };
        let Some(transfer) = self.transfers.get_mut(&id) else { return };
        match transfer.status_view.next.clone() {
            NextStep::Wait if transfer.is_lost() => self.refuse(NOBODY),
            NextStep::Wait => self.refuse("nothing is to be done: wait"),
            NextStep::TrackAgain => self.track_again(),
            NextStep::RouteFrom(release) => {
                let route = transfer.route();
                let to = route.map(|route| (route.dest_asset_chain_id.clone(), route.dest_asset_denom.clone()));
                self.open_page(Destination::QuoteFrom(release, to));
            }
            NextStep::SendNext(tx) => {
                let record = Box::new(transfer.record.clone());
                match transfer.verbatim_route() {
                    Some(route) => self.open_page(Destination::SendNext(record, route, tx)),
                    None => self.refuse("its route is not known here: it cannot be gone on with"),
                }
            }
            NextStep::Claim => {
                self.tell("claim it on the L1 with any wallet; whoever claims, it goes to the recipient");
            }
            NextStep::CheckDestination => {
                transfer.search_evidence_again();
                transfer.poll.is_wanted = true;
                let is_ours = transfer.route().map(|route| route.dest_asset_chain_id.clone()) == self.own_chain();
                let text = if is_ours {
                    "asking the destination's indexer"
                } else {
                    "no indexer of the destination is known here: look at the recipient there"
                };
                self.tell(text);
            }
        }
    }

    /// Asks for a name for the selected transfer.
    pub(in crate::app) fn edit_label(&mut self) {
        let Some(id) = self.selected_transfer() else { return self.refuse("no transfer is selected") };
        let label = self.transfers.get(&id).map(|transfer| transfer.record.label.clone()).unwrap_or_default();
        let prompt = "Name of this transfer (empty takes it away)";
        self.open_modal(Modal::Entry(Entry::new(EntryPurpose::Label(id), prompt, &label)));
    }

    /// A name for a transfer was typed.
    pub(in crate::app) fn enter_label(&mut self, id: &TransferId, typed: &str) -> Result<(), String> {
        let label = text::clean(typed);
        if label.chars().count() > LABEL {
            return Err(format!("a name has {LABEL} characters at the most"));
        }
        self.transfers.version += 1;
        if let Some(transfer) = self.transfers.get_mut(id) {
            label.trim().clone_into(&mut transfer.record.label);
            transfer.is_changed = true;
            transfer.version += 1;
        }
        Ok(())
    }

    /// Keeps the selected transfer no longer, after asking.
    pub(in crate::app) fn forget_transfer(&mut self) {
        let Some(id) = self.selected_transfer() else { return self.refuse("no transfer is selected") };
        if self.transfers.forgetting.as_ref() != Some(&id) {
            let is_live = self.transfers.get(&id).is_some_and(super::WatchedTransfer::is_live);
            let live = if is_live { "it is still under way and goes on without us; " } else { "" };
            let key = self.keymap.shown(self.layers(), crate::config::Command::Forget).unwrap_or_default();
            self.tell(format!("{live}{key} again forgets {} with its history", id.hash.short()));
            self.transfers.forgetting = Some(id);
            return;
        }
        self.transfers.forgetting = None;
        let Some(place) = self.transfers.all.iter().position(|transfer| transfer.record.id == id) else { return };
        let gone = self.transfers.all.remove(place);
        self.cancel_questions(gone.number);
        // What is on its way from the store was read before.
        self.cancel(&Slot::Transfers);
        self.transfers.version += 1;
        self.requests.instruct(Instruction::Forget(id.clone()));
        if self.navigation.current().shown_transfers() == ShownTransfers::One(id.clone()) {
            self.travel(false);
        }
        self.done(format!("{} is forgotten", id.hash.short()));
    }

    /// Another key than that for forgetting was pressed.
    pub(in crate::app) fn keep_transfer(&mut self) {
        self.transfers.forgetting = None;
    }
}

/// A chain and the beginning of a hash, of signs that every file system takes.
fn file_name(id: &TransferId) -> String {
    let is_plain = |sign: &char| sign.is_ascii_alphanumeric() || *sign == '-';
    let chain: String = id.chain_id.as_str().chars().filter(is_plain).take(40).collect();
    let hash: String = id.hash.as_str().chars().filter(is_plain).take(12).collect();
    format!("{chain}-{hash}")
}
