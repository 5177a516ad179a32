//! Readers and writers of files, which earlier commands or other programs wrote.

use std::{
    fs::{File, OpenOptions},
    io::{self, Read, Write as _},
    os::unix::fs::OpenOptionsExt as _,
    path::Path,
};

use serde::de::DeserializeOwned;

use super::super::CommandError;
use crate::{
    config::display_path,
    wire::{RawJson, Verbatim, router::SignedOpHook},
};

/// Maximum bytes of a file: responses of routing APIs are far smaller.
const LARGEST: u64 = 16 << 20;

/// Reads a text file; `-` is standard input.
pub(super) fn text(path: &Path) -> Result<String, CommandError> {
    let is_input = path == Path::new("-");
    let name = if is_input { "standard input".to_owned() } else { display_path(path) };
    let fail = |why: String| CommandError::Usage(format!("cannot read {name}: {why}"));
    let mut text = String::new();
    let mut read = |from: &mut dyn Read| from.take(LARGEST + 1).read_to_string(&mut text);
    let bytes =
        if is_input { read(&mut io::stdin().lock()) } else { File::open(path).and_then(|mut file| read(&mut file)) };
    match bytes {
        Ok(bytes) if bytes as u64 > LARGEST => Err(fail(format!("larger than {} MiB", LARGEST >> 20))),
        Ok(_) => Ok(text),
        Err(error) => Err(fail(error.to_string())),
    }
}

/// Writes a new file; fails if the file exists.
pub(super) fn create(path: &Path, text: &str) -> Result<(), CommandError> {
    let name = display_path(path);
    let mut file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(path)
        .map_err(|error| CommandError::Failed(format!("cannot create {name}: {error}")))?;
    file.write_all(text.as_bytes()).map_err(|error| CommandError::Failed(format!("cannot write {name}: {error}")))
}

/// Reads a response that a command wrote, with its JSON.
pub(super) fn answer<T: DeserializeOwned>(path: &Path, command: &str) -> Result<Verbatim<T>, CommandError> {
    let text = text(path)?;
    serde_json::from_str(&text).map_err(|error| {
        let name = display_path(path);
        CommandError::Usage(format!("{name} is not output of rollscope {command}: {error}"))
    })
}

/// Reads JSON verbatim.
pub(super) fn json(path: &Path, command: &str) -> Result<RawJson, CommandError> {
    answer::<serde::de::IgnoredAny>(path, command).map(|answer| answer.raw)
}

/// Reads a signed hook: a JSON object, its JSON string, or base64 text.
pub(super) fn signed_hook(path: &Path) -> Result<SignedOpHook, CommandError> {
    let text = text(path)?;
    let text = text.trim();
    if let Ok(hook) = serde_json::from_str(text) {
        return Ok(hook);
    }
    let is_base64 = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_' | b'=');
    if !text.is_empty() && text.bytes().all(is_base64) {
        return Ok(SignedOpHook::Text(text.to_owned()));
    }
    let name = display_path(path);
    Err(CommandError::Usage(format!("{name} has no signed hook: write an object with signer and hook, or base64")))
}
