//! Signing and broadcasting of a prepared transaction: account, gas and fee from the chain, the document to the browser
//! wallet, the signature verified, the hash stored, then one broadcast.

mod cosmos;
mod desk;
mod ethereum;
mod hook;
mod session;

use std::{env, future::Future};

pub(super) use desk::SigningDesk;
pub use hook::sign_hook;

use super::signing_page::{PageEnd, SigningPage};
use crate::{
    client::{BaseUrlError, ClientOptions},
    domain::{BroadcastHash, ChainId},
    signing::{BroadcastTx, ContractUse, MessageError, OfferWords, ReadyForm, SignatureError, WalletTx},
    wire::ApiError,
};

/// Maximum requests to a wallet per transaction: another account, another chain or an invalid answer justifies a retry.
const TRIES: u32 = 5;

/// User's side: displays the request and stores the result.
pub trait SigningTerminal: Send {
    /// Displays what the signing page displays, including the fee.
    fn show(&mut self, words: &OfferWords) -> impl Future<Output = ()> + Send;

    /// Asks the user for a second confirmation; `false` if refused or impossible.
    fn allow(&mut self, why: &str) -> impl Future<Output = bool> + Send;

    /// Stores the state of a signed transaction. A failure prevents the next step: nothing is broadcast that is not
    /// stored.
    fn keep(&mut self, sent: &BroadcastTx) -> impl Future<Output = Result<(), String>> + Send;
}

/// Why a transaction was not broadcast, or is not known to be.
#[derive(Debug, thiserror::Error)]
pub enum SigningFailure {
    #[error("unknown REST address of {0}: rollscope needs it for the account and the broadcast")]
    NoRest(ChainId),
    #[error("unusable REST address of the chain: {0}")]
    Address(#[from] BaseUrlError),
    /// The signer has no account on the chain, so it cannot pay the fee.
    #[error("{signer} has no account on {chain_id}: it never received funds there and cannot pay the fee")]
    NoAccount { chain_id: ChainId, signer: String },
    /// The messages do not have exactly one signer.
    #[error("the messages do not name their signer")]
    NoSigner,
    /// The chain did not answer a required query.
    #[error("{0}; nothing signed")]
    Chain(ApiError),
    #[error("{0}, and you did not confirm it; nothing signed")]
    Fee(String),
    #[error("unknown gas price on {0}; nothing signed")]
    NoPrice(ChainId),
    #[error("unknown contract {shown} on {chain_id}, and you did not confirm it; nothing signed")]
    UnknownContract {
        chain_id: ChainId,
        /// Address in the chain's form.
        shown: String,
    },
    #[error("{0}; no signature reached rollscope")]
    Page(#[from] PageEnd),
    #[error("rejected in the wallet: {0}")]
    Refused(String),
    #[error("the wallet did not sign: {0}")]
    Wallet(String),
    /// Every answer of the wallet was an invalid signature.
    #[error(transparent)]
    Signature(SignatureError),
    #[error("cannot write the hook: {0}")]
    Hook(#[from] MessageError),
    /// A wallet would send it to the real chain.
    #[error(
        "{0} is simulated here under a real chain's id; your wallet would send on the real chain; use the demo \
         wallet"
    )]
    Simulated(ChainId),
    #[error("cannot save the hash ({0}), so rollscope sent nothing")]
    NotKept(String),
    #[error("the node rejected the transaction before a block included it (code {code}): {log}; nothing spent")]
    NotTaken {
        code: u32,
        /// Node's log, truncated.
        log: String,
    },
    #[error(
        "unknown whether the node accepted {hash}: {error}. rollscope does not resend it; follow it with: \
         rollscope transfer {chain_id} {hash}"
    )]
    Unknown { chain_id: ChainId, hash: BroadcastHash, error: ApiError },
}

/// Has the wallet sign one transaction and broadcasts it. Stores every result before waiting for the next.
pub async fn sign_and_send<T: SigningTerminal>(
    page: &SigningPage,
    planned: &WalletTx,
    options: ClientOptions,
    terminal: &mut T,
) -> Result<BroadcastTx, SigningFailure> {
    if let Some(unknown) = planned.tx.unknown_contracts().next() {
        let doubts: Vec<String> = planned.tx.unknown_contracts().map(ContractUse::doubt).collect();
        page.tell("The transaction uses an unknown contract: confirm it in the terminal first.");
        if !terminal.allow(&format!("UNKNOWN: {}", doubts.join("; "))).await {
            let (chain_id, shown) = (unknown.chain_id.clone(), unknown.shown.clone());
            return Err(SigningFailure::UnknownContract { chain_id, shown });
        }
    }
    match &planned.tx.form {
        ReadyForm::Cosmos(messages) => cosmos::CosmosSigning { page, planned, messages }.run(options, terminal).await,
        ReadyForm::Ethereum(call) => ethereum::run(page, planned, call, terminal).await,
    }
}

/// Returns the SSH tunnel command if this terminal runs on another machine than the browser; the port must stay equal,
/// because the page is only served under it.
pub fn tunnel(port: u16) -> Option<String> {
    let connection = env::var_os("SSH_CONNECTION")?.to_string_lossy().into_owned();
    let host = connection.split(' ').nth(2).filter(|host| !host.is_empty()).unwrap_or("HOST");
    Some(format!("ssh -L {port}:127.0.0.1:{port} {host}"))
}

/// Adds a note to the words that explains a repeated request.
fn noted(words: &OfferWords, note: Option<String>) -> OfferWords {
    OfferWords { note: note.or_else(|| words.note.clone()), ..words.clone() }
}
