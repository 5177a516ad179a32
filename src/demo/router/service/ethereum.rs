//! Ethereum transactions that clients post. The rollup's are converted as its node does; on the EVM chain the router
//! executes calls of contracts that it knows.

use alloy_primitives::{U256, hex};
use serde_json::Value;

use super::{RouterCall, RouterService, RouterState, posting::follow};
use crate::{
    demo::{
        faults::Fault,
        ledger::{abi, derive},
        posted::{EthereumPayload, EthereumTxError, TxRefusal, ethereum_chain_id},
        router::{
            graph::ListedAsset,
            issued_msgs::{IssuedMsgsLog, evm_message},
            light::{AllowanceKey, BalanceMovement, LightChain, LightTxRequest, PayloadEnd, PayloadLog, PostedPayload},
            plan::Plan,
            tracker::transfer::{SentTx, TrackedTransfer},
        },
    },
    domain::{Address, Amount, ChainId, Denom, EvmTxHash, TxHash, Vm},
    wire::router::ChainKind,
};

/// Native coin of the chain.
pub(in crate::demo) const NATIVE: &str = "ethereum-native";

/// Base fee on the EVM chain, per unit of gas. Wallets add a priority fee.
pub(in crate::demo) const BASE_FEE: u128 = 1_500_000_000;
pub(in crate::demo) const USUAL_TIP: u128 = 100_000_000;

const PAYMENT_GAS: u64 = 21_000;
const APPROVE_GAS: u64 = 46_000;
const TRANSFER_GAS: u64 = 52_000;
/// Gas of a call to a bridge contract.
const BRIDGE_GAS: u64 = 128_000;
/// Gas of a call that reverts.
const REVERTED_GAS: u64 = 31_000;

/// Call on the EVM chain, from a transaction or a simulation.
pub(in crate::demo) struct AskedCall {
    /// Caller in the address format of the chain.
    pub(in crate::demo) from: Address,
    pub(in crate::demo) to: Address,
    pub(in crate::demo) value: U256,
    pub(in crate::demo) input: Vec<u8>,
}

#[derive(Default)]
struct CallRun {
    gas: u64,
    what: String,
    events: Vec<BalanceMovement>,
    logs: Vec<PayloadLog>,
    allowance: Option<(AllowanceKey, Amount)>,
    /// Plan of the router that the call executes.
    plan: Option<Plan>,
    /// Revert reason; empty if the contract gives none.
    reverted: Option<String>,
}

impl RouterService {
    /// Adds a raw Ethereum transaction to the next block of its chain. Returns its hash, or the node's refusal.
    pub fn post_ethereum(&self, chain_id: &ChainId, raw: &[u8], call: RouterCall<'_>) -> Result<EvmTxHash, TxRefusal> {
        if chain_id.as_str() == self.world.rollup().chain_id {
            return self.ethereum_to_rollup(chain_id, raw, call).map(|(_, hash)| hash);
        }
        self.with_state(call, |state, _| self.post_to_evm(chain_id, raw, state, call))
    }

    /// Posts an Ethereum transaction to the rollup. Returns its Cosmos and its Ethereum hash.
    pub(super) fn ethereum_to_rollup(
        &self,
        chain_id: &ChainId,
        raw: &[u8],
        call: RouterCall<'_>,
    ) -> Result<(TxHash, EvmTxHash), TxRefusal> {
        let rollup = self.world.rollup();
        if chain_id.as_str() != rollup.chain_id || rollup.vm != Vm::Evm {
            return Err(no_evm());
        }
        let payload = EthereumPayload::read(raw, ethereum_chain_id(rollup.chain_id))?;
        let fee_denom = rollup.tokens.first().map_or_else(|| Denom::new(""), |token| token.denom.clone());
        let cosmos = self.post(chain_id, &payload.to_cosmos(&fee_denom)?, call)?;
        Ok((cosmos, EvmTxHash::new(payload.hash())))
    }

    /// Returns the gas of a call on the EVM chain, or why it would fail.
    pub(in crate::demo) fn try_on_evm(
        &self,
        chain_id: &ChainId,
        asked: &AskedCall,
    ) -> Result<Result<u64, String>, TxRefusal> {
        let mut state = self.state();
        let RouterState { light, issued_msgs, .. } = &mut *state;
        let chain = light.get(chain_id).ok_or_else(no_evm)?;
        let run = self.run(chain_id, chain, asked, issued_msgs)?;
        let held = chain.balance(&asked.from.checksummed(), &Denom::new(NATIVE));
        if held.get() < asked.value {
            return Err(too_little(&asked.from, held.get(), asked.value));
        }
        Ok(run.reverted.map_or(Ok(run.gas), Err))
    }

    /// Returns the EVM chain ID of an EVM chain; `None` for other chains.
    pub(in crate::demo) fn evm_number(&self, chain_id: &ChainId) -> Option<u64> {
        let is_evm = self.world.chain(chain_id).is_some_and(|chain| chain.kind() == ChainKind::Evm);
        chain_id.as_str().parse().ok().filter(|_| is_evm)
    }

    fn post_to_evm(
        &self,
        chain_id: &ChainId,
        raw: &[u8],
        state: &mut RouterState,
        call: RouterCall<'_>,
    ) -> Result<EvmTxHash, TxRefusal> {
        let payload = EthereumPayload::read(raw, self.evm_number(chain_id).ok_or_else(no_evm)?)?;
        let chain = state.light.get(chain_id).ok_or_else(no_evm)?;
        let hash = EvmTxHash::new(payload.hash());
        if chain.payload(&hash.to_string()).is_some_and(|(_, tx)| tx.at > call.now) {
            return Err(TxRefusal::worded(19, "already known".to_owned()));
        }
        let from = payload.signer()?.address().ok_or(EthereumTxError::Signature)?;
        check_sender(chain, &payload, &from)?;
        let Some(to) = payload.to.map(Address::Short) else {
            return Err(TxRefusal::sdk(37, "this simulated chain deploys no custom contracts"));
        };
        let asked = AskedCall { from, to, value: payload.value, input: payload.input.clone() };
        let mut run = self.run(chain_id, chain, &asked, &mut state.issued_msgs)?;
        if call.faults.contains(&Fault::SourceFails) && run.plan.is_some() {
            run.reverted.get_or_insert_default();
        }
        let starved = run.gas > payload.gas;
        let has_failed = starved || run.reverted.is_some();
        let gas = if starved {
            payload.gas
        } else if has_failed {
            REVERTED_GAS.min(payload.gas)
        } else {
            run.gas
        };
        let price = payload.fee_cap.min(BASE_FEE + payload.tip);
        let mut events = if has_failed { Vec::new() } else { run.events };
        events.extend(fees(&from, gas, price));
        let end = PayloadEnd {
            posted: PostedPayload {
                raw: hex::encode(raw),
                hash: hash.to_string(),
                from: from.checksummed(),
                gas,
                price,
                logs: if has_failed { Vec::new() } else { run.logs },
            },
            nonce: payload.nonce,
            allowance: run.allowance.filter(|_| !has_failed),
            failure: if starved { Some("out of gas".to_owned()) } else { run.reverted.as_deref().map(in_words) },
        };
        let request = LightTxRequest { what: run.what, message: raw, success: true, events };
        let sent = state.light.post_payload(chain_id, end, request, call.now).ok_or_else(no_evm)?;
        state.is_changed = true;
        if let Some(plan) = run.plan {
            let source = SentTx { chain_id: chain_id.clone(), tx_hash: sent.tx_hash, at: sent.at, height: None };
            let mut transfer = TrackedTransfer::new(plan, source);
            transfer.source_error = sent.error;
            follow(state, transfer, &[asked.message()]);
        }
        Ok(hash)
    }

    /// Executes a call; refuses a call that the simulation does not support.
    fn run(
        &self,
        chain_id: &ChainId,
        chain: &LightChain,
        asked: &AskedCall,
        issued_msgs: &mut IssuedMsgsLog,
    ) -> Result<CallRun, TxRefusal> {
        let token = Denom::new(asked.to.checksummed());
        if let Some(listed) = self.world.listed(chain_id, &token) {
            return token_call(chain, asked, listed);
        }
        let issued = issued_msgs.find_messages(chain_id, &[asked.message()]);
        if let Some(plan) = issued.and_then(|(issued, place)| issued.plans.get(place).cloned()) {
            return bridge_call(chain, asked, plan);
        }
        let is_payment = asked.input.is_empty() && !self.is_contract(&asked.to);
        if !is_payment {
            return Err(unknown(asked));
        }
        let amount = Amount::new(asked.value);
        Ok(CallRun {
            gas: PAYMENT_GAS,
            what: "sends to another account".to_owned(),
            events: moved(&asked.from, &asked.to, &Denom::new(NATIVE), amount),
            ..CallRun::default()
        })
    }

    /// Whether a bridge contract is at this address of the EVM chain.
    pub(in crate::demo) fn is_contract(&self, address: &Address) -> bool {
        let terms = self.world.terms();
        let bridges = [&terms.cctp.messenger, &terms.cctp.relayer_contract, &terms.go_fast.gateway];
        bridges.into_iter().any(|contract| contract.parse() == Ok(*address))
    }
}

impl AskedCall {
    /// Encodes the call in the format of the messages that the router returned.
    fn message(&self) -> Value {
        evm_message(&self.to.hex(), &self.value.to_string(), &hex::encode(&self.input))
    }
}

/// Checks a sender as a node does before it accepts a transaction.
fn check_sender(chain: &LightChain, payload: &EthereumPayload, from: &Address) -> Result<(), TxRefusal> {
    let refused = |code, log: String| Err(TxRefusal::worded(code, log));
    let account = from.checksummed();
    let (next, nonce) = (chain.next_nonce(&account), payload.nonce);
    if nonce < next {
        return refused(32, format!("nonce too low: next nonce {next}, tx nonce {nonce}"));
    }
    if nonce > next {
        let why = "this simulated node queues no transactions";
        return refused(32, format!("nonce too high: next nonce {next}, tx nonce {nonce}; {why}"));
    }
    let cap = payload.fee_cap;
    if cap < BASE_FEE {
        let why = "max fee per gas less than block base fee";
        return refused(13, format!("{why}: address {account}, maxFeePerGas: {cap}, baseFee: {BASE_FEE}"));
    }
    let held = chain.balance(&account, &Denom::new(NATIVE)).get();
    let needed = payload.most_fee().saturating_add(payload.value);
    if held < needed { Err(too_little(from, held, needed)) } else { Ok(()) }
}

fn too_little(from: &Address, held: U256, needed: U256) -> TxRefusal {
    let why = "insufficient funds for gas * price + value";
    TxRefusal::worded(5, format!("{why}: address {} have {held} want {needed}", from.checksummed()))
}

/// Returns the balance changes of the fee: the base fee is burned, the proposer gets the priority fee.
fn fees(from: &Address, gas: u64, price: u128) -> Vec<BalanceMovement> {
    let native = Denom::new(NATIVE);
    let of = |price: u128| Amount::new(U256::from(price) * U256::from(gas));
    let mut events = vec![BalanceMovement::spent(&from.checksummed(), &native, of(price))];
    let tip = of(price.saturating_sub(BASE_FEE));
    if !tip.is_zero() {
        events.push(BalanceMovement::received(&derive::fee_collector().checksummed(), &native, tip));
    }
    events
}

fn moved(from: &Address, to: &Address, denom: &Denom, amount: Amount) -> Vec<BalanceMovement> {
    let (from, to) = (from.checksummed(), to.checksummed());
    vec![BalanceMovement::spent(&from, denom, amount), BalanceMovement::received(&to, denom, amount)]
}

fn reverted(gas: u64, what: &str, reason: &str) -> CallRun {
    CallRun { gas, what: what.to_owned(), reverted: Some(reason.to_owned()), ..CallRun::default() }
}

/// Formats a revert as the chain's nodes do.
fn in_words(reason: &str) -> String {
    if reason.is_empty() { "execution reverted".to_owned() } else { format!("execution reverted: {reason}") }
}

fn log(contract: &Address, event: &str, parties: [&Address; 2], amount: Amount) -> PayloadLog {
    let topic = hex::encode_prefixed(alloy_primitives::keccak256(event));
    let parties = parties.map(|party| hex::encode_prefixed(party.word()));
    PayloadLog {
        address: contract.hex(),
        topics: [topic].into_iter().chain(parties).collect(),
        data: hex::encode_prefixed(amount.get().to_be_bytes::<32>()),
    }
}

const TRANSFER: &str = "Transfer(address,address,uint256)";
const APPROVAL: &str = "Approval(address,address,uint256)";

/// Executes a call of an ERC-20 token.
fn token_call(chain: &LightChain, asked: &AskedCall, listed: &ListedAsset) -> Result<CallRun, TxRefusal> {
    let token = listed.denom();
    let AskedCall { from, to: contract, value, input } = asked;
    let (head, words) = input.split_first_chunk::<4>().ok_or_else(|| unknown(asked))?;
    let is = |signature: &str| abi::data(signature, &[]) == *head;
    let (words, rest) = words.as_chunks::<32>();
    let [party, amount] = words else { return Err(unknown(asked)) };
    let party = Address::from_bytes(party.get(12..).unwrap_or_default()).filter(|_| party.starts_with(&[0; 12]));
    let party = party.filter(|_| rest.is_empty()).ok_or_else(|| unknown(asked))?;
    let amount = Amount::new(U256::from_be_bytes(*amount));
    let (gas, what) = match () {
        () if is("transfer(address,uint256)") => (TRANSFER_GAS, "sends a token to another account"),
        () if is("approve(address,uint256)") => (APPROVE_GAS, "approves a spender"),
        () => return Err(unknown(asked)),
    };
    if !value.is_zero() {
        return Ok(reverted(gas, what, "the contract takes no payment"));
    }
    if gas == APPROVE_GAS {
        let (owner, spender) = (from.checksummed(), party.checksummed());
        let key = AllowanceKey { token: token.clone(), owner, spender };
        if listed.resets_allowance && !amount.is_zero() && !chain.next_allowance(&key).is_zero() {
            return Ok(reverted(gas, what, ""));
        }
        let logs = vec![log(contract, APPROVAL, [from, &party], amount)];
        return Ok(CallRun { gas, what: what.to_owned(), logs, allowance: Some((key, amount)), ..CallRun::default() });
    }
    if chain.balance(&from.checksummed(), token) < amount {
        return Ok(reverted(gas, what, "ERC20: transfer amount exceeds balance"));
    }
    let events = moved(from, &party, token, amount);
    let logs = vec![log(contract, TRANSFER, [from, &party], amount)];
    Ok(CallRun { gas, what: what.to_owned(), events, logs, ..CallRun::default() })
}

/// Executes a call from the router's messages: the bridge contract takes the tokens that the sender approved.
fn bridge_call(chain: &LightChain, asked: &AskedCall, plan: Plan) -> Result<CallRun, TxRefusal> {
    let first = plan.steps.first().ok_or_else(|| unknown(asked))?.clone();
    if plan.signer.parse() != Ok(asked.from) {
        let (signer, from) = (&plan.signer, asked.from.checksummed());
        return Err(TxRefusal::sdk(37, format!("the router made this call for {signer}, but {from} signed it")));
    }
    let what = super::words(&first);
    let (token, amount) = (first.denom_in, first.amount_in);
    let account = asked.from.checksummed();
    let key = AllowanceKey { token: token.clone(), owner: account.clone(), spender: asked.to.checksummed() };
    let allowed = chain.next_allowance(&key);
    let refusal = if allowed < amount {
        Some("ERC20: transfer amount exceeds allowance")
    } else if chain.balance(&account, &token) < amount {
        Some("ERC20: transfer amount exceeds balance")
    } else {
        None
    };
    if let Some(reason) = refusal {
        return Ok(CallRun { plan: Some(plan), ..reverted(BRIDGE_GAS, &what, reason) });
    }
    let mut events = vec![BalanceMovement::spent(&account, &token, amount)];
    if !asked.value.is_zero() {
        events.extend(moved(&asked.from, &asked.to, &Denom::new(NATIVE), Amount::new(asked.value)));
    }
    let contract = token.as_str().parse::<Address>().map_err(|_| unknown(asked))?;
    // An unlimited allowance stays unlimited.
    let is_endless = allowed.get() == U256::MAX;
    let left = allowed.checked_sub(amount).unwrap_or_default();
    Ok(CallRun {
        gas: BRIDGE_GAS,
        what,
        events,
        logs: vec![log(&contract, TRANSFER, [&asked.from, &asked.to], amount)],
        allowance: (!is_endless).then_some((key, left)),
        plan: Some(plan),
        reverted: None,
    })
}

fn unknown(asked: &AskedCall) -> TxRefusal {
    let to = asked.to.checksummed();
    let what = match asked.input.get(..4) {
        Some(head) => format!("a call to {to} with selector {}", hex::encode_prefixed(head)),
        None => format!("a payment to {to}"),
    };
    let known = "payments, transfer and approve of its tokens, and the calls of its router: if this is one, \
     request the messages again";
    TxRefusal::sdk(37, format!("this simulated chain does not support {what}; it supports {known}"))
}

fn no_evm() -> TxRefusal {
    TxRefusal::sdk(18, "no such EVM chain")
}
