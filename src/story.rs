//! What a transaction means: its messages, fee, events and failure, decoded from the raw record when somebody looks.

mod abi;
mod bridge;
mod bridge_number;
mod changes;
mod context;
mod contract_tokens;
mod conversion;
mod decode;
mod deposit_outcome;
pub mod diff;
mod direction;
mod evm_logs;
mod explanation;
mod failure;
mod glossary;
mod local_tokens;
mod log;
mod metadata;
mod move_events;
mod named_accounts;
mod named_tokens;
mod nft_moves;
mod opened;
mod packet;
mod phrase;
mod places;
mod proof;
mod receipt;
mod record;
mod row;
mod sentence;
mod shown_accounts;
mod signed;
mod signing;
pub mod transfer;
mod unsigned;
mod wasm_actions;
mod whole;
mod withdrawal;
mod work;

pub use abi::{AbiFile, AbiFileError, AbiReading, AbiRegistry, AbiValue, Argument, selector_name, signature};
pub use bridge::{BridgeIdentity, BridgeMove, PacketWay};
pub use changes::{
    BalanceChange, BalanceHolder, Changes, ChangesRecord, FeeLine, NftChange, NftName, SupplyChange, nft_words,
};
pub use contract_tokens::contract_tokens;
pub use decode::{Decoded, DecodedEvent, DecodedMessage, EventPhase, decode};
pub use direction::Direction;
pub use explanation::{Explanation, FailureEffect, code_name};
pub use failure::TxFailure;
pub use glossary::{Glossary, LabelSource, NameSource, TokenUnit};
pub use log::ContractLog;
pub use nft_moves::{NftMove, nft_moves};
pub use opened::{Opened, TextForm, move_account, move_argument, open_text};
pub use phrase::{Phrase, Sentence, SentenceKind, Style, Word, text_of};
pub use receipt::{ReceiptProof, pair};
pub use record::StoryRecord;
pub use row::{RowWords, Tone, effect_words, row_words};
pub use signed::{SignedMessage, signed_messages};
pub use signing::{hook_offer_words, hook_sentences, offer_words, signing_sentences};
pub use unsigned::{ChainAccess, UnsignedError, UnsignedFile, unsigned_claim, unsigned_files, unsigned_hook};
pub use whole::{Story, net_effect, summary};
pub use withdrawal::{BegunWithdrawal, ClaimRefusal, WithdrawalStage, ready_claim};
pub use work::{MOST_DEPTH, MOST_EVENTS, MOST_NESTED, MOST_OWNER_TESTS, MOST_SENTENCES, Work};

use std::borrow::Cow;

use crate::{
    domain::MsgType,
    wire::{MessageHead, Tx},
};

/// What a list row says of a transaction, read without decoding more than the messages' heads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Headline {
    /// The types of all messages, in order.
    pub types: Vec<MsgType>,
    /// The function that the leading message calls, such as `transfer()`, where it is a known contract call.
    pub call: Option<Cow<'static, str>>,
}

impl Headline {
    /// Reads the heads of a transaction's messages; an unreadable body gives an empty headline.
    pub fn of(tx: &Tx) -> Self {
        let heads = tx.message_heads();
        let types: Vec<MsgType> = heads.iter().map(MessageHead::kind).collect();
        let call = heads.get(lead(&types)).and_then(|head| match head.move_function() {
            Some((module, function)) => Some(Cow::Owned(format!("{module}::{function}"))),
            None => head.input().as_deref().map(call_name),
        });
        Self { types, call }
    }

    /// The leading message's short type, with how many more there are: `MsgRecvPacket +1`.
    pub fn kind(&self) -> String {
        match (self.types.get(lead(&self.types)), self.types.len()) {
            (None, _) => "unreadable".to_owned(),
            (Some(only), 1) => only.short().to_owned(),
            (Some(leading), count) => format!("{} +{}", leading.short(), count - 1),
        }
    }

    /// What the leading message calls, else its short type; with how many more messages there are.
    pub fn method(&self) -> Cow<'_, str> {
        match (&self.call, self.types.len()) {
            (None, _) => Cow::Owned(self.kind()),
            (Some(call), 0 | 1) => Cow::Borrowed(call),
            (Some(call), count) => Cow::Owned(format!("{call} +{}", count - 1)),
        }
    }

    /// How many messages there are besides the leading one, without updates of light clients.
    pub fn others(&self) -> usize {
        let leading = lead(&self.types);
        let others = self.types.iter().enumerate().filter(|(place, kind)| *place != leading && !is_noise(kind));
        others.count()
    }
}

/// The place of the message that a row is named after: relayers update their light client first, which says nothing.
fn lead(types: &[MsgType]) -> usize {
    types.iter().position(|kind| !is_noise(kind)).unwrap_or(0)
}

fn is_noise(kind: &MsgType) -> bool {
    kind.short() == "MsgUpdateClient"
}

/// What an EVM call's input says: `transfer()`, the bare selector, or that it only sends value.
fn call_name(input: &str) -> Cow<'static, str> {
    let digits = input.strip_prefix("0x").unwrap_or(input);
    match digits.get(..8) {
        None if digits.is_empty() => Cow::Borrowed("value only"),
        None => Cow::Borrowed("unknown function"),
        Some(selector) => match selector_name(selector) {
            Some(name) => Cow::Owned(format!("{name}()")),
            None => Cow::Owned(format!("0x{}", selector.to_ascii_lowercase())),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headline(messages: &str) -> Headline {
        let record = format!(
            r#"{{"txhash":"{}","height":"1","timestamp":"2026-01-01T00:00:00Z","tx":{{"body":{{"messages":{messages}}}}}}}"#,
            "0".repeat(64)
        );
        Headline::of(&serde_json::from_str(&record).unwrap())
    }

    #[test]
    fn a_row_is_named_after_what_matters() {
        let relayed =
            r#"[{"@type":"/ibc.core.client.v1.MsgUpdateClient"},{"@type":"/ibc.core.channel.v1.MsgRecvPacket"}]"#;
        assert_eq!(headline(relayed).kind(), "MsgRecvPacket +1");
        let call = r#"[{"@type":"/minievm.evm.v1.MsgCall","input":"0xa9059cbb00"}]"#;
        assert_eq!(headline(call).call.as_deref(), Some("transfer()"));
        let moved = r#"[{"@type":"/initia.move.v1.MsgExecute","module_name":"coin","function_name":"transfer"}]"#;
        assert_eq!(headline(moved).call.as_deref(), Some("coin::transfer"));
        assert_eq!(headline("[]").kind(), "unreadable");
    }

    #[test]
    fn fields_of_other_forms_under_known_names_do_no_harm() {
        let odd = r#"[{"@type":"/a.b.MsgOdd","input":{"x":1},"module_name":7,"function_name":"esc\"aped"}]"#;
        let headline = headline(odd);
        assert_eq!((headline.kind().as_str(), headline.call), ("MsgOdd", None));
    }
}
