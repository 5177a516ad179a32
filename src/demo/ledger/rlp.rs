//! RLP, in which Ethereum's transactions are hashed.

/// A list being written.
#[derive(Debug, Default)]
pub(super) struct Rlp(Vec<u8>);

impl Rlp {
    pub(super) fn new() -> Self {
        Self::default()
    }

    /// A string of bytes.
    #[must_use]
    pub(super) fn bytes(mut self, bytes: &[u8]) -> Self {
        match bytes {
            [one] if *one < 0x80 => {}
            _ => push_head(&mut self.0, 0x80, bytes.len()),
        }
        self.0.extend_from_slice(bytes);
        self
    }

    /// A whole number given by its digits, the highest first; leading zeros do not count.
    #[must_use]
    pub(super) fn integer(self, digits: &[u8]) -> Self {
        let zeros = digits.iter().take_while(|digit| **digit == 0).count();
        self.bytes(digits.get(zeros..).unwrap_or_default())
    }

    #[must_use]
    pub(super) fn number(self, number: u128) -> Self {
        self.integer(&number.to_be_bytes())
    }

    /// A list inside this one.
    #[must_use]
    pub(super) fn list(mut self, list: &Self) -> Self {
        push_head(&mut self.0, 0xc0, list.0.len());
        self.0.extend_from_slice(&list.0);
        self
    }

    /// The list with its length before it.
    pub(super) fn finish(self) -> Vec<u8> {
        Self::new().list(&self).0
    }
}

/// What precedes a string or list of this length; `base` says which of the two.
fn push_head(out: &mut Vec<u8>, base: u8, length: usize) {
    match u8::try_from(length) {
        Ok(short) if short < 56 => out.push(base + short),
        _ => {
            let digits: Vec<u8> = length.to_be_bytes().into_iter().skip_while(|digit| *digit == 0).collect();
            out.push(base + 55 + u8::try_from(digits.len()).unwrap_or(8));
            out.extend(digits);
        }
    }
}

#[cfg(test)]
mod tests {
    use alloy_primitives::{hex, keccak256};

    use super::Rlp;

    #[test]
    fn strings_numbers_and_lists_have_their_heads() {
        let text = "Lorem ipsum dolor sit amet, consectetur adipisicing elit";
        assert_eq!(Rlp::new().bytes(b"dog").0, b"\x83dog");
        assert_eq!(Rlp::new().bytes(b"").number(0).number(15).number(1024).0, [0x80, 0x80, 0x0f, 0x82, 0x04, 0x00]);
        assert_eq!(Rlp::new().bytes(text.as_bytes()).0, [b"\xb8\x38".as_slice(), text.as_bytes()].concat());
        assert_eq!(Rlp::new().bytes(b"cat").bytes(b"dog").finish(), b"\xc8\x83cat\x83dog");
        assert_eq!(Rlp::new().list(&Rlp::new()).finish(), [0xc1, 0xc0]);
        assert_eq!(Rlp::new().bytes(&[7; 300]).finish()[..6], [0xf9, 0x01, 0x2f, 0xb9, 0x01, 0x2c]);
    }

    #[test]
    fn a_known_transaction_has_its_known_hash() {
        // The first transaction ever made on Ethereum, in block 46,147.
        let to = hex!("5df9b87991262f6ba471f09758cde1c0fc1de734");
        let r = hex!("88ff6cf0fefd94db46111149ae4bfc179e9b94721fffd821d38d16464b3f71d0");
        let s = hex!("45e0aff800961cfce805daef7016b9b675c137a6a41a548f7b60a3484c06a33a");
        let tx = Rlp::new().number(0).number(50_000_000_000_000).number(21_000).bytes(&to).number(31_337).bytes(&[]);
        let hash = keccak256(tx.number(28).integer(&r).integer(&s).finish());
        assert_eq!(hex::encode(hash), "5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060");
    }
}
