//! The router as its HTTP side uses it: the world, what is remembered, and the journal.

mod claims;
mod ethereum;
mod faucet;
mod hook;
mod posting;
mod submitting;

pub(in crate::demo) use ethereum::{AskedCall, BASE_FEE, NATIVE, USUAL_TIP};
pub(in crate::demo) use posting::gas_of;

use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use serde::{Deserialize, Serialize};

use super::{
    error::RouterError,
    issued_msgs::{IssuedMsgs, IssuedMsgsLog},
    journal::{Journal, JournalIdentity, JournalRecord},
    light::{BalanceMovement, LightChains, LightTx, LightTxRequest},
    plan::{Plan, PlanStep, StepKind},
    tracker::{
        Tracker,
        advance::{RollupApi, StepContext, outgoing_tx},
        report::{LinkMaker, RouterStates, StatusReporter},
        transfer::{SentTx, TrackedTransfer, TransferKey, TransferPhase},
    },
    wallet,
    world::RouterWorld,
};
use crate::{
    demo::{
        faults::Fault,
        ledger::{External, LedgerOptions},
        settlement::BridgeTerms,
    },
    domain::{Amount, ChainId, Denom, Height, Timestamp, text::clip},
    wire::router::{
        Broadcast, BroadcastRequest, ChainKind, DemoWallet, MsgsRequest, MsgsResponse, Route, RouteRequest,
        SignRequest, SignedOpHook, TrackRequest, TrackResponse, TransferStatus,
    },
};

/// Transactions of the rollup that can be made again after a restart. With more of them the journal ends.
const MOST_ACCEPTED: usize = 5_000;

/// What the router remembers, and the journal keeps.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RouterState {
    light: LightChains,
    transfers: Tracker,
    /// The messages that were given out.
    issued_msgs: IssuedMsgsLog,
    /// What the rollup took, with the block, in order: with it the same chain can be made again.
    accepted: Vec<(Height, External)>,
    /// How often the faucet gave something.
    #[serde(default)]
    funded: u32,
    /// The withdrawals that were claimed on the L1, by their number: when, and with which transaction.
    #[serde(default)]
    claims: BTreeMap<u64, SentTx>,
    /// Whether something is to be written down.
    #[serde(skip)]
    is_changed: bool,
}

/// The router of one rollup.
#[derive(Debug)]
pub struct RouterService {
    world: RouterWorld,
    states: RouterStates,
    state: Mutex<RouterState>,
    writer: Option<JournalWriter>,
    links: Links,
    known: Option<u64>,
    /// The bridge between the rollup and the L1.
    bridge: BridgeTerms,
    /// The rollup's identity, with which hashes on the light chains are mixed too.
    identity: u64,
}

/// The journal and what stands at its head.
#[derive(Debug)]
struct JournalWriter {
    journal: Journal,
    identity: JournalIdentity,
    genesis_time: Timestamp,
    /// Whether what the rollup took must be kept here: its index keeps it where that has a file.
    keeps_accepted: bool,
}

/// The moment of a call, and what the call reaches.
#[derive(Clone, Copy)]
pub struct RouterCall<'a> {
    /// The time.
    pub now: Timestamp,
    /// What goes wrong.
    pub faults: &'a [Fault],
    /// The rollup.
    pub rollup: &'a dyn RollupApi,
}

/// What a router is made of besides its rollup.
#[derive(Debug)]
pub struct RouterOptions {
    /// How many times faster waits for finality pass.
    pub time_scale: u32,
    /// The words of the status endpoint.
    pub states: RouterStates,
    /// Where the program listens: `http://127.0.0.1:8080`.
    pub url: String,
    /// The journal, and what it had.
    pub journal: Option<(Journal, Option<JournalRecord>)>,
    /// Whether the rollup's index has a file.
    pub has_file: bool,
}

impl RouterService {
    /// The router of the rollup with these options; the genesis time is final.
    pub fn new(ledger: &LedgerOptions, options: RouterOptions) -> Self {
        let world = RouterWorld::new(ledger.vm, ledger.seed, options.time_scale);
        let identity = JournalIdentity::new(ledger);
        let (journal, record) = options.journal.unzip();
        let (taken, state) = record.flatten().map(|record| (record.taken, record.state)).unzip();
        let mut state = state.unwrap_or_default();
        open_chains(&world, &mut state.light);
        let rollup = world.rollup().chain_id;
        Self {
            states: options.states,
            state: Mutex::new(state),
            writer: journal.map(|journal| JournalWriter {
                journal,
                identity,
                genesis_time: ledger.genesis_time,
                keeps_accepted: !options.has_file,
            }),
            links: Links { url: options.url, rollup },
            known: taken.flatten().filter(|_| options.has_file),
            identity: ledger.identity_number(),
            bridge: BridgeTerms::of(&world, ledger),
            world,
        }
    }

    /// The bridge between the rollup and the L1.
    pub(in crate::demo) fn bridge(&self) -> &BridgeTerms {
        &self.bridge
    }

    /// The chains, assets and routes.
    pub fn world(&self) -> &RouterWorld {
        &self.world
    }

    /// How many of the transactions from outside that the index's file keeps the journal knew of at the start; the
    /// others were taken just before the program was killed. `None` where nothing is to be made up for.
    pub fn known(&self) -> Option<u64> {
        self.known
    }

    /// Whether nothing is under way.
    pub fn is_idle(&self) -> bool {
        self.state().transfers.is_idle()
    }

    /// Takes all transfers on as far as they can go now.
    pub fn advance(&self, call: RouterCall<'_>) {
        self.with_state(call, |_, _| ());
    }

    /// The messages of a route, remembered for a broadcast.
    pub fn msgs(&self, request: &MsgsRequest, now: Timestamp) -> Result<MsgsResponse, RouterError> {
        let (response, plans) = self.world.msgs(request, now)?;
        self.state().issued_msgs.add(&response.txs, plans);
        Ok(response)
    }

    /// A route and its messages in one, which are remembered for a broadcast; `addresses` are by chain.
    pub fn msgs_direct(
        &self,
        request: &RouteRequest,
        (addresses, slippage, hook): (&BTreeMap<ChainId, String>, String, Option<SignedOpHook>),
        check: impl FnOnce(&MsgsRequest) -> Result<(), RouterError>,
        now: Timestamp,
    ) -> Result<(Route, MsgsResponse), RouterError> {
        let route = self.world.route(request, now)?;
        let address = |chain: &ChainId| {
            let missing = || RouterError::invalid(format!("chain_ids_to_addresses: {chain} is missing"));
            addresses.get(chain).cloned().ok_or_else(missing)
        };
        let address_list: Vec<String> = route.required_chain_addresses.iter().map(address).collect::<Result<_, _>>()?;
        let asked = MsgsRequest {
            amount_in: route.amount_in,
            amount_out: route.amount_out,
            source_asset_chain_id: route.source_asset_chain_id.clone(),
            source_asset_denom: route.source_asset_denom.clone(),
            dest_asset_chain_id: route.dest_asset_chain_id.clone(),
            dest_asset_denom: route.dest_asset_denom.clone(),
            address_list,
            operations: route.operations.clone(),
            slippage_tolerance_percent: slippage,
            estimated_amount_out: route.estimated_amount_out,
            signed_op_hook: hook,
        };
        check(&asked)?;
        let msgs = self.msgs(&asked, now)?;
        Ok((route, msgs))
    }

    /// What an account holds on a light chain; `None` where the chain is the rollup, or none of this world.
    pub fn light_balances(&self, chain: &ChainId, account: &str) -> Option<BTreeMap<Denom, Amount>> {
        Some(self.state().light.get(chain)?.balances(account))
    }

    /// Signs a hook as the demo wallet: its address and the signed transaction.
    pub fn sign(&self, hook: &SignRequest) -> Result<(String, String), RouterError> {
        let chain_id = &hook.chain_id;
        if !self.world.rollups().iter().any(|rollup| rollup.chain_id == chain_id.as_str()) {
            let chain_id = clip(chain_id.as_str(), 60);
            return Err(RouterError::invalid(format!("“{chain_id}” is no rollup that runs hooks on arrival")));
        }
        let signer = self.signer(chain_id)?.to_owned();
        // Nothing that a rollup runs for the wallet but what the wallet sent from there counts up its sequence. The two
        // more of `docs/apis/router.md` §2 are never due: no route of this world comes back to the chain that it left.
        let sequence = self.state().transfers.sent_from(chain_id);
        let hook = wallet::sign(hook, &signer, sequence)?;
        Ok((signer, hook))
    }

    /// Signs and sends a transaction of the messages as the demo wallet.
    pub fn broadcast(&self, request: &BroadcastRequest, call: RouterCall<'_>) -> Result<Broadcast, RouterError> {
        let msgs: MsgsResponse = serde_json::from_str(request.msgs.get())
            .map_err(|error| RouterError::invalid(format!("msgs: this is no answer of /v2/fungible/msgs: {error}")))?;
        let index = request.tx_index.unwrap_or(0) as usize;
        self.with_state(call, |state, accepted| {
            let plan = {
                let unknown = || RouterError::invalid("these messages are not known here: ask for the messages again");
                let RouterState { issued_msgs, transfers, .. } = state;
                choose(issued_msgs.find(&msgs.txs).ok_or_else(unknown)?, index, transfers)?
            };
            let transfer = self.send(plan, state, call, accepted)?;
            let key = transfer.key();
            state.transfers.add(transfer);
            if let Some(sent) = state.issued_msgs.find(&msgs.txs).and_then(|issued| issued.sent.get_mut(index)) {
                *sent = Some(key.clone());
            }
            state.is_changed = true;
            Ok(Broadcast { chain_id: key.chain_id, tx_hash: key.tx_hash })
        })
    }

    /// Begins to track a transaction.
    pub fn track(&self, request: &TrackRequest, call: RouterCall<'_>) -> Result<TrackResponse, RouterError> {
        let key = self.key(request)?;
        self.with_state(call, |state, accepted| {
            let RouterState { light, transfers, is_changed, .. } = state;
            let context = self.context(light, call, accepted);
            let tracked = transfers.track(&key, &context);
            // A refusal may be of one that failed, whose status is known from now on.
            *is_changed |= *tracked.as_ref().unwrap_or(&true);
            tracked?;
            let explorer_link = transfers.find(&key).map(|found| self.links.link(&found.source)).unwrap_or_default();
            Ok(TrackResponse { tx_hash: key.tx_hash.clone(), explorer_link })
        })
    }

    /// Claims the optimistic withdrawal of a transaction on the L1, as the demo wallet: where and as what.
    pub fn claim(&self, request: &TrackRequest, call: RouterCall<'_>) -> Result<Broadcast, RouterError> {
        let key = self.key(request)?;
        self.with_state(call, |state, accepted| {
            let RouterState { light, transfers, claims, is_changed, .. } = state;
            let (withdrawal, sent) = transfers.claim(&key, &mut self.context(light, call, accepted))?;
            claims.extend(withdrawal.map(|sequence| (sequence, sent.clone())));
            *is_changed = true;
            Ok(Broadcast { chain_id: sent.chain_id, tx_hash: sent.tx_hash })
        })
    }

    /// How far a tracked transaction is.
    pub fn status(&self, request: &TrackRequest, call: RouterCall<'_>) -> Result<TransferStatus, RouterError> {
        let key = self.key(request)?;
        self.with_state(call, |state, _| {
            let reporter = StatusReporter { now: call.now, states: self.states, link: &self.links };
            let tracked = state.transfers.find(&key).filter(|transfer| transfer.tracked.is_some());
            tracked.map(|transfer| reporter.status(transfer)).ok_or_else(|| RouterError::not_found("tx not found"))
        })
    }

    /// A transaction of a light chain, once it is in a block.
    pub fn light_tx(&self, chain_id: &str, tx_hash: &str, now: Timestamp) -> Option<LightTx> {
        let key = TransferKey::read(&ChainId::new(chain_id), tx_hash)?;
        self.state().light.get(&key.chain_id)?.tx(&key.tx_hash, now).cloned()
    }

    /// The wallet, with what it holds on the light chains; on the rollup `held`.
    pub fn wallet(&self, held: &[(Denom, Amount)]) -> DemoWallet {
        let mut wallet = DemoWallet::default();
        let state = self.state();
        for chain in self.world.chains() {
            let Some(address) = self.world.wallet_address(&chain.chain_id) else { continue };
            let light = state.light.get(&chain.chain_id);
            let balances = light.map_or_else(|| held.iter().cloned().collect(), |light| light.balances(address));
            let balances = balances.into_iter().map(|(denom, amount)| (denom, amount.to_string())).collect();
            wallet.addresses.insert(chain.chain_id.clone(), address.to_owned());
            wallet.balances.insert(chain.chain_id, balances);
        }
        wallet
    }

    fn key(&self, request: &TrackRequest) -> Result<TransferKey, RouterError> {
        if self.world.chain(&request.chain_id).is_none() {
            return Err(RouterError::not_found("chain ID not supported"));
        }
        TransferKey::read(&request.chain_id, &request.tx_hash)
            .ok_or_else(|| RouterError::invalid("tx_hash: this is not a transaction hash"))
    }

    fn signer(&self, chain_id: &ChainId) -> Result<&str, RouterError> {
        let unknown = || RouterError::invalid(format!("the demo wallet is not on “{}”", clip(chain_id.as_str(), 60)));
        self.world.wallet_address(chain_id).ok_or_else(unknown)
    }

    /// Brings a signed transaction to its chain.
    fn send(
        &self,
        plan: Plan,
        state: &mut RouterState,
        call: RouterCall<'_>,
        accepted: &mut Vec<(Height, External)>,
    ) -> Result<TrackedTransfer, RouterError> {
        let wallet = self.signer(&plan.chain_id)?;
        if plan.signer != wallet {
            let signer = clip(&plan.signer, 70);
            return Err(RouterError::invalid(format!("{signer} must sign this; the demo wallet is {wallet}")));
        }
        if !state.transfers.has_room() {
            return Err(RouterError::invalid("too many transfers are under way: wait until one has ended"));
        }
        let first = plan.steps.first().cloned().ok_or_else(|| RouterError::invalid("these messages do nothing"))?;
        let fails = call.faults.contains(&Fault::SourceFails);
        if plan.chain_id.as_str() == self.world.rollup().chain_id {
            if fails {
                let why = "the fault source-fails is of the other chains only: nothing was sent";
                return Err(RouterError::invalid(why));
            }
            if !call.rollup.is_current() {
                let why = "the rollup makes up for a time in which it stood still: try again in a moment";
                return Err(RouterError::unavailable(why));
            }
            return self.send_from_rollup(plan, &first, &mut state.light, call, accepted);
        }
        self.send_from_light(plan, &first, &mut state.light, call.now, fails)
    }

    fn send_from_rollup(
        &self,
        plan: Plan,
        first: &PlanStep,
        light: &mut LightChains,
        call: RouterCall<'_>,
        accepted: &mut Vec<(Height, External)>,
    ) -> Result<TrackedTransfer, RouterError> {
        let external = outgoing_tx(first, self.world.packet_seconds())
            .ok_or_else(|| RouterError::invalid("the rollup cannot do what this begins with"))?;
        let submitted = self
            .context(light, call, accepted)
            .submit(external)
            .map_err(|error| RouterError::invalid(format!("the rollup refused it: {error}")))?;
        let source = SentTx {
            chain_id: plan.chain_id.clone(),
            tx_hash: submitted.tx_hash.to_string(),
            at: submitted.time,
            height: Some(submitted.height),
        };
        let mut transfer = TrackedTransfer::new(plan, source);
        transfer.source_packet =
            submitted.packet.zip(submitted.expires).map(|(packet, until)| (packet.sequence, until));
        transfer.source_withdrawal = submitted.withdrawal;
        Ok(transfer)
    }

    /// Brings a signed transaction to a light chain.
    fn send_from_light(
        &self,
        plan: Plan,
        first: &PlanStep,
        light: &mut LightChains,
        now: Timestamp,
        fails: bool,
    ) -> Result<TrackedTransfer, RouterError> {
        let (denom, amount) = (&first.denom_in, first.amount_in);
        let held = light.get(&plan.chain_id).map(|chain| chain.balance(&plan.signer, denom)).unwrap_or_default();
        if held < amount {
            let (chain, denom) = (&plan.chain_id, clip(denom.as_str(), 80));
            return Err(RouterError::invalid(format!(
                "the demo wallet has {held} of {denom} on {chain}, less than the {amount} that are needed"
            )));
        }
        let mut events = vec![BalanceMovement::spent(&plan.signer, denom, amount)];
        let is_local = plan.steps.iter().all(|step| step.kind.is_local());
        if let Some(last) = plan.steps.last().filter(|_| is_local) {
            events.push(BalanceMovement::received(&last.receiver, &last.denom_out, last.amount_out));
        }
        let mut message = self.identity.to_be_bytes().to_vec();
        serde_json::to_writer(&mut message, &plan).map_err(|error| RouterError::invalid(error.to_string()))?;
        let request = LightTxRequest { what: words(first), message: &message, success: !fails, events };
        let tx =
            light.send(&plan.chain_id, request, now).ok_or_else(|| RouterError::not_found("chain ID not supported"))?;
        let source = SentTx { chain_id: plan.chain_id.clone(), tx_hash: tx.tx_hash, at: tx.at, height: None };
        let mut transfer = TrackedTransfer::new(plan, source);
        transfer.source_error = tx.error;
        Ok(transfer)
    }

    fn context<'a>(
        &'a self,
        light: &'a mut LightChains,
        call: RouterCall<'a>,
        accepted: &'a mut Vec<(Height, External)>,
    ) -> StepContext<'a> {
        StepContext {
            now: call.now,
            faults: call.faults,
            rollup: call.rollup,
            facts: self.world.rollup(),
            bridge: self.bridge,
            packet_seconds: self.world.packet_seconds(),
            light,
            accepted,
        }
    }

    fn state(&self) -> MutexGuard<'_, RouterState> {
        // Every call leaves the state whole, so one whose holder panicked is still good.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Brings the transfers up to now, unless the rollup would make that wait, does something with the state, and
    /// writes what changed down before anybody hears of it.
    fn with_state<T>(
        &self,
        call: RouterCall<'_>,
        act: impl FnOnce(&mut RouterState, &mut Vec<(Height, External)>) -> T,
    ) -> T {
        let mut state = self.state();
        let mut accepted = std::mem::take(&mut state.accepted);
        let RouterState { light, transfers, .. } = &mut *state;
        let has_moved = call.rollup.is_current() && transfers.advance(&mut self.context(light, call, &mut accepted));
        state.is_changed |= has_moved;
        let result = act(&mut state, &mut accepted);
        state.accepted = accepted;
        if std::mem::take(&mut state.is_changed)
            && let Some(writer) = &self.writer
        {
            writer.keep(&mut state, call);
        }
        result
    }
}

impl JournalWriter {
    fn keep(&self, state: &mut RouterState, call: RouterCall<'_>) {
        if !self.keeps_accepted {
            state.accepted.clear();
        }
        if state.accepted.len() > MOST_ACCEPTED {
            // An error would mean that it is gone already.
            drop(self.journal.forget());
            return;
        }
        let kept = RouterState { issued_msgs: state.issued_msgs.begun(), ..state.clone() };
        let record = JournalRecord {
            identity: self.identity.clone(),
            genesis_time: self.genesis_time,
            saved: call.now,
            tip: call.rollup.tip(),
            taken: call.rollup.taken(),
            state: kept,
        };
        if let Err(error) = self.journal.write(&record) {
            tracing::warn!(%error, "the journal of transfers cannot be written");
        }
    }
}

impl RouterState {
    /// What the rollup took, with the block, in order.
    pub fn accepted(&self) -> &[(Height, External)] {
        &self.accepted
    }

    /// Whether anybody sent anything.
    pub fn has_transfers(&self) -> bool {
        !self.transfers.is_empty() || !self.accepted.is_empty()
    }
}

/// Where transactions can be looked at: on this server.
#[derive(Debug)]
struct Links {
    url: String,
    rollup: &'static str,
}

impl LinkMaker for Links {
    fn link(&self, sent: &SentTx) -> String {
        let SentTx { chain_id, tx_hash, .. } = sent;
        if chain_id.as_str() == self.rollup {
            return format!("{}/indexer/tx/v1/txs/{tx_hash}", self.url);
        }
        format!("{}/demo/v1/txs/{chain_id}/{tx_hash}", self.url)
    }
}

/// Opens the light chains that a journal did not have, with what the wallet holds there at the start.
fn open_chains(world: &RouterWorld, light: &mut LightChains) {
    let start = world.wallet_start();
    for chain in world.chains() {
        if chain.chain_id.as_str() == world.rollup().chain_id {
            continue;
        }
        let wallet = world.wallet_address(&chain.chain_id).unwrap_or_default();
        light.open(chain.chain_id.clone(), chain.kind() == ChainKind::Evm, || {
            let here = start.iter().filter(|(id, ..)| *id == chain.chain_id);
            here.map(|(_, denom, amount)| BalanceMovement::received(wallet, denom, *amount)).collect()
        });
    }
}

/// The transaction of an offer that is to be sent, unless it was or must wait.
fn choose(issued: &IssuedMsgs, index: usize, transfers: &Tracker) -> Result<Plan, RouterError> {
    let count = issued.plans.len();
    let plan = issued.plans.get(index).ok_or_else(|| {
        RouterError::invalid(format!("tx_index: these messages have {count} transactions, counted from 0"))
    })?;
    if let Some(Some(sent)) = issued.sent.get(index) {
        let TransferKey { chain_id, tx_hash } = sent;
        return Err(RouterError::invalid(format!("this transaction was sent already: {tx_hash} on {chain_id}")));
    }
    let has_arrived = index.checked_sub(1).is_none_or(|before| {
        let own = issued.sent.get(before).and_then(Option::as_ref).and_then(|key| transfers.find(key));
        // Messages grow old: for a later transaction they are asked for anew, and know nothing of what was sent.
        own.is_some_and(|transfer| transfer.phase == TransferPhase::Arrived)
            || issued.plans.get(before).is_some_and(|plan| transfers.has_brought(plan))
    });
    if !has_arrived {
        let sentence = format!("tx_index: transaction {} must arrive before {index} can be sent", index - 1);
        return Err(RouterError::invalid(sentence));
    }
    Ok(plan.clone())
}

/// What a signed transaction does, for whoever looks at the light chain.
fn words(first: &PlanStep) -> String {
    let to = &first.to;
    match &first.kind {
        StepKind::Swap { venue } => format!("swaps at {venue}"),
        StepKind::Send => "sends to another account".to_owned(),
        StepKind::OpDeposit { .. } => format!("deposits for {to}"),
        StepKind::OpWithdraw { .. } => format!("withdraws to {to}"),
        StepKind::Cctp => format!("burns for {to}"),
        StepKind::GoFast => format!("orders a payment on {to}"),
        StepKind::Ibc { .. } => format!("sends a packet to {to}"),
    }
}
