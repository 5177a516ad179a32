//! The program's own files: what is kept of a person's addresses, searches and transfers is readable by nobody else.
//!
//! A folder that is made here has mode 0700, a file 0600; a file that was left open to others is closed to them when it
//! is used again. The folders of files that a person named themselves stay as they are.

use std::{
    fs::{self, DirBuilder, File, OpenOptions, Permissions},
    io::{self, Write as _},
    os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _, PermissionsExt as _},
    path::Path,
};

/// What others may do with a file or folder.
const OF_OTHERS: u32 = 0o077;

/// Makes the folder that a file lies in, and those above it, where they are missing.
pub fn make_folder_of(file: &Path) -> io::Result<()> {
    match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => DirBuilder::new().recursive(true).mode(0o700).create(folder),
        _ => Ok(()),
    }
}

/// The same for a file in a folder of the program's own: that one is closed to others if it was open to them.
pub fn make_own_folder_of(file: &Path) -> io::Result<()> {
    make_folder_of(file)?;
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).map_or(Ok(()), close)
}

/// Opens a file with these options, which say whether it is made where it is missing.
pub fn open(file: &Path, options: &mut OpenOptions) -> io::Result<File> {
    let opened = options.mode(0o600).open(file)?;
    close(file)?;
    Ok(opened)
}

/// Writes a whole file, over one of the same name.
pub fn write(file: &Path, contents: &[u8]) -> io::Result<()> {
    open(file, OpenOptions::new().create(true).truncate(true).write(true))?.write_all(contents)
}

/// Makes an empty file where nothing is, for whoever opens it otherwise; what is there is closed to others.
pub fn make(file: &Path) -> io::Result<()> {
    match OpenOptions::new().create_new(true).write(true).mode(0o600).open(file) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => close(file),
        made => made.map(drop),
    }
}

/// Takes away what others may do with a file, if it is there. Whose file it is not cannot do that: then it stays as its owner left it.
pub fn close(path: &Path) -> io::Result<()> {
    let mode = match fs::metadata(path) {
        Ok(found) if found.is_file() || found.is_dir() => found.permissions().mode(),
        // A device or a pipe is nobody's secret; what is not there has no mode.
        Ok(_) => return Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    if mode & OF_OTHERS == 0 {
        return Ok(());
    }
    match fs::set_permissions(path, Permissions::from_mode(mode & 0o7777 & !OF_OTHERS)) {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Ok(()),
        done => done,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn what_is_made_is_closed_to_others_and_what_was_open_becomes_so() {
        let outer = tempfile::tempdir().unwrap();
        let file = outer.path().join("state/rollscope/a.log");
        make_own_folder_of(&file).unwrap();
        write(&file, b"one").unwrap();
        assert_eq!(
            (mode(file.parent().unwrap()), mode(&outer.path().join("state")), mode(&file)),
            (0o700, 0o700, 0o600)
        );
        fs::set_permissions(&file, Permissions::from_mode(0o644)).unwrap();
        fs::set_permissions(file.parent().unwrap(), Permissions::from_mode(0o755)).unwrap();
        open(&file, OpenOptions::new().append(true)).unwrap().write_all(b" two").unwrap();
        assert_eq!((mode(&file), fs::read_to_string(&file).unwrap()), (0o600, "one two".to_owned()));
        make_folder_of(&file).unwrap();
        assert_eq!(mode(file.parent().unwrap()), 0o755, "a folder that a person named stays as it is");
        make_own_folder_of(&file).unwrap();
        make(&file.with_extension("new")).unwrap();
        assert_eq!((mode(file.parent().unwrap()), mode(&file.with_extension("new"))), (0o700, 0o600));
        assert_eq!(fs::read_to_string(&file).unwrap(), "one two", "nothing is lost");
    }
}
