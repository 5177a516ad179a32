use std::collections::BTreeMap;

use alloy_primitives::hex;
use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde::Deserialize;

use crate::{
    domain::{
        ChainId,
        text::{self, Foreign},
    },
    signing::{ApprovalStep, WalletAccounts},
};

/// Maximum width of external text, in terminal columns.
const REASON: usize = 300;

/// Maximum accounts that rollscope reads from a wallet.
const ACCOUNTS: usize = 10;

/// The wallet's answer as posted by the page. Unproven: look up a hash on its chain, and verify a signature against its
/// document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WalletAnswer {
    /// The wallet broadcast the transaction with this hash.
    Hash([u8; 32]),
    /// EIP-191 signature: r, s and v.
    PersonalSignature([u8; 65]),
    /// Signature of the document's hash, with the public key.
    AminoSignature {
        signature: [u8; 64],
        /// Compressed secp256k1 key.
        public_key: [u8; 33],
    },
    /// The wallet's accounts.
    Accounts(WalletAccounts),
    /// The user refused in the wallet; cleaned external text.
    Refused(Foreign),
    /// The signer is not among the wallet's accounts, which are given; cleaned text.
    OtherAccount(Vec<Foreign>),
    /// The wallet did not leave this chain; cleaned text.
    OtherChain(Foreign),
    /// The wallet or its chain failed; cleaned external text.
    Failed(Foreign),
    /// The answer is unreadable; cleaned and truncated text.
    Garbage(Foreign),
    /// The page was loaded again while the wallet had a transaction, so its answer is lost.
    Reloaded,
}

/// Event that the page reports; unproven.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SigningPageEvent {
    /// A browser opened the page.
    Opened,
    /// The user chose a wallet; cleaned texts.
    Connected {
        /// Name that the wallet reports.
        wallet: Foreign,
        /// Account that will sign.
        account: Foreign,
    },
    /// The wallet changed an allowance; the next request follows after a block includes this transaction.
    ApprovalSent(ApprovalStep, [u8; 32]),
    /// The wallet sent the transaction although the request had expired.
    LateHash([u8; 32]),
}

#[derive(Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum PostedAnswer {
    Hash { hash: String },
    PersonalSignature { signature: String },
    AminoSignature { signature: String, public_key: String },
    Accounts { wallet: String, ethereum: Option<String>, by_chain: BTreeMap<String, String> },
    Refused { reason: String },
    OtherAccount { accounts: Vec<String> },
    OtherChain { found: String },
    Failed { reason: String },
}

#[derive(Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum PostedEvent {
    Connected { wallet: String, account: String },
    Reset { hash: String },
    Approval { hash: String },
    Closed,
}

/// The wallet's answer with the id of its request.
pub(super) struct NumberedAnswer {
    /// Id of the request; `None` if unreadable.
    pub(super) id: Option<u64>,
    pub(super) answer: WalletAnswer,
}

/// Posted event for the page's state.
pub(super) enum PostedUpdate {
    Event(SigningPageEvent),
    Closed,
}

impl NumberedAnswer {
    /// Parses a posted answer; never fails, because unreadable text yields [`WalletAnswer::Garbage`].
    pub(super) fn read(body: &[u8]) -> Self {
        #[derive(Deserialize)]
        struct Numbered {
            id: u64,
        }
        #[derive(Deserialize)]
        struct Answered {
            answer: PostedAnswer,
        }
        let id = serde_json::from_slice::<Numbered>(body).ok().map(|numbered| numbered.id);
        let posted = serde_json::from_slice::<Answered>(body).ok();
        let answer = posted.and_then(|posted| decode(posted.answer));
        Self { id, answer: answer.unwrap_or_else(|| WalletAnswer::Garbage(clean(&String::from_utf8_lossy(body)))) }
    }
}

/// Parses a posted event; `None` if invalid.
pub(super) fn read_event(body: &[u8]) -> Option<PostedUpdate> {
    let sent = |step, hash: &str| Some(PostedUpdate::Event(SigningPageEvent::ApprovalSent(step, hexadecimal(hash)?)));
    Some(match serde_json::from_slice(body).ok()? {
        PostedEvent::Connected { wallet, account } => {
            PostedUpdate::Event(SigningPageEvent::Connected { wallet: clean(&wallet), account: clean(&account) })
        }
        PostedEvent::Reset { hash } => sent(ApprovalStep::Reset, &hash)?,
        PostedEvent::Approval { hash } => sent(ApprovalStep::Approval, &hash)?,
        PostedEvent::Closed => PostedUpdate::Closed,
    })
}

fn decode(posted: PostedAnswer) -> Option<WalletAnswer> {
    Some(match posted {
        PostedAnswer::Hash { hash } => WalletAnswer::Hash(hexadecimal(&hash)?),
        PostedAnswer::PersonalSignature { signature } => WalletAnswer::PersonalSignature(hexadecimal(&signature)?),
        PostedAnswer::AminoSignature { signature, public_key } => {
            WalletAnswer::AminoSignature { signature: of_base64(&signature)?, public_key: of_base64(&public_key)? }
        }
        PostedAnswer::Accounts { wallet, ethereum, by_chain } => {
            let by_chain = by_chain
                .iter()
                .take(ACCOUNTS)
                .map(|(chain, text)| (ChainId::new(text::clip(chain, REASON)), clean(text)));
            let ethereum = ethereum.and_then(|text| text.parse().ok());
            WalletAnswer::Accounts(WalletAccounts { wallet: clean(&wallet), ethereum, by_chain: by_chain.collect() })
        }
        PostedAnswer::Refused { reason } => WalletAnswer::Refused(clean(&reason)),
        PostedAnswer::OtherAccount { accounts } => {
            WalletAnswer::OtherAccount(accounts.iter().take(ACCOUNTS).map(|account| clean(account)).collect())
        }
        PostedAnswer::OtherChain { found } => WalletAnswer::OtherChain(clean(&found)),
        PostedAnswer::Failed { reason } => WalletAnswer::Failed(clean(&reason)),
    })
}

fn hexadecimal<const N: usize>(text: &str) -> Option<[u8; N]> {
    hex::decode(text.strip_prefix("0x")?).ok()?.try_into().ok()
}

fn of_base64<const N: usize>(text: &str) -> Option<[u8; N]> {
    BASE64_STANDARD.decode(text).ok()?.try_into().ok()
}

fn clean(text: &str) -> Foreign {
    text::clip(text, REASON).into()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn answer(json: &str) -> WalletAnswer {
        NumberedAnswer::read(format!(r#"{{"id":1,"answer":{json}}}"#).as_bytes()).answer
    }

    #[test]
    fn each_answer_is_read() {
        let hash = format!(r#"{{"kind":"hash","hash":"0x{}"}}"#, "ab".repeat(32));
        assert_eq!(answer(&hash), WalletAnswer::Hash([0xab; 32]));
        let signature = format!(r#"{{"kind":"personal_signature","signature":"0x{}"}}"#, "01".repeat(65));
        assert_eq!(answer(&signature), WalletAnswer::PersonalSignature([1; 65]));
        let (signature, public_key) = (BASE64_STANDARD.encode([2; 64]), BASE64_STANDARD.encode([3; 33]));
        let amino = format!(r#"{{"kind":"amino_signature","signature":"{signature}","public_key":"{public_key}"}}"#);
        assert_eq!(answer(&amino), WalletAnswer::AminoSignature { signature: [2; 64], public_key: [3; 33] });
        assert_eq!(answer(r#"{"kind":"refused","reason":"no\u0007"}"#), WalletAnswer::Refused(clean("no\u{7}")));
        assert_eq!(
            answer(r#"{"kind":"other_account","accounts":["a"]}"#),
            WalletAnswer::OtherAccount(vec!["a".into()])
        );
        assert_eq!(answer(r#"{"kind":"other_chain","found":"0x1"}"#), WalletAnswer::OtherChain("0x1".into()));
        assert_eq!(answer(r#"{"kind":"failed","reason":"x"}"#), WalletAnswer::Failed("x".into()));
    }

    #[test]
    fn what_is_of_another_length_or_form_is_garbage() {
        for json in [
            r#"{"kind":"hash","hash":"0xab"}"#,
            r#"{"kind":"hash","hash":7}"#,
            r#"{"kind":"hash"}"#,
            r#"{"kind":"personal_signature","signature":"0x00"}"#,
            r#"{"kind":"amino_signature","signature":"AA==","public_key":"AA=="}"#,
            r#"{"kind":"typed_data","signature":"0x00"}"#,
            "null",
        ] {
            assert!(matches!(answer(json), WalletAnswer::Garbage(_)), "{json}");
        }
    }

    proptest! {
        #[test]
        fn no_bytes_are_too_strange(body in prop::collection::vec(any::<u8>(), 0..200)) {
            let read = NumberedAnswer::read(&body);
            prop_assert!(matches!(read.answer, WalletAnswer::Garbage(_)));
            prop_assert!(read_event(&body).is_none());
        }
    }
}
