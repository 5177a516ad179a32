use std::{net::IpAddr, sync::Arc};

use reqwest::Url;

use crate::domain::text::clip;

/// Base URL of a server, such as `https://indexer.example/rollup`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BaseUrl {
    text: Arc<str>,
    loopback: bool,
    encrypted: bool,
}

/// Invalid server address.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BaseUrlError {
    #[error("“{0}” is not a URL: write it like https://indexer.example")]
    Form(String),
    #[error("“{0}” is not an HTTP URL: start it with http:// or https://")]
    Scheme(String),
    /// The URL contains a user name or password, which rollscope would show and log.
    #[error("the URL of {0} contains a user name or password: remove it")]
    Credentials(String),
    /// The URL contains a query or fragment; a path cannot follow these.
    #[error("“{0}” contains ? or #: remove it and the text after it")]
    Query(String),
}

impl BaseUrl {
    /// Parses an absolute `http` or `https` URL; a trailing slash is ignored.
    pub fn parse(text: &str) -> Result<Self, BaseUrlError> {
        let shown = || clip(text, 80);
        let url = Url::parse(text.trim()).map_err(|_| BaseUrlError::Form(shown()))?;
        let encrypted = match url.scheme() {
            "http" => false,
            "https" => true,
            _ => return Err(BaseUrlError::Scheme(shown())),
        };
        let host = url.host_str().ok_or_else(|| BaseUrlError::Form(shown()))?;
        if !url.username().is_empty() || url.password().is_some() {
            return Err(BaseUrlError::Credentials(clip(host, 80)));
        }
        if url.query().is_some() || url.fragment().is_some() {
            return Err(BaseUrlError::Query(shown()));
        }
        Ok(Self { loopback: is_loopback(host), encrypted, text: url.as_str().trim_end_matches('/').into() })
    }

    /// Returns the URL without a trailing slash.
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

    /// Returns the URL of a path that starts with `/`.
    pub fn join(&self, path_and_query: &str) -> String {
        format!("{}{path_and_query}", self.text)
    }
}

/// Whether a URL's host is this machine.
pub(super) fn is_loopback(host: &str) -> bool {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost" || bare.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}
