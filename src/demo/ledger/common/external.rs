//! Admission of external transactions: checks them against the current state and plans them.

mod bank;
mod bridge;
mod called;
mod function;
mod ibc;
mod posted;

pub(crate) use self::function::{CallEnd, CalledFunction};
use super::{
    Flavour,
    catalogue::{FEE_TOKEN, OriginSpec, WRAP_FACTOR},
    plan::PlannedTx,
    record::{Msg, PartyId, TokenId},
    state::LedgerState,
    world::{STRANGERS, WALLET, World},
};
use crate::{
    demo::ledger::{External, ExternalError, clock::BlockClock, rng::mix},
    domain::{Address, Amount, Denom},
};

/// Context for admitting external transactions. After an error the caller must remove the parties that it added.
pub(crate) struct ExternalContext<'a, F: Flavour> {
    pub(crate) world: &'a mut World,
    /// State before the transaction.
    pub(crate) state: &'a mut LedgerState<F::Own>,
    pub(crate) clock: BlockClock,
    pub(crate) height: u64,
    /// Fee that the transaction declares; `None` if it follows from the gas.
    pub(crate) declared_fee: Option<u128>,
}

/// Accepted transaction and the sequence numbers in its events.
pub(crate) struct AdmittedTx<F: Flavour> {
    /// Planned transaction; `gas` is the exact gas used.
    pub(crate) planned: PlannedTx<F>,
    /// Channel and sequence number of the packet that it sends or settles.
    pub(crate) packet: Option<(u8, u64)>,
    /// Timeout of the packet that it sends, in nanoseconds since 1970.
    pub(crate) expires: Option<u64>,
    pub(crate) withdrawal: Option<u64>,
    pub(crate) deposit: Option<u64>,
}

impl<F: Flavour> AdmittedTx<F> {
    fn of(planned: PlannedTx<F>) -> Self {
        Self { planned, packet: None, expires: None, withdrawal: None, deposit: None }
    }
}

/// Returns the gas limit for this much used gas.
pub(crate) fn wanted(used: u32) -> u32 {
    used + used / 100 * 40
}

/// Token as it leaves the rollup, with the messages that convert the sender's token to it.
struct OutgoingTokens<F: Flavour> {
    sender: PartyId,
    token: TokenId,
    amount: u128,
    unwrap: Vec<Msg<F>>,
    gas: u32,
}

impl<F: Flavour> ExternalContext<'_, F> {
    /// Checks a transaction and plans it. May add parties to the state, but changes no values.
    pub(crate) fn admit(&mut self, external: &External) -> Result<AdmittedTx<F>, ExternalError> {
        let entry = match external {
            External::BankSend { sender, to, denom, amount } => self.bank_send(*sender, *to, denom, *amount),
            External::Withdraw { sender, to, denom, amount } => self.withdraw(*sender, to, denom, *amount),
            External::Deposit { to, from, denom, amount, hook } => self.deposit(*to, from, (denom, *amount), *hook),
            External::Send { sender, receiver, denom, amount, channel, memo, seconds } => {
                self.send(*sender, [receiver, memo, channel], (denom, *amount), *seconds)
            }
            External::Receive { receiver, sender, denom, amount, channel, memo, accepted } => {
                self.receive(*receiver, [sender, memo, channel], (denom, *amount), *accepted)
            }
            External::Answer { channel, sequence, answer } => self.answer(channel, *sequence, *answer),
            External::Posted(posted) => self.posted(posted, false),
        };
        self.state.grow(self.world.len());
        entry
    }

    /// Returns the party that signs: a user or an external account, never a contract.
    fn sender(&self, address: Address) -> Result<PartyId, ExternalError> {
        let found = self.world.find(address.bytes()).filter(|id| self.world.is_person(*id));
        let wallet = self.world.party(PartyId(WALLET)).address;
        found.ok_or(ExternalError::UnknownSender { sender: address, wallet })
    }

    /// Returns the party that receives; adds a new party if needed.
    fn receiver(&mut self, address: Address) -> Result<PartyId, ExternalError> {
        match (self.world.find(address.bytes()), address) {
            (Some(id), _) if self.world.is_account(id) => Ok(id),
            (Some(_), _) => Err(ExternalError::NotAnAccount(address)),
            (None, Address::Long(_)) => Err(ExternalError::LongAddress(address)),
            (None, Address::Short(_)) => self.world.meet(address).ok_or(ExternalError::TooManyAccounts(STRANGERS)),
        }
    }

    fn token(&self, denom: &Denom) -> Result<TokenId, ExternalError> {
        let listed =
            self.world.token_by_denom(denom).filter(|token| self.world.catalogue.tokens.len() > token.0.into());
        listed.ok_or_else(|| ExternalError::UnknownDenom(denom.clone()))
    }

    /// Returns the token and the amount, which must fit in the VM.
    fn coin(&self, denom: &Denom, amount: Amount) -> Result<(TokenId, u128), ExternalError> {
        let token = self.token(denom)?;
        let number = u128::try_from(amount.get()).ok().filter(|number| *number <= self.world.catalogue.largest);
        match number {
            Some(0) => Err(ExternalError::Nothing),
            Some(number) => Ok((token, number)),
            None => Err(self.too_much(token, amount)),
        }
    }

    fn too_much(&self, token: TokenId, amount: Amount) -> ExternalError {
        ExternalError::TooMuch { amount, symbol: self.symbol(token) }
    }

    fn symbol(&self, token: TokenId) -> &'static str {
        self.world.catalogue.tokens.get(usize::from(token.0)).map_or("", |spec| spec.symbol)
    }

    fn display(&self, token: TokenId, amount: u128) -> String {
        let decimals = self.world.catalogue.tokens.get(usize::from(token.0)).map_or(0, |spec| spec.decimals);
        Amount::from(amount).display(decimals)
    }

    /// Returns the gas of a transaction: the usual amount plus up to a sixth, depending on its number.
    fn gas(&self, usual: u32) -> u32 {
        let more = mix(self.clock.seed ^ self.state.number) % u64::from(usual / 6 + 1);
        usual + u32::try_from(more).unwrap_or(0)
    }

    /// Fails if the account cannot pay the amount; for the fee token, amount and fee.
    fn spend(&self, sender: PartyId, token: TokenId, amount: u128, gas: u32) -> Result<(), ExternalError> {
        let usual = || self.world.catalogue.fee(wanted(gas));
        let fee = if token.0 == FEE_TOKEN { self.declared_fee.unwrap_or_else(usual) } else { 0 };
        let (held, needed) = (self.state.balance(token, sender), amount.saturating_add(fee));
        if held >= needed {
            return Ok(());
        }
        let (held, needed) = (self.display(token, held), self.display(token, needed));
        Err(ExternalError::Funds { sender: self.world.party(sender).address, held, needed, symbol: self.symbol(token) })
    }

    /// Fails if minting would exceed the VM's maximum, for the token or the other token of its pair.
    fn mint(&self, token: TokenId, amount: u128) -> Result<(), ExternalError> {
        let wrapped = F::WRAPS.iter().any(|(remote, _)| *remote == token.0);
        let factor = if wrapped { 2 * WRAP_FACTOR } else { 1 };
        let most = self.world.catalogue.largest / factor;
        let sum = self.state.supply(token).checked_add(amount).filter(|sum| *sum <= most);
        sum.map(|_| ()).ok_or_else(|| self.too_much(token, Amount::from(amount)))
    }

    /// Fails if a reserve cannot pay the amount.
    fn reserve(&self, token: TokenId, held: u128, amount: u128, place: &'static str) -> Result<(), ExternalError> {
        if held >= amount {
            return Ok(());
        }
        Err(ExternalError::Reserve { held: self.display(token, held), symbol: self.symbol(token), place })
    }

    /// Returns the token that leaves the rollup; a wrapped token leaves as its original. `usual` is the gas without the
    /// conversion.
    fn leaving(
        &self,
        sender: Address,
        (denom, amount): (&Denom, Amount),
        usual: u32,
    ) -> Result<OutgoingTokens<F>, ExternalError> {
        let sender = self.sender(sender)?;
        let (token, whole) = self.coin(denom, amount)?;
        let Some((wrap, (remote, _))) = (0..).zip(F::WRAPS).find(|(_, (_, local))| *local == token.0) else {
            let gas = self.gas(usual);
            self.spend(sender, token, whole, gas)?;
            return Ok(OutgoingTokens { sender, token, amount: whole, unwrap: Vec::new(), gas });
        };
        if !whole.is_multiple_of(WRAP_FACTOR) {
            return Err(ExternalError::Rest { amount, symbol: self.symbol(token) });
        }
        let gas = self.gas(usual + 227_000);
        self.spend(sender, token, whole, gas)?;
        let (token, amount) = (TokenId(*remote), whole / WRAP_FACTOR);
        let locked = self.state.balance(token, self.world.role(super::world::PartyRole::Wrapper));
        self.reserve(token, locked, amount, "the wrapper")?;
        let unwrap = F::unwrap(self.world, sender, wrap, whole).into_iter().map(Msg::Vm).collect();
        Ok(OutgoingTokens { sender, token, amount, unwrap, gas })
    }

    /// Whether a token came over the OPinit bridge.
    fn is_bridged(&self, token: TokenId) -> bool {
        matches!(self.world.catalogue.origin(token.0), OriginSpec::Bridged(_))
    }
}
