//! Router as the HTTP server uses it: the world, the mutable state and the journal.

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

/// Maximum rollup transactions that a restart replays. The journal ends when there are more.
const MOST_ACCEPTED: usize = 5_000;

/// Mutable state of the router, which the journal stores.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RouterState {
    light: LightChains,
    transfers: Tracker,
    issued_msgs: IssuedMsgsLog,
    /// External transactions of the rollup with their blocks, in order. A restart replays them.
    accepted: Vec<(Height, External)>,
    /// Number of payments that the faucet made.
    #[serde(default)]
    funded: u32,
    /// L1 transaction that claimed each withdrawal, by its sequence number.
    #[serde(default)]
    claims: BTreeMap<u64, SentTx>,
    /// Whether the journal differs from this state.
    #[serde(skip)]
    is_changed: bool,
}

#[derive(Debug)]
pub struct RouterService {
    world: RouterWorld,
    states: RouterStates,
    state: Mutex<RouterState>,
    writer: Option<JournalWriter>,
    links: Links,
    known: Option<u64>,
    /// Parameters of the bridge between rollup and L1.
    bridge: BridgeTerms,
    /// Identity of the rollup. Hashes on light chains include it.
    identity: u64,
}

#[derive(Debug)]
struct JournalWriter {
    journal: Journal,
    identity: JournalIdentity,
    genesis_time: Timestamp,
    /// Whether the journal must store external transactions; false with an index file.
    keeps_accepted: bool,
}

#[derive(Clone, Copy)]
pub struct RouterCall<'a> {
    pub now: Timestamp,
    pub faults: &'a [Fault],
    pub rollup: &'a dyn RollupApi,
}

/// Options of a router, without its rollup's.
#[derive(Debug)]
pub struct RouterOptions {
    /// Speed-up of waits for finality.
    pub time_scale: u32,
    /// State names that the status endpoint uses.
    pub states: RouterStates,
    /// URL of the listener, such as `http://127.0.0.1:8080`.
    pub url: String,
    pub journal: Option<(Journal, Option<JournalRecord>)>,
    /// Whether the rollup's index is in a file.
    pub has_file: bool,
}

impl RouterService {
    /// Creates the router of a rollup, whose genesis time must be final.
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

    pub(in crate::demo) fn bridge(&self) -> &BridgeTerms {
        &self.bridge
    }

    pub fn world(&self) -> &RouterWorld {
        &self.world
    }

    /// Returns how many of the index file's external transactions the journal had at the start. The program ended
    /// before it recorded the others. `None` if there is nothing to restore.
    pub fn known(&self) -> Option<u64> {
        self.known
    }

    /// Whether no transfer is in progress.
    pub fn is_idle(&self) -> bool {
        self.state().transfers.is_idle()
    }

    /// Advances all transfers as far as they can go now.
    pub fn advance(&self, call: RouterCall<'_>) {
        self.with_state(call, |_, _| ());
    }

    /// Returns the messages of a route, and remembers them for a broadcast.
    pub fn msgs(&self, request: &MsgsRequest, now: Timestamp) -> Result<MsgsResponse, RouterError> {
        let (response, plans) = self.world.msgs(request, now)?;
        self.state().issued_msgs.add(&response.txs, plans);
        Ok(response)
    }

    /// Returns a route with its messages, and remembers them for a broadcast. `addresses` are by chain.
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

    /// Returns an account's balances on a light chain; `None` for the rollup or an unknown chain.
    pub fn light_balances(&self, chain: &ChainId, account: &str) -> Option<BTreeMap<Denom, Amount>> {
        Some(self.state().light.get(chain)?.balances(account))
    }

    /// Signs a hook as the demo wallet. Returns the wallet's address and the signed transaction.
    pub fn sign(&self, hook: &SignRequest) -> Result<(String, String), RouterError> {
        let chain_id = &hook.chain_id;
        if !self.world.rollups().iter().any(|rollup| rollup.chain_id == chain_id.as_str()) {
            let chain_id = clip(chain_id.as_str(), 60);
            return Err(RouterError::invalid(format!("“{chain_id}” is not a rollup with hooks")));
        }
        let signer = self.signer(chain_id)?.to_owned();
        // Only the wallet's own transactions on the rollup increment its sequence number. The other two cases in
        // `docs/apis/router.md` §2 never occur, because no route here returns to a chain that it left.
        let sequence = self.state().transfers.sent_from(chain_id);
        let hook = wallet::sign(hook, &signer, sequence)?;
        Ok((signer, hook))
    }

    /// Signs and broadcasts, as the demo wallet, a transaction from an answer of `/v2/fungible/msgs`.
    pub fn broadcast(&self, request: &BroadcastRequest, call: RouterCall<'_>) -> Result<Broadcast, RouterError> {
        let msgs: MsgsResponse = serde_json::from_str(request.msgs.get())
            .map_err(|error| RouterError::invalid(format!("msgs: not an answer of /v2/fungible/msgs: {error}")))?;
        let index = request.tx_index.unwrap_or(0) as usize;
        self.with_state(call, |state, accepted| {
            let plan = {
                let unknown = || RouterError::invalid("unknown messages: request the messages again");
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

    pub fn track(&self, request: &TrackRequest, call: RouterCall<'_>) -> Result<TrackResponse, RouterError> {
        let key = self.key(request)?;
        self.with_state(call, |state, accepted| {
            let RouterState { light, transfers, is_changed, .. } = state;
            let context = self.context(light, call, accepted);
            let tracked = transfers.track(&key, &context);
            // A failed transaction has a status too.
            *is_changed |= *tracked.as_ref().unwrap_or(&true);
            tracked?;
            let explorer_link = transfers.find(&key).map(|found| self.links.link(&found.source)).unwrap_or_default();
            Ok(TrackResponse { tx_hash: key.tx_hash.clone(), explorer_link: explorer_link.into() })
        })
    }

    /// Claims a transaction's withdrawal on the L1, as the demo wallet. Returns the L1's chain ID and the hash.
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

    pub fn status(&self, request: &TrackRequest, call: RouterCall<'_>) -> Result<TransferStatus, RouterError> {
        let key = self.key(request)?;
        self.with_state(call, |state, _| {
            let reporter = StatusReporter { now: call.now, states: self.states, link: &self.links };
            let tracked = state.transfers.find(&key).filter(|transfer| transfer.tracked.is_some());
            tracked.map(|transfer| reporter.status(transfer)).ok_or_else(|| RouterError::not_found("tx not found"))
        })
    }

    /// Returns a transaction of a light chain, if its block exists.
    pub fn light_tx(&self, chain_id: &str, tx_hash: &str, now: Timestamp) -> Option<LightTx> {
        let key = TransferKey::read(&ChainId::new(chain_id), tx_hash)?;
        self.state().light.get(&key.chain_id)?.tx(&key.tx_hash, now).cloned()
    }

    /// Returns the wallet and its balances: `held` on the rollup, and those on light chains.
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
            .ok_or_else(|| RouterError::invalid("tx_hash: not a transaction hash"))
    }

    fn signer(&self, chain_id: &ChainId) -> Result<&str, RouterError> {
        let unknown =
            || RouterError::invalid(format!("the demo wallet has no address on “{}”", clip(chain_id.as_str(), 60)));
        self.world.wallet_address(chain_id).ok_or_else(unknown)
    }

    /// Submits a signed transaction to its chain.
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
            return Err(RouterError::invalid("too many transfers in progress: wait until one ends"));
        }
        let first = plan.steps.first().cloned().ok_or_else(|| RouterError::invalid("these messages have no effect"))?;
        let fails = call.faults.contains(&Fault::SourceFails);
        if plan.chain_id.as_str() == self.world.rollup().chain_id {
            if fails {
                let why = "the fault source-fails affects only other chains: nothing sent";
                return Err(RouterError::invalid(why));
            }
            if !call.rollup.is_current() {
                let why = "the rollup is catching up: try again in a moment";
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
            .ok_or_else(|| RouterError::invalid("the rollup does not support the first step"))?;
        let submitted = self
            .context(light, call, accepted)
            .submit(external)
            .map_err(|error| RouterError::invalid(format!("the rollup rejected the transaction: {error}")))?;
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
                "the demo wallet has {held} of {denom} on {chain}, but needs {amount}"
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
        // Every call leaves the state consistent, so the state behind a poisoned lock is valid.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Advances the transfers, unless the rollup would block; then changes the state and writes the journal.
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
            // An error here means that the file is already gone.
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
            tracing::warn!(%error, "cannot write the journal of transfers");
        }
    }
}

impl RouterState {
    /// Returns the rollup's external transactions with their blocks, in order.
    pub fn accepted(&self) -> &[(Height, External)] {
        &self.accepted
    }

    /// Whether a client ever sent a transaction.
    pub fn has_transfers(&self) -> bool {
        !self.transfers.is_empty() || !self.accepted.is_empty()
    }
}

/// Maker of links to transactions on this server.
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

/// Adds light chains that are missing, with the wallet's initial balances.
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

/// Returns the plan of an answer's transaction, unless the transaction was sent or must wait.
fn choose(issued: &IssuedMsgs, index: usize, transfers: &Tracker) -> Result<Plan, RouterError> {
    let count = issued.plans.len();
    let plan = issued.plans.get(index).ok_or_else(|| {
        RouterError::invalid(format!("tx_index: these messages have {count} transactions, counted from 0"))
    })?;
    if let Some(Some(sent)) = issued.sent.get(index) {
        let TransferKey { chain_id, tx_hash } = sent;
        return Err(RouterError::invalid(format!("already sent: {tx_hash} on {chain_id}")));
    }
    let has_arrived = index.checked_sub(1).is_none_or(|before| {
        let own = issued.sent.get(before).and_then(Option::as_ref).and_then(|key| transfers.find(key));
        // Messages expire. Later transactions then get new ones, whose answer does not know of the earlier broadcast.
        own.is_some_and(|transfer| transfer.phase == TransferPhase::Arrived)
            || issued.plans.get(before).is_some_and(|plan| transfers.has_brought(plan))
    });
    if !has_arrived {
        let sentence = format!("tx_index: transaction {} must arrive before {index}", index - 1);
        return Err(RouterError::invalid(sentence));
    }
    Ok(plan.clone())
}

/// Describes a signed transaction for the light chain's page.
fn words(first: &PlanStep) -> String {
    let to = &first.to;
    match &first.kind {
        StepKind::Swap { venue } => format!("swaps at {venue}"),
        StepKind::Send => "sends to another account".to_owned(),
        StepKind::OpDeposit { .. } => format!("deposits to {to}"),
        StepKind::OpWithdraw { .. } => format!("withdraws to {to}"),
        StepKind::Cctp => format!("burns for {to}"),
        StepKind::GoFast => format!("orders a payment on {to}"),
        StepKind::Ibc { .. } => format!("sends a packet to {to}"),
    }
}
