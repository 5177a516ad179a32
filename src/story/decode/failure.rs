use crate::wire::Tx;

/// Failure of a transaction, parsed from its raw log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TxFailure {
    /// Index of the failed message, from 0; `None` if the transaction failed before its messages ran.
    pub message_index: Option<usize>,
    /// `codespace code`, such as `evm 23`.
    pub code: String,
    /// Error without the prefix that every log has.
    pub detail: String,
}

impl TxFailure {
    /// Parses the failure of a transaction; `None` for a success.
    pub fn of(tx: &Tx) -> Option<Self> {
        if tx.is_success() {
            return None;
        }
        let code = format!("{} {}", if tx.codespace.is_empty() { "code" } else { tx.codespace.as_received() }, tx.code);
        let (message_index, detail) = split_log(tx.raw_log.as_received());
        Some(Self { message_index, code, detail: detail.to_owned() })
    }
}

/// Strips `failed to execute message; message index: N: ` from a log.
fn split_log(log: &str) -> (Option<usize>, &str) {
    let Some(rest) = log.strip_prefix("failed to execute message; message index: ") else {
        return (None, log);
    };
    match rest.split_once(": ").and_then(|(index, detail)| Some((index.parse().ok()?, detail))) {
        Some((index, detail)) => (Some(index), detail),
        None => (None, log),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_prefix_gives_the_message() {
        let log = "failed to execute message; message index: 2: revert: no: Reverted";
        assert_eq!(split_log(log), (Some(2), "revert: no: Reverted"));
        assert_eq!(split_log("account sequence mismatch"), (None, "account sequence mismatch"));
    }
}
