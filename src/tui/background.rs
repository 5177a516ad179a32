//! The terminal's background colour: the query, and its reply among the input.
//!
//! The reply arrives as input, maybe late and in pieces. Its keys never reach the explorer; a colour that comes in time
//! chooses the styles.

use std::{mem, time::Duration};

use crossterm::event::{Event as TerminalEvent, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use crate::{config::Styles, domain::Timestamp};

/// OSC 11 query.
pub(super) const QUERY: &[u8] = b"\x1b]11;?\x1b\\";
/// Latest reply that still chooses the styles: a later change of colours would disturb.
const IN_TIME: Duration = Duration::from_millis(100);
/// What each reply starts with, after `ESC ]`.
const START: &str = "11;rgb";
/// Maximum characters of a reply.
const LONGEST: usize = 48;

/// Styles for both kinds of background, and the state of the query.
#[derive(Debug)]
pub struct BackgroundQuery {
    dark: Styles,
    light: Styles,
    /// Time of the query; `None` before it.
    asked: Option<Timestamp>,
    /// Input since `ESC ]` that may be the reply.
    held: Vec<TerminalEvent>,
    /// Characters of `held` after `ESC ]`.
    text: String,
}

/// What is to be done with input.
#[derive(Debug, PartialEq)]
pub(super) enum SortedInput {
    /// The reply's input, or input that may be part of it.
    Held,
    /// Input for the explorer, in order.
    Events(Vec<TerminalEvent>),
    /// The end of the reply, after which all input is the explorer's: the styles for a background that came in time.
    Answered(Option<Box<Styles>>),
}

enum ReplyKey {
    Start,
    Text(char),
    /// `ESC` apart from the `\` that follows it.
    Escape,
    End,
    Other,
}

impl BackgroundQuery {
    pub fn new(dark: Styles, light: Styles) -> Self {
        Self { dark, light, asked: None, held: Vec::new(), text: String::new() }
    }

    /// Notes the time of the query.
    pub(super) fn ask(&mut self, now: Timestamp) {
        self.asked = Some(now);
    }

    /// Sorts input: the reply's, or the explorer's.
    pub(super) fn sort(&mut self, event: TerminalEvent, now: Timestamp) -> SortedInput {
        let is_key = matches!(event, TerminalEvent::Key(_));
        if !is_key || self.asked.is_none() {
            return SortedInput::Events(vec![event]);
        }
        let key = reply_key(&event);
        let is_open = !self.held.is_empty();
        self.held.push(event);
        match key {
            ReplyKey::Start if !is_open => SortedInput::Held,
            ReplyKey::Escape if is_open && self.is_reply() => SortedInput::Held,
            ReplyKey::End if is_open && self.is_reply() => self.finish(now),
            ReplyKey::Text('\\') if self.is_reply() && self.ends_in_escape() => self.finish(now),
            ReplyKey::Text(character) if is_open && self.text.len() < LONGEST => {
                self.text.push(character);
                if self.is_reply() || START.starts_with(&self.text) { SortedInput::Held } else { self.release() }
            }
            _ => self.release(),
        }
    }

    fn is_reply(&self) -> bool {
        self.text.starts_with(START)
    }

    fn ends_in_escape(&self) -> bool {
        let before = self.held.len().checked_sub(2).and_then(|place| self.held.get(place));
        before.is_some_and(|event| matches!(reply_key(event), ReplyKey::Escape))
    }

    /// Gives back what was no reply.
    fn release(&mut self) -> SortedInput {
        self.text.clear();
        SortedInput::Events(mem::take(&mut self.held))
    }

    fn finish(&self, now: Timestamp) -> SortedInput {
        let in_time = self.asked.is_some_and(|asked| now.since(asked) <= IN_TIME);
        let styles =
            is_dark(&self.text).filter(|_| in_time).map(|is_dark| if is_dark { self.dark } else { self.light });
        SortedInput::Answered(styles.map(Box::new))
    }
}

fn reply_key(event: &TerminalEvent) -> ReplyKey {
    let TerminalEvent::Key(KeyEvent { code, modifiers, kind: KeyEventKind::Press, .. }) = event else {
        return ReplyKey::Other;
    };
    match (*code, *modifiers) {
        (KeyCode::Char(']'), KeyModifiers::ALT) => ReplyKey::Start,
        (KeyCode::Char('\\'), KeyModifiers::ALT) | (KeyCode::Char('g'), KeyModifiers::CONTROL) => ReplyKey::End,
        (KeyCode::Esc, KeyModifiers::NONE) => ReplyKey::Escape,
        (KeyCode::Char(character), KeyModifiers::NONE | KeyModifiers::SHIFT) => ReplyKey::Text(character),
        _ => ReplyKey::Other,
    }
}

/// Whether the colour of a reply is dark; `None` if it is no colour. Reads `11;rgb:RR/GG/BB` with one to four digits
/// for each part, also with a fourth part for opacity.
fn is_dark(text: &str) -> Option<bool> {
    let (_, parts) = text.split_once(':')?;
    let mut parts = parts.split('/').map(|part| {
        let most = 16_u32.checked_pow(u32::try_from(part.len()).ok()?)?.checked_sub(1)?;
        let value = u32::from_str_radix(part, 16).ok()?;
        (part.len() <= 4).then_some(())?;
        (value * 1000).checked_div(most)
    });
    let (red, green, blue) = (parts.next()??, parts.next()??, parts.next()??);
    // Weights of perceived brightness, in thousandths.
    Some(red * 299 + green * 587 + blue * 114 < 500_000)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Meaning, ThemeName};

    fn key(code: KeyCode, modifiers: KeyModifiers) -> TerminalEvent {
        TerminalEvent::Key(KeyEvent::new(code, modifiers))
    }

    fn typed(text: &str) -> Vec<TerminalEvent> {
        text.chars().map(|character| key(KeyCode::Char(character), KeyModifiers::NONE)).collect()
    }

    fn start() -> TerminalEvent {
        key(KeyCode::Char(']'), KeyModifiers::ALT)
    }

    fn ends() -> [Vec<TerminalEvent>; 3] {
        [
            vec![key(KeyCode::Char('\\'), KeyModifiers::ALT)],
            vec![key(KeyCode::Char('g'), KeyModifiers::CONTROL)],
            vec![key(KeyCode::Esc, KeyModifiers::NONE), key(KeyCode::Char('\\'), KeyModifiers::NONE)],
        ]
    }

    fn asked() -> BackgroundQuery {
        let mut query = BackgroundQuery::new(Styles::new(ThemeName::Dark), Styles::new(ThemeName::Light));
        query.ask(Timestamp::EPOCH);
        query
    }

    fn sorted(query: &mut BackgroundQuery, events: Vec<TerminalEvent>, after: Duration) -> Vec<SortedInput> {
        events.into_iter().map(|event| query.sort(event, Timestamp::EPOCH.after(after))).collect()
    }

    fn reply(color: &str, end: &[TerminalEvent]) -> Vec<TerminalEvent> {
        [vec![start()], typed(&format!("11;rgb:{color}")), end.to_vec()].concat()
    }

    #[test]
    fn a_reply_in_time_chooses_the_styles_and_a_late_one_only_vanishes() {
        for end in ends() {
            for (color, theme) in [("1e1e/1e1e/2e2e", ThemeName::Dark), ("ff/fd/f0", ThemeName::Light)] {
                let in_time = sorted(&mut asked(), reply(color, &end), Duration::from_millis(100));
                let Some(SortedInput::Answered(Some(styles))) = in_time.last() else {
                    panic!("no styles: {in_time:?}")
                };
                assert_eq!(styles.of(Meaning::Link), Styles::new(theme).of(Meaning::Link));
                assert!(in_time.iter().rev().skip(1).all(|input| *input == SortedInput::Held), "{in_time:?}");
                let late = sorted(&mut asked(), reply(color, &end), Duration::from_secs(2));
                assert_eq!(late.last(), Some(&SortedInput::Answered(None)));
                assert!(late.iter().rev().skip(1).all(|input| *input == SortedInput::Held), "{late:?}");
            }
        }
    }

    #[test]
    fn before_the_query_all_input_is_the_explorers() {
        let mut early = BackgroundQuery::new(Styles::new(ThemeName::Dark), Styles::new(ThemeName::Light));
        assert_eq!(early.sort(start(), Timestamp::EPOCH), SortedInput::Events(vec![start()]));
    }

    #[test]
    fn what_is_no_reply_is_given_back_in_order() {
        let mut query = asked();
        let keys = [vec![start()], typed("1j")].concat();
        let inputs = sorted(&mut query, keys.clone(), Duration::ZERO);
        assert_eq!(inputs, [SortedInput::Held, SortedInput::Held, SortedInput::Events(keys)]);
        assert_eq!(sorted(&mut query, typed("q"), Duration::ZERO), [SortedInput::Events(typed("q"))]);
        let (resize, mut query) = (TerminalEvent::Resize(80, 24), asked());
        assert_eq!(query.sort(start(), Timestamp::EPOCH), SortedInput::Held);
        assert_eq!(query.sort(resize.clone(), Timestamp::EPOCH), SortedInput::Events(vec![resize]), "no key waits");
        let (escape, mut query) = (key(KeyCode::Esc, KeyModifiers::NONE), asked());
        assert_eq!(query.sort(escape.clone(), Timestamp::EPOCH), SortedInput::Events(vec![escape]));
    }

    #[test]
    fn a_text_that_is_no_colour_chooses_nothing() {
        for color in ["", "zz/00/00", "00/00", "12345/0/0", "//"] {
            let inputs = sorted(&mut asked(), reply(color, &ends()[0]), Duration::ZERO);
            assert!(!inputs.iter().any(|input| matches!(input, SortedInput::Answered(Some(_)))), "{color}: {inputs:?}");
        }
    }
}
