//! Keys of servers. Addresses hold references to them, such as `$NODE_KEY`; only a request to the address's own server
//! holds the key itself.

use std::{
    fmt,
    sync::{Arc, Mutex, PoisonError},
};

/// Key that is never shown: it has no `Display`, and `Debug` hides it.
#[derive(Clone, PartialEq, Eq)]
pub struct ServerKey(Arc<str>);

impl ServerKey {
    pub fn new(text: impl Into<Arc<str>>) -> Self {
        Self(text.into())
    }

    /// Returns the key, for a request to its server alone.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for ServerKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("ServerKey(…)")
    }
}

/// Keys that addresses gave as text, in their order.
static GIVEN: Mutex<Vec<ServerKey>> = Mutex::new(Vec::new());

/// Keeps a key that an address has as text, and returns the reference that replaces it: `$1`.
pub fn keep_given(text: &str) -> String {
    let mut given = GIVEN.lock().unwrap_or_else(PoisonError::into_inner);
    let place = given.iter().position(|known| known.expose() == text).unwrap_or_else(|| {
        given.push(ServerKey::new(text));
        given.len() - 1
    });
    format!("${}", place + 1)
}

/// Returns the key of a reference that [`keep_given`] made; `None` for other names.
pub fn given(name: &str) -> Option<ServerKey> {
    let place: usize = name.parse().ok()?;
    GIVEN.lock().unwrap_or_else(PoisonError::into_inner).get(place.checked_sub(1)?).cloned()
}

/// Splits a text at its references: each part with the name of the reference that follows it, if one does.
pub fn references(text: &str) -> impl Iterator<Item = (&str, Option<&str>)> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest.take()?;
        let is_name = |sign: char| sign.is_ascii_alphanumeric() || sign == '_';
        for (at, _) in text.match_indices('$') {
            let (before, after) = (text.get(..at)?, text.get(at + 1..)?);
            let end = after.find(|sign| !is_name(sign)).unwrap_or(after.len());
            if end > 0 {
                rest = after.get(end..);
                return Some((before, after.get(..end)));
            }
        }
        Some((text, None))
    })
}

/// Returns the address of a path that starts with `/`, on a server whose own address may end with a query or with
/// headers after a `#`: these stay at the end.
pub fn join_url(base: &str, path_and_query: &str) -> String {
    let (head, headers) = base.split_once('#').map_or((base, None), |(head, headers)| (head, Some(headers)));
    let (head, query) = head.split_once('?').map_or((head, None), |(head, query)| (head, Some(query)));
    let mut url = format!("{}{path_and_query}", head.trim_end_matches('/'));
    if let Some(query) = query {
        url.push(if path_and_query.contains('?') { '&' } else { '?' });
        url.push_str(query);
    }
    if let Some(headers) = headers {
        url.push('#');
        url.push_str(headers);
    }
    url
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_stands_before_what_an_address_ends_with() {
        for (base, path, url) in [
            ("http://h", "/status", "http://h/status"),
            ("http://h/$K/rpc", "/block?height=5", "http://h/$K/rpc/block?height=5"),
            ("http://h/a?k=$K", "/status", "http://h/a/status?k=$K"),
            ("http://h/?k=$K#x-key=$L", "/block?height=5", "http://h/block?height=5&k=$K#x-key=$L"),
        ] {
            assert_eq!(join_url(base, path), url);
        }
    }

    #[test]
    fn references_are_names_after_a_sign() {
        let found: Vec<_> = references("a/$KEY/b?c=$K2&d=$").collect();
        assert_eq!(found, [("a/", Some("KEY")), ("/b?c=", Some("K2")), ("&d=$", None)]);
    }

    #[test]
    fn a_key_that_is_given_as_text_is_kept_once_and_hidden() {
        let reference = keep_given("k3y-of-a-test");
        assert_eq!(keep_given("k3y-of-a-test"), reference);
        let secret = given(reference.trim_start_matches('$')).unwrap();
        assert_eq!((secret.expose(), format!("{secret:?}").as_str()), ("k3y-of-a-test", "ServerKey(…)"));
        assert_eq!(given("NAME"), None);
    }
}
