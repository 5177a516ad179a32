use serde_json::{Map, Value};

use super::uri::resolve;
use crate::{
    domain::text::clip,
    msg::{Metadata, Trait},
    wire::RawJson,
};

/// Maximum number of traits.
const TRAITS: usize = 256;

/// Fields of the picture's URL; the first field present counts.
const IMAGES: [&str; 3] = ["image", "image_url", "imageUrl"];

/// Parses metadata of this media type and URI. The error is a sentence for the user.
pub(super) fn read(media: &str, bytes: &[u8], uri: &str) -> Result<Metadata, String> {
    let text = std::str::from_utf8(bytes).map(|text| text.trim_start_matches('\u{feff}').trim());
    let text = text.ok().filter(|text| text.starts_with('{')).ok_or_else(|| {
        let media = if media.is_empty() { "data of unknown type" } else { media };
        format!("the metadata is {}, not a JSON object", clip(media, 60))
    })?;
    // The parser limits the nesting to 128 levels.
    let fields: Map<String, Value> =
        serde_json::from_str(text).map_err(|error| format!("the metadata is not valid JSON: {error}"))?;
    let raw = RawJson::parse(text.to_owned()).map_err(|error| error.to_string())?;
    let image = IMAGES.iter().filter_map(|name| fields.get(*name)?.as_str()).find(|image| !image.trim().is_empty());
    Ok(Metadata {
        name: text_of(fields.get("name")),
        description: text_of(fields.get("description")),
        image: image.map(|image| resolve(uri, image)),
        traits: traits(&fields),
        raw,
    })
}

/// Returns the traits from the usual fields: a list of names and values, or an object.
fn traits(fields: &Map<String, Value>) -> Vec<Trait> {
    let mut traits = Vec::new();
    for name in ["attributes", "traits", "properties"] {
        match fields.get(name) {
            Some(Value::Array(list)) => traits.extend(list.iter().filter_map(listed)),
            Some(Value::Object(object)) => traits.extend(object.iter().map(|(name, value)| named(name, value))),
            _ => {}
        }
        if !traits.is_empty() {
            break;
        }
    }
    traits.truncate(TRAITS);
    traits
}

/// Parses a trait in a list: `{"trait_type": …, "value": …}`, or a bare value.
fn listed(item: &Value) -> Option<Trait> {
    let Value::Object(fields) = item else {
        return Some(Trait { name: String::new(), value: text_of(Some(item)) });
    };
    let name = ["trait_type", "name", "key"].iter().find_map(|name| fields.get(*name)).and_then(Value::as_str);
    let value = fields.get("value")?;
    Some(Trait { name: name.unwrap_or_default().to_owned(), value: text_of(Some(value)) })
}

/// Parses a trait in an object: the value, or an object that contains it.
fn named(name: &str, value: &Value) -> Trait {
    let inner = value.as_object().and_then(|fields| fields.get("value")).unwrap_or(value);
    Trait { name: name.to_owned(), value: text_of(Some(inner)) }
}

/// Formats a JSON value: a string without quotes, null as empty, other values as JSON with unchanged digits.
fn text_of(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn metadata(json: &str) -> Metadata {
        read("application/json", json.as_bytes(), "ipfs://QmAb/7.json").unwrap()
    }

    fn pairs(json: &str) -> Vec<(String, String)> {
        metadata(json).traits.into_iter().map(|each| (each.name, each.value)).collect()
    }

    #[test]
    fn every_form_of_metadata_is_read() {
        let json = "\u{feff} {\"name\":\"A\\u001b[2J\",\"description\":7,\"image\":\"7.png\",\"x\":1} ";
        let read = metadata(json);
        assert_eq!((read.name.as_str(), read.description.as_str()), ("A\u{1b}[2J", "7"), "cleaned only when shown");
        assert_eq!(read.image.as_deref(), Some("ipfs://QmAb/7.png"));
        assert!(read.raw.get().starts_with('{') && read.raw.get().ends_with('}'));
        let other = metadata(r#"{"image":"","image_url":"https://a.example/1.png"}"#);
        assert_eq!((other.image.as_deref(), other.name.as_str()), (Some("https://a.example/1.png"), ""));
        assert_eq!(metadata(r#"{"image":{"a":1}}"#).image, None);
    }

    #[test]
    fn traits_come_in_lists_and_objects() {
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let list = r#"{"attributes":[{"trait_type":"Eyes","value":"red"},{"name":"Level","value":1.50},{"key":"a","value":null},
            {"trait_type":"no value"},{"value":["x"]},"bare"]}"#;
        let expected =
            [pair("Eyes", "red"), pair("Level", "1.50"), pair("a", ""), pair("", "[\"x\"]"), pair("", "bare")];
        assert_eq!(pairs(list), expected);
        let object =
            r#"{"attributes":[],"properties":{"Eyes":{"value":"red","max":3},"Power":12345678901234567890123}}"#;
        assert_eq!(pairs(object), [pair("Eyes", "red"), pair("Power", "12345678901234567890123")]);
        assert_eq!(pairs(r#"{"traits":{"b":true},"properties":{"c":1}}"#), [pair("b", "true")]);
        let many = format!("{{\"traits\":[{}1]}}", "1,".repeat(5000));
        assert_eq!(pairs(&many).len(), TRAITS);
    }

    #[test]
    fn what_is_no_metadata_says_what_it_is() {
        let sentence = |media: &str, bytes: &[u8]| read(media, bytes, "https://a.example").unwrap_err();
        assert_eq!(sentence("text/html", b"<html>"), "the metadata is text/html, not a JSON object");
        assert_eq!(sentence("", b"\xff"), "the metadata is data of unknown type, not a JSON object");
        assert!(sentence("application/json", b"{\"a\":").contains("not valid JSON: EOF"));
        let deep = format!("{{\"a\":{}{}}}", "[".repeat(200_000), "]".repeat(200_000));
        assert!(sentence("application/json", deep.as_bytes()).contains("recursion limit"));
    }
}
