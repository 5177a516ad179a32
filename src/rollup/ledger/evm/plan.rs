//! What happens in a block: a seeded mix of everything that users, relayers and the operator do.

mod bridge;
mod calls;
mod cosmos;
mod failures;
mod ibc;

use super::{
    apply::apply,
    catalogue::{FEE_TOKEN, GAS_PRICE},
    record::{Fee, Msg, Outcome, PartyId, Style, TokenId, TxRecord},
    state::{Pending, State},
    world::{Role, World},
};
use crate::rollup::ledger::rng::Rng;

/// What every user keeps of the fee token, so that fees can always be paid.
const FEE_RESERVE: u128 = 60_000_000_000_000_000;
/// How often an action is tried before a block is left shorter than planned.
const TRIES: u32 = 12;
/// Transactions per block that has any; their mean times 4/5 is the mean of all blocks.
const CROWDS: [u32; 16] = [1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 4, 5, 6, 8];
/// The block with over 200 transactions, once in [`RUSH_EVERY`] blocks.
const RUSH_AT: u64 = 137;
const RUSH_EVERY: u64 = 5_000;

/// A transaction before it is carried out.
pub(crate) struct Draft {
    signer: PartyId,
    style: Style,
    fee: Fee,
    gas: u32,
    outcome: Outcome,
    sequence: Option<u32>,
    messages: Vec<Msg>,
    pending: Option<Pending>,
}

impl Draft {
    /// A transaction with one message that succeeds.
    fn new(signer: PartyId, style: Style, gas: u32, message: Msg) -> Self {
        Self {
            signer,
            style,
            fee: Fee::Signer,
            gas,
            outcome: Outcome::Success,
            sequence: None,
            messages: vec![message],
            pending: None,
        }
    }

    /// A program's transaction, which pays nothing.
    fn free(signer: PartyId, fee: Fee, gas: u32, messages: Vec<Msg>) -> Self {
        Self { fee, messages, ..Self::new(signer, Style::Direct, gas, Msg::SetBridgeInfo { sender: signer }) }
    }

    /// The same, ending otherwise.
    fn ending(self, outcome: Outcome) -> Self {
        Self { outcome, ..self }
    }
}

/// Something that may happen; `None` when the state does not allow it now.
type Action = fn(&mut Planner<'_>) -> Option<Draft>;

/// Everything that may happen, with its weight.
const ACTIONS: [(u32, Action); 32] = [
    (115, calls::transfer),
    (35, calls::approve),
    (60, calls::pay),
    (45, calls::mint),
    (40, calls::give),
    (12, calls::approve_all),
    (140, calls::swap),
    (16, calls::to_local),
    (12, calls::to_remote),
    (38, calls::stake),
    (14, calls::unstake),
    (34, calls::claim),
    (9, calls::disperse),
    (7, calls::burn),
    (55, calls::ping),
    (8, calls::create),
    (4, calls::create2),
    (110, cosmos::send),
    (9, cosmos::grant),
    (5, cosmos::revoke),
    (14, cosmos::exec),
    (8, cosmos::allow_fees),
    (4, cosmos::revoke_fees),
    (4, cosmos::prune_allowances),
    (62, bridge::deposit),
    (24, bridge::withdraw),
    (22, bridge::oracle),
    (10, bridge::operator),
    (34, ibc::send),
    (36, ibc::receive),
    (16, ibc::nft),
    (52, failures::any),
];

/// One block being planned.
pub(crate) struct Planner<'a> {
    world: &'a World,
    state: &'a mut State,
    rng: Rng,
    height: u64,
    txs: Vec<TxRecord>,
}

impl<'a> Planner<'a> {
    /// For the block at this height.
    pub(crate) fn new(world: &'a World, state: &'a mut State, rng: Rng, height: u64) -> Self {
        Self { world, state, rng, height, txs: Vec::new() }
    }

    /// Plans the block and changes the state accordingly.
    pub(crate) fn plan(mut self) -> Box<[TxRecord]> {
        let count = self.crowd() as usize;
        self.txs.reserve_exact(count);
        let mut tries = u32::try_from(count).unwrap_or(0) * TRIES;
        while self.txs.len() < count && tries > 0 {
            tries -= 1;
            let relayed = if self.txs.is_empty() { ibc::settle(&mut self) } else { None };
            if let Some(draft) = relayed.or_else(|| self.draw()) {
                self.submit(draft);
            }
        }
        self.txs.into_boxed_slice()
    }

    /// How many transactions the block shall have: none in a fifth of all blocks.
    fn crowd(&mut self) -> u32 {
        if self.height % RUSH_EVERY == RUSH_AT {
            return 204 + self.rng.index(40);
        }
        if self.rng.chance(1, 5) { 0 } else { self.rng.pick(&CROWDS).copied().unwrap_or(1) }
    }

    fn draw(&mut self) -> Option<Draft> {
        let total: u32 = ACTIONS.iter().map(|(weight, _)| weight).sum();
        let mut point = self.rng.index(total);
        for (weight, action) in ACTIONS {
            if point < weight {
                return action(self);
            }
            point -= weight;
        }
        None
    }

    /// Takes the fee, counts the signature, does the messages, gives gas back, and notes it all down.
    fn submit(&mut self, draft: Draft) {
        let Draft { signer, style, fee, gas, outcome, sequence, messages, pending } = draft;
        let (gas_wanted, gas_used) = self.gas(gas, outcome);
        let price = u128::from(gas_wanted) * GAS_PRICE;
        let payer = match fee {
            Fee::Signer => Some(signer),
            Fee::Granter(granter) => Some(granter),
            Fee::Zero | Fee::Empty | Fee::TooLittle => None,
        };
        if payer.is_some_and(|payer| self.state.balance(TokenId(FEE_TOKEN), payer) < price) {
            return;
        }
        let sequence = sequence.unwrap_or_else(|| self.state.sequence(signer));
        if !outcome.is_before_fee() {
            if let Some(payer) = payer {
                self.state.transfer(TokenId(FEE_TOKEN), payer, self.world.role(Role::FeeCollector), price);
            }
            self.state.advance_sequence(signer, 1);
        }
        if outcome == Outcome::Success {
            for msg in &messages {
                apply(self.state, self.world, msg);
            }
            let calls = messages.iter().filter(|msg| matches!(msg, Msg::Call { .. })).count();
            self.state.advance_sequence(signer, u32::try_from(calls.saturating_sub(1)).unwrap_or(0));
            self.state.pending.extend(pending);
            if style == Style::Ethereum {
                let refund = u128::from(refunded_gas(gas_wanted, gas_used)) * GAS_PRICE;
                self.state.transfer(TokenId(FEE_TOKEN), self.world.role(Role::FeeCollector), signer, refund);
            }
        }
        let messages = messages.into_boxed_slice();
        self.txs.push(TxRecord { signer, sequence, gas_wanted, gas_used, style, fee, outcome, messages });
    }

    /// Gas asked for and used, given what the action usually uses.
    fn gas(&mut self, usual: u32, outcome: Outcome) -> (u32, u32) {
        let used = usual + self.rng.index(usual / 6 + 1);
        match outcome {
            Outcome::OutOfGas(_) => (used * 2 / 3, used * 2 / 3 + 1 + self.rng.index(9_000)),
            Outcome::WrongSequence { .. } | Outcome::InsufficientFee => (used * 3 / 2, 21_000 + self.rng.index(9_000)),
            Outcome::IntrinsicGas => (20_000 + self.rng.index(900), 18_000 + self.rng.index(1_500)),
            _ => (used + used / 100 * (20 + self.rng.index(40)), used),
        }
    }

    /// A user who can pay fees; busy ones more often.
    fn user(&mut self) -> Option<PartyId> {
        for _ in 0..TRIES {
            let user = PartyId(self.rng.skewed(self.world.users()));
            if self.state.balance(TokenId(FEE_TOKEN), user) > FEE_RESERVE * 2 {
                return Some(user);
            }
        }
        None
    }

    /// Another user.
    fn other(&mut self, than: PartyId) -> PartyId {
        let users = self.world.users();
        let drawn = if self.rng.chance(1, 2) { self.rng.skewed(users) } else { self.rng.index(users) };
        if drawn == than.0 { PartyId((drawn + 1) % users.max(1)) } else { PartyId(drawn) }
    }

    /// A user with a token among `choice` and an amount of it that they can spend.
    fn holder(&mut self, choice: &[u8], most: u64) -> Option<(PartyId, TokenId, u128)> {
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

    /// What a user can spend and still pay the fee.
    fn spendable(&self, token: TokenId, user: PartyId) -> u128 {
        let balance = self.state.balance(token, user);
        if token.0 == FEE_TOKEN { balance.saturating_sub(FEE_RESERVE) } else { balance }
    }

    /// How wallets sign EVM calls: mostly as Ethereum transactions.
    fn evm_style(&mut self) -> Style {
        if self.rng.chance(4, 5) { Style::Ethereum } else { Style::Personal }
    }

    /// How wallets sign Cosmos messages.
    fn cosmos_style(&mut self) -> Style {
        if self.rng.chance(5, 6) { Style::Personal } else { Style::Direct }
    }
}

/// The part of unused gas that an Ethereum-signed transaction gets back: half.
pub(crate) fn refunded_gas(wanted: u32, used: u32) -> u32 {
    wanted.saturating_sub(used) / 2
}
