//! Meaning of a transaction: messages, fee, events and failure, decoded from the raw record on demand.
//!
//! Facts come first, then words; the modules depend on each other in one direction:
//!
//! ```text
//! limits, decode <- abi <- names <- changes <- context <- words <- movement <- transaction <- simulation
//! ```

mod abi;
mod changes;
mod context;
mod decode;
mod deployment;
mod deposit_outcome;
pub mod diff;
mod embedded_text;
mod limits;
mod move_events;
mod movement;
pub(crate) mod names;
pub(crate) mod packet;
mod partial_failure;
mod places;
mod receipt;
mod simulation;
mod told_twice;
mod transaction;
mod upkeep;
mod words;

pub use crate::events::ContractLog;
pub use abi::{AbiFile, AbiFileError, AbiReading, AbiRegistry, AbiValue, Argument, selector_name, signature};
pub use changes::{
    BalanceChange, BalanceHolder, Changes, ChangesRecord, FeeLine, NftChange, NftName, SupplyChange, TokenTransfer,
    contract_tokens::contract_tokens,
    direction::{AccountPart, Direction},
    nft_moves::{NftMove, nft_moves},
};
pub use decode::{
    Decoded, DecodedEvent, DecodedMessage, EventPhase, decode,
    failure::TxFailure,
    signed::{SignedMessage, signed_messages},
};
pub use deployment::{ContractDeployment, deployment};
pub use embedded_text::{Opened, TextForm, move_account, move_argument, open_text};
pub use limits::{MOST_DEPTH, MOST_EVENTS, MOST_NESTED, MOST_OWNER_TESTS, MOST_SENTENCES, Work};
pub use movement::{
    bridge::{BridgeIdentity, BridgeMove, MovedPacket, PacketWay, numbered_queries, packet_queries},
    withdrawal::{BegunWithdrawal, ClaimRefusal, MOST_CLAIMS, WithdrawalStage, claim_outlook, ready_claim},
};
pub use names::{
    chain_names::{Names, UnitSource, known_chain, routed_symbol, settled_name},
    glossary::{Glossary, LabelSource, NameSource, RevertedTx, TokenUnit, escrow_account, returned_by},
    reported_units::{ReportedNames, ReportedUnits},
};
pub use partial_failure::PartialFailure;
pub use receipt::{ReceiptProof, pair};
pub use simulation::{BalanceOutlook, FeeShortfall, SimulatedEffect, SimulatedVerdict, SpentDifference, signer_moves};
pub use told_twice::FactDispute;
pub use transaction::{
    Story,
    effects::EffectsRecord,
    net_effect,
    packet_trail::{PacketStepFound, PacketTrail},
    record::{NamedTokenRecord, StoryRecord},
    summary,
};
pub use upkeep::{FeePlaces, FeeUpkeep};
pub use words::{
    explanation::{Explanation, FailureEffect, code_name, revert::reason as revert_reason},
    message_summary::{MessageSummary, called_functions},
    nft::nft_words,
    phrase::{AccountPlace, Phrase, Sentence, SentenceKind, Style, Word, text_of},
    row::{RowWords, Tone, balance_effect, effect_words, row_words},
    signing::{
        OfferPlace, accounts_words, claim_lines, claim_wait_words, hook_offer_words, hook_sentences, offer_words,
        signing_sentences,
    },
    simulation::simulation_lines,
    unsigned::{ChainAccess, UnsignedError, UnsignedFile, unsigned_claim, unsigned_files, unsigned_hook},
};
