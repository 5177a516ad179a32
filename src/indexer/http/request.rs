use std::borrow::Cow;

/// Request as handlers see it.
#[derive(Debug)]
pub(crate) struct HttpRequest<'a> {
    /// Path parameters in order, not decoded.
    pub(super) parameters: Vec<&'a str>,
    pub(crate) query: QueryString,
    /// Request body, for routes that accept a body; `None` if too long or incomplete.
    pub(crate) body: Option<Vec<u8>>,
}

impl<'a> HttpRequest<'a> {
    /// Returns the path parameter at this index.
    pub(crate) fn parameter(&self, place: usize) -> &'a str {
        self.parameters.get(place).copied().unwrap_or_default()
    }
}

/// Decoded pairs of a query string: `%XX`, and `+` as a space. Invalid escapes stay.
#[derive(Clone, Debug, Default)]
pub(crate) struct QueryString(Vec<(String, String)>);

impl QueryString {
    /// Parses the part of a URL after `?`.
    pub(crate) fn parse(text: &str) -> Self {
        let pairs = text.split('&').filter(|pair| !pair.is_empty()).map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            (decode_query(name), decode_query(value))
        });
        Self(pairs.collect())
    }

    pub(crate) fn first(&self, name: &str) -> Option<&str> {
        self.all(name).next()
    }

    /// Creates a query from pairs that are already decoded.
    pub(crate) fn of(pairs: impl IntoIterator<Item = (String, String)>) -> Self {
        Self(pairs.into_iter().collect())
    }

    pub(crate) fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    pub(crate) fn all<'a>(&'a self, name: &str) -> impl Iterator<Item = &'a str> {
        self.0.iter().filter(move |(key, _)| key == name).map(|(_, value)| value.as_str())
    }
}

fn decode_query(text: &str) -> String {
    decode(&text.replace('+', " ")).into_owned()
}

/// Decodes `%XX`; bytes that are not UTF-8 become U+FFFD.
pub(crate) fn decode(text: &str) -> Cow<'_, str> {
    if !text.contains('%') {
        return Cow::Borrowed(text);
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        let escape = (byte == b'%').then(|| after.split_first_chunk::<2>()).flatten();
        let decoded = escape.and_then(|(digits, after)| Some((hex_pair(*digits)?, after)));
        let (byte, after) = decoded.unwrap_or((byte, after));
        bytes.push(byte);
        rest = after;
    }
    Cow::Owned(String::from_utf8_lossy(&bytes).into_owned())
}

fn hex_pair([high, low]: [u8; 2]) -> Option<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    Some(digit(high)? << 4 | digit(low)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_decoded_and_kept_in_order() {
        let query = QueryString::parse("a=1&b=x+y%2Bz&a=2&c&&d=%zz%4&e=%C3%A9");
        assert_eq!(query.first("a"), Some("1"));
        assert_eq!(query.all("a").collect::<Vec<_>>(), ["1", "2"]);
        assert_eq!(query.first("b"), Some("x y+z"));
        assert_eq!(query.first("c"), Some(""));
        assert_eq!(query.first("d"), Some("%zz%4"));
        assert_eq!(query.first("e"), Some("é"));
        assert_eq!(query.first("f"), None);
    }
}
