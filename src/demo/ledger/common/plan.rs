//! Planner of blocks: a seeded mix of actions by users, relayers and the operator.

pub(crate) mod bridge;
pub(crate) mod cosmos;
pub(crate) mod failures;
pub(crate) mod ibc;
mod notes;

pub(crate) use self::notes::MemoNumber;
use super::{
    Flavour,
    apply::apply,
    catalogue::FEE_TOKEN,
    record::{FeePayment, Msg, PartyId, PostedRecord, SignMode, TokenId, TxOutcome, TxRecord},
    state::{LedgerState, Pending},
    world::{PartyRole, World},
};
use crate::demo::ledger::{keys::KeyKind, rng::Rng};

/// Attempts at choosing an action, a user or an amount, after which the planner gives up.
pub(crate) const TRIES: u32 = 12;
/// Numbers of transactions in a block that is not empty, equally likely. A fifth of all blocks are empty.
const CROWDS: [u32; 16] = [1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 4, 5, 6, 8];
/// Offset of the block with over 200 transactions, which comes once in [`RUSH_EVERY`] blocks.
const RUSH_AT: u64 = 137;
const RUSH_EVERY: u64 = 5_000;
/// Maximum number of opening transactions.
const OPENING: u32 = 400;

/// Transaction that the simulation has not executed yet.
pub(crate) struct PlannedTx<F: Flavour> {
    pub(crate) signer: PartyId,
    pub(crate) style: SignMode,
    pub(crate) fee: FeePayment,
    pub(crate) gas: u32,
    pub(crate) outcome: TxOutcome<F>,
    /// Sequence number of the signature, if it is wrong.
    pub(crate) sequence: Option<u32>,
    pub(crate) messages: Vec<Msg<F>>,
    pub(crate) pending: Option<Pending>,
    pub(crate) note: MemoNumber,
    pub(crate) posted: Option<Box<PostedRecord>>,
}

impl<F: Flavour> PlannedTx<F> {
    pub(crate) fn new(signer: PartyId, style: SignMode, gas: u32, message: Msg<F>) -> Self {
        Self::of(signer, style, gas, vec![message])
    }

    pub(crate) fn of(signer: PartyId, style: SignMode, gas: u32, messages: Vec<Msg<F>>) -> Self {
        let (fee, outcome) = (FeePayment::Signer, TxOutcome::Success);
        Self {
            signer,
            style,
            fee,
            gas,
            outcome,
            sequence: None,
            messages,
            pending: None,
            note: MemoNumber::default(),
            posted: None,
        }
    }

    /// Creates a transaction of a program, such as a relayer, which pays no fee.
    pub(crate) fn free(signer: PartyId, fee: FeePayment, gas: u32, messages: Vec<Msg<F>>) -> Self {
        Self { fee, ..Self::of(signer, SignMode::Direct, gas, messages) }
    }

    pub(crate) fn ending(self, outcome: TxOutcome<F>) -> Self {
        Self { outcome, ..self }
    }
}

/// Plans an action; `None` if the state does not allow it now.
pub(crate) type PlanAction<F> = fn(&mut Planner<'_, F>) -> Option<PlannedTx<F>>;

pub(crate) struct Planner<'a, F: Flavour> {
    pub(crate) world: &'a World,
    pub(crate) state: &'a mut LedgerState<F::Own>,
    /// Random numbers of the block.
    pub(crate) rng: Rng,
    pub(crate) height: u64,
    txs: Vec<TxRecord<F>>,
}

impl<'a, F: Flavour> Planner<'a, F> {
    /// Creates the planner of a block that already has transactions.
    pub(crate) fn new(
        world: &'a World,
        state: &'a mut LedgerState<F::Own>,
        rng: Rng,
        height: u64,
        begun: Vec<TxRecord<F>>,
    ) -> Self {
        Self { world, state, rng, height, txs: begun }
    }

    /// Plans the block and applies it to the state.
    pub(crate) fn plan(mut self) -> Box<[TxRecord<F>]> {
        if self.height == 1 {
            self.open();
        }
        let (begun, count) = (self.txs.len(), self.txs_per_block() as usize);
        self.txs.reserve_exact(count);
        let mut tries = u32::try_from(count).unwrap_or(0) * TRIES;
        while self.txs.len() < begun + count && tries > 0 {
            tries -= 1;
            let relayed = if self.txs.len() == begun { ibc::settle(&mut self) } else { None };
            if let Some(planned) = relayed.or_else(|| self.draw()) {
                self.submit(planned);
            }
        }
        self.txs.into_boxed_slice()
    }

    /// Plans the opening, which mints the collections' initial tokens.
    fn open(&mut self) {
        for _ in 0..OPENING {
            let Some(planned) = F::opening(self) else { return };
            self.submit(planned);
        }
    }

    /// Returns a collection and the numbers of initial tokens that it still lacks, at most `most`.
    pub(crate) fn unminted(&self, most: u32) -> Option<(u8, std::ops::RangeInclusive<u32>)> {
        (0..).zip(self.world.catalogue.collections).find_map(|(place, spec)| {
            let minted = self.state.minted(place);
            let last = spec.minted.min(minted + most);
            (minted < last).then_some((place, minted + 1..=last))
        })
    }

    /// Returns a random user, with or without funds. Busy users are more likely.
    pub(crate) fn anybody(&mut self) -> PartyId {
        PartyId(self.rng.skewed(self.world.users()))
    }

    /// Returns how many transactions the block gets; none in a fifth of all blocks.
    fn txs_per_block(&mut self) -> u32 {
        if self.height % RUSH_EVERY == RUSH_AT {
            return 204 + self.rng.index(40);
        }
        if self.rng.chance(1, 5) { 0 } else { self.rng.pick(&CROWDS).copied().unwrap_or(1) }
    }

    fn draw(&mut self) -> Option<PlannedTx<F>> {
        let total: u32 = F::ACTIONS.iter().map(|(weight, _)| weight).sum();
        let mut point = self.rng.index(total);
        for (weight, action) in F::ACTIONS {
            if point < *weight {
                return action(self);
            }
            point -= weight;
        }
        None
    }

    fn submit(&mut self, planned: PlannedTx<F>) {
        let gas = self.gas(planned.gas, planned.outcome);
        self.txs.extend(carry_out(self.state, self.world, planned, gas));
    }

    /// Returns gas limit and gas used, from the action's usual gas.
    fn gas(&mut self, usual: u32, outcome: TxOutcome<F>) -> (u32, u32) {
        let used = usual + self.rng.index(usual / 6 + 1);
        match outcome {
            TxOutcome::OutOfGas(_) => (used * 2 / 3, used * 2 / 3 + 1 + self.rng.index(9_000)),
            TxOutcome::WrongSequence { .. } | TxOutcome::InsufficientFee => {
                (used * 3 / 2, 21_000 + self.rng.index(9_000))
            }
            TxOutcome::Vm(failure) if F::uses_up(failure) => {
                let limit = self.generous(used);
                (limit, limit)
            }
            TxOutcome::Vm(failure) => {
                F::failure_gas(&mut self.rng, failure).unwrap_or_else(|| (self.generous(used), used))
            }
            _ => (self.generous(used), used),
        }
    }

    /// Returns the gas limit that a wallet sets for its estimate.
    fn generous(&mut self, used: u32) -> u32 {
        used + used / 100 * (20 + self.rng.index(40))
    }

    /// Returns a random user who can pay fees. Busy users are more likely.
    pub(crate) fn user(&mut self) -> Option<PartyId> {
        for _ in 0..TRIES {
            let user = PartyId(self.rng.skewed(self.world.users()));
            if self.state.balance(TokenId(FEE_TOKEN), user) > self.world.catalogue.fee_reserve() * 2 {
                return Some(user);
            }
        }
        None
    }

    pub(crate) fn other(&mut self, than: PartyId) -> PartyId {
        let users = self.world.users();
        let drawn = if self.rng.chance(1, 2) { self.rng.skewed(users) } else { self.rng.index(users) };
        if drawn == than.0 { PartyId((drawn + 1) % users.max(1)) } else { PartyId(drawn) }
    }

    /// Returns a user, a token from `choice`, and an amount that the user can spend.
    pub(crate) fn holder(&mut self, choice: &[u8], most: u64) -> Option<(PartyId, TokenId, u128)> {
        for _ in 0..TRIES {
            let user = self.user()?;
            let token = TokenId(self.rng.pick(choice).copied()?);
            let amount = self.rng.share(self.spendable(token, user), most);
            if amount > 0 {
                return Some((user, token, amount));
            }
        }
        None
    }

    /// Returns a user with funds in a contract, of which `kept` returns the amount, and part of these funds.
    pub(crate) fn holder_of_some(
        &mut self,
        kept: impl Fn(&LedgerState<F::Own>, PartyId) -> u128,
    ) -> Option<(PartyId, u128)> {
        for _ in 0..TRIES * 4 {
            let user = self.user()?;
            let amount = self.rng.share(kept(self.state, user), 900);
            if amount > 0 {
                return Some((user, amount));
            }
        }
        None
    }

    /// Returns how much a user can spend besides the fee.
    pub(crate) fn spendable(&self, token: TokenId, user: PartyId) -> u128 {
        let balance = self.state.balance(token, user);
        if token.0 == FEE_TOKEN { balance.saturating_sub(self.world.catalogue.fee_reserve()) } else { balance }
    }

    /// Returns the sign mode in which a wallet signs Cosmos messages.
    pub(crate) fn cosmos_style(&mut self) -> SignMode {
        if self.rng.chance(5, 6) { SignMode::Personal } else { SignMode::Direct }
    }
}

/// Executes a transaction: takes the fee, counts the signature, applies the messages, refunds gas and records the
/// result. `gas` is the limit and the gas used. Returns `None`, without an effect, if the account cannot pay the fee.
pub(crate) fn carry_out<F: Flavour>(
    state: &mut LedgerState<F::Own>,
    world: &World,
    planned: PlannedTx<F>,
    (gas_wanted, gas_used): (u32, u32),
) -> Option<TxRecord<F>> {
    let PlannedTx { signer, mut style, fee, outcome, sequence, messages, pending, note, posted, .. } = planned;
    // Only Ethereum wallets sign Cosmos messages as personal messages.
    if style == SignMode::Personal && world.party(signer).key.is_some_and(|key| key.kind == KeyKind::Cosmos) {
        style = SignMode::Direct;
    }
    let price = match fee {
        FeePayment::Declared => posted.as_ref().map_or(0, |posted| posted.fee),
        _ => world.catalogue.fee(gas_wanted),
    };
    let payer = match fee {
        FeePayment::Signer | FeePayment::Declared => Some(signer),
        FeePayment::Granter(granter) => Some(granter),
        FeePayment::Zero | FeePayment::Empty | FeePayment::TooLittle => None,
    };
    if payer.is_some_and(|payer| state.balance(TokenId(FEE_TOKEN), payer) < price) {
        return None;
    }
    if let FeePayment::Granter(granter) = fee
        && !outcome.is_before_fee()
        && !state.spend_allowance((granter, signer), price)
    {
        return None;
    }
    let sequence = sequence.unwrap_or_else(|| state.sequence(signer));
    if !outcome.is_before_fee() {
        if let Some(payer) = payer {
            state.transfer(TokenId(FEE_TOKEN), payer, world.role(PartyRole::FeeCollector), price);
        }
        state.advance_sequence(signer, 1);
    }
    if outcome == TxOutcome::Success {
        for msg in &messages {
            apply(state, world, msg);
        }
        state.pending.extend(pending);
    }
    let messages = messages.into_boxed_slice();
    let tx = TxRecord { signer, sequence, gas_wanted, gas_used, style, note, fee, outcome, messages, posted };
    if outcome == TxOutcome::Success {
        F::finish(state, world, &tx);
    }
    state.number += 1;
    Some(tx)
}
