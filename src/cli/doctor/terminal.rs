//! The terminal, as far as it and the environment tell.

use std::env;

use super::{DoctorFinding, FindingState};
use crate::{
    config::{ColorDepth, Settings, ThemeName},
    domain::text::clip,
    tui::{self, Multiplexer},
    widgets::layout::Tier,
};

pub(super) fn examine(settings: &Settings) -> Vec<DoctorFinding> {
    vec![examine_size(), examine_colors(settings), examine_pictures(), examine_clipboard(), examine_locale()]
}

fn examine_size() -> DoctorFinding {
    let name = "terminal";
    if !tui::has_terminal() {
        let what = "input or output is no terminal, so its size is unknown";
        return DoctorFinding::warning(name, what, "run rollscope doctor in the explorer's terminal");
    }
    match crossterm::terminal::size() {
        Ok((columns, rows)) => {
            let size = format!("{columns}×{rows}");
            match Tier::for_size((columns, rows)) {
                Tier::Tiny => {
                    DoctorFinding::problem(name, format!("{size} shows nothing"), "enlarge it to 20×5 or more")
                }
                Tier::Compact => {
                    DoctorFinding::warning(name, format!("{size} shows lists alone"), "enlarge it to 60×12")
                }
                Tier::Normal | Tier::Wide => DoctorFinding::good(name, size),
            }
        }
        Err(error) => {
            DoctorFinding::problem(name, format!("it does not tell its size: {error}"), "use another terminal")
        }
    }
}

fn examine_colors(settings: &Settings) -> DoctorFinding {
    let name = "colours";
    if settings.theme() == ThemeName::Mono {
        return DoctorFinding::good(name, "none, by the settings or the environment (theme mono)");
    }
    let theme = settings.theme_choice.name();
    match settings.colors() {
        ColorDepth::True => DoctorFinding::good(name, format!("24 bits, by COLORTERM; theme {theme}")),
        ColorDepth::Palette => DoctorFinding::good(name, format!("256, by TERM or COLORTERM; theme {theme}")),
        ColorDepth::Sixteen => {
            let what = format!("TERM and COLORTERM announce no more than 16; theme {theme}");
            DoctorFinding::warning(name, what, "set COLORTERM=truecolor if your terminal has 24-bit colours")
        }
    }
}

fn examine_pictures() -> DoctorFinding {
    let what = if cfg!(feature = "images") {
        "kitty, sixel or iTerm2 where the terminal confirms it, else half blocks"
    } else {
        "half blocks: this build has no feature images"
    };
    DoctorFinding::good("pictures", what)
}

/// No terminal says whether it accepts OSC 52.
fn examine_clipboard() -> DoctorFinding {
    let (what, advice) = match Multiplexer::from_environment() {
        Multiplexer::None => {
            ("copies by OSC 52; terminals do not say whether they accept it", "allow OSC 52 if y copies nothing")
        }
        Multiplexer::Tmux => {
            ("copies to tmux's buffer, and through tmux by OSC 52", "set -g set-clipboard on in tmux 3.1 and older")
        }
        Multiplexer::Screen => {
            ("copies by OSC 52 through screen", "allow OSC 52 in the outer terminal if y copies nothing")
        }
    };
    DoctorFinding::new("clipboard", FindingState::Good, what, advice)
}

fn examine_locale() -> DoctorFinding {
    let name = "locale";
    let set = ["LC_ALL", "LC_CTYPE", "LANG"]
        .into_iter()
        .find_map(|name| env::var(name).ok().filter(|value| !value.is_empty()).map(|value| (name, value)));
    let advice = "set LC_ALL=C.UTF-8 if lines and ticks look wrong";
    match set {
        Some((variable, value)) => {
            let folded = value.to_ascii_lowercase();
            let what = format!("{} by {variable}", clip(&value, 40));
            if folded.contains("utf-8") || folded.contains("utf8") {
                DoctorFinding::good(name, what)
            } else {
                DoctorFinding::warning(name, format!("{what} is not UTF-8"), advice)
            }
        }
        None => DoctorFinding::warning(name, "LC_ALL, LC_CTYPE and LANG are not set", advice),
    }
}
