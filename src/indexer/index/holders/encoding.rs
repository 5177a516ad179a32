use alloy_primitives::U256;

use crate::{
    domain::{Amount, Balance},
    indexer::index::IndexError,
};

/// First byte of zero; the first bytes of positive and negative amounts are relative to it.
const ZERO: u8 = 0x80;

/// Encodes a balance so that bytes sort like numbers: sign and length, then the digits, which are inverted if negative.
pub(in crate::indexer::index) fn encode(balance: Balance) -> Vec<u8> {
    let digits = balance.magnitude().get().to_be_bytes_trimmed_vec();
    let length = u8::try_from(digits.len()).unwrap_or(u8::MAX);
    let mut bytes = Vec::with_capacity(digits.len() + 1);
    if balance.is_negative() {
        bytes.push(ZERO - length);
        bytes.extend(digits.iter().map(|digit| !digit));
    } else {
        bytes.push(ZERO + length);
        bytes.extend(digits);
    }
    bytes
}

pub(in crate::indexer::index) fn decode(bytes: &[u8]) -> Result<Balance, IndexError> {
    let (head, digits) = bytes.split_first().ok_or(IndexError::Body)?;
    if usize::from(head.abs_diff(ZERO)) != digits.len() || digits.len() > 32 {
        return Err(IndexError::Body);
    }
    let amount = |digits: &[u8]| Amount::new(U256::from_be_slice(digits));
    if *head < ZERO {
        let digits: Vec<u8> = digits.iter().map(|digit| !digit).collect();
        return Ok(Balance::below_zero(amount(&digits)));
    }
    Ok(Balance::from(amount(digits)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_sort_as_their_numbers_and_come_back() {
        let numbers = [
            "-115792089237316195423570985008687907853269984665640564039457584007913129639935",
            "-65536",
            "-256",
            "-255",
            "-2",
            "-1",
            "0",
            "1",
            "255",
            "256",
            "1000000000000000000",
            "115792089237316195423570985008687907853269984665640564039457584007913129639935",
        ];
        let balances: Vec<Balance> = numbers.iter().map(|text| text.parse().unwrap()).collect();
        let encoded: Vec<Vec<u8>> = balances.iter().map(|balance| encode(*balance)).collect();
        assert!(encoded.is_sorted());
        for (bytes, balance) in encoded.iter().zip(&balances) {
            assert_eq!(decode(bytes).unwrap(), *balance);
        }
    }

    #[test]
    fn damaged_bytes_are_refused() {
        for bytes in [&[][..], &[ZERO + 2, 1], &[ZERO, 1], &[0; 33], &[0xff; 128]] {
            assert!(decode(bytes).is_err(), "{bytes:?}");
        }
    }
}
