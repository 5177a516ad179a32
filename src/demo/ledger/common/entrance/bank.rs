use super::{Entrance, Entry};
use crate::{
    demo::ledger::{
        ExternalError,
        common::{
            Flavour,
            plan::Draft,
            record::{Msg, Style},
        },
    },
    domain::{Address, Amount, Denom},
};

impl<F: Flavour> Entrance<'_, F> {
    /// A bank send.
    pub(super) fn bank_send(
        &mut self,
        sender: Address,
        to: Address,
        denom: &Denom,
        amount: Amount,
    ) -> Result<Entry<F>, ExternalError> {
        let from = self.sender(sender)?;
        let (token, amount) = self.coin(denom, amount)?;
        let gas = self.gas(121_000);
        self.spend(from, token, amount, gas)?;
        let to = self.receiver(to)?;
        Ok(Entry::of(Draft::new(from, Style::Personal, gas, Msg::Send { from, to, token, amount })))
    }
}
