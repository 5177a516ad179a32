//! A tiny protobuf writer for result data, bridge hooks and light-client headers.

/// A message being written. Fields must be added in the order of their numbers, as encoders do.
#[derive(Debug, Default)]
pub(super) struct Proto(Vec<u8>);

impl Proto {
    /// An empty message.
    pub(super) fn new() -> Self {
        Self::default()
    }

    /// The bytes.
    pub(super) fn finish(self) -> Vec<u8> {
        self.0
    }

    /// A length-delimited field: a string, bytes or another message.
    pub(super) fn bytes(mut self, field: u8, value: impl AsRef<[u8]>) -> Self {
        let value = value.as_ref();
        self.varint(u64::from(field) << 3 | 2);
        self.varint(value.len() as u64);
        self.0.extend_from_slice(value);
        self
    }

    /// A varint field; zero is left out, as proto3 does.
    pub(super) fn uint(mut self, field: u8, value: u64) -> Self {
        if value > 0 {
            self.varint(u64::from(field) << 3);
            self.varint(value);
        }
        self
    }

    /// An `Any` of this type.
    pub(super) fn any(kind: &str, value: &[u8]) -> Vec<u8> {
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

#[cfg(test)]
mod tests {
    use super::Proto;

    #[test]
    fn fields_are_encoded_as_protobuf_does() {
        let bytes = Proto::new().uint(1, 300).bytes(2, "hi").uint(3, 0).finish();
        assert_eq!(bytes, [0x08, 0xac, 0x02, 0x12, 0x02, b'h', b'i']);
    }
}
