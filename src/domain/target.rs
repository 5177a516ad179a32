use super::{Address, AddressError, EvmTxHash, Height, TxHash};

/// What a pasted text may name. Several are possible: 64 digits are a hash, or a 32-byte address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// A block by its height.
    Block(Height),
    /// A transaction by its hash.
    Tx(TxHash),
    /// A transaction by the hash that the EVM gave it.
    EvmTx(EvmTxHash),
    /// An account, contract or object.
    Account(Address),
}

/// Reads a pasted height, hash or address, tolerant of case, spaces, `0x` and separators.
///
/// The likeliest reading comes first; an empty list comes with the reason.
pub fn classify(text: &str) -> Result<Vec<Target>, String> {
    let trimmed = text.trim().trim_matches(|c: char| matches!(c, '"' | '\'' | ',' | ';' | '#'));
    if trimmed.is_empty() {
        return Err("type a height, a transaction hash or an address".to_owned());
    }
    let mut targets = Vec::new();
    if let Ok(height) = trimmed.parse::<Height>() {
        targets.push(Target::Block(height));
    }
    if let Ok(hash) = trimmed.parse::<TxHash>() {
        targets.push(Target::Tx(hash));
    }
    match trimmed.parse::<Address>() {
        Ok(address) => targets.push(Target::Account(address)),
        Err(error @ AddressError::Checksum(_)) if targets.is_empty() => return Err(error.to_string()),
        Err(_) => {}
    }
    if targets.is_empty() {
        return Err(format!(
            "“{}” is no height, hash or address: a hash has 64 hex digits, an address starts with init1 or 0x",
            super::text::clip(trimmed, 48)
        ));
    }
    Ok(targets)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_be_several_things_is_all_of_them() {
        let hash = "00".repeat(31) + "01";
        let targets = classify(&hash).unwrap();
        assert!(matches!(targets.as_slice(), [Target::Tx(_), Target::Account(Address::Long(_))]), "{targets:?}");
        assert!(matches!(classify(" 5,000 ").unwrap().as_slice(), [Target::Block(_)]));
        assert!(matches!(classify("0x1").unwrap().as_slice(), [Target::Account(_)]));
    }

    #[test]
    fn what_is_nothing_says_what_would_be_something() {
        for text in ["", "hello", "0", "12345678901234567890123"] {
            assert!(classify(text).is_err(), "{text}");
        }
    }
}
