//! The router's messages against the accepted quote: what they do in words, and files for who signs without a browser.

use super::SendPage;
use crate::{
    app::{Context, page::Export},
    domain::{ChainId, text::clean},
    signing::{AcceptedQuote, ReadyTx, SigningRefusal},
    story::{
        ChainAccess, Sentence, Style, UnsignedError, UnsignedFile, hook_sentences, signing_sentences, text_of,
        transfer::Names, unsigned_files, unsigned_hook,
    },
};

impl SendPage {
    /// Calls with the quote as it was accepted here: route, addresses, slippage and hook.
    pub(super) fn with_quote<T>(&self, call: impl FnOnce(&AcceptedQuote<'_>) -> T) -> T {
        let addresses: Vec<String> = self.addresses.iter().filter_map(|slot| slot.text().map(str::to_owned)).collect();
        let (route, slippage) = (&self.route.value, self.slippage);
        call(&AcceptedQuote { route, addresses: &addresses, slippage, hook: self.hook.signed() })
    }

    /// What is to be signed, compared with the quote; `None` before the messages are here.
    pub(super) fn compared(&self) -> Option<Result<Vec<ReadyTx>, SigningRefusal>> {
        let answer = self.messages.answer()?;
        Some(self.with_quote(|quote| quote.compare(&answer.value)))
    }

    /// What the hook does, in sentences; or why it is none that this quote needs.
    pub(super) fn hook_words(&self, names: &dyn Names) -> Option<Result<Vec<String>, SigningRefusal>> {
        let hook = &self.hook.payload().value()?.value;
        let compared = self.with_quote(|quote| {
            let recipient = quote.addresses.last().cloned().unwrap_or_default();
            quote.compare_hook(hook).map(|(_, effects)| (recipient, effects))
        });
        let words = |(recipient, effects): (String, Vec<_>)| {
            sentences(&hook_sentences(&hook.chain_id, &recipient, &effects, names))
        };
        Some(compared.map(words))
    }

    /// Files for the chains' own command lines: of the hook, or of the messages.
    pub(super) fn unsigned(&self, is_hook: bool, stem: &str, cx: &Context) -> Result<Vec<Export>, String> {
        let names = &cx.directory;
        let own = cx.network.chain_id.as_deref().zip(cx.network.node.as_ref());
        let access = |chain: &ChainId| {
            let node = own.filter(|(id, _)| *id == chain.as_str()).map(|(_, location)| location.node.as_str());
            ChainAccess::of(chain, names.chain(chain), node, names)
        };
        let (answer, hook) = (self.messages.answer(), self.hook.payload().value());
        let files: Result<Vec<UnsignedFile>, UnsignedError> = match (answer, hook) {
            (_, Some(hook)) if is_hook => {
                self.with_quote(|quote| unsigned_hook(quote, &hook.value, stem, access, names))
            }
            (Some(answer), _) => self.with_quote(|quote| unsigned_files(quote, &answer.value, stem, access, names)),
            _ => Ok(Vec::new()),
        };
        let files = files.map_err(|error| clean(&error.to_string()).into_owned())?;
        Ok(files.into_iter().map(|file| Export::new(file.name, file.contents)).collect())
    }
}

/// What a transaction does, in sentences with whole addresses.
pub(super) fn tx_words(tx: &ReadyTx, names: &dyn Names) -> Vec<String> {
    sentences(&signing_sentences(tx, names))
}

fn sentences(sentences: &[Sentence]) -> Vec<String> {
    sentences.iter().map(|sentence| clean(&text_of(&sentence.phrases, Style::Exact)).into_owned()).collect()
}
