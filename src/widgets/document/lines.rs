use super::{Document, LineName};
use crate::{domain::Target, widgets::cursor::Cursor};

/// A document whatever its lines are named by: what can be done with any.
pub(crate) trait Lines: Cursor {
    /// The filter in force.
    fn filter(&self) -> &str;

    /// Shows only lines that contain this text, with the headings above them.
    fn set_filter(&mut self, filter: &str);

    /// Goes to the next line with what the filter looks for, or the one before; false where there is no other.
    fn step_match(&mut self, step: isize) -> bool;

    /// Where the line under the cursor leads.
    fn link(&self) -> Option<&Target>;

    /// What is copied under the cursor.
    fn copied(&self) -> Option<String>;

    /// The way to the JSON value under the cursor, as `jq` takes it.
    fn json_path(&self) -> Option<String>;

    /// Whether something can be copied under the cursor.
    fn can_copy(&self) -> bool;

    /// Whether something hangs below the cursor's line.
    fn can_fold(&self) -> bool;

    /// Whether [`Self::toggle_fold_around`] does anything.
    fn can_fold_around(&self) -> bool;

    /// Whether anything hangs below any line.
    fn has_folds(&self) -> bool;

    /// Folds or unfolds what hangs below the cursor's line; false when nothing does.
    fn toggle_fold(&mut self) -> bool;

    /// The same where something hangs below the line; else with the heading that it lies below.
    fn toggle_fold_around(&mut self) -> bool;

    /// Folds every line that something hangs below; false when there is none.
    fn fold_all(&mut self) -> bool;

    /// Shows everything; false when nothing can be folded.
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
