use std::{fmt, sync::Arc};

/// Path of a value in a record: `amount[0].denom`, with `›` where a text was opened.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ValuePath(Vec<PathStep>);

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PathStep {
    Key(Arc<str>),
    /// Index in a list, from 0.
    Index(usize),
    /// Content of a text ([`crate::story::open_text`]).
    Opened,
}

impl ValuePath {
    #[must_use]
    pub fn then(&self, step: PathStep) -> Self {
        Self(self.0.iter().cloned().chain([step]).collect())
    }

    /// Appends a field.
    #[must_use]
    pub fn key(&self, name: &str) -> Self {
        self.then(PathStep::Key(name.into()))
    }

    /// Removes the last step; `None` for an empty path.
    pub fn parent(&self) -> Option<Self> {
        let (_, rest) = self.0.split_last()?;
        Some(Self(rest.to_vec()))
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for ValuePath {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, step) in self.0.iter().enumerate() {
            let is_first = place == 0 || matches!(self.0.get(place - 1), Some(PathStep::Opened));
            match step {
                PathStep::Key(name) if is_first => write!(formatter, "{name}")?,
                PathStep::Key(name) => write!(formatter, ".{name}")?,
                PathStep::Index(index) => write!(formatter, "[{index}]")?,
                PathStep::Opened => write!(formatter, " › ")?,
            }
        }
        Ok(())
    }
}
