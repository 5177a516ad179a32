use std::{
    io::{self, IsTerminal, Write},
    mem,
    sync::{Mutex, MutexGuard, PoisonError},
};

use crate::domain::text;

/// Terminal mode, in the order in which rollscope enters the modes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Raw,
    AlternateScreen,
    HiddenCursor,
    Mouse,
    BracketedPaste,
    FocusReports,
    /// Terminal title, set only during an announcement.
    Title,
}

const MODES: [Mode; 6] =
    [Mode::Raw, Mode::AlternateScreen, Mode::HiddenCursor, Mode::Mouse, Mode::BracketedPaste, Mode::FocusReports];

impl Mode {
    /// Returns the escape sequence that turns the mode on.
    const fn on(self) -> &'static str {
        match self {
            Self::Raw => "",
            Self::AlternateScreen => "\x1b[?1049h\x1b[2J",
            Self::HiddenCursor => "\x1b[?25l",
            // Buttons and wheel only: reports of motion would wake an idle explorer.
            Self::Mouse => "\x1b[?1000h\x1b[?1006h",
            Self::BracketedPaste => "\x1b[?2004h",
            Self::FocusReports => "\x1b[?1004h",
            // Saves the terminal's current title.
            Self::Title => "\x1b[22;2t",
        }
    }

    const fn off(self) -> &'static str {
        match self {
            Self::Raw => "",
            Self::AlternateScreen => "\x1b[0m\x1b[?1049l",
            Self::HiddenCursor => "\x1b[?25h",
            Self::Mouse => "\x1b[?1006l\x1b[?1000l",
            Self::BracketedPaste => "\x1b[?2004l",
            Self::FocusReports => "\x1b[?1004l",
            Self::Title => "\x1b[23;2t",
        }
    }
}

/// Modes that rollscope entered and has not left. Global, because the panic hook of any thread needs it. Locked while a
/// frame is written, so that no output reaches a released terminal.
static ENTERED: Mutex<Vec<Mode>> = Mutex::new(Vec::new());

fn entered() -> MutexGuard<'static, Vec<Mode>> {
    ENTERED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether standard output is a terminal; the explorer needs a terminal.
pub fn has_terminal() -> bool {
    io::stdout().is_terminal()
}

/// Guard of the terminal. Dropping it restores the terminal exactly.
#[derive(Debug)]
pub struct TerminalGuard {
    mouse: bool,
}

impl TerminalGuard {
    /// Enters raw mode, alternate screen, hidden cursor, bracketed paste, focus reports, and the mouse if requested.
    /// Leaves all modes again on an error.
    pub fn enter(mouse: bool) -> io::Result<Self> {
        let guard = Self { mouse };
        guard.take()?;
        Ok(guard)
    }

    /// Takes the terminal with an empty screen, and sets all modes, because another program may have changed them.
    pub(super) fn take(&self) -> io::Result<()> {
        give_back();
        let mut entered = entered();
        crossterm::terminal::enable_raw_mode()?;
        entered.push(Mode::Raw);
        let modes = MODES.into_iter().filter(|mode| *mode != Mode::Raw && (self.mouse || *mode != Mode::Mouse));
        let mut output = io::stdout().lock();
        for mode in modes {
            entered.push(mode);
            output.write_all(mode.on().as_bytes())?;
        }
        output.flush()
    }
}

impl Drop for TerminalGuard {
    fn drop(&mut self) {
        give_back();
    }
}

/// Leaves the entered modes in reverse order, once. Ignores errors: the terminal may be closed.
pub(super) fn give_back() {
    let mut entered = entered();
    let modes = mem::take(&mut *entered);
    if modes.is_empty() {
        return;
    }
    let undo: String = modes.iter().rev().map(|mode| mode.off()).collect();
    let mut output = io::stdout().lock();
    let _ = output.write_all(undo.as_bytes()).and_then(|()| output.flush());
    if modes.contains(&Mode::Raw) {
        let _ = crossterm::terminal::disable_raw_mode();
    }
}

/// Sets the cleaned title of the terminal while rollscope owns it; an empty title restores the previous title.
pub(super) fn set_title(title: &str) -> io::Result<()> {
    let mut entered = entered();
    if entered.is_empty() {
        return Ok(());
    }
    let place = entered.iter().position(|mode| *mode == Mode::Title);
    let sequence = match (title, place) {
        ("", None) => return Ok(()),
        ("", Some(place)) => entered.remove(place).off().to_owned(),
        (title, place) => {
            let aside = if place.is_none() { Mode::Title.on() } else { "" };
            if place.is_none() {
                entered.push(Mode::Title);
            }
            format!("{aside}\x1b]2;{}\x1b\\", text::clean(title))
        }
    };
    let mut output = io::stdout().lock();
    output.write_all(sequence.as_bytes())?;
    output.flush()
}

/// Writes bytes immediately while rollscope owns the terminal; otherwise drops the bytes.
pub(super) fn write_if_ours(bytes: &[u8]) -> io::Result<()> {
    let entered = entered();
    if entered.is_empty() {
        return Ok(());
    }
    let mut output = io::stdout().lock();
    output.write_all(bytes)?;
    output.flush()
}
