use std::str;

/// The fields of a message in the wire format of protobuf, one after another, nothing copied. It ends with a `None`
/// within where the bytes are no fields.
#[derive(Debug)]
pub(super) struct Fields<'a> {
    rest: &'a [u8],
    is_broken: bool,
}

/// A field: numbered, with bytes or with a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Field<'a> {
    /// Its number in the message's definition.
    pub(super) number: u64,
    /// What it holds, where that is bytes: text, a message.
    pub(super) bytes: Option<&'a [u8]>,
    /// What it holds, where that is a number.
    pub(super) number_value: Option<u64>,
}

impl<'a> Fields<'a> {
    /// Of a message's bytes.
    pub(super) fn of(bytes: &'a [u8]) -> Self {
        Self { rest: bytes, is_broken: false }
    }

    /// The bytes of the first field with this number.
    pub(super) fn first(self, number: u64) -> Option<&'a [u8]> {
        self.map_while(|field| field).find(|field| field.number == number && field.bytes.is_some())?.bytes
    }

    fn read(&mut self) -> Option<Field<'a>> {
        let key = self.varint()?;
        let number = key >> 3;
        let (bytes, number_value) = match key & 7 {
            0 => (None, Some(self.varint()?)),
            1 => (None, Some(u64::from_le_bytes(self.take(8)?.try_into().ok()?))),
            2 => {
                let length = usize::try_from(self.varint()?).ok()?;
                (Some(self.take(length)?), None)
            }
            5 => (None, Some(u64::from(u32::from_le_bytes(self.take(4)?.try_into().ok()?)))),
            _ => return None,
        };
        (number > 0).then_some(Field { number, bytes, number_value })
    }

    fn varint(&mut self) -> Option<u64> {
        let mut value = 0_u64;
        for shift in (0..64).step_by(7) {
            let (byte, rest) = self.rest.split_first()?;
            self.rest = rest;
            value |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(value);
            }
        }
        None
    }

    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(taken)
    }
}

impl<'a> Iterator for Fields<'a> {
    type Item = Option<Field<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() || self.is_broken {
            return None;
        }
        let field = self.read();
        self.is_broken = field.is_none();
        Some(field)
    }
}

/// The bytes of a message's first field with this number.
pub(super) fn bytes_of(message: &[u8], number: u64) -> Option<&[u8]> {
    Fields::of(message).first(number)
}

/// Bytes that are text.
pub(super) fn text_of(bytes: &[u8]) -> Option<&str> {
    str::from_utf8(bytes).ok()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A field of bytes, written.
    pub(in super::super) fn bytes_field(number: u8, bytes: &[u8]) -> Vec<u8> {
        let mut written = vec![number << 3 | 2];
        let mut length = bytes.len();
        while length >= 0x80 {
            written.push(u8::try_from(length & 0x7f).unwrap() | 0x80);
            length >>= 7;
        }
        written.push(u8::try_from(length).unwrap());
        written.extend_from_slice(bytes);
        written
    }

    #[test]
    fn all_wire_types_are_read() {
        let bytes = [0x08, 0x96, 0x01, 0x12, 0x01, b'x', 0x19, 1, 0, 0, 0, 0, 0, 0, 0, 0x25, 2, 0, 0, 0];
        let fields: Option<Vec<Field<'_>>> = Fields::of(&bytes).collect();
        let fields = fields.unwrap();
        let numbers: Vec<_> = fields.iter().map(|field| (field.number, field.number_value)).collect();
        assert_eq!(numbers, [(1, Some(150)), (2, None), (3, Some(1)), (4, Some(2))]);
        assert_eq!(fields[1].bytes, Some(&b"x"[..]));
    }

    #[test]
    fn broken_bytes_end_the_reading() {
        for bytes in [&[0x08][..], &[0x12, 5, 1], &[0x0b], &[0x00, 0x01], &[0xff; 12], &[0x19, 1, 2]] {
            let fields: Vec<_> = Fields::of(bytes).collect();
            assert_eq!(fields.last(), Some(&None), "{bytes:?}");
            assert_eq!(Fields::of(bytes).first(9), None);
        }
        assert_eq!(bytes_of(&bytes_field(3, b"abc"), 3), Some(&b"abc"[..]));
    }
}
