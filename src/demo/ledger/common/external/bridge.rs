use super::{AdmittedTx, ExternalContext};
use crate::{
    demo::ledger::{
        ExternalError, ExternalHook,
        common::{
            Flavour,
            plan::PlannedTx,
            record::{DepositHook, DepositRecord, Msg, PartyId, SignMode, TokenId},
            world::PartyRole,
        },
    },
    domain::{Address, Amount, Denom},
};

impl<F: Flavour> ExternalContext<'_, F> {
    /// Plans a withdrawal over the OPinit bridge.
    pub(super) fn withdraw(
        &mut self,
        sender: Address,
        to: &str,
        denom: &Denom,
        amount: Amount,
    ) -> Result<AdmittedTx<F>, ExternalError> {
        let to = Some(l1_address(to)?);
        let leaving = self.leaving(sender, (denom, amount), 262_000)?;
        if !self.is_bridged(leaving.token) {
            return Err(ExternalError::NotBridged(denom.clone()));
        }
        let (sender, token, amount) = (leaving.sender, leaving.token, leaving.amount);
        let sequence = self.state.withdrawal;
        let mut messages = leaving.unwrap;
        messages.push(Msg::Withdraw { sender, to, token, amount, sequence });
        let planned = PlannedTx::of(sender, SignMode::Personal, leaving.gas, messages);
        Ok(AdmittedTx { withdrawal: Some(sequence), ..AdmittedTx::of(planned) })
    }

    pub(super) fn deposit(
        &mut self,
        to: Address,
        from: &str,
        (denom, amount): (&Denom, Amount),
        hook: ExternalHook,
    ) -> Result<AdmittedTx<F>, ExternalError> {
        let from = Some(l1_address(from)?);
        let (token, amount) = self.coin(denom, amount)?;
        if !self.is_bridged(token) {
            return Err(ExternalError::NotBridged(denom.clone()));
        }
        self.mint(token, amount)?;
        let to = self.receiver(to)?;
        let hook = self.hook(to, token, amount, hook)?;
        let (executor, sequence) = (self.world.role(PartyRole::Executor), self.state.deposit);
        let gas = self.gas(if hook == DepositHook::None { 236_000 } else { 541_000 });
        let deposit = DepositRecord { executor, sequence, from, to, token, amount, hook };
        let planned = PlannedTx::free(executor, F::DEPOSIT_FEE, gas, vec![Msg::Deposit(Box::new(deposit))]);
        Ok(AdmittedTx { deposit: Some(sequence), ..AdmittedTx::of(planned) })
    }

    fn hook(
        &self,
        to: PartyId,
        token: TokenId,
        amount: u128,
        hook: ExternalHook,
    ) -> Result<DepositHook, ExternalError> {
        let hooked = TokenId(self.world.catalogue.bridged_token(0));
        let sequence = self.state.sequence(to);
        match hook {
            ExternalHook::None => Ok(DepositHook::None),
            _ if token != hooked => Err(ExternalError::NoHook(self.world.token(hooked).denom.clone())),
            ExternalHook::Run => {
                let amount = F::hook_amount(self.state.balance(token, to), amount);
                Ok(DepositHook::Run { sequence, amount })
            }
            ExternalHook::RunExact(allowed) => {
                let allowed = u128::try_from(allowed.get()).unwrap_or(u128::MAX);
                let amount = F::hook_amount(self.state.balance(token, to), amount).min(allowed);
                Ok(DepositHook::RunExact { sequence, amount })
            }
            ExternalHook::Stale => {
                let stale = sequence.checked_sub(1).unwrap_or(sequence + 1);
                Ok(DepositHook::Stale { sequence: stale, expected: sequence })
            }
        }
    }
}

fn l1_address(text: &str) -> Result<Box<str>, ExternalError> {
    let address: Option<Address> = text.parse().ok();
    address.map(|address| address.bech32().into()).ok_or_else(|| ExternalError::L1Address(text.to_owned()))
}
