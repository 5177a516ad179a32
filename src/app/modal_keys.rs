//! Keys while something lies over the screen. In an input only Esc, Enter, Ctrl-C and editing keys act.

use tui_input::Input;

use super::{
    App, HostEffect,
    denoms::typed_denom,
    facts::exchange_lines,
    go_to::KnownNames,
    keys::READER_LAYERS,
    modal::{CopyChoice, EntryPurpose, Modal, PaletteRow, TypeChoice},
    page::{Choice, SearchStep},
};
use crate::{
    config::{Command, Key, KeyCode},
    domain::{several, text},
    widgets::{
        document::Document,
        input::{edit, insert},
        picker::Picked,
    },
};

/// Characters that a paste may bring: a hundred hashes and what stands between them, a signed hook.
const LONG_PASTE: usize = 16_000;
/// Characters that a paste brings where a word or two are looked for.
const SHORT_PASTE: usize = 2000;

impl App {
    pub(super) fn press_in_modal(&mut self, key: Key) {
        self.effects.redraw = true;
        match &mut self.modal {
            None => {}
            Some(Modal::Find(_)) => self.press_in_find(key),
            Some(Modal::Search(..)) => self.press_in_search(key),
            Some(Modal::Entry(_)) => self.press_in_entry(key),
            Some(Modal::Help(_) | Modal::Inspector(_)) => self.press_in_reader(key),
            Some(modal) => match modal.picker_mut().map(|picker| picker.press(key)) {
                Some(Picked::Left) => self.leave_picker(),
                Some(Picked::Chosen) => self.choose(),
                Some(Picked::Typed) => self.input_changed(),
                Some(Picked::Nothing) => self.press_letter(key),
                Some(Picked::Moved) | None => {}
            },
        }
    }

    /// The letters of the copy menu.
    fn press_letter(&mut self, key: Key) {
        let Some(Modal::Copy(choices)) = &self.modal else { return };
        let is_meant = |choice: &&CopyChoice| KeyCode::Char(choice.key) == key.code && !key.ctrl && !key.alt;
        if let Some(text) = choices.choices().iter().find(is_meant).map(|choice| choice.text.clone()) {
            self.modal = None;
            self.effects.host.push(HostEffect::Copy(text));
        }
    }

    fn leave_picker(&mut self) {
        if matches!(self.modal, Some(Modal::GoTo(_))) {
            self.close_go_to();
        }
        self.modal = None;
    }

    /// Enter in a picker.
    fn choose(&mut self) {
        match &self.modal {
            Some(Modal::GoTo(_)) => self.submit_go_to(),
            Some(Modal::Palette(_)) => self.run_palette(),
            Some(Modal::Types(_)) => self.apply_types(),
            Some(Modal::Denoms(picker)) => {
                if let Some(denom) = picker.selected().map(|known| known.denom.clone()) {
                    self.choose_for_page(Choice::Denom(denom));
                }
            }
            Some(Modal::Pick(pick)) => {
                if let Some(value) = pick.picker.selected().map(|choice| choice.value.clone()) {
                    let purpose = pick.purpose;
                    self.choose_for_page(Choice::Pick(purpose, value));
                }
            }
            Some(Modal::Copy(choices)) => {
                let text = choices.selected().map(|choice| choice.text.clone());
                self.modal = None;
                self.effects.host.extend(text.map(HostEffect::Copy));
            }
            _ => {}
        }
    }

    /// What follows from a changed input.
    pub(super) fn input_changed(&mut self) {
        match &mut self.modal {
            Some(Modal::GoTo(_)) => self.suggest(),
            Some(Modal::Palette(_)) => self.read_palette(),
            Some(Modal::Types(picker)) => picker.set_typed(TypeChoice::typed(picker)),
            Some(Modal::Denoms(picker)) => picker.set_typed(typed_denom(picker)),
            Some(Modal::Pick(pick)) => pick.read_typed(),
            Some(Modal::Search(_, input)) => self.navigation.current_mut().search(input.value(), SearchStep::Typing),
            Some(Modal::Find(input)) => self.navigation.current_mut().find(input.value()),
            _ => {}
        }
    }

    pub(super) fn edit(&mut self, key: Key) {
        let input = self.modal.as_mut().and_then(Modal::input_mut);
        if input.is_some_and(|input| edit(input, key)) {
            self.input_changed();
        }
    }

    /// Puts a pasted text where the cursor is; with no input open, into the go-to input, whatever is read or chosen.
    pub(super) fn paste(&mut self, pasted: &str) {
        let has_input = self.modal.as_mut().is_some_and(|modal| {
            modal.input_mut().is_some() || modal.picker_mut().is_some_and(|picker| picker.has_input())
        });
        if !has_input {
            self.act(Command::GoTo);
        }
        let is_go_to = matches!(self.modal, Some(Modal::GoTo(_)));
        let is_entry = matches!(self.modal, Some(Modal::Entry(_)));
        let clean = if is_go_to { one_line(pasted) } else { plain(pasted) };
        let room = if is_go_to || is_entry { LONG_PASTE } else { SHORT_PASTE };
        let Some(modal) = &mut self.modal else { return };
        if let Some(input) = modal.input_mut() {
            insert(input, &clean, room);
        } else if let Some(picker) = modal.picker_mut() {
            picker.paste(&clean, room);
        }
        self.effects.redraw = true;
        self.input_changed();
    }

    /// Looks for something to go to in what was typed into the palette.
    fn read_palette(&mut self) {
        let Some(Modal::Palette(palette)) = &self.modal else { return };
        let names = KnownNames::new(&self.context, &self.navigation, &self.recents, None);
        let target = palette.arguments().into_iter().find_map(|text| names.palette_target(text));
        if let Some(Modal::Palette(palette)) = &mut self.modal {
            palette.take_typed(target);
        }
    }

    fn run_palette(&mut self) {
        let Some(Modal::Palette(palette)) = self.modal.take() else { return };
        match palette.picker.selected() {
            Some(PaletteRow::GoTo(target)) => self.go_to_text(target.text.clone()),
            Some(PaletteRow::Command(command)) => self.act(*command),
            None => match palette.refused {
                Some(hint) => self.act(hint.command),
                None => self.refuse("no such command; : and Tab shows them all"),
            },
        }
    }

    fn press_in_find(&mut self, key: Key) {
        match key.code {
            KeyCode::Esc => {
                self.navigation.current_mut().find("");
                self.modal = None;
            }
            KeyCode::Enter => self.modal = None,
            KeyCode::Up => self.move_cursor(|cursor| cursor.move_by(-1)),
            KeyCode::Down => self.move_cursor(|cursor| cursor.move_by(1)),
            _ => self.edit(key),
        }
    }

    fn press_in_search(&mut self, key: Key) {
        let step = match key.code {
            KeyCode::Esc => SearchStep::Abandoned,
            KeyCode::Enter => SearchStep::Submitted,
            KeyCode::Up => return self.move_cursor(|cursor| cursor.move_by(-1)),
            KeyCode::Down => return self.move_cursor(|cursor| cursor.move_by(1)),
            _ => return self.edit(key),
        };
        let Some(Modal::Search(_, input)) = self.modal.take() else { return };
        self.navigation.current_mut().search(input.value(), step);
    }

    /// The page is told what was chosen.
    fn choose_for_page(&mut self, choice: Choice) {
        self.modal = None;
        self.effects.redraw = true;
        self.with_current(|page, cx| page.chosen(choice, cx));
    }

    /// The ticked types; with none ticked, or a text typed, the marked one too.
    fn apply_types(&mut self) {
        let Some(Modal::Types(mut picker)) = self.modal.take() else { return };
        if !picker.text().is_empty() {
            picker.tick_marked();
        }
        let msgs = picker.ticked().map(|choice| choice.kind.clone()).collect();
        self.choose_for_page(Choice::Types(msgs));
    }

    /// Help and inspector: moving, opening, closing.
    fn press_in_reader(&mut self, key: Key) {
        match self.complete(READER_LAYERS, key) {
            Some(Command::Back | Command::Quit | Command::Help | Command::Inspector) => self.close_reader(),
            Some(Command::Down) => self.move_in_modal(1),
            Some(Command::Up) => self.move_in_modal(-1),
            Some(Command::HalfDown) => self.move_in_modal(10),
            Some(Command::HalfUp) => self.move_in_modal(-10),
            Some(Command::NextPage) => self.move_in_modal(20),
            Some(Command::PreviousPage) => self.move_in_modal(-20),
            Some(Command::Top) => self.move_in_modal(isize::MIN),
            Some(Command::Bottom) => self.move_in_modal(isize::MAX),
            Some(Command::Open) => self.open_exchange(),
            Some(Command::Copy) => self.copy_in_reader(),
            _ => {}
        }
    }

    fn close_reader(&mut self) {
        match &mut self.modal {
            Some(Modal::Inspector(inspector)) if inspector.detail.is_some() => inspector.detail = None,
            _ => self.modal = None,
        }
    }

    pub(super) fn move_in_modal(&mut self, rows: isize) {
        self.effects.redraw = true;
        let exchanges = self.exchanges.len();
        match &mut self.modal {
            Some(Modal::Help(document)) => {
                document.move_by(rows);
            }
            Some(Modal::Inspector(inspector)) => match &mut inspector.detail {
                Some(document) => {
                    document.move_by(rows);
                }
                None => {
                    inspector.marked = inspector.marked.saturating_add_signed(rows).min(exchanges.saturating_sub(1));
                }
            },
            Some(modal) => {
                if let Some(picker) = modal.picker_mut() {
                    picker.scroll(rows);
                }
            }
            None => {}
        }
    }

    fn open_exchange(&mut self) {
        if let Some(Modal::Inspector(inspector)) = &mut self.modal
            && inspector.detail.is_none()
            && let Some(exchange) = self.exchanges.get(inspector.marked)
        {
            inspector.detail = Some(Document::new(exchange_lines(exchange)));
        }
    }

    fn copy_in_reader(&mut self) {
        let text = match &self.modal {
            Some(Modal::Help(document)) => document.copied(),
            Some(Modal::Inspector(inspector)) => match &inspector.detail {
                Some(document) => document.copied(),
                None => self.exchanges.get(inspector.marked).map(|exchange| exchange.curl()),
            },
            _ => None,
        };
        if let Some(text) = text {
            self.effects.host.push(HostEffect::Copy(text));
        }
    }

    /// `f` where the page means nothing else by it: finds text in its document.
    pub(super) fn filter(&mut self) {
        match self.navigation.current().document() {
            Some(document) => {
                let input = Input::new(document.filter().to_owned());
                self.open_modal(Modal::Find(input));
            }
            None => self.refuse("nothing to filter here"),
        }
    }

    fn press_in_entry(&mut self, key: Key) {
        match key.code {
            KeyCode::Esc => self.modal = None,
            KeyCode::Enter => self.submit_entry(),
            _ => {
                if let Some(Modal::Entry(entry)) = &mut self.modal {
                    entry.problem = None;
                }
                self.edit(key);
            }
        }
    }

    /// Hands the line to who asked for it; what cannot be used stays, with the reason below it.
    fn submit_entry(&mut self) {
        let Some(Modal::Entry(entry)) = &self.modal else { return };
        let (purpose, text) = (entry.purpose.clone(), entry.input.value().trim().to_owned());
        let taken = match &purpose {
            EntryPurpose::TrackHash => self.enter_track_hash(&text),
            EntryPurpose::Label(id) => self.enter_label(id, &text),
            _ => self.with_current(|page, cx| page.enter(&purpose, &text, cx)),
        };
        match (taken, &mut self.modal) {
            // Who took it may have opened something else already.
            (Ok(()), Some(Modal::Entry(entry))) if entry.purpose == purpose => self.modal = None,
            (Err(problem), Some(Modal::Entry(entry))) => entry.problem = Some(problem),
            _ => {}
        }
    }
}

fn plain(pasted: &str) -> String {
    text::clean(pasted.trim()).into_owned()
}

/// Line breaks tell the things of a list apart; in one line a semicolon does.
fn one_line(pasted: &str) -> String {
    match several(pasted) {
        Some(several) => several.pieces.iter().map(|piece| piece.text.as_str()).collect::<Vec<_>>().join("; "),
        None => plain(pasted),
    }
}
