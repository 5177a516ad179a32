use super::{SendPage, departing::NO_WALLET, line::SendLine, state::SendView};
use crate::{
    app::{Context, hint::Hint},
    config::Command,
};

pub(super) const COMMANDS: &[&[Command]] = &[
    &[Command::Open, Command::DemoSend, Command::SignInBrowser],
    &[Command::Acknowledge, Command::Slippage, Command::RawJson],
    &[Command::ConnectWallet, Command::WebBridge, Command::Back, Command::Filter],
];
pub(super) const IS_SENT: &str = "already sent; Enter on the last line opens the transfer";

impl SendPage {
    pub(super) fn hint_of(&self, hint: Hint, cx: &Context) -> Hint {
        match hint.command {
            Command::Open => self.open_hint(hint, cx),
            Command::DemoSend => {
                let refusal = self.refusal_to_send(cx);
                hint.enabled_if(refusal.is_none(), refusal.unwrap_or_default())
            }
            Command::SignInBrowser => {
                let unsigned = self.refusal_to_sign(cx);
                hint.enabled_if(unsigned.is_none(), unsigned.unwrap_or_default())
            }
            Command::Acknowledge => {
                hint.enabled_if(self.has_unread_warnings() || self.is_asked_for_yes(cx), "no warning to acknowledge")
            }
            Command::ConnectWallet | Command::Slippage => hint.enabled_if(self.sent.is_none(), IS_SENT),
            Command::RawJson => hint
                .label(if self.view == SendView::Json { "steps" } else { "JSON" })
                .enabled_if(self.messages.answer().is_some(), "the messages are not loaded yet"),
            Command::WebBridge => hint.label(if self.view == SendView::WebBridge { "steps" } else { "web bridge" }),
            _ => hint,
        }
    }

    /// Returns the effect of Enter on the selected line.
    fn open_hint(&self, hint: Hint, cx: &Context) -> Hint {
        let names = &cx.directory;
        let open = |label| Hint::new(Command::Open).label(label);
        let edit = |label| open(label).enabled_if(self.sent.is_none(), IS_SENT);
        match self.selected_line() {
            Some(SendLine::Warnings | SendLine::Warning(..)) => {
                open("acknowledge").enabled_if(self.has_unread_warnings(), "no warning to acknowledge")
            }
            Some(SendLine::Slippage) => edit("edit"),
            Some(SendLine::Address(_)) => {
                edit("edit").enabled_if(self.further.is_none(), "a started transfer keeps its addresses")
            }
            Some(SendLine::SignHook) => edit("sign")
                .enabled_if(names.wallet().is_some(), NO_WALLET)
                .enabled_if(self.hook.signed().is_none(), "the hook is already signed")
                .enabled_if(self.goal.is_none(), "signing is in progress"),
            Some(SendLine::PasteHook) => {
                edit("paste").enabled_if(self.hook.payload().value().is_some(), "the hook is not loaded yet")
            }
            Some(SendLine::DemoSend) => {
                let refusal = self.refusal_to_send(cx);
                open("send").enabled_if(refusal.is_none(), refusal.unwrap_or_default())
            }
            Some(SendLine::SignInBrowser) => {
                let unsigned = self.refusal_to_sign(cx);
                open("sign").enabled_if(unsigned.is_none(), unsigned.unwrap_or_default())
            }
            Some(&SendLine::Hash(tx)) => {
                let missing = self.missing_before_hash(names);
                edit("type hash")
                    .enabled_if(tx <= self.tx(), "wait until the previous transaction arrives")
                    .enabled_if(tx >= self.tx(), "already sent")
                    .enabled_if(missing.is_none(), missing.as_deref().map(first_it_needs).unwrap_or_default())
            }
            Some(SendLine::Found(_)) => edit("use this hash"),
            Some(SendLine::Transfer) => open("transfer"),
            _ => hint.label("unfold"),
        }
    }

    /// Returns why the demo wallet cannot sign and send now. The wallet needs no hook or messages: it signs and
    /// requests them itself.
    pub(super) fn refusal_to_send(&self, cx: &Context) -> Option<String> {
        // The demo wallet may be sending from another page.
        let (names, is_sending) = (&cx.directory, cx.transfers.departing.is_some());
        if self.sent.is_some() {
            return Some(IS_SENT.to_owned());
        }
        let Some(wallet) = names.wallet() else { return Some(NO_WALLET.to_owned()) };
        if is_sending || self.goal.is_some() {
            return Some("sending is in progress".to_owned());
        }
        let unread = || self.has_unread_warnings().then(|| "your acknowledgement of the warnings (press a)".to_owned());
        if let Some(missing) = self.missing_before_hook(names).or_else(unread) {
            return Some(first_it_needs(&missing));
        }
        let chain = self.tx_chain(self.tx());
        let signer = self.addresses.iter().find(|slot| slot.chain == chain).or(self.addresses.first());
        let is_own = signer.and_then(|slot| slot.text().map(|text| (slot, text))).is_none_or(|(slot, text)| {
            let own = wallet.addresses.get(&slot.chain).and_then(|own| slot.rule.read(own).ok());
            own.is_some_and(|own| own.as_str() == text)
        });
        let other = "the demo wallet signs only for its own address, not for this signer";
        (!is_own).then(|| other.to_owned())
    }
}

pub(super) fn first_it_needs(missing: &str) -> String {
    format!("still needed: {missing}")
}
