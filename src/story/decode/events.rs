use std::borrow::Cow;

use serde::de::MapAccess;
use serde_json::value::RawValue;

use super::{
    DecodedEvent, EventPhase,
    loose::{JsonShape, Loose, next_name, skip, text},
    problems::Problems,
    read,
};
use crate::wire::Tx;

/// Parses the events in order. With `only`, those of other messages have no attributes.
pub(super) fn events(tx: &Tx, only: Option<usize>, problems: &mut Problems) -> Vec<DecodedEvent> {
    let Some(mut raw) = read::<Vec<Loose<RawEvent<'_>>>>(tx.events.get()) else {
        problems.add(|| "the events".to_owned());
        return Vec::new();
    };
    problems.cut(&mut raw, "events");
    let mut phase = EventPhase::Before;
    let mut events = Vec::with_capacity(raw.len());
    for (place, Loose(raw)) in raw.into_iter().enumerate() {
        let raw = raw.unwrap_or_default();
        if raw.is_odd || raw.kind.is_none() {
            problems.add(|| format!("event {}", place + 1));
        }
        phase = match (raw.message, phase) {
            (Some(message), _) => EventPhase::Message(message),
            (None, EventPhase::Before) => EventPhase::Before,
            (None, _) => EventPhase::After,
        };
        let is_wanted =
            only.is_none_or(|only| matches!(phase, EventPhase::Before) || phase == EventPhase::Message(only));
        let attributes = if is_wanted { raw.attributes() } else { Vec::new() };
        events.push(DecodedEvent::new(raw.kind.map(text).unwrap_or_default().into_owned(), attributes, phase));
    }
    events
}

#[derive(Default)]
struct RawEvent<'a> {
    kind: Option<&'a RawValue>,
    attributes: Vec<(Cow<'a, str>, Option<&'a RawValue>)>,
    message: Option<usize>,
    is_odd: bool,
}

impl<'a> JsonShape<'a> for RawEvent<'a> {
    fn of_object<A: MapAccess<'a>>(mut fields: A) -> Result<Option<Self>, A::Error> {
        let mut event = Self::default();
        while let Some(name) = next_name(&mut fields)? {
            match name.bytes() {
                b"type" => event.kind = Some(fields.next_value()?),
                // Some servers omit the list of an event without attributes.
                b"attributes" => match fields.next_value::<Option<Loose<Vec<Loose<RawAttribute<'_>>>>>>()? {
                    Some(Loose(Some(attributes))) => event.take(attributes),
                    Some(Loose(None)) => event.is_odd = true,
                    None => {}
                },
                _ => skip(&mut fields)?,
            }
        }
        Ok(Some(event))
    }
}

impl<'a> RawEvent<'a> {
    fn take(&mut self, attributes: Vec<Loose<RawAttribute<'a>>>) {
        self.attributes.reserve(attributes.len());
        for Loose(attribute) in attributes {
            let Some(RawAttribute { key: Some(key), value }) = attribute else {
                self.is_odd = true;
                continue;
            };
            let key = text(key);
            match &*key {
                "msg_index" => {
                    let number = value.map(text).unwrap_or_default();
                    self.message = number.parse().ok();
                    self.is_odd |= self.message.is_none() && !number.is_empty();
                }
                _ => self.attributes.push((key, value)),
            }
        }
    }

    fn attributes(&self) -> Vec<(String, String)> {
        let attribute = |(key, value): &(Cow<'a, str>, Option<&'a RawValue>)| {
            (key.clone().into_owned(), value.map(text).unwrap_or_default().into_owned())
        };
        self.attributes.iter().map(attribute).collect()
    }
}

#[derive(Default)]
struct RawAttribute<'a> {
    key: Option<&'a RawValue>,
    value: Option<&'a RawValue>,
}

impl<'a> JsonShape<'a> for RawAttribute<'a> {
    fn of_object<A: MapAccess<'a>>(mut fields: A) -> Result<Option<Self>, A::Error> {
        let mut attribute = Self::default();
        while let Some(name) = next_name(&mut fields)? {
            match name.bytes() {
                b"key" => attribute.key = Some(fields.next_value()?),
                b"value" => attribute.value = Some(fields.next_value()?),
                _ => skip(&mut fields)?,
            }
        }
        Ok(Some(attribute))
    }
}
