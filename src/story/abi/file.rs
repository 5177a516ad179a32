use std::sync::Arc;

use alloy_json_abi::{EventParam, parser::is_valid_identifier};
use serde::Deserialize;

use super::{
    AbiRegistry,
    item::{AbiItem, ItemKind},
    parameter::Parameter,
};
use crate::domain::Address;

/// Functions, events and errors that are taken from one file at the most.
const MOST_ITEMS: usize = 5_000;

/// What was taken from a user's file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AbiFile {
    /// Functions, events and errors.
    pub taken: usize,
    /// Those that could not be read: types that no ABI knows, nesting without end, or more than a file may hold.
    pub left_out: usize,
}

/// Why a file is none with an ABI.
#[derive(Debug, thiserror::Error)]
pub enum AbiFileError {
    /// Not JSON, or other JSON.
    #[error("{0}")]
    Json(#[from] serde_json::Error),
    /// JSON without an ABI.
    #[error("it holds no ABI: a list of functions and events is needed, or an object with one under \"abi\"")]
    NoAbi,
    /// A name that should be a contract's address.
    #[error("its name begins with 0x and is no address of a contract: 40 digits are needed")]
    Address,
    /// An ABI with nothing in it that can be read.
    #[error("nothing in it is a function, an event or an error that can be read")]
    Empty,
}

#[derive(Deserialize)]
struct Artifact {
    abi: Vec<serde_json::Value>,
}

#[derive(Deserialize)]
struct AbiEntry {
    #[serde(rename = "type", default)]
    kind: Option<String>,
    #[serde(default)]
    name: String,
    /// Also those of functions and errors, which are the same but are never indexed.
    #[serde(default)]
    inputs: Vec<EventParam>,
    #[serde(default)]
    anonymous: bool,
}

impl AbiRegistry {
    /// Adds a standard JSON ABI: a list, or an artifact of a compiler with the list under `abi`.
    ///
    /// `stem` is the file's name without its ending: where it is an address with `0x`, the ABI is that contract's alone;
    /// else it is used for every contract. It goes before the embedded ABI and behind files added earlier.
    pub fn add_file(&mut self, stem: &str, json: &str) -> Result<AbiFile, AbiFileError> {
        let contract = match (stem.starts_with("0x"), stem.parse::<Address>()) {
            (false, _) => None,
            (true, Ok(contract @ Address::Short(_))) => Some(contract),
            (true, _) => return Err(AbiFileError::Address),
        };
        let entries: Vec<serde_json::Value> = if json.trim_start().starts_with('[') {
            serde_json::from_str(json)?
        } else {
            let value: serde_json::Value = serde_json::from_str(json)?;
            serde_json::from_value::<Artifact>(value).map_err(|_| AbiFileError::NoAbi)?.abi
        };
        let source: Arc<str> = stem.into();
        let mut file = AbiFile::default();
        let user = Arc::make_mut(&mut self.user);
        for entry in entries {
            let Ok(entry) = serde_json::from_value::<AbiEntry>(entry) else {
                file.left_out += 1;
                continue;
            };
            let kind = match entry.kind.as_deref() {
                None => Some(ItemKind::Function),
                Some(text) => ItemKind::parse(text),
            };
            // A constructor, `receive` and `fallback` have no selector; neither has an anonymous event.
            let Some(kind) = kind.filter(|_| !entry.anonymous) else { continue };
            let Some(item) = item(&entry, source.clone()).filter(|_| file.taken < MOST_ITEMS) else {
                file.left_out += 1;
                continue;
            };
            file.taken += 1;
            user.entry((kind, item.hash(kind))).or_default().push((contract, item));
        }
        if file.taken == 0 { Err(AbiFileError::Empty) } else { Ok(file) }
    }
}

fn item(entry: &AbiEntry, source: Arc<str>) -> Option<AbiItem> {
    let parameter = |input: &EventParam| Parameter::of_json(&input.name, &input.ty, &input.components, input.indexed);
    let parameters =
        entry.inputs.iter().map(parameter).collect::<Option<_>>().filter(|_| is_valid_identifier(&entry.name))?;
    Some(AbiItem::new(&entry.name, parameters, Some(source)))
}
