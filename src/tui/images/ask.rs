use std::{
    env,
    io::{self, IsTerminal},
    time::{Duration, Instant},
};

use ratatui::layout::Size;
use ratatui_image::picker::cap_parser::{Parser, QueryStdioOptions, Response};
use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::encode::{Graphics, Protocol, system_character};
use crate::tui::{clipboard::Multiplexer, guard};

/// Timeout of the terminal's response; every terminal with pictures answers immediately.
const PATIENCE: Duration = Duration::from_millis(800);
/// Maximum bytes of the response.
const LONGEST: usize = 4096;

/// Kind of terminal, as known before the query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TerminalKind {
    Unknown,
    /// The terminal accepts PNG files as iTerm2 does, even if it does not report that.
    Iterm2,
    /// The terminal accepts PNG files as iTerm2 does, and supports other protocols incompletely.
    OnlyIterm2,
    /// The terminal supports no protocol completely.
    None,
}

/// Queries the terminal's graphics; `None` if half blocks are best, or the terminal does not answer. Reads input, so
/// the guard must own the terminal and no other code may read from it yet.
pub(in crate::tui) fn ask() -> Option<Graphics> {
    let is_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
    // A multiplexer would not move pictures with its panes.
    // Kitty's placeholders need colours, which NO_COLOR forbids.
    let has_colors = env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    if !is_terminal || !has_colors || Multiplexer::from_environment() != Multiplexer::None {
        return None;
    }
    let kind = kind(|name| env::var(name).unwrap_or_default());
    let graphics = choose(&converse()?, kind, system_character());
    tracing::info!(?kind, ?graphics, "cannot query the terminal's picture support");
    graphics
}

fn kind(variable: impl Fn(&str) -> String) -> TerminalKind {
    const TAKERS: [&str; 8] = ["iTerm", "mintty", "vscode", "Tabby", "Hyper", "rio", "Bobcat", "WarpTerminal"];
    let program = variable("TERM_PROGRAM");
    if program.contains("WezTerm") || !variable("WEZTERM_EXECUTABLE").is_empty() {
        TerminalKind::OnlyIterm2
    } else if !variable("KONSOLE_VERSION").is_empty() {
        TerminalKind::None
    } else if TAKERS.iter().any(|taker| program.contains(taker)) || variable("LC_TERMINAL").contains("iTerm") {
        TerminalKind::Iterm2
    } else {
        TerminalKind::Unknown
    }
}

fn choose(answers: &[Response], kind: TerminalKind, system: Option<Size>) -> Option<Graphics> {
    let protocol = match kind {
        TerminalKind::None => return None,
        TerminalKind::OnlyIterm2 => Protocol::Iterm2,
        _ if answers.contains(&Response::Kitty) => {
            Protocol::Kitty { inflates: answers.contains(&Response::KittyCompression) }
        }
        _ if answers.contains(&Response::Sixel) => Protocol::Sixel,
        TerminalKind::Iterm2 => Protocol::Iterm2,
        TerminalKind::Unknown => return None,
    };
    let said = answers.iter().find_map(|answer| match answer {
        Response::CellSize(Some((width, height))) => Some(Size::new(*width, *height)),
        _ => None,
    });
    let graphics = Graphics::new(protocol, said.or(system)?)?;
    Some(Graphics { system, ..graphics })
}

/// Sends the query and reads all responses; `None` if the terminal stops before the last response.
fn converse() -> Option<Vec<Response>> {
    let options = QueryStdioOptions { kitty_compression: true, ..QueryStdioOptions::default() };
    guard::write_if_ours(Parser::query(false, options).as_bytes()).ok()?;
    let input = io::stdin();
    let until = Instant::now() + PATIENCE;
    let (mut parser, mut answers) = (Parser::new(), Vec::new());
    for _ in 0..LONGEST {
        let left = Timespec::try_from(until.saturating_duration_since(Instant::now())).ok()?;
        // Read only bytes that are available: a blocked reader thread would swallow the first keys.
        if poll(&mut [PollFd::new(&input, PollFlags::IN)], Some(&left)).ok()? == 0 {
            return None;
        }
        let mut byte = [0];
        if rustix::io::read(&input, &mut byte).ok()? == 0 {
            return None;
        }
        let [byte] = byte;
        for answer in parser.push(char::from(byte)) {
            if answer == Response::Status {
                return Some(answers);
            }
            answers.push(answer);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHARACTER: Size = Size::new(9, 18);

    fn answers(bytes: &str) -> Vec<Response> {
        let mut parser = Parser::new();
        bytes.chars().flat_map(|character| parser.push(character)).collect()
    }

    #[test]
    fn the_best_way_that_the_terminal_names_is_taken() {
        let chosen = |bytes, kind| choose(&answers(bytes), kind, Some(CHARACTER)).map(|graphics| graphics.protocol);
        let kitty = "\x1b_Gi=31;OK\x1b\\";
        assert_eq!(chosen(kitty, TerminalKind::Unknown), Some(Protocol::Kitty { inflates: false }));
        let both = "\x1b_Gi=31;OK\x1b\\\x1b_Gi=32;OK\x1b\\\x1b[?62;4c";
        assert_eq!(chosen(both, TerminalKind::Iterm2), Some(Protocol::Kitty { inflates: true }));
        assert_eq!(chosen("\x1b[?62;4c", TerminalKind::Unknown), Some(Protocol::Sixel));
        assert_eq!(chosen("\x1b[?62c", TerminalKind::Iterm2), Some(Protocol::Iterm2));
        assert_eq!(chosen(both, TerminalKind::OnlyIterm2), Some(Protocol::Iterm2));
        assert_eq!(chosen(both, TerminalKind::None), None);
        assert_eq!(chosen("\x1b[?62;22c\x1b_Gi=31;EINVAL\x1b\\", TerminalKind::Unknown), None);
    }

    #[test]
    fn the_terminals_own_size_of_its_characters_goes_first() {
        let size =
            |bytes, system| choose(&answers(bytes), TerminalKind::Iterm2, system).map(|graphics| graphics.character);
        assert_eq!(size("\x1b[6;20;10t", Some(CHARACTER)), Some(Size::new(10, 20)));
        assert_eq!(size("", Some(CHARACTER)), Some(CHARACTER));
        assert_eq!(size("", None), None);
        assert_eq!(size("\x1b[6;9999;10t", None), None);
    }

    #[test]
    fn some_terminals_are_known_by_name() {
        let known = |name: &'static str, value: &'static str| {
            kind(|asked| if asked == name { value.to_owned() } else { String::new() })
        };
        assert_eq!(known("TERM_PROGRAM", "iTerm.app"), TerminalKind::Iterm2);
        assert_eq!(known("LC_TERMINAL", "iTerm2"), TerminalKind::Iterm2);
        assert_eq!(known("WEZTERM_EXECUTABLE", "/usr/bin/wezterm"), TerminalKind::OnlyIterm2);
        assert_eq!(known("KONSOLE_VERSION", "230800"), TerminalKind::None);
        assert_eq!(known("TERM", "xterm-256color"), TerminalKind::Unknown);
    }
}
