//! What follows from registries outside the program: the documents' tables and `assets/keymap.toml`. They are written
//! by `ROLLSCOPE_REGENERATE=1 cargo test --test it commands::`, and compared with what is there otherwise.

use std::{collections::BTreeMap, env, fs, path::Path};

use rollscope::{
    cli::ExitStatus,
    config::{COMMANDS, Command, CommandEntry, Keymap, Layer, Topic},
    demo::differences::DIFFERENCES,
};
use strum::IntoEnumIterator as _;

const BEGIN: &str = "<!-- keys: written from src/config/commands.rs -->\n";
const END: &str = "<!-- /keys -->";
/// What a newcomer needs first.
const TEN: [Command; 10] = [
    Command::Open,
    Command::Back,
    Command::GoTo,
    Command::Filter,
    Command::FailedOnly,
    Command::NextTab,
    Command::NextWord,
    Command::Copy,
    Command::Inspector,
    Command::Help,
];
const TEN_BEGIN: &str = "<!-- ten keys: written from src/config/commands.rs -->\n";
const TEN_END: &str = "<!-- /ten keys -->";
const STATUSES_BEGIN: &str = "<!-- exit statuses: written from src/cli/failure.rs -->\n";
const STATUSES_END: &str = "<!-- /exit statuses -->";
const QUIRKS_BEGIN: &str = "<!-- quirks: written from src/demo/differences.rs -->\n";
const QUIRKS_END: &str = "<!-- /quirks -->";

/// What a file should be from the registry on; it is written when that is asked for.
pub(super) fn compare(file: &str, expected: impl FnOnce(&str) -> String) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    let present = fs::read_to_string(&path).unwrap_or_default();
    let expected = expected(&present);
    if env::var_os("ROLLSCOPE_REGENERATE").is_some() {
        fs::write(&path, &expected).expect("the file can be written");
    } else if present != expected {
        let differs = present.lines().zip(expected.lines()).find(|(present, expected)| present != expected);
        let (present, expected) = differs.unwrap_or(("", "another number of lines"));
        panic!(
            "{file} is not what the registry says; `ROLLSCOPE_REGENERATE=1 cargo test --test it commands::` \
             writes it\n  there:    {present}\n  expected: {expected}"
        );
    }
}

/// `` `j` or `down` ``; keys of several layers once. A command without a key is typed after `:`.
fn keys(entry: &CommandEntry) -> String {
    let mut all: Vec<&str> = Vec::new();
    for key in entry.keys.iter().flat_map(|(_, keys)| *keys) {
        if !all.contains(key) {
            all.push(key);
        }
    }
    let typed = format!(":{}", entry.command);
    if all.is_empty() {
        all.push(&typed);
    }
    let quoted = |key: &&str| format!("`{}`", key.replace('|', "\\|"));
    all.iter().map(quoted).collect::<Vec<_>>().join(" ")
}

/// A row for each topic: its keys with the words that footers show.
fn table_of_keys() -> String {
    let mut table = "| | keys |\n|---|---|\n".to_owned();
    for topic in Topic::iter() {
        let entries = COMMANDS.iter().filter(|entry| entry.topic == topic);
        let cells: Vec<String> = entries.map(|entry| format!("{} {}", keys(entry), entry.label)).collect();
        table.extend(["| ", &topic.to_string(), " | ", &cells.join(" · "), " |\n"]);
    }
    table
}

fn keymap_file() -> String {
    let head = "# The keys of rollscope, written from src/config/commands.rs. Your own keymap.toml in the config folder is laid
# over this one: a line there replaces the keys of that command in that layer; an empty list unbinds it.
#
#   [global]
#   quit = [\"q\", \"ctrl-q\"]
#
# Keys: a character, enter, esc, tab, shift-tab, space, backspace, del, up, down, left, right, home, end,
# pgup, pgdn, f1 to f12, with ctrl- or alt- before. Several keys after each other are written with a blank: \"g g\".
# Two commands may not have the same keys in one layer. Where several layers are in force, the inner one counts.
";
    let mut layers: BTreeMap<Layer, String> = BTreeMap::new();
    for entry in COMMANDS {
        for (layer, keys) in entry.keys {
            let keys = keys.iter().map(|key| format!("\"{key}\"")).collect::<Vec<_>>().join(", ");
            let line = format!("{} = [{keys}]", entry.command);
            let padded = format!("{line:<46} # ");
            layers.entry(*layer).or_default().extend([padded.as_str(), entry.help, "\n"]);
        }
    }
    let section = |(layer, lines): (Layer, String)| format!("\n# {}\n[{layer}]\n{lines}", layer.heading());
    head.to_owned() + &layers.into_iter().map(section).collect::<String>()
}

/// The document with this text between its marks.
fn compare_table(document: &str, begin: &str, end: &str, text: &str) {
    compare(document, |document| {
        let (before, rest) = document.split_once(begin).expect("the document says where the table begins");
        let (_, after) = rest.split_once(end).expect("and where it ends");
        format!("{before}{begin}{text}{end}{after}")
    });
}

#[test]
fn tables_of_keys_follow_from_the_registry() {
    compare_table("docs/explorer.md", BEGIN, END, &table_of_keys());
    let row = |command: &Command| format!("| {} | {} |\n", keys(command.entry()), command.entry().help);
    let ten = format!("| | |\n|---|---|\n{}", TEN.iter().map(row).collect::<String>());
    compare_table("README.md", TEN_BEGIN, TEN_END, &ten);
}

#[test]
fn the_table_of_quirks_follows_from_the_differences() {
    let rows = DIFFERENCES.iter().map(|row| format!("| {} | {} | {} |\n", row.point, row.default, row.quirks));
    let table = format!("| | default | `--quirks` |\n|---|---|---|\n{}", rows.collect::<String>());
    compare_table("docs/demo.md", QUIRKS_BEGIN, QUIRKS_END, &table);
}

#[test]
fn the_table_of_exit_statuses_follows_from_the_program() {
    let rows = ExitStatus::iter().map(|status| format!("| {} | {} |\n", status as u8, status.meaning()));
    let table = format!("| exit status | |\n|---|---|\n{}", rows.collect::<String>());
    compare_table("docs/scripts.md", STATUSES_BEGIN, STATUSES_END, &table);
}

#[test]
fn the_example_of_a_keymap_follows_from_the_registry() {
    compare("assets/keymap.toml", |_| keymap_file());
}

#[test]
fn the_example_of_a_keymap_laid_over_the_built_in_keys_changes_nothing() {
    let (laid, warnings) = Keymap::with_user_file(&keymap_file());
    assert_eq!(warnings, []);
    assert!(laid.bindings().eq(Keymap::built_in().bindings()));
}
