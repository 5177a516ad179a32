//! The shortest page that asks for something and shows it: the example of `docs/architecture.md`.

use std::sync::Arc;

use ratatui::{buffer::Buffer, layout::Rect};

use super::Bench;
use crate::{
    app::{
        App, Context,
        hint::Hint,
        page::{Cx, Destination, Drawing, Page, Surroundings, Tab},
    },
    config::{Command, KeyScope, Meaning, Styles, ThemeName},
    domain::Height,
    msg::{Answer, PageNeed, Request, Slot},
    widgets::{
        Drawn,
        canvas::Canvas,
        cursor::Cursor,
        document::{Document, Line, draw},
        layout::Regions,
    },
    wire::{ApiError, Block},
};

/// Who proposed a block.
#[derive(Debug)]
pub(super) struct ProposerPage {
    height: Height,
    is_asked: bool,
    lines: Document,
}

impl ProposerPage {
    pub(super) fn new(height: Height) -> Self {
        Self { height, is_asked: false, lines: Document::default() }
    }
}

impl Page for ProposerPage {
    fn title(&self) -> String {
        format!("Proposer of block {}", self.height)
    }

    fn tab(&self) -> Tab {
        Tab::Blocks
    }

    fn scope(&self) -> KeyScope {
        KeyScope::Page
    }

    fn fit(&mut self, regions: &Regions, _cx: &Context) {
        self.lines.set_room(regions.body.width.into(), regions.body.height.into());
    }

    fn draw(&self, canvas: &mut Canvas<'_>, cx: &Drawing<'_>) {
        draw::draw(canvas, cx.regions.body, &self.lines, true, 0);
    }

    fn commands(&self, _cx: &Context, _surroundings: &Surroundings) -> Vec<Hint> {
        vec![Hint::of(Command::Back)]
    }

    fn restart(&mut self) -> Option<Destination> {
        *self = Self::new(self.height);
        None
    }

    fn update(&mut self, cx: &mut Cx<'_>) {
        if !std::mem::replace(&mut self.is_asked, true) {
            cx.fetch(PageNeed::Record, Request::Block(self.height));
        }
    }

    fn take(&mut self, _need: PageNeed, result: Result<Answer, ApiError>, _cx: &mut Cx<'_>) {
        self.lines.replace_lines(vec![match result {
            Ok(Answer::Block(block)) => Line::at(0).with(Meaning::Text, &block.proposer.moniker),
            Ok(_) => return,
            Err(error) => Line::at(0).with(Meaning::Bad, error.brief()),
        }]);
    }

    fn cursor(&self) -> Option<&dyn Cursor> {
        Some(&self.lines)
    }

    fn cursor_mut(&mut self) -> Option<&mut dyn Cursor> {
        Some(&mut self.lines)
    }
}

const BLOCK: &str = r#"{"chain_id": "test-1", "height": "1", "hash": "0000000000000000000000000000000000000000000000000000000000000001",
    "block_time": "0", "timestamp": "2026-01-31T12:00:00Z", "gas_used": "0", "gas_wanted": "0", "tx_count": "0",
    "proposer": {"moniker": "Anna"}}"#;

#[test]
fn the_page_of_the_documents_asks_once_and_shows_what_comes() {
    let mut bench = Bench::new((80, 24));
    bench.app.navigation.open(Box::new(ProposerPage::new(Height::FIRST)));
    bench.wait(0);
    let is_record = |slot: &Slot| matches!(slot, Slot::Page(_, PageNeed::Record));
    let (ticket, request) = bench.take(is_record).expect("it asks");
    assert_eq!(request, Request::Block(Height::FIRST));
    let block: Block = serde_json::from_str(BLOCK).expect("a block");
    bench.reply(ticket, Ok(Answer::Block(Arc::new(block))));
    assert_eq!(drawn(&bench.app), "  Anna");
    assert!(bench.take(is_record).is_none(), "it asks once");
}

/// The first row that the page on screen draws.
fn drawn(app: &App) -> String {
    let area = Rect::new(0, 0, 80, 24);
    let (mut buffer, mut drawn) = (Buffer::empty(area), Drawn::default());
    let regions = Regions::of((80, 24));
    let mut canvas = Canvas { buffer: &mut buffer, styles: &Styles::new(ThemeName::Mono), drawn: &mut drawn };
    app.navigation.current().draw(&mut canvas, &app.drawing(&regions));
    let row = regions.body.y;
    (0..area.width)
        .filter_map(|column| Some(buffer.cell((column, row))?.symbol()))
        .collect::<String>()
        .trim_end()
        .to_owned()
}
