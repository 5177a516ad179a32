//! Lines of the hook stage.

use super::{
    line::{Line, SendLine},
    lines::{Mark, SendFacts, stage},
    tx_lines::hook_lines,
};
use crate::{config::Meaning, domain::text, wire::router::SignedOpHook};

impl SendFacts<'_> {
    pub(super) fn push_hook(&self, lines: &mut Vec<Line>) {
        let page = self.page;
        let open = |text: String| stage(SendLine::Hook, Mark::Open, "Hook").with(Meaning::Muted, text);
        if let Some(missing) = page.missing_before_hook(self.names) {
            return lines.push(open(format!("needs {missing}")));
        }
        match page.hook.signed() {
            Some(signed) => {
                let who = match signed {
                    SignedOpHook::Object { signer, .. } => format!("signed by {}", text::clip(signer, 64)),
                    SignedOpHook::Text(_) => "signed".to_owned(),
                };
                let is_odd = page.signer_problem();
                let mark = if is_odd.is_some() { Mark::Warning } else { Mark::Done };
                let copy = serde_json::to_string(signed).unwrap_or_default();
                lines.push(stage(SendLine::Hook, mark, "Hook").with(Meaning::Text, who).copying(copy));
                lines.extend(is_odd.map(|problem| Line::at(1).with(Meaning::Warning, format!("! {problem}"))));
            }
            None if page.hook.was_stale => lines.push(
                stage(SendLine::Hook, Mark::Warning, "Hook")
                    .with(Meaning::Warning, "the signature is stale: the route or addresses changed; sign again"),
            ),
            None => lines.push(open("the recipient signs it; it runs on arrival".to_owned())),
        }
        let Some(payload) = page.hook.payload().value() else {
            let line = match page.hook.payload().error() {
                Some(error) => {
                    Line::at(1).with(Meaning::Bad, format!("✗ {}", error.brief())).copying(error.to_string())
                }
                None => Line::at(1).with(Meaning::Muted, "loading the hook…"),
            };
            return lines.push(line);
        };
        let exact = match page.hook_words(&page.reported.units.before(self.names), self.now) {
            Some(Ok((exact, sentences))) => {
                for sentence in sentences {
                    self.push_wrapped(lines, 1, Line::at(1), Meaning::Text, &sentence);
                }
                Some(exact)
            }
            Some(Err(refusal)) => {
                let sentence = text::clean(&format!("quote check failed: {refusal}")).into_owned();
                let head = Line::at(1).with(Meaning::Warning, "! ");
                self.push_wrapped(lines, 1, head, Meaning::Warning, &sentence);
                None
            }
            None => None,
        };
        let shown = exact.as_ref().unwrap_or(&payload.value);
        lines.extend(hook_lines(shown, self.names, page.hook.signed().is_some() || !self.is_tall));
        if page.sent.is_some() || page.hook.signed().is_some() {
            return;
        }
        if self.names.wallet().is_some() {
            let words = if page.hook.is_waiting() {
                "the demo wallet is signing…"
            } else {
                "Enter: sign with the demo wallet"
            };
            lines.push(Line::at(1).named(SendLine::SignHook).with(Meaning::Kind, words));
        }
        lines.push(
            Line::at(1)
                .named(SendLine::PasteHook)
                .with(Meaning::Kind, "Enter: paste the signed hook, or type its file name"),
        );
    }
}
