//! Go-to input: the text, its meaning and its matches.

use crate::panes::hints::spinner;
use ratatui::layout::{Position, Rect};
use unicode_width::UnicodeWidthStr as _;

use crate::{
    app::{
        App,
        go_to::{GoTo, SuggestedStep, word_for},
    },
    config::Meaning,
    domain::text,
    widgets::{
        canvas::{Canvas, Part},
        picker::{self, PickerLook},
    },
};

/// Maximum columns of the box.
const WIDTH: u16 = 92;

/// Draws the box; returns the cursor's position in its input.
pub(super) fn draw(canvas: &mut Canvas<'_>, app: &App, area: Rect, go_to: &GoTo) -> Option<Position> {
    let room = usize::from(area.width.min(WIDTH).saturating_sub(2));
    let understood = match &go_to.understood {
        // The line below the input already shows this problem.
        Some(_) if go_to.understood == go_to.problem => String::new(),
        Some(sentence) => text::clip(&format!("  → {sentence}"), room),
        None => "  height · hash · address · denom · NFT · channel · packet 4 · URL".to_owned(),
    };
    let meaning = if go_to.understood.is_some() { Meaning::Text } else { Meaning::Muted };
    let look = PickerLook {
        width: WIDTH,
        above: Some((meaning, understood)),
        below: below(app, go_to, room),
        least: 0,
        is_high: true,
        ..PickerLook::new("Go to", "a height, hash, address, denom, NFT or URL", "/ ")
    };
    // Kind and name at the left, the source at the right.
    picker::draw(canvas, area, &go_to.picker, &look, |row, width| {
        let suggestion = row.item;
        let source = format!(" {} ", suggestion.source);
        let name = text::clip(&suggestion.label, width.saturating_sub(source.width() + 13));
        let word = suggestion.offer.as_ref().map_or_else(|| word_for(&suggestion.targets), SuggestedStep::word);
        let kind = format!("  {word:<11}");
        (vec![(Meaning::Kind, kind), (Meaning::Link, name)], vec![(Meaning::Muted, source)])
    })
}

/// Returns the error or the state of the lookup, at least one line.
fn below(app: &App, go_to: &GoTo, room: usize) -> Vec<Part> {
    if let Some(problem) = &go_to.problem {
        let lines = text::wrap(&format!("✗ {problem}"), room, 5);
        return lines.into_iter().map(|line| (Meaning::Bad, line)).collect();
    }
    vec![if go_to.is_waiting() {
        let what = match go_to.probes.len() {
            0 => "for the block of that time".to_owned(),
            count => format!("{count} candidates"),
        };
        (Meaning::Muted, format!("{} searching {what}…", spinner(&app.context)))
    } else if go_to.is_choice() {
        (Meaning::Warning, "several matches: choose with ↓ and Enter".to_owned())
    } else {
        (Meaning::Muted, String::new())
    }]
}
