//! Several things that were pasted at once: each is looked up, a few at a time, and the table says what was found.

mod draw;
mod state;

pub(super) use state::ResultsPage;

use self::state::{LookUpState, ResultRow};
use crate::{
    app::{
        Context,
        go_to::probe,
        hint::Hint,
        page::{Cx, Destination, Drawing, Export, Handled, Page, Surroundings, Tab, Wish},
        prompt::CopyChoice,
    },
    config::{Command, KeyScope},
    msg::{Answer, PageNeed},
    widgets::{canvas::Canvas, cursor::Cursor, layout::Regions},
    wire::ApiError,
};

/// Why there is nothing to open.
fn refusal(row: Option<&ResultRow>) -> &'static str {
    match row.map(|row| &row.state) {
        None => "nothing is selected",
        Some(LookUpState::Absent) => "this was not found: nothing to open",
        Some(LookUpState::NotUnderstood) => "this is no height, hash or address",
        Some(LookUpState::Failed(_)) => "this could not be looked up; r asks again",
        Some(_) => "this is still being looked up",
    }
}

impl ResultsPage {
    /// Opens what was found in the row under the cursor.
    fn open_selected(&self, cx: &mut Cx<'_>) {
        let selected = self.list.selected();
        let Some(found) = selected.and_then(ResultRow::found) else { return cx.refuse(refusal(selected)) };
        match Destination::found(found.answer.clone()) {
            Some(destination) => cx.open(destination),
            None => cx.wish(Wish::OpenTarget(found.target.clone())),
        }
    }
}

impl Page for ResultsPage {
    fn title(&self) -> String {
        self.heading()
    }

    fn tab(&self) -> Tab {
        Tab::Overview
    }

    fn scope(&self) -> KeyScope {
        KeyScope::TxList
    }

    fn fit(&mut self, regions: &Regions, _cx: &Context) {
        self.list.set_viewport(usize::from(regions.list_rows(regions.body).height));
    }

    fn draw(&self, canvas: &mut Canvas<'_>, cx: &Drawing<'_>) {
        draw::draw(canvas, cx, self);
    }

    fn commands(&self, _cx: &Context, _surroundings: &Surroundings) -> Vec<Hint> {
        let selected = self.list.selected();
        let is_found = selected.is_some_and(|row| row.found().is_some());
        vec![Hint::of(Command::Open).needs(is_found, refusal(selected)), Hint::of(Command::Refresh)]
    }

    fn restart(&mut self) -> Option<Destination> {
        self.forget();
        None
    }

    fn update(&mut self, cx: &mut Cx<'_>) {
        for (lane, target) in self.next_asked() {
            if let Some(request) = probe(&target) {
                cx.fetch(PageNeed::Reading(lane), request);
            }
        }
    }

    fn take(&mut self, need: PageNeed, result: Result<Answer, ApiError>, _cx: &mut Cx<'_>) {
        self.take_reading(need, result);
    }

    fn refresh(&mut self, _cx: &mut Cx<'_>) {
        self.ask_failed_again();
    }

    fn is_loading(&self) -> bool {
        self.is_looking()
    }

    fn cursor(&self) -> Option<&dyn Cursor> {
        Some(&self.list)
    }

    fn cursor_mut(&mut self) -> Option<&mut dyn Cursor> {
        Some(&mut self.list)
    }

    fn act(&mut self, command: Command, cx: &mut Cx<'_>) -> Handled {
        if command != Command::Open {
            return Handled::Pass;
        }
        self.open_selected(cx);
        Handled::Done
    }

    fn copies(&self, _cx: &Context) -> Vec<CopyChoice> {
        self.copy_choices()
    }

    fn export(&self, _cx: &Context) -> Vec<Export> {
        vec![Export::lines("results.jsonl", self.records())]
    }

    fn has_export(&self, _cx: &Context) -> bool {
        true
    }
}
