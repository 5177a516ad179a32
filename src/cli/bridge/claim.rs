//! Command `claim`: stages of optimistic withdrawals from executor and L1, and their claim, signed or exported.

mod report;

use std::collections::BTreeSet;

use futures_util::{StreamExt as _, TryStreamExt as _, stream};

use self::report::ClaimReport;
use super::{
    super::{ClaimArguments, CommandError, WithdrawalName, output::CommandOutput},
    Router,
    print::print,
    router_names::RouterNames,
    signing::{CommandPage, allow, show},
    trust::ChosenNetwork,
    unsigned::write_all,
};
use crate::{
    client::{BaseUrlError, ExecutorClient, HostClient, IndexerClient, endpoints},
    config::display_path,
    domain::{
        Address, ChainId, Coin, Timestamp, TxHash,
        text::{self, clean, clip, group_digits},
    },
    signing::{
        BroadcastTx, ChainTrust, ClaimDraft, OfferWords, ReadyTx, SendingAccess, SigningQuestion, SimulationQuestion,
        WalletTx,
    },
    store::{Store, StoreScope},
    story::{
        BegunWithdrawal, ChainAccess, Glossary, MOST_CLAIMS, Names as _, OfferPlace, SimulatedEffect, WithdrawalStage,
        offer_words, ready_claim, simulation_lines, unsigned_claim,
    },
    wire::{
        ApiError,
        opinit::{ExecutorWithdrawal, SettlementAnswers},
        router::{Broadcast, ChainInfo},
    },
    worker::{SigningTerminal, open_withdrawals, settle, sign_and_send, simulate},
};

/// Maximum width of an address, in terminal columns.
const ADDRESS: usize = 70;
/// Maximum withdrawals with concurrent requests.
const AT_ONCE: usize = 4;

/// Prints the stages; on request, claims the withdrawals in one transaction or writes their claim to files.
pub(super) async fn run(
    arguments: &ClaimArguments,
    router: &Router,
    output: &mut CommandOutput,
) -> Result<(), CommandError> {
    let place = SettlementPlace::find(arguments, router).await?;
    let wants_claim = arguments.sign || arguments.unsigned.is_some();
    let mut all = match &arguments.all {
        Some(account) => place.open(account).await?,
        None => place.named(arguments, router).await?,
    };
    place.check_bridge(&all, &arguments.chain)?;
    if !wants_claim {
        let report =
            |one: &SettlementAnswers| ClaimReport::of(one, &WithdrawalStage::of(one), &arguments.chain, &place.l1);
        let reports: Vec<ClaimReport> = all.iter().map(report).collect();
        let body = |json: serde_json::Result<Vec<u8>>| json.map_err(CommandError::failed);
        return match (&reports[..], &arguments.all) {
            ([only], None) => print::<ClaimReport>(&body(serde_json::to_vec(only))?, router, output).await,
            _ => print::<Vec<ClaimReport>>(&body(serde_json::to_vec(&reports))?, router, output).await,
        };
    }
    let now = Timestamp::now();
    if let Some(account) = &arguments.all {
        all.retain(|one| WithdrawalStage::of(one).is_ready(now));
        if all.is_empty() {
            let sentence = format!("nothing to sign: no withdrawal to {account} is claimable now");
            return Err(CommandError::Failed(sentence));
        }
        if all.len() > MOST_CLAIMS {
            eprintln!("{} withdrawals are claimable; this transaction claims the first {MOST_CLAIMS}", all.len());
            all.truncate(MOST_CLAIMS);
        }
    }
    let claim = ready_claim(&all, &place.l1, arguments.signer.as_deref(), now).map_err(CommandError::failed)?;
    match &arguments.unsigned {
        Some(folder) => place.write(folder, &claim, router).await,
        None => place.sign(claim, &all, (router, arguments), output).await,
    }
}

/// Formats a withdrawal with its number: `3 (1,000,000 smallest units of uinit for init1…)`.
fn numbered(one: &BegunWithdrawal) -> String {
    let (amount, to) = (group_digits(&one.amount.to_string()), clip(&one.to, ADDRESS));
    format!("{} ({amount} smallest units of {} for {to})", one.sequence, one.l1_denom.marked())
}

fn unknown_l1(rollup: &ChainId) -> CommandError {
    let sentence =
        format!("unknown L1 of {rollup}: choose the rollup with --network, or give the L1 with --l1-rest URL");
    CommandError::Usage(sentence)
}

/// Explains why the executor does not return a withdrawal.
fn unknown(sequence: u64, error: ApiError) -> CommandError {
    if error.is_not_found() {
        return CommandError::Failed(format!("the executor has no withdrawal {sequence}: check --executor"));
    }
    error.into()
}

/// Checks that the executor returned the requested withdrawal.
fn check(found: &ExecutorWithdrawal, sequence: u64, begun: Option<&BegunWithdrawal>) -> Result<(), CommandError> {
    let is_it = found.sequence == sequence && begun.is_none_or(|begun| begun.is_that_of(found));
    let sentence = "the executor returned another withdrawal; rollscope ignores it";
    if is_it { Ok(()) } else { Err(CommandError::Failed(sentence.to_owned())) }
}

/// Servers that know a withdrawal, and the chain of its claim.
struct SettlementPlace {
    executor: ExecutorClient,
    l1: ChainId,
    /// Id of the rollup's bridge on the L1; `None` if only the executor tells it.
    bridge_id: Option<u64>,
    l1_client: Option<HostClient>,
    /// The router's entry of the L1; `None` if the router does not list the L1.
    listed: Option<ChainInfo>,
    /// Whether the router is the embedded rollup, which also serves an indexer.
    is_demo: bool,
}

impl SettlementPlace {
    /// Returns the executor and the L1 from the command line, else from the network and the router. The L1 is known by
    /// settings, registry or the rollup's node, then by the router, then by the L1's REST itself.
    async fn find(arguments: &ClaimArguments, router: &Router) -> Result<Self, CommandError> {
        let unusable = |error: BaseUrlError| CommandError::Usage(error.to_string());
        let demo = router.demo().await;
        let executor = arguments.executor.clone().or_else(|| router.executor.clone());
        let of_demo = || {
            let path = demo.as_ref().map(|demo| &demo.executor).filter(|path| !path.is_empty())?;
            Some(format!("{}{path}", router.base_url()?.trim_end_matches('/')))
        };
        let missing = || CommandError::Usage("unknown executor of this rollup: give --executor URL".to_owned());
        let executor = executor.or_else(of_demo).ok_or_else(missing)?;
        let executor = ExecutorClient::new(&executor, router.options.clone()).map_err(unusable)?;
        let chosen = ChosenNetwork::find(router).await;
        let (known, bridge_id) = chosen.settlement(&arguments.chain).await;
        let directory = RouterNames::default();
        let is_l1 = |chain: &ChainId| known.as_ref().map_or_else(|| directory.is_settlement(chain), |l1| l1 == chain);
        let listed = router.chains().await.into_iter().find(|info| is_l1(&info.chain_id));
        let client = |rest: &str| HostClient::new(rest, router.options.clone()).map_err(unusable);
        let named = arguments.l1_rest.as_deref().map(client).transpose()?;
        let own = match &named {
            Some(named) => named.chain_id().await.ok(),
            None => None,
        };
        let l1 = match (known.or_else(|| listed.as_ref().map(|info| info.chain_id.clone())), own) {
            (Some(known), Some(own)) if known != own => {
                let (of, own, known) = (&arguments.chain, clean(own.as_str()), clean(known.as_str()));
                return Err(CommandError::Usage(format!("--l1-rest serves {own}, but the L1 of {of} is {known}")));
            }
            (known, own) => known.or(own).ok_or_else(|| unknown_l1(&arguments.chain))?,
        };
        let trust = chosen.trust(&l1, listed.as_ref(), demo.is_some());
        let rest = trust.rest.or_else(|| listed.as_ref().map(|info| info.rest.clone())).filter(|rest| !rest.is_empty());
        let l1_client = named.map_or_else(|| rest.as_deref().map(client).transpose(), |named| Ok(Some(named)))?;
        Ok(Self { executor, l1, bridge_id, l1_client, listed, is_demo: demo.is_some() })
    }

    /// Fails if the executor is of another bridge than the rollup's.
    fn check_bridge(&self, all: &[SettlementAnswers], rollup: &ChainId) -> Result<(), CommandError> {
        let other = |known: u64| all.iter().map(|one| one.withdrawal.bridge_id).find(|found| *found != known);
        match self.bridge_id.and_then(|known| Some((known, other(known)?))) {
            Some((known, other)) => Err(CommandError::Failed(format!(
                "the executor serves bridge {other}, but {rollup} has bridge {known}: check --executor"
            ))),
            None => Ok(()),
        }
    }

    /// Returns the withdrawals that the arguments name, in their order, each compared with its own question.
    async fn named(&self, arguments: &ClaimArguments, router: &Router) -> Result<Vec<SettlementAnswers>, CommandError> {
        let asked = arguments.withdrawals.iter().map(async |name| {
            let (sequence, begun) = match name {
                WithdrawalName::Number(number) => (*number, None),
                WithdrawalName::Tx(hash) => {
                    let begun = self.begun(hash, &arguments.chain, router).await?;
                    (begun.sequence, Some(begun))
                }
            };
            let found = self.executor.withdrawal(sequence).await.map_err(|error| unknown(sequence, error))?;
            check(&found, sequence, begun.as_ref())?;
            Ok(settle(found, self.l1_client.as_ref()).await)
        });
        stream::iter(asked).buffered(AT_ONCE).try_collect().await
    }

    /// Returns the unclaimed withdrawals to an account, oldest first.
    async fn open(&self, account: &Address) -> Result<Vec<SettlementAnswers>, CommandError> {
        let found = open_withdrawals(&self.executor, self.l1_client.as_ref(), *account, &BTreeSet::new()).await?;
        if found.strangers > 0 {
            let others = text::count(found.strangers, "withdrawal");
            eprintln!("the executor also returned {others} to other accounts; rollscope ignores them");
        }
        if found.is_cut {
            eprintln!("the executor has older withdrawals, which were not looked up");
        }
        Ok(found.open.into_iter().rev().collect())
    }

    /// Returns the withdrawals in a transaction, from the indexer of its chain.
    async fn begun(&self, hash: &TxHash, of: &ChainId, router: &Router) -> Result<BegunWithdrawal, CommandError> {
        let own =
            router.base_url().filter(|_| self.is_demo).map(|url| IndexerClient::new(&url, router.options.clone()).ok());
        let indexer = router.indexer.clone().or_else(|| own.flatten()).ok_or_else(|| {
            let sentence = "no indexer to look up the withdrawal's number: choose an indexer or give the number";
            CommandError::Usage(sentence.to_owned())
        })?;
        let chain = indexer.status().await?.chain_id;
        if chain != of.as_str() {
            let sentence = format!("the indexer serves {chain}: choose the indexer of {of}, or give the number");
            return Err(CommandError::Usage(sentence));
        }
        let mut all = BegunWithdrawal::all_of(&indexer.one(endpoints::tx(*hash)).await?);
        match (all.pop(), all.is_empty()) {
            (Some(only), true) => Ok(only),
            (None, _) => {
                let sentence = "this transaction starts no optimistic withdrawal, so it has no claim";
                Err(CommandError::Failed(sentence.to_owned()))
            }
            (Some(last), false) => {
                let numbers: Vec<String> = all.iter().chain([&last]).map(numbered).collect();
                let sentence =
                    format!("this transaction starts several withdrawals: give a number, {}", numbers.join(" or "));
                Err(CommandError::Usage(sentence))
            }
        }
    }

    async fn write(&self, folder: &std::path::Path, claim: &ReadyTx, router: &Router) -> Result<(), CommandError> {
        let names = RouterNames::fetch(router, std::slice::from_ref(&self.l1)).await;
        let trust = ChosenNetwork::find(router).await.trust(&self.l1, self.listed.as_ref(), self.is_demo);
        let access = ChainAccess::of(&self.l1, self.listed.as_ref(), (None, &trust.fees), &names);
        let files = unsigned_claim(claim, access, "", &names);
        let failed = |(path, error): (std::path::PathBuf, std::io::Error)| {
            CommandError::Failed(format!("cannot write {}: {error}", display_path(&path)))
        };
        for path in write_all(folder, &files).map_err(failed)? {
            eprintln!("wrote {}", display_path(&path));
        }
        Ok(())
    }

    /// Signs the claim in the browser and broadcasts it.
    async fn sign(
        &self,
        claim: ReadyTx,
        claimed: &[SettlementAnswers],
        (router, arguments): (&Router, &ClaimArguments),
        output: &mut CommandOutput,
    ) -> Result<(), CommandError> {
        let names = RouterNames::fetch(router, std::slice::from_ref(&self.l1)).await;
        let chosen = ChosenNetwork::find(router).await;
        let trust = chosen.trust(&self.l1, self.listed.as_ref(), self.is_demo);
        let trust = ChainTrust { rest: arguments.l1_rest.clone().or(trust.rest), ..trust };
        let access = SendingAccess::new(self.listed.as_ref(), trust, names.units(&self.l1));
        let simulation = simulate(&SimulationQuestion::new(&claim, &access), &router.options).await;
        let effect = SimulatedEffect::of(&claim, &access, &simulation, &Glossary::default());
        let mut words = offer_words(&claim, OfferPlace::ONLY, &names);
        words.lines.extend(simulation_lines(&effect, &simulation, &claim, false, &names));
        let planned = WalletTx { words, tx: claim, access, simulated: None };
        let page = CommandPage::open().await?;
        let mut record = ClaimRecord::find(router, claimed, &arguments.accepted_fees);
        let sent = match sign_and_send(&page.page, &planned, router.options.clone(), &mut record).await {
            Ok(sent) => sent,
            Err(failure) => return Err(page.fail(CommandError::failed(failure)).await),
        };
        page.close(&format!("Sent: {}.", sent.hash)).await;
        let broadcast = Broadcast { chain_id: sent.chain_id, tx_hash: sent.hash.as_str().to_owned() };
        let body = serde_json::to_vec(&broadcast).map_err(CommandError::failed)?;
        print::<Broadcast>(&body, router, output).await
    }
}

/// Stored transfers with the claimed withdrawals, if stored. Their history records the claim's hash before the
/// broadcast.
struct ClaimRecord {
    kept: Option<(Store, StoreScope, ClaimDraft)>,
    accepted_fees: Vec<Coin>,
}

impl ClaimRecord {
    fn find(router: &Router, claimed: &[SettlementAnswers], accepted_fees: &[Coin]) -> Self {
        let hash = |one: &SettlementAnswers| one.withdrawal.tx_hash.as_deref()?.parse::<TxHash>().ok();
        let hashes: Vec<TxHash> = claimed.iter().filter_map(hash).collect();
        let found = || {
            let place = router.records.as_ref()?;
            let (store, _) = Store::open_or_renew(&place.file, Timestamp::now()).ok()?;
            let scope = StoreScope::new(&place.network);
            let mut kept = store.transfers(&scope).ok()?;
            kept.retain(|one| one.txs.iter().filter_map(|tx| tx.hash.tx_hash()).any(|hash| hashes.contains(&hash)));
            Some((store, scope, ClaimDraft { kept }))
        };
        Self { kept: found(), accepted_fees: accepted_fees.to_vec() }
    }
}

impl SigningTerminal for ClaimRecord {
    async fn show(&mut self, words: &OfferWords) {
        show(words);
    }

    async fn allow(&mut self, question: &SigningQuestion) -> bool {
        allow(question, &self.accepted_fees).await
    }

    async fn keep(&mut self, sent: &BroadcastTx) -> Result<(), String> {
        if let Some((store, scope, draft)) = &mut self.kept {
            for noted in draft.note(sent, Timestamp::now()) {
                store.save(scope, &noted.record).map_err(|error| error.to_string())?;
            }
        }
        // The hash is printed only once it is kept.
        eprintln!("{}", sent.claim_words());
        Ok(())
    }
}
