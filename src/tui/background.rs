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
/// Time that a key which may begin a reply waits for the rest: terminals and multiplexers cut replies after their ESC.
const PATIENCE: Duration = Duration::from_millis(50);
/// Latest rest of a reply that was cut after its ESC.
const CUT: Duration = Duration::from_secs(1);
/// Time in which a terminal replies if it does at all.
const REPLY_TIME: Duration = Duration::from_secs(3);

/// Styles for both kinds of background, and the state of the query.
#[derive(Debug)]
pub struct BackgroundQuery {
    dark: Styles,
    light: Styles,
    /// Time of the query; `None` before it.
    asked: Option<Timestamp>,
    is_answered: bool,
    /// Input since `ESC` or `ESC ]` that may be the reply.
    held: Vec<TerminalEvent>,
    /// Characters of `held` after `ESC ]`.
    text: String,
    /// Time of the latest key, if that was a lone `ESC`.
    escape: Option<Timestamp>,
    /// Time at which `held` is given back, if nothing follows.
    due: Option<Timestamp>,
}

/// What is to be done with input.
#[derive(Debug, PartialEq)]
pub(super) enum SortedInput {
    /// The reply's input, or input that may be part of it.
    Held,
    /// Input for the explorer, in order.
    Events(Vec<TerminalEvent>),
    /// The end of a reply: the styles for a background that came in time.
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
        let (asked, is_answered, held, text) = (None, false, Vec::new(), String::new());
        Self { dark, light, asked, is_answered, held, text, escape: None, due: None }
    }

    /// Notes the time of the query.
    pub(super) fn ask(&mut self, now: Timestamp) {
        self.asked = Some(now);
    }

    /// Whether the reply may still come.
    pub(super) fn is_open(&self, now: Timestamp) -> bool {
        !self.is_answered && self.asked.is_some_and(|asked| now.since(asked) <= REPLY_TIME)
    }

    /// Returns the time at which [`Self::overdue`] gives input back.
    pub(super) fn due(&self) -> Option<Timestamp> {
        self.due
    }

    /// Returns input that looked like the start of a reply, if the rest did not come.
    pub(super) fn overdue(&mut self, now: Timestamp) -> Vec<TerminalEvent> {
        if self.due.is_none_or(|due| now < due) {
            return Vec::new();
        }
        self.due = None;
        mem::take(&mut self.held)
    }

    /// Sorts input: that of a reply, also of a second one, or the explorer's.
    pub(super) fn sort(&mut self, event: TerminalEvent, now: Timestamp) -> SortedInput {
        let is_key = matches!(event, TerminalEvent::Key(_));
        if !is_key || self.asked.is_none() {
            return SortedInput::Events(vec![event]);
        }
        let key = reply_key(&event);
        let escape = self.escape.take();
        self.due = None;
        let is_begun = !self.held.is_empty() && (self.held.len() > 1 || escape.is_none());
        self.held.push(event);
        match key {
            ReplyKey::Start if !is_begun => {
                // An `ESC` before it was a key.
                let begins = self.held.split_off(self.held.len() - 1);
                let before = mem::replace(&mut self.held, begins);
                if before.is_empty() { SortedInput::Held } else { SortedInput::Events(before) }
            }
            ReplyKey::Text(']') if !is_begun && escape.is_some_and(|escape| now.since(escape) <= CUT) => {
                if self.held.len() == 1 {
                    self.due = Some(now.after(PATIENCE));
                }
                SortedInput::Held
            }
            ReplyKey::Escape if self.held.len() == 1 && self.is_open(now) => {
                (self.escape, self.due) = (Some(now), Some(now.after(PATIENCE)));
                SortedInput::Held
            }
            ReplyKey::Escape if is_begun && self.is_reply() => SortedInput::Held,
            ReplyKey::End if is_begun && self.is_reply() => self.finish(now),
            ReplyKey::Text('\\') if self.is_reply() && self.ends_in_escape() => self.finish(now),
            ReplyKey::Text(character) if is_begun && self.text.len() < LONGEST => {
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

    fn finish(&mut self, now: Timestamp) -> SortedInput {
        let in_time = !self.is_answered && self.asked.is_some_and(|asked| now.since(asked) <= IN_TIME);
        self.is_answered = true;
        self.held.clear();
        let styles = is_dark(&mem::take(&mut self.text))
            .filter(|_| in_time)
            .map(|is_dark| if is_dark { self.dark } else { self.light });
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
    }

    #[test]
    fn a_reply_cut_after_its_escape_is_no_input_and_a_typed_escape_is() {
        let escape = key(KeyCode::Esc, KeyModifiers::NONE);
        let at = |milliseconds| Timestamp::EPOCH.after(Duration::from_millis(milliseconds));
        let rest = [typed("]11;rgb:0/0/0"), ends()[0].clone()].concat();
        // The rest follows before or after the key was given back.
        for pause in [20, 200] {
            let mut query = asked();
            assert_eq!(query.sort(escape.clone(), at(0)), SortedInput::Held);
            assert_eq!(query.due(), Some(at(50)));
            let given_back = query.overdue(at(pause));
            assert_eq!(given_back.len(), usize::from(pause > 50));
            let inputs: Vec<_> = rest.iter().map(|event| query.sort(event.clone(), at(pause))).collect();
            assert!(matches!(inputs.last(), Some(SortedInput::Answered(_))), "{inputs:?}");
            assert!(inputs.iter().rev().skip(1).all(|input| *input == SortedInput::Held), "{inputs:?}");
            assert!(!query.is_open(at(pause)));
        }
        let mut query = asked();
        let keys = [vec![escape.clone()], typed("j")].concat();
        assert_eq!(sorted(&mut query, keys.clone(), Duration::ZERO), [SortedInput::Held, SortedInput::Events(keys)]);
        query.sort(escape.clone(), at(0));
        assert_eq!(query.overdue(at(50)), vec![escape.clone()]);
        assert_eq!(query.sort(typed("]")[0].clone(), at(900)), SortedInput::Held);
        assert_eq!(query.overdue(at(950)), typed("]"), "a key that is no reply waits 50 ms");
        query.sort(escape.clone(), at(1_000));
        let reply = reply("0/0/0", &ends()[1]);
        assert_eq!(query.sort(reply[0].clone(), at(1_001)), SortedInput::Events(vec![escape]));
    }

    #[test]
    fn a_second_reply_is_no_input() {
        let mut query = asked();
        for place in 0..3 {
            let inputs = sorted(&mut query, reply("ff/ff/ff", &ends()[place]), Duration::ZERO);
            let styles = matches!(inputs.last(), Some(SortedInput::Answered(Some(_))));
            assert_eq!(styles, place == 0, "{inputs:?}");
            assert!(inputs.iter().rev().skip(1).all(|input| *input == SortedInput::Held), "{inputs:?}");
        }
        let escape = vec![key(KeyCode::Esc, KeyModifiers::NONE)];
        assert_eq!(
            sorted(&mut query, escape.clone(), Duration::ZERO),
            [SortedInput::Events(escape)],
            "none is waited for"
        );
    }

    #[test]
    fn a_text_that_is_no_colour_chooses_nothing() {
        for color in ["", "zz/00/00", "00/00", "12345/0/0", "//"] {
            let inputs = sorted(&mut asked(), reply(color, &ends()[0]), Duration::ZERO);
            assert!(!inputs.iter().any(|input| matches!(input, SortedInput::Answered(Some(_)))), "{color}: {inputs:?}");
        }
    }
}
