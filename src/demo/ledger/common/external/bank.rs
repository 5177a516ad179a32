use super::{AdmittedTx, ExternalContext};
use crate::{
    demo::ledger::{
        ExternalError,
        common::{
            Flavour,
            plan::PlannedTx,
            record::{Msg, SignMode},
        },
    },
    domain::{Address, Amount, Denom},
};

impl<F: Flavour> ExternalContext<'_, F> {
    pub(super) fn bank_send(
        &mut self,
        sender: Address,
        to: Address,
        denom: &Denom,
        amount: Amount,
    ) -> Result<AdmittedTx<F>, ExternalError> {
        let from = self.sender(sender)?;
        let (token, amount) = self.coin(denom, amount)?;
        let gas = self.gas(121_000);
        self.spend(from, token, amount, gas)?;
        let to = self.receiver(to)?;
        Ok(AdmittedTx::of(PlannedTx::new(from, SignMode::Personal, gas, Msg::Send { from, to, token, amount })))
    }
}
