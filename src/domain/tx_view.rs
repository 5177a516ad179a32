use std::{fmt, str::FromStr};

use super::{Address, MsgType};

/// Filtered list of transactions: of the chain, or of an account. As text: `txs failed cosmos.bank.v1beta1.MsgSend` or
/// `account init1… signer`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TxView {
    pub account: Option<Address>,
    /// Message types to show; an empty list shows all.
    pub msgs: Vec<MsgType>,
    pub is_signer_only: bool,
    pub is_failed_only: bool,
}

impl TxView {
    /// Returns the view of all transactions with messages of this type.
    pub fn of_type(kind: MsgType) -> Self {
        Self { msgs: vec![kind], ..Self::default() }
    }
}

impl fmt::Display for TxView {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.account {
            Some(account) => write!(formatter, "account {}", account.bech32())?,
            None => formatter.write_str("txs")?,
        }
        for (word, is_set) in [("signer", self.is_signer_only), ("failed", self.is_failed_only)] {
            if is_set {
                write!(formatter, " {word}")?;
            }
        }
        self.msgs.iter().try_for_each(|kind| write!(formatter, " {kind}"))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a view is txs or account init1…, then signer (of an account), failed, and full message types")]
pub struct TxViewError;

impl FromStr for TxView {
    type Err = TxViewError;

    fn from_str(text: &str) -> Result<Self, TxViewError> {
        let mut words = text.split_whitespace();
        let account = match words.next() {
            Some("txs") => None,
            Some("account") => Some(words.next().and_then(|word| word.parse().ok()).ok_or(TxViewError)?),
            _ => return Err(TxViewError),
        };
        let mut view = Self { account, ..Self::default() };
        for word in words {
            match word {
                "signer" if account.is_some() => view.is_signer_only = true,
                "failed" => view.is_failed_only = true,
                kind if kind.contains('.') && kind.bytes().all(|byte| byte.is_ascii_graphic()) => {
                    view.msgs.push(MsgType::new(kind));
                }
                _ => return Err(TxViewError),
            }
        }
        Ok(view)
    }
}
