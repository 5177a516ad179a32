use super::{Document, LineName};
use crate::{domain::Target, widgets::cursor::Cursor};

/// Operations of a document that do not depend on how its lines are named.
pub(crate) trait Lines: Cursor {
    fn filter(&self) -> &str;

    fn set_filter(&mut self, filter: &str);

    /// Moves to the next or previous match of the filter; false if no other line matches.
    fn step_match(&mut self, step: isize) -> bool;

    /// Returns the place of the nearest line, below or above the cursor, that begins a group.
    fn group(&self, is_below: bool) -> Option<usize>;

    fn link(&self) -> Option<&Target>;

    fn copied(&self) -> Option<String>;

    /// Returns the path of the JSON value under the cursor, for `jq`.
    fn json_path(&self) -> Option<String>;

    fn can_copy(&self) -> bool;

    fn can_fold(&self) -> bool;

    fn can_fold_around(&self) -> bool;

    fn has_folds(&self) -> bool;

    /// Folds or unfolds the cursor's line; false without children.
    fn toggle_fold(&mut self) -> bool;

    /// Folds or unfolds the cursor's line, or its heading if it has no children.
    fn toggle_fold_around(&mut self) -> bool;

    /// Folds all lines with children; false without any.
    fn fold_all(&mut self) -> bool;

    /// Unfolds every line; false if no line has children.
    fn unfold_all(&mut self) -> bool;
}

impl<Id: LineName> Lines for Document<Id> {
    fn filter(&self) -> &str {
        Self::filter(self)
    }

    fn set_filter(&mut self, filter: &str) {
        Self::set_filter(self, filter);
    }

    fn step_match(&mut self, step: isize) -> bool {
        Self::step_match(self, step)
    }

    fn group(&self, is_below: bool) -> Option<usize> {
        Self::group(self, is_below)
    }

    fn link(&self) -> Option<&Target> {
        self.selected()?.link.as_ref()
    }

    fn copied(&self) -> Option<String> {
        Self::copied(self)
    }

    fn json_path(&self) -> Option<String> {
        Self::json_path(self)
    }

    fn can_copy(&self) -> bool {
        Self::can_copy(self)
    }

    fn can_fold(&self) -> bool {
        Self::can_fold(self)
    }

    fn can_fold_around(&self) -> bool {
        Self::can_fold_around(self)
    }

    fn has_folds(&self) -> bool {
        Self::has_folds(self)
    }

    fn toggle_fold(&mut self) -> bool {
        Self::toggle_fold(self)
    }

    fn toggle_fold_around(&mut self) -> bool {
        Self::toggle_fold_around(self)
    }

    fn fold_all(&mut self) -> bool {
        Self::fold_all(self)
    }

    fn unfold_all(&mut self) -> bool {
        Self::unfold_all(self)
    }
}
