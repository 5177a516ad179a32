//! Transactions that clients post to a chain's node. The router checks them, adds them to the next block, and tracks
//! them like the demo wallet's.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde_json::Value;

use super::{NATIVE, RouterCall, RouterService, RouterState, words};
use crate::{
    demo::{
        faults::Fault,
        ledger::{External, ExternalError, derive},
        posted::{AnteRules, PostedMessage, PostedTransfer, PostedTx, TokenDeposit, TxRefusal},
        router::{
            graph::{AssetEdge, EdgeKind, ListedAsset},
            issued_msgs::IssuedMsgsLog,
            light::{BalanceMovement, LightChain, LightTx, LightTxRequest},
            plan::{Plan, PlanStep, StepKind},
            quote::{leg, seconds},
            tracker::transfer::{SentTx, TrackedTransfer, TransferKey},
            world::RouterWorld,
        },
    },
    domain::{Address, Amount, ChainId, Coin, Denom, Height, PublicKey, Timestamp, TxHash, Vm},
    wire::router::{ChainInfo, ChainKind, FeeAsset, GasPriceSteps},
};

/// Gas price of the light chains, in thousandths of the native coin's smallest unit.
const GAS_PRICE_MILLI: u64 = 15;

/// Decimals of a gas price in thousandths.
const PRICE_DECIMALS: u8 = 3;

/// Factor between 18 and 6 decimals.
const WRAP_FACTOR: u64 = 1_000_000_000_000;

/// Effects of a checked transaction on a light chain.
pub(super) struct LightPlan {
    pub(super) plan: Option<Plan>,
    pub(super) events: Vec<BalanceMovement>,
    pub(super) what: String,
}

impl RouterService {
    /// Adds a raw transaction to a chain's next block. Returns its hash, or the node's refusal.
    pub fn post(&self, chain_id: &ChainId, raw: &[u8], call: RouterCall<'_>) -> Result<TxHash, TxRefusal> {
        let posted = PostedTx::read(raw)?;
        self.with_state(call, |state, accepted| {
            if chain_id.as_str() == self.world.rollup().chain_id {
                self.post_to_rollup(&posted, chain_id, state, call, accepted)?;
            } else {
                self.post_to_light(&posted, chain_id, state, call)?;
            }
            state.is_changed = true;
            Ok(posted.hash())
        })
    }

    /// Returns a transaction with what it would do on a light chain.
    pub fn try_on_light(
        &self,
        chain_id: &ChainId,
        raw: &[u8],
        call: RouterCall<'_>,
    ) -> Result<(PostedTx, LightTx), TxRefusal> {
        let now = call.now;
        let posted = PostedTx::read(raw)?;
        let mut state = self.state();
        let RouterState { light, issued_msgs, claims, .. } = &mut *state;
        let chain = light.get(chain_id).ok_or_else(unknown_chain)?;
        self.check(&posted, chain_id, chain, now, true)?;
        let LightPlan { events, what, .. } = match posted.claims() {
            Some(all) => {
                self.check_claims(&all, chain_id, claims, call)?;
                self.claim_plan(&all)
            }
            None => self.light_plan(&posted, chain_id, chain, issued_msgs, now)?,
        };
        let (tx_hash, height) = (posted.hash().to_string(), chain.height(now) + 1);
        Ok((posted, LightTx { tx_hash, height, at: now, success: true, what, events, error: None }))
    }

    /// Returns every chain, with the URLs of its simulated node.
    pub fn chains_with_nodes(&self) -> Vec<ChainInfo> {
        let rollup = self.world.rollup();
        let mut chains = self.world.chains();
        for chain in &mut chains {
            let url = &self.links.url;
            let is_rollup = chain.chain_id.as_str() == rollup.chain_id;
            chain.fee_assets = match chain.kind() {
                ChainKind::Cosmos => vec![self.fee_asset(&chain.chain_id)],
                // A wallet asks the node for the price.
                ChainKind::Evm => vec![FeeAsset { denom: Denom::new(NATIVE), gas_price: None }],
                ChainKind::Svm | ChainKind::Unknown => Vec::new(),
            };
            let node = if is_rollup { format!("{url}/node") } else { format!("{url}/node/{}", chain.chain_id) };
            if chain.kind() == ChainKind::Cosmos {
                (chain.rpc, chain.rest) = (format!("{node}/rpc"), format!("{node}/rest"));
            }
            if is_rollup && rollup.vm == Vm::Evm || chain.kind() == ChainKind::Evm {
                chain.json_rpc = format!("{node}/json-rpc");
            }
        }
        chains
    }

    /// Returns the asset that pays fees on a chain, with the minimum gas price.
    fn fee_asset(&self, chain_id: &ChainId) -> FeeAsset {
        let own = self.world.rollups().iter().find(|rollup| rollup.chain_id == chain_id.as_str());
        let own = own.filter(|rollup| rollup.chain_id == self.world.rollup().chain_id);
        let denom = own.and_then(|rollup| rollup.tokens.first()).map(|token| token.denom.clone());
        let milli = own.map_or(u128::from(GAS_PRICE_MILLI), |rollup| rollup.gas_price_milli);
        let price = Amount::from(milli).display(PRICE_DECIMALS).replace(',', "");
        let gas_price = GasPriceSteps { low: price.clone(), average: price.clone(), high: price };
        FeeAsset { denom: denom.unwrap_or_else(|| self.fee_denom(chain_id)), gas_price: Some(gas_price) }
    }

    /// Calls `look` with a light chain; `None` if the chain is unknown.
    pub fn with_light<T>(&self, chain_id: &ChainId, look: impl FnOnce(&LightChain) -> T) -> Option<T> {
        self.state().light.get(chain_id).map(look)
    }

    fn post_to_rollup(
        &self,
        posted: &PostedTx,
        chain_id: &ChainId,
        state: &mut RouterState,
        call: RouterCall<'_>,
        accepted: &mut Vec<(Height, External)>,
    ) -> Result<(), TxRefusal> {
        if !call.rollup.is_current() {
            return Err(TxRefusal::sdk(20, "the rollup is catching up"));
        }
        let external = External::Posted(Box::new(posted.clone()));
        let submitted = self.context(&mut state.light, call, accepted).submit(external);
        let submitted = submitted.map_err(|error| match error {
            ExternalError::Refused(refusal) => refusal,
            other => TxRefusal::sdk(20, other),
        })?;
        if submitted.failure.is_some() {
            return Ok(());
        }
        let source = SentTx {
            chain_id: chain_id.clone(),
            tx_hash: submitted.tx_hash.to_string(),
            at: submitted.time,
            height: Some(submitted.height),
        };
        let plan = self.plan_for(posted, chain_id, &mut state.issued_msgs, call.now);
        let is_refused = plan.is_none();
        let reader = MessageReader { world: &self.world, chain_id, now: call.now };
        if let Some(plan) = plan.or_else(|| reader.refused_packet(posted)) {
            let mut transfer = TrackedTransfer::new(plan, source);
            transfer.is_refused = is_refused;
            transfer.source_packet =
                submitted.packet.zip(submitted.expires).map(|(packet, until)| (packet.sequence, until));
            transfer.source_withdrawal = submitted.withdrawal;
            follow(state, transfer, posted.written());
        }
        Ok(())
    }

    fn post_to_light(
        &self,
        posted: &PostedTx,
        chain_id: &ChainId,
        state: &mut RouterState,
        call: RouterCall<'_>,
    ) -> Result<(), TxRefusal> {
        let chain = state.light.get(chain_id).ok_or_else(unknown_chain)?;
        let is_waiting =
            chain.posted(&posted.hash()).is_some() && chain.tx(&posted.hash().to_string(), call.now).is_none();
        if is_waiting {
            return Err(TxRefusal::sdk(19, "this transaction waits for the next block"));
        }
        let key = self.check(posted, chain_id, chain, call.now, false)?;
        let key = key.ok_or_else(|| TxRefusal::sdk(8, "pubkey on account is not set"))?;
        let used = gas_of(posted);
        if used > posted.gas() {
            let wanted = posted.gas();
            let log = format!("out of gas in location: WriteFlat; gasWanted: {wanted}, gasUsed: {used}");
            return Err(TxRefusal::sdk(11, log));
        }
        let claims = posted.claims();
        let LightPlan { plan, mut events, what } = match &claims {
            Some(all) => {
                self.check_claims(all, chain_id, &state.claims, call)?;
                self.claim_plan(all)
            }
            None => self.light_plan(posted, chain_id, chain, &mut state.issued_msgs, call.now)?,
        };
        let fails = call.faults.contains(&Fault::SourceFails);
        let fee = posted.fee_in(&self.fee_denom(chain_id));
        let prefix = self.prefix(chain_id);
        if !fee.is_zero() {
            let denom = self.fee_denom(chain_id);
            let collector = derive::fee_collector().bech32_as(&prefix);
            events.push(BalanceMovement::spent(posted.signer(), &denom, fee));
            events.push(BalanceMovement::received(&collector, &denom, fee));
        }
        let request = LightTxRequest { what, message: posted.raw(), success: !fails, events };
        let sent = state.light.post(chain_id, (posted, &key), request, call.now).ok_or_else(unknown_chain)?;
        let source = SentTx { chain_id: chain_id.clone(), tx_hash: sent.tx_hash, at: sent.at, height: None };
        for claim in claims.into_iter().flatten().filter(|_| !fails) {
            state.transfers.take_claim(claim.sequence, &source);
            state.claims.insert(claim.sequence, source.clone());
        }
        if let Some(plan) = plan {
            let mut transfer = TrackedTransfer::new(plan, source);
            transfer.source_error = sent.error;
            follow(state, transfer, posted.written());
        }
        Ok(())
    }

    /// Checks a transaction as the chain's node does.
    fn check(
        &self,
        posted: &PostedTx,
        chain_id: &ChainId,
        chain: &LightChain,
        now: Timestamp,
        is_trial: bool,
    ) -> Result<Option<PublicKey>, TxRefusal> {
        let amount = u128::from(posted.gas()) * u128::from(GAS_PRICE_MILLI);
        let prefix = self.prefix(chain_id);
        let rules = AnteRules {
            chain_id: chain_id.as_str(),
            prefix: &prefix,
            height: chain.height(now) + 1,
            least_fee: Coin { denom: self.fee_denom(chain_id), amount: Amount::from(amount.div_ceil(1_000)) },
            is_trial,
        };
        let signer = posted.signer();
        posted.check(&rules, chain.account(signer).as_ref(), |denom| chain.balance(signer, denom))
    }

    pub fn fee_denom(&self, chain_id: &ChainId) -> Denom {
        let assets = self.world.assets(std::slice::from_ref(chain_id));
        let first = assets.chain_to_assets_map.get(chain_id).and_then(|list| list.assets.first());
        first.map_or_else(|| Denom::new("uinit"), |asset| asset.denom.clone())
    }

    fn prefix(&self, chain_id: &ChainId) -> String {
        self.world.chain(chain_id).map(|chain| chain.bech32_prefix.clone()).unwrap_or_default()
    }

    /// Returns the effects of the messages on a light chain, if the signer can pay.
    fn light_plan(
        &self,
        posted: &PostedTx,
        chain_id: &ChainId,
        chain: &LightChain,
        issued_msgs: &mut IssuedMsgsLog,
        now: Timestamp,
    ) -> Result<LightPlan, TxRefusal> {
        let unknown = || TxRefusal::sdk(37, "this simulated chain does not support these messages");
        if let Some(payments) = posted.payments() {
            return self.payments(posted, chain_id, chain, &payments);
        }
        let plan = self.plan_for(posted, chain_id, issued_msgs, now).ok_or_else(unknown)?;
        let first = plan.steps.first().ok_or_else(unknown)?;
        let signer = posted.signer();
        let (denom, amount) = (&first.denom_in, first.amount_in);
        let fee = if self.fee_denom(chain_id) == *denom { posted.fee_in(denom) } else { Amount::ZERO };
        let (has, needed) = (chain.balance(signer, denom), amount.checked_add(fee).unwrap_or(amount));
        if has < needed {
            return Err(TxRefusal::sdk(5, format!("spendable balance {has}{denom} is smaller than {needed}{denom}")));
        }
        let mut events = vec![BalanceMovement::spent(signer, denom, amount)];
        if let Some(last) = plan.steps.last().filter(|_| plan.steps.iter().all(|step| step.kind.is_local())) {
            events.push(BalanceMovement::received(&last.receiver, &last.denom_out, last.amount_out));
        }
        Ok(LightPlan { what: words(first), plan: Some(plan), events })
    }

    /// Returns the effects of several payments on a light chain, if the signer can pay; the router does not track them.
    fn payments(
        &self,
        posted: &PostedTx,
        chain_id: &ChainId,
        chain: &LightChain,
        payments: &[(&str, &Coin)],
    ) -> Result<LightPlan, TxRefusal> {
        let signer = posted.signer();
        let reader = MessageReader { world: &self.world, chain_id, now: Timestamp::EPOCH };
        let mut events = Vec::new();
        for (to, coin) in payments {
            if !reader.is_account(to) {
                return Err(TxRefusal::sdk(7, format!("invalid to address: {to}: invalid address")));
            }
            let mut given = payments.iter().filter(|(to, other)| other.denom == coin.denom && *to != signer);
            let sum = given.try_fold(Amount::ZERO, |sum, (_, coin)| sum.checked_add(coin.amount));
            let fee = posted.fee_in(&coin.denom);
            let needed = sum.and_then(|sum| sum.checked_add(fee)).map(|needed| needed.max(coin.amount));
            let has = chain.balance(signer, &coin.denom);
            if needed.is_none_or(|needed| has < needed) {
                let denom = &coin.denom;
                return Err(TxRefusal::sdk(5, format!("spendable balance {has}{denom} is smaller than the payments")));
            }
            events.push(BalanceMovement::spent(signer, &coin.denom, coin.amount));
            events.push(BalanceMovement::received(to, &coin.denom, coin.amount));
        }
        Ok(LightPlan { plan: None, events, what: format!("pays {} times", payments.len()) })
    }

    /// Returns the plan of a transaction: the router's if it made these messages, else one derived from the messages.
    fn plan_for(
        &self,
        posted: &PostedTx,
        chain_id: &ChainId,
        issued_msgs: &mut IssuedMsgsLog,
        now: Timestamp,
    ) -> Option<Plan> {
        let issued = issued_msgs.find_messages(chain_id, posted.written());
        let meant = issued.and_then(|(issued, place)| issued.plans.get(place).cloned());
        meant.or_else(|| MessageReader { world: &self.world, chain_id, now }.plan(posted))
    }
}

/// Begins to track the transfer, and links it to the router's messages.
pub(super) fn follow(state: &mut RouterState, transfer: TrackedTransfer, messages: &[Value]) {
    let key: TransferKey = transfer.key();
    if let Some((issued, place)) = state.issued_msgs.find_messages(&key.chain_id, messages)
        && let Some(sent) = issued.sent.get_mut(place)
    {
        *sent = Some(key);
    }
    // If the tracker is full, the transaction runs untracked.
    if state.transfers.has_room() {
        state.transfers.add(transfer);
    }
}

fn unknown_chain() -> TxRefusal {
    TxRefusal::sdk(18, "no such chain")
}

/// Returns the gas that a light chain's transaction uses.
pub(in crate::demo) fn gas_of(posted: &PostedTx) -> u64 {
    let each = |message: &PostedMessage| match message {
        PostedMessage::Send { .. } => 84_000,
        PostedMessage::Transfer(_) => 152_000,
        PostedMessage::Deposit(_) => 208_000,
        _ => 390_000,
    };
    let bytes = posted.raw().len() as u64 * 10;
    posted.messages().iter().map(each).sum::<u64>() + bytes
}

/// Parser of messages that the router may not have made.
struct MessageReader<'a> {
    world: &'a RouterWorld,
    chain_id: &'a ChainId,
    now: Timestamp,
}

impl MessageReader<'_> {
    fn plan(&self, posted: &PostedTx) -> Option<Plan> {
        match posted.messages() {
            [PostedMessage::Send { from, to, coins }] => {
                let [coin] = &coins[..] else { return None };
                self.is_account(to).then_some(())?;
                self.one(coin, [from, to], None, |edge| edge.kind == EdgeKind::Send)
            }
            [PostedMessage::Withdraw { sender, to, coin }] => {
                self.one(coin, [sender, to], None, |edge| matches!(edge.kind, EdgeKind::Withdraw { .. }))
            }
            [PostedMessage::Deposit(deposit)] => self.deposit(deposit),
            [PostedMessage::Transfer(transfer)] => self.packet(transfer, &transfer.coin),
            [PostedMessage::Call(_), PostedMessage::Call(_), PostedMessage::Withdraw { sender, to, coin }] => {
                let coin = self.wrapped(coin)?;
                self.one(&coin, [sender, to], None, |edge| matches!(edge.kind, EdgeKind::Withdraw { .. }))
            }
            [PostedMessage::Call(_), PostedMessage::Call(_), PostedMessage::Transfer(transfer)] => {
                self.packet(transfer, &self.wrapped(&transfer.coin)?)
            }
            _ => None,
        }
    }

    fn is_account(&self, text: &str) -> bool {
        let prefix = self.world.chain(self.chain_id).map_or("", |chain| chain.bech32_prefix.as_str());
        bech32::decode(text).is_ok_and(|(found, bytes)| found.as_str() == prefix && bytes.len() == 20)
    }

    fn listed(&self, denom: &Denom) -> Option<&ListedAsset> {
        self.world.listed(self.chain_id, denom).map(AsRef::as_ref)
    }

    /// Returns the wrapped coin that earlier messages convert to this coin.
    fn wrapped(&self, coin: &Coin) -> Option<Coin> {
        let all = self.world.assets(std::slice::from_ref(self.chain_id));
        let assets = &all.chain_to_assets_map.get(self.chain_id)?.assets;
        let wraps = |denom: &Denom| self.listed(denom).is_some_and(|listed| listed.wraps.as_ref() == Some(&coin.denom));
        let denom = assets.iter().map(|asset| &asset.denom).find(|denom| wraps(denom))?.clone();
        let amount = Amount::new(coin.amount.get().checked_mul(alloy_primitives::U256::from(WRAP_FACTOR))?);
        Some(Coin { denom, amount })
    }

    /// Creates a plan with one step.
    fn one(
        &self,
        coin: &Coin,
        [sender, receiver]: [&str; 2],
        hook: Option<String>,
        is_it: impl Fn(&AssetEdge) -> bool,
    ) -> Option<Plan> {
        let edge = self.world.ways(self.listed(&coin.denom)?).iter().find(|edge| is_it(edge))?;
        let leg = leg(self.world, edge, 0, coin.amount, self.now).ok()?;
        let to = edge.to.chain().clone();
        let addresses = vec![(self.chain_id.clone(), sender.to_owned()), (to, receiver.to_owned())];
        Some(self.world.plan_of(&[leg], addresses, hook, self.now))
    }

    fn deposit(&self, deposit: &TokenDeposit) -> Option<Plan> {
        deposit.to.parse::<Address>().ok().filter(|_| deposit.to.starts_with("init1"))?;
        let hook = (!deposit.hook.is_empty()).then(|| BASE64_STANDARD.encode(&deposit.hook));
        let is_it = |edge: &AssetEdge| {
            edge.kind == EdgeKind::Deposit { bridge_id: deposit.bridge_id } && edge.wraps() != deposit.hook.is_empty()
        };
        self.one(&deposit.coin, [&deposit.sender, &deposit.to], hook, is_it)
    }

    /// Plans a packet that the next chain refuses, because the simulation cannot carry out its memo.
    fn refused_packet(&self, posted: &PostedTx) -> Option<Plan> {
        let PostedMessage::Transfer(transfer) = posted.messages().last()? else { return None };
        let leads = |edge: &&AssetEdge| {
            let is_it = matches!(&edge.kind, EdgeKind::Ibc { channel, .. } if *channel == transfer.channel);
            is_it && edge.from.chain() == self.chain_id
        };
        let edge = self.world.every_way().find(leads)?;
        let EdgeKind::Ibc { channel, there, .. } = &edge.kind else { return None };
        let (denom, amount) = (transfer.coin.denom.clone(), transfer.coin.amount);
        let step = PlanStep {
            kind: StepKind::Ibc { channel: channel.clone(), channel_there: there.clone(), memo: transfer.memo.clone() },
            from: self.chain_id.clone(),
            to: edge.to.chain().clone(),
            denom_in: denom.clone(),
            denom_out: denom,
            amount_in: amount,
            amount_out: amount,
            sender: transfer.sender.clone(),
            receiver: transfer.receiver.clone(),
            seconds: seconds(self.world, edge).unwrap_or_default(),
            carried: None,
        };
        Some(Plan {
            tx_index: 0,
            chain_id: self.chain_id.clone(),
            signer: posted.signer().to_owned(),
            steps: vec![step],
        })
    }

    /// Plans a packet and all forwards in its memo. Ignores other instructions.
    fn packet(&self, transfer: &PostedTransfer, coin: &Coin) -> Option<Plan> {
        if transfer.port != "transfer" || transfer.has_timeout_height {
            return None;
        }
        let mut at = self.listed(&coin.denom)?;
        let (mut amount, mut channel, mut legs) = (coin.amount, transfer.channel.clone(), Vec::new());
        let mut addresses = vec![(self.chain_id.clone(), transfer.sender.clone())];
        let mut receiver = transfer.receiver.clone();
        let mut memo: Option<Value> = serde_json::from_str(&transfer.memo).ok();
        loop {
            let leads = |edge: &AssetEdge| matches!(&edge.kind, EdgeKind::Ibc { channel: own, .. } if *own == channel);
            let edge = self.world.ways(at).iter().find(|edge| leads(edge))?;
            let step = leg(self.world, edge, 0, amount, self.now).ok()?;
            (amount, at) = (step.amount_out, &edge.to);
            addresses.push((edge.to.chain().clone(), std::mem::take(&mut receiver)));
            legs.push(step);
            let asked = memo.take();
            let Some(forward) = asked.as_ref().and_then(|memo| memo.get("forward")) else {
                let is_instruction = asked.as_ref().is_some_and(|memo| memo.get("move").or(memo.get("wasm")).is_some());
                if is_instruction {
                    return None;
                }
                break;
            };
            forward.get("channel")?.as_str()?.clone_into(&mut channel);
            forward.get("receiver")?.as_str()?.clone_into(&mut receiver);
            memo = forward.get("next").cloned();
        }
        let mut plan = self.world.plan_of(&legs, addresses, None, self.now);
        if let Some(StepKind::Ibc { memo, .. }) = plan.steps.first_mut().map(|step| &mut step.kind) {
            memo.clone_from(&transfer.memo);
        }
        Some(plan)
    }
}
