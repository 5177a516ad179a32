//! Cursor on a field of the form, or on a line of the route.

use strum::IntoEnumIterator as _;

use super::{FormField, QuoteSide};
use crate::widgets::{cursor::Cursor, layout::Pane};

impl Cursor for QuoteSide {
    fn move_by(&mut self, rows: isize) -> bool {
        match self.focus {
            Pane::First => {
                // The user chooses a chain before its asset.
                let field = match self.field.below(rows) {
                    FormField::SourceAsset if self.form.source.chain.is_none() => FormField::SourceChain,
                    FormField::DestinationAsset if self.form.destination.chain.is_none() => FormField::DestinationChain,
                    field => field,
                };
                std::mem::replace(&mut self.field, field) != field
            }
            Pane::Second => self.route_lines.move_by(rows),
        }
    }

    fn move_to(&mut self, place: usize) -> bool {
        if self.focus == Pane::Second {
            return self.route_lines.move_to(place);
        }
        // Clamped to the last field, because strum's `nth` overflows far beyond its end.
        let field = FormField::iter().nth(place.min(FormField::Amount as usize)).unwrap_or(FormField::Amount);
        std::mem::replace(&mut self.field, field) != field
    }

    fn page_by(&mut self, screens: isize) -> bool {
        match self.focus {
            Pane::First => self.move_by(screens.saturating_mul(4)),
            Pane::Second => self.route_lines.page_by(screens),
        }
    }

    fn half_page_by(&mut self, sign: isize) -> bool {
        match self.focus {
            Pane::First => self.move_by(sign.saturating_mul(2)),
            Pane::Second => self.route_lines.half_page_by(sign),
        }
    }

    fn is_at(&self, place: usize) -> bool {
        match self.focus {
            Pane::First => self.field as usize == place,
            Pane::Second => self.route_lines.is_cursor_at(place),
        }
    }

    fn room(&self) -> (bool, bool) {
        match self.focus {
            Pane::First => (self.field.below(-1) != self.field, self.field != FormField::Amount),
            Pane::Second => self.route_lines.room(),
        }
    }
}
