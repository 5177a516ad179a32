//! What a person's own wallet signs, made and checked without any key and without asking anybody.
//!
//! Facts on sign documents and bytes: `docs/apis/signing.md`. Where to begin:
//!
//! - a router's message: [`SignableMessage::of_router`]; another type than those that can be written byte for byte is an
//!   error that names it;
//! - a Cosmos transaction: [`SignDocument::new`], [`SignDocument::text`] for `personal_sign` or `signAmino`,
//!   [`SignDocument::simulation`] for the gas, [`SigningFee::of_simulation`] and [`GasPrice`] for the fee (then
//!   [`SignDocument::with_fee`]);
//! - what the wallet gave back: [`SignDocument::with_personal_signature`] (Ethereum wallets) or
//!   [`SignDocument::with_amino_signature`] (Keplr and its kin) to a [`SignedTx`] with bytes and hash, or a
//!   [`SignatureError`] that says who signed instead;
//! - the hook of an optimistic deposit: [`SignDocument::of_hook`] with [`hook_sequence`], then [`SignedTx::op_hook`];
//! - a transaction of an EVM chain: [`EthereumCall::of_router`], its [`TokenApproval`]s before it;
//! - **first of all** [`AcceptedQuote::compare`] (and [`AcceptedQuote::compare_hook`]): a router's whole answer against
//!   the quote that was accepted, as [`ReadyTx`]s, or the [`SigningRefusal`] that says what differs. What is signed is
//!   made of these only. [`FundsEffect`]s are what they do; `story::signing_sentences` has the words;
//! - [`KnownContracts`] is who says what a called contract is: [`ReadyTx::unknown_contracts`] need the person's own yes
//!   ([`ReadyTx::accept_contracts`]) before anything is sent.
//! - a [`SigningOrder`] is what the browser's wallet is asked for, with [`OfferWords`] and a [`RecordDraft`].

mod calls;
mod canonical;
mod claim;
mod document;
mod effect;
mod ethereum;
mod fee;
mod forms;
mod guard;
mod known;
mod message;
mod onward;
mod signature;
mod sought;
mod sought_call;
mod suggestion;
mod venue;
mod wallet;

pub use claim::{ClaimError, WithdrawalClaim, withdrawal_leaf};
pub use document::{SignDocument, SignedTx, SigningMode, hook_sequence, sequence_after};
pub use effect::{BurnCall, EffectError, FundsEffect};
pub use ethereum::{EthereumCall, EthereumCallError, TokenApproval};
pub use fee::{GasPrice, GasPriceError, SigningFee};
pub use guard::{AcceptedQuote, ReadyForm, ReadyTx, SigningRefusal};
pub use known::{ContractPart, ContractSource, ContractUse, ContractVerdict, KnownContracts};
pub use message::{MessageError, SignableMessage, account_of};
pub use onward::Onward;
pub use signature::{SignatureError, personal_digest, recover, verify};
pub use sought::{FoundTx, SearchVerdict, SoughtTx};
pub use sought_call::{CallLikeness, SoughtCall, is_since};
pub use suggestion::ChainSuggestion;
pub use venue::VenueAction;
pub use wallet::{
    BroadcastTx, ClaimDraft, FeeUnit, NotedRecord, OfferWords, RecordDraft, SendingAccess, SentStage, SigningOrder,
    WalletHook, WalletTx,
};
