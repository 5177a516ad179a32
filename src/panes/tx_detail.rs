//! Transaction in tabs, on its own page or as a preview.

mod commands;
mod draw;
mod words;

pub(crate) use commands::hint;
pub(crate) use draw::DetailFrame;

use std::{rc::Rc, sync::Arc};

use ratatui::layout::Rect;

use super::tx_document::{Line, TxSheet};
use crate::{
    app::{
        Context,
        format::{TimeForm, age_at},
        page::{Handled, PageCx, TxLine, TxTab},
    },
    config::Command,
    domain::{Address, AddressStyle, Denom, Timestamp, TxHash, text},
    story::{Glossary, NameSource, Story, TokenUnit},
    widgets::{document::Document, layout::Regions},
    wire::Tx,
};

/// Maximum stories that a pane keeps: a cursor that goes back to a transaction does not read it again.
const MOST_STORIES: usize = 8;

#[derive(Debug, Default)]
pub(crate) struct TxDetail {
    pub(crate) tab: TxTab,
    has_evm: bool,
    /// Lines of the current tab; built when first needed.
    pub(crate) document: Option<Document<TxLine>>,
    /// Whether the lines show another transaction or address format.
    is_stale: bool,
    /// Last shown stories, the newest first; built when first visible, dropped when a page covers this page.
    stories: Vec<KnownStory>,
    /// Inputs of the story's lines.
    made: Option<Made>,
    /// Candidate lines for the cursor. It moves to the first that exists once the lines are built.
    awaited_lines: Vec<TxLine>,
    /// Word whose events the Events tab shows.
    trace: Option<Trace>,
}

/// Word to return to from its events.
#[derive(Debug)]
struct Trace {
    from: TxTab,
    /// Lines of the tab `from`; the cursor selects a word in them.
    document: Document<TxLine>,
    word: String,
    /// Indices of the events to mark; empty once they are marked.
    wanted: Vec<usize>,
}

/// Story, and the names that it was built with.
#[derive(Debug)]
struct KnownStory {
    hash: TxHash,
    /// Names in the story; a change of the glossary rebuilds the story.
    glossary: Arc<Glossary>,
    story: Rc<Story>,
    accounts: Vec<Address>,
}

/// Inputs of a story's lines.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Made {
    hash: TxHash,
    style: AddressStyle,
    width: usize,
    height: usize,
    age: Option<String>,
}

/// Styles and names with which to show a transaction.
pub(crate) struct TxReading<'a> {
    pub(crate) style: AddressStyle,
    pub(crate) glossary: &'a Arc<Glossary>,
    pub(crate) width: usize,
    pub(crate) height: usize,
    /// Current time; `None` if times are absolute.
    pub(crate) now: Option<Timestamp>,
}

impl<'a> TxReading<'a> {
    pub(crate) fn in_pane(cx: &'a Context, regions: &Regions, pane: Rect) -> Self {
        let rows = regions.document_rows(pane);
        let (width, height) = (usize::from(rows.width), usize::from(rows.height));
        let now = (cx.shown_time_form() == TimeForm::Age).then_some(cx.now);
        Self { style: cx.address_style.clone(), glossary: &cx.glossary, width, height, now }
    }

    pub(crate) fn sheet(
        &self,
        tx: &'a Tx,
        story: &'a Story,
        beside: Option<Line>,
        place: Option<(usize, usize)>,
    ) -> TxSheet<'a> {
        let Self { glossary, width, height, .. } = *self;
        let style = self.style.with_contracts(story.contracts());
        let (charged, packets, claims) = (None, None, None);
        let (age, disputes) = (self.age(tx), &[]);
        TxSheet { tx, story, style, glossary, beside, place, age, width, height, charged, packets, disputes, claims }
    }

    fn age(&self, tx: &Tx) -> Option<String> {
        self.now.map(|now| format!("{} ago", age_at(tx.timestamp, now)))
    }
}

impl TxDetail {
    /// Selects a tab; its lines are built for the next frame.
    pub(crate) fn show(&mut self, tab: TxTab) {
        if self.tab == tab || !TxTab::all(self.has_evm).contains(&tab) {
            return;
        }
        if self.trace.as_ref().is_some_and(|trace| trace.from == tab) {
            self.leave_events();
            return;
        }
        self.tab = tab;
        self.document = None;
        self.trace = None;
    }

    /// Shows and marks these events, by index; [`Self::leave_events`] returns to the word.
    fn show_events(&mut self, wanted: Vec<usize>) {
        let Some(document) = self.document.take() else { return };
        let word = document.meant_text().unwrap_or_default();
        self.trace = Some(Trace { from: self.tab, document, word, wanted });
        self.tab = TxTab::Events;
    }

    /// Returns from a word's events to the word; false if no word's events are shown.
    pub(crate) fn leave_events(&mut self) -> bool {
        let Some(trace) = self.trace.take() else { return false };
        self.tab = trace.from;
        self.document = Some(trace.document);
        self.is_stale = true;
        true
    }

    /// Whether the tab shows a word's events.
    pub(crate) fn is_among_events(&self) -> bool {
        self.trace.is_some()
    }

    fn traced_word(&self) -> Option<&str> {
        self.trace.as_ref().map(|trace| trace.word.as_str())
    }

    /// Moves the cursor to the first of these lines that exists.
    pub(crate) fn seek(&mut self, lines: Vec<TxLine>) {
        self.awaited_lines = lines;
    }

    /// Marks the lines as outdated, after a change of transaction or address format.
    pub(crate) fn rebuild(&mut self) {
        self.is_stale = true;
    }

    /// Selects the next or previous tab, wrapping around.
    pub(crate) fn turn_tab(&mut self, step: isize) {
        let tabs = TxTab::all(self.has_evm);
        let place = tabs.iter().position(|tab| *tab == self.tab).unwrap_or(0);
        let next = place.saturating_add(tabs.len()).saturating_add_signed(step) % tabs.len();
        if let Some(tab) = tabs.get(next) {
            self.show(*tab);
        }
    }

    pub(crate) fn click_tab(&mut self, place: usize) {
        if let Some(tab) = TxTab::all(self.has_evm).get(place) {
            self.show(*tab);
        }
    }

    pub(crate) fn act(&mut self, command: Command, tx: Option<TxHash>, cx: &mut PageCx<'_>) -> Handled {
        match command {
            Command::Open => return self.open(tx, cx),
            Command::Back => return self.back(),
            Command::NextTab => self.turn_tab(1),
            Command::PreviousTab => self.turn_tab(-1),
            Command::NextWord => self.move_word(1, cx),
            Command::PreviousWord => self.move_word(-1, cx),
            _ => return Handled::Pass,
        }
        Handled::Done
    }

    /// Returns from events to their word, on Esc. An active filter closes first.
    fn back(&mut self) -> Handled {
        let is_filtered = self.document.as_ref().is_some_and(|document| !document.filter().is_empty());
        if !is_filtered && self.leave_events() { Handled::Done } else { Handled::Pass }
    }

    pub(crate) fn fit(&mut self, regions: &Regions, pane: Rect) {
        if let Some(document) = &mut self.document {
            document.fit(regions.document_rows(pane));
        }
    }

    /// Drops data that can be built again, while another page covers this page.
    pub(crate) fn shrink(&mut self) {
        self.stories.clear();
    }

    /// Sets whether the EVM tabs exist. If the current tab disappears, another tab opens.
    pub(crate) fn set_has_evm(&mut self, has_evm: bool) {
        self.has_evm = has_evm;
        if !TxTab::all(has_evm).contains(&self.tab) {
            self.show(TxTab::default());
        }
    }

    /// Builds missing or outdated lines. The filter also applies to the next transaction.
    pub(crate) fn make_lines(
        &mut self,
        tx: Option<&Tx>,
        reading: &TxReading<'_>,
        lines_of: impl FnOnce(TxTab, Option<&Story>) -> Vec<Line>,
    ) {
        let made = tx.map(|tx| Made {
            hash: tx.txhash,
            style: reading.style.clone(),
            width: reading.width,
            height: reading.height,
            age: reading.age(tx),
        });
        let is_told_otherwise = match (&self.made, &made) {
            (Some(one), Some(other)) => one.style != other.style,
            _ => false,
        };
        let has_other_names = self.known_story().is_some_and(|known| !Arc::ptr_eq(&known.glossary, reading.glossary));
        let is_outdated = is_told_otherwise || has_other_names || self.tab == TxTab::Story && self.made != made;
        if self.document.is_some() && !self.is_stale && !is_outdated {
            return;
        }
        let is_same = self.made.as_ref().map(|made| made.hash) == made.as_ref().map(|made| made.hash);
        let story = tx.map(|tx| self.story_of(tx, reading.glossary));
        let lines = lines_of(self.tab, story.as_deref());
        if !is_same {
            self.trace = None;
        }
        match &mut self.document {
            None => self.document = Some(self.begun(lines)),
            // These tabs change while visible: calls arrive, and a proven receipt adds logs.
            Some(document) if is_same && matches!(self.tab, TxTab::Story | TxTab::Logs | TxTab::Calls) => {
                document.update_lines(lines);
            }
            Some(document) => {
                document.replace_lines(lines);
                if !is_same {
                    document.mark(&[]);
                }
            }
        }
        (self.is_stale, self.made) = (false, made);
        let awaited_lines = std::mem::take(&mut self.awaited_lines);
        if let Some(document) = &mut self.document {
            awaited_lines.into_iter().any(|name| document.reveal(name));
        }
    }

    /// Creates a document and marks the pending events in it.
    fn begun(&mut self, lines: Vec<Line>) -> Document<TxLine> {
        let mut document = Document::new(lines);
        if let Some(trace) = &mut self.trace {
            document.take_room_of(&trace.document);
            let events: Vec<TxLine> = std::mem::take(&mut trace.wanted).into_iter().map(TxLine::Event).collect();
            document.mark(&events);
        }
        document
    }

    pub(crate) fn story(&self) -> Option<&Story> {
        self.known_story().map(|known| &*known.story)
    }

    fn known_story(&self) -> Option<&KnownStory> {
        self.stories.first()
    }

    /// Returns the story, built once while visible and for the next transactions.
    fn story_of(&mut self, tx: &Tx, glossary: &Arc<Glossary>) -> Rc<Story> {
        self.stories.retain(|known| Arc::ptr_eq(&known.glossary, glossary));
        let known = if let Some(place) = self.stories.iter().position(|known| known.hash == tx.txhash) {
            self.stories.remove(place)
        } else {
            let story = Story::of(tx, glossary);
            let (hash, glossary, accounts) = (tx.txhash, Arc::clone(glossary), story.accounts());
            KnownStory { hash, glossary, story: Rc::new(story), accounts }
        };
        let story = Rc::clone(&known.story);
        self.stories.truncate(MOST_STORIES - 1);
        self.stories.insert(0, known);
        story
    }

    /// Returns one line per name in the story, with its source.
    pub(crate) fn names(&self) -> Option<String> {
        let known = self.known_story()?;
        let named = known.story.named_tokens(&known.glossary);
        let line = |(denom, token, source): &(&Denom, &TokenUnit, NameSource)| {
            let claims = known.glossary.claims(denom).filter(|_| known.glossary.is_disputed(denom));
            let told: Vec<String> =
                claims.map(|(source, unit)| format!("{} decimals by {}", unit.decimals, source.brief())).collect();
            let decimals = if told.is_empty() { format!("{} decimals", token.decimals) } else { told.join(", ") };
            format!("{}, by {}: {denom}, {decimals}", text::clean(&token.symbol), source.who())
        };
        let labelled = |account: &Address| {
            let (label, source) = (known.glossary.label(*account)?, known.glossary.label_source(*account)?);
            Some(format!("{}, by {}: {}", text::clean(label), source.who(), account.bech32()))
        };
        let lines = named.iter().map(line).chain(known.accounts.iter().filter_map(labelled));
        let lines = lines.collect::<Vec<_>>().join("\n");
        (!lines.is_empty()).then_some(lines)
    }

    /// Returns the accounts that the lines may name.
    pub(crate) fn accounts(&self) -> &[Address] {
        self.known_story().map(|known| known.accounts.as_slice()).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Meaning;

    #[test]
    fn the_cursor_stays_on_its_call_while_more_of_them_arrive() {
        let glossary = Arc::new(Glossary::default());
        let reading =
            TxReading { style: AddressStyle::default(), glossary: &glossary, width: 80, height: 40, now: None };
        let calls = |count: i64| -> Vec<Line> {
            let head = Line::at(0).with(Meaning::Text, format!("{count} calls"));
            let call = |index| Line::at(0).with(Meaning::Key, "CALL").named(TxLine::Call(index));
            std::iter::once(head).chain((0..count).map(call)).collect()
        };
        let mut detail = TxDetail::default();
        detail.set_has_evm(true);
        detail.show(TxTab::Calls);
        detail.make_lines(None, &reading, |_, _| calls(3));
        detail.document.as_mut().unwrap().move_to(2);
        detail.rebuild();
        detail.make_lines(None, &reading, |_, _| calls(5));
        let document = detail.document.unwrap();
        assert_eq!(document.selected().and_then(|line| line.name.clone()), Some(TxLine::Call(1)));
        assert_eq!(document.counts(), (6, 6));
    }
}
