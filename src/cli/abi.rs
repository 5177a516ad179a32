//! Reader of the user's ABI files.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use crate::{
    config::{display_path, read_user_file},
    story::{AbiFile, AbiRegistry},
};

/// Maximum number of files.
const MOST_FILES: usize = 500;

/// Reads the embedded ABI, then the files of the user's folder by name; the user's entries override. An unusable file
/// becomes a warning.
pub(super) fn read_abi(folder: Option<&Path>, warnings: &mut Vec<String>) -> AbiRegistry {
    let mut book = AbiRegistry::default();
    let Some(folder) = folder else { return book };
    let files = match json_files(folder) {
        Ok(files) => files,
        Err(error) => {
            warnings.push(format!("cannot read the ABI folder {}: {error}", display_path(folder)));
            return book;
        }
    };
    if files.len() > MOST_FILES {
        let names = (display_path(folder), files.len());
        warnings.push(format!("abi: {} holds {} files; rollscope reads only the first {MOST_FILES}", names.0, names.1));
    }
    for path in files.iter().take(MOST_FILES) {
        match read_file(&mut book, path) {
            Ok(AbiFile { left_out: 0, .. }) => {}
            Ok(AbiFile { left_out, taken }) => warnings.push(format!(
                "abi: {}: skipped {left_out} unreadable entries of {}",
                display_path(path),
                taken + left_out
            )),
            Err(error) => warnings.push(format!("abi: skipped {}: {error}", display_path(path))),
        }
    }
    book
}

/// Lists the folder's `.json` files by name.
fn json_files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries: Vec<PathBuf> = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    let is_json = |path: &PathBuf| path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("json"));
    let mut files: Vec<PathBuf> = entries.into_iter().filter(is_json).collect();
    files.sort();
    Ok(files)
}

fn read_file(book: &mut AbiRegistry, path: &Path) -> Result<AbiFile, String> {
    let text = read_user_file(path).map_err(|error| error.to_string())?;
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    book.add_file(&stem, &text).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Settings;
    use crate::config::{Environment, Flags, LARGEST_FILE, Paths};

    const TOKEN: &str = r#"[{"type":"function","name":"frobnicate","inputs":[{"name":"count","type":"uint8"}]}]"#;
    const CALL: &str = "0x85fc913f0000000000000000000000000000000000000000000000000000000000000007";

    fn settings(folder: &Path) -> Settings {
        fs::write(folder.join("config.toml"), "abi = \"abi\"\n").unwrap();
        let paths = Paths { config_dir: folder.to_path_buf(), state_dir: folder.join("state") };
        Settings::load(Flags::default(), Environment::default(), Some(paths)).unwrap()
    }

    #[test]
    fn good_files_are_used_and_bad_ones_are_named() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("abi");
        fs::create_dir_all(folder.join("inner.json")).unwrap();
        fs::write(folder.join("Token.json"), TOKEN).unwrap();
        fs::write(folder.join("broken.json"), "{").unwrap();
        fs::write(folder.join("notes.txt"), "{").unwrap();
        fs::write(folder.join("0xzz.json"), TOKEN).unwrap();
        let mut warnings = Vec::new();
        let book = read_abi(settings(home.path()).abi.as_deref(), &mut warnings);
        assert_eq!(book.decode_call(None, CALL).signature.as_deref(), Some("frobnicate(uint8)"));
        assert_eq!(warnings.len(), 3, "{warnings:?}");
        for (warning, name) in warnings.iter().zip(["0xzz.json", "broken.json", "inner.json"]) {
            assert!(warning.contains(name), "{warning} names {name}");
        }
    }

    #[test]
    fn a_folder_that_is_not_there_is_a_warning() {
        let home = tempfile::tempdir().unwrap();
        let mut warnings = Vec::new();
        let book = read_abi(settings(home.path()).abi.as_deref(), &mut warnings);
        assert_eq!(book.decode_call(None, CALL).name, None);
        assert!(warnings.len() == 1 && warnings[0].contains("abi"), "{warnings:?}");
    }

    #[test]
    fn a_file_that_is_too_large_is_not_read() {
        let home = tempfile::tempdir().unwrap();
        fs::create_dir(home.path().join("abi")).unwrap();
        let large = fs::File::create(home.path().join("abi/large.json")).unwrap();
        large.set_len(LARGEST_FILE + 1).unwrap();
        let mut warnings = Vec::new();
        read_abi(settings(home.path()).abi.as_deref(), &mut warnings);
        assert!(warnings.len() == 1 && warnings[0].contains("larger"), "{warnings:?}");
    }
}
