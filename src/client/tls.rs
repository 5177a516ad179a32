//! Choice of the TLS crypto provider: ring, which builds much faster.

use std::sync::Once;

static PROVIDER: Once = Once::new();

/// Creates a builder of HTTP clients. All clients use it, also in tests: without a provider a build panics.
pub fn http_client() -> reqwest::ClientBuilder {
    PROVIDER.call_once(|| {
        // Fails only if a provider is installed already, which is fine.
        let _ = rustls::crypto::ring::default_provider().install_default();
    });
    reqwest::Client::builder()
}
