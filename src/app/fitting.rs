use ratatui::layout::Rect;

use super::modal::Modal;
use crate::widgets::{
    document::Document,
    layout::{overlay, shrink},
};

/// Fits an overlay's document to a screen of this size.
pub(crate) fn fit_modal(modal: &mut Modal, (width, height): (u16, u16)) {
    let inner = shrink(overlay(Rect::new(0, 0, width, height)));
    let document: Option<&mut Document> = match modal {
        Modal::Help(document) => Some(document),
        Modal::Inspector(inspector) => inspector.detail.as_mut(),
        _ => None,
    };
    if let Some(document) = document {
        document.fit(inner);
    }
}
