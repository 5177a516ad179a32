mod events;
pub(super) mod failure;
mod loose;
mod problems;
pub(super) mod signed;
#[cfg(test)]
mod tests;

use serde::de::MapAccess;
use serde_json::{Map, Value, value::RawValue};

use self::failure::TxFailure;
pub use crate::events::{DecodedEvent, EventPhase};
use crate::{
    domain::{Address, Coin, Denom, MsgType, text::quoted},
    events::{
        keys::{self, AttributeKey},
        names::TX,
    },
    wire::Tx,
};
use events::events;
use loose::{Fields, JsonShape, Loose, next_name, skip, text};
use problems::Problems;

/// Maximum parsed values within the messages of a transaction; real transactions have a few hundred.
const MOST_VALUES: usize = 50_000;

#[derive(Clone, Debug)]
pub struct Decoded {
    pub messages: Vec<DecodedMessage>,
    /// Memo of the user, without the gas settings that Ethereum wallets add.
    pub memo: Option<String>,
    pub fee: Vec<Coin>,
    /// Fee payer by the events, else the first signer.
    pub fee_payer: Option<String>,
    /// First signer by the events.
    pub signer: Option<Address>,
    /// Whether an Ethereum wallet signed the transaction (sign mode 9999).
    pub is_ethereum_signed: bool,
    pub events: Vec<DecodedEvent>,
    pub failure: Option<TxFailure>,
    /// Sentence about unreadable parts of the record.
    pub problem: Option<String>,
}

#[derive(Clone, Debug)]
pub struct DecodedMessage {
    pub kind: MsgType,
    /// Fields in the record's order, without `@type`.
    pub fields: Map<String, Value>,
}

/// Decodes a transaction. Never fails: `problem` names unreadable parts, and all else is decoded.
pub fn decode(tx: &Tx) -> Decoded {
    take_apart(tx, Wanted::All).0
}

/// Decodes only what the leading message needs, and returns its index. Other messages, their events and the events
/// after the messages keep their types only.
pub(super) fn decode_leading(tx: &Tx) -> (Decoded, usize) {
    take_apart(tx, Wanted::Leading)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    All,
    Leading,
}

fn take_apart(tx: &Tx, wanted: Wanted) -> (Decoded, usize) {
    let mut problems = Problems::default();
    let body = Signed::of(tx, wanted, &mut problems);
    let lead = body.lead;
    let events = events(tx, (wanted == Wanted::Leading).then_some(lead), &mut problems);
    let signer = of_tx(&events, keys::ACCOUNT_SEQUENCE)
        .and_then(|text| text.split('/').next().and_then(|part| part.parse().ok()));
    let fee_payer = of_tx(&events, keys::FEE_PAYER)
        .map(ToOwned::to_owned)
        .or_else(|| signer.map(|signer: Address| signer.bech32()));
    let decoded = Decoded {
        messages: body.messages,
        memo: body.memo.filter(|memo| !memo.is_empty() && !body.is_ethereum),
        fee: body.fee,
        fee_payer,
        signer,
        is_ethereum_signed: body.is_ethereum,
        events,
        failure: TxFailure::of(tx),
        problem: problems.sentence(),
    };
    (decoded, lead)
}

/// Returns an attribute of the `tx` events.
fn of_tx<T>(events: &[DecodedEvent], key: AttributeKey<T>) -> Option<&str> {
    events.iter().filter(|event| event.kind == TX).find_map(|event| event.text(key))
}

#[derive(Default)]
struct Signed {
    messages: Vec<DecodedMessage>,
    memo: Option<String>,
    fee: Vec<Coin>,
    is_ethereum: bool,
    /// Index of the leading message; only determined if nothing else is needed.
    lead: usize,
}

impl Signed {
    fn of(tx: &Tx, wanted: Wanted, problems: &mut Problems) -> Self {
        let raw: Option<RawTx<'_>> = read(tx.tx.get());
        let Some(RawTx { body: Some(body), auth }) = raw else {
            problems.add(|| "the body".to_owned());
            return Self::default();
        };
        if body.messages.is_none() {
            problems.add(|| "the messages".to_owned());
        }
        let mut values_left = MOST_VALUES;
        let mut raw = body.messages.unwrap_or_default();
        problems.cut(&mut raw, "messages");
        let mut kinds: Vec<MsgType> = Vec::new();
        if wanted == Wanted::Leading && raw.len() > 1 {
            kinds.extend(raw.iter().map(|raw| kind(raw)));
        }
        let lead = lead(&kinds);
        let mut read = |(place, raw): (usize, &RawValue)| match kinds.get(place) {
            Some(kind) if place != lead => DecodedMessage { kind: kind.clone(), fields: Map::new() },
            _ => message(place, raw, &mut values_left, problems),
        };
        let messages = raw.into_iter().enumerate().map(&mut read).collect();
        Self {
            messages,
            lead,
            memo: body.memo.map(|memo| text(memo).into_owned()),
            fee: auth.fee.map(|fee| coins(fee, problems)).unwrap_or_default(),
            is_ethereum: auth.modes.iter().any(|mode| text(mode) == ETHEREUM),
        }
    }
}

const ETHEREUM: &str = "9999";

fn read<'a, T: JsonShape<'a>>(json: &'a str) -> Option<T> {
    serde_json::from_str::<Loose<T>>(json).ok().and_then(|loose| loose.0)
}

#[derive(Default)]
struct RawTx<'a> {
    body: Option<RawBody<'a>>,
    auth: RawAuth<'a>,
}

impl<'a> JsonShape<'a> for RawTx<'a> {
    fn of_object<A: MapAccess<'a>>(mut fields: A) -> Result<Option<Self>, A::Error> {
        let mut raw = Self::default();
        while let Some(name) = next_name(&mut fields)? {
            match name.bytes() {
                b"body" => raw.body = fields.next_value::<Loose<_>>()?.0,
                b"auth_info" => raw.auth = fields.next_value::<Loose<_>>()?.0.unwrap_or_default(),
                _ => skip(&mut fields)?,
            }
        }
        Ok(Some(raw))
    }
}

#[derive(Default)]
struct RawBody<'a> {
    messages: Option<Vec<&'a RawValue>>,
    memo: Option<&'a RawValue>,
}

impl<'a> JsonShape<'a> for RawBody<'a> {
    fn of_object<A: MapAccess<'a>>(mut fields: A) -> Result<Option<Self>, A::Error> {
        let mut raw = Self::default();
        while let Some(name) = next_name(&mut fields)? {
            match name.bytes() {
                b"messages" => raw.messages = fields.next_value::<Loose<_>>()?.0,
                b"memo" => raw.memo = Some(fields.next_value()?),
                _ => skip(&mut fields)?,
            }
        }
        Ok(Some(raw))
    }
}

#[derive(Default)]
struct RawAuth<'a> {
    modes: Vec<&'a RawValue>,
    fee: Option<&'a RawValue>,
}

impl<'a> JsonShape<'a> for RawAuth<'a> {
    fn of_object<A: MapAccess<'a>>(mut fields: A) -> Result<Option<Self>, A::Error> {
        let mut raw = Self::default();
        while let Some(name) = next_name(&mut fields)? {
            match name.bytes() {
                b"signer_infos" => {
                    let signers: Option<Vec<&RawValue>> = fields.next_value::<Loose<_>>()?.0;
                    let path = ["mode_info", "single", "mode"];
                    raw.modes.extend(signers.into_iter().flatten().filter_map(|signer| field_at(signer, &path)));
                }
                b"fee" => raw.fee = field_at(fields.next_value()?, &["amount"]),
                _ => skip(&mut fields)?,
            }
        }
        Ok(Some(raw))
    }
}

/// Returns the value at a path of nested names.
fn field_at<'a>(raw: &'a RawValue, path: &[&str]) -> Option<&'a RawValue> {
    path.iter().try_fold(raw, |raw, wanted| {
        let Fields(fields) = read(raw.get())?;
        fields.into_iter().rev().find(|(name, _)| name.is(wanted)).map(|(_, value)| value)
    })
}

fn coins(raw: &RawValue, problems: &mut Problems) -> Vec<Coin> {
    let Some(list) = read::<Vec<&RawValue>>(raw.get()) else {
        problems.add(|| "the fee".to_owned());
        return Vec::new();
    };
    let coin = |raw| {
        let denom = text(field_at(raw, &["denom"])?);
        let amount = text(field_at(raw, &["amount"])?).parse().ok()?;
        Some(Coin { denom: Denom::new(&*denom), amount })
    };
    let mut coins = Vec::with_capacity(list.len().min(4));
    for raw in list {
        match coin(raw) {
            Some(coin) => coins.push(coin),
            None => problems.add(|| "a coin of the fee".to_owned()),
        }
    }
    coins
}

/// Returns the type of a message without decoding the rest.
fn kind(raw: &RawValue) -> MsgType {
    field_at(raw, &["@type"]).map_or_else(|| MsgType::new(UNKNOWN), |kind| MsgType::new(&text(kind)))
}

/// Type of a message that names no type.
const UNKNOWN: &str = "unknown";

fn message(place: usize, raw: &RawValue, values_left: &mut usize, problems: &mut Problems) -> DecodedMessage {
    let whole = takes_values(raw, values_left).then(|| serde_json::from_str(raw.get()).ok()).flatten();
    let mut fields: Map<String, Value> = whole.unwrap_or_else(|| by_field(place, raw, values_left, problems));
    let kind = match fields.shift_remove("@type") {
        Some(Value::String(text)) => MsgType::new(&text),
        _ => MsgType::new(UNKNOWN),
    };
    DecodedMessage { kind, fields }
}

/// Returns the readable fields of a message that is not an object, or that is too large or too deep in places.
fn by_field(place: usize, raw: &RawValue, values_left: &mut usize, problems: &mut Problems) -> Map<String, Value> {
    let mut map = Map::new();
    let Some(Fields(fields)) = read(raw.get()) else {
        problems.add(|| format!("message {}", place + 1));
        return map;
    };
    for (name, raw) in fields {
        let value = takes_values(raw, values_left).then(|| serde_json::from_str(raw.get()).ok()).flatten();
        match value {
            Some(value) => drop(map.insert(name.text().into_owned(), value)),
            None => problems.add(|| format!("{} of message {}", quoted(&name.text()), place + 1)),
        }
    }
    map
}

/// Whether the budget allows the values within this one; an upper bound, because it includes values within strings.
fn takes_values(raw: &RawValue, left: &mut usize) -> bool {
    let values = 1 + raw.get().bytes().filter(|byte| matches!(byte, b',' | b'[' | b'{')).count();
    let is_room = values <= *left;
    if is_room {
        *left -= values;
    }
    is_room
}

/// Returns the index of the leading message: not an update of a light client, which relayers send first.
pub(crate) fn lead(types: &[MsgType]) -> usize {
    types.iter().position(|kind| !is_noise(kind)).unwrap_or(0)
}

pub(crate) fn is_noise(kind: &MsgType) -> bool {
    kind.short() == "MsgUpdateClient"
}
