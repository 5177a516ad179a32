//! Contract calls that the simulation supports: ERC-20 functions and payments.

use alloy_primitives::{U256, hex};

use super::{AdmittedTx, CallEnd, CalledFunction, ExternalContext};
use crate::{
    demo::{
        ledger::{
            ExternalError,
            abi::data,
            common::{
                Flavour,
                catalogue::FEE_TOKEN,
                plan::PlannedTx,
                record::{Msg, PartyId, PostedRecord, SignMode, TokenId, TxOutcome},
            },
        },
        posted::{PostedCall, PostedTx, TxRefusal},
    },
    domain::{Address, Vm},
};

impl<F: Flavour> ExternalContext<'_, F> {
    /// Plans a transaction with one call. The account pays `fee` before the call; `gas` is the gas limit.
    pub(super) fn called(
        &mut self,
        (posted, call): (&PostedTx, &PostedCall),
        signer: PartyId,
        (gas, fee): (u32, u128),
        is_trial: bool,
    ) -> Result<AdmittedTx<F>, ExternalError> {
        let function = self.function(call)?;
        let (message, usual) = F::call(signer, function).ok_or_else(|| unknown(call))?;
        let used = self.gas(usual);
        let end = match self.refusal(signer, function, fee) {
            _ if !is_trial && used > gas => Some(CallEnd::OutOfGas),
            reason => reason.map(CallEnd::Reverted),
        };
        let style = if posted.is_ethereum() { SignMode::Ethereum } else { SignMode::Direct };
        let planned = PlannedTx::new(signer, style, used, Msg::Vm(message));
        let (planned, failure) = match end.and_then(|end| Some((end, F::call_failure(end)?))) {
            None => (planned, None),
            Some((end, failure)) => {
                let gas = if end == CallEnd::OutOfGas { gas } else { planned.gas };
                let planned = planned.ending(TxOutcome::Vm(failure));
                (PlannedTx { gas, ..planned }, Some(end.failure()))
            }
        };
        let posted = Some(Box::new(PostedRecord { tx: posted.clone(), fee: 0, failure }));
        Ok(AdmittedTx::of(PlannedTx { posted, ..planned }))
    }

    /// Parses a call; refuses a call that the simulation does not support.
    fn function(&mut self, call: &PostedCall) -> Result<CalledFunction, ExternalError> {
        if F::VM != Vm::Evm {
            return Err(unknown(call).into());
        }
        let contract = self.world.find(call.contract.bytes());
        let token = self.world.token_ids().find(|token| Some(self.world.token(*token).contract) == contract);
        let Some(token) = token else {
            if !call.input.is_empty() {
                return Err(unknown(call).into());
            }
            let amount = small(call.value.get()).ok_or_else(|| unknown(call))?;
            return Ok(CalledFunction::Pay { to: self.payee(call.contract)?, amount });
        };
        if !call.value.is_zero() {
            let why = "this token's contract accepts no payment with a call";
            return Err(TxRefusal::sdk(37, why).into());
        }
        let (head, words) = call.input.split_first_chunk::<4>().ok_or_else(|| unknown(call))?;
        let is = |signature: &str| data(signature, &[]) == *head;
        let (words, rest) = words.as_chunks::<32>();
        match words {
            [to, amount] if rest.is_empty() && is("transfer(address,uint256)") => {
                let to = account(to).filter(|to| to.bytes() != [0; 20]).ok_or_else(|| unknown(call))?;
                let amount = small(U256::from_be_bytes(*amount)).ok_or_else(|| unknown(call))?;
                Ok(CalledFunction::Transfer { token, to: self.payee(to)?, amount })
            }
            [spender, amount] if rest.is_empty() && is("approve(address,uint256)") => {
                let spender = account(spender).ok_or_else(|| unknown(call))?;
                let amount = U256::from_be_bytes(*amount);
                let limited = || small(amount).ok_or_else(|| unknown(call));
                let amount = if amount == U256::MAX { None } else { Some(limited()?) };
                let known = self.world.find(spender.bytes());
                let spender = known.map_or_else(|| self.receiver(spender), Ok)?;
                Ok(CalledFunction::Approve { token, spender, amount })
            }
            [amount] if rest.is_empty() && is("burn(uint256)") => {
                let amount = small(U256::from_be_bytes(*amount)).ok_or_else(|| unknown(call))?;
                Ok(CalledFunction::Burn { token, amount })
            }
            _ => Err(unknown(call).into()),
        }
    }

    fn payee(&mut self, to: Address) -> Result<PartyId, ExternalError> {
        self.receiver(to).map_err(|error| match error {
            ExternalError::NotAnAccount(_) => TxRefusal::sdk(37, error).into(),
            other => other,
        })
    }

    /// Returns the revert reason if the contract refuses the call.
    fn refusal(&self, signer: PartyId, function: CalledFunction, fee: u128) -> Option<&'static str> {
        let (token, amount, reason) = match function {
            CalledFunction::Transfer { token, amount, .. } => (token, amount, "ERC20: transfer amount exceeds balance"),
            CalledFunction::Burn { token, amount } => (token, amount, "ERC20: burn amount exceeds balance"),
            CalledFunction::Pay { amount, .. } => (TokenId(FEE_TOKEN), amount, "insufficient balance for transfer"),
            CalledFunction::Approve { .. } => return None,
        };
        let paid = if token.0 == FEE_TOKEN { fee } else { 0 };
        (self.state.balance(token, signer) < amount.saturating_add(paid)).then_some(reason)
    }
}

fn unknown(call: &PostedCall) -> TxRefusal {
    let contract = call.contract.checksummed();
    let what = match call.input.get(..4) {
        Some(head) => format!("the call {} of {contract}", hex::encode_prefixed(head)),
        None => format!("this payment to {contract}"),
    };
    let known = "payments to accounts, and transfer, approve and burn of its ERC-20 tokens";
    TxRefusal::sdk(37, format!("this simulated chain does not support {what}: it supports {known}"))
}

fn small(number: U256) -> Option<u128> {
    u128::try_from(number).ok()
}

fn account(word: &[u8; 32]) -> Option<Address> {
    let (zeros, address) = word.split_first_chunk::<12>()?;
    if *zeros == [0; 12] { Address::from_bytes(address) } else { None }
}
