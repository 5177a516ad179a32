//! Second confirmation of a fee. A router names the prices and the nodes that estimate gas, so rollscope compares a fee
//! with the settings, the registry, and nodes that the user or the registry named.

use alloy_primitives::U256;

use super::{FundsEffect, ReadyForm, ReadyTx, SignableMessage, SigningFee};
use crate::domain::{Amount, Denom, ExactDecimal, FeeDenom};

/// A fee above this multiple of the usual one needs a second confirmation.
const TIMES: u64 = 5;
/// Divisor: a fee above a tenth of the transferred amount needs a second confirmation.
const PART: u64 = 10;
/// A fee above this many US dollars needs a second confirmation.
const DOLLARS: u64 = 1;

/// Reason why a fee needs a second confirmation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FeeDoubt {
    /// The chain takes no fees in this denom, as far as rollscope knows.
    OtherDenom { known: Vec<Denom> },
    /// The fee is far above the usual gas at the minimum price.
    OverUsual { usual: Amount },
    /// The fee is worth more, at the router's price.
    OverDollar,
    /// The fee is a large part of the amount sent.
    OverPart,
    /// Only the router states the chain's gas price.
    UnknownPrice,
}

/// Value of the amount that leaves, by the router.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuotedDollars {
    pub amount: Amount,
    pub dollars: ExactDecimal,
}

impl FeeDoubt {
    /// Compares a fee with the chain's known fee denoms; `None` for a usual fee. A price of the router can raise a
    /// doubt, but removes none.
    pub fn of(fee: &SigningFee, tx: &ReadyTx, known: &[FeeDenom]) -> Option<Self> {
        let offered = fee.amount.first()?;
        let listed = known.iter().find(|one| one.denom.is_same(&offered.denom));
        if listed.is_none() && !known.is_empty() {
            return Some(Self::OtherDenom { known: known.iter().map(|one| one.denom.clone()).collect() });
        }
        let usual = listed.and_then(|one| one.price.as_ref()).and_then(|price| price.cost(usual_gas(tx)?));
        if let Some(usual) = usual.filter(|usual| offered.amount.get() / U256::from(TIMES) > usual.get()) {
            return Some(Self::OverUsual { usual });
        }
        let dollars = tx.dollars.filter(|_| offered.denom.is_same(&tx.source));
        if dollars.is_some_and(|quoted| quoted.is_over(offered.amount)) {
            return Some(Self::OverDollar);
        }
        let mut leaves = tx.effects.iter().filter_map(FundsEffect::coins).flatten();
        let sent = leaves.find(|coin| coin.denom.is_same(&offered.denom));
        if sent.is_some_and(|coin| offered.amount.get() > coin.amount.get() / U256::from(PART)) {
            return Some(Self::OverPart);
        }
        usual.is_none().then_some(Self::UnknownPrice)
    }
}

impl QuotedDollars {
    /// Whether a fee in the same denom is worth more than [`DOLLARS`].
    fn is_over(self, fee: Amount) -> bool {
        let limit = self.amount.get().checked_mul(U256::from(DOLLARS));
        self.dollars.times(fee.get()).zip(limit).is_none_or(|(value, limit)| value > limit)
    }
}

/// Returns the gas that messages like these take; `None` for a call that the wallet sends.
fn usual_gas(tx: &ReadyTx) -> Option<u64> {
    let ReadyForm::Cosmos(messages) = &tx.form else { return None };
    Some(messages.iter().map(SignableMessage::usual_gas).sum())
}
