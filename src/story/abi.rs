use std::{collections::HashMap, sync::LazyLock};

/// Selectors of functions (4 bytes) and topics of events (32 bytes), each the Keccak-256 of the signature beside it.
const TABLE: &str = include_str!("../../assets/abi.tsv");

static SIGNATURES: LazyLock<HashMap<&'static str, &'static str>> = LazyLock::new(|| {
    TABLE
        .lines()
        .filter_map(|line| {
            let mut columns = line.split('\t').skip(1);
            Some((columns.next()?, columns.next()?))
        })
        .collect()
});

/// The functions, events and errors that inputs and logs are read by: the embedded ones, and those of the user's files.
#[derive(Clone, Debug, Default)]
pub struct AbiBook;

/// The signature behind a selector or topic, in lower-case hex without `0x`: `transfer(address,uint256)`.
pub fn signature(hash: &str) -> Option<&'static str> {
    SIGNATURES.get(hash).copied().or_else(|| SIGNATURES.get(hash.to_ascii_lowercase().as_str()).copied())
}

/// The name of the function behind a selector: `transfer`.
pub fn selector_name(selector: &str) -> Option<&'static str> {
    signature(selector).and_then(|signature| signature.split('(').next())
}

#[cfg(test)]
mod tests {
    use alloy_primitives::{hex, keccak256};

    use super::*;

    #[test]
    fn every_hash_is_that_of_its_signature() {
        for line in TABLE.lines() {
            let columns: Vec<_> = line.split('\t').collect();
            let hash = hex::encode(keccak256(columns[2]));
            assert!(hash.starts_with(columns[1]), "{line}");
        }
        assert!(SIGNATURES.len() > 150);
    }

    #[test]
    fn known_selectors_have_names() {
        assert_eq!(selector_name("a9059cbb"), Some("transfer"));
        assert_eq!(selector_name("A9059CBB"), Some("transfer"));
        assert_eq!(selector_name("00000000"), None);
    }
}
