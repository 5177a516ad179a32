//! Runs commands: the page first, then the session.

use super::{
    App, Effect, SessionRequest,
    commands::tab_of,
    copying::copy,
    exporting,
    facts::help_lines,
    faults::choose_fault,
    go_to::{GoTo, KnownNames},
    list_columns,
    modal::{ColumnsChooser, Inspector, LineCommand, Modal},
    navigation::Navigation,
    offered::use_network,
    page::{FocusMut, Handled, PageEvent, Tab},
    personal::run_line,
    transfers::Transfers,
    views,
};
use crate::{
    config::Command,
    msg::{Slot, ask},
    widgets::{
        cursor::Cursor,
        document::{Document, Lines},
    },
};

const NO_OTHER_MATCH: &str = "no other match";
const NO_OTHER_GROUP: &str = "no other group";
pub(super) const NOT_FOLDABLE: &str = "no foldable block under the cursor";

impl App {
    /// Runs a command, or shows why it is not available.
    pub(super) fn act(&mut self, command: Command) {
        self.context.transfers.end_questions(command);
        if let Some(why) = self.screen().refusal_of(command) {
            return self.toasts.refuse(why);
        }
        if self.with_current(|page, cx| page.act(command, cx)) == Some(Handled::Done) {
            self.needs_redraw = true;
            return;
        }
        match command {
            Command::PreviousPane => {
                self.with_current(|page, cx| page.act(Command::NextPane, cx));
                self.needs_redraw = true;
            }
            Command::Down => self.move_cursor(|cursor| cursor.move_by(1)),
            Command::Up => self.move_cursor(|cursor| cursor.move_by(-1)),
            Command::HalfDown => self.move_cursor(|cursor| cursor.half_page_by(1)),
            Command::HalfUp => self.move_cursor(|cursor| cursor.half_page_by(-1)),
            Command::NextPage => self.move_cursor(|cursor| cursor.page_by(1)),
            Command::PreviousPage => self.move_cursor(|cursor| cursor.page_by(-1)),
            Command::Top => self.move_cursor(|cursor| cursor.move_to_top()),
            Command::Middle => {
                self.move_cursor(|cursor| cursor.middle().is_some_and(|place| cursor.move_to(place)));
            }
            Command::PreviousGroup | Command::NextGroup => self.in_document(NO_OTHER_GROUP, |lines| {
                lines.group(command == Command::NextGroup).is_some_and(|place| lines.move_to(place))
            }),
            Command::Bottom => self.move_cursor(|cursor| cursor.move_to(usize::MAX)),
            Command::Open => self.open_line(),
            Command::Back => self.back(),
            Command::HistoryBack | Command::HistoryForward => self.travel(command == Command::HistoryForward),
            Command::PreviousSibling => self.open_sibling(-1),
            Command::NextSibling => self.open_sibling(1),
            Command::GoTo => self.open_modal(Modal::GoTo(GoTo::of(String::new()))),
            Command::Filter => self.filter(),
            Command::Copy | Command::CopyFirst => copy(self, command == Command::CopyFirst),
            Command::Export => exporting::open(self),
            Command::Browser => self.effects.extend(self.screen().web_page().map(Effect::Open)),
            Command::Freeze => self.toggle_frozen(),
            Command::Refresh => self.refresh(),
            Command::Track => self.with_transfers(|_, cx| cx.ask_for_hash()),
            Command::TrackAgain => self.with_transfers(Transfers::track_again),
            Command::NextStep => self.with_transfers(Transfers::take_next_step),
            Command::SignInBrowser => self.with_transfers(Transfers::sign_selected),
            Command::Label => self.with_transfers(Transfers::edit_label),
            Command::Forget => self.with_transfers(Transfers::forget),
            Command::NameAccount => run_line(self, LineCommand::Label, ""),
            Command::Note => run_line(self, LineCommand::Note, ""),
            Command::Bookmark => run_line(self, LineCommand::Bookmark, ""),
            Command::View => run_line(self, LineCommand::View, ""),
            Command::ToggleFold => self.in_document(NOT_FOLDABLE, |lines| lines.toggle_fold_around()),
            Command::FoldAll => self.in_document(NOT_FOLDABLE, |lines| lines.fold_all()),
            Command::UnfoldAll => self.in_document(NOT_FOLDABLE, |lines| lines.unfold_all()),
            Command::NextMatch => self.in_document(NO_OTHER_MATCH, |lines| lines.step_match(1)),
            Command::PreviousMatch => self.in_document(NO_OTHER_MATCH, |lines| lines.step_match(-1)),
            Command::Mark => self.mark_tx(),
            Command::OpenSigner | Command::OpenBlock | Command::Compare => match self.screen().beside_tx(command) {
                Some(destination) => self.open_page(destination),
                None => self.toasts.refuse("select a transaction with a signer"),
            },
            Command::FlipAddress => {
                self.context.address_style = self.context.address_style.next();
                self.needs_redraw = true;
            }
            Command::FlipTime => {
                self.context.time_form = self.context.time_form.next(&self.context.zone, self.context.now);
                self.needs_redraw = true;
            }
            Command::ChooseColumns => {
                if let Some(list) = self.navigation.current().place().columns {
                    self.open_modal(Modal::Columns(ColumnsChooser::new(list, &self.context.columns)));
                }
            }
            Command::SortRows => list_columns::open_palette(self),
            Command::FirstColumn | Command::LastColumn => list_columns::scroll(self, command == Command::LastColumn),
            Command::Palette => self.open_modal(Modal::Palette(views::palette(self))),
            Command::Help => {
                let lines = help_lines(&self.context, &self.screen().page_hints(), self.screen().layers());
                self.open_modal(Modal::Help(Document::new(lines)));
            }
            Command::Use => use_network(self, ""),
            Command::Fault => choose_fault(self),
            Command::Inspector => self.open_modal(Modal::Inspector(Inspector::default())),
            Command::Suspend => self.effects.push(Effect::Suspend),
            Command::Quit | Command::ForceQuit => {
                if command == Command::Quit
                    && let Some(question) = self.context.transfers.question_before_end()
                {
                    let key = self.context.keymap.shown(self.screen().layers(), command).unwrap_or_default();
                    return self.toasts.refuse(format!("{question}; {key} again quits"));
                }
                let refused =
                    self.context.chain.named_else.as_ref().map(|refused| refused.sentence(&self.context.network));
                self.effects.push(refused.map_or(Effect::Quit, Effect::Fail));
            }
            // Only pages handle the other commands, and this page did not.
            _ => {
                if let Some(side) = tab_of(command) {
                    self.open_page(side);
                }
            }
        }
    }

    pub(super) fn move_cursor(&mut self, step: impl FnOnce(&mut dyn Cursor) -> bool) {
        self.needs_redraw |= self.navigation.current_mut().focus_mut().map(FocusMut::cursor).is_some_and(step);
    }

    /// Changes the document that has the cursor, or refuses with this message.
    fn in_document(&mut self, refusal: &'static str, act: impl FnOnce(&mut dyn Lines) -> bool) {
        match self.navigation.current_mut().document_mut().map(act) {
            Some(true) => self.needs_redraw = true,
            Some(false) | None => self.toasts.refuse(refusal),
        }
    }

    fn open_line(&mut self) {
        let Some(document) = self.navigation.current_mut().document_mut() else { return };
        match document.link().cloned() {
            Some(target) => self.open_target(&target),
            None => self.needs_redraw |= document.toggle_fold(),
        }
    }

    pub(super) fn open_modal(&mut self, modal: Modal) {
        self.pending_keys.clear();
        self.modal = Some(modal);
        if matches!(self.modal, Some(Modal::GoTo(_))) {
            self.in_go_to(GoTo::suggest);
            let names = KnownNames::new(&self.context, &self.navigation, &self.recents, None).unnamed_collections();
            // Any answer may add names to the glossary, so the screen must be rebuilt.
            let asked = names.into_iter().map(|address| {
                SessionRequest::new(Slot::NameOf(address), ask::collection(address), |app, _| {
                    app.in_go_to(GoTo::name_recents);
                })
            });
            self.requests.fetch_all(asked);
        }
        self.needs_redraw = true;
    }

    pub(super) fn open_tab(&mut self, tab: Tab) {
        self.needs_redraw = true;
        if self.navigation.current_id() != Navigation::root(tab) {
            self.cover_page();
            self.navigation.open_tab(tab);
            self.catch_up();
        }
    }

    /// Frees data that the page can request or build again, because another page covers it.
    pub(super) fn cover_page(&mut self) {
        self.navigation.current_mut().lists().iter_mut().for_each(|list| list.shrink());
        self.notify_page(PageEvent::Shrink);
    }

    /// Requests what the screen missed while the program was suspended.
    pub(super) fn catch_up(&mut self) {
        if !self.context.frozen {
            let now = self.context.now;
            self.navigation.each_visible_list(|list| {
                list.poll(now);
                list.refresh_if_old(now);
            });
        }
    }

    /// Handles Esc if the page has nothing to undo.
    fn back(&mut self) {
        self.needs_redraw = true;
        let document = self.navigation.current_mut().document_mut();
        if let Some(document) = document.filter(|document| !document.filter().is_empty()) {
            document.set_filter("");
        } else if !self.navigation.is_at_root() {
            self.travel(false);
        }
    }

    pub(super) fn travel(&mut self, forward: bool) {
        self.needs_redraw = true;
        if forward && !self.navigation.has_forward() {
            return self.toasts.refuse("no next page in history");
        }
        if !forward && !self.navigation.has_back() {
            return self.toasts.refuse("this is the first page");
        }
        self.cover_page();
        if forward {
            self.navigation.forward()
        } else {
            self.navigation.back()
        };
        self.catch_up();
    }

    fn toggle_frozen(&mut self) {
        self.context.frozen = !self.context.frozen;
        self.needs_redraw = true;
        if !self.context.frozen {
            let now = self.context.now;
            self.context.chain.make_due(now);
            self.catch_up();
        }
    }

    fn refresh(&mut self) {
        let now = self.context.now;
        self.context.chain.make_due(now);
        self.poll_chain();
        self.context.refresh_names();
        self.navigation.each_visible_list(|list| list.refresh());
        self.notify_page(PageEvent::Refresh);
        self.with_transfers(Transfers::refresh);
        self.toasts.inform("refreshing");
    }

    /// Marks the open or selected transaction, or removes the mark.
    fn mark_tx(&mut self) {
        let Some(tx) = self.navigation.current().selection().tx else {
            return self.toasts.refuse("select a transaction to mark");
        };
        if self.context.marked_hash() == Some(tx.txhash) {
            self.context.marked = None;
            return self.toasts.done(format!("unmarked {}", tx.txhash.short()));
        }
        let key = self.context.keymap.shown(self.screen().layers(), Command::Compare).unwrap_or_default();
        self.toasts.done(format!("marked {}; {key} on another compares the two", tx.txhash.short()));
        self.context.marked = Some(tx);
    }
}
