//! What the chain's ERC20 wrapper says of its conversions (`docs/apis/story.md` §2.2).

use alloy_primitives::U256;

use super::{AbiRegistry, AbiValue, ContractLog};
use crate::domain::{Address, Amount, Coin, Denom};

const CONVERTED: &str = "Converted(string,string,uint8,uint8,uint256)";

/// A conversion between the two forms of a token, as the contract that made it says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct WrapperConversion {
    /// What went in.
    pub(super) from: Coin,
    /// What came out.
    pub(super) to: Coin,
}

/// A movement beside a conversion: of which contract, who gave, who got, how much. The zero address stands for nobody.
#[derive(Clone, Copy)]
pub(super) struct MovedBeside {
    pub(super) contract: Address,
    pub(super) from: Address,
    pub(super) to: Address,
    pub(super) amount: Amount,
}

impl WrapperConversion {
    /// Reads a log; none where it says something else.
    pub(super) fn of(log: &ContractLog) -> Option<Self> {
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

    /// Which of the movements brought it what went in, and which handed out what came of it: those of the right amounts
    /// to and from this wrapper, or burned and minted. None where there is none, or more than one contract's.
    pub(super) fn sides(&self, wrapper: Address, moves: &[MovedBeside]) -> [Option<usize>; 2] {
        let is_end = |address: Address| address.is_same_in_logs(&wrapper) || address.tail() == [0; 20];
        let only = |fits: &dyn Fn(&MovedBeside) -> bool| {
            let mut places = moves.iter().enumerate().filter(|(_, moved)| fits(moved));
            let (place, first) = places.next()?;
            places.all(|(_, other)| other.contract == first.contract).then_some(place)
        };
        let given = only(&|moved| moved.amount == self.from.amount && is_end(moved.to) && names(&self.from, moved));
        let got = only(&|moved| {
            moved.amount == self.to.amount
                && is_end(moved.from)
                && names(&self.to, moved)
                && given.and_then(|given| moves.get(given)).is_none_or(|given| given.contract != moved.contract)
        });
        [given, got]
    }
}

/// Whether a movement can be of this coin: a denom that is a contract's own names the contract.
fn names(coin: &Coin, moved: &MovedBeside) -> bool {
    match coin.denom.as_str().strip_prefix("evm/") {
        Some(digits) => format!("0x{digits}").parse() == Ok(moved.contract),
        None => true,
    }
}

/// The same amount with other decimals, as the wrapper counts: it takes no amount that would leave a rest.
fn scaled(amount: Amount, from: u8, to: u8) -> Option<Amount> {
    let power = |decimals: u8| U256::from(10).checked_pow(U256::from(decimals));
    let number = match to.checked_sub(from) {
        Some(more) => amount.get().checked_mul(power(more)?)?,
        None => amount.get().checked_div(power(from - to)?)?,
    };
    Some(Amount::new(number))
}
