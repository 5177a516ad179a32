//! Keys while something lies over the screen. In an input only Esc, Enter, Ctrl-C and editing keys act.

use tui_input::{Input, InputRequest};

use super::{
    App, HostEffect,
    bridge::BridgeSide,
    facts::exchange_lines,
    modal::{Modal, Palette, TypeChoice, TypePicker},
    view::View,
};
use crate::{
    config::{Command, Key, KeyCode, Layer},
    msg::TxQuery,
    widgets::{document::Document, layout::Pane},
};

impl App {
    pub(super) fn press_in_modal(&mut self, key: Key) {
        self.effects.redraw = true;
        match &mut self.modal {
            None => {}
            Some(Modal::GoTo(_)) => self.press_in_go_to(key),
            Some(Modal::Palette(_)) => self.press_in_palette(key),
            Some(Modal::Find(_)) => self.press_in_find(key),
            Some(Modal::Search(_)) => self.press_in_search(key),
            Some(Modal::Types(_)) => self.press_in_types(key),
            Some(Modal::Denoms(_)) => {
                if let Some(key) = self.press_in_denoms(key) {
                    self.edit(key);
                }
            }
            Some(Modal::Entry(_)) => self.press_in_entry(key),
            Some(Modal::Pick(_)) => self.press_in_pick(key),
            Some(Modal::Copy(_)) => self.press_in_copy(key),
            Some(Modal::Help(_) | Modal::Inspector(_)) => self.press_in_reader(key),
        }
    }

    pub(super) fn modal_input(&mut self) -> Option<&mut Input> {
        match self.modal.as_mut()? {
            Modal::GoTo(go_to) => Some(&mut go_to.input),
            Modal::Palette(palette) => Some(&mut palette.input),
            Modal::Find(input) | Modal::Search(input) => Some(input),
            Modal::Types(picker) => Some(&mut picker.input),
            Modal::Denoms(picker) => Some(&mut picker.input),
            Modal::Entry(entry) => Some(&mut entry.input),
            Modal::Pick(pick) => Some(&mut pick.input),
            Modal::Copy(_) | Modal::Help(_) | Modal::Inspector(_) => None,
        }
    }

    /// What follows from a changed input.
    pub(super) fn input_changed(&mut self) {
        match &mut self.modal {
            Some(Modal::GoTo(_)) => self.suggest(),
            Some(Modal::Palette(_)) => self.search_palette(),
            Some(Modal::Types(picker)) => picker.marked = 0,
            Some(Modal::Denoms(picker)) => picker.search(),
            Some(Modal::Pick(pick)) => pick.search(),
            Some(Modal::Search(input)) => {
                let text = input.value().to_owned();
                self.search_nfts(&text);
            }
            Some(Modal::Find(input)) => {
                let needle = input.value().to_owned();
                self.find(&needle);
            }
            _ => {}
        }
    }

    pub(super) fn edit(&mut self, key: Key) {
        let changed = self.modal_input().is_some_and(|input| edit(input, key));
        if changed {
            self.input_changed();
        }
    }

    fn press_in_palette(&mut self, key: Key) {
        let Some(Modal::Palette(palette)) = &mut self.modal else { return };
        match key.code {
            KeyCode::Esc => self.modal = None,
            KeyCode::Up | KeyCode::BackTab => palette.marked = palette.marked.saturating_sub(1),
            KeyCode::Down | KeyCode::Tab => palette.marked = (palette.marked + 1).min(palette.rows().saturating_sub(1)),
            KeyCode::Enter => self.run_palette(),
            _ => self.edit(key),
        }
    }

    /// Ranks the actions, and looks for something to go to in what was typed.
    fn search_palette(&mut self) {
        let Some(Modal::Palette(palette)) = &self.modal else { return };
        let target = palette.arguments().into_iter().find_map(|text| self.palette_target(text));
        if let Some(Modal::Palette(palette)) = &mut self.modal {
            palette.search();
            palette.target = target;
        }
    }

    fn run_palette(&mut self) {
        let Some(Modal::Palette(Palette { matches, refused, target, marked, .. })) = self.modal.take() else { return };
        let shift = usize::from(target.is_some());
        match (target, marked) {
            (Some(target), 0) => self.go_to_text(target.text),
            (_, marked) => match matches.get(marked - shift) {
                Some(&command) => self.act(command),
                None => match refused {
                    Some(hint) => self.act(hint.command),
                    None => self.refuse("no such command; : and Tab shows them all"),
                },
            },
        }
    }

    /// Shows only what contains a text, in a document or among the transfers.
    fn find(&mut self, needle: &str) {
        if let View::Bridge(view) = self.navigation.current_mut() {
            view.board.set_filter(needle);
        } else if let Some(document) = self.navigation.current_mut().focused_document() {
            document.set_filter(needle);
        }
    }

    fn press_in_find(&mut self, key: Key) {
        match key.code {
            KeyCode::Esc => {
                self.find("");
                self.modal = None;
            }
            KeyCode::Enter => self.modal = None,
            KeyCode::Up => self.move_cursor(-1),
            KeyCode::Down => self.move_cursor(1),
            _ => self.edit(key),
        }
    }

    fn press_in_search(&mut self, key: Key) {
        match key.code {
            KeyCode::Esc => {
                self.modal = None;
                self.widen_nfts();
            }
            KeyCode::Enter => {
                let Some(Modal::Search(input)) = self.modal.take() else { return };
                self.submit_nft_search(input.value());
            }
            KeyCode::Up => self.move_cursor(-1),
            KeyCode::Down => self.move_cursor(1),
            _ => self.edit(key),
        }
    }

    fn press_in_types(&mut self, key: Key) {
        let Some(Modal::Types(picker)) = &mut self.modal else { return };
        let rows = picker.matching().len();
        match key.code {
            KeyCode::Esc => self.modal = None,
            KeyCode::Up | KeyCode::BackTab => picker.marked = picker.marked.saturating_sub(1),
            KeyCode::Down | KeyCode::Tab => picker.marked = (picker.marked + 1).min(rows.saturating_sub(1)),
            KeyCode::Char(' ') if !key.ctrl && !key.alt => picker.toggle(),
            KeyCode::Enter => self.apply_types(),
            _ => self.edit(key),
        }
    }

    fn apply_types(&mut self) {
        let Some(Modal::Types(mut picker)) = self.modal.take() else { return };
        if picker.chosen().is_empty() || !picker.input.value().is_empty() {
            match picker.matching().get(picker.marked) {
                Some(&place) if !picker.input.value().is_empty() => picker.choices[place].chosen = true,
                Some(_) => {}
                None => picker.add_typed(),
            }
        }
        let msgs = picker.chosen();
        if let Some(view) = self.navigation.current().txs_view() {
            let query = TxQuery { msgs, ..view.query.clone() };
            self.change_query(query);
        }
    }

    fn press_in_copy(&mut self, key: Key) {
        let Some(Modal::Copy(choices)) = self.modal.take() else { return };
        match key.code {
            KeyCode::Esc => {}
            KeyCode::Char(typed) => match choices.iter().find(|choice| choice.key == typed) {
                Some(choice) => self.effects.host.push(HostEffect::Copy(choice.text.clone())),
                None => self.modal = Some(Modal::Copy(choices)),
            },
            KeyCode::Enter => {
                if let Some(choice) = choices.first() {
                    self.effects.host.push(HostEffect::Copy(choice.text.clone()));
                }
            }
            _ => self.modal = Some(Modal::Copy(choices)),
        }
    }

    /// Help and inspector: moving, opening, closing.
    fn press_in_reader(&mut self, key: Key) {
        match self.complete(&[Layer::Motion, Layer::Global], key) {
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
            Some(Modal::GoTo(go_to)) => go_to.scroll(rows),
            Some(Modal::Palette(palette)) => {
                palette.marked = palette.marked.saturating_add_signed(rows).min(palette.rows().saturating_sub(1));
            }
            Some(Modal::Types(picker)) => {
                picker.marked =
                    picker.marked.saturating_add_signed(rows).min(picker.matching().len().saturating_sub(1));
            }
            Some(Modal::Denoms(picker)) => picker.scroll(rows),
            _ => {}
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

    /// `f`: message types in a list of transactions, text in a document.
    pub(super) fn filter(&mut self) {
        if let Some(document) = self.navigation.current_mut().focused_document() {
            let input = Input::new(document.filter().to_owned());
            return self.open_modal(Modal::Find(input));
        }
        if let Some(view) = self.navigation.current().txs_view().filter(|view| view.focus == Pane::First) {
            let picker = self.type_picker(&view.query);
            return self.open_modal(Modal::Types(picker));
        }
        match self.navigation.current() {
            View::RichList(_) => self.pick_denom(),
            View::Nfts(view) => {
                let input = Input::new(view.searched().unwrap_or_default().to_owned());
                self.open_modal(Modal::Search(input));
            }
            View::Collection(page) => {
                let input = Input::new(page.token_id.as_deref().unwrap_or_default().to_owned());
                self.open_modal(Modal::Search(input));
            }
            View::Bridge(view) if view.side == BridgeSide::Transfers => {
                let input = Input::new(view.board.filter().to_owned());
                self.open_modal(Modal::Find(input));
            }
            View::Blocks(_) => self.refuse("blocks have no filter; : and a number goes to a height"),
            _ => self.refuse("nothing to filter here"),
        }
    }

    fn type_picker(&self, query: &TxQuery) -> TypePicker {
        let mut choices: Vec<TypeChoice> = self
            .seen_types
            .iter()
            .chain(query.msgs.iter().filter(|kind| !self.seen_types.contains(*kind)))
            .map(|kind| TypeChoice { kind: kind.clone(), seen: 0, chosen: query.msgs.contains(kind) })
            .collect();
        if let Some(view) = self.navigation.current().txs_view() {
            for row in view.list.rows() {
                for choice in choices.iter_mut().filter(|choice| row.headline.types.contains(&choice.kind)) {
                    choice.seen += 1;
                }
            }
        }
        choices.sort_by(|a, b| (b.chosen, b.seen).cmp(&(a.chosen, a.seen)).then_with(|| a.kind.cmp(&b.kind)));
        TypePicker { input: Input::default(), choices, marked: 0 }
    }
}

/// Applies an editing key; says whether the text changed or may have.
fn edit(input: &mut Input, key: Key) -> bool {
    let request = match (key.code, key.ctrl, key.alt) {
        (KeyCode::Char('u'), true, _) => InputRequest::DeleteFromStart,
        (KeyCode::Char('w'), true, _) | (KeyCode::Backspace, _, true) => InputRequest::DeletePrevWord,
        (KeyCode::Char('k'), true, _) => InputRequest::DeleteTillEnd,
        (KeyCode::Char('a'), true, _) | (KeyCode::Home, ..) => InputRequest::GoToStart,
        (KeyCode::Char('e'), true, _) | (KeyCode::End, ..) => InputRequest::GoToEnd,
        (KeyCode::Char('h'), true, _) | (KeyCode::Backspace, ..) => InputRequest::DeletePrevChar,
        (KeyCode::Char('d'), true, _) | (KeyCode::Delete, ..) => InputRequest::DeleteNextChar,
        (KeyCode::Left, true, _) | (KeyCode::Char('b'), _, true) => InputRequest::GoToPrevWord,
        (KeyCode::Right, true, _) | (KeyCode::Char('f'), _, true) => InputRequest::GoToNextWord,
        (KeyCode::Left, ..) | (KeyCode::Char('b'), true, _) => InputRequest::GoToPrevChar,
        (KeyCode::Right, ..) | (KeyCode::Char('f'), true, _) => InputRequest::GoToNextChar,
        (KeyCode::Char(character), false, false) if input.value().len() < 4000 => InputRequest::InsertChar(character),
        _ => return false,
    };
    input.handle(request).is_some_and(|change| change.value)
}
