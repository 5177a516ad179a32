//! What the session does for what lies over the screen.

use tui_input::Input;

use super::{
    App, HostEffect,
    go_to::{GoTo, KnownNames},
    keys::READER_LAYERS,
    modal::{Modal, ModalStep},
    page::SearchStep,
    prompt::{EntryPurpose, Prompt},
};
use crate::{
    config::{Command, Key},
    msg::{Request, Slot},
};

impl App {
    pub(super) fn press_in_modal(&mut self, key: Key) {
        self.effects.redraw = true;
        let is_reader = self.modal.as_ref().is_some_and(Modal::is_reader);
        let command = if is_reader { self.complete(READER_LAYERS, key) } else { None };
        let Some(modal) = &mut self.modal else { return };
        let step = match command {
            Some(command) => modal.read(command, &self.exchanges),
            None if is_reader => None,
            None => modal.press(key),
        };
        if let Some(step) = step {
            self.take_modal_step(step);
        }
    }

    fn take_modal_step(&mut self, step: ModalStep) {
        match step {
            ModalStep::Typed => return self.modal_typed(),
            ModalStep::MovePage(rows) => return self.move_cursor(|cursor| cursor.move_by(rows)),
            ModalStep::GoTo => return self.in_go_to(GoTo::submit),
            ModalStep::CopyHere(text) => return self.effects.host.push(HostEffect::Copy(text)),
            ModalStep::Columns(list, ids) => return self.context.columns.choose(list, ids),
            ModalStep::Submit(purpose, text) => return self.submit_entry(&purpose, &text),
            // Help and inspector are read on.
            ModalStep::Copy(text) if self.modal.as_ref().is_some_and(Modal::is_reader) => {
                return self.effects.host.push(HostEffect::Copy(text));
            }
            _ => self.close_modal(),
        }
        match step {
            ModalStep::Find(needle) => self.navigation.current_mut().find(&needle),
            ModalStep::Search(text, step) => self.navigation.current_mut().search(&text, step),
            ModalStep::GoToText(text) => self.go_to_text(text),
            ModalStep::Run(command) => self.act(command),
            ModalStep::NoCommand => self.toasts.refuse("no such command; : and Tab shows them all"),
            ModalStep::Choose(choice) => self.with_current(|page, cx| page.chosen(choice, cx)),
            ModalStep::Copy(text) => self.effects.host.push(HostEffect::Copy(text)),
            ModalStep::CopyBody(request) => {
                self.requests.fetch(Slot::CopiedBody, Request::Body(Box::new(request)));
                self.toasts.inform("asking for it");
            }
            ModalStep::ColumnsAsBefore(columns) => self.context.columns = columns,
            ModalStep::ColumnsKept => {
                let key = self.keymap.shown(self.layers(), Command::ChooseColumns).unwrap_or_default();
                self.toasts.done(format!("kept until you quit; {key}, then y, copies the line for config.toml"));
            }
            ModalStep::Columns(..)
            | ModalStep::CopyHere(_)
            | ModalStep::Close
            | ModalStep::Typed
            | ModalStep::MovePage(_)
            | ModalStep::GoTo
            | ModalStep::Submit(..) => {}
        }
    }

    /// What follows from another text.
    fn modal_typed(&mut self) {
        match &mut self.modal {
            Some(Modal::GoTo(_)) => self.in_go_to(GoTo::suggest),
            Some(Modal::Palette(palette)) => {
                let names = KnownNames::new(&self.context, &self.navigation, &self.recents, None);
                let target = palette.arguments().into_iter().find_map(|text| names.palette_target(text));
                palette.take_typed(target);
            }
            Some(Modal::Prompt(Prompt::Search(_, input))) => {
                self.navigation.current_mut().search(input.value(), SearchStep::Typing);
            }
            Some(Modal::Prompt(Prompt::Find(input))) => self.navigation.current_mut().find(input.value()),
            Some(modal) => modal.read_typed(),
            None => {}
        }
    }

    /// Puts a pasted text where the cursor is; with no input open, into the go-to input, whatever is read or chosen.
    pub(super) fn paste(&mut self, pasted: &str) {
        if !self.modal.as_mut().is_some_and(Modal::has_input) {
            self.act(Command::GoTo);
        }
        if let Some(modal) = &mut self.modal {
            modal.paste(pasted);
        }
        self.effects.redraw = true;
        self.modal_typed();
    }

    /// Closes what lies over the screen, and stops what was asked for it.
    pub(super) fn close_modal(&mut self) {
        if matches!(self.modal, Some(Modal::GoTo(_))) {
            self.close_go_to();
        }
        self.modal = None;
    }

    /// `f` where the page means nothing else by it: finds text in its document.
    pub(super) fn filter(&mut self) {
        match self.navigation.current().document() {
            Some(document) => {
                let input = Input::new(document.filter().to_owned());
                self.open_modal(Modal::Prompt(Prompt::Find(input)));
            }
            None => self.toasts.refuse("nothing to filter here"),
        }
    }

    /// Hands the line to who asked for it; what cannot be used stays, with the reason below it.
    fn submit_entry(&mut self, purpose: &EntryPurpose, text: &str) {
        let taken = match purpose {
            EntryPurpose::TrackHash => self.enter_track_hash(text),
            EntryPurpose::Label(id) => self.enter_label(id, text),
            EntryPurpose::AccountLabel(account) => {
                self.context.enter_account_label(*account, text).map(|(kept, said)| {
                    self.requests.instruct(kept);
                    self.toasts.done(said);
                })
            }
            _ => self.with_current(|page, cx| page.enter(purpose, text, cx)),
        };
        match (taken, &mut self.modal) {
            // Who took it may have opened something else already.
            (Ok(()), Some(Modal::Prompt(Prompt::Entry(entry)))) if entry.purpose == *purpose => self.modal = None,
            (Err(problem), Some(Modal::Prompt(Prompt::Entry(entry)))) => entry.problem = Some(problem),
            _ => {}
        }
    }
}
