use std::sync::Arc;

use base64::{
    Engine as _, alphabet,
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
};
use reqwest::Url;

use crate::{
    client::base_url::BaseUrl,
    domain::text::clip,
    wire::{ApiError, ErrorKind},
};

/// Base64 decoder with optional padding: chains often omit padding in the URIs that they store.
const LENIENT: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

#[derive(Debug, PartialEq, Eq)]
pub(super) enum UriSource {
    /// Inline data with its declared media type.
    Inline {
        /// Media type without parameters, in lower case; empty if missing.
        media: String,
        bytes: Vec<u8>,
    },
    Web(Url),
}

impl UriSource {
    /// Parses a URI; `ipfs:` becomes a URL of the gateway. Inline data that must exceed `cap` bytes is not decoded. The
    /// error is a sentence for the user.
    pub(super) fn of(uri: &str, gateway: &BaseUrl, cap: u64) -> Result<Self, String> {
        let uri = uri.trim();
        if uri.is_empty() {
            return Err("the NFT has no metadata link".to_owned());
        }
        let no_address = || format!("“{}” is not a URL", clip(uri, 60));
        let (scheme, rest) = uri.split_once(':').ok_or_else(no_address)?;
        match scheme.to_ascii_lowercase().as_str() {
            "data" => inline(rest, cap),
            "ipfs" => below(gateway, rest.trim_start_matches('/')).map(Self::Web),
            "http" | "https" => Url::parse(uri).map(Self::Web).map_err(|_| no_address()),
            _ => Err(format!("rollscope does not support “{}:” links", clip(scheme, 20))),
        }
    }
}

/// Parses the rest of a `data:` URI. Chains write `#` and a stray `%` as plain text here, unlike in a URL.
fn inline(rest: &str, cap: u64) -> Result<UriSource, String> {
    let (head, data) = rest.split_once(',').ok_or("the “data:” link has no data")?;
    let mut parts = head.split(';').map(str::trim);
    let media = parts.next().unwrap_or_default().to_ascii_lowercase();
    let is_base64 = parts.next_back().is_some_and(|part| part.eq_ignore_ascii_case("base64"));
    // A byte has at most three characters percent-encoded, four in base64.
    let most = cap.saturating_mul(if is_base64 { 4 } else { 3 });
    if data.len() as u64 > most {
        return Err(too_large(cap));
    }
    let mut bytes = percent_decode(data);
    if is_base64 {
        bytes.retain(|byte| !byte.is_ascii_whitespace());
        bytes = LENIENT.decode(&bytes).map_err(|_| "the “data:” link is not valid base64")?;
    }
    Ok(UriSource::Inline { media, bytes })
}

/// Returns the gateway's URL of `CID/path` or `ipfs/CID/path`.
fn below(gateway: &BaseUrl, path: &str) -> Result<Url, String> {
    let path = path.strip_prefix("ipfs/").unwrap_or(path);
    let cid = path.split('/').next().unwrap_or_default();
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    if cid.is_empty() || !cid.bytes().all(is_plain) {
        return Err("the “ipfs:” link has no content id".to_owned());
    }
    // An IPFS path has neither query nor fragment, so these characters are literal.
    let path = path.replace('?', "%3F").replace('#', "%23");
    let floor = format!("{}/{cid}", gateway.as_str());
    let url = Url::parse(&gateway.join(&format!("/{path}"))).map_err(|error| error.to_string())?;
    if !url.as_str().starts_with(&floor) {
        return Err("the “ipfs:” link points outside its content id".to_owned());
    }
    Ok(url)
}

/// Resolves a reference relative to the document that contains it.
pub(super) fn resolve(document: &str, reference: &str) -> Arc<str> {
    let reference = reference.trim();
    let is_absolute = || reference.split_once(':').is_some_and(|(scheme, _)| is_scheme(scheme));
    let beside = || Url::parse(document.trim()).ok()?.join(reference).ok();
    if reference.is_empty() || is_absolute() {
        return reference.into();
    }
    beside().map_or_else(|| reference.into(), |url| url.as_str().into())
}

fn is_scheme(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))
}

fn percent_decode(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        match (byte, after) {
            (b'%', [high, low, after @ ..]) if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => {
                bytes.push(nibble(*high) << 4 | nibble(*low));
                rest = after;
            }
            _ => {
                bytes.push(byte);
                rest = after;
            }
        }
    }
    bytes
}

fn nibble(digit: u8) -> u8 {
    char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok()).unwrap_or_default()
}

/// Whether a URL has this server's scheme, host and port.
pub(super) fn is_of(server: &BaseUrl, url: &Url) -> bool {
    Url::parse(server.as_str()).is_ok_and(|server| server.origin() == url.origin())
}

/// Creates the error for an unusable URI; shortens long URIs, such as `data:`.
pub(super) fn unusable(uri: &str, sentence: String) -> ApiError {
    ApiError { kind: ErrorKind::Unusable(sentence), url: clip(uri, 300).into(), body: None }
}

pub(super) fn too_large(cap: u64) -> String {
    format!("larger than {} MiB", cap >> 20)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(uri: &str) -> Result<UriSource, String> {
        UriSource::of(uri, &BaseUrl::parse("http://gate.example/x/ipfs/").unwrap(), 1 << 20)
    }

    fn web(uri: &str) -> String {
        match of(uri) {
            Ok(UriSource::Web(url)) => url.to_string(),
            other => panic!("{uri}: {other:?}"),
        }
    }

    #[test]
    fn data_is_read_as_chains_write_it() {
        for (uri, media, bytes) in [
            ("data:application/json;base64,eyJhIjoxfQ==", "application/json", r#"{"a":1}"#),
            ("DATA:application/JSON;charset=utf-8;BASE64,eyJhIjoxfQ", "application/json", r#"{"a":1}"#),
            ("data:application/json;base64,eyJh\nIjox%66Q%3D%3D", "application/json", r#"{"a":1}"#),
            ("data:application/json;utf8,{\"a\": \"#1 100% %41\"}", "application/json", "{\"a\": \"#1 100% A\"}"),
            ("data:,x%", "", "x%"),
        ] {
            let expected = UriSource::Inline { media: media.to_owned(), bytes: bytes.as_bytes().to_vec() };
            assert_eq!(of(uri), Ok(expected), "{uri}");
        }
        assert!(of("data:nothing").unwrap_err().contains("no data"));
        assert!(of("data:;base64,***").unwrap_err().contains("not valid base64"));
    }

    #[test]
    fn what_must_be_too_large_is_not_decoded() {
        let gateway = BaseUrl::parse("http://gate.example").unwrap();
        let of = |uri: &str| UriSource::of(uri, &gateway, 3);
        // Invalid base64 too: decoding would report that error instead.
        assert_eq!(of(&format!("data:;base64,{}", "*".repeat(13))).unwrap_err(), "larger than 0 MiB");
        assert_eq!(of(&format!("data:,{}", "x".repeat(10))).unwrap_err(), "larger than 0 MiB");
        assert!(of("data:;base64,%41%41%41%41").is_ok() && of("data:,%41%41%41").is_ok());
    }

    #[test]
    fn ipfs_lies_below_the_gateway_and_nowhere_else() {
        assert_eq!(web("ipfs://QmAb/1 #2?.json"), "http://gate.example/x/ipfs/QmAb/1%20%232%3F.json");
        assert_eq!(web("ipfs://ipfs/QmAb/a/../1.json"), "http://gate.example/x/ipfs/QmAb/1.json");
        assert_eq!(web(" IPFS://bafyab "), "http://gate.example/x/ipfs/bafyab");
        for out in
            ["ipfs://QmAb/../../admin", "ipfs://QmAb/%2e%2e/%2E%2E/admin", "ipfs://../x", "ipfs://", "ipfs://a@b/c"]
        {
            assert!(of(out).is_err(), "{out}");
        }
    }

    #[test]
    fn other_schemes_are_named() {
        assert_eq!(web("https://a.example/1.json?x=1"), "https://a.example/1.json?x=1");
        assert_eq!(of("file:///etc/passwd").unwrap_err(), "rollscope does not support “file:” links");
        assert_eq!(of("ar://abc").unwrap_err(), "rollscope does not support “ar:” links");
        assert_eq!(of("1.json").unwrap_err(), "“1.json” is not a URL");
        assert!(of(" ").unwrap_err().contains("no metadata link"));
    }

    #[test]
    fn what_is_relative_lies_beside_its_document() {
        for (document, reference, expected) in [
            ("ipfs://QmAb/meta/1.json", "1.png", "ipfs://QmAb/meta/1.png"),
            ("ipfs://QmAb/meta/1.json", "../img/1.png", "ipfs://QmAb/img/1.png"),
            ("https://a.example/m/1?v=2", "/i/1.png", "https://a.example/i/1.png"),
            ("https://a.example/m/1", "//b.example/1.png", "https://b.example/1.png"),
            ("https://a.example/m/1", "ipfs://QmAb/1.png", "ipfs://QmAb/1.png"),
            ("data:application/json,{}", "1.png", "1.png"),
            ("data:application/json,{}", " data:image/png;base64,AA ", "data:image/png;base64,AA"),
        ] {
            assert_eq!(&*resolve(document, reference), expected, "{document}");
        }
    }
}
