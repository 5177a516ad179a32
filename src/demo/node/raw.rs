//! Bytes of a transaction. Their SHA-256 is its hash.

use base64::{Engine as _, prelude::BASE64_STANDARD};

use crate::{demo::ledger::CommittedTx, domain::TxHash, wire::proto};

/// Error for a transaction whose JSON has no encoding. Responses that need its bytes fail.
#[derive(Debug, thiserror::Error)]
#[error("cannot encode transaction {hash} as bytes: {cause}")]
pub(super) struct UnwritableTx {
    hash: TxHash,
    cause: proto::ProtoError,
}

pub(super) fn bytes(tx: &CommittedTx) -> Result<Vec<u8>, UnwritableTx> {
    if let Some(raw) = &tx.raw {
        return Ok(raw.to_vec());
    }
    proto::encode_tx(&tx.body).map_err(|cause| UnwritableTx { hash: tx.hash, cause })
}

pub(super) fn base64(tx: &CommittedTx) -> Result<String, UnwritableTx> {
    bytes(tx).map(|bytes| BASE64_STANDARD.encode(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_written_is_an_error_and_no_empty_transaction() {
        let tx = |body: &str| CommittedTx {
            hash: TxHash::new([7; 32]),
            code: 0,
            codespace: "".into(),
            data: Vec::new(),
            raw_log: String::new(),
            info: String::new(),
            gas_wanted: 0,
            gas_used: 0,
            fee: Vec::new(),
            message_types: Vec::new(),
            signer: None,
            raw: None,
            body: body.to_owned(),
            events: Vec::new(),
        };
        let unknown = r#"{"body":{"messages":[{"@type":"/no.such.Msg","field":1}]},"auth_info":{},"signatures":[]}"#;
        let error = base64(&tx(unknown)).map_err(|error| error.to_string());
        assert!(error.as_ref().is_err_and(|error| error.contains("transaction 0707")), "{error:?}");
        assert!(
            base64(&tx(r#"{"body":{"memo":"hello"},"auth_info":{},"signatures":[]}"#)).is_ok_and(|raw| !raw.is_empty())
        );
    }
}
