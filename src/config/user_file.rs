use std::{
    fs::{self, File},
    io::{self, Read as _},
    path::Path,
};

/// Maximum bytes of a file with settings, keys, a theme or an ABI.
pub const LARGEST_FILE: u64 = 4 << 20;

/// Failure of reading a file of which everything must be usable.
#[derive(Debug, thiserror::Error)]
pub enum UserFileError {
    #[error("cannot read {file}: {error}")]
    File { file: String, error: io::Error },
    /// Everything that is wrong with the contents, one sentence each.
    #[error("{}", .0.join("; "))]
    Contents(Vec<String>),
}

/// Reads a text file that the user wrote. Refuses files above [`LARGEST_FILE`], and pipes and devices, which may never
/// start or never end.
pub fn read_user_file(path: &Path) -> io::Result<String> {
    // Check the path first: opening a pipe would wait for a writer.
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("not a regular file"));
    }
    let mut text = String::new();
    File::open(path)?.take(LARGEST_FILE + 1).read_to_string(&mut text)?;
    if text.len() as u64 > LARGEST_FILE {
        return Err(io::Error::other(format!("larger than {} MiB", LARGEST_FILE >> 20)));
    }
    Ok(text)
}
