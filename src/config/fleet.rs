use std::{collections::BTreeSet, ffi::OsString, path::Path};

use super::{
    Network,
    file::ConfigFile,
    networks::Networks,
    paths::{display_path, is_database_url, written_path},
    user_file::{UserFileError, read_user_file},
};

/// Names that are paths for operators.
const RESERVED: [&str; 4] = ["health", "metrics", "ready", "version"];

/// Network of a fleet: its node, and its index as `--data` takes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FleetMember {
    pub network: Network,
    pub data: OsString,
}

/// Reads the `[[networks]]` of a settings file, in its order. A server must not leave out a chain that was meant, so
/// everything unusable is an error.
pub fn read_fleet(path: &Path) -> Result<Vec<FleetMember>, UserFileError> {
    let file = display_path(path);
    let text = read_user_file(path).map_err(|error| UserFileError::File { file: file.clone(), error })?;
    let (content, mut problems) = ConfigFile::read(&file, &text);
    let networks = Networks::new(&content.networks);
    let (mut names, mut files) = (BTreeSet::new(), BTreeSet::new());
    let mut members = Vec::with_capacity(content.networks.len());
    for entry in &content.networks {
        let name = &entry.name.value;
        let data = entry.data.as_deref().map(|text| {
            let is_file = !is_database_url(text);
            if is_file { written_path(text, Some(path)).into_os_string() } else { OsString::from(text) }
        });
        let mut refuse =
            |key: &str, why: String| problems.push(format!("{file} line {}, {key}: {why}", entry.name.line));
        if !names.insert(name.to_lowercase()) {
            refuse("name", format!("two networks are called {name}; name each differently"));
        }
        if RESERVED.contains(&name.to_lowercase().as_str()) || name.contains('/') {
            refuse("name", format!("{name} cannot be a path of its own; choose another name"));
        }
        // A database has a schema for each network.
        let is_file = entry.data.as_deref().is_some_and(|text| !is_database_url(text));
        if let Some(data) = data.clone().filter(|data| is_file && !files.insert(data.clone())) {
            refuse("data", format!("two networks have the file {}", display_path(Path::new(&data))));
        }
        if data.is_none() {
            refuse("data", format!("{name} has no file for its index; write data = \"{name}.sqlite\""));
        }
        match networks.find(name) {
            Ok(network) if network.node.is_some() => {
                members.extend(data.map(|data| FleetMember { network: network.clone(), data }));
            }
            _ => refuse("node", format!("{name} has no node; write the URL of its RPC")),
        }
    }
    if content.networks.is_empty() && problems.is_empty() {
        problems.push(format!("{file} names no network: write [[networks]] with name, node and data for each chain"));
    }
    if problems.is_empty() { Ok(members) } else { Err(UserFileError::Contents(problems)) }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn read(text: &str) -> Result<Vec<FleetMember>, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("fleet.toml");
        fs::write(&path, text).unwrap();
        let fleet = read_fleet(&path).map_err(|error| error.to_string());
        let of_folder = |data: OsString| {
            let name = Path::new(&data).strip_prefix(folder.path()).ok().map(|name| name.as_os_str().to_owned());
            name.unwrap_or(data)
        };
        fleet.map(|members| {
            let members = members.into_iter();
            members.map(|member| FleetMember { data: of_folder(member.data), ..member }).collect()
        })
    }

    #[test]
    fn each_chain_has_a_node_and_a_file_of_its_own() {
        let one = "[[networks]]\nname = \"one\"\nnode = \"http://127.0.0.1:1\"\ndata = \"one.sqlite\"\n";
        let two = one.replace("one", "two");
        let members = read(&format!("timeout = \"5s\"\n{one}{two}")).unwrap();
        let shown = members.iter().map(|member| (member.network.name.as_str(), member.data.clone()));
        let place = |name: &str| OsString::from(name);
        assert_eq!(shown.collect::<Vec<_>>(), [("one", place("one.sqlite")), ("two", place("two.sqlite"))]);
        let members = read(
            &format!("{one}{two}").replace("one.sqlite", "postgres://db/r").replace("two.sqlite", "postgres://db/r"),
        );
        assert!(members.unwrap().iter().all(|member| member.data == place("postgres://db/r")));
        for (text, expected) in [
            (String::new(), "names no network"),
            (format!("{one}{one}"), "two networks are called one"),
            (format!("{one}{}", two.replace("two.sqlite", "one.sqlite")), "two networks have the file"),
            (one.replace("name = \"one\"", "name = \"Health\""), "Health cannot be a path"),
            (one.replace("name = \"one\"", "name = \"a/b\""), "a/b cannot be a path"),
            (one.replace("node =", "indexer ="), "one has no node"),
            (one.replace("node =", "nod ="), "did you mean node?"),
            (one.replace("data = \"one.sqlite\"\n", ""), "one has no file for its index"),
            (one.replace("data = \"one.sqlite\"", "data = 5"), "networks.data"),
        ] {
            let refused = read(&text).unwrap_err();
            assert!(refused.contains(expected), "{text}: {refused}");
        }
    }
}
