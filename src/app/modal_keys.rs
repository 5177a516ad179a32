//! Handles the keys of overlays in the session.

use tui_input::Input;

use super::{
    App, Effect,
    copying::copied_body,
    exporting,
    faults::toggle_fault,
    go_to::{GoTo, KnownNames},
    keys::{READER_LAYERS, answer_unbound_key, complete},
    list_columns::palette_rows,
    modal::{LineCommand, Modal, ModalStep, PaletteRow},
    offered::{is_description, switch_of, use_network},
    page::{Choice, PageEvent, SearchStep},
    personal::{self, run_line, tell_line},
    prompt::{EntryPurpose, PickPurpose, Prompt},
};
use crate::{
    config::{Command, Key},
    domain::PersonalKind,
    msg::{Slot, ask},
};

impl App {
    pub(super) fn press_in_modal(&mut self, key: Key) {
        self.needs_redraw = true;
        let is_reader = self.modal.as_ref().is_some_and(Modal::is_reader);
        let command =
            if is_reader { complete(&mut self.pending_keys, &self.context.keymap, READER_LAYERS, key) } else { None };
        let Some(modal) = &mut self.modal else { return };
        let step = match command {
            Some(command) => modal.read(command, &self.context.exchanges),
            None if is_reader => return answer_unbound_key(self),
            None => modal.press(key),
        };
        if let Some(step) = step {
            self.take_modal_step(step);
        }
    }

    pub(super) fn take_modal_step(&mut self, step: ModalStep) {
        match step {
            ModalStep::Typed => return self.modal_typed(),
            ModalStep::MovePage(rows) => return self.move_cursor(|cursor| cursor.move_by(rows)),
            ModalStep::GoTo => return self.in_go_to(GoTo::submit),
            ModalStep::CopyHere(text) => return self.effects.push(Effect::Copy(text)),
            ModalStep::Columns(list, ids) => return self.context.columns.choose(list, ids),
            ModalStep::DropBookmark(target) => {
                let _ = personal::enter(self, PersonalKind::Bookmark, &target, "");
                return self.modal_typed();
            }
            ModalStep::Submit(purpose, text) => return self.submit_entry(&purpose, &text),
            ModalStep::Export(step) => return exporting::run(self, step),
            // Help and inspector stay open after copying.
            ModalStep::Copy(text) if self.modal.as_ref().is_some_and(Modal::is_reader) => {
                return self.effects.push(Effect::Copy(text));
            }
            _ => self.close_modal(),
        }
        match step {
            ModalStep::Find(needle) => self.find(&needle),
            ModalStep::Search(text, step) => self.notify_page(PageEvent::Search(&text, step)),
            ModalStep::GoToText(text) => self.go_to_text(text),
            ModalStep::Run(command) => self.act(command),
            ModalStep::NoCommand => self.toasts.refuse("unknown command; : and Tab list all commands"),
            ModalStep::NothingToSave => {
                let [quit, export] = [Command::Quit, Command::Export]
                    .map(|command| self.context.keymap.shown(self.screen().layers(), command).unwrap_or_default());
                self.toasts.refuse(format!("no file is open: {quit} quits, {export} exports"));
            }
            ModalStep::RunLine(command, rest) => run_line(self, command, &rest),
            ModalStep::Choose(Choice::Pick(PickPurpose::Network, text)) if is_description(self, &text) => {
                use_network(self, &text);
            }
            ModalStep::Choose(Choice::Pick(purpose @ (PickPurpose::Network | PickPurpose::OfferedNetwork), value)) => {
                match self.context.transfers.pending_signature() {
                    Some(pending) => self.toasts.refuse(format!("{pending}: finish it before you change the network")),
                    None => self.effects.push(Effect::Switch(switch_of(purpose, &value))),
                }
            }
            ModalStep::Choose(Choice::Pick(PickPurpose::Fault, fault)) => toggle_fault(self, &fault),
            ModalStep::Choose(choice) => self.notify_page(PageEvent::Chosen(choice)),
            ModalStep::Copy(text) => self.effects.push(Effect::Copy(text)),
            ModalStep::Write(exports) => self.write(exports),
            ModalStep::CopyBody(request) => {
                self.requests.fetch(Slot::CopiedBody, ask::body(request), |app, result| {
                    app.effects.extend(copied_body(result, &mut app.toasts));
                });
                self.toasts.inform("requesting the body");
            }
            ModalStep::ColumnsAsBefore(columns) => self.context.columns = columns,
            ModalStep::ColumnsKept => {
                let key = self.context.keymap.shown(self.screen().layers(), Command::ChooseColumns).unwrap_or_default();
                self.toasts.done(format!("applied until you quit; {key}, then y, copies the line for config.toml"));
            }
            ModalStep::Columns(..)
            | ModalStep::CopyHere(_)
            | ModalStep::DropBookmark(_)
            | ModalStep::Close
            | ModalStep::Typed
            | ModalStep::MovePage(_)
            | ModalStep::GoTo
            | ModalStep::Export(_)
            | ModalStep::Submit(..) => {}
        }
    }

    /// Updates an overlay whose text changed.
    pub(super) fn modal_typed(&mut self) {
        match &mut self.modal {
            Some(Modal::GoTo(_)) => self.in_go_to(GoTo::suggest),
            Some(Modal::Palette(palette)) => {
                if let Some((command, rest)) = LineCommand::read(palette.picker.text()) {
                    let told = tell_line(command, &rest, &self.context, &self.navigation);
                    let typed = PaletteRow::Line { command, rest, told };
                    if command == LineCommand::Sort {
                        return palette.take_column(&palette_rows(&self.navigation), typed);
                    }
                    return palette.take_typed(Some(typed));
                }
                let names = KnownNames::new(&self.context, &self.navigation, &self.recents, None);
                let target = palette.arguments().into_iter().find_map(|text| names.palette_target(text));
                palette.take_typed(target.map(PaletteRow::GoTo));
            }
            Some(Modal::Prompt(Prompt::Search(_, input))) => {
                let text = input.value().to_owned();
                self.notify_page(PageEvent::Search(&text, SearchStep::Typing));
            }
            Some(Modal::Prompt(Prompt::Find(input))) => {
                let needle = input.value().to_owned();
                self.find(&needle);
            }
            Some(modal) => modal.read_typed(),
            None => {}
        }
    }

    /// Inserts a paste into the open input. Without one, opens the go-to input.
    pub(super) fn paste(&mut self, pasted: &str) {
        if !self.modal.as_mut().is_some_and(Modal::has_input) {
            self.act(Command::GoTo);
        }
        if let Some(modal) = &mut self.modal {
            modal.paste(pasted);
        }
        self.needs_redraw = true;
        self.modal_typed();
    }

    /// Closes the overlay and cancels its requests.
    pub(super) fn close_modal(&mut self) {
        match self.modal.take() {
            Some(Modal::GoTo(_)) => {
                self.requests.cancel_where(|slot| matches!(slot, Slot::Suggestions | Slot::GoTo(_)));
            }
            Some(Modal::ExportRows(_)) => self.requests.cancel_where(|slot| *slot == Slot::Export),
            _ => {}
        }
        self.needs_redraw = true;
    }

    /// Opens the search in the page's document, for `f` on a page without its own `f` command.
    pub(super) fn filter(&mut self) {
        match self.navigation.current().document() {
            Some(document) => {
                let input = Input::new(document.filter().to_owned());
                self.open_modal(Modal::Prompt(Prompt::Find(input)));
            }
            None => self.toasts.refuse("this page has no filter"),
        }
    }

    /// Filters the document by a text.
    fn find(&mut self, needle: &str) {
        match self.navigation.current_mut().document_mut() {
            Some(document) => document.set_filter(needle),
            None => self.notify_page(PageEvent::Find(needle)),
        }
    }

    /// Gives a typed line to its recipient. An invalid line stays open, with the reason below.
    fn submit_entry(&mut self, purpose: &EntryPurpose, text: &str) {
        if let Some(Modal::Prompt(Prompt::Entry(entry))) = &mut self.modal {
            entry.problem = None;
        }
        let taken = match purpose {
            EntryPurpose::TrackHash => self.with_transfers(|transfers, cx| transfers.enter_hash(text, cx)),
            EntryPurpose::Label(id) => self.context.transfers.enter_label(id, text),
            EntryPurpose::Personal(kind, target) => personal::enter(self, *kind, target, text),
            _ => {
                self.notify_page(PageEvent::Entered(purpose, text));
                Ok(())
            }
        };
        match (taken, &mut self.modal) {
            // The recipient may already have opened another overlay.
            (Ok(()), Some(Modal::Prompt(Prompt::Entry(entry))))
                if entry.purpose == *purpose && entry.problem.is_none() =>
            {
                self.modal = None;
            }
            (Err(problem), Some(Modal::Prompt(Prompt::Entry(entry)))) => entry.problem = Some(problem),
            _ => {}
        }
    }
}
