//! Commands that print data of the program itself: settings, completions, manual.

use std::{
    io::{self, Write},
    iter,
};

use super::{CommandError, arguments::ConfigArguments, usage};
use crate::{
    columns::{self, Columns},
    config::{self, Announcements, NetworkChoice, NodeLocation, Settings, display_path, write_duration},
};

pub(super) fn print(text: &str) -> Result<(), CommandError> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(text.as_bytes())?;
    Ok(stdout.flush()?)
}

pub(super) fn completions(shell: clap_complete::Shell) -> Result<(), CommandError> {
    // The generator panics if its writer fails, so let it write to memory.
    let mut bytes = Vec::new();
    clap_complete::generate(shell, &mut usage::description(), "rollscope", &mut bytes);
    print(&String::from_utf8_lossy(&bytes))
}

pub(super) fn manual() -> Result<(), CommandError> {
    let mut bytes = Vec::new();
    clap_mangen::Man::new(usage::description()).render(&mut bytes)?;
    print(&String::from_utf8_lossy(&bytes))
}

/// Prints the default settings with comments.
pub(super) fn default_config() -> Result<(), CommandError> {
    print(&format!("{}{}", config::DEFAULT_CONFIG, columns::default_settings()))
}

/// Prints the path of the settings file, or the effective settings in the file's format.
pub(super) fn config(arguments: ConfigArguments, settings: &Settings) -> Result<(), CommandError> {
    if arguments.path {
        return match &settings.config_file {
            Some(path) => print(&format!("{}\n", path.display())),
            None => Err(CommandError::Failed("no home folder for a settings file: name a file with --config".into())),
        };
    }
    print(&effective(settings))
}

fn set_node(node: Option<&NodeLocation>, set: &mut impl FnMut(&str, toml::Value)) {
    let Some(NodeLocation { node, rest, json_rpc, others }) = node else { return };
    let nodes = || iter::once(node).chain(others).cloned().collect::<Vec<_>>().into();
    set("node", if others.is_empty() { node.as_str().into() } else { nodes() });
    for (key, value) in [("rest", rest), ("json_rpc", json_rpc)] {
        if let Some(value) = value {
            set(key, value.as_str().into());
        }
    }
}

fn effective(settings: &Settings) -> String {
    let mut lines = Vec::new();
    match &settings.config_file {
        Some(path) if path.exists() => lines.push(format!("# {}", display_path(path))),
        Some(path) => lines.push(format!("# {} does not exist", display_path(path))),
        None => {}
    }
    let mut set = |key: &str, value: toml::Value| lines.push(format!("{key} = {value}"));
    let mut router = settings.router.as_deref();
    let mut ipfs_gateway = settings.ipfs_gateway.as_deref();
    match &settings.destination {
        Some(NetworkChoice::Embedded) => set("network", config::DEMO.into()),
        Some(NetworkChoice::Network(network)) if network.is_unnamed() => {
            set("indexer", network.indexer.as_str().into());
            set_node(network.node.as_ref(), &mut set);
        }
        Some(NetworkChoice::Node(network)) => {
            set_node(network.node.as_ref(), &mut set);
            router = router.or(network.router.as_deref());
        }
        Some(NetworkChoice::Network(network)) => {
            set("network", network.name.as_str().into());
            let listed = settings.networks().find(&network.name).ok().and_then(|listed| listed.node.as_ref());
            set_node(network.node.as_ref().filter(|node| Some(*node) != listed), &mut set);
            router = router.or(network.router.as_deref());
            ipfs_gateway = network.ipfs_gateway.as_deref().or(ipfs_gateway);
        }
        None => {}
    }
    if let Some(router) = router {
        set("router", router.into());
    }
    if let Some(gateway) = ipfs_gateway {
        set("ipfs_gateway", gateway.into());
    }
    set("timeout", write_duration(settings.timeout).into());
    set("theme", settings.theme_choice.name().into());
    lines.push(format!("ascii = {}", settings.ascii));
    lines.push(format!("fetch_metadata = {}", settings.fetch_metadata.unwrap_or_default()));
    if let Some(folder) = &settings.abi {
        lines.push(format!("abi = {}", toml::Value::from(display_path(folder))));
    }
    let Announcements { bell, title, on_end } = &settings.announcements;
    lines.extend(["[transfers]".to_owned(), format!("bell = {bell}"), format!("title = {title}")]);
    if let Some(command) = on_end {
        let words: Vec<&String> = iter::once(&command.program).chain(&command.arguments).collect();
        lines.push(format!("on_end = {}", toml::Value::from(words.into_iter().cloned().collect::<Vec<_>>())));
        lines.push(format!("on_end_timeout = \"{}\"", write_duration(command.limit)));
    }
    let (columns, _) = Columns::from_settings(settings);
    if columns != Columns::default() {
        lines.push("[columns]".to_owned());
        lines.extend(columns.lines());
    }
    lines.push(String::new());
    lines.join("\n")
}
