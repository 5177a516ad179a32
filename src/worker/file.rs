//! Reader of files that the user names, such as a signed hook.

use std::{fs::File, io::Read as _, path::Path, sync::Arc};

use crate::{
    files,
    wire::{ApiError, ErrorKind},
};

/// Maximum bytes of a file.
const LARGEST: u64 = 1 << 20;

pub(super) async fn read(path: &Arc<str>) -> Result<Arc<str>, ApiError> {
    let name = Arc::clone(path);
    let read = tokio::task::spawn_blocking(move || read_now(&name)).await;
    let text = read.unwrap_or_else(|error| Err(error.to_string()));
    text.map(Arc::from).map_err(|why| {
        let kind = ErrorKind::Unreadable(format!("cannot read the file {path}: {why}"));
        ApiError { kind, url: Arc::clone(path), body: None }
    })
}

fn read_now(name: &str) -> Result<String, String> {
    let path = files::path_of(Path::new(""), name);
    // Check the path first: opening a pipe would wait for a writer.
    if !path.metadata().map_err(|error| error.to_string())?.is_file() {
        return Err("not a regular file".to_owned());
    }
    let mut text = String::new();
    let file = File::open(path).map_err(|error| error.to_string())?;
    file.take(LARGEST + 1).read_to_string(&mut text).map_err(|error| error.to_string())?;
    if text.len() as u64 > LARGEST {
        return Err(format!("larger than {} MiB", LARGEST >> 20));
    }
    Ok(text)
}
