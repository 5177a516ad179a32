//! Smallest page that sends a request and shows the answer; `docs/architecture.md` explains it.

use std::sync::Arc;

use super::{Bench, drawn};
use crate::{
    app::{
        Context,
        page::{Drawing, Focus, FocusMut, Page, PageCx, PageEvent, Place, Tab},
    },
    config::{Command, KeyScope, Meaning},
    domain::Height,
    msg::{Answer, Request, ask},
    widgets::{
        canvas::Canvas,
        document::{Document, Line, draw},
    },
    wire::Block,
};

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

    fn place(&self) -> Place {
        Place::new(Tab::Blocks, KeyScope::TxPage)
    }

    fn draw(&self, canvas: &mut Canvas<'_>, cx: &Drawing<'_>) {
        draw::draw(canvas, cx.regions.body, &self.lines, true, 0);
    }

    fn commands(&self, _cx: &Context) -> Vec<Command> {
        vec![Command::Back]
    }

    fn on(&mut self, event: PageEvent<'_>, _cx: &mut PageCx<'_>) {
        if let PageEvent::ChainChanged = event {
            *self = Self::new(self.height);
        }
    }

    fn update(&mut self, cx: &mut PageCx<'_>) {
        self.lines.fit(cx.regions.body);
        if !std::mem::replace(&mut self.is_asked, true) {
            cx.request(ask::block(self.height), |page: &mut Self, result, _| {
                page.lines.replace_lines(vec![match result {
                    Ok(block) => Line::at(0).with(Meaning::Text, block.proposer.moniker.as_received()),
                    Err(error) => Line::at(0).with(Meaning::Bad, error.brief()),
                }]);
            });
        }
    }

    fn focus(&self) -> Option<Focus<'_>> {
        Some(Focus::Cursor(&self.lines))
    }

    fn focus_mut(&mut self) -> Option<FocusMut<'_>> {
        Some(FocusMut::Cursor(&mut self.lines))
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
    let is_block = |request: &Request| matches!(request, Request::Block(_));
    let (ticket, request) = bench.take_request(is_block).expect("it asks");
    assert_eq!(request, Request::Block(Height::FIRST));
    let block: Block = serde_json::from_str(BLOCK).expect("a block");
    bench.reply(ticket, Ok(Answer::Block(Arc::new(block))));
    assert_eq!(drawn(&bench.app, (80, 24)).lines().next(), Some("  Anna"));
    assert!(bench.take_request(is_block).is_none(), "it asks once");
}
