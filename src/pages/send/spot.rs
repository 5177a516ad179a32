//! What the lines of the page are called, and so what Enter does on them.

/// What a line is: its name in the document, and so what Enter does on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spot {
    Notice,
    Changes,
    Route,
    Warnings,
    Warning(usize),
    Slippage,
    Addresses,
    Address(usize),
    Hook,
    HookMessage(usize),
    SignHook,
    PasteHook,
    Messages,
    Tx(usize),
    Send,
    DemoSend,
    Hash(usize),
    Transfer,
}

/// Places that a kind of line has.
const PLACES: u32 = 1000;

impl Spot {
    /// The name of its line.
    pub(super) fn name(self) -> u32 {
        let (kind, place): (u32, usize) = match self {
            Self::Notice => (1, 0),
            Self::Changes => (2, 0),
            Self::Route => (3, 0),
            Self::Warnings => (4, 0),
            Self::Warning(place) => (5, place),
            Self::Slippage => (6, 0),
            Self::Addresses => (7, 0),
            Self::Address(place) => (8, place),
            Self::Hook => (9, 0),
            Self::HookMessage(place) => (10, place),
            Self::SignHook => (11, 0),
            Self::PasteHook => (12, 0),
            Self::Messages => (13, 0),
            Self::Tx(place) => (14, place),
            Self::Send => (15, 0),
            Self::DemoSend => (16, 0),
            Self::Hash(place) => (17, place),
            Self::Transfer => (18, 0),
        };
        kind * PLACES + u32::try_from(place).unwrap_or(PLACES).min(PLACES - 1)
    }

    /// The line with this name.
    pub(super) fn of(name: u32) -> Option<Self> {
        let place = usize::try_from(name % PLACES).ok()?;
        Some(match name / PLACES {
            1 => Self::Notice,
            2 => Self::Changes,
            3 => Self::Route,
            4 => Self::Warnings,
            5 => Self::Warning(place),
            6 => Self::Slippage,
            7 => Self::Addresses,
            8 => Self::Address(place),
            9 => Self::Hook,
            10 => Self::HookMessage(place),
            11 => Self::SignHook,
            12 => Self::PasteHook,
            13 => Self::Messages,
            14 => Self::Tx(place),
            15 => Self::Send,
            16 => Self::DemoSend,
            17 => Self::Hash(place),
            18 => Self::Transfer,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_found_by_its_name() {
        for spot in [Spot::Notice, Spot::Warning(3), Spot::Address(999), Spot::Hash(1), Spot::Transfer] {
            assert_eq!(Spot::of(spot.name()), Some(spot));
        }
        assert_eq!(Spot::of(0), None);
    }
}
