//! Whether a route answers its question, and whether its steps lead from its start to its end.

use super::{Operation, OperationKind, Route, RouteRequest};
use crate::domain::{Amount, ChainId, Denom, text::clip};

/// Powers of ten by which a token and its wrapper may differ.
const MOST_DECIMALS: u32 = 18;

/// Part of a route that differs from the question or from the part before it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what} is {}, not {}", clip(.found, 90), clip(.expected, 90))]
pub struct RouteMisfit {
    what: String,
    expected: String,
    found: String,
}

impl Route {
    /// Compares the route's ends and amount with the question, and its steps with both.
    pub fn check_answer(&self, asked: &RouteRequest) -> Result<(), RouteMisfit> {
        is_equal("the source chain", &asked.source_asset_chain_id, &self.source_asset_chain_id)?;
        is_denom("the source denom", &asked.source_asset_denom, &self.source_asset_denom)?;
        is_equal("the destination chain", &asked.dest_asset_chain_id, &self.dest_asset_chain_id)?;
        is_denom("the destination denom", &asked.dest_asset_denom, &self.dest_asset_denom)?;
        is_equal("the amount", &asked.amount_in, &self.amount_in)?;
        self.check_steps()
    }

    /// Checks that each step begins where the former ended, and the last ends where the route does. Older routers do
    /// not state denoms and amounts of steps.
    pub fn check_steps(&self) -> Result<(), RouteMisfit> {
        let mut chain = &self.source_asset_chain_id;
        let mut denom = Some(&self.source_asset_denom);
        let mut amount = Some(self.amount_in);
        for (step, number) in self.operations.iter().zip(1..) {
            let start = |what: &str| format!("the {what} that step {number} takes");
            step.from_chain().map_or(Ok(()), |found| is_equal(&start("chain"), chain, found))?;
            if let (Some(expected), Some(found)) = (denom, step.denom_in()) {
                is_denom(&start("denom"), expected, found)?;
            }
            if let (Some(expected), Some(found)) = (amount, step.amount_in) {
                is_equal(&start("amount"), &expected, &found)?;
            }
            step.check_amounts(number)?;
            chain = step.to_chain().unwrap_or(chain);
            (denom, amount) = (step.denom_out(), step.amount_out);
        }
        is_equal("the chain of the last step", &self.dest_asset_chain_id, chain)?;
        denom.map_or(Ok(()), |found| is_denom("the denom of the last step", &self.dest_asset_denom, found))?;
        amount.map_or(Ok(()), |found| is_equal("the amount of the last step", &self.amount_out, &found))
    }

    /// Checks that the required addresses begin on the source chain and end on the destination chain. Routes over
    /// Axelar, which rollscope does not sign, list other chains.
    pub fn check_addresses(&self) -> Result<(), RouteMisfit> {
        let required = &self.required_chain_addresses;
        let ends = [
            ("the first required address", required.first(), &self.source_asset_chain_id),
            ("the last required address", required.last(), &self.dest_asset_chain_id),
        ];
        for (what, found, expected) in ends {
            is_equal(what, expected, found.unwrap_or(&ChainId::new("missing")))?;
        }
        Ok(())
    }
}

impl Operation {
    /// Checks that a step over a bridge of a single token yields its input: such steps neither deduct nor add.
    fn check_amounts(&self, number: u32) -> Result<(), RouteMisfit> {
        let (Some(taken), Some(yielded)) = (self.amount_in, self.amount_out) else { return Ok(()) };
        let is_contract = |denom: Option<&Denom>| denom.is_some_and(|denom| denom.as_str().starts_with("evm/"));
        let has_two_forms = is_contract(self.denom_in()) != is_contract(self.denom_out());
        let is_fit = match self.kind {
            _ if taken == yielded => true,
            // A chain may deduct a fee from a packet.
            OperationKind::Transfer if !has_two_forms => yielded < taken,
            OperationKind::Transfer | OperationKind::BankSend | OperationKind::OpInitTransfer => {
                has_two_forms && is_shifted(taken, yielded)
            }
            OperationKind::LayerZeroTransfer => is_shifted(taken, yielded),
            _ => return Ok(()),
        };
        if is_fit { Ok(()) } else { Err(misfit(&format!("the amount that step {number} yields"), &taken, &yielded)) }
    }
}

/// Whether two amounts are one, of a token and its wrapper, which has other decimals. Fewer decimals lose dust.
fn is_shifted(one: Amount, other: Amount) -> bool {
    let (less, more) = if one < other { (one, other) } else { (other, one) };
    (1..=MOST_DECIMALS).any(|decimals| {
        let power = alloy_primitives::U256::from(10).pow(alloy_primitives::U256::from(decimals));
        more.get() / power == less.get()
    })
}

fn is_equal<T: PartialEq + ToString>(what: &str, expected: &T, found: &T) -> Result<(), RouteMisfit> {
    if expected == found { Ok(()) } else { Err(misfit(what, expected, found)) }
}

/// Compares denoms. Digits of contracts have either case.
fn is_denom(what: &str, expected: &Denom, found: &Denom) -> Result<(), RouteMisfit> {
    let is_contract = ["0x", "evm/"].iter().any(|prefix| expected.as_str().starts_with(prefix));
    if expected == found || is_contract && expected.as_str().eq_ignore_ascii_case(found.as_str()) {
        return Ok(());
    }
    Err(misfit(what, expected, found))
}

fn misfit(what: &str, expected: &impl ToString, found: &impl ToString) -> RouteMisfit {
    RouteMisfit { what: what.to_owned(), expected: expected.to_string(), found: found.to_string() }
}
