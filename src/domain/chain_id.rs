use std::{convert::Infallible, fmt, str::FromStr, sync::Arc};

/// Chain id in the routing API's format: `interwoven-1`; decimal digits for EVM chains (`"1"`, `"42161"`).
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ChainId(Arc<str>);

impl ChainId {
    pub fn new(text: impl Into<Arc<str>>) -> Self {
        Self(text.into())
    }

    /// Returns the chain id as received; hostile if it came over the wire.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether this is the id that development tools give to EVM chains on the user's own machine. No public chain has
    /// it.
    pub fn is_development(&self) -> bool {
        self.as_str() == "31337"
    }
}

impl fmt::Display for ChainId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&super::text::clean(&self.0))
    }
}

impl FromStr for ChainId {
    type Err = Infallible;

    /// Accepts any text.
    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(Self::new(text))
    }
}
