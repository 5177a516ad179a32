//! Command `claim`: stage of an optimistic withdrawal from executor and L1, and its claim, signed or exported.

use serde::{Deserialize, Serialize};

use super::{
    super::{ClaimArguments, CommandError, WithdrawalName, output::CommandOutput, table::TableCell},
    Router,
    print::{BridgeAnswer, OutputStyle, print},
    router_names::RouterNames,
    signing::{CommandPage, allow, show},
    trust::ChosenNetwork,
    unsigned::write_all,
};
use crate::{
    client::{ExecutorClient, HostClient, IndexerClient, endpoints},
    config::display_path,
    domain::{
        Amount, ChainId, Coin, Denom, Timestamp, TxHash,
        text::{clip, group_digits},
    },
    signing::{BroadcastTx, ChainTrust, ClaimDraft, OfferWords, ReadyTx, SendingAccess, SigningQuestion, WalletTx},
    store::{Store, StoreScope},
    story::{
        BegunWithdrawal, ChainAccess, Names as _, OfferPlace, WithdrawalStage, offer_words, ready_claim, unsigned_claim,
    },
    wire::{
        ApiError,
        opinit::{ExecutorWithdrawal, SettlementAnswers},
        router::{Broadcast, ChainInfo},
    },
    worker::{SigningTerminal, settle, sign_and_send},
};

/// Maximum width of an address, in terminal columns.
const ADDRESS: usize = 70;

/// Prints the stage; on request, claims the withdrawal or writes its claim to files.
pub(super) async fn run(
    arguments: &ClaimArguments,
    router: &Router,
    output: &mut CommandOutput,
) -> Result<(), CommandError> {
    let named = (arguments.executor.as_deref(), arguments.l1_rest.as_deref());
    let place = SettlementPlace::find(named, router).await?;
    let begun = match &arguments.withdrawal {
        WithdrawalName::Tx(hash) => Some(place.begun(hash, &arguments.chain, router).await?),
        WithdrawalName::Number(_) => None,
    };
    let sequence = match (&arguments.withdrawal, &begun) {
        (WithdrawalName::Number(number), _) => *number,
        (_, Some(begun)) => begun.sequence,
        (WithdrawalName::Tx(_), None) => {
            return Err(CommandError::Failed("no withdrawal in this transaction".to_owned()));
        }
    };
    let found = place.executor.withdrawal(sequence).await.map_err(|error| unknown(sequence, error))?;
    check(&found, sequence, begun.as_ref())?;
    let answers = settle(found, place.l1_client.as_ref()).await;
    let stage = WithdrawalStage::of(&answers);
    if !arguments.sign && arguments.unsigned.is_none() {
        let report = ClaimReport::of(&answers, &stage, &arguments.chain, &place.l1);
        let body = serde_json::to_vec(&report).map_err(CommandError::failed)?;
        return print::<ClaimReport>(&body, router, output).await;
    }
    let signer = arguments.signer.as_deref();
    let claim = ready_claim(&answers, &place.l1, signer, Timestamp::now()).map_err(CommandError::failed)?;
    match &arguments.unsigned {
        Some(folder) => place.write(folder, &claim, router).await,
        None => place.sign(claim, &answers, (router, arguments), output).await,
    }
}

/// Formats a withdrawal with its number: `3 (1,000,000 smallest units of uinit for init1…)`.
fn numbered(one: &BegunWithdrawal) -> String {
    let (amount, to) = (group_digits(&one.amount.to_string()), clip(&one.to, ADDRESS));
    format!("{} ({amount} smallest units of {} for {to})", one.sequence, one.l1_denom.marked())
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
    l1_client: Option<HostClient>,
    /// The router's entry of the L1; `None` if the router does not list the L1.
    listed: Option<ChainInfo>,
    /// Whether the router is the embedded rollup, which also serves an indexer.
    is_demo: bool,
}

impl SettlementPlace {
    /// Returns the executor and the L1's REST from the command line, else from the network and the router.
    async fn find((executor, l1_rest): (Option<&str>, Option<&str>), router: &Router) -> Result<Self, CommandError> {
        let named = executor.map(str::to_owned).or_else(|| router.executor.clone());
        let demo = router.client.demo().await.ok().flatten();
        let base = router.client.base_url().join("");
        let of_demo = demo.as_ref().filter(|demo| !demo.executor.is_empty());
        let of_demo = of_demo.map(|demo| format!("{}{}", base.trim_end_matches('/'), demo.executor));
        let missing = || {
            let sentence = "unknown executor of this rollup: give --executor URL";
            CommandError::Usage(sentence.to_owned())
        };
        let url = named.or(of_demo).ok_or_else(missing)?;
        let unusable = |error: crate::client::BaseUrlError| CommandError::Usage(error.to_string());
        let executor = ExecutorClient::new(&url, router.options.clone()).map_err(unusable)?;
        let directory = RouterNames::default();
        let chains = router.client.chains().await.unwrap_or_default();
        let l1_info = chains.into_iter().find(|chain| directory.is_settlement(&chain.chain_id));
        let l1 = l1_info.as_ref().map_or_else(|| ChainId::new("interwoven-1"), |info| info.chain_id.clone());
        let rest = l1_rest.map(str::to_owned).or_else(|| l1_info.as_ref().map(|info| info.rest.clone()));
        let rest = rest.unwrap_or_default();
        let l1_client = (!rest.is_empty()).then(|| HostClient::new(&rest, router.options.clone()));
        Ok(Self {
            executor,
            l1,
            l1_client: l1_client.transpose().map_err(unusable)?,
            listed: l1_info,
            is_demo: demo.is_some(),
        })
    }

    /// Returns the withdrawals in a transaction, from the indexer of its chain.
    async fn begun(&self, hash: &TxHash, of: &ChainId, router: &Router) -> Result<BegunWithdrawal, CommandError> {
        let own =
            self.is_demo.then(|| IndexerClient::new(&router.client.base_url().join(""), router.options.clone()).ok());
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
        answers: &SettlementAnswers,
        (router, arguments): (&Router, &ClaimArguments),
        output: &mut CommandOutput,
    ) -> Result<(), CommandError> {
        let names = RouterNames::fetch(router, std::slice::from_ref(&self.l1)).await;
        let chosen = ChosenNetwork::find(router).await;
        let trust = chosen.trust(&self.l1, self.listed.as_ref(), self.is_demo);
        let trust = ChainTrust { rest: arguments.l1_rest.clone().or(trust.rest), ..trust };
        let access = SendingAccess::new(self.listed.as_ref(), trust, names.units(&self.l1));
        let planned =
            WalletTx { words: offer_words(&claim, OfferPlace::ONLY, &names), tx: claim, access, simulated: None };
        let page = CommandPage::open().await?;
        let mut record = ClaimRecord::find(router, answers, &arguments.accepted_fees);
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

/// Stored transfer with the claimed withdrawal, if stored. Its history records the claim's hash before the broadcast.
struct ClaimRecord {
    kept: Option<(Store, StoreScope, ClaimDraft)>,
    accepted_fees: Vec<Coin>,
}

impl ClaimRecord {
    fn find(router: &Router, answers: &SettlementAnswers, accepted_fees: &[Coin]) -> Self {
        let found = || {
            let hash: TxHash = answers.withdrawal.tx_hash.as_deref()?.parse().ok()?;
            let place = router.records.as_ref()?;
            let (store, _) = Store::open_or_renew(&place.file, Timestamp::now()).ok()?;
            let scope = StoreScope::new(&place.network);
            let all = store.transfers(&scope).ok()?;
            let kept = all.into_iter().find(|one| one.txs.iter().any(|tx| tx.hash.tx_hash() == Some(hash)))?;
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
        eprintln!("{}", sent.claim_words());
        let Some((store, scope, draft)) = &mut self.kept else { return Ok(()) };
        store.save(scope, &draft.note(sent, Timestamp::now()).record).map_err(|error| error.to_string())
    }
}

/// Stage of a withdrawal as JSON.
#[derive(Debug, Serialize, Deserialize)]
struct ClaimReport {
    chain_id: ChainId,
    l1_chain_id: ChainId,
    bridge_id: u64,
    sequence: u64,
    from: String,
    to: String,
    denom: Denom,
    amount: Amount,
    tx_hash: Option<String>,
    /// Name of the stage: `unproposed`, `unconfirmed`, `proposed`, `ready`, `disproven` or `claimed`.
    stage: String,
    sentence: String,
    output_index: Option<u64>,
    proposed: Option<Timestamp>,
    claimable: Option<Timestamp>,
    /// Time of the newest response from executor and L1.
    as_of: Timestamp,
}

impl ClaimReport {
    fn of(answers: &SettlementAnswers, stage: &WithdrawalStage, chain_id: &ChainId, l1: &ChainId) -> Self {
        let ExecutorWithdrawal { bridge_id, sequence, from, to, amount, tx_hash, output_index, .. } =
            &answers.withdrawal;
        let word = match stage {
            WithdrawalStage::Unproposed => "unproposed",
            WithdrawalStage::Unconfirmed { .. } => "unconfirmed",
            WithdrawalStage::Proposed { .. } if stage.is_ready(answers.at) => "ready",
            WithdrawalStage::Proposed { .. } => "proposed",
            WithdrawalStage::Disproven(_) => "disproven",
            WithdrawalStage::Claimed => "claimed",
        };
        Self {
            chain_id: chain_id.clone(),
            l1_chain_id: l1.clone(),
            bridge_id: *bridge_id,
            sequence: *sequence,
            from: from.clone(),
            to: to.clone(),
            denom: Denom::new(amount.denom.as_str()),
            amount: amount.amount,
            tx_hash: tx_hash.clone(),
            stage: word.to_owned(),
            sentence: stage.sentence(answers.at),
            output_index: Some(*output_index).filter(|index| *index > 0),
            proposed: match stage {
                WithdrawalStage::Proposed { proposed, .. } => Some(*proposed),
                _ => None,
            },
            claimable: stage.claimable(),
            as_of: answers.at,
        }
    }
}

impl BridgeAnswer for ClaimReport {
    const CSV: &'static [&'static str] =
        &["chain_id", "sequence", "from", "to", "denom", "amount", "stage", "output_index", "proposed", "claimable"];

    fn csv(&self) -> Vec<Vec<String>> {
        let or_empty = |value: Option<String>| value.unwrap_or_default();
        vec![vec![
            self.chain_id.to_string(),
            self.sequence.to_string(),
            self.from.clone(),
            self.to.clone(),
            self.denom.to_string(),
            self.amount.to_string(),
            self.stage.clone(),
            or_empty(self.output_index.map(|index| index.to_string())),
            or_empty(self.proposed.map(|time| time.to_string())),
            or_empty(self.claimable.map(|time| time.to_string())),
        ]]
    }

    fn chains(&self) -> Vec<ChainId> {
        vec![self.l1_chain_id.clone()]
    }

    fn table(&self, names: &RouterNames, style: OutputStyle) -> String {
        let mut fields = vec![
            ("Stands", TableCell::new(&self.sentence)),
            ("Withdrawal", TableCell::new(format!("#{} of bridge {}", self.sequence, self.bridge_id))),
            ("Amount", TableCell::new(names.amount(&self.l1_chain_id, &self.denom, self.amount))),
            ("From", TableCell::new(&self.from)),
            ("To", TableCell::new(&self.to)),
        ];
        if let Some(claimable) = self.claimable {
            fields.push(("Claimable", TableCell::new(format!("{}, from the L1", claimable.cut_to_seconds()))));
        }
        fields.push(("As of", TableCell::new(self.as_of.cut_to_seconds().to_string())));
        style.details(&fields)
    }
}
