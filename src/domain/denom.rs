use std::{borrow::Cow, convert::Infallible, fmt, str::FromStr, sync::Arc};

/// Denom of a token on its chain: `uinit`, `l2/<hex>`, `ibc/<HEX>`, `evm/<hex>`, `move/<hex>`, `factory/…`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Denom(Arc<str>);

/// Well-known symbols in lower case: a denom with such a name need not be that token.
const SYMBOLS: [&str; 59] = [
    "aave", "ada", "ape", "apt", "arb", "atom", "ausd", "avax", "bnb", "btc", "busd", "cbbtc", "cinit", "dai", "dot",
    "dydx", "einit", "eth", "init", "inj", "inrt", "iusd", "jpy", "kuji", "link", "ltc", "mana", "matic", "milk",
    "milkinit", "milktia", "near", "ninit", "oinit", "onyx", "op", "osmo", "pepe", "pol", "roeth", "rotia", "sei",
    "sinit", "sol", "steth", "sui", "susde", "tia", "trx", "uni", "usd", "usdc", "usde", "usdn", "usdt", "wbtc",
    "weeth", "weth", "xrp",
];

impl Denom {
    /// Maximum bytes of a denom; chains have this limit.
    const LONGEST: usize = 128;

    /// Number of characters shown at both ends of a shortened address.
    const ENDS: usize = 6;
    /// Number of characters shown at both ends of a shortened hash.
    const HASH_ENDS: usize = 4;

    /// Whether a text is a valid denom on any chain.
    pub fn is_fit(text: &str) -> bool {
        !text.is_empty() && text.len() <= Self::LONGEST && !text.contains(char::is_whitespace)
    }

    /// Creates a denom from any text; chains accept almost any text.
    pub fn new(text: impl Into<Arc<str>>) -> Self {
        Self(text.into())
    }

    /// Returns the default denom of an ERC-20 contract.
    pub fn of_erc20(contract: super::Address) -> Self {
        Self::new(format!("evm/{}", contract.checksummed().trim_start_matches("0x")))
    }

    /// Returns the denom of a CW-20 token: any contract may act like one, so its address names the token.
    pub fn of_cw20(contract: &str) -> Self {
        Self::new(format!("cw20:{contract}"))
    }

    /// Whether the denom has the form that the optimistic bridge gives to what it brings to a rollup.
    pub fn is_bridged(&self) -> bool {
        self.0.starts_with("l2/")
    }

    /// Returns the denom as the chain writes it.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether two denoms are one: the case of a contract's hexadecimal digits does not count.
    pub fn is_same(&self, other: &Self) -> bool {
        let names_contract = self.0.starts_with("evm/") || self.0.starts_with("0x");
        self == other || (names_contract && self.0.eq_ignore_ascii_case(&other.0))
    }

    /// Returns the shortened denom of a token whose name stands beside it: one that looks like a symbol is only quoted.
    pub fn short_beside_name(&self) -> String {
        if self.spells_symbol() { super::text::quoted_within(&self.0, 24) } else { self.short() }
    }

    /// Returns a shortened denom for lists, such as `l2/8f73…3b06`; short denoms stay whole. Marks a denom that looks
    /// like a symbol, see [`Self::marked`].
    pub fn short(&self) -> String {
        if self.spells_symbol() {
            return self.quoted_within(24);
        }
        let text = &*self.0;
        if let Some(digits) = self.contract_digits() {
            return format!("0x{}…{}", &digits[..Self::ENDS], &digits[digits.len() - Self::ENDS..]);
        }
        match text.split_once(['/', ':']) {
            Some((kind, rest)) if rest.starts_with("init1") => {
                let separator = text.get(kind.len()..=kind.len()).unwrap_or_default();
                let (account, name) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
                format!("{kind}{separator}{}{}", super::short_address(account), super::text::clip(name, 24))
            }
            Some((kind, rest)) if rest.len() > 2 * Self::ENDS => {
                // Shortened addresses show more characters than shortened hashes.
                let ends = if matches!(kind, "evm" | "move") { Self::ENDS } else { Self::HASH_ENDS };
                format!("{kind}/{}…{}", &rest[..ends], &rest[rest.len() - ends..])
            }
            _ => super::text::clip(text, 24),
        }
    }

    /// Returns the whole denom of a token without a known symbol. Quotes and marks a denom that looks like a symbol:
    /// `“INIT” (unknown denom)`, but `uinit` and `ibc/…`.
    pub fn marked(&self) -> Cow<'_, str> {
        if self.spells_symbol() { Cow::Owned(self.quoted_within(60)) } else { Cow::Borrowed(&self.0) }
    }

    /// Whether the denom or a part of it looks like a symbol, or is not a valid denom: a coin can have the denom
    /// `INIT`, `usdc.e` or `ibc/INIT`. A denom whose format identifies its creator does not count.
    pub fn spells_symbol(&self) -> bool {
        let is_sign = |sign: char| sign.is_ascii_alphanumeric() || "/:._-".contains(sign);
        let is_symbol = |word: &str| word.contains(|sign: char| sign.is_ascii_uppercase()) || SYMBOLS.contains(&word);
        let mut words = self.0.split(|sign: char| !sign.is_ascii_alphanumeric());
        !self.0.chars().all(is_sign) || (!self.has_maker() && words.any(is_symbol))
    }

    /// Whether a part of the denom is a well-known symbol in any case.
    pub fn spells_known_symbol(&self) -> bool {
        let lower = self.0.to_ascii_lowercase();
        lower.split(|sign: char| !sign.is_ascii_alphanumeric()).any(|word| SYMBOLS.contains(&word))
    }

    /// Whether the denom's format identifies its origin: a hash, an object, a contract, or the creator's account.
    fn has_maker(&self) -> bool {
        let is_hex = |text: &str| !text.is_empty() && text.bytes().all(|digit| digit.is_ascii_hexdigit());
        let is_account = |text: &str| text.parse::<super::Address>().is_ok();
        match self.0.split_once(['/', ':']) {
            Some(("l2" | "ibc" | "evm" | "move", rest)) => is_hex(rest),
            Some(("cw20", rest)) => is_account(rest),
            Some(("factory", rest)) => rest.split('/').next().is_some_and(is_account),
            _ => self.contract_digits().is_some(),
        }
    }

    /// Returns the hex digits of an EVM contract that the denom consists of; `None` for other denoms.
    fn contract_digits(&self) -> Option<&str> {
        let digits = self.0.strip_prefix("0x")?;
        (digits.len() == 40 && digits.bytes().all(|digit| digit.is_ascii_hexdigit())).then_some(digits)
    }

    fn quoted_within(&self, most: usize) -> String {
        format!("{} (unknown denom)", super::text::quoted(&super::text::clip(&self.0, most)))
    }
}

impl fmt::Display for Denom {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&super::text::clean(&self.0))
    }
}

impl FromStr for Denom {
    type Err = Infallible;

    /// Accepts any text.
    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(Self::new(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_forms_show_both_ends_and_whole_names() {
        for (denom, short) in [
            ("uinit", "uinit"),
            ("evm/2eE7007DF876084d4C74685e90bB7f4cd7c86e22", "evm/2eE700…c86e22"),
            ("0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48", "0xA0b869…06eB48"),
            ("cw20:init1gz9n8jnu9fgqw7vem9ud67gqjk5q4m2w0aejne", "cw20:init1gz9n8j…0aejne"),
            ("factory/init1gz9n8jnu9fgqw7vem9ud67gqjk5q4m2w0aejne/USDC", "factory/init1gz9n8j…0aejne/USDC"),
        ] {
            assert_eq!(Denom::new(denom).short(), short);
        }
    }

    #[test]
    fn only_the_digits_of_a_contract_have_no_case() {
        let is_same = |one: &str, other: &str| Denom::new(one).is_same(&Denom::new(other));
        assert!(is_same("evm/AB", "evm/ab") && is_same("0xAB", "0xab") && is_same("uinit", "uinit"));
        assert!(!is_same("uinit", "UINIT") && !is_same("ibc/AB", "ibc/ab") && !is_same("evm/ab", "evm/ac"));
    }

    #[test]
    fn what_spells_a_symbol_stands_in_quotes_that_it_cannot_close() {
        for (denom, marked) in [
            ("INIT", "“INIT” (unknown denom)"),
            ("iUSD", "“iUSD” (unknown denom)"),
            ("IN”IT", "“IN\"IT” (unknown denom)"),
            ("ibc/AB. Then 5 INIT", "“ibc/AB. Then 5 INIT” (unknown denom)"),
            ("usdc", "“usdc” (unknown denom)"),
            ("init", "“init” (unknown denom)"),
            ("uatom", "uatom"),
            ("usdc.e", "“usdc.e” (unknown denom)"),
            ("u-init", "“u-init” (unknown denom)"),
            ("ibc/INIT", "“ibc/INIT” (unknown denom)"),
            ("factory/x/init", "“factory/x/init” (unknown denom)"),
            ("move/8e4733bd", "move/8e4733bd"),
            ("transfer/channel-0/uinit", "transfer/channel-0/uinit"),
            (
                "factory/init1gz9n8jnu9fgqw7vem9ud67gqjk5q4m2w0aejne/usdc",
                "factory/init1gz9n8jnu9fgqw7vem9ud67gqjk5q4m2w0aejne/usdc",
            ),
        ] {
            assert_eq!(Denom::new(denom).marked(), marked);
        }
    }
}
