//! From a transaction that is ready to be signed to one that the chain has: account, gas and fee from the chain, the
//! document to the wallet in the browser, its signature checked, the hash kept, and only then sent, once.

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

/// How often a wallet is asked for one transaction: another account, another chain and garbage are worth another try.
const TRIES: u32 = 5;

/// The side of the person: it shows what is signed, and keeps what is known.
pub trait SigningTerminal: Send {
    /// Shows what the page shows at that moment, the fee included.
    fn show(&mut self, words: &OfferWords) -> impl Future<Output = ()> + Send;

    /// Asks the person for a second yes, to this; `false` where they say no, or cannot be asked.
    fn allow(&mut self, why: &str) -> impl Future<Output = bool> + Send;

    /// Keeps what is known of a signed transaction. A failure stops what would come next: nothing is sent that is not
    /// kept.
    fn keep(&mut self, sent: &BroadcastTx) -> impl Future<Output = Result<(), String>> + Send;
}

/// Why a transaction was not sent, or is not known to be.
#[derive(Debug, thiserror::Error)]
pub enum SigningFailure {
    /// Nobody names the chain's REST.
    #[error("nobody says where {0} is asked for accounts and sent transactions: its REST address is not known")]
    NoRest(ChainId),
    /// The address that is named is none.
    #[error("the REST address of the chain is of no use: {0}")]
    Address(#[from] BaseUrlError),
    /// The signer has no account there, so that it cannot pay either.
    #[error("{signer} has no account on {chain_id}: nothing ever came to it there, so it cannot pay the fee")]
    NoAccount {
        /// Where.
        chain_id: ChainId,
        /// Who.
        signer: String,
    },
    /// The signer of the messages is not one account.
    #[error("the messages do not say who signs them")]
    NoSigner,
    /// The chain does not answer what is needed before.
    #[error("{0}; nothing was signed")]
    Chain(ApiError),
    /// The person did not say yes to a fee above the bound.
    #[error("{0}, and nobody said yes to that; nothing was signed")]
    Fee(String),
    /// A fee cannot be made.
    #[error("nobody says what gas costs on {0}; nothing was signed")]
    NoPrice(ChainId),
    /// It has to do with a contract that nobody knows, and the person did not say yes to that.
    #[error("{shown} on {chain_id} is not known, and nobody said yes to it; nothing was signed")]
    UnknownContract {
        /// Where it is.
        chain_id: ChainId,
        /// As that chain writes it.
        shown: String,
    },
    /// The page ended without an answer.
    #[error("{0}; nothing was signed that rollscope knows of")]
    Page(#[from] PageEnd),
    /// The person said no in the wallet.
    #[error("refused in the wallet: {0}")]
    Refused(String),
    /// The wallet did not do it.
    #[error("the wallet did not sign: {0}")]
    Wallet(String),
    /// What it gave back is no signature of the document by its signer, however often it was asked.
    #[error(transparent)]
    Signature(SignatureError),
    /// The hook cannot be written.
    #[error("the hook cannot be written: {0}")]
    Hook(#[from] MessageError),
    /// A wallet would send it to the real chain.
    #[error(
        "{0} is simulated here under the number of the real chain, and a wallet would send it there: the demo wallet sends it"
    )]
    Simulated(ChainId),
    /// It cannot be kept, so it was not sent.
    #[error("the hash cannot be kept ({0}), so nothing was sent")]
    NotKept(String),
    /// The node did not take it.
    #[error("the node refused it before it got into a block (code {code}): {log}; nothing was spent")]
    NotTaken {
        /// The node's number of the reason.
        code: u32,
        /// The node's words, cut.
        log: String,
    },
    /// It was given to the node, and nobody knows whether the node has it.
    #[error(
        "whether {hash} was taken is not known: {error}. It is not sent again; follow it with: rollscope transfer {chain_id} {hash}"
    )]
    Unknown {
        /// Where.
        chain_id: ChainId,
        /// Its hash.
        hash: BroadcastHash,
        /// What went wrong.
        error: ApiError,
    },
}

/// Has one transaction signed on the page and sent. What is known is kept before anything is waited for.
pub async fn sign_and_send<T: SigningTerminal>(
    page: &SigningPage,
    planned: &WalletTx,
    options: ClientOptions,
    terminal: &mut T,
) -> Result<BroadcastTx, SigningFailure> {
    if let Some(unknown) = planned.tx.unknown_contracts().next() {
        let doubts: Vec<String> = planned.tx.unknown_contracts().map(ContractUse::doubt).collect();
        page.tell("A contract in it is not known: say yes in the terminal first.");
        if !terminal.allow(&format!("NOT KNOWN: {}", doubts.join("; "))).await {
            let (chain_id, shown) = (unknown.chain_id.clone(), unknown.shown.clone());
            return Err(SigningFailure::UnknownContract { chain_id, shown });
        }
    }
    match &planned.tx.form {
        ReadyForm::Cosmos(messages) => cosmos::CosmosSigning { page, planned, messages }.run(options, terminal).await,
        ReadyForm::Ethereum(call) => ethereum::run(page, planned, call, terminal).await,
    }
}

/// What must run beside the browser where this terminal is of another machine: the port stays the same, since the page is
/// only served under it. `None` where the browser is here.
pub fn tunnel(port: u16) -> Option<String> {
    let connection = env::var_os("SSH_CONNECTION")?.to_string_lossy().into_owned();
    let host = connection.split(' ').nth(2).filter(|host| !host.is_empty()).unwrap_or("HOST");
    Some(format!("ssh -L {port}:127.0.0.1:{port} {host}"))
}

/// The words with a remark on why it is asked again.
fn noted(words: &OfferWords, note: Option<String>) -> OfferWords {
    OfferWords { note: note.or_else(|| words.note.clone()), ..words.clone() }
}
