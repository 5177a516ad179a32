use ratatui::layout::Rect;

use super::modal::Modal;
use crate::widgets::{
    document::Document,
    layout::{overlay, shrink},
};

/// Sets the size of an overlay's document on a screen of this size.
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
