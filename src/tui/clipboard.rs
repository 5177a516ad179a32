use std::{
    env,
    fmt::Write as _,
    io::{self, Write as _},
    process::{Command, Stdio},
};

use base64::{Engine, prelude::BASE64_STANDARD};

use super::guard;
use crate::domain::text;

/// Maximum bytes to copy: terminals truncate or drop longer sequences silently.
const MAX_BYTES: usize = 100_000;
/// Bytes per piece for GNU screen, which forwards at most 768 bytes at once.
const SCREEN_CHUNK: usize = 500;

/// Reason why a text was not copied.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CopyError {
    #[error("cannot copy {0} bytes: terminals take 100,000; export to a file instead")]
    TooLong(usize),
}

/// Program between the explorer and the terminal that owns the clipboard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Multiplexer {
    None,
    Tmux,
    Screen,
}

impl Multiplexer {
    pub fn from_environment() -> Self {
        let has = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
        if has("TMUX") {
            Self::Tmux
        } else if has("STY") {
            Self::Screen
        } else {
            Self::None
        }
    }

    /// Returns the escape sequence (OSC 52) that sets the terminal's clipboard; works over SSH.
    pub fn copy_sequence(self, text: &str) -> Result<String, CopyError> {
        if text.len() > MAX_BYTES {
            return Err(CopyError::TooLong(text.len()));
        }
        let encoded = BASE64_STANDARD.encode(text);
        let plain = format!("\x1b]52;c;{encoded}\x1b\\");
        Ok(match self {
            Self::None => plain,
            // tmux accepts either the plain sequence (set-clipboard) or the wrapped sequence (allow-passthrough).
            Self::Tmux => format!("{plain}\x1bPtmux;{}\x1b\\", plain.replace('\x1b', "\x1b\x1b")),
            Self::Screen => wrap_for_screen(&encoded),
        })
    }
}

/// Copies a text and returns what is certain of it: a terminal never confirms that it took a text, tmux does.
pub(super) fn copy(multiplexer: Multiplexer, text: &str) -> Result<String, String> {
    let sequence = multiplexer.copy_sequence(text).map_err(|error| error.to_string())?;
    let shown = text::clip(text, 60);
    if multiplexer == Multiplexer::Tmux && load_tmux_buffer(text).is_ok() {
        return Ok(format!("copied {shown} to tmux"));
    }
    guard::write_if_ours(sequence.as_bytes()).map_err(|error| format!("cannot reach the clipboard: {error}"))?;
    Ok(match multiplexer {
        Multiplexer::Tmux => format!("sent {shown} to the terminal; tmux needs set -g set-clipboard on"),
        Multiplexer::None | Multiplexer::Screen => format!("sent {shown} to the terminal's clipboard"),
    })
}

/// Makes the text tmux's newest buffer, and has tmux send it to the terminal's clipboard (tmux 3.2 and later), whatever
/// `set-clipboard` says of other programs.
fn load_tmux_buffer(text: &str) -> io::Result<()> {
    let (input, silent) = (Stdio::piped(), || Stdio::null());
    let mut tmux = Command::new("tmux");
    let mut tmux = tmux.args(["load-buffer", "-w", "-"]).stdin(input).stdout(silent()).stderr(silent()).spawn()?;
    let written = tmux.stdin.take().map_or(Ok(()), |mut input| input.write_all(text.as_bytes()));
    if tmux.wait()?.success() { written } else { Err(io::ErrorKind::Unsupported.into()) }
}

/// Splits a sequence into pieces that screen forwards. Each piece ends with BEL, because screen would stop at ST.
fn wrap_for_screen(encoded: &str) -> String {
    let mut sequence = "\x1bP\x1b]52;c;\x1b\\".to_owned();
    let mut rest = encoded;
    while !rest.is_empty() {
        let (piece, tail) = rest.split_at_checked(SCREEN_CHUNK).unwrap_or((rest, ""));
        let _ = write!(sequence, "\x1bP{piece}\x1b\\");
        rest = tail;
    }
    sequence.push_str("\x1bP\x07\x1b\\");
    sequence
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_encoded_and_ends_with_the_string_terminator() {
        assert_eq!(Multiplexer::None.copy_sequence("0xab").unwrap(), "\x1b]52;c;MHhhYg==\x1b\\");
    }

    #[test]
    fn tmux_gets_the_sequence_plain_and_wrapped() {
        assert_eq!(
            Multiplexer::Tmux.copy_sequence("0xab").unwrap(),
            "\x1b]52;c;MHhhYg==\x1b\\\x1bPtmux;\x1b\x1b]52;c;MHhhYg==\x1b\x1b\\\x1b\\"
        );
    }

    #[test]
    fn screen_gets_pieces_that_add_up_to_the_sequence() {
        let text = "x".repeat(2_000);
        let sequence = Multiplexer::Screen.copy_sequence(&text).unwrap();
        let pieces: Vec<&str> =
            sequence.split_terminator("\x1b\\").map(|piece| piece.strip_prefix("\x1bP").unwrap()).collect();
        assert!(pieces.len() > 4, "{pieces:?}");
        assert!(pieces.iter().all(|piece| piece.len() < 768));
        assert_eq!(pieces.concat(), format!("\x1b]52;c;{}\x07", BASE64_STANDARD.encode(&text)));
    }

    #[test]
    fn what_terminals_would_drop_is_refused() {
        assert!(Multiplexer::None.copy_sequence(&"x".repeat(100_000)).is_ok());
        assert_eq!(Multiplexer::None.copy_sequence(&"x".repeat(100_001)), Err(CopyError::TooLong(100_001)));
    }
}
