//! What keys do on the board and on a transfer's page.

use super::{TransferPage, calendar::reminder};
use crate::{
    app::{
        App, HostEffect,
        modal::{CopyChoice, EntryPurpose},
        view::View,
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
    /// Enter on the board or on a transfer's page.
    pub(in crate::app) fn open_in_transfers(&mut self) {
        let View::Transfer(page) = self.navigation.current_mut() else {
            if let Some(id) = self.selected_transfer() {
                self.open_transfer(id);
            }
            return;
        };
        let selected = page.shown_mut().selected().map(|line| (line.name, line.link.clone()));
        match selected {
            Some((_, Some(target))) => self.open_target(&target),
            Some((Some(name), None)) if page.urls.contains_key(&name) => {
                self.refuse("this transaction is of another chain; its page in the browser may show it");
            }
            _ => self.effects.redraw |= page.shown_mut().toggle_fold(),
        }
    }

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
            NextStep::RouteFrom(release) => self.open_quote_from(&release),
            NextStep::SendNext(tx) => {
                let record = transfer.record.clone();
                self.open_prepare_next(&record, tx);
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
        self.ask_for(EntryPurpose::Label(id), "Name of this transfer (empty takes it away)", &label);
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
        self.effects.instructions.push(Instruction::Forget(id.clone()));
        if self.shown_transfer() == Some(&id) {
            self.travel_back();
        }
        self.done(format!("{} is forgotten", id.hash.short()));
    }

    /// Another key than that for forgetting was pressed.
    pub(in crate::app) fn keep_transfer(&mut self) {
        self.transfers.forgetting = None;
    }

    /// The next order of the board.
    pub(in crate::app) fn turn_board_order(&mut self) {
        let View::Bridge(view) = self.navigation.current_mut() else { return };
        if view.side != crate::app::bridge::BridgeSide::Transfers {
            return;
        }
        view.board.turn_order();
        let order = view.board.order;
        self.done(format!("ordered by {order}"));
    }

    /// The page's lines, or the status as it came.
    pub(in crate::app) fn toggle_raw_status(&mut self) {
        let Some(transfer) = self.shown_transfer().and_then(|id| self.transfers.get(id)) else { return };
        let json = super::page::raw_status(&transfer.record);
        let Some(json) = json else { return self.refuse("the router has not told its status yet") };
        if let View::Transfer(page) = self.navigation.current_mut() {
            page.toggle_raw(&json);
        }
        self.effects.redraw = true;
    }

    /// What can be copied of a transfer.
    pub(in crate::app) fn transfer_choices(&self) -> Vec<CopyChoice> {
        let Some(transfer) = self.selected_transfer().and_then(|id| self.transfers.get(&id)) else { return Vec::new() };
        let record = &transfer.record;
        let choice = |key, label, text: String| CopyChoice { key, label, text };
        let mut choices = vec![choice('i', "chain and hash", record.id.to_string())];
        if let Some(tx) = transfer.current_tx() {
            choices.push(choice('v', "transaction hash", tx.hash.to_string()));
            if let Some(router) = &self.network.router {
                let path = format!("{router}/v2/tx/status?tx_hash={}&chain_id={}", tx.hash, tx.chain_id);
                choices.push(choice('c', "curl command of the status", wire::curl(&path)));
            }
        }
        choices.push(choice('h', "where the funds are", transfer.status_view.headline.to_string()));
        choices.extend(super::page::raw_status(record).map(|json| choice('j', "status as JSON", json)));
        choices.extend(record.route.as_ref().map(|route| choice('r', "route as JSON", route.to_string())));
        choices
    }

    /// The web page of the transaction under the cursor.
    pub(in crate::app) fn transfer_url(&self) -> Option<String> {
        let View::Transfer(TransferPage { document, urls, .. }) = self.navigation.current() else { return None };
        urls.get(&document.selected()?.name?).cloned().flatten()
    }

    /// The transfer on the page, or all of the board, as files.
    pub(in crate::app) fn transfer_export(&mut self) -> Option<(String, String)> {
        match self.navigation.current() {
            View::Transfer(page) => {
                let transfer = self.context.transfers.get(&page.id)?;
                let name = file_name(&transfer.record.id);
                if let Some(contents) = reminder(transfer, &self.directory, self.now) {
                    let file = HostEffect::WriteFile { name: format!("claim-{name}.ics"), contents };
                    self.effects.host.push(file);
                }
                let json = serde_json::to_string_pretty(&super::page::exported(&transfer.record)).ok()?;
                Some((format!("transfer-{name}.json"), json))
            }
            View::Bridge(_) if self.is_board_shown() && !self.transfers.all.is_empty() => {
                let line =
                    |transfer: &super::WatchedTransfer| super::page::exported(&transfer.record).to_string() + "\n";
                Some(("transfers.jsonl".to_owned(), self.transfers.all.iter().map(line).collect()))
            }
            _ => None,
        }
    }
}

/// A chain and the beginning of a hash, of signs that every file system takes.
fn file_name(id: &TransferId) -> String {
    let is_plain = |sign: &char| sign.is_ascii_alphanumeric() || *sign == '-';
    let chain: String = id.chain_id.as_str().chars().filter(is_plain).take(40).collect();
    let hash: String = id.hash.as_str().chars().filter(is_plain).take(12).collect();
    format!("{chain}-{hash}")
}
