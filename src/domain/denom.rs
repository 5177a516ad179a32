use std::{convert::Infallible, fmt, str::FromStr, sync::Arc};

/// A token's denomination on its chain: `uinit`, `l2/<hex>`, `ibc/<HEX>`, `evm/<hex>`, `move/<hex>`, `factory/…`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Denom(Arc<str>);

impl Denom {
    /// Bytes of a denom at the most: chains allow 128.
    const LONGEST: usize = 128;

    /// Whether a text can be a denom of any chain.
    pub fn is_fit(text: &str) -> bool {
        !text.is_empty() && text.len() <= Self::LONGEST && !text.contains(char::is_whitespace)
    }

    /// Wraps the text as it is: the chains accept nearly anything.
    pub fn new(text: impl Into<Arc<str>>) -> Self {
        Self(text.into())
    }

    /// The text as the chain writes it.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// A short form for lists: `l2/8f73…3b06`; short denoms stay whole.
    pub fn short(&self) -> String {
        let clean = super::text::clean(&self.0);
        match clean.split_once('/') {
            Some((kind, rest)) if rest.is_ascii() && rest.len() > 12 => {
                format!("{kind}/{}…{}", &rest[..4], &rest[rest.len() - 4..])
            }
            _ => super::text::clip(&clean, 24),
        }
    }

    /// Whether it reads like the symbol of a token, or is no denom that a chain would take: anybody can name a coin
    /// `INIT`.
    pub fn spells_symbol(&self) -> bool {
        let is_sign = |sign: char| sign.is_ascii_alphanumeric() || "/:._-".contains(sign);
        let is_word = !self.0.contains(['/', ':']) && self.0.starts_with(|sign: char| sign.is_ascii_uppercase());
        is_word || !self.0.chars().all(is_sign)
    }

    /// The whole text where nobody knows a symbol for it: what spells one stands in quotes, and is said to be unknown.
    pub fn unknown(&self) -> String {
        if self.spells_symbol() { self.marked(60) } else { self.0.as_ref().to_owned() }
    }

    /// The same in the short form.
    pub fn unknown_short(&self) -> String {
        if self.spells_symbol() { self.marked(24) } else { self.short() }
    }

    fn marked(&self, most: usize) -> String {
        format!("{} (unknown denom)", super::text::quoted(&super::text::clip(&self.0, most)))
    }
}

impl fmt::Display for Denom {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl FromStr for Denom {
    type Err = Infallible;

    /// Takes the text as it is.
    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(Self::new(text))
    }
}
