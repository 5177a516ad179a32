//! Filter of a document: which lines it shows and where it matches.

use std::collections::BTreeSet;

use super::{Document, Line, LineName, TextSpan};
use crate::{config::Meaning, domain::searching};

impl<Id: LineName> Document<Id> {
    /// Returns the number of shown units and of all units ([`Line::unit`]); `None` without units.
    pub(crate) fn unit_counts(&self) -> Option<(usize, usize)> {
        let all = self.lines.iter().filter(|line| line.is_unit()).count();
        let is_unit = |place: &&usize| self.lines.get(**place).is_some_and(Line::is_unit);
        // Matching units count, visible or not: a folded heading can hide them.
        let shown = match &self.kept {
            Some(kept) => kept.iter().filter(is_unit).count(),
            None => all,
        };
        (all > 0).then_some((shown, all))
    }

    pub(crate) fn sift(&mut self) {
        let needle = self.filter.trim().to_lowercase();
        self.kept = (!needle.is_empty()).then(|| {
            if self.lines.iter().any(Line::is_unit) { self.units_with(&needle) } else { self.lines_with(&needle) }
        });
    }

    /// Returns the matching lines. In a unit these are the lines below its head, which repeats their text; the head
    /// counts only if no other line matches.
    pub(crate) fn matches(&self) -> Vec<usize> {
        let words = self.words();
        if words.is_empty() {
            return Vec::new();
        }
        let has_units = self.lines.iter().any(Line::is_unit);
        let holds = |place: usize| self.lines.get(place).is_some_and(|line| line.holds(&words));
        let mut matches: Vec<usize> = Vec::new();
        let mut unit: Option<u16> = None;
        for &place in &self.shown {
            let Some(line) = self.lines.get(place) else { continue };
            unit = unit.filter(|depth| line.depth > *depth);
            if line.is_unit() {
                unit = Some(line.depth);
                matches.push(place);
            } else if holds(place) && (unit.is_some() || !has_units) {
                // Drop the head if a line below it matches.
                matches.pop_if(|last| self.lines.get(*last).is_some_and(Line::is_unit));
                matches.push(place);
            }
        }
        matches
    }

    /// Moves to the next or previous match, wrapping around; false if no other line matches.
    pub(crate) fn step_match(&mut self, step: isize) -> bool {
        let Some(at) = self.selected_place() else { return false };
        let matches = self.matches();
        let next = if step > 0 {
            matches.iter().find(|place| **place > at).or(matches.first())
        } else {
            matches.iter().rev().find(|place| **place < at).or(matches.last())
        };
        match next {
            Some(&place) if place != at => self.move_to_line(place),
            _ => false,
        }
    }

    /// Moves the cursor to a line by its index among all lines; false if the line is hidden.
    pub(super) fn move_to_line(&mut self, place: usize) -> bool {
        match self.shown.binary_search(&place) {
            Ok(shown) => self.move_to(shown),
            Err(_) => false,
        }
    }

    fn words(&self) -> Vec<Vec<char>> {
        let has_units = self.lines.iter().any(Line::is_unit);
        let needle = self.filter.trim();
        let words: Vec<&str> = if has_units { needle.split_whitespace().collect() } else { vec![needle] };
        words
            .into_iter()
            .map(|word| word.chars().map(lower).collect())
            .filter(|word: &Vec<_>| !word.is_empty())
            .collect()
    }

    pub(crate) fn highlighted(&self, pieces: Vec<TextSpan>) -> Vec<TextSpan> {
        let words = self.words();
        if words.is_empty() {
            return pieces;
        }
        let signs: Vec<(Meaning, char)> =
            pieces.iter().flat_map(|piece| piece.text.chars().map(|sign| (piece.meaning, sign))).collect();
        let mut is_marked = vec![false; signs.len()];
        let text: String = signs.iter().map(|(_, sign)| lower(*sign)).collect();
        let places: Vec<usize> = text.char_indices().map(|(place, _)| place).collect();
        for word in &words {
            let needle: String = word.iter().collect();
            for found in searching::places_of(&text, &needle) {
                let start = places.partition_point(|place| *place < found);
                is_marked.iter_mut().skip(start).take(word.len()).for_each(|mark| *mark = true);
            }
        }
        let signs: Vec<_> = signs
            .into_iter()
            .zip(is_marked)
            .map(|((meaning, sign), is_marked)| (if is_marked { Meaning::Match } else { meaning }, sign))
            .collect();
        crate::widgets::document::wrap::joined(&signs)
    }

    /// Returns lines that contain the text, with their headings and the children of matching headings.
    fn lines_with(&self, needle: &str) -> BTreeSet<usize> {
        let mut keep = BTreeSet::new();
        let mut above = Above::default();
        let mut all_below: Option<u16> = None;
        for (place, line) in self.lines.iter().enumerate() {
            above.come_to(line);
            all_below = all_below.filter(|&depth| line.depth > depth);
            if line.contains(needle) {
                keep.extend(above.places());
                keep.insert(place);
                all_below = all_below.or(Some(line.depth));
            } else if all_below.is_some() {
                keep.insert(place);
            }
            above.go_past(place, line);
        }
        keep
    }

    /// Returns whole units that contain every word, with their headings. A first word that is the kind of a unit means
    /// that kind, wherever else it stands.
    fn units_with(&self, needle: &str) -> BTreeSet<usize> {
        let words: Vec<&str> = needle.split_whitespace().collect();
        let of_units = || self.lines.iter().filter(|line| line.is_unit()).filter_map(Line::kind);
        let wanted = words.first().copied().filter(|first| of_units().any(|kind| kind == *first));
        let mut keep = BTreeSet::new();
        let mut above = Above::default();
        for (place, line) in self.lines.iter().enumerate() {
            above.come_to(line);
            if line.is_unit() {
                let below = self.lines.iter().skip(place + 1).take_while(|below| below.depth > line.depth);
                let last = place + 1 + below.count();
                let unit = || self.lines.get(place..last).into_iter().flatten();
                // The value to copy counts too: it is the received form, whatever is shown.
                let is_wanted = wanted.is_none_or(|wanted| line.kind().as_deref() == Some(wanted));
                let has = |word: &&str| {
                    unit().any(|part| {
                        part.contains(word)
                            || part.copy.as_ref().is_some_and(|copy| searching::holds(&copy.to_lowercase(), word))
                    })
                };
                if is_wanted && words.iter().all(has) {
                    keep.extend(above.places());
                    keep.extend(place..last);
                }
            }
            above.go_past(place, line);
        }
        keep
    }
}

impl<Id> Line<Id> {
    /// Returns the line's first kind, in lower case.
    fn kind(&self) -> Option<String> {
        let piece = self.pieces.iter().find(|piece| piece.meaning == Meaning::Kind)?;
        Some(piece.text.trim().to_lowercase())
    }

    /// Whether the line contains any of these lower-case words.
    fn holds(&self, words: &[Vec<char>]) -> bool {
        let signs: Vec<char> = self.pieces.iter().flat_map(|piece| piece.text.chars().map(lower)).collect();
        words.iter().any(|word| signs.windows(word.len()).any(|window| window == word.as_slice()))
    }
}

#[derive(Default)]
struct Above(Vec<(usize, u16)>);

impl Above {
    fn come_to<Id>(&mut self, line: &Line<Id>) {
        while self.0.last().is_some_and(|(_, depth)| *depth >= line.depth) {
            self.0.pop();
        }
    }

    fn go_past<Id>(&mut self, place: usize, line: &Line<Id>) {
        self.0.push((place, line.depth));
    }

    fn places(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().map(|(place, _)| *place)
    }
}

/// Converts a character to lower case, one to one, so that indices into the text stay valid.
fn lower(sign: char) -> char {
    let mut small = sign.to_lowercase();
    match (small.next(), small.next()) {
        (Some(only), None) => only,
        _ => sign,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document() -> Document {
        let event = |kind: &str| Line::at(1).with(Meaning::Kind, kind).folded().unit();
        let attribute = |key: &str, value: &str| {
            Line::at(2).with(Meaning::Key, format!("{key} ")).with(Meaning::Text, value).copying(format!("{value}!"))
        };
        Document::new(vec![
            Line::at(0).with(Meaning::Heading, "Message 1"),
            event("coin_spent"),
            attribute("spender", "Alice"),
            attribute("amount", "5"),
            event("coin_received"),
            attribute("receiver", "Bob"),
            attribute("amount", "5"),
            Line::at(0).with(Meaning::Heading, "Message 2"),
            event("transfer"),
            attribute("amount", "7"),
        ])
    }

    #[test]
    fn words_combine_over_one_unit_which_is_shown_whole() {
        let mut document = document();
        assert_eq!((document.counts(), document.unit_counts()), ((5, 10), Some((3, 3))));
        for (filter, shown, units) in [
            ("coin", 7, 2),
            ("coin alice", 4, 1),
            ("ALICE 5 spent", 4, 1),
            ("alice bob", 0, 0),
            ("amount 7!", 3, 1),
            ("message", 0, 0),
            ("  ", 5, 3),
        ] {
            document.set_filter(filter);
            assert_eq!((document.counts().0, document.unit_counts()), (shown, Some((units, 3))), "{filter}");
        }
    }

    #[test]
    fn a_symbol_is_not_looked_for_in_addresses() {
        let event = |amount: &str| {
            [
                Line::at(0).with(Meaning::Kind, "transfer").unit(),
                Line::at(1).with(Meaning::Text, "to init18g67a…0aejne").copying("init18g67adefghijklmnop0aejne"),
                Line::at(1).with(Meaning::Number, amount),
            ]
        };
        let mut document: Document = Document::new([event("5 GAS"), event("7 INIT")].concat());
        for (filter, units) in [("transfer init", 1), ("init18g", 2), ("gas", 1)] {
            document.set_filter(filter);
            assert_eq!(document.unit_counts(), Some((units, 2)), "{filter}");
        }
    }

    #[test]
    fn a_first_word_that_is_a_kind_finds_that_kind_only() {
        let event = |kind: &str, value: &str| {
            [Line::at(0).with(Meaning::Kind, format!("{kind:<13}")).unit(), Line::at(1).with(Meaning::Text, value)]
        };
        let lines = [event("evm", "log Transfer"), event("transfer", "5 GAS"), event("coin_spent", "5 GAS")];
        let mut document: Document = Document::new(lines.concat());
        for (filter, units) in
            [("transfer", 1), ("Transfer gas", 1), ("log transfer", 1), ("transfe", 2), ("evm", 1), ("gas", 2)]
        {
            document.set_filter(filter);
            assert_eq!(document.unit_counts(), Some((units, 3)), "{filter}");
        }
    }

    #[test]
    fn what_is_looked_for_is_marked() {
        let mut document = document();
        document.set_room(80, 20);
        document.set_filter("COIN ece");
        let marks: Vec<String> = document
            .rows()
            .iter()
            .flat_map(|row| row.pieces.iter().filter(|piece| piece.meaning == Meaning::Match))
            .map(|piece| piece.text.clone())
            .collect();
        assert_eq!(marks, ["coin", "ece", "ece"], "in the type and in a key");
    }
}
