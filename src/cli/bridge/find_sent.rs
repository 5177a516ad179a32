//! Search for a transaction that another program signed: finds its hash by its messages.

mod call;

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::{
    super::{CommandError, arguments::FindSentArguments, arguments::TxArguments, output::CommandOutput},
    Router, files,
    print::print,
    register,
    trust::ChosenNetwork,
};
use crate::{
    client::{IndexerClient, SendingClient},
    domain::{BroadcastHash, ChainId, Timestamp, text::clean},
    msg::{PageRequest, TxQuery, TxScope},
    signing::{EthereumCall, FoundTx, SearchVerdict, SignableMessage, SignedElsewhereSearch, SoughtCall, account_of},
    wire::router::{Broadcast, MsgsResponse, RouterTxKind},
};
use call::CallSearch;

/// File with messages and time, stored beside the unsigned transactions.
pub(super) const MADE: &str = "made.json";
const PACE: Duration = Duration::from_secs(2);
/// Maximum number of the signer's newest transactions to search.
const LOOKED_THROUGH: u16 = 50;
/// Maximum attempts to register the found transaction with the router.
const TRIES: u32 = 31;

/// Transactions prepared for signing elsewhere.
#[derive(Debug, Serialize, Deserialize)]
struct MadeTxs {
    made_at: Timestamp,
    txs: Vec<MadeTx>,
}

/// Prepared transaction: messages of a Cosmos chain, or a call on an EVM chain.
#[derive(Debug, Serialize, Deserialize)]
struct MadeTx {
    chain_id: ChainId,
    messages: Vec<Map<String, Value>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    call: Option<SoughtCall>,
}

/// Server that lists the signer's transactions.
enum SentSource {
    Indexer(IndexerClient),
    /// REST of the chain, if the indexer serves another chain.
    Rest(SendingClient),
}

/// Search with a client of the transaction's chain.
enum SentSearch {
    Messages(Box<SentSource>, SignedElsewhereSearch),
    Call(ChainId, Timestamp, Box<CallSearch>),
}

/// Returns the content of [`MADE`] for these messages; `None` if no message is searchable.
pub(super) fn made(answer: &MsgsResponse, at: Timestamp) -> Result<Option<String>, serde_json::Error> {
    let message = |message: &crate::wire::router::CosmosMessage| -> Option<Map<String, Value>> {
        serde_json::from_str(&SignableMessage::of_router(message).ok()?.proto_json()).ok()
    };
    let tx = |tx: &crate::wire::router::RouterTx| match &tx.kind {
        RouterTxKind::Cosmos { chain_id, msgs, .. } => {
            let messages = msgs.iter().map(message).collect::<Option<Vec<_>>>().unwrap_or_default();
            MadeTx { chain_id: chain_id.clone(), messages, call: None }
        }
        kind => {
            let chain_id = tx.chain_id().cloned().unwrap_or_else(|| ChainId::new(""));
            let call = EthereumCall::of_router(kind).ok().map(|call| SoughtCall::new(&call));
            MadeTx { chain_id, messages: Vec::new(), call }
        }
    };
    let made = MadeTxs { made_at: at, txs: answer.txs.iter().map(tx).collect() };
    if made.txs.iter().all(|tx| tx.messages.is_empty() && tx.call.is_none()) {
        return Ok(None);
    }
    Ok(Some(serde_json::to_string_pretty(&made)? + "\n"))
}

/// Searches until the transaction is found, registers it with the router, and prints chain and hash.
pub(super) async fn run(
    arguments: &FindSentArguments,
    router: &Router,
    output: &mut CommandOutput,
) -> Result<(), CommandError> {
    let mut search = search(arguments, router).await?;
    let chain = search.chain().clone();
    let began = Instant::now();
    let wait = Duration::from_secs(arguments.wait);
    if !wait.is_zero() {
        let (signer, since) = search.signer_and_time();
        let since = since.day_and_clock();
        let (signer, chain) = (clean(&signer).into_owned(), clean(chain.as_str()));
        eprintln!("searching the transactions of {signer} on {chain} since {since} UTC");
    }
    let found = loop {
        let verdict = search.look().await?;
        let left = wait.checked_sub(began.elapsed()).filter(|left| !left.is_zero());
        match (verdict, left) {
            (SearchVerdict::Exact(found), _) => break found,
            (SearchVerdict::Proposed(found), _) => return Err(proposed(&chain, search.what(), &found)),
            (SearchVerdict::Nothing, Some(left)) => tokio::time::sleep(PACE.min(left)).await,
            (SearchVerdict::Nothing, None) => {
                let sentence = "not found yet: the signer sent no matching transaction; wait with --wait SECONDS";
                return Err(CommandError::NotFound(sentence.to_owned()));
            }
        }
    };
    let hash = BroadcastHash::from(found.hash).for_chain(&chain);
    let body = json!({"chain_id": chain, "tx_hash": hash.as_str()}).to_string();
    print::<Broadcast>(body.as_bytes(), router, output).await?;
    let tx = TxArguments { chain: chain.clone(), hash: hash.clone(), tries: TRIES };
    match register::register(router.client()?, &tx).await {
        Ok(_) => eprintln!("the router tracks the transaction: rollscope transfer {chain} {hash} --watch"),
        Err(error) => eprintln!("the transaction was found, but the router does not track it yet: {}", error.brief()),
    }
    Ok(())
}

impl SentSearch {
    fn chain(&self) -> &ChainId {
        match self {
            Self::Messages(_, sought) => &sought.chain_id,
            Self::Call(chain, ..) => chain,
        }
    }

    fn what(&self) -> &'static str {
        match self {
            Self::Messages(..) => "messages",
            Self::Call(..) => "call",
        }
    }

    fn signer_and_time(&self) -> (String, Timestamp) {
        match self {
            Self::Messages(_, sought) => (sought.signer.clone(), sought.since),
            Self::Call(_, since, search) => (search.signer(), *since),
        }
    }

    async fn look(&mut self) -> Result<SearchVerdict, CommandError> {
        let (source, sought) = match self {
            Self::Messages(source, sought) => (source, sought),
            Self::Call(_, _, search) => return search.look().await,
        };
        let indexer = match &**source {
            SentSource::Indexer(indexer) => indexer,
            SentSource::Rest(rest) => return Ok(sought.search(&rest.txs_of(&sought.signer, LOOKED_THROUGH).await?)),
        };
        let address = account_of(&sought.signer).ok_or_else(|| nothing_made(&sought.chain_id))?;
        let query = TxQuery { scope: TxScope::Account { address, signer_only: true }, msgs: Vec::new() };
        let page = indexer.list(&query, &PageRequest::newest(LOOKED_THROUGH)).await?;
        Ok(sought.search(page.items.iter().map(AsRef::as_ref)))
    }
}

/// Reads the transactions in the folder and connects to their chain.
async fn search(arguments: &FindSentArguments, router: &Router) -> Result<SentSearch, CommandError> {
    let (path, tx) = (arguments.folder.join(MADE), arguments.tx);
    let made: MadeTxs = files::answer(&path, "msgs --unsigned")?.value;
    let count = made.txs.len();
    let missing = || CommandError::Usage(format!("--tx {tx} does not exist: the folder has {count}"));
    let made_tx = made.txs.into_iter().nth(tx as usize).ok_or_else(missing)?;
    let chain = made_tx.chain_id;
    if let Some(call) = made_tx.call {
        let node = arguments.evm_node.as_deref();
        let search = CallSearch::begin(node, router, &chain, call, made.made_at).await?;
        return Ok(SentSearch::Call(chain, made.made_at, Box::new(search)));
    }
    let message = |mut fields: Map<String, Value>| {
        let kind = fields.remove("@type").and_then(|kind| kind.as_str().map(str::to_owned)).unwrap_or_default();
        SignableMessage::read(&kind, &Value::Object(fields).to_string())
    };
    let messages = made_tx.messages.into_iter().map(message).collect::<Result<Vec<_>, _>>();
    let messages = messages.map_err(|error| CommandError::Usage(error.to_string()))?;
    let sought =
        SignedElsewhereSearch::new(chain.clone(), messages, made.made_at).ok_or_else(|| nothing_made(&chain))?;
    let rest = if serves(router, &chain).await { None } else { rest_of(router, &chain).await };
    let source = match rest {
        Some(rest) => SentSource::Rest(rest),
        None => SentSource::Indexer(indexer_of(router, &chain).await?),
    };
    Ok(SentSearch::Messages(Box::new(source), sought))
}

fn nothing_made(chain: &ChainId) -> CommandError {
    let chain = clean(chain.as_str());
    CommandError::Usage(format!("cannot search for a transaction on {chain} by its messages: give its hash to track"))
}

/// Whether the chosen indexer serves the chain.
async fn serves(router: &Router, chain: &ChainId) -> bool {
    let Some(indexer) = &router.indexer else { return false };
    indexer.status().await.is_ok_and(|status| status.chain_id == chain.as_str())
}

/// Returns a client of the chain's REST: of settings or registry, else the router's, which is said.
async fn rest_of(router: &Router, chain: &ChainId) -> Option<SendingClient> {
    let listed = router.chains().await.into_iter().find(|info| info.chain_id == *chain);
    let is_simulated = router.demo().await.is_some();
    let trusted = ChosenNetwork::find(router).await.trust(chain, listed.as_ref(), is_simulated).rest;
    let of_router = || listed.map(|info| info.rest).filter(|rest| !rest.is_empty());
    let is_trusted = trusted.is_some();
    let rest = trusted.or_else(of_router)?;
    if !is_trusted {
        eprintln!("searching {} by the router's REST URL", clean(chain.as_str()));
    }
    SendingClient::new(&rest, router.options.clone()).ok()
}

/// Returns the client of the chosen indexer; fails if it serves another chain.
async fn indexer_of(router: &Router, chain: &ChainId) -> Result<IndexerClient, CommandError> {
    let named = clean(chain.as_str());
    let none = || CommandError::Usage(format!("cannot search {named}: choose its network with --network"));
    let indexer = router.indexer.clone().ok_or_else(none)?;
    let own = indexer.status().await?.chain_id;
    if own == chain.as_str() {
        return Ok(indexer);
    }
    let own = clean(&own).into_owned();
    Err(CommandError::Usage(format!(
        "the transaction is for {named}, but the indexer serves {own}: choose the network of {named}"
    )))
}

/// Creates the error that lists the candidates for the user.
fn proposed(chain: &ChainId, what: &str, found: &[FoundTx]) -> CommandError {
    for tx in found.iter().take(10) {
        let differs = match (tx.differs.is_empty(), tx.is_failed) {
            (true, false) => format!("same {what}"),
            (true, true) => format!("same {what}, but it failed"),
            (false, _) => format!("differs in {}", clean(&tx.differs.join(", "))),
        };
        eprintln!("  {} of {} UTC: {differs}", BroadcastHash::from(tx.hash).for_chain(chain), tx.at.day_and_clock());
    }
    let chain = clean(chain.as_str());
    CommandError::NotFound(format!("no certain match: choose one with rollscope track {chain} HASH"))
}
