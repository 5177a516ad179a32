//! Compression of answers, as a reader accepts it.

use std::io::Write as _;

use axum::{
    body::Bytes,
    http::{HeaderMap, header},
};
use flate2::{Compression, write::GzEncoder};

/// Level of zstd: more takes twice the time for a twentieth of the bytes.
const ZSTD_LEVEL: i32 = 3;

const GZIP_LEVEL: u32 = 4;

/// Form of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Coding {
    Plain,
    Gzip,
    Zstd,
}

impl Coding {
    /// Returns the form that the headers prefer; of equal ones zstd, which is smaller and faster.
    pub(super) fn accepted(headers: &HeaderMap) -> Self {
        let values = headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
        let (mut gzip, mut zstd) = (0, 0);
        for item in values.flat_map(|value| value.split(',')) {
            let (name, parameters) = item.split_once(';').unwrap_or((item, ""));
            match name.trim().to_ascii_lowercase().as_str() {
                "gzip" | "x-gzip" => gzip = weight(parameters),
                "zstd" => zstd = weight(parameters),
                _ => {}
            }
        }
        match (gzip, zstd) {
            (0, 0) => Self::Plain,
            (gzip, zstd) if zstd >= gzip => Self::Zstd,
            _ => Self::Gzip,
        }
    }

    /// Returns the name in `Content-Encoding`; `None` for the plain form.
    pub(super) fn name(self) -> Option<&'static str> {
        match self {
            Self::Plain => None,
            Self::Gzip => Some("gzip"),
            Self::Zstd => Some("zstd"),
        }
    }

    /// Compresses a body on a blocking thread; `None` if that fails.
    pub(super) async fn compress(self, body: Bytes) -> Option<Vec<u8>> {
        let work = move || match self {
            Self::Plain => Some(body.to_vec()),
            Self::Gzip => {
                let mut encoder = GzEncoder::new(Vec::new(), Compression::new(GZIP_LEVEL));
                encoder.write_all(&body).and_then(|()| encoder.finish()).ok()
            }
            Self::Zstd => zstd::bulk::compress(&body, ZSTD_LEVEL).ok(),
        };
        tokio::task::spawn_blocking(work).await.ok().flatten()
    }
}

/// Returns the weight of a coding in thousandths; 1000 without or with an invalid `q`.
fn weight(parameters: &str) -> u32 {
    let Some(q) = parameters.split(';').find_map(|parameter| parameter.trim().strip_prefix("q=")) else { return 1000 };
    let (whole, part) = q.trim().split_once('.').unwrap_or((q.trim(), ""));
    let thousandths = format!("{part:0<3}").get(..3).and_then(|digits| digits.parse::<u32>().ok());
    match whole.parse::<u32>() {
        Ok(whole) => whole.saturating_mul(1000).saturating_add(thousandths.unwrap_or(0)).min(1000),
        Err(_) => 1000,
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn the_preferred_form_is_taken_and_a_refused_one_never() {
        for (accepted, expected) in [
            ("", Coding::Plain),
            ("identity, br, *", Coding::Plain),
            ("gzip", Coding::Gzip),
            ("gzip, deflate, br, zstd", Coding::Zstd),
            ("GZip;q=1.0, zstd;q=0.5", Coding::Gzip),
            ("gzip;q=0, zstd; q=0.000", Coding::Plain),
            ("zstd;q=0.001", Coding::Zstd),
        ] {
            let headers = HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_static(accepted))]);
            assert_eq!(Coding::accepted(&headers), expected, "{accepted}");
        }
        assert_eq!(Coding::accepted(&HeaderMap::new()), Coding::Plain);
    }
}
