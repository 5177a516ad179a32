//! Inner calls of the rollup's contracts.

use super::{TracedAct, TracedRun};
use crate::demo::ledger::{
    FrameKind,
    common::{
        catalogue::FEE_TOKEN,
        record::{TokenId, TxOutcome},
        render::RenderView,
        world::{Party, PartyRole},
    },
    derive::{self, number_word},
    evm::{
        apply::{swap_tokens, wrap_tokens},
        catalogue::{POOLS, REWARD_TOKEN, UNLISTED_TOKEN, WRAP_FACTOR},
        record::{ContractCall, Swap},
        render::abi::AbiArg,
        world::{application, pool},
    },
};

/// Caller address when the chain itself calls a contract.
const CHAIN: [u8; 20] = ending(0x01);
/// Precompile that queries the Cosmos side.
const COSMOS: [u8; 20] = ending(0xf1);
/// Index of the application behind a proxy.
const ARENA: u8 = 3;
const LOTTERY: u8 = 6;
/// Maximum gas of a proxy's delegation; the implementation uses nearly all of it.
const ALL: u32 = 5_000_000;

const fn ending(last: u8) -> [u8; 20] {
    let mut bytes = [0; 20];
    bytes[19] = last;
    bytes
}

/// Inner call. In a trace it follows its caller and all earlier calls.
pub(super) struct CallStep<'a> {
    /// Frame of the caller: 0 is the outer call, 1 the first step.
    pub(super) parent: u32,
    pub(super) kind: FrameKind,
    pub(super) from: [u8; 20],
    pub(super) to: [u8; 20],
    pub(super) input: StepInput<'a>,
    pub(super) output: StepOutput,
    pub(super) usual_gas: u32,
}

pub(super) enum StepInput<'a> {
    Same,
    Function(&'static str, Vec<AbiArg<'a>>),
}

pub(super) enum StepOutput {
    Nothing,
    Words(Vec<[u8; 32]>),
    /// Return data, or revert reason, of the outer call.
    Outer,
    Price(u64),
}

/// Returns all inner calls of a call or deployment.
pub(super) fn steps<'a>(view: &RenderView<'a>, traced: &TracedRun<'_>) -> Vec<CallStep<'a>> {
    let mut writer = StepWriter { view: *view, steps: Vec::new() };
    if let TracedAct::Call(call) = traced.act {
        writer.call(view.party(traced.sender), call, traced.outcome == TxOutcome::Success);
    }
    writer.steps
}

/// Builder that records steps in calling order.
struct StepWriter<'a> {
    view: RenderView<'a>,
    steps: Vec<CallStep<'a>>,
}

fn word(party: &Party) -> AbiArg<'static> {
    AbiArg::Word(party.word())
}

fn amount(value: u128) -> AbiArg<'static> {
    AbiArg::Word(number_word(value))
}

impl<'a> StepWriter<'a> {
    /// Adds a step and returns the index of its frame.
    fn push(&mut self, step: CallStep<'a>) -> u32 {
        self.steps.push(step);
        u32::try_from(self.steps.len()).unwrap_or(u32::MAX)
    }

    fn call(&mut self, me: &'a Party, call: &ContractCall, succeeds: bool) {
        let view = self.view;
        match call {
            // A token that is not the bank's does not ask it.
            ContractCall::Transfer { token: UNLISTED_TOKEN, .. } => {}
            ContractCall::Transfer { token, to, .. } => self.ask_blocked(0, view.contract(*token), view.party(*to)),
            ContractCall::Burn { token, .. } => self.ask(0, view.contract(*token), "is_module_address(address)", me),
            ContractCall::Pay { to, amount } if succeeds => self.pay(me, view.party(*to), *amount),
            ContractCall::Claim { amount } if succeeds => self.reward(0, view.role(PartyRole::Airdrop), me, *amount),
            ContractCall::Swap(swap) if succeeds => self.swap(me, swap),
            ContractCall::Disperse { token, each, to } if succeeds => {
                let (disperser, token) = (view.role(PartyRole::Disperser), view.contract(*token));
                to.iter().for_each(|to| self.transfer_from(0, disperser, token, [me, view.party(*to)], *each));
            }
            ContractCall::ToLocal { .. }
            | ContractCall::ToRemote { .. }
            | ContractCall::Stake { .. }
            | ContractCall::Unstake { .. } => {
                self.behind_proxy(me, call, succeeds);
            }
            ContractCall::Ping { application: ARENA, .. } => {
                self.proxy(view.party(application(view.world, ARENA)));
            }
            ContractCall::Ping { application: LOTTERY, argument } => self.ask_price(*argument),
            ContractCall::Pay { .. }
            | ContractCall::Claim { .. }
            | ContractCall::Swap(_)
            | ContractCall::Disperse { .. }
            | ContractCall::Approve { .. }
            | ContractCall::Mint { .. }
            | ContractCall::Give { .. }
            | ContractCall::ApproveAll { .. }
            | ContractCall::MintItems { .. }
            | ContractCall::MintBatch { .. }
            | ContractCall::GiveItems { .. }
            | ContractCall::Ping { .. } => {}
        }
    }

    /// Adds a call of the wrapper or the vault: the proxy's delegation, then the implementation's calls.
    fn behind_proxy(&mut self, me: &'a Party, call: &ContractCall, succeeds: bool) {
        let view = self.view;
        let is_vault = matches!(call, ContractCall::Stake { .. } | ContractCall::Unstake { .. });
        let contract = view.role(if is_vault { PartyRole::Vault } else { PartyRole::Wrapper });
        let code = self.proxy(contract);
        if !succeeds {
            return;
        }
        match call {
            ContractCall::ToLocal { wrap, amount } => self.convert_in(code, contract, me, *wrap, *amount),
            ContractCall::ToRemote { wrap, amount } => self.convert_out(code, contract, me, *wrap, *amount),
            ContractCall::Stake { amount } => {
                let token = view.contract(TokenId(REWARD_TOKEN));
                self.transfer_from(code, contract, token, [me, contract], *amount);
            }
            ContractCall::Unstake { amount } => self.reward(code, contract, me, *amount),
            _ => {}
        }
    }

    /// Adds the delegation of a proxy to its implementation. Returns its frame.
    fn proxy(&mut self, contract: &Party) -> u32 {
        self.push(CallStep {
            parent: 0,
            kind: FrameKind::DelegateCall,
            from: contract.tail(),
            to: derive::create_address(contract.tail(), 1),
            input: StepInput::Same,
            output: StepOutput::Outer,
            usual_gas: ALL,
        })
    }

    fn view_call(
        &mut self,
        parent: u32,
        from: &Party,
        to: [u8; 20],
        function: (&'static str, Vec<AbiArg<'a>>),
        output: StepOutput,
        usual_gas: u32,
    ) {
        let input = StepInput::Function(function.0, function.1);
        self.push(CallStep { parent, kind: FrameKind::StaticCall, from: from.tail(), to, input, output, usual_gas });
    }

    /// Adds a query to the Cosmos side, which answers false.
    fn ask(&mut self, parent: u32, contract: &Party, function: &'static str, about: &Party) {
        let answer = StepOutput::Words(vec![[0; 32]]);
        self.view_call(parent, contract, COSMOS, (function, vec![word(about)]), answer, 1_400);
    }

    /// Adds the query with which a token asks whether the receiver is blocked.
    fn ask_blocked(&mut self, parent: u32, token: &Party, receiver: &Party) {
        self.ask(parent, token, "is_blocked_address(address)", receiver);
    }

    fn ask_price(&mut self, argument: u64) {
        let (lottery, oracle) = (application(self.view.world, LOTTERY), application(self.view.world, 0));
        let function = ("get_price(string)", vec![AbiArg::Text("INIT/USD")]);
        let (lottery, oracle) = (self.view.party(lottery), self.view.party(oracle).tail());
        self.view_call(0, lottery, oracle, function, StepOutput::Price(argument), 9_800);
    }

    fn change(
        &mut self,
        parent: u32,
        from: [u8; 20],
        contract: &Party,
        function: (&'static str, Vec<AbiArg<'a>>),
        output: StepOutput,
        usual_gas: u32,
    ) -> u32 {
        let (to, input) = (contract.tail(), StepInput::Function(function.0, function.1));
        self.push(CallStep { parent, kind: FrameKind::Call, from, to, input, output, usual_gas })
    }

    /// Adds a payment in the fee token.
    fn pay(&mut self, from: &Party, to: &Party, value: u128) {
        let token = self.view.contract(TokenId(FEE_TOKEN));
        let arguments = vec![word(from), word(to), amount(value)];
        self.change(0, CHAIN, token, ("sudoTransfer(address,address,uint256)", arguments), StepOutput::Nothing, 28_000);
    }

    fn transfer(&mut self, parent: u32, from: &Party, token: &Party, to: &Party, value: u128) {
        let function = ("transfer(address,uint256)", vec![word(to), amount(value)]);
        let frame = self.change(parent, from.tail(), token, function, answer_yes(), 29_000);
        self.ask_blocked(frame, token, to);
    }

    fn reward(&mut self, parent: u32, from: &Party, to: &Party, value: u128) {
        let token = self.view.contract(TokenId(REWARD_TOKEN));
        self.transfer(parent, from, token, to, value);
    }

    fn transfer_from(&mut self, parent: u32, by: &Party, token: &Party, parties: [&Party; 2], value: u128) {
        let [from, to] = parties;
        let function = ("transferFrom(address,address,uint256)", vec![word(from), word(to), amount(value)]);
        let frame = self.change(parent, by.tail(), token, function, answer_yes(), 33_000);
        self.ask_blocked(frame, token, to);
    }

    /// Adds a query for the ERC-20 contract of a denom.
    fn ask_contract(&mut self, parent: u32, wrapper: &Party, token: TokenId) {
        let answer = StepOutput::Words(vec![self.view.contract(token).word()]);
        let function = ("to_erc20(string)", vec![AbiArg::Text(self.view.denom(token))]);
        self.view_call(parent, wrapper, COSMOS, function, answer, 3_200);
    }

    fn convert_in(&mut self, parent: u32, wrapper: &Party, me: &Party, pair: u8, value: u128) {
        let (remote, local) = wrap_tokens(pair);
        self.ask_contract(parent, wrapper, remote);
        self.transfer_from(parent, wrapper, self.view.contract(remote), [me, wrapper], value);
        let (token, arguments) = (self.view.contract(local), vec![word(me), amount(value * WRAP_FACTOR)]);
        let function = ("mint(address,uint256)", arguments);
        let minting = self.change(parent, wrapper.tail(), token, function, StepOutput::Nothing, 36_000);
        self.ask_blocked(minting, token, me);
    }

    fn convert_out(&mut self, parent: u32, wrapper: &Party, me: &Party, pair: u8, value: u128) {
        let (remote, local) = wrap_tokens(pair);
        let (token, arguments) = (self.view.contract(local), vec![word(me), amount(value)]);
        let function = ("burnFrom(address,uint256)", arguments);
        let burning = self.change(parent, wrapper.tail(), token, function, answer_yes(), 30_000);
        self.ask(burning, token, "is_module_address(address)", me);
        self.ask_contract(parent, wrapper, remote);
        self.transfer(parent, wrapper, self.view.contract(remote), me, value / WRAP_FACTOR);
    }

    /// Adds the calls of a router's swap: it queries the reserves, transfers the input, and calls the pool.
    fn swap(&mut self, me: &Party, swap: &Swap) {
        let view = self.view;
        let (router, pool) = (view.role(PartyRole::Router), view.party(pool(view.world, swap.pool)));
        let (sold, bought) = swap_tokens(swap);
        let [first, second] = swap.reserves;
        let before = if swap.forward {
            [first.saturating_sub(swap.sold), second + swap.bought]
        } else {
            [first + swap.bought, second.saturating_sub(swap.sold)]
        };
        let seconds = u128::try_from(view.clock.time(view.height - 1).as_nanos() / 1_000_000_000).unwrap_or(0);
        let reserves = [before[0], before[1], seconds].map(number_word).to_vec();
        self.view_call(0, router, pool.tail(), ("getReserves()", Vec::new()), StepOutput::Words(reserves), 2_600);
        self.transfer_from(0, router, view.contract(sold), [me, pool], swap.sold);
        let paid = if swap.forward { [0, swap.bought] } else { [swap.bought, 0] }.map(amount);
        let [first, second] = paid;
        let function = ("swap(uint256,uint256,address,bytes)", vec![first, second, word(me), AbiArg::Text("")]);
        let frame = self.change(0, router.tail(), pool, function, StepOutput::Nothing, 78_000);
        self.transfer(frame, pool, view.contract(bought), me, swap.bought);
        let (first, second) = POOLS.get(usize::from(swap.pool)).copied().unwrap_or_default();
        for (token, held) in [first, second].into_iter().zip(swap.reserves) {
            let (token, answer) = (view.contract(TokenId(token)), StepOutput::Words(vec![number_word(held)]));
            self.view_call(frame, pool, token.tail(), ("balanceOf(address)", vec![word(pool)]), answer, 2_700);
        }
    }
}

fn answer_yes() -> StepOutput {
    StepOutput::Words(vec![number_word(1)])
}
