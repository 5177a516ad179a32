//! Choice of the TLS crypto provider: ring, which compiles fastest.

use std::sync::Once;

static PROVIDER: Once = Once::new();

/// Creates a builder of HTTP clients. All clients use it, also in tests: without a provider, building a client panics.
pub fn http_client() -> reqwest::ClientBuilder {
    PROVIDER.call_once(|| {
        // Fails only if a provider is already installed, which is no problem.
        let _ = rustls::crypto::ring::default_provider().install_default();
    });
    reqwest::Client::builder()
}
