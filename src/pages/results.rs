//! Lookup of several pasted entries, a few at a time, with one table row per entry.

mod draw;
mod state;

pub(super) use state::ResultsPage;

use self::state::{LookUpState, ResultRow};
use crate::{
    app::{
        Context,
        commands::NO_ROUTER,
        go_to::probe,
        hint::Hint,
        page::{
            Destination, Drawing, Export, Focus, FocusMut, Handled, Page, PageCx, PageEffect, PageEvent, Place, Tab,
            TakeAway,
        },
    },
    config::{Command, KeyScope},
    msg::PageNeed,
    widgets::canvas::Canvas,
};

/// Returns why Enter opens no page from the row.
fn refusal(row: Option<&ResultRow>) -> &'static str {
    match row.map(|row| &row.state) {
        None => "select a row first",
        Some(LookUpState::Absent) => "not found: no page to open",
        Some(LookUpState::NotUnderstood) => "not a height, hash or address",
        Some(LookUpState::Failed(_)) => "the search failed; r retries",
        Some(_) => "the search is still running",
    }
}

impl ResultsPage {
    /// Returns the hint of Enter: a hash of another chain is tracked instead of opened.
    fn open_hint(&self, cx: &Context) -> Hint {
        let selected = self.list.selected();
        let hint = Hint::new(Command::Open);
        if selected.is_some_and(|row| row.elsewhere().is_some()) {
            return hint.label("track").enabled_if(cx.has_router(), NO_ROUTER);
        }
        hint.enabled_if(selected.is_some_and(|row| row.found().is_some()), refusal(selected))
    }

    /// Opens the record of the selected row, or tracks it on its chain.
    fn open_selected(&self, cx: &mut PageCx<'_>) {
        let selected = self.list.selected();
        if let Some((chain, hash)) = selected.and_then(ResultRow::elsewhere) {
            return cx.emit(PageEffect::Track(chain.clone(), hash.clone()));
        }
        let Some(found) = selected.and_then(ResultRow::found) else { return cx.refuse(refusal(selected)) };
        match Destination::found(found.record.clone()) {
            Some(destination) => cx.open(destination),
            None => cx.emit(PageEffect::OpenTarget(found.target.clone())),
        }
    }
}

impl Page for ResultsPage {
    fn title(&self) -> String {
        self.heading()
    }

    fn place(&self) -> Place {
        Place { is_loading: self.is_looking(), ..Place::new(Tab::Overview, KeyScope::TxList) }
    }

    fn draw(&self, canvas: &mut Canvas<'_>, cx: &Drawing<'_>) {
        draw::draw(canvas, cx, self);
    }

    fn commands(&self, _cx: &Context) -> Vec<Command> {
        vec![Command::Open, Command::Refresh]
    }

    fn hint(&self, hint: Hint, cx: &Context) -> Hint {
        if hint.command == Command::Open { self.open_hint(cx) } else { hint }
    }

    fn on(&mut self, event: PageEvent<'_>, _cx: &mut PageCx<'_>) {
        match event {
            PageEvent::ChainChanged => self.forget(),
            PageEvent::Refresh => self.ask_failed_again(),
            _ => {}
        }
    }

    fn update(&mut self, cx: &mut PageCx<'_>) {
        for (lane, target) in self.next_asked(cx.context.own_chain().as_ref()) {
            if let Some(ask) = probe(&target) {
                cx.request_for(PageNeed::Reading(lane), ask, move |page: &mut Self, result, _| {
                    page.take_reading(lane, result);
                });
            }
        }
        self.list.fit(cx.regions.list_rows(cx.regions.body));
    }

    fn focus(&self) -> Option<Focus<'_>> {
        Some(Focus::Cursor(&self.list))
    }

    fn focus_mut(&mut self) -> Option<FocusMut<'_>> {
        Some(FocusMut::Cursor(&mut self.list))
    }

    fn act(&mut self, command: Command, cx: &mut PageCx<'_>) -> Handled {
        if command != Command::Open {
            return Handled::Pass;
        }
        self.open_selected(cx);
        Handled::Done
    }

    fn take_away<'a>(&'a self, _cx: &'a Context) -> TakeAway<'a> {
        TakeAway::new()
            .copies(move || self.copy_choices())
            .exports_if(true, move || vec![Export::lines("results.jsonl", self.records())])
    }
}
