//! Drawing: pure functions from the application's state to a buffer.

mod chrome;
mod export;
mod go_to;
mod inspector;
mod modal;
mod pickers;
mod problem;
#[cfg(test)]
mod tests;

use ratatui::{Frame, layout::Rect};

use crate::{
    app::{App, personal::shown_note},
    config::{Meaning, Styles},
    domain::text,
    widgets::{
        Drawn, ascii,
        canvas::Canvas,
        layout::{Regions, Tier, cut_rows},
    },
};

/// Draws the whole screen. Returns its mouse targets and pictures.
pub fn draw(frame: &mut Frame<'_>, app: &App, styles: &Styles) -> Drawn {
    let drawn = draw_screen(frame, app, styles);
    if styles.is_ascii() {
        ascii::replace(frame.buffer_mut());
    }
    drawn
}

fn draw_screen(frame: &mut Frame<'_>, app: &App, styles: &Styles) -> Drawn {
    let area = frame.area();
    let mut drawn = Drawn::default();
    let regions = Regions::new((area.width, area.height));
    let cursor = {
        let mut canvas = Canvas { buffer: frame.buffer_mut(), styles, drawn: &mut drawn };
        if regions.tier == Tier::Tiny {
            let sentence = if area.width < 20 { "needs 20×5" } else { "rollscope needs 20×5 cells" };
            canvas.text(area, Meaning::Warning, sentence);
            return drawn;
        }
        chrome::draw_header(&mut canvas, app, &regions);
        draw_body(&mut canvas, app, &regions);
        chrome::draw_footer(&mut canvas, app, &regions);
        modal::draw(&mut canvas, app, area)
    };
    if let Some(position) = cursor {
        frame.set_cursor_position(position);
    }
    drawn
}

/// Draws the user's note on the page's record into the lower frame.
fn draw_note(canvas: &mut Canvas<'_>, frame: Rect, note: &str) {
    let room = Rect { x: frame.x + 2, width: frame.width.saturating_sub(4), ..frame };
    // What the frame says has no room beside the note.
    for column in room.columns() {
        if let Some(cell) = canvas.buffer.cell_mut((column.x, column.y)).filter(|cell| !"─┴".contains(cell.symbol()))
        {
            cell.set_symbol("─");
        }
    }
    let note = format!("{} ", text::personal_name(note));
    canvas.parts(room, [(Meaning::Muted, " your note: ".to_owned()), (Meaning::PersonalName, note)]);
}

fn draw_body(canvas: &mut Canvas<'_>, app: &App, regions: &Regions) {
    let cx = &app.drawing(regions);
    if problem::is_cut_off(cx) {
        problem::draw(canvas, cx, regions);
        return;
    }
    app.navigation.current().draw(canvas, cx);
    if let Some(note) = shown_note(app).filter(|_| regions.tier > Tier::Compact) {
        draw_note(canvas, cut_rows(regions.body, regions.body.height.saturating_sub(1)).1, note);
    }
    // The first row is a title, which names the word.
    canvas.mark_equal(cut_rows(regions.body, 1).1);
}
