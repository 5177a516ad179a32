use std::sync::Arc;

use alloy_json_abi::{EventParam, parser::is_valid_identifier};
use serde::Deserialize;

use super::{
    AbiRegistry,
    item::{AbiItem, ItemKind},
    parameter::Parameter,
};
use crate::domain::Address;

/// Maximum functions, events and errors of one file.
const MOST_ITEMS: usize = 5_000;

/// Result of loading a user's file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AbiFile {
    /// Number of loaded functions, events and errors.
    pub taken: usize,
    /// Number of unreadable items: unknown types, excessive nesting, or items beyond the maximum.
    pub left_out: usize,
}

/// Why a file contains no ABI.
#[derive(Debug, thiserror::Error)]
pub enum AbiFileError {
    #[error("{0}")]
    Json(#[from] serde_json::Error),
    /// JSON without an ABI.
    #[error("no ABI in the file: write a list of functions and events, or an object with one under \"abi\"")]
    NoAbi,
    #[error("the file name begins with 0x but is not a contract address: it needs 40 digits")]
    Address,
    #[error("the file has no readable function, event or error")]
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
    /// Inputs, also of functions and errors, which are never indexed.
    #[serde(default)]
    inputs: Vec<EventParam>,
    #[serde(default)]
    anonymous: bool,
}

impl AbiRegistry {
    /// Adds a standard JSON ABI: a list, or a compiler's artifact with the list under `abi`.
    ///
    /// `stem` is the file name without its extension: if it is an address with `0x`, the ABI applies to that contract
    /// only, else to every contract. The file takes precedence over the embedded ABI, but not over earlier files.
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
            // Constructors, `receive` and `fallback` have no selector, and neither have anonymous events.
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
