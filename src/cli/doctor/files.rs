//! The user's files.

use std::path::Path;

use rustix::fs::{Access, access};

use super::DoctorFinding;
use crate::{
    cli::{abi, explore},
    columns::Columns,
    config::{Paths, Settings, display_path},
    store::{Store, StoreError},
};

pub(super) fn examine(settings: &Settings) -> Vec<DoctorFinding> {
    let Some(paths) = &settings.paths else {
        let what = "no home folder: rollscope reads no settings and keeps nothing";
        return vec![DoctorFinding::warning("files", what, "set HOME")];
    };
    let warnings = [settings.warnings.clone(), Columns::from_settings(settings).1].concat();
    let file = settings.config_file.clone().unwrap_or_else(|| paths.config_file());
    let mut findings = read("settings", "the defaults apply", &file, warnings);
    let mut warnings = Vec::new();
    explore::read_keymap(settings, &mut warnings);
    findings.extend(read("keymap", "the built-in keys apply", &paths.keymap_file(), warnings));
    let mut warnings = Vec::new();
    explore::read_styles(settings, &mut warnings);
    if let Some(file) = settings.theme_file() {
        findings.extend(read("theme", "ansi applies", &file, warnings));
    }
    if let Some(folder) = &settings.abi {
        let mut warnings = Vec::new();
        abi::read_abi(Some(folder), &mut warnings);
        findings.extend(read("abi", "no ABI of yours applies", folder, warnings));
    }
    findings.push(examine_state(paths));
    findings
}

/// Returns a line for each warning of a file; without warnings, one line.
fn read(name: &'static str, without: &str, file: &Path, warnings: Vec<String>) -> Vec<DoctorFinding> {
    let shown = display_path(file);
    if warnings.is_empty() {
        let what = if file.exists() { shown } else { format!("{shown} does not exist: {without}") };
        return vec![DoctorFinding::good(name, what)];
    }
    warnings.into_iter().map(|warning| DoctorFinding::warning(name, warning, "correct the file")).collect()
}

fn examine_state(paths: &Paths) -> DoctorFinding {
    let (file, name) = (paths.state_file(), "state");
    let shown = display_path(&file);
    if !file.exists() {
        let folder = file.ancestors().skip(1).find(|folder| folder.exists());
        let is_writable = folder.is_some_and(|folder| access(folder, Access::WRITE_OK | Access::EXEC_OK).is_ok());
        return if is_writable {
            DoctorFinding::good(name, format!("{shown} does not exist: the explorer creates it"))
        } else {
            let folder = folder.map(display_path).unwrap_or_default();
            let what = format!("cannot create {shown}: {folder} is not writable");
            DoctorFinding::problem(name, what, "correct the permissions, or set XDG_STATE_HOME")
        };
    }
    match Store::open(&file).and_then(|store| store.check_writable()) {
        Ok(()) => DoctorFinding::good(name, format!("{shown} can be read and written")),
        Err(StoreError::Damaged { reason, .. }) => {
            let what = format!("{shown} is damaged: {reason}");
            DoctorFinding::warning(name, what, "the explorer moves it aside and begins a new one")
        }
        Err(error @ StoreError::Newer { .. }) => DoctorFinding::problem(name, error.to_string(), "update rollscope"),
        Err(error) => {
            DoctorFinding::problem(name, error.to_string(), "check its permissions and the space on its disk")
        }
    }
}
