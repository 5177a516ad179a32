use std::sync::Arc;

use reqwest::{Client, RequestBuilder, header::CONTENT_TYPE};

use crate::wire::Exchange;

/// What is asked for: an address, and JSON where it is a POST.
#[derive(Clone)]
pub(super) struct Call {
    pub(super) url: Arc<str>,
    sent: Option<Arc<str>>,
}

impl Call {
    /// A GET.
    pub(super) fn get(url: &Arc<str>) -> Self {
        Self { url: Arc::clone(url), sent: None }
    }

    /// A POST of this JSON.
    pub(super) fn post(url: Arc<str>, json: String) -> Self {
        Self { url, sent: Some(json.into()) }
    }

    /// Whether something is sent with it.
    pub(super) fn is_post(&self) -> bool {
        self.sent.is_some()
    }

    pub(super) fn method(&self) -> &'static str {
        if self.is_post() { "POST" } else { "GET" }
    }

    /// What is kept of the body that is sent.
    pub(super) fn kept(&self) -> Arc<str> {
        self.sent.clone().filter(|sent| sent.len() <= Exchange::SENT_CAP).unwrap_or_default()
    }

    /// The request as the HTTP client sends it.
    pub(super) fn request(&self, http: &Client) -> RequestBuilder {
        match &self.sent {
            None => http.get(self.url.as_ref()),
            Some(json) => {
                http.post(self.url.as_ref()).header(CONTENT_TYPE, "application/json").body(json.as_bytes().to_vec())
            }
        }
    }
}
