//! Words that stand on pages beside what they show: a spinner, keys with what they do, the step that failed.

use crate::{
    app::{Context, page::Drawing},
    config::{Command, Meaning},
    widgets::canvas::Part,
    wire::Step,
};

const FRAMES: [&str; 8] = ["⠋", "⠙", "⠸", "⠴", "⠦", "⠇", "⠏", "⠛"];

/// The present frame of the spinner.
pub(crate) fn spinner(cx: &Context) -> &'static str {
    let tenth = cx.now.as_nanos().div_euclid(100_000_000).rem_euclid(8);
    FRAMES[usize::try_from(tenth).unwrap_or(0)]
}

/// The key that runs a command on this screen, as the user has set it.
pub(crate) fn key_of(cx: &Drawing<'_>, command: Command) -> String {
    cx.keymap.shown(cx.layers, command).unwrap_or_default()
}

/// `r asks again · Esc back`: hints with the user's own keys.
pub(crate) fn hints(cx: &Drawing<'_>, hints: &[(Command, &str)]) -> String {
    let hint = |(command, text): &(Command, &str)| match key_of(cx, *command) {
        key if key.is_empty() => None,
        key => Some(format!("{key} {text}")),
    };
    hints.iter().filter_map(hint).collect::<Vec<_>>().join(" · ")
}

/// `name ✓  connect ✗  TLS ·  answer ·  status ·  shape ·`; plain HTTP has no TLS to pass.
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
