//! TLS to PostgreSQL, with the modes of libpq.

use std::{
    env,
    path::{Path, PathBuf},
    sync::Arc,
};

use rustls::{
    CertificateError, ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme,
    client::{
        WebPkiServerVerifier,
        danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier},
        verify_server_name,
    },
    crypto::{CryptoProvider, WebPkiSupportedAlgorithms, ring, verify_tls12_signature, verify_tls13_signature},
    pki_types::{CertificateDer, ServerName, UnixTime, pem::PemObject as _},
    server::ParsedCertificate,
};
use rustls_platform_verifier::Verifier;
use tokio_postgres_rustls::MakeRustlsConnect;

use super::error::PostgresError;

/// Modes of libpq; the order is that of their strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, strum::EnumString)]
#[strum(serialize_all = "kebab-case")]
pub(super) enum TlsMode {
    Disable,
    Prefer,
    Require,
    /// The server's certificate is of a trusted authority.
    VerifyCa,
    /// The certificate also names the server's host.
    VerifyFull,
}

/// Certificates that a server's certificate must descend from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum RootCertificates {
    File(PathBuf),
    System,
}

/// Returns the connector of a mode. As with libpq, named root certificates make `require` verify the authority.
pub(super) fn connector(mode: TlsMode, roots: Option<&RootCertificates>) -> Result<MakeRustlsConnect, PostgresError> {
    let provider = Arc::new(ring::default_provider());
    let own_roots = || env::home_dir().unwrap_or_default().join(".postgresql/root.crt");
    let listed = match (mode, roots) {
        (TlsMode::Disable | TlsMode::Prefer, _)
        | (TlsMode::Require, None | Some(RootCertificates::System))
        | (TlsMode::VerifyFull, Some(RootCertificates::System)) => None,
        (_, Some(RootCertificates::File(file))) => Some(ListedRoots::new(mode, file, &provider)?),
        (TlsMode::VerifyCa | TlsMode::VerifyFull, _) => Some(ListedRoots::new(mode, &own_roots(), &provider)?),
    };
    let verifier: Arc<dyn ServerCertVerifier> = match (mode, roots) {
        (TlsMode::VerifyFull, Some(RootCertificates::System)) => Arc::new(Verifier::new(Arc::clone(&provider))?),
        _ => Arc::new(ServerVerifier { algorithms: provider.signature_verification_algorithms, roots: listed }),
    };
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .dangerous()
        .with_custom_certificate_verifier(verifier)
        .with_no_client_auth();
    Ok(MakeRustlsConnect::new(config))
}

/// Verifies servers by the certificates of a file, or encrypts to whoever answers, as `prefer` and `require` mean it.
#[derive(Debug)]
struct ServerVerifier {
    algorithms: WebPkiSupportedAlgorithms,
    roots: Option<ListedRoots>,
}

/// Verifies that a certificate descends from those in a file, and names the host where the mode asks for it.
#[derive(Debug)]
struct ListedRoots {
    roots: Vec<CertificateDer<'static>>,
    chains: Arc<WebPkiServerVerifier>,
    has_to_name_host: bool,
}

impl ListedRoots {
    fn new(mode: TlsMode, file: &Path, provider: &Arc<CryptoProvider>) -> Result<Self, PostgresError> {
        let read = CertificateDer::pem_file_iter(file).and_then(Iterator::collect::<Result<Vec<_>, _>>);
        let invalid = |error: String| PostgresError::File(file.to_owned(), std::io::Error::other(error));
        let roots = read.map_err(|error| invalid(error.to_string()))?;
        let mut store = RootCertStore::empty();
        store.add_parsable_certificates(roots.iter().cloned());
        let builder = WebPkiServerVerifier::builder_with_provider(Arc::new(store), Arc::clone(provider));
        let chains = builder.build().map_err(|error| invalid(error.to_string()))?;
        Ok(Self { roots, chains, has_to_name_host: mode == TlsMode::VerifyFull })
    }
}

impl ServerCertVerifier for ServerVerifier {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        use CertificateError::{NotValidForName, NotValidForNameContext, Other};
        let Some(ListedRoots { roots, chains, has_to_name_host }) = &self.roots else {
            return Ok(ServerCertVerified::assertion());
        };
        match chains.verify_server_cert(end_entity, intermediates, server_name, ocsp_response, now) {
            // The name is verified last.
            Err(rustls::Error::InvalidCertificate(NotValidForName | NotValidForNameContext { .. }))
                if !has_to_name_host =>
            {
                Ok(ServerCertVerified::assertion())
            }
            // A self-signed certificate is no end of a chain for webpki, which tells so after it verified the dates.
            Err(rustls::Error::InvalidCertificate(Other(_))) if roots.contains(end_entity) => {
                if *has_to_name_host {
                    verify_server_name(&ParsedCertificate::try_from(end_entity)?, server_name)?;
                }
                Ok(ServerCertVerified::assertion())
            }
            verified => verified,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls12_signature(message, cert, dss, &self.algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls13_signature(message, cert, dss, &self.algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.algorithms.supported_schemes()
    }
}
