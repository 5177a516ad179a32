//! Columns of the list with the cursor: sorts the loaded rows by one, and shows the last ones where not all fit.

use super::{
    App,
    commands::ShownPage,
    hint::Hint,
    modal::{LineCommand, Modal, Palette, PaletteRow},
    navigation::Navigation,
    page::FocusMut,
};
use crate::{
    columns::ColumnInfo,
    config::Command,
    domain::text,
    widgets::{cursor::Cursor, list::RowSorting},
};

pub(super) const NO_COLUMNS: &str = "the cursor is not in a list with columns";

/// Returns a row of the palette for each column by which the loaded rows can be sorted.
pub(super) fn palette_rows(navigation: &Navigation) -> Vec<PaletteRow> {
    let page = navigation.current();
    let (Some(list), Some(cursor)) = (page.place().columns, page.cursor()) else { return Vec::new() };
    let columns = list.columns().into_iter().filter(|column| cursor.can_sort(column.id));
    let row = |column: ColumnInfo| {
        let told = match RowSorting::after(cursor.sorting(), column.id) {
            Some(sorting) => format!("sort the loaded rows by {}", sorting.words(column.heading, column.is_time())),
            None => "show the rows in the server's order".to_owned(),
        };
        PaletteRow::Line { command: LineCommand::Sort, rest: column.id.to_owned(), told }
    };
    columns.map(row).collect()
}

/// Says that no column of the list has the typed name.
pub(super) fn refuse_column(typed: &str, navigation: &Navigation) -> String {
    if navigation.current().place().columns.is_none() {
        return NO_COLUMNS.to_owned();
    }
    format!("no column with values has the name {}", text::quoted(typed))
}

/// Sorts by the column with this id: first descending, then ascending, then in the list's own order.
pub(super) fn turn(app: &mut App, typed: &str) {
    let page = app.navigation.current();
    let column = page.place().columns.and_then(|list| list.columns().into_iter().find(|column| column.id == typed));
    let can_sort = |id: &str| page.cursor().is_some_and(|cursor| cursor.can_sort(id));
    let Some(column) = column.filter(|column| can_sort(column.id)) else {
        return app.toasts.refuse(refuse_column(typed, &app.navigation));
    };
    if let Some(cursor) = app.navigation.current_mut().focus_mut().map(FocusMut::cursor) {
        let sorting = RowSorting::after(cursor.sorting(), column.id);
        cursor.sort(sorting);
    }
    app.needs_redraw = true;
}

/// Opens the palette with the columns to sort by.
pub(super) fn open_palette(app: &mut App) {
    let mut palette = Palette::new(Vec::new(), palette_rows(&app.navigation).into_iter());
    palette.picker = palette.picker.with_text(format!("{} ", LineCommand::Sort));
    palette.picker.search();
    app.open_modal(Modal::Palette(palette));
}

/// Shows the first or the last columns of the list.
pub(super) fn scroll(app: &mut App, to_last: bool) {
    let list = app.navigation.current().place().columns;
    app.context.columns.show_last(list.filter(|_| to_last));
    app.needs_redraw = true;
    let back = app.context.keymap.shown(app.screen().layers(), Command::FirstColumn).unwrap_or_default();
    app.toasts.inform(if to_last {
        format!("the first and the last columns; {back} shows the usual ones")
    } else {
        "the usual columns".to_owned()
    });
}

impl ShownPage<'_> {
    /// Refuses a command of columns where the list has none, or none of them is hidden.
    pub(super) fn columns_hint(&self, hint: Hint) -> Hint {
        let page = self.navigation.current();
        let (columns, width) = (&self.context.columns, page.cursor().and_then(Cursor::row_width));
        let Some((list, width)) = page.place().columns.zip(width) else { return hint.enabled_if(false, NO_COLUMNS) };
        let is_last = columns.last_shown() == Some(list);
        match hint.command {
            Command::FirstColumn => hint.enabled_if(is_last, "the first columns are shown"),
            Command::LastColumn => hint
                .enabled_if(!is_last, "the last columns are shown")
                .enabled_if(columns.hide_some(list, width), "every column is shown"),
            _ => hint,
        }
    }
}
