//! Decoding of response bodies into wire types; errors name the JSON path.

use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde_json::error::Category;

use super::{
    failure::reject_other_media,
    rows::{ListItem, RowForm},
    torn_page::torn_page,
    transport::ReceivedBody,
};
use crate::{
    msg::{ListedRow, UnreadableRow},
    wire::{ApiError, ErrorKind, Exchange, Pagination, RawJson, Verbatim},
};

/// Size in bytes above which another thread decodes the body: decoding takes milliseconds and would block the runtime.
const LARGE: usize = 1 << 20;

/// Decodes a response as `T`.
pub(super) async fn decode<T: DeserializeOwned + Send + 'static>(received: ReceivedBody) -> Result<T, ApiError> {
    with_room(received, decode_now).await
}

/// Decodes the rows of a page and its cursors. An invalid row stays in its place as unreadable. The response is invalid
/// if no row is readable, unless the page continues a list that had readable rows.
pub(super) async fn decode_rows<T: ListItem, R: RowForm<T>>(
    received: ReceivedBody,
    continues: bool,
) -> Result<(Vec<ListedRow<R>>, Pagination), ApiError> {
    with_room(received, move |received| rows_now::<T, R>(received, continues)).await
}

/// Runs a decoder on this thread, or for a large body on a blocking thread.
async fn with_room<T: Send + 'static>(
    received: ReceivedBody,
    read: impl FnOnce(&ReceivedBody) -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    if received.body.len() < LARGE {
        return read(&received);
    }
    match tokio::task::spawn_blocking(move || read(&received)).await {
        Ok(result) => result,
        Err(error) => match error.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            // The runtime is shutting down: no caller needs the result.
            Err(_) => std::future::pending().await,
        },
    }
}

fn rows_now<T: ListItem, R: RowForm<T>>(
    received: &ReceivedBody,
    continues: bool,
) -> Result<(Vec<ListedRow<R>>, Pagination), ApiError> {
    let failure = match decode_now::<T::Response<R>>(received) {
        Ok(answer) => {
            let (rows, pagination) = T::rows(answer);
            return Ok((rows.into_iter().map(ListedRow::Read).collect(), pagination));
        }
        Err(failure) => failure,
    };
    // Decode again, row by row.
    let Some((rows, pagination)) = raw_rows::<T, R>(&received.body, &failure) else { return Err(failure) };
    let has_read = rows.iter().any(|row| row.read().is_some());
    if has_read || continues { Ok((rows, pagination)) } else { Err(failure) }
}

/// Decodes the rows of a response that is invalid as a whole, even as JSON.
fn raw_rows<T: ListItem, R: RowForm<T>>(body: &[u8], failure: &ApiError) -> Option<(Vec<ListedRow<R>>, Pagination)> {
    if let Ok(answer) = serde_json::from_slice::<T::RawResponse>(body) {
        let (rows, pagination) = T::raw_rows(answer);
        let rows = rows.iter().enumerate().map(|(place, raw)| listed_row::<T, R>(failure, place, raw.get()));
        return Some((rows.collect(), pagination));
    }
    let (rows, pagination) = torn_page(body, T::FIELD)?;
    let row = |(place, raw): (usize, &[u8])| match std::str::from_utf8(raw) {
        Ok(raw) => listed_row::<T, R>(failure, place, raw),
        Err(invalid) => {
            let (path, detail) = (format!("{}[{place}]", T::FIELD), invalid.to_string());
            let error = ApiError { kind: ErrorKind::BadShape { path, detail }, ..failure.clone() };
            let raw = String::from_utf8_lossy(raw).into();
            ListedRow::Unreadable(Arc::new(UnreadableRow { place, error, raw }))
        }
    };
    Some((rows.into_iter().enumerate().map(row).collect(), serde_json::from_slice(pagination).ok()?))
}

/// Decodes one row of a page that failed to decode as a whole.
fn listed_row<T: ListItem, R: RowForm<T>>(whole: &ApiError, place: usize, raw: &str) -> ListedRow<R> {
    match serde_json::from_str::<R>(raw) {
        Ok(row) => ListedRow::Read(row),
        Err(plain) => {
            let (path, detail) = shape::<T>(raw.as_bytes(), &plain);
            let path = format!("{}[{place}].{path}", T::FIELD);
            let error = ApiError { kind: ErrorKind::BadShape { path, detail }, ..whole.clone() };
            ListedRow::Unreadable(Arc::new(UnreadableRow { place, error, raw: raw.into() }))
        }
    }
}

/// Decodes a response as `T` and keeps its JSON.
pub(super) fn decode_verbatim<T: DeserializeOwned>(received: &ReceivedBody) -> Result<Verbatim<T>, ApiError> {
    // Decode the value first: its error is more precise.
    let value = decode_now(received)?;
    let raw = serde_json::from_slice(&received.body);
    let raw = raw.map_err(|plain| error(received, explain::<RawJson>(&received.body, &plain)))?;
    Ok(Verbatim { value, raw })
}

/// Returns the body if media type and first byte indicate JSON.
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

/// Decodes a second time, slowly, to find the JSON path of the error.
fn explain<T: DeserializeOwned>(body: &[u8], plain: &serde_json::Error) -> ErrorKind {
    let (path, detail) = shape::<T>(body, plain);
    ErrorKind::BadShape { path, detail }
}

/// Returns the JSON path of the error and the expected type.
fn shape<T: DeserializeOwned>(body: &[u8], plain: &serde_json::Error) -> (String, String) {
    let place = || format!("line {} column {}", plain.line(), plain.column());
    let path = match plain.classify() {
        Category::Data => {
            let deserializer = &mut serde_json::Deserializer::from_slice(body);
            let traced: Result<T, _> = serde_path_to_error::deserialize(deserializer);
            traced.err().map(|error| error.path().to_string()).filter(|path| path != ".").unwrap_or_else(place)
        }
        Category::Eof | Category::Syntax | Category::Io => place(),
    };
    (path, plain.to_string())
}

pub(super) fn error(received: &ReceivedBody, kind: ErrorKind) -> ApiError {
    let start = received.body.get(..Exchange::BODY_CAP).unwrap_or(&received.body);
    let body = (!start.is_empty()).then(|| String::from_utf8_lossy(start).into());
    ApiError { kind, url: received.url.clone(), body }
}
