//! From a transaction that is ready to be signed to one that the chain has: account, gas and fee from the chain, the
//! document to the wallet in the browser, its signature checked, the hash kept, and only then sent, once.

mod cosmos;
mod ethereum;

use super::signing_page::{OfferWords, PageEnd, SigningPage};
use crate::{
    client::{BaseUrlError, ClientOptions},
    domain::{BroadcastHash, ChainId},
    signing::{GasPrice, ReadyForm, ReadyTx, SignatureError, SigningFee},
    wire::ApiError,
};

/// How often a wallet is asked for one transaction: another account, another chain and garbage are worth another try.
const TRIES: u32 = 5;

/// A transaction to be signed.
#[derive(Clone, Debug)]
pub struct WalletTx {
    /// What the accepted quote was compared with.
    pub tx: ReadyTx,
    /// What it does, for the page and the terminal.
    pub words: OfferWords,
    /// How its chain is reached.
    pub access: SendingAccess,
}

/// How a chain is asked and what it takes.
#[derive(Clone, Debug, Default)]
pub struct SendingAccess {
    /// Its Cosmos REST; empty where nobody names one.
    pub rest: String,
    /// What gas costs by the registry; the chain itself is asked where this is `None`.
    pub price: Option<GasPrice>,
    /// Whether it takes what an Ethereum wallet signs by `personal_sign`: Initia's chains do.
    pub takes_personal: bool,
}

/// What is known of a transaction that left the wallet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BroadcastTx {
    /// Where.
    pub chain_id: ChainId,
    /// How the chain calls it.
    pub hash: BroadcastHash,
    /// How far it is.
    pub stage: SentStage,
}

/// How far a signed transaction is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SentStage {
    /// Signed and checked; it is sent next, so that from here on it may be on its way.
    Signed,
    /// The node took it, or the wallet says that it sent it.
    Sent,
    /// The node did not take it: nothing was spent.
    Refused {
        /// The node's number of the reason.
        code: u32,
        /// The node's words, cut.
        log: String,
    },
}

/// Where what is known is kept; a failure stops what would come next.
pub type KeepTx<'a> = &'a mut (dyn FnMut(&BroadcastTx) -> Result<(), String> + Send);

/// Shows on the terminal what the page shows at that moment, and gives the words for both, the fee among them.
pub type ShowWords<'a> = &'a mut (dyn FnMut(&OfferWords, Option<&SigningFee>) -> OfferWords + Send);

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
pub async fn sign_and_send(
    page: &SigningPage,
    planned: &WalletTx,
    options: ClientOptions,
    show: ShowWords<'_>,
    keep: KeepTx<'_>,
) -> Result<BroadcastTx, SigningFailure> {
    if let Some(unknown) = planned.tx.unknown_contracts().next() {
        let (chain_id, shown) = (unknown.chain_id.clone(), unknown.shown.clone());
        return Err(SigningFailure::UnknownContract { chain_id, shown });
    }
    match &planned.tx.form {
        ReadyForm::Cosmos(messages) => cosmos::CosmosSigning { page, planned, messages }.run(options, show, keep).await,
        ReadyForm::Ethereum(call) => ethereum::run(page, planned, call, show, keep).await,
    }
}

/// The words with a remark on why it is asked again.
fn noted(words: &OfferWords, note: Option<String>) -> OfferWords {
    OfferWords { note: note.or_else(|| words.note.clone()), ..words.clone() }
}
