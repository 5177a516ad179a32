//! Signing and broadcasting of a prepared transaction: requests account, gas and fee from the chain, sends the document
//! to the browser wallet, verifies the signature, stores the hash, then broadcasts once.

mod accounts;
mod contracts;
mod cosmos;
mod desk;
mod ethereum;
mod expiry;
mod hook;
mod session;
mod simulation;
mod tokens;

use std::{env, future::Future};

pub use contracts::contract_doubts;
pub(super) use desk::SigningDesk;
pub use expiry::account_at;
pub use hook::sign_hook;
pub use simulation::simulate;

use super::signing_page::{PageEnd, SigningPage};
use crate::{
    client::{BaseUrlError, ClientOptions},
    domain::{
        AcceptedContract, BroadcastHash, ChainId, Denom, both_forms,
        text::{self, Foreign},
    },
    signing::{
        BroadcastTx, FundsEffect, MessageError, OfferWords, ReadyForm, RouteDoubt, SignatureError, SigningQuestion,
        WalletTx,
    },
    wire::ApiError,
};

/// Maximum requests to a wallet per transaction. rollscope asks again after another account, another chain or an
/// invalid answer.
const TRIES: u32 = 5;
/// Code of a node for a sequence number that is not the account's next.
const WRONG_SEQUENCE: u32 = 32;

/// Interface to the user: displays the request and stores the result.
pub trait SigningTerminal: Send {
    /// Displays the text of the signing page, including the fee.
    fn show(&mut self, words: &OfferWords) -> impl Future<Output = ()> + Send;

    /// Asks the user for a second confirmation; `false` if the user refuses or cannot answer.
    fn allow(&mut self, question: &SigningQuestion) -> impl Future<Output = bool> + Send;

    /// Returns the unknown contracts that the user accepted before.
    fn accepted(&mut self) -> impl Future<Output = Vec<AcceptedContract>> + Send {
        async { Vec::new() }
    }

    /// Stores the user's yes to a contract; by default it counts only once.
    fn accept(&mut self, _: AcceptedContract) -> impl Future<Output = ()> + Send {
        async {}
    }

    /// Stores the state of a signed transaction. After a failure, the caller must not broadcast: rollscope broadcasts
    /// only stored transactions.
    fn keep(&mut self, sent: &BroadcastTx) -> impl Future<Output = Result<(), String>> + Send;
}

/// Reason why a transaction was not broadcast, or why its broadcast is uncertain.
#[derive(Debug, thiserror::Error)]
pub enum SigningFailure {
    #[error("unknown REST URL of {0}: rollscope needs it for account and broadcast")]
    NoRest(ChainId),
    #[error("unusable REST URL of the chain: {0}")]
    Address(#[from] BaseUrlError),
    /// The signer has no account on the chain, so the signer cannot pay the fee.
    #[error("{signer} has no account on {chain_id}: it never received funds there and cannot pay the fee")]
    NoAccount { chain_id: ChainId, signer: String },
    /// The messages do not have exactly one signer.
    #[error("the messages do not name their signer")]
    NoSigner,
    /// The chain did not answer a required query.
    #[error("{0}; nothing signed")]
    Chain(ApiError),
    #[error("{0}, and you did not confirm; nothing signed")]
    Fee(String),
    #[error("{0}, and you did not confirm; nothing signed")]
    Unproven(String),
    #[error("the simulation on {0} used no gas, so the fee is unknown; nothing signed")]
    NoGas(ChainId),
    #[error("unknown gas price on {0}; nothing signed")]
    NoPrice(ChainId),
    #[error("you did not confirm unknown contract {shown} on {chain_id}; nothing signed")]
    UnknownContract {
        chain_id: ChainId,
        /// Address in the chain's format.
        shown: String,
    },
    /// A node that no router named names another contract of the denom.
    #[error(
        "the router's contract of {} is {found}, but {host} names {known}; nothing signed", .denom.marked()
    )]
    OtherToken { denom: Denom, found: String, known: String, host: String },
    #[error("{0}; no signature reached rollscope")]
    Page(#[from] PageEnd),
    #[error("the wallet showed no account")]
    NoAccounts,
    #[error("rejected in the wallet: {}", text::quoted(.0))]
    Refused(String),
    #[error("the wallet did not sign: {}", text::quoted(.0))]
    Wallet(String),
    /// The wallet answered without a usable result.
    #[error("the wallet did not sign: {0}")]
    Unusable(String),
    /// The wallet may have sent the transaction.
    #[error("{0}: check in the wallet whether it sent the transaction")]
    Unclear(String),
    /// The wallet answered only with invalid signatures.
    #[error(transparent)]
    Signature(SignatureError),
    #[error("cannot write the hook: {0}")]
    Hook(#[from] MessageError),
    #[error(
        "{0} is simulated here under a real chain's id; your wallet would send on the real chain; use the demo \
         wallet"
    )]
    Simulated(ChainId),
    #[error("cannot save the hash ({0}), so rollscope sent nothing")]
    NotKept(String),
    #[error(
        "the node says that it rejected {hash} (code {code}): {}. The funds may be spent nevertheless{no_proof}. \
         Follow the transaction with: rollscope transfer {chain_id} {hash}", .log.clipped(cosmos::LOG)
    )]
    NotTaken {
        chain_id: ChainId,
        hash: BroadcastHash,
        code: u32,
        /// Message from the node's log, truncated.
        log: Foreign,
        /// Why nothing can prove it later; empty where something can.
        no_proof: &'static str,
    },
    #[error(
        "unknown whether the node accepted {hash}: {error}. rollscope does not resend the transaction; follow it with: \
         rollscope transfer {chain_id} {hash}"
    )]
    Unknown { chain_id: ChainId, hash: BroadcastHash, error: ApiError },
}

/// Requests one transaction from the wallet and broadcasts it. Stores each result before the next step.
pub async fn sign_and_send<T: SigningTerminal>(
    page: &SigningPage,
    planned: &WalletTx,
    options: ClientOptions,
    terminal: &mut T,
) -> Result<BroadcastTx, SigningFailure> {
    let own = (&planned.tx.chain_id, &planned.access.trust);
    let tokens = tokens::check_tokens(&FundsEffect::approved_tokens(&planned.tx.effects), own.1, &options).await?;
    let settled = contracts::accept_contracts(page, &planned.tx.contracts, own, &options, terminal).await?;
    let mut planned = planned.clone();
    planned.words.lines.extend(tokens.into_iter().chain(settled));
    ask_doubts(page, &planned.tx.doubts, terminal).await?;
    match &planned.tx.form.clone() {
        ReadyForm::Cosmos(messages) => {
            for _ in 1..TRIES {
                let signing = cosmos::CosmosSigning { page, planned: &planned, messages };
                match signing.run(options.clone(), terminal).await {
                    Err(SigningFailure::NotTaken { code: WRONG_SEQUENCE, log, .. }) => {
                        planned.words.note = Some(sequence_taken(&log));
                    }
                    other => return other,
                }
            }
            cosmos::CosmosSigning { page, planned: &planned, messages }.run(options, terminal).await
        }
        ReadyForm::Ethereum(call) => ethereum::run(page, &planned, call, terminal).await,
    }
}

/// Asks the user for a yes to each part that only the router tells.
async fn ask_doubts<T: SigningTerminal>(
    page: &SigningPage,
    doubts: &[RouteDoubt],
    terminal: &mut T,
) -> Result<(), SigningFailure> {
    for doubt in doubts {
        page.tell("Only the router tells a part of this: answer in the terminal first.");
        let question = SigningQuestion::Doubt { why: text::clean(&doubt.to_string()).into_owned() };
        if !terminal.allow(&question).await {
            return Err(SigningFailure::Unproven(question.why().to_owned()));
        }
    }
    Ok(())
}

/// Returns the SSH tunnel command if the terminal runs on another machine than the browser. The tunnel keeps the port,
/// because the page accepts only its own port as host.
pub fn tunnel(port: u16) -> Option<String> {
    let connection = env::var_os("SSH_CONNECTION")?.to_string_lossy().into_owned();
    let host = connection.split(' ').nth(2).filter(|host| !host.is_empty()).unwrap_or("HOST");
    Some(format!("ssh -L {port}:127.0.0.1:{port} {host}"))
}

/// Explains a repeated request after a node named another sequence number. A document of the same number is the same
/// transaction; one of the next number could be sent beside the first.
fn sequence_taken(log: &Foreign) -> String {
    format!(
        "The node says that it rejected the signed transaction because of the sequence number (code \
         {WRONG_SEQUENCE}: {}). If that is wrong, a second signature sends twice: check your account, then sign again.",
        log.clipped(cosmos::LOG)
    )
}

/// Explains a repeated request after the person's own no.
fn rejected(reason: &str) -> String {
    format!("You rejected the request in the wallet ({}). Sign again, or close this page.", text::quoted(reason))
}

/// Explains a repeated request after the wallet named other accounts, in the formats that wallets show.
fn other_account(wanted: &str, shown: &[Foreign]) -> String {
    let shown: Vec<String> = shown.iter().map(|account| account.clipped(80)).collect();
    let shown = if shown.is_empty() { "no account".to_owned() } else { shown.join(", ") };
    format!("The wallet shows {shown}. Choose the account {} there, then sign again.", both_forms(wanted))
}
