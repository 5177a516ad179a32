use std::time::Duration;

use toml::{Spanned, de::DeValue};

use super::{
    announcements::Announcements,
    networks::{NetworkEntry, read_networks},
    table::{Located, TableReader, article},
    value::{ThemeChoice, parse_base_url, parse_duration, parse_path},
};

/// Commented settings file with all defaults, printed by `rollscope config --default`.
pub const DEFAULT_CONFIG: &str = include_str!("../../assets/config.toml");

const KEYS: &[&str] = &[
    "network",
    "indexer",
    "node",
    "rest",
    "json_rpc",
    "router",
    "ipfs_gateway",
    "timeout",
    "theme",
    "ascii",
    "fetch_metadata",
    "abi",
    "transfers",
    "columns",
    "serve",
    "networks",
];

/// Columns of one list in the settings file, unchecked: the module `columns` knows which lists and columns exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnSetting {
    pub list: Located<String>,
    pub ids: Vec<Located<String>>,
}

/// Option of `serve` in the settings file, unchecked: the command line knows which options exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServeSetting {
    /// Name of the option, with `_` for `-`.
    pub key: Located<String>,
    /// Values as on the command line: several of an option that may be repeated.
    pub values: Vec<String>,
}

/// Contents of `config.toml`; `None` for keys that the file does not set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ConfigFile {
    pub(super) network: Option<Located<String>>,
    pub(super) indexer: Option<Located<String>>,
    pub(super) node: Vec<String>,
    pub(super) rest: Option<String>,
    pub(super) json_rpc: Option<String>,
    pub(super) router: Option<String>,
    pub(super) ipfs_gateway: Option<String>,
    pub(super) timeout: Option<Duration>,
    pub(super) theme: Option<ThemeChoice>,
    pub(super) ascii: Option<bool>,
    pub(super) fetch_metadata: Option<bool>,
    pub(super) abi: Option<String>,
    pub(super) announcements: Announcements,
    pub(super) columns: Vec<ColumnSetting>,
    pub(super) serve: Vec<ServeSetting>,
    pub(super) networks: Vec<NetworkEntry>,
}

impl ConfigFile {
    /// Reads a settings file. Each unusable value becomes a warning with line and key; `file` is the file's name in
    /// warnings.
    pub(super) fn read(file: &str, text: &str) -> (Self, Vec<String>) {
        let mut reader = TableReader::new(file, text);
        let mut result = Self::default();
        for (key, value) in &reader.top() {
            let line = reader.line(key.span().start);
            let located = |value| Located { value, line };
            match key.get_ref().as_ref() {
                "network" => {
                    let read = |text: &str| Ok::<_, String>(text.to_owned());
                    result.network = reader.text("network", value, read).map(located);
                }
                "indexer" => result.indexer = reader.text("indexer", value, parse_base_url).map(located),
                "node" => result.node = reader.texts("node", value, parse_base_url),
                "rest" => result.rest = reader.text("rest", value, parse_base_url),
                "json_rpc" => result.json_rpc = reader.text("json_rpc", value, parse_base_url),
                "router" => result.router = reader.text("router", value, parse_base_url),
                "ipfs_gateway" => result.ipfs_gateway = reader.text("ipfs_gateway", value, parse_base_url),
                "timeout" => result.timeout = reader.text("timeout", value, parse_duration),
                "theme" => result.theme = reader.text("theme", value, str::parse),
                "ascii" => result.ascii = reader.switch("ascii", value),
                "fetch_metadata" => result.fetch_metadata = reader.switch("fetch_metadata", value),
                "abi" => result.abi = reader.text("abi", value, parse_path),
                "transfers" => result.announcements = Announcements::read(&mut reader, value),
                "columns" => result.columns = read_columns(&mut reader, value),
                "serve" => result.serve = read_serve(&mut reader, value),
                "networks" => result.networks = read_networks(&mut reader, value),
                _ => reader.unknown(key, KEYS),
            }
        }
        if let (Some(_), Some(indexer)) = (&result.network, &result.indexer) {
            reader.push(
                indexer.line,
                "indexer",
                "config.toml sets both an address and a network; rollscope uses \
             the address; keep one of the two",
            );
            result.network = None;
        }
        (result, reader.warnings)
    }
}

/// Reads the `[columns]` table; skips entries that are not a list of texts, with a warning.
fn read_columns(reader: &mut TableReader<'_>, value: &Spanned<DeValue<'_>>) -> Vec<ColumnSetting> {
    let Some(table) = value.get_ref().as_table() else {
        reader.warn(value, "columns", format_args!("expected a table, found {}", article(value.get_ref())));
        return Vec::new();
    };
    let mut settings = Vec::new();
    for (list, value) in table {
        let key = format!("columns.{}", list.get_ref());
        let Some(items) = value.get_ref().as_array() else {
            let found = article(value.get_ref());
            reader.warn(value, &key, format_args!("expected column names in brackets, found {found}"));
            continue;
        };
        let mut id = |item: &Spanned<DeValue<'_>>| {
            let line = reader.line(item.span().start);
            let value = reader.text(&key, item, |text| Ok::<_, String>(text.to_owned()))?;
            Some(Located { value, line })
        };
        let ids: Option<Vec<_>> = items.iter().map(&mut id).collect();
        let line = reader.line(list.span().start);
        let list = Located { value: list.get_ref().clone().into_owned(), line };
        settings.extend(ids.map(|ids| ColumnSetting { list, ids }));
    }
    settings
}

/// Reads the `[serve]` table; skips entries that are no text, number or boolean, nor a list of them, with a warning.
fn read_serve(reader: &mut TableReader<'_>, value: &Spanned<DeValue<'_>>) -> Vec<ServeSetting> {
    let Some(table) = value.get_ref().as_table() else {
        reader.warn(value, "serve", format_args!("expected a table, found {}", article(value.get_ref())));
        return Vec::new();
    };
    let mut settings = Vec::new();
    for (key, value) in table {
        let name = key.get_ref().clone().into_owned();
        let text = |value: &DeValue<'_>| match value {
            DeValue::String(text) => Ok(text.clone().into_owned()),
            DeValue::Integer(number) => Ok(number.as_str().to_owned()),
            DeValue::Boolean(switch) => Ok(switch.to_string()),
            other => Err(format!("expected text, a number or true or false, or a list, found {}", article(other))),
        };
        let values = match value.get_ref() {
            DeValue::Array(values) => values.iter().map(|value| text(value.get_ref())).collect(),
            value => text(value).map(|value| vec![value]),
        };
        match values {
            Ok(values) => {
                let key = Located { value: name, line: reader.line(key.span().start) };
                settings.push(ServeSetting { key, values });
            }
            Err(expected) => reader.warn(value, &format!("serve.{name}"), expected),
        }
    }
    settings
}

#[cfg(test)]
mod tests {
    use super::{Announcements, ConfigFile, DEFAULT_CONFIG};

    #[test]
    fn every_line_of_the_default_file_that_is_off_is_valid_when_it_is_on() {
        let on: String = DEFAULT_CONFIG
            .lines()
            .map(|line| match line.strip_prefix('#') {
                Some(rest) if !rest.starts_with(' ') => format!("{rest}\n"),
                _ => format!("{line}\n"),
            })
            .collect();
        let (file, warnings) = ConfigFile::read("config.toml", &on);
        assert_eq!(warnings.len(), 1, "only network beside indexer is to be said: {warnings:?}");
        assert_eq!((file.networks.len(), file.serve.len()), (1, 4));
        assert!(
            file.ipfs_gateway.is_some()
                && file.indexer.is_some()
                && file.router.is_some()
                && file.theme.is_some()
                && file.timeout.is_some()
                && file.abi.is_some()
        );
        assert_eq!(file.fetch_metadata, Some(false));
        let Announcements { bell, title, on_end } = file.announcements;
        let command = on_end.expect("a program");
        assert!(bell && title && command.program == "notify-send" && command.arguments.len() == 1, "{command:?}");
        assert_eq!(command.limit, std::time::Duration::from_secs(30));
    }
}
