//! Commands that several pages share.

use crate::{
    app::{Context, hint::Hint, prompt::CopyChoice},
    config::Command,
    msg::Request,
    panes::rows::{CollectionRow, TokenRow},
    widgets::list::ListWindow,
};

pub(crate) const OF_TX: &[Command] = &[Command::Compare, Command::OpenSigner, Command::OpenBlock, Command::Mark];
pub(crate) const FOLDS: &[Command] = &[Command::ToggleFold, Command::FoldAll, Command::UnfoldAll];
pub(crate) const CUT_TOKEN: &str = "the server shortened the collection's address: rollscope cannot open it";
pub(crate) const CUT_COLLECTION: &str = "the server shortened this address: rollscope cannot open it";

/// Disables opening a token whose collection address is truncated, because the server needs the full address.
pub(crate) fn open_token(hint: Hint, list: &ListWindow<TokenRow>) -> Hint {
    let is_whole = list.selected().is_none_or(|row| row.0.collection().is_some());
    hint.enabled_if(is_whole, CUT_TOKEN)
}

pub(crate) fn open_collection(hint: Hint, list: &ListWindow<CollectionRow>) -> Hint {
    hint.enabled_if(list.selected().is_none_or(|row| row.0.address().is_some()), CUT_COLLECTION)
}

/// Returns the copy choice with the curl command of this screen's request.
pub(crate) fn copy_request(request: &Request, cx: &Context) -> Option<CopyChoice> {
    cx.curl('u', "curl command of this screen", request)
}
