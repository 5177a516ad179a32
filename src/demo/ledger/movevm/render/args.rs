//! Arguments of entry functions, in BCS or as JSON.

use alloy_primitives::hex;

use crate::{demo::ledger::json::quoted, wire::bcs};

pub(crate) enum MoveArg {
    Address([u8; 32]),
    /// 64-bit number.
    Number(u64),
    Text(String),
    Flag(bool),
    MaybeAddress(Option<[u8; 32]>),
    /// Optional 64-bit number.
    MaybeNumber(Option<u64>),
    NoList,
    /// Decimal fraction below one, in units of 10^-18.
    Decimal(u64),
}

impl MoveArg {
    /// Encodes the argument in BCS.
    pub(crate) fn bcs(&self) -> Vec<u8> {
        match self {
            Self::Address(word) => word.to_vec(),
            Self::Number(number) => number.to_le_bytes().to_vec(),
            Self::Text(text) => bcs::encode_bytes(text),
            Self::Decimal(scaled) => {
                let bytes = scaled.to_le_bytes();
                let used = bytes.iter().rposition(|byte| *byte > 0).map_or(0, |last| last + 1);
                bcs::encode_bytes(bytes.get(..used).unwrap_or_default())
            }
            Self::Flag(flag) => vec![u8::from(*flag)],
            Self::MaybeAddress(word) => bcs::encode_option(word.as_ref().map(<[u8; 32]>::as_slice)),
            Self::MaybeNumber(number) => {
                bcs::encode_option(number.map(u64::to_le_bytes).as_ref().map(<[u8; 8]>::as_slice))
            }
            Self::NoList => vec![0],
        }
    }

    /// Encodes the argument as JSON.
    pub(crate) fn json(&self) -> String {
        match self {
            Self::Address(word) | Self::MaybeAddress(Some(word)) => quoted(&hex::encode_prefixed(word)),
            Self::Number(number) | Self::MaybeNumber(Some(number)) => quoted(&number.to_string()),
            Self::Text(text) => quoted(text),
            Self::Decimal(scaled) => quoted(format!("0.{scaled:018}").trim_end_matches('0')),
            Self::Flag(flag) => flag.to_string(),
            Self::MaybeAddress(None) | Self::MaybeNumber(None) => "null".to_owned(),
            Self::NoList => "[]".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::MoveArg;

    #[test]
    fn arguments_are_encoded_as_real_ones() {
        assert_eq!(MoveArg::MaybeNumber(Some(100_000)).bcs(), [1, 0xa0, 0x86, 1, 0, 0, 0, 0, 0]);
        assert_eq!(MoveArg::Text("hi".to_owned()).bcs(), [2, b'h', b'i']);
        assert_eq!(MoveArg::Text("x".repeat(300)).bcs()[..2], [0xac, 0x02]);
        assert_eq!(MoveArg::Text("Favorite \"food\"".to_owned()).json(), r#""Favorite \"food\"""#);
        let fortieth = MoveArg::Decimal(25_000_000_000_000_000);
        assert_eq!(fortieth.json(), r#""0.025""#);
        assert_eq!(fortieth.bcs(), [7, 0x00, 0x80, 0x62, 0x17, 0x5e, 0xd1, 0x58]);
        assert_eq!((MoveArg::NoList.json(), MoveArg::MaybeAddress(None).json()), ("[]".to_owned(), "null".to_owned()));
    }
}
