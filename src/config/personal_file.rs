//! Files with a user's names, notes and bookmarks, for `names export` and `names import`.

use std::{collections::BTreeMap, fmt::Write as _, path::Path};

use toml::{Spanned, de::DeValue};

use super::{
    paths::display_path,
    table::{TableReader, article},
    user_file::{UserFileError, read_user_file},
};
use crate::domain::{PersonalEntry, PersonalKind, PersonalSubject, Target, TxView, classify, text};

/// Tables of the file, with the key of an entry's text. Nothing else is read, so a file can give no trust.
const TABLES: [(&str, &str, PersonalKind); 4] = [
    ("names", "name", PersonalKind::ImportedName),
    ("notes", "note", PersonalKind::Note),
    ("bookmarks", "title", PersonalKind::Bookmark),
    ("views", "view", PersonalKind::View),
];
/// Maximum entries of a file.
const MOST: usize = 5000;
/// Maximum problems to report.
const PROBLEMS: usize = 20;

/// Formats entries as a file.
pub fn write_personal(network: &str, entries: &[PersonalEntry]) -> String {
    let mut file = format!("# Names, notes and bookmarks on {}, by rollscope names export.\n", text::clean(network));
    for (table, key, kind) in TABLES {
        let is_name = |kind: PersonalKind| matches!(kind, PersonalKind::Name | PersonalKind::ImportedName);
        for entry in entries.iter().filter(|entry| entry.kind == kind || is_name(kind) && is_name(entry.kind)) {
            let [subject, text] = [entry.subject.key(), entry.text.clone()].map(toml::Value::from);
            let _ = write!(file, "\n[[{table}]]\nsubject = {subject}\n{key} = {text}\n");
        }
    }
    file
}

/// Reads a file. Names become imported names. A file must not lose a part of what it says, so everything unusable is an
/// error.
pub fn read_personal(path: &Path) -> Result<Vec<PersonalEntry>, UserFileError> {
    let file = display_path(path);
    let text = read_user_file(path).map_err(|error| UserFileError::File { file: file.clone(), error })?;
    let mut reader = TableReader::new(&file, &text);
    let mut entries = PersonalEntries::default();
    for (key, value) in &reader.top() {
        match TABLES.iter().find(|(table, ..)| *table == key.get_ref().as_ref()) {
            Some((table, text_key, kind)) => entries.read_table(&mut reader, value, (table, text_key, *kind)),
            None => reader.unknown(key, &TABLES.map(|(table, ..)| table)),
        }
    }
    let mut problems = reader.warnings;
    if problems.is_empty() {
        return Ok(entries.read);
    }
    let more = problems.len().saturating_sub(PROBLEMS);
    problems.truncate(PROBLEMS);
    problems.extend((more > 0).then(|| format!("and {more} more")));
    Err(UserFileError::Contents(problems))
}

/// Entries read so far, and what they must not repeat.
#[derive(Default)]
struct PersonalEntries {
    read: Vec<PersonalEntry>,
    seen: BTreeMap<(PersonalKind, String), usize>,
}

impl PersonalEntries {
    fn read_table(
        &mut self,
        reader: &mut TableReader<'_>,
        value: &Spanned<DeValue<'_>>,
        (table, key, kind): (&str, &str, PersonalKind),
    ) {
        let Some(items) = value.get_ref().as_array() else {
            return reader.warn(value, table, format_args!("write [[{table}]], not {}", article(value.get_ref())));
        };
        for item in items {
            let line = reader.line(item.span().start);
            let Some(entry) = read_entry(reader, item, (table, key, kind)) else { continue };
            if self.read.len() >= MOST {
                return reader.push(line, table, format_args!("a file has at most {MOST} entries"));
            }
            let subject = entry.subject.key();
            let name = (kind == PersonalKind::ImportedName).then(|| format!("name {}", entry.text.to_lowercase()));
            for what in [Some(subject), name].into_iter().flatten() {
                if let Some(first) = self.seen.insert((kind, what), line) {
                    reader.push(line, table, format_args!("repeats the subject or name of line {first}; keep one"));
                }
            }
            self.read.push(entry);
        }
    }
}

fn read_entry(
    reader: &mut TableReader<'_>,
    item: &Spanned<DeValue<'_>>,
    (table, text_key, kind): (&str, &str, PersonalKind),
) -> Option<PersonalEntry> {
    let Some(fields) = item.get_ref().as_table() else {
        reader.warn(item, table, format_args!("write [[{table}]] before each entry"));
        return None;
    };
    let (mut subject, mut text) = (None, None);
    for (key, value) in fields {
        match key.get_ref().as_ref() {
            "subject" => subject = Some(reader.text("subject", value, |written| read_subject(written, kind))?),
            known if known == text_key => {
                text = Some(reader.text(text_key, value, |written| read_text(written, kind))?);
            }
            _ => reader.unknown(key, &["subject", text_key]),
        }
    }
    if subject.is_none() || text.is_none() {
        reader.warn(item, table, format_args!("write both subject and {text_key}"));
    }
    Some(PersonalEntry { kind, subject: subject?, text: text? })
}

/// Reads what an entry is of. The word of its kind may be absent where the text has one meaning.
fn read_subject(written: &str, kind: PersonalKind) -> Result<PersonalSubject, String> {
    if kind == PersonalKind::View {
        let name = text::clean(written).trim().to_owned();
        let is_name = (1..=PersonalSubject::VIEW).contains(&name.chars().count());
        let why = || format!("a view's name has 1 to {} characters", PersonalSubject::VIEW);
        return is_name.then_some(PersonalSubject::View(name)).ok_or_else(why);
    }
    let targets = classify(written).map_err(|error| error.to_string())?;
    let fits = |target: &Target| match (kind, target) {
        (PersonalKind::Bookmark, Target::Chain(_) | Target::Transfer(_)) => None,
        (PersonalKind::Bookmark, target) => Some(target.clone()),
        (_, target) => target.nameable(),
    };
    let mut fitting: Vec<Target> = targets.iter().filter_map(fits).collect();
    fitting.dedup();
    match (fitting.as_slice(), targets.first()) {
        ([only], _) => Ok(PersonalSubject::Record(only.clone())),
        ([], Some(target)) => Err(format!("{} cannot have a {}", target.describe(), kind.word())),
        _ => Err("several meanings; write account, collection, cosmos-tx or evm-tx before it".to_owned()),
    }
}

fn read_text(written: &str, kind: PersonalKind) -> Result<String, String> {
    let text = text::clean(written).replace(text::PERSONAL_SIGNS, "").trim().to_owned();
    match text.chars().count() {
        0 => Err(format!("the {} is empty", kind.word())),
        count if count > kind.most() => Err(format!("a {} has at most {} characters", kind.word(), kind.most())),
        _ if kind == PersonalKind::View => {
            text.parse::<TxView>().map(|view| view.to_string()).map_err(|error| error.to_string())
        }
        _ => Ok(text),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::domain::{Address, Denom};

    fn read(text: &str) -> Result<Vec<PersonalEntry>, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("names.toml");
        fs::write(&path, text).unwrap();
        read_personal(&path).map_err(|error| error.to_string())
    }

    #[test]
    fn what_is_written_is_read_back_and_names_are_then_imported() {
        let alice = Target::Account(Address::Short([7; 20]));
        let odd = "\"quoted\" = [[x]] # — é";
        let entries = [
            PersonalEntry::new(PersonalKind::Name, alice.clone(), odd),
            PersonalEntry::new(PersonalKind::Note, Target::Denom(Denom::new("factory/init1x/a.b")), odd),
            PersonalEntry::new(PersonalKind::Bookmark, alice.clone(), "her page"),
            PersonalEntry::view("hers", format!("account {} signer failed a.b.MsgCall", alice.text())),
        ];
        let mut expected = entries.to_vec();
        expected[0].kind = PersonalKind::ImportedName;
        expected.swap(1, 2);
        expected.swap(0, 1);
        assert_eq!(read(&write_personal("here", &entries)), Ok(expected), "in the order of the tables' names");
        let plain = format!("[[names]]\nsubject = \"{}\"\nname = \"\u{202e}‹Treasury›\"", alice.text());
        assert_eq!(read(&plain), Ok(vec![PersonalEntry::new(PersonalKind::ImportedName, alice, "Treasury")]));
    }

    #[test]
    fn everything_unusable_is_refused_with_its_line() {
        let name = |subject: &str, name: &str| format!("[[names]]\nsubject = \"{subject}\"\nname = \"{name}\"\n");
        let account = Address::Short([7; 20]).bech32();
        for (text, expected) in [
            ("tokens = []".to_owned(), "line 1, tokens: unknown setting"),
            (name(&account, "A") + "role = \"safe\"", "line 4, role: unknown setting"),
            (name(&account, "A") + &name("uinit", "a"), "line 4, names: repeats"),
            (name(&account, "A") + &name(&account, "B"), "line 4, names: repeats"),
            (name("block 7", "A"), "line 2, subject: block 7 cannot have a name"),
            (name(&"a".repeat(64), "A"), "line 2, subject: several meanings"),
            (name(&account, &"x".repeat(33)), "line 3, name: a name has at most 32"),
            (name(&account, "‹›"), "line 3, name: the name is empty"),
            ("[[names]]\nname = \"A\"".to_owned(), "line 1, names: write both subject and name"),
            ("[[views]]\nsubject = \"x\"\nview = \"txs signer\"".to_owned(), "line 3, view: a view is txs"),
            ("[names]".to_owned(), "line 1, names: write [[names]]"),
            ("names = 5 6".to_owned(), "line 1"),
        ] {
            let refused = read(&text).unwrap_err();
            assert!(refused.contains(expected), "{text}: {refused}");
        }
    }
}
