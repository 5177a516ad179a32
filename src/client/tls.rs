//! The one place that chooses who does the cryptography of TLS: ring, which takes a fraction of the time to build.

use std::sync::Once;

static PROVIDER: Once = Once::new();

/// A builder of HTTP clients. Every client is built from it, those of tests too: without a provider a build panics.
pub fn http_client() -> reqwest::ClientBuilder {
    PROVIDER.call_once(|| {
        // Fails only where a provider is installed already, which serves as well.
        let _ = rustls::crypto::ring::default_provider().install_default();
    });
    reqwest::Client::builder()
}
