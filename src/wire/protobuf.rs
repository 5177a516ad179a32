//! Protobuf wire format, read and written field by field without a schema.

use std::str;

/// Message under construction. Add the fields in order of their numbers, as encoders do.
#[derive(Clone, Debug, Default)]
pub struct ProtoWriter(Vec<u8>);

impl ProtoWriter {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn finish(self) -> Vec<u8> {
        self.0
    }

    /// Adds a length-delimited field: a string, bytes or another message.
    #[must_use]
    pub fn bytes(mut self, field: u64, value: impl AsRef<[u8]>) -> Self {
        let value = value.as_ref();
        self.varint(field << 3 | 2);
        self.varint(value.len() as u64);
        self.0.extend_from_slice(value);
        self
    }

    /// Adds a varint field; omits zero, as proto3 does.
    #[must_use]
    pub fn uint(mut self, field: u64, value: u64) -> Self {
        if value > 0 {
            self.varint(field << 3);
            self.varint(value);
        }
        self
    }

    /// Adds a varint field, even if zero.
    #[must_use]
    pub fn number(mut self, field: u64, value: u64) -> Self {
        self.varint(field << 3);
        self.varint(value);
        self
    }

    /// Adds bytes that are already encoded: fields, or values of a packed list.
    #[must_use]
    pub fn raw(mut self, fields: &[u8]) -> Self {
        self.0.extend_from_slice(fields);
        self
    }

    /// Adds a varint without a key, for a packed list.
    #[must_use]
    pub fn packed(mut self, value: u64) -> Self {
        self.varint(value);
        self
    }

    /// Encodes an `Any`; omits an empty value.
    pub fn any(kind: &str, value: &[u8]) -> Vec<u8> {
        let any = Self::new().bytes(1, kind);
        if value.is_empty() { any.finish() } else { any.bytes(2, value).finish() }
    }

    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(u8::try_from(value & 0x7f).unwrap_or(0) | 0x80);
            value >>= 7;
        }
        self.0.push(u8::try_from(value).unwrap_or(0));
    }
}

/// Iterator over the fields of a message, without copies. Ends with an inner `None` at invalid bytes.
#[derive(Debug)]
pub struct ProtoFields<'a> {
    rest: &'a [u8],
    is_broken: bool,
}

/// Field: its number, and bytes or a varint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProtoField<'a> {
    pub number: u64,
    /// Content of a length-delimited field; `None` for a numeric field.
    pub bytes: Option<&'a [u8]>,
    /// Content of a numeric field; `None` for a length-delimited field.
    pub number_value: Option<u64>,
    /// Bytes of the whole field, including its key.
    pub raw: &'a [u8],
}

impl<'a> ProtoFields<'a> {
    /// Iterates over the fields of these bytes.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes, is_broken: false }
    }

    /// Returns the bytes of the first field with this number.
    pub fn first(self, number: u64) -> Option<&'a [u8]> {
        self.map_while(|field| field).find(|field| field.number == number && field.bytes.is_some())?.bytes
    }

    fn read(&mut self) -> Option<ProtoField<'a>> {
        let from_here = self.rest;
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
        let raw = from_here.get(..from_here.len() - self.rest.len())?;
        (number > 0).then_some(ProtoField { number, bytes, number_value, raw })
    }

    pub(super) fn varint(&mut self) -> Option<u64> {
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

    pub(super) fn is_at_end(&self) -> bool {
        self.rest.is_empty()
    }

    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(taken)
    }
}

impl<'a> Iterator for ProtoFields<'a> {
    type Item = Option<ProtoField<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() || self.is_broken {
            return None;
        }
        let field = self.read();
        self.is_broken = field.is_none();
        Some(field)
    }
}

/// Returns the bytes of a message's first field with this number.
pub fn bytes_of(message: &[u8], number: u64) -> Option<&[u8]> {
    ProtoFields::new(message).first(number)
}

/// Returns the bytes as text; `None` if they are not UTF-8.
pub fn text_of(bytes: &[u8]) -> Option<&str> {
    str::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_written_as_protobuf_does() {
        let bytes = ProtoWriter::new().uint(1, 300).bytes(2, "hi").uint(3, 0).finish();
        assert_eq!(bytes, [0x08, 0xac, 0x02, 0x12, 0x02, b'h', b'i']);
        let any = ProtoWriter::any("/a", &[]);
        assert_eq!(any, [0x0a, 2, b'/', b'a']);
        let long = ProtoWriter::new().bytes(20, [7; 300]).finish();
        assert_eq!(bytes_of(&long, 20), Some(&[7; 300][..]));
    }

    #[test]
    fn all_wire_types_are_read() {
        let bytes = [0x08, 0x96, 0x01, 0x12, 0x01, b'x', 0x19, 1, 0, 0, 0, 0, 0, 0, 0, 0x25, 2, 0, 0, 0];
        let fields: Option<Vec<ProtoField<'_>>> = ProtoFields::new(&bytes).collect();
        let fields = fields.unwrap();
        let numbers: Vec<_> = fields.iter().map(|field| (field.number, field.number_value)).collect();
        assert_eq!(numbers, [(1, Some(150)), (2, None), (3, Some(1)), (4, Some(2))]);
        assert_eq!(fields[1].bytes, Some(&b"x"[..]));
    }

    #[test]
    fn broken_bytes_end_the_reading() {
        for bytes in [&[0x08][..], &[0x12, 5, 1], &[0x0b], &[0x00, 0x01], &[0xff; 12], &[0x19, 1, 2]] {
            let fields: Vec<_> = ProtoFields::new(bytes).collect();
            assert_eq!(fields.last(), Some(&None), "{bytes:?}");
            assert_eq!(ProtoFields::new(bytes).first(9), None);
        }
        assert_eq!(bytes_of(&ProtoWriter::new().bytes(3, b"abc").finish(), 3), Some(&b"abc"[..]));
    }
}
