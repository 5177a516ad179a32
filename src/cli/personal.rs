//! Export and import of the user's names, notes, bookmarks and views. An import gives no account a role and no
//! contract trust.

use std::{fs, path::Path};

use super::{CommandError, arguments::NamesCommand, generated_docs::print};
use crate::{
    config::{DEMO, NetworkChoice, Settings, display_path, read_personal, write_personal},
    domain::{
        PersonalEntry, PersonalKind, Timestamp,
        text::{count_of, quoted},
    },
    files,
    store::{Store, StoreScope},
};

pub(super) fn run(command: &NamesCommand, settings: &Settings) -> Result<(), CommandError> {
    let paths = settings.paths.as_ref();
    let state = paths.ok_or_else(|| CommandError::Failed("no home folder for a state file".to_owned()))?.state_file();
    let network = match &settings.destination {
        Some(NetworkChoice::Network(network) | NetworkChoice::Node(network)) => network.key(),
        _ => DEMO,
    };
    let scope = StoreScope::new(network);
    match command {
        NamesCommand::Export { file } => {
            let entries = if state.exists() { open(&state)?.personal(&scope) } else { Ok(Vec::new()) };
            let entries = entries.map_err(CommandError::failed)?;
            let written = write_personal(network, &entries);
            let Some(file) = file else { return print(&written) };
            write_whole(file, &written)
                .map_err(|error| CommandError::Failed(format!("cannot write {}: {error}", display_path(file))))?;
            print(&format!("{}: {}\n", display_path(file), count_of(entries.len(), "entry", "entries")))
        }
        NamesCommand::Import { file, replace } => {
            let read =
                read_personal(file).map_err(|error| CommandError::Failed(format!("nothing is imported: {error}")))?;
            let mut store = open(&state)?;
            let present = store.personal(&scope).map_err(CommandError::failed)?;
            let merged = MergedEntries::new(&present, read, *replace);
            if !merged.changes.is_empty() {
                store.keep_personal(&scope, &merged.changes, Timestamp::now()).map_err(CommandError::failed)?;
            }
            print(&merged.report)
        }
    }
}

fn open(state: &Path) -> Result<Store, CommandError> {
    Store::open(state).map_err(CommandError::failed)
}

/// Writes a file whole or not at all.
fn write_whole(file: &Path, text: &str) -> std::io::Result<()> {
    let fresh = files::beside(file, ".new");
    files::write(&fresh, text.as_bytes())?;
    fs::rename(&fresh, file)
}

/// What an import changes, and a report of it.
struct MergedEntries {
    changes: Vec<PersonalEntry>,
    report: String,
}

impl MergedEntries {
    /// Merges the entries of a file into the present ones. What differs stays, unless the user wants the file's.
    fn new(present: &[PersonalEntry], read: Vec<PersonalEntry>, takes_file: bool) -> Self {
        let (mut changes, mut lines) = (Vec::new(), Vec::new());
        let (mut added, mut replaced, mut unchanged, mut kept) = (0, 0, 0, 0);
        for entry in read {
            let what = format!("{} of {}", entry.kind.word(), entry.subject.key());
            let text = quoted(&entry.text);
            let is_same_kind = |known: &&PersonalEntry| known.kind.word() == entry.kind.word();
            let namesake = present.iter().filter(is_same_kind).find(|known| {
                entry.kind == PersonalKind::ImportedName
                    && known.subject != entry.subject
                    && known.text.to_lowercase() == entry.text.to_lowercase()
            });
            let known = present.iter().filter(is_same_kind).find(|known| known.subject == entry.subject);
            match known {
                Some(known) if known.text == entry.text => unchanged += 1,
                _ if let Some(other) = namesake => {
                    kept += 1;
                    lines.push(format!("! {what}: {} already has the name {text}", other.subject.key()));
                }
                Some(known) if !takes_file => {
                    kept += 1;
                    lines.push(format!("! {what}: yours is {}, the file's {text}", quoted(&known.text)));
                }
                Some(known) => {
                    replaced += 1;
                    lines.push(format!("~ {what}: {} becomes {text}", quoted(&known.text)));
                    changes.push(PersonalEntry { text: String::new(), ..known.clone() });
                    changes.push(entry);
                }
                None => {
                    added += 1;
                    lines.push(format!("+ {what}: {text}"));
                    changes.push(entry);
                }
            }
        }
        let advice = if kept > 0 && !takes_file { "; --replace takes the file's" } else { "" };
        lines.push(format!("{added} added, {replaced} replaced, {unchanged} unchanged, {kept} kept as yours{advice}"));
        Self { changes, report: lines.join("\n") + "\n" }
    }
}
