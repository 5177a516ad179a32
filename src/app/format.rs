//! How values are written for people: ages, fees, addresses.

use std::time::Duration;

use crate::{
    config::Network,
    domain::{Address, Coin, Timestamp},
};

/// Which of its two forms an address is written in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum AddressForm {
    /// `init1…`
    #[default]
    Bech32,
    /// `0x…`
    Hex,
}

impl AddressForm {
    /// The other one.
    pub(crate) fn flipped(self) -> Self {
        match self {
            Self::Bech32 => Self::Hex,
            Self::Hex => Self::Bech32,
        }
    }

    /// The whole address.
    pub(crate) fn write(self, address: Address) -> String {
        match self {
            Self::Bech32 => address.bech32(),
            Self::Hex => address.checksummed(),
        }
    }

    /// First and last characters of the address.
    pub(crate) fn short(self, address: Address) -> String {
        match self {
            Self::Bech32 => address.short(),
            Self::Hex => {
                let text = self.write(address);
                format!("{}…{}", &text[..6], &text[text.len() - 4..])
            }
        }
    }
}

/// Whether times are written as ages or on the clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum TimeForm {
    /// `3 s`
    #[default]
    Age,
    /// `14:03:21`
    Clock,
}

impl TimeForm {
    /// The other one.
    pub(crate) fn flipped(self) -> Self {
        match self {
            Self::Age => Self::Clock,
            Self::Clock => Self::Age,
        }
    }

    /// A moment, short enough for a column.
    pub(crate) fn write(self, at: Timestamp, now: Timestamp) -> String {
        match self {
            Self::Age => age(now.since(at)),
            Self::Clock if now.since(at) >= Duration::from_secs(20 * 3600) => at.day_and_clock()[5..16].to_owned(),
            Self::Clock => at.clock(),
        }
    }
}

/// A span in its largest whole unit: `3 s`, `12 min`, `5 h`, `40 d`.
pub(crate) fn age(span: Duration) -> String {
    let seconds = span.as_secs();
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => format!("{} min", seconds / 60),
        3600..86_400 => format!("{} h", seconds / 3600),
        _ => format!("{} d", seconds / 86_400),
    }
}

/// An amount with its symbol and decimals where the network knows the denom, else as the chain writes it.
pub(crate) fn coin_text(coin: &Coin, network: &Network) -> String {
    match network.tokens.iter().find(|token| token.denom == coin.denom.as_str()) {
        Some(token) => {
            format!("{} {}", coin.amount.display(token.decimals), crate::domain::text::clip(&token.symbol, 16))
        }
        None => format!("{} {}", coin.amount, coin.denom.short()),
    }
}

/// A declared fee; relayers and bridge executors pay none.
pub(crate) fn fee_text(fee: &[Coin], network: &Network) -> String {
    let paid: Vec<String> =
        fee.iter().filter(|coin| !coin.amount.is_zero()).map(|coin| coin_text(coin, network)).collect();
    if paid.is_empty() { "none".to_owned() } else { paid.join(" + ") }
}

/// How much of what was wanted was used: ` of 12,000 (66 %)`.
pub(crate) fn gas_share(used: u64, wanted: u64) -> String {
    let share = used.saturating_mul(100).checked_div(wanted).unwrap_or_default();
    format!(" of {} ({share} %)", crate::domain::text::group(wanted))
}

/// A span to hundredths of a second: `0.97 s`.
pub(crate) fn seconds(span: Duration) -> String {
    format!("{:.2} s", span.as_secs_f64())
}
