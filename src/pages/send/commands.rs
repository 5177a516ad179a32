//! What can be done with a route that is made ready, now.

use super::{SendPage, departing::NO_WALLET, line::SendLine, state::SendView};
use crate::{
    app::{Context, directory::Directory, hint::Hint},
    config::Command,
    panes::commands::open_line,
};

pub(super) const IS_SENT: &str = "this was sent already; Enter on the last line opens the transfer";

impl SendPage {
    pub(super) fn hints(&self, cx: &Context) -> Vec<Hint> {
        // Of this page or of another.
        let is_sending = cx.transfers.departing.is_some();
        let refusal = self.refusal_to_send(&cx.directory, is_sending);
        let unsigned = self.refusal_to_sign(cx);
        let raw = Hint::of(Command::RawJson)
            .called(if self.view == SendView::Json { "steps" } else { "JSON" })
            .needs(self.messages.answer().is_some(), "the messages are not here yet");
        vec![
            self.open_hint(&cx.directory, is_sending, unsigned.as_deref()),
            Hint::of(Command::DemoSend).needs(refusal.is_none(), refusal.unwrap_or_default()),
            Hint::of(Command::SignInBrowser).needs(unsigned.is_none(), unsigned.unwrap_or_default()),
            Hint::of(Command::Acknowledge)
                .needs(self.has_unread_warnings() || self.is_asked_for_yes(cx), "there is nothing to acknowledge"),
            Hint::of(Command::Slippage).needs(self.sent.is_none(), IS_SENT),
            raw,
            Hint::of(Command::WebBridge).called(if self.view == SendView::WebBridge { "steps" } else { "web bridge" }),
            Hint::of(Command::Back),
            Hint::of(Command::Filter).called("find"),
        ]
    }

    /// Enter on the line under the cursor.
    fn open_hint(&self, names: &Directory, is_sending: bool, unsigned: Option<&str>) -> Hint {
        let open = |label| Hint::of(Command::Open).called(label);
        let edit = |label| open(label).needs(self.sent.is_none(), IS_SENT);
        match self.selected_line() {
            Some(SendLine::Warnings | SendLine::Warning(..)) => {
                open("acknowledge").needs(self.has_unread_warnings(), "there is nothing to acknowledge")
            }
            Some(SendLine::Slippage) => edit("edit"),
            Some(SendLine::Address(_)) => edit("edit")
                .needs(self.further.is_none(), "the addresses of a transfer that has begun stay as they are"),
            Some(SendLine::SignHook) => edit("sign")
                .needs(names.wallet().is_some(), NO_WALLET)
                .needs(self.hook.signed().is_none(), "it is signed already")
                .needs(self.goal.is_none(), "it is being signed"),
            Some(SendLine::PasteHook) => {
                edit("paste").needs(self.hook.payload().value().is_some(), "what is to be signed is not here yet")
            }
            Some(SendLine::DemoSend) => {
                let refusal = self.refusal_to_send(names, is_sending);
                open("send").needs(refusal.is_none(), refusal.unwrap_or_default())
            }
            Some(SendLine::SignInBrowser) => {
                open("sign").needs(unsigned.is_none(), unsigned.unwrap_or_default().to_owned())
            }
            Some(&SendLine::Hash(tx)) => {
                let missing = self.missing_before_hash(names);
                edit("type hash")
                    .needs(tx <= self.tx(), "this opens when the one before has arrived")
                    .needs(tx >= self.tx(), "this was sent already")
                    .needs(missing.is_none(), missing.as_deref().map(first_it_needs).unwrap_or_default())
            }
            Some(SendLine::Found(_)) => edit("take it"),
            Some(SendLine::Transfer) => open("transfer"),
            _ => open_line(Some(&self.document)).called("unfold"),
        }
    }

    /// Why the demo wallet cannot be given this to sign and send, in words. It signs the hook too, and the messages are
    /// asked for on the way.
    pub(super) fn refusal_to_send(&self, names: &Directory, is_sending: bool) -> Option<String> {
        if self.sent.is_some() {
            return Some(IS_SENT.to_owned());
        }
        let Some(wallet) = names.wallet() else { return Some(NO_WALLET.to_owned()) };
        if is_sending || self.goal.is_some() {
            return Some("it is being sent".to_owned());
        }
        let unread = || self.has_unread_warnings().then(|| "the warnings above acknowledged: a".to_owned());
        if let Some(missing) = self.missing_before_hook(names).or_else(unread) {
            return Some(first_it_needs(&missing));
        }
        let chain = self.tx_chain(self.tx());
        let signer = self.addresses.iter().find(|slot| slot.chain == chain).or(self.addresses.first());
        let is_own = signer.and_then(|slot| slot.text().map(|text| (slot, text))).is_none_or(|(slot, text)| {
            let own = wallet.addresses.get(&slot.chain).and_then(|own| slot.rule.read(own).ok());
            own.is_some_and(|own| own.as_str() == text)
        });
        let other = "the demo wallet signs for its own address only: the one that signs here is another";
        (!is_own).then(|| other.to_owned())
    }
}

pub(super) fn first_it_needs(missing: &str) -> String {
    format!("first it needs {missing}")
}
