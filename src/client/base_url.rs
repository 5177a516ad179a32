use std::{net::IpAddr, sync::Arc};

use reqwest::Url;

use crate::domain::text::clip;

/// The address under which a server's paths begin, such as `https://indexer.example/rollup`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BaseUrl {
    text: Arc<str>,
    loopback: bool,
    encrypted: bool,
}

/// Why a text is not a server's address.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BaseUrlError {
    /// Not an absolute web address.
    #[error("“{0}” is not a server's address: one such as https://indexer.example is needed")]
    Form(String),
    /// Another scheme.
    #[error("“{0}” does not start with http:// or https://")]
    Scheme(String),
    /// A user name or password in the address: it would be shown and logged.
    #[error("the address of {0} holds a user name or password: these APIs know no credentials")]
    Credentials(String),
    /// A query or fragment, below which no path can begin.
    #[error("“{0}” holds a ? or #: only the start of the address is needed")]
    Query(String),
}

impl BaseUrl {
    /// Reads an absolute `http` or `https` address; a trailing slash does not matter.
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

    /// The address without a trailing slash.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether the server is this machine: then no proxy may come between.
    pub fn is_loopback(&self) -> bool {
        self.loopback
    }

    /// Whether it is `https`.
    pub fn is_encrypted(&self) -> bool {
        self.encrypted
    }

    /// The address of a path that begins with `/`.
    pub fn join(&self, path_and_query: &str) -> String {
        format!("{}{path_and_query}", self.text)
    }
}

/// Whether a host, as an address writes it, is this machine.
pub(super) fn is_loopback(host: &str) -> bool {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost" || bare.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}
