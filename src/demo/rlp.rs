//! RLP, the encoding of Ethereum transactions.

/// List that is being encoded.
#[derive(Debug, Default)]
pub(super) struct Rlp(Vec<u8>);

impl Rlp {
    pub(super) fn new() -> Self {
        Self::default()
    }

    /// Appends a byte string.
    #[must_use]
    pub(super) fn bytes(mut self, bytes: &[u8]) -> Self {
        match bytes {
            [one] if *one < 0x80 => {}
            _ => push_head(&mut self.0, 0x80, bytes.len()),
        }
        self.0.extend_from_slice(bytes);
        self
    }

    /// Appends an integer from its big-endian bytes, without leading zeros.
    #[must_use]
    pub(super) fn integer(self, digits: &[u8]) -> Self {
        let zeros = digits.iter().take_while(|digit| **digit == 0).count();
        self.bytes(digits.get(zeros..).unwrap_or_default())
    }

    #[must_use]
    pub(super) fn number(self, number: u128) -> Self {
        self.integer(&number.to_be_bytes())
    }

    /// Appends a nested list.
    #[must_use]
    pub(super) fn list(mut self, list: &Self) -> Self {
        push_head(&mut self.0, 0xc0, list.0.len());
        self.0.extend_from_slice(&list.0);
        self
    }

    /// Returns the list with its length prefix.
    pub(super) fn finish(self) -> Vec<u8> {
        Self::new().list(&self).0
    }
}

/// Parsed byte string or list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum RlpItem<'a> {
    Bytes(&'a [u8]),
    List(Vec<RlpItem<'a>>),
}

/// Why bytes are not valid RLP, in the words of Ethereum nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("rlp: {0}")]
pub(super) struct RlpError(&'static str);

/// Maximum nesting of lists. An access list needs three levels.
const DEEPEST: usize = 8;

impl<'a> RlpItem<'a> {
    /// Parses bytes that contain exactly one item, in canonical encoding.
    pub(super) fn read(bytes: &'a [u8]) -> Result<Self, RlpError> {
        match Self::first(bytes, 0)? {
            (item, []) => Ok(item),
            _ => Err(RlpError("input contains more than one value")),
        }
    }

    fn first(bytes: &'a [u8], depth: usize) -> Result<(Self, &'a [u8]), RlpError> {
        let (head, rest) = bytes.split_first().ok_or(RlpError("unexpected EOF"))?;
        let (length, rest) = match head {
            0..=0x7f => return Ok((Self::Bytes(bytes.get(..1).unwrap_or_default()), rest)),
            0x80..=0xbf => length(*head - 0x80, rest)?,
            0xc0..=0xff => length(*head - 0xc0, rest)?,
        };
        let (content, rest) =
            rest.split_at_checked(length).ok_or(RlpError("value size exceeds available input length"))?;
        if *head < 0xc0 {
            let is_small = matches!(content, [0..=0x7f]);
            return if is_small { Err(NON_CANONICAL) } else { Ok((Self::Bytes(content), rest)) };
        }
        if depth >= DEEPEST {
            return Err(RlpError("nested too deep"));
        }
        let (mut items, mut left) = (Vec::new(), content);
        while !left.is_empty() {
            let (item, after) = Self::first(left, depth + 1)?;
            items.push(item);
            left = after;
        }
        Ok((Self::List(items), rest))
    }

    pub(super) fn bytes(&self) -> Result<&'a [u8], RlpError> {
        match self {
            Self::Bytes(bytes) => Ok(bytes),
            Self::List(_) => Err(RlpError("expected String or Byte")),
        }
    }

    /// Returns the byte string, which must have exactly `N` bytes.
    pub(super) fn array<const N: usize>(&self) -> Result<[u8; N], RlpError> {
        self.bytes()?.try_into().map_err(|_| RlpError("input string has the wrong length"))
    }

    /// Returns the integer, of at most `N` bytes, zero-padded at the front.
    pub(super) fn integer<const N: usize>(&self) -> Result<[u8; N], RlpError> {
        let digits = self.bytes()?;
        if digits.first() == Some(&0) {
            return Err(RlpError("non-canonical integer (leading zero bytes)"));
        }
        let mut number = [0; N];
        let start = N.checked_sub(digits.len()).ok_or(RlpError("input string too long for this number"))?;
        number.iter_mut().skip(start).zip(digits).for_each(|(to, from)| *to = *from);
        Ok(number)
    }

    pub(super) fn list(&self) -> Result<&[Self], RlpError> {
        match self {
            Self::List(items) => Ok(items),
            Self::Bytes(_) => Err(RlpError("expected List")),
        }
    }
}

const NON_CANONICAL: RlpError = RlpError("non-canonical size information");

/// Parses a length. Its digits may follow the first byte.
fn length(head: u8, rest: &[u8]) -> Result<(usize, &[u8]), RlpError> {
    if head < 56 {
        return Ok((usize::from(head), rest));
    }
    let (digits, rest) = rest.split_at_checked(usize::from(head - 55)).ok_or(RlpError("unexpected EOF"))?;
    if digits.first() == Some(&0) || digits.len() > 4 {
        return Err(NON_CANONICAL);
    }
    let length = digits.iter().fold(0, |length, digit| length << 8 | usize::from(*digit));
    if length < 56 { Err(NON_CANONICAL) } else { Ok((length, rest)) }
}

/// Appends the prefix of a string or list of this length; `base` selects string or list.
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

    use super::{Rlp, RlpItem};

    #[test]
    fn what_was_written_is_read_and_nothing_else() {
        let long = [9; 300];
        let inner = Rlp::new().bytes(b"cat").bytes(&long);
        let written = Rlp::new().number(1024).list(&inner).bytes(b"").finish();
        let read = RlpItem::read(&written).unwrap();
        let items = read.list().unwrap();
        assert_eq!(items[0].integer::<8>().map(u64::from_be_bytes), Ok(1024));
        assert_eq!(items[1].list().unwrap(), [RlpItem::Bytes(b"cat"), RlpItem::Bytes(&long)]);
        assert_eq!(items[2].bytes(), Ok(&[][..]));
        let wrong: [&[u8]; 9] = [
            &[],
            &[0x81, 0x7f],
            &[0x82, 1],
            &[0xb8, 1, 0xff],
            &[0xb9, 0, 60],
            &[0xc1],
            &[0xc1, 0x82],
            &[1, 2],
            &[0xbf, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
        ];
        for bytes in wrong {
            assert!(RlpItem::read(bytes).is_err(), "{bytes:?}");
        }
        assert!(RlpItem::read(&[0x82, 0, 1]).unwrap().integer::<8>().is_err(), "zeros before a number");
        assert!(RlpItem::read(&[0x82, 1, 1]).unwrap().integer::<1>().is_err(), "a number too large");
        let deep = (0..40).fold(Rlp::new(), |list, _| Rlp::new().list(&list));
        assert!(RlpItem::read(&deep.finish()).is_err());
    }

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
        // The first transaction on Ethereum, in block 46,147.
        let to = hex!("5df9b87991262f6ba471f09758cde1c0fc1de734");
        let r = hex!("88ff6cf0fefd94db46111149ae4bfc179e9b94721fffd821d38d16464b3f71d0");
        let s = hex!("45e0aff800961cfce805daef7016b9b675c137a6a41a548f7b60a3484c06a33a");
        let tx = Rlp::new().number(0).number(50_000_000_000_000).number(21_000).bytes(&to).number(31_337).bytes(&[]);
        let hash = keccak256(tx.number(28).integer(&r).integer(&s).finish());
        assert_eq!(hex::encode(hash), "5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060");
    }
}
