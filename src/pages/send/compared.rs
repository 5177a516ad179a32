//! Comparison of the router's messages with the accepted quote; sentences and files for signing without a browser.

use super::SendPage;
use crate::{
    app::{Context, directory::Directory, page::Export},
    domain::{ChainId, Denom, Timestamp, text::clean},
    signing::{AcceptedQuote, KnownContracts, ReadyTx, SigningRefusal},
    story::{
        ChainAccess, Names, Sentence, Style, UnsignedError, UnsignedFile, hook_sentences, signing_sentences, text_of,
        unsigned_files, unsigned_hook,
    },
    wire::router::OpHook,
};

impl SendPage {
    /// Calls `call` with the accepted quote: route, addresses, slippage and hook, at a time.
    pub(super) fn with_quote<T>(&self, now: Timestamp, call: impl FnOnce(&AcceptedQuote<'_>) -> T) -> T {
        let addresses: Vec<String> = self.addresses.iter().filter_map(|slot| slot.text().map(str::to_owned)).collect();
        let (route, slippage) = (&self.route.value, self.slippage);
        let known = self.known.as_ref().map_or(KnownContracts::built_in(), |(_, known)| known);
        call(&AcceptedQuote { route, addresses: &addresses, slippage, hook: self.hook.signed(), known, now })
    }

    /// Returns the transactions checked against the quote and the router's lists at a time; `None` before the messages
    /// arrived.
    pub(super) fn compared(&self, names: &Directory, now: Timestamp) -> Option<Result<Vec<ReadyTx>, SigningRefusal>> {
        let answer = self.messages.answer()?;
        let listed = |chain: &ChainId, denom: &Denom| names.asset(chain, denom)?.decimals;
        Some(self.with_quote(now, |quote| {
            let ready = quote.compare(&answer.value)?;
            ready.iter().try_for_each(|tx| tx.check_decimals(quote.known, listed))?;
            Ok(ready)
        }))
    }

    /// Returns the hook that a wallet would sign, with its description in sentences, or why this quote rejects the
    /// router's hook.
    pub(super) fn hook_words(
        &self,
        names: &dyn Names,
        now: Timestamp,
    ) -> Option<Result<(OpHook, Vec<String>), SigningRefusal>> {
        let hook = &self.hook.payload().value()?.value;
        let (told, compared) = self.with_quote(now, |quote| {
            let recipient = quote.addresses.last().cloned().unwrap_or_default();
            let told = quote.hook_effects(hook).map(|(exact, effects)| (exact, recipient, effects));
            (told, quote.compare_hook(hook).err())
        });
        let words = |(exact, recipient, effects): (OpHook, String, Vec<_>)| {
            let told = sentences(&hook_sentences(&hook.chain_id, &recipient, &effects, names));
            let asks = "signing asks for your yes (a), unless you accepted this code before";
            let unknown = compared.map(|refusal| clean(&format!("! {refusal}; {asks}.")).into_owned());
            (exact, unknown.into_iter().chain(told).collect())
        };
        Some(told.map(words))
    }

    /// Returns the hook or the messages as files for the chains' command lines.
    pub(super) fn unsigned(&self, is_hook: bool, stem: &str, cx: &Context) -> Result<Vec<Export>, String> {
        if self.reported.is_pending() {
            return Err("the node has not answered yet: try again in a moment".to_owned());
        }
        if let Some(Err(refusal @ SigningRefusal::Decimals { .. })) = self.compared(&cx.directory, cx.now) {
            return Err(clean(&refusal.to_string()).into_owned());
        }
        let names = &cx.directory;
        let own = cx.network.chain_id.as_deref().zip(cx.network.node.as_ref());
        let access = |chain: &ChainId| {
            let node = own.filter(|(id, _)| *id == chain.as_str()).map(|(_, location)| location.node.as_str());
            let fees = names.trust(chain, cx.own_chain().as_ref()).fees;
            ChainAccess::of(chain, names.chain(chain), (node, &fees), names)
        };
        let (answer, hook) = (self.messages.answer(), self.hook.payload().value());
        let told = self.reported.units.before(names);
        let files: Result<Vec<UnsignedFile>, UnsignedError> = match (answer, hook) {
            (_, Some(hook)) if is_hook => {
                self.with_quote(cx.now, |quote| unsigned_hook(quote, &hook.value, stem, access, &told))
            }
            (Some(answer), _) => {
                self.with_quote(cx.now, |quote| unsigned_files(quote, &answer.value, stem, access, &told))
            }
            _ => Ok(Vec::new()),
        };
        let files = files.map_err(|error| clean(&error.to_string()).into_owned())?;
        Ok(files.into_iter().map(|file| Export::new(file.name, file.contents)).collect())
    }
}

/// Describes a transaction in sentences with full addresses.
pub(super) fn tx_words(tx: &ReadyTx, names: &dyn Names) -> Vec<String> {
    sentences(&signing_sentences(tx, names))
}

fn sentences(sentences: &[Sentence]) -> Vec<String> {
    sentences.iter().map(|sentence| clean(&text_of(&sentence.phrases, Style::Exact)).into_owned()).collect()
}
