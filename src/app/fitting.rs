//! Gives each screen's lists and documents their room.

use ratatui::layout::Rect;

use super::{modal::Modal, view::View};
use crate::widgets::{
    document::Document,
    layout::{Regions, overlay, shrink},
};

/// Gives the document of an overlay the room it has on a screen of this size.
pub(crate) fn fit_modal(modal: &mut Modal, (width, height): (u16, u16)) {
    let inner = shrink(overlay(Rect::new(0, 0, width, height)));
    match modal {
        Modal::Help(document) => fit_document(Some(document), inner),
        Modal::Inspector(inspector) => fit_document(inspector.detail.as_mut(), inner),
        _ => {}
    }
}

/// Gives every list and document of a view the room it has on a screen of this size.
pub(crate) fn fit(view: &mut View, size: (u16, u16)) {
    let regions = Regions::of(size);
    let rows = |area: Rect| usize::from(area.height);
    match view {
        View::Overview(view) => {
            let (_, blocks, txs) = regions.overview(view.focus);
            view.blocks.set_viewport(rows(regions.list_rows(blocks)));
            view.txs.set_viewport(rows(regions.list_rows(txs)));
        }
        View::Blocks(view) => {
            let (list, preview) = regions.split();
            view.list.set_viewport(rows(regions.list_rows(list)));
            if let (Some(pane), Some((_, document))) = (preview, &mut view.preview) {
                let inner = regions.inner(pane);
                document.set_room(usize::from(inner.width), rows(inner));
            }
        }
        View::Txs(view) => {
            let (list, preview) = regions.split();
            view.list.set_viewport(rows(regions.list_rows(list)));
            if let (Some(pane), Some((_, detail))) = (preview, &mut view.preview) {
                fit_document(detail.document.as_mut(), regions.document_rows(pane));
            }
        }
        View::Block(page) => {
            let (_, below) = regions.block_page();
            page.txs.set_viewport(rows(regions.list_rows(below)));
            fit_document(page.raw.as_mut(), regions.inner(below));
        }
        View::Tx(page) => fit_document(page.detail.document.as_mut(), regions.document_rows(regions.body)),
        View::Compare(page) => page.fit(&regions),
        View::Nfts(view) => view.fit(&regions),
        View::RichList(view) => view.fit(&regions),
        View::Collection(page) => page.fit(&regions),
        View::Token(page) => page.fit(&regions),
        View::Account(page) => page.fit(&regions),
        View::Results(view) => view.fit(&regions),
        View::Bridge(view) => view.fit(&regions),
        View::Prepare(page) => page.fit(&regions),
        View::Transfer(page) => page.fit(&regions),
    }
}

fn fit_document(document: Option<&mut Document>, area: Rect) {
    if let Some(document) = document {
        document.set_room(usize::from(area.width), usize::from(area.height));
    }
}
