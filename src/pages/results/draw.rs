use super::{
    ResultsPage,
    state::{LookUpState, ResultRow},
};
use crate::{
    app::page::Drawing,
    columns::{ColumnHeader, FittedColumns},
    config::Meaning,
    domain::text,
    panes::table::{self, ListFrame},
    widgets::canvas::{Canvas, Part},
};

const COLUMNS: [ColumnHeader; 6] = [
    ColumnHeader::new("kind", 10),
    ColumnHeader::new("what", 29),
    ColumnHeader::new("result", 11),
    ColumnHeader::new("height", 11).right().rank(1),
    ColumnHeader::time().rank(2),
    ColumnHeader::new("", 16).growing(1),
];

pub(super) fn draw(canvas: &mut Canvas<'_>, cx: &Drawing<'_>, page: &ResultsPage) {
    let regions = cx.regions;
    let listing = ListFrame {
        pane: regions.body,
        place: 0,
        title: page.heading(),
        is_focused: true,
        empty: "no pasted text",
        is_sifted: false,
    };
    let headers = COLUMNS.map(|header| table::for_times(header, cx)).to_vec();
    let columns = FittedColumns::new(headers, regions.list_rows(listing.pane).width);
    table::draw(canvas, cx, regions, &page.list, &listing, &columns, |row| cells(cx, row));
}

fn cells(cx: &Drawing<'_>, row: &ResultRow) -> Vec<Part> {
    let found = row.found();
    let result = match &row.state {
        LookUpState::Found(found) => match found.is_success {
            Some(false) => (Meaning::Bad, "✗ failed"),
            Some(true) => (Meaning::Good, "✓ success"),
            None => (Meaning::Good, "✓ found"),
        },
        LookUpState::Waiting(_) | LookUpState::Asked(..) => (Meaning::Muted, "…"),
        LookUpState::Absent => (Meaning::Warning, "not found"),
        LookUpState::NotUnderstood => (Meaning::Warning, "not read"),
        LookUpState::Failed(_) => (Meaning::Bad, "✗ no answer"),
    };
    let height = found.and_then(|found| found.height).map_or_else(String::new, |height| text::group(height.get()));
    let when = found.and_then(|found| found.at).map(|at| cx.context.shown_time_form().write(at, cx.context.now));
    let headline = match (&row.state, found) {
        (_, Some(found)) => found.headline.clone(),
        (LookUpState::Failed(problem), None) => problem.clone(),
        _ => String::new(),
    };
    vec![
        (Meaning::Kind, row.kind_word().to_owned()),
        (Meaning::Link, row.short()),
        (result.0, result.1.to_owned()),
        (Meaning::Number, height),
        (Meaning::Text, when.unwrap_or_default()),
        (Meaning::Text, headline),
    ]
}
