//! Bytes into wire types, with the JSON path of what does not fit.

use serde::de::DeserializeOwned;
use serde_json::error::Category;

use super::{failure::reject_other_media, transport::ReceivedBody};
use crate::wire::{ApiError, ErrorKind, Exchange, RawJson, Verbatim};

/// Bodies over this size are decoded off the runtime's threads: they take milliseconds.
const LARGE: usize = 1 << 20;

/// Reads an answer as `T`.
pub(super) async fn decode<T: DeserializeOwned + Send + 'static>(received: ReceivedBody) -> Result<T, ApiError> {
    if received.body.len() < LARGE {
        return decode_now(&received);
    }
    match tokio::task::spawn_blocking(move || decode_now(&received)).await {
        Ok(result) => result,
        Err(error) => match error.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            // The runtime is going down: nobody will ask for the rest.
            Err(_) => std::future::pending().await,
        },
    }
}

/// Reads an answer as `T`, and keeps its JSON.
pub(super) fn decode_verbatim<T: DeserializeOwned>(received: &ReceivedBody) -> Result<Verbatim<T>, ApiError> {
    // The value first: it knows better where the form is another one.
    let value = decode_now(received)?;
    let raw = serde_json::from_slice(&received.body);
    let raw = raw.map_err(|plain| error(received, explain::<RawJson>(&received.body, &plain)))?;
    Ok(Verbatim { value, raw })
}

/// The body of an answer that is JSON by its media type and first byte.
pub(super) fn body_of(received: ReceivedBody) -> Result<Vec<u8>, ApiError> {
    check_media(&received)?;
    Ok(received.body)
}

fn check_media(received: &ReceivedBody) -> Result<(), ApiError> {
    match reject_other_media(&received.content_type, &received.body) {
        None => Ok(()),
        Some(kind) => Err(error(received, kind)),
    }
}

fn decode_now<T: DeserializeOwned>(received: &ReceivedBody) -> Result<T, ApiError> {
    check_media(received)?;
    serde_json::from_slice(&received.body).map_err(|plain| error(received, explain::<T>(&received.body, &plain)))
}

/// Reads a second time, slowly, to learn where the form is another one.
fn explain<T: DeserializeOwned>(body: &[u8], plain: &serde_json::Error) -> ErrorKind {
    let place = || format!("line {} column {}", plain.line(), plain.column());
    let path = match plain.classify() {
        Category::Data => {
            let deserializer = &mut serde_json::Deserializer::from_slice(body);
            let traced: Result<T, _> = serde_path_to_error::deserialize(deserializer);
            traced.err().map(|error| error.path().to_string()).filter(|path| path != ".").unwrap_or_else(place)
        }
        Category::Eof | Category::Syntax | Category::Io => place(),
    };
    ErrorKind::BadShape { path, detail: plain.to_string() }
}

fn error(received: &ReceivedBody, kind: ErrorKind) -> ApiError {
    let start = &received.body[..received.body.len().min(Exchange::BODY_CAP)];
    let body = (!start.is_empty()).then(|| String::from_utf8_lossy(start).into());
    ApiError { kind, url: received.url.clone(), body }
}
