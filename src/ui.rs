//! Drawing: pure functions of the application's state into a buffer.

mod account;
mod block;
mod bridge;
mod chrome;
mod compare;
mod go_to;
mod modal;
mod nfts;
mod overview;
mod problem;
mod results;
mod rich_list;
mod transfers;
mod tx;

use ratatui::Frame;

use crate::{
    app::{App, view::View},
    config::{Meaning, Styles},
    widgets::{
        Drawn,
        canvas::Canvas,
        layout::{Regions, Tier},
    },
};

/// Draws the whole screen and returns what is on it.
pub fn draw(frame: &mut Frame<'_>, app: &App, styles: &Styles) -> Drawn {
    let area = frame.area();
    let mut drawn = Drawn::default();
    let regions = Regions::of((area.width, area.height));
    let cursor = {
        let mut canvas = Canvas { buffer: frame.buffer_mut(), styles, drawn: &mut drawn };
        if regions.tier == Tier::Tiny {
            let sentence = if area.width < 20 { "needs 20×5" } else { "rollscope needs 20×5" };
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

fn draw_body(canvas: &mut Canvas<'_>, app: &App, regions: &Regions) {
    let cx = &app.drawing(regions);
    if problem::is_cut_off(cx) {
        problem::draw(canvas, cx, regions);
        return;
    }
    match app.navigation.current() {
        View::Overview(view) => overview::draw(canvas, cx, view, regions),
        View::Blocks(view) => block::draw_list(canvas, cx, view, regions),
        View::Txs(view) => tx::draw_list(canvas, cx, view, regions),
        View::Block(page) => block::draw_page(canvas, cx, page, regions),
        View::Tx(page) => tx::draw_page(canvas, cx, page, regions),
        View::Compare(page) => compare::draw(canvas, page, regions),
        View::Nfts(view) => nfts::draw_collections(canvas, cx, view, regions),
        View::RichList(view) => rich_list::draw(canvas, cx, view, regions),
        View::Collection(page) => nfts::draw_collection(canvas, cx, page, regions),
        View::Token(page) => nfts::draw_token(canvas, cx, page, regions),
        View::Account(page) => account::draw(canvas, cx, page, regions),
        View::Results(view) => results::draw(canvas, cx, view, regions),
        View::Bridge(view) => bridge::draw(canvas, cx, view, regions),
        View::Prepare(page) => bridge::draw_prepare(canvas, cx, page, regions),
        View::Transfer(page) => transfers::draw_page(canvas, cx, page, regions),
    }
}
