mod events;
mod loose;
mod problems;
#[cfg(test)]
mod tests;

use serde::de::MapAccess;
use serde_json::{Map, Value, value::RawValue};

use super::{TxFailure, lead};
use crate::{
    domain::{Address, Coin, Denom, MsgType, text::quoted},
    wire::Tx,
};
use events::events;
use loose::{Fields, JsonShape, Loose, next_name, skip, text};
use problems::Problems;

/// Values within messages that are taken apart, over a whole transaction; real ones have a few hundred.
const MOST_VALUES: usize = 50_000;

/// A transaction taken apart for reading.
#[derive(Clone, Debug)]
pub struct Decoded {
    /// Its messages in order.
    pub messages: Vec<DecodedMessage>,
    /// The note of a person; the gas settings that Ethereum wallets put there are left out.
    pub memo: Option<String>,
    /// Declared fee.
    pub fee: Vec<Coin>,
    /// Who paid it, as the events say, else the first signer.
    pub fee_payer: Option<String>,
    /// Who signed first, as the events say.
    pub signer: Option<Address>,
    /// Whether an Ethereum wallet signed it (sign mode 9999).
    pub is_ethereum_signed: bool,
    /// Its events in order.
    pub events: Vec<DecodedEvent>,
    /// Why it failed.
    pub failure: Option<TxFailure>,
    /// What of the record could not be read, as a sentence.
    pub problem: Option<String>,
}

/// One message.
#[derive(Clone, Debug)]
pub struct DecodedMessage {
    /// Its type.
    pub kind: MsgType,
    /// Its fields in the record's order, without `@type`.
    pub fields: Map<String, Value>,
}

/// One event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecodedEvent {
    /// `transfer`, `evm`, …
    pub kind: String,
    /// Key and value in order; keys may repeat. Without `msg_index`, which is `phase`.
    pub attributes: Vec<(String, String)>,
    /// When it was emitted.
    pub phase: EventPhase,
}

impl DecodedEvent {
    /// Which of the messages of an authz message it is of. The chain writes that last: a contract that writes the same
    /// before decides nothing.
    pub(super) fn authz_index(&self) -> Option<usize> {
        let (_, value) = self.attributes.iter().rev().find(|(key, _)| key == "authz_msg_index")?;
        value.parse().ok()
    }

    /// The first attribute of this name.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }
}

/// When an event was emitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EventPhase {
    /// Before the messages: fee and signature.
    Before,
    /// By this message, from 0.
    Message(usize),
    /// After the messages: the gas refund.
    After,
}

/// Takes a transaction apart. Never fails: what cannot be read is left out and named in `problem`, and the rest is read
/// all the same.
pub fn decode(tx: &Tx) -> Decoded {
    take_apart(tx, Wanted::All).0
}

/// As much of a transaction as its leading message needs, and that message's place: other messages have their types only,
/// the events of those and of what came after the messages their types only.
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
    let attribute = |kind: &str, key: &str| {
        events.iter().filter(|event| event.kind == kind).find_map(|event| event.value(key).map(ToOwned::to_owned))
    };
    let signer = attribute("tx", "acc_seq").and_then(|text| text.split('/').next().and_then(|part| part.parse().ok()));
    let fee_payer = attribute("tx", "fee_payer").or_else(|| signer.map(|signer: Address| signer.bech32()));
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

/// The signed part of a transaction.
#[derive(Default)]
struct Signed {
    messages: Vec<DecodedMessage>,
    memo: Option<String>,
    fee: Vec<Coin>,
    is_ethereum: bool,
    /// The place of the message that a row is named after; only sought where it alone is wanted.
    lead: usize,
}

impl Signed {
    fn of(tx: &Tx, wanted: Wanted, problems: &mut Problems) -> Self {
        let raw: Option<RawTx<'_>> = read(tx.tx.get());
        let Some(RawTx { body: Some(body), auth }) = raw else {
            problems.add(|| "its body".to_owned());
            return Self::default();
        };
        if body.messages.is_none() {
            problems.add(|| "its messages".to_owned());
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

/// The sign mode of Ethereum wallets.
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
    /// The sign mode of each signer that has one.
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

/// What lies under these names, each within the one before.
fn field_at<'a>(raw: &'a RawValue, path: &[&str]) -> Option<&'a RawValue> {
    path.iter().try_fold(raw, |raw, wanted| {
        let Fields(fields) = read(raw.get())?;
        fields.into_iter().rev().find(|(name, _)| name.is(wanted)).map(|(_, value)| value)
    })
}

fn coins(raw: &RawValue, problems: &mut Problems) -> Vec<Coin> {
    let Some(list) = read::<Vec<&RawValue>>(raw.get()) else {
        problems.add(|| "its fee".to_owned());
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
            None => problems.add(|| "a coin of its fee".to_owned()),
        }
    }
    coins
}

/// The type of a message that is not read otherwise.
fn kind(raw: &RawValue) -> MsgType {
    field_at(raw, &["@type"]).map_or_else(|| MsgType::new(UNKNOWN), |kind| MsgType::new(&text(kind)))
}

/// The type of what has none.
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

/// The fields of a message that cannot be read whole: it is no object, or too large or too deep somewhere.
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

/// Whether there is room for the values within this one; at most, since those in texts are counted too.
fn takes_values(raw: &RawValue, left: &mut usize) -> bool {
    let values = 1 + raw.get().bytes().filter(|byte| matches!(byte, b',' | b'[' | b'{')).count();
    let is_room = values <= *left;
    if is_room {
        *left -= values;
    }
    is_room
}
