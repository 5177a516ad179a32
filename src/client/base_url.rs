use std::{fs, net::IpAddr, sync::Arc};

use reqwest::Url;

use crate::domain::{
    secret::{ServerKey, given, join_url, references},
    text::clip,
};

/// Maximum bytes of a file that holds a key.
const LONGEST_KEY: u64 = 64 * 1024;

/// Base URL of a server, such as `https://indexer.example/rollup`. Keys of the server stand in it as references:
/// `$NAME` is the environment variable `NAME`, or the file that the variable `NAME_FILE` names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BaseUrl {
    text: Arc<str>,
    loopback: bool,
    encrypted: bool,
    /// Keys by the names of their references.
    secrets: Arc<Vec<(String, ServerKey)>>,
}

/// Invalid server address.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BaseUrlError {
    #[error("“{0}” is not a URL: write it like https://indexer.example")]
    Form(String),
    #[error("“{0}” is not an HTTP URL: start it with http:// or https://")]
    Scheme(String),
    /// The URL contains a password, which rollscope would show and log.
    #[error("the URL of {0} contains a password: write $NAME for it, and put it into the environment variable NAME")]
    Credentials(String),
    /// A reference without a key.
    #[error("the URL names ${name}: {reason}")]
    Key { name: String, reason: String },
    #[error("the header {0} of the URL is invalid: write #name=$KEY after the URL")]
    Header(String),
    /// The URL of a server that others name has a query or fragment, or would name a key of this machine.
    #[error("“{0}” contains ?, # or $: remove it and the text after it")]
    Foreign(String),
}

/// Request URL and headers with the keys themselves.
pub(super) struct ExposedRequest {
    pub(super) url: String,
    pub(super) headers: Vec<(String, String)>,
    /// User and password for basic authentication.
    pub(super) user: Option<(String, String)>,
}

impl BaseUrl {
    /// Parses an absolute `http` or `https` URL of a server, whoever names the server; a trailing slash is ignored. It
    /// refers to no key: a router or a link must not read the environment.
    pub fn parse(text: &str) -> Result<Self, BaseUrlError> {
        if text.contains(['?', '#', '$']) {
            return Err(BaseUrlError::Foreign(clip(text, 80)));
        }
        Self::with_keys(text)
    }

    /// Parses a URL that the user gave, with references to keys in its path, in the values of its query, in headers
    /// after `#`, or as user and password.
    pub fn with_keys(text: &str) -> Result<Self, BaseUrlError> {
        let shown = || clip(text, 80);
        let url = Url::parse(text.trim()).map_err(|_| BaseUrlError::Form(shown()))?;
        let encrypted = match url.scheme() {
            "http" => false,
            "https" => true,
            _ => return Err(BaseUrlError::Scheme(shown())),
        };
        let host = url.host_str().ok_or_else(|| BaseUrlError::Form(shown()))?;
        let is_reference = |value: &str| value.strip_prefix('$').is_some_and(|name| !name.is_empty());
        let has_user = !url.username().is_empty() || url.password().is_some();
        if has_user && url.password().is_none_or(|password| !is_reference(password)) {
            return Err(BaseUrlError::Credentials(clip(host, 80)));
        }
        for pair in url.fragment().into_iter().flat_map(|headers| headers.split('&')) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
            if !is_name || !is_reference(value) {
                return Err(BaseUrlError::Header(clip(name, 40)));
            }
        }
        let names = references(url.as_str()).filter_map(|(_, name)| name);
        let secrets = names.map(|name| Ok((name.to_owned(), key(name)?))).collect::<Result<_, BaseUrlError>>()?;
        let text = join_url(url.as_str(), "").into();
        Ok(Self { loopback: is_loopback(host), encrypted, text, secrets: Arc::new(secrets) })
    }

    /// Returns the URL with its references, without a trailing slash.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the host without the port.
    pub(super) fn host(&self) -> String {
        Url::parse(&self.text).ok().and_then(|url| url.host_str().map(str::to_owned)).unwrap_or_default()
    }

    /// Whether the server runs on this machine; requests to it bypass the proxy.
    pub fn is_loopback(&self) -> bool {
        self.loopback
    }

    pub fn is_encrypted(&self) -> bool {
        self.encrypted
    }

    /// Returns the URL of a path that starts with `/`, with its references.
    pub fn join(&self, path_and_query: &str) -> String {
        join_url(&self.text, path_and_query)
    }

    pub(super) fn has_secrets(&self) -> bool {
        !self.secrets.is_empty()
    }

    /// Returns a URL of this server with the keys instead of their references; `None` without keys.
    pub(super) fn expose(&self, url: &str) -> Option<ExposedRequest> {
        if self.secrets.is_empty() {
            return None;
        }
        let mut url = Url::parse(url).ok()?;
        let user = (!url.username().is_empty()).then(|| {
            let password = url.password().unwrap_or_default();
            (self.filled(url.username(), str::to_owned), self.filled(password, str::to_owned))
        });
        let headers = url.fragment().into_iter().flat_map(|headers| headers.split('&'));
        let header = |(name, value): (&str, &str)| (name.to_owned(), self.filled(value, str::to_owned));
        let headers = headers.filter_map(|pair| pair.split_once('=')).map(header).collect();
        let path = self.filled(url.path(), escape);
        let query = url.query().map(|query| self.filled(query, escape));
        url.set_fragment(None);
        url.set_path(&path);
        url.set_query(query.as_deref());
        let _ = url.set_username("");
        let _ = url.set_password(None);
        Some(ExposedRequest { url: url.into(), headers, user })
    }

    /// Replaces the references of a text by their keys.
    fn filled(&self, text: &str, write: impl Fn(&str) -> String) -> String {
        let mut filled = String::with_capacity(text.len());
        for (before, name) in references(text) {
            filled.push_str(before);
            match name.map(|name| (name, self.secrets.iter().find(|(known, _)| known == name))) {
                Some((_, Some((_, secret)))) => filled.push_str(&write(secret.expose())),
                Some((name, None)) => filled.extend(["$", name]),
                None => {}
            }
        }
        filled
    }

    /// Replaces keys that a server repeats in its answer by their references.
    pub(super) fn hide(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for (name, secret) in self.secrets.iter().filter(|(_, secret)| !secret.expose().is_empty()) {
            for spelling in [secret.expose().to_owned(), escape(secret.expose())] {
                text = text.replace(&spelling, &format!("${name}"));
            }
        }
        text
    }
}

/// Returns the key of a reference.
fn key(name: &str) -> Result<ServerKey, BaseUrlError> {
    let refused = |reason: String| BaseUrlError::Key { name: name.to_owned(), reason };
    if let Some(secret) = given(name) {
        return Ok(secret);
    }
    if let Ok(value) = std::env::var(name) {
        return Ok(ServerKey::new(value));
    }
    let file = std::env::var_os(format!("{name}_FILE"));
    let file = file.ok_or_else(|| refused(format!("set the environment variable {name}, or {name}_FILE to a file")))?;
    let path = std::path::Path::new(&file);
    let is_large = fs::metadata(path).is_ok_and(|file| file.len() > LONGEST_KEY);
    let text = if is_large {
        Err("it is too large".to_owned())
    } else {
        fs::read_to_string(path).map_err(|error| error.to_string())
    };
    let text = text.map_err(|error| refused(format!("cannot read the file of {name}_FILE: {error}")))?;
    Ok(ServerKey::new(text.trim()))
}

/// Percent-encodes all but the letters, digits and signs that a URL may have anywhere.
fn escape(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~');
    text.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

/// Whether a URL's host is this machine.
pub(super) fn is_loopback(host: &str) -> bool {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost" || bare.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}
