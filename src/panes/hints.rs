//! Status texts of pages: the spinner, key hints, the failed connection step.

use crate::{
    app::{Context, page::Drawing},
    config::{Command, Meaning},
    widgets::canvas::Part,
    wire::Step,
};

const FRAMES: [&str; 8] = ["⠋", "⠙", "⠸", "⠴", "⠦", "⠇", "⠏", "⠛"];

/// Returns the current frame of the spinner.
pub(crate) fn spinner(cx: &Context) -> &'static str {
    let tenth = cx.now.as_nanos().div_euclid(100_000_000).rem_euclid(8);
    usize::try_from(tenth).ok().and_then(|tenth| FRAMES.get(tenth)).copied().unwrap_or_default()
}

/// Returns the configured key of a command on this screen.
pub(crate) fn key_of(cx: &Drawing<'_>, command: Command) -> String {
    cx.context.keymap.shown(cx.layers, command).unwrap_or_default()
}

/// Formats keys with their effects, as in `r asks again · Esc back`.
pub(crate) fn hints(cx: &Drawing<'_>, hints: &[(Command, &str)]) -> String {
    let hint = |(command, text): &(Command, &str)| match key_of(cx, *command) {
        key if key.is_empty() => None,
        key => Some(format!("{key} {text}")),
    };
    hints.iter().filter_map(hint).collect::<Vec<_>>().join(" · ")
}

/// Formats the connection steps: `name ✓  connect ✗  TLS ·  answer ·  status ·  shape ·`. Plain HTTP has no TLS step.
pub(crate) fn steps(failed: Step, url: &str) -> Vec<Part> {
    let all = [Step::Name, Step::Connect, Step::Tls, Step::Answer, Step::Status, Step::Shape];
    let place = all.iter().position(|step| *step == failed).unwrap_or(0);
    let mut parts = vec![(Meaning::Key, "step    ".to_owned())];
    for (index, step) in all.iter().enumerate() {
        if *step == Step::Tls && failed != Step::Tls && !url.starts_with("https:") {
            continue;
        }
        let (meaning, mark) = match index.cmp(&place) {
            std::cmp::Ordering::Less => (Meaning::Good, "✓"),
            std::cmp::Ordering::Equal => (Meaning::Bad, "✗"),
            std::cmp::Ordering::Greater => (Meaning::Muted, "·"),
        };
        parts.push((meaning, format!("{step} {mark}  ")));
    }
    parts
}
