//! Readers for the channels, accounts and fees of a network's table.

use toml::{Spanned, de::DeValue};

use super::super::table::{TableReader, article};
use crate::{
    config::network::{KnownChannel, NamedAccount},
    domain::{Denom, FeeDenom, GasPrice},
};

/// Reads a list of channels; skips invalid channels with a warning.
pub(super) fn read_channels(reader: &mut TableReader<'_>, value: &Spanned<DeValue<'_>>) -> Option<Vec<KnownChannel>> {
    const FORM: &str =
        "expected { port = \"transfer\", channel = \"channel-0\", chain = \"…\" }; rollscope skips this channel";
    read_list(reader, value, "networks.channels", FORM, |value| {
        let [port, channel, chain] = words(value, ["port", "channel", "chain"])?;
        Some(KnownChannel { port, channel, chain })
    })
}

/// Reads a list of named accounts; skips invalid accounts with a warning.
pub(super) fn read_accounts(reader: &mut TableReader<'_>, value: &Spanned<DeValue<'_>>) -> Option<Vec<NamedAccount>> {
    const FORM: &str = "expected { address = \"init1… or 0x…\", name = \"…\" }, for a contract also role = \
     \"wrapper\", \"safe\" or \"multicall\"; rollscope skips this account";
    read_list(reader, value, "networks.accounts", FORM, |value| {
        if let Some([address, name]) = words(value, ["address", "name"]) {
            return Some(NamedAccount { address: address.parse().ok()?, name, role: None });
        }
        let [address, name, role] = words(value, ["address", "name", "role"])?;
        Some(NamedAccount { address: address.parse().ok()?, name, role: Some(role.parse().ok()?) })
    })
}

/// Reads a list of fee denoms; skips invalid denoms with a warning.
pub(super) fn read_fees(reader: &mut TableReader<'_>, value: &Spanned<DeValue<'_>>) -> Option<Vec<FeeDenom>> {
    const FORM: &str = "expected { denom = \"…\" }, with a known minimum gas price also price = \"0.015\"; rollscope skips \
     this denom";
    read_list(reader, value, "networks.fees", FORM, |value| {
        if let Some([denom]) = words(value, ["denom"]) {
            return Some(FeeDenom { denom: Denom::new(denom), price: None });
        }
        let [denom, price] = words(value, ["denom", "price"])?;
        GasPrice::new(Denom::new(denom), &price).ok().map(FeeDenom::from)
    })
}

pub(super) fn read_bridge_id(reader: &mut TableReader<'_>, value: &Spanned<DeValue<'_>>) -> Option<u64> {
    let integer = value.get_ref().as_integer();
    let number = integer.and_then(|integer| u64::from_str_radix(integer.as_str(), integer.radix()).ok());
    if number.is_none() {
        reader.warn(value, "networks.bridge_id", "expected a whole number, such as 11");
    }
    number
}

fn read_list<T>(
    reader: &mut TableReader<'_>,
    value: &Spanned<DeValue<'_>>,
    key: &str,
    form: &str,
    read: impl Fn(&DeValue<'_>) -> Option<T>,
) -> Option<Vec<T>> {
    let Some(array) = value.get_ref().as_array() else {
        reader.warn(value, key, format_args!("expected a list, found {}", article(value.get_ref())));
        return None;
    };
    let mut items = Vec::with_capacity(array.len());
    for item in array {
        match read(item.get_ref()) {
            Some(read) => items.push(read),
            None => reader.warn(item, key, form),
        }
    }
    Some(items)
}

/// Returns the texts under these keys; `None` if a key is missing or the table has another key.
fn words<const N: usize>(value: &DeValue<'_>, keys: [&str; N]) -> Option<[String; N]> {
    let table = value.as_table().filter(|table| table.len() == N)?;
    let text = |key: &str| table.get(key)?.get_ref().as_str().filter(|text| !text.is_empty()).map(ToOwned::to_owned);
    let texts: Vec<String> = keys.iter().filter_map(|key| text(key)).collect();
    texts.try_into().ok()
}
