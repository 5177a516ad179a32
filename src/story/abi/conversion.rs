//! Conversions reported by the chain's ERC20 wrapper (`docs/apis/story.md` §2.2).

use alloy_primitives::U256;

use super::{AbiRegistry, AbiValue};
use crate::{
    domain::{Address, Amount, Coin, Denom},
    events::evm::LoggedMove,
    story::ContractLog,
};

const CONVERTED: &str = "Converted(string,string,uint8,uint8,uint256)";

/// Conversion between a token and its wrapper, as reported by the contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WrapperConversion {
    pub(crate) from: Coin,
    pub(crate) to: Coin,
}

impl WrapperConversion {
    /// Parses a log; `None` for any other event.
    pub(crate) fn of(log: &ContractLog) -> Option<Self> {
        let topic = log.topics.first()?.strip_prefix("0x")?;
        if super::signature(topic) != Some(CONVERTED) {
            return None;
        }
        let reading = AbiRegistry::default().decode_log(log);
        let text = |place| reading.value(place).and_then(AbiValue::text).map(Denom::new);
        let decimals = |place| u8::try_from(reading.value(place)?.number()?.get()).ok();
        let amount = reading.value(4)?.number()?;
        let from = Coin { denom: text(0)?, amount };
        let to = Coin { denom: text(1)?, amount: scaled(amount, decimals(2)?, decimals(3)?)? };
        Some(Self { from, to })
    }

    /// Returns the input and the output among the movements: equal amounts to and from this wrapper, or burned and
    /// minted. `None` if there is none, or several contracts match.
    pub(crate) fn sides(&self, wrapper: Address, moves: &[LoggedMove]) -> [Option<usize>; 2] {
        let is_end = |address: Address| address.is_same_in_logs(&wrapper) || address.tail() == [0; 20];
        let only = |fits: &dyn Fn(&LoggedMove) -> bool| {
            let mut places = moves.iter().enumerate().filter(|(_, moved)| fits(moved));
            let (place, first) = places.next()?;
            places.all(|(_, other)| other.contract == first.contract).then_some(place)
        };
        let given =
            only(&|moved| moved.amount() == Some(self.from.amount) && is_end(moved.to) && names(&self.from, moved));
        let got = only(&|moved| {
            moved.amount() == Some(self.to.amount)
                && is_end(moved.from)
                && names(&self.to, moved)
                && given.and_then(|given| moves.get(given)).is_none_or(|given| given.contract != moved.contract)
        });
        [given, got]
    }
}

/// Whether a movement may be of this coin: a contract's denom contains its address.
fn names(coin: &Coin, moved: &LoggedMove) -> bool {
    match coin.denom.as_str().strip_prefix("evm/") {
        Some(digits) => format!("0x{digits}").parse() == Ok(moved.contract),
        None => true,
    }
}

/// Scales an amount to the wrapper's decimals; `None` if a remainder is left.
fn scaled(amount: Amount, from: u8, to: u8) -> Option<Amount> {
    let power = |decimals: u8| U256::from(10).checked_pow(U256::from(decimals));
    let number = match to.checked_sub(from) {
        Some(more) => amount.get().checked_mul(power(more)?)?,
        None => amount.get().checked_div(power(from - to)?)?,
    };
    Some(Amount::new(number))
}
