//! Commands `msgs --sign` and `op-hook --sign`: sign in the user's browser wallet, then store, broadcast and follow.

mod page;
mod terminal;
mod turn;

use std::{cell::RefCell, time::Duration};

use serde_json::json;

use self::terminal::{CommandTerminal, HookTerminal};
pub(super) use self::{
    page::CommandPage,
    terminal::{allow, show},
};
use super::{
    super::{
        CommandError,
        arguments::{Format, TxArguments},
        output::CommandOutput,
    },
    Router,
    print::{BridgeAnswer as _, print},
    register,
    router_names::RouterNames,
    trust::{self, ChosenNetwork},
};
use crate::{
    client::{HostClient, endpoints},
    domain::{ChainId, Coin, Denom, Timestamp, text},
    signing::{
        AcceptedQuote, BroadcastTx, ClaimWait, ContractDoubt, FundsEffect, OfferLine, ReadyForm, ReadyTx,
        SendingAccess, SimulationQuestion, WalletHook, WalletTx,
    },
    story::{
        Glossary, OfferPlace, ReportedUnits, SimulatedEffect, SimulatedVerdict, claim_lines, hook_offer_words,
        offer_words, simulation_lines,
    },
    wire::{
        RawJson,
        router::{Broadcast, MsgsRequest, MsgsResponse, OpHook, Operation, OperationKind, SignedOpHook},
    },
    worker::{SigningFailure, SigningTerminal as _, contract_doubts, sign_and_send, sign_hook, simulate},
};

/// Maximum attempts to register the broadcast transaction with the router.
const TRIES: u32 = 31;

/// Signing of a quote's transactions.
pub(super) struct CommandSigning<'a> {
    pub(super) quote: AcceptedQuote<'a>,
    /// Whole route as the router sent it.
    pub(super) route: &'a RawJson,
    pub(super) request: &'a MsgsRequest,
    /// Index of the only transaction to sign; `None` signs all transactions in order.
    pub(super) only: Option<u32>,
    pub(super) chosen: &'a ChosenNetwork<'a>,
    pub(super) reported: &'a ReportedUnits,
    /// Keys of the doubts that the user accepted.
    pub(super) accepted_doubts: RefCell<Vec<String>>,
    /// Whether the user accepted the wait of a withdrawal.
    pub(super) accepts_wait: bool,
    /// Maximum fees that the user accepted, one per denom.
    pub(super) accepted_fees: &'a [Coin],
}

impl CommandSigning<'_> {
    /// Compares, signs, broadcasts and registers the transactions; prints chain and hash of each.
    pub(super) async fn run(
        &self,
        messages: &[u8],
        router: &Router,
        output: &mut CommandOutput,
    ) -> Result<(), CommandError> {
        let mut place = self.only.unwrap_or(0) as usize;
        let mut terminal = CommandTerminal::open(router, self)?;
        let (mut planned, count) = self.planned(messages, place, router, &mut terminal).await?;
        let page = CommandPage::open().await?;
        loop {
            let sent = match sign_and_send(&page.page, &planned, router.options.clone(), &mut terminal).await {
                Ok(sent) => sent,
                Err(failure) => {
                    self.advise(place);
                    return Err(page.fail(CommandError::failed(failure)).await);
                }
            };
            let is_last = self.only.is_some() || place + 1 == count;
            if !is_last {
                page.page.tell(&format!("Sent: {}. Keep this page open for the next transaction.", sent.hash));
            }
            tell_sent(&sent, place > 0, router, output).await?;
            if is_last {
                page.close(&format!("Sent: {}. The terminal follows the transaction.", sent.hash)).await;
                return Ok(());
            }
            place += 1;
            eprintln!("waiting for this transaction to arrive; then sign {} of {count}: keep the page open", place + 1);
            let next = async {
                turn::wait(place, &terminal, router, &page).await?;
                // The messages requested before the first transaction are outdated.
                let again = router.raw(endpoints::msgs(self.request)).await?;
                self.planned(&again, place, router, &mut terminal).await
            };
            planned = match next.await {
                Ok((planned, _)) => planned,
                Err(error) => {
                    self.advise(place);
                    return Err(page.fail(error).await);
                }
            };
        }
    }

    /// Prints how to continue after only some transactions were broadcast.
    fn advise(&self, place: usize) {
        if place > 0 && self.only.is_none() {
            eprintln!("resume later with the same command and --tx {place}");
        }
    }

    /// Compares the whole response with the quote; returns the transaction at this index, and the number of
    /// transactions.
    async fn planned(
        &self,
        messages: &[u8],
        place: usize,
        router: &Router,
        terminal: &mut CommandTerminal,
    ) -> Result<(WalletTx, usize), CommandError> {
        let answer: MsgsResponse = serde_json::from_slice(messages).map_err(CommandError::failed)?;
        let differs =
            |refusal| CommandError::Failed(format!("nothing signed: the messages differ from the quote: {refusal}"));
        let quote = AcceptedQuote { now: Timestamp::now(), ..self.quote };
        let ready = quote.compare(&answer).map_err(differs)?;
        let count = ready.len();
        let missing = || {
            let has = text::count(count, "transaction");
            CommandError::Usage(format!("--tx {place} does not exist: the response has {has}"))
        };
        let mut tx = ready.get(place).cloned().ok_or_else(missing)?;
        let mut chains = self.quote.route.chain_ids.clone();
        chains.push(tx.chain_id.clone());
        let names = RouterNames::fetch(router, &chains).await;
        // On a failure assume a real chain: a simulation always answers.
        let is_simulated = router.demo().await.is_some();
        let access = access(&tx.chain_id, &names, self.chosen, is_simulated);
        if is_simulated && matches!(tx.form, ReadyForm::Ethereum(_)) && !tx.chain_id.is_development() {
            return Err(CommandError::failed(SigningFailure::Simulated(tx.chain_id)));
        }
        let settled = accept_contracts(&mut tx, &access, router, terminal).await?;
        let simulation = simulate(&SimulationQuestion::new(&tx, &access), &router.options).await;
        let effect = SimulatedEffect::of(&tx, &access, &simulation, &Glossary::default());
        effect.settle(&mut tx, &simulation).map_err(differs)?;
        // All are asked before the first signature, since the later transactions follow from it.
        let is_first = place == self.only.unwrap_or(0) as usize && self.only.is_none();
        let later = ready.get(place + 1..).filter(|_| is_first).unwrap_or_default().iter().flat_map(|tx| &tx.doubts);
        trust::accept_doubts(tx.doubts.iter().chain(later), &mut self.accepted_doubts.borrow_mut())?;
        let listed = |chain: &ChainId, denom: &Denom| names.listed_decimals(chain, denom);
        tx.check_decimals(quote.known, listed).map_err(differs)?;
        let seconds = self.quote.route.seconds().filter(|_| place == 0);
        let step = OfferPlace { place, count, seconds, now: Timestamp::now() };
        let mut words = offer_words(&tx, step, &self.reported.before(&names));
        words.lines.extend(settled);
        if let Some(wait) = self.claim_wait(&tx, place, (router, &names), is_simulated).await {
            words.lines.extend(claim_lines(&wait, Timestamp::now(), &names));
        }
        if place == self.only.unwrap_or(0) as usize {
            self.accept_waits(&ready, place, (router, &names), is_simulated).await?;
        }
        let has_later = place + 1 < count || tx.arrives_on != tx.chain_id;
        let lines = simulation_lines(&effect, &simulation, &tx, has_later, &names);
        if matches!(effect.verdict, SimulatedVerdict::Fails(_)) {
            // Without a simulated gas there is no fee, and so no request that would show the lines.
            terminal::show_lines(&lines);
        }
        words.lines.extend(lines);
        let simulated = SimulatedEffect::outcome(&tx, &simulation);
        Ok((WalletTx { tx, words, access, simulated }, count))
    }
}

impl CommandSigning<'_> {
    /// Asks about the waits of all withdrawals before the first signature, since the later transactions follow from it.
    async fn accept_waits(
        &self,
        ready: &[ReadyTx],
        first: usize,
        of_router: (&Router, &RouterNames),
        is_simulated: bool,
    ) -> Result<(), CommandError> {
        let most = if self.only.is_some() { 1 } else { usize::MAX };
        for (place, tx) in ready.iter().enumerate().skip(first).take(most).filter(|_| !self.accepts_wait) {
            if let Some(wait) = self.claim_wait(tx, place, of_router, is_simulated).await {
                trust::accept_wait(&wait, Timestamp::now(), of_router.1)?;
            }
        }
        Ok(())
    }

    /// Returns the wait of an optimistic withdrawal: the challenge period by the L1 or the rollup's own node, else the
    /// router's estimate; `None` for another transaction.
    async fn claim_wait(
        &self,
        tx: &ReadyTx,
        place: usize,
        (router, names): (&Router, &RouterNames),
        is_simulated: bool,
    ) -> Option<ClaimWait> {
        let is_bridge = |step: &&Operation| {
            usize::try_from(step.tx_index) == Ok(place) && step.kind == OperationKind::OpInitTransfer
        };
        let route = self.quote.route;
        let step = route.operations.iter().find(is_bridge).filter(|_| tx.is_withdrawal())?;
        let l1 = step.to_chain()?.clone();
        let bridge_id = step.facts.op_init_bridge_id.as_received().parse().ok();
        let rest = self.chosen.trust(&l1, names.info(&l1), is_simulated).rest;
        let host = rest.and_then(|rest| HostClient::new(&rest, router.options.clone()).ok());
        let of_l1 = match host.zip(bridge_id) {
            Some((host, bridge_id)) => host.bridge(bridge_id).await.ok(),
            None => None,
        };
        let of_l1 = of_l1.and_then(|bridge| bridge.bridge_config.challenge_period());
        let of_chain = match of_l1 {
            Some(period) => Some(period),
            None => self.chosen.challenge_period(&tx.chain_id).await,
        };
        let is_of_chain = of_chain.is_some();
        Some(ClaimWait { l1, period: of_chain.or(route.seconds().map(Duration::from_secs)), is_of_chain })
    }
}

/// Asks the user about unknown contracts, unless the user accepted their present code before; returns a line for each
/// of the latter.
async fn accept_contracts(
    tx: &mut ReadyTx,
    access: &SendingAccess,
    router: &Router,
    terminal: &mut CommandTerminal,
) -> Result<Vec<OfferLine>, CommandError> {
    let (own, accepted) = ((&tx.chain_id, &access.trust), terminal.accepted().await);
    let doubts = contract_doubts(&tx.contracts, own, &router.options, &accepted).await;
    let open: Vec<_> = doubts.iter().filter(|doubt| !doubt.is_settled()).collect();
    trust::confirm_contracts(open.iter().copied())?;
    for accepted in open.iter().filter_map(|doubt| doubt.answer(Timestamp::now())) {
        terminal.accept(accepted).await;
    }
    tx.accept_contracts();
    Ok(doubts.iter().filter_map(ContractDoubt::settled_line).collect())
}

/// Signs the hook of a route, and prints it for the command `msgs`.
pub(super) async fn run_hook(
    quote: &AcceptedQuote<'_>,
    body: &[u8],
    (router, chosen, reported, accepted): (&Router, &ChosenNetwork<'_>, &ReportedUnits, &[String]),
    output: &mut CommandOutput,
) -> Result<(), CommandError> {
    let hook: OpHook = serde_json::from_slice(body).map_err(CommandError::failed)?;
    let differs = |refusal| CommandError::Failed(format!("nothing signed, the hook differs from the quote: {refusal}"));
    let (hook, effects) = quote.hook_effects(&hook).map_err(differs)?;
    let signer = quote.addresses.last().cloned().unwrap_or_default();
    let mut chains = quote.route.chain_ids.clone();
    chains.push(hook.chain_id.clone());
    let names = RouterNames::fetch(router, &chains).await;
    let is_simulated = router.demo().await.is_some();
    let contracts = quote.hook_contracts(&hook, &effects);
    let access = access(&hook.chain_id, &names, chosen, is_simulated);
    // The hook is signed in advance, so no later refusal is possible.
    let (mut terminal, own) = (HookTerminal::open(router), (&hook.chain_id, &access.trust));
    let doubts = contract_doubts(&contracts, own, &router.options, &terminal.accepted().await).await;
    if let Some(doubt) = doubts.iter().find(|doubt| !doubt.is_settled()) {
        let (words, trusted) = (doubt.words(), format!("{}:{}", hook.chain_id, doubt.address.checksummed()));
        return Err(CommandError::Failed(format!(
            "nothing signed: {words}; to trust it, add --trust {trusted}, or give it the role of the network's wrapper \
             in config.toml"
        )));
    }
    let doubts = quote.hook_doubts(&hook, &effects);
    trust::accept_doubts(doubts.iter(), &mut accepted.to_vec())?;
    let order = WalletHook {
        doubts,
        words: hook_offer_words(&hook.chain_id, &signer, &effects, &contracts, &reported.before(&names)),
        tokens: FundsEffect::approved_tokens(&effects),
        contracts,
        access,
        starts_there: quote.route.source_asset_chain_id == hook.chain_id,
        signer,
        hook,
    };
    let page = CommandPage::open().await?;
    let ready: SignedOpHook = match sign_hook(&page.page, &order, router.options.clone(), &mut terminal).await {
        Ok(ready) => ready,
        Err(failure) => return Err(page.fail(CommandError::failed(failure)).await),
    };
    page.close("Signed. The terminal has the signature.").await;
    let body = serde_json::to_vec(&ready).map_err(CommandError::failed)?;
    print::<super::hook::ShownSignedHook>(&body, router, output).await
}

fn access(chain: &ChainId, names: &RouterNames, chosen: &ChosenNetwork<'_>, is_simulated: bool) -> SendingAccess {
    let listed = names.info(chain);
    let trust = chosen.trust(chain, listed, is_simulated);
    SendingAccess { is_simulated, ..SendingAccess::new(listed, trust, names.units(chain)) }
}

/// Prints chain and hash, and registers the transaction with the router.
async fn tell_sent(
    sent: &BroadcastTx,
    is_further: bool,
    router: &Router,
    output: &mut CommandOutput,
) -> Result<(), CommandError> {
    if is_further && matches!(output.format, Format::Csv) {
        let row = Broadcast { chain_id: sent.chain_id.clone(), tx_hash: sent.hash.to_string() };
        row.csv().into_iter().try_for_each(|row| output.csv(row))?;
        output.flush()?;
    } else {
        let body = json!({"chain_id": sent.chain_id, "tx_hash": sent.hash.as_str()}).to_string();
        print::<Broadcast>(body.as_bytes(), router, output).await?;
    }
    let tx = TxArguments { chain: sent.chain_id.clone(), hash: sent.hash.clone(), tries: TRIES };
    match register::register(router.client()?, &tx).await {
        Ok(_) => {
            eprintln!("the router tracks the transaction: rollscope transfer {} {} --watch", sent.chain_id, sent.hash);
        }
        Err(error) => eprintln!("sent, but the router does not track the transaction yet: {}", error.brief()),
    }
    Ok(())
}
