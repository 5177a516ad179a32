use super::{
    ResultsPage,
    state::{LookUpState, ResultRow},
};
use crate::{
    app::{page::Drawing, transfers::signs::sign},
    columns::{ColumnHeader, FittedColumns},
    config::{Command, Meaning},
    domain::text,
    panes::{
        hints::key_of,
        table::{self, ListFrame, RowOrigin},
    },
    story::Names,
    widgets::canvas::{Canvas, Part},
};

const COLUMNS: [ColumnHeader; 6] = [
    ColumnHeader::new("kind", 10),
    ColumnHeader::new("what", 29),
    ColumnHeader::new("result", 11),
    ColumnHeader::new("height", 11).right().rank(1),
    ColumnHeader::time().rank(2),
    ColumnHeader::new("about", 16).growing(1),
];

pub(super) fn draw(canvas: &mut Canvas<'_>, cx: &Drawing<'_>, page: &ResultsPage) {
    let regions = cx.regions;
    let listing = ListFrame {
        pane: regions.body,
        place: 0,
        title: page.heading(),
        is_focused: true,
        empty: "no pasted text",
        origin: RowOrigin::Elsewhere,
        hidden: &[],
    };
    let headers = COLUMNS.map(|header| table::for_times(header, cx)).to_vec();
    let columns = FittedColumns::new(headers, regions.list_rows(listing.pane).width);
    table::draw(canvas, cx, regions, &page.list, &listing, &columns, |row| cells(cx, row));
}

/// Returns `on Initia · ✓ arrived` for a tracked transfer, `on Initia · Enter tracks it` for others.
fn elsewhere(cx: &Drawing<'_>, row: &ResultRow) -> String {
    let Some((chain, hash)) = row.elsewhere() else { return String::new() };
    let place = text::clip(&Names::chain(&cx.context.directory, chain), 30);
    match cx.context.transfers.of_hash(chain, hash) {
        Some(known) => {
            let (_, sign, word) = sign(known, &known.follower.view);
            format!("on {place} · {sign} {word}")
        }
        None if cx.context.has_router() => format!("on {place} · {} tracks it", key_of(cx, Command::Open)),
        None => format!("on {place}"),
    }
}

fn cells(cx: &Drawing<'_>, row: &ResultRow) -> Vec<Part> {
    let found = row.found();
    let result = match &row.state {
        LookUpState::Found(found) => match found.is_success {
            Some(false) => (Meaning::Bad, "✗ failed"),
            Some(true) if found.is_partial => (Meaning::Warning, "! partly"),
            Some(true) => (Meaning::Good, "✓ success"),
            None => (Meaning::Good, "✓ found"),
        },
        LookUpState::Waiting(_) | LookUpState::Asked(..) => (Meaning::Muted, "…"),
        LookUpState::Absent => (Meaning::Warning, "not found"),
        LookUpState::Elsewhere(_) => (Meaning::Text, "elsewhere"),
        LookUpState::NotUnderstood => (Meaning::Warning, "invalid"),
        LookUpState::Failed(_) => (Meaning::Bad, "✗ no answer"),
    };
    let height = found.and_then(|found| found.height).map_or_else(String::new, |height| text::group(height.get()));
    let when = found
        .and_then(|found| found.at)
        .map(|at| cx.context.shown_time_form().write(at, cx.context.now, &cx.context.zone));
    let headline = match (&row.state, found) {
        (_, Some(found)) => found.headline.clone(),
        (LookUpState::Failed(problem), None) => problem.clone(),
        (LookUpState::Elsewhere(_), None) => elsewhere(cx, row),
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
