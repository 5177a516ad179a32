//! Builds documents for a wallet to sign and verifies the wallet's signatures, without keys and without network access.
//!
//! `docs/apis/signing.md` describes sign documents and encodings. Entry points:
//!
//! - a router's message: [`SignableMessage::of_router`], whose error names an unsupported type;
//! - a Cosmos transaction: [`SignDocument::new`], [`SignDocument::text`] for `personal_sign` or `signAmino`,
//!   [`SignDocument::simulation`] to measure the gas, [`SigningFee::of_simulation`] for the fee (then
//!   [`SignDocument::with_fee`]), and [`FeeDoubt`] for a fee that needs the user's second confirmation;
//! - the wallet's response: [`SignDocument::with_personal_signature`] (Ethereum wallets) or
//!   [`SignDocument::with_amino_signature`] (Keplr and similar wallets) return a [`SignedTx`] with bytes and hash, or a
//!   [`SignatureError`] that names the actual signer;
//! - the hook of an OPinit deposit: [`SignDocument::of_hook`] with [`hook_sequence`], then [`SignedTx::op_hook`];
//! - a transaction of an EVM chain: [`EthereumCall::of_router`], after its [`TokenApproval`]s;
//! - **before all others** [`AcceptedQuote::compare`] (and [`AcceptedQuote::compare_hook`]): compares a router's whole
//!   response with the accepted quote and returns [`ReadyTx`]s, or the [`SigningRefusal`] that names the difference.
//!   rollscope signs only [`ReadyTx`]s. Their [`FundsEffect`]s describe what a transaction does with funds;
//!   `story::signing_sentences` has the sentences;
//! - [`KnownContracts`] identifies called contracts: [`ContractVerdict::Unknown`] ones need the user's confirmation
//!   ([`ReadyTx::accept_contracts`]) before a broadcast, and a [`ContractDoubt`] tells what is known of them;
//! - a [`SigningOrder`] is the request to the browser wallet, with [`OfferWords`] and a [`RecordDraft`].

mod accounts;
mod calls;
mod canonical;
mod claim;
mod contract_doubt;
mod document;
mod effect;
mod ethereum;
mod evm_code;
mod expiry;
mod fee;
mod fee_doubt;
mod forms;
mod guard;
mod known;
mod memo_action;
mod message;
mod one_reading;
mod signature;
mod signed_elsewhere;
mod simulation;
mod sought_call;
mod suggestion;
mod swap_contract;
mod wallet;

pub use accounts::{AccountsOrder, WalletAccounts};
pub use claim::{ClaimError, WithdrawalClaim, withdrawal_leaf};
pub use contract_doubt::{CodeReading, ContractDoubt};
pub use document::{SignDocument, SignedTx, SigningMode, hook_sequence, sequence_after};
pub use effect::{BurnCall, ClaimWait, EffectError, FundsEffect, token_denom};
pub use ethereum::{ApprovalStep, EthereumCall, EthereumCallError, TokenApproval};
pub use evm_code::{
    ADMIN_SLOT, BEACON_SLOT, IMPLEMENTATION_CALL, IMPLEMENTATION_SLOT, NamedCode, address_in_word, code_hash, delegates,
};
pub use expiry::{BlockTime, NoExpiry, TxExpiry};
pub use fee::SigningFee;
pub use fee_doubt::{FeeDoubt, QuotedDollars, least_usual_fee};
pub use guard::{AcceptedQuote, ReadyForm, ReadyTx, RouteConnection, RouteDoubt, SigningRefusal};
pub use known::{ContractPart, ContractSource, ContractUse, ContractVerdict, KnownContracts};
pub use memo_action::{MemoAction, MemoForward};
pub use message::{MessageError, SignableMessage, account_of};
pub use signature::{SignatureError, personal_digest, recover, verify};
pub use signed_elsewhere::{FoundTx, SearchVerdict, SignedElsewhereSearch};
pub use simulation::{CallRevert, HeldCoins, SimulatedRun, SimulationQuestion, TxSimulation};
pub use sought_call::{CallLikeness, SoughtCall, is_since};
pub use suggestion::ChainSuggestion;
pub use swap_contract::SwapContractCall;
pub use wallet::{
    BroadcastTx, ChainTrust, ClaimDraft, FeeUnit, NotedRecord, OfferLine, OfferLineKind, OfferWords, RecordDraft,
    SendingAccess, SentStage, SigningOrder, SigningQuestion, WalletHook, WalletTx, no_proof,
};
